//! What happens in replicas and clients.

use serde::Serialize;
use std::rc::Rc;

use crate::base::ServerId;

use super::message::{Held, Stamp};

/// What happened. An operation is named by its client's number for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Fact {
    /// A client's process starts: what it was doing before, nobody will hear of.
    ClientStarted {},
    /// A client begins to write.
    WriteBegan { op: u64, key: Rc<str>, value: Rc<str> },
    /// The write has its timestamp, and is sent to all.
    WriteStamped { op: u64, key: Rc<str>, value: Rc<str>, stamp: Stamp },
    /// So many replicas have it: the write is done.
    WriteDone { op: u64, key: Rc<str>, value: Rc<str>, stamp: Stamp, acks: usize },
    /// A client begins to read.
    ReadBegan { op: u64, key: Rc<str> },
    /// So many replicas have answered; not all of them the same.
    Differ { op: u64, key: Rc<str>, newest: Held, behind: Vec<ServerId> },
    /// What was read is written to all before it is returned.
    WriteBack { op: u64, key: Rc<str>, held: Held },
    /// The read is done.
    ReadDone { op: u64, key: Rc<str>, held: Held },
    /// Replicas that were behind are sent the newest.
    Repairs { op: u64, key: Rc<str>, held: Held, to: Vec<ServerId> },
    /// Not enough answers in time. What was stored stays.
    Failed { op: u64, line: String, answers: usize, wanted: usize, may_take_effect: bool },
    /// Somebody stands in for a replica that does not answer.
    StandsIn { op: u64, spare: ServerId, owner: ServerId },
    /// A replica has a newer value on disk.
    Kept { key: Rc<str>, held: Held, before: Held, owner: Option<ServerId> },
    /// A replica was sent something older than what it has.
    Older { key: Rc<str>, held: Held, sent: Stamp },
    /// A spare hands over what it kept for a replica.
    HandedOver { key: Rc<str>, held: Held, owner: ServerId },
    /// A client does not take a line: it is no command, or too many wait.
    NotTaken { line: String, full: bool },
}
