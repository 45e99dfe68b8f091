//! What a hand does to the network: links that a drawn line crosses, packets that are held, let go, or lost.

use crate::base::{ConnId, MsgId, Node, Zxid};
use crate::client;
use crate::sim::fact::WorldFact;
use crate::sim::host::Input;
use crate::sim::network::{InFlight, Item};
use crate::sim::packet_ref::PacketRef;
use crate::sim::reasons::{ActionRefusal, LossReason};

use super::World;

/// Where a packet is, and what it is called.
struct Found {
    conn: ConnId,
    to_acceptor: bool,
    place: usize,
    msg: MsgId,
    name: &'static str,
    zxid: Option<Zxid>,
    held: bool,
}

impl World {
    /// Cuts links both ways, or heals them.
    pub(super) fn set_links(&mut self, links: &[(Node, Node)], cut: bool) -> Result<(), ActionRefusal> {
        for node in links.iter().flat_map(|(a, b)| [*a, *b]) {
            match node {
                Node::Server(server) => self.process(server).map(|_| ())?,
                // a client that is gone may leave a cut link behind
                Node::Client(client) if cut => self.client_process(client).map(|_| ())?,
                Node::Client(_) => {}
            }
        }
        let before = self.network.cut_links().len();
        for &(a, b) in links {
            self.cut(a, b, cut);
            self.cut(b, a, cut);
        }
        self.links_changed(before, cut)
    }

    /// Heals what is cut between clients and servers.
    pub(super) fn heal_clients(&mut self) {
        for (from, to) in self.network.cut_links() {
            self.cut(from, to, false);
        }
    }

    fn find_packet(&self, packet: PacketRef) -> Result<Found, ActionRefusal> {
        let missing = ActionRefusal::NoSuchPacket { packet };
        let (conn, to_acceptor, place) = self.network.find(packet).ok_or(missing)?;
        let item = self.network.conns.get(&conn).and_then(|ends| ends.pipe(to_acceptor).items.get(place));
        let Some(InFlight { msg, item: Item::Message(parcel), held, .. }) = item else { return Err(missing) };
        let (name, zxid) = (parcel.name(), parcel.zxid());
        Ok(Found { conn, to_acceptor, place, msg: *msg, name, zxid, held: held.is_some() })
    }

    pub(super) fn hold_packet(&mut self, packet: PacketRef) -> Result<(), ActionRefusal> {
        let Found { conn, to_acceptor, place, msg, name, zxid, held } = self.find_packet(packet)?;
        if held {
            return Err(ActionRefusal::WrongPacketStatus { packet, held });
        }
        let now = self.now;
        let Some(ends) = self.network.conns.get_mut(&conn) else { return Ok(()) };
        let items = &mut ends.pipe_mut(to_acceptor).items;
        let behind = items.range(place + 1..).filter(|item| item.nth != 0).count();
        if let Some(item) = items.get_mut(place) {
            item.held = Some(now);
        }
        let PacketRef { from, to, .. } = packet;
        self.fact(WorldFact::PacketHeld { msg, from, to, name, zxid, behind });
        self.enable(conn, to_acceptor);
        Ok(())
    }

    /// It has as far to go as when it was stopped; what is behind it does not overtake it.
    pub(super) fn release_packet(&mut self, packet: PacketRef) -> Result<(), ActionRefusal> {
        let Found { conn, to_acceptor, place, msg, name, zxid, held } = self.find_packet(packet)?;
        if !held {
            return Err(ActionRefusal::WrongPacketStatus { packet, held });
        }
        let now = self.now;
        let Some(ends) = self.network.conns.get_mut(&conn) else { return Ok(()) };
        let mut earliest = now;
        for item in ends.pipe_mut(to_acceptor).items.range_mut(place..) {
            if let Some(since) = item.held.take_if(|_| item.msg == msg) {
                let waited = now.since(since);
                item.departs = item.departs.plus(waited);
                item.due = item.due.plus(waited);
            }
            item.due = item.due.max(earliest);
            earliest = item.due;
        }
        let PacketRef { from, to, .. } = packet;
        self.fact(WorldFact::PacketReleased { msg, from, to, name, zxid });
        self.enable(conn, to_acceptor);
        Ok(())
    }

    /// Nothing of a connection arrives any more, in either direction; both ends learn at once that it is broken.
    pub(super) fn drop_packet(&mut self, packet: PacketRef) -> Result<(), ActionRefusal> {
        let Found { conn, .. } = self.find_packet(packet)?;
        let Some(ends) = self.network.conns.get(&conn) else { return Ok(()) };
        let (from, to, port, open) = (ends.dialler, ends.acceptor, ends.port, ends.open);
        self.fact(WorldFact::ConnectionBroken { conn, from, to, port });
        for to_acceptor in [true, false] {
            self.set_open(conn, to_acceptor, false);
            self.drop_items(conn, to_acceptor, LossReason::ConnectionBroken, |_| true);
        }
        for (end, peer, open) in [(from, to, open[0]), (to, from, open[1])] {
            if open {
                self.fact(WorldFact::ConnectionClosed { conn, node: end, peer });
                self.tell_of(end, Input::Closed(conn), client::Input::Closed(conn));
            }
        }
        self.forget_if_over(conn);
        Ok(())
    }
}
