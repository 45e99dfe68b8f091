//! The znode tree of a server, perhaps beside that of another one.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::base::ServerId;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::recipes::without_guids;
use crate::view::znodes::{
    Beside, ShownData, Watching, ZnodeKind, ZnodeQuery, ZnodeRow, ZnodeSheet, ZnodeView, znodes,
};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::{Selection, use_page_context};
use crate::ui::panels::empty_state::{EmptyState, Step, not_running};
use crate::ui::panels::sessions::{server_choice, shown_server};

/// How deep rows are moved in.
const DEEPEST: usize = 12;

/// What the side tells the panel.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub picked: Selection,
    pub query: UseStateHandle<ZnodeQuery>,
}

#[derive(PartialEq)]
struct Model {
    server: ServerId,
    leader: Option<ServerId>,
    servers: Vec<ServerId>,
    view: ZnodeView,
}

fn model(engine: &Engine, (query, picked): &(ZnodeQuery, Selection)) -> Model {
    let server = shown_server(engine, query.server, *picked);
    let session = engine.session();
    Model {
        server,
        leader: session.player().leader(),
        servers: session.world().processes.keys().copied().collect(),
        view: znodes(session.world(), server, query),
    }
}

/// A kind in words; nothing for the usual one.
fn kind_words(kind: ZnodeKind, lang: Lang) -> Option<String> {
    let words = page(lang);
    match kind {
        ZnodeKind::Persistent => None,
        ZnodeKind::Ephemeral(_, Some(client)) => Some(fill(words.kind_ephemeral, &[&client])),
        ZnodeKind::Ephemeral(session, None) => Some(fill(words.kind_ephemeral, &[&session])),
        ZnodeKind::Container => Some(words.kind_container.to_string()),
        ZnodeKind::Ttl(ttl) => Some(fill(words.kind_ttl, &[&ttl])),
    }
}

/// How a row stands beside the other server: a class, and a sign with words.
fn beside_words(row: &ZnodeRow, (here, there): (ServerId, Option<ServerId>), lang: Lang) -> (&'static str, String) {
    let words = page(lang);
    match (&row.beside, there) {
        (Beside::OnlyHere, _) => ("only-here", format!("+ {}", fill(words.only_here, &[&here]))),
        (Beside::OnlyThere, Some(there)) => ("only-there", format!("− {}", fill(words.only_here, &[&there]))),
        (Beside::Differs(fields), _) => ("differs", format!("≠ {}", fill(words.differs, &[&fields.join(", ")]))),
        _ if row.differs_below => ("differs", format!("≠ {}", words.differs_below)),
        _ => ("", String::new()),
    }
}

fn watch_words(row: &ZnodeRow, lang: Lang) -> String {
    let words = page(lang);
    let one = |watch: &Watching| {
        let client = watch.client.map_or_else(|| words.someone.to_string(), |client| client.to_string());
        let elsewhere = watch.at.map_or(String::new(), |server| format!(" · {server}"));
        format!("{client} {}{elsewhere}", watch.kind.name())
    };
    match row.watches.is_empty() {
        true => String::new(),
        false => fill(words.watches_here, &[&row.watches.iter().map(one).collect::<Vec<_>>().join(", ")]),
    }
}

struct Look<'a> {
    lang: Lang,
    servers: (ServerId, Option<ServerId>),
    query: &'a UseStateHandle<ZnodeQuery>,
    /// The row that Tab reaches.
    focus: Option<Rc<str>>,
}

fn turn(query: &UseStateHandle<ZnodeQuery>, path: &Rc<str>) {
    let mut next = (**query).clone();
    next.turn(path);
    query.set(next);
}

fn choose(query: &UseStateHandle<ZnodeQuery>, path: Option<&Rc<str>>) {
    query.set(ZnodeQuery { chosen: path.cloned(), ..(**query).clone() });
}

fn tree_row(row: &ZnodeRow, look: &Look) -> Html {
    let (lang, words) = (look.lang, page(look.lang));
    let (class, sign) = beside_words(row, look.servers, lang);
    let kind = kind_words(row.kind, lang);
    let sequential = row.sequential.then_some(words.kind_sequential);
    let watches = watch_words(row, lang);
    let data = data_words(&row.data, lang);
    let is_text = row.data.as_ref().is_some_and(|data| data.length.is_none() && !data.text.is_empty());
    let chosen = look.query.chosen.as_ref() == Some(&row.path);
    let said: Vec<String> = [
        row.path.to_string(),
        kind.clone().unwrap_or_else(|| words.kind_persistent.to_string()),
        sequential.unwrap_or_default().to_string(),
        fill(words.znode_version, &[&row.version]),
        data.clone(),
        watches.clone(),
        sign.clone(),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect();
    let pick = {
        let (query, path) = (look.query.clone(), row.path.clone());
        move |_: MouseEvent| choose(&query, Some(&path).filter(|_| !chosen))
    };
    let flip = {
        let (query, path) = (look.query.clone(), row.path.clone());
        move |event: MouseEvent| {
            event.stop_propagation();
            turn(&query, &path);
        }
    };
    let keys = row_keys(look.query.clone(), row);
    let tabindex = if look.focus.as_ref() == Some(&row.path) { "0" } else { "-1" };
    html! {
        <li key={row.path.to_string()} role="treeitem" aria-level={(row.depth + 1).to_string()} {tabindex}
            aria-expanded={(row.children > 0).then(|| row.open.to_string())} aria-selected={chosen.to_string()}
            onclick={pick} onkeydown={keys}
            class={classes!(format!("d{}", row.depth.min(DEEPEST)), class, chosen.then_some("on"))}>
            <span class="unseen">{ said.join(", ") }</span>
            <span class="turn" aria-hidden="true" onclick={flip}>
                { match (row.children, row.open) { (0, _) => "", (_, true) => "▾", (_, false) => "▸" } }
            </span>
            <b class="z" aria-hidden="true" title={row.name.clone()}>{ without_guids(&row.name) }</b>
            <span class="badges" aria-hidden="true">
                { for kind.into_iter().chain(sequential.map(str::to_string)).map(|text| html! { <i>{ text }</i> }) }
            </span>
            <span class="z version" aria-hidden="true" title={fill(words.znode_version, &[&row.version])}>{ format!("v{}", row.version) }</span>
            <small class="z" aria-hidden="true">{ if is_text { format!("\"{data}\"") } else { data } }</small>
            <small class="watching" aria-hidden="true">{ watches }</small>
            <small class="sign" aria-hidden="true">{ sign }</small>
        </li>
    }
}

/// As trees do everywhere: ↑ ↓ walk, → opens, ← closes, Enter chooses.
fn row_keys(query: UseStateHandle<ZnodeQuery>, row: &ZnodeRow) -> Callback<KeyboardEvent> {
    let (path, open, children) = (row.path.clone(), row.open, row.children);
    Callback::from(move |event: KeyboardEvent| {
        let item = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let focus = |next: Option<web_sys::Element>| {
            let _ = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()).map(|next| next.focus());
        };
        match event.key().as_str() {
            "ArrowDown" => focus(item.and_then(|item| item.next_element_sibling())),
            "ArrowUp" => focus(item.and_then(|item| item.previous_element_sibling())),
            "ArrowRight" if children > 0 && !open => turn(&query, &path),
            "ArrowLeft" if children > 0 && open => turn(&query, &path),
            "ArrowRight" | "ArrowLeft" => {}
            "Enter" | " " => choose(&query, Some(&path).filter(|path| query.chosen.as_ref() != Some(path))),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    })
}

/// A text as it is, other bytes as hex with their length.
fn data_words(data: &Option<ShownData>, lang: Lang) -> String {
    let words = page(lang);
    match data {
        None => words.null_data.to_string(),
        Some(ShownData { text, length: None }) => text.clone(),
        Some(ShownData { text, length: Some(length) }) => fill(words.data_as_hex, &[text, length]),
    }
}

fn sheet(sheet: &ZnodeSheet, other: Option<ServerId>, query: &UseStateHandle<ZnodeQuery>, lang: Lang) -> Html {
    let words = page(lang);
    let there = |value: &Option<String>| match (value, other) {
        (Some(value), Some(other)) => format!("≠ {}", fill(words.znode_there, &[&other, value])),
        _ => String::new(),
    };
    let close = {
        let query = query.clone();
        move |_: MouseEvent| choose(&query, None)
    };
    let title = fill(words.znode_title, &[&sheet.path]);
    let data_there = there(&sheet.data_there.as_ref().map(|data| data_words(data, lang)));
    html! {
        <section class="sheet stat" aria-label={title.clone()} tabindex="0">
            <header>
                <h2 class="z">{ title }</h2>
                <button onclick={close} aria-label={words.close_sheet}>{ control_icon("close") }</button>
            </header>
            <p class="sign">
                { match other { Some(other) if sheet.only_there => fill(words.only_here, &[&other]), _ => String::new() } }
            </p>
            <dl>
                <div key="data">
                    <dt>{ words.znode_data }</dt>
                    <dd><span class="z data">{ data_words(&sheet.data, lang) }</span>{ " " }<small class="sign">{ data_there }</small></dd>
                </div>
                <div key="acl">
                    <dt>{ words.znode_acl }</dt>
                    <dd>{ for sheet.acl.iter().map(|(who, what)| html! { <p class="z">{ format!("{who} {what}") }</p> }) }</dd>
                </div>
                { for sheet.stat.iter().map(|(name, value, that)| html! {
                    <div key={*name}>
                        <dt class="z">{ *name }</dt>
                        <dd><span class="z">{ value.clone() }</span>{ " " }<small class="sign">{ there(that) }</small></dd>
                    </div>
                }) }
            </dl>
        </section>
    }
}

/// The two servers' last zxids, and who is behind.
fn heading(server: ServerId, other: Option<ServerId>, view: &ZnodeView, lang: Lang) -> String {
    let words = page(lang);
    let Some(last) = view.last else { return String::new() };
    let mut parts = vec![fill(words.tree_last, &[&server, &last])];
    if let Some(other) = other {
        match view.last_there {
            None => parts.push(fill(words.server_down, &[&other])),
            Some(that) => {
                parts.push(fill(words.tree_last, &[&other, &that]));
                let same = view.rows.iter().all(|row| row.beside == Beside::Same && !row.differs_below);
                parts.push(match last.cmp(&that) {
                    std::cmp::Ordering::Less => fill(words.tree_behind, &[&server, &other]),
                    std::cmp::Ordering::Greater => fill(words.tree_behind, &[&other, &server]),
                    std::cmp::Ordering::Equal if same => words.tree_same.to_string(),
                    std::cmp::Ordering::Equal => words.tree_apart.to_string(),
                });
            }
        }
    }
    parts.join(" · ")
}

/// What is said where the tree is not there, or has only what every tree has.
fn nothing(engine: &Engine, server: ServerId, view: &ZnodeView, lang: Lang) -> Html {
    let words = page(lang);
    if view.last.is_none() {
        let (why, steps) = not_running(engine, server, lang);
        return html! { <EmptyState {lang} {why} {steps} /> };
    }
    let own = |row: &ZnodeRow| &*row.path == "/" || row.path.starts_with("/zookeeper");
    match view.more == 0 && view.rows.iter().all(own) {
        true => html! { <EmptyState {lang} why={words.none_in_tree} steps={vec![Step::Client]} /> },
        false => Html::default(),
    }
}

/// The panel.
#[component]
pub(in crate::ui) fn Znodes(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let query = &props.query;
    let asked = use_model(&context.engine, (), |engine, ()| engine.asks_for_znode());
    use_effect_with((*asked, query.clone(), context.engine.clone()), |(_, query, engine)| {
        if let Some(path) = engine.take_znode() {
            choose(query, Some(&path));
        }
    });
    let model = use_model(&context.engine, ((**query).clone(), props.picked), model);
    let Model { server, leader, servers, view } = &*model;
    let other = query.beside.filter(|other| other != server && servers.contains(other));
    let change = |change: fn(&mut ZnodeQuery, Option<ServerId>)| {
        let query = query.clone();
        Callback::from(move |server| {
            let mut next = (*query).clone();
            change(&mut next, server);
            query.set(next);
        })
    };
    let others: Vec<ServerId> = servers.iter().copied().filter(|id| id != server).collect();
    let focus = query.chosen.as_ref().filter(|path| view.rows.iter().any(|row| row.path == **path));
    let focus = focus.or(view.rows.first().map(|row| &row.path)).cloned();
    let look = Look { lang, servers: (*server, other), query, focus };
    let more = match (view.more, view.endless) {
        (0, false) => String::new(),
        (more, false) => fill(words.more_rows, &[&more]),
        (more, true) => fill(words.more_at_least, &[&more]),
    };
    html! {
        <div class="znodes">
            <div class="controls">
                { server_choice(words.tree_of, None, Some(*server), (servers, *leader),
                    (lang, change(|query, server| query.server = server))) }
                { server_choice(words.compare_with, Some(words.compare_none), other, (&others, *leader),
                    (lang, change(|query, server| query.beside = server))) }
            </div>
            <p class="hint">{ heading(*server, other, view, lang) }</p>
            <div class="scroll">
                <ul class="tree" role="tree" aria-label={fill(words.tree_label, &[server])}>
                    { for view.rows.iter().map(|row| tree_row(row, &look)) }
                </ul>
                <p class="hint">{ more }</p>
                { nothing(&context.engine, *server, view, lang) }
            </div>
            if let Some(shown) = &view.sheet { { sheet(shown, other, query, lang) } }
        </div>
    }
}
