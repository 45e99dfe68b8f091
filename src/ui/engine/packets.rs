//! The packets that the stage shows: which one is meant, which one comes next, and time that stands while somebody has one in hand.

use crate::base::{MsgId, ServerId};
use crate::draw::{PacketView, Point, hit, is_marked, link_at};
use crate::timeline::Side;

use super::Engine;

impl Engine {
    /// How many packets on the stage an entry of the legend stands for.
    pub(crate) fn marked_packets(&self, name: &str) -> usize {
        self.flying().iter().filter(|packet| is_marked(name, packet)).count()
    }

    /// A pointer went down on the stage: the packet near it in the picture that is seen, and its menu will stand there.
    pub(crate) fn press(&self, at: Point, reach: f64) -> Option<MsgId> {
        let found = self.packet_at(at, reach);
        self.screen().pressed.set(found.map(|packet| (packet, at)));
        found
    }

    /// The packet near a point.
    pub(crate) fn packet_at(&self, at: Point, reach: f64) -> Option<MsgId> {
        hit(&self.flying(), at, reach)
    }

    /// The link between servers near a point.
    pub(crate) fn link_at(&self, at: Point) -> Option<(ServerId, ServerId)> {
        /// The line is so thick for a pointer, to both sides.
        const REACH: f64 = 6.0;
        link_at(&self.layout(), &self.scene(), at, REACH)
    }

    /// A packet that the stage shows.
    pub(crate) fn packet(&self, msg: MsgId) -> Option<PacketView> {
        self.flying().iter().find(|packet| packet.msg == msg).cloned()
    }

    /// The packet on the stage after this one, or before it, in the order in which they were sent; around the end too.
    pub(crate) fn packet_beside(&self, msg: Option<MsgId>, forward: bool) -> Option<MsgId> {
        let all: Vec<MsgId> = self.flying().iter().map(|packet| packet.msg).collect();
        let next = match (msg, forward) {
            (Some(now), true) => all.iter().find(|one| **one > now),
            (Some(now), false) => all.iter().rev().find(|one| **one < now),
            (None, _) => None,
        };
        next.or(if forward { all.first() } else { all.last() }).copied()
    }

    /// Time stands until [`Engine::go_on`]: somebody has a packet between two fingers.
    pub(crate) fn stand_still(&self) {
        if self.session().playing {
            self.shared.still.set(true);
            self.on(Side::Left).change(|session| session.playing = false);
        }
    }

    /// Time runs again, if it ran before [`Engine::stand_still`].
    pub(crate) fn go_on(&self) {
        if self.shared.still.take() {
            self.on(Side::Left).change(|session| session.playing = true);
        }
    }

    /// Where a packet was pressed, or else where it is.
    pub(crate) fn place_of(&self, packet: MsgId) -> Option<Point> {
        let pressed = self.screen().pressed.get().filter(|(pressed, _)| *pressed == packet).map(|(_, at)| at);
        let is = || self.flying().iter().find(|flying| flying.msg == packet).map(|flying| flying.at);
        pressed.or_else(is)
    }
}
