//! Links between servers, lines of clients, who waits for whom, and leaders' queues.

use crate::base::Epoch;
use crate::draw::layout::Chip;
use crate::draw::surface::{Align, Sprite, Stretch, Stroke};
use crate::draw::{Layout, Point, epoch_colour};
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
    for queue in &picture.scene.queues {
        self::queue(brush, picture.layout, queue);
    }
}

/// Links that look alike are one outline.
fn links(brush: &mut Brush<'_>, picture: &Picture<'_>, strong: bool) {
    let (layout, palette) = (picture.layout, brush.palette);
    let (colour, width) = if strong { (&palette.strong, 2.4) } else { (&palette.line, 1.2) };
    for (slow, dead) in [(false, false), (false, true), (true, false), (true, true)] {
        let path = brush.path();
        let alike = |link: &&LinkView| link.strong == strong && link.slow == slow && link.dead == dead;
        for link in picture.scene.links.iter().filter(alike) {
            let (start, end) = layout.segment(link.a, link.b);
            path.line(start, end);
        }
        let dash: &[f64] = if slow { &[3.0, 6.0] } else { &[] };
        brush.stroke(colour, width, dash, if dead { 0.45 } else { 1.0 });
    }
    for link in picture.scene.links.iter().filter(|link| link.strong == strong) {
        if !link.is_open() {
            cut(brush, layout, link);
        } else if link.slow {
            let at = layout.handle(link.a, link.b);
            let at = Point::new(at.x + 12.0, at.y - 12.0);
            brush.base(picture.words.slow(), at, Hand::new(12.0).weight(600), &palette.soft);
        }
    }
}

/// Rings where links are taken hold of, for a page: below the packets, and unlike heartbeats, which are dots. Among many servers they
/// would hide the links.
pub(super) fn handles(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    const MANY: usize = 7;
    if picture.scene.cards.len() >= MANY {
        return;
    }
    let palette = brush.palette;
    let path = brush.path();
    for link in picture.scene.links.iter().filter(|link| link.is_open()) {
        path.circle(picture.layout.handle(link.a, link.b), 3.4);
    }
    brush.both(Some(&palette.paper), Some(Stroke { colour: &palette.strong, width: 1.2, dash: &[] }), 1.0);
}

/// A cross where a link is cut; an arrow beside it shows the direction when only one is.
fn cut(brush: &mut Brush<'_>, layout: &Layout, link: &LinkView) {
    let (at, palette) = (layout.handle(link.a, link.b), brush.palette);
    brush.path().circle(at, 12.0);
    brush.fill(&palette.paper, 1.0);
    let p = |x: f64, y: f64| Point::new(at.x + x, at.y + y);
    brush.path().bar(p(-6.0, -6.0), p(6.0, 6.0), 3.0).bar(p(6.0, -6.0), p(-6.0, 6.0), 3.0);
    if link.cut_ab != link.cut_ba {
        let (start, end) = layout.segment(link.a, link.b);
        let (from, to) = if link.cut_ab { (start, end) } else { (end, start) };
        let length = from.distance(to).max(1.0);
        let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
        let (px, py) = (-uy * 17.0, ux * 17.0);
        let (tail, tip) = (p(px - ux * 12.0, py - uy * 12.0), p(px + ux * 12.0, py + uy * 12.0));
        let left = Point::new(tip.x - ux * 6.0 - uy * 5.0, tip.y - uy * 6.0 + ux * 5.0);
        let right = Point::new(tip.x - ux * 6.0 + uy * 5.0, tip.y - uy * 6.0 - ux * 5.0);
        brush.more().bar(tail, tip, 2.0).bar(left, tip, 2.0).bar(right, tip, 2.0);
    }
    brush.fill(&palette.bad, 1.0);
}

/// The lines from clients to their servers: dashed while they only try, thin where there are many.
fn clients(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let (layout, palette) = (picture.layout, brush.palette);
    let many = layout.chip == Chip::Dot;
    for (holds, faint) in [(true, false), (true, true), (false, false), (false, true)] {
        let path = brush.path();
        for client in &picture.scene.clients {
            let line = client.line().filter(|_| layout.seat_of(client.id).is_some());
            let Some((server, _)) = line.filter(|(_, held)| *held == holds) else { continue };
            if faint == (many || client.face == ClientFace::Paused) {
                let (start, end) = layout.segment(client.id, server);
                path.line(start, end);
            }
        }
        let dash: &[f64] = if holds { &[] } else { &[2.0, 5.0] };
        brush.stroke(&palette.strong, if many { 0.8 } else { 1.2 }, dash, if faint { 0.55 } else { 0.8 });
    }
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
    let many = layout.chip == Chip::Dot;
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

/// A proposal in a queue.
fn waiting_square(brush: &mut Brush<'_>, epoch: Epoch, at: Point) {
    const SIDE: f64 = 8.0;
    let draw = |brush: &mut Brush<'_>, at: Point| {
        let (fill, _) = brush.palette.epoch(Some(epoch));
        brush.path().rect(Point::new(at.x - SIDE / 2.0, at.y - SIDE / 2.0), SIDE, SIDE, 0.0);
        brush.fill(fill, 1.0);
    };
    let name = Sprite { what: (Sprite::QUEUED, ""), colour: epoch_colour(epoch), dim: false, size: SIDE as u32 * 10 };
    if !brush.stamp(name, SIDE + 2.0, at, &mut |brush, at| draw(brush, at)) {
        draw(brush, at);
    }
}

/// The leader's queue to one follower: small squares on the link, at the leader's end, between the lanes.
fn queue(brush: &mut Brush<'_>, layout: &Layout, queue: &Queue) {
    const SHOWN: usize = 8;
    let (start, end) = layout.segment(queue.leader, queue.to);
    let (length, palette) = (start.distance(end).max(1.0), brush.palette);
    let (ux, uy) = ((end.x - start.x) / length, (end.y - start.y) / length);
    let room = ((length * 0.4 / 11.0) as usize).clamp(1, layout.density.rows() * 2).min(SHOWN);
    for (index, zxid) in queue.zxids.iter().take(room).enumerate() {
        let along = 12.0 + index as f64 * 11.0;
        waiting_square(brush, zxid.epoch(), Point::new(start.x + ux * along, start.y + uy * along));
    }
    if queue.zxids.len() > room {
        let along = 16.0 + room as f64 * 11.0;
        let at = Point::new(start.x + ux * along, start.y + uy * along + 4.0);
        let hand = Hand::new(12.0).weight(600).align(Align::Middle);
        brush.base(&format!("+{}", queue.zxids.len() - room), at, hand, &palette.soft);
    }
}
