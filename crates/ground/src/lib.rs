//! What all of ZabScope stands on.
//!
//! - [`base`]: ids, [`base::Zxid`] and [`base::Epoch`], virtual time in µs, the seeded generator with a stream for each use, ordered maps that
//!   copies share, JSON that is read field by field, limits, and the sets of rules that a run can break.
//! - [`wire`]: what ZooKeeper's clients and servers say to each other: requests, answers, events, error codes, `Stat`, ACLs, paths.
//! - [`daemon`]: how a machine of another system is written: what it is told, what it wants done, what it says of itself, what it is judged by.
//!
//! Nothing here reads a clock, draws without a seed, calculates with floats or iterates in an order that varies: one run is the same run
//! on every machine. Times are µs since the beginning of a run unless a name says otherwise (`_ms`), numbers that a person may give have their
//! bounds in [`base::limits`], and what cannot be read says where and what was expected ([`base::json::ReadError`]).

pub mod base;
pub mod daemon;
pub mod wire;
