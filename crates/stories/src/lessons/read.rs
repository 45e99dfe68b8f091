//! What must be so for a lesson to be read at all: names that are used are names, and what exists elsewhere exists.

use crate::base::json::{Json, ReadError};
use crate::scenarios::{TOPICS, scenario};
use crate::sim::RunError;

use super::lesson::{Change, Lesson};
use super::text::{Text, places};

/// What is wrong with a lesson, and where.
pub type LessonError = RunError;

/// Longest lesson as JSON, bytes.
pub const MAX_LESSON_BYTES: usize = 256 << 10;

impl Lesson {
    /// Whether a text wants to be a lesson: JSON with a field that no run has. Whether it is one, [`Lesson::from_json`] says.
    pub fn is_meant(text: &str) -> bool {
        let fields = Json::parse(text).and_then(Json::fields);
        fields.is_ok_and(|fields| fields.iter().any(|(name, _)| name == "lesson"))
    }

    /// Says that everything that it names is there.
    pub(super) fn check(&self) -> Result<(), ReadError> {
        for (at, topic) in self.topics.iter().enumerate() {
            if !TOPICS.iter().any(|known| known.id == &**topic) {
                return Err(ReadError::unknown_name(topic, Vec::new()).within(&format!("topics[{at}]")));
            }
        }
        for (at, correction) in self.corrections.iter().enumerate() {
            let place = format!("corrections[{at}]");
            self.check_text(&correction.often, &place, "often")?;
            self.check_text(&correction.so, &place, "so")?;
            if self.place_of(&correction.beat).is_none() {
                return Err(ReadError::unknown_name(&correction.beat, Vec::new()).within("beat").within(&place));
            }
        }
        check_change(&self.start.from).map_err(|error| error.within("start"))?;
        for (at, beat) in self.beats.iter().enumerate() {
            let place = format!("beats[{at}]");
            self.check_text(&beat.say, &place, "say")?;
            let Some(ask) = &beat.ask else { continue };
            let place = format!("{place}.ask");
            self.check_text(&ask.prompt, &place, "prompt")?;
            self.check_text(&ask.then, &place, "then")?;
            for (at, step) in ask.steps.iter().enumerate() {
                self.check_text(&step.name, &place, &format!("steps[{at}].name"))?;
                self.check_text(&step.say, &place, &format!("steps[{at}].say"))?;
            }
            for (within, text) in ask.kind.texts() {
                self.check_text(text, &place, &format!("{within}.say"))?;
            }
            for (at, run) in ask.kind.runs().iter().enumerate() {
                check_change(&run.change).map_err(|error| error.within(&format!("{place}.runs[{at}]")))?;
            }
            for (at, thinks) in ask.thinks.iter().enumerate() {
                let place = format!("{place}.thinks[{at}]");
                self.check_text(&thinks.says, &place, "says")?;
                if let Some(would) = &thinks.would {
                    check_change(&would.change).map_err(|error| error.within("would").within(&place))?;
                }
            }
        }
        Ok(())
    }

    fn check_text(&self, text: &Text, place: &str, field: &str) -> Result<(), ReadError> {
        for (language, text) in text.each() {
            let unknown = |name: &&str| !self.start.names.iter().any(|known| *known.name == **name);
            let mut names = places(text).into_iter().filter_map(|(_, name)| name);
            if let Some(name) = names.find(unknown) {
                let at = format!("{place}.{field}.{language}");
                return Err(ReadError::unknown_name(name, Vec::new()).within(&at));
            }
        }
        Ok(())
    }
}

pub(super) fn check_change(change: &Change) -> Result<(), ReadError> {
    match &change.scenario {
        Some(id) if scenario(id).is_none() => Err(ReadError::unknown("scenario", id)),
        _ => Ok(()),
    }
}
