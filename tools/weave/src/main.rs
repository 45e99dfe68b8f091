//! All mutants that `cargo mutants --list --json` names, woven into one copy of the crate, which is built once. A mutant is
//! then switched on by a variable of the environment (`MUTANT=17`), so it costs a run of tests and no build.
//!
//! ```text
//! weave weave LIST.json DIR     rewrites the copy in DIR until it compiles; LIST.json's places are of the text in DIR
//! weave judge LIST.json DIR K/N SECONDS   runs the tests for each mutant of a share, prints a row each: caught, missed, timeout
//! weave alone LIST.json DIR K/N PLAIN     the same for what was not woven: each is built by itself, in PLAIN, a copy as it was
//! ```
//!
//! What cannot be woven (a constant, an arm that may be the last for its value, what does not compile: see [`weave::settle`]) is in
//! DIR/left.txt.

mod judge;
mod places;
mod weave;

use std::process::ExitCode;
use std::time::Duration;

/// What went wrong, as a sentence.
type Fault = Box<dyn std::error::Error>;

/// A mutant as cargo-mutants lists it, with its span in bytes of its file.
pub struct Mutant {
    /// What the variable MUTANT says to switch it on: its place in the list, from 1.
    pub id: usize,
    /// The file, from the crate's root.
    pub file: String,
    /// Its name in the reports of cargo-mutants.
    pub name: String,
    /// `FnValue`, `BinaryOperator` …
    pub genre: String,
    /// What stands in place of the span.
    pub replacement: String,
    /// Line and column of both ends, from 1.
    pub span: [(usize, usize); 2],
}

/// The list, in its order: an identifier is a place in it.
fn listed(path: &str) -> Result<Vec<Mutant>, Fault> {
    let list: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(path)?)?;
    let text = |value: &serde_json::Value, key: &str| value[key].as_str().unwrap_or_default().to_string();
    let place = |value: &serde_json::Value| {
        let number = |key| usize::try_from(value[key].as_u64().unwrap_or(1)).unwrap_or(1);
        (number("line"), number("column"))
    };
    let mutant = |(at, one): (usize, &serde_json::Value)| Mutant {
        id: at + 1,
        file: text(one, "file"),
        name: text(one, "name"),
        genre: text(one, "genre"),
        replacement: text(one, "replacement"),
        span: [place(&one["span"]["start"]), place(&one["span"]["end"])],
    };
    Ok(list.iter().enumerate().map(mutant).collect())
}

/// K of N.
fn share(said: &str) -> Result<(usize, usize), Fault> {
    let (mine, all) = said.split_once('/').ok_or("a share is K/N")?;
    Ok((mine.parse()?, all.parse()?))
}

fn run() -> Result<(), Fault> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["weave", list, dir] => weave::settle(&listed(list)?, dir.as_ref()),
        ["judge", list, dir, part, seconds] => {
            judge::all(&listed(list)?, dir.as_ref(), share(part)?, Duration::from_secs(seconds.parse()?))
        }
        ["alone", list, dir, part, plain] => judge::alone(&listed(list)?, dir.as_ref(), share(part)?, plain.as_ref()),
        _ => Err("weave weave LIST DIR, weave judge LIST DIR K/N SECONDS, or weave alone LIST DIR K/N PLAIN".into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}
