//! Draws the messages: lines from lane to lane, with heads, shapes and words where there is room.

use crate::draw::packet::half_width;
use crate::draw::spacetime::draw::Picture;
use crate::draw::spacetime::frame::{Frame, TOP};
use crate::draw::spacetime::shape::{cross, outline};
use crate::draw::spacetime::thin::{Drawn, Thinned};
use crate::draw::surface::{Align, Lettering, Path, Stroke, Surface};
use crate::draw::{EPOCH_COLOURS, Point, Shape, epoch_colour};
use crate::timeline::spacetime::{Arrow, Fate, UNKNOWN};

/// From here to there.
type Span = (Point, Point);

/// So many messages in sight have shapes at most, and so many square pixels each; the same for words.
const SHAPES: (usize, f64) = (260, 1_500.0);
const LABELS: (usize, f64) = (160, 2_400.0);
/// So many have heads.
const HEADS: usize = 700;
/// A line shorter than this has no room for a shape, CSS pixels.
const LONG: f64 = 30.0;

/// Where a message runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// From here.
    pub start: Point,
    /// It waited between these two points.
    pub wait: Option<(Point, Point)>,
    /// As far as it has come at the playhead.
    pub tip: Point,
    /// Where it is known to go from there.
    pub goal: Option<Point>,
    /// What has become of it at the playhead; in the future, what will.
    pub fate: Fate,
    /// It is sent after the playhead.
    pub future: bool,
}

impl Course {
    /// The stretches behind it, and the one that is still before it.
    fn stretches(&self) -> ([Option<Span>; 3], Option<Span>) {
        let ahead = self.goal.map(|goal| (self.tip, goal));
        match self.wait {
            None => ([Some((self.start, self.tip)), None, None], ahead),
            Some((a, b)) if self.tip.x <= b.x => ([Some((self.start, a)), Some((a, self.tip)), None], ahead),
            Some((a, b)) => ([Some((self.start, a)), Some((a, b)), Some((b, self.tip))], ahead),
        }
    }

    /// Every stretch.
    pub(super) fn all(&self) -> impl Iterator<Item = (Point, Point)> {
        let (behind, ahead) = self.stretches();
        behind.into_iter().flatten().chain(ahead)
    }

    /// From where it comes to its tip.
    fn last(&self) -> Point {
        self.wait.map_or(self.start, |(a, b)| if self.tip.x <= b.x { a } else { b })
    }
}

/// The end of a connection that nobody has heard of after so many usual times is no longer shown.
const UNHEARD: u64 = 4;

impl Picture<'_> {
    /// Where a message runs; none if one of its lanes is not there.
    pub fn course(&self, frame: &Frame, arrow: &Arrow) -> Option<Course> {
        let (from, to) = (frame.y(arrow.from)?, frame.y(arrow.to)?);
        let start = Point::new(frame.x(arrow.sent_us as f64), from);
        let future = arrow.sent_seq >= self.next_seq;
        let (fate, _) = if future { (arrow.fate, arrow.end_us) } else { arrow.fate_at(self.next_seq) };
        let until = if future { self.diagram.last_us() } else { self.now_us as u64 }.max(arrow.sent_us);
        if arrow.msg().is_none() && fate != Fate::Arrived && until - arrow.sent_us > UNHEARD * self.diagram.usual_us()
        {
            return None;
        }
        let end_us = if arrow.fate == Fate::Flying { until } else { arrow.end_us };
        let share = match (arrow.fate, self.diagram.waited(arrow, end_us)) {
            (Fate::Arrived, _) => 1.0,
            (_, Some(share)) => share,
            (_, None) => self.diagram.share(end_us - arrow.sent_us),
        };
        let end = Point::new(frame.x(end_us as f64), from + (to - from) * share);
        let wait = self.diagram.waited(arrow, end_us).map(|share| {
            let (y, usual) = (from + (to - from) * share, self.diagram.usual_us() as f64);
            let goes_on =
                if arrow.fate == Fate::Arrived { end_us as f64 - usual * (1.0 - share) } else { end_us as f64 };
            (Point::new(frame.x(arrow.sent_us as f64 + usual * share), y), Point::new(frame.x(goes_on), y))
        });
        let known = arrow.fate != Fate::Flying;
        let under_way = fate == Fate::Flying && known && !future;
        let tip = if under_way { self.tip(frame.x(self.now_us), start, wait, end) } else { end };
        Some(Course { start, wait, tip, goal: under_way.then_some(end), fate, future })
    }

    /// Where a message is when the playhead is at `x`.
    fn tip(&self, x: f64, start: Point, wait: Option<(Point, Point)>, end: Point) -> Point {
        let on = |a: Point, b: Point| a.toward(b, ((x - a.x) / (b.x - a.x).max(1e-9)).clamp(0.0, 1.0));
        match wait {
            None => on(start, end),
            Some((a, _)) if x < a.x => on(start, a),
            Some((a, b)) if x < b.x => on(a, b),
            Some((_, b)) => on(b, end),
        }
    }
}

/// The part of a line between two verticals.
fn clip(a: Point, b: Point, left: f64, right: f64) -> Option<(Point, Point)> {
    if a.x.max(b.x) < left || a.x.min(b.x) > right {
        return None;
    }
    let dx = b.x - a.x;
    let at = |x: f64| if dx.abs() < 1e-9 { a } else { a.toward(b, (x - a.x) / dx) };
    let inside = |p: Point| match p.x {
        x if x < left => at(left),
        x if x > right => at(right),
        _ => p,
    };
    Some((inside(a), inside(b)))
}

/// How lines are drawn that look alike: width and strength.
const TONES: [(f64, f64); 6] = [(1.0, 0.38), (1.7, 0.95), (1.2, 0.28), (1.0, 0.42), (1.1, 0.65), (1.2, 0.9)];
const HEARTBEAT: usize = 0;
const PLAIN: usize = 1;
const FUTURE: usize = 2;
const DENSE: usize = 3;

/// Lines and heads by colour and tone: one call of the surface for all that look alike.
struct Bundles {
    lines: Vec<Path>,
    heads: Vec<Path>,
    ends: Path,
    crosses: Path,
}

fn bundle(colour: usize, tone: usize) -> usize {
    colour * TONES.len() + tone
}

fn tone(heartbeat: bool, future: bool, drawn: &Drawn, dense: bool) -> usize {
    match (future, heartbeat, dense) {
        (true, ..) => FUTURE,
        (_, true, _) => HEARTBEAT,
        (_, _, false) => PLAIN,
        _ => match drawn.weight {
            0..=2 => DENSE,
            3..=9 => DENSE + 1,
            _ => DENSE + 2,
        },
    }
}

/// Draws all messages of a frame.
pub(super) fn draw_arrows(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, thinned: &Thinned) {
    let colours = EPOCH_COLOURS as usize + 1;
    let mut bundles = Bundles {
        lines: vec![Path::default(); colours * TONES.len()],
        heads: vec![Path::default(); colours * TONES.len()],
        ends: Path::default(),
        crosses: Path::default(),
    };
    for drawn in &thinned.drawn {
        gather(&mut bundles, picture, frame, thinned, drawn);
    }
    let many = match thinned.drawn.len() {
        0..=250 => 1.0,
        251..=600 => 0.75,
        _ => 0.5,
    };
    for (place, (lines, heads)) in bundles.lines.iter().zip(&bundles.heads).enumerate() {
        let (width, alpha) = TONES[place % TONES.len()];
        // where there are many, each is the less
        let alpha = if place % TONES.len() == PLAIN { alpha * many } else { alpha };
        let colour = picture.colour((place / TONES.len()) as u32);
        if !lines.0.is_empty() {
            surface.path(lines, None, Some(Stroke { colour, width, dash: &[] }), alpha);
        }
        if !heads.0.is_empty() {
            surface.path(heads, Some(colour), None, alpha);
        }
    }
    if !bundles.ends.0.is_empty() {
        let stroke = Stroke { colour: &picture.palette.soft, width: 1.2, dash: &[2.0, 4.0] };
        surface.path(&bundles.ends, None, Some(stroke), 0.8);
    }
    if !bundles.crosses.0.is_empty() {
        let halo = Stroke { colour: &picture.palette.paper, width: 5.5, dash: &[] };
        surface.path(&bundles.crosses, None, Some(halo), 1.0);
        let stroke = Stroke { colour: &picture.palette.bad, width: 2.4, dash: &[] };
        surface.path(&bundles.crosses, None, Some(stroke), 1.0);
    }
}

fn gather(bundles: &mut Bundles, picture: &Picture, frame: &Frame, thinned: &Thinned, drawn: &Drawn) {
    let arrow = &picture.diagram.arrows()[drawn.place as usize];
    let Some(course) = picture.course(frame, arrow) else { return };
    let dense = thinned.visible > thinned.drawn.len();
    let (left, right) = (frame.left - 4.0, frame.width + 4.0);
    let colour = arrow.epoch().map_or(0, epoch_colour) as usize;
    let heartbeat = picture.diagram.kind(arrow).is_heartbeat();
    let line = bundle(colour, tone(heartbeat, course.future, drawn, dense));
    let (behind, ahead) = course.stretches();
    let own = if arrow.msg().is_none() { &mut bundles.ends } else { &mut bundles.lines[line] };
    for (a, b) in behind.into_iter().flatten().filter_map(|(a, b)| clip(a, b, left, right)) {
        own.line(a, b);
    }
    if let Some((a, b)) = ahead.and_then(|(a, b)| clip(a, b, left, right)) {
        bundles.lines[bundle(colour, FUTURE)].line(a, b);
    }
    if !(left..right).contains(&course.tip.x) {
        return;
    }
    if course.fate == Fate::Lost && !course.future && arrow.msg().is_some() {
        cross(&mut bundles.crosses, course.tip, if dense { 3.0 } else { 4.5 });
    } else if course.fate == Fate::Arrived && thinned.drawn.len() <= HEADS && !heartbeat && arrow.msg().is_some() {
        head(&mut bundles.heads[line], course.last(), course.tip);
    }
}

/// The head of an arrow.
fn head(path: &mut Path, start: Point, tip: Point) {
    let length = start.distance(tip).max(1.0);
    let (ux, uy) = ((tip.x - start.x) / length * 8.0, (tip.y - start.y) / length * 8.0);
    let back = Point::new(tip.x - ux, tip.y - uy);
    let side = |by: f64| Point::new(back.x - uy * by, back.y + ux * by);
    path.polygon([tip, side(0.42), side(-0.42)]);
}

/// What is taken already by shapes and words: middles and half sizes.
pub(super) struct Taken(Vec<(Point, f64, f64)>);

impl Taken {
    pub(super) fn new() -> Taken {
        Taken(Vec::new())
    }

    /// Takes a place, if it is free.
    pub(super) fn take(&mut self, at: Point, half_width: f64, half_height: f64) -> bool {
        let free = |(other, w, h): &(Point, f64, f64)| {
            (other.x - at.x).abs() > w + half_width || (other.y - at.y).abs() > h + half_height
        };
        let free = self.0.iter().all(free);
        if free {
            self.0.push((at, half_width, half_height));
        }
        free
    }
}

/// How big shapes are, with lanes so far apart.
pub(super) fn radius(frame: &Frame) -> f64 {
    (frame.pitch * 0.13).clamp(9.3, 10.0)
}

/// Draws the shapes of messages near their heads, and what they say, where few enough are in sight.
pub(super) fn draw_shapes(
    surface: &mut dyn Surface,
    picture: &Picture,
    frame: &Frame,
    thinned: &Thinned,
    taken: &mut Taken,
) {
    let area = (frame.width - frame.left) * (frame.height - TOP);
    let room = |(most, each): (usize, f64)| thinned.drawn.len() <= most.min((area / each) as usize).max(12);
    if !room(SHAPES) {
        return;
    }
    let mut labels = Vec::new();
    for drawn in &thinned.drawn {
        let arrow = &picture.diagram.arrows()[drawn.place as usize];
        let kind = picture.diagram.kind(arrow);
        let Some(course) = picture.course(frame, arrow) else { continue };
        let plain = !kind.is_heartbeat() && arrow.msg().is_some() && !course.future;
        if !plain || course.start.distance(course.tip) < LONG.min(frame.pitch * 0.6) {
            continue;
        }
        let Some(at) = place_of(frame, &course) else { continue };
        let r = radius(frame);
        if taken.take(at, half_width(kind.look, r) * 0.8, r * 0.8) {
            draw_shape(surface, picture, arrow, at, r);
            labels.push((arrow, at));
        }
    }
    if room(LABELS) && frame.pitch >= 34.0 {
        for (arrow, at) in labels {
            label(surface, picture, frame, arrow, at, taken);
        }
    }
}

/// Where a message's shape stands: a little before its head, in flight at its tip.
fn place_of(frame: &Frame, course: &Course) -> Option<Point> {
    let from = course.last();
    let length = from.distance(course.tip).max(1.0);
    let back = match course.fate {
        Fate::Flying => 0.0,
        _ => (radius(frame) + 12.0).min(length * 0.5),
    };
    let at = course.tip.toward(from, back / length);
    (at.x > frame.left && at.x < frame.width).then_some(at)
}

fn draw_shape(surface: &mut dyn Surface, picture: &Picture, arrow: &Arrow, at: Point, r: f64) {
    let look = picture.diagram.kind(arrow).look;
    let (fill, on) = picture.palette.epoch(arrow.epoch());
    let paper = picture.palette.paper.as_str();
    let hollow = matches!(look.shape, Shape::Circle | Shape::Hexagon);
    let mut path = Path::default();
    outline(&mut path, look, at, r);
    let (inside, edge) = if hollow { (paper, fill) } else { (fill, paper) };
    surface.path(
        &path,
        Some(inside),
        Some(Stroke { colour: edge, width: if hollow { 2.0 } else { 1.2 }, dash: &[] }),
        1.0,
    );
    let size = if look.shape == Shape::Pill { r * 1.08 } else { r * 1.2 };
    let below = if matches!(look.shape, Shape::Triangle | Shape::Bell) { 1.5 } else { 0.0 };
    let style = Lettering {
        colour: if hollow { &picture.palette.ink } else { on },
        size,
        weight: 700,
        font: &picture.palette.sans,
        align: Align::Middle,
        halo: None,
    };
    if !look.letter.is_empty() {
        surface.text(look.letter, Point::new(at.x, at.y + size * 0.36 + below), &style);
    }
}

fn label(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, arrow: &Arrow, at: Point, taken: &mut Taken) {
    let text = arrow.label();
    if text.is_empty() {
        return;
    }
    let (size, look) = (12.5, picture.diagram.kind(arrow).look);
    let half = text.chars().count() as f64 * size * 0.31;
    let beside = half_width(look, radius(frame)) + half + 4.0;
    // beside the shape, on the side from which the line does not come first
    for x in [at.x - beside, at.x + beside] {
        let middle = Point::new(x, at.y);
        if x - half > frame.left && x + half < frame.width && taken.take(middle, half, 7.0) {
            let style = Lettering {
                colour: &picture.palette.ink,
                size,
                weight: 600,
                font: &picture.palette.mono,
                align: Align::Middle,
                halo: Some(&picture.palette.paper),
            };
            surface.text(&text, Point::new(x, at.y + size * 0.36), &style);
            return;
        }
    }
}

/// Draws some messages again, above everything: those that are chosen, or lead from one event to another.
pub(super) fn draw_chosen(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, places: &[u32], width: f64) {
    let mut path = Path::default();
    let mut heads = Path::default();
    let mut shapes = Vec::new();
    for arrow in places.iter().filter_map(|&place| picture.diagram.arrows().get(place as usize)) {
        let Some(course) = picture.course(frame, arrow) else { continue };
        for (a, b) in course.all().filter_map(|(a, b)| clip(a, b, frame.left - 4.0, frame.width + 4.0)) {
            path.line(a, b);
        }
        if course.fate == Fate::Arrived {
            head(&mut heads, course.last(), course.tip);
        }
        if let Some(at) = place_of(frame, &course).filter(|_| arrow.msg().is_some()) {
            shapes.push((arrow, at));
        }
    }
    let colour = picture.palette.focus.as_str();
    surface.path(&path, None, Some(Stroke { colour, width, dash: &[] }), 1.0);
    surface.path(&heads, Some(colour), Some(Stroke { colour, width: 2.0, dash: &[] }), 1.0);
    for (arrow, at) in shapes {
        draw_shape(surface, picture, arrow, at, radius(frame));
    }
}

/// Whether anything of a message is in a frame.
pub(super) fn in_sight(arrow: &Arrow, frame: &Frame) -> bool {
    let (from, to) = frame.span();
    arrow.sent_us <= to && (arrow.end_us == UNKNOWN || arrow.end_us >= from)
}
