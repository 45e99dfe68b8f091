//! What lies over the page.

pub(super) mod disks;
pub(super) mod help;
pub(super) mod home;
pub(super) mod locks;
pub(super) mod params;
mod recipes;
pub(super) mod share;
pub(super) mod slide;
