//! The search for a run that reaches a goal, and the way from such a run to a small one. Everything that is tried is a
//! [`Run`](crate::sim::Run), and so is what is found: it plays, steps back and is shared like any other.
//!
//! No threads, no clock, no browser: a [`Search`] goes on for as many steps as it is told to.

mod deed;
mod dice;
mod exhaust;
mod goal;
mod ladder;
pub mod own;
mod passes;
mod prepared;
mod report;
mod search;
mod shrink;
mod stand;
mod watch;

pub use exhaust::{Bounds, Exhaust, MAX_SERVERS, Move, Proof};
pub use goal::{Goal, GoalError};
pub use ladder::Rung;
#[cfg(test)]
pub(crate) use prepared::PREPARED;
pub use prepared::{Prepared, prepared};
pub use report::{Answer, Report};
pub use search::{Cursor, Find, Progress, Question, Search, Stage, Strategy};
pub use shrink::Shrink;
pub use stand::reach;
pub use watch::Found;
