//! ZabScope: a whole ZooKeeper ensemble as deterministic state machines, and the page that shows it.
//!
//! The rooms stand in reading order, floor by floor: each names only rooms above it, and `tests/architecture.rs` holds that.

pub use zabscope_ground::{base, daemon, wire};
pub use zabscope_recipes as recipes;
pub use zabscope_rivals as rivals;
pub use zabscope_zookeeper::{client, server, store, zab};

// the world in which they live
pub mod sim;

// the shipped runs; what must hold in any run; what the real one did
pub mod check;
#[cfg(all(feature = "conform", not(target_arch = "wasm32")))]
pub mod conform;
pub mod scenarios;

// a run as a link, runs at random
pub mod share;
pub mod soak;

// runs that reach a goal
pub mod explore;

// what is taught with them
pub mod lessons;
pub mod museum;

// a run in the hand
pub mod timeline;

// what a moment shows, and zkCli at it
pub mod console;
pub mod view;

// in lines and colours, in words
pub mod draw;
pub mod i18n;

// the two programs
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(feature = "ui")]
pub mod ui;
