//! What a query answers.

use std::fmt;
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError};
use crate::base::{Arrange, ClientId, Micros, ServerId};

/// A value of a fact's field, or made of such values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// There is none: the moment never came, or the fact has no such field.
    Nothing,
    /// Whether something is so.
    Truth(bool),
    /// A number; times are µs.
    Number(i64),
    /// A text, as it stands in the fact: a zxid is `1:2`.
    Text(Rc<str>),
    /// Several.
    List(Vec<Value>),
}

/// How a value is written in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A machine's number as its name: S2.
    Server,
    /// A client's number as its name: C1.
    Client,
    /// A number, a zxid, a text, as it is.
    Plain,
    /// µs as whole milliseconds.
    Ms,
    /// µs as seconds with a tenth.
    Seconds,
}

impl Value {
    /// Whether it is true; what is no truth is not.
    pub fn holds(&self) -> bool {
        *self == Value::Truth(true)
    }

    /// The number that it is.
    pub fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Its parts, where it is a list; itself, where it is anything else; none of nothing.
    pub fn items(&self) -> &[Value] {
        match self {
            Value::Nothing => &[],
            Value::List(items) => items,
            one => std::slice::from_ref(one),
        }
    }

    /// The same items whatever their order, each once.
    pub fn as_set(&self) -> Vec<Value> {
        let mut items = self.items().to_vec();
        items.arrange();
        items.dedup();
        items
    }

    /// It as a viewer reads it.
    pub fn written(&self, shown: Shown) -> String {
        match (self, shown) {
            (Value::Number(id), Shown::Server) => {
                u8::try_from(*id).map_or(id.to_string(), |id| ServerId(id).to_string())
            }
            (Value::Number(id), Shown::Client) => {
                u16::try_from(*id).map_or(id.to_string(), |id| ClientId(id).to_string())
            }
            (Value::Number(us), Shown::Ms) => ((*us + 500).div_euclid(1_000)).to_string(),
            (Value::Number(us), Shown::Seconds) => {
                let tenths = (*us + 50_000).div_euclid(100_000);
                format!("{}.{}", tenths.div_euclid(10), tenths.rem_euclid(10))
            }
            (Value::List(items), _) => items.iter().map(|item| item.written(shown)).collect::<Vec<_>>().join(", "),
            (other, _) => other.to_string(),
        }
    }

    /// What a JSON value of a fact says.
    pub(super) fn of(json: &Json) -> Value {
        match json {
            Json::Null | Json::Object(_) => Value::Nothing,
            Json::Bool(truth) => Value::Truth(*truth),
            Json::Natural(number) => i64::try_from(*number).map_or(Value::Nothing, Value::Number),
            Json::Negative(number) => Value::Number(*number),
            Json::Text(text) => Value::Text(text.as_str().into()),
            Json::List(items) => Value::List(items.iter().map(Value::of).collect()),
        }
    }

    /// It as JSON, to be put into an action.
    pub(super) fn to_json(&self) -> Json {
        match self {
            Value::Nothing => Json::Null,
            Value::Truth(truth) => Json::Bool(*truth),
            Value::Number(number) => u64::try_from(*number).map_or(Json::Negative(*number), Json::Natural),
            Value::Text(text) => Json::Text(text.to_string()),
            Value::List(items) => Json::List(items.iter().map(Value::to_json).collect()),
        }
    }
}

/// As it stands in a fact.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => f.write_str("–"),
            Value::Truth(truth) => truth.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
            Value::List(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(at, item)| write!(f, "{}{item}", if at > 0 { ", " } else { "" })),
        }
    }
}

impl Read for Value {
    fn read(json: Json) -> Result<Value, ReadError> {
        Ok(Value::of(&json))
    }
}

/// A time as a value.
pub(super) fn micros(us: Micros) -> Value {
    Value::Number(i64::try_from(us).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_what_they_stand_for() {
        let two = Value::Number(2);
        assert_eq!((two.written(Shown::Server), two.written(Shown::Client)), ("S2".into(), "C2".into()));
        assert_eq!(Value::Number(40).written(Shown::Server), ServerId(40).to_string());
        assert_eq!(Value::Number(1_499).written(Shown::Ms), "1");
        assert_eq!(Value::Number(3_960_000).written(Shown::Seconds), "4.0");
        assert_eq!(Value::List(vec![two.clone(), Value::Number(3)]).written(Shown::Server), "S2, S3");
        assert_eq!(Value::List(vec![two.clone(), Value::Number(1), two]).as_set().len(), 2);
    }
}
