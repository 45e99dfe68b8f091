//! Recordings of whole ensembles: who was elected, how learners were brought up to date, what clients could write. A recording
//! is played step by step, and facts are compared; times never are.
//!
//! A seed decides here what a busy machine decided there: how long a server took to start, hence whether it connected before or
//! after its leader's majority was complete. What never varied must hold with every seed; one of many must play what the
//! recording tells in full.

mod compare;
mod play;
mod recording;
mod seen;

pub use compare::{against_all_plays, against_this_play};
pub use play::Play;
pub use recording::Recording;

/// So many plays are looked at for what never varied.
const PLAYS_AT_LEAST: u64 = 4;
/// Among so many, one must play what the recording tells in full.
const PLAYS_AT_MOST: u64 = 1_000;

/// Plays a recording with one seed after the other; how many it took.
///
/// # Errors
/// What differs, in the play that came closest or against all that were recorded.
pub fn reproduce(recording: &Recording, seed: u64) -> Result<u64, String> {
    if let Some(why) = recording.contradiction() {
        return Err(why);
    }
    let mut closest: Option<Vec<String>> = None;
    for number in 1..=PLAYS_AT_MOST {
        let play = Play::new(recording, seed.wrapping_add(number), |_| {})?;
        let first = |differences: &[String]| differences.first().cloned().unwrap_or_default();
        let varied = against_all_plays(recording, &play);
        if !varied.is_empty() {
            return Err(first(&varied));
        }
        let differences = against_this_play(recording, &play);
        if closest.as_ref().is_none_or(|least| differences.len() < least.len()) {
            closest = Some(differences);
        }
        if number >= PLAYS_AT_LEAST && closest.as_ref().is_some_and(Vec::is_empty) {
            return Ok(number);
        }
    }
    let closest = closest.unwrap_or_default();
    Err(format!("no play of {PLAYS_AT_MOST} is the recorded one; the closest differs in {}", closest.join("; ")))
}
