//! What this browser keeps of lessons: how far somebody came, and what came of each answer. No time, no name, no score.

use crate::base::Gather;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lessons::{Course, Lesson, lesson};
use crate::ui::engine::{Engine, Shown};
use crate::ui::kit::browser::window;
use crate::view::lesson::Phase;

/// The name under which the browser keeps it.
const KEY: &str = "zabscope-lessons";
/// Most of it, bytes; what would be more is not kept.
const MAX_BYTES: usize = 32 << 10;

/// Of a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// The number of the furthest beat, from 1; 0 once all has been said, where it begins anew.
    beat: usize,
    /// Whether all of it was said once.
    seen: bool,
    /// Of each question `right`, `near`, an idea's name, `other` or `shown`; of each task that was done `done`.
    answers: BTreeMap<String, String>,
}

type All = BTreeMap<String, Kept>;

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept; nothing where that makes no sense.
fn read(text: &str) -> All {
    if text.len() > MAX_BYTES { All::new() } else { serde_json::from_str(text).unwrap_or_default() }
}

fn all() -> All {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    text.map_or_else(All::new, |text| read(&text))
}

/// It with what is to be kept of a place in a lesson.
fn with(mut all: All, shown: &Shown) -> All {
    let kept = all.entry(shown.id.to_string()).or_default();
    // a part of a course may end before its lesson does
    let whole = shown.phase == Phase::Over && shown.number.0 == shown.number.1;
    kept.beat = if whole { 0 } else { kept.beat.max(shown.number.0) };
    kept.seen |= whole;
    if let (Some(beat), Some(verdict)) = (&shown.beat, &shown.verdict) {
        kept.answers.insert(beat.to_string(), verdict.to_string());
    }
    if let Some(followed) = &shown.followed {
        let over = shown.phase == Phase::Over && followed.next().is_none();
        all.entry(of_course(&followed.course.id)).or_default().beat = if over { 0 } else { followed.at + 1 };
    }
    all
}

/// Keeps where somebody is in a lesson.
pub(in crate::ui) fn remember(shown: &Shown) {
    let Some(storage) = storage() else { return };
    let text = serde_json::to_string(&with(all(), shown)).unwrap_or_default();
    if text.len() <= MAX_BYTES {
        let _ = storage.set_item(KEY, &text);
    }
}

/// Opens a built-in lesson where somebody goes on who has begun it.
pub(in crate::ui) fn open(engine: &Engine, lesson: &Rc<Lesson>) {
    engine.open_lesson(lesson.clone(), furthest(&lesson.id).map(|beat| beat.to_string()));
}

/// The same by its name, which may have to be fetched.
pub(in crate::ui) fn open_named(engine: &Engine, id: &'static str) {
    engine.with_stories(move |engine, _| lesson(id).iter().for_each(|lesson| open(engine, lesson)));
}

/// What this browser knows of somebody in a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) struct Marks {
    /// All of it was said once.
    pub seen: bool,
    /// Each question was answered.
    pub asked: bool,
    /// Each task at its end was done by hand.
    pub played: bool,
}

/// What it knows of each lesson that was begun.
pub(in crate::ui) fn marks(lessons: &[Rc<Lesson>]) -> BTreeMap<Rc<str>, Marks> {
    let all = all();
    let known = |lesson: &Rc<Lesson>| Some((lesson.id.clone(), of_lesson(all.get(&*lesson.id)?, lesson)));
    lessons.iter().filter_map(known).gathered()
}

fn of_lesson(kept: &Kept, lesson: &Lesson) -> Marks {
    let answered = |id: &Rc<str>| kept.answers.get(&**id).is_some_and(|answer| answer != "shown");
    let mut asks = lesson.beats.iter().filter(|beat| beat.ask.is_some());
    Marks {
        seen: kept.seen,
        asked: asks.all(|beat| answered(&beat.id)),
        played: !lesson.play.is_empty() && lesson.play.iter().all(|task| answered(&task.id)),
    }
}

/// The number of the beat at which somebody goes on who has begun a lesson; none where it begins.
fn furthest(id: &str) -> Option<usize> {
    all().get(id).map(|kept| kept.beat).filter(|beat| *beat > 1)
}

/// The place, from 0, of the part at which somebody goes on with a course.
pub(in crate::ui) fn part_of(course: &Course) -> usize {
    furthest(&of_course(&course.id)).map_or(0, |part| part - 1).min(course.parts.len().saturating_sub(1))
}

/// Under which name a course is kept; a part's number stands for a beat's.
fn of_course(id: &str) -> String {
    format!("course {id}")
}

/// Keeps nothing any more.
pub(in crate::ui) fn forget() {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(KEY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_every_answer_to_every_lesson() {
        let mut all = All::new();
        for (id, _) in crate::lessons::LESSONS {
            let lesson = crate::lessons::lesson(id).unwrap();
            let longest =
                |ask: &crate::lessons::Ask| ask.thinks.iter().map(|one| one.idea.to_string()).max_by_key(String::len);
            let asks = lesson.beats.iter().filter_map(|beat| Some((beat.id.to_string(), beat.ask.as_ref()?)));
            let mut answers: BTreeMap<_, _> =
                asks.map(|(id, ask)| (id, longest(ask).unwrap_or_else(|| "right".into()))).collect();
            answers.extend(lesson.play.iter().map(|task| (task.id.to_string(), "done".into())));
            all.insert(id.to_string(), Kept { beat: 10, seen: true, answers });
        }
        let text = serde_json::to_string(&all).unwrap();
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        assert_eq!(read(&text), all);
    }

    #[test]
    fn what_makes_no_sense_is_nothing() {
        for text in ["", "[]", "{\"a\":1}", "{\"a\":{\"beat\":-1}}", &"x".repeat(MAX_BYTES + 1)] {
            assert_eq!(read(text), All::new(), "{text}");
        }
        let kept = read("{\"a\":{\"beat\":3,\"answers\":{\"who\":\"near\"},\"more\":1}}");
        assert_eq!(kept["a"].beat, 3);
        assert_eq!(kept["a"].answers["who"], "near");
        let lesson = crate::lessons::lesson("zab-broadcast").unwrap();
        let (mut one, ids) = (Kept { beat: 2, ..Kept::default() }, |beats: bool| {
            let asks = lesson.beats.iter().filter(|beat| beat.ask.is_some()).map(|beat| beat.id.clone());
            let tasks = lesson.play.iter().map(|task| task.id.clone());
            if beats { asks.collect::<Vec<_>>() } else { tasks.collect() }
        });
        assert_eq!(of_lesson(&one, &lesson), Marks::default());
        one.answers.extend(ids(true).iter().map(|id| (id.to_string(), "near".into())));
        assert_eq!(of_lesson(&one, &lesson), Marks { asked: true, ..Marks::default() });
        one.answers.extend(ids(false).iter().map(|id| (id.to_string(), "done".into())));
        (one.beat, one.seen) = (0, true);
        let whole = Marks { seen: true, asked: true, played: true };
        assert_eq!(of_lesson(&one, &lesson), whole);
        // somebody who looks at it again has seen it all the same
        one.beat = 2;
        assert_eq!(of_lesson(&one, &lesson), whole);
        assert!(crate::lessons::lesson(&of_course("revision")).is_none(), "a course is kept beside lessons");
    }
}
