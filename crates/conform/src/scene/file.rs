//! A trace of recipes as it is written: typed, bounded, and checked before anything is played.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

use super::command::{Command, Made};
use super::free::{anything, freed, is_free};
use super::whole;
use crate::release::release_of;
use crate::sim::{CuratorVersion, KazooVersion};
use crate::transcript::{MAX_TRANSCRIPT_BYTES, NoTranscript, is_plain, sentence};

const MAX_CLIENTS: usize = 60;
const MAX_OBJECTS: usize = 200;
const MAX_STAGES: usize = 300;
const MAX_COMMANDS: usize = 20;
/// Under which lines stand that are free.
pub(super) const NOBODY: &str = "";
/// Most time that passes in pauses, ms.
const MAX_PAUSES_MS: u64 = 300_000;

/// A trace of recipes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name, which is its file's.
    pub name: String,
    /// What it shows.
    #[serde(default)]
    pub about: String,
    /// What it was recorded from.
    #[serde(default)]
    pub recorded_from: String,
    /// A warning for its reader.
    #[serde(default)]
    pub note: String,
    /// How often it was played.
    #[serde(default)]
    pub plays: u32,
    /// What was not the same each time: `stages[2].requests.b`.
    #[serde(default, rename = "differedBetweenPlays")]
    pub(super) differed: Vec<String>,
    pub(super) clients: Vec<String>,
    pub(super) objects: Vec<String>,
    pub(super) stages: Vec<Stage>,
    /// One row for each release, where a scene is about counts.
    #[serde(default)]
    pub(super) summary: Vec<Row>,
    /// Whether the rows were the same in all plays.
    #[serde(default = "yes", rename = "summaryAgreesInAllPlays")]
    pub(super) summary_agrees: bool,
}

fn yes() -> bool {
    true
}

impl Scene {
    /// The Curator that `recorded_from` names: 5.9 where it is 5.9 or later.
    pub(super) fn curator(&self) -> CuratorVersion {
        let later = release_of(&self.recorded_from, "Curator").is_some_and(|release| release >= [5, 9, 0]);
        if later { CuratorVersion::V59 } else { CuratorVersion::V54 }
    }

    /// The kazoo that it names: 2.10 where it is 2.10 or older.
    pub(super) fn kazoo(&self) -> KazooVersion {
        let older = release_of(&self.recorded_from, "kazoo").is_some_and(|release| release < [2, 11, 0]);
        if older { KazooVersion::V210 } else { KazooVersion::V211 }
    }
}

/// One thing done, and what was recorded.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Stage {
    pub stage: String,
    pub commands: Vec<String>,
    pub answers: Vec<String>,
    pub writes: Value,
    pub requests: Value,
    pub notifications: Value,
    pub watches_after: Watches,
    pub child_watches_after: Watches,
    pub counts: Value,
    #[serde(default = "none")]
    pub connections: Value,
}

fn none() -> Value {
    Value::Array(Vec::new())
}

/// Clients by path.
pub(super) type Watches = BTreeMap<String, Vec<String>>;

/// A row of the summary.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Row {
    pub stage: String,
    pub waiters_left: usize,
    pub requests: usize,
    pub notifications: usize,
    pub writes: usize,
    pub watches_after: usize,
}

impl Stage {
    /// What was recorded, in the form in which it is compared, with these places free.
    pub(super) fn fields<'a>(&self, free: impl Iterator<Item = &'a str>) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("answers".into(), self.answers.clone().into());
        fields.insert("connections".into(), self.connections.clone());
        fields.insert("requests".into(), self.requests.clone());
        fields.insert("writes".into(), self.writes.clone());
        fields.insert("notifications".into(), self.notifications.clone());
        fields.insert("watchesAfter".into(), json!(self.watches_after));
        fields.insert("childWatchesAfter".into(), json!(self.child_watches_after));
        fields.insert("counts".into(), self.counts.clone());
        let mut fields = freed(fields, free);
        for (name, field) in &mut fields {
            match name.as_str() {
                "answers" => *field = by_caller(field),
                "writes" => sort_deletes(field),
                "watchesAfter" | "childWatchesAfter" => {
                    field.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(sort);
                }
                _ => {}
            }
        }
        fields
    }

    /// Whether the closeSession of a client is among its requests: setting up a session is not, and ending one need not be.
    pub(super) fn shows_close_of(&self, client: &str) -> bool {
        let mut asked = self.requests.get(client).and_then(Value::as_array).into_iter().flatten();
        asked.any(|asked| asked["request"] == "closeSession")
    }
}

/// Threads of different clients write in any order, and so do the two threads of one client that returns from calls and is
/// called back: lines are compared by client and kind. Those that are free are nobody's.
pub(super) fn by_caller(lines: &Value) -> Value {
    let Value::Array(lines) = lines else { return lines.clone() };
    let mut callers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in lines {
        if is_free(line) {
            callers.entry(NOBODY.into()).or_default().push(anything());
            continue;
        }
        let mut words = line.as_str().unwrap_or_default().splitn(3, ' ');
        let caller = format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default());
        callers.entry(caller).or_default().push(words.next().unwrap_or_default().into());
    }
    callers.into_iter().map(|(caller, lines)| (caller, Value::Array(lines))).collect::<Map<_, _>>().into()
}

/// The order of a session's ephemerals is that of a hash table.
fn sort_deletes(writes: &mut Value) {
    for write in writes.as_array_mut().into_iter().flatten() {
        write.get_mut("deletes").into_iter().for_each(sort);
    }
}

/// So is the order of a path's watchers.
fn sort(list: &mut Value) {
    if let Some(list) = list.as_array_mut() {
        list.sort_by_key(Value::to_string);
    }
}

impl Scene {
    /// Reads a trace.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Scene, NoTranscript> {
        read(text).map_err(sentence)
    }

    /// The objects, in order.
    pub(super) fn made(&self) -> Result<Vec<Made>, String> {
        let parse =
            |(index, line): (usize, &String)| Made::parse(line).map_err(|why| format!("objects[{index}]: {why}"));
        self.objects.iter().enumerate().map(parse).collect()
    }

    /// Where plays differed in this stage, all stages counted: places behind `stages[N]`.
    pub(super) fn differed_in(&self, stage: usize) -> impl Iterator<Item = &str> {
        let before = format!("stages[{stage}]");
        self.differed.iter().filter_map(move |place| place.strip_prefix(&before))
    }

    /// Whether plays differed in this field of a row.
    pub(super) fn row_differed(&self, row: usize, field: &str) -> bool {
        let whole = format!("summary[{row}]");
        let here = format!("{whole}.{field}");
        self.differed.iter().any(|place| [&whole, &here].contains(&place))
    }

    fn complaint(&self) -> Option<String> {
        let too_many = |what: &str, count: usize, most: usize| {
            (count > most).then(|| format!("{what}: {count} are too many: {most} are allowed"))
        };
        if self.name.is_empty() || !is_plain(&self.name) {
            return Some("name: write 1 to 100 visible characters".into());
        }
        let names = self.clients.iter().chain(self.stages.iter().map(|stage| &stage.stage));
        if let Some(name) = names.chain(self.summary.iter().map(|row| &row.stage)).find(|name| !is_plain(name)) {
            return Some(format!("'{name}' is no name: write at most 100 visible characters"));
        }
        if self.stages.iter().any(|stage| stage.commands.len() > MAX_COMMANDS) {
            return Some(format!("commands: at most {MAX_COMMANDS} in a stage are allowed"));
        }
        too_many("clients", self.clients.len(), MAX_CLIENTS)
            .or_else(|| too_many("objects", self.objects.len(), MAX_OBJECTS))
            .or_else(|| too_many("stages", self.stages.len(), MAX_STAGES))
            .or_else(|| too_many("summary", self.summary.len(), MAX_STAGES))
            .or_else(|| self.check().err())
    }

    /// Clients and objects are there before they are used.
    fn check(&self) -> Result<(), String> {
        let clients: BTreeSet<&str> = self.clients.iter().map(String::as_str).collect();
        if clients.len() < self.clients.len() {
            return Err("clients: a name is there twice".into());
        }
        let made = self.made()?;
        if let Some(made) = made.iter().find(|made| !clients.contains(made.client.as_str())) {
            return Err(format!("objects: there is no client '{}'", made.client));
        }
        let all = whole::stages(self)?;
        let pauses = all.iter().flat_map(|done| &done.commands).map(Command::pause_ms);
        if pauses.sum::<u64>() > MAX_PAUSES_MS {
            return Err(format!("commands: pauses are longer than {} s in all", MAX_PAUSES_MS / 1000));
        }
        for (stage, done) in all.iter().enumerate() {
            for command in &done.commands {
                check_command(command, &clients, &made).map_err(|why| format!("stages[{stage}]: {why}"))?;
            }
        }
        Ok(())
    }
}

fn check_command(command: &Command, clients: &BTreeSet<&str>, made: &[Made]) -> Result<(), String> {
    if let Some(client) = command.client().filter(|client| !clients.contains(client)) {
        return Err(format!("there is no client '{client}'"));
    }
    let Some(object) = command.object() else { return Ok(()) };
    let is_meant =
        |made: &Made| &*made.object == object && command.client().is_none_or(|client| client == made.client);
    match made.iter().any(is_meant) {
        true => Ok(()),
        false => Err(format!("there is no object '{object}'")),
    }
}

fn read(text: &str) -> Result<Scene, String> {
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(format!("a trace has at most {MAX_TRANSCRIPT_BYTES} bytes; this has {}", text.len()));
    }
    let scene: Scene = crate::transcript::whole_json(text)?;
    scene.complaint().map_or(Ok(scene), Err)
}
