//! Random runs: a seed decides the ensemble's settings, which kinds of faults there are and how dense, every fault and every
//! write; how many clients there are, what they ask for and what is done to them; which recipes programs use. A run is plain
//! data ([`Run`]): whoever has the seed, or the run as JSON, plays the same.
//!
//! Two phases, as in a fuzzer of storage systems: while faults last, only safety counts. Then everything is healed,
//! restarted and brought to normal speed, and within a bound the ensemble must serve again (Zab, liveness): 15 s, and
//! as long as a server sleeps at most before it asks again who leads (it waits ever longer, up to 60 s).

mod crowd;
mod disks;
mod electable;
mod liveness;
mod operator;
mod proceeding;
mod programs;
mod requests;
mod schedule;
mod swarm;
mod trial;

use crate::base::{Micros, Prng, RuleSet, ServerSet, Stream};
use crate::sim::Run;
use crate::zab::MAX_NOTIFICATION_INTERVAL;

pub use liveness::Liveness;
pub use proceeding::{Proceeding, Stuck};
pub use programs::{BROKEN_WORDS, BrokenWord};
pub use trial::{Trial, trial};

use crowd::Crowd;
use disks::Disks;
use operator::Operator;
use programs::Programs;
use schedule::Schedule;
use swarm::Swarm;

/// How long after the last fault the ensemble must serve, beside the time that a server may sleep which has looked in vain
/// for others: some `initLimit` rounds.
pub const RECOVERY_US: Micros = 15_000_000;
/// After that, rounds of writes, one to each server.
const FINAL_ROUNDS: u64 = 3;
/// The time between two of these rounds, and after the last.
const ROUND_US: Micros = 4_000_000;
/// How long before the end programs are closed: what they do all the time would not be the same everywhere at the end. A session
/// that could not be closed ends by itself until then, and its empty containers are swept.
const CLOSING_US: Micros = 14_000_000;
/// What those writes say.
pub const FINAL_WRITE: &str = "final";

/// The shortest random run, minutes.
pub const MIN_MINUTES: u64 = 1;

/// The random run of a seed with so many voting servers, and observers where the seed says so, of so many virtual minutes.
pub fn soak_run(servers: u8, seed: u64, minutes: u64, rules: RuleSet) -> Run {
    soak_run_breaking(servers, seed, minutes, rules, None)
}

/// The same with a rule of programs broken.
pub fn soak_run_breaking(servers: u8, seed: u64, minutes: u64, rules: RuleSet, broken: Option<BrokenWord>) -> Run {
    let mut prng = Prng::new(seed, Stream::Faults);
    let rules_hold = rules == RuleSet::default();
    let swarm = Swarm::draw(servers, rules, &mut prng);
    let mut run = Run::new(seed, swarm.setup.clone());
    let (faults, quiet) = phases(minutes);
    let crowd = Crowd::draw(&mut run);
    // what a broken rule does is looked for without an operator and failing disks
    let unbroken = rules_hold && broken.is_none();
    let operator = unbroken.then(|| Operator::draw(&mut run));
    let joining = operator.as_ref().map_or(ServerSet::EMPTY, |operator| operator.joining);
    Schedule::new(&mut run, &swarm, joining, &mut prng).fill(faults, quiet);
    crowd.fill(&mut run, faults);
    if let Some(operator) = operator {
        operator.fill(&mut run, faults, quiet);
    }
    if unbroken {
        let servers = run.setup.members().all().union(joining).len();
        Disks::draw(seed).fill(&mut run, servers, faults);
    }
    let programs = Programs::draw(&run, broken);
    programs.fill(&mut run, faults, programs_end(minutes));
    run
}

/// When a run of so many minutes ends, µs.
fn end_of(minutes: u64) -> Micros {
    minutes.max(MIN_MINUTES) * 60_000_000
}

/// When programs are closed, µs.
fn programs_end(minutes: u64) -> Micros {
    end_of(minutes) - CLOSING_US
}

/// How long faults last, and how long after them the last writes come, µs. Who looks in vain for a leader waits ever longer,
/// but never longer than it has looked already.
fn phases(minutes: u64) -> (Micros, Micros) {
    let rest = end_of(minutes) - RECOVERY_US - FINAL_ROUNDS * ROUND_US;
    let sleep = (rest / 2).min(MAX_NOTIFICATION_INTERVAL);
    (rest - sleep, sleep + RECOVERY_US)
}
