//! What a worker calls (static/search.js), which has the same code as the page and searches with it. A worker's only search is kept
//! here: it has no page, and no engine.

// scripts call what is exported to them, which has to be public
#![allow(unreachable_pub)]

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::explore::{Question, Report, Search};

thread_local! {
    static SEARCH: RefCell<Option<Search>> = const { RefCell::new(None) };
}

/// Begins to search for the answer to a question ([`Question::to_json`]); what is wrong with it, if something is.
#[wasm_bindgen(js_name = searchFor)]
pub fn search_for(question: &str) -> Option<String> {
    match Question::from_json(question) {
        Ok(question) => {
            SEARCH.set(Some(Search::new(question)));
            None
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Goes on for about so many steps of runs; how the search goes ([`Report::to_json`]).
#[wasm_bindgen(js_name = searchOn)]
pub fn search_on(events: u32) -> String {
    SEARCH.with_borrow_mut(|search| {
        let Some(search) = search else { return String::new() };
        search.step(events.into());
        Report::of(search).to_json()
    })
}
