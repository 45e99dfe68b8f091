//! The built-in scenarios: runs with a name. Each is a plain [`Run`]; nothing in it knows how it ends.

use crate::base::json::{Json, Read, within};
use crate::base::{ServerId, ServerSet, SimTime};

pub mod beside;
mod cast;
mod decisive;
mod heartbeat;
pub mod locks_compared;
mod machines;
mod members;
pub mod pattern;
mod recipes;
mod restarts;
mod rivals;
mod scene;
mod services;
mod store;
mod topics;
mod uses;

use crate::sim::{Action, LatencyRange, Run, RunError, Setup};
pub use cast::Cast;
use heartbeat::{HEARTBEAT, heartbeat};
use machines::{disk_full, leader_power_off, snap_too_slow};
use members::{config_by_hand, oracle, quorum_groups, reconfig_grow, reconfig_leader_leaves, reconfig_no_quorum};
use recipes::RECIPES;
use restarts::{restart_newest_first, restart_old_copies};
pub use scene::{Chapter, Scene};
use services::SERVICES;
use store::STORE;
pub use topics::{Group, TOPICS, Topic};
use uses::USES;

/// A built-in run.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its stable name.
    pub id: &'static str,
    /// What it is called in English; the other languages have a title and a sentence for each id.
    pub title: &'static str,
    /// What it shows, in one sentence.
    pub about: &'static str,
    /// The topics that it shows, the first one before all: ids of [`TOPICS`].
    pub topics: &'static [&'static str],
    /// How long it is worth watching, ms.
    pub until_ms: u64,
    /// A moment at which a picture of it says most, ms; for the parameters that it has by itself.
    pub telling_ms: u64,
    make: Make,
}

#[derive(Clone, Copy, Debug)]
enum Make {
    Plain(fn() -> Run),
    /// A run that depends on parameters, and how long it is worth watching, ms.
    With(&'static [Param], fn(&Args) -> (Run, u64)),
}

/// A list of scenarios: name, title and sentence in English, topics, until when it is worth watching (ms), its telling moment (ms), and
/// how its run is made.
macro_rules! scenarios {
    (
        $(#[$doc:meta])* $LIST:ident:
        $($id:literal: $title:literal, $about:literal
            topics $topics:expr, until $until_ms:literal, telling $telling_ms:literal, $make:expr;)*
    ) => {
        $(#[$doc])*
        pub(in crate::scenarios) const $LIST: &[Scenario] = &[$(Scenario {
            id: $id,
            title: $title,
            about: $about,
            topics: &$topics,
            until_ms: $until_ms,
            telling_ms: $telling_ms,
            make: $make,
        }),*];
    };
}
use scenarios;

/// A parameter of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, as in `--set clients=50`.
    pub name: &'static str,
    /// What it decides, with its unit.
    pub about: &'static str,
    /// What it is where it is not given.
    pub default: u64,
    /// The smallest that may be given.
    pub least: u64,
    /// The largest.
    pub most: u64,
}

/// The parameters of a run, all of them.
#[derive(Clone, Debug)]
struct Args(Vec<(&'static str, u64)>);

impl Args {
    fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(given, _)| *given == name).map_or(0, |(_, value)| *value)
    }
}

impl Scenario {
    /// Its run.
    pub fn run(&self) -> Run {
        match self.make {
            Make::Plain(make) => make(),
            Make::With(params, make) => {
                make(&Args(params.iter().map(|param| (param.name, param.default)).collect())).0
            }
        }
    }

    /// Its parameters.
    pub fn params(&self) -> &'static [Param] {
        match self.make {
            Make::Plain(_) => &[],
            Make::With(params, _) => params,
        }
    }

    /// Its run with other parameters, and how long it is worth watching, ms.
    ///
    /// # Errors
    /// There is no such parameter, or it is out of range.
    pub fn run_with(&self, given: &[(String, String)]) -> Result<(Run, u64), RunError> {
        let Make::With(params, make) = self.make else {
            return match given.first() {
                None => Ok((self.run(), self.until_ms)),
                Some((name, _)) => Err(RunError::NoParameter { scenario: self.id, name: name.clone() }),
            };
        };
        let mut args: Vec<_> = params.iter().map(|param| (param.name, param.default)).collect();
        for (name, value) in given {
            let at = params.iter().position(|param| param.name == name);
            let Some((param, arg)) = at.map(|at| (&params[at], &mut args[at])) else {
                return Err(RunError::NoParameter { scenario: self.id, name: name.clone() });
            };
            let wrong =
                |why| RunError::Setting { setting: format!("{name}={value}").chars().take(80).collect(), why };
            // what is no JSON at all is a text where a number is wanted
            let json = Json::parse(value).unwrap_or_else(|_| Json::Text(value.clone()));
            let number = u64::read(json).map_err(wrong)?;
            within(name, number, param.least, param.most).map_err(wrong)?;
            arg.1 = number;
        }
        Ok(make(&Args(args)))
    }
}

/// The first of the course, with which the page opens.
static OPENING: Scenario = ENSEMBLE[0];

/// The built-in scenario of this name.
pub fn scenario(id: &str) -> Option<&'static Scenario> {
    if id == OPENING.id { Some(&OPENING) } else { any(id) }
}

// large with all its tables, and not needed at first
fn any(id: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| scenario.id == id)
}

/// Whether some scenario has such a parameter.
pub fn is_param(name: &str) -> bool {
    SCENARIOS.iter().flat_map(Scenario::params).any(|param| param.name == name)
}

/// All of them, in the order in which they are shown.
pub const SCENARIOS: &[Scenario] = &ALL;

const PARTS: [&[Scenario]; 11] = [
    ENSEMBLE,
    STORE,
    SERVICES,
    RECIPES,
    USES,
    rivals::SQL,
    rivals::REDIS,
    locks_compared::LOCKS_COMPARED,
    rivals::COMMIT,
    rivals::REGISTER,
    rivals::GENERATION,
];

const COUNT: usize = {
    let (mut part, mut count) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

const ALL: [Scenario; COUNT] = {
    let mut all = [ENSEMBLE[0]; COUNT];
    let (mut part, mut next, mut at) = (0, 0, 0);
    while at < all.len() {
        if next == PARTS[part].len() {
            (part, next) = (part + 1, 0);
        } else {
            all[at] = PARTS[part][next];
            (next, at) = (next + 1, at + 1);
        }
    }
    all
};

scenarios! {
    /// Runs about the ensemble and its protocol.
    ENSEMBLE:
    "cold-start-3": "Cold start of three", "Three servers start together and elect a leader; a client writes."
        topics ["zab-election", "zab-roles", "zab-broadcast", "zab-zxid"], until 2_000, telling 55, Make::Plain(cold_start_3);
    "cold-start-5": "Cold start of five", "Five servers start one after another; the third completes the majority."
        topics ["zab-election"], until 4_000, telling 1_455, Make::Plain(cold_start_5);
    "leader-crash-under-load": "Leader crash under load", "The leader dies while clients write; a new one takes over."
        topics ["zab-election", "zab-zxid"], until 5_000, telling 1_430, Make::Plain(leader_crash_under_load);
    "uncommitted-kept": "A last commit survives", "The leader commits and dies before its COMMIT arrives anywhere."
        topics ["zab-recovery-keep"], until 5_000, telling 1_550, Make::Plain(uncommitted_kept);
    "rejoin-diff": "Rejoin by DIFF", "A follower missed a few transactions and gets only those."
        topics ["zab-sync"], until 4_000, telling 2_340, Make::Plain(rejoin_diff);
    "rejoin-snap": "Rejoin by SNAP", "A follower missed too many and gets the whole state."
        topics ["zab-sync"], until 4_000, telling 2_145, Make::Plain(rejoin_snap);
    "rejoin-trunc": "Rejoin by TRUNC", "An old leader must truncate transactions that nobody else has."
        topics ["zab-recovery-drop", "zab-sync"], until 6_000, telling 3_755, Make::Plain(rejoin_trunc);
    "minority-partition": "Minority partition", "The leader is cut off with a minority and steps down."
        topics ["zab-partition"], until 8_000, telling 1_683, Make::Plain(minority_partition);
    "old-leader-returns": "The old leader returns", "A leader is paused too long; when it resumes, nobody obeys it."
        topics ["zab-old-leader"], until 6_000, telling 4_005, Make::Plain(old_leader_returns);
    "observer": "An observer", "It follows without voting and forwards writes to the leader."
        topics ["zab-observer", "zab-roles"], until 3_000, telling 1_567, Make::Plain(observer);
    "counter-rollover": "Counter rollover", "The zxid counter is used up; the leader resigns for a new epoch."
        topics ["zab-zxid"], until 4_000, telling 2_160, Make::Plain(counter_rollover);
    "leader-power-off": "The leader loses power", "Nobody hears of it: the followers notice only when syncLimit is over."
        topics ["zab-heartbeat", "zab-election"], until 9_000, telling 2_700, Make::Plain(leader_power_off);
    "zab-heartbeat": "Heartbeats and limits", "syncLimit bounds the silence of one who follows, initLimit that of one who joins; both count ticks."
        topics ["zab-heartbeat"], until 11_400, telling 4_000, Make::With(HEARTBEAT, heartbeat);
    "snap-too-slow": "A SNAP longer than initLimit", "The state does not get through in time: every attempt ends before it is there."
        topics ["zab-sync"], until 20_000, telling 6_500, Make::Plain(snap_too_slow);
    "disk-full": "The leader's disk fills up", "The next write fails: the leader resigns, and cannot follow the new one until there is room."
        topics ["zab-broadcast", "zab-election"], until 9_000, telling 2_555, Make::Plain(disk_full);
    "reconfig-grow": "Growing to five", "Two servers join by reconfiguration; while it is under way a quorum of both configurations is needed."
        topics ["zab-reconfig"], until 6_500, telling 3_065, Make::Plain(reconfig_grow);
    "reconfig-no-quorum": "A reconfiguration refused", "The new configuration has no quorum that follows the leader, so it is refused until the new servers run."
        topics ["zab-reconfig"], until 5_500, telling 2_060, Make::Plain(reconfig_no_quorum);
    "reconfig-leader-leaves": "The leader is removed", "The leader commits its own removal and hands over to a follower, without an election."
        topics ["zab-reconfig"], until 5_000, telling 2_100, Make::Plain(reconfig_leader_leaves);
    "config-by-hand": "Voters added by hand", "Files are edited and servers restarted one by one: two majorities without a common server, and two leaders."
        topics ["zab-reconfig", "zab-partition"], until 6_000, telling 4_800, Make::Plain(config_by_hand);
    "quorum-groups": "Groups and weights", "In three groups of three, four servers go on where five others cannot; S9 has no weight and never leads."
        topics ["zab-quorum"], until 10_500, telling 4_520, Make::Plain(quorum_groups);
    "oracle": "Two servers and an oracle", "Neither of two is a majority: a file on each machine says which of them may go on alone."
        topics ["zab-quorum"], until 11_500, telling 6_019, Make::Plain(oracle);
    "restart-old-copies": "Two old copies start first", "After all are down, two servers start from old copies; what only the third had is lost."
        topics ["zab-restart", "zab-recovery-drop"], until 6_000, telling 4_146, Make::Plain(restart_old_copies);
    "restart-newest-first": "The newest disk starts first", "The same disks in another order: whoever has most is among the first two, and nothing is lost."
        topics ["zab-restart", "zab-recovery-keep"], until 6_000, telling 3_115, Make::Plain(restart_newest_first);
}

fn set(ids: &[u8]) -> ServerSet {
    ids.iter().copied().map(ServerId).collect()
}

fn crash(server: u8) -> Action {
    Action::Crash { server: ServerId(server) }
}

fn restart(server: u8) -> Action {
    Action::Restart { server: ServerId(server) }
}

fn cut(from: &[u8], to: &[u8], one_way: bool) -> Action {
    Action::Cut { from: set(from), to: set(to), one_way }
}

fn writes(server: u8, data: &str, count: u32, every_ms: u64) -> Action {
    Action::Write { server: ServerId(server), data: data.into(), count, every_us: every_ms * 1000 }
}

fn run(setup: Setup, actions: Vec<(u64, Action)>) -> Run {
    let mut run = Run::new(1, setup);
    for (at_ms, action) in actions {
        run.push(SimTime::from_ms(at_ms), action);
    }
    run
}

fn cold_start_3() -> Run {
    run(Setup::default(), vec![(1_000, writes(1, "x=1", 3, 150))])
}

fn cold_start_5() -> Run {
    let start_us = (0..5).map(|n| n * 700_000).collect();
    run(Setup { voters: 5, start_us, ..Setup::default() }, vec![(3_300, writes(5, "x=1", 2, 100))])
}

fn leader_crash_under_load() -> Run {
    run(
        Setup::default(),
        vec![(800, writes(1, "a", 60, 45)), (820, writes(2, "b", 60, 45)), (1_400, crash(3)), (3_000, restart(3))],
    )
}

/// Packets take 15 ms exactly: the PROPOSAL of 1500 is there at 1515, the ACKs are back before 1545.
fn uncommitted_kept() -> Run {
    run(
        Setup { latency: LatencyRange::ms(15, 15), ..Setup::default() },
        vec![
            (1_000, writes(1, "x=1", 2, 100)),
            (1_500, writes(3, "x=2", 1, 0)),
            (1_516, cut(&[3], &[1, 2], true)),
            (1_560, crash(3)),
            (3_500, Action::HealAll),
            (3_600, restart(3)),
            (4_400, writes(3, "x=3", 1, 0)),
        ],
    )
}

fn rejoin_diff() -> Run {
    run(
        Setup::default(),
        vec![
            (800, writes(1, "x", 2, 50)),
            (1_100, crash(1)),
            (1_200, writes(2, "x", 4, 100)),
            (2_200, restart(1)),
            (3_200, writes(1, "y", 2, 100)),
        ],
    )
}

fn rejoin_snap() -> Run {
    run(
        Setup { commit_log_count: 3, ..Setup::default() },
        vec![(900, crash(1)), (1_000, writes(2, "x", 8, 50)), (2_000, restart(1)), (3_200, writes(1, "y", 2, 100))],
    )
}

fn rejoin_trunc() -> Run {
    run(
        Setup::default(),
        vec![
            (1_000, writes(1, "x=1", 2, 100)),
            (1_500, cut(&[3], &[1, 2], true)),
            (1_510, writes(3, "lost", 1, 0)),
            (1_560, crash(3)),
            (3_500, Action::HealAll),
            (3_600, restart(3)),
            (5_000, writes(3, "x=2", 2, 150)),
        ],
    )
}

fn minority_partition() -> Run {
    run(
        Setup { voters: 5, ..Setup::default() },
        vec![
            (1_000, writes(1, "x=1", 2, 100)),
            (1_500, cut(&[4, 5], &[1, 2, 3], false)),
            (1_600, writes(5, "minority", 2, 50)),
            (4_000, writes(1, "majority", 3, 100)),
            (5_000, Action::HealAll),
            (7_000, writes(5, "x=2", 2, 100)),
        ],
    )
}

fn old_leader_returns() -> Run {
    run(
        Setup::default(),
        vec![
            (1_000, writes(1, "x=1", 2, 100)),
            (1_500, Action::Pause { server: ServerId(3) }),
            (3_600, writes(1, "x=2", 2, 100)),
            (4_000, Action::Resume { server: ServerId(3) }),
            (4_001, writes(3, "stale", 1, 0)),
            (5_400, writes(3, "x=3", 1, 0)),
        ],
    )
}

fn observer() -> Run {
    run(Setup { observers: 1, ..Setup::default() }, vec![(1_200, writes(4, "x", 3, 150)), (2_200, crash(4))])
}

fn counter_rollover() -> Run {
    run(Setup { counter_limit: 5, ..Setup::default() }, vec![(1_000, writes(1, "x", 30, 80))])
}
