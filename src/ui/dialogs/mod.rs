//! What lies over the page.

pub mod help;
pub mod locks;
pub mod params;
pub mod share;
pub mod slide;
