//! A participant in doubt: it has voted yes and does not hear the decision. It asks the coordinator and, for cooperative
//! termination, the others; it never decides.

use crate::base::{ConnId, ServerId, ServerSet};

use super::branch::{Branch, State};
use super::fact::{How, What};
use super::message::Message;
use super::participant::{Alarm, C, Participant};
use super::setup::{Commit, Unsafe};
use super::txn::{Decision, Txn};

/// What a participant in doubt has heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    /// It has waited in vain, and has said so.
    pub(super) told: bool,
    /// Everybody else is in doubt too, and it has said so.
    blocked: bool,
    /// Who is in doubt too.
    others: ServerSet,
}

impl Participant {
    /// It has waited long enough, and asks.
    pub(super) fn doubts(&mut self, txn: Txn, cx: C) {
        let Some(branch) = self.branches.get_mut(&txn).filter(|branch| branch.state == State::Ready) else { return };
        let first = !std::mem::replace(&mut branch.doubt.told, true);
        branch.doubt.others = ServerSet::EMPTY;
        let others = branch.others(cx.env.me);
        let items = branch.items.iter().filter(|item| !item.is_read()).map(|item| item.name.clone()).collect();
        if first {
            Self::fact(cx, What::InDoubt { txn, items });
        }
        for (rule, decision) in [(Unsafe::AbortsInDoubt, Decision::Abort), (Unsafe::CommitsInDoubt, Decision::Commit)]
        {
            if cx.config.breaks(rule) {
                return self.conclude(txn, decision, How::Guessed, true, cx);
            }
        }
        if cx.config.breaks(Unsafe::DecisionSentOnce) {
            return;
        }
        self.ask(txn, super::coordinator(), cx);
        for other in others.iter().filter(|_| cx.config.cooperative).collect::<Vec<_>>() {
            self.ask(txn, other, cx);
        }
        self.alarms.set(cx, Alarm::Doubt(txn), Commit::us(cx.config.ask_after_ms));
    }

    /// On a new connection: on the old one nothing has come back.
    fn ask(&mut self, txn: Txn, whom: ServerId, cx: C) {
        self.lines.hang_up(cx, whom);
        self.lines.send(cx, whom, Message::Inquiry { txn });
    }

    /// Another participant asks. Who has not voted yes aborts, and must not forget that; who has can only say so.
    pub(super) fn asked(&mut self, txn: Txn, conn: ConnId, cx: C) {
        if let Some(decision) = self.outcomes.get(&txn) {
            return cx.send(conn, Message::Decide { txn, decision: *decision });
        }
        let branch = self.branches.get_or_default(txn);
        match branch.state {
            State::Preparing | State::Ready => cx.send(conn, Message::InDoubt { txn }),
            State::Deciding(..) => branch.inquirers.push(conn),
            State::Waiting | State::Active => {
                branch.inquirers.push(conn);
                branch.refuses = branch.asked;
                self.conclude(txn, Decision::Abort, How::Alone, true, cx);
            }
        }
    }

    /// Another participant does not know either.
    pub(super) fn in_doubt_too(&mut self, txn: Txn, conn: ConnId, cx: C) {
        let me = cx.env.me;
        let (Some(branch), Some(from)) = (self.branches.get_mut(&txn), self.lines.peer(conn)) else { return };
        branch.doubt.others.insert(from);
        let others = branch.others(me);
        if others.intersection(branch.doubt.others) == others && !branch.doubt.blocked {
            branch.doubt.blocked = true;
            Self::fact(cx, What::Blocked { txn, others });
        }
    }
}

impl Branch {
    /// The other participants that may have something to decide.
    fn others(&self, me: ServerId) -> ServerSet {
        self.participants.iter().filter(|id| *id != me).collect()
    }
}
