//! Runs with Redis servers and clients, for tests: played, judged, and written down where they fail.

use zabscope::base::{ServerId, SimTime};
use zabscope::daemon::{Breach, Judge};
use zabscope::rivals::redis::{Fact, Redis, RedisJudge};
use zabscope::sim::{self, Action, LatencyRange, Player, Run, Setup, Systems};

/// A run of this system alone.
pub fn run(redis: Redis, seed: u64, latency: LatencyRange) -> Run {
    let systems = Systems { redis: Some(Box::new(redis)), ..Systems::default() };
    let disk_sync = LatencyRange { min_us: 500, max_us: 2_000 };
    Run::new(seed, Setup { voters: 0, latency, transmit_us: 0, disk_sync, systems, ..Setup::default() })
}

/// What the machines stated until a moment.
pub fn facts(run: Run, until_ms: u64) -> Vec<(SimTime, ServerId, Fact)> {
    let mut player = Player::new(run).unwrap_or_else(|error| panic!("{error}"));
    let mut facts = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, records| {
        facts.extend(records.iter().filter_map(|record| match &record.fact {
            sim::Fact::Other { server, fact } => Some((record.at_us, *server, fact.value::<Fact>()?.clone())),
            _ => None,
        }));
    });
    facts
}

/// What was violated until a moment.
pub fn breaches(run: Run, until_ms: u64) -> Vec<Breach> {
    let mut judge = RedisJudge::default();
    for (at, machine, fact) in facts(run, until_ms) {
        judge.read(at, machine, &fact);
    }
    judge.breaches().to_vec()
}

/// A line typed at a machine.
pub fn typed(machine: ServerId, line: &str) -> Action {
    Action::Write { server: machine, data: line.into(), count: 1, every_us: 0 }
}
