//! The search: it finds what a broken rule lets happen, makes it small, and depends on nothing but its question.

use zabscope::base::{Breakable, RuleSet, SimTime};
use zabscope::check::Violation;
use zabscope::explore::{Bounds, Cursor, Exhaust, Find, Goal, Question, Search, Shrink, Stage, Strategy};
use zabscope::scenarios::scenario;
use zabscope::server::FileRule;
use zabscope::sim::{Action, Run, Setup};
use zabscope::soak::{soak_run, trial};
use zabscope::zab::BrokenRule;

use super::judged::judged;

/// What is played after the moment at which something fell, to see that nothing falls where it must not, µs.
const AFTERWARDS: u64 = 1_500_000;

fn question(rules: RuleSet, goal: &str, budget: u64) -> Question {
    let run = Run::new(1, Setup { rules, ..Setup::default() });
    Question { seed: 1, ..Question::new(run, goal.parse().expect("a goal"), budget) }
}

fn searched(question: Question) -> Search {
    let mut search = Search::new(question);
    while search.step(u64::MAX).stage != Stage::Done {}
    search
}

/// Plays a run until so long after a moment; what is violated.
fn violations(run: &Run, until: SimTime) -> Vec<Violation> {
    judged(run.clone(), until).2
}

fn kept(run: &Run) -> Run {
    Run { setup: Setup { rules: RuleSet::default(), ..run.setup.clone() }, ..run.clone() }
}

/// A find is a run like any other: it survives JSON, falls at the same fact, and not with every rule kept.
fn holds_what_it_says(find: &Find) {
    let run = Run::from_json(&find.run.to_json()).expect("a run survives JSON");
    assert_eq!(run, find.run);
    let fell = violations(&run, find.found.at);
    let property = find.found.property.expect("a property");
    let seen = fell.iter().find(|violation| violation.property == property).expect("it falls again");
    assert_eq!((seen.at, seen.seq), (find.found.at, find.found.seq));
    assert_eq!(violations(&kept(&run), find.found.at.plus(AFTERWARDS)), [], "with every rule kept");
    assert_eq!(find.repaired, Some(true));
}

/// Without any one of its deeds the property holds.
fn every_deed_is_needed(find: &Find) {
    for place in 0..find.run.actions.len() {
        let mut less = find.run.clone();
        let left_out = less.actions.remove(place);
        let fell = violations(&less, find.found.at.plus(AFTERWARDS));
        assert!(fell.iter().all(|one| Some(one.property) != find.found.property), "it falls without {left_out:?}");
    }
}

/// Searches for what a broken rule lets happen: found within so many runs, and no more than so many deeds are left.
fn falls(rule: impl Breakable, property: &str, budget: u64, deeds: usize) -> Find {
    let search = searched(question(RuleSet::default().breaking(rule), property, budget));
    let find = search.finds().first().unwrap_or_else(|| panic!("{rule:?}: nothing in {budget} runs")).clone();
    assert!(find.deeds <= deeds, "{rule:?}: {} deeds: {:?}", find.deeds, find.run.actions);
    find
}

fn falls_as_a_fact_shows(rule: impl Breakable, property: &str, budget: u64, deeds: usize) {
    let find = falls(rule, property, budget, deeds);
    holds_what_it_says(&find);
    every_deed_is_needed(&find);
}

#[test]
fn what_a_broken_rule_lets_happen_is_found_and_small() {
    falls_as_a_fact_shows(BrokenRule::AckBeforeSync, "ack-honesty", 10, 1);
    falls_as_a_fact_shows(BrokenRule::LeaderKeepsEpoch, "epoch-uniqueness", 100, 1);
    falls_as_a_fact_shows(BrokenRule::CommitAtMinority, "quorum-durable", 100, 1);
    falls_as_a_fact_shows(BrokenRule::Zookeeper2845, "memory-is-disk", 1_000, 2);
    falls_as_a_fact_shows(BrokenRule::RejoinWithoutTrunc, "agreement", 4_000, 4);
    falls_as_a_fact_shows(BrokenRule::EpochBeforeLog, "log-shape", 1_000, 2);
}

#[test]
fn what_never_comes_is_found_by_healing_everything() {
    let find = falls(BrokenRule::ElectionAnswersNone, "liveness", 200, 3);
    assert!(find.run.actions.len() > find.deeds, "the healing belongs to the run");
    assert_eq!(find.repaired, Some(true));
}

#[test]
fn with_every_rule_kept_nothing_is_found() {
    for goal in ["any", "liveness"] {
        let search = searched(question(RuleSet::default(), goal, 600));
        assert_eq!((search.finds().len(), search.progress().trials), (0, 600), "{goal}");
    }
}

#[test]
fn slices_and_a_search_that_goes_on_elsewhere_find_the_same() {
    let asked = question(RuleSet::default().breaking(BrokenRule::EpochBeforeLog), "log-shape", 400);
    let runs = |search: &Search| search.finds().iter().map(|find| find.run.clone()).collect::<Vec<_>>();
    let whole = searched(asked.clone());
    assert!(!whole.finds().is_empty());
    let mut sliced = Search::new(asked.clone());
    let mut cursors: Vec<Cursor> = Vec::new();
    while sliced.step(2_000).stage != Stage::Done {
        cursors.push(sliced.cursor());
    }
    assert_eq!(runs(&sliced), runs(&whole));
    assert!(cursors.len() > 10);
    for cursor in [&cursors[1], &cursors[cursors.len() / 3]] {
        let mut resumed = Search::resume(asked.clone(), cursor);
        assert_eq!(resumed.cursor(), *cursor);
        while resumed.step(u64::MAX).stage != Stage::Done {}
        assert_eq!(runs(&resumed), runs(&whole), "from {cursor:?}");
    }
}

#[test]
fn one_strategy_leaves_the_other_out_and_without_shrinking_the_first_find_is_the_answer() {
    let asked = question(RuleSet::default().breaking(BrokenRule::CommitAtMinority), "quorum-durable", 100);
    for only in [Strategy::Ladder, Strategy::Dice] {
        let asked = Question { strategy: Some(only), ..asked.clone() };
        let first = searched(Question { shrink: false, ..asked.clone() });
        let [find] = first.finds() else { panic!("{only:?}: {} finds", first.finds().len()) };
        assert_eq!((find.strategy, first.progress().shrinks), (only, 0));
        assert_eq!((find.trial + 1, find.repaired), (first.progress().trials, Some(true)));
        let small = searched(asked.clone());
        assert!(small.finds().iter().all(|find| find.strategy == only) && small.finds().len() > 1, "{only:?}");
        assert!(small.finds()[0].deeds <= find.deeds, "{only:?}");
        let resumed = Search::resume(asked, &small.cursor());
        assert_eq!(resumed.cursor(), small.cursor());
    }
}

#[test]
fn a_ladder_that_has_ended_ends_a_search_for_it_alone() {
    let run = Run::new(1, Setup { voters: 1, ..Setup::default() });
    let asked = Question::new(run, Goal::Violated("agreement"), 10_000);
    let late = SimTime::from_ms(20_000);
    let search = searched(Question { strategy: Some(Strategy::Ladder), from: late, ..asked });
    assert_eq!((search.finds().len(), search.progress().stage), (0, Stage::Done));
    assert!((1..10_000).contains(&search.progress().trials), "{:?}", search.progress());
}

#[test]
fn a_search_of_a_run_keeps_the_run_and_its_settings() {
    let mut run = scenario("cold-start-3").expect("a scenario").run();
    run.setup.rules = run.setup.rules.breaking(BrokenRule::LeaderKeepsEpoch);
    let (goal, from) = (Goal::Violated("epoch-uniqueness"), SimTime::from_ms(1_000));
    let search = searched(Question { from, seed: 3, ..Question::new(run.clone(), goal, 300) });
    let find = search.finds().first().expect("the leader crashes, and the next one reigns in the same epoch");
    assert!(find.deeds <= 2 && find.trial < 300, "{:?}", find.run.actions);
}

/// The goals that are no violations, in a run with every rule kept.
#[test]
fn what_may_happen_is_found_too() {
    for (goal, budget) in [
        ("two-leaders", 2_000),
        ("fact:log_truncated", 4_000),
        ("epoch:2", 200),
        ("standstill:1", 200),
        ("fact:sync_chosen sync=TRUNC", 4_000),
    ] {
        let search = searched(question(RuleSet::default(), goal, budget));
        let find = search.finds().first().unwrap_or_else(|| panic!("{goal}: nothing in {budget} runs"));
        assert!(find.deeds <= 4 && find.repaired.is_none(), "{goal}: {:?}", find.run.actions);
        println!("{goal}: run {}, {} deeds: {:?}", find.trial, find.deeds, find.run.actions);
    }
}

#[test]
fn a_random_run_shrinks_to_what_matters() {
    let rules = RuleSet::default().breaking(BrokenRule::LeaderKeepsEpoch);
    let run = soak_run(5, 0, 2, rules);
    assert!(trial(&run, 2, false).violations.iter().any(|violation| violation.property == "epoch-uniqueness"));
    let mut shrink = Shrink::of(run.clone(), &Goal::Violated("epoch-uniqueness")).expect("it falls");
    while shrink.step().is_some() {}
    let find = shrink.into_best();
    assert!(run.actions.len() > 100 && find.deeds <= 3, "{:?}", find.run.actions);
    assert_eq!(find.run.setup.voters, 3, "three servers are enough");
    holds_what_it_says(&find);
}

fn proved(rules: RuleSet, bounds: Bounds, most: u64) -> Exhaust {
    let mut all = Exhaust::new(&Setup { rules, ..Setup::default() }, bounds, &Goal::Any, most);
    while all.step(10_000) {}
    all
}

#[test]
fn every_order_of_a_write_is_seen_and_nothing_falls() {
    let one = Bounds { writes: 1, ..Bounds::default() };
    let all = proved(RuleSet::default(), one, 100_000);
    let proof = all.proof();
    assert!(proof.complete && proof.violated.is_none(), "{proof:?}");
    assert_eq!((proof.states, proof.transitions, proof.depth), (129, 236, 10));
    let rules = RuleSet::default().breaking(BrokenRule::AckBeforeSync);
    let broken = proved(rules, one, 100_000);
    let (violation, moves) = broken.fall().expect("the first write is acknowledged too early");
    assert_eq!((violation.property, moves.len()), ("ack-honesty", 1));
    let few = proved(RuleSet::default(), one, 50).proof();
    assert!(!few.complete && few.violated.is_none());
    // asked as a search is, in slices
    for (rules, expected) in [(RuleSet::default(), proof), (rules, broken.proof())] {
        let asked = Question { orders: Some(one), ..question(rules, "any", 100_000) };
        let mut search = Search::new(asked);
        assert_eq!(search.step(100).stage == Stage::Done, expected.violated.is_some());
        while search.step(100).stage != Stage::Done {}
        assert_eq!(search.proof(), Some(expected));
        assert!(search.finds().is_empty());
    }
}

/// Rules whose fall random runs have not shown within some minutes. Each trial that does not recover is played for twenty virtual
/// seconds, so this takes a minute.
#[test]
#[ignore]
fn what_only_the_search_has_shown() {
    falls(BrokenRule::LeaderNeverResigns, "liveness", 4_000, 4);
    falls(BrokenRule::VotesNotTotal, "liveness", 12_000, 12);
}

/// A rule of another room is found like those of the protocol.
#[test]
#[ignore]
fn a_rule_of_the_files_is_found() {
    let find = falls(FileRule::Zookeeper4837, "agreement", 60_000, 12);
    assert!(find.run.actions.iter().any(|timed| matches!(timed.action, Action::Write { .. })));
}
