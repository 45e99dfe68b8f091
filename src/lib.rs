//! ZabScope: a whole ZooKeeper ensemble as deterministic state machines, and the page that shows it.
//!
//! The rooms, in reading order; imports go one way, as listed, and a test holds the walls.

pub mod base;
pub mod check;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod client;
#[cfg(all(feature = "conform", not(target_arch = "wasm32")))]
pub mod conform;
pub mod console;
pub mod draw;
pub mod i18n;
pub mod recipes;
pub mod scenarios;
pub mod server;
pub mod share;
pub mod sim;
pub mod soak;
pub mod store;
pub mod timeline;
#[cfg(feature = "ui")]
pub mod ui;
pub mod view;
pub mod wire;
pub mod zab;
