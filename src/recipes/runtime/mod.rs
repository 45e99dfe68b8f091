//! What programs run on: threads as stacks of frames, objects, what both may do, what they state.

pub(in crate::recipes) mod app;
pub(in crate::recipes) mod context;
pub(in crate::recipes) mod fact;
pub(in crate::recipes) mod io;
pub(in crate::recipes) mod recipe;
pub(in crate::recipes) mod thread;
pub(in crate::recipes) mod thread_id;
pub(in crate::recipes) mod value;
