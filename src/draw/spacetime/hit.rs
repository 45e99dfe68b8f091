//! What is under a pointer.

use crate::base::Node;

use crate::draw::Point;
use crate::draw::spacetime::arrows::Course;
use crate::draw::spacetime::draw::Picture;
use crate::draw::spacetime::frame::{Frame, TOP};
use crate::draw::spacetime::thin::Thinned;
use crate::timeline::spacetime::{Arrow, End, Event, Fate, Moment};

/// What was drawn last: the pointer means what is to be seen.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Where everything stands.
    pub frame: Frame,
    /// The messages that were drawn.
    pub thinned: Thinned,
}

/// What is under a pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The name of a lane.
    Name(Node),
    /// The axis, at this moment, µs.
    Axis(f64),
    /// The message at this place, and the end of it that is nearer.
    Arrow(u32, End),
    /// The event at this place.
    Event(u32),
}

/// How far a point is from a line, and the point of the line that is nearest.
fn distance(at: Point, a: Point, b: Point) -> (f64, Point) {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let share = if square < 1e-9 { 0.0 } else { ((at.x - a.x) * dx + (at.y - a.y) * dy) / square };
    let share = share.clamp(0.0, 1.0);
    let place = a.toward(b, share);
    (at.distance(place), place)
}

/// Whether an event has a mark of its own that can be pointed at.
fn mark_of(event: &Event, frame: &Frame) -> Option<Point> {
    let x = frame.x(event.at_us as f64);
    match event.is_of_a_link() {
        true => Some(Point::new(x, TOP - 5.0)),
        false => frame.y(event.node).map(|y| Point::new(x, y)),
    }
}

impl Picture<'_> {
    /// What lies within `reach` CSS pixels of a point: an event before a message, the nearer before the farther.
    pub fn hit(&self, shown: &Shown, at: Point, reach: f64) -> Option<Hit> {
        let frame = &shown.frame;
        if let Some(node) = frame.name_at(at) {
            return Some(Hit::Name(node));
        }
        if at.x < frame.left {
            return None;
        }
        if let Some(place) = self.event_near(frame, at, reach) {
            return Some(Hit::Event(place));
        }
        if frame.is_axis(at) {
            return Some(Hit::Axis(frame.us(at.x).max(0.0)));
        }
        self.arrow_near(shown, at, reach)
    }

    fn event_near(&self, frame: &Frame, at: Point, reach: f64) -> Option<u32> {
        let us = |x: f64| frame.us(x).max(0.0) as u64;
        let near = self.diagram.events_in(us(at.x - reach), us(at.x + reach));
        let near = near.filter_map(|(place, event)| Some((mark_of(event, frame)?.distance(at), place, event)));
        let near = near.filter(|(distance, ..)| *distance <= reach);
        // among those in one place, the one that matters more
        let best = near.min_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then(crate::draw::spacetime::lanes::weight(b.2).cmp(&crate::draw::spacetime::lanes::weight(a.2)))
        });
        best.map(|(_, place, _)| place)
    }

    fn arrow_near(&self, shown: &Shown, at: Point, reach: f64) -> Option<Hit> {
        let mut best: Option<(f64, u32, End)> = None;
        for drawn in &shown.thinned.drawn {
            // the run may have been changed since it was drawn
            let Some(arrow) = drawn.arrow(self.diagram) else { continue };
            let Some(course) = self.course(&shown.frame, arrow) else { continue };
            let (distance, share) = self.distance_to(&course, at);
            // of two equally near ones a heartbeat is the less meant
            let distance = distance + if self.diagram.kind(arrow).is_heartbeat() { 2.0 } else { 0.0 };
            if distance <= reach && best.is_none_or(|(nearest, ..)| distance < nearest) {
                best = Some((distance, drawn.place, end_of(arrow, drawn.place, share)));
            }
        }
        best.map(|(_, place, end)| Hit::Arrow(place, end))
    }

    /// How far a point is from a message's line, and which share of its way is nearest.
    pub(super) fn distance_to(&self, course: &Course, at: Point) -> (f64, f64) {
        let near = course.all().map(|(a, b)| distance(at, a, b));
        let nearest = near.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, course.start));
        let (start, end) = (course.start, course.goal.unwrap_or(course.tip));
        let place = nearest.1;
        let whole = (end.y - start.y).abs().max(1e-9);
        (nearest.0, ((place.y - start.y).abs() / whole).clamp(0.0, 1.0))
    }

    /// The event of a lane that a hit names.
    pub fn moment_of(&self, hit: Hit) -> Option<Moment> {
        match hit {
            Hit::Arrow(_, end) => self.diagram.moment(end),
            Hit::Event(place) => self.diagram.moment(End::Event(place)),
            Hit::Name(_) | Hit::Axis(_) => None,
        }
    }
}

fn end_of(arrow: &Arrow, place: u32, share: f64) -> End {
    if share > 0.5 && arrow.fate == Fate::Arrived { End::Arrived(place) } else { End::Sent(place) }
}
