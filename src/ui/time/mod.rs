//! Time in the hand: transport, timeline, chapters, marks of actions, undo, branches.

pub(super) mod action_marks;
pub(super) mod chapters;
pub(super) mod edit;
pub(super) mod folds;
pub(super) mod history;
pub(super) mod line;
pub(super) mod on_line;
pub(super) mod scene;
pub(super) mod timeline;
pub(super) mod transport;
