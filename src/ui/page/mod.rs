//! What every part of the page shares: what the user chose, in words too, the names of panels, how a dialog and a press behave.

pub mod controls;
pub mod dialog;
pub mod looks;
pub mod panel;
pub mod press;
pub mod state;
