//! What happens when servers are started on their disks: the simulation is given the disks, and does it.

mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use zabscope_ground::base::limits::{MAX_SERVERS, MAX_VOTERS};
use zabscope_ground::base::{Epoch, Gather, Prng, ServerId, ServerSet, Stream, Zxid};
use zabscope_sim::sim::{self, Fact, LatencyRange, Run, Setup, World, WorldFact, ZkVersion};
use zabscope_zookeeper::server::Files;
use zabscope_zookeeper::store::{CONFIG, Tree, Znode};
use zabscope_zookeeper::zab::{self, Groups, Members, SyncKind};

use crate::config::Config;
use crate::content::Room;
use crate::disk::Disk;
use crate::load::{Loaded, Refusal};

/// Between the starts of servers that are started together: their processes need that long, and never the same, µs.
const BOOT_US: u64 = 900_000;
/// How long a start is watched after the last process has begun, in ticks.
const WATCHED: u64 = 24;
/// When all that run have served for so long it is over, in ticks: later sessions of before expire, and that is another story.
const SETTLED: u64 = 2;

/// Servers that are started, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The places of their disks.
    pub start: Vec<usize>,
    /// Time between two starts, ms; 0: together, and then it is a race who is up first.
    pub gap_ms: u64,
}

/// What became of a start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whose process ended by itself, by the places of their disks.
    pub exits: BTreeSet<usize>,
    /// Who of the started did not serve in the end, those included.
    pub not_serving: BTreeSet<usize>,
    /// By leader: two at once where servers have different configurations.
    pub reigns: BTreeMap<usize, Reign>,
}

/// A leader that serves, and who follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reign {
    /// Its epoch.
    pub epoch: Epoch,
    /// Whose disk tells the history that it has.
    pub history: usize,
    /// How each learner was brought up to date last.
    pub learners: BTreeMap<usize, Synced>,
    /// Whose znodes are others than the leader's.
    pub differ: BTreeSet<usize>,
}

/// How a learner was brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synced {
    /// DIFF, TRUNC or SNAP.
    pub way: SyncKind,
    /// The zxid that was sent with that.
    pub to: Zxid,
    /// Where it stood in the end.
    pub last: Zxid,
    /// How many proposals were sent behind that.
    pub sent: usize,
}

/// The disks of servers as the simulation takes them.
pub struct Ensemble<'a> {
    disks: Vec<(&'a Disk, &'a Loaded)>,
    /// The number in the simulation of each disk's server, in the order of their ids.
    numbers: Vec<ServerId>,
    /// The ids of all servers, in that order.
    ids: Vec<u64>,
    setup: Setup,
}

/// Why nothing can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unknown {
    /// A disk's id is not known.
    NoId,
    /// Two disks have the same id.
    SameId,
    /// More servers than the simulation has.
    TooMany,
    /// There is none.
    NoDisk,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unknown::NoId => "whose disk each is has to be known before it can be started",
            Unknown::SameId => "two disks claim one id: say whose each is",
            Unknown::TooMany => "these are more servers than are simulated: at most 12, of which 9 vote",
            Unknown::NoDisk => "there is no disk",
        })
    }
}

impl<'a> Ensemble<'a> {
    /// Takes disks over, copies of data directories left out.
    ///
    /// # Errors
    /// See [`Unknown`].
    pub fn of(disks: &[(&'a Disk, &'a Loaded)], version: ZkVersion, room: Room) -> Result<Ensemble<'a>, Unknown> {
        let ids: Vec<u64> = disks.iter().map(|(disk, _)| disk.id.ok_or(Unknown::NoId)).collect::<Result<_, _>>()?;
        if ids.is_empty() {
            return Err(Unknown::NoDisk);
        }
        if ids.iter().copied().gathered::<BTreeSet<u64>>().len() < ids.len() {
            return Err(Unknown::SameId);
        }
        let configs: Vec<Option<&Config>> = disks.iter().map(|(disk, _)| named(disk)).collect();
        let of_configs = configs.iter().flatten().flat_map(|config| config.members.keys());
        let all: BTreeSet<u64> = of_configs.chain(&ids).copied().gathered();
        if all.len() > MAX_SERVERS {
            return Err(Unknown::TooMany);
        }
        let places: BTreeMap<u64, ServerId> = all.iter().copied().zip((1..).map(ServerId)).gathered();
        // a server without a configuration of its own is taken for one of those that another names; without any, all vote
        let any = configs.iter().flatten().max_by_key(|config| config.version).copied();
        let members = configs.iter().map(|config| match config.or(any) {
            Some(config) => members(config, &places),
            None => Members::new(places.values().copied().collect(), ServerSet::default()),
        });
        let members: Vec<Members> = members.collect();
        if members.iter().any(|members| members.voters.len() > MAX_VOTERS) {
            return Err(Unknown::TooMany);
        }
        let numbers: Vec<ServerId> = ids.iter().map(|id| places[id]).collect();
        let is_dynamic = members.iter().any(|members| members.version != Zxid::ZERO);
        let with_members = disks.iter().zip(members);
        let files = with_members.map(|((disk, loaded), members)| files::files(disk, loaded, members, room));
        let setup = Setup {
            disks: sim::Disks::of(numbers.iter().copied().zip(files).gathered()),
            zookeeper: version,
            voters: places.len() as u8,
            pre_alloc_kb: pre_alloc_kb(disks),
            latency: LatencyRange { min_us: 200, max_us: 1_000 },
            transmit_us: 5,
            disk_sync: LatencyRange { min_us: 1_000, max_us: 3_000 },
            reconfig_enabled: is_dynamic,
            ..limits(disks)
        };
        Ok(Ensemble { disks: disks.to_vec(), numbers, ids: all.into_iter().collect(), setup })
    }

    /// A disk as the simulation has it.
    pub fn files(&self, place: usize) -> Option<&Files> {
        self.setup.disks.files(*self.numbers.get(place)?)
    }

    /// The ids of the servers that have the numbers 1, 2, … in the simulation.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// A choice as a run: one of all its courses. Who is not chosen is down.
    pub fn run(&self, choice: &Choice, seed: u64) -> Run {
        let mut boots = Prng::new(seed, Stream::Faults);
        let mut setup = self.setup.clone();
        setup.start_us = vec![0; usize::from(setup.voters)];
        setup.down = ServerSet::first(setup.voters);
        for (place, disk) in (0..).zip(&choice.start) {
            let at = place * choice.gap_ms * 1_000 + boots.between(0, BOOT_US);
            if !self.gives_up(*disk) {
                setup.down.remove(self.numbers[*disk]);
                setup.start_us[usize::from(self.numbers[*disk].0) - 1] = at;
            }
        }
        Run::new(seed, setup)
    }

    /// What becomes of it.
    pub fn start(&self, choice: &Choice, seed: u64) -> Outcome {
        let run = self.run(choice, seed);
        let last = run.setup.start_us.iter().copied().max().unwrap_or(0);
        let mut outcome = self.watch(World::new(run), choice, last);
        outcome.exits.extend(choice.start.iter().filter(|place| self.gives_up(**place)));
        outcome
    }

    /// A file that a server gives up at is not of the simulation.
    fn gives_up(&self, place: usize) -> bool {
        let refusals = &self.disks[place].1.refusals;
        refusals.iter().any(|it| matches!(it, Refusal::Log { .. } | Refusal::NoValidSnapshot))
    }

    fn watch(&self, mut world: World, choice: &Choice, last_start: u64) -> Outcome {
        let tick = self.setup.tick_time_ms * 1_000;
        let (mut outcome, mut histories) = (Outcome::default(), Histories::of(&self.numbers));
        let mut until = last_start + WATCHED * tick;
        let mut serves_since = None;
        while let Some(at) = world.next_at().filter(|at| at.0 <= until) {
            match serves_since {
                _ if at.0 <= last_start || !self.all_serve(&world, choice, &outcome.exits) => serves_since = None,
                None => serves_since = Some(at.0),
                Some(since) => until = until.min(since + SETTLED * tick),
            }
            for record in world.step().unwrap_or_default() {
                match &record.fact {
                    Fact::World(WorldFact::Exited { server }) => outcome.exits.extend(self.place(*server)),
                    Fact::Zab { server, fact, .. } => histories.hear(*server, fact),
                    _ => {}
                }
            }
        }
        let mut trees: BTreeMap<usize, Vec<(usize, &Tree)>> = BTreeMap::new();
        for &disk in &choice.start {
            let number = self.numbers[disk];
            let server = world.processes.get(&number).and_then(|process| process.server());
            let Some(server) = server.filter(|server| server.peer.is_serving()) else {
                outcome.not_serving.insert(disk);
                continue;
            };
            let last = server.peer.storage.last_processed;
            if server.peer.is_established_leader() {
                let reign = outcome.reigns.entry(disk).or_default();
                (reign.epoch, reign.history) = (last.epoch(), histories.of.get(&number).copied().unwrap_or(disk));
                trees.entry(disk).or_default().insert(0, (disk, &server.tree));
            } else if let Some((of, synced)) = histories.synced.get(&number)
                && let Some(leader) = self.place(*of)
            {
                let synced = Synced { last, ..*synced };
                outcome.reigns.entry(leader).or_default().learners.insert(disk, synced);
                trees.entry(leader).or_default().push((disk, &server.tree));
            }
        }
        for (leader, reign) in &mut outcome.reigns {
            if let Some(((_, of_leader), others)) = trees.get(leader).and_then(|trees| trees.split_first()) {
                reign.differ =
                    others.iter().filter(|(_, tree)| !same_znodes(of_leader, tree)).map(|(disk, _)| *disk).gathered();
            }
        }
        outcome
    }

    /// Whether each of the started that runs serves, with one leader.
    fn all_serve(&self, world: &World, choice: &Choice, exits: &BTreeSet<usize>) -> bool {
        let running = choice.start.iter().filter(|disk| !exits.contains(disk));
        let peers = running.map(|disk| Some(&world.processes.get(&self.numbers[*disk])?.server()?.peer));
        let peers: Option<Vec<_>> = peers.collect();
        peers.is_some_and(|peers| {
            let leaders = peers.iter().filter(|peer| peer.is_established_leader()).count();
            leaders == 1 && peers.iter().all(|peer| peer.is_serving())
        })
    }

    fn place(&self, number: ServerId) -> Option<usize> {
        self.numbers.iter().position(|of| *of == number)
    }
}

/// Whose disk tells what a server has, while servers are brought up to date.
struct Histories {
    /// By server: the place of a disk.
    of: BTreeMap<ServerId, usize>,
    /// How a server was brought up to date last, and by whom; where it stood in the end is not known yet.
    synced: BTreeMap<ServerId, (ServerId, Synced)>,
    /// Those who got nothing that they had not: theirs stays their own.
    kept: BTreeSet<ServerId>,
}

impl Histories {
    fn of(numbers: &[ServerId]) -> Histories {
        let of = numbers.iter().copied().zip(0..).gathered();
        Histories { of, synced: BTreeMap::new(), kept: BTreeSet::new() }
    }

    fn hear(&mut self, server: ServerId, fact: &zab::Fact) {
        match fact {
            zab::Fact::SyncChosen { learner, sync, to, learner_zxid, proposals, .. } => {
                let synced = Synced { way: *sync, to: *to, last: *learner_zxid, sent: *proposals };
                self.synced.insert(*learner, (server, synced));
                match *sync == SyncKind::Diff && learner_zxid == to {
                    true => self.kept.insert(*learner),
                    false => self.kept.remove(learner),
                };
            }
            zab::Fact::NewLeaderAcked { .. } if !self.kept.contains(&server) => {
                let from = self.synced.get(&server).and_then(|(leader, ..)| self.of.get(leader)).copied();
                if let Some(from) = from {
                    self.of.insert(server, from);
                }
            }
            _ => {}
        }
    }
}

/// The same but for the configuration, which each server writes by itself, and what quotas count.
fn same_znodes(one: &Tree, other: &Tree) -> bool {
    let shown = |tree: &Tree| -> Vec<(Rc<str>, Rc<Znode>)> {
        let own = |path: &str| path == CONFIG || path.starts_with("/zookeeper/quota");
        tree.nodes().filter(|(path, _)| !own(path)).map(|(path, znode)| (path.clone(), znode.clone())).collect()
    };
    shown(one) == shown(other)
}

/// A configuration that names servers.
fn named(disk: &Disk) -> Option<&Config> {
    disk.config.as_ref().filter(|config| !config.members.is_empty())
}

/// A configuration with the simulation's numbers.
fn members(config: &Config, places: &BTreeMap<u64, ServerId>) -> Members {
    let set = |votes: bool| -> ServerSet {
        let of = config.members.iter().filter(|(_, member)| member.is_voter == votes);
        of.filter_map(|(id, _)| places.get(id).copied()).collect()
    };
    let group = |ids: &Vec<u64>| -> ServerSet { ids.iter().filter_map(|id| places.get(id).copied()).collect() };
    let groups: Vec<ServerSet> = config.groups.values().map(group).collect();
    let weight = |id| config.weights.get(id).map_or(1, |weight| u8::try_from(*weight).unwrap_or(u8::MAX));
    let weights: Vec<u8> = places.keys().map(weight).collect();
    Members {
        groups: (!groups.is_empty()).then(|| Groups::new(&groups, &weights)),
        version: config.version.unwrap_or(Zxid::ZERO),
        ..Members::new(set(true), set(false))
    }
}

/// Logs grow by so much: the shortest of those that have room left is one piece long. 0 where all were trimmed.
fn pre_alloc_kb(disks: &[(&Disk, &Loaded)]) -> u64 {
    let logs = disks.iter().flat_map(|(disk, _)| &disk.logs);
    logs.filter(|log| log.size() > log.end + 1)
        .map(|log| log.size().saturating_sub(16) / 1024)
        .min()
        .unwrap_or(0)
        .min(65_536)
}

/// `tickTime`, `initLimit` and `syncLimit` as the configuration says, else as ZooKeeper's own example has them.
fn limits(disks: &[(&Disk, &Loaded)]) -> Setup {
    let said = |key: &str| disks.iter().find_map(|(disk, _)| disk.config.as_ref()?.get(key)?.parse::<u64>().ok());
    Setup {
        tick_time_ms: said("tickTime").filter(|ms| (2..=60_000).contains(ms)).unwrap_or(2_000),
        init_limit: said("initLimit").filter(|ticks| (1..=1_000).contains(ticks)).unwrap_or(10),
        sync_limit: said("syncLimit").filter(|ticks| (1..=1_000).contains(ticks)).unwrap_or(5),
        ..Setup::default()
    }
}
