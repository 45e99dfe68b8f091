//! What the page hands to `static/rescue.js`, which lives outside of its WebAssembly: the runs on the stage, so that they can be saved
//! when a mistake of ours stops everything.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::sim::{Action, Run};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue, js_name = keep)]
    fn hand_over(side: u32, head: &str, actions: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue, js_name = alone)]
    fn leave_alone() -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue)]
    fn speak(words: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue, js_name = at)]
    fn stands_at(us: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue, js_name = about)]
    fn about_to(action: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = zabscopeRescue)]
    fn stopped(message: &str) -> Result<(), JsValue>;
}

thread_local! {
    /// The runs that were handed over last.
    static KEPT: RefCell<[Option<Rc<Run>>; 2]> = const { RefCell::new([None, None]) };
}

/// A panic is told to the console and to the page outside.
pub(in crate::ui) fn hook_panics() {
    // otherwise the renderer would put its own in the place of any other
    yew::set_custom_panic_hook(Box::new(|info| {
        let what = info.to_string();
        web_sys::console::error_1(&what.as_str().into());
        let _ = stopped(&what);
    }));
}

/// What will be said in the page's language.
pub(in crate::ui) fn learn(lang: Lang) {
    let words = page(lang);
    let words = json!({
        "lang": lang.code(), "title": words.rescue_title, "text": words.rescue_text, "died": words.rescue_died_here,
        "save": words.rescue_save, "fresh": words.rescue_new, "again": words.rescue_again,
    });
    let _ = speak(&words.to_string());
}

/// Hands over what has changed of the runs on the stage. Where nothing has, this costs next to nothing.
pub(in crate::ui) fn keep(cursor_us: f64, runs: [Option<Rc<Run>>; 2]) {
    let _ = stands_at(cursor_us);
    KEPT.with_borrow_mut(|kept| {
        for (side, (before, now)) in kept.iter_mut().zip(runs).enumerate() {
            match (&before, &now) {
                (Some(before), Some(now)) if Rc::ptr_eq(before, now) => continue,
                (before, Some(now)) => hand(side as u32, before.as_deref(), now),
                (Some(_), None) => drop(leave_alone()),
                (None, None) => {}
            }
            *before = now;
        }
    });
}

/// The actions that were added, or the whole run where it differs otherwise.
fn hand(side: u32, before: Option<&Run>, now: &Run) {
    let same = |before: &&Run| {
        (before.version, before.seed, &before.setup) == (now.version, now.seed, &now.setup)
            && now.actions.starts_with(&before.actions)
    };
    let known = before.filter(same).map(|before| before.actions.len());
    let added = &now.actions[known.unwrap_or(0)..];
    if known.is_some() && added.is_empty() {
        return;
    }
    let list = serde_json::to_string(added).unwrap_or_default();
    let list = list.trim_start_matches('[').trim_end_matches(']');
    let head = match known {
        Some(_) => String::new(),
        None => {
            let bare = Run { actions: Vec::new(), ..now.clone() };
            serde_json::to_string(&bare).unwrap_or_default().trim_end_matches("]}").to_string()
        }
    };
    let _ = hand_over(side, &head, list);
}

/// An action is about to be done.
pub(in crate::ui) fn about(action: &Action) {
    let _ = about_to(&serde_json::to_string(action).unwrap_or_default());
}

/// It was refused: nothing has changed.
pub(in crate::ui) fn about_nothing() {
    let _ = about_to("");
}

/// Stops the page on purpose, so that one can see what it does then: `zabscope.panic(how)`. Whether it knows how; `change` panics in
/// the middle of a change, as a mistake in the core would.
pub(in crate::ui) fn die(change: impl FnOnce() -> bool, how: &str) -> bool {
    match how {
        "panic" => change(),
        #[cfg(target_arch = "wasm32")]
        "trap" => core::arch::wasm32::unreachable(),
        "stack" => deeper(&[0; 64]) > 0,
        _ => false,
    }
}

/// Calls itself until there is no stack left.
#[allow(unconditional_recursion, reason = "that is what it is for")]
fn deeper(above: &[u8; 64]) -> u8 {
    let here = std::hint::black_box([above[0].wrapping_add(1); 64]);
    deeper(&here).wrapping_add(std::hint::black_box(here[1]))
}
