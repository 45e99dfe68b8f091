//! The console: zkCli for the client of choice.

use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, HtmlInputElement};
use yew::prelude::*;

use crate::base::limits::MAX_LINE_BYTES;
use crate::base::{Arrange, ClientId, ServerId};
use crate::console::{Completion, Entry, Kind, Known, Line, Note, complete, prompt};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, describe, error_words};
use crate::sim::RunError;
use crate::view::sessions::{ClientRow, client};
use crate::view::znodes::children_of;

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::stage::client_bar::client_bar;

/// How many candidates of a completion are shown.
const SHOWN: usize = 60;

/// What the side tells the console.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub client: Option<ClientId>,
    pub asked: u32,
}

#[derive(PartialEq)]
struct Model {
    chosen: Option<ClientId>,
    row: Option<ClientRow>,
    clients: Vec<ClientId>,
    prompt: String,
    busy: bool,
    playing: bool,
    /// Says whether the log is another one: entries forgotten, and kept, and lines that wait.
    log: (usize, usize, usize),
}

fn model(engine: &Engine, wanted: &Option<ClientId>) -> Model {
    let (session, host) = (engine.session(), engine.consoles());
    let world = session.world();
    let mut clients: Vec<ClientId> = world.clients.keys().chain(host.consoles.keys()).copied().collect();
    clients.arrange();
    clients.dedup();
    let chosen = wanted.filter(|id| clients.contains(id)).or_else(|| clients.first().copied());
    let cli = chosen.and_then(|id| host.consoles.get(&id));
    Model {
        chosen,
        row: chosen.and_then(|id| client(world, id)),
        clients,
        prompt: chosen.map(|id| prompt(&host, &session, id)).unwrap_or_default(),
        busy: cli.is_some_and(|cli| cli.is_busy()),
        playing: session.playing,
        log: cli.map_or((0, 0, 0), |cli| (cli.forgotten, cli.log.len(), cli.ahead.len())),
    }
}

/// A note in the reader's language; what zkCli says stays in its own.
fn note_words(note: &Note, lang: Lang) -> String {
    let words = page(lang);
    match note {
        Note::InDoubt => words.note_in_doubt.to_string(),
        Note::LineTooLong => fill(words.note_line_long, &[&MAX_LINE_BYTES]),
        Note::TooLarge(what) => error_words(lang, &RunError::Value(what.clone())),
        Note::NoServer(name) => fill(words.note_no_server, &[name]),
        Note::Ends => words.note_ends.to_string(),
        Note::Busy => words.note_busy.to_string(),
        Note::GivenUp => words.note_given_up.to_string(),
    }
}

fn entry(key: usize, entry: &Entry, lang: Lang) -> Html {
    let (class, text) = match entry {
        Entry::Typed(prompt, line) => {
            return html! { <p {key} class="typed"><span>{ prompt.clone() }</span>{ line.clone() }</p> };
        }
        Entry::Printed(Line { kind: Kind::Output, text }) => ("printed", text.clone()),
        Entry::Printed(Line { kind: Kind::Error, text }) => ("error", text.clone()),
        Entry::Printed(Line { kind: Kind::Event, text }) => ("event", text.clone()),
        Entry::Printed(Line { kind: Kind::Note(note), .. }) => ("note", note_words(note, lang)),
        Entry::Refused(record) => ("note", describe(lang, record).what),
        Entry::Wrong(error) => ("error", error_words(lang, error)),
        Entry::Rewound => ("note", page(lang).rewound.to_string()),
    };
    html! { <p {key} {class}>{ text }</p> }
}

/// What the word before the cursor may become, with the names that the client's server knows.
fn completion(engine: &Engine, chosen: ClientId, line: &str, cursor: usize) -> Completion {
    let session = engine.session();
    let world = session.world();
    let process = world.clients.get(&chosen);
    let server = process.and_then(|it| it.client.server).or_else(|| session.player().leader());
    let chroot = process.and_then(|it| it.client.config.chroot.clone()).unwrap_or_default();
    let servers: Vec<ServerId> = world.processes.keys().copied().collect();
    let children = |path: &str| {
        let path = match (&*chroot, path) {
            ("", path) => path.to_string(),
            (chroot, "/") => chroot.to_string(),
            (chroot, path) => format!("{chroot}{path}"),
        };
        server.map(|server| children_of(world, server, &path)).unwrap_or_default()
    };
    let version = world.run().setup.zookeeper;
    complete(line, cursor, &Known { children: &children, servers: &servers, version })
}

/// A place in a text, from the UTF-16 units that a browser counts to bytes.
fn bytes_before(text: &str, units: u32) -> usize {
    let mut left = units as usize;
    let inside = text.chars().take_while(|c| {
        let taken = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        taken
    });
    inside.map(char::len_utf8).sum()
}

/// The line with the word before the cursor completed as far as there is no choice, and where the cursor then stands.
fn completed(line: &str, cursor: usize, found: &Completion) -> (String, usize) {
    let (Some(word), Some(rest)) = (line.get(found.start..cursor), line.get(cursor..)) else {
        return (line.to_string(), cursor);
    };
    let mut common = found.common().to_string();
    if common.len() < word.len() {
        return (line.to_string(), cursor);
    }
    if found.candidates.len() == 1 && !line[..found.start].ends_with('/') && common != "/" && !rest.starts_with(' ') {
        common.push(' ');
    }
    let before = format!("{}{common}", &line[..found.start]);
    (format!("{before}{rest}"), before.len())
}

fn put(input: &HtmlInputElement, text: &str, cursor: usize) {
    input.set_value(text);
    let units = text[..cursor].encode_utf16().count() as u32;
    let _ = input.set_selection_range(units, units);
}

/// The console.
#[component]
pub(in crate::ui) fn Console(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let model = use_model(&context.engine, props.client, model);
    let Model { chosen, log, busy, .. } = *model;
    let (input, output) = (use_node_ref(), use_node_ref());
    let candidates = use_state(Vec::<String>::new);
    use_effect_with((output.clone(), chosen, log, busy), |(output, ..)| {
        if let Some(element) = output.cast::<Element>() {
            element.set_scroll_top(element.scroll_height());
        }
    });
    use_effect_with((input.clone(), props.asked, chosen), |(input, asked, _)| {
        if let Some(input) = input.cast::<HtmlInputElement>().filter(|_| *asked > 0) {
            let _ = input.focus();
        }
    });
    let bar = client_bar(&context, chosen.map(|id| (id, model.row.as_ref())), &model.clients, lang);
    let Some(id) = chosen else {
        let why = format!("{} {}", words.none_client, words.none_typed);
        return html! { <div class="console">{ bar }<EmptyState {lang} {why} steps={vec![Step::Client]} /></div> };
    };
    let submit = {
        let (engine, input, candidates) = (context.engine.clone(), input.clone(), candidates.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(input) = input.cast::<HtmlInputElement>() {
                engine.enter(id, &input.value());
                input.set_value("");
                candidates.set(Vec::new());
            }
        })
    };
    let keys = keys(&context.engine, id, candidates.clone());
    let pasted = pasted(&context.engine, id);
    let stop = {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| engine.at_consoles(|host, _| host.give_up(id)))
    };
    let host = context.engine.consoles();
    let cli = host.consoles.get(&id);
    let entries = cli
        .into_iter()
        .flat_map(|cli| cli.log.iter().enumerate().map(move |(at, it)| entry(cli.forgotten + at, it, lang)));
    let ahead = cli.into_iter().flat_map(|cli| &cli.ahead);
    let listed = candidates.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("  ");
    html! {
        <div class="console">
            { bar }
            <div class="screen" role="log" aria-label={fill(words.console_log, &[&id])} tabindex="0" ref={output}>
                if log == (0, 0, 0) { <p class="note">{ words.none_typed }</p> }
                { for entries }
                { for ahead.map(|line| html! { <p class="ahead">{ line.clone() }</p> }) }
            </div>
            <p class="hint" role="status">
                { if candidates.is_empty() { String::new() } else { fill(words.candidates, &[&listed]) } }
            </p>
            if busy {
                <div class="controls waiting">
                    <span role="status">
                        { words.console_waiting }{ " " }{ if model.playing { "" } else { words.time_stands } }
                    </span>
                    <button class="chip" onclick={stop}>{ words.stop_waiting }</button>
                </div>
            }
            <form class="line" onsubmit={submit}>
                <span class="prompt" aria-hidden="true">{ model.prompt.clone() }</span>
                <input ref={input} type="text" aria-label={words.console} placeholder={words.console_hint}
                    title={words.console_keys} autocomplete="off" autocapitalize="off" spellcheck="false"
                    onkeydown={keys} onpaste={pasted} />
            </form>
        </div>
    }
}

/// Of several lines that are pasted at once each is typed; a field of one line would glue them together.
fn pasted(engine: &Engine, id: ClientId) -> Callback<Event> {
    let engine = engine.clone();
    Callback::from(move |event: Event| {
        let (line, paste) = (event.target_dyn_into::<HtmlInputElement>(), event.dyn_ref::<ClipboardEvent>());
        let text = paste.and_then(|paste| paste.clipboard_data()?.get_data("text").ok()).unwrap_or_default();
        let (Some(input), Some((lines, rest))) = (line, text.rsplit_once('\n')) else { return };
        event.prevent_default();
        let typed = format!("{}{lines}", input.value());
        typed.lines().for_each(|line| engine.enter(id, line));
        input.set_value(rest);
    })
}

/// Keys in the line: none of them means anything to the page. Shift+Tab leaves, and so does Tab in an empty line.
fn keys(engine: &Engine, id: ClientId, candidates: UseStateHandle<Vec<String>>) -> Callback<KeyboardEvent> {
    let engine = engine.clone();
    Callback::from(move |event: KeyboardEvent| {
        event.stop_propagation();
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        let line = input.value();
        let history = |up: bool| {
            engine.at_consoles(|host, _| {
                let history = &mut host.cli(id).console.history;
                let found = if up { history.up(&line) } else { history.down() };
                if let Some(found) = found {
                    put(&input, found, found.len());
                }
            });
        };
        match event.key().as_str() {
            "ArrowUp" => history(true),
            "ArrowDown" => history(false),
            "Tab" if !event.shift_key() && !line.is_empty() => {
                let units = input.selection_start().ok().flatten().unwrap_or(u32::MAX);
                let cursor = bytes_before(&line, units);
                let found = completion(&engine, id, &line, cursor);
                let (text, at) = completed(&line, cursor, &found);
                put(&input, &text, at);
                candidates.set(if found.candidates.len() > 1 { found.candidates } else { Vec::new() });
            }
            "Escape" if line.is_empty() => {
                let _ = input.blur();
            }
            "Escape" => {
                input.set_value("");
                candidates.set(Vec::new());
            }
            _ => return,
        }
        event.prevent_default();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(start: usize, candidates: &[&str]) -> Completion {
        Completion { start, candidates: candidates.iter().map(|it| it.to_string()).collect() }
    }

    #[test]
    fn a_word_grows_as_far_as_there_is_no_choice() {
        assert_eq!(completed("cr", 2, &found(0, &["create"])), ("create ".into(), 7));
        assert_eq!(completed("g", 1, &found(0, &["get", "getAcl"])), ("get".into(), 3));
        assert_eq!(completed("get /a/b", 8, &found(7, &["bc"])), ("get /a/bc".into(), 9));
        assert_eq!(completed("get x", 5, &found(5, &[])), ("get x".into(), 5));
        assert_eq!(completed("l /a", 1, &found(0, &["ls"])), ("ls /a".into(), 2));
    }

    #[test]
    fn places_are_counted_as_a_browser_does() {
        assert_eq!(bytes_before("a中b", 2), 4);
        assert_eq!(bytes_before("😀x", 2), 4);
        assert_eq!(bytes_before("ab", u32::MAX), 2);
    }
}
