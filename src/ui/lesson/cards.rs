//! The built-in lessons and courses, each read once.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::i18n::{Lang, taught, tongue};
use crate::lessons::{COURSES, Course, LESSONS, Lesson, Text, course, lesson};
use crate::scenarios::Scenario;

thread_local! {
    static READ: OnceCell<Rc<[Rc<Lesson>]>> = const { OnceCell::new() };
    static COURSES_READ: OnceCell<Rc<[Rc<Course>]>> = const { OnceCell::new() };
}

/// All of them, in the order in which they are shown.
pub(in crate::ui) fn lessons() -> Rc<[Rc<Lesson>]> {
    READ.with(|read| read.get_or_init(|| LESSONS.iter().filter_map(|(id, _)| lesson(id)).collect()).clone())
}

/// All courses, in the order in which they are shown.
pub(in crate::ui) fn courses() -> Rc<[Rc<Course>]> {
    COURSES_READ.with(|read| read.get_or_init(|| COURSES.iter().filter_map(|(id, _)| course(id)).collect()).clone())
}

/// What the lesson of this name is called; nothing where there is none.
pub(in crate::ui) fn title(id: &str, lang: Lang) -> String {
    lessons().iter().find(|one| *one.id == *id).map_or_else(String::new, |one| words(&one.title, lang))
}

/// A text of a lesson in a language of the page. Names in braces stand as they are: there is no run yet.
pub(in crate::ui) fn words(text: &Text, lang: Lang) -> String {
    taught(lang, text.of(tongue(lang)).to_string())
}

/// The one named as the foremost of a scenario's topics that has a lesson.
pub(in crate::ui) fn about(scenario: &Scenario) -> Option<Rc<Lesson>> {
    scenario.topics.iter().find_map(|topic| lesson(topic))
}

/// Those that come after a lesson, at most so many.
pub(in crate::ui) fn after(id: &str, most: usize) -> Vec<Rc<Lesson>> {
    let all = lessons();
    let behind = all.iter().position(|one| *one.id == *id).map_or(0, |at| at + 1);
    all.iter().skip(behind).take(most).cloned().collect()
}
