//! The bar on top: which run, which language, which theme.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page, scenario_title, scenario_words};
use crate::timeline::Pair;

use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Theme;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};

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

/// Puts another run beside the one on the stage, or takes it away.
fn compare(context: &PageContext, paired: bool, lang: Lang) -> Html {
    let context = context.clone();
    let change = move |_: MouseEvent| match paired {
        true => context.engine.change_pair(Pair::only_left),
        false => context.choose.dispatch(UiAction::Overlay(Overlay::Compare)),
    };
    let words = page(lang);
    html! { <button class="text" onclick={change}>{ if paired { words.compare_alone } else { words.compare } }</button> }
}

/// The way out of a lesson.
fn leave(context: &PageContext, lang: Lang) -> Html {
    let engine = context.engine.clone();
    let leave = move |_: MouseEvent| engine.leave_lesson();
    html! { <button class="chip leave" onclick={leave}>{ page(lang).lesson_leave }</button> }
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
    let lesson = use_model(&context.engine, props.lang, |engine, lang| engine.lesson_title(*lang));
    let choose = |choice: UiAction| {
        let dispatcher = context.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    let (theme, theme_word) = match props.theme {
        Theme::Light => (Theme::Dark, words.theme_dark),
        Theme::Dark => (Theme::Light, words.theme_light),
    };
    let name = current.map_or(words.own_run, |id| scenario_title(props.lang, id));
    let about = current.and_then(|id| scenario_words(props.lang, id)).map_or("", |(_, about)| about);
    let (label, name, about) = match &*lesson {
        Some(lesson) => (fill(words.lesson_named, &[lesson]), lesson.clone(), ""),
        None => (fill(words.gallery, &[&name]), name.to_string(), about),
    };
    html! {
        <header class="bar">
            <h1>{ "ZabScope" }</h1>
            <button class="scenario" onclick={choose(UiAction::Overlay(Overlay::Gallery))} aria-haspopup="dialog"
                aria-label={label} title={about}>
                <span>{ name }</span>{ control_icon("grid") }
            </button>
            if lesson.is_some() {
                { leave(&context, props.lang) }
            } else {
                <span class="seed">{ format!("{} {seed}", words.seed) }</span>
                <button class="text" onclick={choose(UiAction::Overlay(Overlay::NewRun))}>{ words.new_run }</button>
                { compare(&context, props.side.is_none(), props.lang) }
            }
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
