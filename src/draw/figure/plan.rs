//! Where the parts of a figure stand, and the ways between them.

use std::rc::Rc;

use crate::base::ClientId;
use crate::draw::point::Point;
use crate::view::figure::Figure;

/// A rectangle by its middle and size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its middle.
    pub middle: Point,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

impl Frame {
    /// The rectangle around a point.
    pub fn around(middle: Point, (width, height): (f64, f64)) -> Frame {
        Frame { middle, width, height }
    }

    /// Its top left corner.
    pub fn corner(&self) -> Point {
        Point::new(self.middle.x - self.width / 2.0, self.middle.y - self.height / 2.0)
    }

    /// Its upper edge.
    pub fn top(&self) -> f64 {
        self.middle.y - self.height / 2.0
    }

    /// Its lower edge.
    pub fn bottom(&self) -> f64 {
        self.middle.y + self.height / 2.0
    }

    /// Where a line from its middle to a point leaves it.
    pub fn edge(&self, toward: Point) -> Point {
        let (dx, dy) = (toward.x - self.middle.x, toward.y - self.middle.y);
        let share = |half: f64, way: f64| if way.abs() < 1e-6 { f64::INFINITY } else { half / way.abs() };
        let share = share(self.width / 2.0 + 2.0, dx).min(share(self.height / 2.0 + 2.0, dy)).min(1.0);
        self.middle.toward(toward, share)
    }
}

/// A way from one part to another: straight, or with a bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where it begins.
    pub from: Point,
    /// The handle of its bend.
    pub bend: Option<Point>,
    /// Where it ends.
    pub to: Point,
}

impl Way {
    /// The place a share of the way along.
    pub fn at(&self, share: f64) -> Point {
        match self.bend {
            None => self.from.toward(self.to, share),
            Some(bend) => {
                let (a, b) = (self.from.toward(bend, share), bend.toward(self.to, share));
                a.toward(b, share)
            }
        }
    }

    /// About how long it is.
    pub fn length(&self) -> f64 {
        self.bend.map_or(self.from.distance(self.to), |bend| {
            (self.from.distance(bend) + bend.distance(self.to) + self.from.distance(self.to)) / 2.0
        })
    }
}

/// More dots than this have no names.
pub(super) const NAMED: usize = 12;

/// How large tickets are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticketing {
    /// Width and height of a ticket.
    pub size: (f64, f64),
    /// Space beside it and above it.
    pub gap: (f64, f64),
    /// The size of its letters.
    pub type_size: f64,
}

/// Clients without a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// They may draw one.
    Ticketless,
    /// There are none to draw.
    Clients,
    /// They put items into a queue.
    Puts,
    /// They take them out.
    Takes,
}

/// Where a figure's parts stand. Places of clients and servers are the layout's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What is shown.
    pub figure: Figure,
    /// The measures of tickets.
    pub ticketing: Ticketing,
    /// Each ticket that has a place, by its path.
    pub tickets: Vec<(Rc<str>, Frame)>,
    /// The parents of queues.
    pub parents: Vec<(Rc<str>, Frame)>,
    /// The tickets that have no place: where that is said, and how many there are.
    pub more: Vec<(Frame, usize)>,
    /// Where clients without a ticket stand: those who put items into a queue apart from those who take them out.
    pub idle: Vec<(Frame, Aside)>,
    /// What is outside of the ensemble.
    pub outside: Vec<Frame>,
    /// Where it is said for how long two believed to hold the same; none where there is no room for it.
    pub believers: Option<Frame>,
    /// Where it is said what is left of a session's time.
    pub bars: Vec<(ClientId, Frame)>,
    /// Where a client's last call stands, below its session.
    pub calls: Vec<(ClientId, Frame)>,
    /// The size of letters beside a tree.
    pub beside: f64,
    /// Where the Stat of the node stands that changed last.
    pub stat: Option<Frame>,
    /// Each client that has a place.
    pub clients: Vec<(ClientId, Frame)>,
}

impl Plan {
    /// The place of a node: a ticket, or a queue's parent.
    pub fn node(&self, path: &str) -> Option<Frame> {
        self.tickets.iter().chain(&self.parents).find(|(known, _)| **known == *path).map(|(_, frame)| *frame)
    }

    /// Whether clients that are dots have their names beside them.
    pub fn names_dots(&self) -> bool {
        self.clients.len() <= NAMED
    }

    /// The place of a client, with its ticket where it has one.
    pub fn seat(&self, client: ClientId) -> Option<Frame> {
        let ticket = self.figure.ticket_of(client).and_then(|ticket| self.node(&ticket.path));
        ticket.or_else(|| self.clients.iter().find(|(id, _)| *id == client).map(|(_, frame)| *frame))
    }

    /// Whether tickets lie between a queue's parent and who watches it.
    fn is_behind_others(&self, parent: &Frame, seat: &Frame) -> bool {
        let between = |frame: &Frame| frame.top() > parent.bottom() && frame.bottom() < seat.top();
        self.tickets.iter().any(|(_, frame)| between(frame))
    }

    /// The way of a watch's news: from what is watched to who is told. None where one of them has no place.
    pub fn string(&self, path: &str, client: ClientId) -> Option<Way> {
        let (node, seat) = (self.node(path)?, self.seat(client)?);
        let (from, to) = (node.middle, seat.middle);
        if from == to {
            return None;
        }
        if self.figure.store.is_some() {
            let bar = self.bars.iter().find(|(id, _)| *id == client).map(|(_, frame)| *frame);
            let Some(bar) = bar.filter(|bar| bar.corner().x > to.x) else {
                return Some(Way { from: node.edge(to), bend: None, to: seat.edge(from) });
            };
            // under whoever stands in between, to where the session's bar ends
            let from = Point::new(node.corner().x + 8.0, node.bottom() + 2.0);
            let to = Point::new(bar.corner().x + bar.width + 4.0, bar.middle.y);
            let low = from.y.max(to.y) + 40.0;
            return Some(Way { from, bend: Some(Point::new(from.x + (to.x - from.x) * 0.4, low)), to });
        }
        if self.figure.columns && self.parents.iter().any(|(parent, _)| **parent == *path) {
            // beside whoever stands below
            let half = node.width.max(self.ticketing.size.0) / 2.0 + 4.0;
            let from = Point::new(from.x + half.copysign(to.x - from.x), from.y);
            return Some(Way { from, bend: None, to: seat.edge(from) });
        }
        if !self.figure.columns
            && self.parents.iter().any(|(parent, _)| **parent == *path)
            && self.is_behind_others(&node, &seat)
        {
            // around whoever stands in between
            let left = self.tickets.iter().map(|(_, frame)| frame.corner().x).fold(f64::MAX, f64::min) - 72.0;
            let (from, to) = (Point::new(node.corner().x - 2.0, from.y), Point::new(seat.corner().x - 2.0, to.y));
            return Some(Way { from, bend: Some(Point::new(left, from.y + (to.y - from.y) * 0.55)), to });
        }
        let beside = (from.y - to.y).abs() < 1.0 && (from.x - to.x).abs() > self.ticketing.size.0 * 1.9;
        if !beside || self.figure.star {
            return Some(Way { from: node.edge(to), bend: None, to: seat.edge(from) });
        }
        // over the heads of those between them
        let cells = (from.x - to.x).abs() / (self.ticketing.size.0 + self.ticketing.gap.0).max(1.0);
        let rise = (12.0 + 7.0 * cells).min(self.ticketing.gap.1 - 2.0);
        let (from, to) = (Point::new(from.x, node.top() - 2.0), Point::new(to.x, seat.top() - 2.0));
        Some(Way { from, bend: Some(Point::new((from.x + to.x) / 2.0, from.y - 2.0 * rise)), to })
    }
}
