//! The run as a picture over time: a lane for each server and client, an arrow for each message, what happened on the lanes.
//!
//! A [`Diagram`] reads facts one by one and only ever grows, so it may know more than the moment that is looked at: every
//! entry has the number of the fact that told it, and what has a later number than the playhead's is the known future. When
//! somebody acts in the past, [`Diagram::truncate`] forgets that future. Entries are small: 100,000 events of a run cost a few
//! megabytes. Copies share them, so that every version of a run can keep its own.

mod before;
mod claims;
mod entry;
mod forget;
mod index;
mod read;

use std::collections::BTreeMap;

use crate::base::{Chunks, ConnId, Epoch, MsgId, Node, ServerId, SortedMap, Zxid};

pub use before::{End, Moment, Order};
use claims::Claim;
pub use claims::Overlap;
pub use entry::{Arrow, Event, Fate, Kind, NEVER, UNKNOWN, What};
use entry::{FIN, Said, node_of, number_of};
use index::Block;

/// How many entries a piece of the two long lists holds.
const PIECE: usize = 256;

/// A list of so many entries that it is read piece by piece.
pub type List<T> = Chunks<T, PIECE>;

/// What a server or client is, for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Its process does not run, or its session is over.
    Down,
    /// A server looks for a leader.
    Looking,
    /// It follows.
    Following,
    /// It leads.
    Leading,
    /// It observes.
    Observing,
    /// It serves alone.
    Standalone,
    /// A client without a connection.
    Away,
    /// A client with a connection and a session.
    Connected,
}

/// From a moment on, a lane is this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneState {
    /// Since when, µs.
    pub at_us: u64,
    /// The fact that told of it.
    pub seq: u32,
    /// The epoch in which it serves; 0 for none.
    pub epoch: Epoch,
    /// What it is.
    pub stand: Stand,
    /// Its process stands still.
    pub paused: bool,
    /// How many things a client's program holds: locks, leases, leadership.
    pub holds: u8,
}

/// A transaction on its way to a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Queued {
    zxid: Zxid,
    at_us: u64,
    seq: u32,
    /// The fact by which it no longer waits.
    done: u32,
}

/// The lane of a server or client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    born: u32,
    turns: Vec<LaneState>,
    queued: Chunks<Queued>,
    /// Before this place in `queued`, nothing waits.
    waiting: usize,
    /// When its disk finished something last, µs.
    disk_us: u64,
}

impl Lane {
    /// What it was over time, oldest first.
    pub fn turns(&self) -> &[LaneState] {
        &self.turns
    }

    /// What it is at the playhead, as the facts before a number tell.
    pub fn turn_at(&self, next_seq: u32) -> Option<&LaneState> {
        self.turns[..self.turns.partition_point(|turn| turn.seq < next_seq)].last()
    }
}

/// The time in which a leader serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Since when, µs.
    pub from_us: u64,
    /// Until when; [`UNKNOWN`] while it lasts.
    pub to_us: u64,
    /// The fact that told of its beginning.
    pub seq: u32,
    /// The fact that told of its end; [`NEVER`] while it lasts.
    pub end_seq: u32,
    /// The epoch.
    pub epoch: Epoch,
    /// Who leads.
    pub leader: ServerId,
}

/// A connection: what one process's death tells the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    ends: (Node, Node),
    opened: u32,
    closed: u32,
    /// The arrow that stands for its end.
    fin: Option<u32>,
}

/// Everything that the picture over time is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    arrows: List<Arrow>,
    blocks: Vec<Block>,
    kinds: Vec<Kind>,
    events: List<Event>,
    /// The longest that one of the events took, µs.
    longest_us: u64,
    lanes: SortedMap<Node, Lane>,
    bands: Vec<Band>,
    claims: Vec<Claim>,
    lines: BTreeMap<ConnId, Line>,
    /// When each direction of each link was cut, until when, µs.
    cuts: BTreeMap<(Node, Node), Vec<(u64, u64)>>,
    /// The times that messages took which arrived, summed up, µs, and how many they were.
    travel: (u64, u64),
    next_seq: u32,
}

impl Diagram {
    /// The messages, in the order in which they were sent.
    pub fn arrows(&self) -> &List<Arrow> {
        &self.arrows
    }

    /// The kind of a message.
    pub fn kind(&self, arrow: &Arrow) -> &Kind {
        &self.kinds[usize::from(arrow.kind)]
    }

    /// What happened on the lanes, in order.
    pub fn events(&self) -> &List<Event> {
        &self.events
    }

    /// The lanes: servers, then clients, by number.
    pub fn lanes(&self) -> &SortedMap<Node, Lane> {
        &self.lanes
    }

    /// The reigns, in order.
    pub fn bands(&self) -> &[Band] {
        &self.bands
    }

    /// The number of the next fact that it has not read.
    pub fn next_seq(&self) -> u32 {
        self.next_seq
    }

    /// The time of the last thing that it knows, µs.
    pub fn last_us(&self) -> u64 {
        let sent = self.arrows.last().map_or(0, |arrow| arrow.sent_us);
        let happened = self.events.last().map_or(0, |event| event.at_us);
        let ends = self.blocks.iter().map(|block| block.last_end_us).max().unwrap_or(0);
        sent.max(happened).max(ends)
    }

    /// How long a message usually takes, µs.
    pub fn usual_us(&self) -> u64 {
        match self.travel {
            (_, 0) => 10_000,
            (sum, count) => (sum / count).max(1),
        }
    }

    /// How far a message had come that was on its way for so long: as usual ones, but never all of the way.
    pub fn share(&self, for_us: u64) -> f64 {
        (for_us as f64 / self.usual_us() as f64).clamp(0.04, 0.88)
    }

    /// Where a message waited on its way until a moment, as a share of the way: at a cut, or before a process that stood still.
    /// None for one that was not longer on its way than usual.
    pub fn waited(&self, arrow: &Arrow, until_us: u64) -> Option<f64> {
        let until = arrow.end_us.min(until_us);
        if until.saturating_sub(arrow.sent_us) < 2 * self.usual_us() {
            return None;
        }
        let overlaps = |&(from, to): &(u64, u64)| from < until && to > arrow.sent_us;
        if self.cuts.get(&(arrow.from, arrow.to)).is_some_and(|cuts| cuts.iter().any(overlaps)) {
            return Some(AT_CUT);
        }
        let turns = self.lanes.get(&arrow.to)?.turns();
        let first = turns.partition_point(|turn| turn.at_us <= arrow.sent_us).saturating_sub(1);
        let met = turns[first..].iter().take_while(|turn| turn.at_us < until);
        met.into_iter().any(|turn| turn.paused).then_some(AT_PAUSE)
    }

    /// The place of a message among the arrows.
    pub fn find(&self, msg: MsgId) -> Option<usize> {
        let id = u32::try_from(msg.0).ok()?;
        let first = self.arrows.partition_point(|arrow| arrow.msg < id);
        let rest = self.arrows.from(first).take_while(|arrow| arrow.msg == id);
        rest.enumerate().find(|(_, arrow)| arrow.kind != FIN).map(|(further, _)| first + further)
    }

    /// Since when a disk has been busy with transactions that are not on it at the playhead, µs, and with which first.
    pub fn syncing(&self, node: Node, next_seq: u32) -> Option<(u64, Zxid)> {
        let lane = self.lanes.get(&node)?;
        let first = lane.queued.partition_point(|queued| queued.done < next_seq);
        let waits = lane.queued.get(first).filter(|queued| queued.seq < next_seq)?;
        let mine = |event: &&Event| event.node == node && event.what == What::Synced && event.seq < next_seq;
        let known = self.events.partition_point(|event| event.seq < next_seq);
        // a disk does one thing after the other, so only the last sync counts, and it is not far back
        let free =
            (known.saturating_sub(SEARCHED)..known).rev().filter_map(|place| self.events.get(place)).find(mine);
        let free = free.map_or(0, |event| event.at_us);
        Some((waits.at_us.max(free), waits.zxid))
    }
}

/// Where messages wait, as a share of their way: at a cut, as on the stage, and before a process that stands still.
const AT_CUT: f64 = 0.4;
const AT_PAUSE: f64 = 0.86;

/// How many events are looked at for the last sync of a disk.
const SEARCHED: usize = 400;

#[cfg(test)]
pub(crate) mod tests;
