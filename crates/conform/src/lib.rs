//! Conformance: plays transcripts of real ensembles against a simulated one, and says where it did otherwise.
//!
//! A transcript holds what was done, step by step, and all that the clients were told: results, errors, Stats, zxids,
//! notifications and their order. Times are not compared. Traces of recipes have a room of their own, [`scene`], and
//! recordings of whole ensembles, [`ensembles`]; databases, [`sql`]; elections by generation clock, [`generation`].

use zabscope_ground::{base, daemon, wire};
use zabscope_recipes as recipes;
use zabscope_rivals as rivals;
use zabscope_sim::sim;
use zabscope_zookeeper::{client, store, zab};

mod ask;
mod compare;
mod ensemble;
pub mod ensembles;
pub mod generation;
mod heard;
mod place;
mod play;
mod recording;
pub mod redis;
mod release;
pub mod scene;
mod setup;
pub mod sql;
#[cfg(test)]
mod tests;
mod transcript;
mod words;

pub use ask::Ask;
pub use compare::Difference;
pub use place::Place;
pub use recording::{Ending, Recording};
pub use transcript::{Act, Ahead, Deed, MAX_TRANSCRIPT_BYTES, NoTranscript, Step, Transcript, Wrong};

use std::fmt;

/// Longest description of a step that is shown, characters.
const MAX_SHOWN: usize = 80;

/// The simulation did not come to rest, or could not be brought to do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck(pub String);

/// What went otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A field of a step.
    Differs(Difference),
    /// Nothing can be compared.
    Stuck(Stuck),
}

/// Where a play left its transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step, from 1; 0 before the first.
    pub step: usize,
    /// What the step does.
    pub deed: String,
    /// What went otherwise.
    pub problem: Problem,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deed: String = self.deed.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
        write!(f, "step {} ({deed}): ", self.step)?;
        match &self.problem {
            Problem::Differs(difference) => difference.fmt(f),
            Problem::Stuck(Stuck(why)) => f.write_str(why),
        }
    }
}

/// Plays a transcript. The seed decides latencies and the like, and nothing that is compared.
///
/// # Errors
/// The first step that went otherwise than recorded.
pub fn play(transcript: &Transcript, seed: u64) -> Result<(), Failure> {
    play::Play::play(transcript, seed)
}
