//! The narration: the newest fact as one plain sentence, and why; what came before on demand.

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::page;
use crate::i18n::{Lang, narrate};
use crate::sim::Action;
use crate::timeline::Session;
use crate::view::LinkView;

use crate::ui::app::state::{PageContext, UiAction, View, use_page_context};
use crate::ui::engine::Engine;
use crate::ui::kit::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::stage::client_bar::open_client;
use crate::ui::stage::client_chip::count_words;
use crate::ui::stage::legend::Legend;
use crate::ui::stage::outline::Spoken;

/// How many sentences the list shows.
const LISTED: usize = 120;
/// What the page tells the narration.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub view: View,
    pub open: bool,
    /// The legend is open.
    pub legend: bool,
}

#[derive(PartialEq)]
struct Said {
    seq: u64,
    at: SimTime,
    what: String,
    why: Option<String>,
}

fn newest(engine: &Engine, (lang, count): &(Lang, usize)) -> Vec<Said> {
    let session = engine.session();
    let told = session.run_summary().told().filter_map(|record| {
        let sentence = narrate(*lang, record)?;
        Some(Said { seq: record.seq, at: record.at_us, what: sentence.what, why: sentence.why })
    });
    told.take(*count).collect()
}

/// The latest fact of a session that is told, as a sentence; empty where there is none.
pub(in crate::ui) fn latest(session: &Session, lang: Lang) -> String {
    let mut told = session.run_summary().told().filter_map(|record| narrate(lang, record));
    told.next().map_or_else(String::new, |sentence| sentence.what)
}

fn one(said: &Said) -> Html {
    html! {
        <li key={said.seq}>
            <time class="z">{ said.at.seconds() }</time>
            <span>{ said.what.clone() }</span>
            <small>{ said.why.clone().unwrap_or_default() }</small>
        </li>
    }
}

/// Whether all links are open, and how many clients there are, where they are only dots.
fn stage(engine: &Engine, lang: Lang) -> (bool, String) {
    let scene = engine.scene();
    (scene.links.iter().all(LinkView::is_open), count_words(&scene.clients, &engine.layout(), lang))
}

/// What is done to the stage as a whole. It stands below the stage, so that it covers nothing.
fn tools(context: &PageContext, props: &Props, (open, count): (bool, &str)) -> Html {
    let Props { lang, view, legend, .. } = *props;
    let choose = context.choose.clone();
    let toggle = move |_: MouseEvent| choose.dispatch(UiAction::Legend);
    let engine = context.engine.clone();
    let heal = move |_: MouseEvent| engine.act(Action::HealAll);
    let for_client = context.clone();
    let add = move |_: MouseEvent| {
        if let Some(client) = open_client(&for_client.engine, Vec::new()) {
            for_client.choose.dispatch(UiAction::Client(client));
        }
    };
    let words = page(lang);
    let (choose, diagram_of) = (context.choose.clone(), view == View::SpaceTime);
    let other = move |_: MouseEvent| choose.dispatch(UiAction::OtherView);
    html! {
        <div class="tools">
            <span class="hint">{ count.to_string() }</span>
            <button class="chip" onclick={other} aria-pressed={diagram_of.to_string()} title={words.weave_title}>
                { control_icon("diagram") }<span>{ words.weave_toggle }</span>
            </button>
            if view == View::Stage {
                <button class="chip" onclick={toggle} aria-pressed={legend.to_string()}>
                    { control_icon("legend") }<span>{ words.legend_label }</span>
                </button>
            }
            if !open {
                <button class="chip" onclick={heal}>{ words.heal_all }</button>
            }
            <button class="chip" onclick={add} title={words.new_client}>
                { control_icon("plus") }<span>{ words.new_client }</span>
            </button>
        </div>
    }
}

/// The narration.
#[component]
pub(in crate::ui) fn Narration(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let listed = if props.open { LISTED } else { 1 };
    let said = use_model(&context.engine, (props.lang, listed), newest);
    let told = use_model(&context.engine, props.lang, |engine, lang| stage(engine, *lang));
    let (open, count) = &*told;
    let toggle = {
        let (choose, open) = (context.choose.clone(), props.open);
        Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Log(!open)))
    };
    let label = if props.open { words.hide_log } else { words.show_log };
    let first = said.first();
    let fresh = use_model(&context.engine, (), |engine, ()| engine.session().events() == 0);
    let silence = if *fresh { words.nothing_yet } else { words.none_told };
    let older = if props.open { &said[1.min(said.len())..] } else { &[] };
    html! {
        <section class={classes!("narration", props.open.then_some("open"))} aria-label={words.narration}>
            if props.legend { <Legend lang={props.lang} /> }
            <div class="now">
                <p class="what">{ first.map_or(silence.to_string(), |said| said.what.clone()) }</p>
                <p class="why">{ first.and_then(|said| said.why.clone()).unwrap_or_default() }</p>
                { tools(&context, props, (*open, count)) }
                <button class="round" onclick={toggle} aria-expanded={props.open.to_string()} aria-label={label}
                    title={label}>{ control_icon("up") }</button>
            </div>
            <Spoken lang={props.lang} />
            <ol class="log" aria-label={words.log_title} tabindex={props.open.then_some("0")}>
                { for older.iter().map(one) }
            </ol>
        </section>
    }
}
