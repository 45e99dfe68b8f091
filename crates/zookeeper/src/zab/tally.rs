//! Counting votes: which entries agree with a vote, and whether they are a majority
//! (`SyncedLearnerTracker.java`, `Vote.java` `equals`).

use crate::base::{ServerId, ServerSet, SortedMap};

use super::message::Notification;
use super::vote::ServerState;

/// What one server said last.
pub(in crate::zab) type Ballots = SortedMap<ServerId, Notification>;

/// Who agrees with `probe`. Between servers that look for a leader everything must match; between two that have found
/// one only leader and peerEpoch, because those who joined at different times remember different rounds and zxids
/// (ZOOKEEPER-1732, 1805). `only_leader`: among entries kept with version 0, the leader alone counts.
pub(in crate::zab) fn agreeing(ballots: &Ballots, probe: &Notification, only_leader: bool) -> ServerSet {
    let same = |ballot: &Notification| {
        if ballot.state == ServerState::Looking || probe.state == ServerState::Looking {
            ballot.vote == probe.vote && ballot.round == probe.round
        } else {
            ballot.vote.leader == probe.vote.leader
                && (only_leader || ballot.vote.peer_epoch == probe.vote.peer_epoch)
        }
    };
    ballots.iter().filter(|(_, ballot)| same(ballot)).map(|(&id, _)| id).collect()
}

/// `checkLeader`: the leader that others report must itself say that it leads; a reported leader that is this server
/// counts only in this server's own round. Keeps servers from following one that is gone.
pub(in crate::zab) fn leader_is_alive(ballots: &Ballots, leader: ServerId, me: ServerId, same_round: bool) -> bool {
    if leader == me {
        return same_round;
    }
    ballots.get(&leader).is_some_and(|ballot| ballot.state == ServerState::Leading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Zxid;
    use crate::zab::Vote;

    fn said(leader: u8, counter: u32, round: u64, state: ServerState) -> Notification {
        let vote = Vote { leader: ServerId(leader), zxid: Zxid::new(1, counter), peer_epoch: 1 };
        Notification { vote, round, state, config: None }
    }

    #[test]
    fn looking_votes_must_match_in_all() {
        let looking = ServerState::Looking;
        let ballots: Ballots = [
            (ServerId(1), said(3, 5, 2, looking)),
            (ServerId(2), said(3, 5, 1, looking)),
            (ServerId(3), said(3, 5, 2, looking)),
        ]
        .into_iter()
        .collect();
        let agree = agreeing(&ballots, &said(3, 5, 2, looking), false);
        assert_eq!(agree, [1, 3].map(ServerId).into_iter().collect());
    }

    #[test]
    fn settled_votes_match_by_leader_and_epoch() {
        let ballots: Ballots = [
            (ServerId(1), said(3, 5, 2, ServerState::Following)),
            (ServerId(3), said(3, 9, 7, ServerState::Leading)),
        ]
        .into_iter()
        .collect();
        let probe = said(3, 1, 1, ServerState::Leading);
        assert_eq!(agreeing(&ballots, &probe, false).len(), 2);
        assert!(leader_is_alive(&ballots, ServerId(3), ServerId(2), false));
        assert!(!leader_is_alive(&ballots, ServerId(1), ServerId(2), false), "server 1 does not lead");
    }

    #[test]
    fn settled_votes_for_another_leader_never_match_and_of_another_epoch_by_the_leader_alone() {
        let mut later = said(3, 5, 2, ServerState::Leading);
        later.vote.peer_epoch = 2;
        let ballots: Ballots =
            [(ServerId(1), said(2, 5, 2, ServerState::Following)), (ServerId(3), later)].into_iter().collect();
        let probe = said(3, 1, 1, ServerState::Following);
        assert_eq!(agreeing(&ballots, &probe, false), ServerSet::EMPTY);
        assert_eq!(agreeing(&ballots, &probe, true), [ServerId(3)].into_iter().collect());
    }
}
