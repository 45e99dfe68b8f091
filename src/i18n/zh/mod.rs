//! Chinese in simplified characters.

mod actions;
mod callouts;
mod charts;
mod clients;
pub(super) mod disks;
mod errors;
mod evidence;
mod facts;
mod glossary;
pub(super) mod grading;
mod inspect;
mod notes;
mod packets;
mod page;
mod programs;
mod rivals;
mod rules;
mod scenarios;
mod scenes;
mod terms;
mod titles;
mod world;

use std::hint::black_box;

use crate::base::ServerSet;
use crate::sim::Tongue;
use crate::wire::Bytes;

use super::page::Page;
use super::text;
use super::words::Words;

/// By itself, and not to be seen through, so that a page in another language need not have loaded these words.
pub(super) fn words() -> &'static Words {
    black_box(&WORDS)
}

/// The same for the page's words.
pub(super) fn page() -> &'static Page {
    black_box(&page::PAGE)
}

const WORDS: Words = Words {
    tongue: Tongue::Chinese,
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
    evidence: evidence::sentence,
    error: errors::error,
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
    badge: terms::badge,
    sync: terms::sync,
    epoch_file: terms::epoch_file,
    rule: rules::rule,
    property: rules::property,
    scenario: scenarios::scenario,
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

/// `S1、S2 和 S3`.
fn list(servers: ServerSet) -> String {
    let names: Vec<String> = servers.iter().map(|server| server.to_string()).collect();
    match names.split_last() {
        None => "无".to_string(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} 和 {last}", rest.join("、")),
    }
}

/// Data of a znode: a text in quotation marks, and never converted, or hex; cut where they are long.
fn shown(data: &Bytes) -> String {
    data.text().map_or_else(|| text::data(data), quoted)
}

/// What a client wrote, in quotation marks, and never converted; long texts are cut.
fn quoted(data: &str) -> String {
    format!("“{}”", text::raw(&text::cut(data)))
}
