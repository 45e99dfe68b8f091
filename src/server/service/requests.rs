//! Requests at one server: those that read are answered from its tree, in their order; those that write go to the leader and
//! come back as transactions (`CommitProcessor.java`, `FinalRequestProcessor.java`).

use crate::base::limits::JUTE_MAX_BUFFER;
use crate::base::{ClientId, ConnId, SessionId, Zxid};
use crate::server::fact::{Fact, TurnedAway};
use crate::server::pending::{Turn, Waiting};
use crate::store::{Body, Change, Effect, Fired, Op, Submitted, Txn, WatchMode, allows, read};
use crate::wire::{Answer, AuthId, Code, EventType, Outcome, Perms, Request, ToClient, WatchedEvent};
use crate::zab::Packet;

use super::{Cx, Outbox, Output, Service};

impl Service {
    pub(super) fn request(&mut self, conn: ConnId, xid: i32, request: Request, cx: Cx, out: &mut Outbox) {
        if request.bytes() > JUTE_MAX_BUFFER {
            return self.turn_away(conn, TurnedAway::TooLong, out);
        }
        if matches!(request, Request::Check { .. }) {
            let outcome = Err(Code::Unimplemented);
            out.push(Output::Send(conn, ToClient::Reply { xid, zxid: Zxid::NONE, outcome }));
            return self.turn_away(conn, TurnedAway::Unimplemented, out);
        }
        let Some(of) = self.conns.get(&conn) else { return };
        let (session, who) = (of.session, of.who.clone());
        let ends_local = request == Request::CloseSession && self.is_local(session);
        if self.read_only && !ends_local && (request.is_write() || matches!(request, Request::Sync { .. })) {
            let outcome = Err(Code::NotReadOnly);
            out.push(Output::Send(conn, ToClient::Reply { xid, zxid: cx.last_zxid, outcome }));
            return;
        }
        self.upgrade(session, &request, cx, out);
        let remote =
            request.is_write() && !ends_local || matches!(request, Request::Sync { .. }) && self.leading.is_none();
        let waiting = match (remote, self.refusal(session, cx)) {
            (true, _) => {
                let (cxid, from, body) = (xid, self.id, Body::Client(request.clone()));
                out.push(Output::Submit(Submitted { session, cxid, who, from, body }));
                Waiting::Remote { conn: Some(conn), xid, request }
            }
            (false, Some(code)) => Waiting::Here { conn, turn: Turn::Refused(xid, code) },
            (false, None) => Waiting::Here { conn, turn: Turn::Read(xid, request, who) },
        };
        self.pending.push(session, waiting);
        self.answer_reads(session, cx, out);
    }

    /// A ping passes every processor, and waits behind the session's own writes as a read does.
    pub(super) fn ping(&mut self, conn: ConnId, session: SessionId, cx: Cx, out: &mut Outbox) {
        let turn = match self.refusal(session, cx) {
            // a client takes an error with a ping's xid for the answer to its ping
            Some(Code::SessionMoved) => Turn::Refused(0, Code::SessionMoved),
            _ => Turn::Ping,
        };
        self.pending.push(session, Waiting::Here { conn, turn });
        self.answer_reads(session, cx, out);
    }

    /// Why a leader does not take a request of a session (`PrepRequestProcessor.java` `pRequest`, `checkSession`).
    /// Learners do not ask.
    fn refusal(&self, session: SessionId, cx: Cx) -> Option<Code> {
        let local = self.may_be_local(session, None, cx);
        self.leading.as_ref()?.check(session, self.id, local).err()
    }

    /// Answers what stands first and needs nothing but this server's tree.
    pub(super) fn answer_reads(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
        while let Some((conn, turn)) = self.pending.next_here(session) {
            let Some(client) = self.conns.get(&conn).map(|of| of.client) else { continue };
            let (xid, outcome) = match turn {
                Turn::Ping => {
                    out.push(Output::Send(conn, ToClient::Pong));
                    continue;
                }
                Turn::Refused(_, Code::SessionMoved) => {
                    self.turn_away(conn, TurnedAway::Moved, out);
                    continue;
                }
                Turn::Read(xid, Request::CloseSession, _) => {
                    let outcome = Ok(Answer::Done);
                    out.push(Output::Send(conn, ToClient::Reply { xid, zxid: cx.last_zxid, outcome }));
                    return self.end_local(session, false, out);
                }
                Turn::Refused(xid, code) => (xid, Err(code)),
                Turn::Read(xid, request, who) => (xid, self.serve(conn, client, session, &who, &request, cx, out)),
            };
            out.push(Output::Send(conn, ToClient::Reply { xid, zxid: cx.last_zxid, outcome }));
        }
    }

    #[allow(clippy::too_many_arguments)] // a request, and on whose behalf
    pub(super) fn serve(
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
        let had = |had: bool| if had { Ok(Answer::Done) } else { Err(Code::NoWatcher) };
        match request {
            Request::SetWatches(again) => {
                for fired in watches.set_again(conn, again, cx.tree) {
                    tell(client, fired, None, true, out);
                }
                Ok(Answer::Done)
            }
            Request::AddWatch { path, mode } => {
                watches.add_lasting(path, conn, *mode);
                Ok(Answer::Done)
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
        if let Some(leading) = &mut self.leading {
            leading.committed(zxid);
        }
        for change in &effect.changes {
            self.fire(change, zxid, cx, out);
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

    /// Tells whoever watches what changed.
    pub fn fire(&mut self, change: &Change, zxid: Zxid, cx: Cx, out: &mut Outbox) {
        for fired in self.watches.fire(change) {
            let Some(of) = self.conns.get(&fired.conn) else { continue };
            let acl = match fired.event.kind {
                EventType::NodeChildrenChanged => change.parent_acl.as_ref(),
                _ => Some(&change.acl),
            };
            if acl.is_some_and(|acl| allows(acl, &of.who, Perms::READ)) {
                tell(of.client, fired, Some(zxid), cx.settings.event_zxids, out);
            }
        }
    }

    /// The answer to a write that came by this server, and then the reads behind it.
    pub(super) fn answer(&mut self, txn: &Txn, zxid: Zxid, outcome: Outcome, cx: Cx, out: &mut Outbox) {
        let Some(conn) = self.pending.take_remote(txn.session, txn.cxid, true) else { return };
        // what a leader says of a session that it does not know; why it does not, only this server knows
        let outcome = match outcome {
            Err(Code::SessionExpired) if self.is_local(txn.session) => Err(Code::EphemeralOnLocalSession),
            outcome => outcome,
        };
        let moved = match &txn.op {
            Op::Error(code) => *code == Code::SessionMoved,
            Op::FailedMulti(codes) => codes.contains(&Code::SessionMoved),
            _ => false,
        };
        match conn.filter(|conn| self.conns.contains_key(conn)) {
            Some(conn) if moved => self.turn_away(conn, TurnedAway::Moved, out),
            Some(conn) => out.push(Output::Send(conn, ToClient::Reply { xid: txn.cxid, zxid, outcome })),
            None => {}
        }
        self.answer_reads(txn.session, cx, out);
    }

    /// The leader says that all that was proposed before a sync is committed.
    pub(super) fn synced(&mut self, asked: &Submitted, cx: Cx, out: &mut Outbox) {
        let (session, Body::Client(request)) = (asked.session, &asked.body) else { return };
        let Some(conn) = self.pending.take_remote(session, asked.cxid, false) else { return };
        if let Some(conn) = conn {
            let turn = Turn::Read(asked.cxid, request.clone(), asked.who.clone());
            self.pending.push_first(session, Waiting::Here { conn, turn });
        }
        self.answer_reads(session, cx, out);
    }
}

fn tell(client: ClientId, fired: Fired, zxid: Option<Zxid>, with_zxid: bool, out: &mut Outbox) {
    let Fired { conn, event, one_shot } = fired;
    let told: WatchedEvent = event.clone();
    out.push(Output::Fact(Fact::WatchFired { client, zxid, event, one_shot }));
    out.push(Output::Send(conn, ToClient::Event { zxid: zxid.filter(|_| with_zxid), event: told }));
}
