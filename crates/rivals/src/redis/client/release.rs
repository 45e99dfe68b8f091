//! Letting a lock go: by script, by WATCH, by GET and DEL, by DEL.

use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::reply::Reply;

use super::Client;
use super::plan::{LockKind, Unlock};
use super::program::{Program, Stage, Step, Timer};

impl Program {
    /// The work is over, or the lock is lost: it lets go.
    pub(super) fn let_go(&mut self, cx: &mut Cx<Client>) {
        if self.stage != Stage::Holding {
            return;
        }
        self.rounds += 1;
        for timer in [Timer::Write, Timer::Renew, Timer::Done, Timer::Over] {
            cx.cancel_timer(timer);
        }
        self.unlock(cx);
    }

    /// What was taken cannot be used: it is given back, and tried again.
    pub(super) fn give_back(&mut self, cx: &mut Cx<Client>) {
        (self.lost, self.unsure) = (true, false);
        self.unlock(cx);
    }

    fn unlock(&mut self, cx: &mut Cx<Client>) {
        self.stage = Stage::Releasing;
        if self.is_redlock() {
            return self.unlock_all(cx);
        }
        let (key, token) = (self.plan.key.clone(), self.token.clone());
        match (self.plan.lock, self.plan.unlock) {
            (LockKind::Hash, _) => {
                let (channel, limit) = (self.plan.channel(), self.plan.limit_ms.to_string());
                self.ask(0, Step::Unlock, &["EVAL", "@hashUnlock", "2", &key, &channel, &token, &limit], cx);
            }
            (_, Unlock::Script) => self.ask(0, Step::Unlock, &["EVAL", "@compareAndDelete", "1", &key, &token], cx),
            (_, Unlock::Watch) => {
                self.ask(0, Step::Formality, &["WATCH", &key], cx);
                self.ask(0, Step::LookBefore, &["GET", &key], cx);
            }
            (_, Unlock::GetDel) => self.ask(0, Step::LookBefore, &["GET", &key], cx),
            (_, Unlock::Del) => self.ask(0, Step::Unlock, &["DEL", &key], cx),
        }
    }

    /// An answer on the way out; none where the connection is over: the limit will free the lock.
    pub(super) fn unlock_step(&mut self, number: u8, step: Step, reply: &Reply, cx: &mut Cx<Client>) {
        if self.stage != Stage::Releasing {
            return;
        }
        if self.is_redlock() {
            self.votes.insert(number, Some(reply.clone()));
            if self.votes.len() == self.lock_lines().len() {
                self.released(Some(true), cx);
            }
            return;
        }
        let key = self.plan.key.clone();
        match (step, self.plan.unlock) {
            _ if reply.is_error() => self.released(None, cx),
            (Step::LookBefore, _) if reply.as_text() != Some(&*self.token) => {
                if self.plan.unlock == Unlock::Watch {
                    self.ask(0, Step::Formality, &["UNWATCH"], cx);
                }
                self.released(Some(false), cx);
            }
            (Step::LookBefore, Unlock::Watch) => {
                self.ask(0, Step::Formality, &["MULTI"], cx);
                self.ask(0, Step::Formality, &["DEL", &key], cx);
                self.ask(0, Step::Unlock, &["EXEC"], cx);
            }
            (Step::LookBefore, _) => self.ask(0, Step::Unlock, &["DEL", &key], cx),
            _ => {
                let done = matches!(reply, Reply::Int(1)) || *reply == Reply::Array(vec![Reply::Int(1)]);
                self.released(Some(done), cx);
            }
        }
    }

    pub(super) fn released(&mut self, done: Option<bool>, cx: &mut Cx<Client>) {
        cx.fact(Fact::Released { lock: self.plan.key.clone(), done });
        self.rest(cx);
    }
}
