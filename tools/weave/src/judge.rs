//! For each mutant the tests that meet it, the shortest first, until one fails.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::{Fault, Mutant, places};

/// Tests that say nothing of what the crate does: they read its text, which is woven.
const READERS: &str = "architecture::";
/// How long the tests of one process take together, at least; each process has twice the tests of the one before.
const FIRST: Duration = Duration::from_secs(1);

/// The longest that all tests of a program may take for a mutant that is built by itself.
const ALONE: Duration = Duration::from_secs(900);

/// A test, and what it takes.
struct Test {
    program: PathBuf,
    name: String,
    takes: Duration,
}

/// How a run of tests ended.
#[derive(PartialEq)]
enum End {
    Passed,
    Failed,
    Timeout,
}

/// Prints a row for each mutant of the share: how it ended, its name. `none` is one that no test meets, `unviable` one that does
/// not compile. What was not woven has no row: left.txt names it.
///
/// A mutant that lives through `enough` of tests has survived: the shortest tests are most of them, and the longest are random runs.
pub fn all(mutants: &[Mutant], dir: &Path, (mine, shares): (usize, usize), enough: Duration) -> Result<(), Fault> {
    let left = fs::read_to_string(dir.join("left.txt"))?;
    let left: BTreeMap<&str, &str> =
        left.lines().filter_map(|row| row.split_once('\t')).map(|(why, name)| (name, why)).collect();
    let tests = known(dir)?;
    let mut meets: BTreeMap<usize, Vec<&Test>> = BTreeMap::new();
    for (test, met) in &tests {
        met.iter().for_each(|id| meets.entry(*id).or_default().push(test));
    }
    for mutant in mutants.iter().filter(|one| one.id % shares == mine) {
        let word = match (left.get(mutant.name.as_str()), meets.get_mut(&mutant.id)) {
            (Some(&"left"), _) => continue,
            (Some(why), _) => why,
            (None, None) => "none",
            (None, Some(tests)) => match judged(tests, dir, mutant.id, enough)? {
                End::Passed => "missed",
                End::Failed => "caught",
                End::Timeout => "timeout",
            },
        };
        println!("mutants\t{word}\t{}", mutant.name);
    }
    Ok(())
}

/// Prints such a row for each mutant of the share that could not be woven: it is written into the copy `plain`, which is built, and all
/// tests are run.
pub fn alone(mutants: &[Mutant], dir: &Path, (mine, shares): (usize, usize), plain: &Path) -> Result<(), Fault> {
    let left = fs::read_to_string(dir.join("left.txt"))?;
    let left: Vec<&str> = left.lines().filter_map(|row| row.strip_prefix("left\t")).collect();
    let share = mutants.iter().filter(|one| one.id % shares == mine && left.contains(&one.name.as_str()));
    for mutant in share {
        let file = plain.join(&mutant.file);
        let text = fs::read_to_string(&file)?;
        fs::write(&file, places::mutated(&text, mutant))?;
        let programs = built(plain);
        // as it was, whatever comes
        fs::write(&file, text)?;
        let programs = programs?;
        let mut word = if programs.is_empty() { "unviable" } else { "missed" };
        for program in &programs {
            match run(program, &["--skip", READERS], plain, &[], ALONE)? {
                End::Passed => continue,
                End::Failed => word = "caught",
                End::Timeout => word = "timeout",
            }
            break;
        }
        println!("mutants\t{word}\t{}", mutant.name);
    }
    Ok(())
}

fn judged(tests: &mut [&Test], dir: &Path, id: usize, enough: Duration) -> Result<End, Fault> {
    tests.sort_by_key(|test| test.takes);
    let (mut rest, mut size, mut spent) = (&*tests, FIRST, Duration::ZERO);
    while rest.first().is_some_and(|test| spent + test.takes <= enough) {
        let mut takes = Duration::ZERO;
        let together = |test: &&&Test| {
            takes += test.takes;
            takes <= size
        };
        let (now, later) = rest.split_at(rest.iter().take_while(together).count().max(1));
        let mut programs: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
        now.iter().for_each(|test| programs.entry(&test.program).or_default().push(&test.name));
        for (program, mut names) in programs {
            names.push("--exact");
            let end = run(program, &names, dir, &[("MUTANT", id.to_string())], size * 5 + Duration::from_secs(10))?;
            if end != End::Passed {
                return Ok(end);
            }
        }
        (rest, spent) = (later, spent + now.iter().map(|test| test.takes).sum::<Duration>());
        size = (size * 2).min(enough);
    }
    Ok(End::Passed)
}

/// All tests with the mutants that they meet: each is run alone once, and what came out lies in DIR/met.
fn known(dir: &Path) -> Result<Vec<(Test, Vec<usize>)>, Fault> {
    let met = dir.join("met");
    if !met.exists() {
        let programs = built(dir)?;
        fs::create_dir(&met)?;
        for program in programs {
            let list = Command::new(&program).arg("--list").current_dir(dir).output()?;
            let list = String::from_utf8_lossy(&list.stdout).into_owned();
            for name in
                list.lines().filter_map(|line| line.strip_suffix(": test")).filter(|name| !name.starts_with(READERS))
            {
                let (file, begun) = (met.join(name.replace("::", "-")), Instant::now());
                let whole = fs::canonicalize(&met)?.join(file.file_name().unwrap_or_default());
                let end = run(
                    &program,
                    &[name, "--exact"],
                    dir,
                    &[("MUTANTS_MET", whole.display().to_string())],
                    Duration::from_secs(600),
                )?;
                let ids = fs::read_to_string(&file).unwrap_or_default();
                let row = format!("{}\n{name}\n{}\n{ids}", program.display(), begun.elapsed().as_millis());
                if end == End::Passed {
                    fs::write(&file, row)?;
                } else {
                    eprintln!("{name} fails with no mutant: it judges none");
                    let _ = fs::remove_file(&file);
                }
            }
        }
    }
    let read = |entry: std::io::Result<fs::DirEntry>| -> Result<(Test, Vec<usize>), Fault> {
        let text = fs::read_to_string(entry?.path())?;
        let mut lines = text.lines();
        let mut line = || lines.next().ok_or("a line is missing");
        let test =
            Test { program: line()?.into(), name: line()?.into(), takes: Duration::from_millis(line()?.parse()?) };
        Ok((test, lines.filter_map(|id| id.parse().ok()).collect()))
    };
    fs::read_dir(&met)?.map(read).collect()
}

/// Builds the copy's tests; where the programs lie.
fn built(dir: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--quiet",
        "--no-run",
        "--no-default-features",
        "--features",
        "conform",
        "--lib",
        "--test",
        "integration",
    ]);
    command.args(["--message-format", "json"]).current_dir(dir).env("RUSTFLAGS", "--cap-lints=allow");
    let said = command
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "2")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .stderr(Stdio::inherit())
        .output()?;
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        if let (Some(path), true) = (message["executable"].as_str(), message["profile"]["test"] == true) {
            programs.push(path.into());
        }
    }
    Ok(programs)
}

/// Runs tests, one after the other, until one fails, all are done, or the time is over.
fn run(program: &Path, tests: &[&str], dir: &Path, with: &[(&str, String)], limit: Duration) -> Result<End, Fault> {
    let mut command = Command::new(program);
    command.args(["--test-threads", "1"]).args(tests).current_dir(dir).env("CARGO_MANIFEST_DIR", dir);
    command.envs(with.iter().map(|(name, value)| (name, value)));
    let mut child = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let out = child.stdout.take().ok_or("no output")?;
    let (send, hear) = mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
    });
    let over = Instant::now() + limit;
    loop {
        match hear.recv_timeout(over.saturating_duration_since(Instant::now())) {
            Ok(line) if line.starts_with("test ") && line.ends_with("FAILED") => {
                stop(&mut child)?;
                return Ok(End::Failed);
            }
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {
                stop(&mut child)?;
                return Ok(End::Timeout);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Ok(if child.wait()?.success() { End::Passed } else { End::Failed });
            }
        }
    }
}

/// Ends a run and what it started.
fn stop(child: &mut Child) -> Result<(), Fault> {
    Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status()?;
    child.wait()?;
    Ok(())
}
