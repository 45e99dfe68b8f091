//! The editor: a field for the text, over lines that are numbered, marked where clients stand and where something is wrong.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::base::ClientId;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::recipes::own::{At, MAX_PROGRAM_BYTES};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::document;

use super::Model;

/// Lines that end a block, and words that begin one.
const ENDS: [&str; 8] = ["hold", "hold shared", "lead", "stop", "return", "give up", "again", "start over"];
const BEGINS: [&str; 4] = ["if ", "else", "repeat", "on "];
/// A block stands so far to the right of what is above it.
const STEP: usize = 2;

/// How far to the right the line below this one stands, as a rule.
fn indent_below(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let (indent, text) = (line.len() - text.len(), text.trim_end());
    let begins = indent == 0 && !text.is_empty() && !text.starts_with('#');
    if begins || BEGINS.iter().any(|word| text.starts_with(word)) {
        indent + STEP
    } else if ENDS.contains(&text) || text.starts_with("return ") {
        indent.saturating_sub(STEP)
    } else {
        indent
    }
}

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
    let places: &[(ClientId, At)] = if model.is_shown() { &model.places } else { &[] };
    let line = |(at, text): (usize, &str)| {
        let number = at + 1;
        // who is between two sections and has it stands nowhere
        let here = || places.iter().filter(move |(_, place)| place.line == number);
        let class = classes!(
            here().next().map(|_| "at"),
            here().any(|(_, place)| place.holds).then_some("held"),
            (wrong == Some(number)).then_some("off")
        );
        let chip = |(client, place): &(ClientId, At)| {
            html! { <b key={client.0} class={place.holds.then_some("holds")}>{ client.to_string() }</b> }
        };
        html! { <li key={at} {class}><i>{ number }</i><span>{ text.to_string() }</span>{ for here().map(chip) }</li> }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_line_stands_where_it_belongs_as_a_rule() {
        for (line, indent) in [
            ("acquire", 2),
            ("on session lost  # at last", 2),
            ("# a comment", 0),
            ("", 0),
            ("  me = create /lock", 2),
            ("  repeat 3 times", 4),
            ("    if me is first in all", 6),
            ("    else", 6),
            ("    on connection loss", 6),
            ("      hold", 4),
            ("  return data", 0),
            ("    wait", 4),
        ] {
            assert_eq!(indent_below(line), indent, "{line}");
        }
    }
}
