//! What the page asks of the browser: window, preferences, listeners, styles set without style attributes.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, HtmlElement, Window};

use crate::i18n::{Lang, error_words, page};
use crate::sim::RunError;

use super::state::Theme;

thread_local! {
    static SEED: Cell<u64> = const { Cell::new(0) };
    static LANG: Cell<Lang> = const { Cell::new(Lang::En) };
}

pub(super) fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub(super) fn document() -> Document {
    window().document().expect("a window has a document")
}

/// The first language of the browser that the page speaks.
pub(super) fn preferred_lang() -> Lang {
    let tags = window().navigator().languages();
    tags.iter().filter_map(|tag| tag.as_string()).find_map(|tag| Lang::from_tag(&tag)).unwrap_or_default()
}

/// The theme of the system.
pub(super) fn preferred_theme() -> Theme {
    let dark = window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|m| m.matches());
    if dark { Theme::Dark } else { Theme::Light }
}

/// Whether somebody asks for less motion.
pub(super) fn reduced_motion() -> bool {
    thread_local! {
        static ASKED: Option<web_sys::MediaQueryList> =
            window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    }
    ASKED.with(|asked| asked.as_ref().is_some_and(web_sys::MediaQueryList::matches))
}

/// Tells the document which language and theme it has.
pub(super) fn dress(lang: Lang, theme: Theme, lecture: bool) {
    LANG.set(lang);
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", lang.code());
        let _ = root.set_attribute("data-theme", theme.name());
        let contrast = if lecture || wants_contrast() { "high" } else { "usual" };
        let _ = root.set_attribute("data-contrast", contrast);
        let _ = root.set_attribute("data-hall", if lecture { "yes" } else { "no" });
    }
}

/// Whether the system asks for more contrast.
fn wants_contrast() -> bool {
    window().match_media("(prefers-contrast: more)").ok().flatten().is_some_and(|m| m.matches())
}

/// The language that the document was dressed in.
pub(super) fn lang_of_page() -> Lang {
    LANG.get()
}

/// Why something was refused, in the page's language.
pub(super) fn wrong_words(error: &RunError) -> String {
    error_words(LANG.get(), error)
}

/// Remembers what a report of a panic should name.
pub(super) fn remember_seed(seed: u64) {
    SEED.set(seed);
}

/// A listener on a target; it is taken off again when this is dropped.
pub(super) struct Listener {
    target: web_sys::EventTarget,
    kind: &'static str,
    capture: bool,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    pub fn new(
        target: &web_sys::EventTarget,
        kind: &'static str,
        heard: impl FnMut(web_sys::Event) + 'static,
    ) -> Listener {
        Listener::hear(target, kind, false, heard)
    }

    /// One that hears before all others, the components' own too, if it is the window's.
    pub fn first(
        target: &web_sys::EventTarget,
        kind: &'static str,
        heard: impl FnMut(web_sys::Event) + 'static,
    ) -> Listener {
        Listener::hear(target, kind, true, heard)
    }

    fn hear(
        target: &web_sys::EventTarget,
        kind: &'static str,
        capture: bool,
        heard: impl FnMut(web_sys::Event) + 'static,
    ) -> Listener {
        let closure = Closure::<dyn FnMut(web_sys::Event)>::new(heard);
        let heard = closure.as_ref().unchecked_ref();
        let _ = target.add_event_listener_with_callback_and_bool(kind, heard, capture);
        Listener { target: target.clone(), kind, capture, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let heard = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback_and_bool(self.kind, heard, self.capture);
    }
}

/// Puts an element at a place of its parent, by the style object: a strict policy forbids style attributes, not this.
pub(super) fn place(element: &Element, left: f64, top: f64, width: Option<f64>, height: Option<f64>) {
    let Some(element) = element.dyn_ref::<HtmlElement>() else { return };
    let style = element.style();
    let _ = style.set_property("left", &format!("{left:.1}px"));
    let _ = style.set_property("top", &format!("{top:.1}px"));
    for (name, value) in [("width", width), ("height", height)] {
        if let Some(value) = value {
            let _ = style.set_property(name, &format!("{value:.1}px"));
        }
    }
}

/// A panic leaves a sentence and a way on, not a dead page.
pub(super) fn hook_panics() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
        show_panic(&info.to_string());
    }));
}

fn show_panic(what: &str) {
    let Some(body) = web_sys::window().and_then(|w| w.document()).and_then(|d| d.body()) else { return };
    let Some(document) = body.owner_document() else { return };
    let words = page::page(LANG.get());
    let make = |name: &str, text: &str| -> Option<Element> {
        let element = document.create_element(name).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let Some(alert) = make("div", "") else { return };
    let _ = alert.set_attribute("role", "alert");
    let _ = alert.set_attribute("class", "panic");
    let said = page::fill(words.panic_text, &[&SEED.get()]);
    let parts = [make("h2", words.panic_title), make("p", &said), make("pre", what)];
    for part in parts.into_iter().flatten() {
        let _ = alert.append_child(&part);
    }
    if let Some(again) = make("a", words.reload) {
        let _ = again.set_attribute("href", "./");
        let _ = alert.append_child(&again);
    }
    let _ = body.append_child(&alert);
}
