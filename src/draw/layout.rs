//! Where things stand on the stage: cards on an ellipse, links between their edges. Floats are for drawing only; nothing
//! here decides what happens.

mod bounds;
mod counts;
mod density;
pub(in crate::draw) mod logs;
mod panels;
mod ring;
mod seats;
mod tiers;

pub use crate::draw::point::Point;
pub use bounds::room;
pub use counts::{Counts, NAME};
pub use density::Density;
pub use seats::{Chip, Seat, seats};

use std::rc::Rc;

use crate::base::{Arrange, ClientId, Node, ServerId};

use crate::draw::figure::{Frame, Plan};
use crate::draw::layout::bounds::everywhere;
use crate::view::keeps_a_log;
use ring::{are_apart, flat_ring, place};
use seats::{Area, Room};

/// The places of all cards on a stage of some size.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The stage's width.
    pub width: f64,
    /// The stage's height.
    pub height: f64,
    /// How much cards say.
    pub density: Density,
    /// Each server's card: its middle.
    pub places: Vec<(ServerId, Point)>,
    /// How much clients' chips say.
    pub chip: Chip,
    /// Each client's chip: its middle.
    pub chips: Vec<(ClientId, Point)>,
    /// For whom all this was made.
    pub seats: Vec<Seat>,
    /// Whether it was made for a hall.
    pub hall: bool,
    /// Where the counts of each server stand, should it lead.
    pub counts: Vec<(ServerId, Counts)>,
    /// Where packets and their words may be at all: the top left corner and the bottom right one.
    pub moving: (Point, Point),
    /// Where the parts of a figure stand, where there is one: links between servers are not drawn then.
    pub plan: Option<Rc<Plan>>,
    /// Where the servers' logs stand, below the ring.
    pub logs: Option<Frame>,
    /// The cards that show tables: as large as the stage lets them be.
    pub panels: Vec<(ServerId, Frame)>,
}

/// Space between two cards.
const GAP: f64 = 20.0;
/// The shortest link between two that stand side by side, CSS pixels.
const SHORT_LINK: f64 = 12.0;

impl Layout {
    /// Places the servers in their order on an ellipse, with the largest cards that leave room for links.
    pub fn new(servers: &[ServerId], width: f64, height: f64) -> Layout {
        Layout::with_clients(servers, &[], width, height)
    }

    /// The same, with clients on the rim; servers move inward or shrink only where that gives the clients room.
    pub fn with_clients(servers: &[ServerId], seats: &[Seat], width: f64, height: f64) -> Layout {
        Layout::made(servers, seats, (width, height), false)
    }

    /// The same for a hall: whatever is written can be read from the back row.
    pub fn in_hall(servers: &[ServerId], seats: &[Seat], width: f64, height: f64) -> Layout {
        Layout::made(servers, seats, (width, height), true)
    }

    fn made(servers: &[ServerId], seats: &[Seat], (width, height): (f64, f64), hall: bool) -> Layout {
        let mut layout = Layout {
            width,
            height,
            density: Density::Full,
            places: Vec::new(),
            chip: Chip::Full,
            chips: Vec::new(),
            seats: seats.to_vec(),
            hall,
            counts: Vec::new(),
            moving: Default::default(),
            plan: None,
            logs: None,
            panels: Vec::new(),
        };
        layout.arrange(servers);
        layout.counts = layout.room_for_counts();
        layout.moving = everywhere(&layout);
        layout
    }

    /// The largest chips and cards that have room. On a flat stage a link may go behind the card of a third server, as if that
    /// passed on what is sent: cards that are smaller, but can still say what they are, come before that.
    fn arrange(&mut self, servers: &[ServerId]) {
        let densities: &[Density] = if self.hall { &Density::HALL } else { &Density::USUAL };
        if let Some(placed) =
            panels::place(servers, (self.width, self.height), densities).filter(|_| self.seats.is_empty())
        {
            (self.density, self.places, self.panels) = (placed.density, placed.places, placed.panels);
            return;
        }
        let chips: &[Chip] = if self.hall { &Chip::HALL } else { &Chip::USUAL };
        let count = self.seats.len();
        for open in [true, false] {
            for chip in chips.iter().filter(|chip| count <= chip.most()) {
                self.chip = *chip;
                // before cards lose their words, chips become smaller
                let smaller = count > 0 && *chip == Chip::Full;
                // where no logs are shown below them, cards must say what they keep
                let logs = servers.iter().any(|id| keeps_a_log(*id, true));
                let densities = densities.iter().filter(|density| logs || **density != Density::Flat);
                for density in densities.filter(|density| !smaller || **density <= Density::Small) {
                    self.density = *density;
                    if !(open && density.lines() == 0) && self.settle(servers, open) {
                        return;
                    }
                }
            }
        }
        self.squeeze(servers);
    }

    /// Tries cards and chips of the present size, with the servers as far outside as they can be; where links are to be open, none
    /// may go behind a card.
    fn settle(&mut self, servers: &[ServerId], open: bool) -> bool {
        let rows = if self.seats.is_empty() { 0 } else { self.chip.rows() };
        for rows in rows.min(1)..=rows {
            let (x, y) = self.chip.band(rows);
            for inset in [(0.0, 0.0), (0.0, y), (x, 0.0), (x, y)] {
                self.places = place(servers, (self.width, self.height), self.density, inset);
                if !self.has_room() || (open && self.hides_a_link()) {
                    continue;
                }
                self.chips = self.seated(rows, false);
                if self.chips.len() == self.seats.len() {
                    return true;
                }
            }
        }
        false
    }

    /// There is not room for all: the smallest of everything, and as many clients as find a seat.
    fn squeeze(&mut self, servers: &[ServerId]) {
        let rows = if self.seats.is_empty() { 0 } else { self.chip.rows() };
        let insets = (1..=rows).rev().map(|rows| self.chip.band(rows)).chain([(0.0, 0.0)]);
        for inset in insets {
            self.places = place(servers, (self.width, self.height), self.density, inset);
            if self.has_room() {
                break;
            }
        }
        if !are_apart(&self.places, self.density.card(), 0.0) {
            self.places = flat_ring(servers, (self.width, self.height));
        }
        self.chips = self.seated(self.chip.rows() + 1, true);
    }

    /// Places for as many clients as have room.
    fn seated(&self, rows: usize, tight: bool) -> Vec<(ClientId, Point)> {
        if self.seats.is_empty() {
            return Vec::new();
        }
        let (width, height) = self.density.card();
        let cards: Vec<(ServerId, Area)> =
            self.places.iter().map(|&(id, middle)| (id, Area { middle, width, height })).collect();
        let mut links = Vec::new();
        if !tight {
            links.extend(self.linked().map(|(a, b)| self.segment(a, b)));
        }
        let room = Room { width: self.width, height: self.height, cards: &cards, links: &links, tight };
        room.seat(&self.seats, self.chip, rows)
    }

    /// Each two between which there can be a link: an ensemble and another system on one stage say nothing to each other.
    fn linked(&self) -> impl Iterator<Item = (ServerId, ServerId)> {
        let pairs = self
            .places
            .iter()
            .enumerate()
            .flat_map(|(index, (a, _))| self.places[index + 1..].iter().map(move |(b, _)| (*a, *b)));
        pairs.filter(|(a, b)| a.is_valid() == b.is_valid())
    }

    /// Whether a link between two of a ring goes behind a third card.
    fn hides_a_link(&self) -> bool {
        let (width, height) = self.density.card();
        let behind = |(a, b): (ServerId, ServerId)| {
            let way = self.segment(a, b);
            let mut others = self.places.iter().filter(|(id, _)| *id != a && *id != b);
            others.any(|(_, middle)| Area { middle: *middle, width, height }.is_crossed(way, 4.0))
        };
        let of_a_ring = |(a, b): &(ServerId, ServerId)| a.letters() == b.letters() && !tiers::side_by_side(*a, *b);
        self.linked().filter(of_a_ring).any(behind)
    }

    /// The middle of a card or chip; the stage's for whoever is not there.
    pub fn place(&self, node: impl Into<Node>) -> Point {
        let found = match node.into() {
            Node::Server(id) => self.places.iter().find(|(server, _)| *server == id).map(|(_, at)| *at),
            Node::Client(id) => self.seat_of(id),
        };
        found.unwrap_or(self.middle())
    }

    /// A client's place, if it has one.
    pub fn seat_of(&self, id: ClientId) -> Option<Point> {
        self.chips.iter().find(|(client, _)| *client == id).map(|(_, at)| *at)
    }

    /// Whether clients that are dots stand so far apart that each has room for its name below it, and no figure names them.
    pub fn has_named_dots(&self) -> bool {
        /// Most of them that are looked at; more are never so far apart.
        const MOST: usize = 60;
        const ROOM: (f64, f64) = (32.0, 30.0);
        let apart = |(_, a): &(ClientId, Point), (_, b): &(ClientId, Point)| {
            (a.x - b.x).abs() >= ROOM.0 || (a.y - b.y).abs() >= ROOM.1
        };
        let each = |(at, one)| self.chips.iter().skip(at + 1).all(|other| apart(one, other));
        let named = self.plan.as_ref().is_some_and(|plan| plan.names_dots());
        self.chip == Chip::Dot && !named && self.chips.len() <= MOST && self.chips.iter().enumerate().all(each)
    }

    /// Whether a node stands on the stage.
    pub fn has(&self, node: Node) -> bool {
        match node {
            Node::Server(id) => self.places.iter().any(|(server, _)| *server == id),
            Node::Client(id) => self.seat_of(id).is_some(),
        }
    }

    /// Width and height of a card or chip.
    pub fn size(&self, node: Node) -> (f64, f64) {
        match node {
            Node::Server(id) => self.panel(id).map_or(self.density.card(), |frame| (frame.width, frame.height)),
            Node::Client(_) => self.chip.size(),
        }
    }

    /// Whether a node is such a card.
    pub fn panel_of(&self, node: Node) -> bool {
        node.server().is_some_and(|id| self.panel(id).is_some())
    }

    /// Where a card stands that shows tables.
    pub fn panel(&self, id: ServerId) -> Option<Frame> {
        self.panels.iter().find(|(panel, _)| *panel == id).map(|(_, frame)| *frame)
    }

    /// The end of a link at a node, as the other end is there: at a panel the nearest point of its edge.
    fn end(&self, node: Node, toward: Point) -> (Point, (f64, f64)) {
        /// So far from a corner.
        const IN: f64 = 24.0;
        let Some(frame) = node.server().and_then(|id| self.panel(id)) else {
            return (self.place(node), self.size(node));
        };
        let (half, high) = (frame.width / 2.0, frame.height / 2.0);
        let (dx, dy) = (toward.x - frame.middle.x, toward.y - frame.middle.y);
        let (x, y) = match dx.abs() > half {
            true => (half * dx.signum(), dy.clamp(IN - high, high - IN)),
            false => (dx.clamp(IN - half, half - IN), high * dy.signum()),
        };
        (Point::new(frame.middle.x + x, frame.middle.y + y), (0.0, 0.0))
    }

    /// The lower edge of the stage, without the logs.
    pub fn bottom(&self) -> f64 {
        self.height - self.logs.map_or(0.0, |frame| frame.height)
    }

    /// The middle of the stage, without the logs.
    pub fn middle(&self) -> Point {
        Point::new(self.width / 2.0, self.bottom() / 2.0)
    }

    /// The visible part of the link from one node to another: between the edges of their cards.
    pub fn segment(&self, from: impl Into<Node>, to: impl Into<Node>) -> (Point, Point) {
        self.lane(from, to, Point::default(), 0.0)
    }

    /// The parts of that link that are drawn: one that goes behind the cards of others keeps away from them, or it would look like theirs.
    pub fn drawn(&self, from: impl Into<Node>, to: impl Into<Node>) -> impl Iterator<Item = (Point, Point)> {
        /// So far.
        const CLEAR: f64 = 14.0;
        /// What is shorter is a speck, and no link.
        const SPECK: f64 = 8.0;
        let (from, to) = (from.into(), to.into());
        let (start, end) = self.segment(from, to);
        let others = self.places.iter().filter(move |(id, _)| Node::from(*id) != from && Node::from(*id) != to);
        let mut hidden: Vec<(f64, f64)> = others
            .filter_map(|(id, middle)| {
                let (width, height) = self.size((*id).into());
                Area { middle: *middle, width, height }.crossed((start, end), CLEAR)
            })
            .collect();
        hidden.arrange_by(|a, b| a.0.total_cmp(&b.0));
        let mut open = 0.0;
        let mut parts = Vec::with_capacity(hidden.len() + 1);
        for (near, far) in hidden {
            parts.push((open, near));
            open = far.max(open);
        }
        parts.push((open, 1.0));
        parts
            .into_iter()
            .filter(move |(from, to)| (to - from) * start.distance(end) >= SPECK)
            .map(move |(from, to)| (start.toward(end, from), start.toward(end, to)))
    }

    /// The way of packets from one node to another, beside the link by `aside`: no card comes nearer than `clear` to it,
    /// where the link is long enough for that.
    pub fn lane(&self, from: impl Into<Node>, to: impl Into<Node>, aside: Point, clear: f64) -> (Point, Point) {
        let (from, to) = (from.into(), to.into());
        let ((a, size), (b, other)) = (self.end(from, self.place(to)), self.end(to, self.place(from)));
        let (out, back) = (exit(size, (a, b), aside, clear), exit(other, (b, a), aside, clear));
        let (a, b) = (Point::new(a.x + aside.x, a.y + aside.y), Point::new(b.x + aside.x, b.y + aside.y));
        let (out, back) = if out + back < 0.95 { (out, back) } else { (out.min(0.5), back.min(0.5)) };
        (a.toward(b, out), b.toward(a, back))
    }

    /// Where a link is taken hold of: its middle, but not the stage's middle, which all diameters share.
    pub fn handle(&self, a: ServerId, b: ServerId) -> Point {
        let (start, end) = self.segment(a.min(b), a.max(b));
        let half = start.toward(end, 0.5);
        match half.distance(self.middle()) < 40.0 && self.places.len() > 3 {
            true => start.toward(end, 0.3),
            false => half,
        }
    }

    fn has_room(&self) -> bool {
        let (width, height) = self.density.card();
        let inside = |p: &Point| {
            p.x - width / 2.0 >= 0.0
                && p.y - height / 2.0 >= 0.0
                && p.x + width / 2.0 <= self.width
                && p.y + height / 2.0 <= self.height
        };
        self.places.iter().all(|(_, at)| inside(at))
            && are_apart(&self.places, (width, height), GAP)
            && self.linked().all(|(a, b)| {
                let (start, end) = self.segment(a, b);
                // whoever stands side by side in a tier has little to say to each other
                let least = if tiers::side_by_side(a, b) { SHORT_LINK } else { self.density.shortest_link() };
                start.distance(end) >= least
            })
    }
}

/// The share of a way, moved by `aside`, at which it leaves the card or chip of this size where it begins.
fn exit((width, height): (f64, f64), (from, toward): (Point, Point), aside: Point, clear: f64) -> f64 {
    let (dx, dy) = (toward.x - from.x, toward.y - from.y);
    let share = |half: f64, way: f64, aside: f64| match way.abs() < 1e-6 {
        true => f64::INFINITY,
        false => (half + 2.0 + clear - aside * way.signum()) / way.abs(),
    };
    share(width / 2.0, dx, aside.x).min(share(height / 2.0, dy, aside.y)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(count: u8) -> Vec<ServerId> {
        (1..=count).map(ServerId).collect()
    }

    #[test]
    fn every_ensemble_fits_on_every_stage() {
        for (width, height) in [(780.0, 540.0), (980.0, 700.0), (560.0, 380.0), (390.0, 400.0)] {
            for count in 1..=12 {
                let layout = Layout::new(&servers(count), width, height);
                let (w, h) = layout.density.card();
                for (i, (_, a)) in layout.places.iter().enumerate() {
                    assert!(a.x >= w / 2.0 && a.x <= width - w / 2.0, "{count} on {width}x{height}: {a:?}");
                    for (_, b) in &layout.places[..i] {
                        let apart = (a.x - b.x).abs() >= w || (a.y - b.y).abs() >= h;
                        assert!(apart, "{count} on {width}x{height}: cards overlap");
                    }
                }
            }
        }
    }

    #[test]
    fn up_to_five_can_be_read_from_the_back_row() {
        for count in 1..=5 {
            assert!(Layout::new(&servers(count), 900.0, 540.0).density <= Density::Full, "{count}");
        }
    }

    #[test]
    fn five_servers_above_their_logs_keep_phase_and_epoch() {
        for (width, height) in [(1_280.0, 280.0), (1_280.0, 330.0), (1_440.0, 420.0)] {
            let layout = Layout::new(&servers(5), width, height);
            assert!(layout.density <= Density::Flat, "{width}x{height}: {:?}", layout.density);
            assert!(layout.density.card().0 >= 196.0);
        }
        // machines that keep no log that is shown must say what they keep
        let redis: Vec<ServerId> = (1..=5).map(|n| ServerId::nth("R", n)).collect();
        assert!(Layout::new(&redis, 1_280.0, 280.0).density != Density::Flat);
    }

    #[test]
    fn on_the_flat_stage_of_a_lesson_no_link_goes_behind_a_card() {
        for (width, height) in [(1_280.0, 188.0), (960.0, 163.0), (1_440.0, 250.0), (375.0, 240.0)] {
            for count in [3, 4] {
                let layout = Layout::new(&servers(count), width, height);
                assert!(!layout.hides_a_link(), "{count} on {width}x{height}: {:?}", layout.density);
                // four have two rows of cards, with a link between them
                assert!(count > 3 || layout.density.lines() > 0, "{count} on {width}x{height}: {:?}", layout.density);
            }
        }
    }

    #[test]
    fn an_ensemble_and_another_system_stand_beside_each_other() {
        let mut both = servers(3);
        both.extend(
            ["R", "R", "C", "C", "C"].iter().zip([1, 2, 1, 2, 3]).map(|(letters, n)| ServerId::nth(letters, n)),
        );
        both.sort();
        for (width, height) in [(1_280.0, 188.0), (960.0, 163.0), (1_440.0, 600.0), (390.0, 460.0)] {
            let layout = Layout::new(&both, width, height);
            assert!(are_apart(&layout.places, layout.density.card(), 0.0), "{width}x{height}: {:?}", layout.places);
            let right = |id: &ServerId| if width > height { layout.place(*id).x } else { layout.place(*id).y };
            let (own, others): (Vec<ServerId>, Vec<ServerId>) = both.iter().partition(|id| id.is_valid());
            let last = own.iter().map(right).fold(0.0, f64::max);
            assert!(others.iter().all(|id| right(id) > last), "{width}x{height}: {:?}", layout.places);
        }
    }

    #[test]
    fn handles_of_different_links_are_apart() {
        for count in [3, 4, 5, 6, 7] {
            let layout = Layout::new(&servers(count), 780.0, 540.0);
            let mut handles: Vec<Point> = Vec::new();
            for a in 1..=count {
                for b in a + 1..=count {
                    let handle = layout.handle(ServerId(a), ServerId(b));
                    assert!(handles.iter().all(|other| other.distance(handle) > 8.0), "{count}: S{a}-S{b}");
                    handles.push(handle);
                }
            }
        }
    }
}
