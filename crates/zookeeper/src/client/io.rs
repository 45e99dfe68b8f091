//! What goes into a client and what comes out of it. Nothing else connects it with the world.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::{ClientId, ConnId, RuleSet, ServerId, SessionId, SimTime, Zxid};
use crate::wire::{Answer, Code, KeeperState, Password, Request, ToClient, ToServer, WatchedEvent};

/// How a client is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientConfig {
    /// Its number.
    pub id: ClientId,
    /// The connect string: the servers it may use, in the order written.
    pub servers: Vec<ServerId>,
    /// The session timeout asked for, ms.
    pub timeout_ms: u32,
    /// The path below which this client lives (`host:port/chroot`).
    pub chroot: Option<Rc<str>>,
    /// A wire client rather than the library: it checks no paths, takes the first server of the list, and when its
    /// connection is lost it stays where it is until it is moved.
    pub raw: bool,
    /// The library ends a session by itself when it has heard nothing for 4/3 of its timeout (ZOOKEEPER-4508, since 3.9.3).
    pub expires: bool,
    /// A program outside of the simulation that connects: what it brings. It is a wire client whose every packet is asked for; it
    /// pings, waits and gives up as the program does, and its Watchers are the program's.
    pub outside: Option<Brought>,
    /// A server without a leader will do (`canBeReadOnly`).
    pub read_only: bool,
    /// Requests leave one by one, and who closes cuts the connection behind the next of them, whichever it is: what was queued
    /// behind it, the session's end too, is never sent (`client.stop()` of kazoo 2.10, `ConnectionHandler._connect_attempt`).
    pub stop_cuts: bool,
    /// Rules broken on purpose.
    pub rules: RuleSet,
}

/// What a program outside brings when it connects, and says in CONNECT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brought {
    /// The session that it takes up; none for a new one.
    pub session: SessionId,
    /// The password that it says.
    pub password: Password,
    /// The last zxid that it has seen.
    pub last_zxid: Zxid,
}

/// Names a call of the application; counted by the client from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);

/// What the application asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The request, with paths as the application writes them (below the chroot).
    pub request: Request,
    /// The Watcher object that a watch calls, by name; `default` is the one given to the constructor, and the one meant
    /// where a request sets a watch and this is none. For `removeWatches`: the only one to be removed; none removes all.
    pub watcher: Option<Rc<str>>,
    /// For `removeWatches`: forget the watch here even if no server can be told.
    pub local: bool,
    /// Send it on the connection that a [`Move`] kept open.
    pub on_old_connection: bool,
}

impl Call {
    /// A plain call.
    pub fn new(request: Request) -> Call {
        Call { request, watcher: None, local: false, on_old_connection: false }
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// A KeeperException.
    Code(Code),
    /// The library refused to send it (`IllegalArgumentException`), with the exception's message.
    IllegalArgument(String),
}

/// What a call came to.
pub type CallOutcome = Result<Answer, Failure>;

/// How a client is made to change its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where to.
    pub to: ServerId,
    /// It falsifies its password.
    pub wrong_password: bool,
    /// It claims to have seen a zxid that lies far ahead.
    pub claim_ahead: bool,
    /// It leaves its old connection open.
    pub keep_old: bool,
}

/// The state of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is dialling a server or waits for the answer to CONNECT.
    Connecting,
    /// It has a session and a connection.
    Connected,
    /// It has no connection and pauses before it tries again; a raw client waits to be moved.
    Disconnected,
    /// The ensemble has ended its session.
    Expired,
    /// It has closed its session.
    Closed,
    /// Its identity was refused.
    AuthFailed,
}

/// A client's timer; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// Nothing was sent for a while: send a ping.
    Ping,
    /// Nothing was heard for two thirds of the timeout.
    ReadTimeout,
    /// Connecting takes too long.
    ConnectTimeout,
    /// The pause before the next attempt is over.
    Retry,
    /// Connected to a read-only server: ask another one whether it can write.
    Seek,
    /// The next request leaves ([`ClientConfig::stop_cuts`]).
    Write,
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A timer fired.
    Timer(Timer),
    /// A connection that it dialled is open.
    Connected(ConnId),
    /// A connection that it dialled was refused.
    Refused(ConnId),
    /// The server closed the connection, or crashed.
    Closed(ConnId),
    /// A packet arrived.
    Packet(ConnId, ToClient),
}

/// What a client wants done, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Connect to a server.
    Dial(ConnId, ServerId),
    /// Close a connection, or give up dialling it.
    Close(ConnId),
    /// Send a packet.
    Send(ConnId, ToServer),
    /// Arm a timer; a timer already armed is moved.
    SetTimer(Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(Timer),
    /// A call is over. Told after the fact [`Fact::Answered`]; for whoever acts for the application.
    Answered(CallId, CallOutcome),
    /// A Watcher is called. Told after the fact [`Fact::WatcherCalled`]; for whoever acts for the application.
    Event(Rc<str>, WatchedEvent),
    /// Something happened.
    Fact(Fact),
}

/// Where a client puts its outputs. Its host empties it after each step.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// What is to be done, in order.
    pub items: Vec<Output>,
    /// The next free connection name; the host lends its counter.
    pub next_conn: u64,
}

/// Why a connection ended, as the client knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisconnectReason {
    /// Nothing listens there.
    Refused,
    /// The server closed it: it does not serve, is behind this client, or died.
    ServerClosed,
    /// Nothing was heard for two thirds of the timeout.
    ReadTimeout,
    /// The connection could not be opened in time.
    ConnectTimeout,
    /// It was asked to.
    Asked,
    /// A reply did not fit the oldest request.
    OutOfOrder,
    /// It was connected to a read-only server, and has found one that can write.
    Found,
}

/// What happened in a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// Connected to a read-only server, it asks this one whether it can write.
    ClientSeeks {
        /// Which one.
        server: ServerId,
    },
    /// It tries a server.
    ClientConnecting {
        /// The server that it dials.
        server: ServerId,
    },
    /// It has a connection and a session.
    ClientConnected {
        /// To which server.
        server: ServerId,
        /// The session.
        session: SessionId,
        /// The timeout granted, ms.
        timeout_ms: u32,
        /// Whether it had this session before.
        again: bool,
    },
    /// It lost its connection, or an attempt failed.
    ClientDisconnected {
        /// To which server.
        server: ServerId,
        /// What ended the connection.
        reason: DisconnectReason,
    },
    /// Its state for good: expired, closed, or refused.
    ClientEnded {
        /// Which of them.
        state: KeeperState,
        /// The session that it had.
        session: SessionId,
        /// The library has ended it: no server has said so, nor was it asked to.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_itself: bool,
    },
    /// The application asked for something.
    Called {
        /// The call.
        call: CallId,
        /// What, as the application wrote it.
        request: Request,
    },
    /// A call is over.
    Answered {
        /// The call.
        call: CallId,
        /// The zxid in the reply's header; none where no server answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// What it came to.
        outcome: CallOutcome,
        /// It was sent, it writes, and no answer came: it may have happened, or happen still.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_doubt: bool,
    },
    /// A notification arrived from the server, as it was sent (with the chroot).
    Notified {
        /// Its header's zxid.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// What happened.
        #[serde(flatten)]
        event: WatchedEvent,
    },
    /// A Watcher is called.
    WatcherCalled {
        /// Its name.
        watcher: Rc<str>,
        /// What it is told.
        #[serde(flatten)]
        event: WatchedEvent,
    },
}
