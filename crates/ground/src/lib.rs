//! What all of ZabScope stands on: ids, zxids, virtual time, the seeded generator, packets, the contract of a daemon.

pub mod base;
pub mod daemon;
pub mod wire;
