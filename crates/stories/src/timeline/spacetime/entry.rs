//! What a diagram is made of: messages, and what happened on the lanes. Small, and plain to copy.

use crate::base::{ClientId, Epoch, MsgId, Node, ServerId, Zxid};

use crate::timeline::Look;

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
pub(super) enum Said {
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
    pub(super) value: u64,
    pub(super) msg: u32,
    /// The fact that told of its sending.
    pub sent_seq: u32,
    /// The fact that told of its end; [`NEVER`] while it is on its way.
    pub end_seq: u32,
    /// The sender.
    pub from: Node,
    /// The receiver.
    pub to: Node,
    pub(super) kind: u8,
    /// What became of it.
    pub fate: Fate,
    pub(super) said: Said,
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
    pub(super) born: u32,
}

impl Kind {
    /// Whether it only says that somebody is alive.
    pub fn is_heartbeat(&self) -> bool {
        matches!(self.name, "PING" | "CLIENT_PING" | "CLIENT_PONG")
    }
}

/// The kind of the end of a connection whose process died.
pub(super) const FIN: u8 = 0;

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
    /// A copy of a disk was made.
    BackedUp = "backed-up",
    /// A copy was put back.
    PutBack = "put-back",
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
    pub(super) value: u64,
    /// The fact that told of it.
    pub seq: u32,
    /// For what ends then and took a while, how long: a sync of a disk, µs.
    pub took_us: u32,
    /// On whose lane.
    pub node: Node,
    /// What happened on the lane.
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
pub(super) fn number_of(node: Node) -> u64 {
    match node {
        Node::Server(server) => server.0.into(),
        Node::Client(client) => 0x1_0000 | u64::from(client.0),
    }
}

pub(super) fn node_of(number: u64) -> Node {
    match number {
        0..=0xffff => ServerId(number as u8).into(),
        _ => ClientId(number as u16).into(),
    }
}
