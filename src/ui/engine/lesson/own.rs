//! The lesson's questions about a run of the viewer's own.

use std::rc::Rc;

use crate::i18n::page::page;
use crate::lessons::{DryRun, Resolved};
use crate::view::lesson::Guide;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::lang_of_page;

use super::state::Then;

impl Engine {
    /// Plays the viewer's run ahead; then the lesson asks about it what it can.
    pub(crate) fn ask_about_own_run(&self) {
        let run = self.pair().left().player().run().clone();
        let begun = self.with_open(|open| DryRun::of(&open.guide.resolved().lesson, run));
        self.go_on_with_other(begun, Then::Own);
    }

    /// The viewer's run has been played ahead.
    pub(super) fn ask_about(&self, resolved: Resolved) {
        let asks = self.with_open(|open| {
            let own = Guide::in_own_run(Rc::new(resolved), open.guide.index() - 1);
            own.map(|own| {
                let lessons = std::mem::replace(&mut open.guide, own);
                open.kept.get_or_insert(lessons);
                open.turn(|_| ());
            })
        });
        match asks.flatten() {
            Some(()) => self.back_to_lesson(),
            None => self.note(Some(page(lang_of_page()).lesson_nothing_own.into())),
        }
    }

    /// Back to the lesson's own run, from wherever the viewer is.
    pub(crate) fn return_to_lesson(&self) {
        self.with_open(|open| {
            if let Some(lessons) = open.kept.take() {
                open.turn(|guide| *guide = lessons);
            }
        });
        self.back_to_lesson();
    }
}
