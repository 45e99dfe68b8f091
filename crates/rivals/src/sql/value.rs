//! What stands in a column.

use serde::{Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError};

/// A value. Moments are numbers: ms by the clock of the server that wrote them. `NULL` comes before everything, as in
/// an index of InnoDB.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// `NULL`.
    Null,
    /// A number, or a moment.
    Int(i64),
    /// A text.
    Text(Rc<str>),
}

impl Value {
    /// A text.
    pub fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    /// The number, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }
}

/// As it is written in a statement.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("NULL"),
            Value::Int(number) => number.fmt(f),
            Value::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => s.serialize_none(),
            Value::Int(number) => s.serialize_i64(*number),
            Value::Text(text) => s.serialize_str(text),
        }
    }
}

impl Read for Value {
    fn read(json: Json) -> Result<Value, ReadError> {
        match json {
            Json::Null => Ok(Value::Null),
            Json::Text(text) => Ok(Value::text(&text)),
            number => i64::read(number).map(Value::Int),
        }
    }
}
