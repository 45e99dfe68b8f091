//! The words that tests look for, from the page's own tables: a new wording needs no new test.
//!
//! What is filled in is kept for ever, so that it can stand wherever a name can.

use std::fmt::Display;

use zabscope::i18n::Lang;
use zabscope::i18n::page::{self, Page};

/// The page's words in English.
pub fn en() -> &'static Page {
    of(Lang::En)
}

/// The page's words in this language.
pub fn of(lang: Lang) -> &'static Page {
    page::page(lang)
}

/// A text with its places filled.
pub fn fill(text: &str, values: &[&dyn Display]) -> &'static str {
    page::fill(text, values).leak()
}

/// How a text begins: up to the last of the values; without values, up to its first place.
pub fn start(text: &str, values: &[&dyn Display]) -> &'static str {
    let end = match values.len() {
        0 => text.find("{}"),
        count => text.match_indices("{}").nth(count - 1).map(|(at, place)| at + place.len()),
    };
    fill(&text[..end.unwrap_or(text.len())], values)
}

/// The name of what begins so.
pub fn begin(text: &str, values: &[&dyn Display]) -> &'static str {
    format!("{}…", start(text, values)).leak()
}

/// What stands after the `nth` place of a text (from 1), up to the next.
pub fn piece(text: &str, nth: usize) -> &str {
    text.split("{}").nth(nth).expect("so many places")
}

/// The words of one entry of a list.
pub fn listed(list: &[(&str, &'static str)], name: &str) -> &'static str {
    list.iter().find(|(known, _)| *known == name).expect("an entry of the list").1
}

/// The card of a server, whatever its epoch.
pub fn server(id: &str, role: &str) -> &'static str {
    begin(en().server_label, &[&id, &role])
}

/// The role of a server that is paused.
pub fn paused(role: &str) -> &'static str {
    format!("{role}, {}", en().server_paused).leak()
}

/// A link in this state.
pub fn link(a: &str, b: &str, state: &str) -> &'static str {
    fill(en().link_label, &[&a, &b, &state])
}

/// A client in this state, wherever it is.
pub fn client(id: &str, state: &str) -> &'static str {
    begin(en().client_label, &[&id, &state])
}

/// What a scenario is called, and what it shows.
pub fn scenario(id: &str) -> (&'static str, &'static str) {
    page::scenario_words(Lang::En, id).expect("a scenario of the table")
}
