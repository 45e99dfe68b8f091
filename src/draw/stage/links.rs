//! Links between servers, lines of clients, who waits for whom, and leaders' queues.

use crate::base::{Arrange, Node, Zxid};
use crate::draw::surface::{Align, Ink, Stretch, Stroke};
use crate::draw::{Layout, Point};
use crate::view::{ClientFace, ClientView, LinkView, Part, Queue};

use crate::draw::stage::Picture;
use crate::draw::stage::brush::{Brush, Hand};

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for strong in [false, true] {
        links(brush, picture, strong);
    }
    clients(brush, picture);
    waiting(brush, picture);
}

pub(super) fn queues(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    if picture.scene.clients.len() > HATCHING || picture.eye.is_some_and(|eye| eye.pointed.is_some()) {
        travelled(brush, picture);
    }
    for queue in &picture.scene.queues {
        self::queue(brush, picture.layout, queue);
    }
}

/// How much is seen of a link; nothing of one that nobody needs now.
fn ink(picture: &Picture<'_>, link: &LinkView) -> Option<Ink> {
    let torn = picture.eye.is_some_and(|eye| eye.moving().is_some_and(|(motion, _)| motion.tears(link.a, link.b)));
    match picture.eye.is_some_and(|eye| eye.passes(link.a.into(), link.b.into())) {
        // the motion draws it
        _ if torn => None,
        _ if link.is_quiet() => None,
        true => Some(Ink::Dim),
        false if link.dead => Some(Ink::Far),
        false => Some(Ink::Full),
    }
}

/// Links that look alike are one outline.
fn links(brush: &mut Brush<'_>, picture: &Picture<'_>, strong: bool) {
    let layout = picture.layout;
    let all = || {
        let kind = picture.scene.links.iter().filter(|link| link.strong == strong);
        kind.filter_map(|link| Some((link, ink(picture, link)?)))
    };
    for look in [Ink::Far, Ink::Dim, Ink::Full].into_iter().flat_map(|ink| [(ink, false), (ink, true)]) {
        brush.take(look.0);
        let palette = brush.palette;
        let (colour, width) = if strong { (&palette.strong, 2.4) } else { (&palette.line, 1.2) };
        let path = brush.path();
        for (link, _) in all().filter(|(link, ink)| (*ink, link.slow) == look) {
            for (start, end) in layout.drawn(link.a, link.b) {
                path.line(start, end);
            }
        }
        brush.stroke(colour, width, if look.1 { &[3.0, 6.0] } else { &[] }, 1.0);
    }
    for (link, ink) in all().filter(|(link, _)| !link.is_open() || link.slow) {
        brush.take(ink);
        if !link.is_open() {
            cut(brush, layout, link);
        } else {
            let at = layout.handle(link.a, link.b);
            let at = Point::new(at.x + 12.0, at.y - 12.0);
            brush.base(picture.words.slow(), at, Hand::new(12.0).weight(600), &brush.palette.soft);
        }
    }
    brush.take(Ink::Full);
}

/// Rings where links are taken hold of, for a page: below the packets, and unlike heartbeats, which are dots. Among many servers they
/// would hide the links.
pub(super) fn handles(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    const MANY: usize = 7;
    if picture.scene.cards.len() >= MANY {
        return;
    }
    for look in [Ink::Far, Ink::Dim, Ink::Full] {
        brush.take(look);
        let palette = brush.palette;
        let path = brush.path();
        let open = picture.scene.links.iter().filter(|link| link.is_open());
        for link in open.filter(|link| ink(picture, link) == Some(look)) {
            path.circle(picture.layout.handle(link.a, link.b), 3.4);
        }
        brush.both(Some(&palette.paper), Some(Stroke { colour: &palette.strong, width: 1.2, dash: &[] }), 1.0);
    }
    brush.take(Ink::Full);
}

/// A cross where a link is cut; where only one direction is, its arrow ends at a bar.
fn cut(brush: &mut Brush<'_>, layout: &Layout, link: &LinkView) {
    let (at, palette) = (layout.handle(link.a, link.b), brush.palette);
    brush.path().circle(at, 12.0);
    brush.fill(&palette.paper, 1.0);
    if link.cut_ab == link.cut_ba {
        let p = |x: f64, y: f64| Point::new(at.x + x, at.y + y);
        brush.path().bar(p(-6.0, -6.0), p(6.0, 6.0), 3.0).bar(p(6.0, -6.0), p(-6.0, 6.0), 3.0);
    } else {
        let (start, end) = layout.segment(link.a, link.b);
        let (from, to) = if link.cut_ab { (start, end) } else { (end, start) };
        let length = from.distance(to).max(1.0);
        let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
        // so far in the direction that is cut, so far beside it
        let p = |along: f64, aside: f64| Point::new(at.x + ux * along - uy * aside, at.y + uy * along + ux * aside);
        let path = brush.path().bar(p(-16.0, 0.0), p(1.0, 0.0), 2.4);
        path.bar(p(-6.0, 6.0), p(1.0, 0.0), 2.4).bar(p(-6.0, -6.0), p(1.0, 0.0), 2.4).bar(
            p(6.0, -9.0),
            p(6.0, 9.0),
            3.4,
        );
    }
    brush.fill(&palette.bad, 1.0);
}

/// From so many clients on their lines would be hatching: one is drawn only while something travels on it, or a pointer is on its client.
const HATCHING: usize = 8;

/// What is not on the ground and needed now, below the packets: lines of clients on which something travels, the line that is pointed at.
fn travelled(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let many = picture.scene.clients.len() > HATCHING;
    let packets = picture.packets.iter().filter(|_| many).map(|packet| (packet.from, packet.to));
    let mut ways: Vec<(Node, Node)> = packets.filter(|(from, to)| from.client().or(to.client()).is_some()).collect();
    ways.extend(picture.eye.and_then(|eye| eye.pointed));
    ways.iter_mut().for_each(|(a, b)| (*a, *b) = ((*a).max(*b), (*a).min(*b)));
    ways.arrange();
    ways.dedup();
    let (layout, palette) = (picture.layout, brush.palette);
    let path = brush.path();
    for (from, to) in ways {
        if layout.has(from) && layout.has(to) {
            layout.drawn(from, to).for_each(|(start, end)| _ = path.line(start, end));
        }
    }
    brush.stroke(&palette.strong, 1.0, &[], 0.7);
    if let Some((Node::Server(a), Node::Server(b))) = picture.eye.and_then(|eye| eye.pointed) {
        brush.path().circle(layout.handle(a, b), 7.0);
        brush.stroke(&palette.focus, 2.4, &[], 1.0);
    }
}

/// The lines from clients to their servers: dashed while they only try.
fn clients(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let layout = picture.layout;
    if picture.scene.clients.len() > HATCHING {
        return;
    }
    for look in [Ink::Dim, Ink::Full].into_iter().flat_map(|ink| [(ink, true), (ink, false)]) {
        brush.take(look.0);
        let palette = brush.palette;
        let path = brush.path();
        for client in &picture.scene.clients {
            let line = client.line().filter(|_| layout.seat_of(client.id).is_some());
            let Some((server, holds)) = line else { continue };
            let passed = picture.eye.is_some_and(|eye| eye.passes(client.id.into(), server.into()));
            let ink = if passed || client.face == ClientFace::Paused { Ink::Dim } else { Ink::Full };
            if (ink, holds) == look {
                layout.drawn(client.id, server).for_each(|(start, end)| _ = path.line(start, end));
            }
        }
        brush.stroke(&palette.strong, 1.2, if look.1 { &[] } else { &[2.0, 5.0] }, 0.8);
    }
    brush.take(Ink::Full);
}

/// Who waits, and behind whom: from one seat to the other.
fn waits(layout: &Layout, client: &ClientView) -> Option<(Point, Point)> {
    let Some(Part::Waits { behind: Some(other), .. }) = client.part else { return None };
    let seated = layout.seat_of(client.id).is_some() && layout.seat_of(other).is_some();
    seated.then(|| layout.segment(client.id, other))
}

/// Arrows from clients that wait to those whose nodes they watch.
fn waiting(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let (layout, palette) = (picture.layout, brush.palette);
    let many = layout.chip.is_dot();
    let (width, size, alpha) = if many { (1.0, 5.0, 0.5) } else { (1.8, 9.0, 0.9) };
    let all = || picture.scene.clients.iter().filter_map(|client| waits(layout, client));
    let path = brush.path();
    for (start, end) in all() {
        path.line(start, end.toward(start, size * 0.6 / start.distance(end).max(size)));
    }
    brush.stroke(&palette.focus, width, &[], alpha);
    let path = brush.path();
    for (start, end) in all() {
        let length = start.distance(end).max(1.0);
        let (ux, uy) = ((end.x - start.x) / length * size, (end.y - start.y) / length * size);
        let base = Point::new(end.x - ux, end.y - uy);
        let (left, right) = (Point::new(-uy * 0.5, ux * 0.5), Point::new(uy * 0.5, -ux * 0.5));
        path.0.extend([
            Stretch::Move(end),
            Stretch::Line(Point::new(base.x + left.x, base.y + left.y)),
            Stretch::Line(Point::new(base.x + right.x, base.y + right.y)),
            Stretch::Close,
        ]);
    }
    brush.fill(&palette.focus, alpha);
}

/// A proposal in a queue: its number, where that can be read.
fn waiting_box(brush: &mut Brush<'_>, zxid: Zxid, at: Point, (wide, high): (f64, f64)) {
    let (palette, size) = (brush.palette, high * 0.74);
    let (fill, on) = palette.epoch(Some(zxid.epoch()));
    brush.path().rect(Point::new(at.x - wide / 2.0, at.y - high / 2.0), wide, high, 3.0);
    brush.both(Some(fill), Some(Stroke { colour: &palette.paper, width: 1.0, dash: &[] }), 1.0);
    if size >= 12.0 {
        let hand = Hand::new(size).weight(700).mono().align(Align::Middle);
        brush.base(&zxid.counter().to_string(), Point::new(at.x, at.y + size * 0.36), hand, on);
    }
}

/// The leader's queue to one follower: boxes on the link, the next one to leave nearest to the follower, between the lanes.
fn queue(brush: &mut Brush<'_>, layout: &Layout, queue: &Queue) {
    const SHOWN: usize = 8;
    let (start, end) = layout.segment(queue.leader, queue.to);
    let (length, palette) = (start.distance(end).max(1.0), brush.palette);
    let (ux, uy) = ((end.x - start.x) / length, (end.y - start.y) / length);
    let last = queue.zxids.last().map_or(0, |zxid| zxid.counter());
    let numbered = !layout.density.is_tight() && layout.places.len() <= 5;
    let (wide, high): (f64, f64) = match (numbered, layout.hall) {
        (false, _) => (8.0, 8.0),
        (true, false) => (last.to_string().len() as f64 * 8.0 + 9.0, 17.0),
        (true, true) => (last.to_string().len() as f64 * 12.5 + 12.0, 27.0),
    };
    // a box keeps its letters upright: on a steep link they stand above each other
    let step = (wide + 3.0) * ux.abs().max(uy.abs() * (high + 3.0) / (wide + 3.0));
    let room = ((length * 0.4 / step) as usize).clamp(1, layout.density.rows() * 2).min(SHOWN);
    let (count, more) = (queue.zxids.len().min(room), queue.zxids.len().saturating_sub(room));
    // those that came last have no place: they would stand behind the others, at the leader
    let behind = if more > 0 { 24.0 } else { 0.0 };
    for (index, zxid) in queue.zxids.iter().take(room).enumerate() {
        let along = behind + wide / 2.0 + 6.0 + (count - 1 - index) as f64 * step;
        waiting_box(brush, *zxid, Point::new(start.x + ux * along, start.y + uy * along), (wide, high));
    }
    if more > 0 {
        let at = Point::new(start.x + ux * 14.0, start.y + uy * 14.0 + 4.0);
        let hand = Hand::new(12.0).weight(600).align(Align::Middle);
        brush.base(&format!("+{more}"), at, hand, &palette.soft);
    }
}
