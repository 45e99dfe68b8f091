//! The console against lines, answers, and lines that nobody would type.

mod bytes;
mod completing;
mod fuzz;
mod hosting;
mod parsing;
mod talking;
mod wording;
