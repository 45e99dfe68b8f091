//! The ensemble of a run and its settings.

use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::json::{Fields, Json, Read, ReadError, at_most, deserialize_as_read, out_of_range, short, within};
use crate::base::limits::{
    MAX_BANDWIDTH, MAX_DURATION_US, MAX_PATH_BYTES, MAX_PRE_ALLOC_KB, MAX_SERVERS, MAX_TIME_MS, MAX_VOTERS,
};
use crate::base::{Micros, RuleSet, ServerId, ServerSet, SimTime, Way};
use crate::server::Settings;
use crate::store::{Limits, Tree};
use crate::wire::{check_path, not_a_path};
use crate::zab::{Config, Groups, Members};

use super::disks::Disks;
use super::latency::LatencyRange;
use super::rules::{RuleNames, as_names};
use super::systems::Systems;
use super::versions::{CuratorVersion, KazooVersion, ZkVersion};

/// Declares the settings, each with its default, and where its type has no form in JSON the one that does (`as`).
macro_rules! settings {
    (set $place:expr, $to:ident $name:ident) => { $to.set(stringify!($name), &mut $place)? };
    (set $place:expr, $to:ident $name:ident $Form:ident) => { $place = $to.or(stringify!($name), $Form($place))?.0 };
    ($( $(#[$about:meta])* $name:ident: $what:ty $(as $Form:ident)? = $default:expr ),* $(,)?) => {
        /// The ensemble and its settings. Defaults are made for watching: a short tick, disks and links of milliseconds.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        pub struct Setup {
            $( $(#[$about])* pub $name: $what ),*
        }

        impl Default for Setup {
            fn default() -> Setup {
                Setup { $( $name: $default ),* }
            }
        }

        impl Setup {
            /// Changes what the fields name.
            pub(super) fn change(&mut self, mut to: Fields) -> Result<(), ReadError> {
                $( settings!(set self.$name, to $name $($Form)?); )*
                to.end()
            }
        }
    };
}

settings! {
    /// How many servers vote: their ids are 1, 2, … None only where there are other systems.
    voters: u8 = 3,
    /// How many servers only observe: their ids follow.
    observers: u8 = 0,
    /// Groups of voters, for hierarchical quorums: more than half of the groups, with more than half of the weight in each. A majority
    /// of the voters where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<ServerSet> = Vec::new(),
    /// What the votes of the servers 1, 2, … weigh, 0 to 100; missing ones weigh 1. Only with groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<u8> = Vec::new(),
    /// `oraclePath`: the servers whose oracle's file lets them go on alone at first (`oracle` changes a file). It is asked where there are
    /// two voters and one is not heard. No oracle where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<ServerSet> = None,
    /// `tickTime`, ms.
    tick_time_ms: u64 = 200,
    /// `initLimit`, ticks.
    init_limit: u64 = 10,
    /// `syncLimit`, ticks.
    sync_limit: u64 = 5,
    /// `snapCount`, transactions.
    snap_count: u32 = 100_000,
    /// `commitLogCount`, transactions (the real one is at least 500).
    commit_log_count: usize = 500,
    /// `snapshotSizeFactor`, percent; -1 never reads the log on disk for a DIFF, 0 always.
    snapshot_size_factor: i32 = 33,
    /// The zxid counter at which a leader resigns.
    counter_limit: u32 = u32::MAX,
    /// How long a packet takes.
    latency: LatencyRange = LatencyRange::ms(10, 20),
    /// The time between two packets that leave a server on one link, µs.
    transmit_us: Micros = 1_000,
    /// What a link carries in each direction, bytes per ms; 0: any length takes no time. See [`crate::sim::Parcel::bytes`].
    #[serde(skip_serializing_if = "is::<0>")]
    bandwidth: u64 = 0,
    /// `zookeeper.preAllocSize`, KB: a log file takes whole pieces of this length on disk, and that is what counts where a DIFF is
    /// read from there. 0: no more than what is written.
    #[serde(skip_serializing_if = "is::<65_536>")]
    pre_alloc_kb: u64 = 65_536,
    /// `autopurge.snapRetainCount`, from 3: a purge removes the snapshots that are older than the newest so many, and the log files
    /// that only they need. 0: nothing is purged, as in the real system unless `autopurge.purgeInterval` says so.
    #[serde(skip_serializing_if = "is::<0>")]
    snap_retain_count: u64 = 0,
    /// `autopurge.purgeInterval`, ms (hours there): a purge when a server starts and every so often. 0: after each snapshot.
    #[serde(skip_serializing_if = "is::<0>")]
    purge_interval_ms: u64 = 0,
    /// What a disk writes, bytes per ms, beside the time of its sync; 0: any length takes no time. Where it is set, a leader does
    /// not talk to learners until its first snapshot is written (`Leader.java` `lead`, `loadData`).
    #[serde(skip_serializing_if = "is::<0>")]
    disk_bandwidth: u64 = 0,
    /// How long a disk sync takes.
    disk_sync: LatencyRange = LatencyRange::ms(6, 12),
    /// When each server starts: µs after the beginning, by server; missing ones start at once.
    start_us: Vec<Micros> = Vec::new(),
    /// Servers that are down at first, until somebody restarts them.
    #[serde(skip_serializing_if = "nobody")]
    down: ServerSet = ServerSet::EMPTY,
    /// What is on servers' disks at first, packed; nothing where it is left out.
    #[serde(skip_serializing_if = "Disks::is_empty")]
    disks: Disks = Disks::default(),
    /// How far each machine's wall clock is ahead, ms, by server; missing ones are right. Timers do not follow it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clock_ahead_ms: Vec<i64> = Vec::new(),
    /// A crash in the middle of a write keeps a drawn part of it; otherwise it keeps nothing.
    crash_keeps_prefix: bool = false,
    /// `znode.container.checkIntervalMs`: how often the leader looks for containers and nodes past their time.
    container_check_ms: u64 = 60_000,
    /// `znode.container.maxNeverUsedIntervalMs`: a container that never had a child goes after this time; 0: never, in 3.10 after
    /// five minutes. The longest time, which is as long as a run, is never in every version.
    max_never_used_ms: u64 = 0,
    /// What the stored cversion of znodes begins with, by path: as if so many children had been created there before, which is
    /// the number of the next sequential one. 0 to 2147483647; not of the real system.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    cversions: BTreeMap<Rc<str>, i32> = BTreeMap::new(),
    /// `zookeeper.extendedTypesEnabled`: whether nodes may have a time to live.
    extended_types: bool = true,
    /// Whether the voter with the highest id has 255 in its `myid`, the largest id there is: with `extended_types` it cannot serve as a
    /// leader, and ephemerals of the sessions that it gives out as a follower are nodes with a time to live.
    highest_id_is_255: bool = false,
    /// `leaderServes`: whether a leader takes clients, or leaves them to the others.
    #[serde(skip_serializing_if = "is::<1>")]
    leader_serves: bool = true,
    /// `maxClientCnxns`: how many connections a server takes of one address; 0: any number. The real default is 60; here all
    /// clients come from 127.0.0.1.
    #[serde(skip_serializing_if = "is::<0>")]
    max_client_cnxns: u32 = 0,
    /// `globalOutstandingLimit`: with more requests in process, a server reads on no connection that waits for an answer. A
    /// server's part is the number divided by the other voters, as in the real one.
    #[serde(skip_serializing_if = "is::<1_000>")]
    global_outstanding_limit: u32 = 1_000,
    /// `localSessionsEnabled`: new sessions are known to their server only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    local_sessions: bool = false,
    /// `localSessionsUpgradingEnabled`: such a session becomes everybody's when it makes an ephemeral.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    local_sessions_upgrading: bool = false,
    /// `readonlymode.enabled`: a server that has looked for a leader for two seconds serves reads. New sessions there are local.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    read_only_mode: bool = false,
    /// `4lw.commands.whitelist`: which four-letter words servers answer, by commas. The real default is `srvr`; here all are answered.
    #[serde(skip_serializing_if = "are_all")]
    four_letter_whitelist: Rc<str> = ALL_WORDS.into(),
    /// `canBeReadOnly`, which the real client library is given when it is made: whether clients use such a server.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    can_be_read_only: bool = false,
    /// `zookeeper.enforceQuota`: whether a write beyond a hard quota is refused, and one beyond a soft quota told.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    enforce_quota: bool = false,
    /// `zookeeper.DigestAuthenticationProvider.superDigest`: who proves it may do everything. `super:D/InIHSb7yEEbrWz8b9l71RjZJU=` is
    /// that of `super:test`.
    #[serde(skip_serializing_if = "Option::is_none")]
    super_digest: Option<Rc<str>> = None,
    /// `reconfigEnabled`: whether the ensemble may be reconfigured while it runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reconfig_enabled: bool = false,
    /// `standaloneEnabled`: whether a server whose file names no other serves alone, without an election and without epochs. So it is by
    /// default in the real system; here an ensemble of one is an ensemble unless this is said.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    standalone_enabled: bool = false,
    /// Rules broken on purpose.
    #[serde(serialize_with = "as_names")]
    rules: RuleSet as RuleNames = RuleSet::default(),
    /// Systems of other kinds, with machines of their own.
    #[serde(skip_serializing_if = "Systems::is_empty")]
    systems: Systems = Systems::default(),
    /// Which version servers and clients are.
    #[serde(skip_serializing_if = "ZkVersion::is_default")]
    zookeeper: ZkVersion = ZkVersion::default(),
    /// Which version Curator's recipes are.
    #[serde(skip_serializing_if = "CuratorVersion::is_default")]
    curator: CuratorVersion = CuratorVersion::default(),
    /// Which version kazoo's recipes are, and the client library of their programs.
    #[serde(skip_serializing_if = "KazooVersion::is_default")]
    kazoo: KazooVersion = KazooVersion::default(),
}

/// The whitelist of all four-letter words.
const ALL_WORDS: &str = "*";

fn are_all(whitelist: &Rc<str>) -> bool {
    &**whitelist == ALL_WORDS
}

fn nobody(servers: &ServerSet) -> bool {
    servers.is_empty()
}

/// A setting with its default is left out, so that runs which do not know of it tell the same facts as before.
fn is<const DEFAULT: u64>(value: &(impl Copy + Into<u64>)) -> bool {
    (*value).into() == DEFAULT
}

deserialize_as_read!(Setup);

/// Most paths whose counters begin elsewhere.
const MAX_CVERSIONS: usize = 20;

impl Read for Setup {
    fn read(json: Json) -> Result<Setup, ReadError> {
        let mut setup = Setup::default();
        setup.change(json.fields()?).map(|()| setup)
    }
}

impl Setup {
    /// Whether there is a ZooKeeper ensemble: a run may have machines of other systems alone.
    pub fn has_ensemble(&self) -> bool {
        self.voters > 0
    }

    /// The servers at the beginning.
    pub fn members(&self) -> Members {
        let last = self.voters.saturating_add(self.observers);
        let observers = (self.voters.saturating_add(1)..=last).map(ServerId).collect();
        let groups = (!self.groups.is_empty()).then(|| Groups::new(&self.groups, &self.weights));
        Members { groups, ..Members::new(ServerSet::first(self.voters), observers) }
    }

    /// The state of a server that has nothing on its disk. What `/zookeeper/config` says is nothing where there is no ensemble.
    pub fn fresh(&self) -> Tree {
        let alone = self.standalone_enabled && self.voters == 1 && self.observers == 0;
        let config = if alone { String::new() } else { self.members().to_string() };
        Tree::new(&config).counting_from(&self.cversions)
    }

    /// The protocol's settings.
    pub fn config(&self) -> Config {
        Config {
            tick_time: self.tick_time_ms * 1000,
            init_limit: self.init_limit,
            sync_limit: self.sync_limit,
            snap_count: self.snap_count,
            commit_log_count: self.commit_log_count,
            snapshot_size_factor: u32::try_from(self.snapshot_size_factor).ok(),
            pre_alloc: self.pre_alloc_kb * 1024,
            snap_retain_count: self.snap_retain_count as usize,
            purge_interval: self.purge_interval_ms * 1000,
            snapshot_first: self.disk_bandwidth > 0,
            counter_limit: self.counter_limit,
            reconfig: self.reconfig_enabled,
            standalone: self.standalone_enabled,
            id_too_large: self.is_255().filter(|_| self.extended_types),
            rules: self.rules_in_force(),
        }
    }

    /// What decides how servers treat their clients.
    pub fn settings(&self) -> Settings {
        Settings {
            tick_time: self.tick_time_ms * 1000,
            container_check: self.container_check_ms * 1000,
            max_never_used: self.max_never_used(),
            leader_serves: self.leader_serves,
            max_client_cnxns: self.max_client_cnxns,
            global_outstanding_limit: match self.voters {
                voters @ 3.. => self.global_outstanding_limit / u32::from(voters - 1),
                _ => self.global_outstanding_limit,
            },
            local_sessions: self.local_sessions,
            local_upgrading: self.local_sessions_upgrading,
            read_only_mode: self.read_only_mode,
            whitelist: self.four_letter_whitelist.clone(),
            version: self.zookeeper.number(),
            enforce_quota: self.enforce_quota,
            event_zxids: !self.rules_in_force().breaks(Way::EventsWithoutZxid),
            superuser: self.super_digest.clone(),
            is_255: self.is_255(),
            limits: Limits { extended_types: self.extended_types },
            rules: self.rules_in_force(),
        }
    }

    fn is_255(&self) -> Option<ServerId> {
        self.highest_id_is_255.then_some(ServerId(self.voters))
    }

    /// What is done otherwise than by the repaired rule: the rules that the run breaks, and the ways of its versions.
    pub fn rules_in_force(&self) -> RuleSet {
        self.rules.and(self.zookeeper.rules()).and(self.curator.rules()).and(self.kazoo.rules())
    }

    /// When a container goes that never had a child, µs; 0: never (`ContainerManager.java`, whose default changed by
    /// ZOOKEEPER-4915).
    fn max_never_used(&self) -> Micros {
        match self.max_never_used_ms {
            0 if self.rules_in_force().breaks(Way::UnusedContainersGo) => 5 * 60 * 1_000_000,
            ms => ms * 1000,
        }
    }

    /// When a server starts.
    pub fn start_of(&self, server: ServerId) -> SimTime {
        SimTime(self.start_us.get(usize::from(server.0) - 1).copied().unwrap_or(0))
    }

    pub(super) fn check(&self) -> Result<(), ReadError> {
        let servers = u64::from(self.voters) + u64::from(self.observers);
        if self.systems.is_empty() || servers > 0 {
            within("voters", self.voters.into(), 1, MAX_VOTERS as u64)?;
            within("observers", servers, 1, MAX_SERVERS as u64)?;
            self.check_groups()?;
        }
        self.disks.check(servers)?;
        self.systems.check().map_err(|read_error| read_error.within("systems"))?;
        short("super_digest", self.super_digest.as_deref().unwrap_or_default(), MAX_PATH_BYTES)?;
        short("four_letter_whitelist", &self.four_letter_whitelist, MAX_PATH_BYTES)?;
        within("tick_time_ms", self.tick_time_ms, 2, MAX_DURATION_US / 1000)?;
        within("init_limit", self.init_limit, 1, 1000)?;
        within("sync_limit", self.sync_limit, 1, 1000)?;
        within("snap_count", self.snap_count.into(), 2, 1_000_000_000)?;
        within("commit_log_count", self.commit_log_count as u64, 1, 1_000_000)?;
        within("counter_limit", self.counter_limit.into(), 2, u32::MAX.into())?;
        within("transmit_us", self.transmit_us, 0, MAX_DURATION_US)?;
        within("bandwidth", self.bandwidth, 0, MAX_BANDWIDTH)?;
        within("pre_alloc_kb", self.pre_alloc_kb, 0, MAX_PRE_ALLOC_KB)?;
        within("disk_bandwidth", self.disk_bandwidth, 0, MAX_BANDWIDTH)?;
        within("purge_interval_ms", self.purge_interval_ms, 0, MAX_TIME_MS)?;
        if self.snap_retain_count > 0 || self.purge_interval_ms > 0 {
            within("snap_retain_count", self.snap_retain_count, 3, 1_000)?;
        }
        at_most("start_us", self.start_us.len(), MAX_SERVERS)?;
        self.start_us.iter().try_for_each(|&at| within("start_us", at, 0, MAX_DURATION_US))?;
        at_most("clock_ahead_ms", self.clock_ahead_ms.len(), MAX_SERVERS)?;
        let limit = MAX_TIME_MS as i64;
        if let Some(&ms) = self.clock_ahead_ms.iter().find(|ms| !(-limit..=limit).contains(*ms)) {
            return Err(out_of_range(ms, -limit, MAX_TIME_MS).within("clock_ahead_ms"));
        }
        let factor = self.snapshot_size_factor;
        if !(-1..=10_000).contains(&factor) {
            return Err(out_of_range(factor, -1, 10_000).within("snapshot_size_factor"));
        }
        within("global_outstanding_limit", self.global_outstanding_limit.into(), 1, 1_000_000)?;
        within("max_client_cnxns", self.max_client_cnxns.into(), 0, 1_000_000)?;
        within("container_check_ms", self.container_check_ms, 1, MAX_DURATION_US / 1000)?;
        at_most("cversions", self.cversions.len(), MAX_CVERSIONS)?;
        for (path, &cversion) in &self.cversions {
            let place = |read_error: ReadError| read_error.within("cversions");
            check_path(path, false).map_err(|why| place(not_a_path("path", &why)))?;
            within(path, u64::try_from(cversion).unwrap_or(u64::MAX), 0, i32::MAX as u64).map_err(place)?;
        }
        within("max_never_used_ms", self.max_never_used_ms, 0, MAX_DURATION_US / 1000)?;
        self.latency.check().map_err(|read_error| read_error.within("latency"))?;
        self.disk_sync.check().map_err(|read_error| read_error.within("disk_sync"))
    }

    /// Each voter is in one group, and there is some weight to win.
    fn check_groups(&self) -> Result<(), ReadError> {
        at_most("weights", self.weights.len(), if self.groups.is_empty() { 0 } else { self.voters.into() })?;
        self.weights.iter().try_for_each(|&weight| within("weights", weight.into(), 0, 100))?;
        at_most("groups", self.groups.len(), self.voters.into())?;
        let (mut grouped, mut count) = (ServerSet::EMPTY, 0);
        for group in &self.groups {
            (grouped, count) = (grouped.union(*group), count + group.len());
        }
        // before groups are made of them: the numbers of other machines have no place there
        let voters = ServerSet::first(self.voters);
        if !self.groups.is_empty() {
            within("groups", count as u64, voters.len() as u64, voters.len() as u64)?;
            within("groups", grouped.intersection(voters).len() as u64, count as u64, count as u64)?;
        }
        let members = self.members();
        let weight = members.voters.iter().filter(|id| members.may_lead(*id)).count();
        within("weights", weight as u64, 1, members.voters.len() as u64)
    }
}
