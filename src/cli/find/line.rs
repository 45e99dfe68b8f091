//! What came of the search with one seed, as a line of JSON: searches on many machines are merged from such lines.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use siphasher::sip::SipHasher24;

use crate::base::json::{Json, Parts, Read, ReadError, ValueError};
use crate::explore::{Answer, Question, Search, Strategy};
use crate::sim::Rule;

use super::Failure;
use crate::cli::write_run;

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    pub seed: u64,
    pub goal: String,
    pub rules: Vec<String>,
    /// Lines that answer the same question, but for the seed, have the same.
    pub question: String,
    pub trials: u64,
    pub shrinks: u64,
    pub events: u64,
    pub finds: usize,
    pub ms: u64,
    pub found: Option<Reached>,
}

/// The smallest run that was found, and what was seen in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Reached {
    #[serde(flatten)]
    pub answer: Answer,
    pub strategy: Strategy,
    pub property: Option<String>,
    pub evidence: Option<String>,
    pub seq: u64,
}

/// A question without its seed, in 16 digits. Another version of the program may play the same runs otherwise.
fn digest(question: &Question) -> String {
    let text = Question { seed: 0, ..question.clone() }.to_json();
    let mut hasher = SipHasher24::new();
    hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

impl Line {
    /// Of a search that is over.
    pub(super) fn of(question: &Question, search: &Search, took: Duration) -> Line {
        let progress = search.progress();
        let found = search.finds().first().map(|find| Reached {
            answer: Answer::from(find),
            strategy: find.strategy,
            property: find.found.property.map(str::to_string),
            evidence: find.found.evidence.as_ref().map(ToString::to_string),
            seq: find.found.seq,
        });
        Line {
            seed: question.seed,
            goal: question.goal.to_string(),
            rules: Rule::broken_in(question.run.setup.rules).map(|rule| rule.name().to_string()).collect(),
            question: digest(question),
            trials: progress.trials,
            shrinks: progress.shrinks,
            events: progress.events,
            finds: progress.finds,
            ms: took.as_millis() as u64,
            found,
        }
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads one, or says why it is none.
    pub(super) fn from_json(text: &[u8]) -> Result<Line, String> {
        let text = str::from_utf8(text).map_err(|_| "this is no text".to_string())?;
        Json::parse(text).and_then(Line::read).map_err(|error| match error.why {
            // its line is always the first
            ValueError::Syntax { why, column, .. } => format!("{why} at column {column}"),
            _ => error.to_string(),
        })
    }

    /// Writes the run, if there is one; where it stands.
    pub(super) fn write(&self, folder: &Path) -> Result<Option<PathBuf>, Failure> {
        let Some(found) = &self.found else { return Ok(None) };
        write_run(folder, &format!("{}.json", self.seed), &found.answer.run).map(Some)
    }
}

impl Read for Line {
    fn read(json: Json) -> Result<Line, ReadError> {
        let mut fields = json.fields()?;
        let line = Line {
            seed: fields.need("seed")?,
            goal: fields.need("goal")?,
            rules: fields.need("rules")?,
            question: fields.need("question")?,
            trials: fields.need("trials")?,
            shrinks: fields.need("shrinks")?,
            events: fields.need("events")?,
            finds: fields.need("finds")?,
            ms: fields.need("ms")?,
            found: fields.need("found")?,
        };
        fields.end().map(|()| line)
    }
}

impl Read for Reached {
    fn read(json: Json) -> Result<Reached, ReadError> {
        let mut fields = json.fields()?;
        let reached = Reached {
            answer: Answer::take(&mut fields)?,
            strategy: fields.need("strategy")?,
            property: fields.need("property")?,
            evidence: fields.need("evidence")?,
            seq: fields.need("seq")?,
        };
        reached.answer.run.check().map_err(|error| error.within("run"))?;
        fields.end().map(|()| reached)
    }
}
