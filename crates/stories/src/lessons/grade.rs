//! What students hand in, judged by facts: an assignment's tasks, and whether a run reaches one of them.

use std::rc::Rc;

use crate::base::json::{Fields, Json, ReadError, at_most, short, within};
use crate::base::{Micros, SimTime};
use crate::sim::{Player, Run, RunError};

use super::ask::{Hands, Task};
use super::dry_run::{MAX_STEPS, base, task_run};
use super::eval::Scope;
use super::kind::Kind;
use super::lesson::{Lesson, MAX_NAME_BYTES, MAX_UNTIL_MS, Name, Start};
use super::played::{Moment, Played};
use super::query::Query;
use super::read::check_change;
use super::registry::lesson;

/// The version of an assignment's format.
const FORMAT: u64 = 1;
/// Most tasks of an assignment.
const MAX_TASKS: u64 = 20;
/// Longest title, bytes.
const MAX_TITLE_BYTES: usize = 200;
/// A run is played at least this long after the last thing done in it, µs.
const AFTER_LAST_US: Micros = 5_000_000;
/// From the first deed on it is looked this often whether the goal is met, µs of virtual time.
const LOOK_US: Micros = 100_000;

/// What students are asked to do.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What it is called.
    pub title: Rc<str>,
    /// One to 20 tasks of different names.
    pub tasks: Vec<Asked>,
}

/// A task of an assignment.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name: at most 40 bytes, no blanks.
    pub id: Rc<str>,
    /// The run before anybody does something.
    pub run: Rc<Run>,
    /// In at most so many deeds.
    pub most: u8,
    names: Vec<Name>,
    goal: Query,
    until: SimTime,
}

/// What is said of a run that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The goal is met, in no more deeds than are allowed.
    pub reached: bool,
    /// Deeds up to then, or all of them where the goal is not met; none where the run is another task's.
    pub deeds: Option<usize>,
    /// When the goal is met first.
    pub at: Option<SimTime>,
    /// The digest of all facts up to where the run was played; empty where it was not.
    pub digest: String,
    /// What else there is to say.
    pub remark: Option<Remark>,
}

/// What there is to say about a run that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It has this seed, and the task's run has that one.
    OtherSeed(u64, u64),
    /// Its settings are not the task's.
    OtherSettings,
    /// Something that happens in the task's run by itself is not in it.
    OtherRun,
    /// The goal is met, but in more deeds than are allowed.
    TooManyDeeds,
    /// It goes on beyond what is played, and does not meet the goal up to there.
    Stopped(SimTime),
    /// It cannot be played.
    Wrong(RunError),
}

impl Assignment {
    /// Reads an assignment.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Assignment, RunError> {
        short("assignment", text, super::MAX_LESSON_BYTES)?;
        let mut fields = Json::parse(text)?.fields()?;
        within("assignment", fields.need("assignment")?, FORMAT, FORMAT)?;
        let title: Rc<str> = fields.or("title", "".into())?;
        short("title", &title, MAX_TITLE_BYTES)?;
        let given: Vec<Json> = fields.need("tasks")?;
        within("tasks", given.len() as u64, 1, MAX_TASKS)?;
        fields.end()?;
        let mut tasks: Vec<Asked> = Vec::new();
        for (at, json) in given.into_iter().enumerate() {
            let asked = json.fields().map_err(RunError::from).and_then(Asked::take);
            let asked = asked.map_err(|error| placed(error, at))?;
            if tasks.iter().any(|known| known.id == asked.id) {
                return Err(ReadError::unknown("id", &asked.id).within(&format!("tasks[{at}]")).into());
            }
            tasks.push(asked);
        }
        Ok(Assignment { title, tasks })
    }
}

fn placed(error: RunError, at: usize) -> RunError {
    match error {
        RunError::Value(error) => error.within(&format!("tasks[{at}]")).into(),
        other => other,
    }
}

impl Asked {
    /// A lesson's task where one is named, and one of its own otherwise.
    fn take(mut fields: Fields) -> Result<Asked, RunError> {
        let named: Option<Rc<str>> = fields.or("lesson", None)?;
        let asked = match named {
            Some(id) => Asked::of_lesson(&id, &mut fields)?,
            None => Asked::own(&mut fields)?,
        };
        short("id", &asked.id, MAX_NAME_BYTES)?;
        if asked.id.is_empty() || asked.id.contains(char::is_whitespace) {
            return Err(ReadError::unknown("id", &asked.id).into());
        }
        fields.end()?;
        Ok(asked)
    }

    fn of_lesson(id: &str, fields: &mut Fields) -> Result<Asked, RunError> {
        let found = lesson(id).ok_or_else(|| ReadError::unknown("lesson", id))?;
        let name: Rc<str> = fields.need("task")?;
        let (task, hands) = task_of(&found, &name).ok_or_else(|| ReadError::unknown("task", &name))?;
        let seed = base(&found.start.from, &[])?.seed;
        Ok(Asked {
            id: fields.or("id", name)?,
            run: Rc::new(task_run(&found, task, seed)?),
            most: fields.or("most", hands.most)?,
            names: found.start.names.clone(),
            goal: hands.goal.clone(),
            until: SimTime::from_ms(found.start.until_ms),
        })
    }

    fn own(fields: &mut Fields) -> Result<Asked, RunError> {
        let start: Start = fields.need("start")?;
        check_change(&start.from).map_err(|error| error.within("start"))?;
        at_most("start.deeds", start.deeds.len(), 0)?;
        let run = base(&start.from, &[])?;
        run.check().map_err(|error| error.within("run").within("start"))?;
        Ok(Asked {
            id: fields.need("id")?,
            run: Rc::new(run),
            most: fields.or("most", 5)?,
            names: start.names,
            goal: fields.need("goal")?,
            until: SimTime::from_ms(start.until_ms),
        })
    }

    /// Whether the task does itself: then it asks for nothing.
    pub fn is_done_by_nobody(&self) -> bool {
        grade(self, &self.run, SimTime::ZERO).reached
    }
}

/// A lesson's task, at its end or in one of its questions, and what is to be brought about; none where a program is to be written, which is
/// no run that could be handed in.
fn task_of<'a>(lesson: &'a Lesson, id: &str) -> Option<(&'a Task, &'a Hands)> {
    let asked = lesson.beats.iter().filter_map(|beat| match &beat.ask.as_ref()?.kind {
        Kind::Do(task) => Some(&**task),
        _ => None,
    });
    let task = lesson.play.iter().chain(asked).find(|task| *task.id == *id)?;
    Some((task, task.hands()?))
}

/// Which actions of a run were added to another one; none where something of that one is missing.
pub(super) fn added(run: &Run, to: &Run) -> Option<Vec<bool>> {
    let mut given = to.actions.iter().peekable();
    let added = run.actions.iter().map(|timed| given.next_if(|next| *next == timed).is_none()).collect();
    given.peek().is_none().then_some(added)
}

/// Plays a run that was handed in for a task, and judges it. It is played up to where it was handed in (`seen`), at least as long as
/// the task's own and five seconds after the last thing done in it; ten minutes and 400,000 steps at most.
pub fn grade(asked: &Asked, run: &Rc<Run>, seen: SimTime) -> Grade {
    Trial::begin(asked, run).map_or_else(Grade::refused, |trial| trial.play(seen))
}

impl Grade {
    fn refused(remark: Remark) -> Grade {
        Grade { reached: false, deeds: None, at: None, digest: String::new(), remark: Some(remark) }
    }
}

/// A run on its way through.
struct Trial<'a> {
    asked: &'a Asked,
    added: Vec<bool>,
    player: Player,
    played: Played,
    /// How many facts were known when it was looked last.
    looked: usize,
    reached: Option<Moment>,
}

impl Trial<'_> {
    fn begin<'a>(asked: &'a Asked, run: &Rc<Run>) -> Result<Trial<'a>, Remark> {
        if run.setup != asked.run.setup {
            return Err(Remark::OtherSettings);
        }
        if run.seed != asked.run.seed {
            return Err(Remark::OtherSeed(run.seed, asked.run.seed));
        }
        let added = added(run, &asked.run).ok_or(Remark::OtherRun)?;
        let player = Player::new(run.clone()).map_err(Remark::Wrong)?;
        Ok(Trial { asked, added, played: Played::new(&run.setup), player, looked: 0, reached: None })
    }

    fn play(mut self, seen: SimTime) -> Grade {
        let actions = &self.player.run().actions;
        let last = actions.last().map_or(SimTime::ZERO, |timed| timed.at_us);
        let first = actions.iter().zip(&self.added).find(|(_, added)| **added).map(|(timed, _)| timed.at_us);
        let wanted = self.asked.until.max(seen).max(last.plus(AFTER_LAST_US));
        let until = wanted.min(SimTime::from_ms(MAX_UNTIL_MS));
        let mut look = first.map(|at| at.plus(LOOK_US));
        let mut stopped = (last > until).then_some(until);
        while let Some(at) = self.player.world().next_at().filter(|&at| at <= until) {
            if self.player.world().events >= MAX_STEPS {
                stopped = Some(at);
                break;
            }
            if look.is_some_and(|look| at > look) {
                self.look(first);
                look = Some(at.plus(LOOK_US));
            }
            match self.reached {
                Some(_) => _ = self.player.step(),
                None => _ = self.played.step(&mut self.player),
            }
        }
        self.look(first);
        self.judge(stopped)
    }

    /// Looks whether the goal is met, and when that was.
    fn look(&mut self, first: Option<SimTime>) {
        let end = self.played.end();
        if self.reached.is_some() || !self.is_met(end) {
            self.looked = end.facts;
            return;
        }
        let before = first.map_or(0, |at| self.played.at_time(SimTime(at.0.saturating_sub(1))).facts);
        let behind = |facts: usize| Moment { fact: None, ..self.played.at_fact(facts - 1) };
        let (mut no, mut yes) = (self.looked.max(before), end.facts);
        if yes <= no || !self.is_met(behind(yes)) {
            self.reached = Some(end);
            return;
        }
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            if self.is_met(behind(middle)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        self.reached = Some(behind(yes));
    }

    fn is_met(&self, end: Moment) -> bool {
        Scope::whole(&self.played, &self.asked.names).up_to(end).value(&self.asked.goal).holds()
    }

    fn judge(self, stopped: Option<SimTime>) -> Grade {
        let done = self.reached.map_or(self.added.len(), |moment| moment.done);
        let deeds = self.added.iter().take(done).filter(|added| **added).count();
        let few = deeds <= usize::from(self.asked.most);
        let remark = match self.reached {
            Some(_) => (!few).then_some(Remark::TooManyDeeds),
            None => stopped.map(Remark::Stopped),
        };
        Grade {
            reached: self.reached.is_some() && few,
            deeds: Some(deeds),
            at: self.reached.map(|moment| moment.at),
            digest: self.player.digest(),
            remark,
        }
    }
}
