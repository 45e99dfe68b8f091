//! Transactions: how they begin and what they are asked beside changing rows.

use crate::base::Arrange;
use crate::sql::locks::{Mode, Owner, Resource};
use crate::sql::op::{Isolation, Op, Setting};
use crate::sql::reply::{Problem, Reply};
use crate::sql::table::{RowId, TrxId};
use crate::sql::value::Value;

use super::{Db, Statement, Stop};

/// What a transaction is ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Anything.
    Active,
    /// Its end (PostgreSQL).
    Failed,
    /// A decision.
    Prepared,
}

/// A mark to which a transaction can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Savepoint {
    /// Its name.
    pub name: String,
    /// So many changes are from before it.
    pub undo: usize,
    /// Locks from this number on are from after it.
    pub lock_mark: u64,
    /// Whether the transaction had done anything before it.
    pub used: bool,
}

/// A transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trx {
    /// Its number.
    pub id: TrxId,
    /// Whose it is; nobody's where it is prepared and its connection is over.
    pub session: Option<u64>,
    /// How isolated it is.
    pub isolation: Isolation,
    /// Whether somebody said that it begins; otherwise it is one statement.
    pub explicit: bool,
    /// What it is ready for.
    pub state: State,
    /// As a branch: its global id.
    pub branch: Option<String>,
    /// The place in the order of commits at which it looks.
    pub snapshot: Option<u64>,
    /// Its changes, in order: table and row.
    pub undo: Vec<(usize, RowId)>,
    /// Its marks.
    pub savepoints: Vec<Savepoint>,
    /// Whether it has done anything in the tables.
    pub used: bool,
    /// Whether there is something to log beside changes: row locks (PostgreSQL), an insert that was refused (MariaDB).
    pub wrote: bool,
}

impl Db {
    /// Begins a transaction.
    pub(super) fn begin(&mut self, session: u64, explicit: bool, isolation: Option<Isolation>) -> TrxId {
        let id = self.next_trx;
        self.next_trx += 1;
        let it = self.sessions.get_mut(&session);
        let own = it.as_ref().and_then(|it| it.isolation);
        let isolation = isolation.or(own).unwrap_or_else(|| self.variables.isolation(self.engine));
        if let Some(it) = it {
            it.trx = Some(id);
        }
        let (state, branch, snapshot) = (State::Active, None, None);
        let trx = Trx {
            id,
            session: Some(session),
            isolation,
            explicit,
            state,
            branch,
            snapshot,
            undo: Vec::new(),
            savepoints: Vec::new(),
            used: false,
            wrote: false,
        };
        self.trxs.insert(id, trx);
        if !self.is_mariadb() {
            self.locks.hold(Owner::Trx(id), Resource::Trx(id), Mode::EXCLUSIVE);
        }
        id
    }

    /// A session's transaction.
    pub(super) fn trx_of(&self, session: u64) -> Option<&Trx> {
        self.trxs.get(&self.sessions.get(&session)?.trx?)
    }

    pub(super) fn trx_of_mut(&mut self, session: u64) -> Option<&mut Trx> {
        let trx = self.sessions.get(&session)?.trx?;
        self.trxs.get_mut(&trx)
    }

    /// Whether somebody said that the session's transaction begins.
    pub(super) fn in_transaction(&self, session: u64) -> bool {
        self.trx_of(session).is_some_and(|trx| trx.explicit)
    }

    /// A prepared branch by its global id.
    pub(super) fn prepared(&self, id: &str) -> Option<&Trx> {
        self.trxs.values().find(|trx| trx.state == State::Prepared && trx.branch.as_deref() == Some(id))
    }

    /// What a session may not be asked for now.
    pub(super) fn admits(&self, session: u64, op: &Op) -> Result<(), Stop> {
        let Some(it) = self.sessions.get(&session) else { return Ok(()) };
        let trx = self.trx_of(session);
        let refused = |problem, what: &str| Err(Stop::Refused(problem, what.into()));
        if let Some(branch) = &it.dead_branch {
            return match op {
                Op::Prepare(_) => refused(Problem::Deadlock, ""),
                Op::RollbackPrepared(id) if id == branch => Ok(()),
                _ => refused(Problem::WrongState, "ROLLBACK ONLY"),
            };
        }
        let Some(trx) = trx else { return Ok(()) };
        match (trx.state, op) {
            (State::Failed, Op::Commit | Op::Rollback | Op::RollbackTo(_) | Op::Prepare(_) | Op::UnlockTables) => {
                Ok(())
            }
            (State::Failed, _) => refused(Problem::Failed, ""),
            (State::Prepared, Op::CommitPrepared(id) | Op::RollbackPrepared(id))
                if trx.branch.as_ref() == Some(id) =>
            {
                Ok(())
            }
            (State::Prepared, _) => refused(Problem::WrongState, "PREPARED"),
            // a branch of MariaDB ends by XA statements only
            (State::Active, Op::Begin(_) | Op::Commit | Op::Rollback | Op::LockTable(_) | Op::BeginBranch(_))
                if self.is_mariadb() && trx.branch.is_some() =>
            {
                refused(Problem::WrongState, "ACTIVE")
            }
            _ => Ok(()),
        }
    }

    /// A savepoint: it means nothing outside of a transaction in MariaDB, and is refused there by PostgreSQL.
    pub(super) fn savepoint(&mut self, session: u64, name: &str) -> Result<Reply, Stop> {
        let (lock_mark, mariadb) = (self.locks.mark(), self.is_mariadb());
        match self.trx_of_mut(session).filter(|trx| trx.explicit) {
            Some(trx) => {
                if mariadb {
                    trx.savepoints.retain(|savepoint| savepoint.name != name);
                }
                let (undo, used) = (trx.undo.len(), trx.used);
                trx.savepoints.push(Savepoint { name: name.into(), undo, lock_mark, used });
                Ok(Reply::Done)
            }
            None if mariadb => Ok(Reply::Done),
            None => Err(Stop::Refused(Problem::NoTransaction, "SAVEPOINT".into())),
        }
    }

    /// Back to a savepoint. PostgreSQL gives row locks back that were taken after it; InnoDB keeps them, unless it had not been
    /// asked for anything before the savepoint: then the whole transaction in it is undone
    /// (`trx0roll.cc`: `trx_rollback_to_savepoint_for_mysql`; `xact.c`: `RollbackToSavepoint`).
    pub(super) fn rollback_to(&mut self, session: u64, name: &str) -> Result<Reply, Stop> {
        let mariadb = self.is_mariadb();
        let Some(trx) = self.trx_of_mut(session).filter(|trx| trx.explicit) else {
            let problem = if mariadb { Problem::NoSavepoint } else { Problem::NoTransaction };
            let what = if mariadb { name } else { "ROLLBACK TO SAVEPOINT" };
            return Err(Stop::Refused(problem, what.into()));
        };
        let named = |savepoint: &Savepoint| savepoint.name == name;
        let at = trx.savepoints.iter().rposition(named);
        let Some((at, savepoint)) = at.and_then(|at| Some((at, trx.savepoints.get(at)?.clone()))) else {
            return Err(Stop::Refused(Problem::NoSavepoint, name.into()));
        };
        trx.savepoints.truncate(at + 1);
        trx.state = State::Active;
        let id = trx.id;
        if mariadb && !savepoint.used {
            (trx.snapshot, trx.used) = (None, false);
        }
        self.undo_to(id, savepoint.undo);
        let owner = Owner::Trx(id);
        if !mariadb {
            self.release_since(owner, savepoint.lock_mark);
        } else if !savepoint.used {
            let woken = self.locks.release(owner, true);
            self.wake(woken);
        }
        Ok(Reply::Done)
    }

    /// Gives back what a transaction has locked since a mark; it goes on holding itself.
    pub(super) fn release_since(&mut self, owner: Owner, mark: u64) {
        let woken = self.locks.remove(|what, lock| {
            lock.owner == owner
                && lock.seq >= mark
                && !matches!(what, Resource::Trx(trx) if Owner::Trx(*trx) == owner)
        });
        self.wake(woken);
    }

    /// Settings of a session.
    pub(super) fn set(&mut self, session: u64, setting: &Setting) -> Result<Reply, Stop> {
        if let Setting::DeadlockDetect(on) = setting {
            let text = if *on { "ON" } else { "OFF" };
            self.variables.0.insert("innodb_deadlock_detect".into(), text.into());
            return Ok(Reply::Done);
        }
        if let Some(it) = self.sessions.get_mut(&session) {
            match setting {
                Setting::LockWaitMs(ms) => it.lock_wait_ms = Some(*ms),
                Setting::IdleInTransactionMs(ms) => it.idle_ms = Some(*ms),
                Setting::IdleMs(ms) => it.wait_ms = Some(*ms),
                Setting::SynchronousCommit(word) => it.synchronous_commit = Some(word.clone()),
                Setting::DeadlockDetect(_) => {}
            }
        }
        Ok(Reply::Done)
    }

    /// A branch begins: in PostgreSQL any transaction can become one, by PREPARE.
    pub(super) fn begin_branch(&mut self, session: u64, id: &str, statement: &mut Statement) -> Result<Reply, Stop> {
        if !self.is_mariadb() {
            return self.begin_explicit(session, None, statement);
        }
        if self.in_transaction(session) {
            return Err(Stop::Refused(Problem::InTransaction, "XA START".into()));
        }
        if self.trxs.values().any(|trx| trx.branch.as_deref() == Some(id)) {
            return Err(Stop::Refused(Problem::PreparedInUse, id.into()));
        }
        let trx = self.begin(session, true, None);
        if let Some(trx) = self.trxs.get_mut(&trx) {
            trx.branch = Some(id.into());
        }
        Ok(Reply::Done)
    }

    /// `BEGIN`. In PostgreSQL a second one is only remarked; in MariaDB it commits the first, which is done before.
    pub(super) fn begin_explicit(
        &mut self,
        session: u64,
        isolation: Option<Isolation>,
        statement: &mut Statement,
    ) -> Result<Reply, Stop> {
        if self.in_transaction(session) {
            statement.notices.push("there is already a transaction in progress".into());
        } else {
            if self.is_mariadb() {
                // it gives locked tables back
                self.unlock_tables(session, statement)?;
            }
            self.begin(session, true, isolation);
        }
        Ok(Reply::Done)
    }

    /// The branches that wait for a decision. A standby of PostgreSQL shows none until it is promoted (`twophase.c`: `pg_prepared_xact`).
    pub(super) fn list_prepared(&self) -> Reply {
        let hidden = self.read_only && !self.is_mariadb();
        let prepared = self.trxs.values().filter(|trx| trx.state == State::Prepared && !hidden);
        let mut ids: Vec<&str> = prepared.filter_map(|trx| trx.branch.as_deref()).collect();
        ids.arrange();
        Reply::Rows(ids.into_iter().map(|id| vec![("gid".to_string(), Value::text(id))]).collect())
    }
}
