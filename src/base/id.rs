//! Names of servers, connections and messages, and small ordered sets of servers.

use serde::{Deserialize, Serialize};
use std::fmt;

use super::limits::MAX_SERVER_ID;

/// A server's id (`myid`), 1 to [`MAX_SERVER_ID`]. Zero is no server: the vote of an observer names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerId(pub u8);

impl ServerId {
    /// No server.
    pub const NONE: ServerId = ServerId(0);

    /// Whether the id can name a server of an ensemble.
    pub fn is_valid(self) -> bool {
        (1..=MAX_SERVER_ID).contains(&self.0)
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}", self.0)
    }
}

/// One connection between two servers; unique within a run, whoever dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnId(pub u64);

/// One message on the network; unique within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MsgId(pub u64);

/// A set of servers, ordered by id.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerSet(u32);

impl ServerSet {
    /// The empty set.
    pub const EMPTY: ServerSet = ServerSet(0);

    /// The set of the servers 1 to `n`.
    pub fn first(n: u8) -> ServerSet {
        (1..=n).map(ServerId).collect()
    }

    /// Adds a server; true when it was not in the set before.
    pub fn insert(&mut self, id: ServerId) -> bool {
        let before = self.0;
        self.0 |= 1 << id.0;
        before != self.0
    }

    /// Takes a server out; true when it was in the set.
    pub fn remove(&mut self, id: ServerId) -> bool {
        let before = self.0;
        self.0 &= !(1 << id.0);
        before != self.0
    }

    /// Whether the server is in the set.
    pub fn contains(self, id: ServerId) -> bool {
        self.0 & (1 << id.0) != 0
    }

    /// How many servers are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no server is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The servers in both sets.
    pub fn intersection(self, other: ServerSet) -> ServerSet {
        ServerSet(self.0 & other.0)
    }

    /// The servers in either set.
    pub fn union(self, other: ServerSet) -> ServerSet {
        ServerSet(self.0 | other.0)
    }

    /// The servers, lowest id first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = ServerId> {
        (0..=MAX_SERVER_ID).map(ServerId).filter(move |&id| self.contains(id))
    }
}

impl FromIterator<ServerId> for ServerSet {
    fn from_iter<I: IntoIterator<Item = ServerId>>(ids: I) -> ServerSet {
        let mut set = ServerSet::EMPTY;
        for id in ids {
            set.insert(id);
        }
        set
    }
}

impl fmt::Debug for ServerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ServerSet {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ServerSet {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let ids = Vec::<ServerId>::deserialize(d)?;
        match ids.iter().find(|id| !id.is_valid()) {
            Some(bad) => {
                Err(serde::de::Error::custom(format_args!("{} is not a server id: 1 to {MAX_SERVER_ID} are", bad.0)))
            }
            None => Ok(ids.into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_ordered_and_counts_each_server_once() {
        let mut set: ServerSet = [3, 1, 3].map(ServerId).into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [ServerId(1), ServerId(3)]);
        assert!(!set.insert(ServerId(1)));
        assert!(set.remove(ServerId(1)));
        assert_eq!(set.len(), 1);
        assert_eq!(serde_json::to_string(&set).unwrap(), "[3]");
    }

    #[test]
    fn an_id_out_of_range_is_refused_in_words() {
        let error = serde_json::from_str::<ServerSet>("[1,77]").unwrap_err();
        assert!(error.to_string().contains("77 is not a server id"));
    }
}
