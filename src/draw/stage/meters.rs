//! What leaders count, at their cards: who has answered, of how many, and how long their queue is.

use crate::base::ServerId;
use crate::draw::layout::{Counts, NAME};
use crate::draw::surface::{Align, Stroke};
use crate::draw::{Layout, Palette, Point};
use crate::view::{Counted, Meter, Scene};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::{segments, segments_width};
use crate::draw::stage::{FigureWord, Picture, TYPE};

/// What one leader counts, as far as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Who counts.
    pub leader: ServerId,
    /// What, the oldest first.
    pub meters: Vec<Meter>,
    /// So many proposals wait in its queue; none while only one does.
    pub queue: Option<usize>,
    /// How many counts have no room.
    pub more: usize,
    /// Where.
    pub place: Counts,
    /// Whether it stands on its card, and not below or beside it.
    pub above: bool,
}

impl Board {
    /// The height at which it is held: at the edge next to its card, so that it grows away from it, or in its middle.
    pub fn held_at(&self, height: f64) -> f64 {
        match (self.place.beside, self.above) {
            (false, _) => self.place.centre.y,
            (true, true) => self.place.centre.y + height / 2.0,
            (true, false) => self.place.centre.y - height / 2.0,
        }
    }

    /// A count's label: whose it is stands before it, where that is not seen.
    pub fn label(&self, counted: String) -> String {
        if self.place.beside { counted } else { format!("{} · {counted}", self.leader) }
    }
}

/// Which counts are shown, and where.
pub fn shown(layout: &Layout, scene: &Scene) -> Vec<Board> {
    let board = |(leader, place): &(ServerId, Counts)| {
        let own = scene.meters.iter().filter(|meter| meter.leader == *leader && has_begun(meter));
        let mut meters: Vec<Meter> = own.cloned().collect();
        let is_proposal = |meter: &&Meter| matches!(meter.counted, Counted::Acks(_)) && !meter.done && !meter.next;
        let waiting = meters.iter().filter(is_proposal).count();
        if meters.len() > place.rows {
            meters.retain(|meter| !meter.done); // what still waits comes first
        }
        let more = meters.len().saturating_sub(place.rows);
        meters.truncate(place.rows);
        let queue = Some(waiting).filter(|waiting| *waiting > 1 && place.named);
        (!meters.is_empty()).then_some(Board {
            leader: *leader,
            meters,
            queue,
            more,
            place: *place,
            above: place.centre.y < layout.place(*leader).y,
        })
    };
    layout.counts.iter().filter_map(board).collect()
}

/// Whether a count is worth showing: a leader that counts but itself, beside others that follow, reads as a contradiction; they have not
/// told it yet.
fn has_begun(meter: &Meter) -> bool {
    match meter.counted {
        Counted::Connected => meter.have.len() > 1,
        Counted::Promises(_) => !meter.have.is_empty(),
        Counted::Histories(_) | Counted::Acks(_) => true,
    }
}

/// Who votes, and whether they are counted: those first.
pub fn voters(meter: &Meter) -> impl Iterator<Item = (ServerId, bool)> {
    let have = meter.of.iter().filter(|id| meter.have.contains(*id)).map(|id| (id, true));
    have.chain(meter.of.iter().filter(|id| !meter.have.contains(*id)).map(|id| (id, false)))
}

/// The colour of what is counted, and that of letters on it.
fn colour<'a>(meter: &Meter, palette: &'a Palette) -> (&'a str, &'a str) {
    let epoch = match meter.counted {
        Counted::Connected => 0,
        Counted::Promises(epoch) | Counted::Histories(epoch) => epoch,
        Counted::Acks(zxid) => zxid.epoch(),
    };
    palette.epoch(Some(epoch))
}

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for board in shown(picture.layout, picture.scene) {
        self::board(brush, picture, &board);
    }
}

/// The middle of something so wide that is to stay on the stage.
pub fn inside(middle: f64, stage: f64, width: f64) -> f64 {
    middle.min(stage - width / 2.0 - 2.0).max(width / 2.0 + 2.0)
}

/// A row for each count: its label, who has answered, of how many; below them how long the queue is.
fn board(brush: &mut Brush<'_>, picture: &Picture<'_>, board: &Board) {
    const PAD: f64 = 10.0;
    let (palette, place) = (brush.palette, board.place);
    let (width, room) = place.size(picture.layout);
    let size = if place.named { TYPE[2] } else { TYPE[0] };
    let lines = if place.tight { (size * 1.4, if place.named { 22.0 } else { 20.0 }) } else { (0.0, 28.0) };
    let below = match board.queue {
        Some(queue) => Some(picture.words.figure(FigureWord::Queue(queue))),
        None => (board.more > 0).then(|| format!("+{}", board.more)),
    };
    let last = if below.is_some() { size * 1.4 } else { 0.0 };
    let height = (lines.0 + lines.1) * board.meters.len() as f64 + last + 8.0;
    let left = inside(place.centre.x, picture.layout.width, width) - width / 2.0;
    let top = board.held_at(room);
    let at = Point::new(
        left,
        if !place.beside {
            top - height / 2.0
        } else if board.above {
            top - height
        } else {
            top
        },
    );
    if place.beside && place.named {
        brush.path().rect(at, width, height, 8.0);
        let edge = Stroke { colour: &palette.lead, width: 1.5, dash: &[] };
        brush.both(Some(&palette.panel), Some(edge), 1.0);
    }
    let (left, right) = (at.x + PAD, at.x + width - PAD);
    let mut y = at.y + 4.0;
    for meter in &board.meters {
        let alpha = if meter.done { 0.6 } else { 1.0 };
        let ink = if meter.done { &palette.soft } else { &palette.ink };
        let label = board.label(picture.words.meter(meter));
        let middle = y + lines.0 + lines.1 / 2.0;
        let of = picture.words.figure(FigureWord::Of(meter.have.len(), meter.of.len()));
        let hand = Hand::new(size * 0.93).mono();
        brush.words(&label, Point::new(left, if place.tight { y + lines.0 / 2.0 } else { middle }), hand, ink);
        let hand = Hand::new(size).weight(700).align(Align::Right);
        brush.words(&of, Point::new(right, middle), hand, ink);
        let boxes = Point::new(
            if place.tight { left } else { right - brush.width(&of, hand) - 10.0 - self::width(board, meter) },
            middle,
        );
        if place.named {
            named(brush, meter, boxes, alpha);
        } else {
            let counts = (meter.have.len(), meter.need, meter.of.len());
            segments(brush, Point::new(boxes.x, boxes.y - 9.0), counts, colour(meter, palette).0, alpha);
        }
        y += lines.0 + lines.1;
    }
    let Some(below) = below else { return };
    let hand = Hand::new(size * 0.93).align(Align::Right);
    brush.words(&below, Point::new(right, y + size * 0.7), hand, &palette.soft);
}

/// How wide the boxes of a count are.
fn width(board: &Board, meter: &Meter) -> f64 {
    let of = meter.of.len();
    if board.place.named { of as f64 * NAME + 2.0 } else { segments_width(of) }
}

/// A box with the name of each voter, and a line behind the one that completes the majority.
fn named(brush: &mut Brush<'_>, meter: &Meter, at: Point, alpha: f64) {
    let palette = brush.palette;
    let (fill, on) = colour(meter, palette);
    for (index, (id, have)) in voters(meter).enumerate() {
        let corner = Point::new(at.x + index as f64 * NAME + 2.0, at.y - 9.0);
        brush.path().rect(corner, NAME - 4.0, 18.0, 4.0);
        if have {
            brush.fill(fill, alpha);
        } else {
            brush.stroke(fill, 1.4, &[], alpha);
        }
        let hand = Hand::new(TYPE[0]).weight(700).align(Align::Middle);
        let middle = Point::new(corner.x + NAME / 2.0 - 2.0, at.y);
        brush.words(&id.to_string(), middle, hand, if have { on } else { &palette.soft });
    }
    let x = at.x + meter.need as f64 * NAME;
    brush.path().line(Point::new(x, at.y - 12.0), Point::new(x, at.y + 12.0));
    brush.stroke(&palette.ink, 2.4, &[], alpha);
}
