//! Facts: what happened in the world, typed, small, in order. Every reader (page, checks, digest, command line) reads
//! these and nothing else. The names (`kind`) and fields are stable: a change bumps the format version.

mod about;

use serde::Serialize;
use std::rc::Rc;

use crate::base::{ClientId, ConnId, Epoch, MsgId, Node, ServerId, SimTime, Zxid};
use crate::recipes::ThreadId;
use crate::server::{EpochFile, RefusalReason, StateFact};
use crate::zab::{self, Note, Payload};
use crate::{client, recipes, server};

use super::action::LatencyRange;
use super::network::{Parcel, Port};
use super::reasons::{ActionRefusal, LossReason};

/// A fact with its time and place in the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Its number in the run, from 0.
    pub seq: u64,
    /// When it happened, µs.
    pub at_us: SimTime,
    /// What happened.
    #[serde(flatten)]
    pub fact: Fact,
    /// The rule that decided it, where one did.
    #[serde(flatten)]
    pub why: Option<Note>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// Inside a server's protocol machine.
    Zab {
        /// Which server.
        server: ServerId,
        /// What.
        #[serde(flatten)]
        fact: zab::Fact,
    },
    /// In a server's service for clients: sessions and watches.
    Server {
        /// Which server.
        server: ServerId,
        /// What.
        #[serde(flatten)]
        fact: server::Fact,
    },
    /// Inside a client.
    Client {
        /// Which client.
        client: ClientId,
        /// What.
        #[serde(flatten)]
        fact: client::Fact,
    },
    /// In a client's program.
    Program {
        /// Which client.
        client: ClientId,
        /// What.
        #[serde(flatten)]
        fact: recipes::Fact,
    },
    /// Anywhere else.
    World(WorldFact),
}

/// A fact outside the protocol machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WorldFact {
    /// A client's program wrote to something outside of the ensemble.
    ResourceWritten {
        /// The resource.
        resource: Rc<str>,
        /// Which client.
        client: ClientId,
        /// Which of its threads.
        thread: ThreadId,
        /// The token that it showed.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<Zxid>,
    },
    /// The resource has seen a newer token, and refused the write.
    ResourceRefused {
        /// The resource.
        resource: Rc<str>,
        /// Which client.
        client: ClientId,
        /// Which of its threads.
        thread: ThreadId,
        /// The token that it showed.
        token: Zxid,
        /// The newest that the resource has seen.
        newest: Zxid,
    },
    /// A process started.
    Started {
        /// Which server.
        server: ServerId,
        /// How many times it has started, from 1.
        incarnation: u32,
        /// Whether it has no vote.
        observer: bool,
    },
    /// A process died.
    Crashed {
        /// Which server.
        server: ServerId,
    },
    /// A process ended itself.
    Exited {
        /// Which server.
        server: ServerId,
    },
    /// A process stopped to do anything.
    Paused {
        /// Which server.
        server: ServerId,
    },
    /// A process goes on.
    Resumed {
        /// Which server.
        server: ServerId,
    },
    /// An action could not be done.
    ActionRefused {
        /// Why.
        #[serde(flatten)]
        reason: ActionRefusal,
    },
    /// A server joined.
    Added {
        /// Which server.
        server: ServerId,
        /// Whether it has no vote.
        observer: bool,
    },
    /// A link no longer lets anything through in this direction.
    LinkCut {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
    },
    /// It does again.
    LinkHealed {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
    },
    /// A packet is held by hand where it is, and with it what is behind it.
    PacketHeld {
        /// Which.
        msg: MsgId,
        /// By whom it was sent.
        from: Node,
        /// To whom.
        to: Node,
        /// Its type.
        #[serde(rename = "type")]
        name: &'static str,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// How many packets behind it wait too.
        behind: usize,
    },
    /// A held packet goes on.
    PacketReleased {
        /// Which.
        msg: MsgId,
        /// By whom it was sent.
        from: Node,
        /// To whom.
        to: Node,
        /// Its type.
        #[serde(rename = "type")]
        name: &'static str,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
    },
    /// A connection breaks in the middle, because a packet of it is lost for good; both ends learn of it.
    ConnectionBroken {
        /// Which.
        conn: ConnId,
        /// By whom it was opened.
        from: Node,
        /// To whom.
        to: Node,
        /// Which port.
        port: Port,
    },
    /// The latency of a link changed.
    LatencySet {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
        /// How long packets take.
        range: LatencyRange,
    },
    /// The speed of a disk changed.
    DiskSpeedSet {
        /// Which server.
        server: ServerId,
        /// How long a sync takes.
        sync: LatencyRange,
    },
    /// A connection is being opened.
    Dialled {
        /// Which.
        conn: ConnId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
        /// Which port.
        port: Port,
    },
    /// It is open at the dialler's end.
    Connected {
        /// Which.
        conn: ConnId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
        /// Which port.
        port: Port,
    },
    /// Nothing listened there.
    ConnectionRefused {
        /// Which.
        conn: ConnId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
    },
    /// One end learned that the other is gone.
    ConnectionClosed {
        /// Which.
        conn: ConnId,
        /// Who learned it.
        node: Node,
        /// Who is gone.
        peer: Node,
    },
    /// A message was sent.
    Sent {
        /// Which.
        msg: MsgId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
        /// What.
        #[serde(flatten)]
        message: Parcel,
    },
    /// A message arrived.
    Delivered {
        /// Which.
        msg: MsgId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
        /// Its type.
        #[serde(rename = "type")]
        name: &'static str,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
    },
    /// A message will never arrive.
    Lost {
        /// Which.
        msg: MsgId,
        /// By whom.
        from: Node,
        /// To whom.
        to: Node,
        /// Its type.
        #[serde(rename = "type")]
        name: &'static str,
        /// Why.
        reason: LossReason,
    },
    /// Transactions are on disk.
    Synced {
        /// On whose.
        server: ServerId,
        /// The first.
        first: Zxid,
        /// The last.
        last: Zxid,
        /// How many.
        count: usize,
    },
    /// Transactions were on their way to the disk when the process died.
    UnsyncedLost {
        /// Whose.
        server: ServerId,
        /// The first.
        first: Zxid,
        /// The last.
        last: Zxid,
        /// How many.
        count: usize,
    },
    /// An epoch is on disk.
    EpochWritten {
        /// On whose.
        server: ServerId,
        /// Which file.
        file: EpochFile,
        /// The epoch.
        epoch: Epoch,
    },
    /// A snapshot is on disk.
    SnapshotWritten {
        /// On whose.
        server: ServerId,
        /// Its last zxid.
        zxid: Zxid,
        /// Its last transaction.
        last_txn: Zxid,
        /// Whether it took the place of the log.
        installed: bool,
    },
    /// The log was cut.
    LogTruncated {
        /// On whose disk.
        server: ServerId,
        /// Behind this zxid.
        to: Zxid,
        /// What was removed.
        removed: Vec<Zxid>,
    },
    /// A disk was emptied.
    DiskWiped {
        /// Whose.
        server: ServerId,
    },
    /// The replicated state was replaced as a whole.
    Restored {
        /// Whose.
        server: ServerId,
        /// Its last transaction.
        last_txn: Zxid,
        /// The state in one number, hexadecimal.
        state: Hex,
    },
    /// A transaction was applied.
    Applied {
        /// By whom.
        server: ServerId,
        /// Which.
        zxid: Zxid,
        /// What it carries.
        payload: Payload,
        /// The state after it in one number, hexadecimal.
        state: Hex,
    },
    /// A server takes clients, or no longer.
    Serving {
        /// Which.
        server: ServerId,
        /// Whether it does.
        on: bool,
    },
    /// A client's process started; it begins to connect.
    ClientOpened {
        /// Which client.
        client: ClientId,
        /// The servers of its connect string.
        servers: Vec<ServerId>,
        /// The session timeout that it asks for, ms.
        timeout_ms: u32,
    },
    /// A client's process died.
    ClientKilled {
        /// Which client.
        client: ClientId,
    },
    /// A client's process stopped to do anything.
    ClientPaused {
        /// Which client.
        client: ClientId,
    },
    /// A client's process goes on.
    ClientResumed {
        /// Which client.
        client: ClientId,
    },
    /// A client asked for a write.
    WriteAsked {
        /// Of this server.
        server: ServerId,
        /// The write's number.
        write: u64,
        /// What.
        data: String,
    },
    /// The client has its answer: the write is durable.
    WriteAnswered {
        /// By this server.
        server: ServerId,
        /// The write's number.
        write: u64,
        /// The transaction that did it.
        zxid: Zxid,
    },
    /// The write was not taken, or nobody knows.
    WriteFailed {
        /// By this server.
        server: ServerId,
        /// The write's number.
        write: u64,
        /// Why.
        reason: RefusalReason,
    },
}

impl WorldFact {
    /// What a server states of its state, its files and plain writes.
    pub(super) fn of_server(server: ServerId, fact: StateFact) -> WorldFact {
        match fact {
            StateFact::Restored { last_txn, state } => WorldFact::Restored { server, last_txn, state: Hex(state) },
            StateFact::Applied { zxid, payload, state } => {
                WorldFact::Applied { server, zxid, payload, state: Hex(state) }
            }
            StateFact::Serving(on) => WorldFact::Serving { server, on },
            StateFact::WriteAnswered(write, zxid) => WorldFact::WriteAnswered { server, write, zxid },
            StateFact::WriteFailed(write, reason) => WorldFact::WriteFailed { server, write, reason },
            StateFact::Synced { first, last, count } => WorldFact::Synced { server, first, last, count },
            StateFact::UnsyncedLost { first, last, count } => WorldFact::UnsyncedLost { server, first, last, count },
            StateFact::EpochWritten { file, epoch } => WorldFact::EpochWritten { server, file, epoch },
            StateFact::SnapshotWritten { zxid, last_txn, installed } => {
                WorldFact::SnapshotWritten { server, zxid, last_txn, installed }
            }
            StateFact::LogTruncated { to, removed } => WorldFact::LogTruncated { server, to, removed },
        }
    }
}

/// A 64-bit number that is written in hexadecimal: no reader of JSON rounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub u64);

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{:016x}", self.0))
    }
}
