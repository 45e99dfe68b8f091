//! Which Watcher is registered where (`ZKWatchManager.java`). Paths are the application's.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{SortedSet, Zxid};
use crate::wire::{EventType, SetWatches, WatcherType, parent_of};

/// The Watcher given to the constructor.
pub(in crate::client) const DEFAULT: &str = "default";

/// Watchers by name, in order.
pub(in crate::client) type Names = SortedSet<Rc<str>>;

type Registered = BTreeMap<Rc<str>, Names>;

/// One of the five tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client) enum Table {
    /// Set by getData, and by exists on a node that was there.
    Data,
    /// Set by exists on a node that was not there.
    Exist,
    /// Set by getChildren.
    Child,
    /// Set by addWatch.
    Persistent,
    /// Set by addWatch for a whole subtree.
    Recursive,
}

impl Table {
    /// The tables that a removal touches.
    fn of(kind: WatcherType) -> &'static [Table] {
        match kind {
            WatcherType::Children => &[Table::Child],
            WatcherType::Data => &[Table::Data, Table::Exist],
            WatcherType::Persistent => &[Table::Persistent],
            WatcherType::PersistentRecursive => &[Table::Recursive],
            WatcherType::Any => &[Table::Child, Table::Data, Table::Exist, Table::Persistent, Table::Recursive],
        }
    }

    /// What a Watcher is told that is taken out of this table.
    fn removed(self) -> Removed {
        match self {
            Table::Data | Table::Exist => Removed::Data,
            Table::Child => Removed::Child,
            Table::Persistent | Table::Recursive => Removed::Persistent,
        }
    }
}

/// What was removed of a Watcher, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::client) enum Removed {
    Child,
    Data,
    Persistent,
}

impl Removed {
    /// The event that says so.
    pub(super) fn event(self) -> EventType {
        match self {
            Removed::Child => EventType::ChildWatchRemoved,
            Removed::Data => EventType::DataWatchRemoved,
            Removed::Persistent => EventType::PersistentWatchRemoved,
        }
    }
}

/// The registered Watchers.
#[derive(Clone, Debug, Default)]
pub(in crate::client) struct WatchManager {
    data: Registered,
    exist: Registered,
    child: Registered,
    persistent: Registered,
    recursive: Registered,
}

impl WatchManager {
    /// All that are registered: the real name of the table, the path, the names.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Rc<str>, &Names)> {
        let WatchManager { data, exist, child, persistent, recursive } = self;
        let tables = [
            ("dataWatches", data),
            ("existWatches", exist),
            ("childWatches", child),
            ("persistentWatches", persistent),
            ("persistentRecursiveWatches", recursive),
        ];
        tables.into_iter().flat_map(|(name, table)| table.iter().map(move |(path, names)| (name, path, names)))
    }

    fn table(&self, table: Table) -> &Registered {
        match table {
            Table::Data => &self.data,
            Table::Exist => &self.exist,
            Table::Child => &self.child,
            Table::Persistent => &self.persistent,
            Table::Recursive => &self.recursive,
        }
    }

    fn table_mut(&mut self, table: Table) -> &mut Registered {
        match table {
            Table::Data => &mut self.data,
            Table::Exist => &mut self.exist,
            Table::Child => &mut self.child,
            Table::Persistent => &mut self.persistent,
            Table::Recursive => &mut self.recursive,
        }
    }

    pub(super) fn register(&mut self, table: Table, path: &Rc<str>, watcher: &Rc<str>) {
        self.table_mut(table).entry(path.clone()).or_default().insert(watcher.clone());
    }

    /// Whom an event about a znode is for; one-shot registrations are used up.
    pub(super) fn materialize(&mut self, kind: EventType, path: &str) -> Names {
        let one_shot: &[Table] = match kind {
            EventType::NodeCreated | EventType::NodeDataChanged => &[Table::Data, Table::Exist],
            EventType::NodeChildrenChanged => &[Table::Child],
            EventType::NodeDeleted => &[Table::Data, Table::Exist, Table::Child],
            _ => return Names::new(),
        };
        let mut called: Names =
            one_shot.iter().filter_map(|&table| self.table_mut(table).remove(path)).flatten().collect();
        called.extend(self.persistent.get(path).into_iter().flatten().cloned());
        // a standard child watch below makes the server send these; recursive watches promise none
        if kind != EventType::NodeChildrenChanged {
            let above = std::iter::successors(Some(path), |path| parent_of(path));
            called.extend(above.filter_map(|path| self.recursive.get(path)).flatten().cloned());
        }
        called
    }

    /// Every Watcher but the default one: all hear when the connection's state changes.
    pub(super) fn everybody(&self) -> Names {
        let tables = [&self.data, &self.exist, &self.child, &self.persistent, &self.recursive];
        let all = tables.into_iter().flat_map(|table| table.values().flatten());
        all.filter(|name| name.as_ref() != DEFAULT).cloned().collect()
    }

    /// Whether this Watcher, or any, is registered on the path.
    pub(super) fn contains(&self, path: &str, watcher: Option<&Rc<str>>, kind: WatcherType) -> bool {
        Table::of(kind).iter().filter_map(|&table| self.table(table).get(path)).any(|names| match watcher {
            Some(watcher) => names.contains(watcher),
            None => !names.is_empty(),
        })
    }

    /// Removes this Watcher, or all, from the path. Who is told of what, in order.
    pub(super) fn remove(
        &mut self,
        path: &str,
        watcher: Option<&Rc<str>>,
        kind: WatcherType,
    ) -> SortedSet<(Rc<str>, Removed)> {
        let mut removed = SortedSet::new();
        for &table in Table::of(kind) {
            let registered = self.table_mut(table);
            let Some(names) = registered.get_mut(path) else { continue };
            let gone = match watcher {
                Some(watcher) => names.take(watcher).into_iter().collect(),
                None => std::mem::take(names),
            };
            if names.is_empty() {
                registered.remove(path);
            }
            removed.extend(gone.into_iter().map(|name| (name, table.removed())));
        }
        removed
    }

    /// What is set again at the next server; `None` where nothing is registered. Java sends it in batches of 128 KiB; one
    /// packet does here.
    pub(super) fn set_again(&self, relative_zxid: Zxid) -> Option<SetWatches> {
        let paths = |table: &Registered| table.keys().cloned().collect::<Vec<_>>();
        let watches = SetWatches {
            relative_zxid,
            data: paths(&self.data),
            exist: paths(&self.exist),
            child: paths(&self.child),
            persistent: paths(&self.persistent),
            recursive: paths(&self.recursive),
        };
        let nothing = SetWatches { relative_zxid, ..SetWatches::default() };
        (watches != nothing).then_some(watches)
    }
}
