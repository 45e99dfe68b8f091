//! How transactions end: what is logged, when others see it, and what is answered.

use crate::sql::fact::Fact;
use crate::sql::locks::{Owner, Resource};
use crate::sql::log::{Change, Record, Says};
use crate::sql::op::Op;
use crate::sql::reply::{Problem, Reply};
use crate::sql::table::TrxId;

use super::session::End;
use super::{Db, Out, State, Statement, Stop};

impl Db {
    /// A statement has done what it should: its transaction ends with it, or goes on.
    pub(super) fn succeed(&mut self, session: u64, reply: Reply) {
        let explicit = self.in_transaction(session);
        let Some(it) = self.sessions.get_mut(&session) else { return };
        let (trx, Some(statement)) = (it.trx, &mut it.statement) else { return };
        statement.reply = Some(reply);
        let end = match (&statement.end, trx) {
            (End::None, Some(_)) if !explicit => End::Commit,
            (end, _) => end.clone(),
        };
        match (end, trx) {
            (End::None, _) | (End::Commit | End::CommitFirst | End::Rollback | End::Prepare(_), None) => {
                self.finish(session);
            }
            (End::Commit | End::CommitFirst, Some(trx)) => self.commit(session, trx),
            (End::Rollback, Some(trx)) => {
                self.roll_back(trx);
                self.finish(session);
            }
            (End::Prepare(id), Some(trx)) => self.log_prepare(session, trx, &id),
            (End::CommitPrepared(trx), _) => self.log_decision(session, trx, true),
            (End::RollbackPrepared(trx), _) => self.log_decision(session, trx, false),
        }
    }

    fn commit(&mut self, session: u64, trx: TrxId) {
        if let Err(Stop::Refused(problem, what)) = self.serial_commit(trx) {
            self.roll_back(trx);
            return self.fail(session, problem, &what);
        }
        let changes = self.changes(trx);
        let says = if changes.is_empty() { Says::Nothing } else { Says::Commit(changes) };
        self.log_or(session, trx, says, true);
    }

    /// Logs something of a transaction, where there is something to log; otherwise it is done already.
    fn log_or(&mut self, session: u64, trx: TrxId, says: Says, force: bool) {
        let it = self.trxs.get(&trx);
        let by = it.and_then(|trx| trx.session).unwrap_or(session);
        let by = self.sessions.get(&by).and_then(|session| session.peer.server());
        let logs = match self.is_mariadb() {
            true => it.is_some_and(|trx| trx.wrote || !trx.undo.is_empty()),
            false => it.is_some_and(|trx| trx.wrote) || !matches!(says, Says::Commit(_) | Says::Nothing),
        };
        if let Some(statement) = self.sessions.get_mut(&session).and_then(|session| session.statement.as_mut()) {
            statement.ending = true;
        }
        match logs {
            true => self.out.push(Out::Log(session, Some(trx), Record { by, trx, says, force })),
            false => {
                self.publish(session, trx, &says);
                self.finish(session);
            }
        }
    }

    /// What a transaction has changed, each row once.
    fn changes(&self, trx: TrxId) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        for &(table, row) in self.trxs.get(&trx).iter().flat_map(|trx| &trx.undo) {
            let it = self.tables.get(table).and_then(|table| table.rows.get(&row));
            if changes.iter().any(|change| (change.table, change.row) == (table, row)) {
                continue;
            }
            let before = it.and_then(|row| row.committed()?.values.clone());
            let after = it.and_then(|row| row.newest()?.values.clone());
            changes.push(Change { table, row, before, after });
        }
        changes
    }

    /// What a record says takes effect: others see it, and locks are given back. In InnoDB they go the latest first.
    pub fn publish(&mut self, session: u64, trx: TrxId, says: &Says) {
        match says {
            Says::Commit(changes) => self.commit_now(trx, changes),
            Says::Nothing => self.commit_now(trx, &[]),
            Says::Prepare(id, ..) => self.prepared_now(session, trx, id),
            Says::CommitPrepared(id) => {
                let changes = self.changes(trx);
                self.fact(Fact::Decided { id: id.clone(), commit: true });
                self.commit_now(trx, &changes);
            }
            Says::RollbackPrepared(id) => {
                self.fact(Fact::Decided { id: id.clone(), commit: false });
                self.roll_back(trx);
            }
        }
        self.run();
    }

    fn commit_now(&mut self, trx: TrxId, changes: &[Change]) {
        self.seq += 1;
        let seq = self.seq;
        let undo = self.trxs.get(&trx).map_or(Vec::new(), |trx| trx.undo.clone());
        if let Some(it) = self.trxs.get_mut(&trx) {
            it.snapshot = None;
        }
        for (table, row) in undo {
            let oldest = self.oldest();
            self.change(trx, table, row, |db| {
                if let Some(table) = db.tables.get_mut(table) {
                    table.commit(row, trx, seq, oldest);
                }
            });
        }
        let by = self.trxs.get(&trx).and_then(|trx| self.sessions.get(&trx.session?)?.peer.server());
        if !changes.is_empty() {
            let told = changes.iter().map(|change| self.told(change)).collect();
            self.fact(Fact::Committed { client: by, changes: told });
        }
        self.serial_committed(trx, seq);
        self.over(trx);
    }

    /// A transaction is undone and over.
    pub(super) fn roll_back(&mut self, trx: TrxId) {
        self.undo_to(trx, 0);
        self.serial_gone(trx);
        self.over(trx);
    }

    /// A transaction is over: what it has locked is free.
    fn over(&mut self, trx: TrxId) {
        let woken = self.locks.release(Owner::Trx(trx), self.is_mariadb());
        self.wake(woken);
        if let Some(it) = self.trxs.remove(&trx)
            && let Some(session) = it.session.and_then(|session| self.sessions.get_mut(&session))
            && session.trx == Some(trx)
        {
            session.trx = None;
        }
    }

    /// PREPARE: a branch that has failed is rolled back, which PostgreSQL reports as a success.
    pub(super) fn prepare(&mut self, session: u64, id: &str, statement: &mut Statement) -> Result<Reply, Stop> {
        let mariadb = self.is_mariadb();
        let Some(trx) = self.trx_of(session).filter(|trx| trx.explicit) else {
            let problem = if mariadb { Problem::UnknownPrepared } else { Problem::NoTransaction };
            return Err(Stop::Refused(problem, "PREPARE TRANSACTION".into()));
        };
        if mariadb && trx.branch.as_deref() != Some(id) {
            return Err(Stop::Refused(Problem::UnknownPrepared, id.into()));
        }
        if trx.state == State::Failed {
            statement.end = End::Rollback;
            return Ok(Reply::RolledBack);
        }
        if !mariadb && self.prepared(id).is_some() {
            // refused, and rolled back
            let trx = trx.id;
            self.roll_back(trx);
            return Err(Stop::Refused(Problem::PreparedInUse, id.into()));
        }
        let id_of = trx.id;
        self.serial_commit(id_of)?;
        statement.end = End::Prepare(id.into());
        Ok(Reply::Done)
    }

    fn log_prepare(&mut self, session: u64, trx: TrxId, id: &str) {
        let owner = Owner::Trx(trx);
        let kept = |what: &Resource| matches!(what, Resource::Record(..) | Resource::Row(..) | Resource::Table(..));
        let locks = self.locks.iter().filter(|(what, lock)| lock.owner == owner && lock.granted && kept(what));
        let locks = locks.map(|(what, lock)| (what.clone(), lock.mode)).collect();
        let says = Says::Prepare(id.into(), self.changes(trx), locks);
        self.log_or(session, trx, says, true);
    }

    /// A branch is prepared. In PostgreSQL it is nobody's from then on; in MariaDB its connection keeps it.
    fn prepared_now(&mut self, session: u64, trx: TrxId, id: &str) {
        let mariadb = self.is_mariadb();
        let client = self.sessions.get(&session).and_then(|session| session.peer.server());
        if let Some(it) = self.trxs.get_mut(&trx) {
            (it.state, it.branch) = (State::Prepared, Some(id.into()));
            it.savepoints.clear();
            if !mariadb {
                it.session = None;
            }
        }
        if !mariadb && let Some(it) = self.sessions.get_mut(&session) {
            it.trx = None;
        }
        self.fact(Fact::Prepared { client, id: id.into() });
    }

    /// A decision: whoever may give it. In MariaDB that is the connection that has prepared, as long as it stands.
    pub(super) fn decide(
        &mut self,
        session: u64,
        id: &str,
        op: &Op,
        statement: &mut Statement,
    ) -> Result<Reply, Stop> {
        let commit = matches!(op, Op::CommitPrepared(_));
        let what = if commit { "COMMIT PREPARED" } else { "ROLLBACK PREPARED" };
        let dead = self.sessions.get_mut(&session).and_then(|it| it.dead_branch.take_if(|dead| dead == id));
        if dead.is_some() {
            return Ok(Reply::Done);
        }
        if self.read_only {
            return Err(Stop::Refused(Problem::ReadOnly, what.into()));
        }
        if !self.is_mariadb() && self.in_transaction(session) {
            return Err(Stop::Refused(Problem::InTransaction, what.into()));
        }
        let mine =
            self.trx_of(session).filter(|trx| trx.branch.as_deref() == Some(id)).map(|trx| (trx.id, trx.state));
        if let (Some((trx, State::Active)), false) = (mine, commit) {
            // XA END and XA ROLLBACK of a branch that was never prepared
            self.roll_back(trx);
            return Ok(Reply::Done);
        }
        let free = self.prepared(id).filter(|trx| trx.session.is_none_or(|owner| owner == session));
        let Some(trx) = free.map(|trx| trx.id) else {
            return Err(Stop::Refused(Problem::UnknownPrepared, id.into()));
        };
        statement.end = if commit { End::CommitPrepared(trx) } else { End::RollbackPrepared(trx) };
        Ok(Reply::Done)
    }

    fn log_decision(&mut self, session: u64, trx: TrxId, commit: bool) {
        let id = self.trxs.get(&trx).and_then(|trx| trx.branch.clone()).unwrap_or_default();
        let says = if commit { Says::CommitPrepared(id) } else { Says::RollbackPrepared(id) };
        // InnoDB does not force a rollback
        self.log_or(session, trx, says, commit || !self.is_mariadb());
    }

    /// A statement is over: it is answered, and the next one begins. Who is not there to hear it is noticed now.
    pub fn finish(&mut self, session: u64) {
        let now = self.now;
        let Some(it) = self.sessions.get_mut(&session) else { return };
        if let Some(statement) = it.statement.as_mut().filter(|statement| statement.end == End::CommitFirst) {
            (statement.end, statement.ending, statement.reply) = (End::None, false, None);
            return self.wake_session(session);
        }
        let Some(statement) = it.statement.take() else { return };
        it.idle_since = now;
        let (gone, reply) = (it.gone || it.killed, statement.reply.unwrap_or(Reply::Done));
        if !matches!(statement.query.op, Op::UnlockTables) {
            self.woken.extend(self.in_turn.pop_front());
        }
        if gone {
            return self.end(session);
        }
        self.out.push(Out::Answer(session, statement.query, reply, statement.notices));
        self.next_query(session);
    }

    fn wake_session(&mut self, session: u64) {
        self.woken.push_back(session);
        self.run();
    }
}
