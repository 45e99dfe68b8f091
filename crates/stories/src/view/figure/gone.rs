//! What is not there any more and must still be seen: nodes that were deleted a moment ago, clients whose processes are dead.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, Micros, SimTime, SortedSet, Zxid};
use crate::server;
use crate::sim::{Action, Fact, Run, World, WorldFact};
use crate::store::{Op, Tree};
use crate::timeline::RunSummary;
use crate::view::standing::newest;

/// How long a deleted node stays in the picture, µs without idle stretches.
const STAYS_US: Micros = 250_000;
/// Where programs outside live in real time no stretch is skipped: then it is no longer news after this, µs.
const REAL_US: Micros = 2_000_000;
/// And one that went with the session of a client that lives, beside a tree: it may make it again.
const MISSED_US: Micros = 2_500_000;
/// Nothing that went with a client whose process is dead stays longer, µs, though nothing else happens: nobody will look for it.
const LEFT_US: Micros = 1_000_000;
/// So many of them stay at most, the newest ones.
const MOST: usize = 8;

/// A node that was deleted a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    /// Where it was.
    pub path: Rc<str>,
    /// Whose request deleted it; none where a session ended, or where a server did it by itself.
    pub by: Option<ClientId>,
}

/// What was deleted a moment ago and has not come back, the newest first: as the transactions say that this tree has applied.
pub(super) fn gone(world: &World, summary: &RunSummary, tree: &Tree, missed: bool) -> Vec<Gone> {
    let outside = world.clients.values().any(|process| process.outside.is_some());
    let passed = |at| outside && world.now.since(at) > REAL_US;
    let recent = |at| summary.lively_since(at) <= STAYS_US && !passed(at);
    let looked_at = |at| recent(at) || (missed && world.now.since(at) <= MISSED_US);
    let commits = summary.commits().rev().take_while(|commit| looked_at(commit.at));
    let commits = commits.filter(|commit| commit.zxid <= tree.last);
    let applied: BTreeMap<Zxid, (bool, SimTime)> =
        commits.map(|commit| (commit.zxid, (recent(commit.at), commit.at))).collect();
    let logs = world.processes.values().filter_map(|process| process.files()).map(|files| &files.log);
    let (Some((first, _)), Some(log)) =
        (applied.first_key_value(), logs.max_by_key(|log| log.last().map(|last| last.zxid)))
    else {
        return Vec::new();
    };
    let mut all: Vec<Gone> = Vec::new();
    for entry in log.iter().rev().take_while(|entry| entry.zxid >= *first) {
        let by = summary.session_of(entry.payload.txn.session);
        let ends = matches!(entry.payload.txn.op, Op::CloseSession { .. });
        let lives = || by.is_some_and(|client| world.clients.contains_key(&client));
        let due = |(recent, at): &(bool, SimTime)| match (ends, lives()) {
            (true, true) => true,
            (true, false) => *recent && world.now.since(*at) <= LEFT_US,
            (false, _) => *recent,
        };
        if applied.get(&entry.zxid).is_some_and(due) {
            collect(&entry.payload.txn.op, by, &mut |path, by| {
                let known = all.iter().any(|one| one.path == *path);
                if !known && tree.get(path).is_none() && all.len() < MOST {
                    all.push(Gone { path: path.clone(), by });
                }
            });
        }
    }
    all
}

/// What an operation deletes.
fn collect(op: &Op, by: Option<ClientId>, found: &mut dyn FnMut(&Rc<str>, Option<ClientId>)) {
    match op {
        Op::Delete { path } => found(path, by),
        Op::CloseSession { paths } => paths.iter().for_each(|path| found(path, None)),
        Op::Multi(ops) => ops.iter().for_each(|op| collect(op, by, found)),
        _ => {}
    }
}

/// The clients that were opened and whose processes are dead.
pub(super) fn dead(world: &World, run: &Run) -> SortedSet<ClientId> {
    let begun = run.actions.iter().take_while(|timed| timed.at_us <= world.now);
    let opened = begun.filter_map(|timed| match timed.action {
        Action::OpenClient { client, .. } => Some(client),
        _ => None,
    });
    opened.filter(|client| !world.clients.contains_key(client)).collect()
}

/// The dead of whom something is left: their session, or the news of its end or of their own.
pub(super) fn left(world: &World, summary: &RunSummary, dead: &SortedSet<ClientId>) -> SortedSet<ClientId> {
    if dead.is_empty() {
        return SortedSet::default();
    }
    let sessions = newest(world).into_iter().flat_map(|tree| tree.sessions());
    let mut left: SortedSet<ClientId> = sessions.filter_map(|(session, _)| summary.session_of(session)).collect();
    let recent = |at| world.now.since(at) <= LEFT_US && summary.lively_since(at) <= STAYS_US;
    for record in summary.told().take_while(|record| recent(record.at_us)) {
        let whose = match &record.fact {
            Fact::Server { fact: server::Fact::SessionClosed { session, .. }, .. } => summary.session_of(*session),
            Fact::World(WorldFact::ClientKilled { client }) | Fact::Client { client, .. } => Some(*client),
            _ => None,
        };
        left.extend(whose);
    }
    dead.iter().filter(|client| left.contains(client)).copied().collect()
}
