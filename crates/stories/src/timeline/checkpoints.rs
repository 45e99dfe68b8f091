//! Checkpoints of a run: copies of everything at some of its moments, from which any other moment is reached by playing on.
//! A world is made of persistent maps and small tables, so a copy costs little. How far checkpoints lie apart decides
//! nothing that can be seen, only how long a jump takes and how much memory the run does.

use std::rc::Rc;

use crate::base::SimTime;
use crate::check::Checker;
use crate::sim::{Player, World};

use crate::timeline::readers::Readers;
use crate::timeline::summary::RunSummary;

/// The steps between two checkpoints of a run that is not yet long.
const SPACING: u64 = 2_048;
/// How much memory checkpoints may take, bytes, as far as [`weight`] can tell. When it is used up, every other one goes.
const BUDGET: u64 = 256 << 20;
/// The steps between two copies of the checker, which are needed where somebody acts in the past; and how much memory they may take,
/// bytes. A checker remembers the whole history: a copy has so many bytes a step.
const JUDGED_SPACING: u64 = 8 * SPACING;
const JUDGED_BUDGET: u64 = 4 << 20;
const JUDGED_WEIGHT: u64 = 8;
/// The steps between two checkpoints in a stretch that is played again, and how many of those are kept.
const NEAR_SPACING: u64 = 512;
const NEAR_MOST: usize = 16;

/// Everything at one moment of a run.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    pub player: Player,
    pub run_summary: RunSummary,
}

impl Checkpoint {
    pub(super) fn events(&self) -> u64 {
        self.player.world().events
    }

    pub(super) fn now(&self) -> SimTime {
        self.player.world().now
    }
}

/// About how much memory a checkpoint holds by itself, bytes. Measured: tables of the world that are copied whole, the newest facts that
/// are told, and the ends of long lists; nearly the same for 512 steps and for 8,192.
fn weight(world: &World) -> u64 {
    130_000 + 4_000 * world.clients.len() as u64 + waiting(world)
}

/// What of it is due to packets on their way: queues are copied whole. Measured: a packet's place, and the proposal that waits for it at
/// both ends.
fn waiting(world: &World) -> u64 {
    400 * world.network.packets() as u64
}

/// The checkpoints of a run, by steps taken.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    kept: Vec<Rc<Checkpoint>>,
    /// Some more, close to where the viewer goes back and forth.
    near: Vec<Rc<Checkpoint>>,
    /// Checkers that have read every fact up to a checkpoint.
    judged: Vec<(Rc<Checkpoint>, Rc<Checker>)>,
    spacing: u64,
    weight: u64,
    budget: u64,
}

impl Checkpoints {
    /// A line that begins with a player at the beginning of its run: one of its own, not a copy.
    pub(super) fn new(player: Player) -> Checkpoints {
        let weight = weight(player.world());
        let checker = Checker::new(&player.run().setup);
        let first = Rc::new(Checkpoint { player, run_summary: RunSummary::default() });
        Checkpoints {
            kept: vec![first.clone()],
            near: Vec::new(),
            judged: vec![(first, Rc::new(checker))],
            spacing: SPACING,
            weight,
            budget: BUDGET,
        }
    }

    /// How many different lists of actions checkpoints keep, and how many checkpoints there are.
    #[cfg(test)]
    pub(super) fn runs(&self) -> (usize, usize) {
        let all: std::collections::BTreeSet<*const _> =
            self.kept.iter().map(|kept| Rc::as_ptr(kept.player.run())).collect();
        (all.len(), self.kept.len())
    }

    /// Whether a checkpoint is due: the run has reached unknown ground.
    pub(super) fn is_due(&self, events: u64) -> bool {
        self.kept.last().is_none_or(|last| events >= last.events() + self.spacing)
    }

    /// Keeps this moment. When there are too many, every other one goes, and they lie twice as far apart from then on.
    pub(super) fn keep(&mut self, player: &Player, readers: &Readers) {
        let kept = Rc::new(Checkpoint { player: player.copy_to_keep(), run_summary: readers.summary.clone() });
        if self.judged.last().is_none_or(|(last, _)| kept.events() >= last.events() + JUDGED_SPACING) {
            self.judge(kept.clone(), &readers.once.checker);
        }
        // programs outside let the run grow for hours: each checkpoint would keep a list of its own
        let all = self.kept.iter_mut().chain(self.judged.iter_mut().map(|(kept, _)| kept));
        for older in all.filter(|older| !Rc::ptr_eq(older.player.run(), player.run())) {
            Rc::make_mut(older).player.share(player.run());
        }
        self.kept.push(kept);
        self.weight += weight(player.world());
        while self.weight > self.budget && self.kept.len() > 2 {
            self.thin(0);
            self.spacing *= 2;
        }
    }

    /// Keeps a copy of the checker. When they take too much, every other one goes, never the first.
    fn judge(&mut self, kept: Rc<Checkpoint>, checker: &Checker) {
        self.judged.push((kept, Rc::new(checker.clone())));
        // a checkpoint that is left out of the others lives on with its checker
        let own = |kept: &Checkpoint| kept.events() * JUDGED_WEIGHT + waiting(kept.player.world());
        let weight = |judged: &[(Rc<Checkpoint>, _)]| judged.iter().map(|(kept, _)| own(kept)).sum();
        while self.judged.len() > 2 && JUDGED_BUDGET < weight(&self.judged) {
            let mut index = 0;
            self.judged.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }

    /// Drops every other checkpoint from this index on, never the first.
    fn thin(&mut self, from: usize) {
        let mut index = 0;
        self.kept.retain(|_| {
            index += 1;
            index <= from.max(1) || (index - from) % 2 == 1
        });
        self.weight = self.kept.iter().map(|kept| weight(kept.player.world())).sum();
    }

    /// Drops checkpoints beyond this many steps until at most `most` are left there: of a future that is only kept.
    pub(super) fn thin_beyond(&mut self, events: u64, most: usize) {
        let from = self.kept.partition_point(|kept| kept.events() <= events);
        while self.kept.len() - from > most {
            self.thin(from);
        }
        self.near.clear();
    }

    /// Keeps a moment of a stretch that is played again.
    pub(super) fn keep_near(&mut self, player: &Player, run_summary: &RunSummary) {
        let events = player.world().events;
        let place = self.near.partition_point(|near| near.events() < events);
        let close = |near: Option<&Rc<Checkpoint>>| near.is_some_and(|n| n.events().abs_diff(events) < NEAR_SPACING);
        if !events.is_multiple_of(NEAR_SPACING) || close(self.near.get(place)) {
            return;
        }
        if weight(player.world()) * NEAR_MOST as u64 > self.budget {
            return;
        }
        let copy = Checkpoint { player: player.copy_to_keep(), run_summary: run_summary.clone() };
        self.near.insert(place, Rc::new(copy));
        if self.near.len() > NEAR_MOST {
            // the one that is farthest from here
            let last = place >= self.near.len() / 2;
            self.near.remove(if last { 0 } else { self.near.len() - 1 });
        }
    }

    /// The latest checkpoint that fits; of two that fit, the later one fits too where the earlier does.
    pub(super) fn latest(&self, fits: impl Fn(&Checkpoint) -> bool) -> Option<&Rc<Checkpoint>> {
        let last = |list: &'_ [Rc<Checkpoint>]| list.partition_point(|kept| fits(kept)).checked_sub(1);
        let kept = last(&self.kept).and_then(|index| self.kept.get(index));
        let near = last(&self.near).and_then(|index| self.near.get(index));
        match (kept, near) {
            (Some(kept), Some(near)) if near.events() > kept.events() => Some(near),
            (None, near) => near,
            (kept, _) => kept,
        }
    }

    /// The latest copy of the checker at or before this many steps, with its checkpoint.
    pub(super) fn judged(&self, events: u64) -> Option<(&Checkpoint, &Checker)> {
        let last = self.judged.iter().rev().find(|(kept, _)| kept.events() <= events)?;
        Some((&last.0, &last.1))
    }

    /// Forgets every checkpoint after this many steps.
    pub(super) fn cut(&mut self, events: u64) {
        self.kept.retain(|kept| kept.events() <= events);
        self.near.retain(|near| near.events() <= events);
        self.judged.retain(|(kept, _)| kept.events() <= events);
        self.weight = self.kept.iter().map(|kept| weight(kept.player.world())).sum();
    }

    /// How many checkpoints there are, and how many steps lie between two of them.
    #[cfg(test)]
    pub(super) fn size(&self) -> (usize, u64) {
        (self.kept.len(), self.spacing)
    }

    #[cfg(test)]
    pub(super) fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }
}
