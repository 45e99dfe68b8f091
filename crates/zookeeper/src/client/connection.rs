//! The connection: dialling, greeting, signs of life, loss (`ClientCnxn.java` `SendThread`).

use std::collections::VecDeque;

use crate::base::{ConnId, ServerId, SessionId, SimTime, Way, Zxid};
use crate::wire::{Code, KeeperState, Password, ToServer};

use super::calls::Waiting;
use super::io::{DisconnectReason, Fact, Move, Outbox, State, Timer};
use super::library::Client;
use super::timers::MS;

/// Cleaning up after a connection or an attempt, ms (`ClientCnxnSocketNIO.java` `cleanup`).
const CLEANUP_MS: u64 = 100;
/// The pause when all servers have been tried, ms.
const ROUND_MS: u64 = 1_000;
/// Attempts after the first connection wait for a drawn time below this, ms.
const SPREAD_MS: u32 = 1_000;
/// How long a wire client waits for a connection, however short its timeout, ms.
const PATIENCE_MS: u64 = 1_000;
/// What a client that lies claims to have seen.
const FAR_AHEAD: Zxid = Zxid(0x7fff_ffff_0000_0001);

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client) enum Stage {
    /// It is being opened.
    Dialling,
    /// CONNECT is sent.
    Greeting,
    /// It has the session.
    Up,
}

/// What is false in CONNECT.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::client) struct MoveFaults {
    pub wrong_password: bool,
    pub claim_ahead: bool,
}

/// A connection, or an attempt at one.
#[derive(Clone, Debug)]
pub(in crate::client) struct Link {
    pub conn: ConnId,
    pub server: ServerId,
    pub stage: Stage,
    pub lies: MoveFaults,
    /// Requests written and not answered, with their xids, oldest first.
    pub pending: VecDeque<(i32, Waiting)>,
}

impl Client {
    /// Tries the next server of the list at once.
    pub(in crate::client) fn dial_next(&mut self, now: SimTime, out: &mut Outbox) {
        match self.hosts.next() {
            Some((server, _)) => self.dial(now, server, MoveFaults::default(), out),
            None => self.state = State::Disconnected,
        }
    }

    fn dial(&mut self, now: SimTime, server: ServerId, lies: MoveFaults, out: &mut Outbox) {
        if self.gives_up(now, out) {
            return;
        }
        self.state = State::Connecting;
        self.server = Some(server);
        out.fact(Fact::ClientConnecting { server });
        let conn = out.dial(server);
        self.link = Some(Link { conn, server, stage: Stage::Dialling, lies, pending: VecDeque::new() });
        self.arm_connect_timeout(now, out);
    }

    fn arm_connect_timeout(&mut self, now: SimTime, out: &mut Outbox) {
        if self.config.outside.is_some() {
            return; // whoever is outside has a patience of his own
        }
        let patience = if self.config.raw { PATIENCE_MS } else { 0 };
        let limit = u64::from(self.timeout_ms / self.hosts.len()).max(patience);
        self.timers.arm(Timer::ConnectTimeout, now.plus(limit * MS), out);
    }

    /// The connection is open: CONNECT goes first, and everything else waits for its answer (`primeConnection`).
    pub(in crate::client) fn opened(&mut self, now: SimTime, out: &mut Outbox) {
        let Some(link) = self.link.as_mut().filter(|link| link.stage == Stage::Dialling) else { return };
        link.stage = Stage::Greeting;
        self.silence.heard = now; // an open connection is a sign of life (`updateLastSendAndHeard`)
        let lies = link.lies;
        let connect = ToServer::Connect {
            last_zxid_seen: if lies.claim_ahead { FAR_AHEAD } else { self.last_zxid },
            timeout_ms: self.config.timeout_ms,
            session: if self.seen_writer { self.session } else { SessionId::NONE },
            password: if lies.wrong_password { Password(!self.password.0) } else { self.password },
            read_only: self.config.read_only,
        };
        out.send(link.conn, connect);
        self.has_connected = true;
        self.arm_connect_timeout(now, out);
    }

    /// The answer to CONNECT.
    pub(in crate::client) fn greeted(
        &mut self,
        now: SimTime,
        timeout_ms: u32,
        session: SessionId,
        password: Password,
        read_only: bool,
        out: &mut Outbox,
    ) {
        let Some(link) = self.link.as_mut().filter(|link| link.stage == Stage::Greeting) else { return };
        if timeout_ms == 0 {
            self.end(State::Expired, Code::SessionExpired, out);
            return;
        }
        link.stage = Stage::Up;
        let server = link.server;
        let again = self.session == session && session != SessionId::NONE;
        (self.session, self.password, self.timeout_ms) = (session, password, timeout_ms);
        self.hosts.connected();
        self.state = State::Connected;
        self.timers.cancel(Timer::ConnectTimeout, out);
        self.silence.sent = now;
        self.silence.heard = now;
        out.fact(Fact::ClientConnected { server, session, timeout_ms, again });
        self.seen_writer |= !read_only;
        self.read_only = read_only;
        let told = if read_only { KeeperState::ConnectedReadOnly } else { KeeperState::SyncConnected };
        self.state_changed(told, out);
        if read_only {
            self.seek_soon(now, out);
        }
        self.send_what_waited(now, out);
        self.wake(now, out);
    }

    /// A timer fired, in time or late.
    pub(in crate::client) fn timer(&mut self, now: SimTime, timer: Timer, out: &mut Outbox) {
        if !self.timers.fired(timer) {
            return;
        }
        match timer {
            Timer::Seek => self.seek(now, out),
            Timer::Write => self.write_next(now, out),
            Timer::Retry => {
                if let Some(server) = self.chosen.take() {
                    self.dial(now, server, MoveFaults::default(), out);
                }
            }
            Timer::Ping | Timer::ReadTimeout | Timer::ConnectTimeout if self.gives_up(now, out) => {}
            Timer::ConnectTimeout => self.lost(now, DisconnectReason::ConnectTimeout, true, out),
            Timer::Ping | Timer::ReadTimeout if self.state != State::Connected => {}
            Timer::Ping | Timer::ReadTimeout if self.silence.limit(self.read_timeout_ms()) <= now => {
                self.lost(now, DisconnectReason::ReadTimeout, true, out);
            }
            Timer::Ping | Timer::ReadTimeout => self.wake(now, out),
        }
    }

    /// Ends a session of which no server was heard for 4/3 of its timeout; looked at before an attempt and where one fails
    /// (`ClientCnxn.java` `expirationTimeout`). Who has none yet tries for ever, but for 3.9.3 (ZOOKEEPER-4921).
    fn gives_up(&mut self, now: SimTime, out: &mut Outbox) -> bool {
        let limit = self.silence.limit(u64::from(self.timeout_ms) * 4 / 3);
        let may_expire = self.session != SessionId::NONE || self.config.rules.breaks(Way::NewSessionsExpire);
        let over = self.config.expires && may_expire && limit <= now;
        if over {
            self.end_by(true, State::Expired, Code::SessionExpired, out);
        }
        over
    }

    /// Two thirds of the timeout.
    fn read_timeout_ms(&self) -> u64 {
        u64::from(self.timeout_ms) * 2 / 3
    }

    /// Whenever something was sent or heard: a ping where one is due, and the timers moved.
    pub(in crate::client) fn wake(&mut self, now: SimTime, out: &mut Outbox) {
        let up = self.link.as_ref().filter(|link| link.stage == Stage::Up && self.config.outside.is_none());
        let Some(conn) = up.map(|link| link.conn) else { return };
        let read_timeout = self.read_timeout_ms();
        if self.silence.until_ping(now, read_timeout) == 0 {
            out.send(conn, ToServer::Ping);
            self.silence.sent = now;
        }
        let pause = self.silence.until_ping(now, read_timeout).max(1); // never twice at one moment
        self.timers.arm(Timer::Ping, now.plus(pause * MS), out);
        let limit = self.silence.limit(read_timeout).max(now);
        self.timers.arm(Timer::ReadTimeout, limit, out);
    }

    /// A reply did not fit.
    pub(in crate::client) fn out_of_order(&mut self, now: SimTime, out: &mut Outbox) {
        self.lost(now, DisconnectReason::OutOfOrder, true, out);
    }

    /// The connection, or the attempt, is over; the next attempt is planned. `hang_up`: the other end does not know yet.
    pub(in crate::client) fn lost(
        &mut self,
        now: SimTime,
        reason: DisconnectReason,
        hang_up: bool,
        out: &mut Outbox,
    ) {
        if self.let_go(reason, hang_up, out) {
            self.plan_retry(now, out);
        }
    }

    /// Gives the connection up: its calls fail, and those that wait for one. True where the client goes on.
    fn let_go(&mut self, reason: DisconnectReason, hang_up: bool, out: &mut Outbox) -> bool {
        let Some(link) = self.link.take() else { return false };
        if hang_up {
            out.close(link.conn);
        }
        self.timers.cancel_all(out);
        (self.state, self.read_only) = (State::Disconnected, false);
        self.server = None;
        self.stop_search(out);
        out.fact(Fact::ClientDisconnected { server: link.server, reason });
        self.fail_written(link.pending, Code::ConnectionLoss, out);
        self.fail_queued(Code::ConnectionLoss, out);
        if self.closing {
            self.end(State::Closed, Code::ConnectionLoss, out);
            return false;
        }
        self.state_changed(KeeperState::Disconnected, out);
        true
    }

    /// The library tries the next server after a pause; a wire client waits to be moved.
    fn plan_retry(&mut self, now: SimTime, out: &mut Outbox) {
        if self.config.raw {
            return;
        }
        let Some((server, round_over)) = self.hosts.next() else { return };
        self.plan(now, server, if round_over { ROUND_MS } else { 0 }, out);
    }

    /// The next attempt is at this server, after the clean-up, a longer pause where there is one, and a drawn one.
    fn plan(&mut self, now: SimTime, server: ServerId, pause_ms: u64, out: &mut Outbox) {
        self.chosen = Some(server);
        self.cleaned_up = now.plus(CLEANUP_MS * MS);
        let spread = if self.has_connected { u64::from(self.prng.below(SPREAD_MS)) } else { 0 };
        self.timers.arm(Timer::Retry, now.plus((CLEANUP_MS + pause_ms + spread) * MS), out);
    }

    /// A server that can write was found: the connection to the read-only one is given up, and that one is tried next.
    pub(in crate::client) fn change_to(&mut self, now: SimTime, server: ServerId, out: &mut Outbox) {
        if self.let_go(DisconnectReason::Found, true, out) {
            self.plan(now, server, 0, out);
        }
    }

    /// The old connection is gone: its calls fail.
    pub(in crate::client) fn drop_old(&mut self, code: Code, out: &mut Outbox) {
        if let Some(old) = self.old.take() {
            self.fail_written(old.pending, code, out);
        }
    }

    /// Both connections are cut.
    pub(in crate::client) fn cut(&mut self, now: SimTime, out: &mut Outbox) {
        self.hang_up_old(out);
        self.lost(now, DisconnectReason::Asked, true, out);
    }

    fn hang_up_old(&mut self, out: &mut Outbox) {
        if let Some(old) = &self.old {
            out.close(old.conn);
            self.drop_old(Code::ConnectionLoss, out);
        }
    }

    /// The session is taken up at another server. A wire client may offer one that was refused, or is over, once more: it sends
    /// the old id and password whatever it knows of them. Nothing but calls is sent on a connection that is kept: it gets no
    /// pings.
    pub(in crate::client) fn take_up(&mut self, now: SimTime, to: Move, out: &mut Outbox) {
        if !self.may_move() {
            return;
        }
        if to.keep_old && self.state == State::Connected {
            self.hang_up_old(out);
            self.old = self.link.take();
            self.timers.cancel_all(out);
            self.stop_search(out);
            self.read_only = false;
        } else {
            self.let_go(DisconnectReason::Asked, true, out);
        }
        self.chosen = None;
        self.timers.cancel(Timer::Retry, out);
        self.hosts.jump(to.to);
        let lies = MoveFaults { wrong_password: to.wrong_password, claim_ahead: to.claim_ahead };
        self.dial(now, to.to, lies, out);
    }

    /// The session is over: calls that wait fail, later ones fail at once.
    pub(in crate::client) fn end(&mut self, state: State, code: Code, out: &mut Outbox) {
        self.end_by(false, state, code, out);
    }

    pub(in crate::client) fn end_by(&mut self, by_itself: bool, state: State, code: Code, out: &mut Outbox) {
        let told = match state {
            State::AuthFailed => KeeperState::AuthFailed,
            State::Expired => KeeperState::Expired,
            _ => KeeperState::Closed,
        };
        self.timers.cancel_all(out);
        let links = [self.link.take(), self.old.take()];
        links.iter().flatten().for_each(|link| out.close(link.conn));
        (self.state, self.server, self.chosen, self.closing) = (state, None, None, false);
        self.read_only = false;
        self.stop_search(out);
        out.fact(Fact::ClientEnded { state: told, session: self.session, by_itself });
        self.state_changed(told, out);
        for link in links.into_iter().flatten() {
            self.fail_written(link.pending, code, out);
        }
        self.fail_queued(code, out);
    }
}
