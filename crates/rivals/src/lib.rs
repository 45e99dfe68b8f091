//! What ZooKeeper and ZAB are compared with: each system is a folder, made of [`crate::daemon::Daemon`]s. A setup names it by its
//! line in `sim/systems.rs`.

use zabscope_ground::{base, daemon};

pub mod commit;
pub mod generation;
mod lines;
pub mod redis;
pub mod register;
pub mod sql;
mod words;
