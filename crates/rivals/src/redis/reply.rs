//! What a server answers, in the five kinds of RESP2.

use serde::{Serialize, Serializer};
use std::fmt;

use super::line::quoted;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A status, as OK.
    Status(String),
    /// An error, with its code.
    Error(String),
    /// A number.
    Int(i64),
    /// A text.
    Bulk(String),
    /// No text: the null bulk.
    Nil,
    /// A list.
    Array(Vec<Reply>),
    /// No list: the null array, which EXEC and BLPOP answer.
    NilArray,
}

impl Reply {
    /// OK.
    pub fn ok() -> Reply {
        Reply::Status("OK".into())
    }

    /// An error.
    pub fn error(text: impl Into<String>) -> Reply {
        Reply::Error(text.into())
    }

    /// A text, or none.
    pub fn text(text: Option<impl Into<String>>) -> Reply {
        text.map_or(Reply::Nil, |text| Reply::Bulk(text.into()))
    }

    /// Some texts.
    pub fn texts(texts: impl IntoIterator<Item = impl Into<String>>) -> Reply {
        Reply::Array(texts.into_iter().map(|text| Reply::Bulk(text.into())).collect())
    }

    /// The number, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Reply::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The text of a status or a bulk.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Reply::Bulk(text) | Reply::Status(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is OK.
    pub fn is_ok(&self) -> bool {
        matches!(self, Reply::Status(text) if text == "OK")
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        matches!(self, Reply::Error(_))
    }
}

/// As redis-cli shows it, in one line.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Status(text) => f.write_str(text),
            Reply::Error(text) => write!(f, "(error) {text}"),
            Reply::Int(number) => write!(f, "(integer) {number}"),
            Reply::Bulk(text) => f.write_str(&quoted(text)),
            Reply::Nil | Reply::NilArray => f.write_str("(nil)"),
            Reply::Array(items) if items.is_empty() => f.write_str("(empty array)"),
            Reply::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let blank = if number > 0 { " " } else { "" };
                    write!(f, "{blank}{}) {item}", number + 1)?;
                }
                Ok(())
            }
        }
    }
}

/// Written as the recordings write it: a text as a string, a number as itself, `null` for no text, a status and an error as objects.
impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Reply::Status(text) => s.collect_map([("status", text)]),
            Reply::Error(text) => s.collect_map([("error", text)]),
            Reply::Int(number) => number.serialize(s),
            Reply::Bulk(text) => text.serialize(s),
            Reply::Nil => s.serialize_none(),
            Reply::Array(items) => items.serialize(s),
            Reply::NilArray => s.collect_map([("nullArray", true)]),
        }
    }
}
