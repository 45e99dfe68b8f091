//! What ZooKeeper and ZAB are compared with, each a folder made of [`zabscope_ground::daemon::Daemon`]s:
//!
//! - [`sql`]: locks in a database, as MariaDB and PostgreSQL do them, with replicas and crashes;
//! - [`redis`]: `SET NX`, Redlock, replication that loses what was acknowledged, failover;
//! - [`commit`]: two-phase commit, whose coordinator may die at the worst moment;
//! - [`register`]: registers on quorums (Attiya, Bar-Noy and Dolev 1995);
//! - [`generation`]: elections by terms, as Raft and etcd do them.
//!
//! A setup names a system by the line that it has in `sim/systems.rs`; network, disks and faults are the world's.

use zabscope_ground::{base, daemon};

pub mod commit;
pub mod generation;
mod lines;
pub mod redis;
pub mod register;
pub mod sql;
mod words;
