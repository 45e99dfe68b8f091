//! The stage drawn with an [`Surface`]: the page's canvas shows the moving half of it (links, queues, packets) below its own
//! cards and chips; a file shows all of it. Both come from here, so that a picture looks as the page does.

pub(in crate::draw) mod brush;
mod callouts;
pub(in crate::draw) mod cards;
mod chips;
mod groups;
mod icons;
mod links;
mod matrix;
mod meters;
mod motion;
mod packets;
mod sheet;
mod tables;

use crate::base::{ClientId, Epoch, MsgId, ServerId, Zxid};

use crate::draw::figure;
use crate::draw::surface::{Path, Surface};
use crate::draw::{Layout, PacketView, Palette, Point};
use crate::timeline::Used;
use crate::view::{Card, ClientView, Eye, Group, LinkView, Matrix, Meter, Said, Scene, Verdict};

pub use cards::{shorter, shown_lines, stamped, time_left};
pub use icons::{client_icon, crown_icon, role_icon};
pub use meters::{Board, inside, shown, voters};
pub use sheet::{Drawing, Pane, Sheet};

use brush::Brush;

/// The words on a stage, in some language.
pub trait Wording {
    /// A server's role, or what is said in its place.
    fn role(&self, card: &Card) -> String;
    /// The line below the role; may be empty.
    fn second(&self, card: &Card) -> String;
    /// A server's epochs.
    fn epochs(&self, card: &Card) -> String;
    /// The end of a server's log.
    fn last(&self, card: &Card) -> String;
    /// The line below a client's name.
    fn client(&self, client: &ClientView) -> String;
    /// What a meter counts.
    fn meter(&self, meter: &Meter) -> String;
    /// What stands beside a slow link.
    fn slow(&self) -> &'static str;
    /// What stands in a figure.
    fn figure(&self, word: FigureWord<'_>) -> String;
    /// What stands large at a machine or client.
    fn callout(&self, said: &Said) -> String;
}

/// What there is to say in a figure.
#[derive(Clone, Copy, Debug)]
pub enum FigureWord<'a> {
    /// Below the number of tickets that have no place.
    More,
    /// Above the clients that have no ticket.
    Idle,
    /// Above clients where nobody has tickets.
    Clients,
    /// A node that is no longer there.
    Gone,
    /// A client that died, and whose session goes on.
    Dead(ClientId),
    /// The newest token that a resource has seen.
    Newest,
    /// It has seen none.
    NoToken,
    /// A write outside of the ensemble.
    Used(&'a Used),
    /// A session that is over.
    Over,
    /// What a client's program knows of a part of the tree.
    Copy(&'a str),
    /// Above the clients that put items into a queue.
    Puts,
    /// Above those that take them out.
    Takes,
    /// Above the Stat of a node.
    Stat(&'a str),
    /// How many of its fields the last change moved, and how many there are.
    Moved(usize, usize),
    /// How many have answered, of how many.
    Of(usize, usize),
    /// How many proposals wait in a leader's queue.
    Queue(usize),
    /// Beside the logs of all servers.
    Logs,
    /// No log has anything.
    Empty,
    /// Above the transactions of an epoch, with who led it.
    Epoch(Epoch, Option<ServerId>),
    /// Above the entries of a term, with who led it.
    Term(Epoch, Option<ServerId>),
    /// Above a transaction that no log has any more.
    Lost(Zxid),
    /// What became of a transaction.
    Fate(&'a Verdict),
    /// What a square means, by its sign.
    Sign(&'a str),
    /// A gap of an index before a key, or at its end.
    Gap(Option<&'a str>),
    /// Before those who wait for a lock.
    Waits,
    /// A value that is not committed.
    NotCommitted,
    /// A value that the last commit has written.
    LastCommit,
}

/// The type sizes of the style sheet, `--t1` to `--t7`, CSS pixels.
pub(in crate::draw) const TYPE: [f64; 7] = [12.0, 13.0, 14.5, 17.0, 21.0, 26.0, 32.0];

/// A stage at one moment, to be drawn from its top left corner.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// Colours and fonts.
    pub palette: &'a Palette,
    /// Words.
    pub words: &'a dyn Wording,
    /// Where everything stands.
    pub layout: &'a Layout,
    /// What stands there.
    pub scene: &'a Scene,
    /// What is on its way.
    pub packets: &'a [PacketView],
    /// The packet that is looked at.
    pub chosen: Option<MsgId>,
    /// The entry of the legend whose packets are brought out.
    pub marked: Option<&'a str>,
    /// What eyes are led to; none where everything has come to its end, and is in full ink.
    pub eye: Option<&'a Eye>,
}

/// What [`Picture::ground`] shows: the same ground looks the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    layout: Layout,
    links: Vec<LinkView>,
    clients: Vec<ClientView>,
    groups: Vec<Group>,
    matrix: Option<Matrix>,
    panels: Vec<Card>,
    eye: Option<Eye>,
}

impl Ground {
    /// The ground of a moment.
    pub fn of(layout: &Layout, scene: &Scene, eye: Option<&Eye>) -> Ground {
        Ground {
            layout: layout.clone(),
            links: scene.links.clone(),
            clients: scene.clients.iter().map(ClientView::at_a_glance).collect(),
            groups: scene.groups(),
            matrix: layout.logs.map(|_| scene.matrix.clone()),
            panels: panels(layout, scene).cloned().collect(),
            eye: eye.map(Eye::at_a_glance),
        }
    }

    /// Whether it is still that of this moment.
    pub fn is_of(&self, layout: &Layout, scene: &Scene, eye: Option<&Eye>) -> bool {
        self.layout == *layout
            && self.eye == eye.map(Eye::at_a_glance)
            && self.links == scene.links
            && self.clients.len() == scene.clients.len()
            && self.clients.iter().zip(&scene.clients).all(|(one, now)| *one == now.at_a_glance())
            && self.groups == scene.groups()
            && self.panels.iter().eq(panels(layout, scene))
            && self.matrix.as_ref() == layout.logs.map(|_| &scene.matrix)
    }
}

/// The cards that show tables.
fn panels<'a>(layout: &'a Layout, scene: &'a Scene) -> impl Iterator<Item = &'a Card> {
    scene.cards.iter().filter(|card| layout.panel(card.id).is_some())
}

impl Picture<'_> {
    /// What lies below everything and hardly ever changes: groups, links and where they are taken hold of, clients' lines. [`Ground`] tells
    /// when.
    pub fn ground(&self, surface: &mut dyn Surface) {
        let mut brush = Brush::new(surface, self.palette);
        if let Some(plan) = &self.layout.plan {
            return figure::draw(&mut brush, self, plan);
        }
        matrix::draw(&mut brush, self);
        groups::draw(&mut brush, self);
        links::draw(&mut brush, self);
        links::handles(&mut brush, self);
        panels(self.layout, self.scene).for_each(|card| self.card(&mut brush, card));
    }

    fn card(&self, brush: &mut Brush<'_>, card: &Card) {
        match self.layout.panel(card.id) {
            Some(frame) => tables::draw(brush, self, card, frame),
            None => cards::draw(brush, self, card),
        }
    }

    /// What moves: queues, packets. Words keep within `room`.
    pub fn moving(&self, surface: &mut dyn Surface, room: (Point, Point)) {
        let mut brush = Brush::new(surface, self.palette);
        if self.layout.plan.is_none() {
            links::queues(&mut brush, self);
        }
        packets::draw(&mut brush, self, room);
    }

    /// What lies above the cards while it lasts: the words at the place where something happens, the motion that shows what is told.
    pub fn above(&self, surface: &mut dyn Surface) {
        callouts::draw(&mut Brush::new(surface, self.palette), self);
        if let Some((motion, h)) = self.eye.and_then(Eye::moving) {
            motion::draw(&mut Brush::new(surface, self.palette), self, motion, h);
        }
    }

    /// Everything, on paper.
    pub fn whole(&self, surface: &mut dyn Surface) {
        let mut brush = Brush::new(surface, self.palette);
        brush.path().rect(Point::default(), self.layout.width, self.layout.height, 0.0);
        brush.fill(&self.palette.paper, 1.0);
        match &self.layout.plan {
            Some(plan) => figure::draw(&mut brush, self, plan),
            None => {
                matrix::draw(&mut brush, self);
                groups::draw(&mut brush, self);
                meters::draw(&mut brush, self);
                links::draw(&mut brush, self);
                links::queues(&mut brush, self);
            }
        }
        packets::draw(&mut brush, self, self.layout.moving);
        for card in &self.scene.cards {
            self.card(&mut brush, card);
        }
        for client in &self.scene.clients {
            chips::draw(&mut brush, self, client);
        }
        self.above(surface);
    }
}

/// A shape of stripes within a rectangle with round corners: for what stands still. From the corner on, nine pixels of
/// each colour in turn; this is the second.
fn stripes(path: &mut Path, at: Point, (width, height): (f64, f64), r: f64) {
    const STRIPE: f64 = 9.0;
    let edge = rounded(at, (width, height), r);
    // how far a point lies from the top left corner, along the diagonal
    let along = |p: Point| ((p.x - at.x) + (p.y - at.y)) * std::f64::consts::FRAC_1_SQRT_2;
    let mut from = STRIPE;
    while from < (width + height) * std::f64::consts::FRAC_1_SQRT_2 {
        let after = clipped(&edge, |p| along(p) - from);
        let stripe = clipped(&after, |p| from + STRIPE - along(p));
        if stripe.len() > 2 {
            path.polygon(stripe);
        }
        from += 2.0 * STRIPE;
    }
}

/// The corners of a rectangle whose corners are round, as a polygon.
fn rounded(at: Point, (width, height): (f64, f64), r: f64) -> Vec<Point> {
    const STEPS: usize = 6;
    let r = r.min(width / 2.0).min(height / 2.0);
    let middles = [(width - r, r), (width - r, height - r), (r, height - r), (r, r)];
    let corner = |(quarter, (x, y)): (usize, (f64, f64))| {
        (0..=STEPS).map(move |step| {
            let turn = (quarter as f64 - 1.0 + step as f64 / STEPS as f64) * std::f64::consts::FRAC_PI_2;
            Point::new(at.x + x + r * turn.cos(), at.y + y + r * turn.sin())
        })
    };
    middles.into_iter().enumerate().flat_map(corner).collect()
}

/// The part of a polygon without hollows in which `inside` is above zero.
fn clipped(corners: &[Point], inside: impl Fn(Point) -> f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(corners.len() + 2);
    for (index, &here) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (a, b) = (inside(here), inside(next));
        if a >= 0.0 {
            kept.push(here);
        }
        if (a >= 0.0) != (b >= 0.0) {
            kept.push(here.toward(next, a / (a - b)));
        }
    }
    kept
}

#[cfg(test)]
mod tests;
