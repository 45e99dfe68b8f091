//! Every rule of the protocol is there for a reason: break it, and random runs show which property falls.

use std::collections::BTreeMap;
use std::path::Path;

use zabscope::base::{Breakable, RuleSet};
use zabscope::check::property;
use zabscope::server::FileRule;
use zabscope::sim::Rule;
use zabscope::soak::{BROKEN_WORDS, soak_run, trial};
use zabscope::zab::BrokenRule;

use crate::length::is_whole;

const MINUTES: u64 = 2;

/// Plays seeds from 0 on until something is violated: one of `expected`, within `bound` seeds.
fn caught(rule: impl Breakable, servers: u8, expected: &[&str], bound: u64) {
    caught_from(0, rule, servers, expected, bound);
}

/// The same for what many seeds do not show: where not everything is played, it begins at a seed that has shown it, and goes back to the
/// first one if that has become another.
fn caught_from(seed: u64, rule: impl Breakable, servers: u8, expected: &[&str], bound: u64) {
    let rules = RuleSet::default().breaking(rule);
    let known = if is_whole() { 0..0 } else { seed..seed + 1 };
    let found = known.chain(0..bound).find_map(|seed| {
        let violations = trial(&soak_run(servers, seed, MINUTES, rules), MINUTES, false).violations;
        violations.first().cloned().map(|first| (seed, first))
    });
    let (seed, violation) = found.unwrap_or_else(|| panic!("{rule:?} was not caught in {bound} seeds"));
    println!("{rule:?}: after {} seeds: {violation}", seed + 1);
    assert!(expected.contains(&violation.property), "{rule:?}: {violation}");
}

/// The rows of the table of broken rules in the documentation: the rule, and by what it is caught.
fn table() -> BTreeMap<&'static str, &'static str> {
    let text = include_str!("../docs/architecture.md");
    let rows = text.split("| broken rule |").nth(1).expect("the table").lines().skip(2);
    let cells = rows.take_while(|row| row.starts_with('|')).map(|row| row.split('|').map(str::trim));
    cells.filter_map(|mut cells| Some((cells.nth(1)?.trim_matches('`'), cells.next()?))).collect()
}

/// Every rule that a run or a program can break stands in the table, and no other; what catches it is a property, or a test.
#[test]
fn the_table_of_broken_rules_names_all_of_them() {
    let table = table();
    let mut rules: Vec<&str> = Rule::all().map(Rule::name).chain(BROKEN_WORDS.iter().copied()).collect();
    rules.sort_unstable();
    assert_eq!(table.keys().copied().collect::<Vec<_>>(), rules);
    for (rule, caught) in table {
        let names: Vec<&str> = caught.split('`').skip(1).step_by(2).collect();
        let exists = |name: &&str| property(name).is_some() || name.ends_with(".rs") && Path::new(name).exists();
        assert!(!names.is_empty() && names.iter().all(exists), "{rule}: {caught}");
    }
}

#[test]
fn commit_at_a_minority() {
    caught(BrokenRule::CommitAtMinority, 3, &["quorum-durable"], 3);
}

#[test]
fn acknowledge_before_the_disk_has_it() {
    caught(BrokenRule::AckBeforeSync, 3, &["ack-honesty"], 200);
}

#[test]
fn elect_without_looking_at_zxids() {
    caught(BrokenRule::ElectionIgnoresZxid, 3, &["durability"], 200);
}

#[test]
fn lead_in_an_old_epoch() {
    caught(BrokenRule::LeaderKeepsEpoch, 3, &["epoch-uniqueness"], 200);
}

#[test]
fn obey_an_older_epoch() {
    caught(BrokenRule::FollowerObeysOlderEpoch, 3, &["epoch-promise"], 200);
}

#[test]
fn rejoin_without_trunc() {
    caught(BrokenRule::RejoinWithoutTrunc, 3, &["agreement"], 200);
}

#[test]
fn serve_before_a_quorum_is_synchronised() {
    caught(BrokenRule::ServeBeforeSyncQuorum, 3, &["quorum-durable"], 20);
}

#[test]
fn vouch_for_a_log_that_is_not_written() {
    caught(BrokenRule::EpochBeforeLog, 3, &["log-shape"], 200);
}

#[test]
fn acknowledge_a_diff_that_is_not_written() {
    caught(BrokenRule::Zookeeper3911, 3, &["log-shape", "ack-honesty"], 200);
}

#[test]
fn forget_the_own_log_when_stepping_down() {
    caught(BrokenRule::Zookeeper2845, 3, &["memory-is-disk"], 200);
}

#[test]
fn keep_half_a_state() {
    caught_from(24, BrokenRule::Zookeeper3642, 3, &["memory-is-disk"], 200);
}

#[test]
fn keep_half_a_cut() {
    caught_from(159, BrokenRule::Zookeeper5094, 3, &["memory-is-disk"], 200);
}

#[test]
fn leave_the_log_behind_when_the_leader_is_lost() {
    caught(BrokenRule::Zookeeper4712, 3, &["memory-is-disk", "log-shape", "ack-honesty", "local-primary-order"], 200);
}

#[test]
fn keep_snapshots_beyond_a_cut() {
    caught_from(16, FileRule::Zookeeper4837, 3, &["memory-is-disk", "agreement"], 200);
}

#[test]
fn refuse_to_start_after_a_crash_between_log_and_epoch() {
    caught(BrokenRule::Zookeeper1653, 3, &["liveness"], 200);
}

#[test]
fn stay_outside_with_a_later_epoch() {
    caught_from(73, BrokenRule::AcceptedEpochTrap, 3, &["liveness"], 200);
}

/// What nothing else sees: the learner comes again and again, and nothing is lost.
#[test]
fn answer_heartbeats_before_newleader() {
    caught(BrokenRule::PingsAnsweredEarly, 3, &["fitting-packets"], 200);
}

#[test]
fn answer_no_latecomer() {
    caught(BrokenRule::ElectionAnswersNone, 3, &["liveness"], 20);
}

#[test]
fn forget_epochs_without_a_write() {
    caught(BrokenRule::EpochsForgotten, 3, &["epoch-uniqueness"], 200);
}

#[test]
fn promise_before_the_disk_has_it() {
    caught_from(21, BrokenRule::PromiseNotOnDisk, 3, &["epoch-uniqueness"], 200);
}

#[test]
fn stand_where_the_header_says() {
    caught_from(22, BrokenRule::ZxidFromTheHeader, 3, &["agreement"], 200);
}

#[test]
fn run_into_the_next_epoch() {
    caught(BrokenRule::CounterOverflows, 3, &["integrity"], 200);
}

#[test]
fn cut_one_too_many() {
    caught(FileRule::CutOneTooMany, 3, &["log-shape", "memory-is-disk", "agreement"], 200);
}
