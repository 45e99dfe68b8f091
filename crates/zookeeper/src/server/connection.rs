//! A client's connection at its server.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ClientId, SessionId, SimTime};
use crate::wire::{AuthId, ToServer};

use super::statistics::ConnStatistics;

/// A connection.
#[derive(Clone, Debug, Hash)]
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
    /// What is counted of it.
    pub statistics: ConnStatistics,
    /// Whether a four-letter word has come on it: nothing more is read.
    pub asks: bool,
    /// Whether it is not read because too many requests are in process.
    pub throttled: bool,
    /// What came before CONNECT was answered, or while it is throttled: the server does not read on until then.
    pub(super) unread: VecDeque<ToServer>,
}

impl ClientConn {
    pub(super) fn new(client: ClientId, now: SimTime) -> ClientConn {
        ClientConn {
            client,
            session: SessionId::NONE,
            established: false,
            timeout_ms: 0,
            who: Rc::from([AuthId::local()]),
            asks: false,
            throttled: false,
            statistics: ConnStatistics::new(now),
            unread: VecDeque::new(),
        }
    }
}
