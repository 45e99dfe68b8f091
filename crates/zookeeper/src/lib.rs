//! ZooKeeper 3.9 as deterministic state machines that do no I/O.
//!
//! - [`store`]: the tree of znodes as a value, the transactions that change it, the leader's step that makes transactions of requests
//!   (`DataTree.java`, `PrepRequestProcessor.java`), reads and watches.
//! - [`zab`]: Fast Leader Election, discovery, synchronisation and broadcast, with no look into what is ordered (`FastLeaderElection.java`,
//!   `Leader.java`, `Learner.java`; Junqueira, Reed and Serafini, DSN 2011).
//! - [`server`]: one machine: a peer, the tree behind it, its sessions and clients, its files.
//! - [`client`]: the client library (`ClientCnxn.java`).
//!
//! A host owns the network, the disks and the clock. It makes a server with [`server::Server::boot`], tells it what happened by
//! [`server::Server::handle`] (a timer, a message, a finished disk write), and does what the server put into its [`server::Outbox`], in order:
//! send, dial, close, arm a timer, persist, listen, exit. What has to be durable before an answer is a [`server::Output::Persist`]; the answer
//! comes only after the host has said [`server::Input::Persisted`]. A crash is a server that is dropped: its [`server::Files`] stay, and a new
//! server boots from them. `examples/leader_dies/host.rs` is such a host; `zabscope-sim` is the one that ZabScope plays with.
//!
//! Rules that a run breaks on purpose stand in [`zab::BrokenRule`] and [`server::FileRule`]: in the code each is one early `if`.

use zabscope_ground::{base, wire};

pub mod client;
pub mod server;
pub mod store;
pub mod zab;
