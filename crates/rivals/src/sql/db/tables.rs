//! Changes of rows, and what they do to the locks on index records of InnoDB.

use crate::sql::engine::Engine;
use crate::sql::fact::{Changed, Shown};
use crate::sql::locks::{Lock, Mode, Owner, Reach, Resource};
use crate::sql::log::Change;
use crate::sql::op::Isolation;
use crate::sql::table::{Entry, RowId, TrxId, Values, Version};

use super::{Db, Stop};
use crate::sql::reply::Problem;

/// Most rows of a table.
const MAX_ROWS: usize = 500;

impl Db {
    /// The table of this name.
    pub(super) fn table(&self, name: &str) -> Result<usize, Stop> {
        let at = self.tables.iter().position(|table| table.def.name == name);
        at.ok_or_else(|| Stop::Refused(Problem::NoTable, name.into()))
    }

    /// The entries of an index.
    pub(super) fn entries(&self, table: usize, index: usize) -> Vec<Entry> {
        self.tables.get(table).map_or(Vec::new(), |table| table.entries(index))
    }

    /// All entries of a row, by index.
    fn entries_of(&self, table: usize, row: RowId) -> Vec<(usize, Entry)> {
        let indexes = self.tables.get(table).map_or(0, |table| table.def.indexes());
        let of_row = |index| self.entries(table, index).into_iter().filter(|entry| entry.1 == row);
        (0..indexes).flat_map(|index| of_row(index).map(move |entry| (index, entry))).collect()
    }

    /// The record behind an entry in its index; none: its end.
    pub(super) fn behind(&self, table: usize, index: usize, entry: &Entry) -> Resource {
        let next = self.entries(table, index).into_iter().find(|other| other > entry);
        Resource::Record(table, index, next)
    }

    /// Changes a row of a transaction, and keeps the locks on index records right.
    pub(super) fn write(&mut self, trx: TrxId, table: usize, row: RowId, values: Option<Values>) {
        if let Some(it) = self.trxs.get_mut(&trx) {
            it.undo.push((table, row));
            it.wrote |= self.engine == Engine::Postgres;
        }
        self.change(trx, table, row, |db| {
            if let Some(table) = db.tables.get_mut(table) {
                table.put(row, Version { by: trx, seq: None, values });
            }
        });
    }

    /// Does something to a row; index records that come or go by it take their locks along (InnoDB).
    pub(super) fn change(&mut self, trx: TrxId, table: usize, row: RowId, act: impl FnOnce(&mut Db)) {
        if !self.is_mariadb() {
            return act(self);
        }
        let before = self.entries_of(table, row);
        act(self);
        let after = self.entries_of(table, row);
        for (index, entry) in after.iter().filter(|entry| !before.contains(entry)) {
            self.record_came(trx, table, *index, entry.clone());
        }
        for (index, entry) in before.into_iter().filter(|entry| !after.contains(entry)) {
            self.record_went(trx, table, index, entry);
        }
    }

    /// A record is inserted: who has locked the gap in which it is has locked the gap before it too, and who inserts it has
    /// it locked (`lock0lock.cc`: `lock_rec_inherit_to_gap_if_gap_lock`; an implicit lock).
    pub(super) fn record_came(&mut self, trx: TrxId, table: usize, index: usize, entry: Entry) {
        let next = self.behind(table, index, &entry);
        let on_supremum = matches!(next, Resource::Record(_, _, None));
        let is_gap = |lock: &&Lock| match lock.mode.reach {
            Reach::Insert => false,
            Reach::Record => on_supremum,
            Reach::Gap | Reach::NextKey => true,
        };
        let heirs: Vec<(Owner, Mode)> = self.locks.on(&next).iter().filter(is_gap).map(gap_of).collect();
        let record = Resource::Record(table, index, Some(entry));
        for (owner, mode) in heirs {
            self.locks.hold(owner, record.clone(), mode);
        }
        self.locks.hold(Owner::Trx(trx), record, Mode::EXCLUSIVE);
    }

    /// A record is removed: locks on it become locks on the gap in which it was, and who waits for it looks again. At read
    /// committed only those remain that a look for duplicates has taken (`lock0lock.cc`: `lock_rec_inherit_to_gap`).
    fn record_went(&mut self, trx: TrxId, table: usize, index: usize, entry: Entry) {
        let next = self.behind(table, index, &entry);
        let locks = self.locks.clear(&Resource::Record(table, index, Some(entry)));
        let mut woken = Vec::new();
        for lock in locks.iter().filter(|lock| lock.owner != Owner::Trx(trx)) {
            let level = match lock.owner {
                Owner::Trx(trx) => self.trxs.get(&trx).map(|trx| trx.isolation),
                Owner::Session(_) => None,
            };
            let stays = level.is_none_or(|level| level > Isolation::ReadCommitted) || !lock.mode.exclusive;
            if lock.mode.reach != Reach::Insert && stays {
                self.locks.hold(lock.owner, next.clone(), gap_of(lock).1);
            }
            if !lock.granted {
                woken.push(lock.owner);
            }
        }
        self.wake(woken);
    }

    /// Undoes a transaction's changes back to a number of them.
    pub(super) fn undo_to(&mut self, trx: TrxId, left: usize) {
        while let Some(it) = self.trxs.get_mut(&trx).filter(|it| it.undo.len() > left) {
            let Some((table, row)) = it.undo.pop() else { return };
            self.change(trx, table, row, |db| {
                if let Some(table) = db.tables.get_mut(table) {
                    table.undo(row, trx);
                }
            });
        }
    }

    /// Whether a table has room for one row more.
    pub(super) fn room(&self, table: usize) -> Result<(), Stop> {
        match self.tables.get(table) {
            Some(table) if table.rows.len() >= MAX_ROWS => Err(Stop::Refused(Problem::Full, table.def.name.clone())),
            _ => Ok(()),
        }
    }

    /// The oldest place in the order of commits at which anybody still looks.
    pub(super) fn oldest(&self) -> u64 {
        let trxs = self.trxs.values().filter_map(|trx| trx.snapshot);
        let statements = self.sessions.values().filter_map(|session| session.statement.as_ref()?.snapshot);
        trxs.chain(statements).min().unwrap_or(self.seq)
    }
}

fn gap_of(lock: &Lock) -> (Owner, Mode) {
    (lock.owner, Mode { exclusive: lock.mode.exclusive, reach: Reach::Gap })
}

impl Db {
    /// A changed row in the words of a fact.
    pub(super) fn told(&self, change: &Change) -> Changed {
        let def = self.tables.get(change.table).map(|table| &table.def);
        let shown = |values: &Option<Values>| {
            let columns = def.into_iter().flat_map(|def| &def.columns).map(|(name, _)| name.clone());
            values.as_ref().map(|values| Shown(columns.zip(values.iter().cloned()).collect()))
        };
        let table = def.map_or(String::new(), |def| def.name.clone());
        Changed { table, before: shown(&change.before), after: shown(&change.after) }
    }
}
