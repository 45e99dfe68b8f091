//! Requests that wait at a server, in the order of their session (`CommitProcessor.java` `pendingRequests`).

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use crate::base::{ConnId, SessionId, SortedMap};
use crate::wire::{AuthId, Code, Request};

/// What is answered from this server's tree when its turn comes.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) enum Turn {
    /// A sign of life: it stands in the queue like everything else.
    Ping,
    /// A request, its xid, and the identities of the connection when it came: what is proved later counts for later
    /// requests (`Request.authInfo`).
    Read(i32, Request, Rc<[AuthId]>),
    /// A request that was refused on arrival.
    Refused(i32, Code),
}

/// A request that waits. It outlives its connection; then nobody is answered.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) enum Waiting {
    /// For its transaction, or for the leader's word on a sync.
    Remote {
        /// The client's connection; none for what a learner passed on to this leader.
        conn: Option<ConnId>,
        xid: i32,
        request: Request,
    },
    /// For those before it.
    Here { conn: ConnId, turn: Turn },
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waiting::Remote { xid, request, .. } => write!(f, "xid {xid} {request} → leader"),
            Waiting::Here { turn: Turn::Ping, .. } => f.write_str("ping"),
            Waiting::Here { turn: Turn::Read(xid, request, _), .. } => write!(f, "xid {xid} {request}"),
            Waiting::Here { turn: Turn::Refused(xid, code), .. } => write!(f, "xid {xid} {code:?}"),
        }
    }
}

/// The queues. They belong to sessions, not to connections: a client that comes back finds its own write still before it.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Pending(SortedMap<SessionId, VecDeque<Waiting>>);

impl Pending {
    pub(super) fn push(&mut self, session: SessionId, waiting: Waiting) {
        self.0.get_or_default(session).push_back(waiting);
    }

    /// What now stands before everything else.
    pub(super) fn push_first(&mut self, session: SessionId, waiting: Waiting) {
        self.0.get_or_default(session).push_front(waiting);
    }

    /// What stands first and waits for nothing more; `passing`: even where others stand before it.
    pub(super) fn next_here(&mut self, session: SessionId, passing: bool) -> Option<(ConnId, Turn)> {
        let queue = self.0.get_mut(&session)?;
        let is_here = |waiting: &Waiting| matches!(waiting, Waiting::Here { .. });
        let first = queue.iter().position(is_here).filter(|_| passing).unwrap_or_default();
        match queue.remove(first) {
            Some(Waiting::Here { conn, turn }) => return Some((conn, turn)),
            Some(remote) => queue.insert(first, remote),
            None => {
                self.0.remove(&session);
            }
        }
        None
    }

    /// Takes out what stands first, if it is this write or this sync that comes back; with its connection.
    pub(super) fn take_remote(&mut self, session: SessionId, cxid: i32, write: bool) -> Option<Option<ConnId>> {
        let queue = self.0.get_mut(&session)?;
        match queue.front()? {
            Waiting::Remote { conn, xid, request } if *xid == cxid && request.is_write() == write => {
                let conn = *conn;
                queue.pop_front();
                Some(conn)
            }
            _ => None,
        }
    }

    /// A session is over.
    pub(super) fn forget(&mut self, session: SessionId) {
        self.0.remove(&session);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&SessionId, &VecDeque<Waiting>)> {
        self.0.iter()
    }

    /// How many requests of a connection wait.
    pub(super) fn of(&self, of: ConnId) -> usize {
        let is_of = |waiting: &&Waiting| match waiting {
            Waiting::Remote { conn, .. } => *conn == Some(of),
            Waiting::Here { conn, .. } => *conn == of,
        };
        self.0.iter().flat_map(|(_, queue)| queue).filter(is_of).count()
    }
}
