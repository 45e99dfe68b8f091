//! The settings that every server of a run shares (`zoo.cfg`), in the real names.

use crate::base::{Micros, RuleSet, ServerId};

/// How long a server waits for a better vote after a majority agrees, µs (`finalizeWait`, `FastLeaderElection.java`).
pub const FINALIZE_WAIT: Micros = 200_000;
/// First wait for notifications before they are sent again, µs (`minNotificationInterval`).
pub(super) const MIN_NOTIFICATION_INTERVAL: Micros = 200_000;
/// Longest such wait, µs (`maxNotificationInterval`).
pub const MAX_NOTIFICATION_INTERVAL: Micros = 60_000_000;
/// How long a dial of an election connection may take, µs (`cnxTimeout`, `QuorumCnxManager.java`).
pub(super) const CONNECT_TIMEOUT: Micros = 5_000_000;
/// Pause between a learner's attempts to reach its leader, µs (`leaderConnectDelayDuringRetryMs`).
pub(super) const CONNECT_RETRY_DELAY: Micros = 100_000;
/// How often a learner tries to reach its leader (`Learner.java` `connectToLeader`).
pub(super) const CONNECT_ATTEMPTS: u32 = 5;
/// Most transactions in one disk sync (`zookeeper.maxBatchSize`, `SyncRequestProcessor.java`).
pub(super) const MAX_BATCH: usize = 1000;

/// The protocol's settings; one value for a whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The unit of heartbeats and limits, µs (`tickTime`).
    pub tick_time: Micros,
    /// Ticks a learner may take to connect and synchronise (`initLimit`).
    pub init_limit: u64,
    /// Ticks of silence after which a leader and a learner part (`syncLimit`).
    pub sync_limit: u64,
    /// A snapshot is taken after `snapCount/2` to `snapCount` transactions (`snapCount`).
    pub snap_count: u32,
    /// Committed transactions kept in memory for DIFF (`commitLogCount`); one more is, as in the real system.
    pub commit_log_count: usize,
    /// A DIFF may be read from the log on disk while it is at most this share of the newest snapshot's size, percent
    /// (`snapshotSizeFactor` × 100); `None` switches that off, 0 takes the bound away.
    pub snapshot_size_factor: Option<u32>,
    /// A log file takes whole pieces of so many bytes on disk (`FilePadding.java`, `preAllocSize`); 0: none.
    pub pre_alloc: u64,
    /// How many snapshots a purge leaves (`PurgeTxnLog.java`); 0: nothing is purged.
    pub snap_retain_count: usize,
    /// How often a server purges, µs (`DatadirCleanupManager.java`); 0: after each snapshot.
    pub purge_interval: Micros,
    /// A leader talks to no learner until its first snapshot is written.
    pub snapshot_first: bool,
    /// The counter at which a leader resigns for a new epoch; in the real system 0xffffffff (ZOOKEEPER-1277).
    pub counter_limit: u32,
    /// Whether the ensemble may be reconfigured while it runs (`reconfigEnabled`).
    pub reconfig: bool,
    /// Whether a server whose file names no other serves alone (`standaloneEnabled`).
    pub standalone: bool,
    /// The server whose id, 255, is too large to lead beside nodes with a time to live; a follower gives out no sessions.
    pub id_too_large: Option<ServerId>,
    /// RuleSet broken on purpose.
    pub rules: RuleSet,
}

/// What a server does whose zoo.cfg says nothing of it, with the tickTime, initLimit and syncLimit of `zoo_sample.cfg`.
impl Default for Config {
    fn default() -> Config {
        Config {
            tick_time: 2_000_000,
            init_limit: 10,
            sync_limit: 5,
            snap_count: 100_000,
            commit_log_count: 500,
            snapshot_size_factor: Some(33),
            pre_alloc: 64 << 20,
            snap_retain_count: 0,
            purge_interval: 0,
            snapshot_first: false,
            counter_limit: u32::MAX,
            reconfig: false,
            standalone: false,
            id_too_large: None,
            rules: RuleSet::default(),
        }
    }
}

impl Config {
    /// `initLimit` as a length of time.
    pub fn init_time(&self) -> Micros {
        self.tick_time * self.init_limit
    }

    /// `syncLimit` as a length of time.
    pub fn sync_time(&self) -> Micros {
        self.tick_time * self.sync_limit
    }
}
