//! The proposals: what waits for a majority, and what has been committed.

use yew::prelude::*;

use crate::base::{ServerId, ServerSet, SessionId};
use crate::draw::stage::Wording;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::recipes::without_guids;
use crate::timeline::Commit;
use crate::view::{Counted, Face, Meter, Verdict};

use crate::draw::epoch_colour;
use crate::i18n::wording::fate;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::stage::meters::meter_colour;
use crate::ui::stage::server_card::segments;

/// What the side tells a panel.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// How many waiting and how many committed transactions the panel lists.
const LISTED: usize = 16;

#[derive(PartialEq)]
struct ProposalsModel {
    /// Sessions, and the clients whose they are.
    owners: Vec<(String, String)>,
    meters: Vec<Meter>,
    /// How many more wait.
    more: usize,
    commits: Vec<Commit>,
    led: bool,
    /// A server with a vote that does not run.
    down: Option<ServerId>,
    majority: usize,
    voters: usize,
}

fn proposals(engine: &Engine, (): &()) -> ProposalsModel {
    let session = engine.session();
    let members = session.world().members;
    let scene = engine.scene();
    let waiting = || scene.meters.iter().filter(|meter| !meter.done);
    let owned = scene.clients.iter().filter(|client| client.session != SessionId::NONE);
    ProposalsModel {
        owners: owned.map(|client| (client.session.to_string(), client.id.to_string())).collect(),
        meters: waiting().take(LISTED).cloned().collect(),
        more: waiting().count().saturating_sub(LISTED),
        commits: session.run_summary().commits().rev().take(LISTED).cloned().collect(),
        led: session.player().leader().is_some(),
        down: down(engine).into_iter().find(|id| members.voters.contains(*id)),
        majority: members.majority(),
        voters: members.voters.len(),
    }
}

/// The servers that have run and do not run any more.
fn down(engine: &Engine) -> Vec<ServerId> {
    engine.scene().cards.iter().filter(|card| card.face == Face::Crashed).map(|card| card.id).collect()
}

/// A transaction in words: without the unique parts of names, and a client instead of its session.
fn plain(text: &str, owners: &[(String, String)]) -> String {
    let named = |text: String, (session, client): &(String, String)| text.replace(session, client);
    owners.iter().fold(without_guids(text), named)
}

fn names(servers: ServerSet) -> String {
    servers.iter().map(|id| id.to_string()).collect::<Vec<_>>().join(" ")
}

#[derive(Clone, PartialEq, Properties)]
struct WaitingProps {
    meter: Meter,
    /// Its transaction in words, where it counts ACKs.
    text: String,
    lang: Lang,
}

/// A count: rendered again only when it changes, for there may be many.
#[component]
fn Waiting(props: &WaitingProps) -> Html {
    let (meter, lang) = (&props.meter, props.lang);
    let what = match meter.counted {
        Counted::Acks(_) => props.text.clone(),
        _ => lang.meter(meter),
    };
    let zxid = match meter.counted {
        Counted::Acks(zxid) => zxid.to_string(),
        _ => meter.leader.to_string(),
    };
    html! {
        <li class={meter_colour(meter)}>
            <i class="swatch" />
            <b class="z">{ zxid }</b>
            <span class="what">{ what }</span>
            { segments(meter.have.len(), meter.of.len(), meter.need) }
            <small>{ fill(page(lang).acks_of, &[&names(meter.have)]) }</small>
        </li>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CommittedProps {
    commit: Commit,
    /// Its transaction in words.
    text: String,
    lang: Lang,
}

/// A transaction that has been committed.
#[component]
fn Committed(props: &CommittedProps) -> Html {
    let (commit, lang) = (&props.commit, props.lang);
    let refused = commit.text.starts_with("error ");
    let words = page(lang);
    let took = format!("{}.{}", commit.took_us / 1000, commit.took_us % 1000 / 100);
    let by = match commit.kept_by {
        Some(epoch) => fate(&Verdict::Kept(epoch), lang),
        None => fill(words.acks_of, &[&names(commit.acks)]),
    };
    html! {
        <li class={format!("e{}", epoch_colour(commit.zxid.epoch()))}>
            <i class="swatch" />
            <b class="z">{ commit.zxid.to_string() }</b>
            <span class="what" title={commit.text.clone()}>{ props.text.clone() }</span>
            <span class="z">{ fill(words.took, &[&took]) }</span>
            <small>{ by }</small>
            if refused { <small>{ words.error_committed }</small> }
        </li>
    }
}

/// What waits for a majority, and what has been committed.
#[component]
pub(in crate::ui) fn Proposals(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), proposals);
    let words = page(props.lang);
    let lang = props.lang;
    // with each write the list fills and empties again: only a line of words may come and go
    let (nothing, steps) = match (model.meters.is_empty(), model.led) {
        (true, true) => (words.none_proposed.to_string(), Vec::new()),
        (true, false) => (
            fill(words.none_leads, &[&model.majority, &model.voters]),
            model.down.map(Step::Restart).into_iter().chain([Step::Play]).collect(),
        ),
        _ => (String::new(), Vec::new()),
    };
    // where nobody leads the way on stands above already
    let first_write = if model.led { vec![Step::Write] } else { Vec::new() };
    html! {
        <>
            <h2>{ fill(words.waiting_for, &[&model.majority, &model.voters]) }</h2>
            if steps.is_empty() {
                <p class="hint">{ nothing }</p>
            } else {
                <EmptyState {lang} why={nothing} {steps} />
            }
            <ul class="rows">
                { for model.meters.iter().map(|meter| html! {
                    <Waiting key={format!("{}{}", meter.leader, lang.meter(meter))} meter={meter.clone()}
                        text={plain(&meter.text, &model.owners)} {lang} />
                }) }
                if model.more > 0 { <li key="more">{ fill(words.more_rows, &[&model.more]) }</li> }
            </ul>
            <h2>{ words.committed_title }</h2>
            if model.commits.is_empty() {
                <EmptyState {lang} why={words.none_committed} steps={first_write} />
            }
            <ul class="rows">{ for model.commits.iter().map(|commit| html! {
                <Committed key={format!("{}@{}", commit.zxid, commit.at.0)} commit={commit.clone()}
                    text={plain(&commit.text, &model.owners)} {lang} />
            }) }</ul>
        </>
    }
}
