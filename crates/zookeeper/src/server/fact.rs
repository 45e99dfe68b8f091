//! What happens in a server beside its protocol: sessions and watches, the replicated state, files.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::{ClientId, Epoch, ServerId, SessionId, Zxid};
use crate::wire::{Quantity, WatchedEvent};
use crate::zab::Payload;

/// Why a server closed a client's connection without an answer, or ended its hope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnedAway {
    /// The server has no leader.
    NotServing,
    /// The server leads, and leaves clients to the others (`leaderServes=no`).
    LeaderOnly,
    /// The server has no leader, and the client wants one that can write.
    NotReadOnlyClient,
    /// The server has no leader, and new sessions need one unless they are local.
    NoLocalSessions,
    /// The server has no leader, and the session is one that the ensemble knows.
    GlobalSession,
    /// There are as many connections as the server takes of one address (`maxClientCnxns`).
    TooManyConnections,
    /// The client has seen a later zxid than this server has applied.
    ServerBehind,
    /// The password is not the session's.
    WrongPassword,
    /// There is no such session any more.
    SessionGone,
    /// The request is longer than `jute.maxbuffer`.
    TooLong,
    /// The session has moved to another server; this connection is a relic.
    Moved,
    /// A request that no server carries out.
    Unimplemented,
    /// The same session connected again at this server.
    Replaced,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// A createSession transaction was applied at the server whose client asked for it.
    SessionOpened {
        /// The session.
        session: SessionId,
        /// Its timeout, ms.
        timeout_ms: u32,
        /// Whose it is.
        client: ClientId,
        /// Only this server knows it; there was no transaction.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        local: bool,
    },
    /// A local session makes an ephemeral: the ensemble is to know it first.
    SessionUpgraded {
        /// The session.
        session: SessionId,
        /// Whose it is.
        client: ClientId,
    },
    /// A local session is over.
    LocalSessionEnded {
        /// The session.
        session: SessionId,
        /// Nothing was heard of it for its timeout; otherwise its client has closed it.
        expired: bool,
    },
    /// A server without a leader begins to serve reads, or ceases to.
    ReadOnly {
        /// Whether it begins.
        on: bool,
    },
    /// A session was taken up again, here.
    SessionResumed {
        /// The session.
        session: SessionId,
        /// Whose it is.
        client: ClientId,
    },
    /// The leader has heard nothing of a session for its timeout, and ends it.
    SessionExpired {
        /// The session.
        session: SessionId,
        /// It was told to by an action, whether the session was heard of or not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        asked: bool,
    },
    /// A closeSession transaction was applied at the leader, and its ephemerals are gone.
    SessionClosed {
        /// The session.
        session: SessionId,
        /// The transaction.
        zxid: Zxid,
        /// What went with it.
        ephemerals: Vec<Rc<str>>,
    },
    /// The leader notes that a session now belongs to another server.
    SessionMoved {
        /// The session.
        session: SessionId,
        /// Where it was.
        from: ServerId,
        /// Where it is.
        to: ServerId,
    },
    /// A client's connection was closed.
    ClientTurnedAway {
        /// The client at the other end.
        client: ClientId,
        /// What ended the connection.
        reason: TurnedAway,
    },
    /// A watch fired: the event is on its way to the client.
    WatchFired {
        /// The client that set it.
        client: ClientId,
        /// The transaction that fired it; none when it is told after a reconnection.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// What it says.
        #[serde(flatten)]
        event: WatchedEvent,
        /// Whether the watch is used up.
        one_shot: bool,
    },
    /// Too many requests are in process: the server reads no more of this client for now, or goes on.
    Throttled {
        /// The client.
        client: ClientId,
        /// Whether it stops to read, or goes on.
        on: bool,
        /// How many requests are in process.
        in_process: usize,
    },
    /// As the leader, where quotas are enforced: a write goes beyond one.
    OverQuota {
        /// The subtree that has the quota.
        path: Rc<str>,
        /// What there is too much of.
        of: Quantity,
        /// How much there would be.
        would_be: i64,
        /// The limit.
        limit: i64,
        /// Whether the write is refused for it.
        hard: bool,
    },
}

/// A file that holds an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EpochFile {
    /// The latest epoch promised.
    AcceptedEpoch,
    /// The epoch of the leader whose history was taken over.
    CurrentEpoch,
}

/// Why a client's write was not taken, or its fate is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The process is down.
    ServerDown,
    /// The server has no leader.
    NotServing,
    /// The server stopped to serve before it answered: the write may or may not happen.
    ConnectionLoss,
}

/// What happened to a server's state, its files and plain writes. `sim` writes these with the server as `WorldFact`s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFact {
    /// The replicated state was replaced as a whole.
    Restored {
        /// Its last transaction.
        last_txn: Zxid,
        /// The state in one number.
        state: u64,
    },
    /// A transaction was applied.
    Applied {
        /// The zxid of the transaction.
        zxid: Zxid,
        /// What it carries.
        payload: Payload,
        /// The state after it in one number.
        state: u64,
    },
    /// The server takes clients, or no longer.
    Serving(bool),
    /// A plain write, by its number, is durable: the transaction that did it.
    WriteAnswered(u64, Zxid),
    /// A plain write was not taken, or nobody knows.
    WriteFailed(u64, RefusalReason),
    /// Transactions are on disk.
    Synced {
        /// The first.
        first: Zxid,
        /// The last.
        last: Zxid,
        /// How many.
        count: usize,
    },
    /// Transactions were on their way to the disk when the process died, or the disk failed.
    UnsyncedLost {
        /// The first.
        first: Zxid,
        /// The last.
        last: Zxid,
        /// How many.
        count: usize,
    },
    /// An epoch is on disk.
    EpochWritten {
        /// In which file.
        file: EpochFile,
        /// The epoch.
        epoch: Epoch,
    },
    /// A snapshot is on disk.
    SnapshotWritten {
        /// Its last zxid.
        zxid: Zxid,
        /// Its last transaction.
        last_txn: Zxid,
        /// Whether it took the place of the log.
        installed: bool,
    },
    /// Old snapshots and log files were removed.
    Purged {
        /// What is older than this snapshot.
        before: Zxid,
        /// How many snapshots went.
        snapshots: usize,
        /// How many log files went.
        logs: usize,
    },
    /// The log was cut.
    LogTruncated {
        /// Behind this zxid.
        to: Zxid,
        /// What was removed.
        removed: Vec<Zxid>,
        /// How many snapshots went with it.
        snapshots: usize,
    },
    /// Somebody on the machine has sent a text to the client port.
    WordSent {
        /// What was sent.
        text: Rc<str>,
        /// What was answered; none where the connection was closed without a word.
        answer: Option<Rc<str>>,
    },
}
