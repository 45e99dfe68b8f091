//! What a client is in its recipes: who holds, who waits, and behind whom.

use std::rc::Rc;

use crate::base::{ClientId, SortedMap, Zxid};
use crate::recipes::{Share, Standing};
use crate::sim::{ClientProcess, World};
use crate::store::Tree;

/// A client's part in a recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A method of its recipe is under way.
    Busy,
    /// It waits.
    Waits {
        /// For the client that made the node that it watches.
        behind: Option<ClientId>,
        /// How many are before it.
        ahead: u32,
    },
    /// It has it, as far as it knows.
    Holds {
        /// Alone, to read, a lease, or as leader.
        share: Share,
        /// Its node is gone: others may have it too.
        stale: bool,
        /// Its node's czxid.
        token: Option<Zxid>,
    },
}

impl Part {
    /// The name of the style class.
    pub fn class(&self) -> &'static str {
        match self {
            Part::Busy => "busy",
            Part::Waits { .. } => "waits",
            Part::Holds { stale: true, .. } => "stale",
            Part::Holds { share: Share::Leader, .. } => "leads",
            Part::Holds { .. } => "holds",
        }
    }

    /// What matters more is shown.
    fn rank(&self) -> u8 {
        match self {
            Part::Busy => 0,
            Part::Waits { .. } => 1,
            Part::Holds { .. } => 2,
        }
    }
}

/// The tree of the server that has applied most.
pub(super) fn newest(world: &World) -> Option<&Tree> {
    let trees = world.processes.values().filter_map(|process| process.server()).map(|memory| &memory.tree);
    trees.max_by_key(|tree| tree.last)
}

/// The nodes of all clients in their recipes, and whose they are.
fn makers(world: &World) -> SortedMap<&Rc<str>, ClientId> {
    let mut makers = SortedMap::new();
    for process in world.clients.values() {
        for (_, _, standing) in process.app.iter().flat_map(|app| app.standings()) {
            match standing {
                Standing::Waiting { node, .. } | Standing::Holding { node, .. } if !node.is_empty() => {
                    makers.insert(node, process.id);
                }
                _ => {}
            }
        }
    }
    makers
}

/// The parts of all clients that run recipes, the weightiest of each.
pub fn parts(world: &World) -> SortedMap<ClientId, Part> {
    if world.clients.values().all(|process| process.app.is_none()) {
        return SortedMap::new();
    }
    let (makers, tree) = (makers(world), newest(world));
    let of = |process: &ClientProcess| {
        let standings = process.app.iter().flat_map(|app| app.standings());
        let parts = standings.map(|(_, _, standing)| part(standing, process, &makers, tree));
        parts.max_by_key(Part::rank)
    };
    world.clients.values().filter_map(|process| Some((process.id, of(process)?))).collect()
}

fn part(
    standing: &Standing,
    process: &ClientProcess,
    makers: &SortedMap<&Rc<str>, ClientId>,
    tree: Option<&Tree>,
) -> Part {
    match standing {
        Standing::Busy { .. } => Part::Busy,
        Standing::Waiting { watched, ahead, .. } => {
            let behind = makers.get(watched).copied().filter(|maker| *maker != process.id);
            Part::Waits { behind, ahead: *ahead }
        }
        Standing::Holding { node, share, token } => {
            let there = tree.and_then(|tree| tree.get(node));
            let own = there.is_some_and(|znode| token.is_none_or(|token| znode.stat().czxid == token));
            Part::Holds { share: *share, stale: !own, token: *token }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    fn at(id: &str, ms: u64) -> SortedMap<ClientId, Part> {
        let mut player = Player::new(scenario(id).unwrap().run()).unwrap();
        player.run_until(SimTime::from_ms(ms), |_, _| {});
        parts(player.world())
    }

    #[test]
    fn one_holds_and_each_other_waits_behind_somebody() {
        let parts = at("lock-mutex", 3_500);
        let holders: Vec<_> = parts.iter().filter(|(_, part)| part.class() == "holds").collect();
        assert_eq!(holders.len(), 1, "{parts:?}");
        let waiting = parts.values().filter_map(|part| match part {
            Part::Waits { behind, .. } => Some(behind.is_some()),
            _ => None,
        });
        assert_eq!(waiting.collect::<Vec<_>>(), [true; 4]);
    }

    #[test]
    fn a_paused_holder_without_its_node_is_stale() {
        let classes = |ms| at("lock-pause", ms).values().map(Part::class).collect::<Vec<_>>();
        assert_eq!(classes(5_000), ["holds", "waits"]);
        assert_eq!(classes(8_500), ["stale", "holds"]);
    }
}
