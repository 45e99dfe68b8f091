//! Programs step by step: what is asked at each step, and what the answer means.

use crate::base::ServerId;
use crate::daemon::Cx;
use crate::sql::fact::{Fact, Why};
use crate::sql::op::{Act, Cond, Isolation, Op, RowLock, SetTo, Setting, Wait};
use crate::sql::reply::{After, Problem, Reply};
use crate::sql::value::Value;

use super::program::{Recipe, Running, Stage, Unsafe};
use super::{Client, Line};

/// The table of lock rows.
const LOCKS: &str = "distributed_lock";
/// The table of names.
const NAMES: &str = "lock_name";
/// The number that is guarded: row 1, columns val, version and writer.
const RESOURCE: &str = "resource";
/// What is moved between its rows 1 and 2.
const ACCOUNTS: &str = "account";

/// What must be true of a row, by column.
type Conds = Vec<(String, Cond)>;

/// What a program does next.
enum Then {
    /// The next step.
    On,
    /// The step behind it.
    Over,
    /// It did not get what it wanted, and tries again later.
    Again(Why),
    /// It has lost what it had.
    Lost(Why),
}

fn equal(column: &str, value: Value) -> (String, Cond) {
    (column.into(), Cond::Equal(value))
}

fn select(table: &str, columns: &[&str], conds: Vec<(String, Cond)>, lock: Option<RowLock>) -> Op {
    let columns = columns.iter().map(|column| column.to_string()).collect();
    Op::Select { table: table.into(), columns, conds, order: None, limit: None, lock, wait: Wait::Long }
}

fn cell<'a>(reply: &'a Reply, column: &str) -> Option<&'a Value> {
    match reply {
        Reply::Rows(rows) => rows.first()?.iter().find(|(name, _)| name == column).map(|(_, value)| value),
        _ => None,
    }
}

impl Running {
    fn named(&self) -> (String, Cond) {
        equal("unique_mutex", Value::text(&self.program.lock))
    }

    fn held_by(&self, holder: &str) -> (String, Cond) {
        equal("holder_id", Value::text(holder))
    }

    /// What is asked at a step; nothing where it only works.
    fn op(&self, stage: Stage, me: ServerId) -> Option<Op> {
        let delete = |conds| Some(Op::Delete { table: LOCKS.into(), conds });
        let update = |table: &str, set: Vec<(&str, SetTo)>, conds| {
            let set = set.into_iter().map(|(column, to)| (column.to_string(), to)).collect();
            Some(Op::Update { table: table.into(), set, conds })
        };
        let program = &self.program;
        let number = || vec![equal("id", Value::Int(1))];
        let read = |lock| Some(select(RESOURCE, &["val", "version"], number(), lock));
        match stage {
            Stage::Forget => delete(vec![self.named(), self.held_by(self.old.as_deref()?)]),
            Stage::ClearOld => delete(vec![self.named(), ("created".into(), Cond::OlderThan(program.age_ms))]),
            Stage::LookAtAge if program.does(Unsafe::AgeByClientClock) => {
                Some(select(LOCKS, &["holder_id", "created"], vec![self.named()], None))
            }
            Stage::LookAtAge => {
                let old = ("created".to_string(), Cond::OlderThan(program.age_ms));
                Some(select(LOCKS, &["holder_id"], vec![self.named(), old], None))
            }
            Stage::ClearAway if program.does(Unsafe::AgeByClientClock) => {
                delete(vec![self.named(), self.held_by(self.found.as_deref()?)])
            }
            Stage::ClearAway => delete(vec![self.named()]),
            Stage::Take if program.recipe == Recipe::Advisory => {
                Some(Op::Advisory { act: Act::Lock, name: program.lock.clone(), seconds: self.advisory_seconds() })
            }
            Stage::Take => {
                let row = vec![
                    ("unique_mutex".into(), Value::text(&program.lock)),
                    ("holder_id".into(), Value::text(&self.holder)),
                ];
                Some(Op::Insert { table: LOCKS.into(), row, if_new: false })
            }
            Stage::Token => Some(select(LOCKS, &["id"], vec![self.named(), self.held_by(&self.holder)], None)),
            Stage::Register => {
                let token = Value::Int(self.token?);
                let mut conds = number();
                conds.push(("version".into(), Cond::UpTo(token.clone())));
                update(RESOURCE, vec![("version", SetTo::Value(token))], conds)
            }
            Stage::Begin => Some(Op::Begin(None)),
            Stage::BeginRepeatable => Some(Op::Begin(Some(Isolation::RepeatableRead))),
            Stage::LockName => {
                let name = vec![equal("name", Value::text(&program.lock))];
                Some(select(NAMES, &["name"], name, Some(RowLock::Update)))
            }
            Stage::Lock => read(Some(RowLock::Update)),
            Stage::Look | Stage::Read => read(None),
            Stage::Work => None,
            Stage::Write if program.recipe == Recipe::Transfer => self.half(me, true),
            Stage::WriteOther => self.half(me, false),
            Stage::Write => {
                let (set, more) = self.next_number();
                update(RESOURCE, set, [number(), more].concat())
            }
            Stage::Release if program.recipe == Recipe::Advisory => {
                Some(Op::Advisory { act: Act::Unlock, name: program.lock.clone(), seconds: None })
            }
            Stage::Release if program.does(Unsafe::DeleteByName) => delete(vec![self.named()]),
            Stage::Release => delete(vec![self.named(), self.held_by(&self.holder)]),
            Stage::End => Some(Op::Commit),
        }
    }

    /// What a program writes to the resource, and what must still be true of it then.
    fn next_number(&self) -> (Vec<(&'static str, SetTo)>, Conds) {
        let mut set = vec![
            ("val", SetTo::Value(Value::Int(self.read.saturating_add(1)))),
            // MariaDB counts changed rows: the same number once more would be none
            ("writer", SetTo::Value(Value::text(&self.holder))),
        ];
        let mut conds = Vec::new();
        if self.program.recipe == Recipe::Version && !self.program.does(Unsafe::NoVersion) {
            set.push(("version", SetTo::Plus(1)));
            conds.push(equal("version", Value::Int(self.version)));
        }
        if let Some(token) = self.token {
            conds.push(("version".into(), Cond::UpTo(Value::Int(token))));
        }
        (set, conds)
    }

    /// One half of a transfer; clients of even numbers go the other way round.
    fn half(&self, me: ServerId, first: bool) -> Option<Op> {
        let (row, by) = if first == me.0.is_multiple_of(2) { (2, 1) } else { (1, -1) };
        let set = vec![("val".to_string(), SetTo::Plus(by))];
        Some(Op::Update { table: ACCOUNTS.into(), set, conds: vec![equal("id", Value::Int(row))] })
    }

    fn advisory_seconds(&self) -> Option<i64> {
        let seconds = self.program.lock_wait_ms.div_ceil(1000);
        i64::try_from(seconds).ok().filter(|seconds| *seconds > 0)
    }

    /// Whether an answer was an error, it is one for any step; otherwise what it means at this one.
    fn means(&mut self, stage: Stage, reply: &Reply, clock_ms: i64) -> Then {
        match (stage, reply) {
            (Stage::LookAtAge, Reply::Rows(rows)) => {
                self.found = cell(reply, "holder_id").and_then(|value| match value {
                    Value::Text(holder) => Some(holder.to_string()),
                    _ => None,
                });
                let made = cell(reply, "created").and_then(Value::int);
                let limit = clock_ms.saturating_sub_unsigned(self.program.age_ms);
                let young = made.is_some_and(|made| made >= limit);
                if rows.is_empty() || young { Then::Over } else { Then::On }
            }
            (Stage::Take, Reply::Rows(_)) if cell(reply, "r") != Some(&Value::Int(1)) => Then::Again(Why::Taken),
            (Stage::Token, Reply::Rows(_)) => {
                self.token = cell(reply, "id").and_then(Value::int);
                if self.token.is_some() { Then::On } else { Then::Lost(Why::Robbed) }
            }
            (Stage::Register, Reply::Affected(0)) => Then::Lost(Why::Robbed),
            (Stage::Lock | Stage::Read, Reply::Rows(_)) => {
                let number = |column| cell(reply, column).and_then(Value::int);
                (self.read, self.version) = (number("val").unwrap_or(0), number("version").unwrap_or(0));
                Then::On
            }
            (Stage::Write, Reply::Affected(0)) if self.program.recipe == Recipe::Version => Then::Again(Why::Changed),
            (Stage::Write, Reply::Affected(0)) => Then::Lost(Why::Robbed),
            (Stage::Release, Reply::Affected(0)) => Then::Lost(Why::Robbed),
            (Stage::End, Reply::RolledBack) => Then::Lost(Why::Refused),
            (_, Reply::Error { problem: Problem::Duplicate, .. }) => Then::Again(Why::Taken),
            (_, Reply::Error { .. }) => Then::Again(Why::Refused),
            _ => Then::On,
        }
    }
}

impl Client {
    /// Its connection is open: a round begins.
    pub(super) fn go_on(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut().filter(|_| self.pending.is_none()) else { return };
        running.wakes_at = None;
        if running.program.lock_wait_ms > 0 && !running.set_up {
            running.set_up = true;
            let setting = Op::Set(Setting::LockWaitMs(running.program.lock_wait_ms));
            return self.ask_for_program(setting, cx);
        }
        self.new_round(cx);
    }

    fn new_round(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        let last = running.program.rounds;
        if last > 0 && running.round >= last {
            return;
        }
        running.round += 1;
        running.holder = format!("{}.{}.{}", cx.env.me, running.starts, running.round);
        (running.at, running.token, running.holding, running.undoes) = (Some(0), None, false, false);
        self.do_stage(cx);
    }

    /// Asks what its step says; works; or goes over a step that has nothing to ask.
    fn do_stage(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        let Some(stage) = running.stage() else { return self.round_over(cx) };
        match running.op(stage, cx.env.me) {
            Some(op) => self.ask_for_program(op, cx),
            None if stage == Stage::Work => {
                let most = running.program.work_ms * 1000;
                let us = self.prng.between(most / 2, most);
                running.wakes_at = Some(cx.env.now.plus(us));
            }
            None => self.next_stage(1, cx),
        }
    }

    fn next_stage(&mut self, by: usize, cx: &mut Cx<Self>) {
        if let Some(running) = self.running.as_mut() {
            running.at = running.at.map(|at| at + by);
        }
        self.do_stage(cx);
    }

    /// All steps are done.
    fn round_over(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        running.at = None;
        running.old = None;
        let most = running.program.pause_ms * 1000;
        let us = self.prng.between(most / 2, most);
        running.wakes_at = Some(cx.env.now.plus(us));
    }

    /// It tries again later.
    fn later(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        running.at = None;
        let most = running.program.poll_ms * 1000;
        let us = self.prng.between(most / 2, most);
        running.wakes_at = Some(cx.env.now.plus(us));
    }

    /// No server answers: it tries again later.
    pub(super) fn unreachable(&mut self, cx: &mut Cx<Self>) {
        if self.running.is_some() {
            self.later(cx);
        }
    }

    /// It goes on: with its work, with a new round, or with a new connection.
    pub(super) fn wakes(&mut self, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        running.wakes_at = None;
        match (self.line, running.stage()) {
            (_, Some(Stage::Work)) => self.next_stage(1, cx),
            (Line::Open(..), None) => self.go_on(cx),
            (Line::Dialling(..), _) => {
                self.next_server += 1;
                self.dial_next(cx);
            }
            (Line::None | Line::Ended, _) => self.dial_next(cx),
            _ => {}
        }
    }

    /// A statement of its program is answered.
    pub(super) fn came(&mut self, op: &Op, reply: &Reply, cx: &mut Cx<Self>) {
        let gone = matches!(reply.problem(), Some(Problem::Lost | Problem::NotConnected | Problem::ReadOnly));
        if gone || *reply == Reply::TimedOut {
            return self.cut_off(reply, cx);
        }
        let Some(running) = self.running.as_mut() else { return };
        if matches!(op, Op::Set(_)) {
            return self.new_round(cx);
        }
        if std::mem::take(&mut running.undoes) {
            return self.later(cx);
        }
        let Some(stage) = running.stage() else { return };
        match running.means(stage, reply, cx.env.clock_ms) {
            Then::On => {
                self.tell(stage, cx);
                self.next_stage(1, cx);
            }
            Then::Over => self.next_stage(2, cx),
            Then::Again(why) => {
                let (lock, holding) = (running.program.lock.clone(), std::mem::take(&mut running.holding));
                let holder = running.holder.clone();
                let expected = Some(running.version).filter(|_| why == Why::Changed);
                cx.fact(match holding {
                    true => Fact::LockLost { lock, holder, why },
                    false => Fact::NotAcquired { lock, why, expected },
                });
                self.give_up(reply, cx);
            }
            Then::Lost(why) => {
                let (lock, holder) = (running.program.lock.clone(), running.holder.clone());
                running.holding = false;
                cx.fact(Fact::LockLost { lock, holder, why });
                self.give_up(reply, cx);
            }
        }
    }

    /// A round ends early: what is open is rolled back.
    fn give_up(&mut self, reply: &Reply, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        running.old = Some(running.holder.clone()).filter(|_| running.program.recipe == Recipe::LockRow);
        running.at = None;
        let open = matches!(reply, Reply::Error { after: After::Open | After::Failed, .. });
        let wrong = running.program.does(Unsafe::TimeOutIsRollback) && reply.problem() == Some(Problem::LockWait);
        match open && !wrong {
            true => {
                running.undoes = true;
                self.ask_for_program(Op::Rollback, cx);
            }
            false => self.later(cx),
        }
    }

    /// Its connection is gone, or the server takes no changes: what became of its last statement is unknown.
    fn cut_off(&mut self, reply: &Reply, cx: &mut Cx<Self>) {
        self.hang_up(cx);
        if reply.problem() == Some(Problem::ReadOnly) {
            self.next_server += 1;
        }
        let Some(running) = self.running.as_mut() else { return };
        (running.set_up, running.undoes) = (false, false);
        let (lock, holder, why) = (running.program.lock.clone(), running.holder.clone(), Why::Lost);
        let asked_for_it = running.at.is_some() && running.program.recipe == Recipe::LockRow;
        running.old = Some(holder.clone()).filter(|_| asked_for_it).or(running.old.take());
        cx.fact(match std::mem::take(&mut running.holding) {
            true => Fact::LockLost { lock, holder, why },
            false => Fact::NotAcquired { lock, why, expected: None },
        });
        self.later(cx);
    }

    /// States what a step that went well means.
    fn tell(&mut self, stage: Stage, cx: &mut Cx<Self>) {
        let Some(running) = self.running.as_mut() else { return };
        let (lock, holder, token) = (running.program.lock.clone(), running.holder.clone(), running.token);
        let program = running.program.clone();
        let takes = match program.recipe {
            Recipe::LockRow if program.fenced => Stage::Register,
            Recipe::ForUpdate if program.does(Unsafe::LookBeforeLock) => Stage::LockName,
            Recipe::ForUpdate => Stage::Lock,
            _ => Stage::Take,
        };
        if stage == takes {
            running.holding = true;
            cx.fact(Fact::Acquired { lock: lock.clone(), holder: holder.clone(), token });
        }
        if matches!(stage, Stage::Lock | Stage::Read) {
            cx.fact(Fact::Counting { read: running.read });
        }
        let last = running.plan.last().copied();
        let ends = last == Some(stage);
        let in_transaction = running.plan.contains(&Stage::End) && last == Some(Stage::End);
        let written = if in_transaction { Stage::End } else { Stage::Write };
        if stage == written && program.recipe != Recipe::Transfer {
            cx.fact(Fact::Counted { wrote: running.read.saturating_add(1) });
        }
        if ends && std::mem::take(&mut running.holding) {
            cx.fact(Fact::Released { lock, holder });
        }
    }
}
