//! A recording as its file tells it.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::deeds::{Deed, Sentence, number};
use super::scene::FIELDS;
use crate::transcript::{MAX_TRANSCRIPT_BYTES, NoTranscript, is_plain, sentence, whole_json};

const MAX_PLAYS: usize = 100;
const MAX_STAGES: usize = 20;
const MAX_LINES: usize = 1_000;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    name: String,
    #[serde(default)]
    about: String,
    recorded_from: String,
    plays: Vec<Map<String, Value>>,
    #[serde(rename = "sameInAllPlays")]
    same: Map<String, Value>,
    #[serde(rename = "firstPlay")]
    first: Vec<ToldStage>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ToldStage {
    did: String,
    leader: Option<String>,
    term: Option<u64>,
    value_at_old_leader: Option<String>,
    #[serde(default)]
    log: BTreeMap<String, Vec<String>>,
}

/// What was set: servers, heartbeat and election timeout in ms, pre-vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub servers: u8,
    pub heartbeat_ms: u64,
    pub election_ms: u64,
    pub pre_vote: bool,
}

/// What was done at once, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stage {
    pub sentence: Sentence,
    pub leader: Option<u8>,
    pub term: Option<u64>,
    pub value_at_old_leader: Option<String>,
    /// What each server's log said.
    pub log: BTreeMap<u8, Vec<String>>,
}

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Its name, which is its file's.
    pub name: String,
    pub(super) settings: Settings,
    pub(super) plays: Vec<Map<String, Value>>,
    pub(super) same: Map<String, Value>,
    pub(super) stages: Vec<Stage>,
    /// Who leads at the beginning, and in which term.
    pub(super) leader: u8,
    pub(super) term: u64,
}

impl Settings {
    /// Reads `etcd 3.4.23, 3 servers, heartbeat 100 ms, election timeout 1000 to 2000 ms, pre-vote off`.
    fn read(text: &str) -> Option<Settings> {
        let mut settings = Settings::default();
        for part in text.split(", ") {
            match part.split(' ').collect::<Vec<_>>()[..] {
                ["etcd", _] => {}
                [servers, "servers"] => settings.servers = servers.parse().ok()?,
                ["heartbeat", ms, "ms"] => settings.heartbeat_ms = ms.parse().ok()?,
                ["election", "timeout", least, "to", most, "ms"] => {
                    settings.election_ms = least.parse().ok()?;
                    let twice = settings.election_ms.checked_mul(2)?;
                    if most.parse() != Ok(twice) {
                        return None;
                    }
                }
                ["pre-vote", word] => settings.pre_vote = word == "on",
                _ => return None,
            }
        }
        Some(settings).filter(|settings| settings.servers > 0 && settings.heartbeat_ms > 0)
    }
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Recording, NoTranscript> {
        read(text).map_err(sentence)
    }

    /// Whether a deed or a role names a server.
    pub(super) fn is_named(&self, number: u8) -> bool {
        let names = |sentence: &Sentence| {
            let of_roles = sentence.leader.iter().chain(&sentence.followers);
            of_roles.chain(sentence.deeds.iter().filter_map(Deed::server)).any(|named| *named == number)
        };
        number == self.leader || self.stages.iter().any(|stage| names(&stage.sentence))
    }

    /// Whether it contradicts itself: what is said to be the same in all plays, and only that, is.
    pub(super) fn contradiction(&self) -> Result<(), String> {
        let Some((first, others)) = self.plays.split_first() else { return Ok(()) };
        let fields = self.plays.iter().flat_map(Map::keys).chain(self.same.keys());
        for field in fields {
            let value = first.get(field);
            let same = others.iter().all(|play| play.get(field) == value).then_some(value).flatten();
            let said = self.same.get(field);
            if said.is_some() && said != same {
                return Err(format!("sameInAllPlays.{field}: not all of the plays say so"));
            }
            if said.is_none() && same.is_some() && !others.is_empty() {
                return Err(format!("sameInAllPlays: {field} is the same in all plays and not named"));
            }
        }
        Ok(())
    }
}

fn read(text: &str) -> Result<Recording, String> {
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(format!("a recording has at most {MAX_TRANSCRIPT_BYTES} bytes; this has {}", text.len()));
    }
    let told: Told = whole_json(text)?;
    if told.name.is_empty() || !is_plain(&told.name) {
        return Err("name: write 1 to 100 visible characters".into());
    }
    let settings = Settings::read(&told.recorded_from).ok_or("recorded_from: not what an etcd is set up with")?;
    if told.plays.is_empty() || told.plays.len() > MAX_PLAYS {
        return Err(format!("plays: 1 to {MAX_PLAYS} are allowed"));
    }
    if told.first.is_empty() || told.first.len() > MAX_STAGES {
        return Err(format!("firstPlay: 1 to {MAX_STAGES} stages are allowed"));
    }
    let mut fields = told.plays.iter().flat_map(Map::keys).chain(told.same.keys());
    if let Some(field) = fields.find(|field| !FIELDS.contains(&field.as_str())) {
        return Err(format!("plays: nobody knows what '{field}' counts"));
    }
    let stages: Vec<Stage> = told
        .first
        .into_iter()
        .enumerate()
        .map(|(at, told)| stage(told, settings.servers).map_err(|why| format!("firstPlay[{at}]: {why}")))
        .collect::<Result<_, _>>()?;
    let leader = stages.iter().find_map(|stage| stage.sentence.leader).ok_or("firstPlay: who led at first?")?;
    let term = stages.iter().find_map(|stage| stage.sentence.term).unwrap_or(0);
    Ok(Recording { name: told.name, settings, plays: told.plays, same: told.same, stages, leader, term })
}

fn stage(told: ToldStage, servers: u8) -> Result<Stage, String> {
    let known = |number: u8| match number <= servers {
        true => Ok(number),
        false => Err(format!("there is no server s{number}")),
    };
    let server = |name: &str| number(name).ok_or_else(|| format!("'{name}' is no server")).and_then(known);
    let sentence = Sentence::read(&told.did)?;
    let of_roles = sentence.leader.iter().chain(&sentence.followers);
    let told_of = sentence.deeds.iter().filter_map(|deed| match deed {
        Deed::Leads(leader, _) => Some(leader),
        deed => deed.server(),
    });
    of_roles.chain(told_of).copied().try_for_each(|number| known(number).map(drop))?;
    let mut log = BTreeMap::new();
    for (name, lines) in told.log {
        if lines.len() > MAX_LINES {
            return Err(format!("log.{name}: at most {MAX_LINES} lines are allowed"));
        }
        log.insert(server(&name)?, lines);
    }
    let leader = told.leader.map(|name| server(&name)).transpose()?;
    Ok(Stage { sentence, leader, term: told.term, value_at_old_leader: told.value_at_old_leader, log })
}
