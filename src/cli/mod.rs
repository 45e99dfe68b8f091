//! The command line: `zabscope run`, `scenarios`, `link`, `open`, `soak`, `conform`. Native only.

mod conform;
mod run;
mod share;
mod soak;

use std::process::ExitCode;

const HELP: &str = "\
zabscope: a ZooKeeper ensemble, simulated

  zabscope scenarios
      lists the built-in scenarios
  zabscope run FILE|SCENARIO [--seed N] [--set key=value]... [--until MS] [--facts]
               [--csv FILE [--every MS]] [--shiviz FILE]
      plays a run without a page; --facts prints one JSON object a line;
      the last line is a JSON summary; --csv writes counters, a row a second
      or every MS; --shiviz writes the trace with vector clocks
  zabscope link FILE|SCENARIO [--seed N] [--set key=value]... [--at MS] [--page URL]
      prints the run as a link for the page: what stands behind '#', or the
      whole address; --at says at which moment it opens
  zabscope open LINK|FILE
      prints the run of a link, or of a text with one, as JSON
  zabscope soak --servers N --seeds A..B --minutes M [--break RULE]... [--break-recipes WORD]
                [--jobs N] [--first]
      plays random faults, one run a seed, checks the properties of ZAB, of
      clients and of recipes after every event, then heals everything and
      expects the ensemble to serve and whoever waits for a lock to get it;
      --break breaks a rule of the protocol on purpose (more than once: several),
      --break-recipes one of programs (watches_first, never_looks_again,
      unprotected, persistent, heedless),
      --first stops at the first violation, --jobs sets the number of threads;
      ends with 'N runs, V violations'; exit code 1 where there were any
  zabscope soak --servers N --seeds A..B --minutes M [--break RULE]... --write DIR
      writes these runs as JSON files instead, and prints for each the command
      that plays it with all its facts
  zabscope conform FILE|FOLDER... [--seed N]
      plays transcripts of real ensembles against a simulated one and compares
      all that clients were told: results, errors, Stats, zxids, events; plays
      traces of real recipes too, and compares calls, callbacks, transactions,
      requests, notifications, watches; prints a line a file, with the first
      difference; ends with 'N passed, N failed'; exit code 1 where one failed,
      2 where a file is neither
";

/// What went wrong: a sentence, and the exit code that it means.
#[derive(Debug)]
pub(crate) struct Failure {
    pub code: u8,
    pub sentence: String,
}

impl Failure {
    /// The call's words are off, or a file cannot be used.
    pub(crate) fn usage(sentence: impl Into<String>) -> Failure {
        Failure { code: 2, sentence: sentence.into() }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure::usage(error.to_string())
    }
}

/// Does what the command line says.
pub fn main() -> ExitCode {
    match dispatch(lexopt::Parser::from_env()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("zabscope: {}", failure.sentence);
            ExitCode::from(failure.code)
        }
    }
}

fn dispatch(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    match args.next()? {
        Some(Value(command)) => match command.to_string_lossy().as_ref() {
            "run" => run::run(args),
            "scenarios" => run::scenarios(),
            "link" => share::link(args),
            "open" => share::open(args),
            "soak" => soak::soak(args),
            "conform" => conform::conform(args),
            other => Err(Failure::usage(format!("there is no command '{other}'; 'zabscope --help' lists them"))),
        },
        Some(Short('h') | Long("help")) | None => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some(Short('V') | Long("version")) => {
            println!("zabscope {}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => Err(other.unexpected().into()),
    }
}
