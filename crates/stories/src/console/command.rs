//! What a line asks for.

use std::fmt;
use std::rc::Rc;

use crate::base::ServerId;
use crate::client::Call;
use crate::sim;
use crate::wire::{Acl, PathError, StatsTrack};

use super::Note;

/// A command, ready to be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it does.
    pub action: Action,
    /// What zkCli remarks before: an old way of writing, a part of a list that it leaves out.
    pub hints: Vec<String>,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It calls the ensemble.
    Ask(Operation),
    /// It is the console's own.
    Local(Local),
    /// It is for whoever holds the client.
    Effect(Effect),
}

/// A command that calls the ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One call.
    One {
        /// The call.
        call: Call,
        /// How its answer is shown.
        show: Show,
    },
    /// A node and everything below it, depth first (`ZKUtil.visitSubTreeDFS`).
    Walk {
        /// The topmost node.
        path: Rc<str>,
        /// Whether each read sets a watch.
        watch: bool,
        /// What is done at each.
        each: Each,
    },
    /// Sets, lists or deletes a quota.
    Quota {
        /// Of which node.
        path: Rc<str>,
        /// What is done.
        what: QuotaCommand,
    },
    /// Lists a node and everything below it, then deletes from the leaves up (`ZKUtil.deleteRecursive`).
    DeleteAll {
        /// The topmost node.
        path: Rc<str>,
        /// How many nodes a multi deletes; 0: one after the other, without multi.
        batch: usize,
    },
}

/// What is done with a quota. Limits that are -1 are left as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaCommand {
    /// `setquota`: what is above -1 is set.
    Set(StatsTrack),
    /// `listquota`.
    List,
    /// `delquota`: these limits, or all that there is.
    Delete(Option<StatsTrack>),
}

/// What a walk does at each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Each {
    /// Prints its path (`ls -R`).
    Print,
    /// Sets its access control list (`setAcl -R`).
    SetAcl(Vec<Acl>, i32),
}

/// How the answer to a call is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Not at all.
    Nothing,
    /// `Created /a`.
    Created,
    /// `[a, b]`, then perhaps the Stat.
    Children(bool),
    /// The data, then perhaps the Stat.
    Data(Form, bool),
    /// `Committed new configuration:` and its text, then perhaps the Stat.
    Committed(bool),
    /// The Stat.
    Stat,
    /// Who may do what, then perhaps the Stat.
    Acl(bool),
    /// `Sync is OK`.
    Sync,
    /// `[/a, /b]`, or a number.
    Plain,
}

/// How data is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Text,
    /// As base64.
    Base64,
    /// As a table of bytes.
    Hex,
    /// As a connection string for clients (`config -c`).
    Servers,
}

/// A command that the console answers itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// The list of commands, or a command's usage line.
    Help(Option<String>),
    /// The last lines.
    History,
    /// A line of the history, again; without its number nothing happens.
    Redo(Option<i32>),
    /// Whether watch events are printed: tells, or switches.
    PrintWatches(Option<bool>),
    /// The version.
    Version,
}

/// A command for whoever holds the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Close the session.
    Close,
    /// Close the session and the console.
    Quit,
    /// Close the session and open one at another server, or at the same.
    Connect(Option<ServerId>),
    /// Add an identity to the client (`addAuthInfo`).
    AddAuth {
        /// The scheme.
        scheme: String,
        /// For digest `user:password`; none where the word is missing.
        auth: Option<String>,
    },
    /// Send a server a four-letter word, or any other text, from the machine on which the console is.
    FourLetter(ServerId, Rc<str>),
    /// Do something to a server's process, as one does in a shell on its machine.
    Machine(sim::Action),
    /// Empty the screen.
    Clear,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleError {
    /// There is nothing in it.
    Empty,
    /// zkCli does not know the command.
    NotFound(String),
    /// A word is missing, too many or none of those allowed: the usage, in lines.
    Usage(Vec<String>),
    /// In zkCli's words.
    Said(String),
    /// The path is none.
    Path(PathError),
    /// An exception that zkCli does not catch, with its message: there it ends.
    Thrown(String),
    /// Something of ours is in the way.
    Note(Note),
    /// What zkCli remarks before it comes to the mistake, and the mistake.
    Hinted(Vec<String>, Box<ConsoleError>),
}

impl fmt::Display for ConsoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConsoleError::Empty => f.write_str("No command entered"),
            ConsoleError::NotFound(name) => write!(f, "Command not found: Command not found {name}"),
            ConsoleError::Usage(lines) => f.write_str(&lines.join("\n")),
            ConsoleError::Said(text) => f.write_str(text),
            ConsoleError::Path(error) => error.fmt(f),
            ConsoleError::Thrown(exception) => write!(f, "Exception in thread \"main\" {exception}"),
            ConsoleError::Note(note) => note.fmt(f),
            ConsoleError::Hinted(hints, error) => write!(f, "{}\n{error}", hints.join("\n")),
        }
    }
}

impl std::error::Error for ConsoleError {}

impl ConsoleError {
    /// `Integer.parseInt` and its like refuse a text, and nobody catches it.
    pub(super) fn number(text: &str) -> ConsoleError {
        ConsoleError::Thrown(format!("java.lang.NumberFormatException: For input string: \"{text}\""))
    }

    /// An argument that is refused where nobody catches it.
    pub(super) fn illegal_argument(why: impl fmt::Display) -> ConsoleError {
        ConsoleError::Thrown(format!("java.lang.IllegalArgumentException: {why}"))
    }
}

impl From<Note> for ConsoleError {
    fn from(note: Note) -> ConsoleError {
        ConsoleError::Note(note)
    }
}

impl From<PathError> for ConsoleError {
    fn from(error: PathError) -> ConsoleError {
        ConsoleError::Path(error)
    }
}
