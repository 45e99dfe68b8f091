//! What others than the viewer hear of the open lesson and may say to it: the page around this one, and links. Nothing of an answer is
//! in it before the answer has been shown.

use std::rc::Rc;

use serde_json::{Value as Json, json};

use crate::lessons::{Ask, Kind, Of, Unit, Value};
use crate::view::lesson::{Answered, Phase, Settled};

use crate::ui::engine::Engine;

use super::state::{LessonState, Open, place_of};

/// Where the open lesson is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui) struct LessonNews {
    /// The lesson's name.
    pub id: Rc<str>,
    /// The name of the beat or the task; none at the end, and while the lesson is prepared.
    pub beat: Option<Rc<str>>,
    /// Its number, from 1; one behind the last one at the end, 0 while the lesson is prepared.
    pub index: usize,
    /// How many beats and tasks there are.
    pub count: usize,
    /// None while the lesson is prepared.
    pub phase: Option<Phase>,
    /// The stage shows something else than the lesson.
    pub beside: bool,
    /// How often something was settled, and what it was last, as long as that is told here.
    pub settled: (u32, Option<SettledNews>),
}

/// What was settled, once it may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui) enum SettledNews {
    /// What was answered, as one answers, and what came of it: `right`, `near`, `other`, `shown`, `done`; the idea behind it.
    Answer { given: Json, verdict: &'static str, idea: Option<Rc<str>> },
    /// The task that was done.
    Task(Rc<str>),
}

impl Engine {
    /// Where the open lesson is; none where none is open.
    pub(crate) fn lesson_news(&self) -> Option<LessonNews> {
        if !self.has_lesson() {
            return None;
        }
        let beside = self.is_beside_lesson();
        Some(match &*self.shared.lesson.borrow() {
            None => return None,
            Some(LessonState::Opening(opening)) => {
                let lesson = &opening.lesson;
                let count = lesson.places();
                let id = lesson.id.clone();
                LessonNews { id, beat: None, index: 0, count, phase: None, beside, settled: (0, None) }
            }
            Some(LessonState::Open(open)) => LessonNews {
                id: open.guide.resolved().lesson.id.clone(),
                beat: open.guide.name().cloned(),
                index: open.guide.index(),
                count: open.guide.number().1,
                phase: Some(open.guide.phase()),
                beside,
                settled: open.settled(),
            },
        })
    }

    /// The name of the open lesson and of its beat, or its number, as addresses have them. None while it is prepared, beside its path, in a
    /// task in which something was done, and of a lesson that is not built in: no address leads there.
    pub(crate) fn lesson_in_address(&self) -> Option<(Rc<str>, String)> {
        let own = self.with_open(|open| open.origin.own || open.kept.is_some()).unwrap_or(true);
        let done = |news: &LessonNews| news.phase == Some(Phase::Does) && self.session().is_changed();
        let news = self.lesson_news().filter(|news| !own && !news.beside && !done(news))?;
        let beat = news.beat.map_or_else(|| news.index.to_string(), |beat| beat.to_string());
        Some((news.id, beat))
    }

    /// Goes to a beat or a task, by its name or its number from 1, and back to the lesson's path. Whether there is one; none where no lesson
    /// is open.
    pub(crate) fn lesson_to(&self, beat: &str) -> Option<bool> {
        let at = match &mut *self.shared.lesson.borrow_mut() {
            None => return None,
            Some(LessonState::Opening(opening)) => {
                let known = place_of(&opening.lesson, beat).is_some();
                if known {
                    opening.beat = Some(beat.to_string());
                }
                return Some(known);
            }
            Some(LessonState::Open(open)) => place_of(&open.guide.resolved().lesson, beat),
        };
        let Some(at) = at else { return Some(false) };
        let beside = self.is_beside_lesson();
        self.with_open(|open| open.turn(|guide| guide.enter(at)));
        if beside {
            self.back_to_lesson();
        } else {
            self.set_stage();
        }
        Some(true)
    }

    /// Whether a key that turns pages still leads on in the lesson, or back.
    pub(crate) fn lesson_has_pages(&self, forth: bool) -> bool {
        let has = |open: &mut Open| if forth { open.guide.phase() != Phase::Over } else { open.guide.has_way_back() };
        self.has_lesson() && self.with_open(has).unwrap_or(true)
    }
}

impl Open {
    fn settled(&self) -> (u32, Option<SettledNews>) {
        match self.guide.settled() {
            None => (0, None),
            Some((number, Settled::Task(id))) => (*number, Some(SettledNews::Task(id.clone()))),
            Some((number, Settled::Answer)) => (*number, self.answer_news()),
        }
    }

    fn answer_news(&self) -> Option<SettledNews> {
        let (verdict, ask) = (self.verdict()?, self.guide.ask()?);
        let idea = self.guide.thinks().map(|thinks| thinks.idea.clone());
        let given = match self.guide.answered()? {
            Answered::Given(given) => as_given(ask, given),
            Answered::Shown => Json::Null,
        };
        let known = ["right", "near", "shown", "done"].into_iter().find(|word| idea.is_none() && **word == *verdict);
        Some(SettledNews::Answer { given, verdict: known.unwrap_or("other"), idea })
    }
}

/// An answer in the form in which a script answers: names of machines, ms.
fn as_given(ask: &Ask, value: &Value) -> Json {
    use crate::lessons::Shown::{Client, Server};
    match (&ask.kind, value) {
        (_, Value::List(items)) => items.iter().map(|item| as_given(ask, item)).collect(),
        (_, Value::Nothing) => Json::Null,
        (_, Value::Truth(truth)) => json!(truth),
        (_, Value::Text(text)) => json!(text),
        (Kind::Pick { of: Of::Servers, .. }, id) => json!(id.written(Server)),
        (Kind::Pick { of: Of::Clients, .. }, id) => json!(id.written(Client)),
        (Kind::Number { unit: Unit::Ms, .. } | Kind::Catch { .. }, Value::Number(us)) => {
            json!((us + 500).div_euclid(1_000))
        }
        (_, Value::Number(number)) => json!(number),
    }
}
