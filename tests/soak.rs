//! Random runs, few enough for every test run: no property is violated and the ensemble recovers. `zabscope soak` plays as
//! many as one likes.

use zabscope::base::RuleSet;
use zabscope::sim::{Run, Setup};
use zabscope::soak::{soak_run, trial};

use crate::length::seeds;

/// Plays seeds; a failure says how to play it again.
fn soak(servers: u8, seeds: std::ops::Range<u64>, minutes: u64) {
    soak_with(servers, seeds, minutes, |_| {});
}

/// The same, with something changed in each.
fn soak_with(servers: u8, seeds: std::ops::Range<u64>, minutes: u64, change: impl Fn(&mut Setup)) {
    for seed in seeds {
        let mut run = soak_run(servers, seed, minutes, RuleSet::default());
        change(&mut run.setup);
        run.check().unwrap_or_else(|error| panic!("seed {seed} makes a run that is none: {error}"));
        let trial = trial(&run, minutes, false);
        let told: String = trial.violations.iter().map(|violation| format!("\n  {violation}")).collect();
        let next = seed + 1;
        assert!(
            told.is_empty(),
            "replay: zabscope soak --servers {servers} --seeds {seed}..{next} --minutes {minutes}{told}"
        );
        assert!(trial.events > 100, "seed {seed} of {servers} servers did next to nothing");
    }
}

#[test]
fn three_servers_keep_every_promise() {
    soak(3, seeds(600), 1);
}

#[test]
fn five_servers_keep_every_promise() {
    soak(5, seeds(600), 1);
}

#[test]
fn other_sizes_keep_every_promise() {
    for servers in [1, 2, 4, 7] {
        soak(servers, seeds(100), 1);
    }
}

/// What no disk has any more is forgotten, and nobody is accused for that.
#[test]
fn servers_that_purge_keep_every_promise() {
    soak_with(3, seeds(600), 1, |setup| (setup.snap_count, setup.snap_retain_count) = (4, 3));
}

#[test]
fn a_seed_plays_the_same_twice_and_from_json() {
    for seed in 0..4 {
        let run = soak_run(3, seed, 1, RuleSet::default());
        let again = Run::from_json(&soak_run(3, seed, 1, RuleSet::default()).to_json()).expect("a run survives JSON");
        assert_eq!(run, again, "seed {seed}");
        assert_eq!(trial(&run, 1, true).digest, trial(&again, 1, true).digest, "seed {seed}");
    }
}
