//! What every part of the page uses: the browser, hooks, icons, words, canvases.

pub(super) mod browser;
pub(super) mod canvas_surface;
pub(super) mod choice;
pub(super) mod doing;
pub(super) mod focus;
pub(super) mod palette;
pub(super) mod plot;
pub(super) mod promise;
pub(super) mod rescue;
pub(super) mod rule_options;
pub(super) mod shapes;
pub(super) mod stories;
pub(super) mod tabs;
pub(super) mod wear;
