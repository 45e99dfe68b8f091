//! What is said of a moment.

use serde::{Deserialize, Serialize};

/// What happens, as a pattern with gaps: first who, then the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// Servers; their version.
    Starts,
    /// Servers.
    Looks,
    /// Servers; whom they vote for, with which last zxid, in which round.
    Votes,
    /// A server; its epoch, with whom, and the zxid it begins at.
    Leads,
    /// A server that was elected, and stops before anybody supports it.
    NoMajority,
    /// Who leads later; who still leads, and how long both do.
    TwoLeaders,
    /// Learners; the leader, up to which zxid.
    Diff,
    /// Learners; the leader, to which zxid.
    Trunc,
    /// Learners; the leader, up to which zxid.
    Snap,
    /// Learners; the leader, whose connection was closed.
    Closed,
    /// Learners; the leader, of which nothing was heard for too long.
    Silent,
    /// Learners; the leader, and what the log says.
    LosesLeader,
    /// Learners; the leader that stops hearing them.
    LosesLearner,
    /// A leader; its epoch, and what the log says of whom it still had.
    LostQuorum,
    /// A leader; its epoch, and what the log says.
    StopsLeading,
    /// Servers.
    Ends,
    /// Sessions; the server.
    SessionBorn,
    /// Sessions; who let them expire, after how many ms.
    SessionExpired,
    /// Sessions; the server.
    SessionClosed,
    /// Sessions; the server.
    SessionMoved,
    /// Sessions; the server.
    SessionRefused,
}

impl Say {
    /// The pattern in English.
    pub fn pattern(self) -> &'static str {
        match self {
            Say::Starts => "{}: started (ZooKeeper {}).",
            Say::Looks => "{}: looking for a leader.",
            Say::Votes => "Votes of {} for {} with {} (round {}).",
            Say::Leads => "{} leads epoch {} with {}, from {} on.",
            Say::NoMajority => "{} was elected, but no majority came to support it.",
            Say::TwoLeaders => "Two leaders: {} takes the lead while {} still leads, for {}.",
            Say::Diff => "{}: a DIFF from {}, up to {}.",
            Say::Trunc => "{}: cut back by {} (TRUNC), to {}.",
            Say::Snap => "{}: a snapshot from {} (SNAP), up to {}.",
            Say::Closed => "{}: leader {} lost, the connection was closed.",
            Say::Silent => "{}: leader {} lost, nothing was heard from it for too long.",
            Say::LosesLeader => "{}: leader {} lost ({}).",
            Say::LosesLearner => "Learners {}: {} stops hearing them.",
            Say::LostQuorum => "{} gives up epoch {}, for it has lost its quorum: {}.",
            Say::StopsLeading => "{} stops leading epoch {}: {}.",
            Say::Ends => "The log of {} ends without a word: killed, or the log was cut.",
            Say::SessionBorn => "Session begun: {}, at {}.",
            Say::SessionExpired => "Session expired: {}, at {}, after {} ms without a word.",
            Say::SessionClosed => "Session closed: {}, at {}.",
            Say::SessionMoved => "Session moved: {}, to {}.",
            Say::SessionRefused => "Session refused: {}, by {}.",
        }
    }

    /// Whether it says something of sessions or votes: of these there may be many.
    pub fn is_detail(self) -> bool {
        self == Say::Votes || self >= Say::SessionBorn
    }
}
