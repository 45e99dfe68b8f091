//! Redlock (page "Distributed Locks with Redis"): all servers at once, a majority, and the time that it took.

use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::reply::Reply;

use super::Client;
use super::plan::Break;
use super::program::{Program, RESOURCE, Stage, Step};

impl Program {
    /// The lines to the lock's servers.
    pub(super) fn lock_lines(&self) -> Vec<u8> {
        self.lines.keys().copied().filter(|number| *number < RESOURCE).collect()
    }

    pub(super) fn ask_votes(&mut self, cx: &mut Cx<Client>) {
        let (key, token, limit) = (self.plan.key.clone(), self.token.clone(), self.plan.limit_ms.to_string());
        self.votes.clear();
        for number in self.lock_lines() {
            self.ask(number, Step::Vote, &["SET", &key, &token, "NX", "PX", &limit], cx);
        }
    }

    /// A server has answered, or will not. When none is left it counts.
    pub(super) fn voted(&mut self, number: u8, reply: Option<Reply>, cx: &mut Cx<Client>) {
        if self.stage != Stage::Taking {
            return;
        }
        self.votes.insert(number, reply);
        let all = self.lock_lines().len();
        if self.votes.len() < all {
            return;
        }
        let answers = self.votes.values().flatten().filter(|reply| !reply.is_error()).count();
        let granted = self.votes.values().flatten().filter(|reply| reply.is_ok()).count();
        let of = if self.plan.breaks(Break::MajorityOfAnswers) { answers } else { all };
        let in_time = self.plan.breaks(Break::TimeNotTakenOff) || self.valid_us(cx) != Some(0);
        match granted > of / 2 && in_time {
            true => self.acquired(cx),
            false => {
                self.tries += 1;
                let (lock, limit_ms) = (self.plan.key.clone(), self.plan.limit());
                cx.fact(Fact::NoMajority { lock: lock.clone(), granted, of: all });
                // what was refused by nobody may be had by nobody: only an answer tells that somebody else has it
                if answers > granted {
                    cx.fact(Fact::Denied { lock, tries: self.tries, limit_ms });
                }
                self.give_back(cx);
            }
        }
    }

    /// The script goes to all, also to those that have not answered.
    pub(super) fn unlock_all(&mut self, cx: &mut Cx<Client>) {
        let granted = |program: &Program, number: &u8| {
            program.votes.get(number).is_some_and(|reply| reply.as_ref().is_some_and(Reply::is_ok))
        };
        let only = self.plan.breaks(Break::UnlockWhereGranted);
        let numbers: Vec<u8> =
            self.lock_lines().into_iter().filter(|number| !only || granted(self, number)).collect();
        let (key, token) = (self.plan.key.clone(), self.token.clone());
        self.votes =
            self.lock_lines().into_iter().filter(|number| !numbers.contains(number)).map(|n| (n, None)).collect();
        if numbers.is_empty() {
            return self.released(Some(false), cx);
        }
        for number in numbers {
            self.ask(number, Step::Unlock, &["EVAL", "@compareAndDelete", "1", &key, &token], cx);
        }
    }
}
