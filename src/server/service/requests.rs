//! Requests at one server: those that read are answered from its tree, in their order; those that write go to the leader and
//! come back as transactions (`CommitProcessor.java`, `FinalRequestProcessor.java`).

use crate::base::limits::JUTE_MAX_BUFFER;
use crate::base::{ClientId, ConnId, SessionId, Zxid};
use crate::server::connection::{ClientConn, Waiting};
use crate::server::fact::{Fact, TurnedAway};
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
        of.waiting.push_back(Waiting { xid, request, who: of.who.clone(), remote });
        self.answer_reads(conn, cx, out);
    }

    /// Answers what stands first and needs nothing but this server's tree.
    pub(super) fn answer_reads(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        while let Some(of) = self.conns.get_mut(&conn) {
            let Some(first) = of.waiting.pop_front() else { return };
            if first.remote {
                return of.waiting.push_front(first);
            }
            let (client, session) = (of.client, of.session);
            let outcome = match self.leading.as_ref().is_some_and(|leading| !leading.is_alive(session)) {
                true => Err(Code::SessionExpired),
                false => self.serve(conn, client, session, &first.who, &first.request, cx, out),
            };
            out.push(Output::Send(conn, ToClient::Reply { xid: first.xid, zxid: cx.last_zxid, outcome }));
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
                    tell(client, fired, None, out);
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

    pub(super) fn fire(&mut self, change: &Change, zxid: Zxid, out: &mut Outbox) {
        for fired in self.watches.fire(change) {
            let Some(of) = self.conns.get(&fired.conn) else { continue };
            let acl = match fired.event.kind {
                EventType::NodeChildrenChanged => change.parent_acl.as_ref(),
                _ => Some(&change.acl),
            };
            if acl.is_some_and(|acl| allows(acl, &of.who, Perms::READ)) {
                tell(of.client, fired, Some(zxid), out);
            }
        }
    }

    /// The answer to a write of one of our clients, and then the reads behind it.
    pub(super) fn answer(&mut self, txn: &Txn, zxid: Zxid, outcome: Outcome, cx: Cx, out: &mut Outbox) {
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

    pub(super) fn synced(&mut self, asked: &Submitted, cx: Cx, out: &mut Outbox) {
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
}

fn tell(client: ClientId, fired: Fired, zxid: Option<Zxid>, out: &mut Outbox) {
    let Fired { conn, event, one_shot } = fired;
    let told: WatchedEvent = event.clone();
    out.push(Output::Fact(Fact::WatchFired { client, zxid, event, one_shot }));
    out.push(Output::Send(conn, ToClient::Event { zxid, event: told }));
}
