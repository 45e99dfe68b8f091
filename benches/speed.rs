//! How fast the simulation is: `cargo bench --bench speed --no-default-features`. Figures depend on the machine and its
//! load; the ratio at the end does not, and is what to look at. `scripts/bench` runs this and the same run in the page.

use std::time::Instant;

use zabscope::base::{ClientId, ServerId, SimTime};
use zabscope::draw::spacetime::{Chosen, Picture, Window, Words, draw};
use zabscope::draw::surface::{Lettering, Path, Stroke, Surface};
use zabscope::draw::{Palette, Point};
use zabscope::sim::{Action, Fact, Player, Run, Setup, World, WorldFact};
use zabscope::timeline::Session;
use zabscope::timeline::spacetime::Diagram;
use zabscope::wire::{Acl, CreateMode, Request};

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

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
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
    println!("world alone:            {:>9.0} events/s ({events} events)", events as f64 / seconds);
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
    println!(
        "with the digest:        {:>9.0} events/s, {:.0} writes/s",
        events as f64 / seconds,
        writes as f64 / seconds
    );
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
    println!("as the page, undrawn:   {:>9.0} events/s ({:.1} ms)", events as f64 / seconds, seconds * 1e3);
}

/// A client fills the tree, then writes; the time of an event while it writes, s.
fn event_with(znodes: u32) -> f64 {
    const PER_MULTI: u32 = 500;
    let client = ClientId(1);
    let mut run = Run::new(1, Setup::default());
    let ask = |request| Action::Ask { client, request, watcher: None, local: false, on_old_connection: false };
    let servers = vec![ServerId(1)];
    run.push(
        SimTime::from_ms(1_000),
        Action::OpenClient { client, servers, timeout_ms: 4_000, chroot: None, raw: true },
    );
    let create = |number: u32| Request::Create {
        path: format!("/n{number:06}").into(),
        data: Some("data".into()),
        acl: Acl::open(),
        mode: CreateMode::Persistent,
        ttl: 0,
        stat: false,
        flags: None,
    };
    let mut at = 1_500;
    for first in (0..znodes).step_by(PER_MULTI as usize) {
        let ops = (first..(first + PER_MULTI).min(znodes)).map(create).collect();
        run.push(SimTime::from_ms(at), ask(Request::Multi { ops }));
        at += 20;
    }
    let begin = at + 1_000;
    for number in 0..2_000 {
        let path = format!("/n{:06}", number % znodes).into();
        let request = Request::SetData { path, data: Some("new".into()), version: -1 };
        run.push(SimTime::from_ms(begin + number as u64), ask(request));
    }
    let (seconds, events) = best(|| {
        let mut world = World::new(run.clone());
        while world.next_at().is_some_and(|next| next.as_ms() < begin) {
            world.step();
        }
        let before = world.events;
        timed(|| {
            while world.next_at().is_some_and(|next| next.as_ms() < begin + 2_500) {
                world.step();
            }
            world.events - before
        })
    });
    seconds / events as f64
}

/// The same load for as long as it takes to have this many events.
fn longer(events: u64) -> Session {
    let mut run = loaded();
    let once = run.actions.clone();
    for again in 1..12 {
        for timed in once.iter().filter(|timed| matches!(timed.action, Action::Write { .. })) {
            run.push(timed.at_us.plus(again * 10_000_000), timed.action.clone());
        }
    }
    let mut session = Session::new(run, None).expect("a run");
    session.step(events);
    session
}

/// How long it takes to go anywhere in a run of a million events, and what its past weighs.
fn time_travel() {
    const EVENTS: u64 = 1_000_000;
    let before = resident();
    let mut session = longer(EVENTS);
    let memory = resident().saturating_sub(before);
    let mut times = Vec::new();
    let mut target = 7;
    for _ in 0..200 {
        target = (target * 1_103_515_245 + 12_345) % EVENTS; // anywhere, the same every time
        let (seconds, _) = timed(|| session.seek_event(target));
        assert_eq!(session.events(), target);
        times.push(seconds * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "to any of 1,000,000 events: {:.1} ms, 95 % below {:.1} ms, at most {:.1} ms; {:.1} MB per 100,000 events",
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        times[times.len() - 1],
        memory as f64 / 1e6 * 100_000.0 / session.known_events() as f64
    );
}

/// Memory of this process, bytes; 0 where the system does not say.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4_096
}

/// An surface that counts what it is told to draw.
#[derive(Default)]
struct Counting {
    stretches: usize,
    calls: usize,
}

impl Surface for Counting {
    fn path(&mut self, path: &Path, _: Option<&str>, _: Option<Stroke<'_>>, _: f64) {
        self.stretches += path.0.len();
        self.calls += 1;
    }

    fn text(&mut self, _: &str, _: Point, _: &Lettering<'_>) {
        self.calls += 1;
    }
}

/// The run over time: reading its facts, and drawing a frame with few and with 50,000 messages in sight.
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
    println!(
        "space-time, reading:    {:>9.0} facts/s, {:.0} events/s",
        records.len() as f64 / seconds,
        world.events as f64 / seconds
    );
    let bytes = diagram.arrows().len() * 48 + diagram.events().len() * 32;
    println!("space-time, memory:     {:>9.2} MB for 100,000 events", bytes as f64 * 0.1 / world.events as f64);
    let words = Words { reign: "epoch {} · {}", down: "", paused: "", connected: "", away: "", holds: "" };
    let (palette, chosen, end) = (Palette::default(), Chosen::default(), diagram.last_us() as f64);
    let picture =
        Picture { diagram: &diagram, palette: &palette, words, now_us: end, next_seq: u32::MAX, chosen: &chosen };
    let frame = |from_us: f64| {
        let window = Window { from_us, to_us: end, scroll: 0.0, follows: false };
        best(|| {
            timed(|| {
                let mut surface = Counting::default();
                let shown = draw(&mut surface, &picture, &window, (1_000.0, 640.0));
                (shown.thinned.visible, shown.thinned.drawn.len(), surface.calls, surface.stretches)
            })
        })
    };
    let tell = |(seconds, (visible, drawn, calls, stretches)): (f64, (usize, usize, usize, usize))| {
        let ms = seconds * 1e3;
        println!(
            "space-time, a frame:    {ms:>9.3} ms, {visible} messages in sight, {drawn} drawn, {calls} calls, {stretches} stretches"
        );
        (seconds, visible as f64)
    };
    let (few, many) = (tell(frame(end * 0.97)), tell(frame(0.0)));
    println!(
        "space-time, ratio:      {:>9.2} times the work for {:.0} times the messages",
        many.0 / few.0,
        many.1 / few.1
    );
}

fn main() {
    space_time();
    world_only();
    with_digest();
    as_the_page();
    time_travel();
    let (small, large) = (event_with(100), event_with(100_000));
    println!("an event, 100 znodes:     {:>7.3} µs", small * 1e6);
    println!("an event, 100000 znodes:  {:>7.3} µs, {:.2} times as long", large * 1e6, large / small);
}
