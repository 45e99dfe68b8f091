//! Lessons: a student predicts, the machine shows, the student does it otherwise.
//!
//! A lesson is data, in JSON (`built_in/`, or a lecturer's file): where it begins, what it does and when, what it says at which
//! moment, what it asks. Moments and answers are [`When`] and [`Query`]: questions to the facts of a run. So the right answer is
//! written nowhere; a [`DryRun`] finds it in the run that the viewer sees, whatever its seed.
//!
//! What somebody writes is judged by the search ([`Write`]).
//!
//! A [`Course`] is lessons in an order, data as well.
//!
//! `docs/lessons.md` tells how to write one.

mod ask;
mod correction;
mod course;
mod dry_run;
mod eval;
mod grade;
mod judge;
mod kind;
mod lesson;
mod played;
mod prove;
mod query;
mod read;
mod record;
mod registry;
mod text;
mod trials;
mod value;
mod write;

pub use ask::{Ask, Hands, Step, Task, Thinks, Way, Would};
pub use correction::Correction;
pub use course::{COURSES, Course, Form, MAX_COURSE_BYTES, Part, course};
pub use dry_run::{DryRun, Resolved, Spot, task_run};
pub use grade::{Asked, Assignment, Grade, Remark, grade};
pub use judge::{Tried, Verdict, answer, comes, judge};
pub(crate) use kind::word;
pub use kind::{CHIPS, Card, Choice, Kind, Many, Of, Trial, Unit};
pub use lesson::{Beat, Change, Deed, Lesson, Name, Start};
pub use played::Played;
pub use prove::{Flaw, prove, read_over};
pub use query::{Query, When};
pub use read::{LessonError, MAX_LESSON_BYTES};
pub use record::{RecordError, record};
pub use registry::{FIRST, LESSONS, is_built_in, lesson};
pub use text::{Text, places};
pub use trials::{all_seen, counts, seen, trial, trials};
pub use value::{Shown, Value};
pub use write::{Judged, Source, Wants, Write};
