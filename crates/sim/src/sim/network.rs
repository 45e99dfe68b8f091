//! The network: connections that keep order in each direction, over links with a latency and, perhaps, a cut.
//!
//! A cut link holds packets, as TCP would by sending them again, until it heals or an end gives up. A crash ends a process's
//! connections at once: the other ends hear of it after the packets that had left before. A machine without power says nothing:
//! what is sent to it waits, and is answered by a reset when it runs again. What is modelled of TCP:
//! opening (two packets), order, the end of a stream. What is not: windows, acknowledgements, retransmission times.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::{
    ConnId, Draw, Micros, MsgId, Node, ServerId, ServerSet, SharedMap, SimTime, SortedMap, Stream, Zxid,
};
use crate::daemon::Saying;
use crate::wire::{Answer, ToClient, ToServer};
use crate::zab::{self, Message};

use super::delays::Delays;
use super::latency::LatencyRange;
use super::packet_name::{Counts, PacketName};
use super::packet_ref::{PacketRef, Which};
use super::setup::Setup;

/// The port to which a connection was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Port {
    /// Notifications of the election.
    Election,
    /// Learners.
    Quorum,
    /// Clients.
    Client,
    /// Of a machine that is no ZooKeeper server, for everybody.
    Service,
}

impl Port {
    const ALL: [Port; 4] = [Port::Election, Port::Quorum, Port::Client, Port::Service];

    /// Its name in facts.
    pub fn name(self) -> &'static str {
        match self {
            Port::Election => "election",
            Port::Quorum => "quorum",
            Port::Client => "client",
            Port::Service => "service",
        }
    }

    pub(super) fn named(name: &str) -> Option<Port> {
        Port::ALL.into_iter().find(|port| port.name() == name)
    }
}

impl From<zab::Port> for Port {
    fn from(port: zab::Port) -> Port {
        match port {
            zab::Port::Election => Port::Election,
            zab::Port::Quorum => Port::Quorum,
        }
    }
}

/// What a packet is at least, bytes: a frame of the network and a short record.
pub(super) const HEADER_BYTES: u64 = 100;

/// A message between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parcel {
    /// Between servers.
    Zab(Message),
    /// From a client to its server.
    ToServer(ToServer),
    /// From a server to its client.
    ToClient(ToClient),
    /// To or from a machine of another kind.
    #[serde(skip_deserializing)]
    Other(Saying),
}

impl Parcel {
    /// Its type, in the real name.
    pub fn name(&self) -> &'static str {
        match self {
            Parcel::Zab(message) => message.name(),
            Parcel::ToServer(packet) => packet.name(),
            Parcel::ToClient(packet) => packet.name(),
            Parcel::Other(saying) => saying.name,
        }
    }

    /// About how long it is on the wire, bytes: a header of 100 bytes, and what it carries where that may be long: a
    /// snapshot, transactions, requests, data. Children's names and lists of permissions are left out.
    pub fn bytes(&self) -> u64 {
        HEADER_BYTES
            + match self {
                Parcel::Zab(Message::Packet(zab::Packet::Snap { state, .. })) => state.bytes(),
                Parcel::Zab(Message::Packet(zab::Packet::Proposal(proposal) | zab::Packet::Inform(proposal))) => {
                    proposal.bytes()
                }
                Parcel::Zab(Message::Packet(zab::Packet::Request { payload, .. })) => payload.bytes(),
                Parcel::ToServer(ToServer::Request { request, .. }) => request.bytes() as u64,
                Parcel::ToClient(ToClient::Reply { outcome: Ok(Answer::Data { data, .. }), .. }) => {
                    data.as_ref().map_or(0, |data| data.len() as u64)
                }
                Parcel::Zab(_) | Parcel::ToServer(_) | Parcel::ToClient(_) | Parcel::Other(_) => 0,
            }
    }

    /// The zxid that it carries.
    pub fn zxid(&self) -> Option<Zxid> {
        match self {
            Parcel::Zab(message) => message.zxid(),
            Parcel::ToServer(_) | Parcel::Other(_) => None,
            Parcel::ToClient(packet) => packet.zxid(),
        }
    }
}

/// What travels on a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// The request to open the connection.
    Syn,
    /// The connection is open.
    SynAck,
    /// Nothing listens.
    Refused,
    /// A message.
    Message(Parcel),
    /// The sender closed the connection, or died.
    Fin,
}

/// An item on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Its number.
    pub msg: MsgId,
    /// What it is.
    pub item: Item,
    /// When it was handed to the network.
    pub sent: SimTime,
    /// When the last of it leaves the sender: one packet leaves at a time.
    pub departs: SimTime,
    /// How long it takes from the first byte to the last, µs; 0 where links have no bandwidth.
    pub length_us: Micros,
    /// When it arrives, unless the link is cut.
    pub due: SimTime,
    /// Its number among the messages from its sender to its receiver, from 1; 0 for what is no message.
    pub nth: u64,
    /// Its name among all that went from its sender to its receiver.
    pub name: PacketName,
    /// Since when a hand holds it.
    pub held: Option<SimTime>,
}

/// Its numbers are left out, as that of a [`MsgId`] is.
impl Hash for InFlight {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let InFlight { msg, item, sent, departs, length_us, due, nth: _, name, held } = self;
        (msg, item, sent, departs, length_us, due, name, held).hash(hasher);
    }
}

impl InFlight {
    /// When the first of it leaves the sender: until then it stands in the queue.
    pub fn sets_out(&self) -> SimTime {
        SimTime(self.departs.0.saturating_sub(self.length_us))
    }

    /// Whether it is a SNAP that its sender is still writing: that takes time where links have a bandwidth.
    pub(super) fn is_written(&self, now: SimTime) -> bool {
        let snap = matches!(self.item, Item::Message(Parcel::Zab(Message::Packet(zab::Packet::Snap { .. }))));
        snap && self.length_us > 0 && self.departs > now
    }

    /// Whether it has left its sender.
    pub fn has_left(&self, now: SimTime) -> bool {
        self.departs <= self.held.unwrap_or(now)
    }
}

/// One direction of a connection.
#[derive(Clone, Debug, Default, Hash)]
pub struct Pipe {
    /// What is on its way, in order.
    pub items: VecDeque<InFlight>,
}

/// A connection.
#[derive(Clone, Debug, Hash)]
pub struct Conn {
    /// Who dialled.
    pub dialler: Node,
    /// Who was dialled.
    pub acceptor: Node,
    /// The port that was dialled.
    pub port: Port,
    /// The two directions: from the dialler, and back.
    pub pipes: [Pipe; 2],
    /// Whether the dialler and the acceptor hold their ends open.
    pub open: [bool; 2],
    /// Whether the dialler and the acceptor lost theirs with their machine's power: the other end has not been told.
    pub(super) silent: [bool; 2],
}

impl Conn {
    /// The sender and the receiver of a direction.
    pub fn ends(&self, to_acceptor: bool) -> (Node, Node) {
        match to_acceptor {
            true => (self.dialler, self.acceptor),
            false => (self.acceptor, self.dialler),
        }
    }

    /// One direction.
    pub fn pipe(&self, to_acceptor: bool) -> &Pipe {
        &self.pipes[usize::from(!to_acceptor)]
    }

    pub(super) fn pipe_mut(&mut self, to_acceptor: bool) -> &mut Pipe {
        &mut self.pipes[usize::from(!to_acceptor)]
    }

    pub(super) fn is_over(&self) -> bool {
        self.open == [false; 2] && self.pipes.iter().all(|pipe| pipe.items.is_empty())
    }
}

/// One direction between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// How long a packet takes.
    pub latency: LatencyRange,
    /// Nothing gets through.
    pub cut: bool,
    /// When the last packet left.
    pub(super) last_departure: SimTime,
    /// How many messages were ever sent.
    pub(super) sent: u64,
}

/// All links and connections of a world.
#[derive(Clone, Debug)]
pub struct Network {
    /// The connections, by name.
    pub conns: SharedMap<ConnId, Conn>,
    links: SortedMap<(Node, Node), Link>,
    counts: SortedMap<(Node, Node), Rc<Counts>>,
    /// Machines without power: what is sent to them waits.
    pub(super) off: ServerSet,
    /// Packets that will take longer, by how much.
    delays: Delays<PacketRef>,
    default: LatencyRange,
    transmit: Micros,
    /// Bytes per ms; 0: any length takes no time.
    bandwidth: u64,
    seed: u64,
    next_msg: u64,
}

/// What became of an item that was put on its way.
pub(super) struct Sent {
    pub msg: MsgId,
    /// It is now the first of its direction.
    pub first: bool,
    /// It takes so much longer, because it was told to.
    pub late: Option<Micros>,
}

impl Network {
    pub(super) fn new(setup: &Setup, seed: u64) -> Network {
        Network {
            conns: SharedMap::default(),
            links: SortedMap::new(),
            counts: SortedMap::new(),
            off: ServerSet::EMPTY,
            delays: Delays::default(),
            default: setup.latency,
            transmit: setup.transmit_us,
            bandwidth: setup.bandwidth,
            seed,
            next_msg: 0,
        }
    }

    /// The link from one node to another.
    pub fn link(&self, from: impl Into<Node>, to: impl Into<Node>) -> Link {
        let untouched = Link { latency: self.default, cut: false, last_departure: SimTime::ZERO, sent: 0 };
        self.links.get(&(from.into(), to.into())).copied().unwrap_or(untouched)
    }

    pub(super) fn link_mut(&mut self, from: Node, to: Node) -> &mut Link {
        let untouched = Link { latency: self.default, cut: false, last_departure: SimTime::ZERO, sent: 0 };
        self.links.get_or((from, to), untouched)
    }

    fn draw(&self, from: Node, to: Node) -> Draw {
        Draw::new(self.seed, Stream::Network).node(from).node(to)
    }

    /// The latencies of packets from one node to another, by their names.
    pub(super) fn latencies(&self, from: Node, to: Node) -> impl Fn(PacketName) -> Micros + use<> {
        let range = self.link(from, to).latency;
        let draw = self.draw(from, to);
        move |name| name.draw(draw).between(range.min_us, range.max_us)
    }

    /// Lets a packet that has not been sent take longer; whether it is not too late for that.
    pub(super) fn delay(&mut self, packet: PacketRef, by: Micros) -> bool {
        let ends = (packet.from, packet.to);
        let gone = match packet.which {
            Which::Nth(nth) => self.link(packet.from, packet.to).sent >= nth,
            Which::Name(name) => self.counts.get(&ends).is_some_and(|counts| counts.has(name)),
        };
        if !gone {
            self.delays.set(packet, by);
        }
        !gone
    }

    /// Puts an item on its way.
    pub(super) fn send(&mut self, conn: ConnId, to_acceptor: bool, item: Item, now: SimTime) -> Option<Sent> {
        let ends = self.conns.get(&conn)?;
        let ((from, to), port) = (ends.ends(to_acceptor), ends.port);
        let name = Rc::make_mut(self.counts.get_or_default((from, to))).name(&item, port);
        let transmit = self.transmit;
        let length_us = self.length_us(&item);
        let draw = self.draw(from, to);
        let link = self.link_mut(from, to);
        let range = link.latency;
        let departs = now.max(link.last_departure.plus(transmit)).plus(length_us);
        link.last_departure = departs;
        let counted = matches!(item, Item::Message(_));
        link.sent += u64::from(counted);
        let nth = if counted { link.sent } else { 0 };
        let meant = |packet: &PacketRef| (packet.from, packet.to) == (from, to) && packet.which.is(nth, name);
        let late = self.delays.take(meant);
        let latency = name.draw(draw).between(range.min_us, range.max_us) + late.unwrap_or(0);
        let msg = MsgId(self.next_msg);
        self.next_msg += 1;
        let items = &mut self.conns.get_mut(&conn)?.pipe_mut(to_acceptor).items;
        let due = items.back().map_or(SimTime::ZERO, |last| last.due).max(departs.plus(latency));
        items.push_back(InFlight { msg, item, sent: now, departs, length_us, due, nth, name, held: None });
        Some(Sent { msg, first: items.len() == 1, late })
    }

    /// Items were dropped: what had not left its sender by `now` takes no time of the link any more.
    pub(super) fn forget_unsent(&mut self, from: Node, to: Node, now: SimTime) {
        if self.bandwidth == 0 || self.link(from, to).last_departure <= now {
            return;
        }
        let pipes = self.conns.values().flat_map(|ends| [true, false].map(|way| (ends.ends(way), ends.pipe(way))));
        let there = pipes.filter(|(ends, _)| *ends == (from, to)).filter_map(|(_, pipe)| pipe.items.back());
        let last = there.map(|item| item.departs).max().unwrap_or(now);
        self.link_mut(from, to).last_departure = last.max(now);
    }

    /// How long an item takes to leave its sender, µs.
    fn length_us(&self, item: &Item) -> Micros {
        match item {
            Item::Message(message) if self.bandwidth > 0 => message.bytes() * 1_000 / self.bandwidth,
            _ => 0,
        }
    }

    /// Until when a server's read on a connection does not time out, because bytes move: a long packet is arriving, or the
    /// server is still writing a SNAP, which is done before it reads again (`LearnerHandler.java` `run`). Then its time
    /// `limit` begins.
    pub(super) fn bytes_move(&self, server: ServerId, conn: ConnId, now: SimTime, limit: Micros) -> Option<SimTime> {
        let ends = self.conns.get(&conn)?;
        let inward = ends.acceptor == server.into();
        let arrives =
            |first: &&InFlight| first.due > now && first.due <= now.plus(first.length_us) && first.held.is_none();
        if !self.is_held(ends, inward)
            && let Some(first) = ends.pipe(inward).items.front().filter(arrives)
        {
            return Some(first.due.plus(1));
        }
        let leaving = ends.pipe(!inward).items.iter().find(|out| out.is_written(now));
        leaving.map(|out| out.departs.plus(limit))
    }

    /// Where a packet is: its connection, the direction, its place in it.
    pub fn find(&self, packet: PacketRef) -> Option<(ConnId, bool, usize)> {
        self.conns.iter().find_map(|(&conn, ends)| {
            let way = [true, false].into_iter().find(|&way| ends.ends(way) == (packet.from, packet.to))?;
            let place =
                ends.pipe(way).items.iter().position(|item| packet.which.is(item.nth, item.name) && item.nth != 0)?;
            Some((conn, way, place))
        })
    }

    /// A message on its way, and how actions call it.
    pub fn packet(&self, msg: MsgId) -> Option<(PacketRef, &InFlight)> {
        self.conns.values().find_map(|ends| {
            [true, false].into_iter().find_map(|way| {
                let item = ends.pipe(way).items.iter().find(|item| item.msg == msg && item.nth != 0)?;
                let (from, to) = ends.ends(way);
                Some((PacketRef { from, to, which: Which::Name(item.name) }, item))
            })
        })
    }

    /// The connections of a node, and whether it is the acceptor.
    pub(super) fn conns_of(&self, node: Node) -> impl Iterator<Item = (ConnId, bool)> {
        let mine = move |ends: &Conn| ends.dialler == node || ends.acceptor == node;
        self.conns.iter().filter(move |(_, ends)| mine(ends)).map(move |(&conn, ends)| (conn, ends.acceptor == node))
    }

    /// The cut links, each direction by itself.
    pub(super) fn cut_links(&self) -> Vec<(Node, Node)> {
        self.links.iter().filter(|(_, link)| link.cut).map(|(&ends, _)| ends).collect()
    }

    /// How many packets are on their way, those that wait for a link included. Counts each connection's.
    pub fn packets(&self) -> usize {
        self.conns.values().flat_map(|ends| &ends.pipes).map(|pipe| pipe.items.len()).sum()
    }

    /// Gives back the room that pipes have kept from when more was on its way: measured, three quarters of what they take.
    pub(super) fn shrink(&mut self) {
        let roomy = |conn: &Conn| conn.pipes.iter().any(|pipe| pipe.items.capacity() > pipe.items.len());
        let all: Vec<ConnId> = self.conns.iter().filter(|(_, conn)| roomy(conn)).map(|(&id, _)| id).collect();
        for id in &all {
            let pipes = self.conns.get_mut(id).map(|conn| &mut conn.pipes);
            pipes.into_iter().flatten().for_each(|pipe| pipe.items.shrink_to_fit());
        }
    }

    /// Whether a machine has no power.
    pub fn is_off(&self, node: Node) -> bool {
        node.server().is_some_and(|server| self.off.contains(server))
    }

    /// Whether what travels in a direction of a connection waits: the link is cut, or the receiver has no power.
    pub fn is_held(&self, conn: &Conn, to_acceptor: bool) -> bool {
        let (from, to) = conn.ends(to_acceptor);
        self.link(from, to).cut || self.is_off(to)
    }
}
