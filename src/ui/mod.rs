//! The page. The run and its world live in an `engine::Engine` beside the component tree; components hold only what
//! the user chose, and read slices of the session through `model::use_model`.

mod api;
mod app;
mod bar;
mod beside;
mod browser;
mod canvas_ink;
mod chart;
mod client_bar;
mod client_chip;
mod client_menu;
mod compare;
mod console;
mod deeds;
mod desk;
mod edit;
mod embed;
mod engine;
mod exchange;
mod gesture;
mod hands;
mod help;
mod history;
mod inspect;
mod keys;
mod looks;
mod loom;
mod menu;
mod meters;
mod model;
mod narration;
mod packet_menu;
mod palette;
mod panels;
mod params;
mod partition;
mod pictures;
mod plot;
mod rescue;
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
mod wording;
mod znodes;

/// Opens the page.
pub fn start() {
    rescue::hook_panics();
    yew::Renderer::<app::App>::new().render();
}
