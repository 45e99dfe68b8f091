//! Holding a lock: writes to the resource, renewals, and the end of belief.

use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::reply::Reply;

use super::Client;
use super::plan::{Break, LockKind, Renewal};
use super::program::{Program, RESOURCE, Stage, Step, Timer};

impl Program {
    /// It believes that it holds the lock, and begins to work.
    pub(super) fn acquired(&mut self, cx: &mut Cx<Client>) {
        let now = cx.env.now;
        if self.plan.breaks(Break::TimeNotTakenOff) {
            self.began = now;
        }
        let left_us = self.valid_us(cx);
        if self.plan.minds_time && left_us == Some(0) {
            // it took too long: what was taken is over, or nearly
            return self.give_back(cx);
        }
        (self.stage, self.tries, self.written, self.lost) = (Stage::Holding, 0, 0, false);
        cx.fact(Fact::Acquired {
            lock: self.plan.key.clone(),
            token: self.token.clone(),
            number: self.number,
            limit_ms: self.plan.limit(),
        });
        cx.set_timer(Timer::Done, now.plus(self.plan.work_ms * 1000));
        self.arm_write(cx);
        if self.plan.renewal != Renewal::None && self.plan.limit_ms > 0 {
            cx.set_timer(Timer::Renew, now.plus(self.plan.limit_ms * 1000 / 3));
        }
        self.arm_over(cx);
    }

    /// How long the lock is still valid by its own count, µs: the limit less the time since it was asked for, and for Redlock
    /// less a drift of clocks of a hundredth and 2 ms.
    pub(super) fn valid_us(&self, cx: &Cx<Client>) -> Option<u64> {
        let limit = self.plan.limit()?;
        let drift = if self.is_redlock() { limit / 100 + 2 } else { 0 };
        let spent = cx.env.now.since(self.began);
        Some((limit.saturating_sub(drift) * 1000).saturating_sub(spent))
    }

    fn arm_over(&self, cx: &mut Cx<Client>) {
        if let Some(us) = self.valid_us(cx).filter(|_| self.plan.minds_time) {
            cx.set_timer(Timer::Over, cx.env.now.plus(us));
        }
    }

    fn arm_write(&self, cx: &mut Cx<Client>) {
        if self.written < self.plan.writes {
            let every = self.plan.work_ms * 1000 / (u64::from(self.plan.writes) + 1);
            cx.set_timer(Timer::Write, cx.env.now.plus(every.max(1)));
        }
    }

    /// A write to what the lock protects.
    pub(super) fn write(&mut self, cx: &mut Cx<Client>) {
        if self.stage != Stage::Holding {
            return;
        }
        // a timer that comes late, after a pause: the time may be over
        if self.plan.minds_time && self.valid_us(cx) == Some(0) {
            return self.lose("validity", cx);
        }
        self.written += 1;
        let resource = self.plan.resource();
        let value = format!("by-{}-{}", cx.env.me, self.written);
        cx.fact(Fact::Acts { lock: self.plan.key.clone(), number: self.number });
        match self.number {
            Some(number) => {
                let number = number.to_string();
                self.ask(RESOURCE, Step::Write, &["EVAL", "@fencedWrite", "1", &resource, &number, &value], cx);
            }
            None => self.ask(RESOURCE, Step::Write, &["SET", &resource, &value], cx),
        }
        self.arm_write(cx);
    }

    /// The resource has answered; a stale token tells that the lock is another's.
    pub(super) fn wrote(&mut self, reply: &Reply, cx: &mut Cx<Client>) {
        if matches!(reply, Reply::Error(text) if text.starts_with("STALE")) {
            self.lose("token", cx);
        }
    }

    /// The limit is set anew.
    pub(super) fn renew(&mut self, cx: &mut Cx<Client>) {
        if self.stage != Stage::Holding {
            return;
        }
        let (key, token, limit) = (self.plan.key.clone(), self.token.clone(), self.plan.limit_ms.to_string());
        let numbers: Vec<u8> = if self.is_redlock() { self.lock_lines() } else { vec![0] };
        self.votes.clear();
        for number in numbers {
            match (self.plan.renewal, self.plan.lock) {
                (Renewal::Plain, _) => self.ask(number, Step::Renew, &["PEXPIRE", &key, &limit], cx),
                (_, LockKind::Hash) => {
                    self.ask(number, Step::Renew, &["EVAL", "@hashRenew", "1", &key, &token, &limit], cx);
                }
                _ => self.ask(number, Step::Renew, &["EVAL", "@compareAndPexpire", "1", &key, &token, &limit], cx),
            }
        }
        self.seen = cx.env.now.0.to_string();
    }

    /// A renewal was answered.
    pub(super) fn renewed(&mut self, number: u8, reply: &Reply, cx: &mut Cx<Client>) {
        if self.stage != Stage::Holding {
            return;
        }
        let done = *reply == Reply::Int(1);
        let kept = if self.is_redlock() {
            self.votes.insert(number, done.then(Reply::ok));
            if self.votes.len() < self.lock_lines().len() {
                return;
            }
            self.votes.values().flatten().count() > self.lock_lines().len() / 2
        } else {
            done
        };
        if kept {
            self.began = crate::base::SimTime(self.seen.parse().unwrap_or(self.began.0));
            cx.fact(Fact::Renewed { lock: self.plan.key.clone() });
            self.arm_over(cx);
            cx.set_timer(Timer::Renew, cx.env.now.plus(self.plan.limit_ms * 1000 / 3));
        } else if *reply == Reply::Int(0) || self.is_redlock() {
            // Redisson's watchdog stops, and the program is not told
            if self.plan.lock != LockKind::Hash {
                self.lose("renewal", cx);
            }
        } else {
            cx.set_timer(Timer::Renew, cx.env.now.plus(self.plan.limit_ms * 1000 / 6));
        }
    }

    /// It knows that it holds the lock no more.
    pub(super) fn lose(&mut self, by: &'static str, cx: &mut Cx<Client>) {
        if self.stage != Stage::Holding {
            return;
        }
        self.lost = true;
        cx.fact(Fact::LostLock { lock: self.plan.key.clone(), by });
        self.let_go(cx);
    }
}
