//! A file that `zabscope conform` is given: a transcript of what clients were told, a trace of recipes, a recording of an
//! ensemble, of a database, of Redis, or of an election by generation clock. Which of them it is, its fields say.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::ensembles::{self, reproduce};
use super::generation;
use super::redis;
use super::scene::{Scene, play_scene};
use super::sql::{self, SqlPlay};
use super::transcript::{NoTranscript, Transcript, sentence};
use super::{MAX_TRANSCRIPT_BYTES, play};

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// What clients were told.
    Transcript(Transcript),
    /// What recipes did.
    Scene(Scene),
    /// What servers did.
    Ensemble(ensembles::Recording),
    /// What clients of a database were told.
    Sql(SqlPlay),
    /// What Redis servers did.
    Redis(redis::Recording),
    /// What servers with a generation clock did.
    Generation(generation::Recording),
}

/// How a play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As recorded.
    Passed,
    /// Otherwise: where and how.
    Failed(String),
}

/// What only one kind has.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Marks {
    objects: Option<IgnoredAny>,
    stages: Option<IgnoredAny>,
    new_epochs: Option<IgnoredAny>,
    elections: Option<IgnoredAny>,
    config: Option<IgnoredAny>,
    engine: Option<IgnoredAny>,
    first_play: Option<IgnoredAny>,
    #[serde(rename = "recorded_from")]
    recorded_from: Option<String>,
}

impl Recording {
    /// Reads any of them.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Recording, NoTranscript> {
        let is_short = text.len() <= MAX_TRANSCRIPT_BYTES;
        let marks: Marks = is_short.then(|| serde_json::from_str(text).ok()).flatten().unwrap_or_default();
        if marks.recorded_from.is_some_and(|from| from.contains("Redis 7.")) {
            redis::Recording::from_json(text).map(Recording::Redis).map_err(|why| sentence(why.to_string()))
        } else if marks.objects.is_some() || marks.stages.is_some() {
            Scene::from_json(text).map(Recording::Scene)
        } else if marks.new_epochs.is_some() || marks.elections.is_some() || marks.config.is_some() {
            ensembles::Recording::from_json(text).map(Recording::Ensemble)
        } else if marks.first_play.is_some() {
            generation::Recording::from_json(text).map(Recording::Generation)
        } else if marks.engine.is_some() {
            SqlPlay::from_json(text).map(Recording::Sql)
        } else {
            Transcript::from_json(text).map(Recording::Transcript)
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Recording::Transcript(transcript) => &transcript.name,
            Recording::Scene(scene) => &scene.name,
            Recording::Ensemble(recording) => &recording.name,
            Recording::Sql(recording) => &recording.name,
            Recording::Redis(recording) => recording.name(),
            Recording::Generation(recording) => &recording.name,
        }
    }

    /// Plays it.
    pub fn play(&self, seed: u64) -> Ending {
        let failure = match self {
            Recording::Transcript(transcript) => play(transcript, seed).err().map(|failure| failure.to_string()),
            Recording::Scene(scene) => play_scene(scene, seed).err().map(|failure| failure.to_string()),
            Recording::Ensemble(recording) => reproduce(recording, seed).err(),
            Recording::Sql(recording) => sql::reproduce(recording, seed).err(),
            Recording::Redis(recording) => redis::play(recording, seed).err(),
            Recording::Generation(recording) => generation::reproduce(recording, seed).err(),
        };
        failure.map_or(Ending::Passed, Ending::Failed)
    }
}
