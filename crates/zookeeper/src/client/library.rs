//! The client: its state, its doors, and who handles what comes in.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ConnId, Prng, ServerId, SessionId, SimTime, Zxid};
use crate::wire::{Code, KeeperState, Password, ToClient, ToServer};

use super::calls::{Queued, Side, count};
use super::connection::{Link, Stage};
use super::hosts::Hosts;
use super::io::{Call, CallId, ClientConfig, DisconnectReason, Input, Move, Outbox, State};
use super::paths::Chroot;
use super::timers::{Search, Silence, Timers};
use super::watchers::WatchManager;

/// A client.
#[derive(Clone, Debug)]
pub struct Client {
    /// How it was made.
    pub config: ClientConfig,
    /// What it is doing.
    pub state: State,
    /// Its session; none before the first connection.
    pub session: SessionId,
    /// The timeout granted, ms; the one asked for before that.
    pub timeout_ms: u32,
    /// The server that it is connected to or tries.
    pub server: Option<ServerId>,
    /// The last zxid in an answer to it.
    pub last_zxid: Zxid,
    pub(in crate::client) password: Password,
    pub(in crate::client) prng: Prng,
    pub(in crate::client) hosts: Hosts,
    pub(in crate::client) chroot: Chroot,
    /// The connection, or the attempt at one.
    pub(in crate::client) link: Option<Link>,
    /// The connection that a move kept open.
    pub(in crate::client) old: Option<Link>,
    /// Calls that wait for a connection, or for their turn.
    pub(in crate::client) queued: VecDeque<Queued>,
    /// What `add_auth` was given.
    pub(in crate::client) identities: Vec<(Rc<str>, Option<Rc<str>>)>,
    pub(in crate::client) watches: WatchManager,
    /// The state that Watchers were told last.
    pub(in crate::client) told: KeeperState,
    pub(in crate::client) timers: Timers,
    pub(in crate::client) silence: Silence,
    pub(in crate::client) next_call: u64,
    pub(in crate::client) next_xid: i32,
    /// The session's end was asked for; nothing else is sent.
    pub(in crate::client) closing: bool,
    /// A connection was open at least once.
    pub(in crate::client) has_connected: bool,
    /// It had a connection to a server that can write: only then is its session worth telling.
    pub(in crate::client) seen_writer: bool,
    /// Its server has no leader and serves reads only.
    pub read_only: bool,
    /// On its way to find one that can write.
    pub(in crate::client) search: Search,
    /// The server that is tried after the pause.
    pub(in crate::client) chosen: Option<ServerId>,
    /// When the last connection, or the last attempt, is cleaned up: only until then does `close` end everything at once.
    pub(in crate::client) cleaned_up: SimTime,
}

impl Client {
    /// A client that begins to connect.
    pub fn open(config: ClientConfig, mut prng: Prng, now: SimTime, out: &mut Outbox) -> Client {
        let brought = config.outside;
        let mut client = Client {
            hosts: Hosts::new(config.servers.clone(), !config.raw, &mut prng),
            chroot: Chroot::new(config.chroot.clone()),
            timeout_ms: config.timeout_ms,
            config,
            state: State::Connecting,
            session: SessionId::NONE,
            server: None,
            last_zxid: Zxid::ZERO,
            password: Password::default(),
            prng,
            link: None,
            old: None,
            queued: VecDeque::new(),
            identities: Vec::new(),
            watches: WatchManager::default(),
            told: KeeperState::Disconnected,
            timers: Timers::default(),
            silence: Silence { sent: now, heard: now }, // `SendThread.run`, `updateLastSendAndHeard`
            next_call: 1,
            next_xid: 1,
            closing: false,
            has_connected: false,
            seen_writer: false,
            read_only: false,
            search: Search::default(),
            chosen: None,
            cleaned_up: SimTime::ZERO,
        };
        if let Some(brought) = brought {
            client.bring(brought);
        }
        client.dial_next(now, out);
        client
    }

    /// Handles one input.
    pub fn handle(&mut self, now: SimTime, input: Input, out: &mut Outbox) {
        let Some(input) = self.search_hears(now, input, out) else { return };
        match input {
            Input::Timer(timer) => self.timer(now, timer, out),
            Input::Connected(conn) => match self.side(conn) {
                Some(Side::Current) => self.opened(now, out),
                Some(Side::Old) | None => {}
            },
            Input::Refused(conn) => self.closed(now, conn, DisconnectReason::Refused, out),
            Input::Closed(conn) => self.closed(now, conn, DisconnectReason::ServerClosed, out),
            Input::Packet(conn, packet) => match self.side(conn) {
                Some(Side::Current) => self.heard(now, packet, out),
                Some(Side::Old) => self.heard_on_old(packet, out),
                None => {}
            },
        }
    }

    fn closed(&mut self, now: SimTime, conn: ConnId, reason: DisconnectReason, out: &mut Outbox) {
        match self.side(conn) {
            Some(Side::Current) => self.lost(now, reason, false, out),
            Some(Side::Old) => self.drop_old(Code::ConnectionLoss, out),
            None => {}
        }
    }

    fn heard(&mut self, now: SimTime, packet: ToClient, out: &mut Outbox) {
        self.silence.heard = now;
        let up = self.link.as_ref().is_some_and(|link| link.stage == Stage::Up);
        match packet {
            ToClient::Connected { timeout_ms, session, password, read_only } => {
                self.greeted(now, timeout_ms, session, password, read_only, out);
            }
            _ if !up => {} // nothing else comes before it
            ToClient::Reply { xid, zxid, outcome } => self.replied(now, xid, zxid, outcome, out),
            ToClient::Event { zxid, event } => self.notified(zxid, event, out),
            ToClient::Auth { code: Code::AuthFailed } => {
                self.identities.pop_if(|_| self.config.raw); // a wire client does not insist
                self.end(State::AuthFailed, Code::AuthFailed, out);
            }
            ToClient::Auth { .. } | ToClient::Pong | ToClient::Text { .. } => {}
        }
        self.wake(now, out);
    }

    fn heard_on_old(&mut self, packet: ToClient, out: &mut Outbox) {
        match packet {
            ToClient::Reply { xid, zxid, outcome } => self.replied_on_old(xid, zxid, outcome, out),
            ToClient::Event { zxid, event } => self.notified(zxid, event, out),
            ToClient::Connected { .. } | ToClient::Auth { .. } | ToClient::Pong | ToClient::Text { .. } => {}
        }
    }

    /// The application asks for something. The answer comes later, or at once where nothing can be sent.
    pub fn call(&mut self, now: SimTime, call: Call, out: &mut Outbox) -> CallId {
        self.take(now, call, out)
    }

    /// Adds an identity to this and all later connections (`addAuthInfo`): the scheme, and `user:password`, or nothing.
    pub fn add_auth<'a>(&mut self, now: SimTime, scheme: &str, auth: impl Into<Option<&'a str>>, out: &mut Outbox) {
        if self.is_over() {
            return;
        }
        let (scheme, auth): (Rc<str>, Option<Rc<str>>) = (scheme.into(), auth.into().map(Rc::from));
        self.identities.push((scheme.clone(), auth.clone()));
        if let Some(link) = self.link.as_ref().filter(|link| link.stage == Stage::Up) {
            out.send(link.conn, ToServer::auth(scheme, auth));
            self.silence.sent = now;
            self.wake(now, out);
        }
    }

    /// Closes the session; when the answer is there, the client is closed. An attempt at a connection that is under way, or
    /// planned, goes on and carries closeSession if it succeeds; only if it fails does the session live on until it expires
    /// (`ClientCnxn.java` `queuePacket`, `SendThread.run`).
    pub fn close(&mut self, now: SimTime, out: &mut Outbox) {
        self.send_close(now, out);
    }

    /// Its connection is cut. The library tries the next server at once or after its pause; a raw client waits.
    pub fn disconnect(&mut self, now: SimTime, out: &mut Outbox) {
        self.cut(now, out);
    }

    /// It takes up its session at another server.
    pub fn move_to(&mut self, now: SimTime, to: Move, out: &mut Outbox) {
        self.take_up(now, to, out);
    }

    /// The program believes that its session is over (Curator's `injectSessionExpiration`): the handle ends as if the
    /// ensemble had said so, and the ensemble is not told.
    pub fn abandon(&mut self, out: &mut Outbox) {
        if !self.is_over() {
            self.end(State::Expired, Code::SessionExpired, out);
        }
    }

    /// The program opens a new handle when the old one has ended. Only the numbers of its calls go on.
    pub fn reopen(&mut self, now: SimTime, out: &mut Outbox) {
        let (config, prng, next_call) = (self.config.clone(), self.prng.clone(), self.next_call);
        *self = Client::open(config, prng, now, out);
        self.next_call = next_call;
    }

    /// Its watches are not set again at the next server, and what comes of them is for nobody: as kazoo does.
    pub fn forget_watches(&mut self) {
        self.watches = WatchManager::default();
    }

    /// Whether its session has ended for good: it expired, was closed, or was refused.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Expired | State::Closed | State::AuthFailed)
    }

    /// Whether it has a connection, or tries to open one.
    pub fn has_connection(&self) -> bool {
        self.link.is_some() || self.old.is_some()
    }

    /// Whether it can still be closed: nobody has asked for that.
    pub fn may_close(&self) -> bool {
        !self.is_over() && !self.closing
    }

    /// Whether it can take up its session at a server of one's choice. A wire client may offer a session that is over: the
    /// server refuses it.
    pub fn may_move(&self) -> bool {
        !self.closing && (self.config.raw || !self.is_over())
    }

    /// The request of the application that has waited longest for an answer: its name and path.
    pub fn oldest_waiting(&self) -> Option<(&'static str, &Rc<str>)> {
        let written = [&self.link, &self.old].into_iter().flatten().flat_map(|link| &link.pending);
        let mut all = written.map(|(_, waiting)| waiting).chain(self.queued.iter().map(Queued::waiting));
        all.find(|waiting| waiting.id.is_some()).map(|waiting| (waiting.name, &waiting.path))
    }

    /// How many requests wait for an answer.
    pub fn pending(&self) -> usize {
        let written = [&self.link, &self.old].into_iter().flatten().flat_map(|link| &link.pending);
        count(written.map(|(_, waiting)| waiting)) + count(self.queued.iter().map(Queued::waiting))
    }
}
