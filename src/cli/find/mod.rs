//! `zabscope find`: looks for a run that reaches a goal, and makes it small; with many seeds, whose lines can be merged.

mod line;
mod merge;
mod recipe;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::base::SimTime;
use crate::explore::{Answer, Goal, Progress, Question, Search, Stage, Strategy};
use crate::i18n::{Lang, action_words};
use crate::sim::{Run, Setup};

use line::{Line, Reached};

use super::options::{Broken, Changes, MOST_SERVERS, Word, ms, number, whole};
use super::run::Which;
use super::seeds::{parse_seeds, share_out};
use super::{Failure, print, say};

/// Steps between two looks at the time.
const SLICE: u64 = 200_000;
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Most runs that are tried where nobody says another number.
const BUDGET: u64 = 100_000;

/// Looks for a run that reaches a goal.
///
/// Puts deeds (crashes, cuts, pauses, writes, late packets) at all turning points of the run, one, two, three at once (the ladder), and
/// throws dice in between; prints the first run that it finds. With --seeds it searches once for each seed and prints a line of JSON
/// for each as it ends. Exit code 1 if the goal was reached.
///
/// Goals: any (any property that a fact shows), the name of a property (liveness and recipe-liveness heal everything first),
/// commit-lost, two-leaders, two-established, two-holders, stale-read, stale-sync, epoch:N, standstill:SECONDS,
/// fact:'KIND field=value...', fact:N:'KIND field=value...'.
///
/// With --recipe it looks for a schedule that breaks a recipe of one's own (docs/own-recipes.md), and prints the smallest, by client and
/// line, or how many were tried, which is no proof. Exit code 1 if it breaks, 2 if it is no recipe.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope find --servers 3 --break rejoin-without-trunc --goal agreement --shrink
  zabscope find cold-start-3 --goal two-leaders --write found
  zabscope find --servers 3 --goal epoch:4 --strategy dice --seeds 0..100 > lines.jsonl
  zabscope find --recipe my-lock.txt
  zabscope find --recipe my-lock.txt --may-herd --budget 100000 --write found
  zabscope find --merge lines.jsonl --write smallest")]
pub(super) struct Find {
    /// The name of a scenario, or a file
    #[arg(value_name = "RUN", required_unless_present_any = ["servers", "merge", "recipe"], conflicts_with = "servers")]
    what: Option<String>,
    /// Begins with an empty run of so many servers
    #[arg(long, value_name = "N", value_parser = number(1..=MOST_SERVERS))]
    servers: Option<u8>,
    /// What is looked for
    #[arg(long, value_name = "GOAL", default_value = "any")]
    goal: String,
    #[command(flatten)]
    broken: Broken,
    /// Changes a setting of the ensemble or a parameter of the scenario; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Leaves the run alone before this moment
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = ms)]
    from: u64,
    /// How deeds are put
    #[arg(long, value_name = "STRATEGY", default_value = "both", value_parser = strategy())]
    strategy: Way,
    /// The seed of the dice
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole, conflicts_with = "seeds")]
    seed: u64,
    /// Searches once for each of these seeds: B is not among them
    #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
    seeds: Option<Range<u64>>,
    /// How many threads search; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=usize::MAX))]
    jobs: usize,
    /// Most runs that are tried [default: 100000, of schedules for a recipe 10000]
    #[arg(long, value_name = "RUNS", value_parser = whole)]
    budget: Option<u64>,
    /// Looks for a schedule that breaks this recipe
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "what", "goal", "rules", "set", "from", "strategy", "seed", "seeds", "shrink", "json", "merge",
    ])]
    recipe: Option<PathBuf>,
    /// A herd breaks no recipe
    #[arg(long, requires = "recipe")]
    may_herd: bool,
    /// Looks for more, leaves out what it can, and prints the smallest
    #[arg(long)]
    shrink: bool,
    /// Sums up the lines of searches for one question, from many machines and in any order; '-' reads standard input
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = [
        "what", "servers", "goal", "rules", "set", "from", "strategy", "seed", "seeds", "jobs", "budget", "shrink",
    ])]
    merge: Vec<PathBuf>,
    /// Writes what is found as DIR/SEED.json
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

/// One strategy, or both.
type Way = Option<Strategy>;

fn strategy() -> Word<Way> {
    let named = |text: &str| match text {
        "ladder" => Some(Some(Strategy::Ladder)),
        "dice" => Some(Some(Strategy::Dice)),
        "both" => Some(None),
        _ => None,
    };
    Word { known: vec!["ladder", "dice", "both"], read: named }
}

pub(super) fn find(asked: Find) -> Result<ExitCode, Failure> {
    let reached = if !asked.merge.is_empty() {
        merge::merge(&asked)?
    } else if let Some(file) = &asked.recipe {
        recipe::recipe(file, &asked)?
    } else {
        let question = asked.question()?;
        make(asked.write.as_deref())?;
        match asked.seeds.clone() {
            Some(seeds) => each_seed(seeds, &question, &asked)?,
            None => once(&question, &asked)?,
        }
    };
    Ok(ExitCode::from(u8::from(reached)))
}

/// Makes the folder for runs, before anything is searched for in vain.
fn make(folder: Option<&Path>) -> Result<(), Failure> {
    let cannot = |folder: &Path, error| Failure::usage(format!("cannot write to {}: {error}", folder.display()));
    folder.map_or(Ok(()), |folder| fs::create_dir_all(folder).map_err(|error| cannot(folder, error)))
}

impl Find {
    fn question(&self) -> Result<Question, Failure> {
        let goal = self.goal.parse::<Goal>().map_err(|error| Failure::usage(error.to_string()))?;
        let &Find { seed, strategy, shrink, budget, .. } = self;
        let (from, budget) = (SimTime::from_ms(self.from), budget.unwrap_or(BUDGET));
        Ok(Question { from, seed, strategy, shrink, ..Question::new(self.run()?, goal, budget) })
    }

    fn run(&self) -> Result<Run, Failure> {
        let set = self.set.clone();
        let mut run = match (self.servers, self.what.clone()) {
            (None, Some(what)) => Which { what, changes: Changes { seed: None, set } }.find()?.0,
            (voters, _) => {
                let usual = Setup::default();
                let mut run = Run::new(1, Setup { voters: voters.unwrap_or(usual.voters), ..usual });
                set.iter().try_for_each(|setting| run.set(setting))?;
                run
            }
        };
        run.setup.rules = run.setup.rules.and(self.broken.set());
        run.check().map_err(|error| Failure::usage(error.to_string()))?;
        Ok(run)
    }
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
fn once(question: &Question, wish: &Find) -> Result<bool, Failure> {
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
fn each_seed(seeds: Range<u64>, question: &Question, wish: &Find) -> Result<bool, Failure> {
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
