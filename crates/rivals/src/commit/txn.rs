//! What a transaction is: its number, what it does at each participant, how a person writes that down, votes and decisions.

use serde::Serialize;
use std::fmt;

use crate::base::{ServerId, SortedMap};

/// Most items in one transaction.
const MAX_ITEMS: usize = 64;
/// Longest name of an item, bytes.
const MAX_NAME: usize = 32;
/// The largest number that a line may write: sums of them stay far from the end of their type.
const MAX_NUMBER: i64 = 1_000_000_000_000;

/// A transaction, by the coordinator's start, which it has on disk before it gives out the first number, and a count. So no number
/// is given out twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Txn {
    /// Which start of the coordinator, from 1.
    pub start: u32,
    /// Its number since then, from 1.
    pub number: u32,
}

impl fmt::Display for Txn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}.{}", self.start, self.number)
    }
}

impl Serialize for Txn {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// All of it is done.
    Commit,
    /// None of it is done.
    Abort,
}

impl Decision {
    /// Its name, as of the message that tells it.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Commit => "COMMIT",
            Decision::Abort => "ABORT",
        }
    }
}

/// What a participant answers to PREPARE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Vote {
    /// It can do its part whatever happens to it.
    Yes,
    /// It cannot.
    No,
    /// It has changed nothing: the decision is nothing to it.
    Read,
}

/// What is done to an item. An item that nobody has written is 0, and none may become negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It becomes this.
    Set(i64),
    /// This is added.
    Add(i64),
    /// It is read.
    Read,
}

/// An item of a participant, and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What is done.
    pub change: Change,
}

impl Item {
    /// Whether it is only read.
    pub fn is_read(&self) -> bool {
        self.change == Change::Read
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.change {
            Change::Set(to) => write!(f, "{name}={to}"),
            Change::Add(by) if by < 0 => write!(f, "{name}-={}", by.unsigned_abs()),
            Change::Add(by) => write!(f, "{name}+={by}"),
            Change::Read => write!(f, "{name}?"),
        }
    }
}

impl Serialize for Item {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// What a transaction does at each of its participants.
pub type Work = SortedMap<ServerId, Vec<Item>>;

/// Items as a line says them.
pub(super) fn items_text(items: &[Item]) -> String {
    items.iter().map(Item::to_string).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a line of the console.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum LineError {
    /// There is nothing on it.
    Empty,
    /// There are more items than a transaction may have.
    TooMany {
        /// How many it may have.
        most: usize,
    },
    /// There is no such participant.
    NoParticipant {
        /// What stands before the colon.
        name: String,
    },
    /// Not a time to sleep.
    NoTime {
        /// The longest, ms.
        most: u64,
    },
    /// Not an item and what is done to it.
    NoItem {
        /// The word.
        word: String,
    },
}

/// As much of a word as a sentence can carry.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Reads what a transaction does: words such as `P1:x=5`, `P2:y+=1`, `P2:y-=1` and `P3:z?` (only read). Without a participant
/// it is done at each of them.
///
/// # Errors
/// The first word that is none of these.
pub fn parse_work(text: &str, participants: u8) -> Result<Work, LineError> {
    let (mut work, mut count) = (Work::new(), 0);
    for word in text.split_whitespace() {
        let (place, rest) = word.split_once(':').map_or((None, word), |(place, rest)| (Some(place), rest));
        let item = parse_item(rest).ok_or_else(|| LineError::NoItem { word: short(word) })?;
        for participant in places(place, participants)? {
            count += 1;
            if count > MAX_ITEMS {
                return Err(LineError::TooMany { most: MAX_ITEMS });
            }
            work.get_or_default(participant).push(item.clone());
        }
    }
    if work.is_empty() { Err(LineError::Empty) } else { Ok(work) }
}

/// Where something is done.
fn places(name: Option<&str>, participants: u8) -> Result<Vec<ServerId>, LineError> {
    let all = super::participants(participants);
    let Some(name) = name else { return Ok(all.iter().collect()) };
    let named = ServerId::named(name).filter(|id| all.contains(*id));
    named.map(|id| vec![id]).ok_or_else(|| LineError::NoParticipant { name: short(name) })
}

fn parse_item(text: &str) -> Option<Item> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| (0..=MAX_NUMBER).contains(number));
    let (name, change) = if let Some(name) = text.strip_suffix('?') {
        (name, Change::Read)
    } else if let Some((name, by)) = text.split_once("+=") {
        (name, Change::Add(number(by)?))
    } else if let Some((name, by)) = text.split_once("-=") {
        (name, Change::Add(-number(by)?))
    } else {
        let (name, to) = text.split_once('=')?;
        (name, Change::Set(number(to)?))
    };
    let fits = (1..=MAX_NAME).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then(|| Item { name: name.into(), change })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_written_alike() {
        let work = parse_work("P1:a-=50 P2:b+=50 c=1 P3:d?", 3).unwrap();
        let texts: Vec<String> = work.iter().map(|(id, items)| format!("{id}: {}", items_text(items))).collect();
        assert_eq!(texts, ["P1: a-=50 c=1", "P2: b+=50 c=1", "P3: c=1 d?"]);
    }

    #[test]
    fn what_is_no_item_is_refused_in_words_that_name_it() {
        for (line, error) in [
            ("  ", LineError::Empty),
            ("P4:x=1", LineError::NoParticipant { name: "P4".into() }),
            ("TC1:x=1", LineError::NoParticipant { name: "TC1".into() }),
            ("x=1 y", LineError::NoItem { word: "y".into() }),
            ("x=-1", LineError::NoItem { word: "x=-1".into() }),
            ("=1", LineError::NoItem { word: "=1".into() }),
            ("P1:x=99999999999999999999", LineError::NoItem { word: "P1:x=99999999999999999999".into() }),
        ] {
            assert_eq!(parse_work(line, 3), Err(error), "{line}");
        }
        let many = "x=1 ".repeat(MAX_ITEMS / 3 + 1);
        assert_eq!(parse_work(&many, 3), Err(LineError::TooMany { most: MAX_ITEMS }));
    }
}
