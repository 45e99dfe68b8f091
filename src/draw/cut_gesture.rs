//! A line drawn across the stage: which links it crosses, and what cutting them is as one action.

use crate::base::{Node, ServerId, ServerSet};
use crate::sim::Action;

use crate::draw::layout::{Layout, Point};
use crate::view::Scene;

/// A link that a line crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossed {
    /// Its two ends; the second is a server, the first may be a client.
    pub ends: (Node, Node),
    /// The crossing, in CSS pixels of the stage.
    pub at: Point,
}

/// The links between two points that are not cut yet, clients' lines too, as far as they are drawn.
pub fn crossed(layout: &Layout, scene: &Scene, from: Point, to: Point) -> Vec<Crossed> {
    // a strip of servers has no links to be crossed
    let open = scene.links.iter().filter(|link| layout.plan.is_none() && !(link.cut_ab && link.cut_ba));
    let servers = open.map(|link| (Node::from(link.a), Node::from(link.b)));
    let seated = scene.clients.iter().filter(|client| layout.seat_of(client.id).is_some());
    let clients = seated.filter_map(|client| Some((client.id.into(), client.line()?.0.into())));
    servers
        .chain(clients)
        .filter_map(|ends| {
            let (start, end) = layout.segment(ends.0, ends.1);
            Some(Crossed { ends, at: meeting((from, to), (start, end))? })
        })
        .collect()
}

/// The link between servers that is nearest to a point, within so many CSS pixels of its line; it need not be drawn.
pub fn link_at(layout: &Layout, scene: &Scene, at: Point, reach: f64) -> Option<(ServerId, ServerId)> {
    let away = |(a, b): (ServerId, ServerId)| {
        let (start, end) = layout.segment(a, b);
        let (x, y) = (end.x - start.x, end.y - start.y);
        let along = ((at.x - start.x) * x + (at.y - start.y) * y) / (x * x + y * y).max(1e-6);
        at.distance(start.toward(end, along.clamp(0.0, 1.0)))
    };
    let links = scene.links.iter().filter(|_| layout.plan.is_none()).map(|link| (link.a, link.b));
    let near = links.map(|ends| (away(ends), ends)).filter(|(away, _)| *away <= reach);
    near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, ends)| ends)
}

/// Where two stretches meet, if they do.
fn meeting((a, b): (Point, Point), (c, d): (Point, Point)) -> Option<Point> {
    let cross = |(ux, uy): (f64, f64), (vx, vy): (f64, f64)| ux * vy - uy * vx;
    let (r, s, gap) = ((b.x - a.x, b.y - a.y), (d.x - c.x, d.y - c.y), (c.x - a.x, c.y - a.y));
    let denominator = cross(r, s);
    if denominator.abs() < 1e-9 {
        return None;
    }
    let (t, u) = (cross(gap, s) / denominator, cross(gap, r) / denominator);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then(|| a.toward(b, t))
}

/// What cuts just these links: two groups where it is every link between two groups, else each link by itself.
pub fn cut(layout: &Layout, crossed: &[Crossed], from: Point, to: Point) -> Option<Action> {
    if crossed.is_empty() {
        return None;
    }
    let left = |node: Node| {
        let at = layout.place(node);
        (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x) > 0.0
    };
    let mut sides = [ServerSet::EMPTY; 2];
    let mut plain = true;
    for (a, b) in crossed.iter().map(|crossed| crossed.ends) {
        for node in [a, b] {
            match node.server() {
                Some(server) => drop(sides[usize::from(left(node))].insert(server)),
                None => plain = false,
            }
        }
    }
    if plain && sides[0].len() * sides[1].len() == crossed.len() {
        return Some(Action::Cut { from: sides[0], to: sides[1], one_way: false });
    }
    Some(Action::CutLinks { links: crossed.iter().map(|crossed| crossed.ends).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ClientId, SimTime};
    use crate::draw::layout::seats;
    use crate::sim::Action as Does;
    use crate::timeline::Session;

    fn session(voters: u8, client: bool) -> Session {
        let setup = crate::sim::Setup { voters, ..Default::default() };
        let mut session = Session::new(crate::sim::Run::new(1, setup), None).unwrap();
        session.seek(SimTime::from_ms(1_700)).unwrap();
        if client {
            let client = ClientId(1);
            let open =
                Does::OpenClient { client, servers: vec![ServerId(1)], timeout_ms: 4_000, chroot: None, raw: false };
            session.act(open).unwrap();
            session.seek(SimTime::from_ms(2_000)).unwrap();
        }
        session
    }

    fn stage(session: &Session) -> (Layout, Scene) {
        let world = session.world();
        let ids: Vec<ServerId> = world.processes.keys().copied().collect();
        let seats = seats(session.player().run(), world);
        let layout = Layout::with_clients(&ids, &seats, 900.0, 600.0);
        (layout, Scene::of(world, session.run_summary()))
    }

    /// A line around a server, so that it crosses all its links to others, and its clients' where those lie behind it.
    fn before(layout: &Layout, server: u8) -> (Point, Point) {
        let at = layout.place(ServerId(server));
        let on = at.toward(layout.middle(), 0.5);
        let (dx, dy) = (layout.middle().x - at.x, layout.middle().y - at.y);
        (Point::new(on.x - dy * 4.0, on.y + dx * 4.0), Point::new(on.x + dy * 4.0, on.y - dx * 4.0))
    }

    #[test]
    fn a_line_before_a_server_isolates_it_and_one_off_the_links_does_nothing() {
        let session = session(5, false);
        let (layout, scene) = stage(&session);
        let (from, to) = before(&layout, 1);
        let found = crossed(&layout, &scene, from, to);
        assert_eq!(found.len(), 4, "{found:?}");
        let Some(Action::Cut { from: a, to: b, one_way: false }) = cut(&layout, &found, from, to) else { panic!() };
        let alone: ServerSet = [ServerId(1)].into_iter().collect();
        assert!((a == alone || b == alone) && a.len() + b.len() == 5);
        let corner = crossed(&layout, &scene, Point::new(1.0, 1.0), Point::new(9.0, 3.0));
        assert_eq!((corner.len(), cut(&layout, &corner, from, to)), (0, None));
        assert_eq!(meeting((from, to), (from, to)), None, "side by side is not across");
    }

    #[test]
    fn a_short_line_cuts_one_link_and_what_is_cut_is_not_cut_again() {
        let mut session = session(5, false);
        let (layout, scene) = stage(&session);
        let (start, end) = layout.segment(ServerId(2), ServerId(3));
        let half = start.toward(end, 0.5);
        let (ux, uy) = ((end.x - start.x) / start.distance(end), (end.y - start.y) / start.distance(end));
        let from = Point::new(half.x - uy * 8.0, half.y + ux * 8.0);
        let to = Point::new(half.x + uy * 8.0, half.y - ux * 8.0);
        let found = crossed(&layout, &scene, from, to);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].at.distance(half) < 1.0);
        session.act(cut(&layout, &found, from, to).unwrap()).unwrap();
        let (layout, scene) = stage(&session);
        assert!(crossed(&layout, &scene, from, to).is_empty());
    }

    #[test]
    fn a_clients_line_is_cut_with_the_others() {
        let mut session = session(3, true);
        let (layout, scene) = stage(&session);
        let (from, to) = (Point::new(0.0, 0.0), Point::new(layout.width, layout.height));
        let all = crossed(&layout, &scene, from, to);
        let (start, end) = layout.segment(ClientId(1), ServerId(1));
        let half = start.toward(end, 0.5);
        let from = Point::new(half.x - (end.y - start.y), half.y + (end.x - start.x));
        let to = Point::new(half.x + (end.y - start.y), half.y - (end.x - start.x));
        let found = crossed(&layout, &scene, from, to);
        let client = Node::Client(ClientId(1));
        assert!(found.iter().any(|crossed| crossed.ends.0 == client), "{found:?} {all:?}");
        let Some(Action::CutLinks { links }) = cut(&layout, &found, from, to) else { panic!("{found:?}") };
        assert!(links.contains(&(client, ServerId(1).into())));
        session.act(Action::CutLinks { links }).unwrap();
        assert!(session.world().network.link(ClientId(1), ServerId(1)).cut);
    }

    #[test]
    fn a_link_is_taken_hold_of_anywhere_along_its_line() {
        let (layout, scene) = stage(&session(7, false));
        let mut found = 0;
        for link in &scene.links {
            let (start, end) = layout.segment(link.a, link.b);
            for share in [0.15, 0.85] {
                let at = start.toward(end, share);
                let hit = link_at(&layout, &scene, Point::new(at.x + 1.0, at.y + 1.0), 6.0).expect("a link");
                found += usize::from(hit == (link.a, link.b));
            }
        }
        assert!(found > 2 * scene.links.len() * 8 / 10, "{found}: links cross in few places");
        assert_eq!(link_at(&layout, &scene, Point::new(1.0, 1.0), 6.0), None);
    }
}
