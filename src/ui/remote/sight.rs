//! What the browser alone knows of a page in a frame: how much of it is in sight, and how large it was when it is printed.

use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

use crate::ui::engine::{Engine, Hidden};
use crate::ui::kit::browser::{document, window};

/// How much of a frame somebody sees who looks at it.
const SEEN: f64 = 1.0 / 3.0;

/// Watches how much of the frame is in sight, through all pages around it and whatever origin they have. A frame that is not displayed has
/// nothing in sight; some browsers would play it at full rate.
pub(super) struct Sight {
    observer: Option<IntersectionObserver>,
    _told: Closure<dyn FnMut(js_sys::Array)>,
}

impl Sight {
    pub(super) fn of(engine: Engine) -> Sight {
        let told = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            if let Ok(entry) = entries.pop().dyn_into::<IntersectionObserverEntry>() {
                engine.hide(Hidden::Frame, !is_seen(&entry));
            }
        });
        let options = IntersectionObserverInit::new();
        let steps: js_sys::Array = (0..=24).map(|step| JsValue::from(f64::from(step) / 24.0)).collect();
        options.set_threshold(&steps);
        let observer = IntersectionObserver::new_with_options(told.as_ref().unchecked_ref(), &options).ok();
        if let (Some(observer), Some(root)) = (&observer, document().document_element()) {
            observer.observe(&root);
        }
        Sight { observer, _told: told }
    }
}

impl Drop for Sight {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Whether a third of the frame is in sight, or a third of the window is full of it, where the browser says how large that is.
fn is_seen(entry: &IntersectionObserverEntry) -> bool {
    let part = entry.intersection_rect();
    let area = part.width() * part.height();
    let window = entry.root_bounds().map_or(f64::INFINITY, |root| root.width() * root.height());
    entry.is_intersecting() && area > 0.0 && (entry.intersection_ratio() >= SEEN || area >= window * SEEN)
}

/// What is laid out for the screen is fitted to the paper by the style sheet, which needs to know how large that was.
pub(super) fn remember_size() {
    let root = document().document_element().and_then(|root| root.dyn_into::<HtmlElement>().ok());
    let pixels = |side: Result<JsValue, JsValue>| side.ok().and_then(|side| side.as_f64()).filter(|side| *side > 0.0);
    if let Some(root) = root {
        // a frame that is not displayed has no size: then it is printed as large as a slide
        for (name, side, slide) in
            [("--wide", window().inner_width(), 960.0), ("--high", window().inner_height(), 540.0)]
        {
            let _ = root.style().set_property(name, &format!("{}px", pixels(side).unwrap_or(slide)));
        }
    }
}
