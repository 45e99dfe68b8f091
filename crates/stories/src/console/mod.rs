//! zkCli 3.9, or 3.8, as a library: what a typed line asks for, which calls it takes, and the words in which zkCli tells what came
//! of them (`ZooKeeperMain.java`, the package `cli`). Without browser.
//!
//! [`ConsoleHost`] sits at a run: it has a [`Console`] for each client, makes its calls and reads their outcomes. A [`Console`] knows
//! no world: it takes lines, hands out calls and is told their outcomes. Below it [`parse()`] makes a
//! [`Command`] of a line and [`Running`] carries one out. Everything zkCli says stays in its own English; whatever is
//! ours to say is a [`Note`], so that a page can say it in its reader's language.

mod acl;
mod command;
mod complete;
mod encode;
mod history;
mod host;
mod options;
mod parse;
mod quota;
mod running;
mod session;
mod spec;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use command::{Action, Command, ConsoleError, Each, Effect, Form, Local, Operation, QuotaCommand, Show};
pub use complete::{Completion, Known, complete};
pub use history::History;
pub use host::{Cli, ConsoleHost, Entry, prompt, state_of};
pub use parse::{parse, parse_as};
pub use running::{Progress, Running};
pub use session::{Asked, Console, Step};
pub use spec::{Spec, Takes, commands};
pub use text::{event_lines, stat_lines};

use std::fmt;

use crate::base::json::ReadError;
use crate::base::limits::MAX_LINE_BYTES;

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What a command printed.
    Output,
    /// What went wrong, in zkCli's words.
    Error,
    /// A watch fired, or the connection changed.
    Event,
    /// Ours, not zkCli's.
    Note(Note),
}

/// What zkCli does not say. The text here is the English one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A write failed without an answer.
    InDoubt,
    /// A line is longer than the console reads.
    LineTooLong,
    /// A request is larger than can be carried; the words say of what.
    TooLarge(ReadError),
    /// Not the name of a server.
    NoServer(String),
    /// There zkCli ends by an exception; here it goes on.
    Ends,
    /// A command is still running.
    Busy,
    /// Nobody waits any longer for a command's answers.
    GivenUp,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::InDoubt => f.write_str(
                "No answer came. If the request was sent, the write may have been applied, or may still be.",
            ),
            Note::LineTooLong => write!(f, "Line too long: the limit is {MAX_LINE_BYTES} bytes."),
            Note::TooLarge(what) => write!(f, "{what}"),
            Note::NoServer(name) => write!(f, "'{name}' is not a server. Example: connect S2"),
            Note::Ends => f.write_str("The real zkCli ends here, with exit code 1."),
            Note::Busy => f.write_str("The last command is still waiting for its answer."),
            Note::GivenUp => f.write_str("No longer waiting. The request may still take effect."),
        }
    }
}

/// A line of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub kind: Kind,
    /// The text.
    pub text: String,
}

impl Line {
    /// Something printed.
    pub fn output(text: impl Into<String>) -> Line {
        Line { kind: Kind::Output, text: text.into() }
    }

    /// An error.
    pub fn error(text: impl Into<String>) -> Line {
        Line { kind: Kind::Error, text: text.into() }
    }

    /// Something of ours.
    pub fn note(note: Note) -> Line {
        Line { text: note.to_string(), kind: Kind::Note(note) }
    }
}
