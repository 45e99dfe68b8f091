//! The four-letter words that servers answer.

use serde::{Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

use crate::base::Name;
use crate::base::json::{Json, Read, ReadError, deserialize_as_read};

/// One of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FourLetterWord(Name);

impl FourLetterWord {
    /// All that are known, sorted.
    pub const ALL: &[Name] =
        &["conf", "cons", "dump", "isro", "mntr", "ruok", "srvr", "stat", "wchc", "wchp", "wchs"];

    /// The one that is spelt so.
    pub fn named(text: &str) -> Option<FourLetterWord> {
        FourLetterWord::ALL.iter().find(|known| **known == text).map(|known| FourLetterWord(known))
    }

    /// The word itself.
    pub fn name(self) -> Name {
        self.0
    }

    /// Which line of an answer says most: of `srvr` and `mntr` what the server is, of `dump` who has ephemeral nodes.
    pub fn telling(self, answer: &[Rc<str>]) -> &str {
        let begins = match self.0 {
            "srvr" | "stat" => "Mode: ",
            "mntr" => "zk_server_state",
            "dump" => "Sessions with Ephemerals",
            "conf" => "serverId=",
            _ => "",
        };
        let line = answer.iter().find(|line| line.starts_with(begins)).or(answer.first());
        line.map_or("", |line| line.trim())
    }
}

impl fmt::Display for FourLetterWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for FourLetterWord {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.0)
    }
}

deserialize_as_read!(FourLetterWord);

impl Read for FourLetterWord {
    fn read(json: Json) -> Result<FourLetterWord, ReadError> {
        let text = String::read(json)?;
        FourLetterWord::named(&text).ok_or_else(|| ReadError::unknown_name(&text, FourLetterWord::ALL.to_vec()))
    }
}
