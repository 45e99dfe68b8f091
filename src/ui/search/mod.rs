//! The search for a run that reaches a goal: in a worker, or in slices where there is none.

mod hunt;
pub(super) mod worker;

pub(super) use hunt::{Hunt, Shown, Standing, worker_with_this_code};
