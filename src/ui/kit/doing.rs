//! What a server or a client does now, or waits for, in one sentence.

use crate::base::ServerSet;
use crate::base::rows::names;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, leader_stage, learner_stage};
use crate::recipes::without_guids;
use crate::sim::World;
use crate::view::{Card, ClientDoing, ClientView, Meter, ServerDoing, client_doing, server_doing};
use crate::zab::LearnerStage;

use crate::i18n::wording::face_word;

/// What a server does.
pub(in crate::ui) fn server_sentence(world: &World, card: &Card, meters: &[Meter], lang: Lang) -> String {
    let words = page(lang);
    let counted = |have: ServerSet, need: usize| fill(words.doing_counted, &[&have.len(), &need, &names(have)]);
    match server_doing(world, card, meters) {
        ServerDoing::Off => fill(words.none_started, &[&card.id]),
        ServerDoing::Down => words.doing_down.into(),
        ServerDoing::Paused => words.doing_paused.into(),
        ServerDoing::Votes(tally) if tally.votes.len() >= tally.need => fill(words.doing_chosen, &[&tally.leader]),
        ServerDoing::Votes(tally) => fill(words.doing_votes, &[&tally.leader, &counted(tally.votes, tally.need)]),
        ServerDoing::Looks => words.doing_looks.into(),
        ServerDoing::Leaves => words.doing_leaves.into(),
        ServerDoing::Leads(stage, Some((have, need))) => {
            fill(words.doing_stage, &[&leader_stage(lang, stage), &counted(have, need)])
        }
        ServerDoing::Leads(stage, None) => leader_stage(lang, stage).into(),
        ServerDoing::WaitsForAcks(zxid, have, need) => fill(words.doing_acks, &[&zxid, &counted(have, need)]),
        ServerDoing::Learns(LearnerStage::Serving, leader) => fill(words.doing_follows, &[&leader]),
        ServerDoing::Learns(stage, _) => learner_stage(lang, stage).into(),
        ServerDoing::Writes(zxid) => fill(words.doing_writes, &[&zxid]),
        ServerDoing::WaitsForCommit(zxid, leader) => fill(words.doing_commit, &[&zxid, &leader]),
        ServerDoing::Alone(true) => words.doing_standalone.into(),
        ServerDoing::Alone(false) => words.doing_loads.into(),
        ServerDoing::Other => String::new(),
    }
}

/// What a client does.
pub(in crate::ui) fn client_sentence(world: &World, client: &ClientView, lang: Lang) -> String {
    let words = page(lang);
    // what makes a node's name unique nobody can remember
    let plain = |node: &str| without_guids(node);
    match client_doing(world, client) {
        ClientDoing::Paused(true) => words.doing_stale_paused.into(),
        ClientDoing::Paused(false) => words.doing_paused.into(),
        ClientDoing::Over(face) => fill(words.doing_over, &[&face_word(face, lang)]),
        ClientDoing::WaitsFor(node, Some(other)) => fill(words.doing_behind, &[&plain(&node), &other]),
        ClientDoing::WaitsFor(node, None) => fill(words.doing_waits, &[&plain(&node)]),
        ClientDoing::Asks(server, name, path) => {
            let asked = format!("{name} {}", plain(&path));
            match server {
                Some(server) => fill(words.doing_asks, &[&server, &asked.trim()]),
                None => fill(words.doing_unsent, &[&asked.trim()]),
            }
        }
        ClientDoing::Tries(Some(server)) => fill(words.doing_tries, &[&server]),
        ClientDoing::Tries(None) => words.doing_alone.into(),
        ClientDoing::Holds(node) => fill(words.doing_holds, &[&plain(&node)]),
        ClientDoing::HoldsStale(node) => fill(words.doing_stale, &[&plain(&node)]),
        ClientDoing::Idle(server) => fill(words.doing_idle, &[&server]),
    }
}
