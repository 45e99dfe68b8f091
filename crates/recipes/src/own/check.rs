//! Whether each statement of a program stands where it means something, and uses values that there are.

use std::iter::successors;

use crate::base::{Place, ProgramError, ProgramFault};

use super::forms::Statement;
use super::program::{Code, Program};

/// Values that are there without any line that keeps them: the own session, the client's name, what the method was given.
const GIVEN: &[&str] = &["session", "client", "item"];
/// Of a line that is wrong so many characters are said.
const SHOWN: usize = 40;

impl Program {
    pub(super) fn check(&self) -> Result<(), ProgramError> {
        if let Some(wrong) = self.faults().next() {
            return Err(wrong);
        }
        let has_section = self.code.iter().any(|code| matches!(code.what, Statement::Section { .. }));
        let none = ProgramError { line: 1, column: 1, why: ProgramFault::NoSection };
        if has_section { Ok(()) } else { Err(none) }
    }

    /// What is wrong with statements among the others.
    pub(super) fn faults(&self) -> impl Iterator<Item = ProgramError> {
        self.code.iter().enumerate().filter_map(|(at, Code { line, column, .. })| {
            Some(ProgramError { line: *line, column: *column, why: self.check_one(at).err()? })
        })
    }

    fn check_one(&self, at: usize) -> Result<(), ProgramFault> {
        let Code { line, what, uses, end, .. } = &self.code[at];
        let said_of = |line: usize| self.lines[line - 1].text.chars().take(SHOWN).collect::<String>();
        let said = || said_of(*line);
        if what.opens() && *end == at + 1 {
            return Err(ProgramFault::Empty { line: said() });
        }
        if let Some(place) = self.misplaced(at) {
            return Err(ProgramFault::Misplaced { line: said(), place });
        }
        // what has no place itself is all that is wrong there
        let before = self.before(at).filter(|before| self.code[*before].what.leads_away());
        if let Some(before) = before.filter(|before| self.misplaced(*before).is_none()) {
            return Err(ProgramFault::Unreached { behind: said_of(self.code[before].line) });
        }
        let is_part = matches!(what, Statement::Section { .. } | Statement::OnLoss {} | Statement::OnLost {});
        if is_part && self.code[at].parent.is_none() && self.place_of(what) != Some(at) {
            return Err(ProgramFault::Twice { name: said() });
        }
        let keeps = |code: &Code, name: &str| matches!(&code.what, Statement::Do { what: (Some(kept), _) } if **kept == *name);
        let kept = |name: &str| GIVEN.contains(&name) || self.code.iter().any(|code| keeps(code, name));
        match uses.iter().find(|name| !kept(name)) {
            Some(name) => Err(ProgramFault::Unknown { name: name.to_string() }),
            None => Ok(()),
        }
    }

    /// Where a statement would have to stand, if it does not.
    fn misplaced(&self, at: usize) -> Option<Place> {
        let Code { what, parent, .. } = &self.code[at];
        let asks = parent.map(|parent| self.code[parent].what.path().is_some());
        let below = |is: fn(&Statement) -> bool| self.above(at).any(|above| is(&above.what));
        let (place, so) = match what {
            Statement::Section { .. } | Statement::OnLost {} => (Place::Margin, parent.is_none()),
            Statement::OnLoss {} => (Place::BelowRequest, asks != Some(false)),
            // below a request only its clause may stand
            _ if asks == Some(true) => (Place::InLoss, false),
            Statement::Else { .. } => (Place::BehindIf, self.follows_if(at)),
            Statement::Stop {} => {
                let repeats = |what: &Statement| matches!(what, Statement::Repeat {} | Statement::RepeatTimes { .. });
                (Place::InRepeat, below(repeats))
            }
            Statement::Again {} => (Place::InLoss, below(|what| *what == Statement::OnLoss {})),
            Statement::Hold { .. } | Statement::Lead {} => {
                let gets = |what: &Statement| matches!(what, Statement::Section { section } if section.gets());
                (Place::Getting, below(gets))
            }
            _ => return None,
        };
        (!so).then_some(place)
    }

    /// The lines that it stands below, the innermost first.
    pub(super) fn above(&self, at: usize) -> impl Iterator<Item = &Code> {
        let parent = |code: &&Code| code.parent.map(|at| &self.code[at]);
        successors(parent(&&self.code[at]), parent)
    }

    /// The one before it in the same block.
    fn before(&self, at: usize) -> Option<usize> {
        self.code[..at].iter().rposition(|code| code.end == at && code.parent == self.code[at].parent)
    }

    /// Whether the one before it in the same block is an `if`, or an `else if`.
    fn follows_if(&self, at: usize) -> bool {
        let before = self.before(at).map(|before| &self.code[before].what);
        before.is_some_and(|what| matches!(what, Statement::If { .. } | Statement::Else { condition: Some(_) }))
    }
}
