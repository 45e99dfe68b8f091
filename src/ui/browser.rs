//! What the page asks of the browser: window, preferences, listeners, styles set without style attributes.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, HtmlElement, Window};

use crate::i18n::Lang;

use super::state::Theme;

thread_local! {
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

/// Tells the document which language and theme it has.
pub(super) fn dress(lang: Lang, theme: Theme) {
    LANG.set(lang);
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", lang.code());
        let _ = root.set_attribute("data-theme", theme.name());
    }
}

/// The language that the document was dressed in.
pub(super) fn lang_of_page() -> Lang {
    LANG.get()
}

/// A listener on a target; it is taken off again when this is dropped.
pub(super) struct Listener {
    target: web_sys::EventTarget,
    kind: &'static str,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    pub fn new(
        target: &web_sys::EventTarget,
        kind: &'static str,
        heard: impl FnMut(web_sys::Event) + 'static,
    ) -> Listener {
        let closure = Closure::<dyn FnMut(web_sys::Event)>::new(heard);
        let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
        Listener { target: target.clone(), kind, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.kind, self.closure.as_ref().unchecked_ref());
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
