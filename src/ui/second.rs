//! The page's WebAssembly comes in two parts (docs/development.md): the first has what the first picture needs, the second all else. No
//! code knows of this but the loader: whoever calls a function that is not there yet fetches the second part on the way.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Fetches the second part (static/start.js): after the first picture, or at once. `tools/split` finds the function by this name and
    /// calls it wherever a function of the second part is called too early.
    #[wasm_bindgen(js_name = secondPart)]
    pub(super) fn fetch(at_once: bool);
}
