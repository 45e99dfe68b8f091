//! What the page reads of a lesson. Nothing of an answer is in it before the answer has been shown.

use std::rc::Rc;

use crate::i18n::{Lang, taught, tongue};
use crate::lessons::{Ask, Judged, Kind, Many, Unit, Value, Verdict};
use crate::sim::Tongue;
use crate::timeline::Side;
use crate::view::lesson::{Answered, Chart, Choice, Column, Corrected, Desk, Form, Phase, Recalled, Saying};
use crate::view::overview::Overview;

use crate::ui::engine::Engine;

use super::state::{Followed, LessonState, Open};
use super::tally::Tally;

/// How a question is answered in the band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Answering {
    /// It is not: there is no question, or it has been answered.
    Nothing,
    /// By one of some sentences.
    Choose,
    /// By a number for each of some runs, up to this one.
    Curve(i64),
    /// By chips on what may happen.
    Chips,
    /// By one of some moments, in their order.
    Place,
    /// By a bin for each card.
    Bins,
    /// By one machine or client, or nobody.
    One,
    /// By some of them; whether in order.
    Several(bool),
    /// By a number.
    Number(Unit),
    /// By stopping time.
    Stop,
    /// By doing it.
    Deed,
    /// By writing a program; how many schedules are tried.
    Write(u64),
}

/// A lesson as the page sees it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) enum Taught {
    /// It is about to begin.
    Opening,
    /// It is on.
    Open(Box<Shown>),
}

/// Where a viewer is in a lesson, and what there is to see and to do.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Shown {
    /// The lesson's name.
    pub id: Rc<str>,
    /// It came with a file, or asks about the viewer's run: nothing is kept of it.
    pub own: bool,
    /// It asks about the viewer's run.
    pub mine: bool,
    /// The name of the beat or the task; none at the end.
    pub beat: Option<Rc<str>>,
    pub phase: Phase,
    /// The number of the beat from 1, and how many there are.
    pub number: (usize, usize),
    pub saying: Saying,
    pub answering: Answering,
    /// What is picked of an answer that takes several.
    pub picked: Vec<Value>,
    /// To go on without an answer was asked for once.
    pub sure: bool,
    /// What came of the answer, in a word: `right`, `near`, the idea's name, `other`, `shown`, `done`. Not before it has been told.
    pub verdict: Option<Rc<str>>,
    /// The task has been done.
    pub done: bool,
    /// What came of the text that was written last.
    pub judged: Option<Judged>,
    pub has_hint: bool,
    /// The stage shows something else than the lesson.
    pub beside: bool,
    /// A run stands beside the lesson's.
    pub paired: bool,
    /// The course that is followed.
    pub followed: Option<Followed>,
    /// Votes that are counted.
    pub tally: Option<Tally>,
}

impl Engine {
    /// The lesson as the page sees it; none where none is open.
    pub(crate) fn taught(&self, lang: Lang) -> Option<Taught> {
        if !self.has_lesson() {
            return None;
        }
        let (pair, beside) = (self.pair(), self.is_beside_lesson());
        Some(match &*self.shared.lesson.borrow() {
            None => return None,
            Some(LessonState::Opening(_)) => Taught::Opening,
            Some(LessonState::Open(open)) => {
                let told = self.on(Side::Left).told(|told, _, _| told?.records().last().map(|record| record.seq));
                let said = open.guide.saying(tongue(lang), pair.left().world());
                let said = open.guide.stepping(said, told, tongue(lang));
                let mut shown = open.shown(written(said, lang), beside, pair.right().is_some());
                shown.tally = open.tally.clone().filter(|_| self.in_hall());
                Taught::Open(Box::new(shown))
            }
        })
    }

    /// What the open lesson is called; none where none is open.
    pub(crate) fn lesson_title(&self, lang: Lang) -> Option<String> {
        let lesson = match &*self.shared.lesson.borrow() {
            None => return None,
            Some(LessonState::Opening(opening)) => opening.lesson.clone(),
            Some(LessonState::Open(open)) => open.guide.resolved().lesson.clone(),
        };
        Some(taught(lang, lesson.title.of(tongue(lang)).to_string()))
    }

    /// What was asked and shown in the open lesson so far, in words.
    pub(crate) fn lesson_recalled(&self, lang: Lang) -> Vec<Recalled> {
        let recalled = self.with_open(|open| open.guide.recalled(tongue(lang))).unwrap_or_default();
        let say = move |text: String| taught(lang, text);
        let one = |one: Recalled| Recalled {
            question: say(one.question),
            expected: one.expected.map(say),
            did: one.did.map(say),
            then: say(one.then),
            ..one
        };
        recalled.into_iter().map(one).collect()
    }

    /// Who uses the tree and who keeps it, where the open lesson shows that in place of the stage.
    pub(crate) fn overview(&self) -> Option<Overview> {
        let wants = self.has_lesson()
            && !self.is_beside_lesson()
            && self.with_open(|open| open.guide.beat().is_some_and(|beat| beat.overview)) == Some(true);
        let pair = self.pair();
        wants.then(|| Overview::of(pair.left().world(), pair.left().run_summary()))
    }

    /// What whoever teaches with the open lesson has before them; none where none is open, or the stage shows something else.
    pub(crate) fn desk(&self, lang: Lang) -> Option<Desk> {
        if !self.has_lesson() || self.is_beside_lesson() {
            return None;
        }
        let (say, pair) = (|text: String| taught(lang, text), self.pair());
        let desk = self.with_open(|open| open.guide.desk(tongue(lang), pair.left().world()))?;
        Some(Desk {
            says: say(desk.says),
            question: desk.question.map(say),
            answer: desk.answer.map(say),
            mistakes: desk.mistakes.into_iter().map(say).collect(),
            next: desk.next.map(say),
        })
    }

    /// What there is to choose from.
    pub(super) fn choices(&self) -> Vec<Value> {
        let pair = self.pair();
        let said = self.with_open(|open| open.guide.saying(Tongue::English, pair.left().world()).choices);
        said.unwrap_or_default().into_iter().map(|choice| choice.value).collect()
    }

    /// What a digit names: an option, a machine, a client. Whether it named one.
    pub(crate) fn lesson_digit(&self, digit: i64) -> bool {
        if self.is_beside_lesson() {
            return false;
        }
        let (choices, number) = (self.choices(), Value::Number(digit));
        // of things that have no number their places count
        let placed = || choices.get(usize::try_from(digit - 1).ok()?).filter(|one| one.number().is_none()).cloned();
        let Some(named) = choices.contains(&number).then_some(number).or_else(placed) else { return false };
        match self.with_open(|open| open.answering()) {
            Some(Answering::Several(_)) => self.pick_for_lesson(named),
            Some(Answering::Choose | Answering::One) => self.answer_lesson(named),
            _ => return false,
        }
        true
    }
}

impl Open {
    pub(super) fn answering(&self) -> Answering {
        if let Some(write) = self.written() {
            return Answering::Write(write.schedules);
        }
        match (self.guide.phase(), self.guide.ask()) {
            (Phase::Does, _) => Answering::Deed,
            (Phase::Asks, Some(ask)) => answering(ask),
            _ => Answering::Nothing,
        }
    }

    fn shown(&self, saying: Saying, beside: bool, paired: bool) -> Shown {
        let guide = &self.guide;
        Shown {
            id: guide.resolved().lesson.id.clone(),
            own: self.origin.own || self.kept.is_some(),
            mine: self.kept.is_some(),
            beat: guide.name().cloned(),
            phase: guide.phase(),
            number: guide.number(),
            saying,
            answering: self.answering(),
            picked: self.picked.clone(),
            sure: self.sure,
            verdict: self.verdict(),
            done: guide.is_done(),
            judged: self.judged,
            has_hint: guide.has_hint(),
            beside,
            paired,
            followed: self.origin.followed.clone(),
            tally: None,
        }
    }

    pub(super) fn verdict(&self) -> Option<Rc<str>> {
        match self.guide.phase() {
            Phase::Told => {}
            Phase::Does if self.guide.is_done() => return Some("done".into()),
            _ => return None,
        }
        let word = match (self.guide.answered()?, self.guide.verdict()) {
            (Answered::Shown, _) | (_, None) => "shown",
            _ if self.guide.ask().is_some_and(|ask| matches!(ask.kind, Kind::Do(_))) => "done",
            (_, Some(Verdict::Right)) => "right",
            (_, Some(Verdict::Near)) => "near",
            (_, Some(Verdict::Other(_))) => {
                return Some(self.guide.thinks().map_or("other".into(), |one| one.idea.clone()));
            }
        };
        Some(word.into())
    }
}

fn answering(ask: &Ask) -> Answering {
    match &ask.kind {
        Kind::Choose(_) | Kind::Be { .. } | Kind::Build { .. } => Answering::Choose,
        Kind::Sort { .. } => Answering::Bins,
        Kind::Draw { most, .. } => Answering::Curve(i64::try_from(*most).unwrap_or(i64::MAX)),
        Kind::Bet { .. } => Answering::Chips,
        Kind::Place { .. } => Answering::Place,
        Kind::Pick { many: Many::One, .. } => Answering::One,
        Kind::Pick { many, .. } => Answering::Several(*many == Many::Sequence),
        Kind::Number { unit, .. } => Answering::Number(*unit),
        Kind::Catch { .. } => Answering::Stop,
        Kind::Do(_) => Answering::Deed,
    }
}

fn translated(chart: Chart, say: impl Fn(String) -> String) -> Chart {
    let column = |column: Column| Column { words: say(column.words), ..column };
    let form = match chart.form {
        Form::Bins(names) => Form::Bins(names.into_iter().map(&say).collect()),
        other => other,
    };
    Chart { form, columns: chart.columns.into_iter().map(column).collect() }
}

/// What is said, as the page's language writes it.
fn written(said: Saying, lang: Lang) -> Saying {
    let say = move |text: String| taught(lang, text);
    let choice = |choice: Choice| Choice { words: say(choice.words), ..choice };
    let corrected = |one: Corrected| Corrected { often: say(one.often), so: say(one.so), ..one };
    Saying {
        caption: said.caption.into_iter().map(|(text, name)| (say(text), name)).collect(),
        question: said.question.map(say),
        choices: said.choices.into_iter().map(choice).collect(),
        marks: said.marks,
        steps: said.steps.into_iter().map(|(name, reached)| (say(name), reached)).collect(),
        compared: said.compared.map(|(expected, did)| (expected.map(say), say(did))),
        chart: said.chart.map(|chart| translated(chart, say)),
        who: said.who,
        own_run: said.own_run.map(say),
        feedback: said.feedback.map(say),
        would: said.would.map(say),
        hints: said.hints.into_iter().map(say).collect(),
        corrected: said.corrected.into_iter().map(corrected).collect(),
    }
}
