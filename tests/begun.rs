//! Runs that begin with the disks of others: what random runs leave behind at some moment is taken up again, and every property is judged.

use std::collections::BTreeMap;

use zabscope::base::{Breakable, Prng, RuleSet, ServerId, ServerSet, SimTime, Stream};
use zabscope::check::{Checker, Violation};
use zabscope::server::Files;
use zabscope::sim::{Action, Disks, Run, World};
use zabscope::soak::{soak_run, trial};
use zabscope::zab::BrokenRule;

use crate::length::seeds;

const MINUTES: u64 = 1;

/// What is on the disks of a run's servers at a moment that its seed draws; none where they had lost something before.
fn left(run: Run) -> Option<BTreeMap<ServerId, Files>> {
    let until = Prng::new(run.seed, Stream::Client).between(500_000, 45_000_000);
    let (mut checker, mut world) = (Checker::new(&run.setup), World::new(run));
    while world.next_at().is_some_and(|at| at <= SimTime(until)) {
        for record in world.step().unwrap_or_default() {
            checker.read(record);
        }
    }
    let files = |(id, process): (&ServerId, &zabscope::sim::Process)| Some((*id, process.files()?.clone()));
    checker.outside().is_none().then(|| world.processes.iter().filter_map(files).collect())
}

/// A run whose servers begin with disks, written down and read again.
fn begins_with(mut run: Run, mut disks: BTreeMap<ServerId, Files>) -> Run {
    let as_set_up = run.setup.members();
    for (id, files) in &mut disks {
        let mut file = as_set_up;
        if !file.all().contains(*id) {
            file.voters.insert(*id); // who was added has itself in its file, and nobody else has
        }
        files.config.get_or_insert(file.into());
    }
    let all: ServerSet = disks.keys().copied().collect();
    // who had joined by then is there from the beginning; who votes their configurations say
    (run.setup.voters, run.setup.observers) = (all.len() as u8, 0);
    run.actions.retain(|timed| !matches!(timed.action, Action::Add { .. }));
    run.setup.disks = Disks::of(disks);
    // who leads, and what is drawn by clients, is not as before: else sessions and nodes would have the same names
    run.seed += 1_000_000;
    let run = Run::from_json(&run.to_json()).expect("a run survives JSON");
    run.check().expect("a run");
    run
}

fn again(servers: u8, seed: u64, rules: RuleSet) -> Option<Run> {
    let disks = left(soak_run(servers, seed, MINUTES, RuleSet::default()))?;
    Some(begins_with(soak_run(servers, seed, MINUTES, rules), disks))
}

fn told(violations: &[Violation]) -> String {
    violations.iter().map(|violation| format!("\n  {violation}")).collect()
}

fn keep_every_promise(servers: u8, whole: u64) {
    let mut found = 0;
    for seed in seeds(whole) {
        let Some(run) = again(servers, seed, RuleSet::default()) else { continue };
        let checker = Checker::new(&run.setup);
        if checker.is_blind() {
            continue;
        }
        let trial = trial(&run, MINUTES, false);
        assert!(trial.violations.is_empty(), "seed {seed} of {servers} servers:{}", told(&trial.violations));
        found += 1;
    }
    assert!(found > seeds(whole).count() / 8, "{found} of {}", seeds(whole).count());
}

#[test]
fn three_servers_that_go_on_from_disks_keep_every_promise() {
    keep_every_promise(3, 400);
}

#[test]
fn five_servers_that_go_on_from_disks_keep_every_promise() {
    keep_every_promise(5, 400);
}

/// A rule that is broken by those who go on.
fn caught(rule: impl Breakable, expected: &[&str]) {
    let rules = RuleSet::default().breaking(rule);
    let runs = (0..200).filter_map(|seed| again(3, seed, rules));
    // without it others may fall first: who obeys the dead serves nobody
    let named = |violation: &Violation| expected.contains(&violation.property) && !violation.outside;
    let mut found = runs.flat_map(|run| trial(&run, MINUTES, false).violations);
    assert!(found.any(|violation| named(&violation)), "{rule:?} was not caught");
}

#[test]
fn a_rule_that_is_broken_is_found_there_too() {
    caught(BrokenRule::CommitAtMinority, &["quorum-durable"]);
    caught(BrokenRule::AckBeforeSync, &["ack-honesty"]);
    caught(BrokenRule::ElectionIgnoresZxid, &["durability"]);
    caught(BrokenRule::LeaderKeepsEpoch, &["epoch-uniqueness"]);
    caught(BrokenRule::FollowerObeysOlderEpoch, &["epoch-promise"]);
    caught(BrokenRule::RejoinWithoutTrunc, &["agreement"]);
    caught(BrokenRule::EpochBeforeLog, &["log-shape"]);
    caught(BrokenRule::Zookeeper2845, &["memory-is-disk"]);
}
