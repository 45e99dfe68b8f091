//! Where counts stand on the stage: where they cover neither cards nor links, so that no packet runs below them. It depends on the
//! stage and on who stands there, never on what is counted, so that nothing jumps.

use crate::base::Node;

use crate::draw::layout::seats::Area;
use crate::draw::layout::{Layout, Point};

/// The place of the counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Its middle.
    pub centre: Point,
    /// For how many it has room.
    pub rows: usize,
    /// Whether each takes two short lines instead of a long one.
    pub tight: bool,
}

impl Counts {
    /// The room that so many rows take: width and height.
    pub fn size(rows: usize, tight: bool, hall: bool, voters: usize) -> (f64, f64) {
        let segments = voters.clamp(3, 9) as f64 * 14.0 + 2.0;
        let rows = rows as f64;
        match (tight, hall) {
            (true, false) => ((segments + 38.0).max(96.0), rows * 40.0 + 8.0),
            (true, true) => (segments.max(110.0) + 64.0, rows * 54.0 + 8.0),
            (false, false) => (segments + 176.0, rows * 26.0 + 18.0),
            (false, true) => (segments + 236.0, rows * 36.0 + 18.0),
        }
    }
}

/// How many places along each side are tried.
const TRIED: usize = 28;

impl Layout {
    /// The best free place for as many rows as there can be: nearest to the middle of the cards. Labels can be longer than the room (it
    /// is that of usual ones), so a place that leaves this much of the stage beside it comes before one at the very edge.
    pub(super) fn room_for_counts(&self) -> Option<Counts> {
        let most = self.density.rows();
        let first = self.density.is_tight() || (self.width < 700.0 && !self.hall);
        for tight in [first, true] {
            for rows in (1..=most).rev() {
                let size = Counts::size(rows, tight, self.hall, self.places.len());
                let beside = if self.hall { 52.0 } else { 30.0 };
                if let Some(centre) = self.free_place(size, beside).or_else(|| self.free_place(size, 0.0)) {
                    return Some(Counts { centre, rows, tight });
                }
            }
        }
        None
    }

    /// The free place of this size that is nearest to the middle of the cards, with so much of the stage left beside it.
    fn free_place(&self, (width, height): (f64, f64), beside: f64) -> Option<Point> {
        const EDGE: f64 = 6.0;
        let side = EDGE + beside;
        let (across, down) = (self.width - width - 2.0 * side, self.height - height - 2.0 * EDGE);
        if self.places.is_empty() || across < 0.0 || down < 0.0 {
            return None;
        }
        let cards: Vec<Area> = self.obstacles();
        let lines = self.ways();
        // packets run beside a link on both sides
        let clear = 2.0 * self.density.packet() + 3.0;
        let centre = self.centre();
        let mut best: Option<(f64, Point)> = None;
        for step in 0..TRIED * TRIED {
            let share = |at: usize| at as f64 / (TRIED - 1) as f64;
            let middle = Point::new(
                side + width / 2.0 + across * share(step % TRIED),
                EDGE + height / 2.0 + down * share(step / TRIED),
            );
            let far = middle.distance(centre);
            if best.is_some_and(|(least, _)| far >= least) {
                continue;
            }
            let area = Area { middle, width, height };
            let free = !cards.iter().any(|card| card.meets(&area, 8.0))
                && !lines.iter().any(|line| area.is_crossed(*line, clear));
            if free {
                best = Some((far, middle));
            }
        }
        best.map(|(_, at)| at)
    }

    /// The first corner in which something of this size hides neither cards, chips nor counts: where its own corner stands. `edge` is
    /// how far it stays from the stage's edge.
    pub fn free_corner(&self, (width, height): (f64, f64), edge: f64) -> Option<Point> {
        let counts = self.counts.map(|counts| {
            let (width, height) = Counts::size(counts.rows, counts.tight, self.hall, self.places.len());
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

    /// The middle of all cards.
    fn centre(&self) -> Point {
        let count = self.places.len().max(1) as f64;
        let sum = self.places.iter().fold(Point::default(), |sum, (_, p)| Point::new(sum.x + p.x, sum.y + p.y));
        Point::new(sum.x / count, sum.y / count)
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
    fn counts_cover_neither_cards_nor_links() {
        for (width, height) in [(1022.0, 675.0), (909.0, 495.0), (660.0, 350.0), (390.0, 300.0)] {
            for servers in [1_u8, 2, 3, 4, 5, 7, 9] {
                let ids: Vec<ServerId> = (1..=servers).map(ServerId).collect();
                for layout in [Layout::new(&ids, width, height), Layout::in_hall(&ids, &[], width, height)] {
                    let why = format!("{servers} on {width}x{height}, hall {}", layout.hall);
                    let Some(counts) = layout.counts else {
                        assert!(servers > 3 || layout.hall, "{why}: no room");
                        continue;
                    };
                    let (w, h) = Counts::size(counts.rows, counts.tight, layout.hall, ids.len());
                    let area = Area { middle: counts.centre, width: w, height: h };
                    assert!(layout.obstacles().iter().all(|card| !card.meets(&area, 0.0)), "{why}");
                    let free = layout.ways().iter().all(|way| !area.is_crossed(*way, 2.0 * layout.density.packet()));
                    assert!(free, "{why}: {counts:?}");
                }
            }
        }
    }
}
