//! `zabscope check`: judges facts that were printed, and nothing else.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;

use crate::check::{Checker, SecondStore, known};
use crate::sim::{FORMAT_VERSION, Fact, WorldFact, ZkVersion, read_fact};

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
    let (checker, version) = judge(lines)?;
    let mut known_ones = 0;
    for violation in checker.violations() {
        let bugs = known(violation.property, version);
        println!("{violation}{}", as_released(bugs));
        known_ones += usize::from(bugs.is_some() && !violation.outside);
    }
    for double in checker.doubles() {
        println!("{double}");
    }
    for stale in checker.stale_syncs() {
        println!("{stale}");
    }
    let (violations, doubles) = (checker.count(), checker.doubles().len());
    let of_them = if known_ones > 0 { format!(" ({known_ones} known of this version)") } else { String::new() };
    println!("{violations} violations{of_them}, {doubles} double holders");
    let outside = checker.violations().len() - violations;
    if let Some(at) = checker.outside() {
        println!(
            "outside the fault model since {at}: disks lost what a majority had kept; {outside} violations follow"
        );
    }
    if checker.missed() > 0 {
        println!("{} times something was not judged: it was about a state too old to be kept", checker.missed());
    }
    Ok(ExitCode::from(u8::from(violations > known_ones)))
}

/// What is said behind a violation that is known of the version that was played.
pub(super) fn as_released(bugs: Option<&str>) -> String {
    bugs.map_or(String::new(), |bugs| format!(" (known, as released: {bugs})"))
}

/// What a checker says that has read these lines.
fn judge(lines: impl BufRead) -> Result<(Checker<SecondStore>, ZkVersion), Failure> {
    let mut checker: Option<(Checker<SecondStore>, ZkVersion)> = None;
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
                if !setup.systems.is_empty() {
                    let why = "facts of other systems than ZooKeeper are not read back; `zabscope run FILE` judges such a run";
                    return Err(wrong(why.into()));
                }
                checker = Some((Checker::with_second_store(setup), setup.zookeeper));
            }
            (None, _) => return Err(wrong("the facts of a run begin with `began`".into())),
            (Some((checker, _)), _) => drop(checker.read(&record)),
        }
    }
    checker.ok_or_else(|| Failure::usage("there are no facts"))
}
