//! A lesson as data.

use std::ops::Range;
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, at_most, short, within};
use crate::scenarios::{Group, SCENARIOS, Scenario, TOPICS, scenario};
use crate::sim::{Run, RunError};

use super::ask::{Ask, Task};
use super::correction::Correction;
use super::query::{Query, When};
use super::text::Text;
use super::value::Shown;
use super::write::Source;

/// Most beats, names, deeds, challenges and corrections of a lesson.
const MAX_BEATS: usize = 40;
pub(super) const MAX_NAMES: usize = 64;
pub(super) const MAX_DEEDS: usize = 40;
const MAX_TASKS: usize = 8;
/// Most claims at one moment.
const MAX_CLAIMS: usize = 20;
/// Longest lesson, ms of virtual time.
pub(super) const MAX_UNTIL_MS: u64 = 600_000;
/// Longest id or name, bytes.
pub(super) const MAX_NAME_BYTES: usize = 40;
/// The version of this format.
const FORMAT: u32 = 1;

/// A lesson: a run, and what is said and asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its stable name, as in links.
    pub id: Rc<str>,
    /// What it is about: ids of [`TOPICS`], the first one before all.
    pub topics: Vec<Rc<str>>,
    /// Lessons that help to have seen; told, never demanded.
    pub after: Vec<Rc<str>>,
    /// How long it takes.
    pub minutes: u8,
    /// What it is called.
    pub title: Text,
    /// Its idea, a sentence.
    pub idea: Text,
    /// The run, and what the lesson does in it.
    pub start: Start,
    /// What it says and asks, in the order of time.
    pub beats: Vec<Beat>,
    /// What is true of its run as a whole, for every seed.
    pub always: Vec<Query>,
    /// What to do with one's own hands in the end.
    pub play: Vec<Task>,
    /// Sentences of the course texts that it shows or corrects, by their numbers there.
    pub claims: Vec<Rc<str>>,
    /// What is often read otherwise.
    pub corrections: Vec<Correction>,
}

/// Where a lesson begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The run without the lesson's deeds.
    pub from: Change,
    /// How far it is played, ms of virtual time.
    pub until_ms: u64,
    /// What the words in braces stand for.
    pub names: Vec<Name>,
    /// What the lesson does.
    pub deeds: Vec<Deed>,
    /// The seeds for which it is proved.
    pub seeds: Range<u64>,
}

/// A run, or how one run differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// A built-in scenario.
    pub scenario: Option<Rc<str>>,
    /// A run as it is.
    pub run: Option<Run>,
    /// A program of one's own, in a run in which three clients use it.
    pub recipe: Option<Source>,
    /// Parameters of the scenario, or settings: `key=value`.
    pub set: Vec<Rc<str>>,
    /// What is done; none where that stays as it was.
    pub deeds: Option<Vec<Deed>>,
}

/// A name of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// It, as in `{L}`.
    pub name: Rc<str>,
    /// How it is written in sentences.
    pub shown: Shown,
    /// What it stands for.
    pub query: Query,
}

/// Something that the lesson does when its moment has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// Then, or at the next whole millisecond.
    pub at: When,
    /// What: an [`Action`](crate::sim::Action) with names in braces where they are wanted.
    pub act: Json,
}

/// Something that is said at a moment, and perhaps asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Its stable name.
    pub id: Rc<str>,
    /// When.
    pub at: When,
    /// What is said.
    pub say: Text,
    /// What the sentence claims: true of what has happened up to here.
    pub holds: Vec<Query>,
    /// What is asked.
    pub ask: Option<Ask>,
    /// In place of the stage: who uses the tree, it, and who keeps it.
    pub overview: bool,
}

impl Lesson {
    /// Reads a lesson.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Lesson, RunError> {
        short("lesson", text, super::MAX_LESSON_BYTES)?;
        let lesson = Json::parse(text).and_then(Lesson::read)?;
        lesson.check()?;
        Ok(lesson)
    }

    /// What it belongs to: the group of its first topic.
    pub fn group(&self) -> Group {
        let first = TOPICS.iter().find(|topic| self.topics.first().is_some_and(|first| **first == *topic.id));
        first.map_or(Group::Ensemble, |topic| topic.group)
    }

    /// How many places it has: its beats, and behind them its tasks.
    pub fn places(&self) -> usize {
        self.beats.len() + self.play.len()
    }

    /// The place of a beat or a task, from 0, by its name.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        let beats = self.beats.iter().map(|beat| &beat.id);
        beats.chain(self.play.iter().map(|task| &task.id)).position(|known| **known == *name)
    }

    /// The scenario whose cast its stage has: its own, or the first one about its topic.
    pub fn staged_as(&self) -> Option<&'static Scenario> {
        let own = self.start.from.scenario.as_deref().and_then(scenario);
        let about = |topic: &Rc<str>| SCENARIOS.iter().find(|known| known.topics.first() == Some(&&**topic));
        own.or_else(|| self.topics.first().and_then(about))
    }
}

impl Read for Lesson {
    fn read(json: Json) -> Result<Lesson, ReadError> {
        let mut fields = json.fields()?;
        within("lesson", fields.need("lesson")?, u64::from(FORMAT), u64::from(FORMAT))?;
        let lesson = Lesson {
            id: fields.need("id")?,
            topics: fields.or("topics", Vec::new())?,
            after: fields.or("after", Vec::new())?,
            minutes: fields.or("minutes", 5)?,
            title: fields.need("title")?,
            idea: fields.need("idea")?,
            start: fields.need("start")?,
            beats: fields.need("beats")?,
            always: fields.or("always", Vec::new())?,
            play: fields.or("play", Vec::new())?,
            claims: fields.or("claims", Vec::new())?,
            corrections: fields.or("corrections", Vec::new())?,
        };
        short("id", &lesson.id, MAX_NAME_BYTES)?;
        within("beats", lesson.beats.len() as u64, 1, MAX_BEATS as u64)?;
        at_most("topics", lesson.topics.len(), MAX_CLAIMS)?;
        at_most("after", lesson.after.len(), MAX_CLAIMS)?;
        at_most("always", lesson.always.len(), MAX_CLAIMS)?;
        at_most("play", lesson.play.len(), MAX_TASKS)?;
        at_most("claims", lesson.claims.len(), MAX_NAMES)?;
        at_most("corrections", lesson.corrections.len(), MAX_TASKS)?;
        fields.end().map(|()| lesson)
    }
}

impl Read for Start {
    fn read(json: Json) -> Result<Start, ReadError> {
        let mut fields = json.fields()?;
        let seeds = fields.or("seeds", vec![0_u64, 200])?;
        let from = Change::take(&mut fields)?;
        let start = Start {
            until_ms: fields.need("until_ms")?,
            names: names(fields.or("names", Json::Object(Default::default()))?)?,
            deeds: from.deeds.clone().unwrap_or_default(),
            from: Change { deeds: None, ..from },
            seeds: seeds.first().copied().unwrap_or(0)..seeds.get(1).copied().unwrap_or(1),
        };
        at_most("seeds", seeds.len(), 2)?;
        within("until_ms", start.until_ms, 1, MAX_UNTIL_MS)?;
        fields.end().map(|()| start)
    }
}

/// Names are written as an object: `"L": {"server": ["field", "established", "server"]}`.
fn names(json: Json) -> Result<Vec<Name>, ReadError> {
    let all = json.fields().map_err(|error| error.within("names"))?;
    let one = |(name, json): (&str, &Json)| {
        let read = || {
            short("", name, MAX_NAME_BYTES)?;
            let fields = json.clone().fields()?;
            let (kind, query) = fields.iter().next().ok_or_else(|| no_kind(""))?;
            let shown = SHOWN.iter().find(|(word, _)| *word == kind).map(|(_, shown)| *shown);
            let shown = shown.ok_or_else(|| no_kind(kind))?;
            at_most("", fields.iter().count(), 1)?;
            Ok(Name {
                name: name.into(),
                shown,
                query: Query::read(query.clone()).map_err(|e: ReadError| e.within(kind))?,
            })
        };
        read().map_err(|error: ReadError| error.within(name).within("names"))
    };
    let names = all.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    at_most("names", names.len(), MAX_NAMES)?;
    Ok(names)
}

/// What a name can be.
const SHOWN: &[(&str, Shown)] = &[
    ("server", Shown::Server),
    ("client", Shown::Client),
    ("plain", Shown::Plain),
    ("ms", Shown::Ms),
    ("seconds", Shown::Seconds),
];

fn no_kind(kind: &str) -> ReadError {
    ReadError::unknown_name(kind, SHOWN.iter().map(|(word, _)| *word).collect())
}

impl Change {
    pub(super) fn take(fields: &mut crate::base::json::Fields) -> Result<Change, ReadError> {
        let change = Change {
            scenario: fields.or("scenario", None)?,
            run: fields.or("run", None)?,
            recipe: fields.or("recipe", None)?,
            set: fields.or("set", Vec::new())?,
            deeds: fields.or("deeds", None)?,
        };
        at_most("set", change.set.len(), MAX_DEEDS)?;
        at_most("deeds", change.deeds.as_ref().map_or(0, Vec::len), MAX_DEEDS)?;
        Ok(change)
    }
}

impl Read for Change {
    fn read(json: Json) -> Result<Change, ReadError> {
        let mut fields = json.fields()?;
        let change = Change::take(&mut fields)?;
        fields.end().map(|()| change)
    }
}

impl Read for Deed {
    fn read(json: Json) -> Result<Deed, ReadError> {
        let mut fields = json.fields()?;
        let deed = Deed { at: fields.need("at")?, act: fields.need("act")? };
        fields.end().map(|()| deed)
    }
}

impl Read for Beat {
    fn read(json: Json) -> Result<Beat, ReadError> {
        let mut fields = json.fields()?;
        let beat = Beat {
            id: fields.need("id")?,
            at: fields.need("at")?,
            say: fields.need("say")?,
            holds: fields.or("holds", Vec::new())?,
            ask: fields.or("ask", None)?,
            overview: fields.or("overview", false)?,
        };
        short("id", &beat.id, MAX_NAME_BYTES)?;
        at_most("holds", beat.holds.len(), MAX_CLAIMS)?;
        fields.end().map(|()| beat)
    }
}

#[cfg(test)]
impl Name {
    /// A name that is written as it is.
    pub(super) fn plain(name: &str, query: Query) -> Name {
        Name { name: name.into(), shown: Shown::Plain, query }
    }
}
