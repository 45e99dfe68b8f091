//! A database's card as a panel: its tables with columns and rows, a lock where somebody has one, beside it who has it and who waits, in
//! order. Letters are as large as all of that leaves room for.

use crate::base::Arrange;
use crate::daemon::{Cell, Change, Claim, Grid, GridRow};
use crate::draw::Point;
use crate::draw::figure::Frame;
use crate::draw::layout::Density;
use crate::draw::surface::{Align, Ink, Path, Stroke};
use crate::view::Card;

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::{fitted, ground, head, look, measures};
use crate::draw::stage::{FigureWord, Picture};

/// The sizes of letters, the largest first: in a hall, and elsewhere.
const HALL: [f64; 6] = [30.0, 27.0, 24.0, 22.0, 20.0, 18.0];
const USUAL: [f64; 10] = [30.0, 26.0, 23.0, 21.0, 19.0, 17.0, 15.0, 14.0, 13.0, 12.0];
/// Who holds and waits stands beside the row down to this size; below it, where that leaves letters smaller, from that one on.
const BESIDE: f64 = 17.0;
const SHORT: f64 = 24.0;
/// A lower panel says nothing but its tables.
const LOW: f64 = 110.0;
/// From this height on a panel has a large name.
const HIGH: f64 = 240.0;
/// The smallest letters of column names and of what is said beside.
const SMALL: f64 = 11.5;
/// The heights of parts, by the size of letters: a table's name, the names of columns, a row, the space below a table.
const TITLE: f64 = 1.5;
const NAMES: f64 = 1.35;
const ROW: f64 = 1.8;
const BELOW: f64 = 0.7;
/// The width of a lock with what is beside it.
const LOCK: f64 = 1.5;

/// How everything is written.
#[derive(Clone, Copy)]
struct Type {
    size: f64,
    /// Whether who holds and waits stands below a row, and not beside it.
    below: bool,
}

impl Type {
    fn value(&self) -> Hand {
        Hand::new(self.size).mono().align(Align::Middle)
    }

    fn small(&self) -> Hand {
        Hand::new((self.size * 0.76).max(SMALL))
    }

    fn claim(&self) -> Hand {
        Hand::new((self.size * 0.86).max(SMALL)).weight(700)
    }

    /// How high a row is, with who holds and waits where they stand below.
    fn row(&self, row: &GridRow) -> f64 {
        let lines = if self.below && !row.queue.is_empty() { 2.0 } else { 1.0 };
        lines * self.size * ROW
    }

    fn grid(&self, grid: &Grid) -> f64 {
        let names = if grid.columns.is_empty() { 0.0 } else { NAMES };
        let title = if self.below && !grid.queue.is_empty() { TITLE + ROW } else { TITLE };
        self.size * (title + names + BELOW) + grid.rows.iter().map(|row| self.row(row)).sum::<f64>()
    }
}

/// Draws a database's card.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, card: &Card, frame: Frame) {
    let focus = picture.eye.and_then(|eye| eye.focus.as_ref());
    brush.take(if focus.is_some_and(|focus| !focus.has(card.id.into())) { Ink::Dim } else { Ink::Full });
    // a high panel has a name as large as the tables' letters, however small other cards are
    let usual = picture.layout.density;
    let density = if frame.height >= HIGH && !usual.is_hall() { usual.min(Density::Large) } else { usual };
    let (look, sizes, at) = (look(card, brush.palette), measures(density), frame.corner());
    ground(brush, at, (frame.width, frame.height), &look);
    let pad = sizes.pad.0.max(11.5);
    let (left, right) = (at.x + pad, at.x + frame.width - pad);
    let high = head(brush, picture, card, density, (left, right, at.y + sizes.pad.1));
    let high = if frame.height >= HIGH { high + 6.0 } else { high };
    let area = ((left, at.y + sizes.pad.1 + high), (right, frame.bottom() - pad / 2.0));
    tables(brush, picture, &card.badge.grids, area);
    brush.take(Ink::Full);
}

type Area = ((f64, f64), (f64, f64));

/// The tables that are used, and of the others those that hold something, as many as have room.
fn tables(brush: &mut Brush<'_>, picture: &Picture<'_>, grids: &[Grid], ((left, top), (right, bottom)): Area) {
    let mut used: Vec<&Grid> = grids.iter().filter(|grid| grid.used).collect();
    let idle: Vec<&Grid> = grids.iter().filter(|grid| !grid.used && !grid.rows.is_empty()).collect();
    let mut first = if used.is_empty() { idle.clone() } else { used.clone() };
    let sizes: &[f64] = if picture.layout.hall { &HALL } else { &USUAL };
    // a low panel has room for the tables alone
    let notes = if bottom - top < LOW { Vec::new() } else { notes(picture, &first) };
    let note = |of: &Type| if notes.is_empty() { 0.0 } else { of.small().size * 1.5 };
    let mut fits = |of: &Type, grids: &[&Grid]| {
        let high = grids.iter().map(|grid| of.grid(grid)).sum::<f64>() - of.size * BELOW + note(of);
        high <= bottom - top && grids.iter().all(|grid| width(brush, picture, of, grid) <= right - left)
    };
    let beside = sizes.iter().filter(|size| **size >= BESIDE).map(|&size| Type { size, below: false });
    let small = sizes.iter().filter(|size| **size <= SHORT);
    let all = beside.chain(small.flat_map(|&size| [true, false].map(|below| Type { size, below })));
    let least = Type { size: sizes[sizes.len() - 1], below: bottom - top >= LOW };
    let mut largest = |grids: &[&Grid]| all.clone().find(|of| fits(of, grids));
    let found = largest(&first).or_else(|| {
        // where not all have room, what holds something comes first, and as many as have are as large as they can be
        used.arrange_by_key(|grid| grid.rows.is_empty());
        first.arrange_by_key(|grid| grid.rows.is_empty());
        (1..first.len()).rev().find_map(|many| largest(&first[..many]))
    });
    let of = found.unwrap_or(least);
    let end = bottom - note(&of);
    let mut y = top;
    for grid in used.iter().chain(&idle) {
        // of a table that has not room for all its rows some are shown
        if y + of.grid(grid) > end + of.size * BELOW + 0.5
            && (!grid.used || y + of.size * (TITLE + NAMES + ROW) > end)
        {
            continue;
        }
        y = self::grid(brush, picture, &of, grid, ((left, y), (right, end)));
    }
    let mut x = left;
    for (change, words) in notes {
        let (size, middle) = (of.small().size, bottom - of.small().size * 0.7);
        mark(brush, &change, Point::new(x, middle - size * 0.5), (size * 1.4, size));
        brush.words(&words, Point::new(x + size * 1.8, middle), of.small(), &brush.palette.soft);
        x += size * 3.4 + brush.width(&words, of.small());
    }
}

/// What the looks of values mean, of those that there are.
fn notes(picture: &Picture<'_>, grids: &[&Grid]) -> Vec<(Change, String)> {
    let has = |is: fn(&Change) -> bool| {
        grids.iter().flat_map(|grid| &grid.rows).any(|row| row.cells.iter().any(|cell| is(&cell.change)))
    };
    let open = has(|change| matches!(change, Change::Open(_)));
    let fresh = has(|change| *change == Change::Fresh);
    let open = open.then(|| (Change::Open(None), picture.words.figure(FigureWord::NotCommitted)));
    let fresh = fresh.then(|| (Change::Fresh, picture.words.figure(FigureWord::LastCommit)));
    open.into_iter().chain(fresh).collect()
}

/// What stands in a cell, with what is committed where that is something else.
fn text(cell: &Cell) -> String {
    match &cell.change {
        Change::Open(Some(was)) => format!("{was} → {}", cell.value),
        _ => cell.value.clone(),
    }
}

/// How wide each column is.
fn columns(brush: &mut Brush<'_>, of: &Type, grid: &Grid) -> Vec<f64> {
    let column = |(index, name): (usize, &String)| {
        let values = grid.rows.iter().filter_map(|row| row.cells.get(index));
        let widest = values.map(|cell| brush.width(&text(cell), of.value().weight(700))).fold(0.0, f64::max);
        widest.max(brush.width(name, of.small().weight(600))).max(of.size * 1.6) + of.size * 1.1
    };
    grid.columns.iter().enumerate().map(column).collect()
}

fn width(brush: &mut Brush<'_>, picture: &Picture<'_>, of: &Type, grid: &Grid) -> f64 {
    let cells = of.size * LOCK + columns(brush, of, grid).iter().sum::<f64>();
    let name = of.size * LOCK + brush.width(&grid.name, Hand::new(of.size).weight(700));
    let mut queue =
        |claims: &[Claim]| if claims.is_empty() { 0.0 } else { queue(brush, picture, of, claims, None) + of.size };
    let title = queue(&grid.queue);
    let widest = grid.rows.iter().map(|row| queue(&row.queue)).fold(0.0, f64::max);
    match of.below {
        true => cells.max(name).max(of.size * LOCK + widest.max(title)),
        false => (cells + widest).max(name + title),
    }
}

/// A table from there on; where the next one begins.
fn grid(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    of: &Type,
    grid: &Grid,
    ((left, top), (right, end)): Area,
) -> f64 {
    let palette = brush.palette;
    let (size, room) = (of.size, right - left - of.size * LOCK);
    let ink = if grid.used { &palette.ink } else { &palette.soft };
    let x = left + size * LOCK;
    let mut y = top + size * TITLE;
    let hand = Hand::new(size).weight(700);
    let names = if grid.columns.is_empty() { 0.0 } else { size * NAMES };
    let queued = if of.below && !grid.queue.is_empty() { size * ROW } else { 0.0 };
    // of a table that has not room for all its rows as many as have, and behind its name how many there are more
    let mut down = y + queued + names;
    let fits = |row: &&GridRow| {
        down += of.row(row);
        down <= end + 0.5
    };
    let shown = grid.rows.iter().take_while(fits).count();
    let rest = grid.rows.len() - shown;
    let name = if rest > 0 { format!("{} +{rest}", grid.name) } else { grid.name.clone() };
    let name = fitted(brush, &name, hand, room);
    brush.words(&name, Point::new(x, top + size * TITLE / 2.0), hand, ink);
    if !grid.queue.is_empty() {
        lock(brush, Point::new(left, top + size * TITLE / 2.0), size, &grid.queue);
        let beside = Point::new(x + brush.width(&name, hand) + size, top + size * TITLE / 2.0);
        let under = Point::new(x, y + size * ROW / 2.0);
        queue(brush, picture, of, &grid.queue, Some((if of.below { under } else { beside }, right)));
    }
    y += queued;
    let mut widths = columns(brush, of, grid);
    let all: f64 = widths.iter().sum();
    widths.iter_mut().for_each(|width| *width *= (room / all.max(1.0)).min(1.0));
    let wide = all.min(room);
    if !grid.columns.is_empty() {
        self::names(brush, of, grid, (x, y), &widths);
    }
    y += names;
    for row in grid.rows.iter().take(shown) {
        self::row(brush, picture, of, row, (x, y), &widths, ink);
        if !row.queue.is_empty() {
            lock(brush, Point::new(left, y + size * ROW / 2.0), size, &row.queue);
            let beside = Point::new(x + wide + size, y + size * ROW / 2.0);
            let under = Point::new(x, y + size * ROW * 1.5);
            queue(brush, picture, of, &row.queue, Some((if of.below { under } else { beside }, right)));
        }
        y += of.row(row);
    }
    y + size * BELOW
}

/// The names of the columns.
fn names(brush: &mut Brush<'_>, of: &Type, grid: &Grid, (x, y): (f64, f64), widths: &[f64]) {
    let (palette, high) = (brush.palette, of.size * NAMES);
    brush.path().rect(Point::new(x, y), widths.iter().sum(), high, 0.0);
    brush.both(Some(&palette.faint), Some(Stroke { colour: &palette.edge, width: 1.0, dash: &[] }), 1.0);
    let hand = of.small().weight(600).align(Align::Middle);
    let mut at = x;
    for (name, width) in grid.columns.iter().zip(widths) {
        let name = fitted(brush, name, hand, width - 4.0);
        brush.words(&name, Point::new(at + width / 2.0, y + high / 2.0), hand, &palette.soft);
        at += width;
    }
}

/// A row with its values, or a gap. What is locked is gold.
fn row(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    of: &Type,
    row: &GridRow,
    (x, y): (f64, f64),
    widths: &[f64],
    ink: &str,
) {
    let (palette, high, wide) = (brush.palette, of.size * ROW, widths.iter().sum::<f64>());
    let held = row.queue.iter().any(|claim| claim.held);
    let gap = row.cells.is_empty();
    let dash: &[f64] = if gap || row.deleted { &[5.0, 4.0] } else { &[] };
    let (colour, width) = if held { (&palette.lead, 2.2) } else { (&palette.edge, 1.0) };
    brush.path().rect(Point::new(x, y), wide, high, 0.0);
    if held && !gap {
        brush.fill(&palette.lead_fill, 0.3);
    }
    if gap {
        let before = row.before.as_deref();
        let words = fitted(brush, &picture.words.figure(FigureWord::Gap(before)), of.small(), wide - 8.0);
        brush.words(
            &words,
            Point::new(x + wide / 2.0, y + high / 2.0),
            of.small().align(Align::Middle),
            &palette.soft,
        );
    }
    let mut at = x;
    for (cell, width) in row.cells.iter().zip(widths) {
        mark(brush, &cell.change, Point::new(at + 3.0, y + 3.0), (width - 6.0, high - 6.0));
        let hand = if cell.change == Change::None { of.value() } else { of.value().weight(700) };
        let ink = if cell.value == "NULL" || row.deleted { palette.soft.as_str() } else { ink };
        let words = fitted(brush, &text(cell), hand, width - 4.0);
        brush.words(&words, Point::new(at + width / 2.0, y + high / 2.0), hand, ink);
        at += width;
        if at < x + wide - 1.0 {
            brush.path().line(Point::new(at, y), Point::new(at, y + high));
            brush.stroke(&palette.edge, 1.0, &[], 1.0);
        }
    }
    brush.path().rect(Point::new(x, y), wide, high, 0.0);
    brush.stroke(colour, width, dash, 1.0);
    if row.deleted {
        brush.path().line(Point::new(x, y + high / 2.0), Point::new(x + wide, y + high / 2.0));
        brush.stroke(&palette.bad, 2.4, &[], 1.0);
    }
}

/// The ground of a value that has changed: green where the last commit has written it, a broken line while it is not committed.
fn mark(brush: &mut Brush<'_>, change: &Change, at: Point, (width, height): (f64, f64)) {
    let palette = brush.palette;
    brush.path().rect(at, width, height, 4.0);
    match change {
        Change::None => {}
        Change::Fresh => brush.both(Some(&palette.good), None, 0.22),
        Change::Open(_) => brush.stroke(&palette.ink, 1.8, &[4.0, 3.0], 1.0),
    }
}

/// A lock: closed while somebody has it.
fn lock(brush: &mut Brush<'_>, at: Point, size: f64, queue: &[Claim]) {
    let palette = brush.palette;
    let held = queue.iter().any(|claim| claim.held);
    let colour = if held { &palette.lead } else { &palette.soft };
    let (wide, high) = (size * 0.78, size * 0.6);
    let (left, top) = (at.x + size * 0.12, at.y - size * 0.12);
    let path: &mut Path = brush.path();
    path.rect(Point::new(left + wide * 0.2, top - high * 0.75), wide * 0.6, high * 1.5, wide * 0.3);
    brush.stroke(colour, (size * 0.13).max(1.8), &[], 1.0);
    brush.path().rect(Point::new(left, top), wide, high, size * 0.12);
    brush.fill(colour, 1.0);
}

/// Who has it, and behind a word who waits, in order; drawn where its beginning and its right edge are given, as many as have room. How
/// wide all that is.
fn queue(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    of: &Type,
    claims: &[Claim],
    place: Option<(Point, f64)>,
) -> f64 {
    let (palette, hand, mono) = (brush.palette, of.claim(), of.small().mono());
    let (pad, gap, high) = (of.size * 0.4, of.size * 0.35, of.size * 1.4);
    let first = claims.iter().position(|claim| !claim.held);
    let mut x = 0.0;
    for (index, claim) in claims.iter().enumerate() {
        let word = if first == Some(index) { picture.words.figure(FigureWord::Waits) } else { String::new() };
        let before = if word.is_empty() { 0.0 } else { brush.width(&word, of.small()) + gap };
        let who = brush.width(&claim.who, hand);
        let wide = who + brush.width(claim.mode, mono) + 2.6 * pad;
        if let Some((at, right)) = place {
            let more = if index + 1 < claims.len() { of.size * 1.7 } else { 0.0 };
            if at.x + x + before + wide + more > right {
                let rest = format!("+{}", claims.len() - index);
                let left = (at.x + x).min(right - brush.width(&rest, of.small()));
                brush.words(&rest, Point::new(left, at.y), of.small(), &palette.soft);
                break;
            }
            brush.words(&word, Point::new(at.x + x, at.y), of.small(), &palette.soft);
            let corner = Point::new(at.x + x + before, at.y - high / 2.0);
            brush.path().rect(corner, wide, high, 6.0);
            let ink = if claim.held {
                let edge = Stroke { colour: &palette.lead, width: 1.8, dash: &[] };
                brush.both(Some(&palette.lead_fill), Some(edge), 1.0);
                &palette.on_lead
            } else {
                brush.stroke(&palette.strong, 1.5, &[4.0, 3.0], 1.0);
                &palette.ink
            };
            brush.words(&claim.who, Point::new(corner.x + pad, at.y), hand, ink);
            brush.words(claim.mode, Point::new(corner.x + 1.6 * pad + who, at.y), mono, ink);
        }
        x += before + wide + gap;
    }
    x - gap
}
