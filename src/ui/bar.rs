//! The bar on top: which run, which language, which theme.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{page, scenario_words};
use crate::sim::{SCENARIOS, scenario};
use crate::view::comparison;

use super::engine::Engine;
use super::model::use_model;
use super::shapes::control_icon;
use super::state::{Choose, Over, Theme, use_reach};

/// What the page tells the bar.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
}

/// A scenario's title in a language.
fn title(lang: Lang, id: &'static str) -> &'static str {
    scenario_words(lang, id).map_or(id, |(title, _)| title)
}

/// What stands beside the scenario, to be chosen where something belongs beside it.
fn beside(engine: &Engine, current: Option<&'static str>, with: Option<&'static str>, lang: Lang) -> Html {
    let words = page(lang);
    let Some(partner) = current.and_then(comparison::partner) else { return Html::default() };
    let chosen = {
        let engine = engine.clone();
        Callback::from(move |event: Event| {
            let beside = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| scenario(&select.value()));
            let Some(current) = engine.session().scenario() else { return };
            let seed = engine.session().player().run().seed;
            let result = engine.choose(current, beside, engine.given(), Some(seed));
            engine.note(result.err().map(|error| error.to_string()));
        })
    };
    let others =
        SCENARIOS.iter().filter(|one| !one.params().is_empty() && one.id != partner.id && Some(one.id) != current);
    html! {
        <select class="beside" aria-label={words.compare} onchange={chosen}>
            <option value="" selected={with.is_none()}>{ words.compare_alone }</option>
            { for [partner].into_iter().chain(others).map(|one| html! {
                <option key={one.id} value={one.id} selected={with == Some(one.id)}>
                    { format!("{}: {}", words.compare, title(lang, one.id)) }
                </option>
            }) }
        </select>
    }
}

/// The bar.
#[component]
pub(super) fn Bar(props: &Props) -> Html {
    let reach = use_reach();
    let words = page(props.lang);
    let now = use_model(&reach.engine, (), |engine, ()| {
        let session = engine.session();
        (session.scenario().map(|scenario| scenario.id), session.player().run().seed)
    });
    let (current, seed) = *now;
    let with = use_model(&reach.engine, (), |engine, ()| {
        engine.twin().and_then(|twin| twin.session().scenario()).map(|scenario| scenario.id)
    });
    let choose = |choice: Choose| {
        let dispatcher = reach.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    let pick = {
        let engine = reach.engine.clone();
        Callback::from(move |event: Event| {
            let chosen =
                event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            if let Some(chosen) = scenario(&chosen) {
                let result = engine.choose(chosen, None, Vec::new(), None);
                engine.note(result.err().map(|error| error.to_string()));
                engine.change(|session| session.playing = true);
            }
        })
    };
    let other = if props.lang == Lang::En { Lang::Zh } else { Lang::En };
    let (theme, theme_word) = match props.theme {
        Theme::Light => (Theme::Dark, words.theme_dark),
        Theme::Dark => (Theme::Light, words.theme_light),
    };
    let about = current.and_then(|id| scenario_words(props.lang, id)).map_or("", |(_, about)| about);
    html! {
        <header class="bar">
            <h1>{ "ZabScope" }</h1>
            <select class="scenario" aria-label={words.scenario} onchange={pick}>
                { for SCENARIOS.iter().map(|one| html! {
                    <option key={one.id} value={one.id} selected={current == Some(one.id)}>{ title(props.lang, one.id) }</option>
                }) }
                <option key="own" value="" selected={current.is_none()} hidden={current.is_some()}>{ words.own_run }</option>
            </select>
            { beside(&reach.engine, current, *with, props.lang) }
            <p class="about">{ about }</p>
            <span class="seed">{ format!("{} {seed}", words.seed) }</span>
            <button class="text" onclick={choose(Choose::Over(Over::NewRun))}>{ words.new_run }</button>
            <button class="text" onclick={choose(Choose::Over(Over::Share))}>{ words.share }</button>
            <button class="text" onclick={choose(Choose::Over(Over::Pictures))} aria-haspopup="dialog">{ words.picture }</button>
            <button class="text" onclick={choose(Choose::Lang(other))} lang={other.code()}>{ words.language }</button>
            <button class="round" onclick={choose(Choose::Theme(theme))} aria-label={theme_word} title={theme_word}>
                { control_icon("theme") }
            </button>
            <button class="round" onclick={choose(Choose::Over(Over::Help))} aria-label={words.help} title={words.help}>
                { "?" }
            </button>
        </header>
    }
}
