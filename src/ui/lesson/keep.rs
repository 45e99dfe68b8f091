//! What this browser keeps of lessons: how far somebody came, and what came of each answer. No time, no name, no score.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lessons::{Course, Lesson};
use crate::ui::engine::{Engine, Shown};
use crate::ui::kit::browser::window;
use crate::view::lesson::Phase;

/// The name under which the browser keeps it.
const KEY: &str = "zabscope-lessons";
/// Most of it, bytes; what would be more is not kept.
const MAX_BYTES: usize = 8 << 10;

/// Of a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// The number of the furthest beat, from 1; 0 once all has been said.
    beat: usize,
    /// Of each question `right`, `near`, an idea's name, `other` or `shown`.
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
    fn what_makes_no_sense_is_nothing() {
        for text in ["", "[]", "{\"a\":1}", "{\"a\":{\"beat\":-1}}", &"x".repeat(MAX_BYTES + 1)] {
            assert_eq!(read(text), All::new(), "{text}");
        }
        let kept = read("{\"a\":{\"beat\":3,\"answers\":{\"who\":\"near\"},\"more\":1}}");
        assert_eq!(kept["a"].beat, 3);
        assert_eq!(kept["a"].answers["who"], "near");
        assert!(crate::lessons::lesson(&of_course("revision")).is_none(), "a course is kept beside lessons");
    }
}
