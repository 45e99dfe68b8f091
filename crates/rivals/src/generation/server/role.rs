//! What a server is at the moment.

use crate::base::{ServerId, ServerSet, SortedMap};

/// A role, with what it keeps.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// Takes entries of a leader, and votes.
    Follower,
    /// Asks whether it would win the term after its own.
    PreCandidate(ServerSet),
    /// Asks for votes in its term; those it has.
    Candidate(ServerSet),
    /// Sends entries.
    Leader(Leading),
}

/// What a leader keeps.
#[derive(Clone, Debug)]
pub(super) struct Leading {
    pub peers: SortedMap<ServerId, Progress>,
    /// The round of heartbeats that was sent last.
    pub round: u64,
    /// The index of its first own entry, written or to be written: what it reads is no older.
    pub first: u64,
    /// Up to which index it has said that a majority alone commits nothing.
    pub noted: u64,
}

/// What a leader knows of a follower (`tracker/progress.go`).
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// The next entry to send.
    pub next: u64,
    /// Up to where the follower's disk is known to have the leader's log.
    pub matched: u64,
    /// Whether it is still looking for where their logs agree: then it sends one message at a time.
    pub probing: bool,
    /// Whether a message with entries is on its way while it looks.
    pub sent: bool,
    /// Whether it has answered since followers were counted last.
    pub active: bool,
    /// The last round that it has answered.
    pub round: u64,
}
