//! The service for clients: connections, sessions, the order of answers, watches (`ZooKeeperServer.java`,
//! `FinalRequestProcessor.java`, `LearnerSessionTracker.java`).

mod local;
mod requests;
mod rows;
mod sessions;
mod traffic;

use std::rc::Rc;

use crate::base::{ConnId, ServerId, ServiceRule, SessionId, SimTime, SortedMap, SortedSet, Zxid};
use crate::store::{Body, Submitted, Tree, Txn, Watches};
use crate::wire::{Code, Request, ToClient, ToServer};
use crate::zab::{Packet, Revalidation, Touched};

use super::connection::ClientConn;
use super::expiry::ExpiryQueue;
use super::fact::{Fact, TurnedAway};
use super::leading::Leading;
use super::pending::{Pending, Waiting};
use super::settings::Settings;
use super::statistics::{Counters, Statistics};

/// A timer of the service; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// The next sessions expire.
    Expiry,
    /// Look for containers and nodes past their time.
    Reaper,
    /// The next local sessions expire.
    LocalExpiry,
    /// It has looked for a leader long enough.
    ReadOnly,
}

/// What the service wants done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Send a packet to a client.
    Send(ConnId, ToClient),
    /// Close a client's connection.
    Close(ConnId),
    /// Hand a request to the protocol: it goes to the leader.
    Submit(Submitted),
    /// Send a packet to the leader of this learner.
    ToLeader(Packet),
    /// As a leader: send a packet to a learner.
    ToLearner(ConnId, Packet),
    /// Arm a timer; a timer already armed is moved.
    SetTimer(Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(Timer),
    /// A plain write of this server is answered.
    Answered(u64, Zxid),
    /// Something happened.
    Fact(Fact),
}

/// Where the service puts its outputs. Its host empties it after each step.
pub(super) type Outbox = Vec<Output>;

/// What the service may look at while it handles something.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'a> {
    /// The moment.
    pub now: SimTime,
    /// What the machine's wall clock shows, ms.
    pub clock_ms: i64,
    /// The replicated state.
    pub tree: &'a Tree,
    /// The last zxid that this server has processed; `epoch:0` at a leader before its first transaction.
    pub last_zxid: Zxid,
    /// The settings.
    pub settings: &'a Settings,
}

/// Where a leader stands when it makes a transaction of a request.
#[derive(Clone, Debug)]
pub struct Place {
    /// The last zxid given out.
    pub last_proposed: Zxid,
    /// Whether everything proposed is committed.
    pub idle: bool,
    /// What a reconfiguration comes to, where the request is one.
    pub next: Option<Result<Rc<str>, Code>>,
}

/// The service of one server.
#[derive(Clone, Debug, Hash)]
pub struct Service {
    id: ServerId,
    serving: bool,
    /// The connections of clients.
    pub conns: SortedMap<ConnId, ClientConn>,
    /// The watches that they have set.
    pub watches: Watches,
    /// The leader's part, while this server leads.
    pub leading: Option<Box<Leading>>,
    /// What is counted since it began to serve.
    pub statistics: Statistics,
    /// What is counted since the process began.
    pub counters: Counters,
    /// When it began to serve.
    pub since: SimTime,
    /// When it took the role in which it serves (`ServerStats`, `startTime`).
    pub role_since: SimTime,
    /// Since when nothing has come or gone on each connection (`cnxnExpiryQueue`).
    idle: ExpiryQueue<ConnId>,
    local: ExpiryQueue<SessionId>,
    /// Whether the server looks for a leader; kept up where it may serve without one.
    looking: bool,
    /// Whether it serves reads without a leader.
    pub read_only: bool,
    pending: Pending,
    next_session: u64,
    touched: SortedSet<SessionId>,
    plain_writes: SortedSet<u64>,
    /// When it ceased to serve, and the sessions that began while it did: kept up where a rule is broken by them.
    quiet_since: Option<SimTime>,
    heard: SortedSet<SessionId>,
}

impl Service {
    /// The service of a server that has just started; it serves nobody yet.
    pub fn new(id: ServerId) -> Service {
        Service {
            id,
            serving: false,
            conns: SortedMap::new(),
            watches: Watches::default(),
            leading: None,
            statistics: Statistics::default(),
            counters: Counters::default(),
            since: SimTime::ZERO,
            role_since: SimTime::ZERO,
            idle: ExpiryQueue::default(),
            local: ExpiryQueue::default(),
            looking: false,
            read_only: false,
            pending: Pending::default(),
            next_session: 0,
            touched: SortedSet::new(),
            plain_writes: SortedSet::new(),
            quiet_since: None,
            heard: SortedSet::new(),
        }
    }

    /// Begins to serve, as a leader or as a learner. Session ids begin anew, with the server's id in their first byte.
    pub fn start(&mut self, leads: bool, cx: Cx, out: &mut Outbox) {
        self.end_read_only(cx, out);
        self.serving = true;
        self.begin(cx);
        let since = self.quiet_since.unwrap_or(cx.now);
        self.leading = leads.then(|| Box::new(Leading::new(cx, since, &self.heard)));
        if leads {
            out.push(Output::SetTimer(Timer::Reaper, cx.now.plus(cx.settings.container_check)));
            self.arm_expiry(out);
        }
    }

    fn begin(&mut self, cx: Cx) {
        (self.statistics, self.since) = (Statistics::default(), cx.now);
        self.next_session = (u64::from(cx.settings.first_byte(self.id)) << 56) | ((cx.now.as_ms() << 24) >> 8);
    }

    /// Ceases to serve: all connections are closed; the plain writes whose fate is unknown.
    pub fn stop(&mut self, cx: Cx, out: &mut Outbox) -> SortedSet<u64> {
        self.quiet_since = cx.settings.rules.breaks(ServiceRule::NoFreshTimeout).then_some(cx.now);
        (self.serving, self.read_only) = (false, false);
        self.leading = None;
        if self.local.next().is_some() {
            self.local = ExpiryQueue::default();
            out.push(Output::CancelTimer(Timer::LocalExpiry));
        }
        self.touched.clear();
        self.pending = Pending::default();
        self.watches = Watches::default();
        self.idle = ExpiryQueue::default();
        for conn in std::mem::take(&mut self.conns).into_keys() {
            out.push(Output::Close(conn));
        }
        out.push(Output::CancelTimer(Timer::Expiry));
        out.push(Output::CancelTimer(Timer::Reaper));
        std::mem::take(&mut self.plain_writes)
    }

    /// A write of nobody in particular waits for its answer here.
    pub fn expect_write(&mut self, number: u64) {
        self.plain_writes.insert(number);
    }

    /// Such a write was not taken; whether it was waiting.
    pub fn forget_write(&mut self, number: u64) -> bool {
        self.plain_writes.remove(&number)
    }

    /// Whether it takes requests of clients.
    pub fn takes_clients(&self, settings: &Settings) -> bool {
        self.read_only || self.serving && (settings.leader_serves || self.leading.is_none())
    }

    /// A client's connection broke.
    pub fn broke(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        self.counters.connections_dropped += 1;
        let session = self.conns.get(&conn).map_or(SessionId::NONE, |of| of.session);
        self.closed(conn);
        let ends = cx.settings.rules.breaks(ServiceRule::SessionDiesWithConnection) && !self.is_local(session);
        if ends && session != SessionId::NONE {
            let (who, body) = (Rc::from([]), Body::Client(Request::CloseSession));
            out.push(Output::Submit(Submitted { session, cxid: 0, who, from: self.id, body }));
        }
    }

    /// A client's connection is gone. What it has asked keeps its place: the order of a session outlives it.
    pub fn closed(&mut self, conn: ConnId) {
        self.conns.remove(&conn);
        self.idle.forget(conn);
        self.watches.forget(conn);
    }

    /// A client's packet arrived.
    pub fn packet(&mut self, conn: ConnId, packet: ToServer, cx: Cx, out: &mut Outbox) {
        let Some(from) = self.conns.get(&conn) else { return };
        if !self.serving && !self.read_only {
            return self.turn_away(conn, TurnedAway::NotServing, out);
        }
        if !self.takes_clients(cx.settings) {
            return self.turn_away(conn, TurnedAway::LeaderOnly, out);
        }
        let session = from.session;
        if from.established && !from.throttled || matches!(packet, ToServer::Connect { .. }) {
            let asked = match &packet {
                ToServer::Connect { session, .. } => (*session == SessionId::NONE).then_some((0, "SESS")),
                ToServer::Ping => Some((-2, "PING")),
                ToServer::Request { xid, request } => Some((*xid, request.name())),
                ToServer::Auth { .. } | ToServer::Word { .. } => None,
            };
            self.received(conn, packet.bytes(), asked, cx.now);
        }
        let Some(from) = self.conns.get_mut(&conn) else { return };
        match packet {
            ToServer::Connect { last_zxid_seen, timeout_ms, session, password, read_only } => {
                self.counters.connect_requests += 1;
                if let Some(reason) = self.refuses(session, read_only, cx) {
                    return self.turn_away(conn, reason, out);
                }
                self.connect(conn, last_zxid_seen, timeout_ms, session, password, cx, out);
            }
            packet if !from.established || from.throttled => from.unread.push_back(packet),
            ToServer::Word { .. } => {} // never on a connection of a session
            ToServer::Ping => {
                self.touch(session, cx, out);
                self.ping(conn, session, cx, out);
            }
            ToServer::Auth { scheme, auth, .. } => self.authenticate(conn, &scheme, auth.as_deref(), cx, out),
            ToServer::Request { xid, request } => {
                self.touch(session, cx, out);
                if xid > 0 && self.should_throttle(conn, cx.settings) {
                    self.throttle(conn, true, out);
                }
                self.request(conn, xid, request, cx, out);
            }
        }
    }

    /// Something was heard of a session. A leader knows at once, a learner tells it with its next answer to a PING.
    fn touch(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
        if self.local.next().is_some() && self.touch_local(session, cx, out) {
            return;
        }
        match &mut self.leading {
            Some(leading) => {
                leading.expiry.touch(session, cx.now, cx.settings.tick_time);
                self.arm_expiry(out);
            }
            None => {
                self.touched.insert(session);
            }
        }
    }

    fn arm_expiry(&self, out: &mut Outbox) {
        match self.leading.as_ref().and_then(|leading| leading.expiry.next()) {
            Some(next) => out.push(Output::SetTimer(Timer::Expiry, next)),
            None => out.push(Output::CancelTimer(Timer::Expiry)),
        }
    }

    /// As the leader: makes a transaction of a request, with the zxid that it will get. A sync is no transaction: it is
    /// answered when everything proposed before it is committed.
    pub fn prepare(
        &mut self,
        asked: Rc<Submitted>,
        from: Option<ConnId>,
        at: Place,
        cx: Cx,
        out: &mut Outbox,
    ) -> Option<Txn> {
        let local = match &asked.body {
            Body::Client(request) => self.may_be_local(asked.session, Some(request), cx),
            _ => false,
        };
        let leading = self.leading.as_mut()?;
        if let (Body::Client(Request::Sync { .. }), Some(conn)) = (&asked.body, from) {
            match at.idle {
                true => out.push(Output::ToLearner(conn, Packet::Sync { payload: asked })),
                false => leading.park_sync(at.last_proposed, conn, asked),
            }
            return None;
        }
        if let (Body::Client(request), Some(_)) = (&asked.body, from) {
            // the leader's own CommitProcessor sees what its learners pass on
            // (`ProposalRequestProcessor.java` `shouldForwardToNextProcessor`)
            let (conn, xid, request) = (None, asked.cxid, request.clone());
            self.pending.push(asked.session, Waiting::Remote { conn, xid, request });
        }
        let txn = leading.prepare(&asked, local, at, cx, out);
        self.arm_expiry(out);
        Some(txn)
    }

    /// A packet between a learner and its leader that is about clients.
    pub fn host_packet(&mut self, conn: ConnId, from: ServerId, packet: Packet, cx: Cx, out: &mut Outbox) {
        match packet {
            Packet::Revalidate { payload: Revalidation { session, alive: Some(alive) } } => {
                self.revalidated(session, alive, cx, out);
            }
            Packet::Revalidate { payload: Revalidation { session, alive: None } } => {
                let Some(leading) = &mut self.leading else { return };
                self.counters.revalidations += 1;
                let before = leading.revalidate(session, from, cx.now, cx.settings);
                self.tell_moved(session, from, before.flatten(), out);
                self.arm_expiry(out);
                let payload = Revalidation { session, alive: Some(before.is_some()) };
                out.push(Output::ToLearner(conn, Packet::Revalidate { payload }));
            }
            Packet::Sync { payload } => self.synced(&payload, cx, out),
            _ => {}
        }
    }

    /// As a learner: the sessions to be told with the answer to a PING.
    pub fn take_touched(&mut self) -> Option<Touched> {
        if self.touched.is_empty() {
            return None;
        }
        Some(Touched(std::mem::take(&mut self.touched).into_iter().collect()))
    }

    /// As the leader: a learner has heard of these sessions.
    pub fn touched(&mut self, Touched(sessions): &Touched, cx: Cx, out: &mut Outbox) {
        let Some(leading) = &mut self.leading else { return };
        for &session in sessions.iter() {
            leading.expiry.touch(session, cx.now, cx.settings.tick_time);
        }
        self.arm_expiry(out);
    }

    /// A timer fired.
    pub fn timer(&mut self, timer: Timer, cx: Cx, out: &mut Outbox) {
        match (timer, &mut self.leading) {
            (Timer::LocalExpiry, _) => self.expire_local(cx, out),
            (Timer::ReadOnly, _) => self.begin_read_only(cx, out),
            (Timer::Expiry | Timer::Reaper, None) => {}
            (Timer::Expiry, Some(leading)) => {
                for session in leading.expiry.expired(cx.now) {
                    self.expire(session, false, out);
                }
                self.arm_expiry(out);
            }
            (Timer::Reaper, Some(_)) => {
                for path in Leading::overdue(cx.tree, cx.clock_ms, cx.settings) {
                    let body = Body::DeleteContainer { path };
                    let who = Rc::from([]);
                    let (session, cxid, from) = (SessionId::NONE, -1, self.id);
                    out.push(Output::Submit(Submitted { session, cxid, who, from, body }));
                }
                out.push(Output::SetTimer(Timer::Reaper, cx.now.plus(cx.settings.container_check)));
            }
        }
    }

    /// As the leader: ends a session of which nothing was heard, or because it was asked to.
    pub fn expire(&mut self, session: SessionId, asked: bool, out: &mut Outbox) {
        let Some(leading) = &mut self.leading else { return };
        leading.close(session);
        self.counters.sessions_expired += u64::from(!asked);
        out.push(Output::Fact(Fact::SessionExpired { session, asked }));
        let body = Body::Client(Request::CloseSession);
        out.push(Output::Submit(Submitted { session, cxid: 0, who: Rc::from([]), from: self.id, body }));
    }
}
