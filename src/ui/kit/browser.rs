//! What the page asks of the browser: window, preferences, listeners, styles set without style attributes.

use std::cell::Cell;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Document, Element, HtmlElement, Window};
use yew::prelude::*;

use crate::i18n::{Lang, error_words};
use crate::sim::RunError;

use crate::draw::Point;
use crate::draw::surface::number;
use crate::ui::kit::wear::Theme;
use crate::ui::kit::wear::Wear;

thread_local! {
    static LANG: Cell<Lang> = const { Cell::new(Lang::En) };
}

pub(in crate::ui) fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub(in crate::ui) fn document() -> Document {
    window().document().expect("a window has a document")
}

/// Whether the page is an object in memory, as where it came inside a package: it has no folder and no server, and its address takes no query.
pub(in crate::ui) fn is_blob() -> bool {
    // natively there is no address
    cfg!(target_arch = "wasm32") && window().location().protocol().is_ok_and(|protocol| protocol == "blob:")
}

/// What the page is asked for, as in `?scenario=…`: by its address, or, where that takes none, by the name of its frame.
pub(in crate::ui) fn asked() -> String {
    let asked = if is_blob() { window().name() } else { window().location().search() };
    asked.unwrap_or_default()
}

/// The clock by which frames come, ms.
pub(in crate::ui) fn now_ms() -> u64 {
    // natively nobody looks at a clock
    let clock = if cfg!(target_arch = "wasm32") { window().performance() } else { None };
    clock.map_or(0, |clock| clock.now() as u64)
}

/// The first language of the browser that the page speaks.
pub(in crate::ui) fn preferred_lang() -> Lang {
    let tags = window().navigator().languages();
    tags.iter().filter_map(|tag| tag.as_string()).find_map(|tag| Lang::from_tag(&tag)).unwrap_or_default()
}

/// The theme of the system.
pub(in crate::ui) fn preferred_theme() -> Theme {
    let dark = window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|m| m.matches());
    if dark { Theme::Dark } else { Theme::Light }
}

/// Whether somebody asks for less motion.
pub(in crate::ui) fn reduced_motion() -> bool {
    thread_local! {
        static ASKED: Option<web_sys::MediaQueryList> =
            window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    }
    ASKED.with(|asked| asked.as_ref().is_some_and(web_sys::MediaQueryList::matches))
}

/// Tells the document which language and theme it has.
pub(in crate::ui) fn dress(lang: Lang, wear: Wear) {
    let Wear { theme, lecture, contrast } = wear;
    LANG.set(lang);
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", lang.code());
        let _ = root.set_attribute("data-theme", theme.name());
        let contrast = if lecture || contrast { "high" } else { "usual" };
        let _ = root.set_attribute("data-contrast", contrast);
        let _ = root.set_attribute("data-hall", if lecture { "yes" } else { "no" });
    }
}

/// Whether a query of the system's wishes holds, now and whenever that changes.
#[hook]
pub(in crate::ui) fn use_media(query: &'static str) -> bool {
    let query = use_memo((), |()| window().match_media(query).ok().flatten());
    let asked = use_state_eq(|| query.as_ref().as_ref().is_some_and(web_sys::MediaQueryList::matches));
    use_effect_with((), {
        let asked = asked.setter();
        move |()| {
            let listener = query.as_ref().clone().map(|query| {
                let now = query.clone();
                Listener::new(&query, "change", move |_| asked.set(now.matches()))
            });
            move || drop(listener)
        }
    });
    *asked
}

/// The language that the document was dressed in.
pub(in crate::ui) fn lang_of_page() -> Lang {
    LANG.get()
}

/// Why something was refused, in the page's language.
pub(in crate::ui) fn wrong_words(error: &RunError) -> String {
    error_words(LANG.get(), error)
}

/// A listener on a target; it is taken off again when this is dropped.
pub(in crate::ui) struct Listener {
    target: web_sys::EventTarget,
    kind: &'static str,
    capture: bool,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    pub(crate) fn new(
        target: &web_sys::EventTarget,
        kind: &'static str,
        heard: impl FnMut(web_sys::Event) + 'static,
    ) -> Listener {
        Listener::hear(target, kind, false, heard)
    }

    /// One that hears before all others, the components' own too, if it is the window's.
    pub(crate) fn first(
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
pub(in crate::ui) fn place(element: &Element, left: f64, top: f64, width: Option<f64>, height: Option<f64>) {
    let Some(element) = element.dyn_ref::<HtmlElement>() else { return };
    let style = element.style();
    let _ = style.set_property("left", &(number(left) + "px"));
    let _ = style.set_property("top", &(number(top) + "px"));
    for (name, value) in [("width", width), ("height", height)] {
        if let Some(value) = value {
            let _ = style.set_property(name, &(number(value) + "px"));
        }
    }
}

/// Where on the stage an event happened.
pub(in crate::ui) fn point_on(stage: &NodeRef, x: i32, y: i32) -> Point {
    let bounds = stage.cast::<HtmlElement>().map(|stage| stage.get_bounding_client_rect());
    let (left, top) = bounds.map_or((0.0, 0.0), |b| (b.left(), b.top()));
    Point::new(f64::from(x) - left, f64::from(y) - top)
}
