//! The properties of ZAB, and the promises to clients, as readers of facts: none of them looks into a world or a protocol machine, so that
//! the page, the command line and the soak watch the same thing.
//!
//! [`PROPERTIES`] lists them; each has a file under `properties`. A [`Checker`] reads the records of a run in order.
//! What they share is a `Witness`: a tree of all histories and where each server stands in it.

mod checker;
mod evidence;
mod history;
mod known;
mod occasions;
mod properties;
mod second;
mod systems;
#[cfg(test)]
mod testkit;
mod witness;

pub use checker::{Checker, State, Violation};
pub use evidence::{Breach, Evidence, Missing, Misuse, Unfit};
pub use known::known;
pub use properties::{LIVENESS, PROPERTIES, Property, RECIPE_LIVENESS, property};
pub use second::{Judge, SECOND_STORE, SecondStore};
pub use systems::system_property;
pub use witness::{AppView, Double, Hold, StaleSync, Who};
