//! A finger that stays where it is: it opens the menu of what is under it, as a tap does where there is no packet in the way.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, MouseEvent, Node, PointerEvent};
use yew::prelude::*;

use crate::draw::Point;

use crate::ui::kit::browser::{Listener, document, window};
use crate::ui::page::state::{PageContext, Selection, UiAction};

/// How near a mouse must come to a packet, and a finger.
pub(in crate::ui) const MOUSE: f64 = 18.0;
pub(in crate::ui) const FINGER: f64 = 28.0;

/// How long a finger stays to be heard, ms.
const LONG_MS: u32 = 500;
/// How far it may tremble meanwhile, CSS pixels.
const STILL: f64 = 10.0;

thread_local! {
    /// A long press is being handed on as a click.
    static LONG: Cell<bool> = const { Cell::new(false) };
}

/// Whether the click that is heard is a long press: it wants a menu, whatever a short one does.
pub(in crate::ui) fn is_long() -> bool {
    LONG.get()
}

/// A finger that is down.
struct Finger {
    id: i32,
    at: Point,
    /// Runs until the press is a long one; gone with the finger.
    _waits: Timeout,
}

/// What is known of fingers.
#[derive(Default)]
struct Touch {
    finger: RefCell<Option<Finger>>,
    /// The last press was a long one: the browser's own click and menu that follow it mean nothing.
    was_long: Cell<bool>,
}

/// Hears long presses on the stage.
#[hook]
pub(in crate::ui) fn use_long_press(stage: &NodeRef, reach: &PageContext) {
    use_effect_with((stage.clone(), reach.clone()), |(stage, reach)| {
        let listeners = stage.cast::<HtmlElement>().map(|stage| listen(&stage, reach));
        move || drop(listeners)
    });
}

/// Components hear on the page's root, on an event's way down: what they must not hear is stopped at the window.
fn listen(stage: &HtmlElement, reach: &PageContext) -> Vec<Listener> {
    let touch = Rc::new(Touch::default());
    let on = |kind: &'static str, heard: fn(&Rc<Touch>, &HtmlElement, &PageContext, &PointerEvent)| {
        let (touch, element, reach) = (touch.clone(), stage.clone(), reach.clone());
        Listener::new(stage, kind, move |event| {
            if let Some(event) = event.dyn_ref::<PointerEvent>() {
                heard(&touch, &element, &reach, event);
            }
        })
    };
    let stops = |kind: &'static str| {
        let (touch, element) = (touch.clone(), stage.clone());
        Listener::first(&window(), kind, move |event| {
            let here = event.target().and_then(|target| target.dyn_into::<Node>().ok());
            // a click by key, or by this file, has no number
            let number = event.dyn_ref::<MouseEvent>().map_or(0, |event| event.detail());
            let by_hand = kind != "click" || number > 0;
            let long = touch.was_long.get() || touch.finger.borrow().is_some() && kind == "contextmenu";
            if long && by_hand && element.contains(here.as_ref()) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    };
    vec![
        on("pointerdown", down),
        on("pointermove", |touch, _, _, event| {
            let far = |finger: &Finger| finger.id == event.pointer_id() && finger.at.distance(point(event)) > STILL;
            if touch.finger.borrow().as_ref().is_some_and(far) {
                touch.finger.replace(None);
            }
        }),
        on("pointerup", |touch, _, _, _| drop(touch.finger.replace(None))),
        on("pointercancel", |touch, _, _, _| drop(touch.finger.replace(None))),
        stops("click"),
        stops("contextmenu"),
    ]
}

fn point(event: &PointerEvent) -> Point {
    Point::new(f64::from(event.client_x()), f64::from(event.client_y()))
}

fn down(touch: &Rc<Touch>, stage: &HtmlElement, reach: &PageContext, event: &PointerEvent) {
    touch.was_long.set(false);
    touch.finger.replace(None);
    // a second finger is no press
    if event.pointer_type() != "touch" || !event.is_primary() {
        return;
    }
    let at = point(event);
    let (kept, stage, reach) = (touch.clone(), stage.clone(), reach.clone());
    let waits = Timeout::new(LONG_MS, move || {
        if kept.finger.borrow().is_some() {
            kept.was_long.set(true);
            open(&stage, &reach, at);
        }
    });
    touch.finger.replace(Some(Finger { id: event.pointer_id(), at, _waits: waits }));
}

/// Opens the menu of what is there: a packet lies above links.
fn open(stage: &HtmlElement, reach: &PageContext, at: Point) {
    let under = document().element_from_point(at.x as f32, at.y as f32);
    let within = |selector: &str| under.as_ref().and_then(|under| under.closest(selector).ok().flatten());
    if within(".menu").is_some() {
        return;
    }
    let bounds = stage.get_bounding_client_rect();
    let packet = reach.engine.packet_at(Point::new(at.x - bounds.left(), at.y - bounds.top()), FINGER);
    match packet.filter(|_| within(".card, .client").is_none()) {
        Some(msg) => {
            reach.engine.change(|session| session.packet = Some(msg));
            reach.choose.dispatch(UiAction::Open(Selection::Packet(msg)));
        }
        None => {
            let button = within("[aria-haspopup=menu]").and_then(|button| button.dyn_into::<HtmlElement>().ok());
            if let Some(button) = button {
                LONG.set(true);
                button.click();
                LONG.set(false);
            }
        }
    }
}
