//! `zabscope soak`: random runs on all cores, each checked after every event.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use crate::base::limits::MAX_TIME_MS;
use crate::base::{ServerSet, SimTime};
use crate::check::{Evidence, Violation};
use crate::explore::{Answer, Goal, Shrink};
use crate::sim::{Rule, Run};
use crate::soak::{BROKEN_WORDS, BrokenWord, MIN_MINUTES, Trial, soak_run_breaking, trial};

use super::find::{tell_run, until_ms};
use super::options::{Broken, MOST_SERVERS, Word, number};
use super::seeds::{parse_seeds, share_out};
use super::{Failure, print, say, write_run};

/// How often progress is shown where stderr is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// How often the bar moves on a terminal.
const BAR_EVERY: Duration = Duration::from_millis(200);
/// Characters of the bar.
const BAR_WIDTH: u64 = 30;

/// Plays random faults, one run per seed, and checks ZAB, clients and recipes after every event.
///
/// Then it heals everything, and expects the ensemble to serve and every waiting client to get its lock. Ends with 'N runs, V
/// violations'. Exit code 1 if there were any.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope soak --servers 3 --seeds 0..200 --minutes 5
  zabscope soak --servers 5 --seeds 0..20 --break ack-before-sync --first --shrink --write smaller
  zabscope soak --seeds 7..8 --write runs")]
pub(super) struct Soak {
    /// How many servers the ensemble has
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=MOST_SERVERS))]
    servers: u8,
    /// Which seeds: B is not played
    #[arg(long, value_name = "A..B", default_value = "0..100", value_parser = parse_seeds)]
    seeds: Range<u64>,
    /// How long faults last in each run, minutes of virtual time
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(MIN_MINUTES..=MAX_TIME_MS / 60_000))]
    minutes: u64,
    #[command(flatten)]
    broken: Broken,
    /// Breaks a rule of client programs
    #[arg(long, value_name = "WORD", value_parser = programs())]
    break_recipes: Option<BrokenWord>,
    /// How many threads play; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=usize::MAX))]
    jobs: usize,
    /// Stops at the first violation
    #[arg(long)]
    first: bool,
    /// Makes the run of each violation as small as it gets, and prints what is left
    #[arg(long)]
    shrink: bool,
    /// Writes what --shrink leaves; without it plays nothing, but writes each run, and prints the command that plays it
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Prints a line of JSON for each seed
    #[arg(long, conflicts_with_all = ["shrink", "write"])]
    json: bool,
}

fn programs() -> Word<BrokenWord> {
    Word { known: BROKEN_WORDS.to_vec(), read: |text| BROKEN_WORDS.iter().copied().find(|word| *word == text) }
}

pub(super) fn soak(soak: &Soak) -> Result<ExitCode, Failure> {
    if let Some(folder) = soak.write.as_ref().filter(|_| !soak.shrink) {
        return write_runs(soak, folder);
    }
    let begun = Instant::now();
    let mut outcomes = soak.run();
    outcomes.sort_by_key(|(seed, _)| *seed);
    let took = begun.elapsed();
    if soak.shrink {
        for (seed, trial) in &outcomes {
            shrink(soak, *seed, trial)?;
        }
    }
    let violations: usize = outcomes.iter().map(|(_, trial)| trial.violations.len()).sum();
    match soak.json {
        true => outcomes.iter().try_for_each(|outcome| print(told(soak, outcome)))?,
        false => report(soak, &outcomes, took, violations)?,
    }
    Ok(ExitCode::from(u8::from(violations > 0)))
}

/// The seed and how its run went.
type Outcome = (u64, Trial);

impl Soak {
    /// Plays all seeds on all cores.
    fn run(&self) -> Vec<Outcome> {
        let mut progress = Progress::new(self.seeds.end - self.seeds.start);
        let mut outcomes: Vec<Outcome> = Vec::new();
        // a panic becomes a violation with its seed; the default hook would tell it in the middle of the bar
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let play = |seed, _: &_| (seed, self.trial(seed));
        share_out(self.seeds.clone(), self.jobs, play, |outcome| {
            progress.add(&outcome.1);
            outcomes.push(outcome);
            self.first && progress.violations > 0
        });
        panic::set_hook(hook);
        progress.end();
        outcomes
    }

    fn random_run(&self, seed: u64) -> Run {
        soak_run_breaking(self.servers, seed, self.minutes, self.broken.set(), self.break_recipes)
    }

    fn trial(&self, seed: u64) -> Trial {
        let play = || trial(&self.random_run(seed), self.minutes, false);
        panic::catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let message =
                text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_string();
            let evidence = Evidence::Panicked { message };
            let (at, servers) = (SimTime::ZERO, ServerSet::EMPTY);
            let (property, seq, outside) = ("no-panic", 0, false);
            let violations = vec![Violation { property, at, seq, servers, evidence, outside }];
            Trial { violations, ..Trial::default() }
        })
    }

    fn replay(&self, seed: u64) -> String {
        let broken: String =
            Rule::broken_in(self.broken.set()).map(|rule| format!(" --break {}", rule.name())).collect();
        let recipes = self.break_recipes.map_or(String::new(), |word| format!(" --break-recipes {word}"));
        let (servers, minutes) = (self.servers, self.minutes);
        format!("zabscope soak --servers {servers} --seeds {seed}..{} --minutes {minutes}{broken}{recipes}", seed + 1)
    }
}

/// Writes the runs of the seeds as JSON files, for `zabscope run` and for the page.
fn write_runs(soak: &Soak, folder: &Path) -> Result<ExitCode, Failure> {
    for seed in soak.seeds.clone() {
        let path = write_run(folder, &format!("soak-{}-{seed}.json", soak.servers), &soak.random_run(seed))?;
        print(format_args!("zabscope run {} --until {} --facts", path.display(), soak.minutes * 60_000))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the run of each violation as small as it gets, and tells what is left of it.
fn shrink(soak: &Soak, seed: u64, trial: &Trial) -> Result<(), Failure> {
    for violation in &trial.violations {
        let property = violation.property;
        let found = Goal::violated(property).ok().and_then(|goal| Shrink::of(soak.random_run(seed), &goal));
        let Some(mut shrink) = found else {
            print(format_args!("seed {seed}: {property} cannot be shrunk: no smaller run would be judged by it"))?;
            continue;
        };
        while shrink.step().is_some() {}
        let tried = shrink.trials();
        let find = Answer::from(shrink.best());
        let (before, deeds) = (find.shrunk_from, find.deeds);
        print(format_args!("seed {seed}: {property}: {before} deeds, after {tried} smaller runs {deeds}:"))?;
        tell_run(&find)?;
        if let Some(folder) = &soak.write {
            let path = write_run(folder, &format!("soak-{}-{seed}-{property}.json", soak.servers), &find.run)?;
            print(format_args!("  zabscope run {} --until {} --facts", path.display(), until_ms(&find)))?;
        }
    }
    Ok(())
}

/// A line of JSON for a seed.
fn told(soak: &Soak, (seed, trial): &Outcome) -> Value {
    let mut told = json!(trial);
    (told["seed"], told["replay"]) = (json!(seed), json!(soak.replay(*seed)));
    told
}

fn report(soak: &Soak, outcomes: &[Outcome], took: Duration, violations: usize) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for (seed, trial) in outcomes {
        for violation in &trial.violations {
            writeln!(out, "seed {seed}: {violation}")?;
            writeln!(out, "  replay: {}", soak.replay(*seed))?;
            writeln!(out, "  facts:  {} --write DIR, then the command it prints", soak.replay(*seed))?;
        }
    }
    let events: u64 = outcomes.iter().map(|(_, trial)| trial.events).sum();
    let seconds = took.as_secs_f64();
    writeln!(out, "{events} events in {seconds:.1} s, {:.0} events/s", events as f64 / seconds.max(0.001))?;
    let doubles: usize = outcomes.iter().map(|(_, trial)| trial.doubles).sum();
    writeln!(out, "{doubles} double holders: whose node was gone did not know it yet; no violation")?;
    let stale: usize = outcomes.iter().map(|(_, trial)| trial.stale_syncs).sum();
    writeln!(out, "{stale} syncs under a deposed leader brought less than was committed; no violation")?;
    let missed: u64 = outcomes.iter().map(|(_, trial)| trial.missed).sum();
    if missed > 0 {
        writeln!(out, "{missed} times something was not judged: it was about a state too old to be kept")?;
    }
    let orphaned = outcomes.iter().filter(|(_, trial)| trial.orphaned).count();
    writeln!(out, "{orphaned} runs end with a queue behind a lost create that came late; no violation")?;
    let outvoted: Vec<String> =
        outcomes.iter().filter(|(_, trial)| trial.outvoted).map(|(seed, _)| seed.to_string()).collect();
    if !outvoted.is_empty() {
        let seeds = outvoted.join(", ");
        writeln!(
            out,
            "{} runs end where nobody can be elected, a limit of reconfiguration (seeds {seeds}); no violation",
            outvoted.len()
        )?;
    }
    Ok(writeln!(out, "{} runs, {violations} violations", outcomes.len())?)
}

/// The bar on a terminal; elsewhere a line now and then.
struct Progress {
    total: u64,
    done: u64,
    violations: usize,
    shown: Instant,
    terminal: bool,
}

impl Progress {
    fn new(total: u64) -> Progress {
        Progress { total, done: 0, violations: 0, shown: Instant::now(), terminal: io::stderr().is_terminal() }
    }

    fn add(&mut self, trial: &Trial) {
        self.done += 1;
        self.violations += trial.violations.len();
        if self.shown.elapsed() >= if self.terminal { BAR_EVERY } else { LINE_EVERY } {
            self.shown = Instant::now();
            self.show();
        }
    }

    fn show(&self) {
        let (done, total, violations) = (self.done, self.total, self.violations);
        if self.terminal {
            let filled = (done * BAR_WIDTH / total.max(1)) as usize;
            let bar = "#".repeat(filled) + &"-".repeat(BAR_WIDTH as usize - filled);
            say(format_args!("\r[{bar}] {done}/{total} runs, {violations} violations "));
        } else {
            say(format_args!("{done} of {total} runs, {violations} violations\n"));
        }
    }

    fn end(&self) {
        if self.terminal {
            self.show();
            say("\n");
        }
    }
}
