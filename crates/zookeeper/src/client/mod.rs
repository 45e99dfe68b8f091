//! The client library as a state machine without I/O (`ZooKeeper.java`, `ClientCnxn.java`, `StaticHostProvider.java`,
//! `ZKWatchManager.java`): its host tells it what arrived and what time it is, and does what it wants done.

mod calls;
mod connection;
mod effects;
mod events;
mod hosts;
mod io;
mod library;
mod outbox;
mod outside;
mod paths;
mod rows;
mod seek;
mod timers;
mod watchers;

pub use io::{
    Brought, Call, CallId, CallOutcome, ClientConfig, DisconnectReason, Fact, Failure, Input, Move, Outbox, Output,
    State, Timer,
};
pub use library::Client;

#[cfg(test)]
mod tests;
