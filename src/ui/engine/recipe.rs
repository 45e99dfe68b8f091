//! The recipe of one's own that somebody writes: its text, what came of the texts before it, and the runs that show it. This browser
//! keeps text and attempts.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::base::{Arrange, Micros, SimTime};
use crate::explore::own::{Law, is_stage, plain_run, question, rewritten, steps, text_of};
use crate::recipes::own::{MAX_PROGRAM_BYTES, Program, READY};
use crate::sim::{Run, RunError};
use crate::timeline::{Against, Side, Until};
use crate::ui::kit::browser::{window, wrong_words};
use crate::ui::search::{Shown, Standing};

use super::Engine;

/// The name under which the browser keeps it.
const KEY: &str = "zabscope-recipes";
/// Most of it, bytes, and most attempts; the oldest go first.
const MAX_BYTES: usize = 64 << 10;
const MAX_ATTEMPTS: usize = 20;
/// Most schedules of a search.
pub(in crate::ui) const SCHEDULES: u64 = 10_000;
/// On so many servers a recipe is searched.
const SERVERS: u8 = 1;
/// A run without faults is worth watching for so long after its last call, µs.
const PLAIN_US: Micros = 4_000_000;
/// A run that breaks a recipe is shown for so long after that, µs.
const AFTER_US: Micros = 300_000;

/// A text that was tried, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::ui) struct Attempt {
    pub text: Rc<str>,
    /// The law that fell; none where nothing broke.
    pub law: Option<Rc<str>>,
    /// In how many steps it fell.
    pub steps: usize,
    /// How many schedules were tried; none where nobody searched.
    pub schedules: u64,
}

/// What the browser keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    text: Option<Rc<str>>,
    attempts: Vec<Attempt>,
}

impl Kept {
    /// What was kept; nothing where that makes no sense.
    fn of(text: &str) -> Kept {
        if text.len() > MAX_BYTES { Kept::default() } else { serde_json::from_str(text).unwrap_or_default() }
    }

    /// As a text that is short enough; the oldest attempts make room.
    fn shortened(&mut self) -> String {
        loop {
            let text = serde_json::to_string(self).unwrap_or_default();
            if text.len() <= MAX_BYTES || self.attempts.is_empty() {
                return text;
            }
            self.attempts.remove(0);
        }
    }

    /// An attempt is the newest now; the same text stands there once.
    fn add(&mut self, attempt: Attempt) {
        self.attempts.retain(|other| other.text != attempt.text);
        self.attempts.push(attempt);
        self.attempts.drain(..self.attempts.len().saturating_sub(MAX_ATTEMPTS));
    }

    /// Another text; what stood there before is an attempt, unless it is one already or everybody has it.
    fn put(&mut self, text: &Rc<str>) {
        let known = |old: &Rc<str>| {
            READY.iter().any(|ready| *ready.text == **old) || self.attempts.iter().any(|attempt| attempt.text == *old)
        };
        let old = self.text.replace(text.clone()).filter(|old| old != text && !old.trim().is_empty() && !known(old));
        if let Some(text) = old {
            self.add(Attempt { text, ..Attempt::default() });
        }
    }
}

/// Where recipes are written.
#[derive(Debug, Default)]
pub(super) struct Desk {
    kept: Kept,
    /// What the browser keeps has been read.
    read: bool,
    /// The program on the stage that was taken over last.
    taken: Option<Rc<str>>,
}

fn storage() -> Option<web_sys::Storage> {
    // natively there is none
    if cfg!(target_arch = "wasm32") { window().local_storage().ok().flatten() } else { None }
}

impl Desk {
    fn read(&mut self) {
        if !std::mem::replace(&mut self.read, true) {
            let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
            self.kept = text.map_or_else(Kept::default, |text| Kept::of(&text));
        }
    }

    fn keep(&mut self) {
        let text = self.kept.shortened();
        if let Some(storage) = storage() {
            let _ = storage.set_item(KEY, &text);
        }
    }

    /// What stands in the editor, if this program is on the stage: one that was not there before comes into the editor, too.
    fn text(&mut self, on_stage: Option<Rc<str>>) -> Rc<str> {
        self.read();
        if let Some(program) = on_stage.filter(|program| self.taken.as_ref() != Some(program)) {
            self.kept.put(&program);
            self.taken = Some(program);
        }
        self.kept.text.clone().unwrap_or_else(|| READY[0].text.into())
    }
}

/// What was found, the gravest first, and of that the smallest: a lock that two hold is worse than a node that is left behind.
pub(in crate::ui) fn ranked(finds: &[Shown]) -> Vec<&Shown> {
    let gravity = |shown: &Shown| match shown.found.as_ref().and_then(|found| Law::of(found.property?)) {
        Some(Law::OneHolder | Law::TakenOnce | Law::Closed) => 0,
        Some(Law::Believed) => 1,
        Some(Law::Woken) => 2,
        Some(Law::Progress) | None => 3,
        Some(Law::NothingLeft) => 4,
        Some(Law::NoHerd) => 5,
    };
    let mut ranked: Vec<&Shown> = finds.iter().filter(|shown| shown.found.is_some()).collect();
    ranked.arrange_by_key(|shown| (gravity(shown), steps(&shown.answer.run, shown.answer.deeds)));
    ranked
}

impl Engine {
    /// The text in the editor.
    pub(crate) fn recipe_text(&self) -> Rc<str> {
        let on_stage = self.recipe_on_stage();
        self.shared.desk.borrow_mut().text(on_stage)
    }

    /// The text of the program that the run on the stage has.
    pub(crate) fn recipe_on_stage(&self) -> Option<Rc<str>> {
        text_of(self.pair().left().player().run())
    }

    /// Somebody types.
    pub(crate) fn write_recipe(&self, text: &str) {
        if text.len() <= 2 * MAX_PROGRAM_BYTES {
            self.at_desk(|kept| kept.text = Some(text.into()));
        }
    }

    /// Another text comes into the editor.
    pub(crate) fn put_recipe(&self, text: &Rc<str>) {
        self.at_desk(|kept| kept.put(text));
    }

    /// What was tried, the newest last.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        self.shared.desk.borrow().kept.attempts.clone()
    }

    /// Keeps no attempt any more.
    pub(crate) fn forget_attempts(&self) {
        self.at_desk(|kept| kept.attempts.clear());
    }

    fn at_desk(&self, work: impl FnOnce(&mut Kept)) {
        // what has come onto the stage meanwhile comes before what is done now
        let _ = self.recipe_text();
        {
            let mut desk = self.shared.desk.borrow_mut();
            work(&mut desk.kept);
            desk.keep();
        }
        self.on(Side::Left).notify();
    }

    /// A run of a program in which nothing goes wrong, on the stage.
    pub(crate) fn run_recipe(&self, text: &Rc<str>, program: &Program) -> Result<(), RunError> {
        let known = self.attempts().iter().any(|attempt| attempt.text == *text);
        if !known && READY.iter().all(|ready| *ready.text != **text) {
            self.at_desk(|kept| kept.add(Attempt { text: text.clone(), ..Attempt::default() }));
        }
        let run = plain_run(text, program);
        let until = run.actions.last().map_or(SimTime::ZERO, |timed| timed.at_us).plus(PLAIN_US);
        self.show_recipe(run, until)
    }

    /// A run of a recipe on the stage, from shortly before its first step.
    pub(crate) fn show_recipe(&self, run: Run, until: SimTime) -> Result<(), RunError> {
        self.end_lesson();
        let first = run.actions.iter().find(|timed| !is_stage(&timed.action));
        let (first, until_ms) = (first.map_or(SimTime::ZERO, |timed| timed.at_us), until.plus(AFTER_US).ceil_ms());
        self.watch(first, |pair| {
            pair.load(run, None)?;
            pair.change(Side::Left, |left| left.plan(until_ms.as_ms()));
            Ok(())
        })
    }

    /// Searches for the schedule that breaks a program; the gravest one comes onto the stage.
    pub(crate) fn break_recipe(&self, text: &Rc<str>, program: &Program, may_herd: bool) {
        let (engine, text) = (self.clone(), text.clone());
        let asked = question(&text, program, SERVERS, may_herd, SCHEDULES);
        self.search_for(asked, move |standing| {
            if let Standing::Over(report, finds) = standing {
                engine.recipe_judged(&text, report.progress.trials, finds);
            }
        });
    }

    fn recipe_judged(&self, text: &Rc<str>, schedules: u64, finds: &[Shown]) {
        let best = ranked(finds).into_iter().next();
        let law = best.and_then(|best| best.found.as_ref()?.property).map(Rc::from);
        let steps = best.map_or(0, |best| steps(&best.answer.run, best.answer.deeds));
        self.at_desk(|kept| kept.add(Attempt { text: text.clone(), law, steps, schedules }));
        // whoever has gone on to a lesson meanwhile is not called away
        if let Some(best) = best.filter(|_| !self.has_lesson()) {
            let shown = self.show_recipe(best.answer.run.clone(), best.answer.at);
            self.note(shown.err().map(|error| wrong_words(&error)));
        }
    }

    /// The run on the stage, and beside it the same calls and faults with another program.
    pub(crate) fn recipe_beside(&self, text: &Rc<str>, program: &Program, name: String) -> Result<(), RunError> {
        self.change_pair(|pair| {
            let run = rewritten(pair.left().player().run(), text, program);
            let until_ms = pair.left().extent().as_ms();
            pair.compare_with(run, None, Some(until_ms), Some(Against::Named(name)))
        })
    }

    /// Goes on to where a client comes to its next line.
    pub(crate) fn to_next_line(&self) {
        self.change(|session| {
            session.playing = false;
            session.run_until(Until::Line)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::search::Hunt;

    fn attempt(text: &str) -> Attempt {
        Attempt { text: text.into(), ..Attempt::default() }
    }

    #[test]
    fn a_text_that_gives_way_is_kept_once_unless_everybody_has_it() {
        let mut kept = Kept { text: Some("acquire\n  hold\n".into()), ..Kept::default() };
        for text in [READY[1].text, READY[2].text, "acquire\n  hold\n", READY[0].text] {
            kept.put(&text.into());
        }
        assert_eq!(kept.attempts, [attempt("acquire\n  hold\n")]);
        assert_eq!(kept.text.as_deref(), Some(READY[0].text));
        let broken =
            Attempt { law: Some("mutual-exclusion".into()), steps: 3, schedules: 40, ..kept.attempts[0].clone() };
        kept.add(attempt("release\n"));
        kept.add(broken.clone());
        assert_eq!(kept.attempts, [attempt("release\n"), broken]);
    }

    #[test]
    fn what_is_kept_comes_back_and_the_oldest_makes_room() {
        let mut kept = Kept::default();
        for number in 0..30 {
            kept.add(attempt(&format!("# {number}\n{}", "x".repeat(8_000))));
        }
        assert_eq!(kept.attempts.len(), MAX_ATTEMPTS);
        let text = kept.shortened();
        assert!(text.len() <= MAX_BYTES && kept.attempts.len() >= 7, "{}", kept.attempts.len());
        assert!(kept.attempts.last().is_some_and(|last| last.text.starts_with("# 29\n")));
        assert_eq!(Kept::of(&text), kept);
        for nonsense in ["", "[]", "{\"attempts\":7}", &"x".repeat(MAX_BYTES + 1)] {
            assert_eq!(Kept::of(nonsense), Kept::default(), "{nonsense}");
        }
    }

    #[test]
    fn a_program_that_comes_onto_the_stage_comes_into_the_editor_once() {
        let mut desk = Desk::default();
        assert_eq!(&*desk.text(None), READY[0].text);
        assert_eq!(&*desk.text(Some(READY[2].text.into())), READY[2].text);
        desk.kept.text = Some("acquire\n".into());
        assert_eq!(&*desk.text(Some(READY[2].text.into())), "acquire\n", "somebody has typed since");
        assert_eq!(&*desk.text(Some(READY[3].text.into())), READY[3].text);
        assert_eq!(desk.kept.attempts, [attempt("acquire\n")]);
    }

    /// Everybody holds.
    const WRONG: &str = "acquire\n  me = create /lock/n- ephemeral sequential\n  hold\n\nrelease\n  delete me\n";

    #[test]
    fn what_breaks_it_comes_onto_the_stage_and_another_text_beside_it() {
        let (engine, text): (_, Rc<str>) = (Engine::new(), WRONG.into());
        let program = |text: &str| Program::parse(text).expect("a program");
        let asked = question(&text, &program(&text), SERVERS, false, 40);
        let Standing::Over(report, finds) = Hunt::after(asked, u64::MAX).standing() else { panic!("it goes on") };
        engine.recipe_judged(&text, report.progress.trials, &finds);
        assert_eq!((engine.recipe_on_stage(), engine.recipe_text()), (Some(text.clone()), text.clone()));
        let kept = engine.attempts();
        assert_eq!((kept.len(), kept[0].law.as_deref(), kept[0].schedules), (1, Some(Law::OneHolder.id()), 40));
        assert!((2..=4).contains(&kept[0].steps), "{}", kept[0].steps);
        let at = engine.session().cursor_us();
        engine.to_next_line();
        assert!(engine.session().cursor_us() > at && !engine.session().playing);
        engine.recipe_beside(&READY[2].text.into(), &program(READY[2].text), "new".into()).expect("a possible run");
        let pair = engine.pair();
        let right = pair.right().expect("a run beside it").player().run();
        assert_eq!(text_of(right).as_deref(), Some(READY[2].text));
        assert_eq!(pair.left().player().run().actions.len(), right.actions.len());
    }
}
