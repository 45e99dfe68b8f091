//! What a Sentinel keeps in memory and in its configuration file.

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, SimTime, SortedMap};
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::message::Message;
use crate::redis::reply::Reply;

use super::instance::{Instance, Kind};

/// A tick is so long at most, and half of it at least, µs: Sentinels that began together drift apart.
const TICK_US: Micros = 100_000;

/// What a Sentinel is set up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentinelConfig {
    /// The master at the beginning.
    pub master: ServerId,
    /// How many must find it down.
    pub quorum: u8,
    /// `down-after-milliseconds`.
    pub down_after_ms: u64,
    /// `failover-timeout`, ms.
    pub failover_timeout_ms: u64,
    /// `parallel-syncs`.
    pub parallel_syncs: u8,
}

/// Its timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// `sentinelTimer`.
    Tick,
}

/// What its configuration file holds beside the setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The master.
    pub master: ServerId,
    /// Its replicas.
    pub replicas: Vec<ServerId>,
    /// Other Sentinels.
    pub sentinels: Vec<ServerId>,
    /// The newest epoch.
    pub current_epoch: u64,
    /// The epoch in which the master was chosen.
    pub config_epoch: u64,
    /// For whom it has voted, and in which epoch.
    pub vote: Option<(ServerId, u64)>,
}

/// Writing the file, and whom to answer when it is on disk.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The file.
    pub saved: Saved,
    /// An answer that waits for it.
    pub then: Option<(ConnId, Reply)>,
}

/// How far a failover has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// None is under way.
    None,
    /// It wants to be elected.
    WaitStart,
    /// It chooses a replica.
    Select,
    /// It tells it.
    SendNoOne,
    /// It waits until that says `master`.
    WaitPromotion,
    /// It tells the others.
    Reconf,
}

/// A Sentinel's memory.
#[derive(Clone, Debug)]
pub struct Sentinel {
    pub(super) me: ServerId,
    pub(super) prng: Prng,
    pub(super) config: SentinelConfig,
    pub(super) master: ServerId,
    pub(super) instances: SortedMap<ServerId, Instance>,
    pub(super) current_epoch: u64,
    pub(super) config_epoch: u64,
    pub(super) vote: Option<(ServerId, u64)>,
    /// Objectively down.
    pub(super) odown: bool,
    pub(super) phase: Phase,
    pub(super) phase_since: SimTime,
    pub(super) failover_epoch: u64,
    /// When the last failover was begun here, or somebody else was voted for; with some chance added.
    pub(super) failover_start: Option<SimTime>,
    pub(super) promoted: Option<ServerId>,
    /// Whoever connected, with the channels to which it is subscribed.
    pub(super) asking: SortedMap<ConnId, Vec<String>>,
}

impl Sentinel {
    pub(super) fn boot(prng: Prng, cx: &mut Cx<Sentinel>) -> Sentinel {
        let (now, config) = (cx.env.now, *cx.config);
        let saved = cx.files.clone().unwrap_or(Saved {
            master: config.master,
            replicas: Vec::new(),
            sentinels: Vec::new(),
            current_epoch: 0,
            config_epoch: 0,
            vote: None,
        });
        let replicas = saved.replicas.iter().map(|id| (*id, Kind::Replica));
        let sentinels = saved.sentinels.iter().map(|id| (*id, Kind::Sentinel));
        let all = replicas.chain(sentinels).chain([(saved.master, Kind::Master)]);
        let mut sentinel = Sentinel {
            me: cx.env.me,
            prng,
            config,
            master: saved.master,
            instances: all.map(|(id, kind)| (id, Instance::new(id, kind, now))).collect(),
            current_epoch: saved.current_epoch,
            config_epoch: saved.config_epoch,
            vote: saved.vote,
            odown: false,
            phase: Phase::None,
            phase_since: now,
            failover_epoch: 0,
            failover_start: None,
            promoted: None,
            asking: SortedMap::new(),
        };
        cx.listen(true);
        sentinel.arm(cx);
        sentinel
    }

    pub(super) fn arm(&mut self, cx: &mut Cx<Sentinel>) {
        let tick = self.prng.between(TICK_US / 2, TICK_US);
        cx.set_timer(Timer::Tick, cx.env.now.plus(tick));
    }

    /// Publishes an event: a fact, and a message for who is subscribed.
    pub(super) fn event(&self, event: &str, about: &str, cx: &mut Cx<Sentinel>) {
        cx.fact(Fact::Event { event: event.into(), about: about.into() });
        for (conn, channels) in &self.asking {
            if channels.iter().any(|channel| channel == event) {
                cx.send(*conn, Message::Push { push: Reply::texts(["message", event, about]) });
            }
        }
    }

    fn of_kind(&self, kind: Kind) -> Vec<ServerId> {
        self.instances.values().filter(|instance| instance.kind == kind).map(|instance| instance.id).collect()
    }

    pub(super) fn replicas(&self) -> Vec<ServerId> {
        self.of_kind(Kind::Replica)
    }

    pub(super) fn sentinels(&self) -> Vec<ServerId> {
        self.of_kind(Kind::Sentinel)
    }

    /// The master's name in events.
    pub(super) fn about_master(&self) -> String {
        format!("master {}", self.master)
    }

    /// Writes the configuration file; an answer may wait for it (`sentinelFlushConfig`).
    pub(super) fn save(&self, then: Option<(ConnId, Reply)>, cx: &mut Cx<Sentinel>) {
        let saved = Saved {
            master: self.master,
            replicas: self.replicas(),
            sentinels: self.sentinels(),
            current_epoch: self.current_epoch,
            config_epoch: self.config_epoch,
            vote: self.vote,
        };
        cx.persist(Job { saved, then });
    }

    pub(super) fn persisted(&mut self, job: Job, cx: &mut Cx<Sentinel>) {
        if let Some((conn, reply)) = job.then {
            cx.send(conn, Message::Reply { reply });
        }
    }

    pub(super) fn tell(&self, rows: &mut Rows) {
        rows.server("master", self.master);
        let down = self.instances.get(&self.master).is_some_and(|master| master.down_since.is_some());
        rows.put(
            "state",
            &if self.odown {
                "o_down"
            } else if down {
                "s_down"
            } else {
                "ok"
            },
        );
        rows.put("currentEpoch", &self.current_epoch);
        rows.put("configEpoch", &self.config_epoch);
        rows.put("failover", &format!("{:?}", self.phase));
        rows.list("watched", |rows| {
            for instance in self.instances.values() {
                let text = if instance.down_since.is_some() { "s_down" } else { "ok" };
                rows.item(&instance.id, &instance.about(), text.into(), None);
            }
        });
    }
}
