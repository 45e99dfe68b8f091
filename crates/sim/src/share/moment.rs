//! A moment: a run, where its viewer is in it, and what is on the screen besides.

use crate::base::Micros;
use crate::sim::Run;

use super::look::Look;

/// Where the viewer is. Single steps may stand between two events of the same microsecond, so both are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How many steps have been taken.
    pub events: u64,
    /// The cursor, µs; at or after the last of them.
    pub cursor_us: Micros,
}

/// A run beside another, with one clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The run.
    pub run: Run,
    /// The built-in scenario that it came from.
    pub scenario: Option<String>,
}

/// A run at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The run.
    pub run: Run,
    /// Where its viewer is.
    pub place: Place,
    /// What else is on the screen.
    pub look: Look,
    /// A second run.
    pub beside: Option<Beside>,
}

impl Moment {
    /// The beginning of a run.
    pub fn start(run: Run) -> Moment {
        Moment { run, place: Place::default(), look: Look::default(), beside: None }
    }
}
