//! The bar on top: which run, which language, which theme.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{page, scenario_words};
use crate::sim::{SCENARIOS, scenario};

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
                let _ = engine.load(chosen.run(), Some(chosen));
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
            <p class="about">{ about }</p>
            <span class="seed">{ format!("{} {seed}", words.seed) }</span>
            <button class="text" onclick={choose(Choose::Over(Over::NewRun))}>{ words.new_run }</button>
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
