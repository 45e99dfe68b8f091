//! Why something did not happen, and what files are called: the small words in facts.

use serde::{Deserialize, Serialize};

use crate::base::{ClientId, ServerId};

use super::disk::DiskFault;
use super::disk_op::DiskOpName;
use super::packet_ref::PacketRef;

use crate::recipes::Refusal;

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It runs.
    Running,
    /// It does nothing: messages wait in its sockets, timers come late.
    Paused,
    /// Its memory is gone; its disk is there.
    Crashed,
}

/// How a process died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Death {
    /// What was not synced is gone, and its peers hear of it at once.
    #[default]
    Crash,
    /// `kill -9`: what it had written stays, and its peers hear of it at once.
    Kill,
    /// Its machine lost power: what was not synced is gone, and nobody hears of it.
    PowerOff,
}

impl Death {
    pub(super) fn is_crash(&self) -> bool {
        *self == Death::Crash
    }
}

/// Why a message never arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossReason {
    /// The receiver crashed.
    ReceiverCrashed,
    /// The sender crashed before it left.
    SenderCrashed,
    /// The receiver had closed the connection.
    ConnectionClosed,
    /// The connection broke while it was on its way.
    ConnectionBroken,
}

/// Why a word gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// Nothing listens.
    Refused,
    /// The server closed the connection without a word: it was none that it knows, or one connection too many.
    Closed,
}

/// Why an action could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ActionRefusal {
    /// There is no such server.
    NoSuchServer {
        /// The id that the action named.
        server: ServerId,
    },
    /// The server's process is not in a state for that.
    WrongStatus {
        /// The id that the action named.
        server: ServerId,
        /// What its process is doing.
        status: Status,
    },
    /// A server with this id is there already.
    AlreadyThere {
        /// The id that the action named.
        server: ServerId,
    },
    /// The ensemble is full.
    NoRoom {
        /// How many servers there may be.
        most: usize,
    },
    /// There is no such client.
    NoSuchClient {
        /// The id that the action named.
        client: ClientId,
    },
    /// A living client has this number.
    ClientThere {
        /// The id that the action named.
        client: ClientId,
    },
    /// There are as many clients as there may be.
    NoRoomForClients {
        /// How many there may be.
        most: usize,
    },
    /// The client is paused, or it is not.
    WrongClientStatus {
        /// The id that the action named.
        client: ClientId,
        /// Whether it is paused.
        paused: bool,
    },
    /// No established leader knows the client's session.
    NoSession {
        /// The client that should expire.
        client: ClientId,
    },
    /// The client is a wire client: no program runs on it.
    RawClient {
        /// The id that the action named.
        client: ClientId,
    },
    /// The client's program cannot do that.
    ProgramRefuses {
        /// The id that the action named.
        client: ClientId,
        /// The program's own reason.
        why: Refusal,
    },
    /// The client's session is over, or about to be: it was closed, expired or was refused.
    ClientOver {
        /// The id that the action named.
        client: ClientId,
    },
    /// The client has no connection that could be cut.
    NoConnection {
        /// The id that the action named.
        client: ClientId,
    },
    /// The links are cut, or whole, already.
    LinksAreSo {
        /// Whether they are cut.
        cut: bool,
    },
    /// There is no such packet on its way.
    NoSuchPacket {
        /// The packet that the action named.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// The packet has been sent: it can take no longer.
    PacketSent {
        /// Which.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// The operation has begun: it can take no longer.
    DiskOpBegun {
        /// Whose disk.
        server: ServerId,
        /// Which.
        what: DiskOpName,
    },
    /// There is no copy of this server's disk.
    NoBackup {
        /// Whose disk.
        server: ServerId,
    },
    /// The disk is as the action would make it.
    DiskIsSo {
        /// Whose disk.
        server: ServerId,
        /// What is wrong with it.
        fault: DiskFault,
    },
    /// The packet is held already, or it is not held.
    WrongPacketStatus {
        /// The packet that the action named.
        #[serde(flatten)]
        packet: PacketRef,
        /// Whether it is held.
        held: bool,
    },
    /// More packets are in flight than a write may be added to.
    TooManyPackets {
        /// How many there may be.
        most: usize,
    },
    /// The run has no oracle, or the machine is none of ZooKeeper's.
    NoOracle {
        /// The id that the action named.
        server: ServerId,
    },
    /// There are as many voting servers as there may be.
    NoRoomForVoters {
        /// How many voting servers there may be.
        most: usize,
    },
}
