//! The editor: a field for the text, over lines that are numbered, marked where clients stand and where something is wrong.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::base::ClientId;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::recipes::own::{At, MAX_PROGRAM_BYTES, indent_below};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::document;

use super::Model;

/// Puts a text where the cursor is, as if it had been typed, so that it can be undone; whether the browser does that.
fn type_in(text: &str) -> Option<bool> {
    let document = document();
    let command: Function = Reflect::get(&document, &"execCommand".into()).ok()?.dyn_into().ok()?;
    command.call3(&document, &"insertText".into(), &JsValue::FALSE, &text.into()).ok()?.as_bool()
}

/// Enter begins the next line where it will stand.
fn new_line(event: &KeyboardEvent) {
    let plain =
        !(event.shift_key() || event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing());
    let area = event.target_dyn_into::<HtmlTextAreaElement>().filter(|_| plain && event.key() == "Enter");
    let Some(area) = area else { return };
    let at = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    let before: Vec<u16> = area.value().encode_utf16().take(at).collect();
    let line = before.rsplit(|unit| *unit == u16::from(b'\n')).next().unwrap_or_default();
    let indent = indent_below(&String::from_utf16_lossy(line));
    if type_in(&format!("\n{:indent$}", "")) == Some(true) {
        event.prevent_default();
    }
}

/// How a line is marked at which clients stand, and their names; who is between two sections and has it stands nowhere.
pub(super) fn marks(places: &[(ClientId, At)], number: usize) -> (Classes, Html) {
    let here = || places.iter().filter(move |(_, place)| place.line == number);
    let class = classes!(here().next().map(|_| "at"), here().any(|(_, place)| place.holds).then_some("held"));
    let chip = |(client, place): &(ClientId, At)| {
        html! { <b key={client.0} class={place.holds.then_some("holds")}>{ client.to_string() }</b> }
    };
    (class, here().map(chip).collect())
}

/// The editor; `wrong` is the line in which something is wrong.
pub(super) fn editor(engine: &Engine, model: &Model, wrong: Option<usize>, lang: Lang) -> Html {
    let typed = {
        let engine = engine.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() {
                engine.write_recipe(&area.value());
            }
        })
    };
    let places = model.shown_places();
    let line = |(at, text): (usize, &str)| {
        let number = at + 1;
        let (marked, chips) = marks(places, number);
        let class = classes!(marked, (wrong == Some(number)).then_some("off"));
        html! { <li key={at} {class}><i>{ number }</i><span>{ text.to_string() }</span>{ chips }</li> }
    };
    html! {
        <div class="recipe-text">
            <div class="recipe-lines">
                <ol aria-hidden="true">{ for model.text.split('\n').enumerate().map(line) }</ol>
                <textarea aria-label={page(lang).recipe_program} aria-invalid={wrong.is_some().to_string()} spellcheck="false"
                    autocapitalize="off" autocomplete="off" maxlength={MAX_PROGRAM_BYTES.to_string()}
                    value={model.text.to_string()} oninput={typed} onkeydown={|event: KeyboardEvent| new_line(&event)} />
            </div>
        </div>
    }
}
