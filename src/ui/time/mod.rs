//! Time in the hand: transport, timeline, chapters, marks of actions, undo, branches.

pub mod action_marks;
pub mod chapters;
pub mod edit;
pub mod folds;
pub mod history;
pub mod line;
pub mod on_line;
pub mod scene;
pub mod timeline;
pub mod transport;
