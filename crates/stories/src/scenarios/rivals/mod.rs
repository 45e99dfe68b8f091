//! What ZooKeeper and ZAB are compared with: locks in databases and on Redis, two-phase commit, quorum registers, elections by
//! generation clock. Each run is written as it would be in a file (`docs/rivals.md` has the fields).

mod commit;
mod generation;
mod redis;
mod register;
mod sql;

use crate::sim::{Run, Setup};

pub(super) use commit::COMMIT;
pub(super) use generation::GENERATION;
pub(super) use redis::REDIS;
pub(super) use register::REGISTER;
pub(super) use sql::SQL;

/// A run as it stands in a file. A test reads each.
pub(super) fn written(json: &str) -> Run {
    Run::from_json(json).unwrap_or_else(|_| Run::new(1, Setup::default()))
}
