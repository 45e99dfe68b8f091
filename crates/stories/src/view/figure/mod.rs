//! What the stage shows where its topic is not the ensemble itself: queues of tickets, who stands in them, what they watch. Read from
//! the tree of the server that has applied most, from the watches of all servers, and from what clients believe.

mod gone;
mod queue;
mod roles;
mod store;

use std::rc::Rc;

use crate::base::{ClientId, ServerId, SortedSet, Zxid};
use crate::recipes::Share;
use crate::sim::{Run, World};
use crate::timeline::{RunSummary, Used};

use super::standing::newest;
pub use super::tether::Tether;
use super::tether::tethers;
pub use store::{Copy, Field, LastCall, Leaf, Life, Session, Store, Value};

/// What a ticket's client believes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It waits, or does not know yet where it stands.
    None,
    /// It has what the queue is for.
    Holds(Share),
    /// It believes so, but its node is gone.
    Stale,
}

/// A znode that gives its client a place in a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Where it is.
    pub path: Rc<str>,
    /// What is written on it: short, with its number.
    pub name: String,
    /// Whether the parent gave it a number.
    pub numbered: bool,
    /// Whose it is, dead or alive.
    pub client: Option<ClientId>,
    /// The server that its client is connected to.
    pub server: Option<ServerId>,
    /// Whether its client's process lives.
    pub alive: bool,
    /// Whether it is in the tree: one that is gone stays in the picture for a moment, and while somebody believes in it or news of it is on
    /// its way.
    pub there: bool,
    /// Whose request has just deleted it.
    pub by: Option<ClientId>,
    /// What its client believes.
    pub claim: Claim,
    /// The beginning of its data.
    pub note: String,
    /// The node of whom it was given to.
    pub given: Option<Rc<str>>,
}

/// The tickets below one parent, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The parent.
    pub parent: Rc<str>,
    /// What stands in it.
    pub tickets: Vec<Ticket>,
}

/// Something outside of the ensemble that clients write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its name.
    pub name: Rc<str>,
    /// The newest token that it has seen.
    pub newest: Option<Zxid>,
    /// What was done to it, the newest first; only the last few.
    pub uses: Vec<Used>,
}

/// Everything of a recipe at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// Its queues.
    pub lanes: Vec<Lane>,
    /// The queues are roles, and stand beside each other: what must be done, who decides, who works.
    pub columns: bool,
    /// Clients draw tickets: nodes that go with their sessions, by which they stand in a queue or have what all want.
    pub ticketed: bool,
    /// All want one node, and nobody stands in a row.
    pub star: bool,
    /// The clients whose processes live.
    pub alive: SortedSet<ClientId>,
    /// Those whose processes are dead. They keep their places.
    pub dead: SortedSet<ClientId>,
    /// Those of the dead of whom something is left, or who died a moment ago.
    pub left: SortedSet<ClientId>,
    /// The watches.
    pub tethers: Vec<Tether>,
    /// Who takes out what stands in the queue; others put in. None where that is no difference.
    pub takers: Option<SortedSet<ClientId>>,
    /// What is outside.
    pub resources: Vec<Resource>,
    /// The whole tree, where the stage is about it.
    pub store: Option<Store>,
}

/// So many uses of a resource are shown.
const USES: usize = 3;

impl Figure {
    /// What stands there now.
    pub fn of(world: &World, run: &Run, summary: &RunSummary) -> Figure {
        let tethers = tethers(world);
        let none = (Vec::new(), false);
        let tree = newest(world);
        let roles = tree.and_then(|tree| roles::lanes(world, run, summary, tree));
        let columns = roles.as_ref().is_some_and(|(_, columns)| *columns);
        let (lanes, star) = match roles {
            Some((lanes, _)) => (lanes, false),
            None => tree.map_or(none, |tree| queue::lanes(world, run, summary, tree, &tethers)),
        };
        let resource = |(name, newest): (&Rc<str>, &Option<Zxid>)| Resource {
            name: name.clone(),
            newest: *newest,
            uses: summary.uses().filter(|used| used.resource == *name).take(USES).cloned().collect(),
        };
        let (alive, dead) = (world.clients.keys().copied().collect(), gone::dead(world, run));
        let resources = world.resources.iter().map(resource).collect();
        let (takers, ticketed) = (roles::takers(world, run), queue::has_tickets(world, run));
        let left = gone::left(world, summary, &dead);
        Figure { lanes, columns, ticketed, star, alive, dead, left, tethers, takers, resources, store: None }
    }

    /// The tree with its sessions now.
    pub fn of_store(world: &World, run: &Run, summary: &RunSummary) -> Figure {
        let (tethers, dead) = (tethers(world), gone::dead(world, run));
        let left = gone::left(world, summary, &dead);
        let mut store = Store::of(world, summary, (&tethers, &dead));
        if !store::minds_stats(run) {
            store.stat.clear();
        }
        Figure { store: Some(store), dead, left, tethers, ..Figure::default() }
    }

    /// All tickets.
    pub fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.lanes.iter().flat_map(|lane| &lane.tickets)
    }

    /// Where a client stands: at the ticket with which it holds something, else at its last one.
    pub fn ticket_of(&self, client: ClientId) -> Option<&Ticket> {
        let own = || self.tickets().filter(|ticket| ticket.client == Some(client));
        own().find(|ticket| ticket.claim != Claim::None).or_else(|| own().last())
    }
}

#[cfg(test)]
mod tests;
