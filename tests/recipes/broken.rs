//! Every rule of a lock is there for a reason: break it, and random runs, or a count, show it.

use zabscope::base::RuleSet;
use zabscope::recipes::{Fact, Kind, Recipe};
use zabscope::soak::{BROKEN_WORDS, soak_run_breaking, trial};

use super::support::{Stage, call, recipe};

const MINUTES: u64 = 2;

/// Plays seeds from 0 on until something is violated: one of `expected`, within `bound` seeds.
fn caught(word: &'static str, expected: &[&str], bound: u64) {
    assert!(BROKEN_WORDS.contains(&word));
    let found = (0..bound).find_map(|seed| {
        let run = soak_run_breaking(3, seed, MINUTES, RuleSet::default(), Some(word));
        let first = trial(&run, MINUTES, false).violations.first().cloned();
        first.map(|first| (seed, first))
    });
    let (seed, violation) = found.unwrap_or_else(|| panic!("{word} was not caught in {bound} seeds"));
    println!("{word}: after {} seeds: {violation}", seed + 1);
    assert!(expected.contains(&violation.property), "{word}: {violation}");
}

#[test]
fn to_be_woken_is_not_to_own() {
    caught("never_looks_again", &["lock-fairness", "mutual-exclusion"], 20);
}

#[test]
fn a_lost_create_without_protection_blocks_the_queue() {
    caught("unprotected", &["recipe-liveness"], 120);
}

#[test]
fn a_node_that_outlives_its_session_blocks_the_queue() {
    caught("persistent", &["recipe-liveness"], 20);
}

#[test]
fn a_holder_that_works_on_after_lost_is_seen() {
    caught("heedless", &["loss-is-heeded"], 40);
}

/// How often waiters are woken while a queue of so many is drained, and how many notifications that takes.
fn drained(contenders: u16, made: &Recipe) -> (usize, u64) {
    let mut stage = Stage::new(contenders);
    stage.everybody_makes(contenders, "lock", made);
    for client in 1..=contenders {
        stage.run(client, &[call("lock", "acquire")]);
    }
    for client in 1..=contenders {
        assert_eq!(stage.holders("/lock"), [(client, 1)]);
        stage.run(client, &[call("lock", "release")]);
    }
    let woken = (1..=contenders).flat_map(|client| stage.told(client));
    (woken.filter(|fact| matches!(fact, Fact::Woken { .. })).count(), stage.player.tally().notifications)
}

/// Whoever watches the first node is safe and gets its turn; only the herd tells. No property, but a price.
#[test]
fn who_watches_the_first_node_wakes_the_herd() {
    let right = recipe(Kind::MUTEX, "/lock");
    let herd = Recipe { with: vec!["watches_first".into()], ..right.clone() };
    let n = 8;
    assert_eq!(drained(n, &right), (7, 7), "one release wakes one");
    assert_eq!(drained(n, &herd), (28, 28), "one release wakes all");
}
