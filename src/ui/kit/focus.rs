//! The focus of what lies over the page, and what keys write into it.

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::browser::document;

/// What the Tab key stops at.
const WITH_FOCUS: &str = "button:not([tabindex='-1'], :disabled), input:not(:disabled), select, textarea, summary, a[href], [tabindex='0']";

/// Tab stays inside of what lies over the page: at its edge the focus goes round to the other one. Whether it did.
pub(in crate::ui) fn turn_round(root: &Element, back: bool) -> bool {
    let Ok(found) = root.query_selector_all(WITH_FOCUS) else {
        return false;
    };
    let element = |at: u32| found.get(at).and_then(|node| node.dyn_into::<HtmlElement>().ok());
    let (first, last) = (element(0), element(found.length().saturating_sub(1)));
    let (edge, other) = if back { (first, last) } else { (last, first) };
    let focus = document().active_element();
    let at_edge = edge.as_ref().is_some_and(|edge| focus.as_ref() == Some(edge.as_ref()));
    if at_edge && let Some(other) = other {
        let _ = other.focus();
    }
    at_edge
}

/// What has the focus, to get it back later. It may be a mark, which is drawn and no element of HTML, and takes the focus as one does.
pub(in crate::ui) fn focused() -> Option<HtmlElement> {
    document().active_element().map(Element::unchecked_into)
}

/// How long what a press changes takes to stand on the page, ms.
const SETTLED_MS: u32 = 100;

fn is_shown(element: &Element) -> bool {
    element.is_connected() && element.get_bounding_client_rect().width() > 0.0
}

/// A press may take away what it was made with: a notice that is closed, a lesson that is left, the view over time. The focus goes to the
/// nearest stop around it then, and else to the first of the stage; it would be on nothing, and the next Tab at the page's beginning.
pub(in crate::ui) fn keep() {
    let focus = document().active_element();
    let around: Vec<Element> = std::iter::successors(focus, |it| it.parent_element())
        .take_while(|it| !it.matches(".page").unwrap_or(true))
        .collect();
    // what a pointer pressed shows no ring, and its user looks for none on the stage
    let ringed = |it: &&Element| it.matches(":focus-visible").unwrap_or(false);
    let Some(pressed) = around.first().filter(ringed).cloned() else { return };
    Timeout::new(SETTLED_MS, move || {
        if is_shown(&pressed) || document().active_element().is_some_and(|it| it.tag_name() != "BODY") {
            return;
        }
        let stop = |around: &Element| {
            let stops = around.query_selector_all(WITH_FOCUS).ok()?;
            let all = (0..stops.length()).filter_map(|at| stops.get(at)?.dyn_into::<Element>().ok());
            all.into_iter().find(is_shown)
        };
        let stage = document().query_selector(".stage").ok().flatten();
        if let Some(found) = around.iter().chain(&stage).filter(|it| is_shown(it)).find_map(stop) {
            let _ = found.unchecked_into::<HtmlElement>().focus();
        }
    })
    .forget();
}

/// Whether a key writes a character, alone. Space is none: it presses what has the focus everywhere.
pub(in crate::ui) fn is_character(event: &KeyboardEvent) -> bool {
    let with = event.ctrl_key() || event.meta_key() || event.alt_key();
    !with && event.key().chars().count() == 1 && event.key() != " "
}
