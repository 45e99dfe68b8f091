//! Does to our databases what was done to the real ones, step by step.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

use crate::Stuck;
use crate::base::{ServerId, ServerSet};
use crate::rivals::sql::engine::Engine;
use crate::rivals::sql::fact::{Blocker, Fact};
use crate::rivals::sql::op::Op;
use crate::rivals::sql::parse::parse;
use crate::sim::Action;

use super::compare::{Differs, fits, reply_fits};
use super::recording::{MAX_MS, SqlPlay, Step};
use super::world::Stage;

/// Fields that tell what came of a step, or how it was said.
const RECORDED: &[&str] = &[
    "client",
    "sql",
    "reply",
    "waits",
    "blockedBy",
    "waitingFor",
    "then",
    "thenInAnyOrder",
    "connectionsClosed",
    "note",
    "afterMs",
];

/// Our databases on their way through a recording.
pub(super) struct Play<'a> {
    recording: &'a SqlPlay,
    engine: Engine,
    stage: Stage,
    /// Where each client is connected, or was last.
    server_of: BTreeMap<String, String>,
    /// How many facts there were when forced writes were counted last, by server.
    counted: BTreeMap<String, usize>,
    /// The columns with moments of what each client selects.
    moments: BTreeMap<String, Vec<String>>,
}

/// What a step does.
enum Deed {
    /// A client's statement, as it is typed.
    Ask(String),
    /// Something else, by its name.
    Act(String),
}

fn text<'a>(step: &'a Step, field: &str) -> &'a str {
    step.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The statement of a step as a line for a client: as the recording tells it, or else as it was said.
fn line_of(engine: Engine, step: &Step) -> Result<String, String> {
    let fields: Map<String, Value> = step
        .iter()
        .filter(|(name, _)| !RECORDED.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let told = |name: &str| !matches!(name, "timeoutMs" | "replyNeverRead");
    let asked: Map<String, Value> = fields.clone().into_iter().filter(|(name, _)| told(name)).collect();
    match Op::from_json(&Value::Object(asked).to_string()) {
        Ok(_) => Ok(Value::Object(fields).to_string()),
        Err(read_error) => match parse(engine, text(step, "sql")) {
            Ok(_) => Ok(text(step, "sql").into()),
            Err(_) => Err(read_error.to_string()),
        },
    }
}

fn deed_of(engine: Engine, step: &Step) -> Result<Deed, String> {
    match (step.contains_key("op"), step.contains_key("do")) {
        (true, false) => line_of(engine, step).map(Deed::Ask),
        (false, true) => Ok(Deed::Act(text(step, "do").into())),
        _ => Err("write either `op` or `do`".into()),
    }
}

/// Checks a step before anything is played.
///
/// # Errors
/// What does not fit.
pub(super) fn check_step(recording: &SqlPlay, step: &Step) -> Result<(), String> {
    let engine = recording.engine()?;
    for field in ["server", "replica", "source"] {
        if step.contains_key(field) && !recording.servers.contains_key(text(step, field)) {
            return Err(format!("there is no server '{}'", text(step, field)));
        }
    }
    for field in ["ms", "timeoutMs"] {
        if let Some(ms) = step.get(field)
            && ms.as_u64().is_none_or(|ms| ms > MAX_MS)
        {
            return Err(format!("{field}: write a whole number up to {MAX_MS}"));
        }
    }
    let needed: &[&str] = match deed_of(engine, step)? {
        Deed::Ask(_) => &["client"],
        Deed::Act(name) => match &*name {
            "advance" => &["ms"],
            "connect" => &["client", "server"],
            "disconnect" | "killConnection" | "cancel" | "vanish" => &["client"],
            "kill" | "terminate" | "start" | "stop" | "continue" | "promote" | "state" | "syncs" => &["server"],
            "clock" => &["server", "addMs"],
            "holdLink" | "releaseLink" | "cutLink" | "healLink" => &["replica", "source"],
            _ => return Err(format!("do: there is no '{name}'")),
        },
    };
    match needed.iter().find(|field| !step.contains_key(**field)) {
        Some(field) => Err(format!("missing field `{field}`")),
        None => Ok(()),
    }
}

impl<'a> Play<'a> {
    /// The beginning: all are there, and connected in the order of the file.
    pub(super) fn new(recording: &'a SqlPlay, seed: u64) -> Result<Play<'a>, Differs> {
        let fails = |what: String| Differs { step: 0, deed: "the beginning".into(), what };
        let stage = Stage::new(recording, seed).map_err(fails)?;
        let engine = recording.engine().map_err(fails)?;
        let (server_of, counted, moments) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut play = Play { recording, engine, stage, server_of, counted, moments };
        play.begin().map_err(|Stuck(why)| fails(why))?;
        Ok(play)
    }

    fn begin(&mut self) -> Result<(), Stuck> {
        for name in self.recording.down() {
            self.stage.act(Action::Kill { server: self.stage.id(name) })?;
        }
        self.stage.rest()?;
        if self.recording.servers.len() > 1 {
            self.stage.advance(2)?;
        }
        for (client, server) in &self.recording.clients {
            self.connect(client, server)?;
        }
        let primary = self.recording.servers.iter().find(|(_, server)| server.replica_of.is_none());
        for line in &self.recording.configured_afterwards {
            let mut line = line.clone();
            for name in self.recording.servers.keys() {
                line = line.replace(&format!("'{name}'"), &format!("'{}'", self.stage.id(name)));
            }
            if let Some((primary, _)) = primary {
                self.stage.type_at(self.stage.id(primary), &line)?;
            }
        }
        Ok(())
    }

    /// Plays a course to its end.
    ///
    /// # Errors
    /// The first step that went otherwise.
    pub(super) fn through(mut self, course: &[Step]) -> Result<(), Differs> {
        for (at, step) in course.iter().enumerate() {
            let deed = match (text(step, "sql"), text(step, "do")) {
                ("", deed) => deed.to_string(),
                (sql, _) => format!("{}: {sql}", text(step, "client")),
            };
            self.step(step).map_err(|what| Differs { step: at + 1, deed, what })?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let mark = self.stage.facts.len();
        self.carry_out(step, mark)?;
        self.compare_closed(step, mark)
    }

    fn carry_out(&mut self, step: &Step, mark: usize) -> Result<(), String> {
        let stuck = |Stuck(why)| why;
        match deed_of(self.engine, step)? {
            Deed::Ask(line) => {
                self.ask(step, &line).map_err(stuck)?;
                self.note_moments(step);
                let mut answers = self.answers(mark);
                let own = answers.iter().position(|(client, _)| client == text(step, "client"));
                let own = own.map(|at| answers.remove(at).1);
                self.compare_own(step, own)?;
                compare_then(step, &answers)
            }
            Deed::Act(name) => {
                let ours = self.act(&name, step).map_err(stuck)?;
                if let Some(recorded) = step.get("ok")
                    && !fits(recorded, &ours)
                {
                    return Err(format!("ok is {ours}, recorded is {recorded}"));
                }
                if name == "connect" && (step.get("error").is_some() || !ours.is_null()) {
                    let recorded = step.get("error").cloned().unwrap_or(Value::Null);
                    if recorded != ours {
                        return Err(format!("error is {ours}, recorded is {recorded}"));
                    }
                }
                compare_then(step, &self.answers(mark))
            }
        }
    }

    /// Which idle clients' connections a server has ended meanwhile, where that was recorded.
    fn compare_closed(&self, step: &Step, mark: usize) -> Result<(), String> {
        let Some(recorded) = step.get("connectionsClosed") else { return Ok(()) };
        let listed = recorded.as_array().into_iter().flatten().filter_map(Value::as_str);
        let theirs: BTreeSet<String> = listed.map(str::to_string).collect();
        let ended = self.stage.facts.iter().skip(mark).filter_map(|(_, fact)| match fact {
            Fact::ConnectionEnded { client, .. } => Some(self.stage.name(*client)),
            _ => None,
        });
        // of a server that ends, all connections end
        let gone = |server: &String| !self.stage.is_up(self.stage.id(server));
        let with_server = self.server_of.iter().filter(|(_, server)| gone(server)).map(|(client, _)| client.clone());
        let died = ["kill", "terminate"].contains(&text(step, "do"));
        let ours: BTreeSet<String> = ended.chain(with_server.filter(|_| died)).collect();
        match ours == theirs {
            true => Ok(()),
            false => Err(format!("connectionsClosed is {ours:?}, recorded is {recorded}")),
        }
    }

    /// Which columns are left out of a client's rows.
    fn note_moments(&mut self, step: &Step) {
        if text(step, "op") == "select" {
            let moments = self.recording.moments(text(step, "table"));
            self.moments.insert(text(step, "client").into(), moments.into_iter().map(str::to_string).collect());
        }
    }

    /// A client asks; where it has no program any more, nothing happens.
    fn ask(&mut self, step: &Step, line: &str) -> Result<(), Stuck> {
        let (client, mark) = (self.stage.id(text(step, "client")), self.stage.facts.len());
        if !self.stage.is_up(client) {
            return Ok(());
        }
        self.stage.type_at(client, line)?;
        let answered = self.answers(mark).iter().any(|(other, _)| other == text(step, "client"));
        match step.get("timeoutMs").and_then(Value::as_u64) {
            Some(ms) if !answered => self.stage.advance(ms),
            _ => Ok(()),
        }
    }

    fn compare_own(&self, step: &Step, own: Option<Value>) -> Result<(), String> {
        let client = text(step, "client");
        let own = own.or_else(|| (!self.stage.is_up(self.stage.id(client))).then(|| json!({"notConnected": true})));
        let waits = step.get("waits").and_then(Value::as_bool).unwrap_or(false);
        match (waits, own) {
            (true, Some(own)) => return Err(format!("the reply is {own}, recorded is that it waits")),
            (false, None) if step.contains_key("replyNeverRead") => {}
            (false, None) => return Err("it waits; recorded is a reply".into()),
            (true, None) => {}
            (false, Some(own)) => {
                let recorded = step.get("reply").cloned().unwrap_or(Value::Null);
                let said_otherwise =
                    recorded == json!({"error": "notConnected"}) && own == json!({"notConnected": true});
                if !said_otherwise && !reply_fits(&recorded, &own) {
                    return Err(format!("the reply is {own}, recorded is {recorded}"));
                }
            }
        }
        match step.get("blockedBy") {
            Some(recorded) => self.compare_blockers(client, recorded),
            None => Ok(()),
        }
    }

    fn compare_blockers(&self, client: &str, recorded: &Value) -> Result<(), String> {
        let id = self.stage.id(client);
        let waits = self.stage.facts.iter().rev().find_map(|(_, fact)| match fact {
            Fact::Waits { client, blocked_by, .. } if *client == id => Some(blocked_by),
            _ => None,
        });
        let name = |blocker: &Blocker| match blocker {
            Blocker::Client { client, gone: false } => self.stage.name(*client),
            Blocker::Client { client, gone: true } => format!("{} (gone)", self.stage.name(*client)),
            Blocker::Prepared => "a prepared transaction".into(),
        };
        let mut ours: Vec<String> = waits.into_iter().flatten().map(name).collect();
        let named = recorded.as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut theirs: Vec<String> = named.map(str::to_string).collect();
        ours.sort();
        theirs.sort();
        match ours == theirs {
            true => Ok(()),
            false => Err(format!("blockedBy is {ours:?}, recorded is {recorded}")),
        }
    }

    /// The answers since a mark, in the order of arrival.
    fn answers(&self, mark: usize) -> Vec<(String, Value)> {
        let answer = |(machine, fact): &(ServerId, Fact)| match fact {
            Fact::Answered { reply, notices, .. } => {
                let mut reply = serde_json::to_value(reply).unwrap_or(Value::Null);
                let name = self.stage.name(*machine);
                let moments = self.moments.get(&name).map(Vec::as_slice).unwrap_or_default();
                let rows = reply.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten();
                for row in rows.filter_map(Value::as_object_mut) {
                    row.retain(|column, _| !moments.contains(column));
                }
                if let (Some(fields), false) = (reply.as_object_mut(), notices.is_empty()) {
                    fields.insert("notices".into(), json!(notices));
                }
                Some((name, reply))
            }
            _ => None,
        };
        self.stage.facts.iter().skip(mark).filter_map(answer).collect()
    }

    fn connect(&mut self, client: &str, server: &str) -> Result<Value, Stuck> {
        let (id, mark) = (self.stage.id(client), self.stage.facts.len());
        if !self.stage.is_up(id) {
            self.stage.act(Action::Restart { server: id })?;
        }
        self.server_of.insert(client.into(), server.into());
        self.stage.type_at(id, &format!("connect {}", self.stage.id(server)))?;
        let refused = self.stage.facts.iter().skip(mark).any(|(_, fact)| matches!(fact, Fact::NotConnected { .. }));
        Ok(if refused { json!("refused") } else { Value::Null })
    }

    /// Does something that is no statement; what it says of itself.
    fn act(&mut self, name: &str, step: &Step) -> Result<Value, Stuck> {
        let (server, client) = (self.stage.id(text(step, "server")), self.stage.id(text(step, "client")));
        match name {
            "advance" => self.stage.advance(step.get("ms").and_then(Value::as_u64).unwrap_or(0))?,
            "connect" => return self.connect(text(step, "client"), text(step, "server")),
            "disconnect" => self.stage.act(Action::Kill { server: client })?,
            "vanish" => self.stage.act(Action::PowerOff { server: client })?,
            "kill" => self.stage.act(Action::Kill { server })?,
            "terminate" => self.stage.type_at(server, "shutdown")?,
            "start" => self.start(step, server)?,
            "stop" => self.stage.act(Action::Pause { server })?,
            "continue" => self.stage.act(Action::Resume { server })?,
            "clock" => {
                let ms = step.get("addMs").and_then(Value::as_i64).unwrap_or(0);
                self.stage.act(Action::ClockJump { server, ms })?;
            }
            "killConnection" => self.operate(step, "kill")?,
            "cancel" => self.operate(step, "cancel")?,
            "promote" => self.stage.type_at(server, "promote")?,
            "holdLink" | "releaseLink" => self.link(step, name == "holdLink")?,
            "cutLink" => self.stage.type_at(self.stage.id(text(step, "replica")), "stop replica")?,
            "healLink" => self.stage.type_at(self.stage.id(text(step, "replica")), "start replica")?,
            "state" => return self.state(server),
            "syncs" => return Ok(self.syncs(text(step, "server"), server)),
            _ => {}
        }
        Ok(Value::Null)
    }

    /// A server starts again; replicas need a moment to find it.
    fn start(&mut self, step: &Step, server: ServerId) -> Result<(), Stuck> {
        if step.get("emptyDisk").is_some() {
            self.stage.act(Action::WipeDisk { server })?;
        }
        self.stage.act(Action::Restart { server })?;
        match self.recording.servers.len() {
            1 => Ok(()),
            _ => self.stage.advance(2),
        }
    }

    /// An operator does something about a client's connection, at the server where it is.
    fn operate(&mut self, step: &Step, what: &str) -> Result<(), Stuck> {
        let client = text(step, "client");
        let server = self.server_of.get(client).map_or(ServerId::NONE, |server| self.stage.id(server));
        self.stage.type_at(server, &format!("{what} {}", self.stage.id(client)))
    }

    fn link(&mut self, step: &Step, hold: bool) -> Result<(), Stuck> {
        let set = |name: &str| -> ServerSet { [self.stage.id(text(step, name))].into_iter().collect() };
        let (from, to, one_way) = (set("replica"), set("source"), false);
        let action = if hold { Action::Cut { from, to, one_way } } else { Action::Heal { from, to, one_way } };
        self.stage.act(action)
    }

    fn state(&mut self, server: ServerId) -> Result<Value, Stuck> {
        let mark = self.stage.facts.len();
        self.stage.type_at(server, "state")?;
        let state = self.stage.facts.iter().skip(mark).find_map(|(_, fact)| match fact {
            Fact::State { replica, .. } if self.engine == Engine::Postgres => Some(json!({"replica": replica})),
            Fact::State { replica, read_only } => Some(json!({"replica": replica, "readOnly": read_only})),
            _ => None,
        });
        Ok(state.unwrap_or(Value::Null))
    }

    /// Forced writes of a server's logs since last asked.
    fn syncs(&mut self, name: &str, server: ServerId) -> Value {
        let since = self.counted.insert(name.into(), self.stage.facts.len()).unwrap_or(0);
        let mut syncs: BTreeMap<&str, u64> = BTreeMap::new();
        for (machine, fact) in self.stage.facts.iter().skip(since) {
            if let Fact::Forced { log, .. } = fact
                && *machine == server
            {
                *syncs.entry(log).or_default() += 1;
            }
        }
        json!(syncs)
    }
}

/// Answers of others that a step has caused.
fn compare_then(step: &Step, ours: &[(String, Value)]) -> Result<(), String> {
    let none = Vec::new();
    // a mark beside the list, or the list itself
    let listed = step.get("thenInAnyOrder").filter(|then| then.is_array());
    let theirs = listed.or(step.get("then")).and_then(Value::as_array).unwrap_or(&none);
    let same = |theirs: &Value, ours: &(String, Value)| {
        theirs.get("client").and_then(Value::as_str) == Some(&ours.0)
            && reply_fits(theirs.get("reply").unwrap_or(&Value::Null), &ours.1)
    };
    let any_order = listed.is_some() || step.get("thenInAnyOrder").and_then(Value::as_bool).unwrap_or(false);
    let mut left: Vec<&(String, Value)> = ours.iter().collect();
    let fits = theirs.len() == ours.len()
        && theirs.iter().all(|theirs| {
            let places = if any_order { left.len() } else { left.len().min(1) };
            let place = left.iter().take(places).position(|ours| same(theirs, ours));
            place.map(|place| left.remove(place)).is_some()
        });
    match fits {
        true => Ok(()),
        false => {
            let shown: Vec<String> = ours.iter().map(|(client, reply)| format!("{client}: {reply}")).collect();
            Err(format!("then is [{}], recorded is {}", shown.join(", "), json!(theirs)))
        }
    }
}
