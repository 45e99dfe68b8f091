//! Recordings of real Redis servers: each step is done to simulated ones, everything comes to rest, and all that clients were
//! told is compared, with the states of servers, their logs and the time that failovers took.

mod compare;
mod library;
mod lock_py;
mod play;
mod recording;
mod redlock_py;
mod scene;
mod sentinels;
mod setup;
mod states;

pub use recording::Recording;

/// Plays a recording. The seed decides latencies and the like, and nothing that is compared.
///
/// # Errors
/// The first step that went otherwise, and how.
pub fn play(recording: &Recording, seed: u64) -> Result<(), String> {
    match recording {
        Recording::Plain(plain) => play::play(plain, seed),
        Recording::Library(library) => library::play(library, seed),
    }
}
