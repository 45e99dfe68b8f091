//! Transcripts of real SQL databases: short plays against freshly started servers, with all that the clients were told.
//! Statements are done one by one; after each everything comes to rest, then answers, waits and whom they wait for are compared.

mod compare;
mod play;
mod recording;
mod world;

pub use recording::SqlPlay;

use compare::Differs;

/// Plays a transcript; where there are several courses of a race, one of them must come out.
///
/// # Errors
/// The first step that went otherwise, in the course that came furthest.
pub fn reproduce(recording: &SqlPlay, seed: u64) -> Result<(), String> {
    let mut furthest: Option<Differs> = None;
    for course in recording.courses() {
        match play::Play::new(recording, seed).and_then(|play| play.through(course)) {
            Ok(()) => return Ok(()),
            Err(differs) => {
                if furthest.as_ref().is_none_or(|other| other.step < differs.step) {
                    furthest = Some(differs);
                }
            }
        }
    }
    Err(furthest.map_or("there is nothing to play".into(), |differs| differs.to_string()))
}
