//! A program's text: one statement a line, blocks by how far to the right lines stand. What is wrong names its line and column and what
//! would have to stand there.

use std::rc::Rc;

use crate::base::{ProgramError, ProgramFault, Wish};

use super::forms::{METHODS, Statement};
use super::program::{Code, Line, Program};
use super::words::Words;

/// Longest text, bytes.
pub const MAX_PROGRAM_BYTES: usize = 8_192;
/// Most lines.
pub const MAX_PROGRAM_LINES: usize = 200;
/// Most blocks in blocks.
const MAX_DEPTH: usize = 8;

impl Program {
    /// Reads a text.
    ///
    /// # Errors
    /// The first fault, with its line and column.
    pub fn parse(text: &str) -> Result<Program, ProgramError> {
        let at = |line, why| ProgramError { line, column: 1, why };
        if text.len() > MAX_PROGRAM_BYTES {
            return Err(at(1, ProgramFault::TooLong { most: MAX_PROGRAM_BYTES }));
        }
        let (mut program, mut blocks) = (Program::default(), Vec::new());
        for (index, text) in text.lines().enumerate() {
            if index >= MAX_PROGRAM_LINES {
                return Err(at(index + 1, ProgramFault::TooMany { most: MAX_PROGRAM_LINES }));
            }
            program.read_line(index + 1, text.trim_end(), &mut blocks)?;
        }
        program.close(&mut blocks, 0);
        program.check().map(|()| program)
    }

    /// Reads what can be read of a text that may be wrong, and what is wrong with the lines that cannot be. What stands below such a line
    /// is passed over.
    pub(super) fn read(text: &str) -> (Program, Vec<ProgramError>) {
        let (mut program, mut blocks, mut wrong) = (Program::default(), Vec::new(), Vec::new());
        let mut unread: Option<usize> = None;
        for (index, text) in text.lines().take(MAX_PROGRAM_LINES).map(str::trim_end).enumerate() {
            let indent = text.len() - text.trim_start_matches(' ').len();
            if text.is_empty() || unread.is_none_or(|above| indent <= above) {
                let read = program.read_line(index + 1, text, &mut blocks);
                unread = if text.is_empty() { unread } else { read.is_err().then_some(indent) };
                wrong.extend(read.err());
            }
            // line n is line n here too
            program.lines.resize(index + 1, Line::default());
        }
        program.close(&mut blocks, 0);
        (program, wrong)
    }

    /// Of lines.
    ///
    /// # Errors
    /// What is wrong with their text.
    pub fn of(lines: &[Line]) -> Result<Program, ProgramError> {
        Program::parse(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())
    }

    /// Reads the next line, below the last line of each block that is open.
    fn read_line(&mut self, line: usize, text: &str, blocks: &mut Vec<usize>) -> Result<(), ProgramError> {
        let indent = text.len() - text.trim_start_matches(' ').len();
        let column = indent + 1;
        let wrong = |why| ProgramError { line, column, why };
        let expected = |wish, found: &str| ProgramFault::Expected { wanted: vec![wish], found: found.into() };
        if text[indent..].starts_with('\t') {
            return Err(wrong(expected(Wish::Blanks, "\\t")));
        }
        let mut words = Words::of(line, indent, &text[indent..])?;
        let comment = words.comment.into();
        if words.word().is_none() {
            // a comment stands as far to the right as it can of what is above it
            let below = blocks.iter().filter(|at| self.code[**at].column <= column).count();
            let depth = if words.comment.is_empty() { 0 } else { below.saturating_sub(1) };
            self.lines.push(Line { depth, text: "".into(), comment });
            return Ok(());
        }
        let what = statement(&mut words)?;
        let depth = self.depth(column, blocks);
        let depth =
            depth.ok_or_else(|| wrong(expected(Wish::Indent, text.split_whitespace().next().unwrap_or(""))))?;
        if depth >= MAX_DEPTH {
            return Err(wrong(ProgramFault::TooDeep { most: MAX_DEPTH }));
        }
        let (parent, uses) = (blocks.last().copied(), words.used.iter().map(|(_, name)| Rc::from(*name)).collect());
        blocks.push(self.code.len());
        self.code.push(Code { line, column, what, uses, parent, end: 0 });
        self.lines.push(Line { depth, text: words.text().into(), comment });
        Ok(())
    }

    /// In how many blocks a line stands that begins in a column: beside the last line of an open block, or below the line before, if
    /// something may. Blocks are closed that it ends.
    fn depth(&mut self, column: usize, blocks: &mut Vec<usize>) -> Option<usize> {
        let before = self.code.len().checked_sub(1);
        match blocks.iter().position(|at| self.code[*at].column >= column) {
            Some(depth) if self.code[blocks[depth]].column == column => {
                self.close(blocks, depth);
                Some(depth)
            }
            None if before.is_some_and(|at| self.code[at].what.opens() || self.code[at].what.path().is_some()) => {
                Some(blocks.len())
            }
            None if before.is_none() && column == 1 => Some(0),
            _ => None,
        }
    }

    fn close(&mut self, blocks: &mut Vec<usize>, depth: usize) {
        let end = self.code.len();
        blocks.drain(depth..).for_each(|at| self.code[at].end = end);
    }
}

/// What the words of a line say; at the margin that is a section, or a clause for all of them.
pub(super) fn statement(words: &mut Words) -> Result<Statement, ProgramError> {
    use Statement::{OnLoss, OnLost, Section};
    let margin = words.indent == 0;
    let may_stand = |what: &Statement| !margin || matches!(what, Section { .. } | OnLoss {} | OnLost {});
    match Statement::read(words).filter(may_stand) {
        Some(what) if words.ends().is_some() => Ok(what),
        _ if margin => Err(words.wrong(Wish::Section, METHODS)),
        _ => Err(words.wrong(Wish::Statement, &[])),
    }
}
