//! The inspector: what is in a server, a link, a packet.

use yew::prelude::*;

use crate::base::{ClientId, ServerId, SessionId};
use crate::i18n::page::page;
use crate::i18n::{Lang, loss_reason, packet_about};
use crate::sim::{Fact, Parcel, Process, Record, Status, World, WorldFact};
use crate::view::{Density, Held, Square};

use super::client_chip::face_word;
use super::engine::Engine;
use super::model::use_model;
use super::narration::seconds;
use super::server_card::strip;
use super::stage::link_words;
use super::state::{Picked, use_reach};

/// What the side tells the inspector.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub picked: Picked,
}

/// What is shown: a title, a sentence, rows of name and value, a strip.
#[derive(Default, PartialEq)]
struct Sheet {
    title: String,
    about: String,
    rows: Vec<(&'static str, String)>,
    strip: Vec<Square>,
}

fn sheet(engine: &Engine, (picked, lang): &(Picked, Lang)) -> Option<Sheet> {
    match *picked {
        Picked::Nothing => None,
        Picked::Client(id) => client(engine, id, *lang),
        Picked::Server(id) => server(engine, id, *lang),
        Picked::Link(a, b) => link(engine, a, b, *lang),
        Picked::Packet(msg) => {
            let session = engine.session();
            let (sent, end) = session.facts().story(msg);
            packet(session.world(), sent?, end, *lang)
        }
    }
}

fn range(range: crate::sim::LatencyRange) -> String {
    format!("{}–{} ms", range.min_us / 1000, range.max_us / 1000)
}

fn server(engine: &Engine, id: ServerId, lang: Lang) -> Option<Sheet> {
    let words = page(lang);
    let scene = engine.scene();
    let card = scene.cards.iter().find(|card| card.id == id)?;
    let session = engine.session();
    let process: &Process = session.world().processes.get(&id)?;
    let status = crate::i18n::status_name(lang, process.status).name.to_string();
    let mut rows = vec![(words.process, status)];
    if process.status != Status::Crashed {
        rows.push((words.role, card.face.word().to_string()));
        rows.push((words.phase, card.phase_words()));
    }
    rows.push((words.accepted_epoch, card.accepted.to_string()));
    rows.push((words.current_epoch, card.current.to_string()));
    rows.push((words.last_zxid, card.last.to_string()));
    if let Some(tally) = &card.tally {
        let have = format!("{} · {}/{}", tally.leader, tally.votes.len(), tally.need);
        rows.push((words.vote, have));
    }
    if let Some(memory) = &process.server {
        rows.push((words.round, memory.peer.election.round.to_string()));
    }
    rows.push((words.disk_time, range(process.disk.sync)));
    rows.push((words.incarnation, process.incarnation.to_string()));
    let about = if card.observer { words.no_vote.to_string() } else { String::new() };
    Some(Sheet { title: id.to_string(), about, rows, strip: card.strip.clone() })
}

/// Names in a row, or a word for none.
fn listed(names: Vec<String>, none: &str) -> String {
    if names.is_empty() { none.to_string() } else { names.join(", ") }
}

fn client(engine: &Engine, id: ClientId, lang: Lang) -> Option<Sheet> {
    let words = page(lang);
    let view = engine.scene().clients.iter().find(|client| client.id == id)?.clone();
    let session = engine.session();
    let world = session.world();
    let config = &world.clients.get(&id)?.client.config;
    let held = Held::of(world, &view);
    let server = view.line().map_or(words.client_none.to_string(), |(server, _)| server.to_string());
    let mut rows = vec![(words.client_state, face_word(view.face, lang).to_string()), (words.client_server, server)];
    let known = if view.session == SessionId::NONE { words.client_none.into() } else { view.session.to_string() };
    rows.push((words.client_session, known));
    rows.push((words.client_timeout, format!("{} ms", view.timeout_ms)));
    if let Some(due) = held.due.filter(|_| !view.face.is_over()) {
        rows.push((words.client_due, format!("{} s", seconds(due))));
    }
    rows.push((words.last_zxid, view.last_zxid.to_string()));
    rows.push((words.client_pending, view.pending.to_string()));
    let watches = held.watches.iter().map(|(path, setter)| format!("{path} ({setter})")).collect();
    rows.push((words.client_watches, listed(watches, words.client_none)));
    let ephemerals = held.ephemerals.iter().map(ToString::to_string).collect();
    rows.push((words.client_ephemerals, listed(ephemerals, words.client_none)));
    rows.push((words.client_servers, config.servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")));
    let about = if config.raw { words.client_raw.to_string() } else { String::new() };
    Some(Sheet { title: id.to_string(), about, rows, strip: Vec::new() })
}

fn link(engine: &Engine, a: ServerId, b: ServerId, lang: Lang) -> Option<Sheet> {
    let link = engine.scene().links.iter().find(|link| (link.a, link.b) == (a, b)).copied()?;
    let session = engine.session();
    let network = &session.world().network;
    let rows = vec![
        ("→", format!("{a} → {b}: {}", range(network.link(a, b).latency))),
        ("←", format!("{b} → {a}: {}", range(network.link(b, a).latency))),
    ];
    Some(Sheet { title: format!("{a}–{b}"), about: link_words(&link, lang), rows, strip: Vec::new() })
}

fn packet(world: &World, sent: &Record, end: Option<&Record>, lang: Lang) -> Option<Sheet> {
    let words = page(lang);
    let Fact::World(WorldFact::Sent { from, to, message, .. }) = &sent.fact else { return None };
    let (name, about) = packet_about(lang, message);
    let mut rows = vec![(words.from, from.to_string()), (words.to, to.to_string())];
    if let Some(zxid) = message.zxid() {
        rows.push((words.zxid, zxid.to_string()));
    }
    if let Parcel::Zab(crate::zab::Message::Notification(notification)) = message {
        let vote = notification.vote;
        rows.push((words.vote, format!("{} (epoch {}, zxid {})", vote.leader, vote.peer_epoch, vote.zxid)));
        rows.push((words.round, notification.round.to_string()));
    }
    rows.push((words.sent_at, format!("{} s", seconds(sent.at_us))));
    rows.push(match end.map(|record| (&record.fact, record.at_us)) {
        Some((Fact::World(WorldFact::Lost { reason, .. }), at)) => {
            (words.lost_at, format!("{} s: {}", seconds(at), loss_reason(lang, *reason)))
        }
        Some((_, at)) => (words.arrived_at, format!("{} s", seconds(at))),
        None if world.network.link(*from, *to).cut => (words.arrived_at, words.waits_at_cut.to_string()),
        None => (words.arrived_at, words.on_its_way.to_string()),
    });
    Some(Sheet { title: name.to_string(), about, rows, strip: Vec::new() })
}

/// The inspector.
#[component]
pub(super) fn Inspect(props: &Props) -> Html {
    let reach = use_reach();
    let sheet = use_model(&reach.engine, (props.picked, props.lang), sheet);
    let Some(sheet) = &*sheet else {
        return html! { <p class="hint">{ page(props.lang).inspect_hint }</p> };
    };
    html! {
        <div class="sheet">
            <h2>{ sheet.title.clone() }</h2>
            <p>{ sheet.about.clone() }</p>
            <dl>
                { for sheet.rows.iter().map(|(name, value)| html! {
                    <div key={*name}><dt>{ *name }</dt><dd>{ value.clone() }</dd></div>
                }) }
            </dl>
            { strip(&sheet.strip, Density::Full) }
        </div>
    }
}
