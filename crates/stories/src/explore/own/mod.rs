//! The search for a schedule that breaks a recipe of one's own: a small world, a few clients that call its sections as they are meant,
//! few faults at moments of its lines, and laws that every such recipe must keep.
//!
//! What is asked is an ordinary [`Question`](super::Question), whose run is the stage: an ensemble, clients, and the recipe made at each
//! ([`question`]). A schedule is that run with calls and faults behind it, and what is found is such a run, made small as any other.

mod asked;
mod judge;
mod law;
mod schedules;
mod story;

use std::rc::Rc;

use crate::base::Micros;
use crate::recipes::Kind;
use crate::recipes::own::{Program, Section};
use crate::sim::{Action, Run};

pub use asked::{plain_run, question, rewritten};
pub(super) use judge::Judge;
pub use law::{Law, fallen};
pub(super) use schedules::Schedules;
pub use story::{Moment, story};

/// The object's name at every client.
const OBJECT: &str = "own";
/// How many clients there are on the stage.
const CLIENTS: u16 = 4;
/// So long after the last deed everything is healed, µs: a session has ended by then whose client was gone.
pub(super) const AFTER_US: Micros = 3_000_000;

/// What a recipe is for, by its sections; it decides how clients use it and what they may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// `acquire` and `release`.
    Lock,
    /// `read`, `write` and `release`.
    ReadWrite,
    /// `start` and `close`.
    Election,
    /// `set`, `wait` and `remove`.
    Barrier,
    /// `put` and `take`.
    Queue,
}

impl Purpose {
    /// Of a program; one that has sections of several is what comes first here.
    fn of(program: &Program) -> Purpose {
        let sections = [
            (Section::Acquire, Purpose::Lock),
            (Section::Read, Purpose::ReadWrite),
            (Section::Write, Purpose::ReadWrite),
            (Section::Start, Purpose::Election),
            (Section::Wait, Purpose::Barrier),
            (Section::Take, Purpose::Queue),
        ];
        let found = sections.into_iter().find(|(section, _)| program.has(*section));
        found.map_or(Purpose::Lock, |(_, purpose)| purpose)
    }
}

/// The text of the program that a run has on its stage.
pub fn text_of(run: &Run) -> Option<Rc<str>> {
    run.actions.iter().find_map(|timed| match &timed.action {
        Action::MakeRecipe { recipe, .. } if recipe.kind == Kind::OWN => recipe.with.first().cloned(),
        _ => None,
    })
}

/// The program that a run has on its stage, and its text.
pub fn program_of(run: &Run) -> Option<(Rc<str>, Program)> {
    let text = text_of(run)?;
    Program::parse(&text).ok().map(|program| (text, program))
}

/// Whether an action only sets the stage: it is no step of a schedule.
pub fn is_stage(action: &Action) -> bool {
    matches!(action, Action::OpenClient { .. } | Action::MakeRecipe { .. } | Action::SetUpCurator { .. })
}

/// How many calls and faults the first actions of a run are, without those that set its stage.
pub fn steps(run: &Run, deeds: usize) -> usize {
    run.actions.iter().take(deeds).filter(|timed| !is_stage(&timed.action)).count()
}
