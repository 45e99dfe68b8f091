//! A run in time: the session that plays it, two sessions beside each other, checkpoints to jump from, branches that were left, milestones,
//! and what the facts have told so far. Nothing here draws.

mod branches;
mod chapters;
mod checkpoints;
pub mod figures;
mod idle;
pub mod milestones;
pub mod pace;
mod packet_look;
mod pair;
mod readers;
pub(crate) mod recent;
mod session;
mod shared;
pub mod spacetime;
mod summary;
mod time_map;

pub use branches::{Edit, Future, Place};
pub use chapters::{ChapterMark, opening};
pub use idle::{Idle, IdleEnd};
pub use packet_look::{Look, Shape, epoch_of, look, look_of};
pub use pair::{Against, Difference, Pair, Side, Standing, Variation};
pub use recent::Facts;
pub use session::{Destination, Ending, Session, Until};
pub use summary::{Commit, Mark, MarkKind, Reign, RunSummary, Used};
pub use time_map::{CLOSEST, TimeMap, WIDTH, percent};
