//! The open lesson: its run is played ahead in slices before it begins, then its guide says where the viewer stands. What is on the stage
//! follows the guide; what the viewer does to that run leads beside the lesson's path, and there the lesson waits.

mod follow;
mod news;
mod own;
mod pick;
mod shown;
mod stage;
pub(super) mod state;
mod tally;
mod votes;
mod write;

use std::rc::Rc;

use gloo_timers::callback::Timeout;

use crate::i18n::{taught, tongue};
use crate::lessons::{Change, DryRun, Kind, Lesson, Value, Way, trial};
use crate::sim::RunError;
use crate::timeline::Side;
use crate::view::lesson::{Guide, Phase};

use crate::ui::kit::browser::{lang_of_page, now_ms, wrong_words};

use super::Engine;

pub(in crate::ui) use state::Followed;
use state::{LessonState, Open, Opening, Origin, Other, Then, Wanted, place_of};

pub(in crate::ui) use news::{LessonNews, SettledNews};
pub(in crate::ui) use pick::{LessonMark, OnStage};
pub(in crate::ui) use shown::{Answering, Shown, Taught};

/// How long a run that is played ahead may keep the page busy without a break, ms.
const BUSY_MS: u64 = 7;
/// How many steps are taken between two looks at the clock.
const STEPS: u64 = 200;

/// Plays on until the page must have its turn; whether there is more to play.
fn slice(dry_run: &mut DryRun) -> Result<bool, RunError> {
    let until = now_ms() + BUSY_MS;
    loop {
        if !dry_run.go_on(STEPS)? {
            return Ok(false);
        }
        if now_ms() >= until {
            return Ok(true);
        }
    }
}

impl Engine {
    /// Whether a lesson is open, or about to be.
    pub(crate) fn has_lesson(&self) -> bool {
        self.shared.lesson.borrow().is_some()
    }

    /// Whether a lesson is about to begin, and what is on the stage is not its run.
    pub(crate) fn awaits_lesson(&self) -> bool {
        let wanted = self.shared.wanted_lesson.borrow().as_ref().is_some_and(Wanted::takes_the_stage);
        wanted || matches!(&*self.shared.lesson.borrow(), Some(LessonState::Opening(_)))
    }

    /// Opens a lesson at a beat, given by its name or its number from 1. The run on the stage is kept.
    pub(crate) fn open_lesson(&self, lesson: Rc<Lesson>, beat: Option<String>) {
        self.begin_opening(lesson, beat, Origin::default());
    }

    /// The same of a lesson that came with a file. Nothing is kept of it, and no address leads to it.
    pub(crate) fn open_own_lesson(&self, lesson: Rc<Lesson>, beat: Option<String>) {
        self.begin_opening(lesson, beat, Origin { own: true, followed: None });
    }

    fn begin_opening(&self, lesson: Rc<Lesson>, beat: Option<String>, origin: Origin) {
        match DryRun::new(&lesson, None) {
            Ok(dry_run) => {
                self.restore_speed();
                let opening = Opening { lesson, origin, beat, dry_run, timer: None };
                self.shared.lesson.replace(Some(LessonState::Opening(Box::new(opening))));
                self.change(|left| left.playing = false);
                self.prepare();
            }
            Err(error) => self.note(Some(wrong_words(&error))),
        }
    }

    /// Plays the lesson's run on for a moment; begins the lesson when all of it has been played.
    fn prepare(&self) {
        let went = match &mut *self.shared.lesson.borrow_mut() {
            Some(LessonState::Opening(opening)) => slice(&mut opening.dry_run),
            _ => return,
        };
        match went {
            Ok(true) => {
                let timer = self.soon(Engine::prepare);
                if let Some(LessonState::Opening(opening)) = &mut *self.shared.lesson.borrow_mut() {
                    opening.timer = Some(timer);
                }
            }
            Ok(false) => self.begin_lesson(),
            Err(error) => {
                self.shared.lesson.replace(None);
                self.note(Some(wrong_words(&error)));
            }
        }
    }

    fn begin_lesson(&self) {
        let Some(LessonState::Opening(opening)) = self.shared.lesson.take() else { return };
        let Opening { lesson, origin, beat, dry_run, .. } = *opening;
        let resolved = Rc::new(dry_run.finish());
        let mut guide = match origin.followed.as_ref().and_then(Followed::part) {
            Some(part) => Guide::part(resolved, part.places(&lesson)),
            None => Guide::new(resolved),
        };
        if let Some(at) = beat.and_then(|beat| place_of(&lesson, &beat)) {
            guide.enter(at);
        }
        let open = Open {
            guide,
            origin,
            kept: None,
            tally: None,
            picked: Vec::new(),
            sure: false,
            began: 0,
            trying: None,
            writing: None,
            judged: None,
            speed: None,
            other: None,
        };
        self.shared.lesson.replace(Some(LessonState::Open(Box::new(open))));
        self.back_to_lesson();
    }

    /// Does something after the browser has had its turn.
    fn soon(&self, work: fn(&Engine)) -> Timeout {
        let weak = Rc::downgrade(&self.shared);
        Timeout::new(0, move || {
            if let Some(shared) = weak.upgrade() {
                work(&Engine { shared, side: Side::Left });
            }
        })
    }

    /// Does something with the lesson whose viewer is in it.
    fn with_open<T>(&self, work: impl FnOnce(&mut Open) -> T) -> Option<T> {
        match &mut *self.shared.lesson.borrow_mut() {
            Some(LessonState::Open(open)) => Some(work(open)),
            _ => None,
        }
    }

    /// Changes where the viewer is in the lesson, and the stage with it; beside its path nothing happens.
    fn steer(&self, change: impl FnOnce(&mut Guide)) {
        if self.is_beside_lesson() {
            return;
        }
        let steered = self.with_open(|open| open.turn(change));
        if steered.is_some() {
            self.set_stage();
        }
    }

    /// Answers the question.
    pub(crate) fn answer_lesson(&self, given: Value) {
        if !self.count_vote(&given) {
            self.steer(|guide| guide.answer(given));
            self.go_on_trying();
        }
    }

    /// Shows what happens without an answer; where there is something to do, a way to do it.
    pub(crate) fn show_lesson(&self) {
        match self.with_open(|open| open.guide.phase()) {
            _ if self.counts_votes() => {}
            Some(Phase::Does) => self.show_solution(),
            _ => self.show_answer(),
        }
    }

    fn show_answer(&self) {
        self.steer(Guide::show);
        self.go_on_trying();
    }

    /// Goes on. At a question without an answer only who asks twice, or has counted votes; at the end of a part to the course's next.
    pub(crate) fn lesson_on(&self) {
        if self.follow_course() || self.is_trying() {
            return;
        }
        let counted = self.counts_votes();
        let asked = self.with_open(|open| {
            let waits = open.guide.phase() == Phase::Asks;
            waits.then(|| std::mem::replace(&mut open.sure, true) || counted)
        });
        match asked.flatten() {
            Some(false) => self.notify(),
            Some(true) => self.show_answer(),
            None => self.steer(|guide| _ = guide.go_on()),
        }
    }

    /// Whether runs that answer the question are still to be played: they go on, and nothing can be told before.
    fn is_trying(&self) -> bool {
        let plays = self.with_open(|open| open.guide.next_trial().map(|_| open.other.is_some()));
        match plays.flatten() {
            Some(plays) => plays || self.go_on_trying(),
            None => false,
        }
    }

    /// Goes back: to the question, to the beat before.
    pub(crate) fn lesson_back(&self) {
        self.steer(|guide| _ = guide.go_back());
    }

    /// Begins the lesson once more.
    pub(crate) fn lesson_again(&self) {
        self.with_open(|open| {
            open.turn(|guide| *guide = guide.again());
            open.writing = None;
        });
        self.back_to_lesson();
    }

    /// One hint more.
    pub(crate) fn lesson_hint(&self) {
        self.with_open(|open| open.guide.hint());
        self.notify();
    }

    /// Picks something of an answer that takes several, or leaves it.
    pub(crate) fn pick_for_lesson(&self, value: Value) {
        if self.count_vote(&value) {
            return;
        }
        self.with_open(|open| match open.picked.iter().position(|picked| *picked == value) {
            Some(at) => drop(open.picked.remove(at)),
            None => open.picked.push(value),
        });
        self.notify();
    }

    /// Answers with all that is picked.
    pub(crate) fn answer_picked(&self) {
        let picked = self.with_open(|open| Value::List(open.picked.clone()));
        if let Some(picked) = picked {
            self.answer_lesson(picked);
        }
    }

    /// Stops time where that is the answer; whether it is.
    pub(crate) fn stop_lesson(&self) -> bool {
        let catches = self.with_open(|open| open.catches()).unwrap_or(false) && !self.is_beside_lesson();
        if catches {
            let cursor = self.pair().left().cursor_us() as i64;
            self.answer_lesson(Value::Number(cursor));
        }
        catches
    }

    /// Play was pressed where the lesson shows no more of the run yet: the lesson goes on instead; whether it did.
    pub(crate) fn plays_lesson_on(&self) -> bool {
        let waits = self.has_lesson() && !self.is_beside_lesson() && self.pair().left().is_at_horizon();
        if waits {
            self.lesson_on();
        }
        waits
    }

    /// Shows the run in which the answer would be true, or the one that belongs to it, beside the lesson's; whether there is one.
    pub(crate) fn show_would(&self) -> bool {
        let would = self.with_open(|open| {
            let would = || open.guide.thinks()?.would.as_ref().map(|would| (would.change.clone(), &would.say));
            let (change, say) = would().or_else(|| open.guide.own_run())?;
            let lang = lang_of_page();
            Some((change, taught(lang, open.guide.resolved().said(say, tongue(lang)))))
        });
        let Some((change, words)) = would.flatten().filter(|_| !self.is_beside_lesson()) else { return false };
        self.begin_other(&change, Then::Beside(words));
        true
    }

    fn show_solution(&self) {
        let way = self.with_open(|open| open.guide.task().map(|task| task.way.clone()));
        match way.flatten() {
            Some(Way::Hands(hands)) => self.begin_other(&hands.solution, Then::Instead),
            Some(Way::Write(write)) => self.show_written(&write.answer),
            None => {}
        }
    }

    fn begin_other(&self, change: &Change, then: Then) {
        let begun = self.with_open(|open| {
            let resolved = open.guide.resolved();
            DryRun::with(&resolved.lesson, change, Some(resolved.run.seed))
        });
        self.go_on_with_other(begun, then);
    }

    pub(super) fn go_on_with_other(&self, begun: Option<Result<DryRun, RunError>>, then: Then) {
        match begun {
            None => {}
            Some(Err(error)) => self.note(Some(wrong_words(&error))),
            Some(Ok(dry_run)) => {
                self.with_open(|open| open.other = Some(Other { dry_run, then, timer: None }));
                self.prepare_other();
            }
        }
    }

    /// Plays the next run that answers the question; whether there is one left.
    pub(super) fn go_on_trying(&self) -> bool {
        let next = self.with_open(|open| {
            let (resolved, ask) = (open.guide.resolved(), open.guide.ask()?);
            Some(trial(&resolved.lesson, ask, open.guide.next_trial()?, resolved.run.seed))
        });
        let next = next.flatten();
        let more = next.is_some();
        self.go_on_with_other(next, Then::Seen);
        more
    }

    /// Plays the other run on for a moment; puts it on the stage when all of it has been played.
    fn prepare_other(&self) {
        let went = self.with_open(|open| open.other.as_mut().map(|other| slice(&mut other.dry_run)));
        match went.flatten() {
            None => {}
            Some(Ok(true)) => {
                let timer = self.soon(Engine::prepare_other);
                self.with_open(|open| {
                    if let Some(other) = &mut open.other {
                        other.timer = Some(timer);
                    }
                });
            }
            Some(Ok(false)) => self.put_other(),
            Some(Err(error)) => {
                self.with_open(|open| open.other = None);
                self.note(Some(wrong_words(&error)));
            }
        }
    }
}

impl Open {
    /// Changes where the viewer is; what was begun at the place before is over.
    fn turn(&mut self, change: impl FnOnce(&mut Guide)) {
        change(&mut self.guide);
        self.picked.clear();
        (self.sure, self.other, self.tally, self.judged) = (false, None, None, None);
    }

    /// Whether time runs to be stopped.
    fn catches(&self) -> bool {
        let catches = |kind: &Kind| matches!(kind, Kind::Catch { .. });
        self.guide.phase() == Phase::Asks && self.guide.ask().is_some_and(|ask| catches(&ask.kind))
    }
}
