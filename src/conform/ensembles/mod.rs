//! Plays recordings of real ensembles with ours, and compares.

mod compare;
mod play;
mod recording;
mod seen;

pub use compare::{against_all_plays, against_this_play};
pub use play::Play;
pub use recording::Recording;
