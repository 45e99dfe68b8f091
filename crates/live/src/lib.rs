//! Programs outside of the simulation as clients of a run, without I/O.
//!
//! Whoever has the doors (a TCP port for each server) turns what happens there into [`Event`]s and obeys [`Order`]s. Whoever plays the run
//! (`zabscope live --headless`, or the page, with a WebSocket between the two) is a [`Host`]. [`Guests`] stands between them: a frame
//! becomes an action of the run, and what arrives at the client that the program is in the run becomes bytes. [`Ear`] keeps of the facts
//! what matters to that.
//!
//! A connection is told from the others by its [`GuestId`]. Nothing here reads a clock: when something happens is the host's matter.

use zabscope_ground::{base, wire};
use zabscope_sim::sim;
use zabscope_zookeeper::{client, server};

mod ear;
mod guests;
mod talk;

pub use ear::{Ear, News, is_outside, servers};
pub use guests::{Guests, Host};
pub use zabscope_jute as jute;

pub use talk::{Event, GuestId, Hello, Order, read, written};
