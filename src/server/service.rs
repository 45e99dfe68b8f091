//! The service for clients: connections, sessions, the order of answers, watches (`ZooKeeperServer.java`,
//! `FinalRequestProcessor.java`, `LearnerSessionTracker.java`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::limits::JUTE_MAX_BUFFER;
use crate::base::{ClientId, ConnId, ServerId, SessionId, SimTime, Zxid};
use crate::store::{Body, Change, Effect, Fired, Op, Submitted, Tree, Txn, WatchMode, Watches, read};
use crate::wire::{
    Acl, AuthId, Code, EventType, Outcome, Password, Perms, Request, ToClient, ToServer, WatchedEvent,
};
use crate::zab::{Packet, Payload};

use super::auth;
use super::connection::{ClientConn, Waiting};
use super::fact::{Fact, TurnedAway};
use super::leading::Leading;
use super::password_of;
use super::settings::Settings;

/// A timer of the service; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// The next sessions expire.
    Expiry,
    /// Look for containers and nodes past their time.
    Reaper,
}

/// A learner's question about a session, and the leader's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revalidation {
    /// The session.
    pub session: SessionId,
    /// In the answer: whether it is alive.
    pub alive: bool,
}

/// The sessions of which a learner has heard since its last answer to a PING.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched(pub Vec<SessionId>);

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
pub type Outbox = Vec<Output>;

/// What the service may look at while it handles something.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'a> {
    /// The moment.
    pub now: SimTime,
    /// The replicated state.
    pub tree: &'a Tree,
    /// The last zxid that this server has processed; `epoch:0` at a leader before its first transaction.
    pub last_zxid: Zxid,
    /// The settings.
    pub settings: &'a Settings,
}

/// The service of one server.
#[derive(Clone, Debug)]
pub struct Service {
    id: ServerId,
    serving: bool,
    /// The connections of clients.
    pub conns: BTreeMap<ConnId, ClientConn>,
    /// The watches that they have set.
    pub watches: Watches,
    /// The leader's part, while this server leads.
    pub leading: Option<Box<Leading>>,
    next_session: u64,
    touched: BTreeSet<SessionId>,
    plain_writes: BTreeSet<u64>,
}

impl Service {
    /// The service of a server that has just started; it serves nobody yet.
    pub fn new(id: ServerId) -> Service {
        Service {
            id,
            serving: false,
            conns: BTreeMap::new(),
            watches: Watches::default(),
            leading: None,
            next_session: 0,
            touched: BTreeSet::new(),
            plain_writes: BTreeSet::new(),
        }
    }

    /// Begins to serve, as a leader or as a learner. Session ids begin anew, with the server's id in their first byte.
    pub fn start(&mut self, leads: bool, cx: Cx, out: &mut Outbox) {
        self.serving = true;
        self.next_session = (u64::from(self.id.0) << 56) | ((cx.now.as_ms() << 24) >> 8);
        self.leading = leads.then(|| Box::new(Leading::new(cx.tree, cx.settings, cx.now)));
        if leads {
            out.push(Output::SetTimer(Timer::Reaper, cx.now.plus(cx.settings.container_check)));
            self.arm_expiry(out);
        }
    }

    /// Ceases to serve: all connections are closed; the plain writes whose fate is unknown.
    pub fn stop(&mut self, out: &mut Outbox) -> BTreeSet<u64> {
        self.serving = false;
        self.leading = None;
        self.touched.clear();
        self.watches = Watches::default();
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

    /// A client connected.
    pub fn accepted(&mut self, conn: ConnId, client: ClientId) {
        self.conns.insert(conn, ClientConn::new(client));
    }

    /// A client's connection broke.
    pub fn closed(&mut self, conn: ConnId) {
        self.conns.remove(&conn);
        self.watches.forget(conn);
    }

    /// A client's packet arrived.
    pub fn packet(&mut self, conn: ConnId, packet: ToServer, cx: Cx, out: &mut Outbox) {
        let Some(from) = self.conns.get_mut(&conn) else { return };
        if !self.serving {
            return self.turn_away(conn, TurnedAway::NotServing, out);
        }
        let session = from.session;
        match packet {
            ToServer::Connect { last_zxid_seen, timeout_ms, session, password } => {
                self.connect(conn, last_zxid_seen, timeout_ms, session, password, cx, out);
            }
            packet if !from.established => from.unread.push_back(packet),
            ToServer::Ping => {
                self.touch(session, cx, out);
                out.push(Output::Send(conn, ToClient::Pong));
            }
            ToServer::Auth { scheme, auth } => self.authenticate(conn, &scheme, &auth, out),
            ToServer::Request { xid, request } => {
                self.touch(session, cx, out);
                self.request(conn, xid, request, cx, out);
            }
        }
    }

    /// `processConnectRequest`.
    #[allow(clippy::too_many_arguments)] // the packet's fields
    fn connect(
        &mut self,
        conn: ConnId,
        last_zxid_seen: Zxid,
        timeout_ms: u32,
        session: SessionId,
        password: Password,
        cx: Cx,
        out: &mut Outbox,
    ) {
        if last_zxid_seen > cx.last_zxid {
            return self.turn_away(conn, TurnedAway::ServerBehind, out);
        }
        let timeout_ms = cx.settings.negotiate(timeout_ms);
        let new = session == SessionId::NONE;
        let session = if new { self.new_session() } else { session };
        if !new {
            let earlier = self.conns.iter().find(|(other, of)| **other != conn && of.session == session);
            if let Some(earlier) = earlier.map(|(&earlier, _)| earlier) {
                self.turn_away(earlier, TurnedAway::Replaced, out);
            }
        }
        let Some(of) = self.conns.get_mut(&conn) else { return };
        (of.session, of.timeout_ms) = (session, timeout_ms);
        if new {
            let body = Body::CreateSession { timeout_ms };
            out.push(Output::Submit(Submitted { session, cxid: 0, who: Rc::from([]), from: self.id, body }));
        } else if password != password_of(session) {
            self.session_gone(conn, TurnedAway::WrongPassword, out);
        } else if let Some(leading) = &mut self.leading {
            let alive = leading.revalidate(session, self.id, cx.now, cx.settings);
            self.tell_moved(session, self.id, alive.flatten(), out);
            self.revalidated(session, alive.is_some(), cx, out);
        } else {
            let payload = Payload::new(session.to_string(), 12, Revalidation { session, alive: false });
            out.push(Output::ToLeader(Packet::Revalidate { payload }));
        }
    }

    fn new_session(&mut self) -> SessionId {
        self.next_session += 1;
        SessionId(self.next_session)
    }

    /// The leader has said whether a session lives that a client takes up here.
    fn revalidated(&mut self, session: SessionId, alive: bool, cx: Cx, out: &mut Outbox) {
        let waits = self.conns.iter().find(|(_, of)| of.session == session && !of.established);
        let Some((conn, client)) = waits.map(|(&conn, of)| (conn, of.client)) else { return };
        if alive {
            out.push(Output::Fact(Fact::SessionResumed { session, client }));
            self.establish(conn, cx, out);
        } else {
            self.session_gone(conn, TurnedAway::SessionGone, out);
        }
    }

    /// CONNECT is answered; what came behind it is read.
    fn establish(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        let Some(of) = self.conns.get_mut(&conn) else { return };
        of.established = true;
        let (session, timeout_ms) = (of.session, of.timeout_ms);
        let unread = std::mem::take(&mut of.unread);
        out.push(Output::Send(conn, ToClient::Connected { timeout_ms, session, password: password_of(session) }));
        for packet in unread {
            self.packet(conn, packet, cx, out);
        }
    }

    fn session_gone(&mut self, conn: ConnId, reason: TurnedAway, out: &mut Outbox) {
        let (timeout_ms, session, password) = (0, SessionId::NONE, Password::default());
        out.push(Output::Send(conn, ToClient::Connected { timeout_ms, session, password }));
        self.turn_away(conn, reason, out);
    }

    fn turn_away(&mut self, conn: ConnId, reason: TurnedAway, out: &mut Outbox) {
        if let Some(of) = self.conns.get(&conn) {
            out.push(Output::Fact(Fact::ClientTurnedAway { client: of.client, reason }));
            out.push(Output::Close(conn));
            self.closed(conn);
        }
    }

    fn tell_moved(&self, session: SessionId, to: ServerId, before: Option<ServerId>, out: &mut Outbox) {
        if let Some(from) = before.filter(|&from| from != to) {
            out.push(Output::Fact(Fact::SessionMoved { session, from, to }));
        }
    }

    fn authenticate(&mut self, conn: ConnId, scheme: &str, proof: &str, out: &mut Outbox) {
        let Some(of) = self.conns.get_mut(&conn) else { return };
        match auth::identify(scheme, proof) {
            Some(id) => {
                if !of.who.contains(&id) {
                    of.who = of.who.iter().cloned().chain([id]).collect();
                }
                out.push(Output::Send(conn, ToClient::Auth { code: Code::Ok }));
            }
            None => {
                out.push(Output::Send(conn, ToClient::Auth { code: Code::AuthFailed }));
                out.push(Output::Close(conn));
                self.closed(conn);
            }
        }
    }

    /// Something was heard of a session. A leader knows at once, a learner tells it with its next answer to a PING.
    fn touch(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
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

    fn request(&mut self, conn: ConnId, xid: i32, request: Request, cx: Cx, out: &mut Outbox) {
        if request.bytes() > JUTE_MAX_BUFFER {
            return self.turn_away(conn, TurnedAway::TooLong, out);
        }
        if matches!(request, Request::Check { .. }) {
            let outcome = Err(Code::Unimplemented);
            out.push(Output::Send(conn, ToClient::Reply { xid, zxid: cx.last_zxid, outcome }));
            return self.turn_away(conn, TurnedAway::Unimplemented, out);
        }
        let Some(of) = self.conns.get_mut(&conn) else { return };
        let leads = self.leading.is_some();
        let remote = request.is_write() || matches!(request, Request::Sync { .. }) && !leads;
        if remote {
            let (session, who, from) = (of.session, of.who.clone(), self.id);
            let body = Body::Client(request.clone());
            out.push(Output::Submit(Submitted { session, cxid: xid, who, from, body }));
        }
        of.waiting.push_back(Waiting { xid, request, remote });
        self.answer_reads(conn, cx, out);
    }

    /// Answers what stands first and needs nothing but this server's tree.
    fn answer_reads(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        while let Some(of) = self.conns.get_mut(&conn) {
            let Some(first) = of.waiting.pop_front_if(|first| !first.remote) else { return };
            let (client, session, who) = (of.client, of.session, of.who.clone());
            let outcome = match self.leading.as_ref().is_some_and(|leading| !leading.is_alive(session)) {
                true => Err(Code::SessionExpired),
                false => self.serve(conn, client, session, &who, &first.request, cx, out),
            };
            out.push(Output::Send(conn, ToClient::Reply { xid: first.xid, zxid: cx.last_zxid, outcome }));
        }
    }

    #[allow(clippy::too_many_arguments)] // a request, and on whose behalf
    fn serve(
        &mut self,
        conn: ConnId,
        client: ClientId,
        session: SessionId,
        who: &[AuthId],
        request: &Request,
        cx: Cx,
        out: &mut Outbox,
    ) -> Outcome {
        let watches = &mut self.watches;
        let had = |had: bool| if had { Ok(crate::wire::Answer::Done) } else { Err(Code::NoWatcher) };
        match request {
            Request::SetWatches(again) => {
                for fired in watches.set_again(conn, again, cx.tree) {
                    tell(client, fired, None, out);
                }
                Ok(crate::wire::Answer::Done)
            }
            Request::AddWatch { path, mode } => {
                watches.add_lasting(path, conn, *mode);
                Ok(crate::wire::Answer::Done)
            }
            Request::CheckWatches { path, kind } => had(watches.has(path, conn, *kind)),
            Request::RemoveWatches { path, kind } => had(watches.remove(path, conn, *kind)),
            request => {
                let outcome = read(cx.tree, session, who, request);
                match (request, &outcome) {
                    (Request::Exists { path, watch: true }, Ok(_) | Err(Code::NoNode))
                    | (Request::GetData { path, watch: true }, Ok(_)) => watches.add(path, conn, WatchMode::Data),
                    (Request::GetChildren { path, watch: true, .. }, Ok(_)) => {
                        watches.add(path, conn, WatchMode::Child);
                    }
                    _ => {}
                }
                outcome
            }
        }
    }

    /// A transaction was applied to the tree: watches fire, sessions begin and end, whoever waits for it is answered.
    pub fn applied(&mut self, zxid: Zxid, txn: &Txn, effect: Effect, cx: Cx, out: &mut Outbox) {
        for change in &effect.changes {
            self.fire(change, zxid, out);
        }
        match &txn.op {
            Op::CreateSession { .. } => self.session_opened(txn.session, cx, out),
            Op::CloseSession { paths } => self.session_closed(txn, zxid, paths, effect.outcome, out),
            _ if txn.session == SessionId::NONE => {
                let number = u64::from(txn.cxid as u32);
                if self.plain_writes.remove(&number) {
                    out.push(Output::Answered(number, zxid));
                }
            }
            _ => self.answer(txn, zxid, effect.outcome, cx, out),
        }
        for (conn, payload) in self.leading.as_mut().map(|leading| leading.syncs_after(zxid)).unwrap_or_default() {
            out.push(Output::ToLearner(conn, Packet::Sync { payload }));
        }
    }

    fn fire(&mut self, change: &Change, zxid: Zxid, out: &mut Outbox) {
        for fired in self.watches.fire(change) {
            let Some(of) = self.conns.get(&fired.conn) else { continue };
            let acl = match fired.event.kind {
                EventType::NodeChildrenChanged => change.parent_acl.as_ref(),
                _ => Some(&change.acl),
            };
            if acl.is_some_and(|acl| may_read(acl, &of.who)) {
                tell(of.client, fired, Some(zxid), out);
            }
        }
    }

    fn session_opened(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
        let waits = self.conns.iter().find(|(_, of)| of.session == session && !of.established);
        if let Some((conn, client, timeout_ms)) = waits.map(|(&conn, of)| (conn, of.client, of.timeout_ms)) {
            out.push(Output::Fact(Fact::SessionOpened { session, timeout_ms, client }));
            self.establish(conn, cx, out);
        }
        self.arm_expiry_if_leading(out);
    }

    fn arm_expiry_if_leading(&self, out: &mut Outbox) {
        if self.leading.is_some() {
            self.arm_expiry(out);
        }
    }

    fn session_closed(&mut self, txn: &Txn, zxid: Zxid, paths: &[Rc<str>], outcome: Outcome, out: &mut Outbox) {
        if let Some(leading) = &mut self.leading {
            leading.closed(txn.session);
            let (session, ephemerals) = (txn.session, paths.to_vec());
            out.push(Output::Fact(Fact::SessionClosed { session, zxid, ephemerals }));
            self.arm_expiry(out);
        }
        let Some((conn, of)) = self.conns.iter_mut().find(|(_, of)| of.session == txn.session) else { return };
        let conn = *conn;
        let asked = of.waiting.front().is_some_and(|first| first.xid == txn.cxid && first.remote);
        if asked {
            out.push(Output::Send(conn, ToClient::Reply { xid: txn.cxid, zxid, outcome }));
        }
        out.push(Output::Close(conn)); // without a word when the client did not ask for it
        self.closed(conn);
    }

    /// The answer to a write of one of our clients, and then the reads behind it.
    fn answer(&mut self, txn: &Txn, zxid: Zxid, outcome: Outcome, cx: Cx, out: &mut Outbox) {
        let waits = |of: &ClientConn| {
            of.session == txn.session
                && of
                    .waiting
                    .front()
                    .is_some_and(|first| first.remote && first.xid == txn.cxid && first.request.is_write())
        };
        let Some((&conn, of)) = self.conns.iter_mut().find(|(_, of)| waits(of)) else { return };
        of.waiting.pop_front();
        let moved = match &txn.op {
            Op::Error(code) => *code == Code::SessionMoved,
            Op::FailedMulti(codes) => codes.contains(&Code::SessionMoved),
            _ => false,
        };
        if moved {
            return self.turn_away(conn, TurnedAway::Moved, out);
        }
        out.push(Output::Send(conn, ToClient::Reply { xid: txn.cxid, zxid, outcome }));
        self.answer_reads(conn, cx, out);
    }

    /// As the leader: makes a transaction of a request, with the zxid that it will get. A sync is no transaction: it is
    /// answered when everything proposed before it is committed.
    pub fn prepare(
        &mut self,
        payload: &Payload,
        from: Option<ConnId>,
        last_proposed: Zxid,
        idle: bool,
        cx: Cx,
        out: &mut Outbox,
    ) -> Option<Payload> {
        let leading = self.leading.as_mut()?;
        let asked: &Submitted = payload.body()?;
        if let (Body::Client(Request::Sync { .. }), Some(conn)) = (&asked.body, from) {
            match idle {
                true => out.push(Output::ToLearner(conn, Packet::Sync { payload: payload.clone() })),
                false => leading.park_sync(last_proposed, conn, payload.clone()),
            }
            return None;
        }
        let txn = leading.prepare(asked, last_proposed.next(), cx.now, cx.settings);
        self.arm_expiry(out);
        Some(Payload::new(txn.to_string(), txn.op.bytes() + 24, txn))
    }

    /// A packet between a learner and its leader that is about clients.
    pub fn host_packet(&mut self, conn: ConnId, from: ServerId, packet: Packet, cx: Cx, out: &mut Outbox) {
        match packet {
            Packet::Revalidate { payload } => {
                let Some(&Revalidation { session, alive }) = payload.body() else { return };
                let Some(leading) = &mut self.leading else {
                    return self.revalidated(session, alive, cx, out);
                };
                let before = leading.revalidate(session, from, cx.now, cx.settings);
                self.tell_moved(session, from, before.flatten(), out);
                self.arm_expiry(out);
                let alive = before.is_some();
                let text = format!("{session} {}", if alive { "alive" } else { "gone" });
                let payload = Payload::new(text, 13, Revalidation { session, alive });
                out.push(Output::ToLearner(conn, Packet::Revalidate { payload }));
            }
            Packet::Sync { payload } => self.synced(&payload, cx, out),
            _ => {}
        }
    }

    fn synced(&mut self, payload: &Payload, cx: Cx, out: &mut Outbox) {
        let Some(asked) = payload.body::<Submitted>() else { return };
        let waits = |of: &ClientConn| {
            of.session == asked.session
                && of.waiting.front().is_some_and(|first| first.xid == asked.cxid && !first.request.is_write())
        };
        let Some((&conn, of)) = self.conns.iter_mut().find(|(_, of)| waits(of)) else { return };
        if let Some(first) = of.waiting.front_mut() {
            first.remote = false;
        }
        self.answer_reads(conn, cx, out);
    }

    /// As a learner: the sessions to be told with the answer to a PING.
    pub fn take_touched(&mut self) -> Option<Payload> {
        if self.touched.is_empty() {
            return None;
        }
        let sessions: Vec<SessionId> = std::mem::take(&mut self.touched).into_iter().collect();
        let text = sessions.iter().map(SessionId::to_string).collect::<Vec<_>>().join(" ");
        Some(Payload::new(text, 12 * sessions.len() as u64, Touched(sessions)))
    }

    /// As the leader: a learner has heard of these sessions.
    pub fn touched(&mut self, payload: &Payload, cx: Cx, out: &mut Outbox) {
        let (Some(leading), Some(Touched(sessions))) = (&mut self.leading, payload.body()) else { return };
        for &session in sessions {
            leading.expiry.touch(session, cx.now, cx.settings.tick_time);
        }
        self.arm_expiry(out);
    }

    /// A timer fired.
    pub fn timer(&mut self, timer: Timer, cx: Cx, out: &mut Outbox) {
        let Some(leading) = &mut self.leading else { return };
        match timer {
            Timer::Expiry => {
                for session in leading.expiry.expired(cx.now) {
                    self.expire(session, out);
                }
                self.arm_expiry(out);
            }
            Timer::Reaper => {
                for path in Leading::overdue(cx.tree, cx.now, cx.settings) {
                    let body = Body::DeleteContainer { path };
                    let who = Rc::from([]);
                    let (session, cxid, from) = (SessionId::NONE, -1, self.id);
                    out.push(Output::Submit(Submitted { session, cxid, who, from, body }));
                }
                out.push(Output::SetTimer(Timer::Reaper, cx.now.plus(cx.settings.container_check)));
            }
        }
    }

    /// As the leader: ends a session of which nothing was heard.
    pub fn expire(&mut self, session: SessionId, out: &mut Outbox) {
        let Some(leading) = &mut self.leading else { return };
        leading.close(session);
        out.push(Output::Fact(Fact::SessionExpired { session }));
        let body = Body::Client(Request::CloseSession);
        out.push(Output::Submit(Submitted { session, cxid: 0, who: Rc::from([]), from: self.id, body }));
    }
}

fn may_read(acl: &[Acl], who: &[AuthId]) -> bool {
    acl.iter()
        .any(|entry| entry.perms.any_of(Perms::READ) && (entry.who == AuthId::anyone() || who.contains(&entry.who)))
}

fn tell(client: ClientId, fired: Fired, zxid: Option<Zxid>, out: &mut Outbox) {
    let Fired { conn, event, one_shot } = fired;
    let told: WatchedEvent = event.clone();
    out.push(Output::Fact(Fact::WatchFired { client, zxid, event, one_shot }));
    out.push(Output::Send(conn, ToClient::Event { zxid, event: told }));
}
