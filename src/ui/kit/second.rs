//! The page's WebAssembly comes in two parts (docs/development.md): the first has what the first picture needs, the second all else.
//! Hardly any code knows of this: whoever calls a function that is not there yet fetches the second part on the way. What nobody
//! misses in the first moment asks [`use_there`] and appears when the second part has come.

use std::cell::{Cell, RefCell};

use wasm_bindgen::prelude::wasm_bindgen;
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Fetches the second part (static/start.js): after the first picture, or at once. `tools/split` finds the function by this name and
    /// calls it wherever a function of the second part is called too early.
    #[wasm_bindgen(js_name = secondPart)]
    pub(in crate::ui) fn fetch(at_once: bool);
}

thread_local! {
    static THERE: Cell<bool> = const { Cell::new(false) };
    static HEAR: RefCell<Vec<UseStateSetter<bool>>> = const { RefCell::new(Vec::new()) };
}

/// The script that loads the page's code says that all of it is there.
#[wasm_bindgen(js_name = secondCame)]
pub fn came() {
    THERE.set(true);
    for hears in HEAR.take() {
        hears.set(true);
    }
}

/// Whether all of the code is there.
pub(in crate::ui) fn is_there() -> bool {
    THERE.get()
}

/// Whether all of the code is there; a component that asks renders again when it has come.
#[hook]
pub(in crate::ui) fn use_there() -> bool {
    let there = use_state_eq(|| THERE.get());
    use_effect_with(there.setter(), |hears| {
        if THERE.get() {
            hears.set(true);
        } else {
            HEAR.with_borrow_mut(|all| all.push(hears.clone()));
        }
    });
    *there
}

/// What stands inside appears when all of the code is there: for what has nothing to show at first.
#[component]
pub(in crate::ui) fn Later(props: &yew::html::ChildrenProps) -> Html {
    if use_there() { props.children.clone() } else { Html::default() }
}
