//! Which lesson comes: what the address asks for, and a course that is followed from part to part.

use crate::i18n::page::{fill, page};
use crate::lessons::{COURSES, course, is_built_in, lesson};
use crate::scenarios::scenario;
use crate::view::lesson::Phase;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::lang_of_page;

use super::state::{Followed, Origin, Wanted};

impl Engine {
    /// The address asks for a lesson: it is opened when the page stands.
    pub(crate) fn want_lesson(&self, id: &str, beat: Option<&str>) {
        self.shared.wanted_lesson.replace(Some(Wanted::Lesson(id.into(), beat.map(str::to_string))));
    }

    /// The same of a course, and the number of its part from 1.
    pub(crate) fn want_course(&self, id: &str, part: usize) {
        self.shared.wanted_lesson.replace(Some(Wanted::Course(id.into(), part)));
    }

    /// Opens what the address asks for. A scenario of a lesson's name is on the stage already.
    pub(crate) fn open_wanted_lesson(&self) {
        let Some(wanted) = self.shared.wanted_lesson.take() else { return };
        let unknown =
            |name: &str, id: &str| self.note(Some(fill(page(lang_of_page()).wrong_parameter, &[&name, &id])));
        let missing = || self.note(Some(page(lang_of_page()).stories_missing.into()));
        match wanted {
            Wanted::Lesson(id, beat) => match lesson(&id) {
                Some(found) => self.open_lesson(found, beat),
                None if is_built_in(&id) => missing(),
                None if scenario(&id).is_some() => {}
                None => unknown("lesson", &id),
            },
            Wanted::Course(id, part) => match course(&id) {
                Some(found) if (1..=found.parts.len()).contains(&part) => {
                    self.open_part(Followed { course: found, at: part - 1 });
                }
                Some(_) => unknown("part", &part.to_string()),
                None if COURSES.iter().any(|(known, _)| *known == id) => missing(),
                None => unknown("course", &id),
            },
        }
    }

    /// Opens a part of a course, which is followed from there.
    pub(crate) fn open_part(&self, followed: Followed) {
        if let Some(found) = followed.part().and_then(|part| lesson(&part.lesson)) {
            self.begin_opening(found, None, Origin { own: false, followed: Some(followed) });
        }
    }

    /// Where all of a part has been said, the course's next one comes; whether there is one.
    pub(super) fn follow_course(&self) -> bool {
        let over = self.with_open(|open| open.origin.followed.clone().filter(|_| open.guide.phase() == Phase::Over));
        let next = over.flatten().and_then(|followed| followed.next()).filter(|_| !self.is_beside_lesson());
        next.map(|next| self.open_part(next)).is_some()
    }
}
