//! The connections of a machine, by whom they lead to. One that breaks is not mended by itself: who needs it says so.

use crate::base::{ConnId, Node, ServerId, SortedMap};
use crate::daemon::{Cx, Daemon};

use super::message::Message;

/// A connection that this machine has dialled.
#[derive(Clone, Debug)]
pub(super) struct Line {
    conn: ConnId,
    open: bool,
    /// What is sent as soon as it is open.
    waiting: Vec<Message>,
}

/// All connections of a machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    dialled: SortedMap<ServerId, Line>,
    peers: SortedMap<ConnId, ServerId>,
}

impl Lines {
    /// Connects to a machine, unless it is connected.
    pub(super) fn open<D: Daemon<Message = Message>>(&mut self, cx: &mut Cx<D>, to: ServerId) -> &mut Line {
        self.dialled.get_or_else(to, || {
            let conn = cx.dial(to);
            self.peers.insert(conn, to);
            Line { conn, open: false, waiting: Vec::new() }
        })
    }

    /// Sends on the connection to a machine; dials where there is none.
    pub(super) fn send<D: Daemon<Message = Message>>(&mut self, cx: &mut Cx<D>, to: ServerId, message: Message) {
        let line = self.open(cx, to);
        match line.open {
            true => cx.send(line.conn, message),
            false => line.waiting.push(message),
        }
    }

    /// Gives the connection to a machine up; what waits for it is not sent. Whether there was one.
    pub(super) fn hang_up<D: Daemon<Message = Message>>(&mut self, cx: &mut Cx<D>, to: ServerId) -> bool {
        let Some(line) = self.dialled.remove(&to) else { return false };
        self.peers.remove(&line.conn);
        cx.close(line.conn);
        true
    }

    /// Somebody else has dialled.
    pub(super) fn accepted(&mut self, conn: ConnId, from: Node) {
        if let Some(from) = from.server() {
            self.peers.insert(conn, from);
        }
    }

    /// A connection is open: what waited for it is sent.
    pub(super) fn connected<D: Daemon<Message = Message>>(&mut self, cx: &mut Cx<D>, conn: ConnId) {
        let Some(line) = self.peers.get(&conn).and_then(|peer| self.dialled.get_mut(peer)) else { return };
        if line.conn == conn {
            line.open = true;
            line.waiting.drain(..).for_each(|message| cx.send(conn, message));
        }
    }

    /// A connection is over: to whom it led, if this machine had dialled it.
    pub(super) fn closed(&mut self, conn: ConnId) -> Option<ServerId> {
        let peer = self.peers.remove(&conn)?;
        let mine = self.dialled.get(&peer).is_some_and(|line| line.conn == conn);
        mine.then(|| self.dialled.remove(&peer)).flatten().map(|_| peer)
    }

    /// Who is at the other end.
    pub(super) fn peer(&self, conn: ConnId) -> Option<ServerId> {
        self.peers.get(&conn).copied()
    }
}
