//! What is typed at a client, and what its program consists of.

use std::fmt;
use std::rc::Rc;

use crate::base::json::{ReadError, short};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};

const KNOWN: &[&str] = &["write KEY VALUE", "read KEY", "sleep MS"];

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Writes, and waits until that is done or has failed.
    Write(Rc<str>, Rc<str>),
    /// Reads.
    Read(Rc<str>),
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
        let command = match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["write", key, value] => Some(Command::Write(key.into(), value.into())),
            ["read", key] => Some(Command::Read(key.into())),
            ["sleep", ms] => ms.parse().ok().filter(|ms| *ms <= MAX_DURATION_US / 1000).map(Command::Sleep),
            _ => None,
        };
        command.ok_or_else(|| ReadError::unknown_name(line, KNOWN.to_vec()))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Write(key, value) => write!(f, "write {key} {value}"),
            Command::Read(key) => write!(f, "read {key}"),
            Command::Sleep(ms) => write!(f, "sleep {ms}"),
        }
    }
}
