//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    zabscope::cli::main()
}
