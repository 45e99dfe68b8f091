//! Sessions, clients, connections and watches.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::base::{ServerId, SessionId};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::sessions::{ClientRow, ConnectionRow, Listed, SessionRow, SessionsView, WatchRow, sessions};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{PageContext, Selection, UiAction, use_page_context};
use crate::ui::panels::empty_state::{EmptyState, Step, not_running};
use crate::ui::stage::client_bar::client_words;

/// What the side tells the panel.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub picked: Selection,
    pub server: UseStateHandle<Option<ServerId>>,
}

/// The server that a panel shows: the chosen one, the one picked on the stage, the leader, or the first.
pub(in crate::ui) fn shown_server(engine: &Engine, chosen: Option<ServerId>, picked: Selection) -> ServerId {
    let session = engine.session();
    let there = |id: &ServerId| session.world().processes.contains_key(id);
    let picked = match picked {
        Selection::Server(id) => Some(id),
        _ => None,
    };
    let first = || session.world().processes.keys().next().copied();
    let wanted = chosen.filter(there).or(picked.filter(there)).or_else(|| session.player().leader());
    wanted.or_else(first).unwrap_or(ServerId(1))
}

/// A choice of a server. The first entry, where there is one, stands for none.
pub(in crate::ui) fn server_choice(
    label: &'static str,
    none: Option<&'static str>,
    shown: Option<ServerId>,
    (servers, leader): (&[ServerId], Option<ServerId>),
    (lang, chosen): (Lang, Callback<Option<ServerId>>),
) -> Html {
    let change = move |event: Event| {
        if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
            chosen.emit(select.value().parse().ok().map(ServerId));
        }
    };
    let name = |id: &ServerId| match Some(*id) == leader {
        true => fill(page(lang).leader_mark, &[id]),
        false => id.to_string(),
    };
    html! {
        <label>
            <span>{ label }</span>
            <select onchange={change}>
                if let Some(none) = none {
                    <option value="" selected={shown.is_none()}>{ none }</option>
                }
                { for servers.iter().map(|id| html! {
                    <option key={id.0} value={id.0.to_string()} selected={Some(*id) == shown}>{ name(id) }</option>
                }) }
            </select>
        </label>
    }
}

#[derive(PartialEq)]
struct Model {
    server: ServerId,
    servers: Vec<ServerId>,
    view: SessionsView,
}

fn model(engine: &Engine, (chosen, picked): &(Option<ServerId>, Selection)) -> Model {
    let server = shown_server(engine, *chosen, *picked);
    let session = engine.session();
    let view = sessions(session.world(), server, session.player().leader());
    Model { server, servers: session.world().processes.keys().copied().collect(), view }
}

/// Why a list is empty, and what can be done about that.
type Why = (String, Vec<Step>);

/// A list with its title, or why there is nothing in it, and what can be done about that.
fn list<T>(title: &str, why: Why, listed: &Listed<T>, lang: Lang, row: impl Fn(&T) -> Html) -> Html {
    let more = match listed.more {
        0 => String::new(),
        more => fill(page(lang).more_rows, &[&more]),
    };
    html! {
        <>
            <h2>{ title.to_string() }</h2>
            if listed.first.is_empty() { <EmptyState {lang} why={why.0} steps={why.1} /> }
            <ul class="facts" aria-label={title.to_string()}>{ for listed.first.iter().map(row) }</ul>
            <p class="hint">{ more }</p>
        </>
    }
}

fn session_row(row: &SessionRow, lang: Lang) -> Html {
    let words = page(lang);
    let mut parts = vec![fill(words.session_timeout, &[&row.timeout_ms])];
    if row.client.is_none() {
        parts.insert(0, words.session_unheld.to_string());
    }
    parts.extend(row.owner.map(|owner| fill(words.session_owner, &[&owner])));
    parts.extend((row.ephemerals > 0).then(|| fill(words.session_ephemerals, &[&row.ephemerals])));
    let left = match row.left_ms {
        Some(left) => fill(words.session_left, &[&left]),
        None => words.session_uncounted.to_string(),
    };
    // whose it is says more than its number
    let name = row.client.map_or(row.session.to_string(), |client| fill(words.session_owned, &[&client]));
    let low = row.left_ms.is_some_and(|left| left * 4 < u64::from(row.timeout_ms));
    html! {
        <li key={row.session.0.to_string()} title={row.session.to_string()}>
            <b>{ name }</b>
            <span class="z">{ left }</span>
            if let Some(left) = row.left_ms {
                <progress class={low.then_some("low")} aria-hidden="true" max={row.timeout_ms.to_string()} value={left.to_string()} />
            }
            <small>{ parts.join(" · ") }</small>
        </li>
    }
}

/// That there is no session, where there is none; and its number, for whoever points at the row.
fn session_words(session: Option<SessionId>, lang: Lang) -> (Vec<String>, Option<String>) {
    match session.filter(|session| *session != SessionId::NONE) {
        Some(session) => (Vec::new(), Some(fill(page(lang).session_of, &[&session]))),
        None => (vec![page(lang).no_session.to_string()], None),
    }
}

fn waiting(requests: usize, lang: Lang) -> Option<String> {
    (requests > 0).then(|| fill(page(lang).requests_wait, &[&requests]))
}

fn client_row(row: &ClientRow, context: &PageContext, lang: Lang) -> Html {
    let words = page(lang);
    let (mut parts, about) = session_words(Some(row.session), lang);
    parts.push(format!("zxid {}", row.last_zxid));
    parts.extend(waiting(row.pending, lang));
    let (choose, client) = (context.choose.clone(), row.client);
    let open = move |_: MouseEvent| {
        choose.dispatch(UiAction::Client(client));
        choose.dispatch(UiAction::Panel(Panel::Console));
    };
    html! {
        <li key={client.0} title={about}>
            <b>{ client.to_string() }{ " " }<span class="plain">{ client_words(Some(row), lang) }</span></b>
            <button class="text" onclick={open} aria-label={fill(words.open_console, &[&client])}>{ words.console }</button>
            <small>{ parts.join(" · ") }</small>
        </li>
    }
}

fn connection_row(row: &ConnectionRow, lang: Lang) -> Html {
    let (mut parts, about) = session_words(row.session, lang);
    parts.extend(waiting(row.waiting, lang));
    html! {
        <li title={about}>
            <b>{ format!("{} ← {}", row.server, row.client) }</b>
            <small>{ parts.join(" · ") }</small>
        </li>
    }
}

fn watch_row(row: &WatchRow, lang: Lang) -> Html {
    let words = page(lang);
    html! {
        <li>
            <b>{ row.client.map_or(words.someone.to_string(), |client| client.to_string()) }{ " " }
                <span class="z plain">{ row.path.to_string() }</span></b>
            <span>{ row.kind.name() }</span>
            <small>{ fill(words.watch_kept, &[&row.server]) }</small>
        </li>
    }
}

/// The panel.
#[component]
pub(in crate::ui) fn Sessions(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let model = use_model(&context.engine, (*props.server, props.picked), model);
    let Model { server, servers, view } = &*model;
    let choose = {
        let chosen = props.server.clone();
        Callback::from(move |server| chosen.set(server))
    };
    let no_session = match view.up {
        true => (fill(words.none_session, &[server]), Vec::new()),
        false => not_running(&context.engine, *server, lang),
    };
    let no_client = (words.none_client.to_string(), vec![Step::Client]);
    let plain = |why: &str| (why.to_string(), Vec::new());
    let known = format!("{} {server}", words.sessions_at);
    html! {
        <>
            <div class="controls">
                { server_choice(words.client_server, None, Some(*server), (servers, view.leader), (lang, choose)) }
            </div>
            <p class="hint">{ if view.up { fill(words.tree_last, &[server, &view.last]) } else { String::new() } }</p>
            { list(&known, no_session, &view.sessions, lang, |row| session_row(row, lang)) }
            { list(words.clients_title, no_client, &view.clients, lang, |row| client_row(row, &context, lang)) }
            { list(words.connections_title, plain(words.none_connection), &view.connections, lang,
                |row| connection_row(row, lang)) }
            { list(words.watches_title, plain(words.none_watch), &view.watches, lang, |row| watch_row(row, lang)) }
        </>
    }
}
