//! Faults drawn by seed: what is safe breaks no property, and each rule is there because breaking it does.

use zabscope::base::{Prng, ServerId, SimTime, Stream};
use zabscope::daemon::Judge;
use zabscope::rivals::commit::{Commit, Presumption, Unsafe};
use zabscope::sim::{Action, LatencyRange, Run};

use super::{Played, id, line, play, run};
use crate::length::seeds;

/// Faults come until here, ms.
const FAULTS_MS: u64 = 20_000;
/// Everything has worked again for long, ms.
const END_MS: u64 = 45_000;

/// The machines that faults hit.
fn machines(commit: &Commit) -> Vec<ServerId> {
    let participants = (1..=commit.participants).map(|n| ServerId::nth("P", n));
    let clients = (1..=commit.clients).map(|n| ServerId::nth("C", n));
    // the coordinator twice as often
    [id("TC1"), id("TC1")].into_iter().chain(participants).chain(clients).collect()
}

/// What clients ask for.
fn ask(prng: &mut Prng, commit: &Commit) -> Action {
    let client = format!("C{}", 1 + prng.below(commit.clients.into()));
    let words: Vec<String> = (0..1 + prng.below(3))
        .map(|_| {
            let item = ["x", "y", "z"][prng.below(3) as usize];
            let change = ["+=1", "+=1", "=5", "-=1", "?"][prng.below(5) as usize];
            match prng.below(3) {
                0 => format!("{item}{change}"),
                _ => format!("P{}:{item}{change}", 1 + prng.below(commit.participants.into())),
            }
        })
        .collect();
    match prng.below(10) {
        0 => line(&client, "read x"),
        _ => line(&client, &words.join(" ")),
    }
}

/// Faults that come together: how long after the first, ms, and what ends each.
fn faults(prng: &mut Prng, machines: &[ServerId]) -> Vec<(u64, [Action; 2])> {
    let mut drawn = || machines[prng.below(machines.len() as u32) as usize];
    let (server, other) = (drawn(), drawn());
    let set = |id: ServerId| [id].into_iter().collect();
    let restart = Action::Restart { server };
    let cut = |from, to, one_way| {
        let (from, to) = (set(from), set(to));
        [Action::Cut { from, to, one_way }, Action::Heal { from, to, one_way }]
    };
    let one = match prng.below(9) {
        0 => [Action::Crash { server }, restart],
        1 => [Action::Kill { server }, restart],
        2 | 3 => [Action::PowerOff { server }, restart],
        4 => [Action::Pause { server }, Action::Resume { server }],
        5 => [Action::ClockJump { server, ms: 3_000 }, Action::ClockJump { server, ms: -3_000 }],
        6 | 7 => {
            let first = [Action::Crash { server: other }, Action::Restart { server: other }];
            return vec![(0, first), (prng.between(0, 150), [Action::Crash { server }, restart])];
        }
        _ => cut(server, other, prng.chance(1, 3)),
    };
    vec![(0, one)]
}

/// A run with faults, which all end.
fn faulty(seed: u64, commit: &Commit) -> Run {
    let (mut prng, mut run) = (Prng::new(seed, Stream::Faults), run(seed, commit.clone()));
    run.setup.crash_keeps_prefix = prng.chance(1, 2);
    if prng.chance(1, 3) {
        run.setup.disk_sync = LatencyRange::ms(50, 250);
    }
    let machines = machines(commit);
    let mut at = 200;
    while at < FAULTS_MS {
        run.push(SimTime::from_ms(at), ask(&mut prng, commit));
        at += prng.between(20, 600);
    }
    let mut at = 300;
    while at < FAULTS_MS {
        let over = (at + prng.between(5, 3_000)).min(FAULTS_MS);
        for (later, [begin, end]) in faults(&mut prng, &machines) {
            run.push(SimTime((at + later) * 1_000 + u64::from(prng.below(1_000))), begin);
            run.push(SimTime::from_ms(over.max(at + later + 5)), end);
        }
        at += prng.between(20, 900);
    }
    for server in machines {
        for action in [Action::Resume { server }, Action::Restart { server }] {
            run.push(SimTime::from_ms(FAULTS_MS + 500), action);
        }
    }
    run.push(SimTime::from_ms(FAULTS_MS + 500), Action::HealAll);
    run
}

fn soak(seed: u64, commit: &Commit) -> Played {
    let mut played = play(faulty(seed, commit), END_MS);
    played.judge.end(SimTime::from_ms(END_MS));
    played
}

/// Sizes and ways differ with the seed; nothing is broken.
fn safe(seed: u64) -> Commit {
    let presumes = Presumption::ALL[(seed % 3) as usize];
    let (cooperative, work_first) = (seed % 4 < 2, seed % 5 < 2);
    Commit { participants: 2 + (seed % 4) as u8, clients: 2, presumes, cooperative, work_first, ..Commit::default() }
}

#[test]
fn whatever_happens_nothing_that_is_safe_breaks_atomic_commitment() {
    let (mut commits, mut aborts, mut doubts) = (0, 0, 0);
    for seed in seeds(200) {
        let commit = safe(seed);
        let played = soak(seed, &commit);
        let breaches = played.judge.breaches();
        assert!(breaches.is_empty(), "{}\nthe run: {}", breaches[0].said[0], faulty(seed, &commit).to_json());
        for (_, what) in played.told() {
            use zabscope::rivals::commit::{Decision, What};
            match what {
                What::Decided { decision: Decision::Commit, .. } => commits += 1,
                What::Decided { decision: Decision::Abort, .. } => aborts += 1,
                What::InDoubt { .. } => doubts += 1,
                _ => {}
            }
        }
    }
    println!("{} seeds: {commits} commits, {aborts} aborts, {doubts} times in doubt", seeds(200).end);
    assert!(commits > 0 && aborts > 0 && doubts > 0, "it was put to the test");
}

/// How a rule is broken, and which property notices.
fn breaks(rule: Unsafe, presumes: Presumption, properties: &[&str]) {
    for seed in 0..100 {
        let commit = Commit { broken: vec![rule], presumes, work_first: false, ..safe(seed) };
        let played = soak(seed, &commit);
        if let Some(breach) = played.judge.breaches().first() {
            assert!(properties.contains(&breach.property), "{rule:?}: {breach:?}");
            println!("{rule:?}: {} at seed {seed}: {}", breach.property, breach.said[0]);
            return;
        }
    }
    panic!("{rule:?} does no harm in 100 seeds");
}

const AGREE: &[&str] = &["commit-agreement", "commit-no-change"];

#[test]
fn records_that_are_not_forced_break_agreement() {
    breaks(Unsafe::CommitNotForced, Presumption::Abort, AGREE);
    breaks(Unsafe::CommitToldBeforeForced, Presumption::Abort, AGREE);
    breaks(Unsafe::PreparedNotForced, Presumption::Abort, AGREE);
    breaks(Unsafe::CollectingNotForced, Presumption::Commit, &["commit-agreement", "commit-unanimous"]);
}

#[test]
fn who_decides_in_doubt_breaks_agreement() {
    breaks(Unsafe::AbortsInDoubt, Presumption::Abort, AGREE);
    breaks(Unsafe::CommitsInDoubt, Presumption::Abort, &["commit-agreement", "commit-unanimous", "commit-no-change"]);
}

#[test]
fn less_than_all_votes_are_not_enough() {
    breaks(Unsafe::MajorityCommits, Presumption::Abort, &["commit-unanimous", "commit-agreement"]);
    breaks(Unsafe::NoTakenForYes, Presumption::Abort, &["commit-unanimous", "commit-agreement"]);
}

#[test]
fn a_coordinator_that_forgets_breaks_agreement() {
    breaks(Unsafe::ForgetsBeforeAcks, Presumption::Abort, AGREE);
    breaks(Unsafe::ForgetsAtRestart, Presumption::Abort, AGREE);
}

#[test]
fn aborting_for_nothing_and_asking_nobody_are_noticed() {
    breaks(Unsafe::ReadTakenForNo, Presumption::Abort, &["commit-not-trivial"]);
    breaks(Unsafe::DecisionSentOnce, Presumption::Abort, &["commit-all-decide"]);
}

#[test]
fn a_seed_says_everything() {
    let facts = |seed| soak(seed, &safe(seed)).facts;
    assert!(facts(3) == facts(3) && facts(3) != facts(4));
}
