//! What happens in the machines of two-phase commit.

use serde::Serialize;

use crate::base::{ServerId, ServerSet};
use crate::daemon::{Interest, Remark, Say, Tone, Tongue};

use super::txn::{Decision, LineError, Txn, Vote};

/// Why a coordinator decides as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Why {
    /// All have voted yes, or have only read.
    AllYes,
    /// Broken on purpose: more than half have voted yes.
    Majority,
    /// This participant has voted no.
    VotedNo {
        /// Which.
        participant: ServerId,
    },
    /// These have not voted in time.
    TimedOut {
        /// Which.
        missing: ServerSet,
    },
    /// The connection to this participant broke before its vote arrived.
    LineLost {
        /// Which.
        participant: ServerId,
    },
    /// It has started again, and its log says so.
    InLog,
    /// It has started again, and its log has no decision.
    NotInLog,
}

/// How a participant comes to its decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum How {
    /// Told by the coordinator.
    Told,
    /// Told by another participant.
    ToldBy {
        /// Which.
        other: ServerId,
    },
    /// It has not voted yes: it may abort alone.
    Alone,
    /// Broken on purpose: it has waited long enough.
    Guessed,
}

/// Why a participant votes no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "refusal", rename_all = "snake_case")]
pub enum Refusal {
    /// An item would become negative.
    Negative {
        /// Which.
        item: String,
    },
    /// It has waited too long for a lock.
    LockTimeout {
        /// On which item.
        item: String,
    },
    /// It has aborted the transaction before.
    AbortedBefore,
    /// Its part is gone: it was lost before PREPARE came.
    NoWork,
}

/// Something that happened, and at whom: facts are told with their subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// At which machine; the world writes it down beside the fact.
    #[serde(skip)]
    pub me: ServerId,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum What {
    /// As a coordinator: a transaction begins.
    Began {
        /// The transaction.
        txn: Txn,
        /// Whose it is.
        client: ServerId,
        /// Who takes part.
        participants: ServerSet,
    },
    /// A record is forced.
    Forced {
        /// Its kind.
        record: &'static str,
        /// Its transaction.
        txn: Txn,
    },
    /// A record is written and not forced.
    Written {
        /// Its kind.
        record: &'static str,
        /// Its transaction.
        txn: Txn,
    },
    /// As a participant: its part waits for a lock.
    LockWait {
        /// The transaction.
        txn: Txn,
        /// The item.
        item: String,
        /// Who has it.
        holder: Txn,
    },
    /// As a participant: somebody who reads waits for a lock.
    ReadWait {
        /// Who reads.
        client: ServerId,
        /// The item.
        item: String,
        /// Who has it.
        holder: Txn,
    },
    /// As a participant: it votes.
    Voted {
        /// The transaction.
        txn: Txn,
        /// Its vote.
        vote: Vote,
        /// Why not.
        #[serde(flatten)]
        refusal: Option<Refusal>,
    },
    /// As a coordinator: it has waited long enough for votes.
    VoteTimeout {
        /// The transaction.
        txn: Txn,
        /// Whose votes are missing.
        missing: ServerSet,
    },
    /// A connection on which a transaction depends is lost.
    LineLost {
        /// The transaction.
        txn: Txn,
        /// Who was at the other end.
        peer: ServerId,
    },
    /// As a coordinator: it decides.
    Decided {
        /// The transaction.
        txn: Txn,
        /// What.
        decision: Decision,
        /// Why.
        #[serde(flatten)]
        why: Why,
    },
    /// As a participant: it decides, for itself as well as for its part.
    Concluded {
        /// The transaction.
        txn: Txn,
        /// What.
        decision: Decision,
        /// How it knows.
        #[serde(flatten)]
        how: How,
    },
    /// As a participant: it has voted yes, and has waited in vain for the decision.
    InDoubt {
        /// The transaction.
        txn: Txn,
        /// What it keeps locked.
        items: Vec<String>,
    },
    /// As a participant: all others are in doubt as well.
    Blocked {
        /// The transaction.
        txn: Txn,
        /// The others.
        others: ServerSet,
    },
    /// As a participant: it is to commit what it knows nothing of.
    Missing {
        /// The transaction.
        txn: Txn,
    },
    /// As a coordinator: it is asked about a transaction of which it knows nothing.
    Presumed {
        /// The transaction.
        txn: Txn,
        /// What it answers.
        decision: Decision,
        /// Whom.
        participant: ServerId,
    },
    /// As a coordinator: acknowledgements are missing, and it tells the decision again.
    ToldAgain {
        /// The transaction.
        txn: Txn,
        /// Whom.
        participants: ServerSet,
    },
    /// As a coordinator: all have acknowledged, or none has to; it forgets.
    Ended {
        /// The transaction.
        txn: Txn,
    },
    /// It has started again and read its log.
    Recovered {
        /// As a participant: what it is in doubt about. As a coordinator: what it has not ended.
        open: Vec<Txn>,
    },
    /// As a client: it knows what became of its transaction.
    Answered {
        /// The request.
        request: u64,
        /// The transaction.
        txn: Txn,
        /// What was decided.
        decision: Decision,
    },
    /// As a client: it got no answer, and knows nothing.
    Unknown {
        /// The request.
        request: u64,
    },
    /// As a client: nobody is there to ask.
    Unreachable {
        /// The request.
        request: u64,
    },
    /// As a client: it has read a committed value.
    Value {
        /// At which participant.
        participant: ServerId,
        /// The item.
        item: String,
        /// Its value; none where it got no answer.
        value: Option<i64>,
    },
    /// As a client: what it would read is locked, and it has waited long enough.
    Locked {
        /// At which participant.
        participant: ServerId,
        /// The item.
        item: String,
        /// Who has it.
        holder: Txn,
    },
    /// As a client: a line that it does not understand.
    BadLine {
        /// What is wrong.
        #[serde(flatten)]
        error: LineError,
    },
}

impl What {
    /// The transaction that it is about, if it is one.
    fn txn(&self) -> Option<Txn> {
        match self {
            What::Began { txn, .. }
            | What::Forced { txn, .. }
            | What::Written { txn, .. }
            | What::LockWait { txn, .. }
            | What::Voted { txn, .. }
            | What::VoteTimeout { txn, .. }
            | What::LineLost { txn, .. }
            | What::Decided { txn, .. }
            | What::Concluded { txn, .. }
            | What::InDoubt { txn, .. }
            | What::Blocked { txn, .. }
            | What::Missing { txn }
            | What::Presumed { txn, .. }
            | What::ToldAgain { txn, .. }
            | What::Ended { txn }
            | What::Answered { txn, .. } => Some(*txn),
            What::ReadWait { .. }
            | What::Recovered { .. }
            | What::Unknown { .. }
            | What::Unreachable { .. }
            | What::Value { .. }
            | What::Locked { .. }
            | What::BadLine { .. } => None,
        }
    }
}

impl Say for Fact {
    fn name(&self) -> &'static str {
        match &self.what {
            What::Began { .. } => "commit_began",
            What::Forced { .. } => "commit_forced",
            What::Written { .. } => "commit_written",
            What::LockWait { .. } => "commit_lock_wait",
            What::ReadWait { .. } => "commit_read_wait",
            What::Voted { .. } => "commit_voted",
            What::VoteTimeout { .. } => "commit_vote_timeout",
            What::LineLost { .. } => "commit_line_lost",
            What::Decided { .. } => "commit_decided",
            What::Concluded { .. } => "commit_concluded",
            What::InDoubt { .. } => "commit_in_doubt",
            What::Blocked { .. } => "commit_blocked",
            What::Missing { .. } => "commit_missing",
            What::Presumed { .. } => "commit_presumed",
            What::ToldAgain { .. } => "commit_told_again",
            What::Ended { .. } => "commit_ended",
            What::Recovered { .. } => "commit_recovered",
            What::Answered { .. } => "commit_answered",
            What::Unknown { .. } => "commit_unknown",
            What::Unreachable { .. } => "commit_unreachable",
            What::Value { .. } => "commit_value",
            What::Locked { .. } => "commit_locked",
            What::BadLine { .. } => "commit_bad_line",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => self.what.english(self.me),
            Tongue::Chinese => self.what.chinese(self.me),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        self.what.reason(tongue).map(Into::into)
    }

    fn interest(&self) -> Interest {
        match &self.what {
            What::Written { .. } => Interest::Noise,
            What::Forced { .. } | What::ToldAgain { .. } | What::Ended { .. } | What::LineLost { .. } => {
                Interest::Detail
            }
            _ => Interest::Step,
        }
    }

    fn remark(&self) -> Option<Remark> {
        Some(match &self.what {
            What::Decided { decision: Decision::Abort, .. } => Remark::new(Tone::Bad, "ABORT", "中止（ABORT）"),
            What::Decided { decision: Decision::Commit, .. } => Remark::new(Tone::Held, "COMMIT", "提交（COMMIT）"),
            What::Voted { vote: Vote::No, refusal: Some(Refusal::Negative { item }), .. } => {
                Remark::new(Tone::Bad, format!("NO: {item} < 0"), format!("反对：{item} < 0"))
            }
            What::Voted { vote: Vote::No, .. } => Remark::new(Tone::Bad, "NO", "反对"),
            What::InDoubt { items, .. } => {
                let items = items.join(", ");
                Remark::new(Tone::Bad, format!("in doubt: {items} locked"), format!("存疑：{items} 仍锁着"))
            }
            What::Concluded { decision, how: How::ToldBy { other }, .. } => {
                let tone = if *decision == Decision::Commit { Tone::Held } else { Tone::Bad };
                Remark::new(
                    tone,
                    format!("{other} knows: {}", decision.word()),
                    format!("{other} 知道：{}", decision.word()),
                )
            }
            What::ReadWait { item, holder, .. } => Remark::new(
                Tone::Waiting,
                format!("{item} is locked by {holder}"),
                format!("{item} 被 {holder} 锁住"),
            ),
            What::Value { participant, item, value: Some(value) } => {
                let read = format!("{participant}:{item} = {value}");
                Remark::new(Tone::Plain, format!("reads {read}"), format!("读到 {read}"))
            }
            _ => return None,
        })
    }

    fn ends(&self, earlier: &Self, here: bool) -> bool {
        let later = |old: Txn| self.what.txn().is_some_and(|new| (new.start, new.number) > (old.start, old.number));
        let settles = |settled: Txn| match &earlier.what {
            What::ReadWait { holder, .. } => *holder == settled,
            What::InDoubt { txn, .. } => *txn == settled,
            _ => false,
        };
        let concluded = if let What::Concluded { txn, .. } = &self.what { Some(*txn) } else { None };
        here && (earlier.what.txn().is_some_and(later) || concluded.is_some_and(settles))
    }
}
