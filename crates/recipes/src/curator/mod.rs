//! A small Curator (5.4.0, or 5.9.0 by the setup's `curator`): connection states, retries, protected create, guaranteed delete, removal
//! of watches. What the recipes stand on.

mod circuit;
mod connection;
mod containers;
mod create;
mod delete;
mod instead;
mod mkdirs;
mod op;
mod pause;
mod retry;
pub(crate) mod state;
mod watching;

pub(crate) use connection::{AfterConnection, CONNECTION};
pub(crate) use containers::Containers;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use instead::Instead;
pub(crate) use op::Op;
pub(crate) use pause::Pause;
pub(crate) use retry::Retry;
pub(crate) use state::Curator;
pub use state::{ConnectionState, CuratorConfig, ErrorPolicy, RetryPolicy};
