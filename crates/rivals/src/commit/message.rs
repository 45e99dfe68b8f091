//! What the machines of two-phase commit say to each other.

use serde::Serialize;

use crate::base::ServerSet;
use crate::daemon::{Interest, Say, Tongue};

use super::txn::{Decision, Item, Txn, Vote, Work, items_text};

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// A client asks for a transaction.
    Request {
        /// The request's number at this client.
        request: u64,
        /// What is to be done.
        work: Work,
    },
    /// What became of it.
    Outcome {
        /// The request's number at this client.
        request: u64,
        /// The transaction.
        txn: Txn,
        /// What was decided.
        decision: Decision,
    },
    /// The coordinator gives a participant its part; nothing is asked yet (only where work comes first).
    Work {
        /// The transaction.
        txn: Txn,
        /// Its part.
        items: Vec<Item>,
    },
    /// The part is done, under locks.
    Done {
        /// The transaction.
        txn: Txn,
    },
    /// Can you commit?
    Prepare {
        /// The transaction.
        txn: Txn,
        /// Its part, unless that came first.
        items: Vec<Item>,
        /// All that may have something to decide.
        participants: ServerSet,
    },
    /// The answer.
    Vote {
        /// The transaction.
        txn: Txn,
        /// Yes, no, or nothing changed.
        vote: Vote,
    },
    /// The decision.
    Decide {
        /// The transaction.
        txn: Txn,
        /// What was decided.
        decision: Decision,
    },
    /// It is done.
    Ack {
        /// The transaction.
        txn: Txn,
    },
    /// A participant in doubt asks what was decided.
    Inquiry {
        /// The transaction.
        txn: Txn,
    },
    /// Who was asked is in doubt as well.
    InDoubt {
        /// The transaction.
        txn: Txn,
    },
    /// A client reads what is committed.
    Get {
        /// The item.
        item: String,
        /// It waits for whoever writes it; otherwise locks are nothing to it.
        waits: bool,
    },
    /// It is locked, and has been for too long.
    Locked {
        /// The item.
        item: String,
        /// Who has it.
        holder: Txn,
    },
    /// What it is.
    Value {
        /// The item.
        item: String,
        /// Its committed value.
        value: i64,
    },
}

impl Message {
    /// Whether it belongs to the commitment of a transaction: what the counts of messages count.
    pub fn commits(&self) -> bool {
        matches!(self, Message::Prepare { .. } | Message::Vote { .. } | Message::Decide { .. } | Message::Ack { .. })
    }
}

impl Say for Message {
    fn name(&self) -> &'static str {
        match self {
            Message::Request { .. } => "REQUEST",
            Message::Outcome { decision: Decision::Commit, .. } => "COMMITTED",
            Message::Outcome { decision: Decision::Abort, .. } => "ABORTED",
            Message::Work { .. } => "WORK",
            Message::Done { .. } => "DONE",
            Message::Prepare { .. } => "PREPARE",
            Message::Vote { vote: Vote::Yes, .. } => "YES",
            Message::Vote { vote: Vote::No, .. } => "NO",
            Message::Vote { vote: Vote::Read, .. } => "READ",
            Message::Decide { decision, .. } => decision.word(),
            Message::Ack { .. } => "ACK",
            Message::Inquiry { .. } => "INQUIRY",
            Message::InDoubt { .. } => "IN_DOUBT",
            Message::Get { .. } => "GET",
            Message::Locked { .. } => "LOCKED",
            Message::Value { .. } => "VALUE",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => self.english(),
            Tongue::Chinese => self.chinese(),
        }
    }

    fn interest(&self) -> Interest {
        Interest::Noise
    }

    fn label(&self) -> String {
        match self {
            Message::Request { request, .. } => format!("#{request}"),
            Message::Outcome { txn, .. }
            | Message::Work { txn, .. }
            | Message::Done { txn }
            | Message::Prepare { txn, .. }
            | Message::Vote { txn, .. }
            | Message::Decide { txn, .. }
            | Message::Ack { txn }
            | Message::Inquiry { txn }
            | Message::InDoubt { txn } => txn.to_string(),
            Message::Get { item, .. } | Message::Locked { item, .. } => item.clone(),
            Message::Value { item, value } => format!("{item}={value}"),
        }
    }
}

/// What is done where, as a line says it.
fn work_text(work: &Work) -> String {
    let part = |(id, items): (&crate::base::ServerId, &Vec<Item>)| format!("{id}: {}", items_text(items));
    work.iter().map(part).collect::<Vec<_>>().join("; ")
}

impl Message {
    fn english(&self) -> String {
        match self {
            Message::Request { work, .. } => format!("asks for a transaction ({})", work_text(work)),
            Message::Outcome { txn, decision: Decision::Commit, .. } => format!("says that {txn} is committed"),
            Message::Outcome { txn, decision: Decision::Abort, .. } => format!("says that {txn} is aborted"),
            Message::Work { txn, items } => format!("hands over its part of {txn} ({})", items_text(items)),
            Message::Done { txn } => format!("says that the part of {txn} is done and locked"),
            Message::Prepare { txn, .. } => format!("asks whether {txn} can be committed"),
            Message::Vote { txn, vote: Vote::Yes } => format!("votes yes on {txn}"),
            Message::Vote { txn, vote: Vote::No } => format!("votes no on {txn}"),
            Message::Vote { txn, vote: Vote::Read } => format!("says that it has only read in {txn}"),
            Message::Decide { txn, decision: Decision::Commit } => format!("tells to commit {txn}"),
            Message::Decide { txn, decision: Decision::Abort } => format!("tells to abort {txn}"),
            Message::Ack { txn } => format!("says that the decision on {txn} is carried out"),
            Message::Inquiry { txn } => format!("asks what was decided on {txn}"),
            Message::InDoubt { txn } => format!("does not know either what was decided on {txn}"),
            Message::Get { item, waits: false } => format!("reads the committed value of {item}"),
            Message::Get { item, waits: true } => format!("reads {item} when nobody writes it"),
            Message::Locked { item, holder } => format!("answers that {holder} has {item} locked"),
            Message::Value { item, value } => format!("answers that {item} is {value}"),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Message::Request { work, .. } => format!("请求执行事务（{}）", work_text(work)),
            Message::Outcome { txn, decision: Decision::Commit, .. } => format!("告知 {txn} 已提交"),
            Message::Outcome { txn, decision: Decision::Abort, .. } => format!("告知 {txn} 已中止"),
            Message::Work { txn, items } => format!("下发 {txn} 中由它执行的部分（{}）", items_text(items)),
            Message::Done { txn } => format!("告知 {txn} 中自己的部分已执行并加锁"),
            Message::Prepare { txn, .. } => format!("询问 {txn} 能否提交"),
            Message::Vote { txn, vote: Vote::Yes } => format!("对 {txn} 投赞成票"),
            Message::Vote { txn, vote: Vote::No } => format!("对 {txn} 投反对票"),
            Message::Vote { txn, vote: Vote::Read } => format!("告知它在 {txn} 中只有读操作"),
            Message::Decide { txn, decision: Decision::Commit } => format!("通知提交 {txn}"),
            Message::Decide { txn, decision: Decision::Abort } => format!("通知中止 {txn}"),
            Message::Ack { txn } => format!("告知已执行对 {txn} 的决定"),
            Message::Inquiry { txn } => format!("询问 {txn} 的决定是什么"),
            Message::InDoubt { txn } => format!("告知自己也不知道 {txn} 的决定"),
            Message::Get { item, waits: false } => format!("读取 {item} 已提交的值"),
            Message::Get { item, waits: true } => format!("等没有人写 {item} 时读取它"),
            Message::Locked { item, holder } => format!("回答 {item} 被 {holder} 锁住"),
            Message::Value { item, value } => format!("回答 {item} 的值是 {value}"),
        }
    }
}
