//! `zabscope lesson`: proves lessons, prints what they say, makes them of runs.

use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::i18n::{Lang, deed_words, record_trouble};
use crate::lessons::{
    Ask, DryRun, Kind, LESSONS, Lesson, MAX_LESSON_BYTES, Resolved, all_seen, answer, lesson as built_in, prove,
    read_over,
};
use crate::sim::Tongue;

use super::options::whole;
use super::seeds::parse_seeds;
use super::{Failure, of_file, print};

/// Proves lessons, prints what they say, makes them of runs.
#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub(super) struct Lessons {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Plays a lesson in the run of each seed, and says what in it is not so.
    ///
    /// That is: moments that do not come, sentences that do not hold, questions with no answer or two, other runs that do not show what
    /// they are said to show, tasks that cannot be done. Exit code 1 if there is such a flaw.
    #[command(after_help = "Examples:
  zabscope lesson check zab-election
  zabscope lesson check mine.json --seeds 0..200
  zabscope lesson check all --json")]
    Check {
        /// A lesson's name, a file, or 'all' for those that are built in
        #[arg(value_name = "LESSON")]
        what: String,
        /// Which seeds: B is not played; by default those that the lesson names
        #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
        seeds: Option<Range<u64>>,
        /// Prints the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Prints what a lesson says and asks, as it does in the run of a seed
    #[command(after_help = "Examples:
  zabscope lesson show zab-election
  zabscope lesson show mine.json --seed 7")]
    Show {
        /// A lesson's name, or a file
        #[arg(value_name = "LESSON")]
        what: String,
        /// The seed, by default the lesson's own
        #[arg(long, value_name = "N", value_parser = whole)]
        seed: Option<u64>,
    },
    /// Prints a run, as the page shares it, as a lesson.
    ///
    /// What was done in it becomes its deeds, each tied to a fact, and before each stands a sentence; questions are yours to add.
    #[command(after_help = "Examples:
  zabscope lesson record run.json > mine.json")]
    Record {
        /// A link to the page, or a file with a run or a link
        #[arg(value_name = "LINK")]
        what: String,
    },
}

pub(super) fn lesson(asked: Lessons) -> Result<ExitCode, Failure> {
    match asked.deed {
        Deed::Check { what, seeds, json } if what == "all" => {
            check(&LESSONS.iter().map(|(id, _)| find(id)).collect::<Result<Vec<_>, _>>()?, seeds, json)
        }
        Deed::Check { what, seeds, json } => check(&[find(&what)?], seeds, json),
        Deed::Show { what, seed } => show(&find(&what)?, seed),
        Deed::Record { what } => record(&what),
    }
}

/// Prints a lesson made of a run.
fn record(what: &str) -> Result<ExitCode, Failure> {
    let moment = super::share::opened(what)?;
    let look = &moment.look;
    let from = look.scenario.as_deref().map(|scenario| (scenario, look.given.as_slice()));
    let recorded = crate::lessons::record(&moment.run, from, deed_words);
    print(recorded.map_err(|error| Failure::usage(record_trouble(Lang::En, &error)))?)?;
    Ok(ExitCode::SUCCESS)
}

/// A built-in lesson, or one in a file.
fn find(what: &str) -> Result<Rc<Lesson>, Failure> {
    if let Some(lesson) = built_in(what) {
        return Ok(lesson);
    }
    let text = match LESSONS.iter().find(|(id, _)| *id == what) {
        Some((_, text)) => (*text).to_string(),
        None => read(Path::new(what))?,
    };
    Lesson::from_json(&text).map(Rc::new).map_err(|error| Failure::usage(format!("{what}: {error}")))
}

/// The text of a lesson or an assignment; of a longer one only as much as says that it is too long.
pub(super) fn read(file: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let open = fs::File::open(file).map_err(of_file(file))?;
    // one more than is allowed, so that too much is told from enough
    open.take(MAX_LESSON_BYTES as u64 + 1).read_to_string(&mut text).map_err(of_file(file))?;
    Ok(text)
}

fn check(lessons: &[Rc<Lesson>], seeds: Option<Range<u64>>, json: bool) -> Result<ExitCode, Failure> {
    let (mut runs, mut found) = (0_u64, Vec::new());
    for lesson in lessons {
        let mut flaws = read_over(lesson);
        for seed in seeds.clone().unwrap_or(lesson.start.seeds.clone()) {
            let wrong = |error| Failure::usage(format!("{}: seed {seed}: {error}", lesson.id));
            flaws.extend(prove(lesson, seed).map_err(wrong)?);
            runs += 1;
        }
        for flaw in flaws {
            if !json {
                print(format_args!("{}: {flaw}", lesson.id))?;
            }
            found.push(json!({ "lesson": lesson.id, "seed": flaw.seed, "place": flaw.place, "what": flaw.what }));
        }
    }
    match json {
        true => print(json!({ "runs": runs, "flaws": found }))?,
        false => print(format_args!("{runs} runs, {} flaws", found.len()))?,
    }
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

fn show(lesson: &Rc<Lesson>, seed: Option<u64>) -> Result<ExitCode, Failure> {
    let resolved = DryRun::new(lesson, seed).and_then(DryRun::play)?;
    let say = |text| resolved.said(text, Tongue::English);
    print(format_args!("{}: {}", say(&lesson.title), say(&lesson.idea)))?;
    for beat in &lesson.beats {
        let spot = resolved.spot(&beat.at);
        let at = spot.map_or("never".into(), |spot| format!("{}.{:03} ms", spot.at.0 / 1_000, spot.at.0 % 1_000));
        print(format_args!("\n{at}  [{}]\n  {}", beat.id, say(&beat.say)))?;
        if let Some(ask) = &beat.ask {
            show_ask(&resolved, ask)?;
        }
    }
    for task in &lesson.play {
        print(format_args!("\n* {}", say(&task.say)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_ask(resolved: &Resolved, ask: &Ask) -> Result<(), Failure> {
    let say = |text| resolved.said(text, Tongue::English);
    print(format_args!("  ? {}", say(&ask.prompt)))?;
    for (place, text) in ask.kind.texts() {
        print(format_args!("    {place} {}", say(text)))?;
    }
    if let Kind::Do(task) = &ask.kind {
        print(format_args!("    {}", say(&task.say)))?;
    }
    let seen = all_seen(resolved, ask).map_err(|error| Failure::usage(error.to_string()))?;
    print(format_args!("  = {}", answer(resolved, ask, &seen)))?;
    for thinks in &ask.thinks {
        print(format_args!("  x {}: {}", thinks.idea, say(&thinks.says)))?;
    }
    print(format_args!("  ! {}", say(&ask.then)))
}
