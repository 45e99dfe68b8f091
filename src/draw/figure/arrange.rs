//! Finds places for a recipe: its queues in rows, the next on the left; what is outside at the right; the servers as a strip below all.

use std::rc::Rc;

use crate::base::{ClientId, ServerId};
use crate::draw::layout::{Chip, Density, Layout, Point, Seat};
use crate::view::figure::{Figure, Lane};

use super::plan::{Aside, Frame, NAMED, Plan, Ticketing};
use super::{star, tree};

/// Space around everything.
const EDGE: f64 = 14.0;
/// A narrower stage has what is outside below the queue.
const NARROW: f64 = 640.0;
/// How high the name of a queue is, with the space for what goes over heads.
const PARENT: f64 = 28.0;
/// Space between two queues.
const BETWEEN: f64 = 12.0;

/// From this height on clients without a ticket stand higher above the servers, by so much at most.
const LOW: f64 = 300.0;
const WAY: f64 = 26.0;

/// A part of the stage.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        (self.right - self.left).max(1.0)
    }

    pub(super) fn height(&self) -> f64 {
        (self.bottom - self.top).max(1.0)
    }

    pub(super) fn middle(&self) -> Point {
        Point::new((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

pub(super) fn ticketing(chip: Chip, hall: bool) -> Ticketing {
    let of = |size, gap, type_size| Ticketing { size, gap, type_size };
    match chip {
        Chip::Large => of((184.0, 116.0), (48.0, 58.0), 17.0),
        Chip::Full => of((134.0, 86.0), (40.0, 46.0), 13.0),
        Chip::Compact => of((106.0, 68.0), (26.0, 34.0), 12.0),
        Chip::Hall => of((200.0, 112.0), (44.0, 56.0), 20.0),
        Chip::Dot | Chip::Speck if hall => of((132.0, 74.0), (16.0, 40.0), 20.0),
        Chip::Dot | Chip::Speck => of((92.0, 52.0), (16.0, 30.0), 12.0),
    }
}

/// The layout of a figure on a stage of this size.
pub(super) fn figure(
    figure: Figure,
    servers: &[ServerId],
    seats: &[Seat],
    (width, height): (f64, f64),
    hall: bool,
) -> Layout {
    let (density, places, top) = strip(servers, (width, height), hall);
    let mut area = Area { left: EDGE, top: 8.0, right: width - EDGE, bottom: top - 12.0 };
    let left = places.iter().map(|(_, at)| at.x - density.card().0 / 2.0).fold(width, f64::min);
    let believers = believers(&figure, seats.len(), &mut area, (left, height), hall);
    let mut plan = Plan { outside: outside(&figure, &mut area, hall), believers, figure, ..Plan::default() };
    let chip = match plan.figure.store {
        Some(_) => {
            // above each server stands what it has of the node that changed last
            area.bottom -= if hall { 30.0 } else { 22.0 };
            tree::store(&mut plan, area, seats, hall)
        }
        None => recipe(&mut plan, area, seats, hall),
    };
    let chips = plan.clients.iter().map(|(id, frame)| (*id, frame.middle)).collect();
    Layout {
        width,
        height,
        density,
        places,
        chip,
        chips,
        seats: seats.to_vec(),
        hall,
        counts: Vec::new(),
        moving: (Point::default(), Point::new(width, height)),
        plan: Some(Rc::new(plan)),
        logs: None,
        panels: Vec::new(),
    }
}

/// Places for queues or a ring, with the largest chips that have room.
fn recipe(plan: &mut Plan, area: Area, seats: &[Seat], hall: bool) -> Chip {
    let chips: &[Chip] =
        if hall { &[Chip::Hall, Chip::Dot] } else { &[Chip::Large, Chip::Full, Chip::Compact, Chip::Dot] };
    // where roles have one column each, no arrow runs behind a box
    let straight = |plan: &Plan| {
        let column = |lane: &Lane| {
            let mut across = lane.tickets.iter().filter_map(|ticket| plan.node(&ticket.path)).map(|at| at.middle.x);
            let first = across.next();
            across.all(|x| Some(x) == first)
        };
        plan.figure.lanes.iter().all(column)
    };
    let columns = plan.figure.columns;
    for &size in chips.iter().filter(|size| columns && **size != Chip::Dot) {
        plan.ticketing = ticketing(size, hall);
        if queues(plan, area, seats, size) && straight(plan) {
            return size;
        }
    }
    let mut chip = Chip::Dot;
    for &size in chips {
        chip = size;
        plan.ticketing = ticketing(size, hall);
        let fits =
            if plan.figure.star { star::star(plan, area, seats, size) } else { queues(plan, area, seats, size) };
        // a queue is cut before its tickets are too small to be read
        if fits || (!plan.figure.star && !plan.figure.columns && size == Chip::Compact) {
            break;
        }
    }
    chip
}

/// The servers in rows at the bottom: how large, where, and where the first row begins.
fn strip(servers: &[ServerId], (width, height): (f64, f64), hall: bool) -> (Density, Vec<(ServerId, Point)>, f64) {
    const GAP: f64 = 10.0;
    let fits = |density: Density| servers.len() as f64 * (density.card().0 + GAP) + GAP <= width;
    let density = if hall {
        Density::HallMini
    } else if fits(Density::Strip) {
        Density::Strip
    } else {
        Density::Mini
    };
    let (wide, high) = density.card();
    let row = (((width - GAP) / (wide + GAP)).floor() as usize).clamp(1, servers.len().max(1));
    let rows = servers.len().div_ceil(row);
    let top = height - rows as f64 * (high + GAP);
    let place = |(index, &id): (usize, &ServerId)| {
        let (y, x) = (index / row, index % row);
        let there = (servers.len() - y * row).min(row) as f64;
        let left = (width - there * (wide + GAP) + GAP) / 2.0;
        (id, Point::new(left + x as f64 * (wide + GAP) + wide / 2.0, top + y as f64 * (high + GAP) + high / 2.0))
    };
    (density, servers.iter().enumerate().map(place).collect(), top)
}

/// The corner beside the servers, which begin at `left`. Where that is too narrow, a line above all, if something is outside: such a
/// figure is about who may write there, and the line is kept free from the beginning, so that nothing moves when two believe.
fn believers(
    figure: &Figure,
    clients: usize,
    area: &mut Area,
    (left, height): (f64, f64),
    hall: bool,
) -> Option<Frame> {
    const CORNER: (f64, f64) = (260.0, 84.0);
    const LEAST: f64 = 170.0;
    const LINE: f64 = 40.0;
    /// A lower stage, and more clients than stand in one row, need all its height for the queue.
    const LOW: f64 = 400.0;
    const A_ROW: usize = 2;
    let room = left - 2.0 * EDGE;
    if room >= LEAST {
        let size = (room.min(CORNER.0), if hall { CORNER.1 * 1.4 } else { CORNER.1 });
        return Some(Frame::around(Point::new(EDGE + size.0 / 2.0, height - EDGE - size.1 / 2.0), size));
    }
    if figure.resources.is_empty() || hall || height < LOW || clients > A_ROW {
        return None;
    }
    let line = Frame::around(Point::new(area.middle().x, area.top + LINE / 2.0), (area.width(), LINE));
    area.top += LINE + 4.0;
    Some(line)
}

/// Frames for what is outside; the area becomes smaller by them.
fn outside(figure: &Figure, area: &mut Area, hall: bool) -> Vec<Frame> {
    /// How high each is below the queue, and what that has to have.
    const HIGH: f64 = 104.0;
    const LEFT: f64 = 170.0;
    let count = figure.resources.len();
    if count == 0 {
        return Vec::new();
    }
    // a stage that is narrow and low too has more room beside the queue than below it
    let low = area.width() >= 480.0 && area.height() < 300.0;
    let narrow = area.width() < NARROW && !low;
    // below the queue in one row, where there is no room for a row each
    let row = narrow && area.height() - count as f64 * (HIGH + 10.0) < LEFT;
    let (wide, high): (f64, f64) = match (narrow, hall) {
        (true, _) if row => (area.width() / count as f64 - 10.0, HIGH),
        (true, _) => (area.width(), HIGH),
        (false, false) if area.width() < NARROW => (190.0, 186.0),
        (false, true) => (340.0, 250.0),
        (false, false) => (236.0, 186.0),
    };
    let most = area.height() / count as f64 - 12.0;
    let high = if narrow { high } else { high.min(most) };
    let frame = |index: usize| {
        let down = if narrow {
            area.bottom - (count - index) as f64 * (high + 10.0) + high / 2.0 + 10.0
        } else {
            area.middle().y + (index as f64 - (count - 1) as f64 / 2.0) * (high + 12.0)
        };
        let across = if narrow { area.middle().x } else { area.right - wide / 2.0 };
        let in_row = Point::new(area.left + (index as f64 + 0.5) * (wide + 10.0), area.bottom - high / 2.0);
        Frame::around(if row { in_row } else { Point::new(across, down) }, (wide, high))
    };
    let frames = (0..count).map(frame).collect();
    if narrow {
        area.bottom -= if row { 1.0 } else { count as f64 } * (high + 10.0);
    } else {
        area.right -= wide + 34.0;
    }
    frames
}

/// Where a client's chip is within its ticket.
pub(super) fn within(ticket: &Frame, chip: Chip) -> Frame {
    let (width, height) = chip.size();
    Frame::around(Point::new(ticket.middle.x, ticket.bottom() - height / 2.0 - 6.0), (width, height))
}

/// Queues below each other, and below them whoever stands in none. Whether all have a place.
fn queues(plan: &mut Plan, area: Area, seats: &[Seat], chip: Chip) -> bool {
    let Ticketing { size: (wide, high), gap: (beside, above), .. } = plan.ticketing;
    (plan.tickets, plan.parents, plan.more, plan.clients) = Default::default();
    let known = |id: &ClientId| plan.figure.alive.contains(id) || plan.figure.dead.contains(id);
    let alone = |id: &ClientId| known(id) && plan.figure.ticket_of(*id).is_none();
    let idle: Vec<ClientId> = seats.iter().map(|seat| seat.client).filter(alone).collect();
    let mut area = area;
    let all_idle = self::idle(plan, &mut area, &idle, chip);
    let a_row = (((area.width() + beside) / (wide + beside)).floor() as usize).max(1);
    let lanes = plan.figure.lanes.clone();
    if plan.figure.columns {
        return columns(plan, area, &lanes, chip) && all_idle;
    }
    let rows_of = |lane: &Lane| lane.tickets.len().div_ceil(a_row).max(1);
    let mut rows: Vec<usize> = lanes.iter().map(rows_of).collect();
    let need = |rows: &[usize]| {
        rows.iter().map(|rows| PARENT + *rows as f64 * (high + above)).sum::<f64>()
            + rows.len().saturating_sub(1) as f64 * BETWEEN
    };
    if need(&rows) > area.height() && abreast(plan, area, &lanes, chip) {
        return all_idle;
    }
    let mut whole = all_idle;
    while need(&rows) > area.height() && rows.iter().any(|rows| *rows > 1) {
        let longest = (0..rows.len()).max_by_key(|index| rows[*index]).unwrap_or(0);
        rows[longest] -= 1;
        whole = false;
    }
    whole &= need(&rows) <= area.height();
    if !whole && need(&rows) > area.height() && side_by_side(plan, area, &lanes, chip) {
        return false;
    }
    // what is free stands above and below, the larger part below
    let mut top = area.top + ((area.height() - need(&rows)) / 3.0).max(0.0);
    for (lane, rows) in lanes.iter().zip(rows) {
        top = self::lane(plan, lane, (area, top), (rows, a_row), chip);
    }
    whole
}

/// Queues beside each other, where a low stage has no room for them below each other; whether each has a row of its own.
fn abreast(plan: &mut Plan, area: Area, lanes: &[Lane], chip: Chip) -> bool {
    let Ticketing { size: (wide, high), gap: (beside, above), type_size } = plan.ticketing;
    let name = |lane: &Lane| lane.parent.chars().count() as f64 * (type_size + 1.0) * 0.61 + 28.0;
    let wants = |lane: &Lane| (lane.tickets.len().max(1) as f64 * (wide + beside)).max(name(lane) + beside);
    let all: f64 = lanes.iter().map(wants).sum();
    if lanes.len() < 2 || all > area.width() || PARENT + high + above > area.height() {
        return false;
    }
    let spare = (area.width() - all) / lanes.len() as f64;
    let top = area.top + (area.height() - PARENT - high - above) / 3.0;
    let mut left = area.left;
    for lane in lanes {
        let right = left + wants(lane) + spare;
        let a_row = lane.tickets.len().max(1);
        self::lane(plan, lane, (Area { left, right, ..area }, top), (1, a_row), chip);
        left = right;
    }
    true
}

/// The same where not even that has room: each queue has an equal part of the width, and what has no place is counted. Whether there is
/// room for that.
fn side_by_side(plan: &mut Plan, area: Area, lanes: &[Lane], chip: Chip) -> bool {
    let Ticketing { size: (wide, high), gap: (beside, above), .. } = plan.ticketing;
    let part = area.width() / lanes.len().max(1) as f64;
    let a_row = ((part / (wide + beside)).floor() as usize).max(1);
    if lanes.len() < 2 || part < wide + beside || PARENT + high + above > area.height() {
        return false;
    }
    let top = area.top + (area.height() - PARENT - high - above) / 3.0;
    for (index, lane) in lanes.iter().enumerate() {
        let left = area.left + index as f64 * part;
        self::lane(plan, lane, (Area { left, right: left + part, ..area }, top), (1, a_row), chip);
    }
    true
}

/// Roles beside each other, each in as few columns as have room: what must be done, who decides (at the bottom, so that arrows pass
/// above him), who works.
fn columns(plan: &mut Plan, area: Area, lanes: &[Lane], chip: Chip) -> bool {
    const BELOW: f64 = 14.0;
    let Ticketing { size: (wide, high), gap: (beside, above), type_size } = plan.ticketing;
    // only who decides has a crown above him
    let above = above.min(type_size * 2.0);
    let free = area.height() - PARENT - above + BELOW;
    // what has no client needs no room for one
    let tall =
        |lane: &Lane| if lane.tickets.iter().any(|ticket| ticket.client.is_some()) { high } else { type_size * 3.3 };
    let rows = |lane: &Lane| ((free / (tall(lane) + BELOW)).floor() as usize).max(1);
    let mut wanted: Vec<usize> = lanes.iter().map(|lane| lane.tickets.len().div_ceil(rows(lane)).max(1)).collect();
    let need = |wanted: &[usize]| wanted.iter().map(|columns| *columns as f64 * (wide + beside)).sum::<f64>();
    let mut whole = true;
    while need(&wanted) > area.width() && wanted.iter().any(|columns| *columns > 1) {
        let widest = (0..wanted.len()).max_by_key(|index| wanted[*index]).unwrap_or(0);
        wanted[widest] -= 1;
        whole = false;
    }
    let between = (area.width() - need(&wanted)).max(0.0) / lanes.len() as f64;
    let mut left = area.left + between / 2.0;
    for (index, (lane, columns)) in lanes.iter().zip(&wanted).enumerate() {
        let own = *columns as f64 * (wide + beside);
        let (rows, tall) = (rows(lane), tall(lane));
        let last = index > 0 && index + 1 < lanes.len();
        let used = lane.tickets.len().min(rows) as f64 * (tall + BELOW);
        let top = area.top + PARENT + above + if last { (free - used).max(0.0) } else { 0.0 };
        let cell = |index: usize| {
            let (column, row) = (index / rows, index % rows);
            let x = left + beside / 2.0 + column as f64 * (wide + beside) + wide / 2.0;
            Frame::around(Point::new(x, top + row as f64 * (tall + BELOW) + tall / 2.0), (wide, tall))
        };
        let middle = Point::new(left + own / 2.0, top - above - PARENT / 2.0);
        seat(plan, lane, (middle, own), (rows * columns, &cell), chip);
        left += own + between;
    }
    whole && need(&wanted) <= area.width() && lanes.iter().all(|lane| lane.tickets.is_empty() || tall(lane) <= free)
}

/// So many tickets are few: on a phone.
const FEW: usize = 3;

/// Writes the name of a queue, and gives so many of its tickets their places.
fn seat(
    plan: &mut Plan,
    lane: &Lane,
    (middle, wide): (Point, f64),
    (room, cell): (usize, &dyn Fn(usize) -> Frame),
    chip: Chip,
) {
    let letters = lane.parent.chars().count() as f64;
    let title = (letters * (plan.ticketing.type_size + 1.0) * 0.61 + 28.0).min(wide);
    plan.parents.push((lane.parent.clone(), Frame::around(middle, (title, PARENT))));
    // those that are gone give way where there is room for a few only
    let all = lane.tickets.len() <= room || room > FEW;
    let tickets: Vec<_> = lane.tickets.iter().filter(|ticket| all || ticket.there).collect();
    let cut = tickets.len() > room;
    let shown = if cut { room - 1 } else { tickets.len() };
    for (index, ticket) in tickets.iter().take(shown).enumerate() {
        let frame = cell(index);
        plan.tickets.push((ticket.path.clone(), frame));
        let first = |id: &ClientId| plan.figure.ticket_of(*id).is_some_and(|own| own.path == ticket.path);
        plan.clients.extend(ticket.client.filter(first).map(|id| (id, within(&frame, chip))));
    }
    if cut {
        plan.more.push((cell(shown), tickets.len() - shown));
    }
}

/// One queue; where the next one may begin.
fn lane(plan: &mut Plan, lane: &Lane, (area, top): (Area, f64), (rows, a_row): (usize, usize), chip: Chip) -> f64 {
    let Ticketing { size: (wide, high), gap: (beside, above), .. } = plan.ticketing;
    // a single row has room for longer strings
    let loose =
        if rows == 1 { (area.width() / lane.tickets.len().max(1) as f64 - wide).clamp(beside, 76.0) } else { beside };
    let beside = if lane.tickets.len() <= a_row { loose } else { beside };
    let columns = lane.tickets.len().clamp(1, a_row);
    let left = area.middle().x - (columns as f64 * (wide + beside) - beside) / 2.0;
    let cell = |index: usize| {
        let (row, column) = (index / a_row, index % a_row);
        // the row below goes back: the next one always stands beside the one before
        let column = if row % 2 == 1 { a_row - 1 - column } else { column };
        let x = left + column as f64 * (wide + beside) + wide / 2.0;
        let y = top + PARENT + above + row as f64 * (high + above) + high / 2.0;
        Frame::around(Point::new(x, y), (wide, high))
    };
    let middle = Point::new(area.middle().x, top + PARENT / 2.0);
    seat(plan, lane, (middle, area.width()), (rows * a_row, &cell), chip);
    top + PARENT + rows as f64 * (high + above) + BETWEEN
}

/// A row at the bottom of the area for those without a ticket; the area becomes smaller by it. Whether all have a place.
fn idle(plan: &mut Plan, area: &mut Area, idle: &[ClientId], chip: Chip) -> bool {
    let (width, height) = chip.size();
    let letters = plan.ticketing.type_size;
    // a dot has its name beside it
    let gap = if chip == Chip::Dot && plan.figure.alive.len() <= NAMED { letters * 2.4 } else { 10.0 };
    // the row is kept free for them: nothing jumps when somebody comes
    // and where there is room, packets are seen on their way to the servers
    let bottom = area.bottom - ((area.height() - LOW) / 2.0).clamp(0.0, WAY);
    area.bottom = bottom - height - letters.max(16.0) - 10.0;
    plan.idle.clear();
    let takes = |id: &ClientId| plan.figure.takers.as_ref().is_some_and(|takers| takers.contains(id));
    // who puts in stands at the left, who takes out at the right
    let (right, left): (Vec<ClientId>, Vec<ClientId>) = idle.iter().partition(|id| takes(id));
    let most = ((area.width() + gap) / (width + gap)).floor().max(1.0) as usize;
    let count = idle.len().min(most);
    let apart = if left.is_empty() || right.is_empty() {
        0.0
    } else {
        (area.width() - count as f64 * (width + gap)).clamp(0.0, 150.0)
    };
    let mut x = area.middle().x - (count as f64 * (width + gap) - gap + apart) / 2.0;
    let y = bottom - height / 2.0 - 2.0;
    let puts = match (&plan.figure.takers, plan.figure.ticketed) {
        (Some(_), _) => Aside::Puts,
        (None, true) => Aside::Ticketless,
        (None, false) => Aside::Clients,
    };
    let mut room = most;
    for (group, aside) in [(left, puts), (right, Aside::Takes)] {
        let shown = group.len().min(room);
        room -= shown;
        let place = |(index, id): (usize, &ClientId)| {
            (*id, Frame::around(Point::new(x + index as f64 * (width + gap) + width / 2.0, y), (width, height)))
        };
        plan.clients.extend(group.iter().take(shown).enumerate().map(place));
        let wide = shown as f64 * (width + gap);
        if shown > 0 {
            plan.idle.push((Frame::around(Point::new(x + (wide - gap) / 2.0, y), (wide - gap, height)), aside));
            x += wide + apart;
        }
    }
    count == idle.len()
}
