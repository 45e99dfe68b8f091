//! A client's connection at its server, with the order of its requests (`CommitProcessor.java`).

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ClientId, SessionId};
use crate::wire::{AuthId, Request, ToServer};

/// A request that waits for its turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waiting {
    pub xid: i32,
    pub request: Request,
    /// The identities of the connection when it came: what is proved later counts for later requests (`Request.authInfo`).
    pub who: Rc<[AuthId]>,
    /// Whether it is answered by a transaction or by the leader, rather than from this server's tree.
    pub remote: bool,
}

/// A connection.
#[derive(Clone, Debug)]
pub struct ClientConn {
    /// The client at the other end.
    pub client: ClientId,
    /// Its session; none before CONNECT.
    pub session: SessionId,
    /// Whether CONNECT has been answered.
    pub established: bool,
    /// The timeout granted, ms.
    pub timeout_ms: u32,
    /// The identities that were proved on it.
    pub who: Rc<[AuthId]>,
    /// Requests in their order: the first one waits for its transaction, the others for the first.
    pub(super) waiting: VecDeque<Waiting>,
    /// What came before CONNECT was answered: the server does not read on until then.
    pub(super) unread: VecDeque<ToServer>,
}

impl ClientConn {
    pub(super) fn new(client: ClientId) -> ClientConn {
        ClientConn {
            client,
            session: SessionId::NONE,
            established: false,
            timeout_ms: 0,
            // all machines of a world are one
            who: Rc::from([AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }]),
            waiting: VecDeque::new(),
            unread: VecDeque::new(),
        }
    }

    /// How many requests wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
