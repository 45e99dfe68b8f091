//! What a message says to a lesson, before it is held against the question: the name of a beat, an answer.

use crate::base::json::{Json, Read, ReadError, at_most, short};

/// Longest name of a beat or of somebody in an answer, bytes.
const LONGEST_NAME: usize = 40;
/// Most names in one answer.
const MOST_NAMED: usize = 64;

/// Which beat is meant: its name, or its number from 1 as a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeatName(pub String);

impl Read for BeatName {
    fn read(json: Json) -> Result<BeatName, ReadError> {
        let name = match json {
            Json::Natural(number) => number.to_string(),
            other => String::read(other)?,
        };
        short("", &name, LONGEST_NAME).map(|()| BeatName(name))
    }
}

/// An answer from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nobody, or now.
    Nothing,
    /// The number of an option or a machine, of things, of ms; a name; a zxid.
    One(String),
    /// Several names or numbers.
    List(Vec<String>),
}

impl Read for Given {
    fn read(json: Json) -> Result<Given, ReadError> {
        match json {
            Json::Null => Ok(Given::Nothing),
            Json::List(items) => {
                at_most("", items.len(), MOST_NAMED)?;
                let one = |(at, item)| one(item).map_err(|error| error.within(&format!("[{at}]")));
                items.into_iter().enumerate().map(one).collect::<Result<_, _>>().map(Given::List)
            }
            other => one(other).map(Given::One),
        }
    }
}

fn one(json: Json) -> Result<String, ReadError> {
    BeatName::read(json).map(|BeatName(text)| text)
}
