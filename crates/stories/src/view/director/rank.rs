//! How much a fact matters to what a scenario is about: 5 decides, 4 is a cause, 3 a small step, 2 and 1 are for the log alone.

use crate::base::Zxid;
use crate::recipes::{self, ConnectionState};
use crate::scenarios::{Group, Scenario};
use crate::sim::{Death, DiskFault, Fact, Interest, Record, WorldFact, interest};
use crate::wire::{Code, KeeperState};
use crate::zab::{self, ServerState, SyncKind};
use crate::{client, server};

/// The rank of a fact, 1 to 5, where this scenario is told; in a run of one's own, none.
pub fn rank(record: &Record, scenario: Option<&Scenario>) -> u8 {
    let topic = scenario.map_or(Group::Ensemble, Scenario::group);
    match &record.fact {
        Fact::Zab { fact, .. } => {
            let rank = in_server(fact);
            // where clients are the topic, servers matter when they get or lose a leader
            match topic {
                Group::Ensemble => rank,
                _ if rank == 5 => rank,
                Group::Store => rank.min(3),
                Group::Locks | Group::Recipes => rank.min(2),
            }
        }
        Fact::World(WorldFact::Started { .. }) if record.at_us.0 == 0 => 2,
        Fact::World(fact) => in_world(fact),
        Fact::Client { fact, .. } => in_client(fact, topic),
        Fact::Server { fact, .. } => in_service(fact, topic),
        Fact::Program { fact, .. } => in_program(fact, scenario.is_some()),
        Fact::Other { fact, .. } => match fact.interest {
            Interest::Step => 4,
            Interest::Detail => 3,
            Interest::Noise => 1,
        },
    }
    .min(if interest(record) == Interest::Noise { 2 } else { 5 })
}

fn in_server(fact: &zab::Fact) -> u8 {
    use zab::Fact as F;
    match fact {
        F::Elected { role: ServerState::Leading, .. }
        | F::Left { role: ServerState::Leading, .. }
        | F::Established { .. }
        | F::Standalone { .. }
        | F::RefusedToStart { .. }
        | F::CannotStart { .. }
        | F::LeaderDesignated { .. }
        | F::SyncChosen { sync: SyncKind::Trunc | SyncKind::Snap, .. }
        | F::SyncChosen { proposals: 1.., .. } => 5,
        F::Looking { .. }
        | F::VoteChanged { .. }
        | F::Finalizing { .. }
        | F::Elected { .. }
        | F::EpochProposed { .. }
        | F::EpochAccepted { .. }
        | F::Proposed { .. }
        | F::Committed { .. }
        | F::UpToDate { .. }
        | F::AcksForgotten { .. }
        | F::LearnerDropped { .. }
        | F::Left { .. }
        | F::ConfigSeen { .. }
        | F::ConfigActivated { .. } => 4,
        F::FinalizingBroken { .. }
        | F::SyncChosen { .. }
        | F::Synchronizing { .. }
        | F::NewLeaderAcked { .. }
        | F::NewLeaderAckCounted { .. }
        | F::AckCounted { .. } => 3,
        F::Recovered { last_zxid, .. } if *last_zxid != Zxid::ZERO => 3,
        F::RoundJoined { .. } | F::Queued { .. } | F::FastForwarded { .. } | F::Recovered { .. } => 2,
    }
}

fn in_world(fact: &WorldFact) -> u8 {
    use WorldFact as W;
    match fact {
        W::Crashed { how: Death::Crash | Death::Kill | Death::PowerOff, .. }
        | W::Exited { .. }
        | W::Paused { .. }
        | W::Resumed { .. }
        | W::Started { .. }
        | W::Added { .. }
        | W::ConfigEdited { .. }
        | W::OracleSet { .. }
        | W::LinkCut { .. }
        | W::LinkHealed { .. }
        | W::PacketHeld { .. }
        | W::PacketReleased { .. }
        | W::PacketDelayed { .. }
        | W::ConnectionBroken { .. }
        | W::DiskDelayed { .. }
        | W::DiskFaultSet { fault: DiskFault::None | DiskFault::Full | DiskFault::Error, .. }
        | W::DiskWiped { .. }
        | W::DiskBackedUp { .. }
        | W::BackupRestored { .. }
        | W::ClockJumped { .. }
        | W::ClientKilled { .. }
        | W::ClientPaused { .. }
        | W::ClientResumed { .. }
        | W::UnsyncedLost { .. }
        | W::ResourceWritten { .. }
        | W::ResourceRefused { .. } => 5,
        W::LogTruncated { removed, .. } if !removed.is_empty() => 5,
        W::DiskFailed { .. }
        | W::SnapshotLost { .. }
        | W::Purged { .. }
        | W::LatencySet { .. }
        | W::DiskSpeedSet { .. }
        | W::ActionRefused { .. }
        | W::ClientOpened { .. }
        | W::FourLetterAnswered { .. }
        | W::FourLetterUnanswered { .. }
        | W::WriteFailed { .. } => 4,
        W::LogTruncated { .. } | W::WriteAsked { .. } | W::WriteAnswered { .. } | W::Lost { .. } => 3,
        // that nobody listens where nothing runs is no news
        W::ConnectionRefused { .. }
        | W::Restored { .. }
        | W::SnapshotWritten { .. }
        | W::Serving { .. }
        | W::Connected { .. } => 2,
        W::Synced { .. } | W::EpochWritten { .. } | W::Applied { .. } | W::Sent { .. } => 2,
        W::Began { .. } | W::Dialled { .. } | W::ConnectionClosed { .. } | W::Delivered { .. } => 1,
    }
}

fn in_client(fact: &client::Fact, topic: Group) -> u8 {
    use client::Fact as F;
    let store = topic == Group::Store;
    match fact {
        F::ClientEnded { state: KeeperState::Expired, .. } => 5,
        // a recipe's own call is no news
        F::Answered { in_doubt: true, .. } if matches!(topic, Group::Ensemble | Group::Store) => 5,
        // that a node is there already, or is not, is what a recipe asked
        F::Answered { outcome: Err(client::Failure::Code(Code::NodeExists | Code::NoNode)), .. }
            if matches!(topic, Group::Locks | Group::Recipes) =>
        {
            2
        }
        F::ClientEnded { .. } | F::ClientDisconnected { .. } | F::Answered { outcome: Err(_), .. } => 4,
        F::Notified { .. } if topic != Group::Ensemble => 4,
        F::Called { .. } | F::Answered { .. } if store => 4,
        F::ClientConnected { again: true, .. } => 4,
        F::Notified { .. } | F::ClientConnected { .. } => 3,
        F::Called { .. } | F::Answered { .. } => 2,
        F::ClientConnecting { .. } | F::ClientSeeks { .. } | F::WatcherCalled { .. } => 1,
    }
}

fn in_service(fact: &server::Fact, topic: Group) -> u8 {
    use server::Fact as F;
    match fact {
        F::SessionExpired { .. } if topic == Group::Store => 5,
        F::SessionClosed { ephemerals, .. } if !ephemerals.is_empty() => 5,
        F::OverQuota { hard: true, .. } => 5,
        F::WatchFired { .. } if topic != Group::Ensemble => 4,
        F::SessionExpired { .. }
        | F::SessionClosed { .. }
        | F::ClientTurnedAway { .. }
        | F::OverQuota { .. }
        | F::ReadOnly { .. }
        | F::SessionMoved { .. }
        | F::SessionUpgraded { .. }
        | F::LocalSessionEnded { .. }
        | F::Throttled { on: true, .. } => 4,
        F::SessionOpened { .. } | F::SessionResumed { .. } | F::WatchFired { .. } | F::Throttled { .. } => 3,
    }
}

fn in_program(fact: &recipes::Fact, staged: bool) -> u8 {
    use recipes::Fact as F;
    match fact {
        // where nobody has set the scene, who has it says more than who had it
        F::Released { .. } if !staged => 4,
        F::Acquired { .. } | F::Released { .. } | F::Consumed { .. } => 5,
        F::ConnectionState { state: ConnectionState::Suspended | ConnectionState::Lost }
        | F::StateHeldBack { .. }
        | F::WaitsBehind { .. }
        | F::WaitsFor { .. }
        | F::GaveUp { .. }
        | F::Requeued { .. }
        | F::FoundProtected { .. }
        | F::Told { .. }
        | F::MethodReturned { outcome: Err(_), .. } => 4,
        F::ConnectionState { .. } | F::Callback { .. } | F::RecipeMade { .. } => 3,
        F::MethodCalled { .. } | F::MethodReturned { .. } => 2,
        F::Woken { .. } | F::AtLine { .. } | F::Keeps { .. } => 1,
    }
}
