//! Names of servers, connections and messages, and small ordered sets of servers.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::json::{Json, Read, ReadError, ValueError, deserialize_as_read, out_of_range};
use super::limits::{MAX_CLIENT_ID, MAX_MACHINE_ID, MAX_SERVER_ID};

/// A machine's number: a server's id (`myid`), 1 to [`MAX_SERVER_ID`], or that of a machine of another system, up to
/// [`MAX_MACHINE_ID`], in the block of its kind ([`ServerId::nth`]). Zero is no server: the vote of an observer names it.
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

/// What machines are called, by the block of numbers in which they are: the number before the first, and the letters.
const BLOCKS: &[(u8, &str)] =
    &[(0, "S"), (15, "R"), (21, "Sen"), (27, "D"), (31, "TC"), (32, "P"), (39, "N"), (44, "G"), (53, "C")];

impl ServerId {
    /// The n-th machine, from 1, of those whose names begin with these letters.
    ///
    /// # Panics
    /// There are no such letters: they are written in code, never read.
    pub fn nth(letters: &str, n: u8) -> ServerId {
        let block = BLOCKS.iter().find(|(_, name)| *name == letters);
        ServerId(block.expect("the letters of a block").0 + n)
    }

    /// The machine of this name, as it is displayed.
    pub fn named(name: &str) -> Option<ServerId> {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let (before, _) = BLOCKS.iter().find(|(_, known)| *known == letters)?;
        let id = ServerId(name[letters.len()..].parse::<u8>().ok()?.checked_add(*before)?);
        (1..=MAX_MACHINE_ID).contains(&id.0).then_some(id).filter(|id| id.to_string() == name)
    }

    /// The letters with which its name begins.
    pub fn letters(self) -> &'static str {
        self.block().1
    }

    /// The block of its number.
    fn block(self) -> (u8, &'static str) {
        BLOCKS.iter().rev().find(|(before, _)| self.0 > *before).copied().unwrap_or(BLOCKS[0])
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, letters) = self.block();
        write!(f, "{letters}{}", self.0 - before)
    }
}

/// A client's number, 1 to [`MAX_CLIENT_ID`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub u16);

impl ClientId {
    /// No client: who asks a server from its own machine.
    pub const NONE: ClientId = ClientId(0);

    /// Whether the number can name a client.
    pub fn is_valid(self) -> bool {
        (1..=MAX_CLIENT_ID).contains(&self.0)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{}", self.0)
    }
}

/// Whoever sends and receives on the network. In JSON a server is its number, a client is `"C1"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A server.
    Server(ServerId),
    /// A client.
    Client(ClientId),
}

impl Node {
    /// The server, if it is one.
    pub fn server(self) -> Option<ServerId> {
        match self {
            Node::Server(server) => Some(server),
            Node::Client(_) => None,
        }
    }

    /// The client, if it is one.
    pub fn client(self) -> Option<ClientId> {
        match self {
            Node::Server(_) => None,
            Node::Client(client) => Some(client),
        }
    }
}

impl From<ServerId> for Node {
    fn from(server: ServerId) -> Node {
        Node::Server(server)
    }
}

impl From<ClientId> for Node {
    fn from(client: ClientId) -> Node {
        Node::Client(client)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Server(server) => server.fmt(f),
            Node::Client(client) => client.fmt(f),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Server(server) => server.serialize(s),
            Node::Client(client) => s.collect_str(client),
        }
    }
}

/// A session's id. Its first byte is the server that created it (`SessionTrackerImpl.java` `initializeNextSessionId`).
/// Written in hexadecimal, as `zkCli` shows it: no reader of JSON rounds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u64);

impl SessionId {
    /// No session.
    pub const NONE: SessionId = SessionId(0);
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:x}", self.0)
    }
}

impl std::str::FromStr for SessionId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<SessionId, Self::Err> {
        u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).map(SessionId)
    }
}

impl<'de> Deserialize<'de> for SessionId {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<SessionId, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Read for SessionId {
    fn read(json: Json) -> Result<SessionId, ReadError> {
        let text = String::read(json)?;
        text.parse().map_err(|_| ReadError::unknown_name(&text, Vec::new()))
    }
}

impl Serialize for SessionId {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// One connection between two nodes; unique within a run, whoever dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnId(pub u64);

/// One message on the network; unique within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MsgId(pub u64);

/// The number says when a message was sent, not what it is: situations that differ in it alone are one to a search.
impl Hash for MsgId {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A set of machines, ordered by number.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ServerSet(u64);

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
        // nobody has a number above the highest bit
        let end = (u64::BITS - self.0.leading_zeros()) as u8;
        (self.0.trailing_zeros() as u8..end).map(ServerId).filter(move |&id| self.contains(id))
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

impl Read for ServerId {
    fn read(json: Json) -> Result<ServerId, ReadError> {
        u8::read(json).map(ServerId)
    }
}

impl Read for ClientId {
    fn read(json: Json) -> Result<ClientId, ReadError> {
        u16::read(json).map(ClientId)
    }
}

deserialize_as_read!(Node, ServerSet);

/// A server as its number, a client as `"C1"`, as they are written.
impl Read for Node {
    fn read(json: Json) -> Result<Node, ReadError> {
        let Json::Text(text) = &json else { return checked_server(ServerId::read(json)?).map(Node::Server) };
        let number = text.strip_prefix('C').and_then(|number| number.parse::<u16>().ok()).map(ClientId);
        match number.filter(|client| client.is_valid() && client.to_string() == *text) {
            Some(client) => Ok(Node::Client(client)),
            None => Err(ReadError::new(ValueError::NoNode { text: text.chars().take(40).collect() })),
        }
    }
}

/// A link, as a list of its two ends.
impl Read for (Node, Node) {
    fn read(json: Json) -> Result<(Node, Node), ReadError> {
        match <[Node; 2]>::try_from(Vec::<Node>::read(json)?) {
            Ok([a, b]) => Ok((a, b)),
            Err(ends) => Err(ReadError::new(ValueError::LinkEnds { count: ends.len() })),
        }
    }
}

fn checked_server(id: ServerId) -> Result<ServerId, ReadError> {
    match (1..=MAX_MACHINE_ID).contains(&id.0) {
        true => Ok(id),
        false => Err(out_of_range(id.0, 1, MAX_MACHINE_ID.into())),
    }
}

impl Read for ServerSet {
    fn read(json: Json) -> Result<ServerSet, ReadError> {
        let ids = Vec::<ServerId>::read(json)?;
        ids.into_iter().map(checked_server).collect()
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
        let error = Json::parse("[1,177]").and_then(ServerSet::read).unwrap_err();
        assert!(error.to_string().contains("177 is not a whole number from 1 to 63"));
    }
}
