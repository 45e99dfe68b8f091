//! The client.

use crate::base::{Prng, ServerId, SessionId, SimTime, Zxid};

use super::io::{Call, CallId, ClientConfig, Input, Move, Outbox, State};

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
    next_call: u64,
}

impl Client {
    /// A client that begins to connect.
    pub fn open(config: ClientConfig, _prng: Prng, _now: SimTime, _out: &mut Outbox) -> Client {
        Client {
            timeout_ms: config.timeout_ms,
            config,
            state: State::Connecting,
            session: SessionId::NONE,
            server: None,
            last_zxid: Zxid::ZERO,
            next_call: 1,
        }
    }

    /// Handles one input.
    pub fn handle(&mut self, _now: SimTime, _input: Input, _out: &mut Outbox) {}

    /// The application asks for something. The answer comes later, or at once where nothing can be sent.
    pub fn call(&mut self, _now: SimTime, _call: Call, _out: &mut Outbox) -> CallId {
        self.next_call += 1;
        CallId(self.next_call - 1)
    }

    /// Adds an identity to this and all later connections (`addAuthInfo`): the scheme, and `user:password`.
    pub fn add_auth(&mut self, _now: SimTime, _scheme: &str, _auth: &str, _out: &mut Outbox) {}

    /// Closes the session; when the answer is there, the client is closed.
    pub fn close(&mut self, _now: SimTime, _out: &mut Outbox) {}

    /// Its connection is cut. The library tries the next server at once or after its pause; a raw client waits.
    pub fn disconnect(&mut self, _now: SimTime, _out: &mut Outbox) {}

    /// It takes up its session at another server.
    pub fn move_to(&mut self, _now: SimTime, _to: Move, _out: &mut Outbox) {}

    /// How many requests wait for an answer.
    pub fn pending(&self) -> usize {
        0
    }
}
