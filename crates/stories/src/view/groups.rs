//! The groups into which cuts split an ensemble: servers that still reach each other, directly or through others. Where nothing is cut
//! they are those by which a hierarchical quorum counts.

use crate::base::{ServerId, ServerSet};
use crate::sim::Status;

use super::card::latest_quorums;
use super::scene::Scene;

/// Servers that still reach each other, or whose votes are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The servers of one side, up or down.
    pub servers: ServerSet,
    /// Whether those of them that are up are a quorum, by the latest configuration that one of them knows: then they can go on. Where
    /// nothing is cut: whether they have more than half of their group's weight.
    pub majority: bool,
    /// Its votes are counted together; the ensemble is not split.
    pub counted: bool,
}

impl Scene {
    /// The groups, those with the lowest id first; none where everybody reaches everybody and a majority of all is a quorum. A link that is
    /// cut in one direction carries no conversation: connections need both.
    pub fn groups(&self) -> Vec<Group> {
        // what goes on without a majority in another system, and what does not, is that system's matter
        let own = self.cards.iter().filter(|card| !card.is_of_other_system());
        let mut rest: Vec<ServerId> = own.map(|card| card.id).collect();
        let mut groups = Vec::new();
        while let Some(&first) = rest.first() {
            let mut servers: ServerSet = [first].into_iter().collect();
            while let Some(next) = rest.iter().copied().find(|&id| !servers.contains(id) && self.reaches(servers, id))
            {
                servers.insert(next);
            }
            rest.retain(|id| !servers.contains(*id));
            groups.push(Group { servers, majority: self.is_majority(servers), counted: false });
        }
        if groups.len() > 1 { groups } else { self.voting_groups() }
    }

    /// The groups of a hierarchical quorum, by the latest configuration that somebody knows.
    fn voting_groups(&self) -> Vec<Group> {
        let up = self.cards.iter().filter(|card| card.status != Status::Crashed).map(|card| card.id).collect();
        let groups = latest_quorums(&self.cards).map_or_else(Vec::new, |quorums| quorums.last_seen().groups(up));
        groups.into_iter().map(|(servers, majority)| Group { servers, majority, counted: true }).collect()
    }

    fn reaches(&self, servers: ServerSet, id: ServerId) -> bool {
        self.links.iter().any(|link| {
            link.is_open()
                && ((link.a == id && servers.contains(link.b)) || (link.b == id && servers.contains(link.a)))
        })
    }

    fn is_majority(&self, servers: ServerSet) -> bool {
        let up = self.cards.iter().filter(|card| servers.contains(card.id) && card.status != Status::Crashed);
        let votes: ServerSet = up.clone().map(|card| card.id).collect();
        let known = || up.clone().filter(|card| card.votes).filter_map(|card| card.quorums);
        let latest = known().map(|quorums| quorums.last_seen().version).max();
        known().any(|quorums| Some(quorums.last_seen().version) == latest && quorums.is_quorum(votes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::{Action, Run, Setup};
    use crate::timeline::Session;

    fn set(ids: &[u8]) -> ServerSet {
        ids.iter().copied().map(ServerId).collect()
    }

    fn groups(session: &Session) -> Vec<(ServerSet, bool)> {
        let scene = Scene::of(session.world(), session.run_summary());
        scene.groups().iter().map(|group| (group.servers, group.majority)).collect()
    }

    #[test]
    fn groups_come_with_cuts_and_go_when_they_heal() {
        let setup = Setup { voters: 5, observers: 1, ..Setup::default() };
        let mut session = Session::new(Run::new(1, setup), None).unwrap();
        session.seek(SimTime::from_ms(500)).unwrap();
        assert_eq!(groups(&session), []);
        session.act(Action::Cut { from: set(&[1, 2]), to: set(&[3, 4, 5]), one_way: false }).unwrap();
        assert_eq!(groups(&session), [], "the observer still reaches both");
        session.act(Action::Cut { from: set(&[1, 2]), to: set(&[6]), one_way: true }).unwrap();
        assert_eq!(groups(&session), [(set(&[1, 2]), false), (set(&[3, 4, 5, 6]), true)]);
        session.act(Action::Crash { server: ServerId(4) }).unwrap();
        assert_eq!(groups(&session)[1], (set(&[3, 4, 5, 6]), false), "two that are up are no majority of five");
        session.act(Action::HealAll).unwrap();
        assert_eq!(groups(&session), []);
    }

    #[test]
    fn what_is_a_quorum_is_said_by_weights_and_by_the_configuration() {
        let session = |run: Run, until_ms| {
            let mut session = Session::new(run, None).unwrap();
            session.seek(SimTime::from_ms(until_ms)).unwrap();
            session
        };
        let cut = |from: &[u8], to: &[u8]| Action::Cut { from: set(from), to: set(to), one_way: false };
        let setup = Setup { voters: 5, groups: vec![set(&[1, 2, 3]), set(&[4, 5])], ..Setup::default() };
        let mut grouped = session(Run::new(1, Setup { weights: vec![1, 1, 1, 0, 0], ..setup }), 500);
        assert_eq!(groups(&grouped), [(set(&[1, 2, 3]), true)], "the others have no weight");
        grouped.act(cut(&[1, 2], &[3, 4, 5])).unwrap();
        assert_eq!(groups(&grouped), [(set(&[1, 2]), true), (set(&[3, 4, 5]), false)]);

        let grown = scenario("reconfig-grow").unwrap().run();
        for (until_ms, go_on) in [(2_800, true), (3_900, false)] {
            let mut grown = session(grown.clone(), until_ms);
            grown.act(cut(&[1, 2], &[3, 4, 5])).unwrap();
            let expected = [(set(&[1, 2]), go_on), (set(&[3, 4, 5]), !go_on)];
            assert_eq!(groups(&grown), expected, "two of three before, three of five after");
            let outside: ServerSet = Scene::of(grown.world(), grown.run_summary())
                .cards
                .iter()
                .filter(|card| card.is_outside())
                .map(|card| card.id)
                .collect();
            assert_eq!(outside, if go_on { set(&[4, 5]) } else { ServerSet::EMPTY });
        }
        let redis = session(scenario("redis-old-master").unwrap().run(), 5_240);
        assert_eq!(groups(&redis), [], "a master asks nobody whether it is of the majority");
        let by_hand = session(scenario("config-by-hand").unwrap().run(), 4_700);
        assert_eq!(groups(&by_hand), [(set(&[1, 3]), true), (set(&[2, 4, 5]), true)], "that is what is wrong there");
    }
}
