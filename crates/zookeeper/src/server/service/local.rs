//! Sessions that only one server knows (`LocalSessionTracker.java`, `UpgradeableSessionTracker.java`, `QuorumZooKeeperServer.java`
//! `checkUpgradeSession`), and a server that serves without a leader (`ReadOnlyZooKeeperServer.java`).

use crate::base::{ClientId, ConnId, Micros, SessionId, SimTime, SortedSet};
use crate::server::fact::{Fact, TurnedAway};
use crate::store::{Body, Submitted};
use crate::wire::{CreateMode, Request};

use super::{Cx, Outbox, Output, Service, Timer};

/// A server looks for a leader at least this long before it serves reads without one, µs (`QuorumPeer.java` `run`).
const GRACE: Micros = 2_000_000;

impl Service {
    /// Whether a session is one that only this server knows.
    pub fn is_local(&self, session: SessionId) -> bool {
        self.local.due(session).is_some()
    }

    /// The sessions that only this server knows, with their timeouts, ms.
    pub fn local_sessions(&self) -> impl Iterator<Item = (SessionId, u32)> {
        self.local.tracked().map(|(session, timeout_ms, _)| (session, timeout_ms))
    }

    /// The same by when they expire if nothing more is heard of them.
    pub fn local_sets(&self, now: SimTime) -> impl Iterator<Item = (SimTime, &SortedSet<SessionId>)> {
        self.local.sets(now)
    }

    /// A client gets a session without a transaction.
    pub(super) fn open_local(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        let Some(of) = self.conns.get(&conn) else { return };
        let (session, timeout_ms, client) = (of.session, of.timeout_ms, of.client);
        self.local.track(session, timeout_ms, cx.now, cx.settings.tick_time);
        self.arm_local(out);
        out.push(Output::Fact(Fact::SessionOpened { session, timeout_ms, client, local: true }));
        self.establish(conn, cx, out);
    }

    /// Something was heard of a session; whether it is a local one.
    pub(super) fn touch_local(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) -> bool {
        let local = self.is_local(session);
        if local {
            self.local.touch(session, cx.now, cx.settings.tick_time);
            self.arm_local(out);
        }
        local
    }

    fn arm_local(&self, out: &mut Outbox) {
        match self.local.next() {
            Some(next) => out.push(Output::SetTimer(Timer::LocalExpiry, next)),
            None => out.push(Output::CancelTimer(Timer::LocalExpiry)),
        }
    }

    /// Local sessions whose time is over end.
    pub(super) fn expire_local(&mut self, cx: Cx, out: &mut Outbox) {
        for session in self.local.expired(cx.now) {
            self.counters.sessions_expired += 1;
            self.end_local(session, true, out);
        }
        self.arm_local(out);
    }

    /// A local session is over; nobody else hears of it.
    pub(super) fn end_local(&mut self, session: SessionId, expired: bool, out: &mut Outbox) {
        self.local.forget(session);
        self.arm_local(out);
        self.pending.forget(session);
        out.push(Output::Fact(Fact::LocalSessionEnded { session, expired }));
        let conn = self.conns.iter().find(|(_, of)| of.session == session).map(|(&conn, _)| conn);
        if let Some(conn) = conn {
            out.push(Output::Close(conn));
            self.closed(conn);
        }
    }

    /// Before an ephemeral can be made for it, a local session becomes everybody's.
    pub(super) fn upgrade(&mut self, session: SessionId, request: &Request, cx: Cx, out: &mut Outbox) {
        if !cx.settings.local_upgrading || !self.is_local(session) || !makes_ephemeral(request) {
            return;
        }
        let Some((client, timeout_ms)) = self.client_of(session) else { return };
        self.local.forget(session);
        self.arm_local(out);
        out.push(Output::Fact(Fact::SessionUpgraded { session, client }));
        let body = Body::CreateSession { timeout_ms };
        out.push(Output::Submit(Submitted { session, cxid: 0, who: [].into(), from: self.id, body }));
    }

    fn client_of(&self, session: SessionId) -> Option<(ClientId, u32)> {
        self.conns.values().find(|of| of.session == session).map(|of| (of.client, of.timeout_ms))
    }

    /// As the leader: whether a session that has no transaction may be one that only its server knows. For ephemerals that
    /// is not enough.
    pub(super) fn may_be_local(&self, session: SessionId, request: Option<&Request>, cx: Cx) -> bool {
        let mine = (session.0 >> 56) as u8 == cx.settings.first_byte(self.id);
        cx.settings.local_sessions && (!mine || self.is_local(session)) && !request.is_some_and(makes_ephemeral)
    }

    /// The server begins or ceases to look for a leader.
    pub fn looks(&mut self, looking: bool, cx: Cx, out: &mut Outbox) {
        if self.looking == looking {
            return;
        }
        self.looking = looking;
        match looking {
            true => out.push(Output::SetTimer(Timer::ReadOnly, cx.now.plus(cx.settings.tick_time.max(GRACE)))),
            false => {
                out.push(Output::CancelTimer(Timer::ReadOnly));
                self.end_read_only(cx, out);
            }
        }
    }

    /// It has looked long enough: it serves reads from what it has, to clients that allow it.
    pub(super) fn begin_read_only(&mut self, cx: Cx, out: &mut Outbox) {
        self.read_only = true;
        self.role_since = cx.now;
        self.begin(cx);
        out.push(Output::Fact(Fact::ReadOnly { on: true }));
    }

    pub(super) fn end_read_only(&mut self, cx: Cx, out: &mut Outbox) {
        if self.read_only {
            self.stop(cx, out);
            out.push(Output::Fact(Fact::ReadOnly { on: false }));
        }
    }

    /// Why a server without a leader does not take a client.
    pub(super) fn refuses(&self, session: SessionId, read_only: bool, cx: Cx) -> Option<TurnedAway> {
        match session {
            _ if !self.read_only => None,
            _ if !read_only => Some(TurnedAway::NotReadOnlyClient),
            SessionId::NONE if !cx.settings.local_sessions => Some(TurnedAway::NoLocalSessions),
            session if cx.tree.session(session).is_some() => Some(TurnedAway::GlobalSession),
            _ => None,
        }
    }
}

fn makes_ephemeral(request: &Request) -> bool {
    match request {
        Request::Create { mode, flags, .. } => {
            flags.map_or(Some(*mode), CreateMode::of_flag).is_some_and(|mode| mode.is_ephemeral())
        }
        Request::Multi { ops } => ops.iter().any(makes_ephemeral),
        _ => false,
    }
}
