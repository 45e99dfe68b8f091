//! What packets are called: by what they are, and the how-manieth of those from their sender to their receiver. What else
//! is sent moves neither a packet's name nor what is drawn for it.

use serde::{Serialize, Serializer};
use std::collections::VecDeque;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::base::json::{Json, Read, ReadError, deserialize_as_read};
use crate::base::{Draw, Epoch, Zxid};
use crate::wire::{FourLetterWord, ToClient, ToServer};
use crate::zab::{Message, Packet};

use super::network::{Item, Parcel, Port};

/// So many names are counted in one direction; a name that was not used for longer is counted from 1 again.
const COUNTED: usize = 32;

/// Types of messages to and from clients, as names begin.
pub(super) const CLIENT_KINDS: &[&str] =
    &["CONNECT", "CLIENT_PING", "AUTH", "CALL", "CONNECTED", "CLIENT_PONG", "AUTH_REPLY", "REPLY", "WATCH_EVENT"];
/// Every other type of packet.
const KINDS: &[&str] = &[
    "NOTIFICATION",
    "FOLLOWERINFO",
    "OBSERVERINFO",
    "LEADERINFO",
    "ACKEPOCH",
    "DIFF",
    "TRUNC",
    "SNAP",
    "PROPOSAL",
    "COMMIT",
    "COMMITANDACTIVATE",
    "INFORM",
    "INFORMANDACTIVATE",
    "NEWLEADER",
    "ACK",
    "UPTODATE",
    "REQUEST",
    "SYNC",
    "REVALIDATE",
    "PING",
    "SYN",
    "SYNACK",
    "REFUSED",
    "FIN",
    "WORD",
    "WORD_REPLY",
];

/// All of them; a four-letter word is called by itself.
fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().chain(CLIENT_KINDS).chain(FourLetterWord::ALL).copied()
}

/// What tells packets of a type apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    None,
    Zxid(Zxid),
    Epoch(Epoch),
    Round(u64),
    Xid(i32),
    Port(Port),
}

/// A packet's name among those from its sender to its receiver: `COMMIT 1:3`, `NOTIFICATION round 3 #2`, `PING #7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketName {
    kind: &'static str,
    mark: Mark,
    /// The how-manieth, from 1.
    nth: u32,
}

/// The number is left out, as that of a [`MsgId`](crate::base::MsgId) is.
impl Hash for PacketName {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let PacketName { kind, mark, nth: _ } = self;
        (kind, mark).hash(hasher);
    }
}

impl PacketName {
    /// The first of its kind.
    fn of(item: &Item, port: Port) -> PacketName {
        let (kind, mark) = match item {
            Item::Syn => ("SYN", Mark::Port(port)),
            Item::SynAck => ("SYNACK", Mark::Port(port)),
            Item::Refused => ("REFUSED", Mark::Port(port)),
            Item::Fin => ("FIN", Mark::Port(port)),
            Item::Message(Parcel::Zab(Message::Notification(told))) => ("NOTIFICATION", Mark::Round(told.round)),
            Item::Message(Parcel::Zab(Message::Packet(packet))) => (packet.name(), mark_of(packet)),
            Item::Message(Parcel::ToServer(ToServer::Request { xid, .. })) => ("CALL", Mark::Xid(*xid)),
            Item::Message(Parcel::ToClient(ToClient::Reply { xid, .. })) => ("REPLY", Mark::Xid(*xid)),
            Item::Message(Parcel::ToClient(ToClient::Event { zxid: Some(zxid), .. })) => {
                ("WATCH_EVENT", Mark::Zxid(*zxid))
            }
            Item::Message(parcel) => (parcel.name(), Mark::None),
        };
        PacketName { kind, mark, nth: 1 }
    }

    /// Whether the names are the same but for their numbers. Marks come first: a number is compared faster than a text.
    fn is_like(&self, other: &PacketName) -> bool {
        self.mark == other.mark && self.kind == other.kind
    }

    /// What is drawn for it.
    pub(super) fn draw(self, draw: Draw) -> Draw {
        let (sort, number) = match self.mark {
            Mark::None => (0, 0),
            Mark::Zxid(zxid) => (1, zxid.0),
            Mark::Epoch(epoch) => (2, epoch.into()),
            Mark::Round(round) => (3, round),
            Mark::Xid(xid) => (4, i64::from(xid) as u64),
            Mark::Port(port) => (5, port as u64),
        };
        draw.text(self.kind).number(sort).number(number).number(self.nth.into())
    }
}

fn mark_of(packet: &Packet) -> Mark {
    match packet {
        Packet::FollowerInfo { accepted_epoch: epoch, .. }
        | Packet::ObserverInfo { accepted_epoch: epoch, .. }
        | Packet::LeaderInfo { epoch } => Mark::Epoch(*epoch),
        // its zxid says how far the leader is, not which one it is
        Packet::Ping { .. } => Mark::None,
        packet => packet.zxid().map_or(Mark::None, Mark::Zxid),
    }
}

impl fmt::Display for PacketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        match self.mark {
            Mark::None => Ok(()),
            Mark::Zxid(zxid) => write!(f, " {zxid}"),
            Mark::Epoch(epoch) => write!(f, " epoch {epoch}"),
            Mark::Round(round) => write!(f, " round {round}"),
            Mark::Xid(xid) => write!(f, " {xid}"),
            Mark::Port(port) => write!(f, " {}", port.name()),
        }?;
        if self.nth == 1 { Ok(()) } else { write!(f, " #{}", self.nth) }
    }
}

impl FromStr for PacketName {
    type Err = ();

    fn from_str(text: &str) -> Result<PacketName, ()> {
        let (text, nth) = match text.rsplit_once(" #") {
            Some((text, nth)) => (text, nth.parse().map_err(|_| ())?),
            None => (text, 1),
        };
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let kind = kinds().find(|known| *known == kind).ok_or(())?;
        let mark = match rest.split_once(' ') {
            Some(("epoch", epoch)) => Mark::Epoch(epoch.parse().map_err(|_| ())?),
            Some(("round", round)) => Mark::Round(round.parse().map_err(|_| ())?),
            Some(_) => return Err(()),
            None if rest.is_empty() => Mark::None,
            None => Port::named(rest)
                .map(Mark::Port)
                .or_else(|| rest.parse().ok().map(Mark::Xid))
                .or_else(|| rest.parse().ok().map(Mark::Zxid))
                .ok_or(())?,
        };
        if nth == 0 { Err(()) } else { Ok(PacketName { kind, mark, nth }) }
    }
}

impl Serialize for PacketName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

deserialize_as_read!(PacketName);

impl Read for PacketName {
    fn read(json: Json) -> Result<PacketName, ReadError> {
        let text = String::read(json)?;
        text.parse().map_err(|()| ReadError::unknown_name(&text, kinds().collect()))
    }
}

/// The last packet of each name that went from one node to another, of the latest names.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(VecDeque<PacketName>);

impl Counts {
    /// The name of the next packet.
    pub(super) fn name(&mut self, item: &Item, port: Port) -> PacketName {
        let mut name = PacketName::of(item, port);
        let place = self.0.iter().position(|known| known.is_like(&name));
        if let Some(last) = place.and_then(|place| self.0.remove(place)) {
            name.nth = last.nth + 1;
        }
        self.0.push_back(name);
        if self.0.len() > COUNTED {
            self.0.pop_front();
        }
        name
    }

    /// Whether a packet of this name has been sent.
    pub(super) fn has(&self, name: PacketName) -> bool {
        self.0.iter().any(|known| known.is_like(&name) && known.nth >= name.nth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_their_text() {
        for text in [
            "COMMIT 1:3",
            "ACK 2:0",
            "NOTIFICATION round 3 #2",
            "PING #7",
            "LEADERINFO epoch 4",
            "CALL 12",
            "REPLY -2",
            "SYN election",
            "FIN client #3",
            "UPTODATE",
            "srvr",
            "WORD #2",
            "WORD_REPLY #3",
        ] {
            assert_eq!(text.parse::<PacketName>().map(|name| name.to_string()), Ok(text.to_string()));
        }
        for text in ["", "COMIT 1:3", "COMMIT x", "PING #0", "PING #x", "NOTIFICATION round x", "ACK in 3"] {
            assert_eq!(text.parse::<PacketName>(), Err(()), "{text}");
        }
    }

    /// What a run says of a packet must be read again.
    #[test]
    fn a_word_that_is_held_is_named_so_that_it_is_found_again() {
        for text in ["srvr", "SRVR", "xy"] {
            let item = Item::Message(Parcel::ToServer(ToServer::Word { text: text.into() }));
            let name = PacketName::of(&item, Port::Client);
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        let reply = Item::Message(Parcel::ToClient(ToClient::Text { text: "imok".into() }));
        let name = PacketName::of(&reply, Port::Client);
        assert_eq!(name.to_string().parse(), Ok(name));
    }

    #[test]
    fn each_packet_of_a_name_has_its_number() {
        let mut counts = Counts::default();
        let commit =
            |counter| Item::Message(Parcel::Zab(Message::Packet(Packet::Commit { zxid: Zxid::new(1, counter) })));
        let mut named = |item: &Item| counts.name(item, Port::Quorum).to_string();
        assert_eq!(named(&commit(1)), "COMMIT 1:1");
        assert_eq!(named(&Item::Fin), "FIN quorum");
        assert_eq!(named(&commit(1)), "COMMIT 1:1 #2");
        assert_eq!(named(&Item::Fin), "FIN quorum #2");
        assert!(counts.has("COMMIT 1:1 #2".parse().unwrap()) && !counts.has("COMMIT 1:1 #3".parse().unwrap()));
    }
}
