//! The tickets: ephemeral znodes below the paths of recipes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{Arrange, ClientId};
use crate::recipes::{App, Kind, Standing, numbered, without_guids};
use crate::sim::{Action, Run, World};
use crate::store::{Owner, Tree, Znode};
use crate::timeline::RunSummary;
use crate::wire::parent_of;

use super::gone::gone;
use super::roles;
use super::store::short;
use super::{Claim, Lane, Tether, Ticket};

/// Whether recipes of this kind are about one node that everybody wants; those of one's own say it by what they create.
fn wants_one(world: &World, kind: Kind) -> bool {
    let mut apps = world.clients.values().filter_map(|process| process.app.as_ref());
    let own = |app: &App| app.own_recipes().any(|(_, program, _)| program.is_of_one_node());
    [Kind::NAIVE_LOCK, Kind::NAIVE_LEADER].contains(&kind) || kind == Kind::OWN && apps.any(own)
}

/// Recipes in which nobody stands in a queue, beside those with roles and queues of items.
const NO_TICKETS: [Kind; 11] = [
    Kind::BARRIER,
    Kind::CONFIG,
    Kind::NAMING,
    Kind::SHARED_COUNT,
    Kind::ATOMIC_LONG,
    Kind::CACHE,
    Kind::PERSISTENT_NODE,
    Kind::PERSISTENT_TTL_NODE,
    Kind::GROUP_MEMBER,
    Kind::SERVICE_DISCOVERY,
    Kind::SERVICE_PROVIDER,
];

/// Whether clients draw tickets in some recipe of the run, begun or not; those of one's own say it by what they create, once they are there.
pub(super) fn has_tickets(world: &World, run: &Run) -> bool {
    let apps = || world.clients.values().filter_map(|process| process.app.as_ref());
    let own = || apps().flat_map(App::own_recipes).any(|(_, program, _)| program.has_tickets());
    let outside = world.clients.values().any(|process| process.outside.is_some());
    let made = |is: fn(Kind) -> bool| {
        run.actions.iter().any(|timed| matches!(&timed.action, Action::MakeRecipe { recipe, .. } if is(recipe.kind)))
    };
    let built_in = |kind| kind != Kind::OWN && !roles::has_roles(kind) && !NO_TICKETS.contains(&kind);
    outside || made(built_in) || made(|kind| kind == Kind::OWN) && own()
}

/// The paths of all recipes that were begun so far, those of programs outside too; and whether ours are all about one node that everybody
/// wants.
fn paths(world: &World, run: &Run) -> (BTreeSet<Rc<str>>, bool) {
    let begun = run.actions.iter().take_while(|timed| timed.at_us <= world.now);
    let made = begun.filter_map(|timed| match &timed.action {
        Action::MakeRecipe { recipe, .. } => Some((recipe.path.clone(), wants_one(world, recipe.kind))),
        _ => None,
    });
    let made: Vec<_> = made.collect();
    let star = !made.is_empty() && made.iter().all(|(_, one)| *one);
    let outside = world.clients.values().filter_map(|process| process.outside.as_ref());
    let recognised = outside.flat_map(|program| program.queues().cloned());
    (made.into_iter().map(|(path, _)| path).chain(recognised).collect(), star)
}

/// What clients believe of their nodes.
fn claims(world: &World, tree: &Tree) -> BTreeMap<Rc<str>, (ClientId, Claim)> {
    let mut claims = BTreeMap::new();
    for process in world.clients.values() {
        for (_, _, standing) in process.standings() {
            match standing {
                Standing::Waiting { node, .. } if !node.is_empty() => {
                    claims.entry(node.clone()).or_insert((process.id, Claim::None));
                }
                Standing::Holding { node, share, token } => {
                    let own = |znode: &Rc<Znode>| token.is_none_or(|token| znode.czxid == token);
                    let claim = if tree.get(node).is_some_and(own) { Claim::Holds(*share) } else { Claim::Stale };
                    claims.insert(node.clone(), (process.id, claim));
                }
                _ => {}
            }
        }
    }
    claims
}

/// The queues, and whether all want one node.
pub(super) fn lanes(
    world: &World,
    run: &Run,
    summary: &RunSummary,
    tree: &Tree,
    tethers: &[Tether],
) -> (Vec<Lane>, bool) {
    let (paths, star) = paths(world, run);
    let claims = claims(world, tree);
    let mut found: BTreeSet<Rc<str>> = BTreeSet::new();
    for path in &paths {
        found.extend(tree.get(path).filter(|node| star && node.owner != Owner::None).map(|_| path.clone()));
        let below = tree.below(path).filter(|(name, node)| is_below(name, path) && owned(node));
        found.extend(below.map(|(name, _)| name.clone()));
    }
    let ours = |path: &str| paths.iter().any(|of| if star { path == &**of } else { is_below(path, of) });
    found.extend(claims.keys().filter(|path| ours(path)).cloned());
    // what is gone stays as long as somebody is about to hear of it
    let told = tethers.iter().filter(|tether| ours(&tether.path) && (star || numbered(&tether.path).is_some()));
    found.extend(told.map(|tether| tether.path.clone()));
    let gone = gone(world, summary, tree, false);
    found.extend(gone.iter().map(|gone| gone.path.clone()).filter(|path| ours(path)));
    let mut lanes: BTreeMap<Rc<str>, Vec<Ticket>> = BTreeMap::new();
    for path in found {
        let parent = parent_of(&path).unwrap_or("/").into();
        let by = gone.iter().find(|gone| gone.path == path).and_then(|gone| gone.by);
        lanes.entry(parent).or_default().push(Ticket { by, ..ticket(world, summary, tree, &claims, path) });
    }
    if lanes.is_empty() {
        lanes.extend(paths.into_iter().map(|path| (path, Vec::new())));
    }
    let lane = |(parent, tickets): (Rc<str>, Vec<Ticket>)| Lane { parent, tickets: in_order(tickets) };
    (lanes.into_iter().map(lane).collect(), star)
}

/// Tickets in the order of their numbers.
pub(super) fn in_order(mut tickets: Vec<Ticket>) -> Vec<Ticket> {
    tickets.arrange_by_key(|ticket| (number(&ticket.path), ticket.path.clone()));
    tickets
}

fn is_below(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'))
}

fn owned(node: &Znode) -> bool {
    matches!(node.owner, Owner::Session(_))
}

pub(super) fn ticket(
    world: &World,
    summary: &RunSummary,
    tree: &Tree,
    claims: &BTreeMap<Rc<str>, (ClientId, Claim)>,
    path: Rc<str>,
) -> Ticket {
    let node = tree.get(&path);
    let claimed = claims.get(&path).copied();
    // a stale claim is another's: the node of that path may be a new one
    let owner = node.and_then(|node| match node.owner {
        Owner::Session(session) => summary.session_of(session),
        _ => None,
    });
    let client = owner.or(claimed.map(|(client, _)| client));
    let claim = claimed.filter(|(whose, _)| Some(*whose) == client).map_or(Claim::None, |(_, claim)| claim);
    let process = client.and_then(|client| world.clients.get(&client));
    Ticket {
        name: short_name(&path),
        numbered: numbered(&path).is_some(),
        client,
        server: process.and_then(|process| process.client.server),
        alive: process.is_some(),
        there: node.is_some(),
        claim,
        note: node.map(|node| short(&node.data)).unwrap_or_default(),
        given: None,
        by: None,
        path,
    }
}

/// The number that the parent gave; 0 where it gave none. One past the largest it is negative: then a sign stands before it, behind the
/// hyphen with which prefixes end, or it would be larger than the largest.
pub(super) fn number(path: &str) -> i64 {
    let Some((what, number)) = numbered(path) else { return 0 };
    if what.ends_with("--") || number > i32::MAX.into() { -number } else { number }
}

/// How many letters of a name stand before its number.
const PREFIX: usize = 8;

/// A name as short as can be: what it is, and the end of its number.
pub(super) fn short_name(path: &str) -> String {
    let name = without_guids(path.rsplit('/').next().unwrap_or(path));
    if numbered(&name).is_none() {
        return format!("/{name}");
    }
    let sign = if self::number(&name) < 0 { "-" } else { "" };
    let (what, number) = name.split_at(name.len() - 10);
    // items of Curator's queues: a priority, a time or an id stands between bars
    let what = what.split('|').nth(1).unwrap_or(what);
    // when it is due, ms (`DistributedDelayQueue.java` `epochToString`)
    if let (8, Ok(due)) = (what.len(), u64::from_str_radix(what, 16)) {
        return format!("{}.{} s {:0>3}", due / 1_000, due / 100 % 10, number.trim_start_matches('0'));
    }
    let what: String = what.trim_matches(['…', '_', '-']).chars().take(PREFIX).collect();
    let number = number.trim_start_matches('0');
    format!("{what} {sign}{number:0>3}")
}
