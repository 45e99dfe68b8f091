//! Traces of recipes: what programs with Curator's recipes did on real ensembles, played by simulated programs. A scene is a
//! list of stages; after each one everything comes to rest, and all that was recorded of it is compared: answers and
//! callbacks, transactions, requests, notifications, watches.
//!
//! Clients that are woken at the same moment race. Where the plays of a scene differed from each other, ours may differ from
//! the recorded one by who won, and goes on from our winner. Where a draw (of latencies, of random names) decides, a scene
//! is played with further seeds until one play is the recorded one.

mod away;
mod command;
mod compare;
mod file;
mod free;
mod holders;
mod names;
mod play;
mod played;
mod race;
mod whole;

pub use file::Scene;

use std::fmt;

use super::{Difference, Stuck};

/// How often a scene is played until one play is the recorded one.
const MOST_PLAYS: u64 = 60;
/// From one play's seed to the next one's.
const SEED_STEP: u64 = 0x9e37_79b9;
/// After so many plays that failed alike no draw decides it.
const ALIKE: u32 = 12;

/// What went otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A field of a stage.
    Differs(Difference),
    /// Nothing can be compared.
    Stuck(Stuck),
}

/// Where a play left its scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stage, from 1; 0 before the first.
    pub stage: usize,
    /// Its name.
    pub name: String,
    /// What went otherwise.
    pub problem: Problem,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stage, name) = (self.stage, &self.name);
        match &self.problem {
            Problem::Differs(difference) => write!(f, "stage {stage} ({name}): {difference}"),
            Problem::Stuck(Stuck(why)) => write!(f, "stage {stage} ({name}): {why}"),
        }
    }
}

/// Plays a scene once.
///
/// # Errors
/// The first stage that went otherwise than recorded.
pub fn play_once(scene: &Scene, seed: u64) -> Result<(), Failure> {
    play::Play::play(scene, seed)
}

/// Plays a scene; after how many plays one was the recorded one. The seed decides latencies, random names and the like.
///
/// # Errors
/// Where the play that came farthest went otherwise than recorded.
pub fn play_scene(scene: &Scene, seed: u64) -> Result<u64, Failure> {
    let mut farthest: Option<Failure> = None;
    let mut alike = 0;
    for attempt in 0..MOST_PLAYS {
        let Err(failure) = play_once(scene, seed.wrapping_add(attempt.wrapping_mul(SEED_STEP))) else {
            return Ok(attempt + 1);
        };
        if farthest.as_ref() == Some(&failure) {
            alike += 1;
        } else if farthest.as_ref().is_none_or(|other| other.stage < failure.stage) {
            (farthest, alike) = (Some(failure), 1);
        }
        if alike >= ALIKE {
            break;
        }
    }
    farthest.map_or(Ok(0), Err)
}
