//! What an explorer may do to a run at a moment.

use crate::base::limits::MAX_DELAY_US;
use crate::base::{Micros, ServerId, ServerSet, SimTime};
use crate::sim::{Action, LatencyRange, PacketRef, Parcel, Status, World, WorldFact};
use crate::sim::{Fact, Interest, MoveTo, interest};

use super::stand::{Stand, status};

/// One way to trouble a run: actions, each so long after the moment.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    pub parts: Vec<(Micros, Action)>,
    /// It makes something late rather than doing something.
    pub is_late: bool,
}

/// How soon a process comes back, µs: before anybody misses it, and after the others have gone on.
const BACK_US: [Micros; 2] = [20_000, 1_000_000];
/// A packet may be late by this much, µs: behind what comes next.
const LATE_US: Micros = 150_000;
/// What a slow disk needs.
const SLOW: LatencyRange = LatencyRange::ms(400, 400);
/// What the explorer's writes say.
pub(super) const DATA: &str = "x";

impl Deed {
    fn now(action: Action) -> Deed {
        Deed { parts: vec![(0, action)], is_late: false }
    }

    fn late(action: Action) -> Deed {
        Deed { parts: vec![(0, action)], is_late: true }
    }

    fn and_later(action: Action, after: Micros, later: Action) -> Deed {
        Deed { parts: vec![(0, action), (after, later)], is_late: false }
    }

    /// Does it in a world, now: after everything else of this microsecond.
    pub(super) fn apply(&self, world: &mut World) {
        for (after, action) in &self.parts {
            world.append(world.now.plus(*after), action.clone());
        }
    }
}

/// Longer than anybody waits for a silent peer, µs; no longer than a packet may be late.
pub(super) fn long(world: &World) -> Micros {
    let limit = world.setup().sync_limit * world.setup().tick_time_ms * 1_000;
    (limit + limit / 5).min(MAX_DELAY_US)
}

/// A write through a server.
pub(super) fn write(server: ServerId) -> Action {
    Action::Write { server, data: DATA.into(), count: 1, every_us: 0 }
}

/// One machine on one side, all others on the other.
pub(super) fn sides(world: &World, server: ServerId) -> (ServerSet, ServerSet) {
    let others = world.processes.keys().copied().filter(|&other| other != server).collect();
    ([server].into_iter().collect(), others)
}

/// Everything that may be done at this moment; `sent` is what will be sent before the next one.
pub(super) fn palette(world: &World, sent: &[PacketRef]) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let up: Vec<ServerId> = status(world, Status::Running).collect();
    let long = long(world);
    for &server in &up {
        let (from, to) = sides(world, server);
        let (cut, heal) = (Action::Cut { from, to, one_way: false }, Action::Heal { from, to, one_way: false });
        deeds.push(Deed::now(write(server)));
        deeds.push(Deed::now(Action::Crash { server }));
        deeds.extend(BACK_US.map(|back| Deed::and_later(Action::Crash { server }, back, Action::Restart { server })));
        if !to.is_empty() {
            deeds.push(Deed::now(cut.clone()));
            deeds.push(Deed::and_later(cut, long, heal));
        }
        deeds.push(Deed::and_later(Action::Pause { server }, long, Action::Resume { server }));
    }
    deeds.extend(status(world, Status::Crashed).map(|server| Deed::now(Action::Restart { server })));
    deeds.extend(status(world, Status::Paused).map(|server| Deed::now(Action::Resume { server })));
    all_at_once(&up, &mut deeds);
    to_clients(world, &up, long, &mut deeds);
    deeds.extend(up.iter().map(|&server| Deed::late(Action::Disk { server, sync: SLOW })));
    for &packet in sent {
        deeds.extend([LATE_US, long].map(|us| Deed::late(Action::DelayPacket { packet, us })));
    }
    deeds
}

/// All die; all, or all but one, come back.
fn all_at_once(up: &[ServerId], deeds: &mut Vec<Deed>) {
    if up.len() < 2 {
        return;
    }
    for missing in up.iter().map(Some).chain([None]) {
        let dies = up.iter().map(|&server| (0, Action::Crash { server }));
        let back = up.iter().filter(|server| Some(*server) != missing);
        let back = back.map(|&server| (BACK_US[0], Action::Restart { server }));
        deeds.push(Deed { parts: dies.chain(back).collect(), is_late: false });
    }
}

fn to_clients(world: &World, up: &[ServerId], long: Micros, deeds: &mut Vec<Deed>) {
    for process in world.clients.values().filter(|process| !process.paused) {
        let client = process.id;
        deeds.push(Deed::now(Action::DisconnectClient { client }));
        deeds.push(Deed::now(Action::ExpireClient { client }));
        deeds.push(Deed::now(Action::KillClient { client }));
        deeds.push(Deed::and_later(Action::PauseClient { client }, 5 * long, Action::ResumeClient { client }));
        for &server in up {
            let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
            deeds.push(Deed::now(Action::MoveClient { client, to }));
        }
    }
}

impl Stand {
    /// Goes on to the next moment at which something may be done: after something worth words, and after everything else of
    /// that microsecond. The packets that were sent on the way, by name; `None` where there is no such moment until then, or
    /// the goal is reached.
    pub(super) fn next_point(&mut self, until: SimTime) -> Option<Vec<PacketRef>> {
        let (mut sent, mut told) = (Vec::new(), false);
        while self.watch.found.is_none() {
            let next = self.world.next_at();
            if told && next.is_none_or(|at| at > self.world.now) {
                return Some(sent);
            }
            if next.is_none_or(|at| at > until) || !self.step() {
                return None;
            }
            for record in self.world.last_facts() {
                told |= interest(record) > Interest::Noise && !is_own(&record.fact);
                sent.extend(named(&self.world, &record.fact));
            }
        }
        None
    }
}

/// Whether a fact only tells what an action did: a moment of its own is what follows from it.
fn is_own(fact: &Fact) -> bool {
    use WorldFact as W;
    let Fact::World(fact) = fact else { return false };
    matches!(fact, W::WriteAsked { .. } | W::LinkCut { .. } | W::LinkHealed { .. } | W::ActionRefused { .. })
}

/// The packet that a fact sent, by its name. Heartbeats are many, and being late is all that they are for.
fn named(world: &World, fact: &Fact) -> Option<PacketRef> {
    let Fact::World(WorldFact::Sent { msg, message, .. }) = fact else { return None };
    let beats =
        matches!(message, Parcel::Zab(_)) && message.name() == "PING" || message.name().starts_with("CLIENT_P");
    if beats { None } else { world.network.packet(*msg).map(|(packet, _)| packet) }
}
