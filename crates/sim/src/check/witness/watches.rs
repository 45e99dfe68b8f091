//! Which one-shot watches each server keeps for its clients: set by the replies that it sends, used up by events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use crate::base::{ClientId, ConnId, Node, ServerId, Zxid};
use crate::sim::{Port, WorldFact};
use crate::store::{CONFIG, Change, Tree};
use crate::wire::{
    Acl, AddWatchMode, AuthId, Code, EventType, Outcome, Perms, Request, SetWatches, WatchedEvent, WatcherType,
    parent_of,
};

/// A one-shot watch: its path, and whether it looks at the children.
pub(super) type Watch = (Rc<str>, bool);

/// A client at a server.
#[derive(Clone, Debug, Default, Hash)]
pub struct Pair {
    /// Its connections, and whether they are known to be open.
    conns: BTreeMap<ConnId, bool>,
    /// There was never more than one connection at a time, so it is clear whose the watches are.
    pub sure: bool,
    /// The watches that are set.
    pub set: BTreeSet<Watch>,
    /// Those that a transaction must have fired: nothing may be said before the event.
    pub due: BTreeMap<Watch, Zxid>,
    /// The watches that stay: the path, and whether they see everything below it.
    pub lasting: BTreeSet<Watch>,
    /// What they must tell, in order.
    pub owed: VecDeque<(EventType, Rc<str>, Zxid)>,
    /// Events told after a reconnection, until its setWatches is answered.
    pub told: Vec<(EventType, Rc<str>)>,
}

/// All of them.
#[derive(Clone, Debug, Default, Hash)]
pub struct WatchTables {
    pairs: BTreeMap<(ServerId, ClientId), Pair>,
}

impl Pair {
    fn forget(&mut self) {
        self.set.clear();
        self.due.clear();
        self.lasting.clear();
        self.owed.clear();
        self.told.clear();
    }

    /// The watches that an event uses up.
    pub fn used_by(&self, event: &WatchedEvent) -> Vec<Watch> {
        let Some(path) = &event.path else { return Vec::new() };
        let tables: &[bool] = match event.kind {
            EventType::NodeCreated | EventType::NodeDataChanged => &[false],
            EventType::NodeDeleted => &[false, true],
            EventType::NodeChildrenChanged => &[true],
            _ => &[],
        };
        let watches = tables.iter().map(|&children| (path.clone(), children));
        watches.filter(|watch| self.set.contains(watch)).collect()
    }

    /// The watches that stay see a change.
    fn owes_for(&mut self, change: &Change, zxid: Zxid) {
        if self.lasting.is_empty() {
            return;
        }
        let Change { kind, path, acl, parent_acl } = change;
        let above = std::iter::successors(Some(&**path), |at| parent_of(at));
        let seen = self.lasting.contains(&(path.clone(), false))
            || above.into_iter().any(|at| self.lasting.contains(&(at.into(), true)));
        if seen {
            self.sure &= readable(acl);
            self.owed.push_back((*kind, path.clone(), zxid));
        }
        let parent = parent_of(path).filter(|_| *kind != EventType::NodeDataChanged).map(Rc::from);
        if let Some(parent) = parent.filter(|parent: &Rc<str>| self.lasting.contains(&(parent.clone(), false))) {
            self.sure &= parent_acl.as_deref().is_some_and(readable);
            self.owed.push_back((EventType::NodeChildrenChanged, parent, zxid));
        }
    }

    fn use_up(&mut self, event: &WatchedEvent) {
        for watch in self.used_by(event) {
            self.set.remove(&watch);
            self.due.remove(&watch);
        }
    }

    fn answered(&mut self, request: &Request, outcome: &Outcome, tree: Option<&Tree>) {
        let there = outcome.is_ok();
        self.sure &= !watches_config(request);
        match request {
            Request::Exists { path, watch: true } if there || *outcome == Err(Code::NoNode) => {
                self.set.insert((path.clone(), false));
            }
            Request::GetData { path, watch: true } if there => drop(self.set.insert((path.clone(), false))),
            Request::GetChildren { path, watch: true, .. } if there => drop(self.set.insert((path.clone(), true))),
            Request::RemoveWatches { path, kind } if there => {
                let kept = |children: bool| match kind {
                    WatcherType::Any => false,
                    WatcherType::Data => children,
                    WatcherType::Children => !children,
                    WatcherType::Persistent | WatcherType::PersistentRecursive => true,
                };
                self.set.retain(|(at, children)| at != path || kept(*children));
                self.due.retain(|(at, children), _| at != path || kept(*children));
                let stays = |recursive: bool| match kind {
                    WatcherType::Any => false,
                    WatcherType::Persistent => recursive,
                    WatcherType::PersistentRecursive => !recursive,
                    WatcherType::Data | WatcherType::Children => true,
                };
                self.lasting.retain(|(at, recursive)| at != path || stays(*recursive));
            }
            Request::AddWatch { path, mode } if there => {
                self.lasting.insert((path.clone(), *mode == AddWatchMode::PersistentRecursive));
            }
            Request::SetWatches(again) if there => {
                self.lasting.extend(again.persistent.iter().map(|path| (path.clone(), false)));
                self.lasting.extend(again.recursive.iter().map(|path| (path.clone(), true)));
                match tree {
                    Some(tree) => self.set.extend(after_reconnection(again, tree).1),
                    None => self.sure = false,
                }
            }
            _ => {}
        }
        if matches!(request, Request::SetWatches(_)) {
            self.told.clear();
        }
    }
}

/// Whether a request watches `/zookeeper/config`, which servers write without a transaction too: not judged.
pub(crate) fn watches_config(request: &Request) -> bool {
    match request {
        Request::SetWatches(again) => {
            [&again.data, &again.exist].iter().any(|list| list.iter().any(|path| &**path == CONFIG))
        }
        request => request.path() == CONFIG,
    }
}

/// What setWatches comes to (`DataTree.java` `setWatches`): the events told at once, and the watches that are set.
pub(crate) fn after_reconnection(again: &SetWatches, tree: &Tree) -> (Vec<(EventType, Rc<str>)>, Vec<Watch>) {
    let (mut told, mut set) = (Vec::new(), Vec::new());
    let mut judge = |path: &Rc<str>, children: bool, event: Option<EventType>| match event {
        Some(event) => told.push((event, path.clone())),
        None => set.push((path.clone(), children)),
    };
    let since = again.relative_zxid;
    for path in &again.data {
        let changed = |mzxid: Zxid| (mzxid > since).then_some(EventType::NodeDataChanged);
        judge(path, false, tree.get(path).map_or(Some(EventType::NodeDeleted), |node| changed(node.mzxid)));
    }
    for path in &again.exist {
        judge(path, false, tree.get(path).map(|_| EventType::NodeCreated));
    }
    for path in &again.child {
        let changed = |pzxid: Zxid| (pzxid > since).then_some(EventType::NodeChildrenChanged);
        judge(path, true, tree.get(path).map_or(Some(EventType::NodeDeleted), |node| changed(node.pzxid)));
    }
    (told, set)
}

impl WatchTables {
    /// A client at a server.
    pub fn pair(&self, server: ServerId, client: ClientId) -> Option<&Pair> {
        self.pairs.get(&(server, client))
    }

    /// All clients at a server.
    pub fn at(&self, server: ServerId) -> impl Iterator<Item = (ClientId, &Pair)> {
        self.of(server).map(|(&(_, client), pair)| (client, pair))
    }

    /// Whether this server keeps any watch.
    pub(super) fn any_at(&self, server: ServerId) -> bool {
        self.of(server).any(|(_, pair)| !pair.set.is_empty() || !pair.lasting.is_empty())
    }

    fn of(&self, server: ServerId) -> impl Iterator<Item = (&(ServerId, ClientId), &Pair)> {
        self.pairs.range((server, ClientId(0))..=(server, ClientId(u16::MAX)))
    }

    pub(super) fn take(&mut self, fact: &WorldFact) {
        match *fact {
            WorldFact::Dialled { conn, from: Node::Client(client), to: Node::Server(server), port: Port::Client } => {
                let pair = self.pairs.entry((server, client)).or_default();
                pair.sure = pair.conns.is_empty();
                pair.forget();
                pair.conns.insert(conn, false);
            }
            WorldFact::Connected { conn, from: Node::Client(client), to: Node::Server(server), .. } => {
                let conns = self.pairs.get_mut(&(server, client)).map(|pair| &mut pair.conns);
                if let Some(open) = conns.and_then(|conns| conns.get_mut(&conn)) {
                    *open = true;
                }
            }
            WorldFact::ConnectionRefused { conn, from, to } => self.gone(conn, from, to),
            WorldFact::ConnectionClosed { conn, node, peer } => self.gone(conn, node, peer),
            WorldFact::Crashed { server, .. }
            | WorldFact::Exited { server }
            | WorldFact::Serving { server, on: false } => self.stopped(server),
            // the number stands for another process now, and old connections are not gone yet
            WorldFact::ClientOpened { client, .. } => {
                self.pairs.iter_mut().filter(|(key, _)| key.1 == client).for_each(|(_, pair)| pair.sure = false);
            }
            _ => {}
        }
    }

    /// A server closes all connections; what has not reached it yet finds the server as it is then.
    fn stopped(&mut self, server: ServerId) {
        for (_, pair) in self.pairs.range_mut((server, ClientId(0))..=(server, ClientId(u16::MAX))) {
            pair.conns.retain(|_, open| !*open);
            pair.sure = false;
            pair.forget();
        }
    }

    fn gone(&mut self, conn: ConnId, one: Node, other: Node) {
        let server = one.server().or(other.server());
        let client = one.client().or(other.client());
        let (Some(server), Some(client)) = (server, client) else { return };
        if let Some(pair) = self.pairs.get_mut(&(server, client))
            && pair.conns.remove(&conn).is_some()
        {
            pair.forget();
        }
    }

    /// The server has closed the connection of the session's client, or is about to.
    pub(super) fn ends(&mut self, server: ServerId, client: ClientId) {
        if let Some(pair) = self.pairs.get_mut(&(server, client)) {
            pair.sure = false;
            pair.forget();
        }
    }

    /// The server has closed the client's connection.
    pub(super) fn turned_away(&mut self, server: ServerId, client: ClientId) {
        if let Some(pair) = self.pairs.get_mut(&(server, client)) {
            pair.forget();
            pair.sure &= pair.conns.len() == 1;
            if pair.sure {
                pair.conns.clear();
            }
        }
    }

    pub(super) fn fired(&mut self, server: ServerId, client: ClientId, event: &WatchedEvent, in_reconnection: bool) {
        let Some(pair) = self.pairs.get_mut(&(server, client)) else { return };
        match (&event.path, in_reconnection) {
            (Some(path), true) => pair.told.push((event.kind, path.clone())),
            _ => {
                pair.use_up(event);
                if pair.owed.front().is_some_and(|owed| owes(owed, event)) {
                    pair.owed.pop_front();
                }
            }
        }
    }

    pub(super) fn replied(
        &mut self,
        server: ServerId,
        client: ClientId,
        request: &Request,
        outcome: &Outcome,
        tree: Option<&Tree>,
    ) {
        if let Some(pair) = self.pairs.get_mut(&(server, client)) {
            pair.answered(request, outcome, tree);
        }
    }

    /// A server applied a transaction: what its watches must tell. Where not everybody may read, the event may be kept back,
    /// and it is no longer clear which watches are left.
    pub(super) fn applied(&mut self, server: ServerId, zxid: Zxid, changes: &[Change]) {
        for change in changes {
            let deleted = change.kind == EventType::NodeDeleted;
            let parent = parent_of(&change.path).filter(|_| change.kind != EventType::NodeDataChanged);
            let mut due: Vec<(Watch, bool)> = vec![((change.path.clone(), false), readable(&change.acl))];
            if deleted {
                due.push(((change.path.clone(), true), readable(&change.acl)));
            }
            if let Some(parent) = parent {
                due.push(((parent.into(), true), change.parent_acl.as_deref().is_some_and(readable)));
            }
            let pairs = self.pairs.range_mut((server, ClientId(0))..=(server, ClientId(u16::MAX)));
            for (_, pair) in pairs.filter(|(_, pair)| pair.sure) {
                for (watch, readable) in due.iter().filter(|(watch, _)| pair.set.contains(watch)) {
                    pair.sure &= readable;
                    pair.due.entry(watch.clone()).or_insert(zxid);
                }
                pair.owes_for(change, zxid);
            }
        }
    }
}

/// Whether an event is the one that is owed.
pub(crate) fn owes(owed: &(EventType, Rc<str>, Zxid), event: &WatchedEvent) -> bool {
    owed.0 == event.kind && event.path.as_ref() == Some(&owed.1)
}

fn readable(acl: &[Acl]) -> bool {
    acl.iter().any(|entry| entry.perms.any_of(Perms::READ) && entry.who == AuthId::anyone())
}
