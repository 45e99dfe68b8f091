//! A client whose program is outside of the simulation: it does nothing by itself, and its library is known by its packets only.

use crate::base::{SessionId, SimTime};
use crate::wire::ToServer;

use super::connection::Stage;
use super::effects::Effect;
use super::io::{Brought, ClientConfig, DisconnectReason, Outbox};
use super::library::Client;

impl Client {
    /// The program connects once more, on a connection of its own: what is left of the one before is given up. Numbers of calls and of
    /// requests go on, so that none is used twice in a session, whatever the program counts.
    pub fn connect_again(&mut self, config: ClientConfig, now: SimTime, out: &mut Outbox) {
        self.lost(now, DisconnectReason::Asked, true, out);
        let (prng, next_call, next_xid) = (self.prng.clone(), self.next_call, self.next_xid);
        *self = Client::open(config, prng, now, out);
        (self.next_call, self.next_xid) = (next_call, next_xid);
    }

    /// Whether a program outside has this session here, or none yet, and it is not over.
    pub fn has_outside(&self, session: SessionId) -> bool {
        self.config.outside.is_some() && !self.is_over() && self.session == session
    }

    /// The program sends a ping.
    pub fn ping(&mut self, now: SimTime, out: &mut Outbox) {
        if let Some(link) = self.link.as_ref().filter(|link| link.stage == Stage::Up) {
            out.send(link.conn, ToServer::Ping);
            self.silence.sent = now;
            self.wake(now, out);
        }
    }

    /// What goes into its CONNECT.
    pub(in crate::client) fn bring(&mut self, brought: Brought) {
        (self.session, self.password, self.last_zxid) = (brought.session, brought.password, brought.last_zxid);
        self.seen_writer = true;
    }

    /// What of an answer's effects is known: of Watchers nothing, they are the program's.
    pub(in crate::client) fn seen(&self, effect: Effect) -> Effect {
        match effect {
            effect @ Effect::Close => effect,
            effect if self.config.outside.is_none() => effect,
            _ => Effect::None,
        }
    }
}
