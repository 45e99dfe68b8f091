//! What a lesson puts on the stage, and what it sees there in each frame.

use std::rc::Rc;

use crate::base::SimTime;
use crate::i18n::title::reading_ms;
use crate::i18n::tongue;
use crate::lessons::{Kind, Resolved, Task, Tried, seen, task_run};
use crate::scenarios::{SCENARIOS, scenario};
use crate::sim::{Run, RunError};
use crate::timeline::{Against, Side, Until};
use crate::view::lesson::Phase;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::{now_ms, wrong_words};

use super::state::{LessonState, Open, Then, Trying};

/// How often it is looked whether a task is done, ms, and how many steps are read at most then.
const LOOKED_EVERY_MS: f64 = 400.0;
const STEPS_A_LOOK: u64 = 20_000;

/// What is due in a frame.
enum Due {
    Nothing,
    /// What was shown last is still read.
    Read,
    /// What was to be shown has been shown.
    Told,
    /// Nobody stopped time.
    Stop,
    /// Somebody tries something.
    Look,
}

impl Open {
    fn due(&self, events: u64, stands: bool, unread: bool) -> Due {
        let over = stands || self.guide.until().is_some_and(|until| events >= until.events);
        match self.guide.phase() {
            Phase::Shows if over && unread => Due::Read,
            Phase::Shows if over && self.guide.next_trial().is_none() => Due::Told,
            Phase::Asks if over && self.catches() => Due::Stop,
            Phase::Asks | Phase::Does if self.trying.is_some() => Due::Look,
            _ => Due::Nothing,
        }
    }
}

impl Engine {
    /// Whether what is on the stage is no longer what the lesson put there: another run, or other deeds in it.
    pub(crate) fn is_beside_lesson(&self) -> bool {
        let pair = self.pair();
        let left = pair.left();
        let beside = self.with_open(|open| {
            let changed = left.horizon().is_none() || left.is_changed();
            left.beginnings().0 != open.began || (open.trying.is_none() && changed)
        });
        beside.unwrap_or(false)
    }

    /// Puts the lesson back on the stage, where its viewer is in it; what is there now is kept.
    pub(crate) fn back_to_lesson(&self) {
        let task = self.with_open(|open| open.guide.task().cloned());
        match task {
            None => return,
            Some(Some(task)) => self.put_task(&task),
            Some(None) => self.put_lesson(),
        }
        self.set_pace();
    }

    /// The stage shows where the guide is.
    pub(super) fn set_stage(&self) {
        let now = self.with_open(|open| {
            let tried = open.trying.as_ref().map(|trying| trying.task.clone());
            (open.guide.task().cloned(), tried)
        });
        match now {
            Some((Some(task), Some(tried))) if task.id == tried => return self.notify(),
            Some((None, None)) => {
                if self.hold_lesson().is_err() {
                    self.put_lesson();
                }
            }
            _ => return self.back_to_lesson(),
        }
        self.set_pace();
    }

    /// The lesson's run goes on where it stands.
    fn hold_lesson(&self) -> Result<(), RunError> {
        let held = self.with_open(|open| {
            let (guide, catch) = (&open.guide, |kind: &Kind| matches!(kind, Kind::Catch { .. }));
            // whoever has stopped time sees it go on from there
            let stopped = guide.phase() == Phase::Shows && guide.ask().is_some_and(|ask| catch(&ask.kind));
            (guide.run(), guide.horizon().events, (!stopped).then(|| guide.place().events))
        });
        let Some((run, horizon, place)) = held else { return Ok(()) };
        self.change_pair(|pair| {
            pair.only_left();
            pair.change(Side::Left, |left| {
                left.hold(run, horizon)?;
                place.map_or(Ok(()), |place| left.seek_event(place))
            })
        })
    }

    /// The lesson's run comes to the stage anew, alone.
    fn put_lesson(&self) {
        let lesson = self.with_open(|open| {
            let guide = &open.guide;
            let staged = guide.resolved().lesson.staged_as();
            (guide.run(), guide.horizon().events, guide.place().events, staged)
        });
        let Some((run, horizon, place, staged)) = lesson else { return };
        let put = self.leaving(|pair| {
            pair.load(Run::clone(&run), staged)?;
            pair.change(Side::Left, |left| {
                left.playing = false;
                left.hold(run, horizon)?;
                left.seek_event(place)
            })
        });
        self.own_stage(None);
        self.note(put.err().map(|error| wrong_words(&error)));
    }

    /// A run in which the viewer does a task with their own hands.
    fn put_task(&self, task: &Task) {
        if let Some(write) = task.write() {
            return self.put_writing(task, &write.from);
        }
        let lesson = self.with_open(|open| open.guide.resolved().clone());
        let Some(resolved) = lesson else { return };
        let made = task_run(&resolved.lesson, task, resolved.run.seed);
        let put = made.and_then(|run| self.put_tried(run, task, false));
        self.note(put.err().map(|error| wrong_words(&error)));
    }

    /// A run of a task comes to the stage, and is followed there.
    fn put_tried(&self, run: Run, task: &Task, playing: bool) -> Result<(), RunError> {
        let tried = Tried::new(Rc::new(run.clone()))?;
        let own = self.with_open(|open| open.guide.resolved().lesson.staged_as()).flatten();
        let staged = task.hands().and_then(|hands| scenario(hands.solution.scenario.as_deref()?)).or(own);
        self.leaving(|pair| {
            pair.load(run, staged)?;
            pair.open_scene()?;
            pair.change(Side::Left, |left| {
                left.playing = playing;
                // whoever is to do something finds an ensemble that works
                let only_servers = left.world().processes.keys().all(|id| id.is_valid());
                if !playing && left.opens() == SimTime::ZERO && only_servers {
                    left.run_until(Until::Election);
                }
            });
            Ok(())
        })?;
        self.own_stage(Some(Trying {
            task: task.id.clone(),
            tried: Some(tried),
            shown: playing,
            looked: f64::NEG_INFINITY,
            seen: None,
        }));
        Ok(())
    }

    /// What is on the stage now was put there by the lesson.
    pub(super) fn own_stage(&self, trying: Option<Trying>) {
        let began = self.pair().left().beginnings().0;
        self.with_open(|open| (open.began, open.trying) = (began, trying));
        self.notify();
    }

    /// Time runs where the machine shows something, slowly where it is to be stopped, and stands everywhere else.
    fn set_pace(&self) {
        let now = self.pair().left().speed;
        let pace = self.with_open(|open| {
            let slow = open.catches();
            if slow {
                open.speed.get_or_insert(now);
            }
            (slow || open.guide.phase() == Phase::Shows, slow)
        });
        let Some((runs, slow)) = pace else { return };
        if !slow {
            self.restore_speed();
        }
        self.on(Side::Left).change(|left| {
            left.playing = runs;
            left.speed = if slow { 0 } else { left.speed };
        });
        let (lang, dwell) = (self.shared.lang.get(), self.dwell());
        let reveal = {
            let pair = self.pair();
            self.with_open(|open| open.guide.rehearse(pair.left(), tongue(lang), &dwell, &reading_ms)).flatten()
        };
        self.set_reveal(reveal);
    }

    /// Time runs again as fast as the viewer chose.
    pub(super) fn restore_speed(&self) {
        if let Some(speed) = self.with_open(|open| open.speed.take()).flatten() {
            self.on(Side::Left).change(|left| left.speed = speed);
        }
    }

    /// The other run has been played ahead: it stands beside the lesson's, or in its place.
    pub(super) fn put_other(&self) {
        let found = self.with_open(|open| {
            let other = open.other.take()?;
            Some((other.dry_run.finish(), other.then, open.guide.task().cloned()))
        });
        let Some((resolved, then, task)) = found.flatten() else { return };
        let (run, until) = (Run::clone(&resolved.run), resolved.lesson.start.until_ms);
        let staged = resolved.lesson.staged_as();
        let put = match (then, task) {
            (Then::Seen, _) => return self.has_tried(&resolved),
            (Then::Own, _) => return self.ask_about(resolved),
            (Then::Beside(words), _) => {
                self.change_pair(|pair| pair.compare_with(run, staged, Some(until), Some(Against::Named(words))))
            }
            (Then::Instead, Some(task)) => self.put_tried(run, &task, true),
            (Then::Instead, None) => Ok(()),
        };
        self.note(put.err().map(|error| wrong_words(&error)));
    }

    /// A run that answers the question has been played: what is seen in it is told, and the next one begins.
    fn has_tried(&self, played: &Resolved) {
        self.with_open(|open| {
            if let Some(value) = open.guide.ask().map(|ask| seen(ask, played)) {
                open.guide.has_tried(value);
            }
        });
        if !self.go_on_trying() {
            self.follow_lesson(now_ms() as f64);
        }
        self.notify();
    }

    /// The lesson goes, and time runs: where all was said, from the moment on the stage on; elsewhere its scenario is opened afresh, or the
    /// first one. What the viewer has brought to the stage stays there.
    pub(crate) fn leave_lesson(&self) {
        let stays = self.with_open(|open| open.began) != Some(self.pair().left().beginnings().0);
        self.restore_speed();
        let Some(LessonState::Open(open)) = self.shared.lesson.take() else { return self.notify() };
        if stays {
            return self.notify();
        }
        let staged = open.guide.resolved().lesson.staged_as().or(SCENARIOS.first());
        match staged.filter(|_| open.guide.phase() != Phase::Over) {
            Some(afresh) => self.note(self.play(afresh, None).err().map(|error| wrong_words(&error))),
            None => self.on(Side::Left).change(|left| {
                left.release();
                left.playing = true;
            }),
        }
    }

    /// The lesson goes; what is on the stage stays there for whoever puts something else in its place.
    pub(crate) fn end_lesson(&self) {
        self.restore_speed();
        self.shared.wanted_lesson.replace(None);
        self.shared.lesson.replace(None);
    }

    /// Looks in a frame whether the lesson goes on by itself; whether it wants to look again in the next one.
    pub(in crate::ui::engine) fn follow_lesson(&self, now: f64) -> bool {
        if self.is_beside_lesson() {
            self.forget_reveal();
            return false;
        }
        let (events, stands) = {
            let pair = self.pair();
            (pair.left().events(), pair.left().is_at_horizon())
        };
        let unread = self.reveals();
        match self.with_open(|open| open.due(events, stands, unread)) {
            None | Some(Due::Nothing) => false,
            Some(Due::Read) => true,
            Some(Due::Told) => {
                self.with_open(|open| open.guide.reached(u64::MAX));
                self.on(Side::Left).change(|left| left.playing = false);
                self.set_reveal(None);
                false
            }
            Some(Due::Stop) => {
                self.stop_lesson();
                false
            }
            Some(Due::Look) => self.look_at_task(now),
        }
    }

    /// Looks whether the task is done; whether it is to be looked again soon.
    fn look_at_task(&self, now: f64) -> bool {
        let (run, mark) = {
            let pair = self.pair();
            let left = pair.left();
            (left.player().run().clone(), (left.version(), left.events()))
        };
        let looked = self.with_open(|open| open.look(&run, mark, now));
        let (done, again) = looked.unwrap_or((false, false));
        if done {
            // what the machine shows ends where it is done; a viewer's own hands are not held
            if self.with_open(|open| open.trying.as_ref().is_some_and(|trying| trying.shown)) == Some(true) {
                self.on(Side::Left).change(|left| left.playing = false);
                self.tell_as_stop();
            }
            self.set_stage();
        }
        again
    }
}

impl Open {
    /// Whether the task is done now, and whether more is to be read.
    fn look(&mut self, run: &Rc<Run>, mark: (u64, u64), now: f64) -> (bool, bool) {
        let (Some(task), Some(trying)) = (self.guide.task().cloned(), &mut self.trying) else {
            return (false, false);
        };
        if self.guide.is_done() || trying.seen == Some(mark) {
            return (false, false);
        }
        if now - trying.looked < LOOKED_EVERY_MS {
            return (false, true);
        }
        trying.looked = now;
        let Some(tried) = &mut trying.tried else { return (false, false) };
        let there = tried.follow(run, mark.1, STEPS_A_LOOK).unwrap_or(true);
        if !there {
            return (false, true);
        }
        trying.seen = Some(mark);
        let lesson = self.guide.resolved().lesson.clone();
        let done = tried.is_done(&task, &lesson.start.names);
        if done {
            self.guide.has_done();
        }
        (done, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::lessons::{FIRST, Value, lesson};

    fn opened(id: &str, beat: &str) -> Engine {
        let engine = Engine::new();
        engine.open_lesson(lesson(id).expect("a lesson"), Some(beat.into()));
        engine
    }

    #[test]
    fn who_skips_the_first_lesson_comes_to_a_world_that_plays() {
        for beat in ["agree", "enough"] {
            let engine = opened(FIRST, beat);
            engine.leave_lesson();
            let session = engine.session();
            assert!(!engine.has_lesson() && session.playing && session.horizon().is_none());
            let scenario = session.scenario().expect("a scenario");
            assert_eq!((scenario.id, &**session.player().run()), (SCENARIOS[0].id, &SCENARIOS[0].run()));
        }
    }

    #[test]
    fn who_goes_on_freely_does_so_where_the_lesson_ends() {
        let places = lesson(FIRST).expect("a lesson").places();
        let engine = opened(FIRST, &(places + 1).to_string());
        let (events, world) = (engine.session().events(), engine.session().world().clone());
        assert!(events > 0 && world.next_at().is_some());
        engine.leave_lesson();
        assert_eq!(engine.session().events(), events, "from the moment on the stage");
        engine.change(|session| session.advance(100.0));
        let session = engine.session();
        assert!(session.playing && session.cursor_us() > world.now.0 as f64);
        assert_eq!(session.player().run().actions.len(), world.done(), "nothing of the lesson is still to come");
    }

    #[test]
    fn what_is_shown_is_told_step_by_step_and_ends_when_it_has_been_read() {
        let engine = opened(FIRST, "enough");
        let says = |engine: &Engine| engine.taught(Lang::En).expect("a lesson");
        let said = |engine: &Engine| match says(engine) {
            crate::ui::engine::Taught::Open(shown) => *shown,
            crate::ui::engine::Taught::Opening => panic!("it is open"),
        };
        let before = said(&engine);
        assert!(before.saying.marks.is_empty() && before.saying.steps.is_empty());
        engine.answer_lesson(Value::Number(3));
        let (mut captions, mut now) = (Vec::new(), 0.0);
        while said(&engine).phase == Phase::Shows {
            let shown = said(&engine);
            let reached = shown.saying.steps.iter().filter(|(_, reached)| *reached).count();
            if captions.last().is_none_or(|(_, last)| *last != shown.saying.caption) {
                captions.push((reached, shown.saying.caption));
            }
            now += 16.0;
            engine.pass(16.0, now);
            engine.follow_lesson(now);
            assert!(now < 20_000.0, "it never ends");
        }
        let reached: Vec<usize> = captions.iter().map(|(reached, _)| *reached).collect();
        assert_eq!(reached, [0, 1, 2, 3, 4]);
        let told = said(&engine);
        let marks: Vec<_> = told.saying.marks.iter().map(|mark| (mark.yours, mark.right)).collect();
        assert_eq!(marks, [(false, Some(false)), (false, Some(true)), (true, Some(false))]);
        assert!(now > 6_000.0 && told.saying.feedback.is_some());
    }
}
