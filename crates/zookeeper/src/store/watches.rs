//! The watches of one server: in memory only, each belongs to a connection (`WatchManager.java`, `DataTree.java`).
//! Rules are those of 3.9: modes on one path do not disturb each other (ZOOKEEPER-4466).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{ConnId, SortedMap, SortedSet};
use crate::wire::{AddWatchMode, EventType, SetWatches, WatchedEvent, WatcherType, parent_of};

use super::tree::{Change, Tree};

/// What keeps a watch, and what it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WatchMode {
    /// Set by getData or exists: fires once.
    Data,
    /// Set by getChildren: fires once.
    Child,
    /// Set by addWatch: data and children, stays.
    Persistent,
    /// Set by addWatch: everything at and below the path, stays.
    Recursive,
}

impl WatchMode {
    /// Whether it is used up when it fires.
    pub fn is_one_shot(self) -> bool {
        matches!(self, WatchMode::Data | WatchMode::Child)
    }

    /// Whether only the table of child watches has it; lasting ones are in both.
    pub fn is_child(self) -> bool {
        self == WatchMode::Child
    }
}

/// A watch that fires.
#[derive(Clone, Debug, PartialEq)]
pub struct Fired {
    /// The connection of the client that set it.
    pub conn: ConnId,
    /// What it says.
    pub event: WatchedEvent,
    /// Whether one that fires once was used up.
    pub one_shot: bool,
}

type Table = BTreeMap<Rc<str>, SortedMap<ConnId, SortedSet<WatchMode>>>;

/// All watches of one server.
#[derive(Clone, Debug, Default, Hash)]
pub struct Watches {
    by_path: Table,
    paths_of: SortedMap<ConnId, BTreeSet<Rc<str>>>,
    recursive: usize,
}

impl Watches {
    /// Sets a watch; setting it again changes nothing.
    pub fn add(&mut self, path: &Rc<str>, conn: ConnId, mode: WatchMode) {
        let modes = self.by_path.entry(path.clone()).or_default().get_or_default(conn);
        if modes.insert(mode) && mode == WatchMode::Recursive {
            self.recursive += 1;
        }
        self.paths_of.get_or_default(conn).insert(path.clone());
    }

    /// Sets the watch that an addWatch asks for.
    pub fn add_lasting(&mut self, path: &Rc<str>, conn: ConnId, mode: AddWatchMode) {
        let mode = match mode {
            AddWatchMode::Persistent => WatchMode::Persistent,
            AddWatchMode::PersistentRecursive => WatchMode::Recursive,
        };
        self.add(path, conn, mode);
    }

    /// Whether the connection has such a watch on the path.
    pub fn has(&self, path: &str, conn: ConnId, kind: WatcherType) -> bool {
        self.modes(path, conn).is_some_and(|modes| modes.iter().any(|&mode| is_of(mode, kind)))
    }

    /// Removes such watches; false where there was none.
    pub fn remove(&mut self, path: &str, conn: ConnId, kind: WatcherType) -> bool {
        let found = self.has(path, conn, kind);
        self.drop_modes(path, conn, |mode| is_of(mode, kind));
        found
    }

    /// The connection is gone, and its watches with it.
    pub fn forget(&mut self, conn: ConnId) {
        for path in self.paths_of.remove(&conn).unwrap_or_default() {
            self.drop_modes(&path, conn, |_| true);
        }
    }

    /// The watches on a path: connections with their modes.
    pub fn at(&self, path: &str) -> impl Iterator<Item = (ConnId, WatchMode)> {
        let at = self.by_path.get(path).into_iter().flatten();
        at.flat_map(|(&conn, modes)| modes.iter().map(move |&mode| (conn, mode)))
    }

    /// All watches in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Rc<str>, ConnId, WatchMode)> {
        self.by_path.iter().flat_map(|(path, conns)| {
            conns.iter().flat_map(move |(&conn, modes)| modes.iter().map(move |&mode| (path, conn, mode)))
        })
    }

    /// What a change fires, in order: at the znode by the data table, on deletion by the child table, then at its parent.
    pub fn fire(&mut self, change: &Change) -> Vec<Fired> {
        let mut fired = Vec::new();
        self.trigger(&change.path, change.kind, WatchMode::Data, &mut fired);
        if change.kind == EventType::NodeDeleted {
            let told: Vec<ConnId> = fired.iter().map(|fired| fired.conn).collect();
            let mut by_child = Vec::new();
            self.trigger(&change.path, change.kind, WatchMode::Child, &mut by_child);
            fired.extend(by_child.into_iter().filter(|one| !told.contains(&one.conn)));
        }
        if change.kind != EventType::NodeDataChanged
            && let Some(parent) = parent_of(&change.path)
        {
            self.trigger(&Rc::from(parent), EventType::NodeChildrenChanged, WatchMode::Child, &mut fired);
        }
        fired
    }

    /// One table's trigger: the watches of a path that fire once and those that stay; from the data table the recursive
    /// ones above it too.
    fn trigger(&mut self, path: &Rc<str>, kind: EventType, table: WatchMode, fired: &mut Vec<Fired>) {
        let mut told: SortedMap<ConnId, bool> = SortedMap::new();
        for (conn, mode) in self.at(path) {
            let recursive = mode == WatchMode::Recursive && table == WatchMode::Data;
            if mode == table || mode == WatchMode::Persistent || recursive {
                *told.get_or_default(conn) |= mode.is_one_shot();
            }
        }
        if table == WatchMode::Data && self.recursive > 0 {
            let mut above = parent_of(path);
            while let Some(ancestor) = above {
                for (conn, _) in self.at(ancestor).filter(|(_, mode)| *mode == WatchMode::Recursive) {
                    told.get_or_default(conn);
                }
                above = parent_of(ancestor);
            }
        }
        for (conn, one_shot) in told {
            if one_shot {
                self.drop_modes(path, conn, |mode| mode == table);
            }
            fired.push(Fired { conn, event: WatchedEvent::at(kind, path.clone()), one_shot });
        }
    }

    /// A client that connected again sets its watches: those whose change it missed fire at once.
    pub fn set_again(&mut self, conn: ConnId, watches: &SetWatches, tree: &Tree) -> Vec<Fired> {
        let mut fired = Vec::new();
        let mut fire = |kind, path: &Rc<str>| {
            fired.push(Fired { conn, event: WatchedEvent::at(kind, path.clone()), one_shot: true });
        };
        let since = watches.relative_zxid;
        for path in &watches.data {
            match tree.get(path) {
                None => fire(EventType::NodeDeleted, path),
                Some(node) if node.mzxid > since => fire(EventType::NodeDataChanged, path),
                Some(_) => self.add(path, conn, WatchMode::Data),
            }
        }
        for path in &watches.exist {
            match tree.get(path) {
                Some(_) => fire(EventType::NodeCreated, path),
                None => self.add(path, conn, WatchMode::Data),
            }
        }
        for path in &watches.child {
            match tree.get(path) {
                None => fire(EventType::NodeDeleted, path),
                Some(node) if node.pzxid > since => fire(EventType::NodeChildrenChanged, path),
                Some(_) => self.add(path, conn, WatchMode::Child),
            }
        }
        watches.persistent.iter().for_each(|path| self.add(path, conn, WatchMode::Persistent));
        watches.recursive.iter().for_each(|path| self.add(path, conn, WatchMode::Recursive));
        fired
    }

    fn modes(&self, path: &str, conn: ConnId) -> Option<&SortedSet<WatchMode>> {
        self.by_path.get(path)?.get(&conn)
    }

    fn drop_modes(&mut self, path: &str, conn: ConnId, pick: impl Fn(WatchMode) -> bool) {
        let Some(conns) = self.by_path.get_mut(path) else { return };
        let Some(modes) = conns.get_mut(&conn) else { return };
        let had = modes.contains(&WatchMode::Recursive);
        modes.retain(|&mode| !pick(mode));
        if had && !modes.contains(&WatchMode::Recursive) {
            self.recursive -= 1;
        }
        if modes.is_empty() {
            conns.remove(&conn);
            if let Some(paths) = self.paths_of.get_mut(&conn) {
                paths.remove(path);
            }
        }
        if conns.is_empty() {
            self.by_path.remove(path);
        }
    }
}

fn is_of(mode: WatchMode, kind: WatcherType) -> bool {
    match kind {
        WatcherType::Any => true,
        WatcherType::Data => mode == WatchMode::Data,
        WatcherType::Children => mode == WatchMode::Child,
        WatcherType::Persistent => mode == WatchMode::Persistent,
        WatcherType::PersistentRecursive => mode == WatchMode::Recursive,
    }
}
