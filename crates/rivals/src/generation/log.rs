//! The replicated log: entries numbered from 1, each with the term of the leader that made it.

use serde::Serialize;
use std::fmt;
use std::rc::Rc;

/// What a client writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Put {
    /// Under which key.
    pub key: Rc<str>,
    /// What.
    pub value: Rc<str>,
}

impl fmt::Display for Put {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// An entry. One without a write is the first of its leader's term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The term of the leader that made it.
    pub term: u64,
    /// The write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put: Option<Put>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.put {
            Some(put) => put.fmt(f),
            None => f.write_str("∅"),
        }
    }
}

/// An entry's term and index. Of two logs the one whose last entry comes later in this order is more up to date: the term counts
/// first (`log.go` `isUpToDate`). Zero and zero stand before the first entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The term.
    pub term: u64,
    /// The index, from 1.
    pub index: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.term, self.index)
    }
}

/// A log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Log(Vec<Entry>);

impl Log {
    /// The index of the last entry.
    pub(super) fn last_index(&self) -> u64 {
        self.0.len() as u64
    }

    /// The last entry's place.
    pub(super) fn last(&self) -> Position {
        Position { term: self.0.last().map_or(0, |entry| entry.term), index: self.last_index() }
    }

    /// The entry at an index.
    pub(super) fn entry(&self, index: u64) -> Option<&Entry> {
        usize::try_from(index.checked_sub(1)?).ok().and_then(|place| self.0.get(place))
    }

    /// The term at an index; 0 before the first, none behind the last.
    pub(super) fn term_at(&self, index: u64) -> Option<u64> {
        if index == 0 { Some(0) } else { self.entry(index).map(|entry| entry.term) }
    }

    /// Entries from an index on, at most so many.
    pub(super) fn from(&self, index: u64, most: usize) -> Vec<Entry> {
        let before = usize::try_from(index.saturating_sub(1)).unwrap_or(usize::MAX);
        self.0.iter().skip(before).take(most).cloned().collect()
    }

    /// Adds an entry; its index.
    pub(super) fn push(&mut self, entry: Entry) -> u64 {
        self.0.push(entry);
        self.last_index()
    }

    /// Takes away the entry at this index and all behind it.
    pub(super) fn cut(&mut self, index: u64) {
        self.0.truncate(usize::try_from(index.saturating_sub(1)).unwrap_or(usize::MAX));
    }

    /// Replaces everything from an index on.
    pub(super) fn replace(&mut self, index: u64, entries: &[Entry]) {
        self.cut(index);
        self.0.extend_from_slice(entries);
    }

    /// The entries with their indexes.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &Entry)> + ExactSizeIterator {
        self.0.iter().enumerate().map(|(place, entry)| (place as u64 + 1, entry))
    }
}
