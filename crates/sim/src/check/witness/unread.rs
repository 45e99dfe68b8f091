//! What a throttled connection has brought and its server has not read (`NIOServerCnxn.java` `disableRecv`). It waits for nothing there
//! until it is read, and is gone with the connection.

use crate::base::{ConnId, ServerId, SortedMap};

/// The requests of one client that servers do not read for now.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Unread {
    /// Where it is throttled: what has arrived there since, in order.
    throttled: SortedMap<ServerId, Vec<i32>>,
    /// What was read when a server went on, as long as nothing new has arrived there.
    gone_on: SortedMap<ServerId, Vec<i32>>,
    /// Its last connection to each server, and the one on which its session was last taken up there: the end of an earlier one may be
    /// heard of after a later one was dialled.
    dialled: SortedMap<ServerId, ConnId>,
    established: SortedMap<ServerId, ConnId>,
}

impl Unread {
    /// A request arrives. Says whether it lies there unread.
    pub(super) fn arrives(&mut self, at: ServerId, xid: i32) -> bool {
        self.gone_on.remove(&at);
        let lies = self.throttled.get_mut(&at);
        lies.map(|unread| unread.push(xid)).is_some()
    }

    /// The server reads no more of the client. Where it had just gone on, one of what it then read was too much again: which one is
    /// not known, so all of them count as unread. Returns these.
    pub(super) fn stops(&mut self, at: ServerId) -> Vec<i32> {
        let back = self.gone_on.remove(&at).unwrap_or_default();
        self.throttled.insert(at, back.clone());
        back
    }

    /// The server goes on. Returns what it reads now, in order.
    pub(super) fn goes_on(&mut self, at: ServerId) -> Vec<i32> {
        let read = self.throttled.remove(&at).unwrap_or_default();
        self.gone_on.insert(at, read.clone());
        read
    }

    /// A transaction of the session is applied there: the request was read, or all of them are of no account any more.
    pub(super) fn applied(&mut self, at: ServerId, done: impl Fn(i32) -> bool) {
        for lists in [&mut self.throttled, &mut self.gone_on] {
            if let Some(list) = lists.get_mut(&at) {
                list.retain(|&xid| !done(xid));
            }
        }
    }

    /// The client opens a connection to a server.
    pub(super) fn dialled(&mut self, to: ServerId, conn: ConnId) {
        self.dialled.insert(to, conn);
    }

    /// A server takes up the session on the last connection: that one is not throttled, and one before it is closed.
    pub(super) fn established(&mut self, at: ServerId) {
        if let Some(&conn) = self.dialled.get(&at) {
            self.established.insert(at, conn);
        }
        self.forget(at);
    }

    /// A server has learnt that a connection is over.
    pub(super) fn closed(&mut self, at: ServerId, conn: ConnId) {
        if self.established.get(&at) == Some(&conn) {
            self.forget(at);
        }
    }

    /// The connection to a server is over, or the server is.
    pub(super) fn forget(&mut self, at: ServerId) {
        self.throttled.remove(&at);
        self.gone_on.remove(&at);
    }
}
