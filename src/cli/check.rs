//! `zabscope check`: judges facts that were printed, and nothing else.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;

use crate::check::Checker;
use crate::sim::{FORMAT_VERSION, Fact, WorldFact, read_fact};

use super::Failure;

/// Judges a file of facts, or what comes in.
pub(super) fn check(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let mut file = None;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Value(path) if file.is_none() => file = Some(path),
            other => return Err(other.unexpected().into()),
        }
    }
    let file = file.ok_or_else(|| Failure::usage("check needs a FILE of facts, or - for standard input"))?;
    let lines: Box<dyn BufRead> = if file == "-" {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(&file);
        let opened = opened.map_err(|error| Failure::usage(format!("{}: {error}", file.to_string_lossy())))?;
        Box::new(BufReader::new(opened))
    };
    let checker = judge(lines)?;
    for violation in checker.violations() {
        println!("{violation}");
    }
    for double in checker.doubles() {
        println!("{double}");
    }
    let (violations, doubles) = (checker.violations().len(), checker.doubles().len());
    println!("{violations} violations, {doubles} double holders");
    Ok(ExitCode::from(u8::from(violations > 0)))
}

/// What a checker says that has read these lines.
fn judge(lines: impl BufRead) -> Result<Checker, Failure> {
    let mut checker: Option<Checker> = None;
    for (number, line) in lines.lines().enumerate() {
        let wrong = |why: String| Failure::usage(format!("line {}: {why}", number + 1));
        let line = line.map_err(|error| wrong(error.to_string()))?;
        // a summary ends what `zabscope run --facts` prints
        if !line.starts_with('{') || line.starts_with("{\"digest\"") {
            continue;
        }
        let Some(record) = read_fact(&line).map_err(|error| wrong(error.to_string()))? else { continue };
        match (&mut checker, &record.fact) {
            (None, Fact::World(WorldFact::Began { version, setup, .. })) => {
                if *version != FORMAT_VERSION {
                    return Err(wrong(format!("facts of format {version}; this is format {FORMAT_VERSION}")));
                }
                checker = Some(Checker::new(setup));
            }
            (None, _) => return Err(wrong("the facts of a run begin with `began`".into())),
            (Some(checker), _) => drop(checker.read(&record)),
        }
    }
    checker.ok_or_else(|| Failure::usage("there are no facts"))
}
