//! What servers and clients say to each other.

use serde::Serialize;
use std::rc::Rc;

use crate::base::ServerId;
use crate::daemon::{Interest, Say, Tongue};

use super::command::Ask;
use super::log::{Entry, Position};
use crate::words::pick;

/// A message. It is answered on the connection on which it came.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// A candidate asks for a vote.
    RequestVote {
        /// Its term; with `pre` the one that it would begin.
        term: u64,
        /// Its last entry.
        last: Position,
        /// Whether it only asks whether it would get the vote.
        pre: bool,
    },
    /// The answer.
    Vote {
        /// The voter's term; where a pre-vote is granted, the term asked for.
        term: u64,
        /// Yes or no.
        granted: bool,
        /// Whether it answers a pre-vote.
        pre: bool,
    },
    /// A leader sends entries, or none: a heartbeat.
    AppendEntries {
        /// Its term.
        term: u64,
        /// The entry before those that it sends.
        prev: Position,
        /// Entries.
        entries: Vec<Entry>,
        /// Up to which index it has committed.
        commit: u64,
        /// Which round of heartbeats it belongs to: an answer proves that the leader still led then.
        round: u64,
    },
    /// The answer.
    Appended {
        /// The follower's term.
        term: u64,
        /// Whether it has the entry before those that were sent.
        ok: bool,
        /// The index before those that were sent.
        prev: u64,
        /// Up to where its log is the leader's; where it refuses, its own last index.
        last: u64,
        /// The round that it answers.
        round: u64,
    },
    /// A client asks.
    Request {
        /// The client's number for it.
        number: u64,
        /// What.
        ask: Ask,
    },
    /// A server answers a client.
    Response {
        /// The client's number for it.
        number: u64,
        /// What.
        answer: Answer,
    },
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The write is committed.
    Done {
        /// Where it stands in the log.
        at: Position,
    },
    /// What stands under the key.
    Value {
        /// None where nothing does.
        value: Option<Rc<str>>,
    },
    /// Only the leader does that.
    NotLeader {
        /// Who leads, as far as is known.
        leader: Option<ServerId>,
    },
}

impl Say for Message {
    fn name(&self) -> &'static str {
        match self {
            Message::RequestVote { pre: false, .. } => "RequestVote",
            Message::RequestVote { pre: true, .. } => "RequestPreVote",
            Message::Vote { pre: false, .. } => "RequestVoteReply",
            Message::Vote { pre: true, .. } => "RequestPreVoteReply",
            Message::AppendEntries { .. } => "AppendEntries",
            Message::Appended { .. } => "AppendEntriesReply",
            Message::Request { .. } => "Request",
            Message::Response { .. } => "Response",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match self {
            Message::RequestVote { term, last, pre: false } => pick(
                tongue,
                format!("asks for the vote in term {term}; its last entry is {last}"),
                format!("请求任期 {term} 的选票；自己最后一条日志是 {last}"),
            ),
            Message::RequestVote { term, last, pre: true } => pick(
                tongue,
                format!("asks whether it would get the vote in term {term}; its last entry is {last}"),
                format!("询问任期 {term} 能否得到选票；自己最后一条日志是 {last}"),
            ),
            Message::Vote { term, granted: true, .. } => {
                pick(tongue, format!("grants the vote in term {term}"), format!("投出任期 {term} 的选票"))
            }
            Message::Vote { term, granted: false, .. } => pick(
                tongue,
                format!("refuses the vote; its term is {term}"),
                format!("拒绝投票；自己的任期是 {term}"),
            ),
            Message::AppendEntries { term, entries, commit, .. } if entries.is_empty() => pick(
                tongue,
                format!("leads term {term}; committed up to {commit}"),
                format!("任期 {term} 的领导者心跳；已提交到 {commit}"),
            ),
            Message::AppendEntries { term, prev, entries, .. } => pick(
                tongue,
                format!("leads term {term} and sends {} entries behind {prev}", entries.len()),
                format!("任期 {term} 的领导者发来 {} 条日志，接在 {prev} 之后", entries.len()),
            ),
            Message::Appended { ok: true, last, .. } => {
                pick(tongue, format!("has the leader's log up to {last}"), format!("与领导者的日志一致到 {last}"))
            }
            Message::Appended { term, ok: false, last, .. } => pick(
                tongue,
                format!("refuses; its term is {term}, its last index {last}"),
                format!("拒绝；自己的任期是 {term}，最后的索引是 {last}"),
            ),
            Message::Request { ask, .. } => pick(tongue, format!("asks: {ask}"), format!("请求：{ask}")),
            Message::Response { answer, .. } => answer.text(tongue),
        }
    }

    fn interest(&self) -> Interest {
        match self {
            Message::AppendEntries { entries, .. } if entries.is_empty() => Interest::Noise,
            Message::Appended { .. } => Interest::Noise,
            _ => Interest::Detail,
        }
    }

    fn label(&self) -> String {
        match self {
            Message::RequestVote { term, .. } => format!("{term}?"),
            Message::Vote { granted: true, .. } => "✓".into(),
            Message::Vote { granted: false, .. } | Message::Appended { ok: false, .. } => "✗".into(),
            Message::AppendEntries { term, entries, .. } if entries.is_empty() => format!("{term}"),
            Message::AppendEntries { prev, entries, .. } => {
                let first = prev.index + 1;
                if entries.len() == 1 {
                    format!("{first}")
                } else {
                    format!("{first}…{}", prev.index + entries.len() as u64)
                }
            }
            Message::Appended { last, .. } => format!("≤{last}"),
            Message::Request { ask, .. } => match ask {
                Ask::Put(put) => put.to_string(),
                Ask::Get { key, .. } => format!("{key}?"),
            },
            Message::Response { answer, .. } => match answer {
                Answer::Done { .. } => "✓".into(),
                Answer::Value { value } => value.as_deref().unwrap_or("–").into(),
                Answer::NotLeader { .. } => "→".into(),
            },
        }
    }
}

impl Message {
    /// The term that it is about; none of what clients say and hear.
    pub fn term(&self) -> Option<u64> {
        match self {
            Message::RequestVote { term, .. }
            | Message::Vote { term, .. }
            | Message::AppendEntries { term, .. }
            | Message::Appended { term, .. } => Some(*term),
            Message::Request { .. } | Message::Response { .. } => None,
        }
    }
}

impl Answer {
    /// It as part of a sentence.
    pub fn text(&self, tongue: Tongue) -> String {
        match self {
            Answer::Done { at } => pick(tongue, format!("done, committed at {at}"), format!("写入成功，提交于 {at}")),
            Answer::Value { value: Some(value) } => pick(tongue, format!("value {value}"), format!("值为 {value}")),
            Answer::Value { value: None } => pick(tongue, "no such key".into(), "没有这个键".into()),
            Answer::NotLeader { leader: Some(leader) } => {
                pick(tongue, format!("not the leader, {leader} is"), format!("自己不是领导者，领导者是 {leader}"))
            }
            Answer::NotLeader { leader: None } => {
                pick(tongue, "not the leader, and knows of none".into(), "自己不是领导者，也不知道谁是".into())
            }
        }
    }
}
