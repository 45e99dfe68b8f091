//! The built-in lessons. To add one: its file, and a line here.

use std::rc::Rc;

use super::lesson::Lesson;

/// Their names, in the order in which they are shown, and their texts.
pub const LESSONS: &[(&str, &str)] = &[("zab-broadcast", include_str!("built_in/zab-broadcast.json"))];

/// The built-in lesson of this name.
pub fn lesson(id: &str) -> Option<Rc<Lesson>> {
    let (_, text) = LESSONS.iter().find(|(known, _)| *known == id)?;
    Lesson::from_json(text).ok().map(Rc::new)
}

/// Those about a topic.
pub fn lessons_about(topic: &str) -> Vec<&'static str> {
    let about = |(id, _): &&(&'static str, &'static str)| {
        lesson(id).is_some_and(|lesson| lesson.topics.iter().any(|known| **known == *topic))
    };
    LESSONS.iter().filter(about).map(|(id, _)| *id).collect()
}
