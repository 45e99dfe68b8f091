//! The four great motions, drawn where they take place: in the logs, on links, on cards. What lies below leaves them their room. Each is a
//! picture of how far it is, from 0 to 1, and nothing else: it can stand in mid-air.

use std::f64::consts::PI;

use crate::base::{ServerId, Zxid};
use crate::draw::Point;
use crate::draw::surface::{Path, Stroke};
use crate::sim::Known;
use crate::view::{Crown, Face, Motion, Square};

use crate::draw::stage::Picture;
use crate::draw::stage::brush::Brush;
use crate::draw::stage::icons::{broken_crown, crown_icon, filled_crown};
use crate::draw::stage::{cards, matrix};

/// Draws a motion that is so far.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, motion: &Motion, h: f64) {
    match motion {
        Motion::Committed(zxids, order) => wave(brush, picture, zxids, order, h),
        Motion::Elected(new, before) => {
            if let Some(before) = before {
                broken(brush, picture, *before, part(h, 0.0, THIRD));
            }
            crowns(brush, picture, *new, |brush, at, size| promised(brush, at, size, part(h, THIRD, 1.0)));
        }
        Motion::Established(server) => crowns(brush, picture, *server, |brush, at, size| {
            promised(brush, at, size, 1.0);
            brush.icon(&filled_crown(eased(h)), at, size, &brush.palette.lead);
        }),
        Motion::Deposed(server) => broken(brush, picture, *server, h),
        Motion::Torn(links) => links.iter().for_each(|&(a, b)| torn(brush, picture, (a, b), h)),
        Motion::Forgotten(server, zxids) => {
            zxids.iter().for_each(|&zxid| forgotten(brush, picture, *server, zxid, h))
        }
    }
}

const THIRD: f64 = 1.0 / 3.0;

/// How far a part of a motion is that takes place between these two moments.
fn part(h: f64, from: f64, to: f64) -> f64 {
    ((h - from) / (to - from)).clamp(0.0, 1.0)
}

/// Quick at first, slow at the end.
fn eased(h: f64) -> f64 {
    1.0 - (1.0 - h) * (1.0 - h)
}

/// From one row to the next, as a share of the whole: 60 of 420 ms, less where there are many.
fn step(rows: usize) -> f64 {
    (60.0_f64 / 420.0).min(0.7 / rows.max(2) as f64)
}

/// Fill and tick run down each column; who has it on disk and has not heard of the commit is only touched.
fn wave(brush: &mut Brush<'_>, picture: &Picture<'_>, zxids: &[Zxid], order: &[ServerId], h: f64) {
    let palette = brush.palette;
    let step = step(order.len());
    let lasts = 1.0 - step * order.len().saturating_sub(1) as f64;
    for (index, server) in order.iter().enumerate() {
        let begins = index as f64 * step;
        let own = eased(part(h, begins, begins + lasts));
        for zxid in zxids {
            let Some((square, at, (width, height))) = matrix::cell(picture, *server, *zxid) else { continue };
            if square.known != Known::Committed {
                brush.path().rect(at, width, height, height / 5.0);
                brush.stroke(&palette.good, 2.0 + 3.0 * (PI * own).sin(), &[], 1.0);
            } else if own >= 1.0 {
                cards::square(brush, &square, at, (width, height), 1.0);
            } else {
                let (colour, _) = palette.epoch(Some(zxid.epoch()));
                brush.path().rect(at, width, height * own, height / 5.0);
                brush.fill(colour, 1.0);
            }
        }
    }
}

/// Draws on a server's crowns, on its card and before its log.
fn crowns(brush: &mut Brush<'_>, picture: &Picture<'_>, server: ServerId, draw: impl Fn(&mut Brush<'_>, Point, f64)) {
    if let Some((at, size)) = matrix::crown(picture, server) {
        draw(brush, at, size);
    }
    let card = picture.scene.cards.iter().find(|card| card.id == server);
    if let Some((at, size, ground)) = card.and_then(|card| cards::spot(brush, picture, card, None)) {
        brush.path().rect(Point::new(at.x - 1.0, at.y - 1.0), size + 2.0, size + 2.0, 0.0);
        brush.fill(ground, 1.0);
        draw(brush, at, size);
    }
}

/// The outline of a crown, so far drawn.
fn promised(brush: &mut Brush<'_>, at: Point, size: f64, far: f64) {
    /// The length of the outline, of 20.
    const AROUND: f64 = 62.0;
    let (scale, palette) = (size / 20.0, brush.palette);
    brush.path().0.extend(crown_icon(Crown::Promised).moved(at, scale).0);
    let dash = [AROUND * scale * far, AROUND * scale * 2.0];
    brush.stroke(&palette.lead, 1.4, if far < 1.0 { &dash } else { &[] }, 1.0);
}

/// A crown that falls apart; who does not lead any more has its own sign again at the end.
fn broken(brush: &mut Brush<'_>, picture: &Picture<'_>, server: ServerId, far: f64) {
    let leads = picture.scene.cards.iter().any(|card| card.id == server && card.face == Face::Leading);
    if far >= 1.0 && !leads {
        return;
    }
    crowns(brush, picture, server, |brush, at, size| {
        let palette = brush.palette;
        let shape = broken_crown(0.4 + 2.2 * eased(far)).moved(at, size / 20.0);
        brush.path().0.extend(shape.0);
        brush.both(None, Some(Stroke { colour: &palette.bad, width: 1.4, dash: &[] }), 1.0);
    });
}

/// A link whose ends spring back from the cut.
fn torn(brush: &mut Brush<'_>, picture: &Picture<'_>, (a, b): (ServerId, ServerId), h: f64) {
    let (layout, palette) = (picture.layout, brush.palette);
    if layout.plan.is_some() || !layout.has(a.into()) || !layout.has(b.into()) {
        return;
    }
    let ((start, end), at) = (layout.segment(a, b), layout.handle(a, b));
    let length = start.distance(end).max(1.0);
    let (ux, uy) = ((end.x - start.x) / length, (end.y - start.y) / length);
    // the gap that stays, and 8 px beyond it on the way
    let gap = 12.0 * eased(h) + 8.0 * (PI * h).sin();
    let strong = picture.scene.links.iter().any(|link| (link.a, link.b) == (a, b) && link.strong);
    let p = |along: f64| Point::new(at.x + ux * along, at.y + uy * along);
    brush.path().line(start, p(-gap)).line(p(gap), end);
    brush.stroke(if strong { &palette.strong } else { &palette.line }, if strong { 2.4 } else { 1.6 }, &[], 1.0);
    let across = |along: f64| {
        let end = p(along);
        (Point::new(end.x - uy * 6.0, end.y + ux * 6.0), Point::new(end.x + uy * 6.0, end.y - ux * 6.0))
    };
    let ((from, to), (other, last)) = (across(-gap), across(gap));
    brush.path().line(from, to).line(other, last);
    brush.stroke(&palette.bad, 2.4, &[], 1.0);
}

/// A transaction that is cut from a log: it is held, lifts off, cracks and crumbles.
fn forgotten(brush: &mut Brush<'_>, picture: &Picture<'_>, server: ServerId, zxid: Zxid, h: f64) {
    if let Some((square, at, size)) = matrix::cell(picture, server, zxid) {
        crumble(brush, &square, at, size, h);
    }
    let card = picture.scene.cards.iter().find(|card| card.id == server);
    if let Some((at, size, ground)) = card.and_then(|card| cards::spot(brush, picture, card, Some(zxid))) {
        brush.path().rect(Point::new(at.x - 2.0, at.y - 2.5), size + 4.0, size + 5.0, 0.0);
        brush.fill(ground, 1.0);
        let own = Square { zxid, durable: true, known: Known::Open, lost: true };
        crumble(brush, &own, at, (size, size), h);
    }
}

/// When the square lifts off, when it cracks, when it crumbles: 240, 480 and 760 of 1,100 ms.
const LIFTS: f64 = 240.0 / 1_100.0;
const CRACKS: f64 = 480.0 / 1_100.0;
const CRUMBLES: f64 = 760.0 / 1_100.0;
/// So far it lifts, CSS pixels, and turns, in degrees.
const LIFT: f64 = 13.0;
const TURN: f64 = -7.0;

fn crumble(brush: &mut Brush<'_>, square: &Square, at: Point, (width, height): (f64, f64), h: f64) {
    let palette = brush.palette;
    let (colour, _) = palette.epoch(Some(square.zxid.epoch()));
    let lifted = eased(part(h, LIFTS, CRACKS));
    if lifted > 0.0 {
        // the trace that stays
        brush.path().rect(at, width, height, height / 5.0);
        brush.stroke(&palette.bad, 1.5, &[2.5, 2.5], 1.0);
    }
    let (sin, cos) = (TURN * lifted).to_radians().sin_cos();
    let middle = Point::new(at.x + width / 2.0, at.y + height / 2.0 - LIFT * lifted);
    // a place in the square, from -1 to 1 both ways
    let p = |x: f64, y: f64| {
        let (x, y) = (x * width / 2.0, y * height / 2.0);
        Point::new(middle.x + x * cos - y * sin, middle.y + x * sin + y * cos)
    };
    let fallen = part(h, CRUMBLES, 1.0);
    if fallen > 0.0 {
        return crumbs(brush, colour, &p, (height / 7.0, fallen));
    }
    brush.path().polygon([p(-1.0, -1.0), p(1.0, -1.0), p(1.0, 1.0), p(-1.0, 1.0)]);
    brush.both(Some(&palette.panel), Some(Stroke { colour, width: 2.0, dash: &[] }), 1.0);
    brush.path().polygon([p(-1.0, 0.0), p(1.0, 0.0), p(1.0, 1.0), p(-1.0, 1.0)]);
    brush.fill(colour, 1.0);
    let cracked = part(h, CRACKS, CRUMBLES);
    if cracked > 0.0 {
        let down = |x: f64, path: &mut Path| {
            let to = |y: f64| -1.0 + (y + 1.0) * cracked;
            path.line(p(x, -1.0), p(x + 0.15, to(-0.3))).line(p(x + 0.15, to(-0.3)), p(x - 0.1, to(0.3)));
            path.line(p(x - 0.1, to(0.3)), p(x + 0.1, to(1.0)));
        };
        let path = brush.path();
        [-0.5, 0.05, 0.55].into_iter().for_each(|x| down(x, path));
        brush.stroke(&palette.bad, 1.6, &[], 1.0);
    }
}

/// Where the crumbs of a square come from, and how far each flies aside: places and ways from -1 to 1.
const CRUMBS: [(f64, f64, f64); 9] = [
    (-0.8, -0.6, -0.5),
    (-0.2, -0.7, 0.2),
    (0.5, -0.5, 0.3),
    (-0.6, 0.0, -0.3),
    (0.1, 0.1, -0.1),
    (0.8, 0.0, 0.6),
    (-0.4, 0.7, -0.2),
    (0.3, 0.6, 0.1),
    (0.7, 0.8, 0.4),
];

fn crumbs(brush: &mut Brush<'_>, colour: &str, place: &dyn Fn(f64, f64) -> Point, (size, fallen): (f64, f64)) {
    let path = brush.path();
    for (x, y, aside) in CRUMBS {
        let from = place(x, y);
        let at = Point::new(from.x + aside * 22.0 * fallen, from.y + 34.0 * fallen * fallen);
        let half = size * (1.0 - 0.8 * fallen);
        path.rect(Point::new(at.x - half, at.y - half), 2.0 * half, 2.0 * half, 0.0);
    }
    brush.fill(colour, 1.0);
}
