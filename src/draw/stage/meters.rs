//! The quorum meters in the middle of the stage.

use crate::draw::layout::Counts;
use crate::draw::surface::Align;
use crate::draw::{Layout, Palette, Point};
use crate::view::{Counted, Meter, Scene};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::{segments, segments_width};
use crate::draw::stage::{Picture, TYPE};

/// The meters that have room on a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// All that count; those behind the first rows are only counted themselves.
    pub meters: Vec<Meter>,
    /// The middle of them all.
    pub centre: Point,
    /// How wide the stage is, CSS pixels.
    pub stage: f64,
    /// How many rows there are.
    pub rows: usize,
    /// Whether there is so little room that a row takes two lines.
    pub tight: bool,
}

impl Shown {
    /// A count's label: whose it is stands before it, where there is room or several leaders count.
    pub fn label(&self, meter: &Meter, counted: String) -> String {
        let alone = self.meters.iter().all(|other| other.leader == meter.leader);
        if alone && self.tight { counted } else { format!("{} · {counted}", meter.leader) }
    }
}

/// Which meters are shown, and where.
pub fn shown(layout: &Layout, scene: &Scene) -> Shown {
    let Some(Counts { centre, rows, tight }) = layout.counts else {
        let (centre, stage) = (layout.middle(), layout.width);
        return Shown { meters: Vec::new(), centre, stage, rows: 0, tight: true };
    };
    let mut meters = scene.meters.clone();
    if meters.len() > rows {
        meters.retain(|meter| !meter.done); // what still waits comes first
    }
    Shown { meters, centre, stage: layout.width, rows, tight }
}

/// The colour of what is counted.
fn colour<'a>(meter: &Meter, palette: &'a Palette) -> &'a str {
    let epoch = match meter.counted {
        Counted::Connected => 0,
        Counted::Promises(epoch) | Counted::Histories(epoch) => epoch,
        Counted::Acks(zxid) => zxid.epoch(),
    };
    palette.epoch(Some(epoch)).0
}

/// One row: its label, its count in words.
struct Row<'a> {
    meter: &'a Meter,
    label: String,
    count: String,
}

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let shown = shown(picture.layout, picture.scene);
    if shown.meters.is_empty() {
        return;
    }
    let rows: Vec<Row<'_>> = shown.meters.iter().take(shown.rows).map(|meter| row(picture, &shown, meter)).collect();
    let more = shown.meters.len() - rows.len();
    let (centre, stage) = (shown.centre, picture.layout.width);
    if shown.tight { tight(brush, &rows, (centre, stage), more) } else { wide(brush, &rows, (centre, stage), more) }
}

fn row<'a>(picture: &Picture<'_>, shown: &Shown, meter: &'a Meter) -> Row<'a> {
    let count = format!("{}/{}", meter.have.len(), meter.need);
    Row { meter, label: shown.label(meter, picture.words.meter(meter)), count }
}

/// The top left corner of something so large around a centre, on a stage so wide: a long label does not leave it.
fn corner((centre, stage): (Point, f64), (width, height): (f64, f64)) -> Point {
    Point::new(inside(centre.x, stage, width) - width / 2.0, centre.y - height / 2.0)
}

/// The middle of something so wide that is to stay on the stage.
pub fn inside(middle: f64, stage: f64, width: f64) -> f64 {
    middle.min(stage - width / 2.0 - 2.0).max(width / 2.0 + 2.0)
}

/// One line a row: label, segments, count.
fn wide(brush: &mut Brush<'_>, rows: &[Row<'_>], centre: (Point, f64), more: usize) {
    const GAP: f64 = 8.0;
    let (palette, high) = (brush.palette, TYPE[2] * 1.4 + 4.0);
    let (label, count) = (Hand::new(TYPE[2] * 0.93).mono(), Hand::new(TYPE[2]).weight(700));
    let mut widths = (0.0, 0.0, TYPE[2] * 2.2);
    for row in rows {
        widths.0 = brush.width(&row.label, label).max(widths.0);
        widths.1 = segments_width(row.meter.of.len()).max(widths.1);
        widths.2 = brush.width(&row.count, count).max(widths.2);
    }
    let width = widths.0 + widths.1 + widths.2 + 2.0 * GAP + 24.0;
    let height = high * rows.len() as f64 + 16.0 + if more > 0 { TYPE[2] * 1.4 } else { 0.0 };
    let at = corner(centre, (width, height));
    let right = at.x + width - 12.0;
    for (index, row) in rows.iter().enumerate() {
        let y = at.y + 8.0 + high * (index as f64 + 0.5);
        let alpha = if row.meter.done { 0.6 } else { 1.0 };
        let ink = if row.meter.done { &palette.soft } else { &palette.ink };
        let x = right - widths.2;
        brush.words(&row.count, Point::new(x, y), count, ink);
        let of = row.meter.of.len();
        let x = x - GAP - segments_width(of);
        segments(brush, Point::new(x, y - 9.0), counts(row.meter), colour(row.meter, palette), alpha);
        brush.words(&row.label, Point::new(x - GAP, y), label.align(Align::Right), ink);
    }
    if more > 0 {
        let hand = Hand::new(TYPE[2]).align(Align::Right);
        let y = at.y + height - 8.0 - TYPE[2] * 0.7;
        brush.words(&format!("+{more}"), Point::new(right, y), hand, &palette.soft);
    }
}

/// Two lines a row: the label above segments and count.
fn tight(brush: &mut Brush<'_>, rows: &[Row<'_>], centre: (Point, f64), more: usize) {
    const GAP: f64 = 6.0;
    let (palette, lines) = (brush.palette, (TYPE[0] * 0.93 * 1.4, 18.0));
    let (label, count) = (Hand::new(TYPE[0] * 0.93).mono().align(Align::Middle), Hand::new(TYPE[0]).weight(700));
    let (high, wide) = (lines.0 + lines.1 + 4.0, TYPE[0] * 2.2);
    let mut width: f64 = 0.0;
    for row in rows {
        let below = segments_width(row.meter.of.len()) + GAP + wide;
        width = width.max(brush.width(&row.label, label)).max(below);
    }
    let height = high * rows.len() as f64 + 6.0 + if more > 0 { TYPE[0] * 1.4 } else { 0.0 };
    let at = corner(centre, (width + 12.0, height));
    let middle = at.x + width / 2.0 + 6.0;
    for (index, row) in rows.iter().enumerate() {
        let y = at.y + 3.0 + high * index as f64 + 2.0;
        let alpha = if row.meter.done { 0.6 } else { 1.0 };
        let ink = if row.meter.done { &palette.soft } else { &palette.ink };
        brush.words(&row.label, Point::new(middle, y + lines.0 / 2.0), label, ink);
        let segmented = segments_width(row.meter.of.len());
        let left = middle - (segmented + GAP + wide) / 2.0;
        let (y, colour) = (y + lines.0, colour(row.meter, palette));
        segments(brush, Point::new(left, y), counts(row.meter), colour, alpha);
        brush.words(&row.count, Point::new(left + segmented + GAP, y + lines.1 / 2.0), count, ink);
    }
    if more > 0 {
        let hand = Hand::new(TYPE[0]).align(Align::Right);
        let at = Point::new(at.x + width + 6.0, at.y + height - 3.0 - TYPE[0] * 0.7);
        brush.words(&format!("+{more}"), at, hand, &palette.soft);
    }
}

fn counts(meter: &Meter) -> (usize, usize, usize) {
    (meter.have.len(), meter.need, meter.of.len())
}
