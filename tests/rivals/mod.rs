//! What ZooKeeper is compared with.

mod redis_counts;
#[cfg(feature = "conform")]
mod redis_recorded;
mod redis_run;
mod redis_setup;
mod redis_soak;
