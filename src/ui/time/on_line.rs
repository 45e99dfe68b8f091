//! What the line of time tells its parts, and the way to a moment.

use std::rc::Rc;

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::Lang;
use crate::timeline::{TimeMap, WIDTH};

use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;

/// What the line tells its parts: where moments lie, and how wide it is, pixels.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct OnLine {
    pub lang: Lang,
    pub map: Rc<TimeMap>,
    pub wide: u64,
    /// A letter's usual width, pixels.
    pub letter: u64,
}

impl OnLine {
    /// About the width of a text, pixels; that of a language that writes in squares, twice as wide.
    pub(crate) fn long(&self, text: &str) -> i64 {
        text.chars().map(|one| if one.is_ascii() { self.letter } else { 2 * self.letter }).sum::<u64>() as i64
    }

    /// Where a moment lies, pixels from the left end.
    pub(crate) fn px(&self, at: SimTime) -> i64 {
        self.map.place(at.0) * self.wide as i64 / WIDTH as i64
    }
}

/// Goes to a moment; where it cannot be reached is told.
pub(in crate::ui) fn go(engine: &Engine, at: SimTime) {
    if let Err(error) = engine.change(|session| session.seek(at)) {
        engine.note(Some(wrong_words(&error)));
    }
}
