//! Recordings of elections by generation clock (etcd's Raft): what was done, what each server's log said of terms and votes, and what came
//! of several plays.
//!
//! Time-outs are drawn, there as here. So a recording is held to what follows from the rules, and to what chance may bring:
//! a word or a yes or no that was the same in all plays must come of every simulated play; a number that was the same must be so
//! frequent among them that all recorded plays could agree in it by chance; each recorded play must be one of the simulated; and what the
//! first play tells in full must come of one of them, line by line. Times are compared as ranges.

mod compare;
mod deeds;
mod lines;
mod play;
mod recording;
mod scene;

pub use recording::Recording;

use compare::Sample;
use play::Play;

/// So many plays are a sample.
const AT_LEAST: u64 = 100;
/// Among so many, each recorded play must be found.
const AT_MOST: u64 = 1_500;

/// Plays a recording with one seed after the other; how many it took.
///
/// # Errors
/// What differs, and in what.
pub fn reproduce(recording: &Recording, seed: u64) -> Result<u64, String> {
    recording.contradiction()?;
    let mut sample = Sample::new(recording);
    for number in 1..=AT_MOST {
        let play = Play::of(recording, seed.wrapping_mul(AT_MOST).wrapping_add(number))?;
        sample.add(&play)?;
        if number >= AT_LEAST && sample.is_complete() {
            return sample.judge().map(|()| number);
        }
    }
    Err(sample.missing())
}
