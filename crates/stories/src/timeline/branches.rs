//! What was made of a run: each change of its actions makes another version of it, whose future is another one. Nothing is lost:
//! undo goes back to the version before, and a future that was seen and then left can be returned to.

use std::rc::Rc;

use crate::base::{Arrange, SimTime};
use crate::sim::{Action, Run, TimedAction};

pub use crate::share::Place;

use crate::timeline::checkpoints::Checkpoints;
use crate::timeline::readers::Archive;

/// How many versions keep what is known of them; of older ones only the run is kept, and it is played again.
const KNOWN_MOST: usize = 8;
/// How many versions there are at most; undo goes no further back than that.
const VERSIONS_MOST: usize = 256;
/// How many checkpoints a future keeps that is only kept.
const CHECKPOINTS_MOST: usize = 32;

/// What made a version of the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The run was put on the stage.
    Begun,
    /// Something was done to the ensemble.
    Acted(Action),
    /// An action was moved in time.
    Moved(TimedAction),
    /// An action took the place of another.
    Edited(TimedAction),
    /// An action was taken away.
    Deleted(TimedAction),
}

/// What is known of a run as far as it has been played.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub line: Checkpoints,
    pub archive: Archive,
}

/// A version of the run.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub parent: Option<usize>,
    /// Where it parts from the version before it: there the action is not yet done.
    pub parted: Place,
    pub deed: Edit,
    pub run: Rc<Run>,
    /// How far it was played.
    pub furthest: SimTime,
    /// Whether it was left with something seen beyond where it parts from the one that took its place.
    pub open: bool,
    /// Which version redo goes to.
    pub next: Option<usize>,
    pub known: Option<Known>,
}

/// A future that was left and can be returned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Future {
    /// Its number, for [`crate::timeline::Session::return_to`].
    pub version: usize,
    /// Where it parts from the run on the stage.
    pub parts_at: SimTime,
    /// How far it was played.
    pub until: SimTime,
    /// The first action that is not in the run on the stage; none where it only lacks one.
    pub first: Option<Action>,
}

/// All versions; one is on the stage.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    all: Vec<Version>,
    current: usize,
}

/// The index of the first action in which two runs differ, and when that is; none when they do not.
pub(super) fn parting(one: &Run, other: &Run) -> Option<(usize, SimTime)> {
    let same = one.actions.iter().zip(&other.actions).take_while(|(a, b)| a == b).count();
    let at = |run: &Run| run.actions.get(same).map(|timed| timed.at_us);
    let first = [at(one), at(other)].into_iter().flatten().min()?;
    Some((same, first))
}

impl Versions {
    /// Only the run as it was given.
    pub(super) fn new(run: Rc<Run>) -> Versions {
        let parted = Place::default();
        let begun = Version {
            parent: None,
            parted,
            deed: Edit::Begun,
            run,
            furthest: SimTime::ZERO,
            open: false,
            next: None,
            known: None,
        };
        Versions { all: vec![begun], current: 0 }
    }

    /// The run as it was given.
    pub(super) fn given(&self) -> &Rc<Run> {
        &self.all[0].run
    }

    /// The version on the stage has grown by what came from outside.
    pub(super) fn grow(&mut self, run: &Rc<Run>) {
        self.all[self.current].run = run.clone();
    }

    /// A new version takes the place of the one on the stage, of which this is known.
    pub(super) fn part(&mut self, known: Known, furthest: SimTime, parted: Place, deed: Edit, run: Rc<Run>) {
        self.leave(known, furthest, parted.events, SimTime(parted.cursor_us));
        let parent = Some(self.current);
        self.all[self.current].next = None;
        self.current = self.all.len();
        self.all.push(Version { parent, parted, deed, run, furthest, open: false, next: None, known: None });
        if self.all.len() > VERSIONS_MOST {
            self.forget_oldest();
        }
    }

    /// The oldest version goes, but for the run as it was given: whatever came from it cannot be undone any more.
    fn forget_oldest(&mut self) {
        self.all.remove(1);
        let moved = |index: usize| (index != 1).then(|| index - usize::from(index > 1));
        for version in &mut self.all {
            version.parent = version.parent.and_then(moved);
            version.next = version.next.and_then(moved);
        }
        self.current = moved(self.current).unwrap_or(0);
    }

    /// The version on the stage is left for one that parts from it then.
    pub(super) fn leave(&mut self, mut known: Known, furthest: SimTime, parted_events: u64, parts_at: SimTime) {
        known.line.thin_beyond(parted_events, CHECKPOINTS_MOST);
        let version = &mut self.all[self.current];
        (version.known, version.furthest, version.open) = (Some(known), furthest, furthest > parts_at);
        let mut count = 0;
        for version in self.all.iter_mut().rev().filter(|version| version.known.is_some()) {
            count += 1;
            if count > KNOWN_MOST {
                version.known = None;
            }
        }
    }

    /// Where undo goes: the version, and the place there.
    pub(super) fn undo(&self) -> Option<(usize, Place)> {
        let version = &self.all[self.current];
        version.parent.map(|parent| (parent, version.parted))
    }

    /// Where redo goes.
    pub(super) fn redo(&self) -> Option<(usize, Place)> {
        let next = self.all[self.current].next?;
        Some((next, self.all[next].parted))
    }

    /// What the version on the stage was made by.
    pub(super) fn deed(&self) -> &Edit {
        &self.all[self.current].deed
    }

    /// What redo would do again.
    pub(super) fn next_deed(&self) -> Option<&Edit> {
        self.all[self.current].next.map(|next| &self.all[next].deed)
    }

    /// Puts a version on the stage: its run, what is known of it, how far it was played. `undone` says that redo leads back to the
    /// one that was there.
    pub(super) fn enter(&mut self, version: usize, undone: bool) -> Option<(Rc<Run>, Option<Known>, SimTime)> {
        let old = std::mem::replace(&mut self.current, version);
        let entered = self.all.get_mut(version)?;
        if undone {
            entered.next = Some(old);
        }
        Some((entered.run.clone(), entered.known.take(), entered.furthest))
    }

    /// A version's run.
    pub(super) fn run(&self, version: usize) -> Option<&Run> {
        self.all.get(version).map(|version| &*version.run)
    }

    /// Whether there is such a version, and it is not on the stage.
    pub(super) fn has(&self, version: usize) -> bool {
        version < self.all.len() && version != self.current
    }

    /// The futures beside the run on the stage, those that part latest first.
    pub(super) fn futures(&self, here: &Run) -> Vec<Future> {
        let mut futures: Vec<Future> = Vec::new();
        for (version, other) in self.all.iter().enumerate() {
            if !other.open || version == self.current {
                continue;
            }
            let Some((index, parts_at)) = parting(here, &other.run) else { continue };
            if other.furthest > parts_at && !self.is_part_of_another(version) {
                let first = other.run.actions.get(index).map(|timed| timed.action.clone());
                futures.push(Future { version, parts_at, until: other.furthest, first });
            }
        }
        futures.arrange_by_key(|future| std::cmp::Reverse((future.parts_at, future.version)));
        futures
    }

    /// The run of a version.
    pub(super) fn run_of(&self, version: usize) -> Option<&Rc<Run>> {
        self.all.get(version).map(|version| &version.run)
    }

    /// Whether all that was seen of a version is seen in another one that is not on the stage.
    fn is_part_of_another(&self, version: usize) -> bool {
        let one = &self.all[version];
        self.all.iter().enumerate().filter(|(_, other)| other.open).any(|(index, other)| {
            let parts_at = parting(&one.run, &other.run).map_or(SimTime(u64::MAX), |(_, at)| at);
            let further = (other.furthest, index) > (one.furthest, version);
            index != self.current && further && parts_at >= one.furthest
        })
    }
}
