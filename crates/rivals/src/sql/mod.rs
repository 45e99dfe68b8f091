//! SQL databases: MariaDB with InnoDB and PostgreSQL, their clients, and the locks that are built on them. What each part
//! follows stands in its file; `docs/rivals.md` tells what is left out.

pub mod client;
pub mod db;
pub mod engine;
pub mod fact;
mod grids;
mod judge;
pub mod locks;
pub mod log;
pub mod message;
pub mod op;
pub mod parse;
mod remark;
pub mod reply;
mod rows;
mod say;
pub mod server;
mod setup;
pub mod table;
mod token;
pub mod value;
pub mod write;

pub use judge::SqlJudge;
pub use setup::{Sql, SqlClient, SqlServer};
