//! The ladder: all ways to put one deed at all turning points of a run, then all ways to put two, three, … What it finds is
//! as short as it can be, and a rung without a find says something about the run.
//!
//! The ways form a tree of forked worlds: a fork at a point shares everything before it. It is walked in depth, so only as
//! many worlds are kept as a plan has deeds.

use serde::Serialize;

use crate::base::{Micros, SimTime};
use crate::sim::Run;

use super::deed::{Deed, palette};
use super::goal::Goal;
use super::stand::{Outcome, Stand, horizon, patient};

/// Most deeds of a plan: with more, the ladder would not get through in a lifetime.
const MAX_DEEDS: usize = 4;
/// The next deed may come so long after one, µs: about as long as an election takes, and the first steps after it.
const NEXT_US: Micros = 800_000;

/// Where a ladder is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// How many deeds are tried at once.
    pub deeds: usize,
    /// Whether one of them makes a packet or a disk late.
    pub late: bool,
    /// At which turning point of the run the first of them is done, from 0.
    pub point: u32,
    /// How many turning points there are.
    pub points: u32,
}

/// A world at a point, and what is still to be done there.
#[derive(Clone, Debug)]
struct Level {
    here: Stand,
    /// The same world at the next point.
    beyond: Option<Stand>,
    deeds: std::vec::IntoIter<Deed>,
    /// How many points of this level came before.
    point: u32,
    /// No point lies later.
    until: SimTime,
    /// A deed that led here makes something late.
    has_late: bool,
}

impl Level {
    /// At the first point from here on.
    fn open(mut here: Stand, until: SimTime, has_late: bool) -> Option<Level> {
        here.next_point(until)?;
        let mut level = Level { here, beyond: None, deeds: Vec::new().into_iter(), point: 0, until, has_late };
        level.look_around();
        Some(level)
    }

    /// Finds what may be done at this point, and the next one.
    fn look_around(&mut self) {
        let mut beyond = self.here.clone();
        let sent = beyond.next_point(self.until);
        self.deeds = palette(&self.here.world, sent.as_deref().unwrap_or_default()).into_iter();
        self.beyond = sent.map(|_| beyond);
    }

    /// Goes on to the next point; whether there is one.
    fn go_on(&mut self) -> bool {
        let Some(beyond) = self.beyond.take() else { return false };
        self.here = beyond;
        self.point += 1;
        self.look_around();
        true
    }
}

/// Walks the tree.
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    root: Stand,
    until: SimTime,
    /// How long the run itself is played after its last deed; none once it has been.
    itself: Option<Micros>,
    /// How long every other plan is.
    after: Micros,
    levels: Vec<Level>,
    /// How many deeds, and whether one is late.
    rung: (usize, bool),
    points: u32,
}

impl Ladder {
    /// The plans with deeds from one moment to another.
    pub(super) fn new(run: Run, goal: &Goal, from: SimTime, until: SimTime) -> Ladder {
        let (itself, after) = (Some(patient(&run, goal)), horizon(&run, goal));
        let mut root = Stand::new(run, goal);
        if from > SimTime::ZERO {
            root.run_until(from);
        }
        let (mut points, mut counted) = (0, root.clone());
        while counted.next_point(until).is_some() {
            points += 1;
        }
        Ladder { root, until, itself, after, levels: Vec::new(), rung: (0, true), points }
    }

    /// Where it is.
    pub(super) fn rung(&self) -> Rung {
        let point = self.levels.first().map_or(0, |level| level.point);
        Rung { deeds: self.rung.0, late: self.rung.1, point, points: self.points }
    }

    /// Plays the next plan: what it led to, and how many events that took. `None` when there is no plan left.
    pub(super) fn trial(&mut self) -> Option<(Option<Outcome>, u64)> {
        let after = self.itself.unwrap_or(self.after);
        let mut stand = self.next_plan()?;
        let begun = stand.world.events;
        let outcome = stand.finish(after);
        Some((outcome, stand.world.events - begun))
    }

    /// Passes over the next plan; whether there is one.
    pub(super) fn skip(&mut self) -> bool {
        self.next_plan().is_some()
    }

    /// The world of the next plan, in which its last deed is about to be done. The first is the run itself.
    fn next_plan(&mut self) -> Option<Stand> {
        if self.itself.take().is_some() {
            return Some(self.root.clone());
        }
        loop {
            let depth = self.levels.len();
            let Some(level) = self.levels.last_mut() else {
                if !self.climb() {
                    return None;
                }
                continue;
            };
            let (deeds, late) = self.rung;
            let (is_last, wants_late) = (depth == deeds, deeds > 1 && late && !level.has_late);
            let fits = |deed: &Deed| if deed.is_late { late } else { !(is_last && wants_late) };
            let Some(deed) = level.deeds.find(fits) else {
                if !level.go_on() {
                    self.levels.pop();
                }
                continue;
            };
            let mut stand = level.here.clone();
            deed.apply(&mut stand.world);
            if is_last {
                return Some(stand);
            }
            let (until, has_late) =
                (level.until.max(stand.last_deed().plus(NEXT_US)), level.has_late || deed.is_late);
            self.levels.extend(Level::open(stand, until, has_late));
        }
    }

    /// Begins with the next rung; whether there is one.
    fn climb(&mut self) -> bool {
        self.rung = match self.rung {
            (0, _) => (1, true),
            (deeds, false) => (deeds, true),
            (deeds, true) => (deeds + 1, false),
        };
        self.levels.extend(Level::open(self.root.clone(), self.until, false));
        self.rung.0 <= MAX_DEEDS && !self.levels.is_empty()
    }
}
