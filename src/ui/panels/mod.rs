//! The side: one panel at a time.

pub mod charts;
pub mod console;
pub mod inspect;
pub mod lists;
pub mod sessions;
pub mod side;
pub mod znodes;
