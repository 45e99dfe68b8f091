//! The four-letter words that servers answer (`FourLetterCommands.java`).

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
    pub const ALL: &[Name] = &[
        "conf", "cons", "crst", "dirs", "dump", "envi", "gtmk", "hash", "isro", "mntr", "ruok", "srst", "srvr",
        "stat", "stmk", "wchc", "wchp", "wchs",
    ];

    /// The one that is spelt so.
    pub fn named(text: &str) -> Option<FourLetterWord> {
        FourLetterWord::ALL.iter().find(|known| **known == text).map(|known| FourLetterWord(known))
    }

    /// What a server reads of a text that is sent to it: four bytes, and what comes behind them. Anything else is the length of a
    /// packet to it, and much too large.
    pub fn read_from(text: &str) -> Option<(FourLetterWord, &str)> {
        let (word, rest) = text.split_at_checked(4)?;
        Some((FourLetterWord::named(word)?, rest))
    }

    /// The word itself.
    pub fn name(self) -> Name {
        self.0
    }

    /// What says most of an answer, a line or the value in it: of `srvr` and `mntr` what the server is, of `dump` how many have
    /// ephemeral nodes.
    pub fn telling(self, answer: &[Rc<str>]) -> &str {
        let begins = match self.0 {
            "srvr" | "stat" => "Mode: ",
            "mntr" => "zk_server_state",
            "dump" => "Sessions with Ephemerals",
            "conf" => "serverId=",
            "envi" => "zookeeper.version",
            _ => "",
        };
        let line = answer.iter().find(|line| line.starts_with(begins)).or(answer.first());
        line.and_then(|line| line.trim().rsplit('\t').next()).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_most_is_found_and_what_is_short_is_said_whole() {
        let telling = |word: &str, lines: &[&str]| {
            let lines: Vec<Rc<str>> = lines.iter().map(|line| Rc::from(*line)).collect();
            FourLetterWord::named(word).expect("a known word").telling(&lines).to_string()
        };
        assert_eq!(telling("srvr", &["Zookeeper version: 3.9", "Mode: leader", "Node count: 5"]), "Mode: leader");
        assert_eq!(telling("mntr", &["zk_version\t3.9", "zk_server_state\tleader"]), "leader");
        assert_eq!(telling("isro", &["rw"]), "rw");
        assert_eq!(telling("srvr", &["This ZooKeeper instance is not currently serving requests"]).len(), 57);
        assert_eq!([telling("wchs", &[]), telling("cons", &[""])], ["", ""]);
    }

    #[test]
    fn four_bytes_are_read_and_the_rest_is_left() {
        let read = |text| FourLetterWord::read_from(text).map(|(word, rest)| (word.name(), rest));
        assert_eq!(read("srvr"), Some(("srvr", "")));
        assert_eq!([read("srvr\n"), read("stmk12345678")], [Some(("srvr", "\n")), Some(("stmk", "12345678"))]);
        assert_eq!([read("SRVR"), read("srv"), read("xxxx\n"), read("é€")], [None; 4]);
    }
}
