//! `zabscope lesson`: proves lessons, prints what they say, makes them of runs.

use std::fs;
use std::io::Read;
use std::ops::Range;
use std::process::ExitCode;
use std::rc::Rc;

use crate::i18n::{Lang, deed_words, record_trouble};
use crate::lessons::{
    Ask, DryRun, Kind, LESSONS, Lesson, MAX_LESSON_BYTES, Resolved, all_seen, answer, lesson as built_in, prove,
    read_over,
};
use crate::sim::Tongue;

use super::seeds::parse_seeds;
use super::{Failure, print};

pub(super) fn lesson(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut words, mut seeds, mut seed) = (Vec::new(), None, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("seeds") => seeds = Some(parse_seeds(&args.value()?.string()?)?),
            Long("seed") => seed = Some(args.value()?.parse::<u64>()?),
            Value(value) if words.len() < 2 => words.push(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["check", "all"] => {
            let all = LESSONS.iter().map(|(id, _)| find(id)).collect::<Result<Vec<_>, _>>()?;
            check(&all, seeds)
        }
        ["check", what] => check(&[find(what)?], seeds),
        ["show", what] => show(&find(what)?, seed),
        ["record", what] => record(what),
        _ => Err(Failure::usage("zabscope lesson check FILE|LESSON|all, show FILE|LESSON, or record LINK|FILE")),
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
        None => read(what)?,
    };
    Lesson::from_json(&text).map(Rc::new).map_err(|error| Failure::usage(format!("{what}: {error}")))
}

/// The text of a lesson or an assignment; of a longer one only as much as says that it is too long.
pub(super) fn read(file: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let open = fs::File::open(file).map_err(|error| Failure::usage(format!("{file}: {error}")))?;
    // one more than is allowed, so that too much is told from enough
    let most = MAX_LESSON_BYTES as u64 + 1;
    open.take(most).read_to_string(&mut text).map_err(|error| Failure::usage(format!("{file}: {error}")))?;
    Ok(text)
}

fn check(lessons: &[Rc<Lesson>], seeds: Option<Range<u64>>) -> Result<ExitCode, Failure> {
    let (mut runs, mut found) = (0_u64, 0_usize);
    for lesson in lessons {
        let mut flaws = read_over(lesson);
        for seed in seeds.clone().unwrap_or(lesson.start.seeds.clone()) {
            flaws.extend(
                prove(lesson, seed)
                    .map_err(|error| Failure::usage(format!("{}: seed {seed}: {error}", lesson.id)))?,
            );
            runs += 1;
        }
        for flaw in &flaws {
            print(format_args!("{}: {flaw}", lesson.id))?;
        }
        found += flaws.len();
    }
    print(format_args!("{runs} runs, {found} flaws"))?;
    Ok(ExitCode::from(u8::from(found > 0)))
}

fn show(lesson: &Rc<Lesson>, seed: Option<u64>) -> Result<ExitCode, Failure> {
    let wrong = |error: crate::sim::RunError| Failure::usage(error.to_string());
    let resolved = DryRun::new(lesson, seed).and_then(DryRun::play).map_err(wrong)?;
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
