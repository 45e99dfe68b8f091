//! Courses: parts of lessons in an order, each with its minutes, its form and what the lecturer does. Data in JSON, as lessons are
//! (`courses/`). To add one: its file, and its name below.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, at_most, short, within};
use crate::files;

use super::kind::word;
use super::lesson::{Lesson, MAX_NAME_BYTES};
use super::read::LessonError;
use super::registry::is_built_in;
use super::text::Text;

/// Longest course as JSON, bytes.
pub const MAX_COURSE_BYTES: usize = 64 << 10;
/// Most parts of a course, and the most minutes that one takes.
const MAX_PARTS: usize = 64;
const MAX_MINUTES: u64 = 120;
/// The version of this format.
const FORMAT: u64 = 1;

/// The built-in courses, in the order in which they are shown: their names and their texts; in the page [`course`] has the texts.
pub const COURSES: &[(&str, &str)] = &[
    ("zab-lecture", files::built_in!("courses/zab-lecture.json")),
    ("locks-lab", files::built_in!("courses/locks-lab.json")),
    ("revision", files::built_in!("courses/revision.json")),
];

/// The built-in course of this name, once it is there.
pub fn course(id: &str) -> Option<Rc<Course>> {
    let (_, text) = COURSES.iter().find(|(known, _)| *known == id)?;
    let text = files::text(text, &format!("lessons/courses/{id}"))?;
    Course::from_json(text).ok().map(Rc::new)
}

/// Lessons in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Its stable name, as in links.
    pub id: Rc<str>,
    /// What it is called.
    pub title: Text,
    /// For whom it is.
    pub whom: Text,
    /// Its parts, in turn: 1 to 64.
    pub parts: Vec<Part>,
}

/// A part of a course: a lesson, or some beats of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The lesson's name.
    pub lesson: Rc<str>,
    /// Its first and its last beat; all of them where nothing is said. Tasks may be named too.
    pub beats: Option<[Rc<str>; 2]>,
    /// How long it takes, 1 to 120.
    pub minutes: u8,
    /// How it is done.
    pub form: Form,
    /// What the lecturer does.
    pub note: Option<Text>,
}

/// How a part is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All vote, discuss it with each other, and vote again.
    Peers,
    /// Hands go up.
    Hands,
    /// The lecturer shows it, and all predict.
    Demonstration,
    /// Each at a machine, or in pairs.
    Selves,
}

impl Course {
    /// Reads a course. That its lessons exist is looked at; that they have its beats is not.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Course, LessonError> {
        short("course", text, MAX_COURSE_BYTES)?;
        Ok(Json::parse(text).and_then(Course::read)?)
    }

    /// How long it takes.
    pub fn minutes(&self) -> u32 {
        self.parts.iter().map(|part| u32::from(part.minutes)).sum()
    }
}

impl Part {
    /// The places in its lesson at which it begins and ends, from 0; the whole lesson where that has no such beats.
    pub fn places(&self, lesson: &Lesson) -> [usize; 2] {
        let all = [0, lesson.places().saturating_sub(1)];
        let named = |[from, to]: &[Rc<str>; 2]| Some([lesson.place_of(from)?, lesson.place_of(to)?]);
        self.beats.as_ref().and_then(named).filter(|[from, to]| from <= to).unwrap_or(all)
    }
}

impl Read for Course {
    fn read(json: Json) -> Result<Course, ReadError> {
        let mut fields = json.fields()?;
        within("course", fields.need("course")?, FORMAT, FORMAT)?;
        let course = Course {
            id: fields.need("id")?,
            title: fields.need("title")?,
            whom: fields.need("for")?,
            parts: fields.need("parts")?,
        };
        short("id", &course.id, MAX_NAME_BYTES)?;
        within("parts", course.parts.len() as u64, 1, MAX_PARTS as u64)?;
        fields.end().map(|()| course)
    }
}

impl Read for Part {
    fn read(json: Json) -> Result<Part, ReadError> {
        let mut fields = json.fields()?;
        let lesson: Rc<str> = fields.need("lesson")?;
        if !is_built_in(&lesson) {
            return Err(ReadError::unknown("lesson", &lesson));
        }
        let beats: Vec<Rc<str>> = fields.or("beats", Vec::new())?;
        at_most("beats", beats.len(), 2)?;
        let part = Part {
            lesson,
            // a single one is the first and the last
            beats: beats.first().zip(beats.last()).map(|(from, to)| [from.clone(), to.clone()]),
            minutes: fields.need("minutes")?,
            form: word(fields.need("form")?, FORMS, "form")?,
            note: fields.or("note", None)?,
        };
        within("minutes", part.minutes.into(), 1, MAX_MINUTES)?;
        fields.end().map(|()| part)
    }
}

const FORMS: &[(&str, Form)] =
    &[("P", Form::Peers), ("H", Form::Hands), ("D", Form::Demonstration), ("S", Form::Selves)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons::{FIRST, LESSONS, lesson};

    fn all() -> impl Iterator<Item = Course> {
        COURSES.iter().map(|(id, text)| Course::from_json(text).unwrap_or_else(|error| panic!("{id}: {error}")))
    }

    #[test]
    fn courses_name_what_exists_and_take_as_long_as_they_say() {
        for (course, (id, _)) in all().zip(COURSES) {
            assert_eq!(&*course.id, *id);
            for title in [&course.title.en, &course.title.zh] {
                let said: String = title.chars().filter(char::is_ascii_digit).collect();
                assert_eq!(said, course.minutes().to_string(), "{id}: {title}");
            }
            for part in &course.parts {
                let lesson = lesson(&part.lesson).expect("a lesson");
                for beat in part.beats.iter().flatten() {
                    assert!(lesson.place_of(beat).is_some(), "{id}: {} has no {beat}", part.lesson);
                }
                let [from, to] = part.places(&lesson);
                assert!(part.beats.is_none() || lesson.place_of(&part.beats.clone().unwrap()[1]) == Some(to), "{id}");
                assert!(from <= to && to < lesson.places(), "{id}");
            }
        }
    }

    #[test]
    fn the_revision_leaves_no_lesson_out_and_names_none_twice() {
        let revision = course("revision").expect("a course");
        let mut named: Vec<&str> = revision.parts.iter().map(|part| &*part.lesson).collect();
        named.sort_unstable();
        let mut known: Vec<&str> = LESSONS.iter().map(|(id, _)| *id).filter(|id| *id != FIRST).collect();
        known.sort_unstable();
        assert_eq!(named, known);
        for part in &revision.parts {
            assert_eq!(part.minutes, lesson(&part.lesson).expect("a lesson").minutes, "{}", part.lesson);
        }
    }

    #[test]
    fn what_is_no_course_gets_a_sentence() {
        let honest = COURSES[0].1;
        for (part, wrong, place) in [
            (r#""course": 1"#, r#""course": 2"#, "course: 2 is not"),
            (r#""lesson": "zab-roles""#, r#""lesson": "zab-rolls""#, "parts[1].lesson: unknown name `zab-rolls`"),
            (r#""form": "H""#, r#""form": "X""#, "parts[0].form: unknown name `X`"),
            (r#""minutes": 4"#, r#""minutes": 0"#, "parts[0].minutes: 0 is not"),
            (r#""minutes": 4"#, r#""minute": 4"#, "parts[0]: missing field `minutes`"),
            (r#""minutes": 4"#, r#""minutes": 4, "more": 1"#, "unknown field `more`"),
        ] {
            assert!(honest.contains(part), "{part}");
            let error = Course::from_json(&honest.replacen(part, wrong, 1)).expect_err(wrong).to_string();
            assert!(error.contains(place), "{wrong}: {error}");
        }
        assert!(Course::from_json(&" ".repeat(MAX_COURSE_BYTES + 1)).is_err());
        assert!(Course::from_json(&"[".repeat(10_000)).is_err());
        let many = format!(
            r#"{{"course": 1, "id": "a", "title": {{"en": "", "zh": ""}}, "for": {{"en": "", "zh": ""}},
            "parts": [{}]}}"#,
            vec![r#"{"lesson": "zab-roles", "minutes": 1, "form": "S"}"#; MAX_PARTS + 1].join(",")
        );
        assert!(Course::from_json(&many).is_err());
    }
}
