//! Tabs as screen readers know them: one stop of the Tab key, and arrow keys from one to the next.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Arrow keys, Home and End go from tab to tab; the page must not take them for steps of the run.
pub(in crate::ui) fn walk_tabs() -> Callback<KeyboardEvent> {
    Callback::from(|event: KeyboardEvent| {
        let Some(tab) = event.target_dyn_into::<Element>() else { return };
        let Some(list) = tab.parent_element() else { return };
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => tab.next_element_sibling().or_else(|| list.first_element_child()),
            "ArrowLeft" | "ArrowUp" => tab.previous_element_sibling().or_else(|| list.last_element_child()),
            "Home" => list.first_element_child(),
            "End" => list.last_element_child(),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
            let _ = next.focus();
            next.click();
        }
    })
}

/// A tab; `panel` is the id of what it shows.
pub(in crate::ui) fn tab(word: &'static str, on: bool, panel: &'static str, choose: Callback<MouseEvent>) -> Html {
    html! {
        <button key={word} role="tab" class={on.then_some("on")} aria-selected={on.to_string()} aria-controls={panel}
            tabindex={if on { "0" } else { "-1" }} onclick={choose}>{ word }</button>
    }
}
