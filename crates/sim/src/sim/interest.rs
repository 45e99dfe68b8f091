//! Which facts are worth words, and which are worth stopping at: decided once, for every language.

use crate::base::Zxid;
use crate::daemon::Interest;
use crate::zab::{self, Message, Note, Packet, ServerState};
use crate::{client, recipes, server};

use super::{Fact, Parcel, Port, Record, WorldFact};

use Interest::{Detail, Noise, Step};

/// How much a record matters.
pub fn interest(record: &Record) -> Interest {
    match &record.fact {
        Fact::Zab { fact, .. } => in_server(fact, record.why),
        Fact::Other { fact, .. } => fact.interest,
        Fact::World(WorldFact::Started { .. }) if record.at_us.0 > 0 => Step,
        Fact::World(fact) => in_world(fact),
        Fact::Client { fact, .. } => in_client(fact),
        Fact::Server { fact, .. } => in_service(fact),
        Fact::Program { fact, .. } => in_program(fact),
    }
}

fn in_server(fact: &zab::Fact, why: Option<Note>) -> Interest {
    use zab::Fact as F;
    match fact {
        F::Looking { .. }
        | F::Elected { .. }
        | F::EpochProposed { .. }
        | F::Synchronizing { .. }
        | F::SyncChosen { .. }
        | F::Established { .. }
        | F::Standalone { .. }
        | F::UpToDate { .. }
        | F::Committed { .. }
        | F::AcksForgotten { .. }
        | F::LearnerDropped { .. }
        | F::Left { .. }
        | F::ConfigSeen { .. }
        | F::ConfigActivated { .. }
        | F::LeaderDesignated { .. }
        | F::RefusedToStart { .. }
        | F::CannotStart { .. } => Step,
        // a learner goes on to the next phase; the leader's own promise changes nothing yet
        F::EpochAccepted { .. } => {
            if why.is_some() {
                Step
            } else {
                Detail
            }
        }
        F::Recovered { last_zxid, accepted_epoch, .. } => {
            if *last_zxid == Zxid::ZERO && *accepted_epoch == 0 {
                Noise
            } else {
                Detail
            }
        }
        F::RoundJoined { .. }
        | F::VoteChanged { .. }
        | F::Finalizing { .. }
        | F::FinalizingBroken { .. }
        | F::NewLeaderAcked { .. }
        | F::NewLeaderAckCounted { .. }
        | F::Proposed { .. }
        | F::Queued { .. }
        | F::AckCounted { .. }
        | F::FastForwarded { .. } => Detail,
    }
}

fn in_client(fact: &client::Fact) -> Interest {
    use client::Fact as F;
    match fact {
        F::ClientConnected { .. } | F::ClientDisconnected { .. } | F::ClientEnded { .. } | F::Notified { .. } => Step,
        F::Answered { in_doubt: true, .. } | F::Answered { outcome: Err(_), .. } => Step,
        F::Called { .. } | F::Answered { .. } => Detail,
        F::ClientConnecting { .. } | F::ClientSeeks { .. } | F::WatcherCalled { .. } => Noise,
    }
}

fn in_service(fact: &server::Fact) -> Interest {
    use server::Fact as F;
    match fact {
        F::SessionExpired { .. }
        | F::SessionClosed { .. }
        | F::ClientTurnedAway { .. }
        | F::OverQuota { .. }
        | F::Throttled { on: true, .. }
        | F::ReadOnly { .. } => Step,
        F::SessionUpgraded { .. } | F::LocalSessionEnded { .. } => Step,
        F::SessionOpened { .. } | F::SessionResumed { .. } | F::SessionMoved { .. } | F::WatchFired { .. } => Detail,
        F::Throttled { on: false, .. } => Detail,
    }
}

fn in_program(fact: &recipes::Fact) -> Interest {
    use recipes::Fact as F;
    match fact {
        F::ConnectionState { .. } | F::Callback { .. } | F::Acquired { .. } | F::Released { .. } => Step,
        F::StateHeldBack { .. }
        | F::GaveUp { .. }
        | F::Requeued { .. }
        | F::FoundProtected { .. }
        | F::Consumed { .. }
        | F::Told { .. } => Step,
        F::MethodReturned { outcome: Err(_), .. } => Step,
        F::RecipeMade { .. } | F::MethodCalled { .. } | F::WaitsBehind { .. } | F::WaitsFor { .. } => Detail,
        F::MethodReturned { .. } | F::Woken { .. } | F::AtLine { .. } | F::Keeps { .. } => Noise,
    }
}

fn in_world(fact: &WorldFact) -> Interest {
    use WorldFact as W;
    match fact {
        W::Crashed { .. }
        | W::Exited { .. }
        | W::Paused { .. }
        | W::Resumed { .. }
        | W::Added { .. }
        | W::ConfigEdited { .. }
        | W::OracleSet { .. }
        | W::LinkCut { .. }
        | W::LinkHealed { .. }
        | W::PacketHeld { .. }
        | W::PacketReleased { .. }
        | W::PacketDelayed { .. }
        | W::DiskDelayed { .. }
        | W::DiskFaultSet { .. }
        | W::DiskFailed { .. }
        | W::ClockJumped { .. }
        | W::FourLetterAnswered { .. }
        | W::FourLetterUnanswered { .. }
        | W::ConnectionBroken { .. }
        | W::UnsyncedLost { .. }
        | W::SnapshotLost { .. }
        | W::LogTruncated { .. }
        | W::Purged { .. }
        | W::DiskWiped { .. }
        | W::DiskBackedUp { .. }
        | W::BackupRestored { .. }
        | W::WriteAnswered { .. }
        | W::ResourceWritten { .. }
        | W::ResourceRefused { .. }
        | W::WriteFailed { .. } => Step,
        W::Began { .. } => Noise,
        W::Started { .. }
        | W::ActionRefused { .. }
        | W::LatencySet { .. }
        | W::DiskSpeedSet { .. }
        | W::ConnectionRefused { .. }
        | W::Synced { .. }
        | W::EpochWritten { .. }
        | W::Applied { .. }
        | W::WriteAsked { .. } => Detail,
        W::SnapshotWritten { last_txn: Zxid::ZERO, .. } => Noise,
        W::SnapshotWritten { .. } => Detail,
        W::Connected { port, .. } => match port {
            Port::Quorum | Port::Service => Detail,
            Port::Election | Port::Client => Noise,
        },
        W::ClientOpened { .. } | W::ClientKilled { .. } | W::ClientPaused { .. } | W::ClientResumed { .. } => Step,
        W::Sent { message: Parcel::Zab(message), .. } => sent(message),
        W::Sent { message: Parcel::Other(saying), .. } => saying.interest,
        W::Sent { .. } => Noise, // the client's own facts tell it
        W::Lost { name, .. } => {
            if matches!(*name, "PING" | "NOTIFICATION" | "CLIENT_PING" | "CLIENT_PONG") {
                Noise
            } else {
                Detail
            }
        }
        W::Restored { last_txn, .. } => {
            if *last_txn == Zxid::ZERO {
                Noise
            } else {
                Detail
            }
        }
        W::Serving { on: true, .. } => Noise,
        W::Serving { on: false, .. } => Detail,
        W::Dialled { .. } | W::ConnectionClosed { .. } | W::Delivered { .. } => Noise,
    }
}

/// Packets that a fact of their sender tells of already are noise, and so are heartbeats and repeated votes.
fn sent(message: &Message) -> Interest {
    match message {
        Message::Notification(notification) => match notification.state {
            ServerState::Looking => Noise,
            ServerState::Following | ServerState::Leading | ServerState::Observing | ServerState::Standalone => {
                Detail
            }
        },
        Message::Packet(packet) => match packet {
            Packet::FollowerInfo { .. }
            | Packet::ObserverInfo { .. }
            | Packet::LeaderInfo { .. }
            | Packet::AckEpoch { .. }
            | Packet::NewLeader { .. }
            | Packet::Revalidate { .. }
            | Packet::Sync { .. }
            | Packet::Request { .. } => Detail,
            Packet::Ack { zxid } => {
                if zxid.is_new_epoch() {
                    Noise
                } else {
                    Detail
                }
            }
            Packet::Diff { .. }
            | Packet::Trunc { .. }
            | Packet::Snap { .. }
            | Packet::Proposal(_)
            | Packet::Commit { .. }
            | Packet::CommitAndActivate { .. }
            | Packet::Inform(_)
            | Packet::InformAndActivate { .. }
            | Packet::UpToDate
            | Packet::Ping { .. } => Noise,
        },
    }
}
