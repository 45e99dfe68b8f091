//! Requests at one server: those that read are answered from its tree, in their order; those that write go to the leader and
//! come back as transactions (`CommitProcessor.java`, `FinalRequestProcessor.java`).

use crate::base::limits::JUTE_MAX_BUFFER;
use crate::base::{ClientId, ConnId, ServiceRule, SessionId, Zxid};
use crate::server::fact::{Fact, TurnedAway};
use crate::server::pending::{Turn, Waiting};
use crate::store::{Body, Change, Effect, Fired, Op, Submitted, Txn, WatchMode, allows, read};
use crate::wire::{Answer, AuthId, Code, EventType, Outcome, Perms, Request, SetWatches, ToClient, WatchedEvent};
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
        let asks_leader = self.leading.is_none() && !cx.settings.rules.breaks(ServiceRule::SyncAsksNobody);
        let remote = request.is_write() && !ends_local || matches!(request, Request::Sync { .. }) && asks_leader;
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
        self.leading.as_ref()?.check(session, self.id, local, cx).err()
    }

    /// Answers what stands first and needs nothing but this server's tree.
    pub(super) fn answer_reads(&mut self, session: SessionId, cx: Cx, out: &mut Outbox) {
        let rules = cx.settings.rules;
        let passing = rules.breaks(ServiceRule::ReadPassesOwnWrite);
        // the zxid of the request itself, which only a leader has given a read
        let without = rules.breaks(ServiceRule::ReadsCarryNoZxid) && self.leading.is_none();
        while let Some((conn, turn)) = self.pending.next_here(session, passing) {
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
            let zxid = if without { Zxid::ZERO } else { cx.last_zxid };
            out.push(Output::Send(conn, ToClient::Reply { xid, zxid, outcome }));
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
                    tell(client, told_again(fired, again, cx), None, true, out);
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
        let created = matches!(txn.op, Op::CreateSession { .. });
        if created && self.serving && cx.settings.rules.breaks(ServiceRule::SessionsUnheard) {
            self.heard.insert(txn.session);
        }
        let Effect { outcome, changes } = effect;
        let answer_first = cx.settings.rules.breaks(ServiceRule::AnswerBeforeEvent);
        let (before, behind) = if answer_first { (Vec::new(), changes) } else { (changes, Vec::new()) };
        before.iter().for_each(|change| self.fire(change, zxid, cx, out));
        match &txn.op {
            Op::CreateSession { .. } => self.session_opened(txn.session, cx, out),
            Op::CloseSession { paths } => self.session_closed(txn, zxid, paths, outcome, out),
            _ if txn.session == SessionId::NONE => {
                let number = u64::from(txn.cxid as u32);
                if self.plain_writes.remove(&number) {
                    out.push(Output::Answered(number, zxid));
                }
            }
            _ => self.answer(txn, zxid, outcome, cx, out),
        }
        behind.iter().for_each(|change| self.fire(change, zxid, cx, out));
        for (conn, payload) in self.leading.as_mut().map(|leading| leading.syncs_after(zxid)).unwrap_or_default() {
            out.push(Output::ToLearner(conn, Packet::Sync { payload }));
        }
    }

    /// Tells whoever watches what changed.
    pub fn fire(&mut self, change: &Change, zxid: Zxid, cx: Cx, out: &mut Outbox) {
        let stay = cx.settings.rules.breaks(ServiceRule::FiresTwice).then(|| self.watches.clone());
        let all = self.watches.fire(change);
        if let Some(stay) = stay {
            self.watches = stay;
        }
        for fired in all {
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

/// What is told of a watch that is set again.
fn told_again(mut fired: Fired, again: &SetWatches, cx: Cx) -> Fired {
    let node = fired.event.path.as_deref().and_then(|path| cx.tree.get(path));
    let is_new = node.is_some_and(|node| node.czxid > again.relative_zxid);
    let says_created = cx.settings.rules.breaks(ServiceRule::ReconnectSaysCreated);
    if says_created && is_new && fired.event.kind == EventType::NodeDataChanged {
        fired.event.kind = EventType::NodeCreated;
    }
    fired
}

fn tell(client: ClientId, fired: Fired, zxid: Option<Zxid>, with_zxid: bool, out: &mut Outbox) {
    let Fired { conn, event, one_shot } = fired;
    let told: WatchedEvent = event.clone();
    out.push(Output::Fact(Fact::WatchFired { client, zxid, event, one_shot }));
    out.push(Output::Send(conn, ToClient::Event { zxid: zxid.filter(|_| with_zxid), event: told }));
}
