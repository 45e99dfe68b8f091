//! What a client is in its recipes: who holds, who waits, and behind whom.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::base::{ClientId, SortedMap, Zxid};
use crate::recipes::{Share, Standing};
use crate::sim::{ClientProcess, Fact, World};
use crate::store::Tree;
use crate::timeline::RunSummary;
use crate::{client, recipes};

use super::tether::tethers;

/// A client's part in a recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A method of its recipe is under way.
    Busy,
    /// No method is, and its program does some work of its own.
    Works,
    /// It waits.
    Waits {
        /// For the client that made the node that it watches.
        behind: Option<ClientId>,
        /// How many are before it.
        ahead: u32,
        /// What it waited for has happened: the news is on its way, or it looks again.
        woken: bool,
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
            Part::Busy | Part::Works => "busy",
            Part::Waits { .. } => "waits",
            Part::Holds { stale: true, .. } => "stale",
            Part::Holds { share: Share::Leader, .. } => "leads",
            Part::Holds { .. } => "holds",
        }
    }

    /// What matters more is shown.
    fn rank(&self) -> u8 {
        match self {
            Part::Works => 0,
            Part::Busy => 1,
            Part::Waits { .. } => 2,
            Part::Holds { .. } => 3,
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
        for (_, _, standing) in process.standings() {
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
pub fn parts(world: &World, summary: &RunSummary) -> SortedMap<ClientId, Part> {
    if !world.clients.values().any(ClientProcess::runs_recipes) {
        return SortedMap::new();
    }
    let (makers, tree, watches) = (makers(world), newest(world), watches(world, summary));
    let of = |process: &ClientProcess| {
        let standings = process.standings();
        let parts = standings.map(|(_, _, standing)| part(standing, process, (&makers, &watches), tree));
        let works = process.app.as_ref().filter(|app| app.is_at_work()).map(|_| Part::Works);
        parts.chain(works).max_by_key(Part::rank)
    };
    world.clients.values().filter_map(|process| Some((process.id, of(process)?))).collect()
}

/// Who watches what, and whether the news of it is on its way, or has come since it waits.
type Watches = SortedMap<(ClientId, Rc<str>), bool>;

/// The watches of all clients; none are asked for where nobody waits.
fn watches(world: &World, summary: &RunSummary) -> Watches {
    let standings = || world.clients.values().flat_map(ClientProcess::standings);
    let mut all = Watches::new();
    if standings().any(|(.., standing)| matches!(standing, Standing::Waiting { .. })) {
        for tether in tethers(world) {
            *all.get_or_default((tether.client, tether.path)) |= tether.fired.is_some();
        }
        for heard in heard(summary) {
            *all.get_or_default(heard) = true;
        }
    }
    all
}

/// Who has been told of what since it began to wait: it has not looked yet.
fn heard(summary: &RunSummary) -> Vec<(ClientId, Rc<str>)> {
    let (mut looked, mut heard) = (BTreeSet::new(), Vec::new());
    for record in summary.told() {
        match &record.fact {
            Fact::Program { client, fact: recipes::Fact::WaitsBehind { .. } | recipes::Fact::WaitsFor { .. } } => {
                looked.insert(*client);
            }
            Fact::Client { client, fact: client::Fact::Notified { event, .. } } if !looked.contains(client) => {
                heard.extend(event.path.clone().map(|path| (*client, path)));
            }
            _ => {}
        }
    }
    heard
}

fn part(
    standing: &Standing,
    process: &ClientProcess,
    (makers, watches): (&SortedMap<&Rc<str>, ClientId>, &Watches),
    tree: Option<&Tree>,
) -> Part {
    match standing {
        Standing::Busy { .. } => Part::Busy,
        Standing::Waiting { watched, ahead, .. } => {
            let behind = makers.get(watched).copied().filter(|maker| *maker != process.id);
            // a watch that is not there any more has gone off, if what it was on is gone, too
            let gone = || !watched.is_empty() && tree.is_some_and(|tree| tree.get(watched).is_none());
            let woken = watches.get(&(process.id, watched.clone())).copied().unwrap_or_else(gone);
            Part::Waits { behind, ahead: *ahead, woken }
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
        let (mut player, mut summary) = begun(id);
        on(&mut player, &mut summary, ms);
        parts(player.world(), &summary)
    }

    fn begun(id: &str) -> (Player, RunSummary) {
        (Player::new(scenario(id).unwrap().run()).unwrap(), RunSummary::default())
    }

    fn on(player: &mut Player, summary: &mut RunSummary, ms: u64) {
        player.run_until(SimTime::from_ms(ms), |_, records| records.iter().for_each(|record| summary.read(record)));
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
    fn who_waits_is_woken_by_the_news_and_works_when_its_method_has_returned() {
        let ((mut player, mut summary), mut woken) = (begun("lock-mutex"), std::collections::BTreeMap::new());
        let mut wakes = 0;
        for ms in 3_400..6_000 {
            on(&mut player, &mut summary, ms);
            for (client, part) in parts(player.world(), &summary) {
                let wakes_now = matches!(part, Part::Waits { woken: true, .. });
                let before = woken.insert(client, (part.class(), wakes_now));
                wakes += usize::from(wakes_now && before == Some(("waits", false)));
                let held = part.class() == "holds" && before.is_some_and(|(class, _)| class == "waits");
                assert!(
                    !held || before == Some(("waits", true)),
                    "nobody holds it before the news is there: {client}"
                );
            }
        }
        assert!(wakes > 0, "{woken:?}");
        let (mut player, mut summary) = begun("use-barrier");
        let works = (3_000..7_000).any(|ms| {
            on(&mut player, &mut summary, ms);
            parts(player.world(), &summary).values().any(|part| *part == Part::Works)
        });
        assert!(works, "whoever has entered is at work");
    }

    /// Whoever watches the whole queue is woken though what it watches is still there.
    #[test]
    fn who_is_told_of_a_change_is_woken_until_it_waits_anew() {
        let (mut player, mut summary) = begun("lock-watch-all");
        let told = (3_300..4_500).any(|ms| {
            on(&mut player, &mut summary, ms);
            let waits = |part: &Part| matches!(part, Part::Waits { .. });
            let woken = |part: &Part| matches!(part, Part::Waits { woken: true, .. });
            let parts = parts(player.world(), &summary);
            parts.values().filter(|part| waits(part)).count() > 1
                && parts.values().filter(|part| waits(part)).all(woken)
        });
        assert!(told, "a change wakes them all");
    }

    #[test]
    fn a_paused_holder_without_its_node_is_stale() {
        let classes = |ms| at("lock-pause", ms).values().map(Part::class).collect::<Vec<_>>();
        assert_eq!(classes(5_000), ["holds", "waits"]);
        assert_eq!(classes(8_500), ["stale", "holds"]);
    }
}
