//! The dice: short random runs. Each has only some kinds of deeds (swarm testing: Groce et al., ISSTA 2012), half of them
//! aimed at whoever leads by now. They find what takes more deeds than the ladder gets through.

use crate::base::{Micros, Prng, ServerId, ServerSet, SimTime, Stream};
use crate::sim::{Action, LatencyRange, MoveTo, Run, Setup, Status, World};

use super::deed::{DATA, long, sides};
use super::goal::Goal;
use super::stand::{Outcome, Stand, horizon, status};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Write,
    Crash,
    CrashAndBack,
    Restart,
    Pause,
    Isolate,
    Cut,
    CutOneWay,
    Heal,
    SlowDisk,
    SlowLink,
    /// What a server is told comes packet by packet, some of it after it has given up (ZOOKEEPER-3642).
    BreakOff,
    CrashAll,
    Mend,
    Client,
}

const KINDS: [Kind; 15] = [
    Kind::Write,
    Kind::Crash,
    Kind::CrashAndBack,
    Kind::Restart,
    Kind::Pause,
    Kind::Isolate,
    Kind::Cut,
    Kind::CutOneWay,
    Kind::Heal,
    Kind::SlowDisk,
    Kind::SlowLink,
    Kind::BreakOff,
    Kind::CrashAll,
    Kind::Mend,
    Kind::Client,
];

/// A random run is troubled for so long, µs.
const SPANS_US: [Micros; 3] = [1_500_000, 3_000_000, 5_000_000];
/// The longest gap between two deeds.
const GAPS_US: [Micros; 4] = [40_000, 120_000, 400_000, 900_000];
/// How long something lasts.
const LASTING_US: [Micros; 5] = [10_000, 60_000, 300_000, 800_000, 1_500_000];
const SLOW_DISKS: [LatencyRange; 3] =
    [LatencyRange::ms(60, 60), LatencyRange::ms(300, 300), LatencyRange::ms(1_200, 1_200)];
const SLOW_LINKS: [LatencyRange; 3] =
    [LatencyRange::ms(60, 60), LatencyRange::ms(200, 200), LatencyRange::ms(600, 600)];
/// An odd number without a pattern (2^64 divided by the golden ratio): seeds of neighbouring trials have nothing in common.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes random runs.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    root: Stand,
    goal: Goal,
    seed: u64,
    after: Micros,
    /// Settings may be drawn too: there is no run to keep to.
    free: bool,
    /// The run's own deeds end here.
    until: SimTime,
}

impl Dice {
    /// Random runs that begin as this one, and are troubled from a moment on; with settings of their own where they are free.
    pub(super) fn new(run: Run, goal: &Goal, from: SimTime, until: SimTime, seed: u64, free: bool) -> Dice {
        let after = horizon(&run, goal);
        let mut root = Stand::new(run, goal);
        if from > SimTime::ZERO {
            root.run_until(from);
        }
        Dice { root, goal: goal.clone(), seed, after, free, until }
    }

    /// Plays the random run of this number: what it led to, and how many events that took.
    pub(super) fn trial(&self, number: u64) -> (Option<Outcome>, u64) {
        let mut prng = Prng::new(self.seed ^ number.wrapping_mul(SPREAD), Stream::Faults);
        let (mut stand, begun) = if self.free {
            (Stand::new(Run::new(number + 1, drawn(self.root.world.setup(), &mut prng)), &self.goal), 0)
        } else {
            (self.root.clone(), self.root.world.events)
        };
        let mut throw = Throw::new(prng);
        let spare = self.until.since(stand.world.now);
        let mut now = stand.world.now.plus(match self.free {
            true => throw.prng.between(100_000, 900_000),
            false => throw.prng.between(0, spare),
        });
        let end = now.plus(throw.span);
        while now < end && stand.watch.found.is_none() {
            stand.run_until(now);
            throw.deed(&mut stand.world, now);
            let gap = throw.gap;
            now = now.plus(throw.prng.between(1_000, gap));
        }
        let outcome = stand.finish(self.after);
        (outcome, stand.world.events - begun)
    }
}

/// Settings that decide which way servers go: when snapshots are taken, how far logs reach, how fast everything is.
fn drawn(setup: &Setup, prng: &mut Prng) -> Setup {
    Setup {
        snap_count: pick(prng, &[2, 4, 10, 100_000, 100_000, 100_000]),
        commit_log_count: pick(prng, &[1, 2, 500, 500]),
        snapshot_size_factor: pick(prng, &[-1, 0, 33, 33]),
        latency: pick(prng, &[LatencyRange::ms(10, 10), LatencyRange::ms(10, 20), LatencyRange::ms(2, 60)]),
        disk_sync: pick(prng, &[LatencyRange::ms(8, 8), LatencyRange::ms(6, 12), LatencyRange::ms(5, 100)]),
        ..setup.clone()
    }
}

fn pick<T: Copy>(prng: &mut Prng, values: &[T]) -> T {
    values[prng.below(values.len() as u32) as usize]
}

/// One random run's kinds of deeds.
struct Throw {
    prng: Prng,
    kinds: Vec<Kind>,
    span: Micros,
    gap: Micros,
}

impl Throw {
    fn new(mut prng: Prng) -> Throw {
        let mut kinds = vec![Kind::Write, Kind::Crash];
        for kind in KINDS {
            let weight = prng.below(3) * (1 + prng.below(2));
            kinds.extend((0..weight).map(|_| kind));
        }
        let (span, gap) = (pick(&mut prng, &SPANS_US), pick(&mut prng, &GAPS_US));
        Throw { prng, kinds, span, gap }
    }

    /// Does something at random.
    fn deed(&mut self, world: &mut World, now: SimTime) {
        let kind = pick(&mut self.prng, &self.kinds);
        let Some(server) = self.target(world) else { return };
        let lasts = pick(&mut self.prng, &LASTING_US);
        let (alone, others) = sides(world, server);
        let mut act = |after: Micros, action: Action| world.append(now.plus(after), action);
        match kind {
            Kind::Write => {
                act(0, Action::Write { server, data: DATA.into(), count: 1 + self.prng.below(2), every_us: 0 })
            }
            Kind::Crash => act(0, Action::Crash { server }),
            Kind::CrashAndBack => {
                act(0, Action::Crash { server });
                act(lasts, Action::Restart { server });
            }
            Kind::Restart => self.restart(world, now),
            Kind::Pause => {
                act(0, Action::Pause { server });
                act(lasts, Action::Resume { server });
            }
            Kind::Isolate => act(0, Action::Cut { from: alone, to: others, one_way: false }),
            Kind::Cut | Kind::CutOneWay => {
                if let Some(other) = self.one_of(others) {
                    let to = [other].into_iter().collect();
                    let (from, to) = if self.prng.chance(1, 2) { (alone, to) } else { (to, alone) };
                    act(0, Action::Cut { from, to, one_way: kind == Kind::CutOneWay });
                }
            }
            Kind::Heal => act(0, Action::HealAll),
            Kind::SlowDisk => {
                let sync = pick(&mut self.prng, &SLOW_DISKS);
                act(0, Action::Disk { server, sync });
            }
            Kind::SlowLink => {
                let range = pick(&mut self.prng, &SLOW_LINKS);
                act(0, Action::Latency { from: alone, to: others, range });
            }
            Kind::BreakOff => self.break_off(world, now, server),
            Kind::CrashAll => self.crash_all(world, now),
            Kind::Mend => mend(world, now),
            Kind::Client => self.trouble_a_client(world, now, server),
        }
    }

    /// Half of the deeds are for whoever leads.
    fn target(&mut self, world: &World) -> Option<ServerId> {
        let leads = |id: &ServerId| {
            let server = world.processes.get(id).and_then(|process| process.server());
            server.is_some_and(|server| server.peer.orders().is_some())
        };
        let leader = world.processes.keys().copied().find(leads);
        let all = world.processes.keys().copied().collect();
        if self.prng.chance(1, 2) { leader.or_else(|| self.one_of(all)) } else { self.one_of(all) }
    }

    fn one_of(&mut self, servers: ServerSet) -> Option<ServerId> {
        servers.iter().nth(self.prng.below(servers.len() as u32) as usize)
    }

    fn restart(&mut self, world: &mut World, now: SimTime) {
        let down = status(world, Status::Crashed).collect();
        if let Some(server) = self.one_of(down) {
            world.append(now, Action::Restart { server });
        }
    }

    fn break_off(&mut self, world: &mut World, now: SimTime, server: ServerId) {
        let all: ServerSet = world.processes.keys().copied().collect();
        let (to, patience) = ([server].into_iter().collect(), long(world));
        let range = LatencyRange { min_us: 0, max_us: 3 * patience };
        world.append(now, Action::Latency { from: all, to, range });
        let latency = world.setup().latency;
        let lasts = self.prng.between(patience / 4, 2 * patience);
        world.append(now.plus(lasts), Action::Latency { from: all, to, range: latency });
    }

    fn crash_all(&mut self, world: &mut World, now: SimTime) {
        let up: Vec<ServerId> = status(world, Status::Running).collect();
        for &server in &up {
            world.append(now, Action::Crash { server });
        }
        let back = pick(&mut self.prng, &LASTING_US);
        for server in up.into_iter().filter(|_| self.prng.chance(3, 4)) {
            world.append(now.plus(back), Action::Restart { server });
        }
    }

    fn trouble_a_client(&mut self, world: &mut World, now: SimTime, server: ServerId) {
        let count = world.clients.values().count() as u32;
        let Some(client) = world.clients.keys().copied().nth(self.prng.below(count) as usize) else { return };
        let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
        let lasts = pick(&mut self.prng, &[100_000, 1_000_000, 6_000_000]);
        let action = match self.prng.below(5) {
            0 => Action::DisconnectClient { client },
            1 => Action::KillClient { client },
            2 => Action::ExpireClient { client },
            3 => Action::MoveClient { client, to },
            _ => Action::PauseClient { client },
        };
        let paused = matches!(action, Action::PauseClient { .. });
        world.append(now, action);
        if paused {
            world.append(now.plus(lasts), Action::ResumeClient { client });
        }
    }
}

/// Everything that a deed has broken is mended, but for what is slow.
fn mend(world: &mut World, now: SimTime) {
    let (paused, down) = (status(world, Status::Paused), status(world, Status::Crashed));
    let mends = paused.map(|server| Action::Resume { server }).chain(down.map(|server| Action::Restart { server }));
    for action in [Action::HealAll].into_iter().chain(mends) {
        world.append(now, action);
    }
}
