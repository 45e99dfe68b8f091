//! What every part of the page uses: the browser, hooks, icons, words, canvases.

pub mod browser;
pub mod canvas_surface;
pub mod choice;
pub mod doing;
pub mod focus;
pub mod palette;
pub mod plot;
pub mod promise;
pub mod rescue;
pub mod rule_options;
pub mod shapes;
pub mod tabs;
pub mod wear;
pub mod wording;
