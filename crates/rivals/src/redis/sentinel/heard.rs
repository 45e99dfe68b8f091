//! What a Sentinel hears: answers, INFO, and the hello of others.

use crate::base::{ConnId, ServerId};
use crate::daemon::Cx;
use crate::redis::reply::Reply;

use super::instance::{Instance, Kind, Question, Reconf};
use super::state::{Phase, Sentinel};
use super::watch::{HELLO, INFO_US, NAME, PUBLISH_US};

impl Sentinel {
    pub(super) fn reply(&mut self, conn: ConnId, reply: &Reply, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let found = self.instances.values_mut().find(|instance| instance.commands.conn() == Some(conn));
        let Some(instance) = found else { return };
        let id = instance.id;
        match instance.questions.pop_front() {
            Some(Question::Ping) => {
                instance.last_pong = now;
                let valid = match reply {
                    Reply::Status(text) => text == "PONG",
                    Reply::Error(text) => text.starts_with("MASTERDOWN") || text.starts_with("LOADING"),
                    _ => false,
                };
                if valid {
                    (instance.last_valid, instance.open_ping) = (now, None);
                }
            }
            Some(Question::Info) => {
                if let Reply::Bulk(text) = reply {
                    self.info(id, text, cx);
                }
            }
            Some(Question::Master) => self.heard_of_master(id, reply, cx),
            _ => {}
        }
    }

    /// What a server says of itself (`sentinelRefreshInstanceInfo`).
    fn info(&mut self, id: ServerId, text: &str, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let Some(instance) = self.instances.get_mut(&id) else { return };
        instance.info_at = Some(now);
        instance.run_id = field("run_id").unwrap_or_default().into();
        let says_master = field("role") == Some("master");
        let number = |name: &str| field(name).and_then(|text| text.parse::<i64>().ok());
        instance.priority = number("slave_priority").unwrap_or(100);
        instance.offset = number("slave_repl_offset").unwrap_or(0);
        instance.link_up = field("master_link_status") == Some("up");
        let down_s = number("master_link_down_since_seconds").and_then(|seconds| u64::try_from(seconds).ok());
        instance.link_down_s = down_s.map_or(0, |seconds| seconds.max(1));
        let follows = field("master_host").and_then(ServerId::named);
        if follows != instance.follows {
            (instance.follows, instance.follows_since) = (follows, now);
        }
        if says_master != instance.says_master {
            (instance.says_master, instance.says_since) = (says_master, now);
            let expected = says_master == (instance.kind == Kind::Master);
            let role = if says_master { "master" } else { "slave" };
            let about = format!("{} new reported role is {role}", instance.about());
            self.event(if expected { "+role-change" } else { "-role-change" }, &about, cx);
        }
        if says_master && id == self.master {
            let replicas = text.lines().filter(|line| line.starts_with("slave"));
            let ids = replicas.filter_map(|line| ServerId::named(line.split_once("ip=")?.1.split(',').next()?));
            ids.collect::<Vec<_>>().into_iter().for_each(|id| self.add_replica(id, cx));
        }
        if id != self.master {
            self.judge_replica(id, says_master, cx);
        }
    }

    pub(super) fn add_replica(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        if self.instances.contains_key(&id) {
            return;
        }
        let instance = Instance::new(id, Kind::Replica, cx.env.now);
        let about = instance.about();
        self.instances.insert(id, instance);
        self.save(None, cx);
        self.event("+slave", &about, cx);
    }

    /// What follows from what a replica says of itself.
    fn judge_replica(&mut self, id: ServerId, says_master: bool, cx: &mut Cx<Sentinel>) {
        if says_master {
            match self.promoted == Some(id) && self.phase == Phase::WaitPromotion {
                true => self.promotion_seen(cx),
                false => self.convert(id, cx),
            }
        } else {
            self.follow_up(id, cx);
            self.fix(id, cx);
        }
    }

    /// Whether the master is well and heard of lately (`sentinelMasterLooksSane`).
    fn master_is_sane(&self, cx: &Cx<Sentinel>) -> bool {
        let Some(master) = self.instances.get(&self.master) else { return false };
        let fresh = master.info_at.is_some_and(|at| cx.env.now.since(at) < 2 * INFO_US);
        master.says_master && master.down_since.is_none() && !self.odown && fresh
    }

    /// A former master that is back still believes: after a while it is told.
    fn convert(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let (now, wait) = (cx.env.now, 4 * PUBLISH_US);
        let Some(instance) = self.instances.get(&id).filter(|_| self.promoted != Some(id)) else { return };
        let ripe = instance.well_for(now, wait) && now.since(instance.says_since) > wait;
        if ripe && self.master_is_sane(cx) {
            let about = instance.about();
            self.tell_to_follow(id, Some(self.master), cx);
            self.event("+convert-to-slave", &about, cx);
        }
    }

    /// A replica that follows somebody else for long is told whom to follow.
    fn fix(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let (now, wait) = (cx.env.now, self.config.failover_timeout_ms * 1000);
        let Some(instance) = self.instances.get(&id).filter(|_| self.phase == Phase::None) else { return };
        let wrong = instance.follows.is_some_and(|follows| follows != self.master);
        let ripe = instance.well_for(now, wait) && now.since(instance.follows_since) > wait;
        if wrong && ripe && self.master_is_sane(cx) {
            let about = instance.about();
            self.tell_to_follow(id, Some(self.master), cx);
            self.event("+fix-slave-config", &about, cx);
        }
    }

    /// How far a replica has come in following the promoted one.
    fn follow_up(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let promoted = self.promoted;
        let Some(instance) = self.instances.get_mut(&id) else { return };
        if matches!(instance.reconf, Reconf::Sent(_)) && instance.follows == promoted && promoted.is_some() {
            instance.reconf = Reconf::InProgress;
            let about = instance.about();
            self.event("+slave-reconf-inprog", &about, cx);
        }
        let Some(instance) = self.instances.get_mut(&id) else { return };
        if instance.reconf == Reconf::InProgress && instance.link_up {
            instance.reconf = Reconf::Done;
            let about = instance.about();
            self.event("+slave-reconf-done", &about, cx);
        }
    }

    /// A message of a channel: the hello of another Sentinel.
    pub(super) fn pushed(&mut self, push: &Reply, cx: &mut Cx<Sentinel>) {
        let Reply::Array(parts) = push else { return };
        let texts: Vec<&str> = parts.iter().filter_map(Reply::as_text).collect();
        if let [_, channel, hello] = texts.as_slice()
            && *channel == HELLO
        {
            self.hello(hello, cx);
        }
    }

    /// Who else is there, and whom it holds for the master (`sentinelProcessHelloMessage`).
    pub(super) fn hello(&mut self, hello: &str, cx: &mut Cx<Sentinel>) {
        let parts: Vec<&str> = hello.split(',').collect();
        let [from, _, _, epoch, name, master, _, config_epoch] = parts.as_slice() else { return };
        let (Some(from), Some(master)) = (ServerId::named(from), ServerId::named(master)) else { return };
        let (Ok(epoch), Ok(config_epoch)) = (epoch.parse::<u64>(), config_epoch.parse::<u64>()) else { return };
        if from == self.me || *name != NAME {
            return;
        }
        let now = cx.env.now;
        let known = self.instances.contains_key(&from);
        if !known {
            let instance = Instance::new(from, Kind::Sentinel, now);
            let about = instance.about();
            self.instances.insert(from, instance);
            self.save(None, cx);
            self.event("+sentinel", &about, cx);
        }
        self.instances.values_mut().for_each(|instance| instance.last_heard = now);
        self.newer_epoch(epoch, cx);
        if config_epoch > self.config_epoch {
            self.config_epoch = config_epoch;
            if master != self.master {
                self.event("+config-update-from", &format!("sentinel {from}"), cx);
                self.switch_master(master, cx);
            }
            self.save(None, cx);
        }
    }

    pub(super) fn newer_epoch(&mut self, epoch: u64, cx: &mut Cx<Sentinel>) {
        if epoch > self.current_epoch {
            self.current_epoch = epoch;
            self.save(None, cx);
            self.event("+new-epoch", &epoch.to_string(), cx);
        }
    }
}
