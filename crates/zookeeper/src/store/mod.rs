//! The znode store: a tree of znodes as a value, transactions that change it, the leader's step that makes transactions of
//! requests, reads, and watches. Pure: no time, no I/O, no draws (`DataTree.java`, `PrepRequestProcessor.java`,
//! `WatchManager.java`).

mod acl;
mod node;
mod prep;
mod quota;
mod read;
mod restored;
mod tree;
mod txn;
mod under_way;
mod watches;

#[cfg(test)]
mod tests;

pub use acl::allows;
pub use node::{Owner, Znode};
pub use prep::{Body, Limits, Prep, Submitted};
pub use quota::OverQuota;
pub use read::read;
pub use tree::{CONFIG, Change, Effect, RECENT, Tree};
pub use txn::{Op, Txn};
pub use under_way::UnderWay;
pub use watches::{Fired, WatchMode, Watches};
