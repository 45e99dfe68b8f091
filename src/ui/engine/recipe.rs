//! The recipe of one's own that somebody writes: its text, what came of the texts before it, and the runs that show it. This browser
//! keeps text and attempts.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::base::{Arrange, Micros, SimTime};
use crate::explore::own::{Law, is_stage, plain_run, question, rewritten, steps, text_of};
use crate::lessons::Write;
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
const SCHEDULES: u64 = 10_000;
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
    /// Whether the text is shown as blocks.
    blocks: bool,
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

/// What was found, the gravest first, and of that the smallest.
pub(in crate::ui) fn ranked(finds: &[Shown]) -> Vec<&Shown> {
    let gravity = |shown: &Shown| shown.law().map(Law::gravity);
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

    /// Whether it is shown as blocks.
    pub(crate) fn recipe_is_blocks(&self) -> bool {
        self.shared.desk.borrow().kept.blocks
    }

    /// It is shown as blocks, or as a text.
    pub(crate) fn show_recipe_as(&self, blocks: bool) {
        self.at_desk(|kept| kept.blocks = blocks);
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
        let text = {
            let mut desk = self.shared.desk.borrow_mut();
            work(&mut desk.kept);
            desk.keep();
            desk.kept.text.clone()
        };
        self.forget_judged(text);
        self.on(Side::Left).notify();
    }

    /// A run of a program in which nothing goes wrong, on the stage.
    pub(crate) fn run_recipe(&self, text: &Rc<str>, program: &Program) -> Result<(), RunError> {
        let known = self.attempts().iter().any(|attempt| attempt.text == *text);
        if !known && READY.iter().all(|ready| *ready.text != **text) {
            self.at_desk(|kept| kept.add(Attempt { text: text.clone(), ..Attempt::default() }));
        }
        self.keep_lesson(|engine| engine.watch_plain(text, program))
    }

    /// A run of a recipe on the stage.
    pub(crate) fn show_recipe(&self, run: Run, until: SimTime) -> Result<(), RunError> {
        self.keep_lesson(|engine| engine.watch_recipe(run, until))
    }

    /// Puts a run on the stage: the open lesson's where it wants a recipe to be written; elsewhere the lesson is over.
    fn keep_lesson(&self, put: impl FnOnce(&Engine) -> Result<(), RunError>) -> Result<(), RunError> {
        let wanted = self.written_here().is_some();
        if !wanted {
            self.end_lesson();
        }
        put(self)?;
        if wanted {
            self.own_written();
        }
        Ok(())
    }

    /// A run of a program in which nothing goes wrong, from shortly before its first step.
    pub(super) fn watch_plain(&self, text: &str, program: &Program) -> Result<(), RunError> {
        let run = plain_run(text, program);
        let until = run.actions.last().map_or(SimTime::ZERO, |timed| timed.at_us).plus(PLAIN_US);
        self.watch_recipe(run, until)
    }

    fn watch_recipe(&self, run: Run, until: SimTime) -> Result<(), RunError> {
        let first = run.actions.iter().find(|timed| !is_stage(&timed.action));
        let (first, until_ms) = (first.map_or(SimTime::ZERO, |timed| timed.at_us), until.plus(AFTER_US).ceil_ms());
        self.watch(first, |pair| {
            pair.load(run, None)?;
            pair.change(Side::Left, |left| left.plan(until_ms.as_ms()));
            Ok(())
        })
    }

    /// Searches for the schedule that breaks a program; the gravest one comes onto the stage. Where the lesson wants it to be written, it is
    /// searched and judged as that asks.
    pub(crate) fn break_recipe(&self, text: &Rc<str>, program: &Program, may_herd: bool) {
        let (engine, text, program, write) = (self.clone(), text.clone(), program.clone(), self.written_here());
        let asked = match &write {
            Some(write) => write.question(&text, &program),
            None => question(&text, &program, SERVERS, may_herd, SCHEDULES),
        };
        self.search_for(asked, move |standing| {
            if let Standing::Over(report, finds) = standing {
                engine.recipe_judged(&text, report.progress.trials, finds, write.as_ref());
                write.iter().for_each(|write| engine.judge_written(write, &program, finds));
            }
        });
    }

    fn recipe_judged(&self, text: &Rc<str>, schedules: u64, finds: &[Shown], write: Option<&Write>) {
        let best = ranked(finds).into_iter().next();
        let law = best.and_then(|best| best.found.as_ref()?.property).map(Rc::from);
        let steps = best.map_or(0, |best| steps(&best.answer.run, best.answer.deeds));
        self.at_desk(|kept| kept.add(Attempt { text: text.clone(), law, steps, schedules }));
        // whoever has gone on to a lesson meanwhile, or in it, is not called away
        let stays = if write.is_some() { self.written_here().as_ref() == write } else { !self.has_lesson() };
        if let Some(best) = best.filter(|_| stays) {
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

    /// Whether the run on the right has a recipe of one's own.
    pub(crate) fn has_recipe_beside(&self) -> bool {
        self.pair().right().is_some_and(|right| text_of(right.player().run()).is_some())
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
    use crate::i18n::Lang;
    use crate::lessons::{Judged, lesson};
    use crate::ui::engine::{Answering, Taught};
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
    fn a_lesson_tells_what_becomes_of_what_is_written_and_stays() {
        let engine = Engine::new();
        engine.open_lesson(lesson("workshop-pause").expect("a lesson"), Some("let-go".into()));
        let shown = || match engine.taught(Lang::En) {
            Some(Taught::Open(shown)) => *shown,
            _ => panic!("it is open"),
        };
        let write = engine.written_here().expect("a task");
        assert_eq!(
            (engine.recipe_on_stage(), &engine.recipe_text()),
            (Some(write.from.text.clone()), &write.from.text)
        );
        assert!(!engine.session().playing && matches!(shown().answering, Answering::Write(_)));
        let search = |text: &Rc<str>| {
            let program = Program::parse(text).expect("a program");
            let hunt = Hunt::after(write.question(text, &program), u64::MAX);
            let Standing::Over(report, finds) = hunt.standing() else { panic!("it goes on") };
            engine.recipe_judged(text, report.progress.trials, &finds, Some(&write));
            engine.judge_written(&write, &program, &finds);
        };
        search(&write.from.text);
        assert_eq!((shown().judged, shown().done), (Some(Judged::Falls(Law::Believed)), false));
        assert!(!shown().beside && engine.session().playing, "its run is on the lesson's stage");
        let mended: Rc<str> = format!("{}on session lost\n  release\n", write.from.text).into();
        engine.write_recipe(&mended);
        assert_eq!(shown().judged, None, "nobody knows of this text yet");
        // beside the path the lesson is over where a recipe runs; here it goes on
        engine.run_recipe(&mended, &Program::parse(&mended).expect("a program")).expect("it runs");
        assert!(!shown().beside);
        search(&mended);
        assert_eq!((shown().judged, shown().done), (Some(Judged::Done), true));
        assert_eq!(shown().verdict.as_deref(), Some("done"));
        engine.lesson_on();
        engine.lesson_back();
        assert_eq!(
            (engine.recipe_text(), engine.recipe_on_stage()),
            (mended.clone(), Some(mended)),
            "it is found again"
        );
        engine.show_lesson();
        assert_eq!(
            (engine.recipe_text(), engine.recipe_on_stage()),
            (write.answer.text.clone(), Some(write.answer.text))
        );
    }

    #[test]
    fn what_breaks_it_comes_onto_the_stage_and_another_text_beside_it() {
        let (engine, text): (_, Rc<str>) = (Engine::new(), WRONG.into());
        let program = |text: &str| Program::parse(text).expect("a program");
        let asked = question(&text, &program(&text), SERVERS, false, 40);
        let Standing::Over(report, finds) = Hunt::after(asked, u64::MAX).standing() else { panic!("it goes on") };
        engine.recipe_judged(&text, report.progress.trials, &finds, None);
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
