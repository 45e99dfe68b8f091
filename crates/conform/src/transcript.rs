//! A transcript: a short play against an ensemble, with everything that the clients were told. Typed, bounded, and checked
//! before anything is played.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::base::limits::{MAX_DURATION_US, MAX_MULTI_OPS};

use super::ask::{Ask, nothing_else};
use super::place::Place;
use super::setup;

/// Longest transcript, bytes.
pub const MAX_TRANSCRIPT_BYTES: usize = 1 << 20;
const MAX_STEPS: usize = 500;
const MAX_NAME_BYTES: usize = 100;
const MAX_TIMEOUT_MS: u64 = MAX_DURATION_US / 1000;
const MAX_PAUSE_MS: u64 = 60_000;
/// Most bytes of data that are made up in one play.
const MAX_MADE_UP: usize = 16 << 20;
/// Longest sentence about what is wrong, characters.
const MAX_SENTENCE: usize = 300;

/// Fields that tell what was recorded. All others tell what was done. The order is the one in which they are compared.
pub(super) const RECORDED: &[&str] =
    &["error", "message", "ok", "results", "replies", "stream", "eventsBeforeReply", "events", "zxid", "state"];

/// A transcript.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
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
    /// How many servers.
    pub servers: u8,
    /// System properties of the servers.
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    /// What was done, and what came of it.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What was done.
    pub deed: Deed,
    /// What was recorded, by field.
    pub recorded: Map<String, Value>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Something to a client's session, or to servers.
    Act(Act),
    /// The notifications that a client has got since last asked.
    Events {
        /// The client's name in the transcript.
        client: String,
        /// Only those of this node.
        path: Option<String>,
    },
    /// Nothing: only the state of a client is told.
    State {
        /// The client's name in the transcript.
        client: String,
    },
    /// A client asks for something.
    Ask {
        /// The client's name in the transcript.
        client: String,
        /// The request, and how it is asked.
        ask: Ask,
    },
    /// A client asks for several things without waiting for answers: `pipeline` on the wire, `async` of the library.
    Pipeline {
        /// The client's name in the transcript.
        client: String,
        /// The requests, in order.
        asks: Vec<Ask>,
    },
}

/// What is done to a client's session, or to servers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Act {
    /// A new session.
    Connect {
        /// The client's name in the transcript.
        client: String,
        /// The servers that it may use, in the order written.
        #[serde(deserialize_with = "places")]
        server: Vec<Place>,
        /// The timeout asked for.
        #[serde(default = "default_timeout")]
        timeout_ms: u32,
    },
    /// The client closes its session.
    Close {
        /// The client's name in the transcript.
        client: String,
    },
    /// The connection is cut, and the session expires.
    Expire {
        /// The client's name in the transcript.
        client: String,
    },
    /// The connection is cut until the session has expired; then the client may come back, and hears of it.
    CutAndExpire {
        /// The client's name in the transcript.
        client: String,
    },
    /// The connection is cut; the session lives on.
    Disconnect {
        /// The client's name in the transcript.
        client: String,
    },
    /// The session is taken up at a server.
    Reconnect {
        /// The client's name in the transcript.
        client: String,
        /// The server, by the role that it had at the beginning.
        server: Place,
        /// Falsified, where it is there.
        #[serde(default)]
        password: Option<Wrong>,
        /// Falsified, where it is there.
        #[serde(default)]
        last_zxid_seen: Option<Ahead>,
        /// The old connection stays open.
        #[serde(default)]
        keep_old_connection: bool,
    },
    /// The client says who it is.
    AddAuth {
        /// The client's name in the transcript.
        client: String,
        /// The scheme.
        scheme: String,
        /// The proof, after the scheme.
        auth: String,
    },
    /// The process is killed.
    Crash {
        /// The server, by the role that it had at the beginning.
        server: Place,
    },
    /// It is started again.
    Restart {
        /// The server, by the role that it had at the beginning.
        server: Place,
    },
    /// All are started, the first one slightly earlier.
    RestartAll {
        /// In this order.
        order: Vec<Place>,
    },
    /// Until the live servers serve.
    AwaitLeader,
    /// Until no live server serves any more.
    AwaitNoQuorum,
    /// Until the leader's container manager has run at least twice.
    CheckContainers,
    /// Some time goes by.
    Pause {
        /// How long.
        ms: u64,
    },
}

/// What a falsified password is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrong {
    /// Not the session's.
    Wrong,
}

/// What a falsified zxid is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ahead {
    /// Later than what any server has.
    Ahead,
}

/// What a wire client asks for where nothing is said: the longest that it can get.
fn default_timeout() -> u32 {
    4_000
}

fn places<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Place>, D::Error> {
    let text = String::deserialize(d)?;
    text.split(',').map(|name| name.parse().map_err(de::Error::custom)).collect()
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Step, D::Error> {
        let mut fields = Map::<String, Value>::deserialize(d)?;
        let recorded =
            RECORDED.iter().filter_map(|name| fields.remove(*name).map(|value| (name.to_string(), value))).collect();
        let deed = deed(fields, &recorded).map_err(de::Error::custom)?;
        Ok(Step { deed, recorded })
    }
}

fn deed(mut fields: Map<String, Value>, recorded: &Map<String, Value>) -> Result<Deed, String> {
    let name = match fields.get("do") {
        Some(Value::String(name)) => name.clone(),
        Some(_) => return Err("`do` is not a text".into()),
        None if recorded.contains_key("events") || recorded.contains_key("state") => String::new(),
        None => return Err("there is neither `do` nor `events`".into()),
    };
    let is_ask = Ask::NAMES.contains(&name.as_str());
    let is_pipeline = matches!(name.as_str(), "pipeline" | "async");
    if !is_ask && !is_pipeline && fields.get("path").is_some_and(|path| !path.is_string()) {
        return Err("`path` is not a text".into());
    }
    if !(is_ask || name.is_empty() || is_pipeline) {
        // which node it is done for: what is done is the same
        fields.remove("path");
        let act = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
        return Ok(Deed::Act(act));
    }
    let client = match fields.remove("client") {
        Some(Value::String(client)) => client,
        _ => return Err("`client` is not a name".into()),
    };
    match name.as_str() {
        "" => {
            let path = nothing_else(fields, &["path"])?.remove("path");
            let path = path.as_ref().and_then(Value::as_str).map(str::to_string);
            Ok(match recorded.contains_key("events") {
                true => Deed::Events { client, path },
                false => Deed::State { client },
            })
        }
        "pipeline" | "async" => {
            let ops = nothing_else(fields, &["do", "ops"])?.remove("ops").unwrap_or_default();
            let Value::Array(ops) = ops else { return Err("`ops` is not a list".into()) };
            if ops.len() > MAX_MULTI_OPS {
                return Err(format!("ops: {} are too many: {MAX_MULTI_OPS} are allowed", ops.len()));
            }
            let asks = ops.into_iter().map(Ask::from_json).collect::<Result<_, _>>()?;
            Ok(Deed::Pipeline { client, asks })
        }
        _ => Ok(Deed::Ask { client, ask: Ask::from_json(Value::Object(fields))? }),
    }
}

/// Why a text is no transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTranscript(pub String);

impl fmt::Display for NoTranscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoTranscript {}

fn read(text: &str) -> Result<Transcript, String> {
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(format!("a transcript has at most {MAX_TRANSCRIPT_BYTES} bytes; this has {}", text.len()));
    }
    let transcript: Transcript = whole_json(text)?;
    transcript.complaint().map_or(Ok(transcript), Err)
}

/// The value that a text holds, and nothing behind it; an error names the place.
pub(super) fn whole_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = error.path().to_string();
        match place.as_str() {
            "." => error.into_inner().to_string(),
            _ => format!("{place}: {}", error.into_inner()),
        }
    })?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// Short, and without what a terminal would obey.
pub(super) fn sentence(why: String) -> NoTranscript {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    NoTranscript(why.chars().take(MAX_SENTENCE).map(plain).collect())
}

impl Transcript {
    /// Reads a transcript.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Transcript, NoTranscript> {
        read(text).map_err(sentence)
    }

    /// Whether it tells what a program sees through the client library; otherwise it tells what servers send.
    pub fn is_of_library(&self) -> bool {
        self.name.starts_with("java-client-")
    }

    fn complaint(&self) -> Option<String> {
        if self.name.is_empty() || !is_plain(&self.name) {
            return Some(format!("name: write 1 to {MAX_NAME_BYTES} visible characters"));
        }
        if self.servers != 3 {
            return Some(format!("servers: {}; transcripts are about 3 servers", self.servers));
        }
        if self.steps.len() > MAX_STEPS {
            return Some(format!("steps: {} are too many: {MAX_STEPS} are allowed", self.steps.len()));
        }
        if let Err(complaint) = setup::run(&self.properties, 0) {
            return Some(complaint);
        }
        let made_up: usize = self.steps.iter().map(|step| step.deed.made_up()).sum();
        if made_up > MAX_MADE_UP {
            return Some(format!("dataBytes: {made_up} in all are above {MAX_MADE_UP}"));
        }
        let mut clients = BTreeSet::new();
        self.steps.iter().enumerate().find_map(|(index, step)| {
            step.deed.complaint(&mut clients).map(|complaint| format!("steps[{index}]: {complaint}"))
        })
    }
}

pub(super) fn is_plain(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control)
}

impl Deed {
    /// Whose it is.
    pub fn client(&self) -> Option<&str> {
        match self {
            Deed::Events { client, .. }
            | Deed::State { client }
            | Deed::Ask { client, .. }
            | Deed::Pipeline { client, .. }
            | Deed::Act(
                Act::Connect { client, .. }
                | Act::Close { client }
                | Act::Expire { client }
                | Act::CutAndExpire { client }
                | Act::Disconnect { client }
                | Act::AddAuth { client, .. }
                | Act::Reconnect { client, .. },
            ) => Some(client),
            Deed::Act(_) => None,
        }
    }

    /// How many bytes of data are made up for it.
    fn made_up(&self) -> usize {
        match self {
            Deed::Ask { ask, .. } => ask.data_bytes.unwrap_or(0),
            Deed::Pipeline { asks, .. } => asks.iter().filter_map(|ask| ask.data_bytes).sum(),
            Deed::Act(_) | Deed::Events { .. } | Deed::State { .. } => 0,
        }
    }

    /// What is wrong with it after the steps before it, if anything.
    fn complaint<'a>(&'a self, connected: &mut BTreeSet<&'a str>) -> Option<String> {
        if let Deed::Act(Act::Connect { client, timeout_ms, .. }) = self {
            if !is_plain(client) {
                return Some(format!("client: write at most {MAX_NAME_BYTES} visible characters"));
            }
            connected.insert(client);
            let too_long = u64::from(*timeout_ms) > MAX_TIMEOUT_MS;
            return too_long.then(|| format!("timeoutMs: {timeout_ms} is above {MAX_TIMEOUT_MS}"));
        }
        if let Deed::Act(Act::Pause { ms }) = self {
            return (*ms > MAX_PAUSE_MS).then(|| format!("ms: {ms} is above {MAX_PAUSE_MS}"));
        }
        let client = self.client().filter(|client| !connected.contains(client))?;
        Some(format!("client '{client}' was never connected"))
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Act(act) => act.fmt(f),
            Deed::Events { .. } => f.write_str("events"),
            Deed::State { client } => write!(f, "state of {client}"),
            Deed::Ask { ask, .. } => write!(f, "{}", ask.request),
            Deed::Pipeline { .. } => f.write_str("pipeline"),
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Connect { client, .. } => write!(f, "connect {client}"),
            Act::Close { client } => write!(f, "close {client}"),
            Act::Expire { client } => write!(f, "expire {client}"),
            Act::CutAndExpire { client } => write!(f, "cutAndExpire {client}"),
            Act::Disconnect { client } => write!(f, "disconnect {client}"),
            Act::Reconnect { client, server, .. } => write!(f, "reconnect {client} at {server}"),
            Act::AddAuth { client, scheme, .. } => write!(f, "addAuth {client} {scheme}"),
            Act::Crash { server } => write!(f, "crash {server}"),
            Act::Restart { server } => write!(f, "restart {server}"),
            Act::RestartAll { .. } => f.write_str("restartAll"),
            Act::AwaitLeader => f.write_str("awaitLeader"),
            Act::AwaitNoQuorum => f.write_str("awaitNoQuorum"),
            Act::CheckContainers => f.write_str("checkContainers"),
            Act::Pause { ms } => write!(f, "pause {ms} ms"),
        }
    }
}
