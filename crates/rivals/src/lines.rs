//! The lines that a client does, one after the other: those of its program, and what is typed at it.

use std::collections::VecDeque;

use crate::base::rows::Rows;

/// Most lines that wait at a console.
const MOST_TYPED: usize = 10_000;

/// What a client's program consists of.
#[derive(Clone, Debug)]
pub struct Script<C> {
    /// Its lines.
    pub lines: Vec<C>,
    /// Whether it begins again after the last one.
    pub repeat: bool,
}

/// How far a client has come.
#[derive(Clone, Debug)]
pub(crate) struct Lines<C> {
    /// The program's next line.
    next: usize,
    typed: VecDeque<C>,
}

impl<C> Default for Lines<C> {
    fn default() -> Lines<C> {
        Lines { next: 0, typed: VecDeque::new() }
    }
}

impl<C: Clone> Lines<C> {
    /// A line is typed; whether there is room for it.
    pub(crate) fn take(&mut self, command: C) -> bool {
        let room = self.typed.len() < MOST_TYPED;
        if room {
            self.typed.push_back(command);
        }
        room
    }

    /// The line to be done now. What is typed comes first.
    pub(crate) fn pop(&mut self, script: &Script<C>) -> Option<C> {
        if let Some(command) = self.typed.pop_front() {
            return Some(command);
        }
        if self.next >= script.lines.len() && script.repeat {
            self.next = 0;
        }
        let command = script.lines.get(self.next).cloned()?;
        self.next += 1;
        Some(command)
    }

    /// For a reader.
    pub(crate) fn rows(&self, rows: &mut Rows) {
        rows.put("nextLine", &(self.next + 1));
        rows.put("typed", &self.typed.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_comes_before_the_program_which_may_begin_again() {
        let mut script = Script { lines: vec!["a", "b"], repeat: false };
        let mut lines = Lines::default();
        assert_eq!(lines.pop(&script), Some("a"));
        assert!(lines.take("typed"));
        let rest: Vec<_> = std::iter::from_fn(|| lines.pop(&script)).collect();
        assert_eq!(rest, ["typed", "b"]);
        script.repeat = true;
        assert_eq!(lines.pop(&script), Some("a"));
        assert!((0..MOST_TYPED).all(|_| lines.take("x")) && !lines.take("one too many"));
    }
}
