//! The bar on top: which run, which language, which theme.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page, scenario_words};
use crate::scenarios::{SCENARIOS, Scenario};
use crate::timeline::{Against, Pair, Session};
use crate::view::comparison;

use crate::ui::app::state::{Overlay, PageContext, UiAction, use_page_context};
use crate::ui::compare::against_words;
use crate::ui::compare::form::another;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Theme;

/// What the page tells the bar.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    /// Whether it is made for a hall.
    pub lecture: bool,
    /// Whether the panels are open; none where there is no room for them.
    pub side: Option<bool>,
    /// On a narrow screen: everything is shown.
    pub more: bool,
}

/// A scenario's title in a language.
fn title(lang: Lang, id: &'static str) -> &'static str {
    scenario_words(lang, id).map_or(id, |(title, _)| title)
}

/// The value that stands for the form.
const OTHER: &str = "…";

/// What stands beside the run: what belongs there, and a form for everything else.
fn beside(context: &PageContext, current: Option<&'static str>, with: &With, lang: Lang) -> Html {
    let words = page(lang);
    let chosen = {
        let context = context.clone();
        Callback::from(move |event: Event| {
            let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
            let result = match select.value().as_str() {
                "" => {
                    context.engine.change_pair(Pair::only_left);
                    Ok(())
                }
                OTHER => {
                    // shown until something stands there
                    select.set_value("");
                    context.choose.dispatch(UiAction::Overlay(Overlay::Compare));
                    Ok(())
                }
                id => another(&context.engine, id),
            };
            context.engine.note(result.err().map(|error| wrong_words(&error)));
        })
    };
    let partner = current.and_then(comparison::partner);
    let others = SCENARIOS.iter().filter(|one| {
        partner.is_some_and(|partner| !one.params().is_empty() && one.id != partner.id) && Some(one.id) != current
    });
    let listed: Vec<&Scenario> = partner.into_iter().chain(others).collect();
    let known = listed.iter().any(|one| with.scenario == Some(one.id));
    html! {
        <select class="beside" aria-label={words.compare} onchange={chosen}>
            <option value="" selected={with.words.is_none()}>{ words.compare_alone }</option>
            { for listed.iter().map(|one| html! {
                <option key={one.id} value={one.id} selected={with.scenario == Some(one.id)}>
                    { format!("{}: {}", words.compare, title(lang, one.id)) }
                </option>
            }) }
            if let Some(what) = with.words.as_ref().filter(|_| !known) {
                <option key="now" value="now" selected={true}>{ format!("{}: {what}", words.compare) }</option>
            }
            <option key="other" value={OTHER}>{ words.compare_form }</option>
        </select>
    }
}

/// What stands beside the run now: its name, and which scenario it is.
#[derive(PartialEq)]
struct With {
    words: Option<String>,
    scenario: Option<&'static str>,
}

fn with(engine: &Engine, lang: &Lang) -> With {
    let pair = engine.pair();
    let own = |right: &Session| right.scenario().map_or(page(*lang).own_run, |one| title(*lang, one.id)).to_string();
    let words = pair.against().map(|against| against_words(against, *lang)).or_else(|| pair.right().map(own));
    let scenario = match pair.against() {
        Some(Against::Scenario(scenario)) => Some(scenario.id),
        _ => None,
    };
    With { words, scenario }
}

/// The choice of a language, each by its own name.
fn languages(context: &PageContext, now: Lang) -> Html {
    let dispatcher = context.choose.clone();
    let chosen = Callback::from(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        if let Some(lang) = select.and_then(|select| Lang::from_tag(&select.value())) {
            dispatcher.dispatch(UiAction::Lang(lang));
        }
    });
    html! {
        <select class="language" aria-label={page(now).language} onchange={chosen}>
            { for Lang::ALL.iter().map(|one| html! {
                <option key={one.code()} value={one.code()} lang={one.code()} selected={*one == now}>{ one.name() }</option>
            }) }
        </select>
    }
}

/// The bar.
#[component]
pub(in crate::ui) fn Bar(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let now = use_model(&context.engine, (), |engine, ()| {
        let session = engine.session();
        (session.scenario().map(|scenario| scenario.id), session.player().run().seed)
    });
    let (current, seed) = *now;
    let with = use_model(&context.engine, props.lang, with);
    let choose = |choice: UiAction| {
        let dispatcher = context.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    let (theme, theme_word) = match props.theme {
        Theme::Light => (Theme::Dark, words.theme_dark),
        Theme::Dark => (Theme::Light, words.theme_light),
    };
    let name = current.map_or(words.own_run, |id| title(props.lang, id));
    let about = current.and_then(|id| scenario_words(props.lang, id)).map_or("", |(_, about)| about);
    html! {
        <header class="bar">
            <h1>{ "ZabScope" }</h1>
            <button class="scenario" onclick={choose(UiAction::Overlay(Overlay::Gallery))} aria-haspopup="dialog"
                aria-label={fill(words.gallery, &[&name])} title={about}>
                <span>{ name }</span>{ control_icon("grid") }
            </button>
            { beside(&context, current, &with, props.lang) }
            <span class="seed">{ format!("{} {seed}", words.seed) }</span>
            <button class="text" onclick={choose(UiAction::Overlay(Overlay::NewRun))}>{ words.new_run }</button>
            <button class="text" onclick={choose(UiAction::Overlay(Overlay::Share))}>{ words.share }</button>
            <button class="text" onclick={choose(UiAction::Overlay(Overlay::Pictures))} aria-haspopup="dialog">{ words.picture }</button>
            { languages(&context, props.lang) }
            if let Some(open) = props.side {
                <button class="round panels" onclick={choose(UiAction::Side(!open))} aria-expanded={open.to_string()}
                    aria-label={words.panels} title={words.panels}>{ control_icon("panels") }</button>
            }
            <button class="round open-more" onclick={choose(UiAction::More)} aria-expanded={props.more.to_string()}
                aria-label={words.more} title={words.more}>{ control_icon("lines") }</button>
            <button class="round hall" onclick={choose(UiAction::Lecture)} aria-label={words.lecture} title={words.lecture_title}
                aria-pressed={props.lecture.to_string()}>{ control_icon("hall") }</button>
            <button class="round" onclick={choose(UiAction::Theme(theme))} aria-label={theme_word} title={theme_word}>
                { control_icon("theme") }
            </button>
            <button class="round" onclick={choose(UiAction::Overlay(Overlay::Help))} aria-label={words.help} title={words.help}>
                { "?" }
            </button>
        </header>
    }
}
