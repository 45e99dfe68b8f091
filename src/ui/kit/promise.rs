//! What the browser promises, and the clipboard.

use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, HtmlInputElement};

use super::browser::{document, window};

/// Does one of two things when a promise is kept or broken.
pub(in crate::ui) fn then(promise: &Promise, kept: impl FnOnce(JsValue) + 'static, broken: impl FnOnce() + 'static) {
    let kept = Closure::once_into_js(kept);
    let broken = Closure::once_into_js(move |_: JsValue| broken());
    let then = Reflect::get(promise, &"then".into()).ok().and_then(|then| then.dyn_into::<Function>().ok());
    if let Some(then) = then {
        let _ = then.call2(promise, &kept, &broken);
    }
}

/// Copies a text; afterwards `done` hears whether that was allowed. `field` shows the text: where there is no clipboard it is
/// selected, so that the reader can copy it by hand.
pub(in crate::ui) fn copy(text: &str, field: Option<HtmlElement>, done: impl Fn(bool) + 'static) {
    let by_hand = move || {
        let Some(field) = field else { return false };
        let _ = field.focus();
        // a text area has the same method
        field.unchecked_ref::<HtmlInputElement>().select();
        let command = Reflect::get(&document(), &"execCommand".into()).ok();
        let command = command.and_then(|command| command.dyn_into::<Function>().ok());
        let copied = command.and_then(|command| command.call1(&document(), &"copy".into()).ok());
        copied.is_some_and(|copied| copied.is_truthy())
    };
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).unwrap_or_default();
    let write =
        Reflect::get(&clipboard, &"writeText".into()).ok().and_then(|write| write.dyn_into::<Function>().ok());
    let promise = write.and_then(|write| write.call1(&clipboard, &text.into()).ok());
    match promise.and_then(|promise| promise.dyn_into::<Promise>().ok()) {
        Some(promise) => {
            let done = Rc::new(done);
            let instead = done.clone();
            then(&promise, move |_| done(true), move || instead(by_hand()));
        }
        None => done(by_hand()),
    }
}
