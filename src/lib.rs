//! ZabScope: a whole ZooKeeper ensemble as deterministic state machines, and the page that shows it.
//!
//! The rooms stand in reading order, floor by floor: each names only rooms above it, and `tests/architecture.rs` holds that.

#[cfg(feature = "conform")]
pub use zabscope_conform as conform;
pub use zabscope_disks as disks;
pub use zabscope_ground::{base, daemon, wire};
pub use zabscope_recipes as recipes;
pub use zabscope_rivals as rivals;
pub use zabscope_sim::{check, share, sim};
pub use zabscope_stories::files as story_files;
pub use zabscope_stories::{console, explore, lessons, museum, scenarios, soak, timeline, view};
pub use zabscope_zookeeper::{client, server, store, zab};

// in lines and colours, in words
pub mod draw;
pub mod i18n;

// the two programs
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(feature = "ui")]
pub mod ui;
