//! The logs beside each other, below the servers: epochs and zxids as heads, a row for each server, the line up to which each knows its
//! log to be committed, and in words what became of what was not.

use crate::base::{ServerId, Zxid};
use crate::draw::Point;
use crate::draw::layout::logs::{Measures, PAD, measures};
use crate::draw::surface::{Align, Ink, MONO_WIDTH, Stroke};
use crate::sim::Known;
use crate::view::{Column, Eye, Face, Matrix, Motion, Reigned, Row, Square, Verdict};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::square;
use crate::draw::stage::icons::{crowned, role_icon};
use crate::draw::stage::{FigureWord, Picture, TYPE};

/// From this width on there is room for words beside the logs, which have this share of it then.
const WORDS_FROM: f64 = 860.0;
const SHARE: f64 = 0.6;

/// Between two zxids, px.
const BETWEEN: f64 = 4.0;

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

    /// The corner and the size of a square.
    fn square(&self, column: usize, row: usize) -> (Point, (f64, f64)) {
        let corner = Point::new(self.x(column) + 4.0, self.y(row) + 3.0);
        (corner, (self.pitch - 8.0, self.sizes.row - 6.0))
    }

    /// The corner of the sign before a server's name.
    fn sign(&self, row: usize) -> Point {
        let size = self.sizes.letters;
        Point::new(self.sizes.names - 2.4 * size, self.y(row) + (self.sizes.row - size) / 2.0)
    }

    /// Where all that a server has is older than what is shown: the end of its log in words, and how wide their sign is.
    fn older(&self, row: usize) -> Option<(String, f64)> {
        let last = self.matrix.rows.get(row)?.last;
        let in_log = |column: &Column| column.cells.get(row).is_some_and(|cell| cell.is_some_and(|cell| !cell.lost));
        let text = (last > Zxid::ZERO && !self.columns.iter().any(in_log)).then(|| format!("… {last}"))?;
        let wide = text.chars().count() as f64 * self.sizes.letters * MONO_WIDTH + 12.0;
        Some((text, wide))
    }

    /// The height of all rows.
    fn rows(&self) -> f64 {
        self.matrix.rows.len() as f64 * self.sizes.row
    }
}

/// How many letters a zxid has.
fn letters(zxid: Zxid) -> u32 {
    let digits = |number: u64| number.checked_ilog10().unwrap_or(0) + 1;
    digits(zxid.epoch().into()) + 1 + digits(zxid.counter().into())
}

/// Where everything is, and the epochs above the columns.
fn plan<'a>(picture: &Picture<'a>) -> Option<(Plan<'a>, impl Iterator<Item = Reigned> + use<'a>)> {
    let (layout, frame) = (picture.layout, picture.layout.logs?);
    let matrix = &picture.scene.matrix;
    let sizes = measures(matrix.rows.len(), (layout.width, layout.height), layout.hall)?;
    let words = (frame.width >= WORDS_FROM && !layout.hall).then_some(frame.width * SHARE);
    let left = sizes.names + 14.0;
    let fits = |narrowest: f64| {
        let room = words.unwrap_or(frame.width - 10.0) - left - narrowest * 0.9;
        (room, ((room / narrowest).floor() as usize).max(1))
    };
    // long zxids stand beside each other as short ones do
    let wide = matrix.last(fits(sizes.column.0).1).0.iter().map(|column| letters(column.zxid)).max().unwrap_or(0);
    let narrowest = sizes.column.0.max(f64::from(wide) * sizes.letters * MONO_WIDTH + BETWEEN);
    let (room, most) = fits(narrowest);
    let (columns, epochs) = matrix.last(most);
    let pitch = (room / columns.len().max(1) as f64).clamp(narrowest, sizes.column.1.max(narrowest));
    let top = frame.top() + PAD + sizes.epochs + sizes.zxids;
    Some((Plan { sizes, matrix, columns, left, top, pitch, words }, epochs))
}

/// What a server has of a transaction, and the corner and size of that square.
pub(super) fn cell(picture: &Picture<'_>, server: ServerId, zxid: Zxid) -> Option<(Square, Point, (f64, f64))> {
    let (plan, _) = plan(picture)?;
    let row = plan.matrix.rows.iter().position(|row| row.server == server)?;
    let column = plan.columns.iter().position(|column| column.zxid == zxid)?;
    let (corner, size) = plan.square(column, row);
    Some(((*plan.columns[column].cells.get(row)?)?, corner, size))
}

/// The corner of a server's crown, and its size.
pub(super) fn crown(picture: &Picture<'_>, server: ServerId) -> Option<(Point, f64)> {
    let (plan, _) = plan(picture)?;
    let row = plan.matrix.rows.iter().position(|row| row.server == server)?;
    Some((plan.sign(row), plan.sizes.letters))
}

/// How much is seen of what a server has of a transaction, or of all of a row or column.
fn ink(picture: &Picture<'_>, server: Option<ServerId>, zxid: Option<Zxid>) -> Ink {
    let Some(focus) = picture.eye.and_then(|eye| eye.focus.as_ref()) else { return Ink::Full };
    let passed = match zxid {
        Some(zxid) if !focus.zxids.is_empty() => !focus.has_zxid(zxid),
        _ => server.is_some_and(|server| !focus.servers.contains(server)),
    };
    if passed { Ink::Dim } else { Ink::Full }
}

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let (Some(frame), Some((plan, epochs))) = (picture.layout.logs, plan(picture)) else { return };
    let (sizes, matrix, columns, top) = (plan.sizes, plan.matrix, plan.columns, plan.top);
    brush.path().line(Point::new(0.0, frame.top()), Point::new(frame.width, frame.top()));
    brush.stroke(&brush.palette.edge, 1.0, &[], 1.0);
    let head = Point::new(14.0, top - sizes.zxids / 2.0);
    let hand = Hand::new(sizes.letters).weight(700);
    brush.words(&picture.words.figure(FigureWord::Logs), head, hand, &brush.palette.ink);
    if sizes.epochs > 0.0 {
        // in epoch 0 nobody reigns: a server alone
        epochs
            .filter(|reigned| reigned.epoch > 0)
            .for_each(|reigned| epoch(brush, picture, &plan, frame.top() + PAD, reigned));
    }
    for (index, column) in columns.iter().enumerate() {
        self::column(brush, picture, &plan, (index, column));
    }
    for (index, row) in matrix.rows.iter().enumerate() {
        name(brush, picture, &plan, (index, row));
    }
    brush.take(Ink::Full);
    line(brush, &plan);
    if columns.is_empty() {
        let at = Point::new(plan.left + 4.0, plan.y(0) + sizes.row / 2.0);
        brush.words(&picture.words.figure(FigureWord::Empty), at, Hand::new(sizes.letters), &brush.palette.soft);
    } else {
        meanings(brush, picture, &plan);
    }
}

/// An epoch above its columns; a new one without any is a broken line.
fn epoch(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, top: f64, reigned: Reigned) {
    let palette = brush.palette;
    let (colour, on) = palette.epoch(Some(reigned.epoch));
    let high = plan.sizes.epochs - 4.0;
    let text = picture.words.figure(match plan.matrix.terms {
        true => FigureWord::Term(reigned.epoch, reigned.leader),
        false => FigureWord::Epoch(reigned.epoch, reigned.leader),
    });
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
fn column(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, (index, column): (usize, &Column)) {
    let (x, sizes) = (plan.x(index), plan.sizes);
    let (full, whole) = (brush.palette, ink(picture, None, Some(column.zxid)));
    brush.take(whole);
    let palette = brush.palette;
    let middle = x + plan.pitch / 2.0;
    let head = Point::new(middle, plan.top - sizes.zxids / 2.0 - 1.0);
    if matches!(column.verdict, Some(Verdict::Open(_) | Verdict::Safe(_) | Verdict::Kept(_))) {
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
        brush.fill(&full.bad, 1.0);
        brush.words(&text, head, bold, &full.paper);
    } else {
        brush.words(&zxid, head, hand.weight(if column.verdict.is_some() { 700 } else { 400 }), &palette.ink);
    }
    for (row, (cell, server)) in column.cells.iter().zip(&plan.matrix.rows).enumerate() {
        let (corner, size) = plan.square(index, row);
        brush.take(ink(picture, Some(server.server), Some(column.zxid)));
        let moved = picture.eye.and_then(Eye::moving).filter(|(motion, _)| motion.moves(server.server, column.zxid));
        match (cell, moved) {
            // the motion draws what is seen to go, and fills what is seen to be committed
            (Some(_), Some((Motion::Forgotten(..), _))) => {}
            (Some(cell), Some(_)) => square(brush, &Square { known: Known::Not, ..*cell }, corner, size, 1.0),
            (Some(cell), None) => square(brush, cell, corner, size, 1.0),
            // a dash half behind a sign would be a letter of it
            (None, _) if plan.older(row).is_some_and(|(_, wide)| middle - 5.0 < plan.left + wide + 6.0) => {}
            (None, _) => {
                let y = corner.y + size.1 / 2.0;
                brush.path().line(Point::new(middle - 5.0, y), Point::new(middle + 5.0, y));
                brush.stroke(&palette.edge, 2.0, &[], 1.0);
            }
        }
    }
    brush.take(Ink::Full);
}

/// A server's name, its crown or cross, and behind its log how it is being brought up to date.
fn name(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, (index, row): (usize, &Row)) {
    brush.take(ink(picture, Some(row.server), None));
    let palette = brush.palette;
    let (sizes, y) = (plan.sizes, plan.y(index) + plan.sizes.row / 2.0);
    let hand = Hand::new(sizes.letters).weight(700).align(Align::Right);
    let ink = if row.down { &palette.soft } else { &palette.ink };
    brush.words(&row.server.to_string(), Point::new(sizes.names + 6.0, y), hand, ink);
    let crowned = picture.eye.and_then(Eye::moving).is_some_and(|(motion, _)| motion.crowns(row.server));
    if !crowned {
        sign(brush, row, plan.sign(index), sizes.letters);
    }
    let (older, high) = (plan.older(index), sizes.row - 5.0);
    if let Some((text, wide)) = &older {
        // on a ground of its own: heads and edges of columns go behind it
        let corner = Point::new(plan.left, y - high / 2.0);
        brush.path().rect(corner, *wide, high, high / 2.0);
        brush.both(Some(&palette.paper), Some(Stroke { colour: &palette.edge, width: 1.0, dash: &[] }), 1.0);
        brush.words(text, Point::new(corner.x + 6.0, y), Hand::new(sizes.letters).mono(), &palette.soft);
    }
    let Some(sync) = row.sync else { return };
    let word = sync.word();
    let has = |column: &Column| column.cells.get(index).is_some_and(Option::is_some);
    let behind = plan.columns.iter().rposition(has).map_or(0, |last| last + 1);
    let hand = Hand::new(sizes.letters).weight(700).mono();
    let wide = brush.width(word, hand) + 12.0;
    let free = older.map_or(0.0, |(_, wide)| plan.left + wide);
    let corner = Point::new(plan.x(behind).max(free) + 4.0, y - high / 2.0);
    brush.path().rect(corner, wide, high, high / 2.0);
    brush.fill(&palette.ink, 1.0);
    brush.words(word, Point::new(corner.x + 6.0, y), hand, &palette.paper);
}

/// A dash for a server that was not started, a cross for one that is down, a crown for one that leads.
fn sign(brush: &mut Brush<'_>, row: &Row, at: Point, size: f64) {
    let palette = brush.palette;
    match row {
        Row { off: true, .. } => brush.icon(&role_icon(Face::Off, false), at, size, &palette.soft),
        Row { down: true, .. } => brush.icon(&role_icon(Face::Crashed, false), at, size, &palette.bad),
        Row { crown: Some(crown), .. } => crowned(brush, *crown, at, size),
        Row { .. } => {}
    }
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

/// The size of a sign of the squares' meaning, the space behind it and behind its words, and from row to row.
const SIGN: (f64, f64) = (22.0, 13.0);
const BESIDE: f64 = 7.0;
const APART: f64 = 18.0;
const PITCH: f64 = 22.0;

/// How wide the words of each column of signs are, as its longest: in three columns, or in two, as there is room beside the logs.
fn sign_columns(brush: &mut Brush<'_>, picture: &Picture<'_>, left: f64) -> Vec<f64> {
    let mut width = |one: &Square| {
        let words = picture.words.figure(FigureWord::Sign(one.sign()));
        brush.width(&words, Hand::new(TYPE[0]))
    };
    let signs: Vec<f64> = Square::signs().iter().map(&mut width).collect();
    let widest = |column: usize, of: usize| signs.iter().skip(column).step_by(of).copied().fold(0.0, f64::max);
    let all = |widths: &Vec<f64>| widths.iter().map(|width| SIGN.0 + BESIDE + width + APART).sum::<f64>() - APART;
    let columns = [3, 2].map(|of| (0..of).map(|column| widest(column, of)).collect());
    columns.into_iter().find(|widths| left + all(widths) <= picture.layout.width).unwrap_or_default()
}

/// What the squares mean, at the bottom beside the logs, and above that what became of the transactions that are not simply committed, the
/// newest first, as many as have room.
fn meanings(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>) {
    let Some(left) = plan.words else { return };
    let columns = sign_columns(brush, picture, left);
    let rows = Square::signs().len().checked_div(columns.len()).unwrap_or(0) as f64;
    fates(brush, picture, plan, left, rows * PITCH);
    let (mut x, top) = (left, plan.top + plan.rows() - rows * PITCH + 4.0);
    for (column, widest) in columns.iter().enumerate() {
        for (row, one) in Square::signs().iter().skip(column).step_by(columns.len()).enumerate() {
            let at = Point::new(x, top + row as f64 * PITCH);
            square(brush, one, at, SIGN, 1.0);
            let words = picture.words.figure(FigureWord::Sign(one.sign()));
            let beside = Point::new(at.x + SIGN.0 + BESIDE, at.y + SIGN.1 / 2.0);
            brush.words(&words, beside, Hand::new(TYPE[0]), &brush.palette.soft);
        }
        x += SIGN.0 + BESIDE + widest + APART;
    }
}

/// What became of transactions, above what has so much height.
fn fates(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan<'_>, left: f64, signs: f64) {
    let palette = brush.palette;
    let told = plan.columns.iter().rev().filter_map(|column| Some((column.zxid, column.verdict.as_ref()?)));
    let most = ((plan.rows() + plan.sizes.zxids - signs) / 24.0).floor().max(1.0) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zxid_has_as_many_letters_as_are_written() {
        for (epoch, counter) in [(0, 0), (1, 9), (2, 509), (10, 100), (123, 99_999)] {
            let zxid = Zxid::new(epoch, counter);
            assert_eq!(letters(zxid) as usize, zxid.to_string().len(), "{zxid}");
        }
    }

    /// Three rows and eight columns from 1:201 on; what S1 has ends long before them.
    fn short_log() -> Matrix {
        let square = Square { zxid: Zxid::ZERO, durable: true, known: Known::Committed, lost: false };
        let row = |id: u8, last: u32| Row {
            server: ServerId(id),
            crown: None,
            down: false,
            off: false,
            last: Zxid::new(1, last),
            sync: None,
        };
        let column = |counter| {
            let zxid = Zxid::new(1, counter);
            let cell = Some(Square { zxid, ..square });
            Column { zxid, verdict: None, cells: vec![None, cell, cell] }
        };
        Matrix {
            rows: vec![row(1, 100), row(2, 208), row(3, 208)],
            columns: (201..209).map(column).collect(),
            ..Matrix::default()
        }
    }

    #[test]
    fn the_end_of_a_log_that_is_older_has_a_ground_of_its_own_and_no_dashes_behind_it() {
        let matrix = short_log();
        let sizes = measures(3, (960.0, 540.0), false).unwrap();
        let plan = Plan {
            sizes,
            matrix: &matrix,
            columns: &matrix.columns,
            left: 78.0,
            top: 60.0,
            pitch: 48.0,
            words: None,
        };
        let (text, wide) = plan.older(0).unwrap();
        assert_eq!(text, "… 1:100");
        assert!((50.0..100.0).contains(&wide) && plan.older(1).is_none());
        // the first dash that is drawn begins behind it
        let dashes = (0..8).map(|column| plan.x(column) + 19.0).filter(|left| *left >= plan.left + wide + 6.0);
        assert_eq!(dashes.count(), 6);
    }
}
