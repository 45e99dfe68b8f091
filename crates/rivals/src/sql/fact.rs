//! What happens in databases and their clients.

use serde::{Serialize, Serializer};

use crate::base::ServerId;
use crate::daemon::{Interest, Remark, Say, Tongue};

use super::engine::Engine;
use super::reply::Reply;
use super::say;
use super::value::Value;

/// Whom a statement waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// A client.
    Client {
        /// Which.
        client: ServerId,
        /// Its program is gone, which the server has not noticed.
        gone: bool,
    },
    /// A prepared branch that is nobody's.
    Prepared,
}

impl Serialize for Blocker {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&say::blocker(self, Tongue::English))
    }
}

/// A row as a list of columns with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown(pub Vec<(String, Value)>);

impl Shown {
    /// The value of a column.
    pub fn get(&self, column: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == column).map(|(_, value)| value)
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A row that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The table.
    pub table: String,
    /// What it was; none where it is new.
    pub before: Option<Shown>,
    /// What it is; none where it is gone.
    pub after: Option<Shown>,
}

/// Why a connection was ended by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// An operator said so.
    Operator,
    /// It was idle for too long.
    Idle,
}

/// Why a program does not hold what it wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Another has it.
    Taken,
    /// It gave up waiting, or was refused.
    Refused,
    /// Its connection ended.
    Lost,
    /// Its row was gone.
    Robbed,
    /// Another has written since it read.
    Changed,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)] // each field is named by what it is
pub enum Fact {
    /// A statement waits for a lock.
    Waits {
        client: ServerId,
        what: String,
        on: String,
        blocked_by: Vec<Blocker>,
        #[serde(skip)]
        engine: Engine,
    },
    /// A statement is refused.
    Refused {
        client: ServerId,
        what: String,
        problem: &'static str,
        after: &'static str,
        #[serde(skip)]
        engine: Engine,
    },
    /// A circle of waits is found, and somebody sacrificed.
    Deadlock {
        victim: ServerId,
        circle: Vec<ServerId>,
        #[serde(skip)]
        engine: Engine,
        #[serde(skip)]
        by_work: bool,
    },
    /// A transaction has committed, and others see it.
    Committed { client: Option<ServerId>, changes: Vec<Changed> },
    /// A branch is prepared.
    Prepared { client: Option<ServerId>, id: String },
    /// A branch is decided on.
    Decided { id: String, commit: bool },
    /// The server ends a connection.
    ConnectionEnded { client: ServerId, reason: EndReason },
    /// A forced write of a log.
    Forced { log: &'static str, records: usize },
    /// A server has read its log.
    Recovered { records: usize, prepared: usize, replica: bool },
    /// A replica was made a primary.
    Promoted { records: usize },
    /// A replica has got records of its source's log.
    Replicated { from: usize, records: usize },
    /// A commit waits until a replica has it.
    AwaitsReplica {
        client: Option<ServerId>,
        #[serde(skip)]
        engine: Engine,
        visible: bool,
    },
    /// That wait was cancelled: it is committed here only.
    WaitCancelled { client: Option<ServerId> },
    /// Commits do not wait for replicas any more.
    Degraded { after_ms: u64 },
    /// They do again.
    Restored,
    /// What a server says of itself.
    State { replica: bool, read_only: bool },
    /// An operator's line was not understood, or not possible.
    NotOperated { line: String },
    /// A client is connected.
    Connected { server: ServerId },
    /// It is not.
    NotConnected { server: ServerId },
    /// A client asks for something.
    Asked { number: u64, what: String },
    /// And is answered.
    Answered {
        number: u64,
        what: String,
        reply: Reply,
        notices: Vec<String>,
        #[serde(skip)]
        console: bool,
    },
    /// A program has a lock.
    Acquired { lock: String, holder: String, token: Option<i64> },
    /// A program does not have it.
    NotAcquired {
        lock: String,
        why: Why,
        /// The version that it had read, where it is what has changed.
        #[serde(skip)]
        expected: Option<i64>,
    },
    /// A program gives a lock back.
    Released { lock: String, holder: String },
    /// A program learns that it has lost a lock.
    LockLost { lock: String, holder: String, why: Why },
    /// A program has read a number and is about to write the next one.
    Counting { read: i64 },
    /// It has been told that this is written.
    Counted { wrote: i64 },
}

impl Say for Fact {
    fn name(&self) -> &'static str {
        match self {
            Fact::Waits { .. } => "sql_waits",
            Fact::Refused { .. } => "sql_refused",
            Fact::Deadlock { .. } => "sql_deadlock",
            Fact::Committed { .. } => "sql_committed",
            Fact::Prepared { .. } => "sql_prepared",
            Fact::Decided { .. } => "sql_decided",
            Fact::ConnectionEnded { .. } => "sql_connection_ended",
            Fact::Forced { .. } => "sql_forced",
            Fact::Recovered { .. } => "sql_recovered",
            Fact::Promoted { .. } => "sql_promoted",
            Fact::Replicated { .. } => "sql_replicated",
            Fact::AwaitsReplica { .. } => "sql_awaits_replica",
            Fact::WaitCancelled { .. } => "sql_wait_cancelled",
            Fact::Degraded { .. } => "sql_degraded",
            Fact::Restored => "sql_restored",
            Fact::State { .. } => "sql_state",
            Fact::NotOperated { .. } => "sql_not_operated",
            Fact::Connected { .. } => "sql_connected",
            Fact::NotConnected { .. } => "sql_not_connected",
            Fact::Asked { .. } => "sql_asked",
            Fact::Answered { .. } => "sql_answered",
            Fact::Acquired { .. } => "sql_acquired",
            Fact::NotAcquired { .. } => "sql_not_acquired",
            Fact::Released { .. } => "sql_released",
            Fact::LockLost { .. } => "sql_lock_lost",
            Fact::Counting { .. } => "sql_counting",
            Fact::Counted { .. } => "sql_counted",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => say::english(self),
            Tongue::Chinese => say::chinese(self),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        say::why(self).map(|both| both[usize::from(tongue == Tongue::Chinese)].to_string())
    }

    fn interest(&self) -> Interest {
        match self {
            Fact::Asked { .. } | Fact::Answered { console: false, .. } | Fact::Forced { .. } => Interest::Noise,
            Fact::Replicated { .. } | Fact::Counting { .. } | Fact::State { .. } => Interest::Noise,
            Fact::Waits { .. }
            | Fact::Deadlock { .. }
            | Fact::Prepared { .. }
            | Fact::Decided { .. }
            | Fact::Promoted { .. }
            | Fact::WaitCancelled { .. }
            | Fact::Degraded { .. }
            | Fact::Acquired { .. }
            | Fact::LockLost { .. }
            | Fact::ConnectionEnded { .. } => Interest::Step,
            Fact::Recovered { records, .. } if *records > 0 => Interest::Step,
            _ => Interest::Detail,
        }
    }

    fn remark(&self) -> Option<Remark> {
        self.news()
    }

    fn ends(&self, earlier: &Self, here: bool) -> bool {
        self.ends_what_was(earlier, here)
    }
}
