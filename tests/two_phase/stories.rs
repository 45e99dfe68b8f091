//! What goes wrong, in the order of events: `shared/reference/rivals.md` 3.2.

use zabscope::base::SimTime;
use zabscope::daemon::{Judge, Say, Tongue};
use zabscope::rivals::commit::{AC5, Commit, Decision, How, Presumption, Unsafe, What, Why};
use zabscope::sim::{Action, Run};

use super::{Played, id, line, play, run};

fn at(run: &mut Run, ms: u64, action: Action) {
    run.push(SimTime::from_ms(ms), action);
}

/// The moment of the first fact of this kind at a machine, ms after the run began, rounded down.
fn moment(played: &Played, machine: &str, kind: &str) -> u64 {
    let fits = |record: &&std::rc::Rc<zabscope::sim::Record>| {
        super::told(record).is_some_and(|(at, fact)| at == id(machine) && fact.name() == kind)
    };
    played.facts.iter().find(fits).unwrap_or_else(|| panic!("no {kind} at {machine}")).at_us.0 / 1_000
}

fn concluded(played: &Played, machine: &str) -> Vec<(Decision, How)> {
    let of = |(at, what): (_, &What)| match what {
        What::Concluded { decision, how, .. } if at == id(machine) => Some((*decision, *how)),
        _ => None,
    };
    played.told().filter_map(of).collect()
}

fn has(played: &Played, kind: &str) -> bool {
    played.told().any(|(at, what)| zabscope::rivals::commit::Fact { me: at, what: what.clone() }.name() == kind)
}

#[test]
fn a_participant_that_is_down_stops_everything() {
    let mut run = run(1, Commit::default());
    at(&mut run, 100, line("C1", "x=1"));
    at(&mut run, 1_000, Action::PowerOff { server: id("P2") });
    at(&mut run, 1_100, line("C1", "x=2"));
    let played = play(run, 5_000);
    let decided: Vec<(Decision, Why)> = played
        .told()
        .filter_map(|(_, what)| match what {
            What::Decided { decision, why, .. } => Some((*decision, *why)),
            _ => None,
        })
        .collect();
    let missing = [id("P2")].into_iter().collect();
    assert_eq!(decided, [(Decision::Commit, Why::AllYes), (Decision::Abort, Why::TimedOut { missing })]);
    assert_eq!(["P1", "P3"].map(|machine| played.value(machine, "x")), ["1", "1"]);
}

/// The coordinator dies just before its record is on disk, or 2 ms later, when it has told P1 and the links to the others were cut.
fn coordinator_dies(decided: bool, commit: Commit, restart: Option<u64>) -> Played {
    let undisturbed = {
        let mut run = run(1, commit.clone());
        at(&mut run, 500, line("C1", "x=1"));
        play(run, 2_000)
    };
    let mut run = run(1, commit);
    at(&mut run, 500, line("C1", "x=1"));
    let before = moment(&undisturbed, "TC1", "commit_decided") - 1;
    let set = |names: &[&str]| names.iter().map(|name| id(name)).collect();
    if decided {
        let (from, to) = (set(&["TC1"]), set(&["P2", "P3"]));
        at(&mut run, before, Action::Cut { from, to, one_way: true });
    }
    at(&mut run, before + if decided { 3 } else { 0 }, Action::Crash { server: id("TC1") });
    if let Some(restart) = restart {
        at(&mut run, restart, Action::Restart { server: id("TC1") });
        at(&mut run, restart, Action::HealAll);
    }
    at(&mut run, 2_000, line("C1", "sleep 1"));
    play(run, 8_000)
}

#[test]
fn before_the_decision_the_death_of_the_coordinator_blocks_those_who_voted() {
    let mut played = coordinator_dies(false, Commit::default(), None);
    let blocked: Vec<_> = played.judge.undecided().map(|(_, blocked)| blocked.len()).collect();
    assert_eq!(blocked, [3], "all have voted, and nobody may decide");
    assert!(has(&played, "commit_in_doubt") && has(&played, "commit_blocked") && has(&played, "commit_unknown"));
    assert_eq!(played.value("P1", "x"), "0, locked by T1.1");
    played.judge.end(SimTime::from_ms(8_000));
    assert_eq!(played.judge.breaches().iter().map(|breach| breach.property).collect::<Vec<_>>(), [AC5]);

    let played = coordinator_dies(false, Commit::default(), Some(6_000));
    for machine in ["P1", "P2", "P3"] {
        assert_eq!(concluded(&played, machine), [(Decision::Abort, How::Told)], "nothing is in its log: abort");
    }
}

#[test]
fn after_the_decision_the_coordinator_goes_on_with_it_when_it_is_back() {
    // P1 has been told: cooperative termination frees the others
    let played = coordinator_dies(true, Commit::default(), None);
    let how: Vec<_> = ["P1", "P2", "P3"].map(|machine| concluded(&played, machine)).concat();
    assert!(how.iter().all(|(decision, _)| *decision == Decision::Commit) && how.len() == 3, "{how:?}");
    assert!(how.contains(&(Decision::Commit, How::Told)));
    assert!(how.iter().any(|(_, how)| matches!(how, How::ToldBy { .. })), "{how:?}");
    // without it they wait
    let alone = Commit { cooperative: false, ..Commit::default() };
    let played = coordinator_dies(true, alone.clone(), None);
    assert_eq!(played.judge.undecided().map(|(_, blocked)| blocked.len()).sum::<usize>(), 2);
    let played = coordinator_dies(true, alone, Some(6_000));
    assert_eq!(played.judge.undecided().count(), 0);
    assert_eq!(["P1", "P2", "P3"].map(|machine| played.value(machine, "x")), ["1", "1", "1"]);
}

/// `prepared-survives-crash`: prepared transactions outlive the process, with their locks.
#[test]
fn a_participant_that_dies_after_its_yes_comes_back_in_doubt_and_locked() {
    let mut run = run(1, Commit { cooperative: false, ..Commit::default() });
    at(&mut run, 500, line("C1", "x=1"));
    let voted = moment(&play(run.clone(), 2_000), "P1", "commit_voted");
    at(&mut run, voted + 1, Action::PowerOff { server: id("TC1") });
    at(&mut run, voted + 2, Action::PowerOff { server: id("P1") });
    at(&mut run, 3_000, Action::Restart { server: id("P1") });
    at(&mut run, 4_000, Action::Restart { server: id("TC1") });
    let mut played = play(run, 3_500);
    assert_eq!(played.value("P1", "x"), "0, locked by T1.1");
    played.go_on(9_000);
    assert_eq!(concluded(&played, "P1"), [(Decision::Abort, How::Told)]);
    assert!(has(&played, "commit_presumed"));
}

/// `prepared-two-databases-names`: the outcome is atomic, not its moment.
#[test]
fn between_two_commits_a_reader_sees_one_half() {
    let mut run = run(1, Commit { participants: 2, ..Commit::default() });
    at(&mut run, 100, line("C1", "P1:x=100 P2:y=200"));
    let slow = zabscope::sim::LatencyRange::ms(400, 400);
    let set = |name| [id(name)].into_iter().collect();
    at(&mut run, 1_000, Action::Latency { from: set("TC1"), to: set("P2"), range: slow });
    at(&mut run, 1_100, line("C1", "P1:x-=50 P2:y+=50"));
    at(&mut run, 2_300, line("C1", "get P1:x P2:y"));
    let mut run2 = run.clone();
    run2.setup.systems.commit.as_mut().expect("the system").clients = 2;
    at(&mut run2, 2_001, line("C2", "get P1:x P2:y"));
    let read = |played: &Played| {
        let mut read: Vec<(String, i64)> = played
            .told()
            .filter_map(|(_, what)| match what {
                What::Value { item, value: Some(value), .. } => Some((item.clone(), *value)),
                _ => None,
            })
            .collect();
        read.sort();
        read
    };
    let played = play(run2, 2_250);
    assert_eq!(read(&played), [("x".into(), 50), ("y".into(), 200)], "50 are on their way");
}

/// Who needs what a blocked transaction has locked waits in vain.
#[test]
fn what_is_in_doubt_stops_others_too() {
    let mut run = run(1, Commit { clients: 2, cooperative: false, lock_wait_ms: 2_000, ..Commit::default() });
    at(&mut run, 500, line("C1", "P1:x=1 P2:y=1"));
    let decided = moment(&play(run.clone(), 2_000), "TC1", "commit_decided");
    at(&mut run, decided - 1, Action::Crash { server: id("TC1") });
    at(&mut run, 3_000, line("C2", "get P1:x"));
    at(&mut run, 3_001, line("C2", "read P1:x"));
    at(&mut run, 6_000, line("C2", "read P1:x"));
    at(&mut run, 6_100, Action::Restart { server: id("TC1") });
    let mut played = play(run, 5_500);
    let txn = zabscope::rivals::commit::Txn { start: 1, number: 1 };
    let of = |played: &Played| -> Vec<What> {
        played.told().filter(|(at, _)| *at == id("C2")).map(|(_, what)| what.clone()).collect()
    };
    let (participant, item) = (id("P1"), String::from("x"));
    let value = What::Value { participant, item: item.clone(), value: Some(0) };
    assert_eq!(of(&played), [value.clone(), What::Locked { participant, item, holder: txn }]);
    // it is freed while the second one waits
    played.go_on(9_000);
    assert_eq!(of(&played)[2], value);
}

#[test]
fn work_first_is_undone_when_prepare_does_not_come() {
    let mut run = run(1, Commit { work_first: true, ..Commit::default() });
    at(&mut run, 500, line("C1", "x=1"));
    at(&mut run, 1_500, line("C1", "x=2"));
    let done = play(run.clone(), 3_000);
    assert_eq!(done.value("P3", "x"), "2");
    // TC1 dies with the second transaction in work: its connections end
    at(&mut run, 1_525, Action::Crash { server: id("TC1") });
    let played = play(run, 6_000);
    for machine in ["P1", "P2", "P3"] {
        assert_eq!(played.value(machine, "x"), "1", "{machine}");
    }
    assert!(has(&played, "commit_line_lost"));
    assert_eq!(played.judge.undecided().count(), 0, "nobody is bound by work alone");
}

/// PostgreSQL's PREPARE TRANSACTION in a failed transaction reports no error: `prepared-refuses`.
#[test]
fn a_coordinator_that_looks_only_for_errors_takes_a_no_for_a_yes() {
    let broken = vec![Unsafe::NoTakenForYes];
    let mut run = run(1, Commit { broken, ..Commit::default() });
    at(&mut run, 500, line("C1", "P1:x=1 P2:y-=1"));
    let played = play(run, 3_000);
    let breaches: Vec<_> = played.judge.breaches().iter().map(|breach| breach.property).collect();
    assert!(breaches.contains(&"commit-unanimous"), "{breaches:?}");
    assert_eq!(played.value("P1", "x"), "1");
}

#[test]
fn sentences_name_their_subject_in_both_languages() {
    let mut run = run(1, Commit { presumes: Presumption::Commit, ..Commit::default() });
    at(&mut run, 500, line("C1", "x=1 P2:y-=1"));
    at(&mut run, 1_000, line("C1", "nonsense"));
    let played = play(run, 3_000);
    let told: Vec<[String; 2]> = played
        .told()
        .map(|(me, what)| {
            let fact = zabscope::rivals::commit::Fact { me, what: what.clone() };
            [Tongue::English, Tongue::Chinese].map(|tongue| fact.text(tongue))
        })
        .collect();
    for [english, chinese] in &told {
        assert!(english.ends_with('.') && chinese.ends_with('。'), "{english} {chinese}");
    }
    let says = |sentence: &str| told.iter().flatten().any(|told| told == sentence);
    for sentence in [
        "P2 votes no on T1.1: y would become negative.",
        "P2 对 T1.1 投反对票：y 会变成负数。",
        "TC1 decides to abort T1.1: P2 voted no.",
        "TC1 决定中止 T1.1：P2 投了反对票。",
        "TC1 begins T1.1 for C1, with P1, P2 and P3.",
        "C1: 'nonsense' is none of x=5, x+=1, x-=1, x?, with or without P1: before it.",
    ] {
        assert!(says(sentence), "{sentence}: {told:#?}");
    }
}

#[test]
fn a_card_says_what_is_in_doubt_before_all_else() {
    let played = coordinator_dies(false, Commit::default(), None);
    let badge = |machine: &str| {
        let process = &played.world.processes[&id(machine)];
        let lines = process.badge(played.world.now).lines;
        lines
            .into_iter()
            .map(|line| format!("{} {} {}", line.label, line.value, line.tone.class()))
            .collect::<Vec<_>>()
    };
    assert_eq!(badge("P1"), ["T1.1 IN DOUBT bad", "x 0 · T1.1 waiting"]);
    assert!(badge("TC1").is_empty(), "it is down");
}
