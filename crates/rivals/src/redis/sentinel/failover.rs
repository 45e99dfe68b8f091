//! A failover, step by step (`sentinelFailoverStateMachine`).

use crate::base::{Arrange, ServerId, SimTime};
use crate::daemon::Cx;
use crate::redis::PORT;

use super::instance::{Instance, Kind, Question, Reconf};
use super::state::{Phase, Sentinel};
use super::watch::{INFO_US, PING_US};

/// A replica that was told to follow has so long (`SENTINEL_SLAVE_RECONF_TIMEOUT`), µs.
const RECONF_US: u64 = 10_000_000;

impl Sentinel {
    pub(super) fn failover_step(&mut self, cx: &mut Cx<Sentinel>) {
        match self.phase {
            Phase::None => {}
            Phase::WaitStart => self.wait_start(cx),
            Phase::Select => self.select(cx),
            Phase::SendNoOne => self.send_no_one(cx),
            Phase::WaitPromotion => self.wait_promotion(cx),
            Phase::Reconf => self.reconf(cx),
        }
    }

    fn enter(&mut self, phase: Phase, cx: &Cx<Sentinel>) {
        (self.phase, self.phase_since) = (phase, cx.env.now);
    }

    fn abort(&mut self, why: &str, cx: &mut Cx<Sentinel>) {
        (self.phase, self.promoted) = (Phase::None, None);
        let about = self.about_master();
        self.event(why, &about, cx);
    }

    fn is_overdue(&self, cx: &Cx<Sentinel>) -> bool {
        cx.env.now.since(self.phase_since) > self.config.failover_timeout_ms * 1000
    }

    fn wait_start(&mut self, cx: &mut Cx<Sentinel>) {
        if self.leader(cx) != Some(self.me) {
            let start = self.failover_start.unwrap_or_default();
            if cx.env.now.since(start) > self.election_us() {
                self.abort("-failover-abort-not-elected", cx);
            }
            return;
        }
        let about = self.about_master();
        self.event("+elected-leader", &about, cx);
        self.enter(Phase::Select, cx);
        self.event("+failover-state-select-slave", &about, cx);
    }

    /// Whether a replica may be made the master (`sentinelSelectSlave`).
    fn is_good(&self, replica: &Instance, now: SimTime) -> bool {
        let master_down = self.instances.get(&self.master).and_then(|master| master.down_since);
        let fresh = if master_down.is_some() { 5 * PING_US } else { 3 * INFO_US };
        let down_for = master_down.map_or(0, |at| now.since(at));
        let longest = down_for + 10 * self.config.down_after_ms * 1000;
        replica.down_since.is_none()
            && replica.commands.open().is_some()
            && now.since(replica.last_valid) <= 5 * PING_US
            && replica.priority != 0
            && replica.info_at.is_some_and(|at| now.since(at) <= fresh)
            && replica.link_down_s * 1_000_000 <= longest
    }

    fn select(&mut self, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let replicas = self.instances.values().filter(|instance| instance.kind == Kind::Replica);
        let good = replicas.filter(|replica| self.is_good(replica, now));
        let best = good.min_by_key(|replica| (replica.priority, -replica.offset, replica.run_id.clone()));
        let Some((id, about)) = best.map(|replica| (replica.id, replica.about())) else {
            return self.abort("-failover-abort-no-good-slave", cx);
        };
        self.promoted = Some(id);
        self.event("+selected-slave", &about, cx);
        self.enter(Phase::SendNoOne, cx);
        self.event("+failover-state-send-slaveof-noone", &about, cx);
    }

    /// Tells a server whom to follow, in one transaction that also closes its clients' connections (`sentinelSendSlaveOf`).
    pub(super) fn tell_to_follow(&mut self, id: ServerId, source: Option<ServerId>, cx: &mut Cx<Sentinel>) -> bool {
        let source = source.map(|source| source.to_string());
        let order = match &source {
            Some(source) => ["SLAVEOF", source, PORT],
            None => ["SLAVEOF", "NO", "ONE"],
        };
        let there = self.ask(id, &["MULTI"], Question::Other, cx);
        self.ask(id, &order, Question::Other, cx);
        self.ask(id, &["CONFIG", "REWRITE"], Question::Other, cx);
        self.ask(id, &["CLIENT", "KILL", "TYPE", "normal"], Question::Other, cx);
        self.ask(id, &["CLIENT", "KILL", "TYPE", "pubsub"], Question::Other, cx);
        self.ask(id, &["EXEC"], Question::Other, cx);
        there
    }

    fn send_no_one(&mut self, cx: &mut Cx<Sentinel>) {
        let Some(id) = self.promoted else { return };
        if !self.tell_to_follow(id, None, cx) {
            if self.is_overdue(cx) {
                self.abort("-failover-abort-slave-timeout", cx);
            }
            return;
        }
        self.enter(Phase::WaitPromotion, cx);
        self.event("+failover-state-wait-promotion", &format!("slave {id}"), cx);
    }

    fn wait_promotion(&mut self, cx: &mut Cx<Sentinel>) {
        if self.is_overdue(cx) {
            self.abort("-failover-abort-slave-timeout", cx);
        }
    }

    /// The promoted one says `master` itself: from now on that is what this Sentinel tells.
    pub(super) fn promotion_seen(&mut self, cx: &mut Cx<Sentinel>) {
        let Some(id) = self.promoted else { return };
        self.config_epoch = self.failover_epoch;
        self.enter(Phase::Reconf, cx);
        self.save(None, cx);
        self.event("+promoted-slave", &format!("slave {id}"), cx);
        let about = self.about_master();
        self.event("+failover-state-reconf-slaves", &about, cx);
        self.hurry_hello();
    }

    /// The others are told, a few at a time (`sentinelFailoverReconfNextSlave`).
    fn reconf(&mut self, cx: &mut Cx<Sentinel>) {
        let (now, promoted) = (cx.env.now, self.promoted);
        let replicas: Vec<ServerId> = self.replicas().into_iter().filter(|id| Some(*id) != promoted).collect();
        let busy = |sentinel: &Sentinel| {
            let of = |id: &&ServerId| sentinel.instances.get(id).map(|replica| replica.reconf);
            replicas.iter().filter(|id| matches!(of(id), Some(Reconf::Sent(_) | Reconf::InProgress))).count()
        };
        for &id in &replicas {
            let reconf = self.instances.get(&id).map(|replica| replica.reconf);
            match reconf {
                Some(Reconf::Sent(at)) if now.since(at) > RECONF_US => {
                    self.set_reconf(id, Reconf::Done);
                    self.event("-slave-reconf-sent-timeout", &format!("slave {id}"), cx);
                }
                Some(Reconf::No)
                    if busy(self) < usize::from(self.config.parallel_syncs)
                        && self.tell_to_follow(id, promoted, cx) =>
                {
                    self.set_reconf(id, Reconf::Sent(now));
                    self.event("+slave-reconf-sent", &format!("slave {id}"), cx);
                }
                _ => {}
            }
        }
        self.detect_end(&replicas, cx);
    }

    fn set_reconf(&mut self, id: ServerId, reconf: Reconf) {
        if let Some(replica) = self.instances.get_mut(&id) {
            replica.reconf = reconf;
        }
    }

    /// All that can be reached follow (`sentinelFailoverDetectEnd`).
    fn detect_end(&mut self, replicas: &[ServerId], cx: &mut Cx<Sentinel>) {
        let is_down = |id: &ServerId| self.instances.get(id).is_none_or(|instance| instance.down_since.is_some());
        let Some(promoted) = self.promoted.filter(|id| !is_down(id)) else { return };
        let follows = |id: &ServerId| self.instances.get(id).is_some_and(|replica| replica.reconf == Reconf::Done);
        let overdue = self.is_overdue(cx);
        let waiting = replicas.iter().filter(|id| !follows(id) && !is_down(id)).count();
        if waiting > 0 && !overdue {
            return;
        }
        let about = self.about_master();
        if overdue && waiting > 0 {
            self.event("+failover-end-for-timeout", &about, cx);
            for id in replicas.iter().copied().filter(|id| !follows(id)).collect::<Vec<_>>() {
                self.tell_to_follow(id, Some(promoted), cx);
            }
        }
        self.event("+failover-end", &about, cx);
        self.switch_master(promoted, cx);
    }

    /// Another server is the master: all others are its replicas, the former master too (`sentinelResetMasterAndChangeAddress`).
    pub(super) fn switch_master(&mut self, master: ServerId, cx: &mut Cx<Sentinel>) {
        let former = std::mem::replace(&mut self.master, master);
        self.event("+switch-master", &format!("{former} {master}"), cx);
        let mut others: Vec<ServerId> =
            self.replicas().into_iter().chain([former]).filter(|id| *id != master).collect();
        others.arrange();
        others.dedup();
        let servers = self.instances.values().filter(|instance| instance.kind != Kind::Sentinel);
        servers.for_each(|instance| Sentinel::hang_up(instance, cx));
        self.instances.retain(|_, instance| instance.kind == Kind::Sentinel);
        for sentinel in self.instances.values_mut() {
            (sentinel.says_down, sentinel.vote) = (false, None);
        }
        self.instances.insert(master, Instance::new(master, Kind::Master, cx.env.now));
        (self.odown, self.phase, self.promoted, self.failover_start) = (false, Phase::None, None, None);
        for id in others {
            self.add_replica(id, cx);
        }
        self.save(None, cx);
    }
}
