//! A small Curator (5.4.0): connection states, retries, protected create, guaranteed delete, removal of watches. What the
//! recipes stand on.

mod circuit;
mod connection;
mod containers;
mod create;
mod delete;
mod instead;
mod op;
mod pause;
mod retry;
pub(in crate::recipes) mod state;
mod watching;

pub(in crate::recipes) use connection::{AfterConnection, CONNECTION};
pub(in crate::recipes) use containers::Containers;
pub(in crate::recipes) use create::Create;
pub(in crate::recipes) use delete::Delete;
pub(in crate::recipes) use instead::Instead;
pub(in crate::recipes) use op::Op;
pub(in crate::recipes) use pause::Pause;
pub(in crate::recipes) use retry::Retry;
pub(in crate::recipes) use state::Curator;
pub use state::{ConnectionState, CuratorConfig, ErrorPolicy, RetryPolicy};
