//! ZooKeeper as deterministic state machines without I/O: the znode store, ZAB, a server, the client library.

use zabscope_ground::{base, wire};

pub mod client;
pub mod server;
pub mod store;
pub mod zab;
