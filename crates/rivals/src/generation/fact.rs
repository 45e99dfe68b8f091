//! What happens in servers and clients.

use serde::Serialize;

use crate::base::ServerId;

use super::log::{Entry, Position};
use super::message::Answer;

/// Why a vote is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The candidate's term is over.
    TermOver,
    /// Somebody else has got the vote of this term.
    Voted,
    /// This term has a leader.
    LeaderKnown,
    /// The candidate's log is behind.
    LogBehind,
    /// The candidate's id is lower: only where that is the rule.
    LowerId,
}

/// In what somebody saw a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Sight {
    /// A request for a vote.
    RequestVote,
    /// The answer to one.
    RequestVoteReply,
    /// A leader's message.
    AppendEntries,
    /// The answer to one.
    AppendEntriesReply,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Fact {
    /// A server starts, with the term, the vote and the end of the log that its disk holds.
    Started { term: u64, vote: Option<ServerId>, last: Position },
    /// It times out and asks the others, with its own last entry; with `pre` before it begins the term.
    Candidate { term: u64, pre: bool, last: Position, asked: Vec<ServerId> },
    /// It gives its vote: its own last entry and the candidate's.
    Granted { term: u64, pre: bool, candidate: ServerId, own: Position, its: Position },
    /// It refuses it.
    Refused { term: u64, pre: bool, candidate: ServerId, own: Position, its: Position, reason: Refusal },
    /// It does not look at a request: it has heard of its leader within the election timeout.
    Ignored { term: u64, pre: bool, candidate: ServerId, leader: ServerId },
    /// It sees a higher term.
    TermSeen {
        from: ServerId,
        sight: Sight,
        old: u64,
        term: u64,
        /// Until now it has led.
        #[serde(skip)]
        led: bool,
    },
    /// It becomes a follower; of whom, where that is known.
    Follows { term: u64, leader: Option<ServerId> },
    /// A follower hears for the first time who leads its term.
    LeaderHeard { term: u64, leader: ServerId },
    /// It has a majority of votes.
    Leads { term: u64, votes: Vec<ServerId>, last: Position },
    /// A leader that does not hear of a majority gives up.
    SteppedDown { term: u64, heard: usize, servers: usize },
    /// A follower refuses entries: it lacks the one before them, or the term is over.
    AppendRefused { term: u64, leader: ServerId, prev: Position, last: Position },
    /// A follower deletes entries that are not the leader's, from an index on.
    Conflict { term: u64, leader: ServerId, from: u64, deleted: u64 },
    /// What is on disk now: term and vote, and the log from an index on. Not `forced`: a loss of power takes it.
    Saved { term: u64, vote: Option<ServerId>, from: u64, entries: Vec<Entry>, forced: bool },
    /// A leader commits up to an index, as so many servers have it.
    Committed { term: u64, at: Position, on: usize },
    /// A majority has an entry of an earlier term: that alone commits nothing.
    NotCommitted { term: u64, at: Position, on: usize },
    /// A committed entry is applied.
    Applied { term: u64, index: u64, entry: Entry },
    /// What is typed at a server is no command.
    NoCommand { line: String },
    /// A client asks.
    Asked {
        number: u64,
        #[serde(rename = "endpoint")]
        server: ServerId,
        line: String,
    },
    /// A client has its answer.
    Answered {
        number: u64,
        #[serde(rename = "endpoint")]
        server: ServerId,
        line: String,
        answer: Answer,
    },
    /// A client is sent to another server.
    Redirected { number: u64, from: ServerId, to: Option<ServerId> },
    /// A client has waited long enough.
    NoAnswer {
        number: u64,
        #[serde(rename = "endpoint")]
        server: ServerId,
        line: String,
        after_ms: u64,
    },
    /// A write's connection ended before its answer: nobody knows whether it is done.
    Unknown {
        number: u64,
        #[serde(rename = "endpoint")]
        server: ServerId,
        line: String,
    },
    /// A client does not take a line: it is no command, or too many wait.
    NotTaken { line: String, full: bool },
}
