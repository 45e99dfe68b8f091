//! Which facts make one sentence: of one kind, about the same, within a hop.

use std::rc::Rc;

use crate::recipes;
use crate::sim::{Fact, Record, WorldFact};
use crate::zab;
use crate::{client, server};

/// How long a hop is, µs.
const HOP_US: u64 = 15_000;

/// Whether the second one comes within a hop of the first.
pub(super) fn at_once(first: &Record, second: &Record) -> bool {
    second.at_us.since(first.at_us) <= HOP_US
}

/// Whether facts of one sentence came one after the other, and not at once.
pub fn in_turn(records: &[Rc<Record>]) -> bool {
    records.first().zip(records.last()).is_some_and(|(first, last)| !at_once(first, last))
}

/// Whether the second one may be told with the first, which came before it.
pub(super) fn alike(first: &Record, second: &Record) -> bool {
    match (&first.fact, &second.fact) {
        (Fact::Zab { server: a, fact: x }, Fact::Zab { server: b, fact: y }) => in_servers(x, y, a == b),
        (Fact::World(x), Fact::World(y)) => in_world(x, y),
        (Fact::Client { client: a, fact: x }, Fact::Client { client: b, fact: y }) => in_clients(x, y, a == b),
        (Fact::Server { fact: x, .. }, Fact::Server { fact: y, .. }) => in_services(x, y),
        (Fact::Program { client: a, fact: x }, Fact::Program { client: b, fact: y }) => in_programs(x, y, a == b),
        _ => false,
    }
}

/// Whether the second one says again what the first one said: of failing writes, each is another one.
pub(super) fn repeats(first: &Record, second: &Record) -> bool {
    match (&first.fact, &second.fact) {
        (
            Fact::World(WorldFact::WriteFailed { server: a, reason: r, .. }),
            Fact::World(WorldFact::WriteFailed { server: b, reason: s, .. }),
        ) => (a, r) == (b, s),
        (first, second) => first == second,
    }
}

fn in_servers(x: &zab::Fact, y: &zab::Fact, same: bool) -> bool {
    use zab::Fact as F;
    match (x, y) {
        (F::Looking { .. }, F::Looking { .. }) => !same,
        (F::VoteChanged { vote: a, .. }, F::VoteChanged { vote: b, .. }) => !same && a.leader == b.leader,
        (F::Finalizing { leader: a, .. }, F::Finalizing { leader: b, .. }) => a == b,
        (F::Elected { leader: a, role: r, .. }, F::Elected { leader: b, role: s, .. }) => !same && a == b && r == s,
        (F::EpochAccepted { epoch: a }, F::EpochAccepted { epoch: b }) => !same && a == b,
        (F::UpToDate { epoch: a }, F::UpToDate { epoch: b }) => !same && a == b,
        (F::SyncChosen { sync: a, proposals: p, .. }, F::SyncChosen { sync: b, proposals: q, .. }) => {
            same && a == b && p == q
        }
        (F::Left { role: r, reason: a }, F::Left { role: s, reason: b }) => !same && r == s && a == b,
        (F::Proposed { .. }, F::Proposed { .. }) | (F::Committed { .. }, F::Committed { .. }) => same,
        (F::ConfigSeen { .. }, F::ConfigSeen { .. }) => !same,
        (F::ConfigActivated { .. }, F::ConfigActivated { .. }) => !same,
        _ => false,
    }
}

fn in_world(x: &WorldFact, y: &WorldFact) -> bool {
    use WorldFact as W;
    match (x, y) {
        (W::Started { incarnation: a, .. }, W::Started { incarnation: b, .. }) => (*a == 1) == (*b == 1),
        (W::Crashed { how: a, .. }, W::Crashed { how: b, .. }) => a == b,
        (W::LatencySet { range: a, .. }, W::LatencySet { range: b, .. }) => a == b,
        (W::WriteFailed { reason: a, server: s, .. }, W::WriteFailed { reason: b, server: t, .. }) => {
            a == b && s == t
        }
        (W::LinkCut { .. }, W::LinkCut { .. })
        | (W::LinkHealed { .. }, W::LinkHealed { .. })
        | (W::Added { .. }, W::Added { .. })
        | (W::ConfigEdited { .. }, W::ConfigEdited { .. })
        | (W::Paused { .. }, W::Paused { .. })
        | (W::Resumed { .. }, W::Resumed { .. })
        | (W::ClientOpened { .. }, W::ClientOpened { .. })
        | (W::ClientKilled { .. }, W::ClientKilled { .. })
        | (W::ClientPaused { .. }, W::ClientPaused { .. })
        | (W::ClientResumed { .. }, W::ClientResumed { .. }) => true,
        _ => false,
    }
}

fn in_clients(x: &client::Fact, y: &client::Fact, same: bool) -> bool {
    use client::Fact as F;
    match (x, y) {
        (F::ClientConnected { again: a, .. }, F::ClientConnected { again: b, .. }) => !same && a == b,
        (F::ClientDisconnected { .. }, F::ClientDisconnected { .. }) => !same,
        (F::ClientEnded { state: a, .. }, F::ClientEnded { state: b, .. }) => !same && a == b,
        (F::Notified { event: a, .. }, F::Notified { event: b, .. }) => !same && a.kind == b.kind && a.path == b.path,
        _ => false,
    }
}

fn in_services(x: &server::Fact, y: &server::Fact) -> bool {
    use server::Fact as F;
    match (x, y) {
        (F::WatchFired { event: a, .. }, F::WatchFired { event: b, .. }) => a.kind == b.kind && a.path == b.path,
        _ => false,
    }
}

fn in_programs(x: &recipes::Fact, y: &recipes::Fact, same: bool) -> bool {
    use recipes::Fact as F;
    match (x, y) {
        (F::Acquired { share: a, path: p, .. }, F::Acquired { share: b, path: q, .. }) => !same && a == b && p == q,
        (F::Released { reason: a, path: p, .. }, F::Released { reason: b, path: q, .. }) => !same && a == b && p == q,
        (F::WaitsBehind { .. }, F::WaitsBehind { .. }) => !same,
        (F::ConnectionState { state: a }, F::ConnectionState { state: b }) => !same && a == b,
        _ => false,
    }
}
