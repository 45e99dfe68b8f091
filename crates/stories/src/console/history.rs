//! The lines typed: numbered from 0 as zkCli does, the oldest forgotten, and walked through with the arrow keys.

use std::collections::VecDeque;

use crate::base::limits::MAX_HISTORY;

/// The lines typed.
#[derive(Clone, Debug, Default)]
pub struct History {
    lines: VecDeque<String>,
    /// The number of the oldest line still known.
    first: usize,
    /// Where the walk stands, as a place in `lines`; behind the last while nobody walks.
    at: usize,
    /// What was being typed when the walk began.
    draft: String,
}

impl History {
    /// The number that the next line gets.
    pub fn count(&self) -> usize {
        self.first + self.lines.len()
    }

    /// A line, unless it is forgotten or was never typed.
    pub fn get(&self, number: usize) -> Option<&str> {
        self.lines.get(number.checked_sub(self.first)?).map(String::as_str)
    }

    /// Adds a line and ends the walk.
    pub fn push(&mut self, line: &str) {
        if self.lines.len() == MAX_HISTORY {
            self.lines.pop_front();
            self.first += 1;
        }
        self.lines.push_back(line.to_string());
        self.at = self.lines.len();
        self.draft.clear();
    }

    /// Puts another line in the place of the last: `redo` leaves what it did.
    pub(super) fn replace_last(&mut self, line: &str) {
        if let Some(last) = self.lines.back_mut() {
            *last = line.to_string();
        }
    }

    /// The last eleven lines with their numbers, as `history` prints them.
    pub(super) fn listing(&self) -> Vec<String> {
        let oldest = self.count().saturating_sub(11).max(self.first);
        (oldest..self.count()).map(|number| format!("{number} - {}", self.get(number).unwrap_or(""))).collect()
    }

    /// The line before, for the key ↑; `typed` is what stands in the field now. `None` at the oldest.
    pub fn up(&mut self, typed: &str) -> Option<&str> {
        if self.at >= self.lines.len() {
            self.at = self.lines.len();
            self.draft = typed.to_string();
        }
        self.at = self.at.checked_sub(1)?;
        self.lines.get(self.at).map(String::as_str)
    }

    /// The line after, for the key ↓; behind the last what was being typed. `None` while nobody walks.
    pub fn down(&mut self) -> Option<&str> {
        if self.at >= self.lines.len() {
            return None;
        }
        self.at += 1;
        Some(self.lines.get(self.at).unwrap_or(&self.draft))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrows_walk_and_give_the_draft_back() {
        let mut history = History::default();
        assert_eq!(history.up("x"), None);
        assert_eq!(history.down(), None);
        history.push("ls /");
        history.push("get /a");
        assert_eq!(history.up("dra"), Some("get /a"));
        assert_eq!(history.up("get /a"), Some("ls /"));
        assert_eq!(history.up("ls /"), None);
        assert_eq!(history.down(), Some("get /a"));
        assert_eq!(history.down(), Some("dra"));
        assert_eq!(history.down(), None);
    }

    #[test]
    fn numbers_stay_when_old_lines_go() {
        let mut history = History::default();
        for number in 0..MAX_HISTORY + 3 {
            history.push(&format!("get /{number}"));
        }
        assert_eq!(history.get(2), None);
        assert_eq!(history.get(3), Some("get /3"));
        assert_eq!(history.count(), MAX_HISTORY + 3);
        assert_eq!(history.listing().len(), 11);
        assert_eq!(history.listing()[10], "502 - get /502");
    }
}
