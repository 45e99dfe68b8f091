//! The shipped runs, lessons and bugs, the search for runs, a run in the hand, what a moment shows, and zkCli at it.

use zabscope_ground::{base, daemon, wire};
use zabscope_recipes as recipes;
use zabscope_rivals as rivals;
use zabscope_sim::{check, share, sim};
use zabscope_zookeeper::{client, server, store, zab};

pub mod console;
pub mod explore;
pub mod lessons;
pub mod museum;
pub mod scenarios;
pub mod soak;
pub mod timeline;
pub mod view;
