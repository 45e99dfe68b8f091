//! Two-phase commit: a coordinator (TC1), participants (P1, P2, …) and clients (C1, C2, …). Each participant keeps items of its
//! own, and a transaction changes items of some of them, all or none. Rules: Gray and Lamport, "Consensus on Transaction Commit";
//! Bernstein, Hadzilacos and Goodman, "Concurrency Control and Recovery in Database Systems", chapter 7; Mohan, Lindsay and
//! Obermarck, "Transaction Management in the R* Distributed Database Management System", for what is presumed of a transaction
//! that the coordinator has forgotten. What real participants do (PostgreSQL's `PREPARE TRANSACTION`, MariaDB's `XA PREPARE`):
//! `shared/reference/rivals.md` 3.2.

mod alarms;
mod branch;
mod client;
mod coordinator;
mod course;
mod doubt;
mod fact;
mod fact_text;
mod items;
mod judge;
mod lines;
mod log;
mod message;
mod participant;
mod reading;
mod setup;

mod txn;

use std::rc::Rc;

use crate::base::json::ReadError;
use crate::base::{ServerId, ServerSet};
use crate::daemon::{Place, System};

pub use client::Client;
pub use coordinator::Coordinator;
pub use fact::{Fact, How, Refusal, What, Why};
pub use judge::{AC1, AC2, AC3, AC4, AC5, AtomicCommitment};
pub use log::{Files, Job, Log, Record};
pub use message::Message;
pub use participant::Participant;
pub use setup::{Commit, Presumption, Unsafe};
pub use txn::{Change, Decision, Item, LineError, Txn, Vote, Work, parse_work};

/// The coordinator.
pub fn coordinator() -> ServerId {
    ServerId::nth("TC", 1)
}

/// The first `n` participants.
pub fn participants(n: u8) -> ServerSet {
    (1..=n).map(|number| ServerId::nth("P", number)).collect()
}

impl System for Commit {
    fn check(&self) -> Result<(), ReadError> {
        self.check_bounds()
    }

    fn place(&self, world: &mut impl Place) {
        let config = Rc::new(self.clone());
        world.put::<Coordinator>(coordinator(), config.clone());
        for participant in participants(self.participants).iter() {
            world.put::<Participant>(participant, config.clone());
        }
        for client in 1..=self.clients {
            world.put::<Client>(ServerId::nth("C", client), config.clone());
        }
    }
}
