//! Recipes of one's own on the command line: `zabscope find --recipe`, and `zabscope grade --recipes`, which judges many.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::explore::own::{Law, question, steps};
use crate::explore::{Answer, Found, Question, Report, Search, Stage};
use crate::i18n::{Lang, evidence_words, program_words};
use crate::recipes::own::{MAX_PROGRAM_BYTES, Program};

use super::grade::{bounded, cell};
use super::seeds::share_out;
use super::{Failure, of_file};

/// Steps between two looks.
const SLICE: u64 = 200_000;
/// A program is searched in so many parts, each with a seed of its own: the same parts on every machine, so that marks hang on none.
const PARTS: u64 = 4;

/// How programs are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judging {
    /// On how many servers.
    pub servers: u8,
    /// Most schedules.
    pub schedules: u64,
    /// A herd is not held against them.
    pub may_herd: bool,
    /// How many threads search; 0: one a core.
    pub jobs: usize,
}

/// How they are judged where nobody says otherwise.
pub(super) const USUAL: Judging = Judging { servers: 1, schedules: 10_000, may_herd: false, jobs: 0 };

/// The smallest run that breaks a program; a herd is told where nothing worse is.
pub(super) struct Broken {
    pub answer: Answer,
    pub found: Found,
    pub steps: usize,
}

/// A program and its text; or what is wrong with the file.
pub(super) fn read(file: &Path, lang: Lang) -> Result<(String, Program), String> {
    let wrong = |why: String| format!("{}: {why}", file.display());
    let bytes = bounded(file, MAX_PROGRAM_BYTES as u64).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("this is no text".into()))?;
    match Program::parse(&text) {
        Ok(program) => Ok((text, program)),
        Err(error) => Err(wrong(program_words(lang, &error))),
    }
}

/// Looks for a schedule that breaks a program; how many were tried, and what was found.
pub(super) fn judge(text: &str, program: &Program, judging: Judging) -> (u64, Option<Broken>) {
    let part = judging.schedules.div_ceil(PARTS);
    let asked = question(text, program, judging.servers, judging.may_herd, part);
    // a question cannot go to another thread, nor an answer come from there; their texts can
    let carried = asked.to_json();
    let play = |seed: u64, _: &AtomicBool| {
        let question = Question::from_json(&carried).ok()?;
        let mut search = Search::new(Question { seed, ..question });
        while search.step(SLICE).stage != Stage::Done {}
        Some((seed, Report::of(&search).to_json()))
    };
    let (mut tried, mut answers) = (0, Vec::new());
    share_out(0..PARTS, judging.jobs, play, |report| {
        if let Some((seed, text)) = report
            && let Ok(report) = Report::from_json(&text)
        {
            tried += report.progress.trials;
            answers.extend(report.finds.into_iter().map(|answer| (seed, answer)));
        }
        false
    });
    let broken = answers.into_iter().filter_map(|(seed, answer)| {
        let found = answer.replay(&asked.goal)?;
        let (steps, herds) = (steps(&answer.run, answer.deeds), found.property == Some(Law::NoHerd.id()));
        Some(((herds, steps, seed), Broken { answer, found, steps }))
    });
    (tried, broken.min_by_key(|(rank, _)| *rank).map(|(_, broken)| broken))
}

/// `zabscope grade --recipes`: a row for each program; whether all could be read.
pub(super) fn grade(files: &[PathBuf], judging: Judging, out: Option<&Path>, lang: Lang) -> Result<bool, Failure> {
    let mut out: Box<dyn Write> = match out {
        None => Box::new(io::stdout().lock()),
        Some(path) => Box::new(File::create(path).map_err(of_file(path))?),
    };
    out.write_all(b"name,kept,law,steps,schedules,remark\r\n")?;
    let mut all = true;
    for file in files {
        let read = read(file, lang);
        all &= read.is_ok();
        let (tried, broken, wrong) = match read {
            Ok((text, program)) => {
                let (tried, broken) = judge(&text, &program, judging);
                (tried, broken, None)
            }
            Err(why) => (0, None, Some(why)),
        };
        let kept = if broken.is_none() && wrong.is_none() { "yes" } else { "no" };
        let found = broken.as_ref().map(|broken| &broken.found);
        let law = found.and_then(|found| found.property).unwrap_or_default();
        let steps = broken.as_ref().map_or(String::new(), |broken| broken.steps.to_string());
        let seen = found.and_then(|found| found.evidence.as_ref()).map(|evidence| evidence_words(lang, evidence));
        let remark = wrong.or(seen).unwrap_or_default();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let row = [&name, kept, law, &steps, &tried.to_string(), &remark].map(cell);
        write!(out, "{}\r\n", row.join(","))?;
        out.flush()?;
    }
    Ok(all)
}
