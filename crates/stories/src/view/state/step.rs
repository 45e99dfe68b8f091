//! Which step was the last.

use std::rc::Rc;

use crate::base::{ConnId, Node};
use crate::sim::{Choice, InFlight, Record, World};

/// The last step: what the scheduler took, and what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct LastStep {
    /// What was taken; for a packet, what it is and between whom.
    pub choice: Choice,
    /// The packet that arrived, if it was one.
    pub arrived: Option<(String, Node, Node)>,
    /// What it led to.
    pub facts: Vec<Rc<Record>>,
}

/// The step between two worlds. A scheduler takes the earliest, so the world before knows which it was.
pub fn last_step(before: &World, after: &World) -> Option<LastStep> {
    let (_, choice) = before.choices().next()?;
    let arrived = match choice {
        Choice::Deliver { conn, to_acceptor } => {
            conn_ends(before, conn, to_acceptor).map(|(item, from, to)| (item.title(), from, to))
        }
        _ => None,
    };
    Some(LastStep { choice, arrived, facts: after.last_facts().to_vec() })
}

/// The first item of a direction of a connection, and its ends.
pub(super) fn conn_ends(world: &World, conn: ConnId, to_acceptor: bool) -> Option<(&InFlight, Node, Node)> {
    let of = world.network.conns.get(&conn)?;
    let (from, to) = of.ends(to_acceptor);
    of.pipe(to_acceptor).items.front().map(|item| (item, from, to))
}
