//! What servers say to each other: notifications on election connections, packets between a leader and its learners.
//! Names are those of `Leader.java`; numbers and layouts on the wire are not modelled.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::base::{Epoch, ServerId, SessionId, Zxid};
use crate::store::{Op, Submitted, Tree, Txn};
use crate::wire::Code;

use super::members::Members;
use super::vote::{ServerState, Vote};

/// What is ordered: a transaction, which ZAB never looks into, with its text and its size. Once in memory, however many logs and
/// packets carry it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Printed")]
pub struct Payload(Rc<Ordered>);

/// What a [`Payload`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Ordered {
    /// What it is, in a line.
    #[serde(rename = "payload")]
    pub text: Rc<str>,
    /// How long it is in a packet and in the log, bytes.
    #[serde(skip)]
    pub bytes: u64,
    /// The transaction.
    pub txn: Rc<Txn>,
    /// The configuration that it proposes, where it is a reconfiguration.
    #[serde(skip)]
    pub config: Option<Rc<Members>>,
}

impl Deref for Payload {
    type Target = Ordered;

    fn deref(&self) -> &Ordered {
        &self.0
    }
}

impl From<Txn> for Payload {
    fn from(txn: Txn) -> Payload {
        let config = match &txn.op {
            Op::Reconfig { config } => Members::parse(config).map(Rc::new),
            _ => None,
        };
        let (text, bytes) = (txn.to_string().into(), txn.bytes());
        Payload(Rc::new(Ordered { text, bytes, txn: Rc::new(txn), config }))
    }
}

impl Payload {
    /// A transaction that changes nothing, under another text: for stories in which only its name matters.
    pub fn text(text: &str) -> Payload {
        let txn = Txn { session: SessionId::NONE, cxid: -1, time: 0, op: Op::Error(Code::SystemError) };
        let (text, bytes) = (text.into(), text.len() as u64);
        Payload(Rc::new(Ordered { text, bytes, txn: Rc::new(txn), config: None }))
    }

    /// The same, with a configuration that it proposes.
    #[cfg(test)]
    pub fn proposing(self, config: Rc<Members>) -> Payload {
        Payload(Rc::new(Ordered { config: Some(config), ..(*self.0).clone() }))
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// As much of a printed payload as is needed to make it again.
#[derive(Deserialize)]
struct Printed {
    txn: Txn,
}

impl From<Printed> for Payload {
    fn from(printed: Printed) -> Payload {
        printed.txn.into()
    }
}

fn is_none(version: &Zxid) -> bool {
    *version == Zxid::ZERO
}

/// A learner's question about a session, and the leader's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revalidation {
    /// The session.
    pub session: SessionId,
    /// In the answer: whether it is alive.
    pub alive: Option<bool>,
}

impl fmt::Display for Revalidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Revalidation { session, alive } = self;
        match alive {
            None => write!(f, "{session}"),
            Some(alive) => write!(f, "{session} {}", if *alive { "alive" } else { "gone" }),
        }
    }
}

impl Serialize for Revalidation {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// The sessions of which a learner has heard since its last answer to a PING.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Touched(pub Rc<[SessionId]>);

impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(SessionId::to_string).collect::<Vec<_>>().join(" "))
    }
}

impl<'de> Deserialize<'de> for Touched {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Touched, D::Error> {
        let text = String::deserialize(d)?;
        let sessions: Result<Rc<[SessionId]>, _> = text.split_whitespace().map(str::parse).collect();
        sessions.map(Touched).map_err(D::Error::custom)
    }
}

impl Serialize for Touched {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// A transaction with its place in the order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Proposal {
    /// Its zxid.
    pub zxid: Zxid,
    /// What it carries.
    #[serde(flatten)]
    pub payload: Payload,
}

impl Proposal {
    /// Bytes that it takes in a log: a checksum and a length of 8 and 4, the payload, and the mark behind it (`FileTxnLog.java`
    /// `append`).
    pub fn bytes(&self) -> u64 {
        8 + 4 + self.payload.bytes + 1
    }
}

/// A notification of Fast Leader Election.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Notification {
    /// The vote it carries.
    #[serde(flatten)]
    pub vote: Vote,
    /// The sender's round (`electionEpoch`).
    #[serde(rename = "electionEpoch")]
    pub round: u64,
    /// The sender's state.
    pub state: ServerState,
    /// The sender's configuration, where it is not just what stands in the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Rc<Members>>,
}

/// A packet on a connection between a learner and its leader (`QuorumPacket`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "type")]
pub enum Packet {
    /// A follower greets its leader with its acceptedEpoch.
    #[serde(rename = "FOLLOWERINFO")]
    FollowerInfo {
        /// The sender's acceptedEpoch.
        accepted_epoch: Epoch,
        /// The version of its configuration.
        #[serde(skip_serializing_if = "is_none")]
        config: Zxid,
    },
    /// An observer greets its leader with its acceptedEpoch.
    #[serde(rename = "OBSERVERINFO")]
    ObserverInfo {
        /// The sender's acceptedEpoch.
        accepted_epoch: Epoch,
        /// The version of its configuration.
        #[serde(skip_serializing_if = "is_none")]
        config: Zxid,
    },
    /// The leader announces the new epoch.
    #[serde(rename = "LEADERINFO")]
    LeaderInfo {
        /// The new epoch.
        epoch: Epoch,
    },
    /// A learner has promised to obey no older epoch, and says where its history ends.
    #[serde(rename = "ACKEPOCH")]
    AckEpoch {
        /// The learner's last zxid.
        zxid: Zxid,
        /// Its currentEpoch; `None` (-1 in the real packet) when it had accepted this epoch before: then the answer does
        /// not count.
        current_epoch: Option<Epoch>,
        /// The learner could not carry out a TRUNC and asks for SNAP (not in the real packet; see the protocol map).
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        want_snap: bool,
    },
    /// The learner needs only the proposals that follow.
    #[serde(rename = "DIFF")]
    Diff {
        /// Where the leader's committed history ends.
        zxid: Zxid,
    },
    /// The learner must cut its log.
    #[serde(rename = "TRUNC")]
    Trunc {
        /// The last zxid that it keeps.
        zxid: Zxid,
    },
    /// The learner gets a whole state.
    #[serde(rename = "SNAP")]
    Snap {
        /// The last zxid in the state.
        zxid: Zxid,
        /// The state; left out of facts.
        #[serde(skip)]
        state: Box<Tree>,
    },
    /// A transaction to be logged and acknowledged.
    #[serde(rename = "PROPOSAL")]
    Proposal(Proposal),
    /// A transaction is committed.
    #[serde(rename = "COMMIT")]
    Commit {
        /// The proposal that is meant.
        zxid: Zxid,
    },
    /// A reconfiguration is committed, and in force at once.
    #[serde(rename = "COMMITANDACTIVATE")]
    CommitAndActivate {
        /// The proposal that is meant.
        zxid: Zxid,
        /// Who leads from now on.
        leader: ServerId,
    },
    /// A committed transaction, for observers.
    #[serde(rename = "INFORM")]
    Inform(Proposal),
    /// A committed reconfiguration, for observers: in force at once.
    #[serde(rename = "INFORMANDACTIVATE")]
    InformAndActivate {
        /// The reconfiguration.
        #[serde(flatten)]
        proposal: Proposal,
        /// Who leads from now on.
        leader: ServerId,
    },
    /// The end of what the learner must have before the leader may serve.
    #[serde(rename = "NEWLEADER")]
    NewLeader {
        /// epoch:0.
        zxid: Zxid,
        /// The last configuration that the leader has seen, in force or not.
        #[serde(skip_serializing_if = "Option::is_none")]
        config: Option<Rc<Members>>,
    },
    /// What was asked for is on the sender's disk.
    #[serde(rename = "ACK")]
    Ack {
        /// Of a proposal, or epoch:0 for NEWLEADER and UPTODATE.
        zxid: Zxid,
    },
    /// The learner may serve.
    #[serde(rename = "UPTODATE")]
    UpToDate,
    /// A write that a learner passes on to the leader.
    #[serde(rename = "REQUEST")]
    Request {
        /// The request.
        payload: Rc<Submitted>,
    },
    /// The answer to a sync: everything committed when the leader got it is on this connection before it.
    #[serde(rename = "SYNC")]
    Sync {
        /// The request that it answers.
        payload: Rc<Submitted>,
    },
    /// A learner asks whether a session is alive that a client takes up with it; the leader's answer.
    #[serde(rename = "REVALIDATE")]
    Revalidate {
        /// The question or the answer.
        payload: Revalidation,
    },
    /// A heartbeat.
    #[serde(rename = "PING")]
    Ping {
        /// The leader's last proposed zxid.
        zxid: Zxid,
        /// In a learner's answer: the sessions of which it has heard since the last one.
        #[serde(skip_serializing_if = "Option::is_none")]
        touched: Option<Touched>,
    },
}

impl Packet {
    /// The type, in the real name.
    pub fn name(&self) -> &'static str {
        match self {
            Packet::FollowerInfo { .. } => "FOLLOWERINFO",
            Packet::ObserverInfo { .. } => "OBSERVERINFO",
            Packet::LeaderInfo { .. } => "LEADERINFO",
            Packet::AckEpoch { .. } => "ACKEPOCH",
            Packet::Diff { .. } => "DIFF",
            Packet::Trunc { .. } => "TRUNC",
            Packet::Snap { .. } => "SNAP",
            Packet::Proposal(_) => "PROPOSAL",
            Packet::Commit { .. } => "COMMIT",
            Packet::CommitAndActivate { .. } => "COMMITANDACTIVATE",
            Packet::Inform(_) => "INFORM",
            Packet::InformAndActivate { .. } => "INFORMANDACTIVATE",
            Packet::NewLeader { .. } => "NEWLEADER",
            Packet::Ack { .. } => "ACK",
            Packet::UpToDate => "UPTODATE",
            Packet::Request { .. } => "REQUEST",
            Packet::Sync { .. } => "SYNC",
            Packet::Revalidate { .. } => "REVALIDATE",
            Packet::Ping { .. } => "PING",
        }
    }

    /// The zxid that it carries, for those that name a transaction or a place in the order.
    pub fn zxid(&self) -> Option<Zxid> {
        match self {
            Packet::AckEpoch { zxid, .. }
            | Packet::Diff { zxid }
            | Packet::Trunc { zxid }
            | Packet::Snap { zxid, .. }
            | Packet::Commit { zxid }
            | Packet::CommitAndActivate { zxid, .. }
            | Packet::NewLeader { zxid, .. }
            | Packet::Ack { zxid }
            | Packet::Ping { zxid, .. } => Some(*zxid),
            Packet::Proposal(proposal) | Packet::Inform(proposal) | Packet::InformAndActivate { proposal, .. } => {
                Some(proposal.zxid)
            }
            Packet::LeaderInfo { epoch } => Some(Zxid::new(*epoch, 0)),
            Packet::FollowerInfo { accepted_epoch, .. } | Packet::ObserverInfo { accepted_epoch, .. } => {
                Some(Zxid::new(*accepted_epoch, 0))
            }
            Packet::UpToDate | Packet::Request { .. } | Packet::Sync { .. } | Packet::Revalidate { .. } => None,
        }
    }
}

/// Anything on the network.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// On an election connection.
    Notification(Notification),
    /// On a quorum connection.
    Packet(Packet),
}

impl Message {
    /// The type, in the real name.
    pub fn name(&self) -> &'static str {
        match self {
            Message::Notification(_) => "NOTIFICATION",
            Message::Packet(packet) => packet.name(),
        }
    }

    /// The zxid that it carries.
    pub fn zxid(&self) -> Option<Zxid> {
        match self {
            Message::Notification(notification) => Some(notification.vote.zxid),
            Message::Packet(packet) => packet.zxid(),
        }
    }
}

impl Serialize for Message {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "type")]
        enum Tagged<'a> {
            #[serde(rename = "NOTIFICATION")]
            Notification(&'a Notification),
        }
        match self {
            Message::Notification(notification) => Tagged::Notification(notification).serialize(s),
            Message::Packet(packet) => packet.serialize(s),
        }
    }
}

/// Of what is printed of messages between servers, only a learner's PING is read again: nothing else is judged.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Message, D::Error> {
        #[derive(Deserialize)]
        #[serde(tag = "type")]
        enum Tagged {
            #[serde(rename = "PING")]
            Ping { zxid: Zxid, touched: Option<Touched> },
        }
        let Tagged::Ping { zxid, touched } = Tagged::deserialize(d)?;
        Ok(Message::Packet(Packet::Ping { zxid, touched }))
    }
}
