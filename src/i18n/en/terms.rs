//! English: words for roles, phases, conditions and reasons.

use crate::sim::{EpochFile, LossReason, RefusalReason, Status};
use crate::zab::{DropReason, LeaveReason, Phase, ServerState, SyncKind};

pub(super) fn role(state: ServerState) -> &'static str {
    match state {
        ServerState::Looking => "looking for a leader",
        ServerState::Following => "follower",
        ServerState::Leading => "leader",
        ServerState::Observing => "observer",
        ServerState::Standalone => "standalone server",
    }
}

pub(super) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Election => "election",
        Phase::Discovery => "discovery",
        Phase::Synchronization => "synchronization",
        Phase::Broadcast => "broadcast",
        Phase::Standalone => "standalone",
    }
}

pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Paused => "paused",
        Status::Crashed => "crashed",
    }
}

pub(super) fn sync(sync: SyncKind) -> &'static str {
    match sync {
        SyncKind::Diff => "only what is missing",
        SyncKind::Trunc => "the log is cut first",
        SyncKind::Snap => "the full state",
    }
}

pub(super) fn epoch_file(file: EpochFile) -> &'static str {
    match file {
        EpochFile::AcceptedEpoch => "the latest epoch promised",
        EpochFile::CurrentEpoch => "the epoch of the leader whose history was taken over",
    }
}

pub(super) fn leave(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => "it no longer hears from a majority",
        LeaveReason::OnlyObservers => "only with observers would it have a majority of the proposed configuration",
        LeaveReason::IdTooLarge => "its id, 255, is too large beside nodes with a time to live",
        LeaveReason::QuorumWaitOver => "no majority came within initLimit",
        LeaveReason::CounterUsedUp => "the counter of the zxid is used up",
        LeaveReason::LaterEpochPromised => "a learner has promised a later epoch than this leader's",
        LeaveReason::LeaderGone => "the connection to the leader is gone",
        LeaveReason::LeaderSilent => "the leader has been silent for too long",
        LeaveReason::LeaderUnreachable => "the leader could not be reached",
        LeaveReason::OlderEpoch => "the leader's epoch is below the one promised",
        LeaveReason::OutOfOrder => "what the leader sent did not fit the log",
        LeaveReason::DiskFailed => "its disk did not take what it must write",
        LeaveReason::SnapshotFailed => "it cannot write a snapshot, and its process ends",
        LeaveReason::UnmatchedCommit => "a COMMIT is not for its oldest proposal, and its process ends",
        LeaveReason::BadSyncPacket => "it cannot do what the leader sends to synchronize it, and its process ends",
        LeaveReason::Reconfigured => "the reconfiguration gives it another role or another leader",
        LeaveReason::CannotTruncate => "its log cannot be cut where the leader asked for it",
    }
}

pub(super) fn drop(reason: DropReason) -> &'static str {
    match reason {
        DropReason::ConnectionLost => "the connection is gone",
        DropReason::Silent => "nothing was heard of it for longer than syncLimit",
        DropReason::SlowAck => "its ACK for a proposal has been due for longer than syncLimit",
        DropReason::NewerHistory => {
            "its history is newer than the leader's; it may come back once the epoch is established"
        }
        DropReason::Replaced => "it has connected again",
        DropReason::LaterConfig => "its configuration is later than the leader's",
        DropReason::BadPacket => "it sent something that does not belong there",
    }
}

pub(super) fn loss(reason: LossReason) -> &'static str {
    match reason {
        LossReason::ReceiverCrashed => "the receiver crashed",
        LossReason::SenderCrashed => "the sender crashed before sending it",
        LossReason::ConnectionClosed => "the receiver had closed the connection",
        LossReason::ConnectionBroken => "its connection broke",
    }
}

pub(super) fn refusal(reason: RefusalReason) -> &'static str {
    match reason {
        RefusalReason::ServerDown => "the server does not run",
        RefusalReason::NotServing => "the server has no leader, or is not up to date yet, and serves nobody",
        RefusalReason::ConnectionLoss => "the server stopped serving before it answered (ConnectionLoss)",
    }
}
