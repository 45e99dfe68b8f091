//! The side: one panel at a time, and below it the place to write.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::{ClientId, ServerId};
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::znodes::ZnodeQuery;

use crate::ui::app::state::{Panel, Selection, UiAction, use_page_context};
use crate::ui::kit::model::use_model;
use crate::ui::kit::wear::Wear;
use crate::ui::panels::charts::Charts;
use crate::ui::panels::console::Console;
use crate::ui::panels::inspect::{Folds, Inspect};
use crate::ui::panels::lists::{Logs, Properties as PropertyList, Proposals};
use crate::ui::panels::sessions::Sessions;
use crate::ui::panels::znodes::Znodes;
use crate::ui::stage::menu::write_at;

/// What the page tells the side.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub panel: Panel,
    pub picked: Selection,
    pub client: Option<ClientId>,
    pub console_asked: u32,
}

/// The side.
#[component]
pub(in crate::ui) fn Side(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let tabs = [
        (Panel::Proposals, words.tab_proposals),
        (Panel::Znodes, words.tab_znodes),
        (Panel::Sessions, words.tab_sessions),
        (Panel::Console, words.tab_console),
        (Panel::Properties, words.tab_properties),
        (Panel::Logs, words.tab_logs),
        (Panel::Inspect, words.tab_inspect),
        (Panel::Chart, words.tab_chart),
    ];
    let tab = |(panel, word): (Panel, &'static str)| {
        let choose = context.choose.clone();
        let on = panel == props.panel;
        html! {
            <button key={word} role="tab" class={on.then_some("on")} aria-selected={on.to_string()} aria-controls="panel"
                tabindex={if on { "0" } else { "-1" }}
                onclick={move |_: MouseEvent| choose.dispatch(UiAction::Panel(panel))}>{ word }</button>
        }
    };
    // what is chosen in a panel stays when another one is looked at
    let tree = use_state(ZnodeQuery::default);
    let server = use_state(|| None::<ServerId>);
    let folds = use_state(Folds::default);
    let Props { lang, picked, client, console_asked: asked, .. } = *props;
    let body = match props.panel {
        Panel::Proposals => html! { <Proposals {lang} /> },
        Panel::Properties => html! { <PropertyList {lang} /> },
        Panel::Logs => html! { <Logs {lang} /> },
        Panel::Inspect => html! { <Inspect {lang} {picked} {folds} /> },
        Panel::Chart => html! { <Charts {lang} wear={props.wear} /> },
        Panel::Znodes => html! { <Znodes {lang} {picked} query={tree} /> },
        Panel::Sessions => html! { <Sessions {lang} {picked} {server} /> },
        Panel::Console => html! { <Console {lang} {client} {asked} /> },
    };
    let named = tabs.iter().find(|(panel, _)| *panel == props.panel).map(|(_, word)| *word);
    // these two scroll inside
    let full = matches!(props.panel, Panel::Console | Panel::Znodes);
    let inspects = props.panel == Panel::Inspect;
    html! {
        <aside class="side" aria-label={words.panels}>
            <div class="tabs" role="tablist" aria-label={words.panels} onkeydown={walk_tabs()}>{ for tabs.into_iter().map(tab) }</div>
            <div class={classes!("body", full.then_some("full"), inspects.then_some("inspects"))} id="panel" role="tabpanel" aria-label={named} tabindex={(!full).then_some("0")}>
                { body }
            </div>
            if props.panel != Panel::Console { <Write {lang} {picked} /> }
        </aside>
    }
}

/// Arrow keys, Home and End go from tab to tab; the page must not take them for steps of the run.
fn walk_tabs() -> Callback<KeyboardEvent> {
    Callback::from(|event: KeyboardEvent| {
        let Some(tab) = event.target_dyn_into::<web_sys::Element>() else { return };
        let Some(list) = tab.parent_element() else { return };
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => tab.next_element_sibling().or_else(|| list.first_element_child()),
            "ArrowLeft" | "ArrowUp" => tab.previous_element_sibling().or_else(|| list.last_element_child()),
            "Home" => list.first_element_child(),
            "End" => list.last_element_child(),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
            let _ = next.focus();
            next.click();
        }
    })
}

#[derive(Clone, PartialEq, Properties)]
struct WriteProps {
    lang: Lang,
    picked: Selection,
}

/// A client that writes at a chosen server.
#[component]
fn Write(props: &WriteProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let servers = use_model(&context.engine, (), |engine, ()| engine.servers());
    let (server, text) = (use_node_ref(), use_node_ref());
    let send = {
        let (engine, server, text, lang) = (context.engine.clone(), server.clone(), text.clone(), props.lang);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let chosen =
                server.cast::<HtmlSelectElement>().and_then(|select| select.value().parse().ok()).unwrap_or(1);
            let said = text.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            engine.act(write_at(&engine, ServerId(chosen), &said, lang));
        })
    };
    let picked = match props.picked {
        Selection::Server(id) => id,
        _ => ServerId(1),
    };
    html! {
        <form class="write" onsubmit={send}>
            <label>
                <span>{ words.write_to }</span>
                <select ref={server}>
                    { for servers.iter().map(|id| html! {
                        <option key={id.0} value={id.0.to_string()} selected={*id == picked}>{ id.to_string() }</option>
                    }) }
                </select>
            </label>
            <input ref={text} type="text" maxlength="200" aria-label={words.write_text} placeholder={words.write_hint} />
            <button>{ words.write }</button>
        </form>
    }
}
