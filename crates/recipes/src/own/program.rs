//! A program as data: its lines, each with how far to the right it stands. Line n of the text is line n here, blank ones and comments
//! too, so a text and its program are two forms of one thing, and whoever edits one has edited the other.

use std::fmt;
use std::iter::successors;
use std::rc::Rc;

use crate::wire::{CreateMode, parent_of};

use super::forms::{Make, Section, Statement, Text};

/// A program that keeps all rules of the language: made by reading a text, or of lines by [`Program::of`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub(super) lines: Vec<Line>,
    pub(super) code: Vec<Code>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// How many blocks it stands in; a section or clause at the margin in none.
    pub depth: usize,
    /// What is to be done; empty where the line is, or is a comment.
    pub text: Rc<str>,
    /// The comment at its end, with its `#`; empty where there is none.
    pub comment: Rc<str>,
}

/// A line that does something, and how it hangs together with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// The line's number, from 1.
    pub line: usize,
    /// Where it begins, from 1.
    pub column: usize,
    pub what: Statement,
    /// The values that it uses.
    pub uses: Vec<Rc<str>>,
    /// The code that it stands below.
    pub parent: Option<usize>,
    /// The code behind all that stands below it.
    pub end: usize,
}

impl Program {
    /// Its lines; line n is the one with index n - 1.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether it has a section.
    pub fn has(&self, section: Section) -> bool {
        self.place_of(&Statement::Section { section }).is_some()
    }

    /// Where a section, or a clause for all requests, begins.
    pub(super) fn place_of(&self, what: &Statement) -> Option<usize> {
        self.code.iter().position(|code| code.parent.is_none() && code.what == *what)
    }

    /// The node that all that it does is about: the first part of the first path that it names.
    pub fn home(&self) -> Rc<str> {
        let mut named = self.code.iter().filter_map(|code| match code.what.path()? {
            Text::Path(path) => path.split('/').nth(1).filter(|name| !name.contains('{')),
            _ => None,
        });
        format!("/{}", named.next().unwrap_or("own")).into()
    }

    /// Whether all want one node: the very one that all is about.
    pub fn is_of_one_node(&self) -> bool {
        let home = self.home();
        self.created().any(|(path, _)| *path == *home)
    }

    /// The nodes that it creates, as it names them, and of what kind they are.
    fn created(&self) -> impl Iterator<Item = (&str, CreateMode)> {
        self.code.iter().filter_map(|code| match &code.what {
            Statement::Do { what: (_, Make::Create { path: Text::Path(path), mode, .. }) } => Some((&**path, *mode)),
            _ => None,
        })
    }

    /// Whether who uses it makes nodes that go with the session: tickets by which one stands in a queue, or has what all want.
    pub fn has_tickets(&self) -> bool {
        self.created().any(|(_, mode)| mode.is_ephemeral())
    }

    /// The nodes below which it creates others: they are there before anything begins.
    pub(super) fn parents(&self) -> Vec<&str> {
        let parents = self.created().filter_map(|(path, _)| parent_of(path));
        let mut parents: Vec<&str> = parents.filter(|path| *path != "/" && !path.contains('{')).collect();
        parents.dedup();
        parents
    }

    /// The nodes that it makes once and for all: those below which it creates others, persistent ones with a name of their own, and all
    /// above these.
    pub fn furniture(&self) -> Vec<Rc<str>> {
        let stays = |mode: &CreateMode| *mode == CreateMode::Persistent;
        let lasting = self.created().filter(|(path, mode)| stays(mode) && !path.contains('{')).map(|(path, _)| path);
        let all = lasting.chain(self.parents());
        all.flat_map(|path| successors(Some(path), |path| parent_of(path))).map(Rc::from).collect()
    }
}

impl fmt::Display for Program {
    /// The text: reading it gives the same program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { depth, text, comment } = self;
        let gap = if text.is_empty() || comment.is_empty() { "" } else { "  " };
        write!(f, "{:indent$}{text}{gap}{comment}", "", indent = 2 * depth)
    }
}
