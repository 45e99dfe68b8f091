//! The phase of the protocol that a server is in, read off its role.

use super::leader::LeaderStage;
use super::learner::LearnerStage;
use super::peer::{Peer, Role};

/// The phase of the protocol (`ZabState`, `QuorumPeer.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// Looks for a leader.
    Election,
    /// Agrees on the epoch.
    Discovery,
    /// Takes over or hands over the history.
    Synchronization,
    /// Takes part in the broadcast.
    Broadcast,
    /// Serves alone, without the protocol. No phase of the real one's.
    Standalone,
}

impl Peer {
    /// The phase it is in.
    pub fn phase(&self) -> Phase {
        match &self.role {
            Role::Alone(_) => Phase::Standalone,
            Role::Looking | Role::Stopped | Role::Leaving { .. } => Phase::Election,
            Role::Leading(leader) => match leader.stage {
                LeaderStage::Active => Phase::Broadcast,
                LeaderStage::AwaitNewLeaderAcks => Phase::Synchronization,
                _ => Phase::Discovery,
            },
            Role::Learning(learner) => match learner.stage {
                LearnerStage::Serving => Phase::Broadcast,
                LearnerStage::Connecting | LearnerStage::AwaitLeaderInfo | LearnerStage::WriteAcceptedEpoch => {
                    Phase::Discovery
                }
                _ => Phase::Synchronization,
            },
        }
    }
}
