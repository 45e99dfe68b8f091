//! What is done to the stage as a whole: its other view, its signs, healing, a client, a write.

use yew::prelude::*;

use crate::base::ServerId;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::scenarios::Cast;
use crate::sim::Action;
use crate::view::LinkView;

use crate::i18n::wording::count_words;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::{Selection, UiAction, View, use_page_context};
use crate::ui::remote::presenter;
use crate::ui::stage::client_bar::open_client;
use crate::ui::stage::menu::write_at;

/// What the narration tells the tools.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub view: View,
    /// The legend is open.
    pub legend: bool,
    pub picked: Selection,
}

/// Whether all links are open; how many clients there are, where they are only dots; how the stage is cast; whether there is an ensemble.
fn stage(engine: &Engine, lang: &Lang) -> (bool, String, Cast, bool) {
    let scene = engine.scene();
    let count = count_words(&scene.clients, &engine.layout(), *lang);
    (
        scene.links.iter().all(LinkView::is_open),
        count,
        engine.cast().0,
        engine.session().world().setup().has_ensemble(),
    )
}

/// The cast after this one; none where it is that of the scenario, which need not be said.
pub(in crate::ui) fn next_cast(engine: &Engine) -> Option<Cast> {
    let (now, own) = engine.cast();
    Some(now.next()).filter(|next| *next != own)
}

fn cast_words(cast: Cast, lang: Lang) -> &'static str {
    match cast {
        Cast::Ensemble => page(lang).cast_ensemble,
        Cast::Store => page(lang).cast_store,
        Cast::Recipe => page(lang).cast_recipe,
    }
}

/// The tools. Each keeps its place; what cannot be done now is dim.
#[component]
pub(in crate::ui) fn Tools(props: &Props) -> Html {
    let context = use_page_context();
    let Props { lang, view, legend, picked } = *props;
    let words = page(lang);
    let now = use_model(&context.engine, lang, stage);
    let (healed, count, cast, ensemble) = &*now;
    let choose = |choice: UiAction| {
        let dispatcher = context.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    let on_engine = |act: fn(&Engine, Selection, Lang)| {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| act(&engine, picked, lang))
    };
    let for_client = context.clone();
    let add = move |_: MouseEvent| {
        if let Some(client) = open_client(&for_client.engine, Vec::new()) {
            for_client.choose.dispatch(UiAction::Client(client));
        }
    };
    let for_cast = context.clone();
    let recast = move |_: MouseEvent| for_cast.choose.dispatch(UiAction::Cast(next_cast(&for_cast.engine)));
    html! {
        <div class="tools">
            <span class="hint">{ count.clone() }</span>
            <button class="chip cast" onclick={recast} title={words.cast_title}
                aria-label={format!("{}: {}", words.cast_title, cast_words(*cast, lang))} disabled={view != View::Stage}>{ control_icon("cast") }<span>{ cast_words(*cast, lang) }</span></button>
            <button class="chip" onclick={choose(UiAction::OtherView)} aria-pressed={(view == View::SpaceTime).to_string()}
                title={words.weave_title}>{ control_icon("diagram") }<span>{ words.weave_toggle }</span></button>
            <button class="chip" onclick={choose(UiAction::Legend)} aria-pressed={legend.to_string()}
                disabled={view != View::Stage}>{ control_icon("legend") }<span>{ words.legend_label }</span></button>
            <button class="chip" onclick={on_engine(|engine, _, _| engine.act(Action::HealAll))} disabled={*healed}>
                { words.heal_all }</button>
            <button class="chip" onclick={add} title={words.new_client} disabled={!ensemble}>
                { control_icon("plus") }<span>{ words.new_client }</span></button>
            <button class="chip write-one" disabled={!ensemble}
                onclick={on_engine(|engine, picked, lang| engine.act(write_at(engine, writer(engine, picked), "", lang)))}>{ words.write }</button>
            // only in a hall
            <button class="round presenter" onclick={on_engine(|engine, _, lang| presenter::open(engine, lang))} aria-label={words.presenter}
                title={words.presenter_title}>{ control_icon("whole") }</button>
        </div>
    }
}

/// The server that a write goes to: the picked one, or the first.
fn writer(engine: &Engine, picked: Selection) -> ServerId {
    match picked {
        Selection::Server(id) => id,
        _ => engine.servers().first().copied().unwrap_or(ServerId(1)),
    }
}
