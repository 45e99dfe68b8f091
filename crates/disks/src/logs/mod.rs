//! What servers' own logs tell: who looked for a leader, led and followed, when, and why it ended.
//!
//! - [`entry`]: a line; [`event`]: what it tells.
//! - [`text`]: a file, taken in piece by piece: only events are kept of it.
//! - [`server`]: whose a file is, and the files of one server as one log.
//! - [`clock`]: how far the clocks of servers are apart.
//! - [`story`]: lanes and moments, in sentences.

pub mod clock;
pub mod entry;
pub mod event;
mod lane;
pub mod say;
pub mod server;
pub mod story;
pub mod text;

#[cfg(test)]
mod tests;
