//! A client on the stage: a button that says who it is and what it does; a dot where there are many.

use yew::prelude::*;

use crate::draw::Point;
use crate::draw::layout::Chip;
use crate::draw::stage::Wording;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::{ClientView, Part};

use crate::i18n::wording::{face_word, part_words};
use crate::ui::engine::OnStage;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::place;
use crate::ui::kit::shapes::{client_icon, control_icon};
use crate::ui::page::press::is_long;
use crate::ui::page::state::{Selection, UiAction, use_page_context};
use crate::ui::stage::asked::{asked, asked_class};

/// A client and where it sits.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub client: ClientView,
    pub at: Point,
    pub chip: Chip,
    pub picked: bool,
    pub lang: Lang,
}

/// A client in words: its state, and its part in a recipe.
pub(in crate::ui) fn spoken(client: &ClientView, lang: Lang) -> String {
    let mut alone = spoken_state(client, lang);
    if client.outside {
        let name = client.name.as_deref().map(|name| format!("{name} ")).unwrap_or_default();
        alone = format!("{alone}, {name}{}", page(lang).client_outside);
    }
    if client.ended {
        alone = format!("{alone}: {}", page(lang).client_ended_about);
    }
    client.part.as_ref().map_or(alone.clone(), |part| format!("{alone}: {}", part_words(part, lang)))
}

fn spoken_state(client: &ClientView, lang: Lang) -> String {
    let words = page(lang);
    let state = face_word(client.face, lang);
    match client.line() {
        Some((server, true)) => fill(words.client_label_at, &[&client.id, &state, &server]),
        Some((server, false)) => fill(words.client_label_trying, &[&client.id, &state, &server]),
        None => fill(words.client_label, &[&client.id, &state]),
    }
}

/// A client.
#[component]
pub(in crate::ui) fn ClientChip(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    use_effect_with((node.clone(), props.at, props.chip), |(node, at, chip)| {
        let (width, height) = chip.size();
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, at.x - width / 2.0, at.y - height / 2.0, Some(width), Some(height));
        }
    });
    let client = &props.client;
    let id = client.id;
    let mark = use_stage_model(&context.engine, OnStage::Client(id), |engine, what| engine.lesson_mark(*what));
    let open = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        event.stop_propagation();
        if event.type_() == "click" && !is_long() && context.engine.pick_on_stage(OnStage::Client(id)) {
            return;
        }
        context.choose.dispatch(UiAction::Open(Selection::Client(id)));
    });
    let part = client.part.as_ref().map(Part::class);
    let ended = client.ended.then_some("ended");
    let class = classes!(
        "client",
        client.face.class(),
        props.chip.class(),
        ended,
        client.outside.then_some("outside"),
        part,
        props.picked.then_some("picked"),
        asked_class(*mark)
    );
    let label = spoken(client, props.lang);
    html! {
        <button ref={node} {class} onclick={open.clone()} oncontextmenu={open}
            aria-haspopup="menu" data-client={id.to_string()}>
            { asked(*mark, props.lang) }
            <span class="unseen">{ label }</span>
            <span class="top" aria-hidden="true">
                { client_icon(client.face) }
                if client.outside { { control_icon("program") } }
                <b>{ id.to_string() }</b>
                if let Some(name) = &client.name { <span class="name">{ &**name }</span> }
            </span>
            <span class="word" aria-hidden="true">{ props.lang.client(client) }</span>
        </button>
    }
}
