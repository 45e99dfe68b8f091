//! Taking a lock: the steps of each kind.

use crate::base::ServerId;
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::reply::Reply;

use super::Client;
use super::plan::{Break, Fencing, LockKind};
use super::program::{CHANNEL, Program, SENTINEL, Stage, Step, Timer};

/// Who has no limit waits for a message for so long, ms.
const LONG_MS: i64 = 10_000;

impl Program {
    /// A new try: with a new token, unless the last one may have succeeded.
    pub(super) fn try_lock(&mut self, cx: &mut Cx<Client>) {
        self.stage = Stage::Taking;
        self.waiting = false;
        if !cx.config.sentinels.is_empty() && self.lines.get(&0).is_none_or(|line| line.conn.is_none()) {
            let question = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"];
            return self.ask(SENTINEL, Step::Master, &question, cx);
        }
        self.ask_for_lock(cx);
    }

    fn new_token(&mut self, cx: &Cx<Client>) {
        if self.plan.breaks(Break::SameValue) {
            self.token = "1".into();
        } else if !self.unsure {
            self.token = format!("{}-{:06x}", cx.env.me, self.prng.below(1 << 24));
        }
    }

    fn ask_for_lock(&mut self, cx: &mut Cx<Client>) {
        self.began = cx.env.now;
        self.number = None;
        self.new_token(cx);
        let (key, token, limit) = (self.plan.key.clone(), self.token.clone(), self.plan.limit_ms.to_string());
        match self.plan.lock {
            LockKind::SetnxExpire => self.ask(0, Step::Setnx, &["SETNX", &key, &token], cx),
            LockKind::Getset => {
                self.set_moment(cx);
                let moment = self.token.clone();
                self.ask(0, Step::Setnx, &["SETNX", &key, &moment], cx);
            }
            LockKind::SetNxPx if self.plan.fencing == Fencing::Script => {
                let counter = self.plan.counter();
                self.ask(0, Step::Set, &["EVAL", "@lockAndToken", "2", &key, &counter, &token, &limit], cx);
            }
            LockKind::SetNxPx if self.plan.limit_ms == 0 => self.ask(0, Step::Set, &["SET", &key, &token, "NX"], cx),
            LockKind::SetNxPx => self.ask(0, Step::Set, &["SET", &key, &token, "NX", "PX", &limit], cx),
            LockKind::Hash => self.ask_hash(cx),
            LockKind::Redlock => self.ask_votes(cx),
        }
    }

    /// The moment of the lock's end, by this client's clock.
    fn set_moment(&mut self, cx: &Cx<Client>) {
        let limit = i64::try_from(self.plan.limit_ms).unwrap_or(i64::MAX);
        self.token = Program::clock(cx).saturating_add(limit).to_string();
    }

    fn ask_hash(&mut self, cx: &mut Cx<Client>) {
        let (key, counter, limit) = (self.plan.key.clone(), self.plan.counter(), self.plan.limit_ms.to_string());
        let token = self.token.clone();
        match self.plan.fencing {
            Fencing::Script => {
                self.ask(0, Step::Lock, &["EVAL", "@hashLockAndToken", "2", &key, &counter, &limit, &token], cx);
            }
            _ => self.ask(0, Step::Lock, &["EVAL", "@hashLock", "1", &key, &limit, &token], cx),
        }
    }

    /// An answer on the way to the lock.
    pub(super) fn take_step(&mut self, step: Step, reply: &Reply, cx: &mut Cx<Client>) {
        if self.stage != Stage::Taking {
            return;
        }
        let key = self.plan.key.clone();
        match (step, reply) {
            (Step::Master, Reply::Array(parts)) => {
                let master = parts.first().and_then(Reply::as_text).and_then(ServerId::named);
                master.into_iter().for_each(|master| self.move_to(master, cx));
                self.ask_for_lock(cx);
            }
            (Step::Setnx, Reply::Int(1)) if self.plan.lock == LockKind::SetnxExpire => self.ask_limit(cx),
            (Step::Setnx, Reply::Int(1)) => self.granted(None, cx),
            (Step::Setnx, _) if self.plan.lock == LockKind::Getset => self.ask(0, Step::Moment, &["GET", &key], cx),
            (Step::Expire, _) => self.granted(None, cx),
            (Step::Moment, Reply::Nil) => self.try_lock(cx),
            (Step::Moment, Reply::Bulk(moment)) => self.look_at_moment(moment, cx),
            (Step::Getset, old) => {
                let mine = *old == Reply::Nil || old.as_text() == Some(&*self.seen);
                match mine || self.plan.breaks(Break::MomentsNotCompared) {
                    true => self.granted(None, cx),
                    false => self.denied(cx),
                }
            }
            (Step::Set, Reply::Nil) if self.unsure => self.ask_whose(cx),
            (Step::Set, Reply::Nil) => self.denied(cx),
            (Step::Set, granted) => self.granted(granted.int(), cx),
            (Step::Own, Reply::Int(1)) => self.own_after_all(cx),
            (Step::Own, Reply::Bulk(value)) if *value == self.token => self.own_after_all(cx),
            (Step::Lock, answer) => self.hash_step(answer, cx),
            (Step::Subscribe, _) => self.subscribed_now(cx),
            (Step::Number, number) => self.numbered(number.int(), cx),
            (Step::Replicas, count) => match count.int().is_some_and(|count| count >= self.plan.replicas.into()) {
                true => self.acquired(cx),
                // too few have it: it is given back
                false => self.give_back(cx),
            },
            _ => self.denied(cx),
        }
    }

    /// An answer was lost, and now the lock is there: it may be its own. The limit begins anew, so that it knows since when.
    fn ask_whose(&mut self, cx: &mut Cx<Client>) {
        let (key, token, limit) = (self.plan.key.clone(), self.token.clone(), self.plan.limit_ms.to_string());
        self.began = cx.env.now;
        match self.plan.limit_ms {
            0 => self.ask(0, Step::Own, &["GET", &key], cx),
            _ => self.ask(0, Step::Own, &["EVAL", "@compareAndPexpire", "1", &key, &token, &limit], cx),
        }
    }

    /// It is its own; but the fencing token was lost with the answer, and without one it must not write.
    fn own_after_all(&mut self, cx: &mut Cx<Client>) {
        match self.plan.fencing {
            Fencing::Script => self.give_back(cx),
            _ => self.granted(None, cx),
        }
    }

    fn ask_limit(&mut self, cx: &mut Cx<Client>) {
        let (key, limit) = (self.plan.key.clone(), self.plan.limit_ms.to_string());
        match self.plan.limit_ms {
            0 => self.granted(None, cx),
            _ => self.ask(0, Step::Expire, &["PEXPIRE", &key, &limit], cx),
        }
    }

    fn look_at_moment(&mut self, moment: &str, cx: &mut Cx<Client>) {
        let over = moment.parse::<i64>().is_ok_and(|end| end <= Program::clock(cx));
        if !over {
            return self.denied(cx);
        }
        self.seen = moment.into();
        self.set_moment(cx);
        let (key, token) = (self.plan.key.clone(), self.token.clone());
        self.ask(0, Step::Getset, &["GETSET", &key, &token], cx);
    }

    /// The hash lock's script has answered: nil (or -1 and a token), or how long the holder's limit still is.
    fn hash_step(&mut self, answer: &Reply, cx: &mut Cx<Client>) {
        let (left, number) = match answer {
            Reply::Nil => (None, None),
            Reply::Int(left) => (Some(*left), None),
            Reply::Array(parts) => match parts.first().and_then(Reply::int) {
                Some(-1) => (None, parts.get(1).and_then(Reply::int)),
                left => (left, None),
            },
            _ => return self.denied(cx),
        };
        let Some(left) = left else { return self.granted(number, cx) };
        self.tries += 1;
        cx.fact(Fact::Denied { lock: self.plan.key.clone(), tries: self.tries, limit_ms: self.plan.limit() });
        if !self.subscribed {
            let channel = self.plan.channel();
            self.seen = left.to_string();
            return self.ask(CHANNEL, Step::Subscribe, &["SUBSCRIBE", &channel], cx);
        }
        self.wait_for_message(left, cx);
    }

    /// Subscribed: now it must look again, since the release may have been told before.
    fn subscribed_now(&mut self, cx: &mut Cx<Client>) {
        self.subscribed = true;
        match self.plan.breaks(Break::NoSecondTry) {
            true => self.wait_for_message(self.seen.parse().unwrap_or(LONG_MS), cx),
            false => self.ask_for_lock(cx),
        }
    }

    fn wait_for_message(&mut self, left_ms: i64, cx: &mut Cx<Client>) {
        let ms = if left_ms < 0 { LONG_MS } else { left_ms };
        self.waiting = true;
        cx.set_timer(Timer::Again, cx.env.now.plus(ms.unsigned_abs() * 1000));
    }

    /// A release was told: it tries again.
    pub(super) fn woken(&mut self, cx: &mut Cx<Client>) {
        if std::mem::take(&mut self.waiting) {
            cx.cancel_timer(Timer::Again);
            self.try_lock(cx);
        }
    }

    /// The lock is there; perhaps a number and replicas are still to come.
    fn granted(&mut self, number: Option<i64>, cx: &mut Cx<Client>) {
        self.unsure = false;
        self.number = number;
        if self.plan.fencing == Fencing::SecondStep {
            let counter = self.plan.counter();
            return self.ask(0, Step::Number, &["INCR", &counter], cx);
        }
        self.numbered(number, cx);
    }

    fn numbered(&mut self, number: Option<i64>, cx: &mut Cx<Client>) {
        self.number = number;
        if self.plan.replicas > 0 {
            let (count, ms) = (self.plan.replicas.to_string(), (self.plan.timeout_ms / 2).max(1).to_string());
            return self.ask(0, Step::Replicas, &["WAIT", &count, &ms], cx);
        }
        self.acquired(cx);
    }

    /// Refused: it tries again later.
    pub(super) fn denied(&mut self, cx: &mut Cx<Client>) {
        self.tries += 1;
        self.unsure = false;
        cx.fact(Fact::Denied { lock: self.plan.key.clone(), tries: self.tries, limit_ms: self.plan.limit() });
        self.rest(cx);
    }

    /// No answer, or an error: it tries again later, and looks for the master where Sentinels know it.
    pub(super) fn failed(&mut self, cx: &mut Cx<Client>) {
        if self.stage != Stage::Taking {
            return;
        }
        if !cx.config.sentinels.is_empty()
            && let Some(line) = self.lines.get_mut(&0)
        {
            line.over(0, true, cx);
        }
        self.rest(cx);
    }
}
