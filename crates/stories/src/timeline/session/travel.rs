//! Ways through a run: steps, turning points, moments, forth and back. A jump stands at the latest known checkpoint before its goal and
//! plays on from there.

use std::rc::Rc;

use crate::base::SimTime;
use crate::sim::{Run, RunError, World};
use crate::timeline::branches::Place;
use crate::timeline::checkpoints::Checkpoint;
use crate::timeline::readers::{Milestone, is_milestone};

use crate::timeline::session::{Ending, STEPS_A_FRAME, STEPS_A_JUMP, Session};

/// Most steps that a search for turning points takes on unknown ground.
const STEPS_A_SEARCH: u64 = 400_000;
/// Nobody is led further than this to the next turning point, µs.
const FAR_US: u64 = 60_000_000;
/// How many facts before the cursor a jump provides.
pub(super) const FACTS_BEFORE: u64 = 300;
/// So many steps have about that many facts.
const STEPS_BEFORE: u64 = 300;

impl Session {
    /// Takes the next steps; how many there were.
    pub fn step(&mut self, count: u64) -> u64 {
        self.stay();
        let mut taken = 0;
        while taken < count.min(STEPS_A_JUMP) && self.take_step() {
            taken += 1;
        }
        self.catch_up();
        taken
    }

    /// Takes steps back; how many.
    pub fn step_back(&mut self, count: u64) -> u64 {
        let count = count.min(self.events());
        let _ = self.seek_event(self.events() - count);
        count
    }

    /// Goes on to the next turning point; whether there is one. After the last one a scene goes on by its chapters, and where nothing more
    /// is going to happen the viewer stays.
    pub fn step_to_turn(&mut self) -> bool {
        self.stay();
        let start = self.place();
        for _ in 0..STEPS_A_FRAME * 10 {
            if !self.take_step() || self.world().now.0 > start.cursor_us + FAR_US {
                break;
            }
            if is_milestone(self.world().now, self.world().last_facts()) {
                self.catch_up();
                return true;
            }
        }
        if self.is_at_horizon() {
            self.catch_up();
            return self.place() != start;
        }
        let _ = self.go(start);
        self.go_on_in_scene().unwrap_or_else(|| {
            self.end(Ending::Quiet);
            false
        })
    }

    /// Goes back to the last turning point before this step; to the beginning where there is none.
    pub fn step_back_to_turn(&mut self) {
        let _ = self.seek_turn(self.turn_before());
    }

    /// How many turning points there have been up to the cursor.
    pub fn turn(&self) -> u64 {
        let events = self.events();
        self.turns_while(|turn| turn.events <= events)
    }

    /// The number of the last turning point before this step; 0 where there is none.
    pub fn turn_before(&self) -> u64 {
        let events = self.events();
        self.turns_while(|turn| turn.events < events)
    }

    /// The number of the first turning point that has this fact, or comes after it.
    pub fn turn_of(&self, seq: u64) -> u64 {
        self.turns_while(|turn| turn.facts <= seq) + 1
    }

    fn turns_while(&self, holds: impl Fn(&Milestone) -> bool) -> u64 {
        let (mut low, mut high) = (0, self.readers.once.turns.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.readers.once.turns.get(middle).is_some_and(&holds) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as u64
    }

    /// Goes to the turning point with this number; 0 is the beginning.
    ///
    /// # Errors
    /// There is none for too long; then the session stands where it stopped looking.
    pub fn seek_turn(&mut self, number: u64) -> Result<(), RunError> {
        let known = number
            .checked_sub(1)
            .and_then(|index| self.readers.once.turns.get(index as usize))
            .map(|turn| turn.events);
        if number == 0 || known.is_some() {
            return self.seek_event(known.unwrap_or(0));
        }
        self.seek_event(self.known_events())?;
        let most = self.events() + STEPS_A_SEARCH;
        while self.turn() < number {
            if self.events() >= most || !self.take_step() {
                self.catch_up();
                return Err(RunError::NoTurn { number, there: self.turn() });
            }
        }
        self.catch_up();
        Ok(())
    }

    /// Goes to a moment.
    ///
    /// # Errors
    /// Too much happens on the way; then the session stands where it stopped.
    pub fn seek(&mut self, until: SimTime) -> Result<(), RunError> {
        self.stay();
        self.jump_to_time(until);
        let mut steps = 0;
        while self.world().next_at().is_some_and(|at| at <= until) {
            self.mind(&mut steps)?;
            if !self.take_step() {
                break;
            }
        }
        self.cursor_us = if self.is_at_horizon() { self.world().now.0 } else { until.0 } as f64;
        self.settle();
        Ok(())
    }

    /// Goes to the moment after this many steps.
    ///
    /// # Errors
    /// Too much happens on the way; then the session stands where it stopped. So it does where the run ends before.
    pub fn seek_event(&mut self, events: u64) -> Result<(), RunError> {
        self.stay();
        self.jump_to_event(events);
        let mut steps = 0;
        while self.events() < events {
            self.mind(&mut steps)?;
            if !self.take_step() {
                break;
            }
        }
        self.cursor_us = self.world().now.0 as f64;
        self.settle();
        Ok(())
    }

    /// Goes to a place.
    ///
    /// # Errors
    /// As [`Session::seek_event`].
    pub fn go(&mut self, place: Place) -> Result<(), RunError> {
        self.seek_event(place.events)?;
        // no further than the next event, which has not happened there
        let next = self.world().next_at().map_or(u64::MAX, |at| at.0);
        self.cursor_us = self.cursor_us.max(place.cursor_us.min(next) as f64);
        self.settle();
        Ok(())
    }

    /// The world before the last step; none at the beginning.
    pub fn before(&self) -> Option<World> {
        let events = self.events().checked_sub(1)?;
        let mut player = self.line.latest(|kept| kept.events() <= events)?.player.clone();
        player.go_on_with(self.player.run().clone()).ok()?;
        while player.world().events < events && player.step().is_some() {}
        Some(player.world().clone())
    }

    /// One session takes the other's place on the stage, as another run would: watched in the same way, at the same moment.
    pub fn stand_in(&mut self, other: &mut Session) {
        std::mem::swap(self, other);
        (self.playing, self.speed, self.skip_idle) = (other.playing, other.speed, other.skip_idle);
        (self.loads, self.rewinds) = (other.loads + 1, other.rewinds);
        (self.packet, self.version) = (None, other.version.max(self.version) + 1);
    }

    fn mind(&mut self, steps: &mut u64) -> Result<(), RunError> {
        *steps += 1;
        if *steps > STEPS_A_JUMP {
            self.catch_up();
            return Err(RunError::TooFar { steps: STEPS_A_JUMP, stopped: self.world().now });
        }
        Ok(())
    }

    /// Stands at the latest known moment from which that one is reached by going on.
    fn jump_to_event(&mut self, events: u64) {
        let way = |kept: &Checkpoint| events - kept.events();
        self.jump(events < self.events(), |kept| kept.events() <= events, way);
    }

    pub(super) fn jump_to_time(&mut self, until: SimTime) {
        // about as many steps as the run has in such a time
        let (known, furthest) = (self.known_events(), self.furthest.0.max(1));
        let way = move |kept: &Checkpoint| until.since(kept.now()).saturating_mul(known) / furthest;
        self.jump((until.0 as f64) < self.cursor_us, |kept| kept.now() <= until, way);
    }

    fn jump(&mut self, back: bool, fits: impl Fn(&Checkpoint) -> bool, way: impl Fn(&Checkpoint) -> u64) {
        let Some(latest) = self.line.latest(&fits) else { return };
        let (events, facts) = (latest.events(), latest.player.facts());
        if !back && events <= self.events() {
            return;
        }
        // with a moment the facts before it are shown: if they are not here, the way to it must be long enough to tell them
        let told = way(latest) >= STEPS_BEFORE || self.readers.recent.covers(facts, FACTS_BEFORE);
        let early = events.saturating_sub(STEPS_BEFORE);
        let run = self.player.run().clone();
        self.rewinds += u64::from(back);
        self.restore(run, |kept| fits(kept) && (told || kept.events() <= early));
    }

    /// Stands at the latest checkpoint that fits and goes on with that run.
    pub(super) fn restore(&mut self, run: Rc<Run>, fits: impl Fn(&Checkpoint) -> bool) {
        let Some(kept) = self.line.latest(fits).cloned() else { return };
        let mut player = kept.player.clone();
        // a checkpoint of an earlier version still waits for what that one did next
        if player.go_on_with(run).is_err() {
            return;
        }
        self.readers.jump(self.events(), player.world().events, &kept.run_summary);
        self.player = player;
        self.cursor_us = self.world().now.0 as f64;
    }
}
