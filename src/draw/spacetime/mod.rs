//! The space-time diagram drawn: lanes, messages as lines between them, what a pointer is over.

mod arrows;
mod draw;
mod frame;
mod hit;
mod lanes;
mod overlaps;
mod shape;
#[cfg(test)]
mod testing;
mod thin;

pub use draw::{Chosen, Picture, Words, draw};
pub use frame::{FINGER, Frame, REACH, Row, Window, seconds};
pub use hit::{Hit, Shown};
pub use thin::{Drawn, Thinned, thin};
