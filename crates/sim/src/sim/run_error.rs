//! Why a run is not opened, changed or played on, as a type: each language has its own words for it.

use std::fmt;

use crate::base::SimTime;
use crate::base::json::ReadError;
use crate::base::limits::{MAX_ACTIONS, MAX_RUN_BYTES};

/// Why something cannot be done with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum RunError {
    /// A value in it does not fit.
    Value(ReadError),
    /// Its text has so many bytes, more than [`MAX_RUN_BYTES`].
    TooLarge { bytes: usize },
    /// A setting as it was written, and what is wrong with its value.
    Setting { setting: String, why: ReadError },
    /// Not `key=value`.
    NotASetting { setting: String },
    /// A scenario has no such parameter.
    NoParameter { scenario: &'static str, name: String },
    /// Another run cannot go on here: seed, setup or what was done already differ.
    OtherBeginning,
    /// The run holds [`MAX_ACTIONS`] actions.
    Full,
    /// There is no action with this index.
    NoAction,
    /// There is no turning point with this number, but so many.
    NoTurn { number: u64, there: u64 },
    /// More than so many steps lie on the way; where it stopped.
    TooFar { steps: u64, stopped: SimTime },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Value(read_error) => read_error.fmt(f),
            RunError::TooLarge { bytes } => {
                write!(f, "{bytes} bytes are too many for a run: {MAX_RUN_BYTES} are allowed")
            }
            RunError::Setting { setting, why } => write!(f, "'{setting}': {why}"),
            RunError::NotASetting { setting } => write!(f, "'{setting}': write key=value"),
            RunError::NoParameter { scenario, name } => write!(f, "{scenario} has no parameter {name}"),
            RunError::OtherBeginning => f.write_str("another run cannot continue here: it begins differently"),
            RunError::Full => write!(f, "the run already holds {MAX_ACTIONS} actions, the most it can"),
            RunError::NoAction => f.write_str("there is no such action"),
            RunError::NoTurn { number, there } => write!(f, "no milestone {number}: there are {there}"),
            RunError::TooFar { steps, stopped } => {
                write!(f, "more than {steps} steps on the way: stopped at {} ms", stopped.as_ms())
            }
        }
    }
}

impl std::error::Error for RunError {}

impl From<ReadError> for RunError {
    fn from(read_error: ReadError) -> RunError {
        RunError::Value(read_error)
    }
}
