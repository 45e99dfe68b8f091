//! Connections that a machine keeps to others: dialled again until they are open.

use crate::base::{ConnId, Micros, ServerId, SimTime, SortedMap};
use crate::daemon::{Cx, Daemon};

/// How long it takes to dial again, µs.
pub(super) const REDIAL: Micros = 100_000;
/// A dial is given up after so long, µs.
const DIAL: Micros = 1_000_000;

/// Connections by whom they lead to; whether each is open, and since when it is dialled.
#[derive(Clone, Debug, Default)]
pub(super) struct Links(SortedMap<ServerId, (ConnId, bool, SimTime)>);

impl Links {
    /// Dials whoever of these there is no connection to.
    pub(super) fn dial<D: Daemon>(&mut self, nodes: impl Iterator<Item = ServerId>, cx: &mut Cx<D>) {
        let now = cx.env.now;
        for node in nodes {
            match self.0.get(&node) {
                Some((_, true, _)) => continue,
                Some((_, _, since)) if now.since(*since) < DIAL => continue,
                Some((conn, ..)) => cx.close(*conn),
                None => {}
            }
            let conn = cx.dial(node);
            self.0.insert(node, (conn, false, now));
        }
    }

    /// A connection is open; whom it leads to.
    pub(super) fn connected(&mut self, conn: ConnId) -> Option<ServerId> {
        let (node, link) = self.0.iter_mut().find(|(_, (its, ..))| *its == conn)?;
        link.1 = true;
        Some(*node)
    }

    /// A connection is over.
    pub(super) fn closed(&mut self, conn: ConnId) {
        self.0.retain(|_, (its, ..)| *its != conn);
    }

    /// The open connection to a node.
    pub(super) fn to(&self, node: ServerId) -> Option<ConnId> {
        self.0.get(&node).filter(|(_, open, _)| *open).map(|(conn, ..)| *conn)
    }

    /// Whom a connection leads to.
    pub(super) fn of(&self, conn: ConnId) -> Option<ServerId> {
        self.0.iter().find(|(_, (its, ..))| *its == conn).map(|(node, _)| *node)
    }
}
