//! One server: its protocol machine and the replicated state behind it. The state of this version is a [`Ledger`];
//! the znode store takes its place.

mod entry;
mod fact;
mod ledger;

pub use entry::Entry;
pub use fact::{Fact, TurnedAway};
pub use ledger::{Ledger, RECENT};

use std::collections::BTreeSet;

use crate::zab::Peer;

/// A running server's memory: all that a crash takes away.
#[derive(Clone, Debug)]
pub struct Server {
    /// The protocol machine.
    pub peer: Peer,
    /// The replicated state.
    pub ledger: Ledger,
    /// Writes of this server's clients that wait for their answer, by number.
    pub waiting: BTreeSet<u64>,
}
