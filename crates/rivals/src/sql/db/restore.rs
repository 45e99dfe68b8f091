//! A database after a start: what its log says is done again. A replica does the same with what it is sent.

use crate::sql::locks::Owner;
use crate::sql::log::{Change, Record, Says};
use crate::sql::op::Isolation;
use crate::sql::table::Version;

use super::{Db, State, Trx};

impl Db {
    /// Does again what a record says. Who holds a row here does not hold it up: the real ones make it wait, or cancel them.
    pub fn replay(&mut self, record: &Record) {
        match &record.says {
            Says::Commit(changes) => {
                let trx = self.restored(None);
                self.redo(trx, changes);
                self.publish(0, trx, &record.says);
            }
            Says::Prepare(id, changes, locks) => {
                let trx = self.restored(Some(id.clone()));
                self.redo(trx, changes);
                for (what, mode) in locks {
                    self.locks.hold(Owner::Trx(trx), what.clone(), *mode);
                }
            }
            Says::CommitPrepared(id) | Says::RollbackPrepared(id) => {
                if let Some(trx) = self.prepared(id).map(|trx| trx.id) {
                    self.publish(0, trx, &record.says);
                }
            }
            Says::Nothing => {}
        }
    }

    /// A transaction of which only the log knows.
    fn restored(&mut self, branch: Option<String>) -> u64 {
        let id = self.next_trx;
        self.next_trx += 1;
        let state = if branch.is_some() { State::Prepared } else { State::Active };
        let trx = Trx {
            id,
            session: None,
            isolation: Isolation::RepeatableRead,
            explicit: true,
            state,
            branch,
            snapshot: None,
            undo: Vec::new(),
            savepoints: Vec::new(),
            used: true,
            wrote: true,
        };
        self.trxs.insert(id, trx);
        if !self.is_mariadb() {
            use crate::sql::locks::{Mode, Resource};
            self.locks.hold(Owner::Trx(id), Resource::Trx(id), Mode::EXCLUSIVE);
        }
        id
    }

    fn redo(&mut self, trx: u64, changes: &[Change]) {
        for change in changes {
            if let Some(it) = self.trxs.get_mut(&trx) {
                it.undo.push((change.table, change.row));
            }
            self.change(trx, change.table, change.row, |db| {
                if let Some(table) = db.tables.get_mut(change.table) {
                    table.put(change.row, Version { by: trx, seq: None, values: change.after.clone() });
                }
            });
        }
    }
}
