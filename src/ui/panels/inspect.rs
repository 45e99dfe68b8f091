//! The inspector: the whole state of what is picked, and what the last step changed in it.

mod last;
mod rows;
mod talk;

use yew::prelude::*;

use crate::base::rows::{Heading, NONE};
use crate::draw::layout::Density;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, loss_reason, packet_about};
use crate::sim::{ClientProcess, Fact, WorldFact};
use crate::view::Square;
use crate::view::state::{Diff, LastStep, Pick, diff, last_step, sheet};

use crate::i18n::wording::link_words;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::doing::{client_sentence, server_sentence};
use crate::ui::page::state::{PageContext, Selection, use_page_context};
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::stage::server_card::strip;
use last::LastLine;
use rows::Groups;
use talk::Talk;

/// Where the search for the next change gives up, steps.
const LOOKED_AHEAD: u64 = 2_000;

/// Which groups are closed, and whether only changes are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ui) struct Folds {
    closed: u64,
    only: bool,
}

/// What few look at is closed at first.
const CLOSED_AT_FIRST: &[Heading] = &[
    Heading::Process,
    Heading::DataTree,
    Heading::Sessions,
    Heading::Connections,
    Heading::Watches,
    Heading::Timers,
    Heading::Disk,
    Heading::Election,
    Heading::ElectionLinks,
    Heading::Hosts,
    Heading::Objects,
    Heading::Framework,
];

fn bit(heading: Heading) -> u64 {
    1 << (heading as u64)
}

impl Default for Folds {
    fn default() -> Folds {
        Folds { closed: CLOSED_AT_FIRST.iter().map(|heading| bit(*heading)).sum(), only: false }
    }
}

impl Folds {
    fn is_closed(self, heading: Heading) -> bool {
        self.closed & bit(heading) != 0
    }

    fn with(self, heading: Heading, closed: bool) -> Folds {
        let others = self.closed & !bit(heading);
        Folds { closed: if closed { others | bit(heading) } else { others }, ..self }
    }
}

/// What the side tells the inspector.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub picked: Selection,
    pub folds: UseStateHandle<Folds>,
}

/// What is looked at.
fn pick_of(picked: Selection) -> Pick {
    match picked {
        Selection::Nothing => Pick::Ensemble,
        Selection::Server(id) => Pick::Server(id),
        Selection::Link(a, b) => Pick::Link(a, b),
        Selection::Packet(msg) => Pick::Packet(msg),
        Selection::Client(id) => Pick::Client(id),
        Selection::Transaction(zxid) => Pick::Transaction(zxid),
    }
}

#[derive(PartialEq)]
struct Model {
    title: String,
    /// What it does or waits for.
    doing: String,
    about: String,
    strip: Vec<Square>,
    playing: bool,
    /// The state with what the last step changed; none where the thing is not there.
    state: Option<Diff>,
    last: Option<LastStep>,
}

fn model(engine: &Engine, (picked, lang): &(Selection, Lang)) -> Model {
    let (title, about, strip) = describe(engine, *picked, *lang);
    // while time runs, ten states pass in a second: marks would only flicker
    let before = if engine.session().playing { None } else { engine.before() };
    let session = engine.session();
    let pick = pick_of(*picked);
    let was = before.as_ref().map(|before| sheet(before, session.facts(), pick).unwrap_or_default());
    let is = sheet(session.world(), session.facts(), pick);
    Model {
        title,
        doing: doing(engine, *picked, *lang),
        about,
        strip,
        playing: session.playing,
        state: is.map(|is| diff(was.as_ref(), &is)),
        last: before.and_then(|before| last_step(&before, session.world())),
    }
}

/// What is picked in words: its name, what is to be said of it, and a server's last transactions.
fn describe(engine: &Engine, picked: Selection, lang: Lang) -> (String, String, Vec<Square>) {
    let words = page(lang);
    let (session, scene) = (engine.session(), engine.scene());
    let plain = |title: String, about: String| (title, about, Vec::new());
    match picked {
        Selection::Nothing => plain(words.inspect_ensemble.into(), words.inspect_hint.into()),
        Selection::Server(id) => {
            let card = scene.cards.iter().find(|card| card.id == id);
            let about = match card {
                Some(card) if card.observer => words.no_vote,
                Some(card) if card.is_outside() => words.outside_about,
                _ => "",
            };
            (id.to_string(), about.into(), card.map(|card| card.strip.clone()).unwrap_or_default())
        }
        Selection::Client(id) => {
            let process = session.world().clients.get(&id);
            let raw = process.is_some_and(|process| process.client.config.raw && process.outside.is_none());
            let title = process.map_or(id.to_string(), ClientProcess::title);
            plain(title, if raw { words.client_raw.into() } else { String::new() })
        }
        Selection::Link(a, b) => {
            let link = scene.links.iter().find(|link| (link.a, link.b) == (a, b));
            plain(fill(words.inspect_link, &[&a, &b]), link.map_or(String::new(), |link| link_words(link, lang)))
        }
        Selection::Packet(msg) => {
            let (sent, end) = session.facts().story(msg);
            let Some(Fact::World(WorldFact::Sent { message, .. })) = sent.map(|sent| &sent.fact) else {
                return plain(fill(words.inspect_packet, &[&""]), String::new());
            };
            let (name, mut about) = packet_about(lang, message);
            if let Some(Fact::World(WorldFact::Lost { reason, .. })) = end.map(|end| &end.fact) {
                about = format!("{about} {} {}", words.lost_at, loss_reason(lang, *reason));
            }
            plain(fill(words.inspect_packet, &[&name]), about)
        }
        Selection::Transaction(zxid) => plain(fill(words.inspect_transaction, &[&zxid]), String::new()),
    }
}

/// What a server or a client does or waits for; nothing of other things.
fn doing(engine: &Engine, picked: Selection, lang: Lang) -> String {
    let (session, scene) = (engine.session(), engine.scene());
    let world = session.world();
    let said = match picked {
        Selection::Server(id) => {
            let card = scene.cards.iter().find(|card| card.id == id);
            card.map(|card| server_sentence(world, card, &scene.meters, lang))
        }
        Selection::Client(id) => {
            let client = scene.clients.iter().find(|client| client.id == id);
            client.map(|client| client_sentence(world, client, lang))
        }
        _ => None,
    };
    said.unwrap_or_default()
}

/// Goes on to the step that changes something in what is picked; says so where there is none near.
fn next_change(context: &PageContext, picked: Selection, lang: Lang) {
    let pick = pick_of(picked);
    let steps = {
        let session = context.engine.session();
        let mut world = session.world().clone();
        let state = |world: &_| sheet(world, session.facts(), pick).map(|sheet| sheet.lasting().cloned().collect());
        let now: Option<Vec<_>> = state(&world);
        (1..=LOOKED_AHEAD).find(|_| world.step().is_some() && state(&world) != now)
    };
    match steps {
        Some(steps) => context.engine.change(|session| {
            session.playing = false;
            session.step(steps);
        }),
        None => context.engine.note(Some(fill(page(lang).inspect_turn_none, &[&LOOKED_AHEAD]))),
    }
}

/// What can be done here.
fn tools(context: &PageContext, props: &Props, changes: Option<usize>) -> Html {
    let words = page(props.lang);
    let step = {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| {
            engine.change(|session| {
                session.playing = false;
                session.step(1);
            });
        })
    };
    let turn = {
        let (context, picked, lang) = (context.clone(), props.picked, props.lang);
        Callback::from(move |_: MouseEvent| next_change(&context, picked, lang))
    };
    let only = {
        let folds = props.folds.clone();
        Callback::from(move |_: MouseEvent| folds.set(Folds { only: !folds.only, ..*folds }))
    };
    let told = match changes {
        None => words.inspect_playing.to_string(),
        Some(changes) => fill(words.inspect_count, &[&changes]),
    };
    let count = changes.map_or(NONE.to_string(), |changes| changes.to_string());
    html! {
            <div class="controls" role="group" aria-label={words.tab_inspect}>
                <button class="chip" onclick={step}>{ words.inspect_step }</button>
                <button class="chip" onclick={turn}>{ words.inspect_turn }</button>
                <button class="chip" aria-pressed={props.folds.only.to_string()} onclick={only} title={told.clone()}
                    aria-label={format!("{}: {told}", words.inspect_only)}>
                    { words.inspect_only }{ " " }<b>{ count }</b>
                </button>
            </div>
    }
}

/// The inspector.
#[component]
pub(in crate::ui) fn Inspect(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (props.picked, props.lang), model);
    let words = page(props.lang);
    let changes = model.state.as_ref().filter(|_| !model.playing).map(Diff::changes);
    html! {
        <div class={classes!("inspect", model.playing.then_some("playing"))}>
            <div class="head">
                <h2>{ model.title.clone() }</h2>
                { strip(&model.strip, Density::Full) }
            </div>
            <p class="doing">{ model.doing.clone() }</p>
            <p class="hint">{ model.about.clone() }</p>
            <LastLine lang={props.lang} playing={model.playing} last={model.last.clone()} />
            if let Selection::Client(client) = props.picked {
                <Talk lang={props.lang} {client} />
            }
            { tools(&context, props, changes) }
            if let Some(state) = &model.state {
                <Groups lang={props.lang} picked={props.picked} state={state.clone()} folds={props.folds.clone()} />
            } else {
                <EmptyState lang={props.lang} why={words.none_picked} steps={vec![Step::Ensemble]} />
            }
        </div>
    }
}
