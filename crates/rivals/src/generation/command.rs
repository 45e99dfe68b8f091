//! What is typed at a client, in etcdctl's words, and what its program consists of.

use serde::Serialize;
use std::fmt;
use std::rc::Rc;

use crate::base::ServerId;
use crate::base::json::{ReadError, short};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};

use super::log::Put;

/// The commands, as a complaint lists them.
const KNOWN: &[&str] = &["put KEY VALUE", "get KEY", "get KEY --consistency=s", "endpoint G1", "sleep MS"];

/// What a client asks of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Ask {
    /// A write.
    Put(Put),
    /// A read.
    Get {
        /// Of which key.
        key: Rc<str>,
        /// Of the server's own state, however old (`--consistency=s`, "serializable"); otherwise the leader makes sure first that it
        /// still leads.
        local: bool,
    },
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Put(Put { key, value }) => write!(f, "put {key} {value}"),
            Ask::Get { key, local: false } => write!(f, "get {key}"),
            Ask::Get { key, local: true } => write!(f, "get {key} --consistency=s"),
        }
    }
}

/// A line of a client's program or console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks, and waits for the answer.
    Ask(Ask),
    /// Speaks to this server from now on.
    Endpoint(ServerId),
    /// Does nothing for so long, ms.
    Sleep(u64),
}

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// It is none of the commands, or too long.
    pub fn parse(line: &str) -> Result<Command, ReadError> {
        short("", line, MAX_PAYLOAD_BYTES)?;
        let mut words = line.split_whitespace();
        let (name, words) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
        let get = |key: &str, local| Command::Ask(Ask::Get { key: key.into(), local });
        let command = match (name, &words[..]) {
            ("put", [key, value]) => {
                Some(Command::Ask(Ask::Put(Put { key: Rc::from(*key), value: Rc::from(*value) })))
            }
            ("get", [key]) => Some(get(key, false)),
            ("get", [key, "--consistency=l"]) => Some(get(key, false)),
            ("get", [key, "--consistency=s"]) => Some(get(key, true)),
            ("endpoint", [server]) => {
                ServerId::named(server).filter(|_| server.starts_with('G')).map(Command::Endpoint)
            }
            ("sleep", [ms]) => ms.parse().ok().filter(|ms| *ms <= MAX_DURATION_US / 1000).map(Command::Sleep),
            _ => None,
        };
        command.ok_or_else(|| ReadError::unknown_name(line, KNOWN.to_vec()))
    }
}
