//! How actions name a packet.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::base::Node;
use crate::base::json::{Fields, Parts, ReadError, ValueError};

use super::packet_name::PacketName;

/// A packet among those from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketRef {
    /// Who sent it.
    pub from: Node,
    /// The receiver.
    pub to: Node,
    /// Which of all packets from there to there.
    #[serde(flatten)]
    pub which: Which,
}

/// Which packet of those from one node to another: runs that differ elsewhere call it the same by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// By its place in all that its sender has ever sent there, from 1.
    #[serde(rename = "nth")]
    Nth(u64),
    /// By what it is.
    #[serde(rename = "what")]
    Name(PacketName),
}

impl Which {
    /// Whether it is the packet with this number and this name.
    pub(super) fn is(self, nth: u64, name: PacketName) -> bool {
        match self {
            Which::Nth(which) => which == nth,
            Which::Name(which) => which == name,
        }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Which::Nth(nth) => nth.fmt(f),
            Which::Name(name) => name.fmt(f),
        }
    }
}

impl Parts for PacketRef {
    fn take(from: &mut Fields) -> Result<PacketRef, ReadError> {
        let which = match (from.or("nth", None)?, from.or("what", None)?) {
            (Some(nth), None) => Which::Nth(nth),
            (None, Some(name)) => Which::Name(name),
            _ => return Err(ReadError::new(ValueError::OneOf { fields: &["nth", "what"] })),
        };
        Ok(PacketRef { from: from.need("from")?, to: from.need("to")?, which })
    }
}
