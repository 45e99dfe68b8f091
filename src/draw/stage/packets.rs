//! Packets: shapes with letters, and as many of their labels as find room.

use std::collections::BTreeMap;

use crate::base::MsgId;
use crate::draw::figure::written;
use crate::draw::packet::half_width;
use crate::draw::surface::{Align, Ink, Path, Sprite, Stretch, Stroke};
use crate::draw::{CROWD, Label, Layout, Look, PacketView, Point, Shape, epoch_colour, is_marked};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::{Picture, shown};

/// Draws them all; their words keep within `room`.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, room: (Point, Point)) {
    let radius = picture.layout.density.packet();
    let crowd = picture.packets.len() > CROWD;
    let seen = match crowd {
        true => seen(picture.packets, picture.chosen, radius * SLIVER),
        false => picture.packets.iter().collect(),
    };
    for packet in seen.into_iter().filter(|packet| packet.stack > 0) {
        let chosen = picture.chosen == Some(packet.msg);
        let ink = if chosen { Ink::Full } else { ink(picture, packet) };
        brush.take(ink);
        let radius = if packet.cut { radius * AT_A_CUT } else { radius };
        if chosen || !stamped(brush, packet, radius, ink) {
            self::packet(brush, packet, radius, (chosen, ink));
        }
    }
    brush.take(Ink::Full);
    if !crowd {
        labels(brush, picture, radius, room);
    }
}

/// How much is seen of a packet: heartbeats recede always, and so does what waits at a cut, as it does nothing.
fn ink(picture: &Picture<'_>, packet: &PacketView) -> Ink {
    match picture.marked {
        Some(name) if is_marked(name, packet) => Ink::Full,
        Some(_) => Ink::Ghost,
        None if packet.look.shape == Shape::Dot || packet.cut => Ink::Far,
        None if picture.eye.is_some_and(|eye| eye.passes(packet.from, packet.to)) => Ink::Dim,
        None => Ink::Full,
    }
}

/// The packets of which more than a sliver is not hidden by the next of their like, which lies on them: where hundreds queue up, nobody
/// misses the others.
fn seen(packets: &[PacketView], chosen: Option<MsgId>, sliver: f64) -> Vec<&PacketView> {
    let mut last = BTreeMap::new();
    let mut seen = Vec::with_capacity(packets.len());
    for packet in packets.iter().rev() {
        let like = last.entry((packet.from, packet.to, packet.look.letter, packet.epoch));
        let plain = !packet.pinned && chosen != Some(packet.msg);
        let above = like.or_insert(Point::new(f64::INFINITY, 0.0));
        if plain && packet.at.distance(*above) < sliver {
            continue;
        }
        *above = packet.at;
        seen.push(packet);
    }
    seen.reverse();
    seen
}

/// Writes what packets are about beside them, where there is room.
fn labels(brush: &mut Brush<'_>, picture: &Picture<'_>, radius: f64, room: (Point, Point)) {
    let mut taken: Vec<(Point, f64)> = picture.packets.iter().map(|packet| (packet.at, radius)).collect();
    let palette = brush.palette;
    let layout = picture.layout;
    let size = layout.density.label();
    let hand = Hand::new(size).weight(600).mono().align(Align::Middle);
    let kept = kept_free(picture);
    let (Point { x: left, y: above }, Point { x: right, y: below }) = room;
    let told = |packet: &&PacketView| packet.label != Label::None && packet.stack > 0;
    for packet in picture.packets.iter().filter(told) {
        let text = packet.label.to_string();
        let look = packet.look;
        let half = half_width(look, radius);
        let (width, high) = (text.chars().count() as f64 * size * 0.61, size * 0.4);
        let free = |middle: &Point| {
            let clear = |(other, reach): &(Point, f64)| {
                (other.x - middle.x).abs() > reach + width / 2.0 || (other.y - middle.y).abs() > reach + high
            };
            // a card at the edge may push words out of what is drawn
            let on_stage = middle.x >= left + width / 2.0
                && middle.x <= right - width / 2.0
                && middle.y >= above + high + 2.0
                && middle.y <= below - high - 2.0;
            on_stage && taken.iter().all(clear) && kept.iter().all(|area| !area.holds(*middle, (width, 2.0 * high)))
        };
        let (across, along) = (half + 5.0 + width / 2.0, radius + size * 0.8);
        let places = [1.0, -1.0].map(|side| beside(packet, across * side, along * side));
        let places = places.map(|middle| inside(layout, (left, right), packet, middle, width / 2.0));
        if let Some(middle) = places.into_iter().find(free) {
            let ink = if ink(picture, packet) == Ink::Full { &palette.ink } else { &palette.soft };
            brush.label(&text, Point::new(middle.x, middle.y + size * 0.36), hand, ink);
            taken.push((middle, width / 2.0));
        }
    }
}

/// Something that no words may go under.
struct Kept {
    middle: Point,
    half: (f64, f64),
}

impl Kept {
    /// Whether words of this size would touch it.
    fn holds(&self, at: Point, (width, height): (f64, f64)) -> bool {
        (at.x - self.middle.x).abs() < self.half.0 + width / 2.0 + 2.0
            && (at.y - self.middle.y).abs() < self.half.1 + height / 2.0 + 2.0
    }
}

/// Cards, chips, the counts, and what is written on a figure.
fn kept_free(picture: &Picture<'_>) -> Vec<Kept> {
    let layout = picture.layout;
    let kept = |middle: Point, size: (f64, f64)| Kept { middle, half: (size.0 / 2.0, size.1 / 2.0) };
    let mut all: Vec<Kept> = layout.places.iter().map(|(id, at)| kept(*at, layout.size((*id).into()))).collect();
    all.extend(layout.chips.iter().map(|(id, at)| kept(*at, layout.size((*id).into()))));
    for board in shown(layout, picture.scene) {
        all.push(kept(board.place.centre, board.place.size(layout)));
    }
    if let Some(plan) = &layout.plan {
        all.extend(written(picture, plan).into_iter().map(|frame| kept(frame.middle, (frame.width, frame.height))));
    }
    all
}

/// How large a packet is that waits at a cut, as a share of others.
const AT_A_CUT: f64 = 0.72;
/// How much of a packet is seen while the legend brings out others.
const GHOST: f64 = 0.15;
/// Less of a packet, as a share of its radius, is a sliver.
const SLIVER: f64 = 0.5;

/// Draws a packet by the picture of its like, which is quicker by far; whether it can be.
fn stamped(brush: &mut Brush<'_>, packet: &PacketView, radius: f64, ink: Ink) -> bool {
    if packet.held || packet.pinned {
        return false;
    }
    let look = packet.look;
    let name = Sprite {
        what: (look.shape as u8, look.letter),
        colour: packet.epoch.map_or(0, epoch_colour),
        ink,
        size: (radius * 10.0) as u32,
    };
    let wide = if look.shape == Shape::Pill { 2.0 * half_width(look, radius) } else { 2.6 * radius };
    brush.stamp(name, wide + 4.0, packet.at, &mut |brush, at| {
        self::packet(brush, &PacketView { at, ..packet.clone() }, radius, (false, ink));
    })
}

fn packet(brush: &mut Brush<'_>, packet: &PacketView, radius: f64, (chosen, ink): (bool, Ink)) {
    let (look, palette) = (packet.look, brush.palette);
    let alpha = if ink == Ink::Ghost { GHOST } else { 1.0 };
    let (fill, on) = palette.epoch(packet.epoch);
    let hollow = look.shape == Shape::Circle || look.shape == Shape::Hexagon;
    if chosen {
        brush.path().circle(packet.at, radius + 7.0);
        brush.stroke(&palette.focus, 3.0, &[], 1.0);
    }
    outline(brush.path(), look, packet.at, radius);
    let (area, edge, width) =
        if hollow { (palette.paper.as_str(), fill, 2.4) } else { (fill, palette.paper.as_str(), 1.5) };
    brush.both(Some(area), Some(Stroke { colour: edge, width, dash: &[] }), alpha);
    if packet.held {
        outline(brush.path(), look, packet.at, radius + 3.0);
        brush.stroke(&palette.bad, if packet.cut { 1.0 } else { 1.5 }, &[3.0, 3.0], alpha);
    }
    if packet.pinned {
        pin(brush, packet.at, radius);
    }
    if packet.stack > 1 && look.shape != Shape::Dot {
        count(brush, packet, radius);
    }
    let size = if look.shape == Shape::Pill { radius * 0.92 } else { radius * 1.1 };
    let below = if matches!(look.shape, Shape::Triangle | Shape::Bell) { 2.0 } else { 0.0 };
    let hand = Hand::new(size).weight(700).align(Align::Middle);
    let at = Point::new(packet.at.x, packet.at.y + size * 0.36 + below);
    brush.base(look.letter, at, hand, if hollow { &palette.ink } else { on });
}

/// How many lie on each other, at the corner of the uppermost.
fn count(brush: &mut Brush<'_>, packet: &PacketView, radius: f64) {
    let palette = brush.palette;
    let text = format!("×{}", packet.stack);
    let hand = Hand::new((radius * 1.05).max(12.0)).weight(700).align(Align::Middle);
    let (wide, high) = (brush.width(&text, hand) + 8.0, hand.size + 4.0);
    let middle = Point::new(packet.at.x + radius * 0.6 + wide / 2.0, packet.at.y - radius - high * 0.3);
    brush.path().rect(Point::new(middle.x - wide / 2.0, middle.y - high / 2.0), wide, high, high / 2.0);
    brush.both(Some(&palette.soft), Some(Stroke { colour: &palette.paper, width: 1.5, dash: &[] }), 1.0);
    brush.words(&text, middle, hand, &palette.paper);
}

/// A needle with a round head through the corner of a packet that a hand holds.
fn pin(brush: &mut Brush<'_>, at: Point, radius: f64) {
    let palette = brush.palette;
    let head = Point::new(at.x + radius * 1.15, at.y - radius * 1.25);
    brush.path().line(Point::new(at.x + radius * 0.35, at.y - radius * 0.4), head);
    brush.stroke(&palette.ink, 2.0, &[], 1.0);
    brush.path().circle(head, radius * 0.42);
    brush.both(Some(&palette.bad), Some(Stroke { colour: &palette.paper, width: 1.5, dash: &[] }), 1.0);
}

/// The outline of a packet.
fn outline(path: &mut Path, look: Look, at: Point, r: f64) {
    const UP: f64 = -0.5 * std::f64::consts::PI;
    let corner = |x: f64, y: f64| Point::new(at.x - x, at.y - y);
    match look.shape {
        Shape::Square => path.rect(corner(r * 0.95, r * 0.95), r * 1.9, r * 1.9, 4.0),
        Shape::Pill => {
            let half = half_width(look, r);
            path.rect(corner(half, r * 0.82), 2.0 * half, r * 1.64, r * 0.82)
        }
        Shape::Circle => path.circle(at, r),
        Shape::Dot => path.circle(at, r * 0.3),
        Shape::Diamond => path.polygon(ring(at, r * 1.2, 4, UP)),
        Shape::Hexagon => path.polygon(ring(at, r * 1.08, 6, 0.0)),
        Shape::Triangle => path.polygon(ring(at, r * 1.25, 3, UP)),
        Shape::SmallTriangle => path.polygon(ring(at, r * 0.8, 3, UP)),
        Shape::Bell => bell(path, at, r * 1.15),
    };
}

/// The corners of a regular polygon.
fn ring(at: Point, r: f64, corners: u32, first: f64) -> impl Iterator<Item = Point> {
    (0..corners).map(move |corner| {
        let angle = first + std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
        Point::new(at.x + r * angle.cos(), at.y + r * angle.sin())
    })
}

fn bell(path: &mut Path, at: Point, r: f64) -> &mut Path {
    let p = |x: f64, y: f64| Point::new(at.x + r * x, at.y + r * y);
    const K: f64 = 0.8 * 0.5523;
    path.0.push(Stretch::Move(p(-1.1, 0.85)));
    path.bend(p(-0.8, 0.4), p(-0.8, -0.1));
    path.0.push(Stretch::Curve(p(-0.8, -0.1 - K), p(-K, -0.9), p(0.0, -0.9)));
    path.0.push(Stretch::Curve(p(K, -0.9), p(0.8, -0.1 - K), p(0.8, -0.1)));
    path.bend(p(0.8, 0.4), p(1.1, 0.85));
    path.0.push(Stretch::Close);
    path
}

/// Where a packet's words have their middle: on its side of the link, so that the line does not run through them.
fn beside(packet: &PacketView, across: f64, along: f64) -> Point {
    let (at, aside) = (packet.at, packet.aside);
    match aside.x.abs() > aside.y.abs() {
        true => Point::new(at.x + across * aside.x.signum(), at.y),
        false => Point::new(at.x, at.y + along * aside.y.signum()),
    }
}

/// The same place, moved so that neither the edge of what is drawn nor the cards at both ends hide the words.
fn inside(layout: &Layout, (left, right): (f64, f64), packet: &PacketView, mut at: Point, half: f64) -> Point {
    at.x = at.x.min(right - half - 2.0).max(left + half + 2.0);
    for node in [packet.from, packet.to] {
        let (card, (width, height)) = (layout.place(node), layout.size(node));
        let clear = width / 2.0 + half + 4.0;
        if (at.y - card.y).abs() < height / 2.0 + 7.0 && (at.x - card.x).abs() < clear {
            at.x = card.x + clear.copysign(packet.at.x - card.x);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Node, ServerId};
    use crate::draw::look;

    fn packet(nth: u64, name: &'static str, pinned: bool) -> PacketView {
        PacketView {
            msg: MsgId(nth),
            from: Node::Server(ServerId(1)),
            to: Node::Server(ServerId(2)),
            at: Point::new(500.0 - nth as f64, 100.0),
            name,
            look: look(name),
            label: Label::None,
            aside: Point::new(0.0, 1.0),
            epoch: Some(1),
            held: pinned,
            pinned,
            cut: false,
            stack: 1,
            what: "PROPOSAL 1:1".parse().expect("a name"),
        }
    }

    #[test]
    fn of_a_queue_all_is_drawn_but_what_its_like_hides() {
        // one every pixel; each third is of another kind
        let kind = |nth: u64| if nth.is_multiple_of(3) { "ACK" } else { "PROPOSAL" };
        let queue: Vec<PacketView> = (0..300).map(|nth| packet(nth, kind(nth), nth == 100)).collect();
        let seen = seen(&queue, Some(MsgId(50)), 6.0);
        assert!(seen.len() < 110 && seen.is_sorted_by_key(|packet| packet.msg), "{}", seen.len());
        assert_eq!(seen.last().map(|packet| packet.msg), Some(MsgId(299)), "the last one lies on the others");
        for packet in &queue {
            let hides = |other: &&&PacketView| other.name == packet.name && other.msg >= packet.msg;
            let near = seen.iter().filter(hides).any(|other| other.at.distance(packet.at) < 6.0);
            assert!(near, "{:?} is neither drawn nor hidden", packet.msg);
        }
        for special in [50, 100] {
            assert!(seen.iter().any(|packet| packet.msg == MsgId(special)), "chosen or held by a hand: {special}");
        }
    }
}
