//! How cost grows with what a run has: `cargo bench --bench growth --no-default-features`. An exponent of 1 is linear, 0 is no growth
//! at all; it is the slope of the line that fits best through the logarithms, and depends little on the machine.

// nobody else can reach what is in here
#![allow(unreachable_pub)]

mod figure;

use figure::{figure, timed};
use zabscope::base::{ClientId, ServerId, SimTime};
use zabscope::draw::Palette;
use zabscope::draw::Point;
use zabscope::draw::spacetime::{Chosen, Picture, Window, Words, draw};
use zabscope::draw::surface::{Lettering, Path, Stroke, Surface};
use zabscope::sim::{Action, Run, Setup, World};
use zabscope::timeline::Session;
use zabscope::timeline::spacetime::Diagram;
use zabscope::wire::{Acl, CreateMode, Request};

/// Prints what is measured at each size, and the exponent.
fn growth(what: &str, unit: &str, sizes: &[u32], mut measure: impl FnMut(u32) -> f64) {
    let mut points = Vec::new();
    for &size in sizes {
        let value = (0..3).map(|_| measure(size)).fold(f64::INFINITY, f64::min);
        figure(&format!("{size} {what}"), unit, value, 2);
        points.push((f64::from(size).ln(), value.ln()));
    }
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let (up, across) = points.iter().fold((0.0, 0.0), |sum, point| {
        (sum.0 + (point.0 - x) * (point.1 - y), sum.1 + (point.0 - x) * (point.0 - x))
    });
    figure(&format!("growth with {what}"), "exponent", up / across, 2);
}

/// Plays a run up to a moment; its events.
fn play(world: &mut World, until_ms: u64) -> u64 {
    let before = world.events;
    while world.next_at().is_some_and(|at| at.as_ms() < until_ms) {
        world.step();
    }
    world.events - before
}

/// A thousand writes at server 1.
fn writes(every_us: u64) -> Action {
    Action::Write { server: ServerId(1), data: "x=1".into(), count: 1_000, every_us }
}

/// A second with a thousand writes, ms.
fn servers(voters: u32) -> f64 {
    let mut run = Run::new(1, Setup { voters: voters as u8, ..Setup::default() });
    run.push(SimTime::from_ms(1_000), writes(1_000));
    let mut world = World::new(run);
    play(&mut world, 1_000);
    timed(|| play(&mut world, 2_500)).0 * 1e3
}

fn ask(client: ClientId, request: Request) -> Action {
    Action::Ask { client, request, watcher: None, local: false, on_old_connection: false }
}

fn open(run: &mut Run, client: ClientId, server: u8) {
    let servers = vec![ServerId(server)];
    run.push(
        SimTime::from_ms(1_000),
        Action::OpenClient { client, servers, timeout_ms: 10_000, chroot: None, raw: true },
    );
}

fn create(path: String) -> Request {
    Request::Create {
        path: path.into(),
        data: Some("data".into()),
        acl: Acl::open(),
        mode: CreateMode::Persistent,
        ttl: 0,
        stat: false,
        flags: None,
    }
}

/// Ten seconds in which each client is connected and creates ten znodes, ms.
fn clients(count: u32) -> f64 {
    let mut run = Run::new(1, Setup { voters: 3, ..Setup::default() });
    for client in 1..=count as u16 {
        open(&mut run, ClientId(client), (client % 3 + 1) as u8);
        for round in 0..10 {
            let at = SimTime::from_ms(2_000 + round * 800 + u64::from(client) / 2);
            run.push(at, ask(ClientId(client), create(format!("/n{client}-{round}"))));
        }
    }
    let mut world = World::new(run);
    timed(|| play(&mut world, 11_000)).0 * 1e3
}

/// An event of a server whose znodes are written one after another, µs.
fn znodes(count: u32) -> f64 {
    const PER_MULTI: u32 = 500;
    let client = ClientId(1);
    let mut run = Run::new(1, Setup { voters: 1, ..Setup::default() });
    open(&mut run, client, 1);
    let mut at = 2_000;
    for first in (0..count).step_by(PER_MULTI as usize) {
        let ops = (first..(first + PER_MULTI).min(count)).map(|number| create(format!("/n{number}"))).collect();
        run.push(SimTime::from_ms(at), ask(client, Request::Multi { ops }));
        at += 20;
    }
    let begin = at + 1_000;
    for number in 0..2_000 {
        let path = format!("/n{}", number * 7_919 % u64::from(count)).into();
        let request = Request::SetData { path, data: Some("new".into()), version: -1 };
        run.push(SimTime::from_ms(begin + number), ask(client, request));
    }
    let mut world = World::new(run);
    play(&mut world, begin);
    let there = world.processes[&ServerId(1)].server().map_or(0, |server| server.tree.len());
    assert!(there > count as usize, "{there} znodes are there, not {count}");
    let (seconds, events) = timed(|| play(&mut world, begin + 2_500));
    seconds * 1e6 / events as f64
}

/// Three servers and a write every 4 ms, as the page plays them, until there were so many events, ms.
fn session(events: u32) -> Session {
    let mut run = Run::new(1, Setup::default());
    (0..100).for_each(|part| run.push(SimTime::from_ms(1_000 + part * 4_000), writes(4_000)));
    let mut session = Session::new(run, None).expect("a run");
    session.step(events.into());
    session
}

/// Draws nothing.
struct Nothing;

impl Surface for Nothing {
    fn path(&mut self, _: &Path, _: Option<&str>, _: Option<Stroke<'_>>, _: f64) {}

    fn text(&mut self, _: &str, _: Point, _: &Lettering<'_>) {}
}

/// A frame of the space-time diagram with so many events in sight, ms.
fn window(diagram: &Diagram, last_us: u64, share: f64) -> f64 {
    let words = Words { reign: "epoch {} · {}", down: "", paused: "", connected: "", away: "", holds: "" };
    let (palette, chosen, end) = (Palette::default(), Chosen::default(), last_us as f64);
    let picture = Picture { diagram, palette: &palette, words, now_us: end, next_seq: u32::MAX, chosen: &chosen };
    let window = Window { from_us: end * (1.0 - share), to_us: end, scroll: 0.0, follows: false };
    let frames = 20;
    let (seconds, _) = timed(|| {
        (0..frames).for_each(|_| {
            draw(&mut Nothing, &picture, &window, (1_000.0, 640.0));
        })
    });
    seconds * 1e3 / f64::from(frames)
}

fn main() {
    growth("servers", "ms", &[1, 3, 5, 7, 9], servers);
    growth("clients", "ms", &[10, 30, 100, 300], clients);
    growth("znodes", "µs an event", &[1_000, 10_000, 100_000, 1_000_000], znodes);
    growth("events", "ms", &[100_000, 200_000, 400_000, 800_000], |events| timed(|| session(events)).0 * 1e3);
    let mut world = World::new(Run::clone(session(1).player().run()));
    let mut diagram = Diagram::default();
    while world.events < 200_000 {
        world.step().into_iter().flatten().for_each(|record| diagram.read(record));
    }
    let last_us = diagram.last_us();
    growth("thousandths of 200,000 events in sight", "ms a frame", &[10, 30, 100, 300, 1_000], |share| {
        window(&diagram, last_us, f64::from(share) / 1e3)
    });
}
