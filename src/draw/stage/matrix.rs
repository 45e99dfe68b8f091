//! The logs beside each other, below the servers: epochs and zxids as heads, a row for each server, the line up to which each knows its
//! log to be committed, and in words what became of what was not.

use crate::base::Zxid;
use crate::draw::Point;
use crate::draw::layout::logs::{Measures, PAD, measures};
use crate::draw::surface::Align;
use crate::sim::Known;
use crate::view::{Column, Face, Matrix, Reigned, Row, Square, Verdict};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::square;
use crate::draw::stage::icons::role_icon;
use crate::draw::stage::{FigureWord, Picture, TYPE};

/// From this width on there is room for words beside the logs, which have this share of it then.
const WORDS_FROM: f64 = 860.0;
const SHARE: f64 = 0.6;

/// Where the parts of the logs are.
struct Plan<'a> {
    sizes: Measures,
    matrix: &'a Matrix,
    columns: &'a [Column],
    /// The left edge of the first column, and the upper edge of the first row.
    left: f64,
    top: f64,
    pitch: f64,
    /// The left edge of the words, where they have room.
    words: Option<f64>,
}

impl Plan<'_> {
    fn x(&self, column: usize) -> f64 {
        self.left + column as f64 * self.pitch
    }

    fn y(&self, row: usize) -> f64 {
        self.top + row as f64 * self.sizes.row
    }

    /// The height of all rows.
    fn rows(&self) -> f64 {
        self.matrix.rows.len() as f64 * self.sizes.row
    }
}

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let layout = picture.layout;
    let Some(frame) = layout.logs else { return };
    let matrix = &picture.scene.matrix;
    let Some(sizes) = measures(layout.places.len(), (layout.width, layout.height), layout.hall) else { return };
    let words = (frame.width >= WORDS_FROM && !layout.hall).then_some(frame.width * SHARE);
    let left = sizes.names + 14.0;
    let room = words.unwrap_or(frame.width - 10.0) - left - sizes.column.0 * 0.9;
    let most = ((room / sizes.column.0).floor() as usize).max(1);
    let (columns, epochs) = matrix.last(most);
    let pitch = (room / columns.len().max(1) as f64).clamp(sizes.column.0, sizes.column.1);
    let top = frame.top() + PAD + sizes.epochs + sizes.zxids;
    let plan = Plan { sizes, matrix, columns, left, top, pitch, words };
    brush.path().line(Point::new(0.0, frame.top()), Point::new(frame.width, frame.top()));
    brush.stroke(&brush.palette.edge, 1.0, &[], 1.0);
    let head = Point::new(14.0, top - sizes.zxids / 2.0);
    let hand = Hand::new(sizes.letters).weight(650);
    brush.words(&picture.words.figure(FigureWord::Logs), head, hand, &brush.palette.ink);
    if sizes.epochs > 0.0 {
        epochs.for_each(|reigned| epoch(brush, picture, &plan, frame.top() + PAD, reigned));
    }
    for (index, column) in columns.iter().enumerate() {
        self::column(brush, picture, &plan, (index, column));
    }
    for (index, row) in matrix.rows.iter().enumerate() {
        name(brush, &plan, (index, row));
    }
    line(brush, &plan);
    if columns.is_empty() {
        let at = Point::new(plan.left + 4.0, plan.y(0) + sizes.row / 2.0);
        brush.words(&picture.words.figure(FigureWord::Empty), at, Hand::new(sizes.letters), &brush.palette.soft);
    } else {
        fates(brush, picture, &plan);
        signs(brush, picture, &plan);
    }
}

/// An epoch above its columns; a new one without any is a broken line. (Not inlined, as the next: the first picture has no columns.)
#[inline(never)]
fn epoch(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, top: f64, reigned: Reigned) {
    let palette = brush.palette;
    let (colour, on) = palette.epoch(Some(reigned.epoch));
    let high = plan.sizes.epochs - 4.0;
    let text = picture.words.figure(FigureWord::Epoch(reigned.epoch, reigned.leader));
    let hand = Hand::new(plan.sizes.letters).weight(600);
    let own = brush.width(&text, hand) + 16.0;
    let width = if reigned.columns == 0 { own } else { reigned.columns as f64 * plan.pitch - 6.0 };
    let corner = Point::new(plan.x(reigned.from) + 3.0, top);
    brush.path().rect(corner, width, high, 4.0);
    let ink = if reigned.columns == 0 {
        brush.stroke(colour, 1.6, &[4.0, 3.0], 1.0);
        &palette.ink
    } else {
        brush.fill(colour, 1.0);
        on
    };
    let short = format!("{}", reigned.epoch);
    let fits = [text, short].into_iter().find(|text| brush.width(text, hand) <= width - 8.0);
    brush.words(&fits.unwrap_or_default(), Point::new(corner.x + 8.0, top + high / 2.0), hand, ink);
}

/// A transaction at all servers: its zxid, and what each has of it.
#[inline(never)]
fn column(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, (index, column): (usize, &Column)) {
    let palette = brush.palette;
    let (x, sizes) = (plan.x(index), plan.sizes);
    let middle = x + plan.pitch / 2.0;
    let head = Point::new(middle, plan.top - sizes.zxids / 2.0 - 1.0);
    if matches!(column.verdict, Some(Verdict::Open(_) | Verdict::Kept(_))) {
        let high = sizes.zxids + plan.rows();
        brush.path().rect(Point::new(x + 1.0, plan.top - sizes.zxids), plan.pitch - 2.0, high, 5.0);
        brush.fill(&palette.lead_fill, 0.22);
        brush.stroke(&palette.lead, 1.4, &[], 1.0);
    }
    let hand = Hand::new(sizes.letters).mono().align(Align::Middle);
    let zxid = column.zxid.to_string();
    if matches!(column.verdict, Some(Verdict::Lost(..))) {
        let lost = picture.words.figure(FigureWord::Lost(column.zxid));
        let bold = hand.weight(700);
        let text = if brush.width(&lost, bold) + 10.0 <= plan.pitch { lost } else { zxid };
        let wide = (brush.width(&text, bold) + 10.0).min(plan.pitch);
        let high = sizes.letters + 5.0;
        brush.path().rect(Point::new(middle - wide / 2.0, head.y - high / 2.0), wide, high, high / 2.0);
        brush.fill(&palette.bad, 1.0);
        brush.words(&text, head, bold, &palette.paper);
    } else {
        brush.words(&zxid, head, hand.weight(if column.verdict.is_some() { 700 } else { 400 }), &palette.ink);
    }
    for (row, cell) in column.cells.iter().enumerate() {
        let size = (plan.pitch - 8.0, sizes.row - 6.0);
        let corner = Point::new(x + 4.0, plan.y(row) + 3.0);
        match cell {
            Some(cell) => square(brush, cell, corner, size, 1.0),
            None => {
                let y = corner.y + size.1 / 2.0;
                brush.path().line(Point::new(middle - 5.0, y), Point::new(middle + 5.0, y));
                brush.stroke(&palette.edge, 2.0, &[], 1.0);
            }
        }
    }
}

/// A server's name, its crown or cross, and behind its log how it is being brought up to date.
fn name(brush: &mut Brush<'_>, plan: &Plan<'_>, (index, row): (usize, &Row)) {
    let palette = brush.palette;
    let (sizes, y) = (plan.sizes, plan.y(index) + plan.sizes.row / 2.0);
    let hand = Hand::new(sizes.letters).weight(700).align(Align::Right);
    let ink = if row.down { &palette.soft } else { &palette.ink };
    brush.words(&row.server.to_string(), Point::new(sizes.names + 6.0, y), hand, ink);
    let face = if row.down { Face::Crashed } else { Face::Leading };
    if row.down || row.leads {
        let size = sizes.letters;
        let at = Point::new(sizes.names - 2.4 * size, y - size / 2.0);
        brush.icon(&role_icon(face, false), at, size, if row.down { &palette.bad } else { &palette.lead });
    }
    let in_log = |column: &Column| column.cells.get(index).is_some_and(|cell| cell.is_some_and(|cell| !cell.lost));
    if row.last > Zxid::ZERO && !plan.columns.iter().any(in_log) {
        // all that it has is older than what is shown
        let hand = Hand::new(sizes.letters).mono();
        brush.label(
            &format!("… {}", row.last),
            Point::new(plan.left + 4.0, y + sizes.letters * 0.36),
            hand,
            &palette.soft,
        );
    }
    let Some(sync) = row.sync else { return };
    let word = sync.word();
    let has = |column: &Column| column.cells.get(index).is_some_and(Option::is_some);
    let behind = plan.columns.iter().rposition(has).map_or(0, |last| last + 1);
    let hand = Hand::new(sizes.letters).weight(700).mono();
    let (wide, high) = (brush.width(word, hand) + 12.0, sizes.row - 5.0);
    let corner = Point::new(plan.x(behind) + 4.0, y - high / 2.0);
    brush.path().rect(corner, wide, high, high / 2.0);
    brush.fill(&palette.ink, 1.0);
    brush.words(word, Point::new(corner.x + 6.0, y), hand, &palette.paper);
}

/// The line behind what each server knows to be committed: steps where one knows more. Who knows nothing has none.
fn line(brush: &mut Brush<'_>, plan: &Plan<'_>) {
    let known = |row: usize| {
        let knows = |column: &Column| column.cells[row].is_some_and(|cell| cell.known == Known::Committed);
        plan.columns.iter().rposition(knows).map(|last| plan.x(last + 1))
    };
    let ends: Vec<Option<f64>> = (0..plan.matrix.rows.len()).map(known).collect();
    let path = brush.path();
    for (row, end) in ends.iter().enumerate() {
        let Some(x) = *end else { continue };
        path.line(Point::new(x, plan.y(row)), Point::new(x, plan.y(row + 1)));
        if let Some(next) = ends.get(row + 1).copied().flatten().filter(|next| *next != x) {
            path.line(Point::new(x, plan.y(row + 1)), Point::new(next, plan.y(row + 1)));
        }
    }
    brush.stroke(&brush.palette.ink, 2.6, &[], 1.0);
}

/// What the squares mean, at the bottom beside the logs; as many as have room below what became of transactions.
#[inline(never)]
fn signs(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>) {
    const SIZE: (f64, f64) = (22.0, 13.0);
    const PITCH: f64 = 22.0;
    let Some(left) = plan.words else { return };
    let hand = Hand::new(TYPE[0]);
    let (mut x, top) = (left, plan.top + plan.rows() - 2.0 * PITCH + 4.0);
    for column in 0..3 {
        // a column is as wide as the longer of its two words
        let mut widest: f64 = 0.0;
        for (row, one) in Square::signs().iter().skip(column).step_by(3).enumerate() {
            let at = Point::new(x, top + row as f64 * PITCH);
            square(brush, one, at, SIZE, 1.0);
            let words = picture.words.figure(FigureWord::Sign(one.sign()));
            let beside = Point::new(at.x + SIZE.0 + 7.0, at.y + SIZE.1 / 2.0);
            brush.words(&words, beside, hand, &brush.palette.soft);
            widest = widest.max(brush.width(&words, hand));
        }
        x += SIZE.0 + 7.0 + widest + 18.0;
    }
}

/// What became of the transactions that are not simply committed, the newest first.
#[inline(never)]
fn fates(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>) {
    let Some(left) = plan.words else { return };
    let palette = brush.palette;
    let told = plan.columns.iter().rev().filter_map(|column| Some((column.zxid, column.verdict.as_ref()?)));
    // above the signs
    let most = ((plan.rows() + plan.sizes.zxids - 44.0) / 24.0).floor().max(1.0) as usize;
    for (index, (zxid, verdict)) in told.take(most).enumerate() {
        let y = plan.top - plan.sizes.zxids / 2.0 + index as f64 * 24.0;
        let (colour, on) = palette.epoch(Some(zxid.epoch()));
        let hand = Hand::new(plan.sizes.letters).weight(700).mono();
        let text = zxid.to_string();
        let wide = brush.width(&text, hand) + 12.0;
        brush.path().rect(Point::new(left, y - 9.0), wide, 18.0, 4.0);
        brush.fill(colour, 1.0);
        brush.words(&text, Point::new(left + 6.0, y), hand, on);
        let words = picture.words.figure(FigureWord::Fate(verdict));
        let hand = Hand::new(TYPE[1]);
        brush.words(&words, Point::new(left + wide + 8.0, y), hand, &palette.ink);
    }
}
