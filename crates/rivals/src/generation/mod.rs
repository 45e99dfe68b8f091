//! Election by generation clock: leader and followers as Raft has them, with RequestVote and AppendEntries (Ongaro & Ousterhout,
//! extended version, fig. 2; pre-vote and check-quorum as in etcd's `raft/raft.go`). Servers are G1, G2, …, clients C1, C2, …
//!
//! Terms are generations: a number that only grows, kept on disk, that tells an old leader's words from a new one's.

mod broken;
mod client;
mod command;
mod fact;
mod fact_words;
mod judge;
mod log;
mod message;
mod remark;
mod server;
mod setup;

pub use broken::{Broken, Brokens};
pub use client::{Client, ClientConfig};
pub use command::{Ask, Command};
pub use fact::{Fact, Refusal, Sight};
pub use judge::Verdict;
pub use log::{Entry, Position, Put};
pub use message::{Answer, Message};
pub use server::{Files, Hard, Server, Settings};
pub use setup::{Generation, Program};
