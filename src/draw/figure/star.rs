//! Finds places for whoever wants one node: a ring around it, or an arc at either side where the stage is flat.

use crate::base::ClientId;
use crate::draw::layout::{Chip, Point, Seat};

use super::arrange::{Area, ticketing, within};
use super::plan::{Frame, NAMED, Plan};

/// How much of a circle either side of a flat ring is.
const FLAT_ARC: f64 = std::f64::consts::PI * 0.8;

/// A ring around one node. Whoever has the node stands at it, and his place in the ring is free meanwhile.
pub(super) fn star(plan: &mut Plan, area: Area, seats: &[Seat], chip: Chip) -> bool {
    let middle = area.middle();
    let holders = if chip == Chip::Dot { Chip::Compact } else { chip };
    let ticketing = if plan.ticketing.type_size > 15.0 { plan.ticketing } else { ticketing(holders, false) };
    let node = Frame::around(middle, ticketing.size);
    (plan.tickets, plan.parents) = (Vec::new(), Vec::new());
    match plan.figure.tickets().next() {
        Some(ticket) => plan.tickets.push((ticket.path.clone(), node)),
        None => plan.parents.extend(plan.figure.lanes.first().map(|lane| (lane.parent.clone(), node))),
    }
    let holder = plan.figure.tickets().find(|ticket| ticket.alive && ticket.there).and_then(|ticket| ticket.client);
    let (width, height) = chip.size();
    let mut ring = Vec::with_capacity(seats.len());
    let per_ring = if chip == Chip::Dot { 72 } else { seats.len().max(1) };
    let clear = if chip == Chip::Dot { 12.0 } else { 26.0 };
    // a dot has its name at its right
    let beside = if chip == Chip::Dot && seats.len() <= NAMED { ticketing.type_size * 2.4 } else { 2.0 };
    for (number, part) in seats.chunks(per_ring).enumerate() {
        let inward = number as f64 * (width + 9.0);
        let rx = ((area.width() - width) / 2.0 - beside).min(560.0) - inward;
        let ry = (area.height() - height) / 2.0 - 2.0 - inward;
        // no room above and below the node: whoever would stand there does so at its sides
        let flat = chip == Chip::Dot && ry < (node.height + height) / 2.0 + clear;
        ring.extend(part.iter().enumerate().map(|(index, seat)| {
            let angle = on_ring(index, part.len(), flat);
            let at = Point::new(middle.x + rx * angle.cos(), middle.y + ry * angle.sin());
            (seat.client, Frame::around(at, (width, height)))
        }));
    }
    let apart = |a: &Frame, b: &Frame, clear: f64| {
        (a.middle.x - b.middle.x).abs() >= (a.width + b.width) / 2.0 + clear
            || (a.middle.y - b.middle.y).abs() >= (a.height + b.height) / 2.0 + clear
    };
    let free = |(index, (_, one)): (usize, &(ClientId, Frame))| {
        apart(one, &node, clear) && ring[..index].iter().all(|(_, other)| apart(one, other, 2.0))
    };
    let fits = ring.iter().enumerate().all(free);
    let seat = |(id, frame): (ClientId, Frame)| (id, if Some(id) == holder { within(&node, chip) } else { frame });
    plan.clients = ring.into_iter().map(seat).collect();
    fits
}

/// At which angle the one with this number stands among so many, clockwise from the top; on a flat ring on an arc at either side.
fn on_ring(index: usize, count: usize, flat: bool) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    let share = |place: usize, of: usize| (place as f64 + 0.5) / of as f64;
    let right = count.div_ceil(2);
    match (flat, index < right) {
        (false, _) => TAU * share(index, count) - FRAC_PI_2,
        (true, true) => (share(index, right) - 0.5) * FLAT_ARC,
        (true, false) => PI + (share(index - right, count - right) - 0.5) * FLAT_ARC,
    }
}
