//! Hooks of the charts: not more often than one can look, and as wide as there is room.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::Element;
use yew::prelude::*;

use crate::ui::kit::browser::{Listener, window};

/// The newest of what changes often, but no more than one in so many milliseconds; the last one always comes.
#[hook]
pub(super) fn use_slow<T: PartialEq + 'static>(newest: Rc<T>, every_ms: f64) -> Rc<T> {
    let shown = use_state_eq(|| newest.clone());
    let last = use_mut_ref(|| 0.0f64);
    let timer = use_mut_ref(|| None::<Timeout>);
    use_effect_with(newest, {
        let shown = shown.setter();
        move |newest: &Rc<T>| {
            let now = js_sys::Date::now();
            let left = *last.borrow() + every_ms - now;
            let show = {
                let (newest, last, shown) = (newest.clone(), last.clone(), shown.clone());
                move || {
                    *last.borrow_mut() = js_sys::Date::now();
                    shown.set(newest);
                }
            };
            // one that waits is replaced by this one, at the time at which it would have come
            let waiting: Rc<RefCell<Option<Timeout>>> = timer.clone();
            *waiting.borrow_mut() = if left <= 0.0 || left > every_ms {
                show();
                None
            } else {
                Some(Timeout::new(left.ceil() as u32, show))
            };
        }
    });
    (*shown).clone()
}

/// How wide an element is, and how many pixels of the screen there are in one of CSS.
#[hook]
pub(super) fn use_place(node: &NodeRef) -> (f64, f64) {
    let place = use_state_eq(|| (0.0, 1.0));
    use_effect_with(node.clone(), {
        let place = place.setter();
        move |node: &NodeRef| {
            let element = node.cast::<Element>();
            let measure = {
                let element = element.clone();
                Rc::new(move || {
                    let width = element.as_ref().map_or(0, Element::client_width);
                    place.set((f64::from(width), window().device_pixel_ratio()));
                })
            };
            measure();
            let for_observer = measure.clone();
            let seen = Closure::<dyn FnMut()>::new(move || for_observer());
            let observer = web_sys::ResizeObserver::new(seen.as_ref().unchecked_ref()).ok();
            if let Some((observer, element)) = observer.as_ref().zip(element) {
                observer.observe(&element);
            }
            // another screen, another zoom: the same width, other pixels
            let zoomed = Listener::new(&window(), "resize", move |_| measure());
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                drop((seen, zoomed));
            }
        }
    });
    *place
}
