//! Recipes in which clients have roles: what must be done, who decides, who works, and who has been given what. Tasks, items and gates
//! are nodes that outlive whoever made them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Arrange, ClientId, SortedMap, SortedSet};
use crate::recipes::{Kind, Share, Step};
use crate::sim::{Action, Run, World};
use crate::store::Tree;
use crate::timeline::RunSummary;
use crate::wire::{decoded, parent_of};

use super::gone::gone;
use super::queue::{in_order, ticket};
use super::{Claim, Lane, Ticket};

/// A recipe with roles that was begun, and whose name in it stands for whom.
struct Company {
    kind: Kind,
    path: Rc<str>,
    members: SortedMap<Rc<str>, ClientId>,
}

/// Queues whose items are nodes that outlive whoever put them in.
const QUEUES: [Kind; 5] = [Kind::SIMPLE_QUEUE, Kind::QUEUE, Kind::PRIORITY_QUEUE, Kind::DELAY_QUEUE, Kind::ID_QUEUE];

/// Recipes in which clients have parts, and draw no tickets.
const PARTS: [Kind; 3] = [Kind::MASTER_WORKER, Kind::COLLECTORS, Kind::DOUBLE_BARRIER];

/// Whether it is a recipe of roles, or a queue of items.
pub(super) fn has_roles(kind: Kind) -> bool {
    PARTS.contains(&kind) || QUEUES.contains(&kind)
}

fn company(world: &World, run: &Run) -> Option<Company> {
    let mut found: Option<Company> = None;
    for timed in run.actions.iter().take_while(|timed| timed.at_us <= world.now) {
        let Action::MakeRecipe { client, recipe, .. } = &timed.action else { continue };
        if !has_roles(recipe.kind) {
            continue;
        }
        let begun = || Company { kind: recipe.kind, path: recipe.path.clone(), members: SortedMap::new() };
        let company = found.get_or_insert_with(begun);
        company.members.extend(recipe.id.clone().map(|id| (id, *client)));
    }
    found
}

/// Who takes items out of queues, where that is what clients do with them: by what their programs call.
pub(super) fn takers(world: &World, run: &Run) -> Option<SortedSet<ClientId>> {
    const TAKE: [&str; 3] = ["take", "poll", "start"];
    let begun = || run.actions.iter().take_while(|timed| timed.at_us <= world.now);
    let queues: SortedSet<(ClientId, &Rc<str>)> = begun()
        .filter_map(|timed| match &timed.action {
            Action::MakeRecipe { client, object, recipe } => {
                let takes = QUEUES.contains(&recipe.kind) && !recipe.has("producer_only");
                takes.then_some((*client, object))
            }
            _ => None,
        })
        .collect();
    let takes = |client: ClientId, step: &Step| match step {
        Step::Call { object, method } => queues.contains(&(client, object)) && TAKE.contains(&&*method.method),
        _ => false,
    };
    (!queues.is_empty()).then(|| {
        begun()
            .filter_map(|timed| match &timed.action {
                Action::RunThread { client, script, .. } => {
                    script.steps.iter().any(|step| takes(*client, step)).then_some(*client)
                }
                _ => None,
            })
            .collect()
    })
}

/// The lanes of a recipe with roles, and whether they stand beside each other. None where there is no such recipe.
pub(super) fn lanes(world: &World, run: &Run, summary: &RunSummary, tree: &Tree) -> Option<(Vec<Lane>, bool)> {
    let company = company(world, run)?;
    let names =
        |path: &str| tree.get(path).map(|node| node.children.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let one = |path: Rc<str>| ticket(world, summary, tree, &BTreeMap::new(), path);
    let gone = gone(world, summary, tree, false);
    let lane = |parent: &str| {
        let there = names(parent).into_iter().map(|name| one(format!("{parent}/{name}").into()));
        let left = gone.iter().filter(|gone| parent_of(&gone.path) == Some(parent));
        let left = left.map(|gone| Ticket { by: gone.by, ..one(gone.path.clone()) });
        Lane { parent: parent.into(), tickets: in_order(there.chain(left).collect()) }
    };
    let path = &company.path;
    Some(match company.kind {
        kind if kind == Kind::MASTER_WORKER => {
            let (mut tasks, mut workers) = (lane(&format!("{path}/tasks")), lane(&format!("{path}/workers")));
            let master: Rc<str> = format!("{path}/master").into();
            let mut master = Lane { parent: path.clone(), tickets: vec![one(master)] };
            master.tickets.retain(|ticket| ticket.there);
            for ticket in &mut master.tickets {
                ticket.claim = if ticket.alive { Claim::Holds(Share::Leader) } else { Claim::None };
            }
            for id in names(&format!("{path}/assign")) {
                let worker: Rc<str> = format!("{path}/workers/{id}").into();
                let given = names(&format!("{path}/assign/{id}"));
                let has = |task: &Ticket| given.iter().any(|name| task.path.rsplit('/').next() == Some(&**name));
                for task in tasks.tickets.iter_mut().filter(|task| has(task)) {
                    task.given = Some(worker.clone());
                }
                // it is gone, and still has been given something
                if !given.is_empty() && workers.tickets.iter().all(|ticket| ticket.path != worker) {
                    workers.tickets.push(Ticket { client: company.members.get(&*id).copied(), ..one(worker) });
                }
            }
            (vec![tasks, master, Lane { tickets: in_order(workers.tickets), ..workers }], true)
        }
        kind if kind == Kind::COLLECTORS => {
            let (mut sources, mut collectors) =
                (lane(&format!("{path}/sources")), lane(&format!("{path}/collectors")));
            for collector in &mut collectors.tickets {
                let name = collector.path.rsplit('/').next().unwrap_or_default();
                collector.client = company.members.get(name).copied();
                collector.alive = collector.client.is_some_and(|client| world.clients.contains_key(&client));
                let list = tree.get(&collector.path).map(|node| decoded(&node.data)).unwrap_or_default();
                for source in &mut sources.tickets {
                    let name = source.path.rsplit('/').next().unwrap_or_default();
                    if list.split(' ').any(|given| given == name) {
                        source.given = Some(collector.path.clone());
                    }
                }
            }
            (vec![sources, collectors], true)
        }
        kind => {
            let mut items = lane(path);
            // there the name says whose turn it is, and not only the number
            if [Kind::PRIORITY_QUEUE, Kind::DELAY_QUEUE].contains(&kind) {
                items.tickets.arrange_by(|one, other| one.path.cmp(&other.path));
            }
            (vec![items], false)
        }
    })
}
