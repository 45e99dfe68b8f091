//! Where a moment lies on the timeline: in proportion, but for idle stretches and the start-up, which are folded to a few steps, and for a
//! window that shows only a part. The way back as well.

use crate::base::SimTime;
use crate::timeline::idle::{Idle, IdleEnd};

/// The width of the timeline in steps.
pub const WIDTH: u64 = 10_000;
/// The width of a fold, in steps, and how many all folds may have together.
const FOLD: u64 = 320;
const FOLDS_MOST: u64 = 4_000;
/// The most that the start-up takes, in steps.
const START_UP_MOST: u64 = 850;
/// The closest look, as a power of two.
pub const CLOSEST: u32 = 5;

/// A stretch that takes a width of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    from: u64,
    to: u64,
    /// Where it begins and ends, in steps.
    left: u64,
    right: u64,
    /// What ends it, where it is folded.
    end: Option<IdleEnd>,
}

/// Where moments lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMap {
    pieces: Vec<Piece>,
    /// How close one looks, as a power of two, and the first step that is seen.
    zoom: u32,
    first: u64,
}

impl TimeMap {
    /// The map of a run of this length, µs, whose scene opens then, with these idle stretches.
    pub fn new(extent: u64, opens: u64, idles: impl Iterator<Item = Idle>) -> TimeMap {
        let extent = extent.max(1);
        let opens = opens.min(extent);
        let idles = idles.filter(|idle| idle.from.0 >= opens && idle.to.0 <= extent).collect::<Vec<_>>();
        let folded: u64 = idles.iter().map(|idle| idle.to.0 - idle.from.0).sum();
        let fold = FOLD.min(FOLDS_MOST / idles.len().max(1) as u64);
        let start = if opens < extent { START_UP_MOST.min(opens * WIDTH / extent) } else { WIDTH };
        let room = WIDTH - start - fold * idles.len() as u64;
        let lively = (extent - opens - folded).max(1);
        let mut map = TimeMap { pieces: Vec::with_capacity(idles.len() * 2 + 2), zoom: 0, first: 0 };
        let (mut at, mut seen) = (opens, 0);
        map.add(0, opens, start, None);
        for idle in idles {
            seen += idle.from.0.saturating_sub(at);
            map.add(at, idle.from.0, start + map.folds() * fold + seen * room / lively, None);
            let left = map.end();
            map.add(idle.from.0, idle.to.0, left + fold, Some(idle.end));
            at = idle.to.0;
        }
        map.add(at, extent, WIDTH, None);
        map
    }

    fn add(&mut self, from: u64, to: u64, right: u64, end: Option<IdleEnd>) {
        let left = self.end();
        self.pieces.push(Piece { from, to: to.max(from), left, right: right.clamp(left, WIDTH), end });
    }

    fn end(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.right)
    }

    fn folds(&self) -> u64 {
        self.pieces.iter().filter(|piece| piece.end.is_some()).count() as u64
    }

    /// A look so many times (as a power of two) as close, with this moment in sight: in the middle where that is possible, and without a
    /// move as long as it stays within the page that one sees.
    pub fn look_close(&mut self, zoom: u32, at: u64) {
        let zoom = zoom.min(CLOSEST);
        let width = WIDTH >> zoom;
        // whole pages, half a page apart: what is seen stands still while time runs through it
        let page = self.whole(at) / (width / 2).max(1);
        self.first = (page * (width / 2)).saturating_sub(width / 4).min(WIDTH - width);
        self.zoom = zoom;
    }

    /// How close one looks, as a power of two.
    pub fn zoom(&self) -> u32 {
        self.zoom
    }

    /// Where a moment lies on the whole line, in steps.
    fn whole(&self, at: u64) -> u64 {
        let piece = self.pieces.iter().find(|piece| at <= piece.to && piece.to > piece.from);
        let Some(piece) = piece else { return WIDTH };
        let (far, long) = (at.saturating_sub(piece.from), piece.to - piece.from);
        piece.left + (u128::from(far) * u128::from(piece.right - piece.left) / u128::from(long)) as u64
    }

    /// Where a moment lies in what is seen, in steps: 0 at the left edge, [`WIDTH`] at the right one, beyond them what is not seen.
    pub fn place(&self, at: u64) -> i64 {
        (self.whole(at) as i64 - self.first as i64) << self.zoom
    }

    /// The same for style and drawing: in percent with two digits.
    pub fn percent(&self, at: u64) -> String {
        percent(self.place(at))
    }

    /// The width of a stretch, in percent.
    pub fn percent_wide(&self, from: u64, to: u64) -> String {
        percent(self.wide(from, to))
    }

    /// The width of a stretch, in steps.
    pub fn wide(&self, from: u64, to: u64) -> i64 {
        (self.place(to) - self.place(from)).max(0)
    }

    /// The moment at a place in what is seen, in steps.
    pub fn at(&self, place: u64) -> SimTime {
        let whole = self.first + (place.min(WIDTH) >> self.zoom);
        let piece = self.pieces.iter().find(|piece| whole <= piece.right && piece.right > piece.left);
        let at = piece.map_or(0, |piece| {
            // the finest that a place can say
            let fine = (self.first << self.zoom) + place.min(WIDTH);
            let far = fine.saturating_sub(piece.left << self.zoom);
            let wide = (piece.right - piece.left) << self.zoom;
            piece.from + (u128::from(far) * u128::from(piece.to - piece.from) / u128::from(wide)) as u64
        });
        SimTime(at)
    }

    /// The folds: from, to, what ends them.
    pub fn folded(&self) -> impl Iterator<Item = Idle> {
        self.pieces
            .iter()
            .filter_map(|piece| Some(Idle { from: SimTime(piece.from), to: SimTime(piece.to), end: piece.end? }))
    }
}

/// Steps as percent, with two digits.
pub fn percent(steps: i64) -> String {
    let sign = if steps < 0 { "-" } else { "" };
    let steps = steps.unsigned_abs();
    format!("{sign}{}.{:02}%", steps / 100, steps % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(from: u64, to: u64) -> Idle {
        Idle { from: SimTime(from), to: SimTime(to), end: IdleEnd::Expiry }
    }

    fn map() -> TimeMap {
        TimeMap::new(12_000_000, 1_000_000, [idle(2_000_000, 6_000_000), idle(7_000_000, 11_000_000)].into_iter())
    }

    #[test]
    fn idle_stretches_are_narrow_and_the_rest_has_the_room() {
        let map = map();
        assert_eq!((map.place(0), map.place(1_000_000), map.place(12_000_000)), (0, 833, 10_000));
        assert_eq!(map.wide(2_000_000, 6_000_000), 320);
        // three lively seconds share what is left
        assert!((map.wide(1_000_000, 2_000_000) - map.wide(6_000_000, 7_000_000)).abs() <= 1);
        assert!(map.wide(6_000_000, 7_000_000) > 2_500);
        assert_eq!(map.folded().count(), 2);
        assert_eq!(map.percent(1_000_000), "8.33%");
    }

    #[test]
    fn every_place_leads_back_to_its_moment() {
        let mut map = map();
        for zoom in 0..=CLOSEST {
            map.look_close(zoom, 6_500_000);
            for ms in (0..=12_000).step_by(37) {
                let at = ms * 1_000;
                let Some(place) = u64::try_from(map.place(at)).ok().filter(|place| *place <= WIDTH) else { continue };
                let far = map.at(place).0.abs_diff(at);
                // within a fold a step is long
                assert!(map.wide(at.saturating_sub(far), at + far) <= 2 << zoom, "{ms} ms at {place}: {far} µs off");
            }
        }
    }

    #[test]
    fn moments_keep_their_order_whatever_is_folded() {
        for count in [0_u64, 1, 5, 40, 900] {
            let idles = (0..count).map(|n| idle(n * 1_000_000 + 300_000, (n + 1) * 1_000_000));
            let map = TimeMap::new((count + 1) * 1_000_000, 0, idles);
            let places: Vec<i64> = (0..=(count + 1) * 20).map(|n| map.place(n * 50_000)).collect();
            assert!(places.windows(2).all(|two| two[0] <= two[1]), "{count}");
            assert_eq!((places[0], places.last().copied()), (0, Some(10_000)), "{count}");
        }
    }

    #[test]
    fn a_close_look_has_the_moment_in_sight_and_stands_still_within_a_page() {
        let mut map = map();
        let mut seen = std::collections::BTreeSet::new();
        for ms in (0..=12_000).step_by(5) {
            map.look_close(2, ms * 1_000);
            assert!((0..=WIDTH as i64).contains(&map.place(ms * 1_000)), "{ms}");
            seen.insert(map.first);
        }
        assert!(seen.len() <= 9, "{seen:?}");
        map.look_close(0, 0);
        assert_eq!(map.place(12_000_000), 10_000);
    }
}
