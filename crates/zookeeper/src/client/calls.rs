//! Requests on their way: from the application to the connection, and back as answers (`ClientCnxn.java` `Packet`,
//! `queuePacket`, `finishPacket`).

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ConnId, Micros, ServiceRule, SimTime, Zxid};
use crate::wire::{Code, Outcome, Request, ToServer};

use super::connection::Link;
use super::effects::{Effect, effect_of};
use super::io::{Call, CallId, CallOutcome, Fact, Failure, Outbox, Output, State, Timer};
use super::library::Client;
use super::paths;

/// A pass of the loop in which kazoo's connection thread sends one request, µs. Made up: what counts is that it takes time.
const PASS: Micros = 1_000;

/// A request without an answer.
#[derive(Clone, Debug)]
pub(in crate::client) struct Waiting {
    /// The application's call; none for what the library sends by itself.
    pub(super) id: Option<CallId>,
    pub(super) effect: Effect,
    /// Whether it becomes a transaction.
    pub(super) writes: bool,
    /// The operation's name, for who looks.
    pub(super) name: &'static str,
    /// The path it is about, as the application wrote it.
    pub(super) path: Rc<str>,
}

/// A request that waits for a connection, or for its turn.
#[derive(Clone, Debug)]
pub(in crate::client) struct Queued {
    pub(super) request: Request,
    pub(super) waiting: Waiting,
}

impl Client {
    /// Takes a call: refuses it, fails it, queues it or sends it.
    pub(in crate::client) fn take(&mut self, now: SimTime, call: Call, out: &mut Outbox) -> CallId {
        let id = CallId(self.next_call);
        self.next_call += 1;
        out.fact(Fact::Called { call: id, request: call.request.clone() });
        let Call { mut request, watcher, local, on_old_connection } = call;
        let writes = request.is_write();
        let effect = self.seen(effect_of(&mut request, watcher, local, self.config.raw));
        if let Err(failure) = self.refusal(&mut request, &effect) {
            answered(id, None, Err(failure), false, out);
            return id;
        }
        let (name, path) = (request.name(), request.path().into());
        let waiting = Waiting { id: Some(id), effect, writes, name, path };
        let queued = Queued { request: self.chroot.request(request), waiting };
        if on_old_connection {
            self.submit_on_old(queued, out);
        } else {
            self.submit(now, queued, out);
        }
        id
    }

    /// What the library refuses before it sends anything. Where a Watcher is named, registered or not, the server is only asked
    /// whether it has a watch there, and keeps it (`ZooKeeper.java` `removeWatches`): the event that comes later is for nobody,
    /// and dropped.
    fn refusal(&self, request: &mut Request, effect: &Effect) -> Result<(), Failure> {
        if self.config.raw {
            return Ok(());
        }
        paths::check(request)?;
        if let Effect::Unwatch { path, watcher: Some(_), kind, .. } = effect {
            *request = Request::CheckWatches { path: path.clone(), kind: *kind };
        }
        Ok(())
    }

    /// Sends a request, keeps it until there is a connection, or fails it.
    pub(in crate::client) fn submit(&mut self, now: SimTime, queued: Queued, out: &mut Outbox) {
        let closes = matches!(queued.waiting.effect, Effect::Close);
        let stranded = self.config.raw && self.state == State::Disconnected;
        if let Some(code) = self.dead_code() {
            self.finish(queued.waiting, None, Err(code), false, out);
        } else if self.closing || stranded || (closes && self.ends_at_once(now)) {
            self.finish(queued.waiting, None, Err(Code::ConnectionLoss), false, out);
            if closes && !self.closing {
                self.end(State::Closed, Code::ConnectionLoss, out);
            }
        } else {
            self.closing = closes;
            match self.state {
                State::Connected if !self.config.stop_cuts => self.write(now, queued, out),
                _ => self.queued.push_back(queued),
            }
            self.write_soon(now, out);
        }
    }

    /// What is queued leaves with the next pass of the connection's thread, where it leaves one by one.
    fn write_soon(&mut self, now: SimTime, out: &mut Outbox) {
        let waits = self.config.stop_cuts && self.state == State::Connected && !self.queued.is_empty();
        if waits && !self.timers.is_armed(Timer::Write) {
            self.timers.arm(Timer::Write, now.plus(PASS), out);
        }
    }

    /// One request leaves. Who is closing looks no further.
    pub(in crate::client) fn write_next(&mut self, now: SimTime, out: &mut Outbox) {
        if let Some(queued) = self.queued.pop_front() {
            self.write(now, queued, out);
        }
        if self.closing {
            self.cut_short(out);
        }
        self.write_soon(now, out);
    }

    /// The client stops, whatever was sent: its session is over only where its end was.
    fn cut_short(&mut self, out: &mut Outbox) {
        let unsent = self.queued.iter().any(|queued| matches!(queued.waiting.effect, Effect::Close));
        self.end_by(unsent, State::Closed, Code::ConnectionLoss, out);
    }

    /// Whether nothing more is tried once the session's end is asked for: `SendThread` looks between its attempts only. A
    /// wire client tries nothing by itself.
    fn ends_at_once(&self, now: SimTime) -> bool {
        match self.state {
            State::Connected => false,
            State::Disconnected => self.config.raw || now < self.cleaned_up,
            _ => self.config.raw,
        }
    }

    fn submit_on_old(&mut self, queued: Queued, out: &mut Outbox) {
        if let Some(mut old) = self.old.take() {
            self.write_to(&mut old, queued, out);
            self.old = Some(old);
        } else {
            let code = self.dead_code().unwrap_or(Code::ConnectionLoss);
            self.finish(queued.waiting, None, Err(code), false, out);
        }
    }

    /// What calls get when the session has ended for good.
    fn dead_code(&self) -> Option<Code> {
        match self.state {
            // a wire client knows only that there is no connection
            State::Expired | State::Closed | State::AuthFailed if self.config.raw => Some(Code::ConnectionLoss),
            State::Expired | State::Closed => Some(Code::SessionExpired),
            State::AuthFailed => Some(Code::AuthFailed),
            State::Connecting | State::Connected | State::Disconnected => None,
        }
    }

    fn write(&mut self, now: SimTime, queued: Queued, out: &mut Outbox) {
        if let Some(mut link) = self.link.take() {
            self.write_to(&mut link, queued, out);
            self.link = Some(link);
            self.silence.sent = now;
            self.wake(now, out);
        }
    }

    fn write_to(&mut self, link: &mut Link, queued: Queued, out: &mut Outbox) {
        let xid = self.next_xid;
        self.next_xid = xid.checked_add(1).unwrap_or(1);
        link.pending.push_back((xid, queued.waiting));
        out.send(link.conn, ToServer::Request { xid, request: queued.request });
    }

    /// The first packets of a session's connection: identities, watches, then what waited.
    pub(in crate::client) fn send_what_waited(&mut self, now: SimTime, out: &mut Outbox) {
        let Some(conn) = self.link.as_ref().map(|link| link.conn) else { return };
        for (scheme, auth) in &self.identities {
            out.send(conn, ToServer::auth(scheme.clone(), auth.clone()));
        }
        let sets_again = !self.config.rules.breaks(ServiceRule::ReconnectForgets);
        if let Some(watches) = self.watches.set_again(self.last_zxid).filter(|_| sets_again) {
            let request = self.chroot.request(Request::SetWatches(watches));
            let (name, path) = (request.name(), "".into());
            let waiting = Waiting { id: None, effect: Effect::None, writes: false, name, path };
            self.write(now, Queued { request, waiting }, out);
        }
        if self.config.stop_cuts {
            // it was closed while it connected: nothing is sent at all
            return if self.closing { self.cut_short(out) } else { self.write_soon(now, out) };
        }
        for queued in std::mem::take(&mut self.queued) {
            self.write(now, queued, out);
        }
    }

    /// Asks the server to end the session.
    pub(in crate::client) fn send_close(&mut self, now: SimTime, out: &mut Outbox) {
        let request = Request::CloseSession;
        let waiting =
            Waiting { id: None, effect: Effect::Close, writes: true, name: request.name(), path: "".into() };
        self.submit(now, Queued { request, waiting }, out);
    }

    /// A reply arrived on the current connection.
    pub(in crate::client) fn replied(
        &mut self,
        now: SimTime,
        xid: i32,
        zxid: Zxid,
        outcome: Outcome,
        out: &mut Outbox,
    ) {
        let Some(link) = &mut self.link else { return };
        match link.pending.pop_front() {
            Some((expected, waiting)) if expected == xid => {
                if zxid != Zxid::ZERO && zxid != Zxid::NONE {
                    self.last_zxid = zxid;
                }
                self.finish(waiting, Some(zxid), outcome, true, out);
            }
            unexpected => {
                if let Some((_, waiting)) = unexpected {
                    self.finish(waiting, None, Err(Code::ConnectionLoss), true, out);
                }
                self.out_of_order(now, out);
            }
        }
    }

    /// A reply arrived on the connection that a move kept open.
    pub(in crate::client) fn replied_on_old(&mut self, xid: i32, zxid: Zxid, outcome: Outcome, out: &mut Outbox) {
        let Some(old) = &mut self.old else { return };
        if old.pending.front().is_some_and(|(expected, _)| *expected == xid) {
            if let Some((_, waiting)) = old.pending.pop_front() {
                if zxid != Zxid::NONE {
                    self.last_zxid = self.last_zxid.max(zxid);
                }
                self.finish(waiting, Some(zxid), outcome, true, out);
            }
        } else {
            let conn = old.conn;
            out.close(conn);
            self.drop_old(Code::ConnectionLoss, out);
        }
    }

    /// All calls of a connection that is gone fail. None is tried again.
    pub(in crate::client) fn fail_written(
        &mut self,
        pending: VecDeque<(i32, Waiting)>,
        code: Code,
        out: &mut Outbox,
    ) {
        for (_, waiting) in pending {
            self.finish(waiting, None, Err(code), true, out);
        }
    }

    /// All calls that wait for a connection fail.
    pub(in crate::client) fn fail_queued(&mut self, code: Code, out: &mut Outbox) {
        for queued in std::mem::take(&mut self.queued) {
            self.finish(queued.waiting, None, Err(code), false, out);
        }
    }

    /// A call is over: what it changes here, and its answer. `written`: the request had left.
    fn finish(&mut self, waiting: Waiting, zxid: Option<Zxid>, outcome: Outcome, written: bool, out: &mut Outbox) {
        let Waiting { id, effect, writes, name: _, path: _ } = waiting;
        let closed = matches!(effect, Effect::Close) && zxid.is_some();
        let outcome = self.take_effect(effect, outcome, out);
        if let Some(id) = id {
            let outcome = outcome.map(|answer| self.chroot.answer(answer)).map_err(Failure::Code);
            let in_doubt = zxid.is_none() && written && writes;
            answered(id, zxid, outcome, in_doubt, out);
        }
        if closed {
            self.end(State::Closed, Code::SessionExpired, out);
        }
    }
}

fn answered(id: CallId, zxid: Option<Zxid>, outcome: CallOutcome, in_doubt: bool, out: &mut Outbox) {
    out.fact(Fact::Answered { call: id, zxid, outcome: outcome.clone(), in_doubt });
    out.push(Output::Answered(id, outcome));
}

/// How many calls of the application are among these.
pub(in crate::client) fn count<'a>(waiting: impl Iterator<Item = &'a Waiting>) -> usize {
    waiting.filter(|waiting| waiting.id.is_some()).count()
}

impl Queued {
    /// What waits for its answer.
    pub(in crate::client) fn waiting(&self) -> &Waiting {
        &self.waiting
    }
}

/// Which of a client's connections a packet came on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client) enum Side {
    Current,
    Old,
}

impl Client {
    /// Which connection this is; `None` where it is none of this client's.
    pub(in crate::client) fn side(&self, conn: ConnId) -> Option<Side> {
        let is = |link: &Option<Link>| link.as_ref().is_some_and(|link| link.conn == conn);
        if is(&self.link) { Some(Side::Current) } else { is(&self.old).then_some(Side::Old) }
    }
}
