//! `zabscope explore`: looks for a run that reaches a goal, and makes it small.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::base::limits::{MAX_TIME_MS, MAX_VOTERS};
use crate::base::{RuleSet, SimTime};
use crate::explore::{Find, Goal, Progress, Question, Search, Stage};
use crate::i18n::{Lang, action_words};
use crate::sim::{Rule, Run, Setup};

use super::run::Which;
use super::soak::parse_rule;
use super::{Failure, print, say};

/// Steps between two looks at the time.
const SLICE: u64 = 200_000;
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Most runs that are tried where nobody says another number.
const BUDGET: u64 = 100_000;

/// What is asked for beside the question.
#[derive(Debug)]
struct Wish {
    json: bool,
    write: Option<String>,
}

pub(super) fn explore(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let (question, wish) = parse(args)?;
    let (goal, rules) = (question.goal.to_string(), question.run.setup.rules);
    let begun = Instant::now();
    let mut search = Search::new(question);
    let mut told = Instant::now();
    while search.step(SLICE).stage != Stage::Done {
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            say(format_args!("{}\n", progress_words(search.progress())));
        }
    }
    let (progress, took) = (search.progress(), begun.elapsed());
    let best = search.finds().first();
    if let (Some(file), Some(find)) = (&wish.write, best) {
        fs::write(file, find.run.to_json()).map_err(|error| Failure::usage(format!("{file}: {error}")))?;
    }
    if wish.json {
        print(as_json(&goal, rules, progress, best, took))?;
    } else {
        report(&goal, progress, best, took, wish.write.as_deref())?;
    }
    Ok(ExitCode::from(u8::from(best.is_some())))
}

fn parse(mut args: lexopt::Parser) -> Result<(Question, Wish), Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut which, mut servers, mut goal, mut rules) = (Which::default(), None, None, RuleSet::default());
    let (mut from, mut seed, mut budget) = (0, 0, BUDGET);
    let mut wish = Wish { json: false, write: None };
    while let Some(arg) = args.next()? {
        match arg {
            Long("goal") => goal = Some(args.value()?.string()?),
            Long("servers") => servers = Some(args.value()?.parse::<u8>()?),
            Long("break") => rules = rules.breaking(parse_rule(&args.value()?.string()?)?),
            Long("set") => which.settings.push(args.value()?.string()?),
            Long("from") => from = args.value()?.parse::<u64>()?,
            Long("seed") => seed = args.value()?.parse::<u64>()?,
            Long("budget") => budget = args.value()?.parse::<u64>()?,
            Long("write") => wish.write = Some(args.value()?.string()?),
            Long("json") => wish.json = true,
            Value(value) if which.what.is_none() => which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let mut run = match (servers, &which.what) {
        (Some(voters), None) => of_servers(voters, &which.settings)?,
        (Some(_), Some(_)) => return Err(Failure::usage("--servers stands for an empty run: leave out the other")),
        (None, _) => which.find()?.0,
    };
    run.setup.rules = run.setup.rules.and(rules);
    run.check().map_err(|error| Failure::usage(error.to_string()))?;
    if from > MAX_TIME_MS {
        return Err(Failure::usage(format!("--from {from} is above {MAX_TIME_MS} ms")));
    }
    let goal = goal.as_deref().unwrap_or("any").parse::<Goal>().map_err(|error| Failure::usage(error.to_string()))?;
    Ok((Question { run, goal, from: SimTime::from_ms(from), seed, budget }, wish))
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

/// What a search is at, in a line.
pub(super) fn progress_words(progress: Progress) -> String {
    let Progress { trials, events, finds, .. } = progress;
    let now = match progress.stage {
        Stage::Trying(rung) => {
            let late = if rung.late { "something late among them" } else { "nothing late" };
            format!("{} deeds at once, {late}: point {} of {}", rung.deeds, rung.point + 1, rung.points)
        }
        Stage::Shrinking { find, deeds } => format!("shrinking find {}: {deeds} deeds", find + 1),
        Stage::Done => "done".into(),
    };
    format!("{trials} runs, {events} events, {finds} found; {now}")
}

fn report(
    goal: &str,
    progress: Progress,
    best: Option<&Find>,
    took: Duration,
    written: Option<&str>,
) -> Result<(), Failure> {
    let Progress { trials, events, shrinks, .. } = progress;
    let seconds = took.as_secs_f64();
    let Some(find) = best else {
        return print(format_args!("{goal} was not reached in {trials} runs ({events} events, {seconds:.1} s)"));
    };
    let (found, deeds, before) = (&find.found, find.deeds, find.shrunk_from);
    let trial = find.trial + 1;
    print(format_args!(
        "{goal} was reached in run {trial} of {trials} ({events} events, {seconds:.1} s); {before} deeds, after \
         {shrinks} smaller runs {deeds}:"
    ))?;
    tell_find(find)?;
    match (found.property, &found.evidence) {
        (Some(property), Some(evidence)) => print(format_args!("{property} violated at {}: {evidence}", found.at))?,
        _ => print(format_args!("at {} (fact {})", found.at, found.seq))?,
    }
    if let Some(file) = written {
        print(format_args!("zabscope run {file} --until {} --facts", until_ms(find)))?;
    }
    Ok(())
}

/// The settings and deeds of a find, one a line.
pub(super) fn tell_find(find: &Find) -> Result<(), Failure> {
    let (setup, default) = (&find.run.setup, Setup::default());
    if let (Ok(serde_json::Value::Object(own)), Ok(usual)) =
        (serde_json::to_value(setup), serde_json::to_value(&default))
    {
        let settings = own.into_iter().filter(|(key, value)| usual.get(key) != Some(value));
        let settings: Vec<String> = settings.map(|(key, value)| format!("{key}={value}")).collect();
        print(format_args!("  seed={} {}", find.run.seed, settings.join(" ")))?;
    }
    for (place, timed) in find.run.actions.iter().enumerate() {
        let healing = if place < find.deeds { "" } else { " (healing)" };
        let words = action_words(Lang::En, &timed.action);
        print(format_args!("  {} s  {words}{healing}", timed.at_us.seconds()))?;
    }
    match find.repaired {
        Some(true) => print("  with every rule kept nothing falls"),
        Some(false) => {
            print("  with every rule kept something falls too: a bug of the simulator, or one that is open")
        }
        None => Ok(()),
    }
}

/// Until when a find is worth playing, ms.
pub(super) fn until_ms(find: &Find) -> u64 {
    find.found.at.ceil_ms().as_ms() + 1
}

fn as_json(goal: &str, rules: RuleSet, progress: Progress, best: Option<&Find>, took: Duration) -> serde_json::Value {
    let rules: Vec<&str> = Rule::broken_in(rules).map(Rule::name).collect();
    let found = best.map(|find| {
        json!({
            "trial": find.trial,
            "strategy": format!("{:?}", find.strategy).to_lowercase(),
            "deeds": find.deeds,
            "shrunk_from": find.shrunk_from,
            "repaired": find.repaired,
            "property": find.found.property,
            "evidence": find.found.evidence.as_ref().map(ToString::to_string),
            "at_us": find.found.at,
            "seq": find.found.seq,
            "run": find.run,
        })
    });
    json!({
        "goal": goal,
        "rules": rules,
        "trials": progress.trials,
        "shrinks": progress.shrinks,
        "events": progress.events,
        "finds": progress.finds,
        "ms": took.as_millis() as u64,
        "found": found,
    })
}
