//! A recording as its file has it.

use std::collections::BTreeMap;

use crate::base::json::{Json, Read, ReadError, ValueError, at_most, short, within};

/// Most steps of a recording.
const MAX_STEPS: usize = 2_000;
/// Longest time that a step may let pass, ms.
const MAX_MS: u64 = 3_600_000;

/// A recording of one of two kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// Steps of clients and of whoever sits at the servers.
    Plain(Plain),
    /// What a lock library sends.
    Library(Library),
}

/// Steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// Its name.
    pub name: String,
    /// The servers by name, in order.
    pub servers: Vec<(String, ServerOf)>,
    /// Quorum, `down-after-milliseconds` and `failover-timeout`: a Sentinel beside each server.
    pub sentinel: Option<(u8, u64, u64)>,
    /// Each client with its server.
    pub clients: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerOf {
    /// Its configuration.
    pub conf: Vec<(String, String)>,
    /// Whom it follows.
    pub replica_of: Option<String>,
    /// The expire cycle is off.
    pub no_cycle: bool,
    /// A kill loses what was not synced.
    pub power_loss: bool,
    /// It does not run at the beginning.
    pub down: bool,
}

/// A step: its fields by name, none unread.
#[derive(Clone, Debug, PartialEq)]
pub struct Step(pub BTreeMap<String, Json>);

/// What a library sends, stage by stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Library {
    /// Its name.
    pub name: String,
    /// The library, as the file names it.
    pub recorded_from: String,
    /// The stages, in order.
    pub stages: Vec<Stage>,
}

/// What a step that does something may have beside its own fields: what came of it for clients.
pub(super) const CAME: &[&str] = &["connectionsClosed", "then", "thenInAnyOrder"];

/// The fields that a step has for itself, by what it does; a client's step has no `do`.
const FIELDS: &[(&str, &[&str])] = &[
    ("", &["client", "send", "reply", "waits", "messages", "timeoutMs", "replyNeverRead"]),
    ("advance", &["ms"]),
    ("connect", &["client", "server", "error"]),
    ("disconnect", &["client"]),
    ("kill", &["server", "what"]),
    ("terminate", &["server"]),
    ("start", &["server", "what", "emptyDisk", "replicaOf"]),
    ("stop", &["server", "what"]),
    ("continue", &["server", "what"]),
    ("clock", &["server", "addMs"]),
    ("holdLink", &["replica", "source"]),
    ("releaseLink", &["replica", "source"]),
    ("cutLink", &["replica", "source"]),
    ("healLink", &["replica", "source"]),
    ("state", &["server", "ok", "syncs", "expired"]),
    ("syncs", &["server", "from", "ok"]),
    ("replicaOf", &["server", "source", "reply"]),
    ("awaitLink", &["server", "link"]),
    ("aof", &["server", "ok"]),
    ("cutAof", &["server", "bytes"]),
    ("cutOff", &["server"]),
    ("heal", &["server"]),
    ("awaitEvent", &["event", "by", "afterMs", "told"]),
    ("awaitRole", &["server", "role", "afterMs"]),
    ("who", &["ok"]),
    ("events", &["events"]),
    // of a library's traffic
    ("traffic", &["client", "server", "send", "reply", "times"]),
];

impl Recording {
    /// Reads one.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Recording, ReadError> {
        let mut fields = Json::parse(text)?.fields()?;
        let name: String = fields.need("name")?;
        short("name", &name, 200)?;
        if name.chars().any(char::is_control) || name.is_empty() {
            return Err(ReadError::unknown_name(&name.escape_default().to_string(), Vec::new()).within("name"));
        }
        let recorded_from: String = fields.need("recorded_from")?;
        let stages = fields.or::<Option<Vec<Stage>>>("stages", None)?;
        for remark in ["about", "note"] {
            fields.or::<Option<Anything>>(remark, None)?;
        }
        fields.or::<Option<Anything>>("rules", None)?;
        if let Some(stages) = stages {
            at_most("stages", stages.len(), MAX_STEPS)?;
            return fields.end().map(|()| Recording::Library(Library { name, recorded_from, stages }));
        }
        let servers = named(fields.need::<Json>("servers")?, "servers")?;
        let sentinel = fields.or::<Option<Json>>("sentinel", None)?.map(sentinel).transpose();
        let sentinel = sentinel.map_err(|error| error.within("sentinel"))?;
        let clients = named(fields.need::<Json>("clients")?, "clients")?;
        let steps = fields.need::<Vec<Step>>("steps")?;
        at_most("steps", steps.len(), MAX_STEPS)?;
        fields.end()?;
        let mut plain = Plain { name, servers, sentinel, clients, steps };
        plain.note_who_is_down();
        plain.check().map(|()| Recording::Plain(plain))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Recording::Plain(plain) => &plain.name,
            Recording::Library(library) => &library.name,
        }
    }
}

/// Whatever it is, it is not looked at.
struct Anything;

impl Read for Anything {
    fn read(_: Json) -> Result<Anything, ReadError> {
        Ok(Anything)
    }
}

/// A call of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The call.
    pub call: String,
    /// What came of it.
    pub result: Json,
    /// What was sent and answered.
    pub traffic: Vec<Step>,
    /// The order of it differed between plays.
    pub in_any_order: bool,
}

impl Read for Stage {
    fn read(json: Json) -> Result<Stage, ReadError> {
        let mut fields = json.fields()?;
        let (call, result) = (fields.need("call")?, fields.need("result")?);
        // a mark beside the traffic, or the traffic itself
        let (traffic, in_any_order) = match fields.or::<Option<Json>>("trafficInAnyOrder", None)? {
            Some(Json::List(traffic)) => (Json::List(traffic), true),
            mark => (fields.need("traffic")?, mark.map(bool::read).transpose()?.unwrap_or(false)),
        };
        let traffic = Vec::<Traffic>::read(traffic).map_err(|error| error.within("traffic"))?;
        let traffic = traffic.into_iter().map(|traffic| traffic.0).collect();
        fields.end().map(|()| Stage { call, result, traffic, in_any_order })
    }
}

struct Traffic(Step);

impl Read for Traffic {
    fn read(json: Json) -> Result<Traffic, ReadError> {
        step_with(json, Some("traffic")).map(Traffic)
    }
}

impl Read for Step {
    fn read(json: Json) -> Result<Step, ReadError> {
        step_with(json, None)
    }
}

fn step_with(json: Json, kind: Option<&str>) -> Result<Step, ReadError> {
    let fields = json.fields()?;
    let mut step: BTreeMap<String, Json> = fields.iter().map(|(name, value)| (name.into(), value.clone())).collect();
    step.remove("note");
    let kind = match (kind, step.get("do")) {
        (Some(kind), _) => kind.to_string(),
        (None, Some(Json::Text(kind))) => kind.clone(),
        (None, _) => String::new(),
    };
    let Some((_, known)) = FIELDS.iter().find(|(name, _)| *name == kind) else {
        return Err(ReadError::unknown("do", &kind));
    };
    let came = if kind == "traffic" { &[] } else { CAME };
    let known = [known, came].concat();
    if let Some(name) = step.keys().find(|name| !known.contains(&name.as_str()) && *name != "do") {
        return Err(ReadError::new(ValueError::UnknownField { field: name.clone(), known }));
    }
    Ok(Step(step))
}

fn named<T: Read>(json: Json, place: &str) -> Result<Vec<(String, T)>, ReadError> {
    let fields = json.fields().map_err(|error| error.within(place))?;
    let read = |(name, value): (&str, &Json)| {
        let value = T::read(value.clone()).map_err(|error| error.within(&format!("{place}.{name}")))?;
        Ok((name.to_string(), value))
    };
    fields.iter().map(read).collect()
}

fn sentinel(json: Json) -> Result<(u8, u64, u64), ReadError> {
    let mut fields = json.fields()?;
    let sentinel = (fields.need("quorum")?, fields.need("downAfterMs")?, fields.need("failoverTimeoutMs")?);
    fields.end().map(|()| sentinel)
}

impl Read for ServerOf {
    fn read(json: Json) -> Result<ServerOf, ReadError> {
        let mut fields = json.fields()?;
        let conf = fields.or::<Option<Json>>("config", None)?.map(|json| named::<String>(json, "config"));
        let server = ServerOf {
            conf: conf.transpose()?.unwrap_or_default(),
            replica_of: fields.or("replicaOf", None)?,
            no_cycle: !fields.or("backgroundExpiry", true)?,
            power_loss: fields.or("powerLoss", false)?,
            down: fields.or("down", false)?,
        };
        fields.or("countSyncs", false)?;
        fields.end().map(|()| server)
    }
}

impl Plain {
    /// What is started before anything has ended it was not running.
    fn note_who_is_down(&mut self) {
        for (name, server) in &mut self.servers {
            let of_it = |step: &&Step| step.text("server") == Some(name) && !step.0.contains_key("what");
            let turns = ["start", "kill", "terminate"];
            let first = self.steps.iter().filter(of_it).find(|step| turns.contains(&step.kind()));
            server.down |= first.is_some_and(|step| step.kind() == "start");
        }
    }

    /// Whom clients, replicas and steps name must be there.
    fn check(&self) -> Result<(), ReadError> {
        let known = |name: &str| self.servers.iter().any(|(server, _)| server == name);
        let no_such = |name: &str, place: String| Err(ReadError::unknown_name(name, Vec::new()).within(&place));
        for (name, server) in &self.servers {
            if let Some(source) = server.replica_of.as_ref().filter(|source| !known(source)) {
                return no_such(source, format!("servers.{name}.replicaOf"));
            }
        }
        for (client, server) in &self.clients {
            if !known(server) {
                return no_such(server, format!("clients.{client}"));
            }
        }
        for (at, step) in self.steps.iter().enumerate() {
            for field in ["server", "source", "replica", "replicaOf"] {
                if let Some(Json::Text(name)) = step.0.get(field)
                    && !known(name)
                {
                    return no_such(name, format!("steps[{at}].{field}"));
                }
            }
            if let Some(name) = step.0.get("client") {
                let is_known =
                    matches!(name, Json::Text(name) if self.clients.iter().any(|(client, _)| client == name));
                if !is_known {
                    return no_such(&format!("{name:?}"), format!("steps[{at}].client"));
                }
            }
            for field in ["ms", "timeoutMs"] {
                if let Some(Json::Natural(ms)) = step.0.get(field) {
                    within(field, *ms, 0, MAX_MS).map_err(|error| error.within(&format!("steps[{at}]")))?;
                }
            }
        }
        Ok(())
    }
}

impl Step {
    /// What it does; empty where a client does it.
    pub fn kind(&self) -> &str {
        self.text("do").unwrap_or("")
    }

    /// A field that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A text that must be there.
    pub fn need(&self, name: &str) -> Result<&str, String> {
        self.text(name).ok_or_else(|| format!("{name} is missing or no text"))
    }

    /// A number that must be there.
    pub fn number(&self, name: &str) -> Result<i64, String> {
        match self.0.get(name) {
            Some(Json::Natural(number)) => i64::try_from(*number).map_err(|_| format!("{name} is too large")),
            Some(Json::Negative(number)) => Ok(*number),
            _ => Err(format!("{name} is missing or no number")),
        }
    }

    /// Whether it is there and true.
    pub fn is(&self, name: &str) -> Result<bool, String> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Json::Bool(true)) => Ok(true),
            Some(_) => Err(format!("{name} is true or left out")),
        }
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        let Some(list) = self.0.get(name) else { return Ok(None) };
        let wrong = || format!("{name} is no list of texts");
        let Json::List(items) = list else { return Err(wrong()) };
        let text = |item: &Json| match item {
            Json::Text(text) => Some(text.clone()),
            _ => None,
        };
        items.iter().map(text).collect::<Option<Vec<_>>>().map(Some).ok_or_else(wrong)
    }
}

/// The fields of an object.
pub(super) fn fields_of(json: &Json) -> Vec<(String, Json)> {
    match json {
        Json::Object(fields) => fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
        _ => Vec::new(),
    }
}
