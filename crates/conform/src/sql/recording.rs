//! What was recorded, as the files in `tests/rivals/sql` tell it.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use crate::base::json::{Json, Read};
use crate::rivals::sql::engine::{Engine, Variables};
use crate::rivals::sql::table::{Kind, TableDef};
use crate::rivals::sql::value;
use crate::transcript::{MAX_TRANSCRIPT_BYTES, NoTranscript, is_plain, sentence, whole_json};

const MAX_STEPS: usize = 300;
const MAX_NAMES: usize = 12;
/// Longest time that a step may let pass, ms.
pub(super) const MAX_MS: u64 = 600_000;

/// A recording.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SqlPlay {
    /// Its name, which is its file's.
    pub name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(rename = "recorded_from", default)]
    recorded_from: String,
    engine: String,
    pub(super) servers: BTreeMap<String, RecordedServer>,
    #[serde(default)]
    tables: BTreeMap<String, RecordedTable>,
    /// Who is connected where at the beginning. The order of the file is that of their names.
    #[serde(default)]
    pub(super) clients: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) configured_afterwards: Vec<String>,
    #[serde(default)]
    plays_of_this_course: u32,
    #[serde(default)]
    other_courses: Vec<Course>,
    steps: Vec<Step>,
}

/// A step: its fields, those that tell what to do and those that tell what came of it.
pub(super) type Step = Map<String, Value>;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Course {
    steps: Vec<Step>,
}

/// A server as it was set up.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RecordedServer {
    #[serde(default)]
    pub replica_of: Option<String>,
    #[serde(default)]
    config: BTreeMap<String, Value>,
    /// Whether it writes a binlog (MariaDB), where that is said.
    #[serde(default)]
    binlog: Option<bool>,
    /// It does not run at the beginning.
    #[serde(default)]
    down: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RecordedTable {
    columns: BTreeMap<String, String>,
    #[serde(default)]
    primary_key: Option<String>,
    #[serde(default)]
    unique: Vec<String>,
    #[serde(default)]
    index: Vec<String>,
    #[serde(default)]
    rows: Vec<BTreeMap<String, Value>>,
}

fn read(text: &str) -> Result<SqlPlay, String> {
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(format!("a recording has at most {MAX_TRANSCRIPT_BYTES} bytes; this has {}", text.len()));
    }
    let recording: SqlPlay = whole_json(text)?;
    recording.check()?;
    Ok(recording)
}

impl SqlPlay {
    /// Reads a recording.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<SqlPlay, NoTranscript> {
        read(text).map_err(sentence)
    }

    fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || !is_plain(&self.name) {
            return Err("name: write 1 to 100 visible characters".into());
        }
        if self.servers.is_empty() || self.servers.len() > 4 || self.client_names().len() > MAX_NAMES {
            return Err(format!("1 to 4 servers and at most {MAX_NAMES} clients are allowed"));
        }
        for course in self.courses() {
            if course.len() > MAX_STEPS {
                return Err(format!("steps: at most {MAX_STEPS} are allowed"));
            }
            for (at, step) in course.iter().enumerate() {
                super::play::check_step(self, step).map_err(|why| format!("steps[{at}]: {why}"))?;
            }
        }
        for (client, server) in &self.clients {
            if !self.servers.contains_key(server) {
                return Err(format!("clients.{client}: there is no server '{server}'"));
            }
        }
        self.engine()?;
        self.table_defs().map(|_| ())
    }

    /// All courses that are right, the one that is told first.
    pub(super) fn courses(&self) -> impl Iterator<Item = &[Step]> {
        let others = self.other_courses.iter().map(|course| course.steps.as_slice());
        std::iter::once(self.steps.as_slice()).chain(others)
    }

    /// Everybody who is ever named as a client.
    pub(super) fn client_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.clients.keys().cloned().collect();
        for step in self.courses().flatten() {
            if let Some(name) = step.get("client").and_then(Value::as_str)
                && !names.iter().any(|other| other == name)
            {
                names.push(name.into());
            }
        }
        names
    }

    /// The servers that do not run at the beginning: what is started before anything has ended it was not running.
    pub(super) fn down(&self) -> impl Iterator<Item = &str> {
        let first = |name: &str| {
            let of_it = |step: &&Step| step.get("server").and_then(Value::as_str) == Some(name);
            let turns = ["start", "kill", "terminate"];
            let mut turns_of_it = self.steps.iter().filter(of_it).filter_map(|step| step.get("do")?.as_str());
            turns_of_it.find(|turn| turns.contains(turn))
        };
        let is_down = move |(name, server): &(&String, &RecordedServer)| server.down || first(name) == Some("start");
        self.servers.iter().filter(is_down).map(|(name, _)| name.as_str())
    }

    /// The columns of a table that hold moments: replies are recorded without them.
    pub(super) fn moments(&self, table: &str) -> Vec<&str> {
        let columns = self.tables.get(table).map(|table| &table.columns).into_iter().flatten();
        columns.filter(|(_, kind)| *kind == "time").map(|(name, _)| name.as_str()).collect()
    }

    pub(super) fn engine(&self) -> Result<Engine, String> {
        let known = Engine::ALL.iter().find(|(name, _)| *name == self.engine);
        known.map(|(_, engine)| *engine).ok_or_else(|| format!("engine: there is no '{}'", self.engine))
    }

    /// The tables as they were made.
    pub(super) fn table_defs(&self) -> Result<Vec<TableDef>, String> {
        self.tables
            .iter()
            .map(|(name, table)| table.made(name).map_err(|why| format!("tables.{name}: {why}")))
            .collect()
    }
}

impl RecordedServer {
    /// What was set. A variable that our database does not know has no effect in it. In all recordings PostgreSQL waits two
    /// seconds before it looks for a deadlock.
    pub(super) fn variables(&self, engine: Engine) -> Variables {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
        let usual = (engine == Engine::Postgres).then(|| ("deadlock_timeout".to_string(), "2000".to_string()));
        let said = self.config.iter().map(|(name, value)| (name.replace('-', "_"), text(value)));
        let binlog = self.binlog.map(|on| ("log_bin".to_string(), if on { "ON" } else { "OFF" }.to_string()));
        let known = usual.into_iter().chain(said).chain(binlog).filter(|(name, _)| Variables::known(engine, name));
        Variables(known.collect())
    }
}

impl RecordedTable {
    fn made(&self, name: &str) -> Result<TableDef, String> {
        let kind = |kind: &String| {
            let known = Kind::ALL.iter().find(|(known, _)| known == kind);
            known.map(|(_, kind)| *kind).ok_or_else(|| format!("there is no kind '{kind}'"))
        };
        let columns = self.columns.iter().map(|(name, of)| Ok((name.clone(), kind(of)?)));
        let columns = columns.collect::<Result<Vec<(String, Kind)>, String>>()?;
        let place = |name: &String| {
            let place = columns.iter().position(|(column, _)| column == name);
            place.ok_or_else(|| format!("there is no column '{name}'"))
        };
        let places = |names: &[String]| names.iter().map(place).collect::<Result<Vec<usize>, String>>();
        let cell = |row: &BTreeMap<String, Value>, (name, kind): &(String, Kind)| match row.get(name) {
            Some(said) => {
                let json = Json::parse(&said.to_string()).and_then(value::Value::read);
                json.map_err(|read_error| read_error.to_string())
            }
            None if *kind == Kind::OptionalText => Ok(value::Value::Null),
            None => Ok(value::Value::Int(0)),
        };
        let row = |row| columns.iter().map(|column| cell(row, column)).collect::<Result<Vec<_>, String>>();
        let rows = self.rows.iter().map(row).collect::<Result<Vec<_>, String>>()?;
        Ok(TableDef {
            name: name.into(),
            primary_key: self.primary_key.as_ref().map(place).transpose()?,
            unique: places(&self.unique)?,
            index: places(&self.index)?,
            columns: columns.clone(),
            rows,
        })
    }
}
