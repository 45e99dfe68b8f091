//! Clients: opening one, choosing one, and what can be done to it.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::base::{ClientId, ServerId};
use crate::client::State;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::Action;
use crate::view::sessions::ClientRow;

use crate::ui::engine::Engine;
use crate::ui::page::state::{PageContext, UiAction};
use crate::ui::stage::client_menu::{client_entries, new_client};
use crate::ui::stage::menu::{Entry, MenuItem};

/// Opens a client with the lowest free number; an empty list of servers means all of them.
pub(in crate::ui) fn open_client(engine: &Engine, servers: Vec<ServerId>) -> Option<ClientId> {
    let open = new_client(engine, servers)?;
    let Action::OpenClient { client, .. } = open else { return None };
    engine.act(open);
    Some(client)
}

/// What a client is doing, in words.
pub(in crate::ui) fn client_words(row: Option<&ClientRow>, lang: Lang) -> String {
    let words = page(lang);
    let Some(row) = row else { return words.client_gone.to_string() };
    let state = match row.state {
        State::Connecting => words.client_connecting,
        State::Connected => words.client_connected,
        State::Disconnected => words.client_disconnected,
        State::Expired => words.client_expired,
        State::Closed => words.client_closed,
        State::AuthFailed => words.client_refused,
    };
    let mut parts = vec![state.to_string()];
    parts.extend(row.server.map(|server| server.to_string()));
    if row.paused {
        parts.push(words.client_paused.to_string());
    }
    parts.join(" · ")
}

/// The client that is chosen, and what can be done to it.
pub(in crate::ui) fn client_bar(
    context: &PageContext,
    chosen: Option<(ClientId, Option<&ClientRow>)>,
    clients: &[ClientId],
    lang: Lang,
) -> Html {
    let words = page(lang);
    let row = chosen.and_then(|(_, row)| row);
    let choose = {
        let choose = context.choose.clone();
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            if let Some(number) = value {
                choose.dispatch(UiAction::Client(ClientId(number)));
            }
        })
    };
    // moving is a matter of the stage and of `connect`; closing is `close`
    let entries = row.iter().flat_map(|row| client_entries(&context.engine, row.client, lang));
    let kept = |entry: Entry| match entry.does {
        MenuItem::Act(Action::MoveClient { .. } | Action::CloseClient { .. }) => None,
        MenuItem::Act(action) => Some((entry.word, action)),
        _ => None,
    };
    html! {
        <div class="clients">
            if let Some((chosen, _)) = chosen {
                <div class="controls">
                    <label>
                        <span>{ words.client }</span>
                        <select onchange={choose}>
                            { for clients.iter().map(|id| html! {
                                <option key={id.0} value={id.0.to_string()} selected={*id == chosen}>{ id.to_string() }</option>
                            }) }
                        </select>
                    </label>
                    <span class="doing">{ client_words(row, lang) }</span>
                </div>
            }
            if let Some(row) = row {
                <div class="controls" role="group" aria-label={fill(words.client_actions, &[&row.client])}>
                    { for entries.filter_map(kept).map(|(word, action)| {
                        let engine = context.engine.clone();
                        let act = move |_: MouseEvent| engine.act(action.clone());
                        html! { <button key={word.clone()} class="chip" onclick={act}>{ word }</button> }
                    }) }
                </div>
            }
        </div>
    }
}
