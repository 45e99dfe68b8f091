//! Lessons, courses, bugs and prepared runs come when the first of them is opened: most visits open none.

use std::cell::RefCell;

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::promise::then;
use crate::story_files::{are_there, lay};

#[wasm_bindgen]
extern "C" {
    /// Their text (static/start.js, scripts/bundle-start.js).
    #[wasm_bindgen(catch, js_name = zabscopeStories)]
    fn stories() -> Result<Promise, JsValue>;
}

type Waiting = Box<dyn FnOnce(bool)>;

thread_local! {
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// Fetches them, unless they are there, and then tells whether they are. What does not come is asked for again the next time.
pub(in crate::ui) fn fetch(told: impl FnOnce(bool) + 'static) {
    if are_there() {
        return told(true);
    }
    let first = WAITING.with_borrow_mut(|waiting| {
        waiting.push(Box::new(told));
        waiting.len() == 1
    });
    if !first {
        return;
    }
    match stories() {
        Ok(coming) => then(&coming, |text| tell(text.as_string().is_some_and(|text| lay(&text))), || tell(false)),
        Err(_) => tell(false),
    }
}

fn tell(there: bool) {
    for told in WAITING.take() {
        told(there);
    }
}
