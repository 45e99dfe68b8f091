//! Disks of real servers: dropped or chosen, and read in a worker. Nothing of them leaves the browser.

mod messages;
mod reading;
mod taking;
pub(super) mod worker;

pub(super) use reading::{Known, Named, Reading, Stage};
pub(super) use taking::{beside, chosen, dropped};

/// By whose rules servers start unless somebody chooses.
pub(super) const ZOOKEEPER: &str = "3.9";
