//! What every part of the page shares: what the user chose, in words too, the names of panels, how a dialog and a press behave.

pub(super) mod controls;
pub(super) mod dialog;
pub(super) mod looks;
pub(super) mod panel;
pub(super) mod press;
pub(super) mod state;
