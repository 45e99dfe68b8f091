//! How fast the simulation is: `cargo bench --bench speed --no-default-features`. Figures depend on the machine and its
//! load: `scripts/bench` runs this, and the same run in the page, and prints both beside what was kept.

// nobody else can reach what is in here
#![allow(unreachable_pub)]

mod figure;

use figure::{figure, timed};
use std::process::Command;
use zabscope::base::SimTime;
use zabscope::check::Checker;
use zabscope::sim::{Action, Fact, Player, Run, World, WorldFact};
use zabscope::timeline::Session;
use zabscope::timeline::spacetime::Diagram;

/// Five servers under a load of plain writes for ten seconds: the run that the page plays too.
fn loaded() -> Run {
    let text = include_str!("loaded.json");
    Run::from_json(text).expect("the run beside this file")
}

/// The best of five: the machine has other things to do.
fn best<T>(mut measure: impl FnMut() -> (f64, T)) -> (f64, T) {
    let mut best = measure();
    for _ in 0..4 {
        let next = measure();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

fn world_only() {
    let (seconds, events) = best(|| {
        timed(|| {
            let mut world = World::new(loaded());
            while world.next_at().is_some_and(|at| at.as_ms() <= 10_000) {
                world.step();
            }
            world.events
        })
    });
    figure("the world alone", "events/s", events as f64 / seconds, 0);
}

fn with_digest() {
    let (seconds, (events, writes)) = best(|| {
        timed(|| {
            let mut player = Player::new(loaded()).expect("a run");
            player.run_until(SimTime::from_ms(10_000), |_, _| {});
            let summary = player.summary(0);
            (summary.events, summary.committed)
        })
    });
    figure("with the digest", "events/s", events as f64 / seconds, 0);
    figure("with the digest, writes", "writes/s", writes as f64 / seconds, 0);
}

fn with_checker() {
    let (seconds, events) = best(|| {
        timed(|| {
            let mut checker = Checker::new(&loaded().setup);
            let mut player = Player::new(loaded()).expect("a run");
            player.run_until(SimTime::from_ms(10_000), |_, records| {
                records.iter().for_each(|record| {
                    checker.read(record);
                });
            });
            assert!(checker.violations().is_empty());
            player.summary(0).events
        })
    });
    figure("with digest and checker", "events/s", events as f64 / seconds, 0);
}

/// What the page does for every event but drawing: digest, checks, run_summary.
fn as_the_page() {
    let (seconds, events) = best(|| {
        timed(|| {
            let mut session = Session::new(loaded(), None).expect("a run");
            session.seek(SimTime::from_ms(10_000)).expect("the end of the run");
            session.world().events
        })
    });
    figure("as the page, undrawn", "events/s", events as f64 / seconds, 0);
}

/// The same load for as long as it takes to have this many events: there are some 270,000 in ten seconds.
fn longer(events: u64) -> Session {
    let mut run = loaded();
    let once = run.actions.clone();
    for again in 1..=events / 200_000 {
        for timed in once.iter().filter(|timed| matches!(timed.action, Action::Write { .. })) {
            run.push(timed.at_us.plus(again * 10_000_000), timed.action.clone());
        }
    }
    let mut session = Session::new(run, None).expect("a run");
    // one call takes a jump's steps at most
    while session.events() < events {
        session.step(events - session.events());
    }
    session
}

/// What the past of a run of so many events weighs, MB: in a process of its own, where nothing has been freed before that it could
/// take again without the system's knowledge.
fn past(events: u64) -> f64 {
    let me = std::env::current_exe().expect("this program");
    let told = Command::new(me).args([WEIGH, &events.to_string()]).output().expect("this program once more");
    String::from_utf8_lossy(&told.stdout).trim().parse().expect("a number")
}

/// The other process: says what a run has taken so far.
fn weigh(events: u64) {
    let before = resident();
    let session = longer(events);
    assert_eq!(session.events(), events);
    println!("{}", resident().saturating_sub(before) as f64 / 1e6);
}

/// How a process is asked for [`weigh`].
const WEIGH: &str = "--weigh";

/// How long it takes to go anywhere in a run of a million events, and what its past weighs.
fn time_travel() {
    const EVENTS: u64 = 1_000_000;
    let mut session = longer(EVENTS);
    let mut times = Vec::new();
    let mut target = 7;
    for _ in 0..200 {
        target = (target * 1_103_515_245 + 12_345) % EVENTS; // anywhere, the same every time
        let (seconds, _) = timed(|| session.seek_event(target));
        assert_eq!(session.events(), target);
        times.push(seconds * 1e3);
    }
    times.sort_by(f64::total_cmp);
    figure("to any of 1,000,000 events, median", "ms", times[times.len() / 2], 1);
    figure("to any of 1,000,000 events, 95 %", "ms", times[times.len() * 95 / 100], 1);
    figure("memory of a run of 100,000 events", "MB", past(100_000), 1);
    figure("memory of 100,000 events", "MB", past(EVENTS) * 100_000.0 / EVENTS as f64, 1);
}

/// Whether memory stays bounded in a run that goes on for half an hour of load.
fn long_run() {
    const EVENTS: u64 = 10_000_000;
    let (seconds, mut session) = timed(|| longer(EVENTS));
    assert_eq!(session.events(), EVENTS);
    figure("10,000,000 events, memory", "MB", past(EVENTS), 0);
    figure("10,000,000 events, as the page, undrawn", "events/s", EVENTS as f64 / seconds, 0);
    let (seconds, _) = timed(|| session.seek_event(EVENTS / 2));
    figure("10,000,000 events, back to the middle", "ms", seconds * 1e3, 0);
}

/// Memory of this process, bytes; 0 where the system does not say.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4_096
}

/// The run over time: reading its facts. What a frame of it costs is in `growth.rs`.
fn space_time() {
    const MESSAGES: usize = 50_000;
    let mut records = Vec::new();
    let mut world = World::new(loaded());
    let mut sent = 0;
    while sent < MESSAGES {
        let facts = world.step().expect("the run goes on").to_vec();
        sent += facts.iter().filter(|one| matches!(one.fact, Fact::World(WorldFact::Sent { .. }))).count();
        records.extend(facts);
    }
    let (seconds, diagram) = best(|| {
        timed(|| {
            let mut diagram = Diagram::default();
            records.iter().for_each(|record| diagram.read(record));
            diagram
        })
    });
    figure("space-time, reading", "facts/s", records.len() as f64 / seconds, 0);
    let bytes = diagram.arrows().len() * 48 + diagram.events().len() * 32;
    figure("space-time, memory of 100,000 events", "MB", bytes as f64 * 0.1 / world.events as f64, 2);
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == WEIGH) {
        return weigh(words[at + 1].parse().expect("how many events"));
    }
    space_time();
    world_only();
    with_digest();
    with_checker();
    as_the_page();
    time_travel();
    long_run();
}
