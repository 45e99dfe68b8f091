//! What happens inside a server, as typed facts, and notes: which rule decided. Facts say what, notes say why.
//! The names (in JSON `kind` and `why`) are stable.

use serde::{Deserialize, Serialize};

use crate::base::{Epoch, ServerId, ServerSet, Zxid};

use super::members::Members;
use super::message::Payload;
use super::vote::{ServerState, Vote};

/// How a learner is brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SyncKind {
    /// Only the proposals that it misses.
    Diff,
    /// Its log is cut first.
    Trunc,
    /// A whole state.
    Snap,
}

impl SyncKind {
    /// Its real name.
    pub fn word(self) -> &'static str {
        match self {
            SyncKind::Diff => "DIFF",
            SyncKind::Trunc => "TRUNC",
            SyncKind::Snap => "SNAP",
        }
    }
}

/// Why a server left its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaveReason {
    /// The leader lost its majority of live followers.
    NoQuorum,
    /// No quorum within `initLimit`.
    QuorumWaitOver,
    /// The zxid counter is used up; a new epoch is needed.
    CounterUsedUp,
    /// A learner has promised a later epoch than the leader's.
    LaterEpochPromised,
    /// The connection to the leader broke.
    LeaderGone,
    /// The leader was silent for too long.
    LeaderSilent,
    /// The leader could not be reached.
    LeaderUnreachable,
    /// The leader's epoch is below the one promised.
    OlderEpoch,
    /// A proposal or commit did not fit the log.
    OutOfOrder,
    /// The log cannot be cut at the place that the leader asked for.
    CannotTruncate,
    /// Its log, or one of its epochs, could not be written.
    DiskFailed,
    /// A snapshot could not be written; the process ends (`ExitCode.TXNLOG_ERROR_TAKING_SNAPSHOT`, 10).
    SnapshotFailed,
    /// A released version: a COMMIT is not for the oldest proposal; the process ends (`ExitCode.UNMATCHED_TXN_COMMIT`, 12).
    UnmatchedCommit,
    /// A packet of the synchronisation cannot be obeyed; the process ends (`ExitCode.QUORUM_PACKET_ERROR`, 13). Of a released
    /// version, or because the disk cannot cut the log.
    BadSyncPacket,
    /// A reconfiguration gives it another role, or another leader.
    Reconfigured,
    /// The leader has a quorum only with learners that are to vote and follow as observers: its proposals do not reach them.
    OnlyObservers,
    /// The leader's id is too large to give out sessions beside nodes with a time to live (`EphemeralType.java` `validateServerId`).
    IdTooLarge,
}

impl LeaveReason {
    /// Whether the process ends with the role.
    pub fn exits(self) -> bool {
        matches!(self, LeaveReason::UnmatchedCommit | LeaveReason::BadSyncPacket | LeaveReason::SnapshotFailed)
    }
}

/// Why a server cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum StartFault {
    /// There is a log, and no snapshot that it could be replayed on, not even the empty one of the first start
    /// (`FileTxnSnapLog.java` `restore`: "Something is broken!").
    NoSnapshot {
        /// Where the log begins.
        first: Zxid,
    },
    /// The log that it would replay has a hole within an epoch (`ZKDatabase.java` `addCommittedProposal`).
    Hole {
        /// The transaction before it.
        before: Zxid,
        /// The one behind it.
        next: Zxid,
    },
    /// Its own configuration file does not name it (`QuorumPeer.java` `start`: "not in the peer list").
    NotInPeerList,
}

/// Which rule decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Note {
    /// A vote won by its later epoch.
    LaterEpochWins,
    /// A vote won by its later zxid.
    LaterZxidWins,
    /// Histories are equal: the higher id won.
    HigherIdWins,
    /// A notification of a later round: all votes so far are void.
    LaterRound,
    /// A majority has the same vote; better votes have 200 ms to arrive.
    MajorityAgrees,
    /// No better vote came in 200 ms.
    NoBetterVote,
    /// A better vote arrived in time.
    BetterVoteInTime,
    /// A majority already follows a living leader.
    JoinsExistingLeader,
    /// One more than the largest acceptedEpoch in the quorum.
    EpochAboveAllAccepted,
    /// A promise: from now on nothing of an older epoch is obeyed.
    PromiseBeforeAnswer,
    /// The learner has just what the leader has.
    SameHistory,
    /// What the learner misses is in the leader's committed log in memory.
    WithinCommittedLog,
    /// What the learner misses is read from the log on disk.
    FromDiskLog,
    /// The learner is ahead of all that the leader has committed.
    AheadOfLeader,
    /// The learner has a transaction that the leader's history does not have, of the same epoch as what follows there.
    ForeignTail,
    /// The histories part in different epochs: a cut cannot mend that.
    PartedInOtherEpoch,
    /// The learner misses more than the leader's logs hold.
    TooFarBehind,
    /// The learner asked for a whole state.
    AskedForSnapshot,
    /// A majority has the leader's whole history on disk.
    HistoryOnQuorum,
    /// A majority has logged it, and all before it are committed.
    MajorityLogged,
    /// Only what survives a crash may be acknowledged.
    OnDiskBeforeAck,
    /// A step-down takes everything logged into memory, committed or not.
    LoggedStaysInMemory,
    /// A half-received state is thrown away.
    PartialStateDropped,
    /// The log could not be written: what memory has beyond it is thrown away.
    UnloggedDropped,
    /// The log was of a later epoch than currentEpoch: a crash between the two writes; the log's is adopted.
    EpochAdoptedFromLog,
    /// The vote counted for nothing: the epoch had been accepted before.
    AlreadyAccepted,
    /// A reconfiguration says who leads.
    SuggestedByReconfig,
    /// A later round of a server that votes only in a configuration that is proposed.
    RoundOfJoiner,
    /// A majority follows a leader by the configuration in force; one that is only proposed is not asked.
    JoinsByConfigInForce,
    /// What was proposed behind a configuration needs a majority of that one, once it is in force.
    LaterConfigAlone,
    /// Of two servers one is enough: its oracle says that it may go on alone.
    OracleGrants,
    /// The other one leads alone, and the own oracle says that this server may not: so the other may.
    OracleRefuses,
    /// The configuration that came with NEWLEADER is only proposed, so it is not in force yet.
    ConfigStillProposed,
}

/// What happened inside a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// It looks for a leader: a new round begins with a vote for itself.
    Looking {
        /// The round (logical clock).
        round: u64,
        /// Its last zxid.
        last_zxid: Zxid,
        /// Its currentEpoch.
        current_epoch: Epoch,
    },
    /// It moved to the round of another server.
    RoundJoined {
        /// The round.
        round: u64,
    },
    /// It changed its vote.
    VoteChanged {
        /// The new vote.
        #[serde(flatten)]
        vote: Vote,
        /// The round.
        round: u64,
    },
    /// A majority agrees with its vote; it waits for a better one.
    Finalizing {
        /// Who would lead.
        leader: ServerId,
        /// Who agrees.
        votes: ServerSet,
    },
    /// The wait was broken off by a better vote.
    FinalizingBroken {
        /// Whom the better vote names.
        leader: ServerId,
    },
    /// It took up a role.
    Elected {
        /// Who leads.
        leader: ServerId,
        /// Its own role.
        role: ServerState,
        /// The round.
        round: u64,
    },
    /// As a leader: a quorum has connected, the new epoch is chosen.
    EpochProposed {
        /// The epoch.
        epoch: Epoch,
        /// The quorum that connected.
        quorum: ServerSet,
    },
    /// As a learner: it promised to obey no older epoch.
    EpochAccepted {
        /// The epoch.
        epoch: Epoch,
    },
    /// As a leader: a quorum promised; synchronisation may begin.
    Synchronizing {
        /// The epoch.
        epoch: Epoch,
        /// The quorum that promised.
        quorum: ServerSet,
    },
    /// As a leader: how a learner is brought up to date.
    SyncChosen {
        /// The learner.
        learner: ServerId,
        /// DIFF, TRUNC or SNAP.
        sync: SyncKind,
        /// The learner's last zxid.
        learner_zxid: Zxid,
        /// The zxid in DIFF, TRUNC or SNAP.
        to: Zxid,
        /// Proposals sent after it.
        proposals: usize,
        /// The oldest committed transaction in memory.
        min_committed: Zxid,
        /// The newest one.
        max_committed: Zxid,
        /// The leader's last processed zxid.
        last_processed: Zxid,
    },
    /// As a learner: NEWLEADER acknowledged, its history is the leader's.
    NewLeaderAcked {
        /// The epoch.
        epoch: Epoch,
    },
    /// As a leader: NEWLEADER's acknowledgement counted.
    NewLeaderAckCounted {
        /// The server that acknowledged.
        from: ServerId,
        /// Who has acknowledged so far.
        acks: ServerSet,
        /// How many are needed.
        need: usize,
    },
    /// As a leader: a quorum has its history; it serves.
    Established {
        /// The epoch.
        epoch: Epoch,
        /// The quorum.
        quorum: ServerSet,
    },
    /// As a learner: it serves.
    UpToDate {
        /// The epoch.
        epoch: Epoch,
    },
    /// As a leader: a transaction got its zxid and went to the followers.
    Proposed {
        /// The zxid.
        zxid: Zxid,
        /// What it carries.
        #[serde(flatten)]
        payload: Payload,
        /// The followers it was sent to.
        followers: ServerSet,
    },
    /// A transaction waits to be written to the log.
    Queued {
        /// The zxid.
        zxid: Zxid,
    },
    /// As a leader: an acknowledgement counted.
    AckCounted {
        /// The zxid.
        zxid: Zxid,
        /// The server that acknowledged.
        from: ServerId,
        /// Who has acknowledged so far.
        acks: ServerSet,
        /// How many are needed.
        need: usize,
    },
    /// As a leader: a transaction is committed.
    Committed {
        /// The zxid.
        zxid: Zxid,
        /// Who had acknowledged it.
        acks: ServerSet,
    },
    /// As a leader: a learner is synchronised again; what it had acknowledged of these proposals counts no more.
    AcksForgotten {
        /// The learner.
        learner: ServerId,
        /// The proposals.
        zxids: Vec<Zxid>,
    },
    /// As a leader: a learner is dropped.
    LearnerDropped {
        /// The learner.
        learner: ServerId,
        /// What ended it.
        reason: DropReason,
    },
    /// It left its role.
    Left {
        /// The role.
        role: ServerState,
        /// What ended it.
        reason: LeaveReason,
    },
    /// Its memory was brought up to its own log, committed or not.
    FastForwarded {
        /// The last zxid in memory now.
        to: Zxid,
    },
    /// It refuses to start: its files contradict each other.
    RefusedToStart {
        /// The last zxid on disk.
        last_zxid: Zxid,
        /// currentEpoch on disk.
        current_epoch: Epoch,
    },
    /// It cannot start, and its process ends (exit code 1).
    CannotStart {
        /// What stands in its way.
        #[serde(flatten)]
        fault: StartFault,
    },
    /// A configuration was proposed: until it is in force, or given up, a quorum of it is needed beside one of the present.
    ConfigSeen {
        /// The configuration.
        #[serde(flatten)]
        config: Members,
    },
    /// A configuration is in force at this server.
    ConfigActivated {
        /// The configuration.
        #[serde(flatten)]
        config: Members,
    },
    /// As a leader without a vote in the new configuration: who is to lead.
    LeaderDesignated {
        /// The next leader.
        leader: ServerId,
    },
    /// It is up, with this from its disk; its file names no other server, so it serves alone.
    Standalone {
        /// The last zxid on disk.
        last_zxid: Zxid,
    },
    /// It is up, with this from its disk.
    Recovered {
        /// The last zxid on disk.
        last_zxid: Zxid,
        /// currentEpoch.
        current_epoch: Epoch,
        /// acceptedEpoch.
        accepted_epoch: Epoch,
    },
}

/// Why a leader dropped a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// Its connection broke.
    ConnectionLost,
    /// Nothing was heard of it for `syncLimit` (or `initLimit`) ticks.
    Silent,
    /// A proposal waits for its acknowledgement for more than `syncLimit` ticks.
    SlowAck,
    /// Its history is newer than the leader's.
    NewerHistory,
    /// It said something that does not belong there.
    BadPacket,
    /// It has connected again.
    Replaced,
    /// Its configuration is later than the leader's.
    LaterConfig,
}
