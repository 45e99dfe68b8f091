//! Whether anybody can be elected at all. A known limit of ZooKeeper's reconfiguration, which ours has too: from the moment a configuration
//! is proposed, whoever has seen it needs a quorum of it as well as of the one in force. Only members of the one in force may lead, and all
//! of them vote for the one with the longest log. If that one needs a server of the proposed configuration whose log is longer still, it
//! never gets its vote: that server agrees with nobody, rightly (what it has may be committed), and may not lead itself.
//!
//! With one configuration this cannot be: whoever votes may lead, and all agree with the longest log. So the liveness of a random run
//! is not judged just where it is so, and everywhere else.

use crate::base::{Epoch, ServerId, ServerSet, SortedMap, Zxid};
use crate::sim::{Fact, Record};
use crate::zab::{self, Quorums};

/// What servers bring into elections.
#[derive(Debug, Default)]
pub(super) struct Electable {
    /// What each said of its history when it last began to look for a leader.
    histories: SortedMap<ServerId, (Epoch, Zxid)>,
}

impl Electable {
    pub(super) fn read(&mut self, record: &Record) {
        if let Fact::Zab { server, fact: zab::Fact::Looking { last_zxid, current_epoch, .. } } = record.fact {
            self.histories.insert(server, (current_epoch, last_zxid));
        }
    }

    /// Whether the one for whom all vote cannot get a quorum of each configuration that it knows, although all servers run and are
    /// connected.
    pub(super) fn is_nobody(&self, known: impl Fn(ServerId) -> Quorums) -> bool {
        let leads = self.histories.iter().filter(|&(&id, _)| known(id).now.votes(id));
        let best = leads.max_by_key(|&(&id, history)| (*history, id)).map(|(&id, _)| id);
        best.is_some_and(|best| !known(best).is_quorum(self.agreeing(best, &known)))
    }

    /// Who can come to agree with a candidate: those whose own history is not longer. An observer brings none into an election.
    fn agreeing(&self, candidate: ServerId, known: impl Fn(ServerId) -> Quorums) -> ServerSet {
        let history = self.histories.get(&candidate);
        let agrees =
            |(&id, own): (&ServerId, _)| (Some(own) <= history || known(id).now.observers.contains(id)).then_some(id);
        self.histories.iter().filter_map(agrees).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::zab::Members;

    fn set<const N: usize>(ids: [u8; N]) -> ServerSet {
        ids.map(ServerId).into_iter().collect()
    }

    /// S1, S2 and S3 lead and vote, S4 and S5 shall. What each has in its log in epoch 6, and what those of `seen` have seen proposed.
    fn is_nobody(counters: [u32; 5], next: ServerSet, seen: ServerSet) -> bool {
        let mut electable = Electable::default();
        for (id, counter) in (1..).zip(counters) {
            let (last_zxid, current_epoch) = (Zxid::new(6, counter), 6);
            let fact = zab::Fact::Looking { round: 1, last_zxid, current_epoch };
            let fact = Fact::Zab { server: ServerId(id), fact };
            electable.read(&Record { seq: 0, at_us: SimTime::ZERO, fact, why: None });
        }
        let now = Members::new(ServerSet::first(3), ServerSet::EMPTY);
        let next = Members { version: Zxid::new(6, 2), ..Members::new(next, ServerSet::EMPTY) };
        electable.is_nobody(|id| Quorums { now, next: seen.contains(id).then_some(next) })
    }

    #[test]
    fn who_must_agree_and_has_a_longer_log_than_all_who_may_lead_keeps_everybody_out_of_office() {
        let (both, all) = (set([4, 5]), ServerSet::first(5));
        assert!(is_nobody([1, 2, 1, 3, 2], both, all), "S4 agrees with nobody, and both are needed");
        assert!(is_nobody([1, 2, 1, 3, 2], both, set([2, 4, 5])), "S1 and S3 vote for S2, which has seen it");
        // one step aside, each of these can go on
        assert!(!is_nobody([1, 2, 3, 3, 2], both, all), "S3 has as much");
        assert!(!is_nobody([1, 2, 1, 3, 2], set([3, 4, 5]), all), "S3 and S5 are enough of three");
        assert!(!is_nobody([1, 2, 1, 3, 2], both, set([4, 5])), "S2 has not seen it, and needs no quorum of it");
        assert!(!is_nobody([1, 2, 2, 3, 2], both, set([2, 4, 5])), "S3 is voted for, and has not seen it");
        assert!(!is_nobody([2, 2, 3, 2, 2], both, all), "the longest log may lead");
        assert!(!Electable::default().is_nobody(|_| Members::new(set([1]), set([])).into()), "nobody has looked yet");
    }

    #[test]
    fn with_one_configuration_somebody_can_always_be_elected() {
        for counters in [[1, 2, 3, 9, 9], [3, 2, 1, 9, 1], [2, 2, 2, 2, 2], [1, 7, 1, 9, 9]] {
            assert!(!is_nobody(counters, set([4, 5]), set([])), "{counters:?}");
        }
    }
}
