//! Sharing: a moment of a run as a link and as a file, a link as a QR code, and a run as texts for other programs. Nothing here
//! knows the browser, and nothing leaves it.

mod counters;
mod export;
mod link;
mod look;
mod moment;
mod pack;
mod qr;
#[cfg(test)]
mod tests;
mod trace;

pub use export::{Export, Telling};
pub use link::{OpenError, decode, encode, open};
pub use look::Look;
pub use moment::{Beside, Moment, Place};
pub use qr::{QUIET, Qr};
