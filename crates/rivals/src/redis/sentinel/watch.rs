//! Watching: connections, PING, INFO, hello, and who is subjectively down.

use crate::base::{ConnId, ServerId, SimTime};
use crate::daemon::Cx;
use crate::redis::PORT;
use crate::redis::message::Message;

use super::instance::{Instance, Kind, Question, Wire};
use super::state::{Phase, Sentinel};

/// `SENTINEL_PING_PERIOD`, µs.
pub(super) const PING_US: u64 = 1_000_000;
/// `SENTINEL_INFO_PERIOD`, µs.
pub(super) const INFO_US: u64 = 10_000_000;
/// `SENTINEL_PUBLISH_PERIOD`, µs.
pub(super) const PUBLISH_US: u64 = 2_000_000;
/// A connection must be so old before it is closed because nothing comes (`SENTINEL_MIN_LINK_RECONNECT_PERIOD`), µs.
const OLD_US: u64 = 15_000_000;
/// A connection with so many questions is asked no more.
const MAX_QUESTIONS: usize = 100;

/// The channel on which Sentinels hear of each other.
pub(super) const HELLO: &str = "__sentinel__:hello";
/// What the master is called.
pub(super) const NAME: &str = "mymaster";

impl Sentinel {
    /// A tick: each instance is looked after, the master last of all (`sentinelHandleRedisInstance`).
    pub(super) fn tick(&mut self, cx: &mut Cx<Sentinel>) {
        self.arm(cx);
        for id in self.instances.keys().copied().collect::<Vec<_>>() {
            self.reconnect(id, cx);
            self.ask_periodically(id, cx);
            self.check_down(id, cx);
        }
        self.check_odown(cx);
        let begun = self.start_failover_if_needed(cx);
        if begun {
            self.ask_sentinels(true, cx);
        }
        self.failover_step(cx);
        self.ask_sentinels(false, cx);
    }

    fn reconnect(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let Some(instance) = self.instances.get_mut(&id) else { return };
        let wants =
            instance.commands == Wire::Off || (instance.kind != Kind::Sentinel && instance.subscription == Wire::Off);
        if !wants || instance.last_dial.is_some_and(|at| now.since(at) < PING_US) {
            return;
        }
        instance.last_dial = Some(now);
        if instance.commands == Wire::Off {
            instance.commands = Wire::Dialling(cx.dial(id));
            instance.questions.clear();
            // a PING is handed to the connection before it is open, and counts from now (`sentinelReconnectInstance`)
            instance.last_ping = Some(now);
            instance.open_ping.get_or_insert(now);
        }
        if instance.kind != Kind::Sentinel && instance.subscription == Wire::Off {
            instance.subscription = Wire::Dialling(cx.dial(id));
        }
    }

    fn by_conn(&mut self, conn: ConnId) -> Option<&mut Instance> {
        let is = |wire: Wire| wire.conn() == Some(conn);
        self.instances.values_mut().find(|instance| is(instance.commands) || is(instance.subscription))
    }

    pub(super) fn connected(&mut self, conn: ConnId, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let Some(instance) = self.by_conn(conn) else { return cx.close(conn) };
        if instance.subscription.conn() == Some(conn) {
            instance.subscription = Wire::On(conn, now);
            instance.last_heard = now;
            cx.send(conn, Message::command(&["SUBSCRIBE", HELLO]));
        } else {
            instance.commands = Wire::On(conn, now);
            let id = instance.id;
            self.ping(id, cx);
        }
    }

    pub(super) fn disconnected(&mut self, conn: ConnId) {
        self.asking.remove(&conn);
        if let Some(instance) = self.by_conn(conn) {
            if instance.commands.conn() == Some(conn) {
                instance.commands = Wire::Off;
                instance.questions.clear();
            } else {
                instance.subscription = Wire::Off;
            }
        }
    }

    /// Closes both connections of an instance that is forgotten.
    pub(super) fn hang_up(instance: &Instance, cx: &mut Cx<Sentinel>) {
        for conn in [instance.commands.conn(), instance.subscription.conn()].into_iter().flatten() {
            cx.close(conn);
        }
    }

    /// Sends a command, and remembers what its answer will be about.
    pub(super) fn ask(&mut self, id: ServerId, args: &[&str], question: Question, cx: &mut Cx<Sentinel>) -> bool {
        let Some(instance) = self.instances.get_mut(&id) else { return false };
        let Some(conn) = instance.commands.open() else { return false };
        instance.questions.push_back(question);
        cx.send(conn, Message::command(args));
        true
    }

    fn ping(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        if self.ask(id, &["PING"], Question::Ping, cx)
            && let Some(instance) = self.instances.get_mut(&id)
        {
            instance.last_ping = Some(now);
            instance.open_ping.get_or_insert(now);
        }
    }

    fn ask_periodically(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let Some(instance) = self.instances.get(&id) else { return };
        if instance.commands.open().is_none() || instance.questions.len() >= MAX_QUESTIONS {
            return;
        }
        let urgent =
            instance.kind == Kind::Replica && (self.odown || self.phase != Phase::None || instance.link_down_s != 0);
        let info_every = if urgent { PING_US } else { INFO_US };
        let ping_every = PING_US.min(self.config.down_after_ms * 1000);
        let due = |at: Option<SimTime>, every: u64| at.is_none_or(|at| now.since(at) > every);
        let info = instance.kind != Kind::Sentinel && due(instance.info_at, info_every);
        let ping = due(Some(instance.last_pong), ping_every) && due(instance.last_ping, ping_every / 2);
        let hello = due(Some(instance.last_hello_sent), PUBLISH_US);
        if info && !instance.questions.contains(&Question::Info) {
            self.ask(id, &["INFO"], Question::Info, cx);
        }
        if ping {
            self.ping(id, cx);
        }
        if hello {
            self.say_hello(id, cx);
        }
    }

    /// Tells who it is and whom it holds for the master (`sentinelSendHello`).
    fn say_hello(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let (master, epoch) = (self.current_master(), self.config_epoch);
        let me = self.me;
        let hello = format!("{me},{PORT},{me},{},{NAME},{master},{PORT},{epoch}", self.current_epoch);
        if self.ask(id, &["PUBLISH", HELLO, &hello], Question::Other, cx)
            && let Some(instance) = self.instances.get_mut(&id)
        {
            instance.last_hello_sent = cx.env.now;
        }
    }

    /// Everybody is told of a change with the next tick (`sentinelForceHelloUpdateForMaster`).
    pub(super) fn hurry_hello(&mut self) {
        self.instances.values_mut().for_each(|instance| instance.last_hello_sent = SimTime::ZERO);
    }

    /// Whom it holds for the master: the promoted one as soon as that says so itself.
    pub(super) fn current_master(&self) -> ServerId {
        self.promoted.filter(|_| self.phase == Phase::Reconf).unwrap_or(self.master)
    }

    /// No valid answer for too long: subjectively down (`sentinelCheckSubjectivelyDown`).
    fn check_down(&mut self, id: ServerId, cx: &mut Cx<Sentinel>) {
        let (now, down_after) = (cx.env.now, self.config.down_after_ms * 1000);
        let is_off = |instance: &Instance| instance.commands.open().is_none();
        let Some(instance) = self.instances.get_mut(&id) else { return };
        let silent = match instance.open_ping {
            Some(at) => now.since(at),
            None if is_off(instance) => now.since(instance.last_valid),
            None => 0,
        };
        close_broken(instance, now, down_after, cx);
        let reports_replica = instance.kind == Kind::Master
            && !instance.says_master
            && now.since(instance.says_since) > down_after + 2 * INFO_US;
        let is_down = silent > down_after || reports_replica;
        if is_down == instance.down_since.is_some() {
            return;
        }
        instance.down_since = is_down.then_some(now);
        if is_down {
            instance.down_change = Some(now);
        }
        let about = instance.about();
        self.event(if is_down { "+sdown" } else { "-sdown" }, &about, cx);
    }
}

/// A connection on which nothing comes back any more is closed, to be opened anew.
fn close_broken(instance: &mut Instance, now: SimTime, down_after: u64, cx: &mut Cx<Sentinel>) {
    if let Wire::On(conn, since) = instance.commands
        && now.since(since) > OLD_US
        && instance.open_ping.is_some_and(|at| now.since(at) > down_after / 2)
        && now.since(instance.last_pong) > down_after / 2
    {
        cx.close(conn);
        instance.commands = Wire::Off;
        instance.questions.clear();
    }
    if let Wire::On(conn, since) = instance.subscription
        && now.since(since) > OLD_US
        && now.since(instance.last_heard) > 3 * PUBLISH_US
    {
        cx.close(conn);
        instance.subscription = Wire::Off;
    }
}
