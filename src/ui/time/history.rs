//! Beside the transport: undo and redo, and running until something happens.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::base::ServerId;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, action_words};
use crate::timeline::Until;
use crate::timeline::{Edit, Future};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::use_page_context;

/// What the transport tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// A change as a label.
fn deed_words(deed: &Edit, lang: Lang) -> String {
    let words = page(lang);
    match deed {
        Edit::Begun => String::new(),
        Edit::Acted(action) => action_words(lang, action),
        Edit::Moved(old) => fill(words.deed_moved, &[&action_words(lang, &old.action)]),
        Edit::Edited(old) => fill(words.deed_edited, &[&action_words(lang, &old.action)]),
        Edit::Deleted(old) => fill(words.deed_deleted, &[&action_words(lang, &old.action)]),
    }
}

fn steps(engine: &Engine, lang: &Lang) -> [Option<String>; 2] {
    let session = engine.session();
    [session.undoable(), session.redoable()].map(|deed| deed.map(|deed| deed_words(deed, *lang)))
}

/// Undo and redo.
#[component]
pub(in crate::ui) fn Undo(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let model = use_model(&context.engine, props.lang, steps);
    let button = |name: &'static str, word: &'static str, what: &Option<String>, go: fn(&Engine) -> bool| {
        let engine = context.engine.clone();
        let label = what.as_ref().map_or(word.to_string(), |what| format!("{word}: {what}"));
        html! {
            <button class={classes!("round", name)} disabled={what.is_none()} aria-label={label.clone()} title={label}
                onclick={move |_: MouseEvent| { go(&engine); }}>{ control_icon(name) }</button>
        }
    };
    html! {
        <>
            { button("undo", words.undo, &model[0], Engine::undo) }
            { button("redo", words.redo, &model[1], Engine::redo) }
        </>
    }
}

/// A branch that was left, in words.
pub(in crate::ui) fn future_words(future: &Future, lang: Lang) -> String {
    let what =
        future.first.as_ref().map_or(page(lang).future_without.to_string(), |action| action_words(lang, action));
    fill(page(lang).future, &[&future.parts_at.seconds(), &what, &future.until.seconds()])
}

/// What a choice of a list says; the list shows its title again.
fn chosen(event: &Event) -> Option<String> {
    let select: HtmlSelectElement = event.target_dyn_into()?;
    let value = select.value();
    select.set_selected_index(0);
    Some(value).filter(|value| !value.is_empty())
}

fn servers(engine: &Engine, (): &()) -> Vec<ServerId> {
    engine.servers()
}

/// Runs until something happens.
#[component]
pub(in crate::ui) fn RunUntil(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let servers = use_model(&context.engine, (), servers);
    let go = {
        let (engine, lang) = (context.engine.clone(), props.lang);
        Callback::from(move |event: Event| {
            let Some(value) = chosen(&event) else { return };
            let until = match value.as_str() {
                "turn" => Until::Milestone,
                "election" => Until::Election,
                "commit" => Until::Commit,
                "violation" => Until::Violation,
                server => Until::Leads(ServerId(server.parse().unwrap_or(0))),
            };
            let found = engine.change(|session| {
                session.playing = false;
                session.run_until(until)
            });
            engine.note((!found).then(|| page(lang).until_never.to_string()));
        })
    };
    let fixed = [
        ("turn", words.turn),
        ("election", words.until_election),
        ("commit", words.until_commit),
        ("violation", words.until_violation),
    ];
    html! {
        <select class="until" aria-label={words.until} onchange={go}>
            <option value="" selected={true}>{ words.until }</option>
            { for fixed.iter().map(|(value, word)| html! { <option value={*value}>{ *word }</option> }) }
            { for servers.iter().map(|id| html! {
                <option key={id.0} value={id.0.to_string()}>{ fill(words.until_leads, &[id]) }</option>
            }) }
        </select>
    }
}
