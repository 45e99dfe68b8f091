//! Time in the hand: transport, timeline, marks of actions, undo, branches.

pub mod action_marks;
pub mod edit;
pub mod history;
pub mod timeline;
pub mod transport;
