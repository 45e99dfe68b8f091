//! Why bytes are no record.

use std::fmt;

/// What is wrong with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JuteError {
    /// They end too early.
    Short {
        /// How many bytes should come.
        wanted: usize,
        /// How many do.
        left: usize,
    },
    /// A length or a count is none: negative and not -1, or more than what is left.
    Length {
        /// The number that stands there.
        length: i32,
        /// How many bytes are left behind it.
        left: usize,
    },
    /// A text or a record is null that may not be.
    Null,
    /// The length of a frame is negative, or above `jute.maxbuffer`.
    Frame {
        /// The number that stands there.
        length: i32,
        /// The most that is taken, bytes.
        most: usize,
    },
    /// A number has no meaning in its place.
    Number {
        /// What it should be.
        what: &'static str,
        /// The number.
        number: i32,
    },
}

impl fmt::Display for JuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JuteError::Short { wanted, left } => write!(f, "{wanted} bytes should come, and {left} do"),
            JuteError::Length { length, left } => {
                write!(f, "a length of {length} stands there, and {left} bytes are left")
            }
            JuteError::Null => f.write_str("something is null that may not be"),
            JuteError::Frame { length, most } => {
                write!(f, "a frame of {length} bytes is announced, and at most {most} are taken")
            }
            JuteError::Number { what, number } => write!(f, "{number} is no {what}"),
        }
    }
}

impl std::error::Error for JuteError {}
