//! Where counts stand on the stage: at the card of whoever leads, where they cover neither cards nor links, so that no packet runs below
//! them. It depends on the stage and on who stands there, never on what is counted, so that nothing jumps.

use crate::base::{Node, ServerId};

use crate::draw::layout::seats::Area;
use crate::draw::layout::{Layout, Point};

/// The place of a leader's counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Its middle.
    pub centre: Point,
    /// For how many it has room.
    pub rows: usize,
    /// Whether each takes two short lines instead of a long one.
    pub tight: bool,
    /// Whether there is room for the names of those who are counted.
    pub named: bool,
    /// Whether it is at the leader's card: it need not say whose it is.
    pub beside: bool,
}

impl Counts {
    /// So many names have room.
    const NAMED: usize = 5;

    /// The width and height of its room on this layout.
    pub fn size(&self, layout: &Layout) -> (f64, f64) {
        let voters = layout.places.len();
        let rows = self.rows as f64;
        let large = if layout.hall { 1.4 } else { 1.0 };
        let boxes = if self.named { voters as f64 * NAME } else { voters.clamp(3, 9) as f64 * 14.0 } + 2.0;
        let (width, height) = match (self.tight, self.named) {
            (true, false) => ((boxes + 38.0).max(96.0), rows * 40.0 + 8.0),
            (true, true) => ((boxes + 74.0).max(150.0), rows * 44.0 + 30.0),
            (false, _) => (boxes + 234.0, rows * 28.0 + 36.0),
        };
        (width * large, height * large)
    }
}

/// How far the named boxes of a count are apart.
pub const NAME: f64 = 28.0;

/// How many places along each side are tried.
const TRIED: usize = 20;

/// What counts may not cover: cards and chips, links, and how far packets run beside a link on both sides.
struct Taken {
    cards: Vec<Area>,
    ways: Vec<(Point, Point)>,
    lane: f64,
}

impl Taken {
    /// Whether something covers nothing, with so much space to cards.
    fn leaves(&self, area: &Area, clear: f64) -> bool {
        !self.cards.iter().any(|card| card.meets(area, clear))
            && !self.ways.iter().any(|way| area.is_crossed(*way, self.lane))
    }
}

impl Layout {
    /// For each server the best free place for as many rows as there can be, should it lead: at its card, else nearest to it. Labels can
    /// be longer than the room (it is that of usual ones), so a place that leaves this much of the stage beside it comes before one at the
    /// very edge.
    pub(super) fn room_for_counts(&self) -> Vec<(ServerId, Counts)> {
        let most = self.density.rows();
        let named = !self.density.is_tight() && self.places.len() <= Counts::NAMED;
        let first = self.density.is_tight() || (self.width < 700.0 && !self.hall);
        let all: Vec<Counts> = [(first, named), (true, named), (true, false)]
            .into_iter()
            .flat_map(|look| (1..=most).rev().map(move |rows| (look, rows)))
            .map(|((tight, named), rows)| Counts { centre: Point::default(), rows, tight, named, beside: true })
            .collect();
        let beside = if self.hall { 52.0 } else { 30.0 };
        let lane = 2.0 * self.density.packet() + 3.0;
        let taken = Taken { cards: self.obstacles(), ways: self.ways(), lane };
        let found = |id: ServerId| {
            let at_card = |one: &Counts| Some(Counts { centre: self.at_card(id, one.size(self), &taken)?, ..*one });
            let near = |one: &Counts| {
                let (size, card) = (one.size(self), self.place(id));
                let at = |beside| self.free_place(size, (beside, card), &taken);
                let centre = at(beside).or_else(|| at(0.0))?;
                Some(Counts { centre, beside: false, ..*one })
            };
            all.iter().find_map(at_card).or_else(|| all.iter().find_map(near))
        };
        let lead = self.places.iter().map(|(id, _)| *id).filter(|id| id.is_valid());
        lead.filter_map(|id| Some((id, found(id)?))).collect()
    }

    /// A free place at a card's edge: below it, above it, or at a side.
    fn at_card(&self, id: ServerId, (width, height): (f64, f64), taken: &Taken) -> Option<Point> {
        const GAP: f64 = 4.0;
        let (card, middle) = (self.density.card(), self.place(id));
        let (over, aside) = ((card.1 + height) / 2.0 + GAP, (card.0 + width) / 2.0 + GAP);
        let (slide, lift) = ((card.0 - width) / 2.0, (card.1 - height) / 2.0);
        let at = |dx: f64, dy: f64| Point::new(middle.x + dx, middle.y + dy);
        let below = [over, -over].into_iter().flat_map(|dy| [at(0.0, dy), at(slide, dy), at(-slide, dy)]);
        let beside = [aside, -aside].into_iter().flat_map(|dx| [at(dx, 0.0), at(dx, lift), at(dx, -lift)]);
        let free = |middle: &Point| {
            let area = Area { middle: *middle, width, height };
            let inside = middle.x >= width / 2.0 + 2.0
                && middle.x <= self.width - width / 2.0 - 2.0
                && middle.y >= height / 2.0 + 2.0
                && middle.y <= self.height - height / 2.0 - 2.0;
            inside && taken.leaves(&area, 0.0)
        };
        below.chain(beside).find(free)
    }

    /// The free place of this size that is nearest to a point, with so much of the stage left beside it.
    fn free_place(&self, (width, height): (f64, f64), (beside, near): (f64, Point), taken: &Taken) -> Option<Point> {
        const EDGE: f64 = 6.0;
        let side = EDGE + beside;
        let (across, down) = (self.width - width - 2.0 * side, self.height - height - 2.0 * EDGE);
        if self.places.is_empty() || across < 0.0 || down < 0.0 {
            return None;
        }
        let mut best: Option<(f64, Point)> = None;
        for step in 0..TRIED * TRIED {
            let share = |at: usize| at as f64 / (TRIED - 1) as f64;
            let middle = Point::new(
                side + width / 2.0 + across * share(step % TRIED),
                EDGE + height / 2.0 + down * share(step / TRIED),
            );
            let far = middle.distance(near);
            if best.is_some_and(|(least, _)| far >= least) {
                continue;
            }
            if taken.leaves(&Area { middle, width, height }, 8.0) {
                best = Some((far, middle));
            }
        }
        best.map(|(_, at)| at)
    }

    /// The first corner in which something of this size hides neither cards, chips nor the counts of those who lead: where its own corner
    /// stands. `edge` is how far it stays from the stage's edge.
    pub fn free_corner(&self, (width, height): (f64, f64), edge: f64, lead: &[ServerId]) -> Option<Point> {
        let counts = self.counts.iter().filter(|(id, _)| lead.contains(id)).map(|(_, counts)| {
            let (width, height) = counts.size(self);
            Area { middle: counts.centre, width, height }
        });
        let taken: Vec<Area> = self.obstacles().into_iter().chain(counts).collect();
        let (right, bottom) = (self.width - width - edge, self.bottom() - height - edge);
        [(edge, edge), (right, edge), (edge, bottom), (right, bottom)]
            .into_iter()
            .map(|(x, y)| Point::new(x, y))
            .find(|at| {
                let middle = Point::new(at.x + width / 2.0, at.y + height / 2.0);
                let area = Area { middle, width, height };
                taken.iter().all(|one| !one.meets(&area, 0.0))
            })
    }

    /// Cards and chips.
    fn obstacles(&self) -> Vec<Area> {
        let card = self.places.iter().map(|(id, at)| (Node::Server(*id), *at));
        let chip = self.chips.iter().map(|(id, at)| (Node::Client(*id), *at));
        card.chain(chip)
            .map(|(node, middle)| {
                let (width, height) = self.size(node);
                Area { middle, width, height }
            })
            .collect()
    }

    /// Links, and lines of clients to the servers near which they sit.
    fn ways(&self) -> Vec<(Point, Point)> {
        let mut ways: Vec<(Point, Point)> = self.linked().map(|(a, b)| self.segment(a, b)).collect();
        let seated = self.seats.iter().filter(|seat| self.seat_of(seat.client).is_some());
        ways.extend(seated.map(|seat| self.segment(seat.client, seat.home)));
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;

    #[test]
    fn on_a_usual_stage_of_three_counts_stand_at_the_card_of_whoever_leads() {
        let ids: Vec<ServerId> = (1..=3).map(ServerId).collect();
        for height in [290.0, 330.0, 500.0] {
            let layout = Layout::new(&ids, 1_280.0, height);
            assert_eq!(layout.counts.len(), 3);
            for (id, counts) in &layout.counts {
                assert!(counts.beside && counts.named, "{id} at {height}: {counts:?}");
                let (card, size) = (layout.density.card(), counts.size(&layout));
                let far = counts.centre.distance(layout.place(*id));
                assert!(far < (card.0 + card.1 + size.0 + size.1) / 2.0, "{id} at {height}: {far}");
            }
        }
    }

    #[test]
    fn counts_cover_neither_cards_nor_links() {
        for (width, height) in [(1022.0, 675.0), (909.0, 495.0), (660.0, 350.0), (390.0, 300.0)] {
            for servers in [1_u8, 2, 3, 4, 5, 7, 9] {
                let ids: Vec<ServerId> = (1..=servers).map(ServerId).collect();
                for layout in [Layout::new(&ids, width, height), Layout::in_hall(&ids, &[], width, height)] {
                    let why = format!("{servers} on {width}x{height}, hall {}", layout.hall);
                    let least = if servers > 3 || layout.hall { 0 } else { ids.len() };
                    assert!(layout.counts.len() >= least, "{why}: no room");
                    for (id, counts) in &layout.counts {
                        let (width, height) = counts.size(&layout);
                        let area = Area { middle: counts.centre, width, height };
                        assert!(layout.obstacles().iter().all(|card| !card.meets(&area, 0.0)), "{why}, {id}");
                        let lane = 2.0 * layout.density.packet();
                        assert!(layout.ways().iter().all(|way| !area.is_crossed(*way, lane)), "{why}: {counts:?}");
                    }
                }
            }
        }
    }
}
