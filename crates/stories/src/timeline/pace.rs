//! How fast virtual time runs: the speed that the viewer chose, and faster while nothing happens. Only a matter of
//! watching: every event happens at its own virtual time, whatever the pace.

use crate::sim::{Choice, Interest, Item, Parcel, Timer, World};
use crate::{server, zab};

/// A speed as virtual time over real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Over …
    pub times: u32,
    /// … this.
    pub of: u32,
}

impl Speed {
    /// The speed as a number.
    pub fn factor(self) -> f64 {
        f64::from(self.times) / f64::from(self.of)
    }
}

/// The speeds to choose from, slowest first.
pub const SPEEDS: [Speed; 12] = [
    Speed { times: 1, of: 200 },
    Speed { times: 1, of: 100 },
    Speed { times: 1, of: 50 },
    Speed { times: 1, of: 30 },
    Speed { times: 1, of: 10 },
    Speed { times: 1, of: 5 },
    Speed { times: 1, of: 2 },
    Speed { times: 1, of: 1 },
    Speed { times: 5, of: 1 },
    Speed { times: 20, of: 1 },
    Speed { times: 100, of: 1 },
    Speed { times: 1_000, of: 1 },
];

/// The index of the default: one hop of 15 ms takes about half a second.
pub const DEFAULT_SPEED: usize = 3;

/// The speed of this name, as an index into [`SPEEDS`]: `1/30` or `20`.
pub fn speed_named(name: &str) -> Option<usize> {
    let (times, of) = name.split_once('/').unwrap_or((name, "1"));
    let speed = Speed { times: times.parse().ok()?, of: of.parse().ok()? };
    SPEEDS.iter().position(|known| *known == speed)
}

/// What is going on, as far as the pace is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// Something to watch.
    Busy,
    /// Servers wait for a better vote (`finalizeWait`); nothing else happens.
    Waiting,
    /// Heartbeats at most.
    Idle,
}

/// The slowest that idle time passes when it is skipped, µs of virtual time in a millisecond: 10 s in 0.8 s.
pub(super) const IDLE_US_A_MS: f64 = 12_500.0;
/// An idle stretch whose end is known takes so long at least, ms of real time.
pub(super) const SKIP_MS: f64 = 300.0;
/// How much faster than chosen time runs while servers wait for a better vote.
const WAITING_BOOST: f64 = 6.0;

/// How much virtual time passes in a millisecond of real time, µs.
pub fn us_a_ms(world: &World, speed: Speed, skip_idle: bool) -> f64 {
    let chosen = speed.factor() * 1_000.0;
    if !skip_idle || chosen >= IDLE_US_A_MS {
        return chosen;
    }
    match mood(world) {
        Mood::Busy => chosen,
        Mood::Waiting => chosen * WAITING_BOOST,
        Mood::Idle => IDLE_US_A_MS,
    }
}

/// Whether nothing is to be seen in a world but heartbeats.
pub(super) fn is_idle(world: &World) -> bool {
    mood(world) == Mood::Idle
}

/// What is going on in a world.
fn mood(world: &World) -> Mood {
    let mut waiting = false;
    for (_, choice) in world.choices() {
        match choice {
            Choice::Deliver { conn, to_acceptor } => {
                let Some(ends) = world.network.conns.get(&conn) else { continue };
                let quiet = |item: &Item| match item {
                    Item::Message(Parcel::Other(saying)) => saying.interest == Interest::Noise,
                    Item::Message(parcel) => matches!(parcel.name(), "PING" | "CLIENT_PING" | "CLIENT_PONG"),
                    Item::Syn | Item::SynAck | Item::Refused | Item::Fin => true,
                };
                if ends.pipe(to_acceptor).items.iter().any(|flying| !quiet(&flying.item)) {
                    return Mood::Busy;
                }
            }
            Choice::Disk { background: false, .. } => return Mood::Busy,
            Choice::Timer(_, Timer::Server(server::Timer::Zab(zab::Timer::Finalize))) => waiting = true,
            Choice::Timer(..)
            | Choice::ClientTimer(..)
            | Choice::Program(_)
            | Choice::Disk { .. }
            | Choice::Repeat(_)
            | Choice::Start(_)
            | Choice::Script => {}
        }
    }
    if waiting { Mood::Waiting } else { Mood::Idle }
}

/// After a deed by hand nothing is skipped for so long, real ms: what it leads to is to be seen.
pub const UNSKIPPED_MS: f64 = 5_000.0;

/// The longest time between two frames that counts: a tab that comes back does not jump.
pub const LONGEST_FRAME_MS: f64 = 100.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    #[test]
    fn an_election_is_busy_then_waits_and_heartbeats_are_idle() {
        let mut player = Player::new(scenario("cold-start-3").unwrap().run()).unwrap();
        let mut moods = Vec::new();
        for ms in 0..2_000 {
            player.run_until(SimTime::from_ms(ms), |_, _| {});
            let mood = mood(player.world());
            if moods.last() != Some(&mood) {
                moods.push(mood);
            }
        }
        // connections open, votes fly, the last wait, then discovery and the rest
        assert!(moods.starts_with(&[Mood::Idle, Mood::Busy, Mood::Waiting]), "{moods:?}");
        assert!(moods.ends_with(&[Mood::Busy, Mood::Idle]), "{moods:?}");
    }

    #[test]
    fn speeds_have_names() {
        for (index, speed) in SPEEDS.iter().enumerate() {
            assert_eq!(speed_named(&format!("{}/{}", speed.times, speed.of)), Some(index));
        }
        assert_eq!(speed_named("20").map(|index| SPEEDS[index].times), Some(20));
        assert_eq!([speed_named(""), speed_named("3"), speed_named("1/0"), speed_named("1/30/2")], [None; 4]);
    }

    #[test]
    fn the_default_shows_a_hop_in_about_half_a_second() {
        let on_screen = 15.0 / SPEEDS[DEFAULT_SPEED].factor();
        assert!((400.0..600.0).contains(&on_screen));
    }
}
