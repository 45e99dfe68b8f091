//! A run: format version, seed, setup, timed actions. Nothing else decides what happens.

use serde::Serialize;

use crate::base::json::{Fields, Json, Read, ReadError, ValueError, at_most, out_of_range, within};
use crate::base::limits::{MAX_ACTIONS, MAX_DURATION_US, MAX_RUN_BYTES, MAX_SERVERS, MAX_TIME_MS, MAX_VOTERS};
use crate::base::{Micros, RuleSet, ServerId, ServerSet, SimTime};
use crate::server::Settings;
use crate::store::Limits;
use crate::zab::{Config, Members};

use super::action::{Action, LatencyRange, TimedAction};
use super::run_error::RunError;

/// The version of the run format and of everything that decides a digest. A change that alters digests raises it.
pub const FORMAT_VERSION: u32 = 3;

/// Everything that decides what happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The format's version: [`FORMAT_VERSION`].
    pub version: u32,
    /// The seed of all random draws.
    pub seed: u64,
    /// The ensemble and its settings.
    pub setup: Setup,
    /// What is done to it, in order of time.
    pub actions: Vec<TimedAction>,
}

/// The ensemble and its settings. Defaults are made for watching: a short tick, disks and links of milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setup {
    /// How many servers vote: their ids are 1, 2, …
    pub voters: u8,
    /// How many servers only observe: their ids follow.
    pub observers: u8,
    /// `tickTime`, ms.
    pub tick_time_ms: u64,
    /// `initLimit`, ticks.
    pub init_limit: u64,
    /// `syncLimit`, ticks.
    pub sync_limit: u64,
    /// `snapCount`, transactions.
    pub snap_count: u32,
    /// `commitLogCount`, transactions (the real one is at least 500).
    pub commit_log_count: usize,
    /// `snapshotSizeFactor`, percent; -1 never reads the log on disk for a DIFF, 0 always.
    pub snapshot_size_factor: i32,
    /// The zxid counter at which a leader resigns.
    pub counter_limit: u32,
    /// How long a packet takes.
    pub latency: LatencyRange,
    /// The time between two packets that leave a server on one link, µs.
    pub transmit_us: Micros,
    /// How long a disk sync takes.
    pub disk_sync: LatencyRange,
    /// When each server starts: µs after the beginning, by server; missing ones start at once.
    pub start_us: Vec<Micros>,
    /// A crash in the middle of a write keeps a drawn part of it; otherwise it keeps nothing.
    pub crash_keeps_prefix: bool,
    /// `znode.container.checkIntervalMs`: how often the leader looks for containers and nodes past their time.
    pub container_check_ms: u64,
    /// `znode.container.maxNeverUsedIntervalMs`: a container that never had a child goes after this time; 0: never.
    pub max_never_used_ms: u64,
    /// `zookeeper.extendedTypesEnabled`: whether nodes may have a time to live.
    pub extended_types: bool,
    /// RuleSet broken on purpose.
    pub rules: RuleSet,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            voters: 3,
            observers: 0,
            tick_time_ms: 200,
            init_limit: 10,
            sync_limit: 5,
            snap_count: 100_000,
            commit_log_count: 500,
            snapshot_size_factor: 33,
            counter_limit: u32::MAX,
            latency: LatencyRange::ms(10, 20),
            transmit_us: 1_000,
            disk_sync: LatencyRange::ms(6, 12),
            start_us: Vec::new(),
            crash_keeps_prefix: false,
            container_check_ms: 60_000,
            max_never_used_ms: 0,
            extended_types: true,
            rules: RuleSet::default(),
        }
    }
}

impl Setup {
    /// The servers at the beginning.
    pub fn members(&self) -> Members {
        let last = self.voters.saturating_add(self.observers);
        Members { voters: ServerSet::first(self.voters), observers: (self.voters + 1..=last).map(ServerId).collect() }
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
            counter_limit: self.counter_limit,
            rules: self.rules,
        }
    }

    /// What decides how servers treat their clients.
    pub fn settings(&self) -> Settings {
        Settings {
            tick_time: self.tick_time_ms * 1000,
            container_check: self.container_check_ms * 1000,
            max_never_used: self.max_never_used_ms * 1000,
            limits: Limits { extended_types: self.extended_types },
        }
    }

    /// The text of `/zookeeper/config`, with ports made up in the way of the real one (`QuorumMaj.java` `toString`).
    pub fn config_text(&self) -> String {
        let members = self.members();
        let line = |server: ServerId| {
            let role = if members.votes(server) { "participant" } else { "observer" };
            format!(
                "server.{0}=127.0.0.1:{1}:{2}:{role}\n",
                server.0,
                20_000 + u32::from(server.0),
                30_000 + u32::from(server.0)
            )
        };
        let lines: String = members.voters.union(members.observers).iter().map(line).collect();
        lines + "version=0"
    }

    /// When a server starts.
    pub fn start_of(&self, server: ServerId) -> SimTime {
        SimTime(self.start_us.get(usize::from(server.0) - 1).copied().unwrap_or(0))
    }

    fn check(&self) -> Result<(), ReadError> {
        let servers = u64::from(self.voters) + u64::from(self.observers);
        within("voters", self.voters.into(), 1, MAX_VOTERS as u64)?;
        within("observers", servers, 1, MAX_SERVERS as u64)?;
        within("tick_time_ms", self.tick_time_ms, 2, MAX_DURATION_US / 1000)?;
        within("init_limit", self.init_limit, 1, 1000)?;
        within("sync_limit", self.sync_limit, 1, 1000)?;
        within("snap_count", self.snap_count.into(), 2, 1_000_000_000)?;
        within("commit_log_count", self.commit_log_count as u64, 1, 1_000_000)?;
        within("counter_limit", self.counter_limit.into(), 2, u32::MAX.into())?;
        within("transmit_us", self.transmit_us, 0, MAX_DURATION_US)?;
        at_most("start_us", self.start_us.len(), MAX_SERVERS)?;
        self.start_us.iter().try_for_each(|&at| within("start_us", at, 0, MAX_DURATION_US))?;
        let factor = self.snapshot_size_factor;
        if !(-1..=10_000).contains(&factor) {
            return Err(out_of_range(factor, -1, 10_000).within("snapshot_size_factor"));
        }
        within("container_check_ms", self.container_check_ms, 1, MAX_DURATION_US / 1000)?;
        within("max_never_used_ms", self.max_never_used_ms, 0, MAX_DURATION_US / 1000)?;
        self.latency.check().map_err(|read_error| read_error.within("latency"))?;
        self.disk_sync.check().map_err(|read_error| read_error.within("disk_sync"))
    }
}

impl Run {
    /// A run with nothing done to it.
    pub fn new(seed: u64, setup: Setup) -> Run {
        Run { version: FORMAT_VERSION, seed, setup, actions: Vec::new() }
    }

    /// Reads a run from JSON.
    ///
    /// # Errors
    /// What is wrong, and where: a size over the limit, JSON that is none, a field that is unknown or wrong, an
    /// action out of order.
    pub fn from_json(text: &str) -> Result<Run, RunError> {
        if text.len() > MAX_RUN_BYTES {
            return Err(RunError::TooLarge { bytes: text.len() });
        }
        let run = Json::parse(text).and_then(Run::read)?;
        run.check()?;
        Ok(run)
    }

    /// The run as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// What does not fit, and where.
    pub fn check(&self) -> Result<(), ReadError> {
        if self.version != FORMAT_VERSION {
            let format = ValueError::Format { version: self.version, ours: FORMAT_VERSION };
            return Err(ReadError::new(format).within("version"));
        }
        self.setup.check().map_err(|read_error| read_error.within("setup"))?;
        at_most("actions", self.actions.len(), MAX_ACTIONS)?;
        let mut last = SimTime::ZERO;
        for (index, timed) in self.actions.iter().enumerate() {
            check_action(timed, last).map_err(|read_error| read_error.within(&format!("actions[{index}]")))?;
            last = timed.at_us;
        }
        Ok(())
    }

    /// Changes one setting, written `key=value` with a key of [`Setup`] or `seed`; a value is JSON, or a bare word.
    ///
    /// # Errors
    /// The key is unknown, or the value does not fit; then nothing has changed.
    pub fn set(&mut self, setting: &str) -> Result<(), RunError> {
        let written = || setting.chars().take(80).collect();
        let wrong = |why: ReadError| RunError::Setting { setting: written(), why };
        let (key, value) = setting.split_once('=').ok_or_else(|| RunError::NotASetting { setting: written() })?;
        let value = Json::parse(value).unwrap_or_else(|_| Json::Text(value.to_string()));
        if key == "seed" {
            self.seed = Read::read(value).map_err(wrong)?;
            return Ok(());
        }
        let mut setup = self.setup.clone();
        setup.change(Fields::one(key, value)).map_err(wrong)?;
        setup.check().map_err(wrong)?;
        self.setup = setup;
        Ok(())
    }

    /// Adds an action in the order of time, behind those of the same moment.
    pub fn push(&mut self, at: SimTime, action: Action) {
        let place = self.actions.partition_point(|timed| timed.at_us <= at);
        self.actions.insert(place, TimedAction { at_us: at, action });
    }
}

fn check_action(timed: &TimedAction, last: SimTime) -> Result<(), ReadError> {
    if timed.at_us < last {
        return Err(ReadError::new(ValueError::OutOfOrder { at: timed.at_us.0, before: last.0 }).within("at_us"));
    }
    within("at_us", timed.at_us.0, 0, MAX_TIME_MS * 1000 + 999)?;
    timed.action.check()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_survives_json() {
        let mut run = Run::new(7, Setup { observers: 1, ..Setup::default() });
        run.push(SimTime(5), Action::Crash { server: ServerId(1) });
        run.push(
            SimTime(9),
            Action::Cut { from: ServerSet::first(1), to: [2, 3].map(ServerId).into_iter().collect(), one_way: true },
        );
        assert_eq!(Run::from_json(&run.to_json()), Ok(run));
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let run = Run::from_json(r#"{"version":3,"setup":{"voters":5}}"#).unwrap();
        assert_eq!((run.seed, run.setup.voters, run.setup.sync_limit), (0, 5, 5));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, place) in [
            ("[", "line 1"),
            (r#"{"version":1}"#, "version: this is format 1"),
            (r#"{"version":3,"sead":3}"#, "unknown field `sead`"),
            (r#"{"version":3,"seed":3,"seed":3}"#, "duplicate field `seed`"),
            (r#"{"version":3,"setup":{"voters":99}}"#, "setup.voters: 99 is not a whole number from 1 to 9"),
            (r#"{"version":3,"setup":{"voters":999}}"#, "setup.voters: 999 is not a whole number from 0 to 255"),
            (r#"{"version":3,"setup":{"latency":{"min_us":1}}}"#, "setup.latency: missing field `max_us`"),
            (
                r#"{"version":3,"setup":{"rules":["x"]}}"#,
                "setup.rules[0]: unknown name `x`; expected `commit-at-minority`, ",
            ),
            (r#"{"version":3,"actions":[{"at_us":1,"do":"crsh","server":1}]}"#, "actions[0].do: unknown name `crsh`"),
            (
                r#"{"version":3,"actions":[{"at_us":1,"do":"crash","server":1,"x":1}]}"#,
                "actions[0]: unknown field `x`",
            ),
            (
                r#"{"version":3,"actions":[{"at_us":1,"do":"ask","client":1,"request":{"op":"sync","path":"/","x":1}}]}"#,
                "actions[0].request: unknown field `x`; expected `op`, `path`",
            ),
            (
                r#"{"version":3,"actions":[{"at_us":9,"do":"heal_all"},{"at_us":1,"do":"heal_all"}]}"#,
                "actions[1].at_us: 1 is before",
            ),
            (r#"{"version":3} x"#, "trailing characters"),
        ] {
            let error = Run::from_json(text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
    }
}
