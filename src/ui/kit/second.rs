//! The page's WebAssembly comes in two parts (docs/development.md): the first has what the first picture needs, the second all else.
//! Hardly any code knows of this: whoever calls a function that is not there yet fetches the second part on the way. What nobody
//! misses in the first moment asks [`use_came`] and appears when the second part has come.

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
    static CAME: Cell<bool> = const { Cell::new(false) };
    static HEAR: RefCell<Vec<UseStateSetter<bool>>> = const { RefCell::new(Vec::new()) };
}

/// The script that loads the page's code says that all of it is there.
#[wasm_bindgen(js_name = secondCame)]
pub fn came() {
    CAME.set(true);
    for hears in HEAR.take() {
        hears.set(true);
    }
}

/// Whether all of the code is there. Only a page can be without some of it.
pub(in crate::ui) fn has_come() -> bool {
    CAME.get() || cfg!(not(target_family = "wasm"))
}

/// Whether all of the code is there; a component that asks renders again when it has come.
#[hook]
pub(in crate::ui) fn use_came() -> bool {
    let has_come = use_state_eq(|| CAME.get());
    use_effect_with(has_come.setter(), |hears| {
        if CAME.get() {
            hears.set(true);
        } else {
            HEAR.with_borrow_mut(|all| all.push(hears.clone()));
        }
    });
    *has_come
}

/// What stands inside appears when all of the code is there: for what has nothing to show at first.
#[component]
pub(in crate::ui) fn Later(props: &yew::html::ChildrenProps) -> Html {
    if use_came() { props.children.clone() } else { Html::default() }
}
