//! `zabscope soak`: random runs on all cores, each checked after every event.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::base::limits::{MAX_TIME_MS, MAX_VOTERS};
use crate::base::{RuleSet, ServerSet, SimTime};
use crate::check::{Evidence, Violation};
use crate::explore::{Answer, Goal, Shrink};
use crate::sim::{Rule, Run};
use crate::soak::{BROKEN_WORDS, BrokenWord, MIN_MINUTES, Trial, soak_run_breaking, trial};

use super::find::{tell_run, until_ms};
use super::seeds::{parse_seeds, share_out};
use super::{Failure, print, say};

/// How often progress is shown where stderr is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// How often the bar moves on a terminal.
const BAR_EVERY: Duration = Duration::from_millis(200);
/// Characters of the bar.
const BAR_WIDTH: u64 = 30;

/// What is asked for.
#[derive(Clone, Debug)]
struct Soak {
    servers: u8,
    seeds: Range<u64>,
    minutes: u64,
    rules: RuleSet,
    broken: Option<BrokenWord>,
    jobs: usize,
    first: bool,
    shrink: bool,
    write: Option<PathBuf>,
}

pub(super) fn soak(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let soak = parse(args)?;
    if let Some(folder) = soak.write.as_ref().filter(|_| !soak.shrink) {
        return write_runs(&soak, folder);
    }
    let begun = Instant::now();
    let mut outcomes = soak.run();
    outcomes.sort_by_key(|(seed, _)| *seed);
    let took = begun.elapsed();
    if soak.shrink {
        for (seed, trial) in &outcomes {
            shrink(&soak, *seed, trial)?;
        }
    }
    Ok(report(&soak, &outcomes, took)?)
}

fn parse(mut args: lexopt::Parser) -> Result<Soak, Failure> {
    use lexopt::Arg::Long;
    use lexopt::ValueExt;
    let (mut servers, mut seeds, mut minutes) = (3_u8, 0..100, 5);
    let (mut rules, mut broken, mut jobs) = (RuleSet::default(), None, 0);
    let (mut first, mut shrink, mut write) = (false, false, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("servers") => servers = args.value()?.parse()?,
            Long("seeds") => seeds = parse_seeds(&args.value()?.string()?)?,
            Long("minutes") => minutes = args.value()?.parse()?,
            Long("break") => rules = rules.breaking(parse_rule(&args.value()?.string()?)?),
            Long("break-recipes") => broken = Some(parse_word(&args.value()?.string()?)?),
            Long("jobs") => jobs = args.value()?.parse()?,
            Long("first") => first = true,
            Long("shrink") => shrink = true,
            Long("write") => write = Some(PathBuf::from(args.value()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    if !(1..=MAX_VOTERS).contains(&usize::from(servers)) {
        return Err(Failure::usage(format!("--servers {servers} is not between 1 and {MAX_VOTERS}")));
    }
    let most = MAX_TIME_MS / 60_000;
    if !(MIN_MINUTES..=most).contains(&minutes) {
        return Err(Failure::usage(format!("--minutes {minutes} is not between {MIN_MINUTES} and {most}")));
    }
    Ok(Soak { servers, seeds, minutes, rules, broken, jobs, first, shrink, write })
}

pub(super) fn parse_rule(text: &str) -> Result<Rule, Failure> {
    Rule::named(text).ok_or_else(|| {
        let names: Vec<&str> = Rule::all().map(Rule::name).collect();
        Failure::usage(format!("there is no rule '{text}'; there are {}", names.join(", ")))
    })
}

fn parse_word(text: &str) -> Result<BrokenWord, Failure> {
    let known = BROKEN_WORDS.iter().copied().find(|word| *word == text);
    known.ok_or_else(|| Failure::usage(format!("no program says '{text}'; there are {}", BROKEN_WORDS.join(", "))))
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
        soak_run_breaking(self.servers, seed, self.minutes, self.rules, self.broken)
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
            Trial {
                events: 0,
                violations,
                doubles: 0,
                stale_syncs: 0,
                missed: 0,
                orphaned: false,
                outvoted: false,
                digest: None,
            }
        })
    }

    fn replay(&self, seed: u64) -> String {
        let broken: String = Rule::broken_in(self.rules).map(|rule| format!(" --break {}", rule.name())).collect();
        let recipes = self.broken.map_or(String::new(), |word| format!(" --break-recipes {word}"));
        let (servers, minutes) = (self.servers, self.minutes);
        format!("zabscope soak --servers {servers} --seeds {seed}..{} --minutes {minutes}{broken}{recipes}", seed + 1)
    }
}

/// Writes the runs of the seeds as JSON files, for `zabscope run` and for the page.
fn write_runs(soak: &Soak, folder: &PathBuf) -> Result<ExitCode, Failure> {
    let cannot = |error: io::Error| Failure::usage(format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    for seed in soak.seeds.clone() {
        let run = soak.random_run(seed);
        let path = folder.join(format!("soak-{}-{seed}.json", soak.servers));
        fs::write(&path, run.to_json()).map_err(cannot)?;
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
            let cannot = |error: io::Error| Failure::usage(format!("cannot write to {}: {error}", folder.display()));
            fs::create_dir_all(folder).map_err(cannot)?;
            let path = folder.join(format!("soak-{}-{seed}-{property}.json", soak.servers));
            fs::write(&path, find.run.to_json()).map_err(cannot)?;
            print(format_args!("  zabscope run {} --until {} --facts", path.display(), until_ms(&find)))?;
        }
    }
    Ok(())
}

fn report(soak: &Soak, outcomes: &[Outcome], took: Duration) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let violations: usize = outcomes.iter().map(|(_, trial)| trial.violations.len()).sum();
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
    writeln!(out, "{} runs, {violations} violations", outcomes.len())?;
    Ok(if violations == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
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
