//! Connections: each server dials each other, so there are two between any two. A leader sends entries on the one that it dialled, a
//! candidate asks for votes on the other: as with the two streams of etcd's `rafthttp`, neither waits behind the other.

use crate::base::{ConnId, Micros, Node, ServerId, ServerSet, SimTime, SortedMap};
use crate::daemon::Cx;

use super::Server;
use super::role::Role;

/// A leader gives up a connection on which nothing was answered for so long (rafthttp's `ConnReadTimeout`), µs.
const SILENCE: Micros = 5_000_000;
/// A dial is given up after so long, and made anew after as long again, µs: a SYN that is lost is sent again, later each time.
const DIAL: Micros = 1_000_000;

/// A connection that was dialled.
#[derive(Clone, Debug)]
struct Link {
    conn: ConnId,
    up: bool,
    /// Whether it is closed, and to be dialled again later.
    given_up: bool,
    /// Since when it is dialled, or an answer is awaited.
    since: Option<SimTime>,
}

/// The connections of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    out: SortedMap<ServerId, Link>,
    callers: SortedMap<ConnId, Node>,
}

impl Links {
    /// Somebody has dialled. A server has one connection in each direction: an older one is of no use any more.
    pub(super) fn accepted(&mut self, conn: ConnId, from: Node) {
        self.callers.retain(|_, node| *node != from);
        self.callers.insert(conn, from);
    }

    /// A connection is over.
    pub(super) fn closed(&mut self, conn: ConnId) {
        self.out.retain(|_, link| link.conn != conn);
        self.callers.remove(&conn);
    }

    /// Whom a connection leads to that was dialled.
    fn peer(&self, conn: ConnId) -> Option<ServerId> {
        self.out.iter().find(|(_, link)| link.conn == conn).map(|(peer, _)| *peer)
    }

    /// Who is at the other end.
    pub(super) fn other_end(&self, conn: ConnId) -> Option<ServerId> {
        self.peer(conn).or_else(|| self.callers.get(&conn).and_then(|node| node.server()))
    }

    /// Something came in on it.
    pub(super) fn heard(&mut self, conn: ConnId) {
        self.out.values_mut().filter(|link| link.conn == conn).for_each(|link| link.since = None);
    }

    /// The open connection to a server.
    pub(super) fn to(&self, peer: ServerId) -> Option<ConnId> {
        self.out.get(&peer).filter(|link| link.up).map(|link| link.conn)
    }

    /// The connections that servers have dialled.
    pub(super) fn from(&self, servers: ServerSet) -> Vec<ConnId> {
        let from = |node: &Node| node.server().is_some_and(|server| servers.contains(server));
        self.callers.iter().filter(|(_, node)| from(node)).map(|(conn, _)| *conn).collect()
    }

    /// An answer is awaited.
    pub(super) fn awaits(&mut self, peer: ServerId, now: SimTime) {
        if let Some(link) = self.out.get_mut(&peer) {
            link.since.get_or_insert(now);
        }
    }
}

impl Server {
    /// Dials whoever there is no connection to, and gives up connections that lead nowhere.
    pub(super) fn dial_all(&mut self, cx: &mut Cx<Self>) {
        let (me, now) = (cx.env.me, cx.env.now);
        for link in self.links.out.values_mut() {
            let limit = if link.up { SILENCE } else { DIAL };
            if !link.given_up && link.since.is_some_and(|since| now.since(since) >= limit) {
                cx.close(link.conn);
                (link.up, link.given_up) = (false, true);
            }
        }
        let again = |link: &Link| link.given_up && link.since.is_some_and(|since| now.since(since) >= 2 * DIAL);
        self.links.out.retain(|_, link| !again(link));
        for peer in cx.config.servers.iter().filter(|peer| *peer != me) {
            self.links.out.get_or_else(peer, || {
                let conn = cx.dial(peer);
                Link { conn, up: false, given_up: false, since: Some(now) }
            });
        }
    }

    pub(super) fn connected(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        let Some(peer) = self.links.peer(conn) else { return };
        self.links.out.values_mut().filter(|link| link.conn == conn).for_each(|link| {
            (link.up, link.since) = (true, None);
        });
        if let Role::Leader(leading) = &mut self.role {
            // what was on its way is lost
            if let Some(progress) = leading.peers.get_mut(&peer) {
                (progress.probing, progress.sent, progress.next) = (true, false, progress.matched + 1);
            }
            self.send_append(peer, cx);
        }
    }
}
