//! Facts: what happened in the world, typed, small, in order. Every reader (page, checks, digest, command line) reads
//! these and nothing else. The names (`kind`) and fields are stable: a change bumps the format version.

mod about;
mod numbers;
mod read;
mod world;

pub use numbers::Hex;
pub use read::read_fact;
pub use world::WorldFact;

use serde::{Deserialize, Serialize};

use crate::base::{ClientId, ServerId, SimTime};
use crate::daemon::Saying;
use crate::zab::{self, Note};
use crate::{client, recipes, server};

/// A fact with its time and place in the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the run, from 0.
    pub seq: u64,
    /// When it happened, µs.
    pub at_us: SimTime,
    /// What happened.
    #[serde(flatten)]
    pub fact: Fact,
    /// The rule that decided it, where one did.
    #[serde(flatten)]
    pub why: Option<Note>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fact {
    /// Inside a server's protocol machine.
    Zab {
        /// The server.
        server: ServerId,
        /// What its own room states.
        #[serde(flatten)]
        fact: zab::Fact,
    },
    /// In a server's service for clients: sessions and watches.
    Server {
        /// The server.
        server: ServerId,
        /// What its own room states.
        #[serde(flatten)]
        fact: server::Fact,
    },
    /// Inside a client.
    Client {
        /// The client.
        client: ClientId,
        /// What its own room states.
        #[serde(flatten)]
        fact: client::Fact,
    },
    /// In a client's program.
    Program {
        /// The client.
        client: ClientId,
        /// What its own room states.
        #[serde(flatten)]
        fact: recipes::Fact,
    },
    /// In a machine of another kind than a ZooKeeper server.
    #[serde(skip_deserializing)]
    Other {
        /// Which machine.
        server: ServerId,
        /// What.
        #[serde(flatten, serialize_with = "as_fact")]
        fact: Saying,
    },
    /// Anywhere else.
    World(WorldFact),
}

/// A fact is written as its `kind` and its fields.
fn as_fact<S: serde::Serializer>(fact: &Saying, s: S) -> Result<S::Ok, S::Error> {
    s.collect_map(fact.written("kind"))
}
