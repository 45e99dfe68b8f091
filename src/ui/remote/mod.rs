//! The page and the rest of the world: its address, scripts, the page around it, clipboard and files.

pub mod address;
pub(in crate::ui) mod api;
pub(in crate::ui) mod embed;
pub(in crate::ui) mod exchange;
mod find;
pub(in crate::ui) mod lesson;
pub mod lesson_input;
pub(in crate::ui) mod live;
pub mod messages;
pub(in crate::ui) mod presenter;
mod sight;
pub(in crate::ui) mod talk;
