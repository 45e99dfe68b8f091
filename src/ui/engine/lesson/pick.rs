//! Answers on the stage itself: a press on a machine or a client picks it where the question asks for such.

use crate::base::{ClientId, ServerId};
use crate::lessons::{Ask, Kind, Many, Of, Value};
use crate::view::lesson::{Answered, Phase};

use crate::ui::engine::Engine;

use super::shown::Answering;
use super::state::Open;

/// What is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum OnStage {
    Server(ServerId),
    Client(ClientId),
}

/// What the lesson wants of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum LessonMark {
    /// It can be picked.
    Open,
    /// It is picked; its place, from 1, where the order matters.
    Picked(Option<usize>),
    /// It was expected.
    You,
    /// The viewer decides in its place.
    Is,
}

impl OnStage {
    fn value(self) -> Value {
        Value::Number(match self {
            OnStage::Server(id) => id.0.into(),
            OnStage::Client(id) => id.0.into(),
        })
    }

    fn is_of(self, of: &Of) -> bool {
        matches!((self, of), (OnStage::Server(_), Of::Servers) | (OnStage::Client(_), Of::Clients))
    }
}

impl Engine {
    /// What the open lesson wants of something on the stage; nothing where none is open.
    pub(crate) fn lesson_mark(&self, what: OnStage) -> Option<LessonMark> {
        if !self.has_lesson() || self.is_beside_lesson() {
            return None;
        }
        self.with_open(|open| open.mark(what)).flatten()
    }

    /// Picks what is pressed; whether the question asks for such.
    pub(crate) fn pick_on_stage(&self, what: OnStage) -> bool {
        if !matches!(self.lesson_mark(what), Some(LessonMark::Open | LessonMark::Picked(_))) {
            return false;
        }
        match self.with_open(|open| open.answering()) {
            Some(Answering::Several(_)) => self.pick_for_lesson(what.value()),
            _ => self.answer_lesson(what.value()),
        }
        true
    }
}

impl Open {
    fn mark(&self, what: OnStage) -> Option<LessonMark> {
        let Ask { kind, .. } = self.guide.ask()?;
        match (kind, self.guide.phase()) {
            (Kind::Pick { of, many, .. }, Phase::Asks) if what.is_of(of) => {
                let place = self.picked.iter().position(|picked| *picked == what.value());
                let ordered = |place: usize| (*many == Many::Sequence).then_some(place + 1);
                Some(place.map_or(LessonMark::Open, |place| LessonMark::Picked(ordered(place))))
            }
            (Kind::Pick { of, .. }, Phase::Shows | Phase::Told) if what.is_of(of) => match self.guide.answered()? {
                Answered::Given(given) => given.items().contains(&what.value()).then_some(LessonMark::You),
                Answered::Shown => None,
            },
            (Kind::Be { who, .. }, Phase::Asks | Phase::Shows) => {
                let who = self.guide.resolved().value(who);
                let server = matches!(what, OnStage::Server(_));
                (server && who == what.value()).then_some(LessonMark::Is)
            }
            _ => None,
        }
    }
}
