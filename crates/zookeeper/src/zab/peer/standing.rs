//! What a server is to others, read off its role.

use crate::base::{ConnId, Zxid};
use crate::zab::leader::{Leader, LeaderStage};
use crate::zab::learner::LearnerStage;
use crate::zab::phase::Phase;
use crate::zab::vote::ServerState;

use super::{Peer, Role};

impl Peer {
    /// Its state as it tells it to others; a server that leaves a role still counts as having it.
    pub fn state(&self) -> ServerState {
        match &self.role {
            Role::Looking | Role::Stopped => ServerState::Looking,
            Role::Leading(_) => ServerState::Leading,
            Role::Learning(learner) if learner.observer => ServerState::Observing,
            Role::Learning(_) => ServerState::Following,
            Role::Alone(_) => ServerState::Standalone,
            Role::Leaving { was, .. } => *was,
        }
    }

    /// Whether it serves clients.
    pub fn is_serving(&self) -> bool {
        match &self.role {
            Role::Alone(alone) => !alone.loading,
            _ => self.phase() == Phase::Broadcast,
        }
    }

    /// Where transactions are made here, as by an established leader or a server alone: the last zxid given out, and whether
    /// everything before is applied.
    pub fn orders(&self) -> Option<(Zxid, bool)> {
        match &self.role {
            Role::Alone(alone) if !alone.loading => {
                Some((alone.last_proposed, alone.last_proposed == self.storage.last_processed))
            }
            _ => self.leading().map(|leader| (leader.last_proposed, leader.outstanding.is_empty())),
        }
    }

    /// Whether it leads an established epoch.
    pub fn is_established_leader(&self) -> bool {
        self.leading().is_some()
    }

    /// The connection to its leader, while it serves as a learner.
    pub fn upstream(&self) -> Option<ConnId> {
        match &self.role {
            Role::Learning(learner) if learner.stage == LearnerStage::Serving => Some(learner.conn()),
            _ => None,
        }
    }

    /// The leader's part, while it leads an established epoch.
    pub fn leading(&self) -> Option<&Leader> {
        match &self.role {
            Role::Leading(leader) if leader.stage == LeaderStage::Active => Some(leader),
            _ => None,
        }
    }
}
