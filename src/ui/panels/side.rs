//! The side: one panel at a time, and below it the place to write.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::{ClientId, ServerId};
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::znodes::ZnodeQuery;

use crate::ui::engine::model::use_model;
use crate::ui::kit::tabs;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::{Selection, UiAction, use_page_context};
use crate::ui::panels::inspect::Folds;
use crate::ui::panels::*;
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

/// What a panel may show: what the page tells the side, and what is chosen in a panel and stays when another one is looked at.
struct Known {
    lang: Lang,
    wear: Wear,
    picked: Selection,
    client: Option<ClientId>,
    console_asked: u32,
    tree: UseStateHandle<ZnodeQuery>,
    server: UseStateHandle<Option<ServerId>>,
    folds: UseStateHandle<Folds>,
}

/// The side.
#[component]
pub(in crate::ui) fn Side(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let Props { lang, wear, panel, picked, client, console_asked } = *props;
    let ensemble = *use_model(&context.engine, (), |engine, ()| engine.session().world().setup().has_ensemble());
    // other systems have properties, too
    let panel = if ensemble || !panel.is_of_ensemble() { panel } else { Panel::Properties };
    let tab = |&one: &Panel| {
        let choose = context.choose.clone();
        let choose = Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Panel(one)));
        tabs::tab(one.tab(words), one == panel, "panel", choose)
    };
    let shown = Panel::ALL.iter().filter(|one| ensemble || !one.is_of_ensemble());
    let (tree, server, folds) =
        (use_state(ZnodeQuery::default), use_state(|| None::<ServerId>), use_state(Folds::default));
    let known = Known { lang, wear, picked, client, console_asked, tree, server, folds };
    macro_rules! body {
        ($($Panel:ident, $words:ident.$tab:ident, $class:expr, |$side:ident| $body:expr;)*) => {
            match panel {
                $(Panel::$Panel => {
                    let $side = known;
                    $body
                })*
            }
        };
    }
    let body = panels!(body);
    let class = panel.class();
    // what scrolls inside is no stop of its own
    let stop = (class != Some("full")).then_some("0");
    html! {
        <aside class="side" aria-label={words.panels}>
            <div class="tabs" role="tablist" aria-label={words.panels} onkeydown={tabs::walk_tabs()}>{ for shown.map(tab) }</div>
            <div class={classes!("body", class)} id="panel" role="tabpanel" aria-label={panel.tab(words)} tabindex={stop}>
                { body }
            </div>
            if panel == Panel::Proposals { <Write {lang} {picked} /> }
        </aside>
    }
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
    let servers = use_model(&context.engine, (), |engine, ()| {
        engine.servers().into_iter().filter(|id| id.is_valid()).collect::<Vec<_>>()
    });
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
