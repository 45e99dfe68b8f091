//! Locks by name (`GET_LOCK` and the user locks of `mdl.cc`; `pg_advisory_lock`), and locks on whole tables.

use crate::sql::locks::{Asked, Mode, Owner, Resource};
use crate::sql::op::{Act, Op};
use crate::sql::reply::{Problem, Reply};
use crate::sql::value::Value;

use super::session::End;
use super::{Db, Statement, Stop};

fn answer(value: Value) -> Reply {
    Reply::Rows(vec![vec![("r".into(), value)]])
}

impl Db {
    /// A statement about a named lock. It belongs to the session, or (PostgreSQL, if so said) to the transaction.
    pub(super) fn named(
        &mut self,
        session: u64,
        act: Act,
        name: &str,
        seconds: Option<i64>,
        statement: &mut Statement,
    ) -> Result<Reply, Stop> {
        let what = Resource::Name(name.into());
        let owner = match act {
            Act::LockXact | Act::TryXact => {
                let trx = match self.trx_of(session) {
                    Some(trx) => trx.id,
                    None => self.begin(session, false, None),
                };
                Owner::Trx(trx)
            }
            _ => Owner::Session(session),
        };
        let try_it = matches!(act, Act::Try | Act::TryXact) || (act == Act::Lock && seconds == Some(0));
        match act {
            Act::Lock | Act::LockXact | Act::Try | Act::TryXact => {
                if self.is_mine_already(session, owner, &what) {
                    self.locks.again(owner, &what, i32::from(!statement.began));
                    return Ok(answer(Value::Int(1)));
                }
                let free = self.in_the_way_of(session, owner, &what).is_empty();
                if try_it && !free {
                    return Ok(answer(Value::Int(0)));
                }
                statement.began = true;
                match self.locks.ask(owner, what, Mode::EXCLUSIVE) {
                    Asked::Waits => Err(Stop::Wait),
                    _ => Ok(answer(Value::Int(1))),
                }
            }
            Act::Unlock => Ok(self.unlock(owner, &what, statement)),
            Act::UnlockAll => {
                let mine = |resource: &Resource, lock: &crate::sql::locks::Lock| {
                    lock.owner == owner && matches!(resource, Resource::Name(_))
                };
                let count: u32 =
                    self.locks.iter().filter(|(what, lock)| mine(what, lock)).map(|(_, lock)| lock.times).sum();
                let woken = self.locks.remove(mine);
                self.wake(woken);
                Ok(answer(Value::Int(count.into())))
            }
        }
    }

    /// Whether the lock is held by this owner.
    fn is_mine_already(&self, _session: u64, owner: Owner, what: &Resource) -> bool {
        self.locks.on(what).iter().any(|lock| lock.owner == owner && lock.granted)
    }

    /// Who is in the way of a session: not its own transaction.
    fn in_the_way_of(&self, session: u64, owner: Owner, what: &Resource) -> Vec<Owner> {
        let mut others = self.locks.in_the_way(owner, what, Mode::EXCLUSIVE);
        others.retain(|other| self.session_of(*other) != Some(session));
        others
    }

    /// MariaDB answers 0 where it is another's and NULL where it is nobody's; PostgreSQL false, with a warning.
    fn unlock(&mut self, owner: Owner, what: &Resource, statement: &mut Statement) -> Reply {
        let held = self.locks.on(what).iter().any(|lock| lock.granted);
        if !self.locks.on(what).iter().any(|lock| lock.owner == owner && lock.granted) {
            if !self.is_mariadb() {
                statement.notices.push("you don't own a lock of type ExclusiveLock".into());
            }
            return answer(if held || !self.is_mariadb() { Value::Int(0) } else { Value::Null });
        }
        if self.locks.again(owner, what, -1) == 0 {
            let woken = self.locks.release_on(owner, what);
            self.wake(woken);
        }
        answer(Value::Int(1))
    }

    /// How long a session waits for a named lock, ms (MariaDB): none where it waits for none, or for ever.
    pub(super) fn named_limit(&self, session: u64) -> Option<Option<u64>> {
        match self.op_of(session)? {
            Op::Advisory { seconds, .. } => {
                let limit = seconds.and_then(|seconds| u64::try_from(seconds).ok());
                Some(
                    limit
                        .or((seconds.is_none()).then_some(DEFAULT_SECONDS))
                        .map(|seconds| seconds.saturating_mul(1000)),
                )
            }
            _ => None,
        }
    }

    /// A named lock has been waited for in vain: the answer is 0, not an error (MariaDB).
    pub(super) fn named_in_vain(&mut self, session: u64) {
        let woken = self.locks.give_up(Owner::Session(session));
        self.wake(woken);
        if let Some(statement) = self.sessions.get_mut(&session).and_then(|it| it.statement.as_mut()) {
            statement.waits_since = None;
            statement.reply = Some(answer(Value::Int(0)));
        }
        self.finish(session);
    }

    /// The whole table is locked: in MariaDB for the session until UNLOCK TABLES, in PostgreSQL for the transaction.
    pub(super) fn lock_table(&mut self, session: u64, name: &str) -> Result<Reply, Stop> {
        let table = self.table(name)?;
        let owner = match self.is_mariadb() {
            true => Owner::Session(session),
            false => match self.trx_of(session).filter(|trx| trx.explicit) {
                Some(trx) => Owner::Trx(trx.id),
                None => return Err(Stop::Refused(Problem::NoTransaction, "LOCK TABLE".into())),
            },
        };
        if let Some(locked) = self.sessions.get(&session).and_then(|session| session.locked_table)
            && locked != table
        {
            let woken = self.locks.release_on(owner, &Resource::Table(locked));
            self.wake(woken);
        }
        if self.locks.ask(owner, Resource::Table(table), Mode::EXCLUSIVE) == Asked::Waits {
            return Err(Stop::Wait);
        }
        if self.is_mariadb()
            && let Some(it) = self.sessions.get_mut(&session)
        {
            it.locked_table = Some(table);
        }
        Ok(Reply::Done)
    }

    /// The table is free again. PostgreSQL knows no such statement: it is the end of the transaction. MariaDB's waiters get on
    /// one after another, the latest first: so it was recorded.
    pub(super) fn unlock_tables(&mut self, session: u64, statement: &mut Statement) -> Result<Reply, Stop> {
        if !self.is_mariadb() {
            statement.end = End::Commit;
            return Ok(Reply::Done);
        }
        let locked = self.sessions.get_mut(&session).and_then(|session| session.locked_table.take());
        if let Some(table) = locked {
            let woken = self.locks.release_on(Owner::Session(session), &Resource::Table(table));
            let sessions = woken.into_iter().rev().filter_map(|owner| self.session_of(owner));
            self.in_turn = sessions.collect();
            self.woken.extend(self.in_turn.pop_front());
        }
        Ok(Reply::Done)
    }
}

/// How long a named lock is waited for where nothing is said, s.
const DEFAULT_SECONDS: u64 = 50;
