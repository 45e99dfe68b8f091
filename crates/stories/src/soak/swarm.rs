//! The settings of one random run, all drawn from its seed.

use crate::base::{Micros, Prng, RuleSet};
use crate::sim::{LatencyRange, Setup};

/// A kind of fault; a run has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A server dies, or a dead one starts.
    Crash,
    /// A server stops doing anything, or goes on.
    Pause,
    /// A link is cut or healed.
    CutPair,
    /// A group is cut off.
    CutGroup,
    /// A link is cut in one direction.
    CutOneWay,
    /// Everything is healed.
    Heal,
    /// A disk becomes slow, or fast again.
    SlowDisk,
    /// A link becomes slow, or fast again.
    SlowLink,
    /// Whoever probably leads dies, and the one after it.
    CrashLeaders,
    /// One server crashes and starts again and again, in the middle of its writes.
    Flap,
    /// Whoever probably leads is cut off and takes writes.
    IsolateLeader,
    /// Everybody dies; some come back first.
    CrashAll,
    /// A server misses some writes, and something happens while it is brought up to date.
    Rejoin,
    /// The highest server promises epochs that nobody else hears of, and is away while the others go on.
    LonelyEpochs,
}

const KINDS: [Kind; 14] = [
    Kind::Crash,
    Kind::Pause,
    Kind::CutPair,
    Kind::CutGroup,
    Kind::CutOneWay,
    Kind::Heal,
    Kind::SlowDisk,
    Kind::SlowLink,
    Kind::CrashLeaders,
    Kind::Flap,
    Kind::IsolateLeader,
    Kind::CrashAll,
    Kind::Rejoin,
    Kind::LonelyEpochs,
];

/// What a seed makes of a run.
#[derive(Clone, Debug)]
pub(super) struct Swarm {
    pub setup: Setup,
    /// The kinds of faults, each as often as its weight says.
    pub kinds: Vec<Kind>,
    /// The longest gap between two faults of a burst.
    pub gap_us: Micros,
    /// The longest calm between bursts.
    pub calm_us: Micros,
    /// How many of ten steps write something.
    pub writes: u32,
    /// Most writes at once.
    pub batch: u32,
}

impl Swarm {
    pub(super) fn draw(servers: u8, rules: RuleSet, prng: &mut Prng) -> Swarm {
        let mut kinds = Vec::new();
        for kind in KINDS {
            // each kind is missing in a third of the runs, so that others get room
            let weight = prng.below(3) * (1 + prng.below(3));
            kinds.extend((0..weight).map(|_| kind));
        }
        kinds.push(Kind::Crash);
        Swarm {
            setup: setup(servers, rules, prng),
            kinds,
            gap_us: pick(prng, &[20_000, 60_000, 150_000, 300_000, 1_500_000]),
            calm_us: pick(prng, &[800_000, 2_000_000, 4_000_000, 8_000_000]),
            writes: prng.below(9) + 1,
            batch: pick(prng, &[1, 3, 10, 30]),
        }
    }
}

fn setup(servers: u8, rules: RuleSet, prng: &mut Prng) -> Setup {
    let observers = match prng.chance(1, 4) {
        true => 1 + prng.below(2) as u8,
        false => 0,
    };
    Setup {
        voters: servers,
        observers,
        tick_time_ms: pick(prng, &[100, 200, 200, 400]),
        init_limit: pick(prng, &[10, 10, 20]),
        sync_limit: pick(prng, &[2, 5, 5, 10]),
        snap_count: pick(prng, &[2, 4, 10, 40, 100_000, 100_000]),
        commit_log_count: pick(prng, &[1, 2, 5, 20, 500, 500]),
        snapshot_size_factor: pick(prng, &[-1, 0, 0, 33, 33, 2_000]),
        // a leader that resigns more than once while the last writes come would not answer them all
        counter_limit: pick(prng, &[u32::MAX, u32::MAX, u32::MAX, 60]),
        latency: pick(prng, &LATENCIES),
        // a slower link would not carry the longest DIFF within initLimit
        transmit_us: pick(prng, &[0, 50, 200]),
        disk_sync: pick(prng, &DISKS),
        start_us: start_times(servers + observers, prng),
        crash_keeps_prefix: prng.chance(1, 3),
        rules,
        ..Setup::default()
    }
}

const LATENCIES: [LatencyRange; 5] = [
    LatencyRange::ms(1, 3),
    LatencyRange::ms(10, 20),
    LatencyRange::ms(10, 20),
    LatencyRange::ms(2, 60),
    LatencyRange::ms(30, 120),
];

const DISKS: [LatencyRange; 5] = [
    LatencyRange::ms(1, 2),
    LatencyRange::ms(6, 12),
    LatencyRange::ms(6, 12),
    LatencyRange::ms(5, 100),
    LatencyRange::ms(80, 250),
];

fn start_times(servers: u8, prng: &mut Prng) -> Vec<Micros> {
    match prng.chance(1, 3) {
        true => (0..servers).map(|_| prng.between(0, 2_000_000)).collect(),
        false => Vec::new(),
    }
}

pub(super) fn pick<T: Copy>(prng: &mut Prng, values: &[T]) -> T {
    values[prng.below(values.len() as u32) as usize]
}
