//! Where on the stage packets and their words may be: as little of it as can be, because a browser copies all of a canvas in each frame.

use crate::base::Node;

use crate::draw::layout::{Layout, Point};
use crate::draw::packet::PacketView;
use crate::view::Face;
use crate::view::Scene;

/// So much room words need beside a link's ends, CSS pixels.
const WORDS: Point = Point::new(72.0, 44.0);
/// From so many clients on they stand all around.
const MANY: usize = 12;

/// Where packets are at this moment, the top left corner and the bottom right one: around the links over which a leader and clients talk
/// while nobody talks over others, around all of them otherwise.
pub fn room(layout: &Layout, scene: &Scene, packets: &[PacketView]) -> (Point, Point) {
    let settled = |face: Face| !matches!(face, Face::Looking | Face::Leaving);
    if layout.plan.is_some() || layout.chips.len() >= MANY || !scene.cards.iter().all(|card| settled(card.face)) {
        return layout.moving;
    }
    let strong = scene.links.iter().filter(|link| link.strong);
    let mut used: Vec<(Node, Node)> = strong.map(|link| (link.a.into(), link.b.into())).collect();
    if used.is_empty() {
        return layout.moving;
    }
    let seated = scene.clients.iter().filter(|client| layout.seat_of(client.id).is_some());
    used.extend(seated.filter_map(|client| client.line().map(|(server, _)| (client.id.into(), server.into()))));
    let known = |packet: &PacketView| {
        let ends = (packet.from, packet.to);
        used.iter().any(|&(a, b)| ends == (a, b) || ends == (b, a))
    };
    if packets.iter().all(known) { around(layout, used) } else { layout.moving }
}

/// Where packets may be at all: around all links between servers, and on all of the stage where there are clients.
pub(super) fn everywhere(layout: &Layout) -> (Point, Point) {
    if !layout.chips.is_empty() || layout.places.len() < 2 {
        return (Point::default(), Point::new(layout.width, layout.height));
    }
    let links = layout.places.iter().enumerate().flat_map(|(index, &(a, _))| {
        layout.places[..index].iter().map(move |&(b, _)| (Node::from(a), Node::from(b)))
    });
    around(layout, links)
}

/// Around links. The corners are at multiples of four, so that pixels of most screens are not shared.
fn around(layout: &Layout, links: impl IntoIterator<Item = (Node, Node)>) -> (Point, Point) {
    let (mut low, mut high) = (Point::new(layout.width, layout.bottom()), Point::default());
    for (a, b) in links {
        let (start, end) = layout.segment(a, b);
        low = Point::new(low.x.min(start.x).min(end.x), low.y.min(start.y).min(end.y));
        high = Point::new(high.x.max(start.x).max(end.x), high.y.max(start.y).max(end.y));
    }
    let down = |value: f64| (value / 4.0).floor().max(0.0) * 4.0;
    let up = |value: f64, most: f64| ((value / 4.0).ceil() * 4.0).min(most);
    (
        Point::new(down(low.x - WORDS.x), down(low.y - WORDS.y)),
        Point::new(up(high.x + WORDS.x, layout.width), up(high.y + WORDS.y, layout.bottom())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ServerId, SimTime};
    use crate::draw::layout::seats;
    use crate::draw::packets;
    use crate::scenarios::scenario;
    use crate::timeline::Session;

    fn area((low, high): (Point, Point)) -> f64 {
        (high.x - low.x) * (high.y - low.y)
    }

    fn holds((low, high): (Point, Point), at: Point) -> bool {
        at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y
    }

    #[test]
    fn packets_have_room_around_every_link() {
        for (width, height) in [(780.0, 540.0), (1_022.5, 674.0), (390.0, 400.0)] {
            for count in 1..=9 {
                let servers: Vec<ServerId> = (1..=count).map(ServerId).collect();
                let layout = Layout::new(&servers, width, height);
                let all = (Point::default(), Point::new(width, height));
                assert!(holds(all, layout.moving.0) && holds(all, layout.moving.1), "{:?}", layout.moving);
                for (a, _) in &layout.places {
                    for (b, _) in layout.places.iter().filter(|(b, _)| a != b) {
                        let (at, _) = layout.segment(*a, *b);
                        assert!(holds(layout.moving, at), "{count} on {width}: {at:?}");
                    }
                }
            }
        }
        let servers: Vec<ServerId> = (1..=5).map(ServerId).collect();
        let layout = Layout::new(&servers, 1_022.0, 674.0);
        assert!(area(layout.moving) < 0.7 * 1_022.0 * 674.0, "cards have no packets on them");
    }

    #[test]
    fn whatever_is_on_its_way_has_room_and_a_settled_ensemble_needs_less() {
        for id in ["cold-start-5", "leader-crash-under-load", "lock-predecessor", "minority-partition"] {
            let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
            let mut smaller = 0;
            for ms in (0..4_000).step_by(7) {
                session.seek(SimTime::from_ms(ms)).unwrap();
                let ids: Vec<_> = session.world().processes.keys().copied().collect();
                let seats = seats(session.player().run(), session.world());
                let layout = Layout::with_clients(&ids, &seats, 1_022.0, 674.0);
                let scene = Scene::of(session.world(), session.run_summary());
                let flying = packets(session.world(), session.run_summary(), &layout, session.cursor_us());
                let room = room(&layout, &scene, &flying);
                for packet in &flying {
                    assert!(holds(room, packet.at), "{id} at {ms} ms: {} at {:?}", packet.name, packet.at);
                }
                assert!(area(room) <= area(layout.moving), "{id} at {ms} ms");
                smaller += usize::from(area(room) < 0.95 * area(layout.moving));
            }
            assert!(smaller > 50, "{id}: {smaller} moments");
        }
    }
}
