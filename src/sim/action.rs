//! What a person or a script does to a world.

use serde::{Deserialize, Serialize};

use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES, MAX_WRITES_PER_ACTION};
use crate::base::{Micros, ServerId, ServerSet, SimTime};

/// A range of times, µs, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyRange {
    /// The shortest.
    pub min_us: Micros,
    /// The longest.
    pub max_us: Micros,
}

impl LatencyRange {
    /// A range in milliseconds.
    pub const fn ms(min: u64, max: u64) -> LatencyRange {
        LatencyRange { min_us: min * 1000, max_us: max * 1000 }
    }

    /// What is wrong with the range, if anything.
    pub fn complaint(&self) -> Option<String> {
        if self.min_us > self.max_us {
            return Some(format!("min_us {} is above max_us {}", self.min_us, self.max_us));
        }
        (self.max_us > MAX_DURATION_US).then(|| format!("max_us {} is above {MAX_DURATION_US}", self.max_us))
    }
}

/// An action. Names are stable: runs and links carry them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The process dies: memory gone, what is synced to disk stays.
    Crash {
        /// Which server.
        server: ServerId,
    },
    /// A crashed process starts again.
    Restart {
        /// Which server.
        server: ServerId,
    },
    /// The process stops to do anything (a garbage collection, SIGSTOP).
    Pause {
        /// Which server.
        server: ServerId,
    },
    /// A paused process goes on.
    Resume {
        /// Which server.
        server: ServerId,
    },
    /// Nothing gets through from any of these servers to any of those; and not back either, unless `one_way`.
    Cut {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        #[serde(default)]
        one_way: bool,
    },
    /// The opposite: what was held goes on its way.
    Heal {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        #[serde(default)]
        one_way: bool,
    },
    /// Heals every link.
    HealAll,
    /// Sets how long packets take, in both directions.
    Latency {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// How long.
        range: LatencyRange,
    },
    /// Sets how long a disk sync takes.
    Disk {
        /// Which server.
        server: ServerId,
        /// How long.
        sync: LatencyRange,
    },
    /// Empties the disk of a crashed server.
    WipeDisk {
        /// Which server.
        server: ServerId,
    },
    /// A client of this server writes.
    Write {
        /// Which server.
        server: ServerId,
        /// What.
        data: String,
        /// How often.
        #[serde(default = "one")]
        count: u32,
        /// The time between two of these writes, µs.
        #[serde(default)]
        every_us: Micros,
    },
    /// A new server joins; every other knows of it at once.
    Add {
        /// Its id.
        server: ServerId,
        /// Whether it has no vote.
        #[serde(default)]
        observer: bool,
    },
}

fn one() -> u32 {
    1
}

impl Action {
    /// What is wrong with the action by itself, if anything; whether its servers exist shows when it is done.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Action::Latency { range, .. } => range.complaint(),
            Action::Disk { sync, .. } => sync.complaint(),
            Action::Write { data, .. } if data.len() > MAX_PAYLOAD_BYTES => {
                Some(format!("data has {} bytes; at most {MAX_PAYLOAD_BYTES} can be written", data.len()))
            }
            Action::Write { count, .. } if !(1..=MAX_WRITES_PER_ACTION).contains(count) => {
                Some(format!("count {count} is not between 1 and {MAX_WRITES_PER_ACTION}"))
            }
            Action::Write { every_us, .. } if *every_us > MAX_DURATION_US => {
                Some(format!("every_us {every_us} is above {MAX_DURATION_US}"))
            }
            Action::Add { server, .. } if !server.is_valid() => Some(format!("{} is not a server id", server.0)),
            _ => None,
        }
    }
}

/// An action and when it is done: after everything else that happens in that microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedAction {
    /// When, µs since the run began.
    pub at_us: SimTime,
    /// What.
    #[serde(flatten)]
    pub action: Action,
}
