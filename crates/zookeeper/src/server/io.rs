//! What goes into a server and what comes out of it. Nothing else connects it with the world.

use std::rc::Rc;

use crate::base::{ClientId, ConnId, ServerId, SessionId, SimTime};
use crate::store::Tree;
use crate::wire::{ToClient, ToServer};
use crate::zab::{self, Message, Note, Token};

use super::fact::{Fact, StateFact};
use super::files::{Files, Job};
use super::service;
use super::settings::Settings;

/// A timer of a server; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// Of its protocol machine.
    Zab(zab::Timer),
    /// Of its service for clients.
    Service(service::Timer),
}

/// What all servers of a run share, and never changes.
#[derive(Clone, Debug)]
pub struct Config {
    /// The protocol's settings.
    pub zab: zab::Config,
    /// How clients are treated.
    pub service: Settings,
    /// The state before the first transaction.
    pub fresh: Tree,
}

/// What a server may look at while it handles an input.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// The moment.
    pub now: SimTime,
    /// What the machine's wall clock shows, ms: it may jump.
    pub clock_ms: i64,
    /// The settings.
    pub config: &'a Config,
    /// What is durable on its disk.
    pub files: &'a Files,
}

/// What a server is told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A timer fired.
    Timer(Timer),
    /// Another server connected to one of the ports.
    Accepted {
        /// The new connection.
        conn: ConnId,
        /// Who dialled.
        from: ServerId,
        /// Election or quorum.
        port: zab::Port,
    },
    /// A client connected.
    ClientAccepted(ConnId, ClientId),
    /// A connection that this server dialled is open.
    Connected(ConnId),
    /// A connection that this server dialled was refused: nothing listens there.
    Refused(ConnId),
    /// The other end closed the connection, or crashed.
    Closed(ConnId),
    /// A message of another server arrived.
    FromServer(ConnId, Message),
    /// A packet of a client arrived.
    FromClient(ConnId, ToServer),
    /// A disk operation is done and durable; with the bytes written.
    Persisted(Token, u64),
    /// A disk operation has failed.
    DiskFailed(Token),
    /// A write of nobody in particular: its number, and `path=value` or a value.
    Write(u64, String),
    /// As the leader: this session is to end, whether it was heard of or not.
    Expire(SessionId),
    /// Somebody on this machine sends a text to the client port: a four-letter word.
    Word(Rc<str>),
}

/// What a server wants done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Send a message to another server.
    ToServer(ConnId, Message),
    /// Send a packet to a client.
    ToClient(ConnId, ToClient),
    /// Connect to a port of another server.
    Dial {
        /// The new connection's name.
        conn: ConnId,
        /// Whom.
        to: ServerId,
        /// Election or quorum.
        port: zab::Port,
    },
    /// Close a connection, or give up dialling it.
    Close(ConnId),
    /// Accept learners, or stop to.
    Listen(bool),
    /// Arm a timer; a timer already armed is moved.
    SetTimer(Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(Timer),
    /// Do this on disk, then say `Persisted`.
    Persist(Job),
    /// The process ends itself.
    Exit,
    /// Something happened in the protocol machine, and perhaps the rule that decided it.
    Zab(zab::Fact, Option<Note>),
    /// Something happened in the service for clients.
    Fact(Fact),
    /// Something happened to the replicated state, or to a plain write.
    State(StateFact),
}

/// Where a server puts its outputs. Its host empties it after each step.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// What is to be done, in order.
    pub items: Vec<Output>,
    /// The next free connection name; the host lends its counter.
    pub next_conn: u64,
}
