//! The groups into which cuts split an ensemble: servers that still reach each other, directly or through others.

use crate::base::{ServerId, ServerSet};
use crate::sim::Status;

use super::scene::Scene;

/// Servers that still reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The servers of one side, up or down.
    pub servers: ServerSet,
    /// Whether those of them that are up are a majority of all that vote: only one group can go on.
    pub majority: bool,
}

impl Scene {
    /// The groups, those with the lowest id first; none where everybody reaches everybody. A link that is cut in one direction
    /// carries no conversation: connections need both.
    pub fn groups(&self) -> Vec<Group> {
        let mut rest: Vec<ServerId> = self.cards.iter().map(|card| card.id).collect();
        let mut groups = Vec::new();
        while let Some(&first) = rest.first() {
            let mut servers: ServerSet = [first].into_iter().collect();
            while let Some(next) = rest.iter().copied().find(|&id| !servers.contains(id) && self.reaches(servers, id))
            {
                servers.insert(next);
            }
            rest.retain(|id| !servers.contains(*id));
            groups.push(Group { servers, majority: self.is_majority(servers) });
        }
        if groups.len() > 1 { groups } else { Vec::new() }
    }

    fn reaches(&self, servers: ServerSet, id: ServerId) -> bool {
        self.links.iter().any(|link| {
            link.is_open()
                && ((link.a == id && servers.contains(link.b)) || (link.b == id && servers.contains(link.a)))
        })
    }

    fn is_majority(&self, servers: ServerSet) -> bool {
        let up = |id: &ServerId| self.cards.iter().any(|card| card.id == *id && card.status != Status::Crashed);
        let voting = servers.iter().filter(|&id| self.voters.contains(id)).filter(up).count();
        voting * 2 > self.voters.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
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
}
