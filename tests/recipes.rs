//! Recipes over a simulated ensemble, scenario by scenario.

pub mod barriers;
pub mod broken;
pub mod client_versions;
pub mod counters;
pub mod election_support;
pub mod elections;
pub mod every_kind;
pub mod kazoo;
pub mod latch;
pub mod latch_races;
pub mod multi_lock;
pub mod mutex;
pub mod naive;
pub mod nodes;
pub mod properties;
pub mod queues;
pub mod read_write;
pub mod scripts;
pub mod selector;
pub mod semaphore;
pub mod support;
pub mod uses;
pub mod watching;
