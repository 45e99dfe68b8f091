//! Votes, their order, and when two of them are the same (`Vote.java`, `FastLeaderElection.java`).

use serde::{Deserialize, Serialize};

use crate::base::{Epoch, RuleSet, ServerId, Zxid};

use super::rules::BrokenRule;

/// What a server says of itself in a notification (`QuorumPeer.java` `ServerState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ServerState {
    /// Looking for a leader.
    Looking,
    /// Following one.
    Following,
    /// Leading.
    Leading,
    /// Following without a vote.
    Observing,
    /// Serving alone. It is never said to another server.
    Standalone,
}

/// A proposal of who should lead, with the history that speaks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Vote {
    /// Who should lead; [`ServerId::NONE`] in an observer's vote.
    pub leader: ServerId,
    /// The last zxid of the proposed leader.
    pub zxid: Zxid,
    /// The currentEpoch of the proposed leader.
    #[serde(rename = "peerEpoch")]
    pub peer_epoch: Epoch,
}

impl Vote {
    /// The vote of a server that has none: below every other.
    pub const NONE: Vote = Vote { leader: ServerId::NONE, zxid: Zxid::ZERO, peer_epoch: 0 };

    /// `totalOrderPredicate`: whether this vote beats `current` by (peerEpoch, zxid, id), and by which of the three.
    pub fn beats(&self, current: &Vote, rules: RuleSet) -> Option<Better> {
        if self.leader == ServerId::NONE {
            return None;
        }
        let zxids = if rules.breaks(BrokenRule::ElectionIgnoresZxid) {
            std::cmp::Ordering::Equal
        } else {
            self.zxid.cmp(&current.zxid)
        };
        if rules.breaks(BrokenRule::VotesNotTotal) && zxids.is_eq() && self.leader > current.leader {
            return Some(Better::Id);
        }
        let order = self.peer_epoch.cmp(&current.peer_epoch);
        let by = match (order.is_eq(), zxids.is_eq()) {
            (false, _) => Better::Epoch,
            (true, false) => Better::Zxid,
            (true, true) => Better::Id,
        };
        order.then(zxids).then(self.leader.cmp(&current.leader)).is_gt().then_some(by)
    }
}

/// What made one vote beat another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// A later currentEpoch.
    Epoch,
    /// A later zxid in the same epoch.
    Zxid,
    /// The same history and a higher id.
    Id,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(peer_epoch: Epoch, zxid: (u32, u32), leader: u8) -> Vote {
        Vote { leader: ServerId(leader), zxid: Zxid::new(zxid.0, zxid.1), peer_epoch }
    }

    #[test]
    fn epoch_then_zxid_then_id_decide() {
        let rules = RuleSet::default();
        let current = vote(2, (2, 5), 2);
        assert_eq!(vote(3, (1, 1), 1).beats(&current, rules), Some(Better::Epoch));
        assert_eq!(vote(2, (2, 6), 1).beats(&current, rules), Some(Better::Zxid));
        assert_eq!(vote(2, (2, 5), 3).beats(&current, rules), Some(Better::Id));
        assert_eq!(vote(2, (2, 5), 2).beats(&current, rules), None);
        assert_eq!(vote(1, (9, 9), 9).beats(&current, rules), None);
    }

    #[test]
    fn an_observers_vote_beats_nothing() {
        assert_eq!(Vote::NONE.beats(&vote(0, (0, 0), 1), RuleSet::default()), None);
        assert_eq!(vote(0, (0, 0), 1).beats(&Vote::NONE, RuleSet::default()), Some(Better::Id));
    }

    #[test]
    fn a_broken_rule_ignores_the_zxid() {
        let rules = RuleSet::default().breaking(BrokenRule::ElectionIgnoresZxid);
        assert_eq!(vote(2, (2, 1), 3).beats(&vote(2, (2, 5), 2), rules), Some(Better::Id));
    }

    #[test]
    fn a_broken_rule_takes_the_higher_id_of_an_older_epoch() {
        let rules = RuleSet::default().breaking(BrokenRule::VotesNotTotal);
        let current = vote(2, (2, 5), 2);
        assert_eq!(vote(1, (2, 5), 3).beats(&current, rules), Some(Better::Id));
        assert_eq!(vote(1, (2, 5), 3).beats(&current, RuleSet::default()), None);
        assert_eq!(current.beats(&current, rules), None);
    }
}
