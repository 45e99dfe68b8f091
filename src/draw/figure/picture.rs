//! Tickets, the strings of watches, crowns.

use crate::base::ClientId;
use crate::draw::layout::{Chip, Point};
use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::{FigureWord, Picture, TYPE, role_icon};
use crate::draw::surface::{Align, Path, Stretch};
use crate::view::Face;
use crate::view::figure::{Claim, Ticket};

use super::plan::{Aside, Frame, Plan, Way};
use super::{leaves, outside};

/// More strings than this have no bells: they would be all that is seen.
const BELLS: usize = 40;

/// Draws everything of a figure but its clients, its servers and what moves.
pub(in crate::draw) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan) {
    if let Some(store) = &plan.figure.store {
        leaves::draw(brush, picture, plan, store);
        dead(brush, picture, plan);
        return fired(brush, plan);
    }
    gifts(brush, plan);
    strings(brush, plan);
    fired(brush, plan);
    for (path, frame) in &plan.parents {
        parent(brush, plan, path, frame);
    }
    for ticket in plan.figure.tickets() {
        if let Some((_, frame)) = plan.tickets.iter().find(|(path, _)| *path == ticket.path) {
            self::ticket(brush, picture, plan, (ticket, frame));
        }
    }
    for (frame, count) in &plan.more {
        ticket_shape(brush.path(), frame);
        brush.stroke(&brush.palette.edge, 1.5, &[4.0, 4.0], 1.0);
        let hand = Hand::new(plan.ticketing.type_size + 3.0).weight(700).align(Align::Middle);
        let above = Point::new(frame.middle.x, frame.middle.y - hand.size * 0.55);
        brush.words(&format!("+{count}"), above, hand, &brush.palette.ink);
        let below = Point::new(frame.middle.x, frame.middle.y + hand.size * 0.7);
        let hand = Hand::new(plan.ticketing.type_size).align(Align::Middle);
        brush.words(&picture.words.figure(FigureWord::More), below, hand, &brush.palette.soft);
    }
    names(brush, picture, plan);
    dead(brush, picture, plan);
    for (frame, aside) in &plan.idle {
        let (palette, at) = (brush.palette, Point::new(frame.middle.x, frame.top() - 6.0));
        let hand = Hand::new(small(picture)).align(Align::Middle);
        brush.label(&aside_words(picture, *aside), at, hand, &palette.soft);
    }
    outside::draw(brush, picture, plan);
}

/// What stands above clients without a ticket.
fn aside_words(picture: &Picture<'_>, aside: Aside) -> String {
    picture.words.figure(match aside {
        Aside::Ticketless => FigureWord::Idle,
        Aside::Clients => FigureWord::Clients,
        Aside::Puts => FigureWord::Puts,
        Aside::Takes => FigureWord::Takes,
    })
}

/// The names of clients that are dots, beside them, where there are so few that each has room for it.
fn names(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan) {
    if picture.layout.chip != Chip::Dot || !plan.names_dots() {
        return;
    }
    let hand = Hand::new(plan.ticketing.type_size).weight(700);
    let colour = &brush.palette.ink;
    let lives = |client: &ClientId| {
        plan.figure.alive.contains(client)
            && plan.figure.ticket_of(*client).is_none_or(|ticket| ticket.there && ticket.alive)
    };
    let dot = Chip::Dot.size().0;
    for (client, frame) in plan.clients.iter().filter(|(client, frame)| frame.width <= dot && lives(client)) {
        let at = Point::new(frame.middle.x + frame.width / 2.0 + 4.0, frame.middle.y + hand.size * 0.36);
        brush.label(&client.to_string(), at, hand, colour);
    }
}

/// The places of clients whose processes are dead, as long as something of them is left: an outline, a cross, and who it was.
fn dead(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan) {
    let palette = brush.palette;
    let seats = plan.clients.iter().filter(|(client, _)| {
        plan.figure.left.contains(client) && plan.figure.ticket_of(*client).is_none_or(|ticket| ticket.alive)
    });
    for (client, frame) in seats {
        let Point { x: left, y: top } = frame.corner();
        let size = picture.layout.chip.size().1.min(46.0) * 0.35;
        let at = Point::new(left + frame.height * 0.3, frame.middle.y - size / 2.0);
        if picture.layout.chip.is_dot() {
            brush.icon(&role_icon(Face::Crashed, false), Point::new(left, top), frame.width, &palette.bad);
            continue;
        }
        brush.path().rect(frame.corner(), frame.width, frame.height, frame.height / 2.0);
        brush.fill(&palette.panel, 1.0);
        brush.stroke(&palette.bad, 1.5, &[4.0, 4.0], 1.0);
        brush.icon(&role_icon(Face::Crashed, false), at, size, &palette.bad);
        let hand = Hand::new(size * 1.2).weight(700);
        brush.words(&client.to_string(), Point::new(at.x + size + 8.0, frame.middle.y), hand, &palette.bad);
    }
}

/// Where something is written that the words of a packet may not cover.
pub(in crate::draw) fn written(picture: &Picture<'_>, plan: &Plan) -> Vec<Frame> {
    let nodes = plan.tickets.iter().chain(&plan.parents).map(|(_, frame)| *frame);
    let bars = plan.bars.iter().chain(&plan.calls).map(|(_, frame)| *frame);
    let idle = plan.idle.iter().map(|(frame, aside)| {
        let size = small(picture);
        let wide = aside_words(picture, *aside).chars().count() as f64 * size;
        Frame::around(Point::new(frame.middle.x, frame.top() - 6.0 - size * 0.36), (wide, size))
    });
    let beside = plan.figure.store.iter().flat_map(|store| leaves::written(picture, plan, store));
    nodes.chain(bars).chain(plan.outside.iter().copied()).chain(plan.stat).chain(idle).chain(beside).collect()
}

/// The size of the smallest letters.
pub(super) fn small(picture: &Picture<'_>) -> f64 {
    if picture.layout.hall { 20.0 } else { TYPE[0] }
}

/// A rectangle with a bite at each corner.
pub(super) fn ticket_shape(path: &mut Path, frame: &Frame) {
    const BITE: f64 = 6.0;
    let Point { x: left, y: top } = frame.corner();
    let (right, bottom) = (left + frame.width, top + frame.height);
    let p = Point::new;
    path.0.push(Stretch::Move(p(left + BITE, top)));
    path.0.push(Stretch::Line(p(right - BITE, top)));
    path.bend(p(right - BITE, top + BITE), p(right, top + BITE));
    path.0.push(Stretch::Line(p(right, bottom - BITE)));
    path.bend(p(right - BITE, bottom - BITE), p(right - BITE, bottom));
    path.0.push(Stretch::Line(p(left + BITE, bottom)));
    path.bend(p(left + BITE, bottom - BITE), p(left, bottom - BITE));
    path.0.push(Stretch::Line(p(left, top + BITE)));
    path.bend(p(left + BITE, top + BITE), p(left + BITE, top));
    path.0.push(Stretch::Close);
}

fn parent(brush: &mut Brush<'_>, plan: &Plan, path: &str, frame: &Frame) {
    let palette = brush.palette;
    let dash: &[f64] = if plan.figure.star { &[4.0, 4.0] } else { &[] };
    brush.path().rect(frame.corner(), frame.width, frame.height, 6.0);
    brush.fill(&palette.panel, 1.0);
    brush.stroke(&palette.edge, 1.5, dash, 1.0);
    let hand = Hand::new(plan.ticketing.type_size + 1.0).weight(600).mono().align(Align::Middle);
    let colour = if plan.figure.star { &palette.soft } else { &palette.ink };
    brush.words(path, frame.middle, hand, colour);
}

/// Whether a ticket is the first of its queue while nobody has what the queue is for: its client does not know yet.
fn is_next(plan: &Plan, ticket: &Ticket) -> bool {
    let held = plan.figure.tickets().any(|one| matches!(one.claim, Claim::Holds(_)));
    let first = |lane: &crate::view::figure::Lane| {
        lane.tickets.iter().find(|one| one.there).is_some_and(|one| one.path == ticket.path)
    };
    (ticket.numbered || plan.figure.star)
        && ticket.client.is_some()
        && !held
        && ticket.there
        && ticket.alive
        && plan.figure.lanes.iter().any(first)
}

fn ticket(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, (ticket, frame): (&Ticket, &Frame)) {
    let palette = brush.palette;
    let holds = matches!(ticket.claim, Claim::Holds(_));
    let (edge, width, dash): (&str, f64, &[f64]) = match ticket.claim {
        _ if !ticket.there => (&palette.bad, 1.8, &[4.0, 4.0]),
        Claim::Holds(_) => (&palette.lead, 3.0, &[]),
        _ if is_next(plan, ticket) => (&palette.lead, 2.4, &[8.0, 5.0]),
        _ => (&palette.strong, 1.5, &[]),
    };
    let shape = |brush: &mut Brush<'_>| match ticket.numbered {
        true => ticket_shape(brush.path(), frame),
        false => drop(brush.path().rect(frame.corner(), frame.width, frame.height, 24.0)),
    };
    shape(brush);
    brush.fill(if ticket.there { &palette.panel } else { &palette.paper }, 1.0);
    shape(brush);
    // an ephemeral node that has no number: dots
    let dash =
        if ticket.numbered || !dash.is_empty() || holds || ticket.client.is_none() { dash } else { &[2.0, 4.0] };
    brush.stroke(edge, width, dash, 1.0);
    let seated = ticket.client.filter(|id| is_seat(plan, *id, ticket));
    label(brush, picture, plan, (ticket, frame), seated.is_some());
    if seated.is_none() || !ticket.alive {
        let (text, colour) = match ticket.client {
            Some(client) if !ticket.alive => (picture.words.figure(FigureWord::Dead(client)), &palette.bad),
            Some(client) => (client.to_string(), &palette.soft),
            None => (ticket.note.clone(), &palette.ink),
        };
        let text = match ticket.by {
            _ if ticket.there => text,
            Some(client) => format!("{} · {client}", picture.words.figure(FigureWord::Gone)),
            None => picture.words.figure(FigureWord::Gone),
        };
        let at = Point::new(frame.middle.x, frame.middle.y + frame.height * 0.2);
        let hand = Hand::new(plan.ticketing.type_size).weight(600).align(Align::Middle);
        brush.words(&text, at, hand, colour);
    }
    if holds || ticket.claim == Claim::Stale {
        crown(brush, plan, frame, holds);
    }
}

fn is_seat(plan: &Plan, client: ClientId, ticket: &Ticket) -> bool {
    plan.figure.ticket_of(client).is_some_and(|own| own.path == ticket.path)
}

/// What is written on a ticket: its name, and the server of its client where there is room.
fn label(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, (ticket, frame): (&Ticket, &Frame), full: bool) {
    const SIDE: f64 = 10.0;
    let palette = brush.palette;
    let size = plan.ticketing.type_size;
    let bare = ticket.client.is_none() && ticket.note.is_empty() && ticket.there;
    let below = if full { picture.layout.chip.size().1 + 6.0 } else { frame.height * 0.45 };
    let high = frame.height - if bare { 0.0 } else { below };
    let y = frame.top() + high / 2.0 + 1.0;
    let hand = Hand::new(size).weight(600).mono();
    let wide = brush.width(&ticket.name, hand);
    let server = ticket.server.filter(|_| full && ticket.alive).map(|id| id.to_string()).unwrap_or_default();
    let aside = Hand::new(small(picture)).align(Align::Right);
    let room = frame.width - 2.0 * SIDE;
    let both = !server.is_empty() && wide + brush.width(&server, aside) + 8.0 <= room;
    let (x, hand) = match both {
        true => (frame.middle.x - frame.width / 2.0 + SIDE, hand),
        false => (frame.middle.x, hand.align(Align::Middle)),
    };
    let colour = if ticket.there { &palette.ink } else { &palette.bad };
    brush.words(&ticket.name, Point::new(x, y), hand, colour);
    if both {
        brush.words(&server, Point::new(frame.middle.x + frame.width / 2.0 - SIDE, y), aside, &palette.soft);
    }
    if !ticket.there {
        let from = if both { x } else { x - wide / 2.0 };
        brush.path().line(Point::new(from - 2.0, y), Point::new(from + wide + 2.0, y));
        brush.stroke(&palette.bad, 1.8, &[], 1.0);
    }
}

/// Where crowns are.
fn crowns(plan: &Plan) -> impl Iterator<Item = Frame> {
    let size = (plan.ticketing.type_size * 1.7).round();
    let crowned = plan.figure.tickets().filter(|ticket| ticket.claim != Claim::None);
    let places = crowned.filter_map(|ticket| plan.node(&ticket.path));
    places.map(move |frame| Frame::around(Point::new(frame.middle.x, frame.top() - size / 2.0), (size, size)))
}

/// Whether a point is in a frame, or nearer to it than `reach`.
fn is_near(frame: &Frame, at: Point, reach: f64) -> bool {
    (at.x - frame.middle.x).abs() < frame.width / 2.0 + reach
        && (at.y - frame.middle.y).abs() < frame.height / 2.0 + reach
}

/// Above the ticket of who has it; broken, and an outline only, where he believes what is no longer true.
fn crown(brush: &mut Brush<'_>, plan: &Plan, frame: &Frame, whole: bool) {
    let palette = brush.palette;
    let size = (plan.ticketing.type_size * 1.7).round();
    let at = Point::new(frame.middle.x - size / 2.0, frame.top() - size - 1.0);
    let icon = role_icon(Face::Leading, false).moved(at, size / 20.0);
    brush.path().0.extend(icon.0);
    if whole {
        brush.fill(&palette.lead, 1.0);
        return;
    }
    brush.fill(&palette.paper, 1.0);
    brush.stroke(&palette.bad, 1.8, &[], 1.0);
    let crack = [(10.0, 3.0), (8.4, 8.0), (11.4, 11.0), (9.4, 16.5)];
    let crack = crack.map(|(x, y): (f64, f64)| Point::new(at.x + x * size / 20.0, at.y + y * size / 20.0));
    for pair in crack.windows(2) {
        brush.path().line(pair[0], pair[1]);
        brush.stroke(&palette.bad, 1.8, &[], 1.0);
    }
}

fn trace(path: &mut Path, way: &Way) {
    path.0.push(Stretch::Move(way.from));
    match way.bend {
        Some(bend) => drop(path.bend(bend, way.to)),
        None => path.0.push(Stretch::Line(way.to)),
    }
}

/// From what must be done to who was given it: an arrow, broken where he is gone.
fn gifts(brush: &mut Brush<'_>, plan: &Plan) {
    let palette = brush.palette;
    for ticket in plan.figure.tickets() {
        let given = ticket.given.as_deref();
        let ends = given.and_then(|given| Some((plan.node(&ticket.path)?, plan.node(given)?)));
        let Some((task, worker)) = ends else { continue };
        let lives = plan.figure.tickets().any(|one| Some(&*one.path) == given && one.there && one.alive);
        let right =
            |frame: Frame, side: f64| Point::new(frame.middle.x + side * (frame.width / 2.0 + 3.0), frame.middle.y);
        let beside = task.middle.x + task.width < worker.middle.x;
        let (from, to) = match beside {
            true => (right(task, 1.0), right(worker, -1.0)),
            false => (task.edge(worker.middle), worker.edge(task.middle)),
        };
        let length = from.distance(to).max(1.0);
        let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
        let p = |along: f64, aside: f64| Point::new(to.x + ux * along - uy * aside, to.y + uy * along + ux * aside);
        let colour = if lives { &palette.soft } else { &palette.bad };
        brush.path().line(from, p(-6.0, 0.0));
        brush.stroke(colour, 2.0, if lives { &[] } else { &[6.0, 4.0] }, 1.0);
        brush.path().polygon([p(-1.0, 0.0), p(-11.0, 5.0), p(-11.0, -5.0)]);
        brush.fill(colour, 1.0);
    }
}

/// The strings of watches that wait.
fn strings(brush: &mut Brush<'_>, plan: &Plan) {
    let palette = brush.palette;
    let ways: Vec<Way> = ways(plan, false).collect();
    let path = brush.path();
    ways.iter().for_each(|way| trace(path, way));
    brush.stroke(&palette.strong, if ways.len() > BELLS { 1.0 } else { 1.8 }, &[], 1.0);
    if ways.len() <= BELLS {
        let r = if plan.ticketing.type_size > 15.0 { 11.0 } else { 7.5 };
        for way in ways.iter().filter(|way| way.length() > 30.0) {
            let clear = |at: &Point| !crowns(plan).any(|crown| is_near(&crown, *at, r + 3.0));
            let places = [0.5, 0.38, 0.62, 0.26, 0.74].map(|share| way.at(share));
            bell(brush, places.into_iter().find(clear).unwrap_or(places[0]), r, true);
        }
    }
}

/// The strings of those that have gone off, while the news is on its way.
fn fired(brush: &mut Brush<'_>, plan: &Plan) {
    let colour = &brush.palette.focus;
    let path = brush.path();
    ways(plan, true).for_each(|way| trace(path, &way));
    brush.stroke(colour, 2.0, &[2.0, 4.0], 1.0);
}

fn ways(plan: &Plan, fired: bool) -> impl Iterator<Item = Way> {
    let tethers = plan.figure.tethers.iter().filter(move |tether| tether.fired.is_some() == fired);
    tethers.filter_map(|tether| plan.string(&tether.path, tether.client))
}

/// A watch: full while it waits, an outline when it has gone off.
pub(super) fn bell(brush: &mut Brush<'_>, at: Point, r: f64, waits: bool) {
    let palette = brush.palette;
    brush.path().circle(at, r + 3.0);
    brush.fill(&palette.paper, 1.0);
    bell_shape(brush.path(), at, r);
    if waits {
        brush.fill(&palette.soft, 1.0);
    } else {
        brush.stroke(&palette.soft, 1.2, &[2.0, 1.6], 1.0);
    }
}

fn bell_shape(path: &mut Path, at: Point, r: f64) {
    let p = |x: f64, y: f64| Point::new(at.x + r * x, at.y + r * y);
    path.0.push(Stretch::Move(p(-0.95, 0.55)));
    path.bend(p(-0.65, 0.2), p(-0.62, -0.25));
    path.bend(p(-0.6, -0.95), p(0.0, -0.95));
    path.bend(p(0.6, -0.95), p(0.62, -0.25));
    path.bend(p(0.65, 0.2), p(0.95, 0.55));
    path.0.push(Stretch::Close);
    path.circle(p(0.0, 0.78), r * 0.24);
}
