//! What the engine keeps of an open lesson.

use std::rc::Rc;

use gloo_timers::callback::Timeout;

use crate::lessons::{Course, DryRun, Judged, Lesson, Part, Tried, Value};
use crate::scenarios::scenario;
use crate::view::lesson::Guide;

use super::tally::Tally;

/// What the address asks for, until the code of lessons has come.
pub(in crate::ui::engine) enum Wanted {
    /// A lesson, and the beat to begin at.
    Lesson(String, Option<String>),
    /// A course, and the number of its part, from 1.
    Course(String, usize),
}

impl Wanted {
    /// Whether what is on the stage until it opens is something else.
    pub(in crate::ui::engine) fn takes_the_stage(&self) -> bool {
        !matches!(self, Wanted::Lesson(id, _) if scenario(id).is_some())
    }
}

/// A course that is followed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Followed {
    pub course: Rc<Course>,
    /// The place of its part, from 0.
    pub at: usize,
}

impl Followed {
    /// The part.
    pub(crate) fn part(&self) -> Option<&Part> {
        self.course.parts.get(self.at)
    }

    /// What comes next; none at the end.
    pub(crate) fn next(&self) -> Option<Followed> {
        let at = self.at + 1;
        (at < self.course.parts.len()).then(|| Followed { course: self.course.clone(), at })
    }
}

/// A lesson on the page.
pub(in crate::ui::engine) enum LessonState {
    /// Its run is still played ahead.
    Opening(Box<Opening>),
    /// Its viewer is in it.
    Open(Box<Open>),
}

/// Where a lesson came from.
#[derive(Clone, Default)]
pub(in crate::ui::engine) struct Origin {
    /// A file: it is none of the built-in ones, whatever its name.
    pub(in crate::ui::engine) own: bool,
    /// The course that is followed, and the part of it that this is.
    pub(in crate::ui::engine) followed: Option<Followed>,
}

/// A lesson whose run is played ahead.
pub(in crate::ui::engine) struct Opening {
    pub(in crate::ui::engine) lesson: Rc<Lesson>,
    pub(in crate::ui::engine) origin: Origin,
    /// The beat that was asked for: its name, or its number from 1.
    pub(in crate::ui::engine) beat: Option<String>,
    pub(in crate::ui::engine) dry_run: DryRun,
    pub(in crate::ui::engine) timer: Option<Timeout>,
}

/// A lesson with its viewer in it.
pub(in crate::ui::engine) struct Open {
    pub(in crate::ui::engine) guide: Guide,
    pub(in crate::ui::engine) origin: Origin,
    /// The lesson in its own run, while it asks about the viewer's.
    pub(in crate::ui::engine) kept: Option<Guide>,
    /// Votes that are counted by hand.
    pub(in crate::ui::engine) tally: Option<Tally>,
    /// What is picked of an answer that takes several things.
    pub(in crate::ui::engine) picked: Vec<Value>,
    /// To go on without an answer was asked for once.
    pub(in crate::ui::engine) sure: bool,
    /// Which beginning of a run on the stage was ours.
    pub(in crate::ui::engine) began: u64,
    /// A task that is being tried.
    pub(in crate::ui::engine) trying: Option<Trying>,
    /// The task for which somebody writes, and what stands there: whoever comes back finds it.
    pub(in crate::ui::engine) writing: Option<(Rc<str>, Rc<str>)>,
    /// What came of the text that was written last.
    pub(in crate::ui::engine) judged: Option<Judged>,
    /// The speed that the viewer had before time ran slowly to be stopped.
    pub(in crate::ui::engine) speed: Option<usize>,
    /// Another run on its way to the stage.
    pub(in crate::ui::engine) other: Option<Other>,
}

/// A task on the stage.
pub(in crate::ui::engine) struct Trying {
    pub(in crate::ui::engine) task: Rc<str>,
    /// What is followed; nothing where the search judges.
    pub(in crate::ui::engine) tried: Option<Tried>,
    /// The machine shows how it is done.
    pub(in crate::ui::engine) shown: bool,
    /// When it was looked at last, ms, and what was seen: a version and how many steps.
    pub(in crate::ui::engine) looked: f64,
    pub(in crate::ui::engine) seen: Option<(u64, u64)>,
}

/// What becomes of another run that was played ahead.
pub(in crate::ui::engine) enum Then {
    /// It stands beside the lesson's, under this name.
    Beside(String),
    /// It takes the place of the lesson's.
    Instead,
    /// What is seen in it belongs to the answer of the question.
    Seen,
    /// It is the viewer's own: the lesson asks about it.
    Own,
}

/// Another run that is played ahead.
pub(in crate::ui::engine) struct Other {
    pub(in crate::ui::engine) dry_run: DryRun,
    pub(in crate::ui::engine) then: Then,
    pub(in crate::ui::engine) timer: Option<Timeout>,
}

/// The place of a beat or a task, by its name or its number from 1; one behind the last one is the end.
pub(in crate::ui::engine) fn place_of(lesson: &Lesson, beat: &str) -> Option<usize> {
    let number = || beat.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at <= lesson.places());
    lesson.place_of(beat).or_else(number)
}
