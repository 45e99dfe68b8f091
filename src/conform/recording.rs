//! A file that `zabscope conform` is given: a transcript of an ensemble, or a trace of recipes.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::scene::{Problem, Scene, play_scene};
use super::transcript::{NoTranscript, Transcript};
use super::{MAX_TRANSCRIPT_BYTES, play};

/// One or the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// What clients were told.
    Transcript(Transcript),
    /// What recipes did.
    Scene(Scene),
}

/// How a play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As recorded.
    Passed,
    /// Otherwise: where and how.
    Failed(String),
    /// It was not played: why.
    Skipped(String),
}

/// What only traces of recipes have.
#[derive(Deserialize)]
struct Marks {
    objects: Option<IgnoredAny>,
    stages: Option<IgnoredAny>,
}

fn is_of_recipes(text: &str) -> bool {
    let marks = |marks: Marks| marks.objects.is_some() || marks.stages.is_some();
    text.len() <= MAX_TRANSCRIPT_BYTES && serde_json::from_str(text).is_ok_and(marks)
}

impl Recording {
    /// Reads either.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Recording, NoTranscript> {
        match is_of_recipes(text) {
            true => Scene::from_json(text).map(Recording::Scene),
            false => Transcript::from_json(text).map(Recording::Transcript),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Recording::Transcript(transcript) => &transcript.name,
            Recording::Scene(scene) => &scene.name,
        }
    }

    /// Plays it.
    pub fn play(&self, seed: u64) -> Ending {
        match self {
            Recording::Transcript(transcript) => match play(transcript, seed) {
                Ok(()) => Ending::Passed,
                Err(failure) => Ending::Failed(failure.to_string()),
            },
            Recording::Scene(scene) => match play_scene(scene, seed) {
                Ok(_) => Ending::Passed,
                Err(failure) if failure.problem == Problem::OtherLibrary => Ending::Skipped(failure.to_string()),
                Err(failure) => Ending::Failed(failure.to_string()),
            },
        }
    }
}
