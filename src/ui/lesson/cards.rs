//! The built-in lessons and courses, each read once.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::i18n::{Lang, taught, tongue};
use crate::lessons::{COURSES, Course, LESSONS, Lesson, Text, course, is_built_in, lesson};
use crate::scenarios::Scenario;
use crate::story_files::once;

thread_local! {
    static READ: OnceCell<Rc<[Rc<Lesson>]>> = const { OnceCell::new() };
    static COURSES_READ: OnceCell<Rc<[Rc<Course>]>> = const { OnceCell::new() };
}

/// All that are there, in the order in which they are shown.
pub(in crate::ui) fn lessons() -> Rc<[Rc<Lesson>]> {
    READ.with(|read| once(read, || LESSONS.iter().filter_map(|(id, _)| lesson(id)).collect()))
}

/// All courses that are there, in the order in which they are shown.
pub(in crate::ui) fn courses() -> Rc<[Rc<Course>]> {
    COURSES_READ.with(|read| once(read, || COURSES.iter().filter_map(|(id, _)| course(id)).collect()))
}

/// What the lesson of this name is called; nothing where there is none.
pub(in crate::ui) fn title(id: &str, lang: Lang) -> String {
    lessons().iter().find(|one| *one.id == *id).map_or_else(String::new, |one| words(&one.title, lang))
}

/// A text of a lesson in a language of the page. Names in braces stand as they are: there is no run yet.
pub(in crate::ui) fn words(text: &Text, lang: Lang) -> String {
    taught(lang, text.of(tongue(lang)).to_string())
}

/// The name of the lesson named as the foremost of a scenario's topics that has one.
pub(in crate::ui) fn about(scenario: &Scenario) -> Option<&'static str> {
    scenario.topics.iter().find(|topic| is_built_in(topic)).copied()
}

/// Those that come after a lesson, at most so many.
pub(in crate::ui) fn after(id: &str, most: usize) -> Vec<Rc<Lesson>> {
    let all = lessons();
    let behind = all.iter().position(|one| *one.id == *id).map_or(0, |at| at + 1);
    all.iter().skip(behind).take(most).cloned().collect()
}
