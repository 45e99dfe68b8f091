//! Clients: opening one, choosing one, and what can be done to it.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::base::{ClientId, ServerId};
use crate::client::State;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Action, MoveTo};
use crate::view::sessions::ClientRow;

use super::client_menu::new_client;
use super::engine::Engine;
use super::state::{Choose, use_reach};

/// Opens a client with the lowest free number; an empty list of servers means all of them.
pub(super) fn open_client(engine: &Engine, servers: Vec<ServerId>) -> Option<ClientId> {
    let open = new_client(engine, servers)?;
    let Action::OpenClient { client, .. } = open else { return None };
    engine.act(open);
    Some(client)
}

/// What a client is doing, in words.
pub(super) fn client_words(row: Option<&ClientRow>, lang: Lang) -> String {
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

/// What the console tells the bar.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub chosen: Option<ClientId>,
    pub row: Option<ClientRow>,
    pub clients: Vec<ClientId>,
    pub servers: Vec<ServerId>,
}

/// A server's number in a select, or nothing for all of them.
fn chosen_server(node: &NodeRef) -> Option<ServerId> {
    node.cast::<HtmlSelectElement>().and_then(|select| select.value().parse().ok()).map(ServerId)
}

/// The client that is chosen, a new one, and what can be done to it.
#[component]
pub(super) fn ClientBar(props: &Props) -> Html {
    let reach = use_reach();
    let words = page(props.lang);
    let server = use_node_ref();
    let choose = {
        let choose = reach.choose.clone();
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            if let Some(number) = value {
                choose.dispatch(Choose::Client(ClientId(number)));
            }
        })
    };
    let open = {
        let (reach, server) = (reach.clone(), server.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(client) = open_client(&reach.engine, chosen_server(&server).into_iter().collect()) {
                reach.choose.dispatch(Choose::Client(client));
            }
        })
    };
    html! {
        <div class="clients">
            <div class="controls">
                <label>
                    <span>{ words.client }</span>
                    <select onchange={choose} disabled={props.clients.is_empty()}>
                        { for props.clients.iter().map(|id| html! {
                            <option key={id.0} value={id.0.to_string()} selected={Some(*id) == props.chosen}>
                                { id.to_string() }
                            </option>
                        }) }
                    </select>
                </label>
                if props.chosen.is_some() {
                    <output class="doing">{ client_words(props.row.as_ref(), props.lang) }</output>
                }
            </div>
            <div class="controls">
                <label>
                    <span>{ words.client_server }</span>
                    <select ref={server.clone()}>
                        <option value="" selected={true}>{ words.all_servers }</option>
                        { for props.servers.iter().map(|id| html! {
                            <option key={id.0} value={id.0.to_string()}>{ id.to_string() }</option>
                        }) }
                    </select>
                </label>
                <button class="chip" onclick={open}>{ words.new_client }</button>
                if let Some(row) = &props.row {
                    { move_button(&reach.engine, row.client, server, props.lang) }
                }
            </div>
            if let Some(row) = &props.row {
                <div class="controls" role="group" aria-label={fill(words.client_actions, &[&row.client])}>
                    { for actions(row, props.lang).into_iter().map(|(word, action)| {
                        let engine = reach.engine.clone();
                        let act = move |_: MouseEvent| engine.act(action.clone());
                        html! { <button key={word} class="chip" onclick={act}>{ word }</button> }
                    }) }
                </div>
            }
        </div>
    }
}

fn actions(row: &ClientRow, lang: Lang) -> Vec<(&'static str, Action)> {
    let (words, client) = (page(lang), row.client);
    let pause = match row.paused {
        true => (words.act_resume, Action::ResumeClient { client }),
        false => (words.act_pause, Action::PauseClient { client }),
    };
    vec![
        pause,
        (words.act_disconnect, Action::DisconnectClient { client }),
        (words.act_expire, Action::ExpireClient { client }),
        (words.act_kill, Action::KillClient { client }),
        (words.act_close, Action::CloseClient { client }),
    ]
}

/// Moves the client to the server that is chosen beside the button.
fn move_button(engine: &Engine, client: ClientId, server: NodeRef, lang: Lang) -> Html {
    let engine = engine.clone();
    let act = move |_: MouseEvent| {
        if let Some(server) = chosen_server(&server) {
            let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
            engine.act(Action::MoveClient { client, to });
        }
    };
    html! { <button class="chip" onclick={act}>{ page(lang).act_move }</button> }
}
