//! Who waits for what, and how much of the time is left: what drains on the stage while nothing seems to happen.

use crate::base::{Micros, Node, ServerId, SortedMap};
use crate::client::State;
use crate::sim::{Choice, Timer, World};
use crate::zab::Role;
use crate::{server, zab};

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Awaited {
    /// A better vote: a majority agrees already (`finalizeWait`).
    BetterVote,
    /// The elected leader, which does not answer yet (`initLimit`).
    Leader,
    /// A majority that follows (`initLimit`).
    Quorum,
    /// A word from this server (`syncLimit`).
    Word(ServerId),
    /// A word from the client: its session ends otherwise.
    Client,
}

/// Somebody who waits, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// A server, or the client whose session drains.
    pub who: Node,
    /// For what.
    pub awaited: Awaited,
    /// What is left, µs.
    pub left: Micros,
    /// Of so much, µs.
    pub of: Micros,
}

impl Waiting {
    /// What is left, in hundredths.
    pub fn share(&self) -> u64 {
        (self.left * 100 / self.of.max(1)).min(100)
    }
}

/// Where heartbeats arrive as they should, more than this is left of every wait, in hundredths; a client pings after a third of its
/// timeout, and is heard of up to a tick later.
const USUAL: u64 = 70;
const USUAL_OF_CLIENTS: u64 = 55;

/// Everybody who has waited for longer than usual: of each the wait that ends first.
pub fn waiting(world: &World) -> Vec<Waiting> {
    let mut all: SortedMap<Node, Waiting> = SortedMap::new();
    let servers = world.choices().filter_map(|(at, choice)| {
        let Choice::Timer(id, Timer::Server(server::Timer::Zab(timer))) = choice else { return None };
        let (awaited, of) = server_waits(world, id, timer)?;
        Some(Waiting { who: Node::Server(id), awaited, left: at.since(world.now), of })
    });
    for one in servers.chain(sessions(world)) {
        let late = match one.awaited {
            Awaited::BetterVote => true,
            Awaited::Client => one.share() < USUAL_OF_CLIENTS,
            _ => one.share() < USUAL,
        };
        if late && all.get(&one.who).is_none_or(|known| one.left < known.left) {
            all.insert(one.who, one);
        }
    }
    all.into_values().collect()
}

fn server_waits(world: &World, id: ServerId, timer: zab::Timer) -> Option<(Awaited, Micros)> {
    let setup = world.setup();
    let ticks = |count: u64| count * setup.tick_time_ms * 1_000;
    Some(match timer {
        zab::Timer::Finalize => (Awaited::BetterVote, zab::FINALIZE_WAIT),
        zab::Timer::ConnectLimit => (Awaited::Leader, ticks(setup.init_limit)),
        zab::Timer::QuorumWait => (Awaited::Quorum, ticks(setup.init_limit)),
        zab::Timer::ReadTimeout(conn) => {
            let conn = world.network.conns.get(&conn)?;
            let other = if conn.dialler == Node::Server(id) { conn.acceptor } else { conn.dialler };
            (Awaited::Word(other.server()?), ticks(setup.sync_limit))
        }
        _ => return None,
    })
}

/// Sessions of living clients, as the established leader counts.
fn sessions(world: &World) -> impl Iterator<Item = Waiting> {
    let leading = world.processes.values().find_map(|process| {
        let memory = process.server()?;
        matches!(memory.peer.role, Role::Leading(_)).then_some(memory.service.leading.as_ref()).flatten()
    });
    leading.into_iter().flat_map(move |leading| {
        world.clients.values().filter_map(move |process| {
            let client = &process.client;
            let due = leading.due(client.session).filter(|_| client.state != State::Closed)?;
            let of = Micros::from(client.timeout_ms) * 1_000;
            Some(Waiting { who: Node::Client(process.id), awaited: Awaited::Client, left: due.since(world.now), of })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ClientId, SimTime};
    use crate::scenarios::scenario;
    use crate::sim::Player;

    /// What was waited for in a scenario, looked at every 10 ms, and how it ended.
    fn seen(id: &str) -> Vec<Waiting> {
        let scenario = scenario(id).unwrap();
        let mut player = Player::new(scenario.run()).unwrap();
        let mut all = Vec::new();
        for ms in (0..scenario.until_ms).step_by(10) {
            player.run_until(SimTime::from_ms(ms), |_, _| {});
            all.extend(waiting(player.world()));
        }
        all
    }

    #[test]
    fn voters_wait_for_a_better_vote_and_nobody_else_in_a_quiet_start() {
        let all = seen("cold-start-3");
        assert!(all.iter().any(|one| one.awaited == Awaited::BetterVote && one.share() < 50));
        assert!(all.iter().all(|one| one.awaited == Awaited::BetterVote), "{:?}", all.last());
    }

    #[test]
    fn both_sides_of_a_cut_wait_for_a_word_until_the_limit() {
        let all = seen("minority-partition");
        let words = |id: u8| all.iter().filter(move |one| one.who == Node::Server(ServerId(id)));
        let last = |id: u8| words(id).filter(|one| matches!(one.awaited, Awaited::Word(_))).map(Waiting::share).min();
        assert!((1..=3).any(|id| last(id).is_some_and(|share| share < 10)), "{:?}", last(1));
    }

    #[test]
    fn the_session_of_a_client_that_sleeps_drains_to_nothing() {
        let all = seen("lock-pause");
        let drains = all.iter().filter(|one| one.who == Node::Client(ClientId(1))).map(Waiting::share);
        let drains: Vec<u64> = drains.collect();
        assert!(drains.iter().any(|share| *share < 5), "{drains:?}");
        let awake: Vec<&Waiting> = all.iter().filter(|one| one.who == Node::Client(ClientId(2))).collect();
        assert!(awake.is_empty(), "C2 is heard: {awake:?}");
    }
}
