//! The world in which servers, clients and rivals live, what must hold in any run of it, and a run as a link.

use zabscope_ground::{base, daemon, wire};
use zabscope_recipes as recipes;
use zabscope_rivals as rivals;
use zabscope_zookeeper::{client, server, store, zab};

pub mod check;
pub mod share;
pub mod sim;
