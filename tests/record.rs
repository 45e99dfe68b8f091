//! A lesson is made of a run: it is read, resolves to the same run, and has no flaw.

use std::rc::Rc;

use zabscope::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::i18n::{Lang, action_words};
use zabscope::lessons::{DryRun, Lesson, RecordError, prove, read_over, record};
use zabscope::scenarios::{SCENARIOS, scenario};
use zabscope::sim::{Action, LatencyRange, Player, Run, Setup, Tongue};

fn say(action: &Action, tongue: Tongue) -> String {
    action_words(if tongue == Tongue::English { Lang::En } else { Lang::Zh }, action)
}

/// The lesson of a run; it does the same at the same times, and nothing in it is not so.
fn recorded(run: &Run, from: Option<&str>) -> (Rc<Lesson>, String) {
    let text = record(run, from.map(|from| (from, &[][..])), say).unwrap_or_else(|error| panic!("{error:?}"));
    let lesson = Rc::new(Lesson::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}")));
    let resolved = DryRun::new(&lesson, None).and_then(DryRun::play).expect("its run is valid");
    assert_eq!(*resolved.run, *run, "{text}");
    assert_eq!(read_over(&lesson), [], "{text}");
    assert_eq!(lesson.start.seeds, run.seed..run.seed + 1);
    let flaws = prove(&lesson, run.seed).expect("its run is valid");
    // what somebody does may violate a property: that is no flaw of the recorder's
    let flaws: Vec<_> = flaws.into_iter().filter(|flaw| flaw.place != "start").collect();
    assert_eq!(flaws, [], "{text}");
    (lesson, text)
}

/// A run with deeds by hand at these moments, µs.
fn by_hand(run: Run, deeds: impl IntoIterator<Item = (u64, Action)>) -> Run {
    let mut player = Player::new(run).expect("a valid run");
    for (at_us, action) in deeds {
        player.run_until(SimTime(at_us), |_, _| {});
        player.act(action, |_, _| {}).expect("it can be done");
    }
    Run::clone(player.run())
}

#[test]
fn what_was_done_by_hand_becomes_a_lesson() {
    let write = |data: &str| Action::Write { server: ServerId(1), data: data.into(), count: 12, every_us: 100 };
    let slow = LatencyRange { min_us: 1_500, max_us: 7_000 };
    let (one, others) = (ServerSet::first(1), [2, 3].map(ServerId).into_iter().collect());
    let given = scenario("leader-crash-under-load").expect("a scenario").run();
    let run = by_hand(
        given,
        [
            (0, Action::Disk { server: ServerId(2), sync: slow }),
            (400_123, write("{L} is 5. {you} are 7! 12")),
            (400_500, Action::HealAll),
            (1_700_001, Action::Latency { from: one, to: others, range: slow }),
            (1_700_001, Action::HealAll),
            (2_900_000, write("\\\"{")),
            (3_300_456, Action::Crash { server: ServerId(1) }),
            (3_300_456, Action::Restart { server: ServerId(1) }),
        ],
    );
    let (lesson, text) = recorded(&run, Some("leader-crash-under-load"));
    assert_eq!(lesson.start.from.scenario.as_deref(), Some("leader-crash-under-load"));
    assert_eq!((lesson.start.deeds.len(), lesson.beats.len()), (8, 8), "{text}");
    assert!(lesson.start.from.set.is_empty(), "{text}");
    assert!(!text.contains(" msg=") && !text.contains(" write="), "{text}");
    assert!(lesson.beats.iter().any(|beat| &*beat.say.en == "Crash S1."), "{text}");
    assert!(lesson.beats.iter().any(|beat| &*beat.say.zh == "S1 崩溃。"), "{text}");
    // the scenario is found by what it does, too
    assert_eq!(recorded(&run, None).1, text);
}

#[test]
fn a_seed_and_settings_that_were_changed_are_set() {
    let mut given = scenario("cold-start-3").expect("a scenario").run();
    for setting in ["seed=41", "sync_limit=7", "observers=1"] {
        given.set(setting).expect(setting);
    }
    let run = by_hand(given, [(2_000_000, Action::Crash { server: ServerId(3) })]);
    let (lesson, text) = recorded(&run, Some("cold-start-3"));
    let set: Vec<&str> = lesson.start.from.set.iter().map(|setting| &**setting).collect();
    assert_eq!(set, ["seed=41", "observers=1", "sync_limit=7"], "{text}");
}

#[test]
fn a_run_of_no_scenario_is_kept_whole() {
    let mut run = Run::new(9, Setup { voters: 7, snap_count: 77, ..Setup::default() });
    run.push(SimTime(1_500_250), Action::Crash { server: ServerId(7) });
    run.push(SimTime::from_ms(3_000), Action::Restart { server: ServerId(7) });
    let (lesson, text) = recorded(&run, None);
    assert_eq!(lesson.start.from.run.as_ref().map(|run| run.actions.len()), Some(1), "{text}");
    assert_eq!(lesson.start.deeds.len(), 1, "{text}");
}

#[test]
fn every_scenario_with_any_deeds_becomes_a_lesson() {
    let mut prng = Prng::new(5, Stream::Faults);
    for scenario in SCENARIOS.iter().step_by(4) {
        let id = |prng: &mut Prng| ServerId(prng.between(1, 3) as u8);
        let mut at_us = 0;
        let deeds: Vec<(u64, Action)> = (0..5)
            .map(|number| {
                at_us += prng.between(0, 900_000) * prng.between(0, 1);
                let server = id(&mut prng);
                let action = match prng.between(0, 4) {
                    0 => Action::Pause { server },
                    1 => Action::Resume { server },
                    2 => Action::Write { server, data: format!("{number}"), count: 1, every_us: 0 },
                    3 => Action::Disk { server, sync: LatencyRange { min_us: 20_000, max_us: 50_000 } },
                    _ => Action::HealAll,
                };
                (at_us, action)
            })
            .collect();
        let run = by_hand(scenario.run(), deeds);
        let lesson = recorded(&run, Some(scenario.id)).0;
        assert_eq!((lesson.start.deeds.len(), lesson.beats.len()), (5, 5), "{}", scenario.id);
    }
}

#[test]
fn what_makes_no_lesson_is_told() {
    let given = scenario("cold-start-3").expect("a scenario").run();
    let said = |run: &Run| record(run, Some(("cold-start-3", &[])), say).expect_err("no lesson");
    assert_eq!(said(&given), RecordError::NoDeeds);
    let mut run = given.clone();
    (0..41).for_each(|at| run.push(SimTime::from_ms(at), Action::HealAll));
    assert_eq!(said(&run), RecordError::TooManyDeeds(41, 40));
    let mut run = given.clone();
    run.push(SimTime::from_ms(599_000), Action::HealAll);
    assert!(matches!(said(&run), RecordError::TooLate(..)));
    let run = Run { version: 99, ..given };
    assert!(matches!(said(&run), RecordError::Run(_)));
}
