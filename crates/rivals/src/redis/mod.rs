//! Redis 7.0 as far as locks need it: servers with one thread of commands, replicas, Sentinels, and client programs with the
//! usual lock recipes. Names in backticks are files and functions of Redis, unless another project is named.

mod client;
mod conf;
mod fact;
mod judge;
mod line;
mod message;
mod moment;
mod remark;
mod reply;
mod said;
mod script;
mod sentinel;
mod server;
mod store;
mod system;

pub use client::{Break, Client, ClientSetup, Fencing, LockKind, Plan, Renewal, Unlock};
pub use conf::{Conf, Fsync};
pub use fact::Fact;
pub use judge::RedisJudge;
pub use line::{quoted, split};
pub use message::Message;
pub use moment::moments;
pub use reply::Reply;
pub use script::NAMED_SCRIPTS;
pub use sentinel::Sentinel;
pub use server::Server;
pub use system::{Redis, SentinelSetup, ServerSetup};

use crate::base::ServerId;

/// What wall clocks show when a run begins: 2026-01-01 00:00:00 UTC in ms since 1970. Moments of time limits are such numbers.
pub const EPOCH_MS: i64 = 1_767_225_600_000;

/// The port that addresses carry: a machine here is one process, so it says nothing.
pub const PORT: &str = "6379";

/// The n-th server.
pub fn server_id(n: u8) -> ServerId {
    ServerId::nth("R", n)
}

/// The n-th Sentinel.
pub fn sentinel_id(n: u8) -> ServerId {
    ServerId::nth("Sen", n)
}

/// The n-th client.
pub fn client_id(n: u8) -> ServerId {
    ServerId::nth("C", n)
}
