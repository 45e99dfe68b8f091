//! Facts outside of the protocol's machines: processes, the network, disks.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::{self, ClientId, ConnId, Epoch, Micros, MsgId, Name, Node, ServerId, ServerSet, Zxid};
use crate::recipes::ThreadId;
use crate::server::{EpochFile, RefusalReason};
use crate::sim::disk::DiskFault;
use crate::sim::disk_op::DiskOpName;
use crate::sim::latency::LatencyRange;
use crate::sim::network::{Parcel, Port};
use crate::sim::reasons::{ActionRefusal, Death, LossReason, Silence};
use crate::sim::setup::Setup;
use crate::wire::FourLetterWord;
use crate::zab::Payload;

use super::numbers::{Hex, is_zero};

/// A fact outside the protocol machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WorldFact {
    /// The run begins. All that follows can be judged with this.
    Began {
        /// The format of these facts ([`crate::sim::FORMAT_VERSION`]).
        version: u32,
        /// The run's seed.
        seed: u64,
        /// The ensemble and its settings.
        setup: Box<Setup>,
    },
    /// A client's program wrote to something outside of the ensemble.
    ResourceWritten {
        /// The resource.
        resource: Rc<str>,
        /// The client.
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
        /// The client.
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
        /// The server.
        server: ServerId,
        /// How many times it has started, from 1.
        incarnation: u32,
        /// Whether it has no vote.
        observer: bool,
    },
    /// A process died.
    Crashed {
        /// The server.
        server: ServerId,
        /// How; `crash` where it is left out.
        #[serde(default, skip_serializing_if = "Death::is_crash")]
        how: Death,
    },
    /// A process ended itself.
    Exited {
        /// The server.
        server: ServerId,
    },
    /// A process stopped to do anything.
    Paused {
        /// The server.
        server: ServerId,
    },
    /// A process goes on.
    Resumed {
        /// The server.
        server: ServerId,
    },
    /// An action could not be done.
    ActionRefused {
        /// The reason, which each language has words for.
        #[serde(flatten)]
        reason: ActionRefusal,
    },
    /// A server joined.
    Added {
        /// The server.
        server: ServerId,
        /// Whether it has no vote.
        observer: bool,
    },
    /// A server's file says something else about the ensemble, from its next start on.
    ConfigEdited {
        /// The server.
        server: ServerId,
        /// Who votes.
        voters: ServerSet,
        /// Who only observes.
        observers: ServerSet,
    },
    /// A server's oracle says something else.
    OracleSet {
        /// The server.
        server: ServerId,
        /// Whether it may go on alone.
        grants: bool,
    },
    /// A link no longer lets anything through in this direction.
    LinkCut {
        /// The sending end.
        from: Node,
        /// The receiving end.
        to: Node,
    },
    /// It does again.
    LinkHealed {
        /// The sending end.
        from: Node,
        /// The receiving end.
        to: Node,
    },
    /// A packet is held by hand where it is, and with it what is behind it.
    PacketHeld {
        /// The packet's id, unique in a run.
        msg: MsgId,
        /// The sender.
        from: Node,
        /// The receiver.
        to: Node,
        /// Its type.
        #[serde(rename = "type", deserialize_with = "base::name")]
        name: Name,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// How many packets behind it wait too.
        behind: usize,
    },
    /// A held packet goes on.
    PacketReleased {
        /// The packet's id, unique in a run.
        msg: MsgId,
        /// The sender.
        from: Node,
        /// The receiver.
        to: Node,
        /// Its type.
        #[serde(rename = "type", deserialize_with = "base::name")]
        name: Name,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
    },
    /// A packet takes longer, as it was told to.
    PacketDelayed {
        /// Which.
        msg: MsgId,
        /// By whom it was sent.
        from: Node,
        /// To whom.
        to: Node,
        /// Its type.
        #[serde(rename = "type", deserialize_with = "base::name")]
        name: Name,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
        /// How much longer, µs.
        us: Micros,
    },
    /// An operation of a disk takes longer, as it was told to.
    DiskDelayed {
        /// Whose disk.
        server: ServerId,
        /// Which operation.
        what: DiskOpName,
        /// How much longer, µs.
        us: Micros,
    },
    /// A machine's wall clock jumped.
    ClockJumped {
        /// Whose.
        server: ServerId,
        /// By how much, ms.
        ms: i64,
    },
    /// A server answered a four-letter word, in these lines.
    FourLetterAnswered {
        /// Which one.
        server: ServerId,
        /// The word.
        word: FourLetterWord,
        /// The lines.
        answer: Vec<Rc<str>>,
        /// On which client's machine the answer has arrived; where it is left out, on the server's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<ClientId>,
    },
    /// Whoever asked a server with a word gets no answer.
    FourLetterUnanswered {
        /// Which server.
        server: ServerId,
        /// What was sent.
        word: Rc<str>,
        /// Why.
        silence: Silence,
        /// On which client's machine; where it is left out, on the server's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<ClientId>,
    },
    /// A connection breaks in the middle, because a packet of it is lost for good; both ends learn of it.
    ConnectionBroken {
        /// The connection's id, unique in a run.
        conn: ConnId,
        /// The end that dialled.
        from: Node,
        /// The end that was dialled.
        to: Node,
        /// Election, quorum or client.
        port: Port,
    },
    /// The latency of a link changed.
    LatencySet {
        /// The sending end.
        from: Node,
        /// The receiving end.
        to: Node,
        /// How long packets take.
        range: LatencyRange,
    },
    /// The speed of a disk changed.
    DiskSpeedSet {
        /// The server.
        server: ServerId,
        /// How long a sync takes.
        sync: LatencyRange,
    },
    /// A disk has filled up or broken, or is well again.
    DiskFaultSet {
        /// The server.
        server: ServerId,
        /// What is wrong with it.
        fault: DiskFault,
    },
    /// An operation of a disk has failed.
    DiskFailed {
        /// Whose disk.
        server: ServerId,
        /// Which operation.
        what: DiskOpName,
        /// What is wrong with the disk.
        fault: DiskFault,
    },
    /// A connection is being opened.
    Dialled {
        /// The connection's id, unique in a run.
        conn: ConnId,
        /// The end that dialled.
        from: Node,
        /// The end that was dialled.
        to: Node,
        /// Election, quorum or client.
        port: Port,
    },
    /// It is open at the dialler's end.
    Connected {
        /// The connection's id, unique in a run.
        conn: ConnId,
        /// The end that dialled.
        from: Node,
        /// The end that was dialled.
        to: Node,
        /// Election, quorum or client.
        port: Port,
    },
    /// Nothing listened there.
    ConnectionRefused {
        /// The connection's id, unique in a run.
        conn: ConnId,
        /// The end that dialled.
        from: Node,
        /// The end that was dialled.
        to: Node,
    },
    /// One end learned that the other is gone.
    ConnectionClosed {
        /// The connection's id, unique in a run.
        conn: ConnId,
        /// Who learned it.
        node: Node,
        /// Who is gone.
        peer: Node,
    },
    /// A message was sent.
    Sent {
        /// The packet's id, unique in a run.
        msg: MsgId,
        /// The sender.
        from: Node,
        /// The receiver.
        to: Node,
        /// The message itself, as sent.
        #[serde(flatten)]
        message: Parcel,
    },
    /// A message arrived.
    Delivered {
        /// The packet's id, unique in a run.
        msg: MsgId,
        /// The sender.
        from: Node,
        /// The receiver.
        to: Node,
        /// Its type.
        #[serde(rename = "type", deserialize_with = "base::name")]
        name: Name,
        /// The zxid that it carries.
        #[serde(skip_serializing_if = "Option::is_none")]
        zxid: Option<Zxid>,
    },
    /// A message will never arrive.
    Lost {
        /// The packet's id, unique in a run.
        msg: MsgId,
        /// The sender.
        from: Node,
        /// The receiver.
        to: Node,
        /// Its type.
        #[serde(rename = "type", deserialize_with = "base::name")]
        name: Name,
        /// The reason, which each language has words for.
        reason: LossReason,
    },
    /// Transactions are on disk.
    Synced {
        /// The disk's server.
        server: ServerId,
        /// The first of them.
        first: Zxid,
        /// The last of them.
        last: Zxid,
        /// The number of transactions from first to last.
        count: usize,
    },
    /// Transactions were on their way to the disk when the process died, or the disk failed.
    UnsyncedLost {
        /// The server whose disk or tree it was.
        server: ServerId,
        /// The first of them.
        first: Zxid,
        /// The last of them.
        last: Zxid,
        /// The number of transactions from first to last.
        count: usize,
    },
    /// An epoch is on disk.
    EpochWritten {
        /// The disk's server.
        server: ServerId,
        /// Which file.
        file: EpochFile,
        /// The epoch.
        epoch: Epoch,
    },
    /// A snapshot is on disk.
    SnapshotWritten {
        /// The disk's server.
        server: ServerId,
        /// Its last zxid.
        zxid: Zxid,
        /// Its last transaction.
        last_txn: Zxid,
        /// Whether it took the place of the log.
        installed: bool,
    },
    /// A snapshot was written, not synced, and lost with the machine's power.
    SnapshotLost {
        /// The disk's server.
        server: ServerId,
        /// Its name.
        zxid: Zxid,
    },
    /// Old snapshots and log files were removed.
    Purged {
        /// The disk's server.
        server: ServerId,
        /// What is older than this snapshot.
        before: Zxid,
        /// How many snapshots went.
        snapshots: usize,
        /// How many log files went.
        logs: usize,
    },
    /// The log was cut.
    LogTruncated {
        /// The disk's server.
        server: ServerId,
        /// Behind this zxid.
        to: Zxid,
        /// What was removed.
        removed: Vec<Zxid>,
        /// How many snapshots went with it.
        #[serde(default, skip_serializing_if = "is_zero")]
        snapshots: usize,
    },
    /// A disk was emptied.
    DiskWiped {
        /// The server whose disk or tree it was.
        server: ServerId,
    },
    /// A copy of a disk was made.
    DiskBackedUp {
        /// The disk's server.
        server: ServerId,
    },
    /// What is on a disk is the copy that was made of it.
    BackupRestored {
        /// The disk's server.
        server: ServerId,
    },
    /// The replicated state was replaced as a whole.
    Restored {
        /// The server whose disk or tree it was.
        server: ServerId,
        /// Its last transaction.
        last_txn: Zxid,
        /// The state in one number, hexadecimal.
        state: Hex,
    },
    /// A transaction was applied.
    Applied {
        /// The server that applied it.
        server: ServerId,
        /// The zxid of the transaction.
        zxid: Zxid,
        /// What it carries.
        #[serde(flatten)]
        payload: Payload,
        /// The state after it in one number, hexadecimal.
        state: Hex,
    },
    /// A server takes clients, or no longer.
    Serving {
        /// The server that opens or closes its client port.
        server: ServerId,
        /// Whether it does.
        on: bool,
    },
    /// A client's process started; it begins to connect.
    ClientOpened {
        /// The client.
        client: ClientId,
        /// The servers of its connect string.
        servers: Vec<ServerId>,
        /// The session timeout that it asks for, ms.
        timeout_ms: u32,
    },
    /// A client's process died.
    ClientKilled {
        /// The client.
        client: ClientId,
    },
    /// A client's process stopped to do anything.
    ClientPaused {
        /// The client.
        client: ClientId,
    },
    /// A client's process goes on.
    ClientResumed {
        /// The client.
        client: ClientId,
    },
    /// A client asked for a write.
    WriteAsked {
        /// Of this server.
        server: ServerId,
        /// The write's number.
        write: u64,
        /// The text to be written.
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
        /// The reason, which each language has words for.
        reason: RefusalReason,
    },
}
