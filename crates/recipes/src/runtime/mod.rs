//! What programs run on: threads as stacks of frames, objects, what both may do, what they state.

pub(crate) mod app;
pub(crate) mod context;
pub(crate) mod fact;
pub(crate) mod io;
pub(crate) mod recipe;
pub(crate) mod thread;
pub(crate) mod thread_id;
pub(crate) mod value;
