//! The way in for a run of one's own: a file, a link or a run as text, a new one.

use wasm_bindgen::JsValue;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::base::limits::MAX_RUN_BYTES;
use crate::i18n::Lang;
use crate::i18n::page::{page, trouble_words};
use crate::share::OpenError;

use crate::ui::kit::promise::then;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};
use crate::ui::panels::recipe::open;
use crate::ui::remote::exchange::try_open;

/// What the gallery tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
}

/// Opens the file that was chosen; its size is looked at before it is read. What is wrong with it is said here.
fn from_file(context: &PageContext, input: &HtmlInputElement, lang: Lang, say: UseStateSetter<String>) {
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    // the same file can be chosen once more
    input.set_value("");
    if file.size() > MAX_RUN_BYTES as f64 {
        return say.set(trouble_words(lang, &OpenError::TooLong));
    }
    let (context, bad) = (context.clone(), say.clone());
    let read = move |text: JsValue| {
        if let Err(trouble) = try_open(&context, &text.as_string().unwrap_or_default(), lang) {
            say.set(trouble);
        }
    };
    then(&file.text(), read, move || bad.set(page(lang).share_unreadable.to_string()));
}

/// The section.
#[component]
pub(super) fn Own(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let (file, text) = (use_node_ref(), use_node_ref());
    let wrong = use_state(String::new);
    let ask = {
        let file = file.clone();
        move |_: MouseEvent| {
            file.cast::<HtmlInputElement>().inspect(|input| input.click());
        }
    };
    let chosen = {
        let (context, say) = (context.clone(), wrong.setter());
        move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                from_file(&context, &input, lang, say.clone());
            }
        }
    };
    let paste = {
        let (context, text, say) = (context.clone(), text.clone(), wrong.setter());
        move |event: SubmitEvent| {
            event.prevent_default();
            let pasted = text.cast::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default();
            say.set(try_open(&context, pasted.trim(), lang).err().unwrap_or_default());
        }
    };
    let opens = |over: Overlay| {
        let choose = context.choose.clone();
        move |_: MouseEvent| choose.dispatch(UiAction::Overlay(over))
    };
    let write = {
        let context = context.clone();
        move |_: MouseEvent| open(&context)
    };
    html! {
        <section class="own-run">
            <h3>{ words.gallery_own }</h3>
            <form onsubmit={paste}>
                <input ref={file} type="file" class="unseen" tabindex="-1" aria-hidden="true" onchange={chosen}
                    accept=".json,.txt,application/json,text/plain" />
                <button type="button" class="chip" onclick={ask}>{ words.gallery_file }</button>
                <button type="button" class="chip" onclick={opens(Overlay::NewRun)}>{ words.gallery_new }</button>
                <button type="button" class="chip" onclick={opens(Overlay::Disks)}>{ words.disks }</button>
                <button type="button" class="chip" onclick={write}>{ words.recipe_write }</button>
                <textarea ref={text} rows="2" aria-label={words.gallery_paste} placeholder={words.gallery_paste_hint}
                    spellcheck="false" />
                <button class="chip">{ words.gallery_paste_open }</button>
                <p class="wrong" role="alert">{ (*wrong).clone() }</p>
            </form>
        </section>
    }
}
