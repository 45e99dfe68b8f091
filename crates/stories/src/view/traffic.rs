//! The packets on their way as a list: for those who do not see the stage.

use crate::base::SortedMap;
use crate::sim::{Item, World};

/// Packets of one type that are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Their type's real name.
    pub name: &'static str,
    /// How many there are.
    pub count: usize,
    /// How many of them wait at a cut.
    pub held: usize,
}

/// What is on its way at a moment (µs), by type in the order of their names. Heartbeats do not count.
pub fn traffic(world: &World, now: f64) -> Vec<Traffic> {
    let mut all: SortedMap<&'static str, Traffic> = SortedMap::new();
    for conn in world.network.conns.values() {
        for to_acceptor in [true, false] {
            let (sender, receiver) = conn.ends(to_acceptor);
            let cut = world.network.link(sender, receiver).cut;
            for flying in &conn.pipe(to_acceptor).items {
                let Item::Message(parcel) = &flying.item else { continue };
                let name = parcel.name();
                if flying.sets_out().0 as f64 > now || matches!(name, "PING" | "CLIENT_PING" | "CLIENT_PONG") {
                    continue;
                }
                let known = all.get_or(name, Traffic { name, count: 0, held: 0 });
                known.count += 1;
                known.held += usize::from(cut);
            }
        }
    }
    all.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ServerId, SimTime};
    use crate::scenarios::scenario;
    use crate::sim::{Action, Player};

    #[test]
    fn packets_are_counted_by_type_and_those_at_a_cut_are_told() {
        let mut run = scenario("cold-start-3").expect("a built-in scenario").run();
        let only = |id: u8| [ServerId(id)].into_iter().collect();
        run.push(SimTime::from_ms(1_600), Action::Cut { from: only(3), to: only(1), one_way: false });
        run.push(
            SimTime::from_ms(1_610),
            Action::Write { server: ServerId(3), data: "x=1".into(), count: 2, every_us: 0 },
        );
        let mut player = Player::new(run).expect("a valid run");
        let mut most = Vec::new();
        while player.world().now < SimTime::from_ms(1_700) && player.step().is_some() {
            let now = traffic(player.world(), player.world().now.0 as f64);
            assert!(now.iter().all(|one| one.count > 0 && one.held <= one.count && one.name != "PING"));
            most = if now.iter().any(|one| one.name == "PROPOSAL" && one.held > 0) { now } else { most };
        }
        let proposals = most.iter().find(|one| one.name == "PROPOSAL").expect("proposals wait at the cut");
        assert!(proposals.held == 2, "{most:?}");
        assert!(most.is_sorted_by_key(|one| one.name));
    }
}
