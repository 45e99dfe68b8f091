//! What the page and the worker that reads disks say to each other.

use serde::{Deserialize, Serialize};

use crate::disks::report::{Report, Start, Started};
use crate::disks::start::Unknown;

/// What the page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ask {
    /// What is on these disks, and what happens when they are started.
    Examine {
        /// Whose they are, by the folders of data directories.
        said: Vec<(String, u64)>,
        /// By whose rules.
        zookeeper: String,
    },
    /// A start as a run.
    Run {
        /// Which.
        started: Started,
        /// By whose rules.
        zookeeper: String,
    },
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum News {
    /// What is on the disks.
    Report(Box<Report>),
    /// So many choices are judged, of so many; after the first, what is known of it.
    Judged(u32, u32, Option<Box<Start>>),
    /// What happens.
    Start(Box<Start>),
    /// Why that cannot be told.
    Unknown(Unknown),
    /// A start as a run's JSON, and the ids of the servers with the numbers 1, 2, … in it.
    Run(String, Vec<u64>),
    /// It is too large for a run: about so many MB.
    TooLarge(u64),
}
