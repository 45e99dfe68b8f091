//! The page. The run and its world live in an `engine::Engine` beside the component tree; components hold only what
//! the user chose, and read slices of the session through `model::use_model`.

mod app;
mod compare;
mod dialogs;
mod disks;
mod engine;
mod gallery;
mod kit;
mod lesson;
mod page;
mod panels;
mod pictures;
pub mod remote;
mod search;
mod spacetime;
mod stage;
#[cfg(all(test, feature = "ssr"))]
mod tests;
mod time;

/// Opens the page, with the lesson or rule that its address asks for: whoever then greets it finds that open. The script that loads the
/// page's code calls it.
#[wasm_bindgen::prelude::wasm_bindgen(js_name = openPage)]
pub fn start() {
    kit::rescue::hook_panics();
    let open = |_: bool| drop(yew::Renderer::<app::App>::new().render());
    match remote::address::read(&kit::browser::asked()).needs_stories() {
        true => kit::stories::fetch(open),
        false => open(true),
    }
}
