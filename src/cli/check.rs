//! `zabscope check`: judges facts that were printed, and nothing else.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use crate::check::{Checker, SecondStore, Violation, known};
use crate::sim::{FORMAT_VERSION, Fact, WorldFact, ZkVersion, read_fact};

use super::{Failure, lines_of, print};

/// Judges the facts of a run, and nothing else.
///
/// They are what 'zabscope run --facts' prints and what the page saves. Exit code 1 if a property is violated.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope run lock-herd --facts | zabscope check -
  zabscope check facts.jsonl --json")]
pub(super) struct Check {
    /// Facts, one JSON object a line; '-' reads standard input
    file: PathBuf,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Judges a file of facts, or what comes in.
pub(super) fn check(asked: &Check) -> Result<ExitCode, Failure> {
    let (checker, version) = judge(lines_of(&asked.file)?)?;
    let bugs = |property| known(property, version);
    let all = checker.violations();
    let violations = checker.count();
    let of_version = all.iter().filter(|one| bugs(one.property).is_some() && !one.outside).count();
    match asked.json {
        true => print(json!({
            "violated": violations, "known": of_version, "outside_since_us": checker.outside(), "missed": checker.missed(),
            "violations": all.iter().map(|one| told(one, bugs(one.property))).collect::<Vec<_>>(),
            "doubles": checker.doubles(), "stale_syncs": checker.stale_syncs(),
        }))?,
        false => tell(&checker, version, of_version)?,
    }
    Ok(ExitCode::from(u8::from(violations > of_version)))
}

/// A violation as JSON, and by which bugs it is known of the version.
fn told(violation: &Violation, bugs: Option<&str>) -> Value {
    let mut told = json!(violation);
    told["known"] = json!(bugs);
    told
}

fn tell(checker: &Checker<SecondStore>, version: ZkVersion, of_version: usize) -> Result<(), Failure> {
    for violation in checker.violations() {
        print(format_args!("{violation}{}", as_released(known(violation.property, version))))?;
    }
    checker.doubles().iter().try_for_each(print)?;
    checker.stale_syncs().iter().try_for_each(print)?;
    let (violations, doubles) = (checker.count(), checker.doubles().len());
    let of_them = if of_version > 0 { format!(" ({of_version} known of this version)") } else { String::new() };
    print(format_args!("{violations} violations{of_them}, {doubles} double holders"))?;
    let outside = checker.violations().len() - violations;
    if let Some(at) = checker.outside() {
        let since = format!("outside the fault model since {at}: disks lost what a majority had kept");
        print(format_args!("{since}; {outside} violations follow"))?;
    }
    if checker.missed() > 0 {
        let missed = checker.missed();
        print(format_args!("{missed} times something was not judged: it was about a state too old to be kept"))?;
    }
    Ok(())
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
