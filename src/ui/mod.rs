//! The page. The run and its world live in an `engine::Engine` beside the component tree; components hold only what
//! the user chose, and read slices of the session through `model::use_model`.

mod api;
mod app;
mod bar;
mod beside;
mod browser;
mod canvas_ink;
mod charts;
mod client_bar;
mod client_chip;
mod client_menu;
mod compare;
mod console;
mod deeds;
mod edit;
mod embed;
mod engine;
mod exchange;
mod gallery;
mod gesture;
mod hall;
mod hands;
mod help;
mod history;
mod inspect;
mod keys;
mod legend;
mod looks;
mod loom;
mod menu;
mod meters;
mod model;
mod naming;
mod narration;
mod nothing;
mod outline;
mod packet_menu;
mod palette;
mod panels;
mod params;
mod partition;
mod pictures;
mod plot;
mod press;
mod rescue;
mod second;
mod server_card;
mod sessions;
mod shapes;
mod share;
mod side;
mod spacetime;
mod stage;
mod state;
mod talk;
mod timeline;
mod transport;
mod weave_words;
mod welcome;
mod wording;
mod znodes;

/// Opens the page. The script that loads the page's code calls it, when it knows where the rest of the code is.
#[wasm_bindgen::prelude::wasm_bindgen(js_name = openPage)]
pub fn start() {
    rescue::hook_panics();
    yew::Renderer::<app::App>::new().render();
    second::fetch(false);
}
