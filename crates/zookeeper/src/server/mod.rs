//! One server: its protocol machine, the replicated state behind it, and its service for clients (`ZooKeeperServer.java`,
//! the request processors, `SessionTrackerImpl.java`). No I/O: it is told what happened ([`Input`]) and answers with what is to
//! be done ([`Output`]); what goes on between its parts stays inside (`pipeline`).

mod connection;
mod expiry;
mod fact;
mod files;
mod four_letter;
mod io;
mod leading;
mod pending;
mod pipeline;
mod rows;
mod service;
mod settings;
mod statistics;
#[cfg(test)]
mod tests;

pub use connection::ClientConn;
pub use fact::{EpochFile, Fact, RefusalReason, StateFact, TurnedAway};
pub use files::{FileRule, Files, Job, Snapshot, Written};
pub use four_letter::version_number;
pub use io::{Config, Env, Input, Outbox, Output, Timer};
pub use leading::Leading;
pub use service::Service;
pub use settings::Settings;
pub use statistics::{ConnStatistics, Statistics};

use std::collections::VecDeque;

use crate::base::{SessionId, Zxid};
use crate::store::Tree;
use crate::wire::Password;
use crate::zab::Peer;

/// A running server's memory: all that a crash takes away.
#[derive(Clone, Debug, Hash)]
pub struct Server {
    /// The protocol machine.
    pub peer: Peer,
    /// The replicated state.
    pub tree: Tree,
    /// Up to here the log repeats what the snapshot held that was loaded.
    replays_to: Zxid,
    /// The service for clients.
    pub service: Service,
    /// Digests of some of the last transactions.
    digests: VecDeque<(Zxid, i64)>,
    /// How many texts somebody on this machine has sent.
    asked: u64,
    /// What is traced; nothing is, but the number can be set.
    trace_mask: i64,
}

/// A session's password, which every server can compute (`ZooKeeperServer.java` `generatePasswd`: 16 bytes of
/// `java.util.Random(id XOR 0xB3415C00)`).
pub fn password_of(session: SessionId) -> Password {
    const MULTIPLIER: u64 = 0x5DEE_CE66D;
    const MASK: u64 = (1 << 48) - 1;
    let mut state = ((session.0 ^ 0xB341_5C00) ^ MULTIPLIER) & MASK;
    let mut bytes = [0; 16];
    for word in bytes.chunks_mut(4) {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        word.copy_from_slice(&((state >> 16) as u32).to_le_bytes());
    }
    Password(u128::from_be_bytes(bytes))
}
