//! Virtual time: whole microseconds since the run began. No clock on any wall is ever read.

use serde::{Deserialize, Serialize};
use std::fmt;

use super::json::{Json, Read, ReadError};

/// A length of virtual time, microseconds.
pub type Micros = u64;

/// A moment of virtual time, microseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SimTime(pub Micros);

impl SimTime {
    /// The run's beginning.
    pub const ZERO: SimTime = SimTime(0);

    /// The moment `ms` milliseconds after the beginning.
    pub const fn from_ms(ms: u64) -> SimTime {
        SimTime(ms.saturating_mul(1000))
    }

    /// Whole milliseconds since the beginning.
    pub fn as_ms(self) -> u64 {
        self.0 / 1000
    }

    /// The next whole millisecond, this one where it is one.
    pub fn ceil_ms(self) -> SimTime {
        SimTime::from_ms(self.0.div_ceil(1000))
    }

    /// Seconds with milliseconds, as readers get them: `1.250`.
    pub fn seconds(self) -> String {
        seconds(self.0)
    }

    /// The moment `by` later.
    pub fn plus(self, by: Micros) -> SimTime {
        SimTime(self.0.saturating_add(by))
    }

    /// How long after `earlier` this is; 0 when it is not after.
    pub fn since(self, earlier: SimTime) -> Micros {
        self.0.saturating_sub(earlier.0)
    }
}

impl Read for SimTime {
    fn read(json: Json) -> Result<SimTime, ReadError> {
        Micros::read(json).map(SimTime)
    }
}

impl fmt::Display for SimTime {
    /// `1.234567 s` without floats.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06} s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// A time in seconds with milliseconds, as readers get it: `1.250`.
pub fn seconds(us: Micros) -> String {
    format!("{}.{:03}", us / 1_000_000, us / 1_000 % 1_000)
}
