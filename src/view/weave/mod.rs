//! The run as a picture over time: a lane for each server and client, an arrow for each message, what happened on the lanes.
//!
//! A [`Weave`] reads facts one by one and only ever grows, so it may know more than the moment that is looked at: every
//! entry has the number of the fact that told it, and what has a later number than the playhead's is the known future. When
//! somebody acts in the past, [`Weave::truncate`] forgets that future. Entries are small: 100,000 events of a run cost a few
//! megabytes. Copies share them, so that every version of a run can keep its own.

mod arrows;
mod before;
mod chunks;
mod draw;
mod frame;
mod hit;
mod index;
mod lanes;
mod read;
mod shape;
mod thin;

use std::collections::BTreeMap;

use crate::base::{ConnId, Epoch, MsgId, Node, ServerId, Zxid};

use super::packet::Look;

pub use before::{End, Moment, Order};
pub use chunks::Chunks;
pub use draw::{Chosen, Picture, Words, draw};
pub use frame::{FINGER, Frame, REACH, Row, Window, seconds};
pub use hit::{Hit, Shown};
use index::Block;
pub use thin::{Drawn, Thinned, thin};

/// A time or number that is not known yet.
pub const UNKNOWN: u64 = u64::MAX;
/// The number of a fact that is not there yet.
pub const NEVER: u32 = u32::MAX;

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is on its way.
    Flying,
    /// It arrived.
    Arrived,
    /// It never will.
    Lost,
}

/// What is written beside a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Zxid,
    /// A zxid that does not colour it: it belongs to no epoch, or to one of the past.
    Pale,
    Epoch,
    Vote,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// When it was sent, µs.
    pub sent_us: u64,
    /// When it arrived or was lost, µs; [`UNKNOWN`] while it is on its way.
    pub end_us: u64,
    value: u64,
    msg: u32,
    /// The fact that told of its sending.
    pub sent_seq: u32,
    /// The fact that told of its end; [`NEVER`] while it is on its way.
    pub end_seq: u32,
    /// By whom.
    pub from: Node,
    /// To whom.
    pub to: Node,
    kind: u8,
    /// What became of it.
    pub fate: Fate,
    said: Said,
}

impl Arrow {
    /// What is written beside it: a zxid, an epoch, for whom a vote is; often nothing.
    pub fn label(&self) -> String {
        match self.said {
            Said::Nothing => String::new(),
            Said::Zxid | Said::Pale => Zxid(self.value).to_string(),
            Said::Epoch => format!("e{}", self.value),
            Said::Vote => ServerId(self.value as u8).to_string(),
        }
    }

    /// The epoch that colours it.
    pub fn epoch(&self) -> Option<Epoch> {
        match self.said {
            Said::Zxid => Some(Zxid(self.value).epoch()),
            Said::Epoch => Some(self.value as Epoch),
            Said::Nothing | Said::Pale | Said::Vote => None,
        }
        .filter(|&epoch| epoch > 0)
    }

    /// Which message; none for the end of a connection, which is no message of the protocol.
    pub fn msg(&self) -> Option<MsgId> {
        (self.kind != FIN).then_some(MsgId(self.msg.into()))
    }

    /// What became of it as far as the facts before a number tell, and when that was.
    pub fn fate_at(&self, next_seq: u32) -> (Fate, u64) {
        if self.end_seq < next_seq { (self.fate, self.end_us) } else { (Fate::Flying, UNKNOWN) }
    }
}

/// A kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its type, in the real name.
    pub name: &'static str,
    /// How it looks.
    pub look: Look,
    born: u32,
}

impl Kind {
    /// Whether it only says that somebody is alive.
    pub fn is_heartbeat(&self) -> bool {
        matches!(self.name, "PING" | "CLIENT_PING" | "CLIENT_PONG")
    }
}

/// The kind of the end of a connection whose process died.
const FIN: u8 = 0;

macro_rules! whats {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// What happened on a lane.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum What {
            $($(#[$doc])* $name,)*
        }

        impl What {
            /// All of them.
            pub const ALL: &'static [What] = &[$(What::$name,)*];

            /// A stable name, under which languages keep their words.
            pub fn id(self) -> &'static str {
                match self {
                    $(What::$name => $id,)*
                }
            }
        }
    };
}

whats! {
    /// A process started.
    Started = "started",
    /// A process died.
    Crashed = "crashed",
    /// A process ended itself.
    Exited = "exited",
    /// A process stopped to do anything.
    Paused = "paused",
    /// It goes on.
    Resumed = "resumed",
    /// A disk was emptied.
    Wiped = "wiped",
    /// It looks for a leader.
    Looking = "looking",
    /// It took up a role; the value is the leader.
    Elected = "elected",
    /// A leader serves; the value is the epoch.
    Established = "established",
    /// A learner serves; the value is the epoch.
    UpToDate = "up_to_date",
    /// It left its role.
    Left = "left",
    /// A leader proposed; the value is the zxid.
    Proposed = "proposed",
    /// A leader committed; the value is the zxid.
    Committed = "committed",
    /// Transactions are on disk; the value is the last zxid.
    Synced = "synced",
    /// An epoch is on disk; the value is the epoch.
    EpochWritten = "epoch_written",
    /// A snapshot is on disk; the value is its zxid.
    Snapshot = "snapshot",
    /// The log was cut; the value is the zxid behind which.
    Truncated = "truncated",
    /// Transactions had not reached the disk when the process died; the value is the first zxid.
    UnsyncedLost = "unsynced_lost",
    /// A client of this server asked for a write.
    Asked = "asked",
    /// That client has its answer; the value is the zxid.
    Answered = "answered",
    /// That write failed, or nobody knows.
    Failed = "failed",
    /// A leader ended a session.
    Expired = "expired",
    /// A client's process started.
    Opened = "opened",
    /// A client's process died.
    Killed = "killed",
    /// A client has a connection and a session; the value is the server.
    Connected = "connected",
    /// A client lost its connection; the value is the server.
    Disconnected = "disconnected",
    /// A client's session is over, for it.
    Ended = "ended",
    /// A client's program has what it waited for.
    Acquired = "acquired",
    /// It no longer has it.
    Released = "released",
    /// It wrote to something outside of the ensemble.
    Wrote = "wrote",
    /// That refused the write.
    Refused = "refused",
    /// A link was cut, from the lane to the server or client in the value. Nobody learns of it: no event of a process.
    Cut = "cut",
    /// It lets packets through again.
    Healed = "healed",
}

/// Something that happened on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, µs.
    pub at_us: u64,
    value: u64,
    /// The fact that told of it.
    pub seq: u32,
    /// For what ends then and took a while, how long: a sync of a disk, µs.
    pub took_us: u32,
    /// On whose lane.
    pub node: Node,
    /// What.
    pub what: What,
}

impl Event {
    /// What it is about, as text: a zxid, an epoch, a server; often nothing.
    pub fn about(&self) -> String {
        use What::*;
        match self.what {
            Proposed | Committed | Synced | Snapshot | Truncated | UnsyncedLost | Answered => {
                Zxid(self.value).to_string()
            }
            Established | UpToDate | EpochWritten => self.value.to_string(),
            Elected | Connected | Disconnected => ServerId(self.value as u8).to_string(),
            Cut | Healed => node_of(self.value).to_string(),
            _ => String::new(),
        }
    }

    /// The epoch that colours it.
    pub fn epoch(&self) -> Option<Epoch> {
        use What::*;
        match self.what {
            Proposed | Committed | Synced | Snapshot | Answered => Some(Zxid(self.value).epoch()),
            Established | UpToDate | EpochWritten => Some(self.value as Epoch),
            _ => None,
        }
        .filter(|&epoch| epoch > 0)
    }

    /// Whether it happened to a link, not in a process: then it has no place in the order of causes.
    pub fn is_of_a_link(&self) -> bool {
        matches!(self.what, What::Cut | What::Healed)
    }
}

/// A node as a number, and back.
fn number_of(node: Node) -> u64 {
    match node {
        Node::Server(server) => server.0.into(),
        Node::Client(client) => 0x1_0000 | u64::from(client.0),
    }
}

fn node_of(number: u64) -> Node {
    match number {
        0..=0xffff => ServerId(number as u8).into(),
        _ => crate::base::ClientId(number as u16).into(),
    }
}

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
    /// A client without a connection.
    Away,
    /// A client with a connection and a session.
    Connected,
}

/// From a moment on, a lane is this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
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
    turns: Vec<Turn>,
    queued: Chunks<Queued>,
    /// Before this place in `queued`, nothing waits.
    waiting: usize,
    /// When its disk finished something last, µs.
    disk_us: u64,
}

impl Lane {
    /// What it was over time, oldest first.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// What it is at the playhead, as the facts before a number tell.
    pub fn turn_at(&self, next_seq: u32) -> Option<&Turn> {
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
pub struct Weave {
    arrows: Chunks<Arrow>,
    blocks: Vec<Block>,
    kinds: Vec<Kind>,
    events: Chunks<Event>,
    /// The longest that one of the events took, µs.
    longest_us: u64,
    lanes: BTreeMap<Node, Lane>,
    bands: Vec<Band>,
    lines: BTreeMap<ConnId, Line>,
    /// The times that messages took which arrived, summed up, µs, and how many they were.
    travel: (u64, u64),
    next_seq: u32,
}

impl Weave {
    /// The messages, in the order in which they were sent.
    pub fn arrows(&self) -> &Chunks<Arrow> {
        &self.arrows
    }

    /// The kind of a message.
    pub fn kind(&self, arrow: &Arrow) -> &Kind {
        &self.kinds[usize::from(arrow.kind)]
    }

    /// What happened on the lanes, in order.
    pub fn events(&self) -> &Chunks<Event> {
        &self.events
    }

    /// The lanes: servers, then clients, by number.
    pub fn lanes(&self) -> &BTreeMap<Node, Lane> {
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

/// How many events are looked at for the last sync of a disk.
const SEARCHED: usize = 400;

#[cfg(test)]
mod tests;
