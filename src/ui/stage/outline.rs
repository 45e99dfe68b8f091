//! The stage in words, for those who do not see it: a list of what stands there and what is on its way.

use yew::prelude::*;

use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, phase_name};
use crate::timeline::Session;
use crate::view::{Card, Column, Face, LinkView, Matrix, traffic};

use crate::i18n::wording::{fate, link_words, role_words};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_calm_model;
use crate::ui::page::state::use_page_context;
use crate::ui::stage::client_chip::spoken as client_words;
use crate::ui::stage::figure::figure_words;
use crate::ui::stage::server_card::spoken;

/// The list names so many clients; of more it tells the number.
const NAMED: usize = 12;

/// What the stage tells both.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The list, a line each.
#[derive(PartialEq)]
struct Lines {
    servers: Vec<String>,
    links: Vec<String>,
    clients: Vec<String>,
    figure: Vec<String>,
    logs: Vec<String>,
    packets: String,
}

fn server(card: &Card, lang: Lang) -> String {
    if card.is_of_other_system() {
        return spoken(card, lang);
    }
    let words = page(lang);
    let role = role_words(card, lang);
    match card.phase.filter(|_| !matches!(card.face, Face::Off | Face::Crashed)) {
        Some(phase) => {
            let phase = phase_name(lang, phase).spoken;
            fill(words.outline_server, &[&card.id, &role, &phase, &card.current, &card.last])
        }
        None => fill(words.outline_down, &[&card.id, &role, &card.current, &card.last]),
    }
}

fn packets(session: &Session, lang: Lang) -> String {
    let words = page(lang);
    let one = |kind: &traffic::Traffic| {
        let count = format!("{} {}", kind.count, kind.name);
        if kind.held == 0 { count } else { fill(words.outline_held, &[&count, &kind.held]) }
    };
    let kinds: Vec<String> = traffic::traffic(session.world(), session.cursor_us()).iter().map(one).collect();
    match kinds.as_slice() {
        [] => words.outline_quiet.to_string(),
        kinds => fill(words.outline_packets, &[&kinds.join(", ")]),
    }
}

/// What became of the transactions that are not simply committed.
fn fates(matrix: &Matrix, lang: Lang) -> Vec<String> {
    let told = |column: &Column| Some(format!("{}: {}", column.zxid, fate(column.verdict.as_ref()?, lang)));
    matrix.columns.iter().filter_map(told).collect()
}

fn lines(engine: &Engine, lang: &Lang) -> Lines {
    let (scene, session, words) = (engine.scene(), engine.session(), page(*lang));
    let wrong: Vec<&LinkView> = scene.links.iter().filter(|link| !link.is_open() || link.slow).collect();
    let links = match wrong.as_slice() {
        [] => vec![words.outline_open.to_string()],
        wrong => wrong.iter().map(|link| link_words(link, *lang)).collect(),
    };
    let mut clients: Vec<String> = scene.clients.iter().take(NAMED).map(|one| client_words(one, *lang)).collect();
    if scene.clients.len() > NAMED {
        clients.push(fill(words.client_unseen, &[&(scene.clients.len() - NAMED)]));
    }
    Lines {
        servers: scene.cards.iter().map(|card| server(card, *lang)).collect(),
        links,
        clients,
        figure: engine.layout().plan.as_ref().map_or(Vec::new(), |plan| figure_words(&plan.figure, NAMED, *lang)),
        logs: fates(&scene.matrix, *lang),
        packets: packets(&session, *lang),
    }
}

/// What stands on the stage, as a list. It changes every two seconds at most while time runs.
#[component]
pub(in crate::ui) fn Outline(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_calm_model(&context.engine, props.lang, lines);
    let list =
        |lines: &[String]| html! { <ul>{ for lines.iter().map(|line| html! { <li>{ line.clone() }</li> }) }</ul> };
    html! {
        <section class="unseen outline" aria-label={page(props.lang).outline}>
            { list(&model.servers) }
            { list(&model.links) }
            if !model.clients.is_empty() { { list(&model.clients) } }
            if !model.logs.is_empty() { { list(&model.logs) } }
            if !model.figure.is_empty() { { list(&model.figure) } }
            <p>{ model.packets.clone() }</p>
        </section>
    }
}
