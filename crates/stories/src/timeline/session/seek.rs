//! A long way to a moment: it is gone in pieces, so that nobody sits in front of a page that does not answer, and one may stay on it.

use crate::base::SimTime;
use crate::sim::RunError;
use crate::timeline::branches::Place;

use crate::timeline::session::{STEPS_A_JUMP, Session};

/// Steps of a way that are taken at once: about a tenth of a second in a page.
const STEPS_AT_ONCE: u64 = 12_000;

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A place between two events.
    Place(Place),
    /// A moment.
    Time(SimTime),
}

/// A way that has not been gone to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    to: Destination,
    /// Steps that may still be taken.
    left: u64,
}

impl Session {
    /// Sets out for a moment, and is there at once where it is not far. Else [`Session::walk`] leads further, until another way is taken.
    ///
    /// # Errors
    /// As [`Session::walk`].
    pub fn set_out(&mut self, to: Destination) -> Result<(), RunError> {
        self.way = Some(Way { to, left: STEPS_A_JUMP });
        self.walk(STEPS_AT_ONCE)
    }

    /// Goes on with the way, so many steps at most.
    ///
    /// # Errors
    /// More happens on the way than in any jump; then the session stays where it is.
    pub fn walk(&mut self, steps: u64) -> Result<(), RunError> {
        let Some(way) = self.way.take() else { return Ok(()) };
        let steps = steps.min(way.left);
        let arrived = match way.to {
            Destination::Place(place) => self.walk_to_place(place, steps)?,
            Destination::Time(time) => self.walk_to_time(time, steps)?,
        };
        let left = way.left - steps;
        if !arrived && left == 0 {
            return Err(RunError::TooFar { steps: STEPS_A_JUMP, stopped: self.world().now });
        }
        self.way = (!arrived).then_some(Way { left, ..way });
        Ok(())
    }

    fn walk_to_place(&mut self, place: Place, steps: u64) -> Result<bool, RunError> {
        let next = place.events.min(self.events() + steps);
        self.seek_event(next)?;
        let arrived = self.events() < next || next == place.events;
        if arrived {
            self.go(place)?;
        }
        Ok(arrived)
    }

    fn walk_to_time(&mut self, time: SimTime, steps: u64) -> Result<bool, RunError> {
        self.jump_to_time(time);
        for _ in 0..steps {
            if self.world().next_at().is_none_or(|at| at > time) || !self.take_step() {
                return self.seek(time).map(|()| true);
            }
        }
        self.cursor_us = self.world().now.0 as f64;
        self.settle();
        Ok(false)
    }

    /// Where the way leads that has not been gone to its end.
    pub fn destination(&self) -> Option<SimTime> {
        self.way.map(|way| match way.to {
            Destination::Place(place) => SimTime(place.cursor_us),
            Destination::Time(time) => time,
        })
    }

    /// Stays on the way.
    pub fn stay(&mut self) {
        self.way = None;
    }
}
