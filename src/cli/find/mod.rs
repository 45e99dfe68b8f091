//! `zabscope find`: looks for a run that reaches a goal, and makes it small; with many seeds, whose lines can be merged.

mod line;
mod merge;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::base::limits::MAX_VOTERS;
use crate::base::{RuleSet, SimTime};
use crate::explore::{Answer, Goal, Progress, Question, Search, Stage, Strategy};
use crate::i18n::{Lang, action_words};
use crate::sim::{Run, Setup};

use line::{Line, Reached, make};

use super::run::Which;
use super::seeds::{parse_seeds, share_out};
use super::soak::parse_rule;
use super::{Failure, moment, print, say};

/// Steps between two looks at the time.
const SLICE: u64 = 200_000;
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Most runs that are tried where nobody says another number.
const BUDGET: u64 = 100_000;

/// What is asked for beside the question.
#[derive(Debug)]
struct Wish {
    /// One search for each.
    seeds: Option<Range<u64>>,
    jobs: usize,
    json: bool,
    write: Option<PathBuf>,
}

pub(super) fn find(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    if args.clone().raw_args()?.any(|arg| arg == "--merge") {
        return merge::merge(args);
    }
    let (question, wish) = parse(args)?;
    make(wish.write.as_deref())?;
    let reached = match wish.seeds.clone() {
        Some(seeds) => each_seed(seeds, &question, &wish)?,
        None => once(&question, &wish)?,
    };
    Ok(ExitCode::from(u8::from(reached)))
}

fn parse(mut args: lexopt::Parser) -> Result<(Question, Wish), Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut which, mut servers, mut goal, mut rules) = (Which::default(), None, None, RuleSet::default());
    let (mut from, mut seed, mut seeds, mut budget) = (0, None, None, BUDGET);
    let (mut strategy, mut shrink, mut jobs, mut json, mut write) = (None, false, 0, false, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("goal") => goal = Some(args.value()?.string()?),
            Long("servers") => servers = Some(args.value()?.parse::<u8>()?),
            Long("break") => rules = rules.breaking(parse_rule(&args.value()?.string()?)?),
            Long("set") => which.settings.push(args.value()?.string()?),
            Long("from") => from = args.value()?.parse::<u64>()?,
            Long("strategy") => strategy = parse_strategy(&args.value()?.string()?)?,
            Long("seed") => seed = Some(args.value()?.parse::<u64>()?),
            Long("seeds") => seeds = Some(parse_seeds(&args.value()?.string()?)?),
            Long("jobs") => jobs = args.value()?.parse()?,
            Long("budget") => budget = args.value()?.parse::<u64>()?,
            Long("shrink") => shrink = true,
            Long("write") => write = Some(PathBuf::from(args.value()?)),
            Long("json") => json = true,
            Value(value) if which.what.is_none() => which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let run = asked_run(which, servers, rules)?;
    let from = moment("--from", from)?;
    if seed.is_some() && seeds.is_some() {
        return Err(Failure::usage("--seed is one seed and --seeds are several: leave out one of them"));
    }
    let goal = goal.as_deref().unwrap_or("any").parse::<Goal>().map_err(|error| Failure::usage(error.to_string()))?;
    let (from, seed) = (SimTime::from_ms(from), seed.unwrap_or(0));
    let question = Question { from, seed, strategy, shrink, ..Question::new(run, goal, budget) };
    Ok((question, Wish { seeds, jobs, json, write }))
}

fn asked_run(which: Which, servers: Option<u8>, rules: RuleSet) -> Result<Run, Failure> {
    let mut run = match (servers, &which.what) {
        (Some(voters), None) => of_servers(voters, &which.settings)?,
        (Some(_), Some(_)) => return Err(Failure::usage("--servers stands for an empty run: leave out the other")),
        (None, _) => which.find()?.0,
    };
    run.setup.rules = run.setup.rules.and(rules);
    run.check().map_err(|error| Failure::usage(error.to_string()))?;
    Ok(run)
}

fn parse_strategy(text: &str) -> Result<Option<Strategy>, Failure> {
    match text {
        "both" => Ok(None),
        "ladder" => Ok(Some(Strategy::Ladder)),
        "dice" => Ok(Some(Strategy::Dice)),
        _ => Err(Failure::usage(format!("--strategy {text}: there are ladder, dice, both"))),
    }
}

/// An empty run of so many servers.
fn of_servers(voters: u8, settings: &[String]) -> Result<Run, Failure> {
    if !(1..=MAX_VOTERS).contains(&usize::from(voters)) {
        return Err(Failure::usage(format!("--servers {voters} is not between 1 and {MAX_VOTERS}")));
    }
    let mut run = Run::new(1, Setup { voters, ..Setup::default() });
    for setting in settings {
        run.set(setting).map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(run)
}

/// Searches to the end and tells how far it is now and then; nothing where that is enough before.
fn search(question: &Question, mut is_enough: impl FnMut(Progress) -> bool) -> Option<Line> {
    let begun = Instant::now();
    let mut search = Search::new(question.clone());
    while search.step(SLICE).stage != Stage::Done {
        if is_enough(search.progress()) {
            return None;
        }
    }
    Some(Line::of(question, &search, begun.elapsed()))
}

/// Searches once; whether the goal was reached.
fn once(question: &Question, wish: &Wish) -> Result<bool, Failure> {
    let mut told = Instant::now();
    let line = search(question, |progress| {
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            say(format_args!("{}\n", progress_words(progress)));
        }
        false
    });
    let Some(line) = line else { return Ok(false) };
    let written = wish.write.as_deref().map_or(Ok(None), |folder| line.write(folder))?;
    match wish.json {
        true => print(line.to_json())?,
        false => report(&line, question.shrink, written.as_deref())?,
    }
    Ok(line.found.is_some())
}

/// Searches once for each seed, and prints a line for each as it ends; whether the goal was reached with one of them.
fn each_seed(seeds: Range<u64>, question: &Question, wish: &Wish) -> Result<bool, Failure> {
    // a question cannot go to another thread, its text can
    let (text, folder, all) = (question.to_json(), wish.write.as_deref(), seeds.end - seeds.start);
    let play = |seed, enough: &AtomicBool| {
        let asked = Question::from_json(&text).map_err(|error| Failure::usage(error.to_string()))?;
        let line = search(&Question { seed, ..asked }, |_| enough.load(Ordering::Relaxed));
        let Some(line) = line else { return Ok(None) };
        folder.map_or(Ok(None), |folder| line.write(folder))?;
        Ok(Some((line.to_json(), line.found.is_some())))
    };
    let (mut done, mut reached, mut told, mut wrong) = (0_u64, 0_u64, Instant::now(), None);
    share_out(seeds, wish.jobs, play, |outcome: Result<Option<(String, bool)>, Failure>| {
        let printed = outcome.and_then(|line| {
            let Some((text, found)) = line else { return Ok(()) };
            (done, reached) = (done + 1, reached + u64::from(found));
            print(text)
        });
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            say(format_args!("{done} of {all} seeds, the goal was reached with {reached}\n"));
        }
        wrong = wrong.take().or(printed.err());
        wrong.is_some()
    });
    wrong.map_or(Ok(reached > 0), Err)
}

/// What a search is at, in a line.
fn progress_words(progress: Progress) -> String {
    let Progress { trials, events, finds, .. } = progress;
    let now = match progress.stage {
        Stage::Trying(rung) if rung.deeds == 0 => "random runs".into(),
        Stage::Trying(rung) => {
            let late = if rung.late { "something late among them" } else { "nothing late" };
            format!("{} deeds at once, {late}: point {} of {}", rung.deeds, rung.point + 1, rung.points)
        }
        Stage::Shrinking { find, deeds } => format!("shrinking find {}: {deeds} deeds", find + 1),
        Stage::Ordering => "every order".into(),
        Stage::Done => "done".into(),
    };
    format!("{trials} runs, {events} events, {finds} found; {now}")
}

fn report(line: &Line, shrunk: bool, written: Option<&Path>) -> Result<(), Failure> {
    let Line { goal, trials, events, shrinks, found, .. } = line;
    let seconds = line.ms as f64 / 1_000.0;
    let Some(found) = found else {
        return print(format_args!("{goal} was not reached in {trials} runs ({events} events, {seconds:.1} s)"));
    };
    let Answer { trial, deeds, shrunk_from, .. } = found.answer;
    let size = match shrunk {
        true => format!("{shrunk_from} deeds, after {shrinks} smaller runs {deeds}:"),
        false => format!("{deeds} deeds (--shrink makes them fewer):"),
    };
    let trial = trial + 1;
    print(format_args!("{goal} was reached in run {trial} of {trials} ({events} events, {seconds:.1} s); {size}"))?;
    tell(found, written)
}

/// A run that was found, what was seen in it, and the command that plays it where it was written.
fn tell(found: &Reached, written: Option<&Path>) -> Result<(), Failure> {
    let at = found.answer.at;
    tell_run(&found.answer)?;
    match (&found.property, &found.evidence) {
        (Some(property), Some(evidence)) => print(format_args!("{property} violated at {at}: {evidence}"))?,
        _ => print(format_args!("at {at} (fact {})", found.seq))?,
    }
    if let Some(file) = written {
        print(format_args!("zabscope run {} --until {} --facts", file.display(), until_ms(&found.answer)))?;
    }
    Ok(())
}

/// The settings and deeds of a run that was found, one a line.
pub(super) fn tell_run(found: &Answer) -> Result<(), Failure> {
    let (setup, default) = (&found.run.setup, Setup::default());
    if let (Ok(serde_json::Value::Object(own)), Ok(usual)) =
        (serde_json::to_value(setup), serde_json::to_value(&default))
    {
        let settings = own.into_iter().filter(|(key, value)| usual.get(key) != Some(value));
        let settings: Vec<String> = settings.map(|(key, value)| format!("{key}={value}")).collect();
        print(format_args!("  seed={} {}", found.run.seed, settings.join(" ")))?;
    }
    for (place, timed) in found.run.actions.iter().enumerate() {
        let healing = if place < found.deeds { "" } else { " (healing)" };
        let words = action_words(Lang::En, &timed.action);
        print(format_args!("  {} s  {words}{healing}", timed.at_us.seconds()))?;
    }
    match found.repaired {
        Some(true) => print("  with every rule kept nothing falls"),
        Some(false) => {
            print("  with every rule kept something falls too: a bug of the simulator, or one that is open")
        }
        None => Ok(()),
    }
}

/// Until when such a run is worth playing, ms.
pub(super) fn until_ms(found: &Answer) -> u64 {
    found.at.ceil_ms().as_ms() + 1
}
