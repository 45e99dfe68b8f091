//! The narration: the newest fact as one plain sentence, and why; what came before on demand.

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::page;
use crate::i18n::{Lang, narrate};
use crate::timeline::Session;

use crate::ui::app::scene::Kicker;
use crate::ui::app::state::{Selection, UiAction, View, use_page_context};
use crate::ui::engine::Engine;
use crate::ui::kit::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::stage::legend::Legend;
use crate::ui::stage::outline::Spoken;
use crate::ui::stage::tools::Tools;

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
    pub picked: Selection,
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

/// The narration.
#[component]
pub(in crate::ui) fn Narration(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let listed = if props.open { LISTED } else { 1 };
    let said = use_model(&context.engine, (props.lang, listed), newest);
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
            <div class="kick">
                <Kicker lang={props.lang} />
                <Tools lang={props.lang} view={props.view} legend={props.legend} picked={props.picked} />
                <button class="round" onclick={toggle} aria-expanded={props.open.to_string()} aria-label={label}
                    title={label}>{ control_icon("up") }</button>
            </div>
            <div class="now">
                <p class="what">{ first.map_or(silence.to_string(), |said| said.what.clone()) }</p>
                <p class="why">{ first.and_then(|said| said.why.clone()).unwrap_or_default() }</p>
            </div>
            if props.legend { <Legend lang={props.lang} /> }
            <Spoken lang={props.lang} />
            <ol class="log" aria-label={words.log_title} tabindex={props.open.then_some("0")}>
                { for older.iter().map(one) }
            </ol>
        </section>
    }
}
