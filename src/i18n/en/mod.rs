//! English.

mod actions;
mod callouts;
mod clients;
mod facts;
mod glossary;
pub(super) mod grading;
mod inspect;
mod notes;
mod packets;
pub(super) mod page;
mod programs;
mod rules;
mod scenes;
mod terms;
mod titles;
mod world;

use crate::base::ServerSet;
use crate::check;
use crate::explore::own::Law;
use crate::scenarios;
use crate::sim::Tongue;

use super::page::Page;
use super::words::{Entry, Words};

pub(super) fn words() -> &'static Words {
    &WORDS
}

pub(super) fn page() -> &'static Page {
    &Page::ENGLISH
}

const WORDS: Words = Words {
    tongue: Tongue::English,
    glossary: glossary::GLOSSARY,
    title: titles::title,
    because: titles::because,
    zab: facts::sentence,
    zab_rule: facts::rule,
    window: facts::window,
    action: actions::action,
    world: world::sentence,
    world_rule: world::rule,
    client: clients::client,
    client_rule: clients::client_rule,
    program: programs::sentence,
    program_rule: programs::rule,
    double: programs::double,
    evidence: rules::evidence,
    error: ToString::to_string,
    service: clients::service,
    callout: callouts::callout,
    service_rule: clients::service_rule,
    to_server: clients::to_server,
    to_client: clients::to_client,
    note: notes::sentence,
    departure: notes::departure,
    packet: packets::sentence,
    role: terms::role,
    phase: terms::phase,
    status: terms::status,
    badge: |role| role,
    sync: terms::sync,
    epoch_file: terms::epoch_file,
    rule: rules::rule,
    property,
    scenario,
    chapter: scenes::chapter,
    try_this: scenes::try_this,
    idea_because: scenes::because,
    scenes: scenes::word,
    leave: terms::leave,
    drop: terms::drop,
    loss: terms::loss,
    refusal: terms::refusal,
    heading: inspect::heading,
    leader_stage: inspect::leader_stage,
    learner_stage: inspect::learner_stage,
    choice: inspect::choice,
};

/// A property's own words are English, and so are those of what recipes of one's own must keep.
fn property(id: &str) -> Option<Entry> {
    let own = check::property(id).map(|property| (property.title, property.about));
    own.or_else(|| Law::of(id).map(Law::words))
}

/// A scenario's own words are English.
fn scenario(id: &str) -> Option<Entry> {
    scenarios::scenario(id).map(|scenario| (scenario.title, scenario.about))
}

/// `S1, S2 and S3`.
fn list(servers: ServerSet) -> String {
    let names: Vec<String> = servers.iter().map(|server| server.to_string()).collect();
    match names.split_last() {
        None => "no server".to_string(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1 transaction`, `4 transactions`.
fn transactions(count: usize) -> String {
    match count {
        1 => "1 transaction".to_string(),
        _ => format!("{count} transactions"),
    }
}
