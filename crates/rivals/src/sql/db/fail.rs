//! Statements that are refused, cancelled, or stop because their connection ends; limits on waiting.

use crate::base::{Arrange, Micros, SimTime};
use crate::sql::fact::{EndReason, Fact};
use crate::sql::locks::Owner;
use crate::sql::log::{Record, Says};
use crate::sql::reply::{After, Problem, Reply, message};

use super::session::Session;
use super::transactions::Trx;
use super::{Db, Out, State};

impl Db {
    /// A statement is refused. InnoDB undoes the statement, or at a deadlock the transaction; PostgreSQL gives up the
    /// transaction, or what came after its last savepoint, with all its locks at once.
    pub(super) fn fail(&mut self, session: u64, problem: Problem, what: &str) {
        let Some(it) = self.sessions.get(&session) else { return };
        let owners = [Some(Owner::Session(session)), it.trx.map(Owner::Trx)];
        for owner in owners.into_iter().flatten() {
            let woken = self.locks.give_up(owner);
            self.wake(woken);
        }
        let by_row = matches!(problem, Problem::Deadlock) && !self.is_named(session);
        let (after, logs) = match self.is_mariadb() {
            true => self.undo_innodb(session, problem, by_row),
            false => (self.undo_postgres(session), false),
        };
        let engine = self.engine;
        let reply = Reply::Error { problem, message: message(engine, problem, what), after };
        let client = self.sessions.get(&session).and_then(|session| session.peer.server());
        let trx = self.sessions.get(&session).and_then(|session| session.trx);
        let Some(statement) = self.sessions.get_mut(&session).and_then(|it| it.statement.as_mut()) else { return };
        statement.reply = Some(reply);
        statement.end = super::session::End::None;
        if let Some(client) = client {
            let what = statement.query.text.clone();
            self.fact(Fact::Refused { client, what, problem: problem.kind(), after: after.name(), engine });
        }
        if logs {
            if let Some(statement) = self.sessions.get_mut(&session).and_then(|it| it.statement.as_mut()) {
                statement.ending = true;
            }
            let record = Record { by: client, trx: trx.unwrap_or(0), says: Says::Nothing, force: true };
            return self.out.push(Out::Log(session, trx, record));
        }
        self.finish(session);
    }

    /// Whether a session's statement is about a named lock.
    fn is_named(&self, session: u64) -> bool {
        matches!(self.op_of(session), Some(crate::sql::op::Op::Advisory { .. }))
    }

    /// What InnoDB undoes; and whether that has to be forced to disk: an insert that was refused by an index behind the
    /// clustered one has been logged.
    fn undo_innodb(&mut self, session: u64, problem: Problem, by_row: bool) -> (After, bool) {
        let rolls_back = problem == Problem::LockWait && self.is_on("innodb_rollback_on_timeout");
        let Some(trx) = self.trx_of(session) else { return (After::None, false) };
        let (id, explicit, wrote, branch) = (trx.id, trx.explicit, trx.wrote, trx.branch.clone());
        let statement = self.sessions.get(&session).and_then(|it| it.statement.as_ref());
        let undo = statement.map_or(0, |statement| statement.undo);
        if by_row || (rolls_back && self.waits_or_waited(session)) {
            self.roll_back(id);
            if let Some(it) = self.sessions.get_mut(&session) {
                it.dead_branch = branch;
            }
            return (After::None, false);
        }
        if !explicit && wrote {
            // its locks go when that is on disk
            self.undo_to(id, 0);
            return (After::None, true);
        }
        match explicit {
            true => self.undo_to(id, undo.min(self.trxs.get(&id).map_or(0, |trx| trx.undo.len()))),
            false => self.roll_back(id),
        }
        (if explicit { After::Open } else { After::None }, false)
    }

    fn waits_or_waited(&self, session: u64) -> bool {
        !self.is_named(session)
    }

    fn undo_postgres(&mut self, session: u64) -> After {
        let Some(trx) = self.trx_of_mut(session) else { return After::None };
        let (id, explicit) = (trx.id, trx.explicit);
        let mark = trx.savepoints.last().map(|savepoint| (savepoint.undo, savepoint.lock_mark));
        if !explicit {
            self.roll_back(id);
            return After::None;
        }
        trx.state = State::Failed;
        let owner = Owner::Trx(id);
        match mark {
            Some((undo, lock_mark)) => {
                self.undo_to(id, undo);
                self.release_since(owner, lock_mark);
            }
            None => {
                self.undo_to(id, 0);
                self.serial_gone(id);
                let woken = self.locks.release(owner, false);
                self.wake(woken);
            }
        }
        After::Failed
    }

    /// The other end of a connection is gone. Who waits for a lock does not notice.
    pub fn disconnected(&mut self, session: u64) {
        let Some(it) = self.sessions.get_mut(&session) else { return };
        it.gone = true;
        if it.statement.is_none() {
            self.end(session);
        }
        self.run();
    }

    /// An operator, or a limit, ends a connection.
    pub fn kill(&mut self, session: u64, reason: EndReason) {
        let client = self.sessions.get(&session).and_then(|session| session.peer.server());
        let Some(it) = self.sessions.get_mut(&session) else { return };
        it.killed = true;
        let waits = it.statement.as_ref().map(|statement| (statement.waits_since.is_some(), statement.ending));
        if let Some(client) = client {
            self.fact(Fact::ConnectionEnded { client, reason });
        }
        match waits {
            Some((true, _)) => self.fail(session, Problem::Cancelled, ""),
            // what is being committed is committed
            Some((false, true)) => {}
            _ => self.end(session),
        }
        self.run();
    }

    /// An operator ends a statement. True where it is only the wait for a replica that ends.
    pub fn cancel(&mut self, session: u64) {
        let waits = self.sessions.get(&session).and_then(|it| it.statement.as_ref()?.waits_since);
        if waits.is_some() {
            self.fail(session, Problem::Cancelled, "");
            self.run();
        }
    }

    /// A session is over: what it has not committed is undone, its named locks are free. What is prepared stays.
    pub(super) fn end(&mut self, session: u64) {
        let Some(it) = self.sessions.get_mut(&session) else { return };
        let trx = it.trx.take();
        let killed = it.killed;
        match trx.and_then(|trx| self.trxs.get_mut(&trx)) {
            Some(trx) if trx.state == State::Prepared => trx.session = None,
            Some(trx) => {
                let id = trx.id;
                self.roll_back(id);
            }
            None => {}
        }
        let woken = self.locks.release(Owner::Session(session), false);
        self.wake(woken);
        self.sessions.remove(&session);
        if killed {
            self.out.push(Out::Close(session));
        }
    }

    /// What a session's wait for a lock ends by, and when.
    fn wait_limit(&self, session: u64) -> Option<SimTime> {
        let it = self.sessions.get(&session)?;
        let since = it.statement.as_ref()?.waits_since?;
        let ms = match (self.is_mariadb(), self.named_limit(session)) {
            (true, Some(ms)) => ms,
            (true, None) if self.waits_for_row(session) => {
                let seconds = self.own_limit(session).map(|seconds| seconds.saturating_mul(1000));
                let own = seconds.or(it.lock_wait_ms);
                Some(own.unwrap_or_else(|| self.number("innodb_lock_wait_timeout").saturating_mul(1000)))
            }
            (true, None) => None,
            (false, _) => Some(it.lock_wait_ms.unwrap_or_else(|| self.number("lock_timeout"))).filter(|ms| *ms > 0),
        };
        Some(since.plus(ms?.min(MAX_LIMIT_MS) * 1000))
    }

    /// When a session that is idle is ended.
    fn idle_limit(&self, session: u64) -> Option<SimTime> {
        let it = self.sessions.get(&session).filter(|it| it.statement.is_none())?;
        let trx = self.trx_of(session).filter(|trx| trx.explicit);
        let ms: Micros = match self.is_mariadb() {
            true => self.idle_mariadb(it, trx),
            false if trx.is_some() => {
                it.idle_ms.unwrap_or_else(|| self.number("idle_in_transaction_session_timeout"))
            }
            false => it.wait_ms.unwrap_or_else(|| self.number("idle_session_timeout")),
        };
        (ms > 0).then(|| it.idle_since.plus(ms.min(MAX_LIMIT_MS) * 1000))
    }

    /// How long MariaDB waits for the next statement, ms (`sql_class.h`: `get_net_wait_timeout`): in a transaction by what it has
    /// done, else by what is said of all; and if nothing is, as long as outside of one. The default of eight hours is no limit here.
    fn idle_mariadb(&self, it: &Session, trx: Option<&Trx>) -> u64 {
        let seconds = |name: &str| self.number(name).saturating_mul(1000);
        let in_trx = trx.map(|trx| {
            let kind = if trx.undo.is_empty() { "readonly" } else { "write" };
            let of_kind = seconds(&format!("idle_{kind}_transaction_timeout"));
            if of_kind > 0 { of_kind } else { it.idle_ms.unwrap_or_else(|| seconds("idle_transaction_timeout")) }
        });
        let outside = it.wait_ms.unwrap_or_else(|| seconds("wait_timeout"));
        in_trx.filter(|ms| *ms > 0).unwrap_or(if outside < EIGHT_HOURS_MS { outside } else { 0 })
    }

    /// When PostgreSQL looks whether a session's wait is part of a deadlock.
    fn look_at(&self, session: u64) -> Option<SimTime> {
        let statement = self.sessions.get(&session)?.statement.as_ref()?;
        let since = statement.waits_since.filter(|_| !self.is_mariadb() && !statement.looked)?;
        Some(since.plus(self.number("deadlock_timeout").min(MAX_LIMIT_MS) * 1000))
    }

    /// When the next limit runs out.
    pub fn next_limit(&self) -> Option<SimTime> {
        let of = |&session: &u64| {
            [self.wait_limit(session), self.idle_limit(session), self.look_at(session)].into_iter().flatten().min()
        };
        self.sessions.keys().filter_map(of).min()
    }

    /// What has run out by now: waits end, idle sessions are ended, deadlocks are looked for; who waits longest comes first.
    pub fn limits(&mut self) {
        let now = self.now;
        let due = |at: Option<SimTime>| at.is_some_and(|at| at <= now);
        let mut sessions: Vec<u64> = self.sessions.keys().copied().collect();
        let since = |session: &u64| self.sessions.get(session).and_then(|it| it.statement.as_ref()?.waits_since);
        sessions.arrange_by_key(|session| (since(session), *session));
        for session in sessions {
            if due(self.look_at(session)) {
                if let Some(statement) = self.sessions.get_mut(&session).and_then(|it| it.statement.as_mut()) {
                    statement.looked = true;
                }
                self.look_for_deadlock(session);
            }
            if due(self.wait_limit(session)) {
                match self.named_limit(session) {
                    Some(Some(_)) if self.is_mariadb() => self.named_in_vain(session),
                    _ if self.is_mariadb() => self.fail(session, Problem::LockWait, ""),
                    _ => self.fail(session, Problem::LockTimeout, ""),
                }
            }
            if due(self.idle_limit(session)) {
                self.kill(session, EndReason::Idle);
            }
            self.run();
        }
    }
}

/// `wait_timeout` where nothing is said, ms.
const EIGHT_HOURS_MS: u64 = 28_800_000;
/// The longest limit, ms.
const MAX_LIMIT_MS: u64 = 1_000_000_000;
