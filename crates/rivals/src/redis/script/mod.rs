//! Scripts (`script_lua.c`): a small Lua, as much as lock scripts are written in. Numbers are whole; time stands still while a script
//! runs. A script runs at once; how long its empty loops would keep the thread of commands is counted beside it.

mod lexer;
mod named;
mod parser;
mod run;
mod value;

pub use named::NAMED_SCRIPTS;
pub(super) use named::{sha1, source_of};
pub(super) use parser::{Block, parse};
pub(super) use run::{Outcome, run};
