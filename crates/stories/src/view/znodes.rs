//! The znode tree of one server as rows, perhaps beside that of another server: what exists only here or only there, what
//! differs, and which watches hang on it. Everything is bounded: a tree may have any size.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::base::{Arrange, ClientId, Gather, ServerId, SessionId, Zxid};
use crate::recipes::{numbered, without_guids};
use crate::sim::World;
use crate::store::{CONFIG, Owner, Tree, WatchMode, Znode};
use crate::wire::{Data, Stat};

/// How many rows are shown at most.
pub const MOST_ROWS: usize = 500;
/// How many znodes are looked at for one view.
const LOOKED_AT: usize = 10_000;
/// How many znodes below a closed one are compared.
const COMPARED: usize = 1_000;
/// How many characters of the data stand in a row, and in the sheet of a chosen znode.
const SHORT_DATA: usize = 40;
const LONG_DATA: usize = 4_000;
/// How many watches of a server stand in a row.
const WATCHES_A_ROW: usize = 50;
/// The part of the tree that belongs to ZooKeeper itself; closed until it is opened.
const RESERVED: &str = "/zookeeper";

/// What a znode's life hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZnodeKind {
    /// Nothing.
    Persistent,
    /// A session, and the client that holds it, where one does.
    Ephemeral(SessionId, Option<ClientId>),
    /// Its children.
    Container,
    /// A time without change, ms.
    Ttl(i64),
}

/// What a watch sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WatchKind {
    /// Data, once.
    Data,
    /// Children, once.
    Child,
    /// Data and children, until it is removed.
    Persistent,
    /// Everything below too, until it is removed.
    Recursive,
}

impl From<WatchMode> for WatchKind {
    fn from(mode: WatchMode) -> WatchKind {
        match mode {
            WatchMode::Data => WatchKind::Data,
            WatchMode::Child => WatchKind::Child,
            WatchMode::Persistent => WatchKind::Persistent,
            WatchMode::Recursive => WatchKind::Recursive,
        }
    }
}

impl WatchKind {
    /// Its name in ZooKeeper's words.
    pub fn name(self) -> &'static str {
        match self {
            WatchKind::Data => "data",
            WatchKind::Child => "child",
            WatchKind::Persistent => "persistent",
            WatchKind::Recursive => "recursive",
        }
    }
}

/// A znode beside the same znode of another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing to compare with, or no difference.
    Same,
    /// The other server does not have it.
    OnlyHere,
    /// Only the other server has it.
    OnlyThere,
    /// Both have it; these fields differ.
    Differs(Vec<&'static str>),
}

/// A watch on a znode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watching {
    /// Which server keeps it; none for the one whose tree is shown.
    pub at: Option<ServerId>,
    /// Whose it is, where its connection is still known.
    pub client: Option<ClientId>,
    /// What it sees.
    pub kind: WatchKind,
}

/// Data as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownData {
    /// The text, or hex; cut where it is long.
    pub text: String,
    /// Of bytes that are no text, how many there are.
    pub length: Option<usize>,
}

/// One znode in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZnodeRow {
    /// Where it is.
    pub path: Rc<str>,
    /// The last part of the path.
    pub name: String,
    /// How deep it is; the root is 0.
    pub depth: usize,
    /// What its life hangs on.
    pub kind: ZnodeKind,
    /// Whether its name ends with the number of a sequential znode.
    pub sequential: bool,
    /// How often its data was set.
    pub version: i32,
    /// The beginning of its data; `None` for null.
    pub data: Option<ShownData>,
    /// The watches on it, those at this server first.
    pub watches: Vec<Watching>,
    /// How many children it has, here or there.
    pub children: usize,
    /// Whether its children follow.
    pub open: bool,
    /// Beside the other server's.
    pub beside: Beside,
    /// Whether something differs below it while it is closed.
    pub differs_below: bool,
}

/// What is known of a chosen znode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZnodeSheet {
    /// Where it is.
    pub path: Rc<str>,
    /// Its Stat at this server: names as in ZooKeeper, values, and the values of the other server where they differ.
    pub stat: Vec<(&'static str, String, Option<String>)>,
    /// Its data, cut where it is very long; `None` for null.
    pub data: Option<ShownData>,
    /// The data of the other server, where it differs.
    pub data_there: Option<Option<ShownData>>,
    /// Who may do what.
    pub acl: Vec<(String, String)>,
    /// Whether only the other server has it: then all this is what stands there.
    pub only_there: bool,
}

/// The tree of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZnodeView {
    /// The last transaction applied there; `None` while the server is down.
    pub last: Option<Zxid>,
    /// The same of the server that it is compared with.
    pub last_there: Option<Zxid>,
    /// How many znodes there are.
    pub count: usize,
    /// The first rows.
    pub rows: Vec<ZnodeRow>,
    /// How many more there are.
    pub more: usize,
    /// Whether there are even more than that.
    pub endless: bool,
    /// The chosen znode, if it is there.
    pub sheet: Option<ZnodeSheet>,
}

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZnodeQuery {
    /// Whose tree; where it is left out, the leader's or the first server's.
    pub server: Option<ServerId>,
    /// What it is compared with.
    pub beside: Option<ServerId>,
    /// The znodes that are not as they are at first: closed ones, and the reserved one where it is open.
    pub turned: BTreeSet<Rc<str>>,
    /// The chosen znode.
    pub chosen: Option<Rc<str>>,
}

impl ZnodeQuery {
    /// Whether a znode's children are shown.
    pub fn is_open(&self, path: &str) -> bool {
        self.turned.contains(path) == (path == RESERVED)
    }

    /// Opens or closes a znode.
    pub fn turn(&mut self, path: &Rc<str>) {
        if !self.turned.remove(path) {
            self.turned.insert(path.clone());
        }
    }
}

fn tree_of(world: &World, server: ServerId) -> Option<&Tree> {
    Some(&world.processes.get(&server)?.server()?.tree)
}

/// The client that holds a session now.
pub(super) fn holder(world: &World, session: SessionId) -> Option<ClientId> {
    let holds = |id: &&ClientId| world.clients.get(id).is_some_and(|process| process.client.session == session);
    world.clients.keys().find(holds).copied().filter(|_| session != SessionId::NONE)
}

/// The names of a znode's children at a server; none where it is not there. For completion.
pub fn children_of(world: &World, server: ServerId, path: &str) -> Vec<String> {
    let node = tree_of(world, server).and_then(|tree| tree.get(path));
    node.into_iter().flat_map(|node| node.children.iter()).take(LOOKED_AT).map(|name| name.to_string()).collect()
}

/// The view of a server's tree.
pub fn znodes(world: &World, server: ServerId, query: &ZnodeQuery) -> ZnodeView {
    let here = tree_of(world, server);
    let there = query.beside.filter(|other| *other != server).and_then(|other| tree_of(world, other));
    let Some(tree) = here else {
        return ZnodeView { last_there: there.map(|tree| tree.last), ..ZnodeView::default() };
    };
    let mut walk = Walk { world, server, tree, there, query, view: ZnodeView::default() };
    walk.all();
    ZnodeView {
        last: Some(tree.last),
        last_there: there.map(|tree| tree.last),
        count: tree.len(),
        sheet: query.chosen.as_ref().and_then(|path| sheet(tree, there, path)),
        ..walk.view
    }
}

struct Walk<'a> {
    world: &'a World,
    server: ServerId,
    tree: &'a Tree,
    there: Option<&'a Tree>,
    query: &'a ZnodeQuery,
    view: ZnodeView,
}

impl Walk<'_> {
    /// Depth first, without recursion: a path may have thousands of parts.
    fn all(&mut self) {
        let mut left: Vec<(Rc<str>, usize)> = vec![("/".into(), 0)];
        let mut looked_at = 0;
        while let Some((path, depth)) = left.pop() {
            looked_at += 1;
            if looked_at > LOOKED_AT {
                self.view.endless = true;
                return;
            }
            let names = self.children(&path);
            let open = self.query.is_open(&path) && !names.is_empty();
            match self.view.rows.len() < MOST_ROWS {
                true => {
                    let row = self.row(&path, depth, names.len(), open);
                    self.view.rows.extend(row);
                }
                false => self.view.more += 1,
            }
            if open {
                let room = LOOKED_AT + 1 - left.len().min(LOOKED_AT);
                self.view.endless |= names.len() > room;
                let base = if &*path == "/" { "" } else { &*path };
                left.extend(
                    names.iter().take(room).rev().map(|name| (Rc::from(format!("{base}/{name}")), depth + 1)),
                );
            }
        }
    }

    /// The names of the children, here or there; protected ones in the order of their queue.
    fn children(&self, path: &str) -> Vec<Rc<str>> {
        let trees = [Some(self.tree), self.there];
        let nodes = trees.into_iter().flatten().filter_map(|tree| tree.get(path));
        let names: BTreeSet<Rc<str>> =
            nodes.flat_map(|node| node.children.iter().take(LOOKED_AT + 1).cloned()).gathered();
        let mut names: Vec<Rc<str>> = names.into_iter().collect();
        names.arrange_by_key(|name| without_guids(name));
        names
    }

    fn row(&self, path: &Rc<str>, depth: usize, children: usize, open: bool) -> Option<ZnodeRow> {
        let (here, there) = (self.tree.get(path), self.there.and_then(|tree| tree.get(path)));
        let node = here.or(there)?;
        let name = if &**path == "/" { "/" } else { path.rsplit('/').next().unwrap_or(path) };
        Some(ZnodeRow {
            path: path.clone(),
            name: name.to_string(),
            depth,
            kind: kind_of(self.world, node),
            sequential: is_sequential(name),
            version: node.version,
            data: shown(&node.data, SHORT_DATA),
            watches: self.watches(path),
            children,
            open,
            beside: match self.there {
                Some(_) => beside(path, here, there),
                None => Beside::Same,
            },
            differs_below: !open && children > 0 && self.differs_below(path),
        })
    }

    /// Each watch is kept by one server alone: that of its client.
    fn watches(&self, path: &str) -> Vec<Watching> {
        let mut watches = Vec::new();
        for process in self.world.processes.values() {
            let Some(service) = process.server().map(|memory| &memory.service) else { continue };
            let at = Some(process.id).filter(|id| *id != self.server);
            watches.extend(service.watches.at(path).take(WATCHES_A_ROW).map(|(conn, mode)| {
                let client = service.conns.get(&conn).map(|conn| conn.client);
                Watching { at, client, kind: mode.into() }
            }));
        }
        watches.arrange();
        watches
    }

    /// Whether something differs below a closed znode, as far as one looks.
    fn differs_below(&self, path: &str) -> bool {
        let Some(there) = self.there else { return false };
        let prefix = if path == "/" { "/".to_string() } else { format!("{path}/") };
        let here = self.tree.below(&prefix).take(COMPARED);
        let mut other = there.below(&prefix).take(COMPARED);
        for (path, node) in here {
            match other.next() {
                Some((name, that)) if name == path && alike(path, node, that) => {}
                _ => return true,
            }
        }
        other.next().is_some()
    }
}

fn kind_of(world: &World, node: &Znode) -> ZnodeKind {
    match node.owner {
        Owner::None => ZnodeKind::Persistent,
        Owner::Session(session) => ZnodeKind::Ephemeral(session, holder(world, session)),
        Owner::Container => ZnodeKind::Container,
        Owner::Ttl(ttl) => ZnodeKind::Ttl(ttl),
    }
}

/// Whether a name ends with ten digits, as those of sequential znodes do. The tree itself does not know.
fn is_sequential(name: &str) -> bool {
    numbered(name).is_some()
}

fn shown(data: &Data, most: usize) -> Option<ShownData> {
    let data = data.as_ref()?;
    Some(ShownData { text: data.beginning(most), length: data.text().is_none().then_some(data.len()) })
}

/// Whether two servers' znodes are the same. `/zookeeper/config` has its own mtime on each.
fn alike(path: &str, one: &Rc<Znode>, other: &Rc<Znode>) -> bool {
    let same = Rc::ptr_eq(one, other) || one == other;
    same || path == CONFIG && Znode { mtime: other.mtime, ..Znode::clone(one) } == **other
}

fn beside(path: &str, here: Option<&Rc<Znode>>, there: Option<&Rc<Znode>>) -> Beside {
    let (here, there) = match (here, there) {
        (Some(here), Some(there)) => (here, there),
        (Some(_), None) => return Beside::OnlyHere,
        (None, _) => return Beside::OnlyThere,
    };
    if alike(path, here, there) {
        return Beside::Same;
    }
    let pairs = stat_fields(&here.stat()).into_iter().zip(stat_fields(&there.stat()));
    let mut fields: Vec<&str> = pairs.filter(|(a, b)| a.1 != b.1).map(|((name, _), _)| name).collect();
    if here.data != there.data {
        fields.insert(0, "data");
    }
    if here.acl != there.acl {
        fields.push("acl");
    }
    Beside::Differs(fields)
}

/// The fields of a Stat in the order of ZooKeeper, with its names.
fn stat_fields(stat: &Stat) -> [(&'static str, String); 11] {
    [
        ("czxid", stat.czxid.to_string()),
        ("mzxid", stat.mzxid.to_string()),
        ("ctime", stat.ctime.to_string()),
        ("mtime", stat.mtime.to_string()),
        ("version", stat.version.to_string()),
        ("cversion", stat.cversion.to_string()),
        ("aversion", stat.aversion.to_string()),
        ("ephemeralOwner", stat.ephemeral_owner.to_string()),
        ("dataLength", stat.data_length.to_string()),
        ("numChildren", stat.num_children.to_string()),
        ("pzxid", stat.pzxid.to_string()),
    ]
}

fn sheet(tree: &Tree, there: Option<&Tree>, path: &Rc<str>) -> Option<ZnodeSheet> {
    let (here, other) = (tree.get(path), there.and_then(|tree| tree.get(path)));
    let node = here.or(other)?;
    let (fields, others) = (stat_fields(&node.stat()), other.map(|node| stat_fields(&node.stat())));
    let differs = |at: usize, value: &String| others.as_ref().map(|them| them[at].1.clone()).filter(|it| it != value);
    let data = |node: &Znode| shown(&node.data, LONG_DATA);
    Some(ZnodeSheet {
        path: path.clone(),
        stat: fields
            .into_iter()
            .enumerate()
            .map(|(at, (name, value))| (name, value.clone(), differs(at, &value)))
            .collect(),
        data: data(node),
        data_there: other.filter(|that| that.data != node.data).map(|that| data(that)),
        acl: node.acl.iter().map(|entry| (entry.who.to_string(), entry.perms.to_string())).collect(),
        only_there: here.is_none(),
    })
}

#[cfg(test)]
mod tests;
