//! What is outside of the ensemble: a store that clients write to, what it knows, and who wrote last.

use crate::base::ClientId;
use crate::draw::layout::Point;
use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::{FigureWord, Picture, TYPE};
use crate::draw::surface::{Align, Stretch};
use crate::timeline::Used;
use crate::view::figure::Resource;

use super::picture::small;
use super::plan::{Frame, Plan, Way};

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan) {
    for (resource, frame) in plan.figure.resources.iter().zip(&plan.outside) {
        let mut told: Vec<ClientId> = Vec::new();
        for used in &resource.uses {
            if !told.contains(&used.client) {
                told.push(used.client);
                arrow(brush, plan, used, frame, told.len());
            }
        }
        self::resource(brush, picture, (resource, frame));
    }
}

/// The way from who wrote to what was written: the `nth` of those who did, the newest first.
pub(super) fn way(plan: &Plan, used: &Used, frame: &Frame, nth: usize) -> Option<Way> {
    let seat = plan.seat(used.client)?;
    let alone = plan.figure.ticket_of(used.client).is_none();
    let right = Point::new(seat.middle.x + seat.width / 2.0 + 3.0, seat.middle.y);
    if frame.top() > seat.bottom() {
        let (left, most) = (frame.corner().x + 30.0, frame.corner().x + frame.width - 30.0);
        if alone {
            let from = Point::new(right.x - 9.0, seat.bottom() + 3.0);
            // not a clamp: on a page that is being laid out the right end may lie left of the left one
            let to = Point::new(from.x.min(most).max(left), frame.top());
            return Some(Way { from, bend: Some(from.toward(to, 0.5)), to });
        }
        // down beside the ticket, where none stands below
        let aisle = right.x + (plan.ticketing.gap.0 / 2.0 - 3.0).clamp(2.0, 8.0);
        let from = Point::new(right.x, seat.bottom() - seat.height * 0.25);
        return Some(Way { from, bend: Some(Point::new(aisle, seat.bottom())), to: Point::new(aisle, frame.top()) });
    }
    // below whoever stands in between; from the row at the bottom straight away
    let down = if alone { frame.height - 36.0 } else { 34.0 + 30.0 * nth as f64 };
    let to = Point::new(frame.corner().x, frame.top() + down);
    let from = if alone { right } else { Point::new(seat.middle.x + seat.width * 0.25, seat.bottom() + 3.0) };
    let low = if alone { right.y } else { seat.bottom() + 74.0 };
    let bend = Point::new(from.x + (to.x - from.x) * if alone { 0.6 } else { 0.35 }, low);
    Some(Way { from, bend: Some(bend), to })
}

/// From who wrote to what was written; a refused write ends before it.
fn arrow(brush: &mut Brush<'_>, plan: &Plan, used: &Used, frame: &Frame, nth: usize) {
    let Some(Way { from, bend: Some(handle), to }) = way(plan, used, frame, nth) else { return };
    let palette = brush.palette;
    let colour = if used.late { &palette.bad } else { &palette.good };
    let gap = if used.refused { 26.0 } else { 3.0 };
    let length = handle.distance(to).max(1.0);
    let tip = to.toward(handle, gap / length);
    brush.path().0.push(Stretch::Move(from));
    brush.more().bend(handle, tip);
    brush.stroke(colour, 2.6, if used.refused { &[6.0, 4.0] } else { &[] }, 1.0);
    let (ux, uy) = ((to.x - handle.x) / length, (to.y - handle.y) / length);
    let p = |along: f64, aside: f64| Point::new(tip.x + ux * along - uy * aside, tip.y + uy * along + ux * aside);
    if used.refused {
        brush.path().bar(p(4.0, -11.0), p(4.0, 11.0), 4.0);
    } else {
        brush.path().polygon([p(2.0, 0.0), p(-11.0, 6.0), p(-11.0, -6.0)]);
    }
    brush.fill(colour, 1.0);
}

fn resource(brush: &mut Brush<'_>, picture: &Picture<'_>, (resource, frame): (&Resource, &Frame)) {
    const RIM: f64 = 13.0;
    let palette = brush.palette;
    let Point { x: left, y: top } = frame.corner();
    let (right, bottom) = (left + frame.width, top + frame.height);
    let p = Point::new;
    let path = brush.path();
    path.0.push(Stretch::Move(p(left, top + RIM)));
    path.0.push(Stretch::Curve(p(left, top - RIM * 0.4), p(right, top - RIM * 0.4), p(right, top + RIM)));
    path.0.push(Stretch::Line(p(right, bottom - RIM)));
    path.0.push(Stretch::Curve(p(right, bottom + RIM * 0.4), p(left, bottom + RIM * 0.4), p(left, bottom - RIM)));
    path.0.push(Stretch::Close);
    brush.fill(&palette.panel, 1.0);
    brush.stroke(&palette.strong, 1.8, &[], 1.0);
    brush.path().0.push(Stretch::Move(p(left, top + RIM)));
    brush.more().0.push(Stretch::Curve(p(left, top + RIM * 2.4), p(right, top + RIM * 2.4), p(right, top + RIM)));
    brush.stroke(&palette.strong, 1.8, &[], 1.0);

    let (line, pad) = (small(picture).max(TYPE[1]), 16.0);
    let step = line * 1.55;
    let title = Hand::new(line + 3.0).weight(700).align(Align::Middle);
    brush.words(&resource.name, p(frame.middle.x, top + RIM * 2.0 + line * 0.9), title, &palette.ink);
    let mut y = top + RIM * 2.0 + line * 2.6;
    match resource.newest {
        Some(newest) => {
            brush.words(&picture.words.figure(FigureWord::Newest), p(left + pad, y), Hand::new(line), &palette.soft);
            let hand = Hand::new(line * 1.8).weight(700).mono().align(Align::Right);
            brush.words(&newest.to_string(), p(right - pad, y), hand, &palette.ink);
        }
        None => {
            brush.words(&picture.words.figure(FigureWord::NoToken), p(left + pad, y), Hand::new(line), &palette.soft)
        }
    }
    y += step * 1.35;
    for used in &resource.uses {
        if y + line * 0.6 > bottom - RIM * 0.5 {
            break;
        }
        let colour = if used.late { &palette.bad } else { &palette.ink };
        let weight = if used.late { 600 } else { 400 };
        brush.words(
            &picture.words.figure(FigureWord::Used(used)),
            p(left + pad, y),
            Hand::new(line).weight(weight),
            colour,
        );
        y += step;
    }
}
