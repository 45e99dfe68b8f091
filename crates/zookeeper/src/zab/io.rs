//! What goes into a peer and what comes out of it. Nothing else connects ZAB with the world.

use std::rc::Rc;

use crate::base::{Chunks, ConnId, Epoch, ServerId, SimTime, Zxid};
use crate::store::{Submitted, Tree};

use super::fact::{Fact, Note};
use super::members::{Members, Quorums};
use super::message::{Message, Notification, Packet, Proposal, Touched};

/// The two ports of a server between which servers connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Port {
    /// Notifications; open while the process runs (`QuorumCnxManager.java`).
    Election,
    /// Learners; open while the server leads (`Leader.java` `LearnerCnxAcceptor`).
    Quorum,
}

/// A timer of one server; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// No notification for a while: send the own vote again or connect.
    ElectionPoll,
    /// `finalizeWait` is over: no better vote came.
    Finalize,
    /// A dial on the election port takes too long.
    DialTimeout(ServerId),
    /// Try again to reach the leader.
    ConnectRetry,
    /// A learner could not connect and register within `initLimit`.
    ConnectLimit,
    /// The leader's current wait for a quorum is over (`initLimit`).
    QuorumWait,
    /// Half a tick of the leader's loop.
    LeaderTick,
    /// Nothing was read from this quorum connection for too long (socket timeout).
    ReadTimeout(ConnId),
    /// Old snapshots and log files go (`DatadirCleanupManager.java`).
    Purge,
}

/// Names a disk operation until it is done.
pub type Token = u64;

/// What a disk is asked to do. Operations other than `Snapshot` are done in order; each is durable when `Persisted` comes.
/// ZAB says which state a snapshot is of; its host adds the state itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DiskOp<State = ()> {
    /// Write acceptedEpoch (temporary file, sync, rename: all or nothing).
    AcceptedEpoch(Epoch),
    /// Write currentEpoch, likewise.
    CurrentEpoch(Epoch),
    /// Append transactions to the log, then sync it; whether they begin a new file.
    Append(Vec<Proposal>, bool),
    /// Write the state as a snapshot, beside the other operations.
    Snapshot(Zxid, State),
    /// Write the state as a snapshot, sync it, and drop the log before it: what a learner does after SNAP.
    InstallSnapshot(Zxid, State),
    /// Cut the log behind this zxid, and remove snapshots that are newer.
    Truncate(Zxid),
    /// Remove the snapshots before this one, and the log files that it does not need; beside the other operations.
    Purge(Zxid),
    /// Write the configurations: the one in force and the next (`zoo.cfg.dynamic`, `zoo.cfg.dynamic.next`).
    Config(Quorums),
}

impl DiskOp {
    /// The same with the replicated state as it is now.
    pub fn with(self, state: &Tree) -> DiskOp<Tree> {
        match self {
            DiskOp::AcceptedEpoch(epoch) => DiskOp::AcceptedEpoch(epoch),
            DiskOp::CurrentEpoch(epoch) => DiskOp::CurrentEpoch(epoch),
            DiskOp::Append(batch, rolls) => DiskOp::Append(batch, rolls),
            DiskOp::Snapshot(zxid, ()) => DiskOp::Snapshot(zxid, state.clone()),
            DiskOp::InstallSnapshot(zxid, ()) => DiskOp::InstallSnapshot(zxid, state.clone()),
            DiskOp::Truncate(zxid) => DiskOp::Truncate(zxid),
            DiskOp::Purge(zxid) => DiskOp::Purge(zxid),
            DiskOp::Config(config) => DiskOp::Config(config),
        }
    }
}

/// What a disk holds, as read at a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The file acceptedEpoch; 0 where there is none.
    pub accepted_epoch: Epoch,
    /// The file currentEpoch; 0 where there is none.
    pub current_epoch: Epoch,
    /// The newest snapshot's zxid; 0:0 where there is none.
    pub snapshot: Zxid,
    /// That snapshot's size, bytes.
    pub snapshot_bytes: u64,
    /// All snapshots, oldest first: the name of each, and the last zxid that it holds.
    pub snapshots: Vec<(Zxid, Zxid)>,
    /// Where the log begins: the zxid before its first transaction.
    pub log_start: Zxid,
    /// The log's files by their names, which are their first transactions'.
    pub log_files: Vec<Zxid>,
    /// The log.
    pub log: Chunks<Proposal>,
}

/// What the first start of all finds: the snapshot that it has just written itself, of the empty state.
impl Default for Recovered {
    fn default() -> Recovered {
        Recovered {
            accepted_epoch: 0,
            current_epoch: 0,
            snapshot: Zxid::ZERO,
            snapshot_bytes: 0,
            snapshots: vec![(Zxid::ZERO, Zxid::ZERO)],
            log_start: Zxid::ZERO,
            log_files: Vec::new(),
            log: Chunks::default(),
        }
    }
}

/// What a peer is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A timer fired.
    Timer(Timer),
    /// Another server connected to one of our ports.
    Accepted {
        /// The new connection.
        conn: ConnId,
        /// Who dialled.
        from: ServerId,
        /// Election or quorum.
        port: Port,
    },
    /// A connection that we dialled is open.
    Connected(ConnId),
    /// A connection that we dialled was refused: nothing listens there.
    Refused(ConnId),
    /// The other end closed the connection, or crashed.
    Closed(ConnId),
    /// A notification arrived.
    Notification(ConnId, Notification),
    /// A packet arrived.
    Packet(ConnId, Packet),
    /// A disk operation is done and durable; with the bytes written.
    Persisted(Token, u64),
    /// A disk operation has failed, and nothing of it is on disk.
    DiskFailed(Token),
    /// A write of a client of this server.
    Request(Rc<Submitted>),
}

/// What a peer wants done, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send a message.
    Send(ConnId, Message),
    /// Send `SNAP` with the replicated state as it is now.
    SendSnapshot(ConnId, Zxid),
    /// Connect to a port of another server.
    Dial {
        /// The new connection's name.
        conn: ConnId,
        /// Whom.
        to: ServerId,
        /// Election or quorum.
        port: Port,
    },
    /// Close a connection, or give up dialling it.
    Close(ConnId),
    /// Accept learners, or stop to.
    Listen(bool),
    /// Arm a timer; a timer already armed is moved.
    SetTimer(Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(Timer),
    /// Do this on disk, then say `Persisted`.
    Persist(Token, DiskOp),
    /// These transactions will not be logged: the disk has failed.
    Unlogged {
        /// The first of them.
        first: Zxid,
        /// The last of them.
        last: Zxid,
        /// How many they are.
        count: usize,
    },
    /// Forget the replicated state, load the newest snapshot, and call [`super::Peer::reloaded`] with what the disk holds.
    Reload,
    /// Replace the replicated state.
    Restore(Tree),
    /// Write a configuration into `/zookeeper/config`, without a transaction (`initConfigInZKDatabase`).
    Config(Members),
    /// Apply a transaction to the replicated state.
    Apply(Proposal),
    /// This server leads: turn a request into a transaction and hand it to [`super::Peer::propose`].
    Prepare {
        /// The request.
        payload: Rc<Submitted>,
        /// The learner's connection by which it came; none for one of the leader's own clients.
        from: Option<ConnId>,
    },
    /// This learner got a PING: answer it with the sessions that it has heard of.
    AnswerPing(ConnId, Zxid),
    /// This leader got a PING's answer with sessions that a learner has heard of.
    Touched(ServerId, Touched),
    /// A packet for the host: a learner's question about a session to its leader, or an answer of the leader (SYNC,
    /// REVALIDATE).
    Host {
        /// The connection.
        conn: ConnId,
        /// Who sent it.
        from: ServerId,
        /// The packet.
        packet: Packet,
    },
    /// A request of our own client cannot be taken: not serving.
    Reject(Rc<Submitted>),
    /// Clients may connect, or no longer.
    Serve(bool),
    /// The process ends itself.
    Exit,
    /// Something happened, and perhaps the rule that decided it.
    Fact(Fact, Option<Note>),
}

/// Where a peer puts its outputs. Its host empties it after each step.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// What is to be done, in order.
    pub items: Vec<Output>,
    /// The next free connection name; the host lends its counter.
    pub next_conn: u64,
}

impl Outbox {
    pub(in crate::zab) fn push(&mut self, output: Output) {
        self.items.push(output);
    }

    pub(in crate::zab) fn send(&mut self, conn: ConnId, packet: Packet) {
        self.push(Output::Send(conn, Message::Packet(packet)));
    }

    pub(in crate::zab) fn dial(&mut self, to: ServerId, port: Port) -> ConnId {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        self.push(Output::Dial { conn, to, port });
        conn
    }

    pub(in crate::zab) fn arm(&mut self, timer: Timer, at: SimTime) {
        self.push(Output::SetTimer(timer, at));
    }

    pub(in crate::zab) fn cancel(&mut self, timer: Timer) {
        self.push(Output::CancelTimer(timer));
    }

    pub(in crate::zab) fn fact(&mut self, fact: Fact) {
        self.push(Output::Fact(fact, None));
    }

    pub(in crate::zab) fn explain(&mut self, fact: Fact, note: Note) {
        self.push(Output::Fact(fact, Some(note)));
    }
}
