//! Sessions at one server: they begin, are taken up again, move and end.

use std::rc::Rc;

use crate::base::{ConnId, ServerId, ServiceRule, SessionId, Zxid};
use crate::server::fact::{Fact, TurnedAway};
use crate::server::password_of;
use crate::store::{Body, Submitted, Txn};
use crate::wire::{Code, Outcome, Password, ToClient, identify, with_proof};
use crate::zab::{Packet, Revalidation};

use super::{Cx, Outbox, Output, Service};

impl Service {
    /// `processConnectRequest`.
    #[allow(clippy::too_many_arguments)] // the packet's fields
    pub(super) fn connect(
        &mut self,
        conn: ConnId,
        last_zxid_seen: Zxid,
        timeout_ms: u32,
        session: SessionId,
        password: Password,
        cx: Cx,
        out: &mut Outbox,
    ) {
        let serves_anybody = cx.settings.rules.breaks(ServiceRule::ServerBehindMayServe);
        if last_zxid_seen > cx.last_zxid && !serves_anybody {
            return self.turn_away(conn, TurnedAway::ServerBehind, out);
        }
        let timeout_ms = cx.settings.negotiate(timeout_ms);
        let new = session == SessionId::NONE;
        let session = if new { self.new_session() } else { session };
        self.counters.sessions_taken_up += u64::from(!new);
        if !new {
            let earlier = self.conns.iter().find(|(other, of)| **other != conn && of.session == session);
            if let Some(earlier) = earlier.map(|(&earlier, _)| earlier) {
                self.turn_away(earlier, TurnedAway::Replaced, out);
            }
        }
        let Some(of) = self.conns.get_mut(&conn) else { return };
        (of.session, of.timeout_ms) = (session, timeout_ms);
        if new && cx.settings.local_sessions {
            self.open_local(conn, cx, out);
        } else if new {
            let body = Body::CreateSession { timeout_ms };
            out.push(Output::Submit(Submitted { session, cxid: 0, who: Rc::from([]), from: self.id, body }));
        } else if password != password_of(session) {
            self.session_gone(conn, TurnedAway::WrongPassword, out);
        } else if self.touch_local(session, cx, out) {
            self.revalidated(session, true, cx, out);
        } else if self.read_only {
            self.session_gone(conn, TurnedAway::SessionGone, out);
        } else if let Some(leading) = &mut self.leading {
            let alive = leading.revalidate(session, self.id, cx.now, cx.settings);
            self.tell_moved(session, self.id, alive.flatten(), out);
            self.revalidated(session, alive.is_some(), cx, out);
        } else {
            let payload = Revalidation { session, alive: None };
            out.push(Output::ToLeader(Packet::Revalidate { payload }));
        }
    }

    pub(super) fn new_session(&mut self) -> SessionId {
        let session = SessionId(self.next_session);
        self.next_session += 1;
        session
    }

    /// The leader has said whether a session lives that a client takes up here.
    pub(super) fn revalidated(&mut self, session: SessionId, alive: bool, cx: Cx, out: &mut Outbox) {
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
    pub(super) fn establish(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        let Some(of) = self.conns.get_mut(&conn) else { return };
        of.established = true;
        let (session, timeout_ms) = (of.session, of.timeout_ms);
        let unread = std::mem::take(&mut of.unread);
        let (password, read_only) = (password_of(session), self.read_only);
        out.push(Output::Send(conn, ToClient::Connected { timeout_ms, session, password, read_only }));
        for packet in unread {
            self.packet(conn, packet, cx, out);
        }
    }

    pub(super) fn session_gone(&mut self, conn: ConnId, reason: TurnedAway, out: &mut Outbox) {
        let (timeout_ms, session, password) = (0, SessionId::NONE, Password::default());
        let read_only = self.read_only;
        out.push(Output::Send(conn, ToClient::Connected { timeout_ms, session, password, read_only }));
        self.turn_away(conn, reason, out);
    }

    pub(super) fn turn_away(&mut self, conn: ConnId, reason: TurnedAway, out: &mut Outbox) {
        if let Some(of) = self.conns.get(&conn) {
            out.push(Output::Fact(Fact::ClientTurnedAway { client: of.client, reason }));
            out.push(Output::Close(conn));
            self.closed(conn);
        }
    }

    pub(super) fn tell_moved(&self, session: SessionId, to: ServerId, before: Option<ServerId>, out: &mut Outbox) {
        if let Some(from) = before.filter(|&from| from != to) {
            out.push(Output::Fact(Fact::SessionMoved { session, from, to }));
        }
    }

    pub(super) fn authenticate(&mut self, conn: ConnId, scheme: &str, proof: Option<&str>, cx: Cx, out: &mut Outbox) {
        let Some(of) = self.conns.get_mut(&conn) else { return };
        match identify(scheme, proof) {
            Some(id) => {
                of.who = with_proof(&of.who, id, cx.settings.superuser.as_deref());
                out.push(Output::Send(conn, ToClient::Auth { code: Code::Ok }));
            }
            None => {
                out.push(Output::Send(conn, ToClient::Auth { code: Code::AuthFailed }));
                out.push(Output::Close(conn));
                self.closed(conn);
            }
        }
    }

    pub(super) fn session_opened(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
        let waits = self.conns.iter().find(|(_, of)| of.session == session && !of.established);
        if let Some((conn, client, timeout_ms)) = waits.map(|(&conn, of)| (conn, of.client, of.timeout_ms)) {
            out.push(Output::Fact(Fact::SessionOpened { session, timeout_ms, client, local: false }));
            self.establish(conn, cx, out);
        }
        self.arm_expiry_if_leading(out);
    }

    pub(super) fn arm_expiry_if_leading(&self, out: &mut Outbox) {
        if self.leading.is_some() {
            self.arm_expiry(out);
        }
    }

    pub(super) fn session_closed(
        &mut self,
        txn: &Txn,
        zxid: Zxid,
        paths: &[Rc<str>],
        outcome: Outcome,
        out: &mut Outbox,
    ) {
        if let Some(leading) = &mut self.leading {
            leading.closed(txn.session);
            let (session, ephemerals) = (txn.session, paths.to_vec());
            out.push(Output::Fact(Fact::SessionClosed { session, zxid, ephemerals }));
            self.arm_expiry(out);
        }
        let asked = self.pending.take_remote(txn.session, txn.cxid, true).flatten();
        self.pending.forget(txn.session);
        let Some(conn) = self.conns.iter().find(|(_, of)| of.session == txn.session).map(|(&conn, _)| conn) else {
            return;
        };
        if asked == Some(conn) {
            out.push(Output::Send(conn, ToClient::Reply { xid: txn.cxid, zxid, outcome }));
        }
        out.push(Output::Close(conn)); // without a word when the client did not ask for it
        self.closed(conn);
    }
}
