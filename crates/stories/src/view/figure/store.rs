//! The tree of the server that has applied most: its nodes, the sessions on which some of them hang, and the node that changed last.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Arrange, ClientId, ServerId, SessionId, SortedSet, Zxid};
use crate::client::{self, CallOutcome, Failure};
use crate::recipes::{Copied, numbered};
use crate::server::Server;
use crate::sim::{Action, Fact, Run, World};
use crate::store::{Owner, Tree, Znode};
use crate::timeline::RunSummary;
use crate::wire::{Answer, Code, Data, Request, decoded, parent_of};

use super::Tether;
use super::gone::{Gone, gone};
use super::queue::{number, short_name};
use crate::view::standing::newest;

/// What a node's life hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Nothing.
    Persistent,
    /// A session, and whose it is.
    Session(Option<ClientId>),
    /// Its children, or a time without change.
    Passing,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Where it is.
    pub path: Rc<str>,
    /// The last part of the path, short.
    pub name: String,
    /// Whether the parent gave it a number.
    pub numbered: bool,
    /// What its life hangs on.
    pub life: Life,
    /// How often its data was set.
    pub version: i32,
    /// The beginning of its data.
    pub data: String,
    /// How many of its children are not shown.
    pub more: usize,
    /// Whether it is in the tree: one that is gone stays in the picture for a moment.
    pub there: bool,
}

/// A client's session, as the leader counts its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Whose.
    pub client: ClientId,
    /// The server that it is connected to.
    pub server: Option<ServerId>,
    /// What is left of its time and how much it has, tenths of seconds; none where nobody counts.
    pub left: Option<(u64, u64)>,
    /// It is over, whether the client knows or not.
    pub over: bool,
    /// What its program knows of a part of the tree.
    pub copy: Option<Copy>,
    /// Its last call.
    pub call: Option<LastCall>,
}

/// What a client asked for last, and what came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCall {
    /// As one would type it.
    pub asked: String,
    /// The answer in few letters, or the error's name; none while it waits.
    pub answer: Option<Result<String, String>>,
}

/// What a program knows of a part of the tree, in few letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// It.
    pub text: String,
    /// Whether the tree has become another one since.
    pub old: bool,
}

/// What a server has of a node: data and version.
pub type Value = Option<(String, i32)>;

/// A field of a Stat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, as in ZooKeeper.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Whether the last change moved it.
    pub moved: bool,
}

/// The tree and what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    /// The nodes, each after its parent; the root first.
    pub leaves: Vec<Leaf>,
    /// The sessions.
    pub sessions: Vec<Session>,
    /// The node that changed last.
    pub subject: Option<Rc<str>>,
    /// Its Stat, in a run in which somebody minds one.
    pub stat: Vec<Field>,
    /// What each server has of it: data and version, none where it is not there. None where the server is down.
    pub values: Vec<(ServerId, Option<Value>)>,
    /// How many watches there are on a node, at all servers.
    pub watched: BTreeMap<Rc<str>, usize>,
}

/// So many children of a node are shown, and so many nodes.
const CHILDREN: usize = 8;
const LEAVES: usize = 40;
/// So many letters of the data are shown, and of a name: ZooKeeper's own are whole.
const LETTERS: usize = 14;
const NAME: usize = "zookeeper_limits".len();
/// So many of what a program knows.
const COPIED: usize = 60;
/// ZooKeeper's own part of the tree, unless something is made there.
const RESERVED: [&str; 3] = ["/zookeeper", "/zookeeper/config", "/zookeeper/quota"];

impl Store {
    /// The tree now.
    pub(in crate::view) fn of(
        world: &World,
        summary: &RunSummary,
        (tethers, dead): (&[Tether], &SortedSet<ClientId>),
    ) -> Store {
        let mut store = Store { sessions: sessions(world, summary, dead), ..Store::default() };
        for tether in tethers {
            *store.watched.entry(tether.path.clone()).or_default() += 1;
        }
        let Some(tree) = newest(world) else { return store };
        store.grow(tree, &gone(world, summary, tree, true), summary);
        let changed = tree.nodes().filter(|(path, _)| path.len() > 1 && !RESERVED.contains(&&***path));
        let moment = |node: &Znode| node.mzxid.max(node.pzxid).max(node.czxid);
        // of a node and its child the child's parent is the one whose Stat says more
        let last = changed.max_by(|a, b| moment(a.1).cmp(&moment(b.1)).then(b.0.len().cmp(&a.0.len())));
        let last = last.map(|(path, node)| (path.clone(), &**node, moment(node)));
        let last = acl_set(tree, summary, last.as_ref().map_or(Zxid::ZERO, |(.., at)| *at)).or(last);
        if let Some((path, node, at)) = last.filter(|(.., at)| *at > Zxid::ZERO) {
            store.stat = stat(node, at, summary);
            store.subject = Some(path.clone());
            let path = &path;
            let value = |tree: &Tree| tree.get(path).map(|node| (short(&node.data), node.version));
            let servers = world.processes.values();
            store.values =
                servers.map(|process| (process.id, process.server().map(|memory| value(&memory.tree)))).collect();
        }
        store
    }

    /// Depth first, without recursion; of very many children the first ones.
    fn grow(&mut self, tree: &Tree, gone: &[Gone], summary: &RunSummary) {
        let mut left: Vec<Rc<str>> = vec!["/".into()];
        while let Some(path) = left.pop().filter(|_| self.leaves.len() < LEAVES) {
            let node = tree.get(&path);
            let base = if &*path == "/" { "" } else { &*path };
            let children = node.into_iter().flat_map(|node| node.children.iter());
            let children = children.map(|name| Rc::<str>::from(format!("{base}/{name}")));
            let were = gone.iter().filter(|gone| parent_of(&gone.path) == Some(&*path));
            let children = children.chain(were.map(|gone| gone.path.clone()));
            let hidden = |path: &Rc<str>| {
                RESERVED.contains(&&**path)
                    && tree.below(&format!("{path}/")).all(|(name, _)| RESERVED.contains(&&**name))
            };
            let mut children: Vec<Rc<str>> = children.filter(|path| !hidden(path)).collect();
            children.arrange_by_key(|path| (number(path), path.clone()));
            let more = children.len().saturating_sub(CHILDREN);
            children.truncate(CHILDREN);
            self.leaves.push(leaf(&path, node.map(|node| &**node), more, summary));
            left.extend(children.into_iter().rev());
        }
    }

    /// The nodes below a node.
    pub fn children<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Leaf> {
        self.leaves.iter().filter(move |leaf| parent_of(&leaf.path) == Some(path))
    }
}

fn leaf(path: &Rc<str>, node: Option<&Znode>, more: usize, summary: &RunSummary) -> Leaf {
    let life = match node.map(|node| node.owner) {
        None | Some(Owner::None) => Life::Persistent,
        Some(Owner::Session(session)) => Life::Session(summary.session_of(session)),
        Some(Owner::Container | Owner::Ttl(_)) => Life::Passing,
    };
    let name =
        if numbered(path).is_some() { short_name(path) } else { path.rsplit('/').next().unwrap_or("").to_string() };
    let name = if name.is_empty() { "/".into() } else { cut_at(&name, NAME) };
    let data = node.map(|node| if path.starts_with("/zookeeper/quota/") { limits(node) } else { short(&node.data) });
    let (data, version) = (data.unwrap_or_default(), node.map_or(0, |node| node.version));
    let numbered = numbered(path).is_some();
    Leaf { path: path.clone(), name, numbered, life, version, data, more, there: node.is_some() }
}

/// What a quota counts and limits, without the limits that are not set (`StatsTrack.java`).
fn limits(node: &Znode) -> String {
    let said = decoded(&node.data);
    let set = said.split([',', ';']).filter(|one| !one.ends_with("=-1")).map(|one| one.trim_end_matches('='));
    cut_at(&set.collect::<Vec<_>>().join(" "), COPIED)
}

fn cut_at(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Data in few letters: a text between quotation marks, other bytes as hex.
pub(super) fn short(data: &Data) -> String {
    match data {
        Some(data) if !data.is_empty() => {
            let quote = if data.text().is_some() { "\"" } else { "" };
            [quote, &data.beginning(LETTERS), quote].concat()
        }
        _ => String::new(),
    }
}

/// The clients' sessions in the order of their numbers; those of the dead go on. The leader alone counts their time.
fn sessions(world: &World, summary: &RunSummary, dead: &SortedSet<ClientId>) -> Vec<Session> {
    let leaders = world.processes.values().filter_map(|process| process.server());
    let leading = leaders
        .filter(|memory| memory.peer.is_established_leader())
        .find_map(|memory| memory.service.leading.as_ref());
    let mut calls = last_calls(summary);
    let left = |session: SessionId, timeout_ms: u32| {
        let due = leading.and_then(|leading| leading.due(session))?;
        let tenths = |us: u64| us.div_ceil(100_000);
        Some((tenths(due.since(world.now)), u64::from(timeout_ms).div_ceil(100).max(1)))
    };
    let of = |process: &crate::sim::ClientProcess| {
        let client = &process.client;
        let left = left(client.session, client.timeout_ms);
        let server = client.server.filter(|_| client.state == crate::client::State::Connected);
        let served = |memory: &Server| memory.service.conns.values().any(|conn| conn.client == process.id);
        let known = newest(world).is_some_and(|tree| tree.session(client.session).is_some());
        let held = world.processes.values().filter_map(|process| process.server()).any(served);
        let over = client.session != SessionId::NONE && !known && !held;
        let copy = process.app.as_ref().and_then(|app| app.copy()).map(|known| copied(&known, newest(world)));
        Session { client: process.id, server, left, over, copy, call: calls.remove(&process.id) }
    };
    let known = |client: ClientId| {
        newest(world)?.sessions().find(|(session, _)| summary.session_of(*session) == Some(client))
    };
    let of_dead = |client: &ClientId| {
        let left = known(*client).and_then(|(session, timeout_ms)| left(session, timeout_ms));
        Session { client: *client, server: None, left, over: known(*client).is_none(), copy: None, call: None }
    };
    let mut all: Vec<Session> = world.clients.values().map(of).collect();
    all.extend(dead.iter().map(of_dead));
    all
}

/// The newest call of each client, of those that are remembered.
fn last_calls(summary: &RunSummary) -> BTreeMap<ClientId, LastCall> {
    let (mut calls, mut came) = (BTreeMap::new(), BTreeMap::new());
    for record in summary.told() {
        match &record.fact {
            Fact::Client { client, fact: client::Fact::Answered { call, outcome, .. } } => {
                came.insert((*client, *call), outcome);
            }
            Fact::Client { client, fact: client::Fact::Called { call, request } } => {
                let outcome = came.remove(&(*client, *call));
                let (asked, answer) = (asked(request, outcome), outcome.map(answer));
                calls.entry(*client).or_insert_with(|| LastCall { asked, answer });
            }
            _ => {}
        }
    }
    calls
}

/// A request as one would type it; of a multi that failed, the step that did.
fn asked(request: &Request, outcome: Option<&CallOutcome>) -> String {
    let failed = |code: &Code| !matches!(code, Code::Ok | Code::RuntimeInconsistency);
    let step = match (request, outcome) {
        (Request::Multi { ops }, Some(Ok(answer @ Answer::Multi(parts)))) if answer.thrown().is_some() => {
            ops.iter().zip(parts).find(|(_, part)| part.as_ref().is_err_and(failed)).map(|(op, _)| op)
        }
        _ => None,
    };
    step.map_or_else(|| request.to_string(), |step| format!("multi … [{step}]"))
}

fn answer(outcome: &CallOutcome) -> Result<String, String> {
    match outcome {
        Ok(Answer::Path(path) | Answer::Created { path, .. }) => Ok(path.to_string()),
        Ok(Answer::Stat(stat)) => Ok(format!("v{}", stat.version)),
        Ok(Answer::Data { data, stat }) => Ok(format!("{} v{}", short(data), stat.version)),
        Ok(Answer::Children { names, .. }) => Ok(format!("[{}]", names.join(", "))),
        Ok(Answer::Number(number)) => Ok(number.to_string()),
        // a failed multi is an answer, and its client throws
        Ok(other) => other.thrown().map_or_else(|| Ok("OK".into()), |code| Err(code.name().into())),
        Err(Failure::Code(code)) => Err(code.name().into()),
        Err(Failure::IllegalArgument(_)) => Err("IllegalArgument".into()),
    }
}

/// A program's copy beside the tree of the server that has applied most.
fn copied(known: &Copied, tree: Option<&Tree>) -> Copy {
    let value = |path: &str, name: &Rc<str>| {
        let data = tree.and_then(|tree| tree.get(path)).and_then(|node| node.data.as_ref());
        let shown = data.filter(|data| !data.is_empty() || !known.below).map(|data| match known.named {
            true => format!("{name}={}", data.shown()).into(),
            false => data.shown().into(),
        });
        shown.unwrap_or_else(|| name.clone())
    };
    let node = tree.and_then(|tree| tree.get(&known.path));
    let mut there: Vec<Rc<str>> = match (node, known.below) {
        (None, _) => Vec::new(),
        (Some(_), false) => vec![value(&known.path, &"".into())],
        (Some(node), true) => {
            node.children.iter().map(|name| value(&format!("{}/{name}", known.path), name)).collect()
        }
    };
    let mut here = known.values.clone();
    // clients may rely on no order of children
    there.arrange();
    here.arrange();
    let text = if here.is_empty() { "—".into() } else { here.join(" ") };
    Copy { text: cut_at(&text, COPIED), old: there != here }
}

/// The node whose list of permissions was set last, if that was after this transaction: a node remembers no zxid of it.
fn acl_set<'a>(tree: &'a Tree, summary: &RunSummary, after: Zxid) -> Option<(Rc<str>, &'a Znode, Zxid)> {
    let newer = summary.commits().rev().take_while(|commit| commit.zxid > after);
    newer.filter(|commit| commit.zxid <= tree.last).find_map(|commit| {
        let (path, _) = commit.text.strip_prefix("setACL ")?.split_once(' ')?;
        Some((path.into(), &**tree.get(path)?, commit.zxid))
    })
}

/// Whether somebody asks for a Stat in this run, or writes on condition of a version. Where nobody does, a Stat is beside the point.
pub(super) fn minds_stats(run: &Run) -> bool {
    let minds = |action: &Action| match action {
        Action::Ask { request, .. } => match request {
            Request::Exists { watch, .. } => !watch,
            Request::SetData { version, .. } | Request::Delete { version, .. } | Request::SetAcl { version, .. } => {
                *version >= 0
            }
            _ => false,
        },
        _ => false,
    };
    run.actions.iter().any(|timed| minds(&timed.action))
}

/// The fields of a Stat, and which of them the transaction moved that was the last to touch the node: what ZooKeeper's rules say. One that
/// made the node moved none.
fn stat(node: &Znode, last: Zxid, summary: &RunSummary) -> Vec<Field> {
    let stat = node.stat();
    let made = stat.czxid == last;
    let (set, children) = (stat.mzxid == last, stat.pzxid == last);
    let acl = !made && !set && !children;
    let owner = summary.session_of(stat.ephemeral_owner);
    let field = |name, value: String, moved: bool| Field { name, value, moved: moved && !made };
    vec![
        field("czxid", stat.czxid.to_string(), false),
        field("mzxid", stat.mzxid.to_string(), set),
        field("pzxid", stat.pzxid.to_string(), children),
        field("ctime", stat.ctime.to_string(), false),
        field("mtime", stat.mtime.to_string(), set),
        field("version", stat.version.to_string(), set),
        field("cversion", stat.cversion.to_string(), children),
        field("aversion", stat.aversion.to_string(), acl),
        field("ephemeralOwner", owner.map_or_else(|| stat.ephemeral_owner.to_string(), |id| id.to_string()), false),
        field("dataLength", stat.data_length.to_string(), set),
        field("numChildren", stat.num_children.to_string(), children),
    ]
}
