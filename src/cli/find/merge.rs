//! `zabscope find --merge`: sums up the lines of searches that were shared out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{BufRead, Read};
use std::path::Path;

use serde::Serialize;

use crate::base::limits::MAX_RUN_BYTES;

use super::line::Line;
use super::{Failure, Find, print, tell};
use crate::cli::{lines_of, of_file};

/// Longest line, bytes: a run, and what stands beside it.
const MAX_LINE: usize = MAX_RUN_BYTES + (64 << 10);

/// Sums up, and says whether the goal was reached.
pub(super) fn merge(asked: &Find) -> Result<bool, Failure> {
    let mut lines = Lines::default();
    asked.merge.iter().try_for_each(|file| lines.read(file))?;
    let summary = lines.summary().ok_or_else(|| Failure::usage("--merge: there is no line in these files"))?;
    let written = match (&asked.write, summary.smallest) {
        (Some(folder), Some(line)) => line.write(folder)?,
        _ => None,
    };
    if asked.json {
        print(serde_json::to_string(&summary).unwrap_or_default())?;
    } else {
        print(summary.words())?;
        if let Some((line, found)) = summary.smallest.and_then(|line| Some((line, line.found.as_ref()?))) {
            let (seed, trial, deeds) = (line.seed, found.answer.trial + 1, found.answer.deeds);
            print(format_args!("the smallest is of seed {seed}, run {trial}; {deeds} deeds:"))?;
            tell(found, written.as_deref())?;
        }
    }
    Ok(summary.reached > 0)
}

/// All lines by their seeds: whatever order they come in, the sum is the same.
#[derive(Default)]
struct Lines(BTreeMap<u64, Line>);

impl Lines {
    /// Takes in the lines of a file.
    fn read(&mut self, file: &Path) -> Result<(), Failure> {
        let name = if file.as_os_str() == "-" { Path::new("stdin") } else { file };
        let mut text = lines_of(file)?;
        for number in 1_u64.. {
            let mut bytes = Vec::new();
            // one byte more is enough to say that it is too long
            if (&mut text).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes).map_err(of_file(name))? == 0 {
                break;
            }
            self.add(&bytes).map_err(|why| Failure::usage(format!("{}, line {number}: {why}", name.display())))?;
        }
        Ok(())
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        if bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        if bytes.len() > MAX_LINE {
            return Err(format!("more than {MAX_LINE} bytes"));
        }
        let mut line = Line::from_json(bytes)?;
        if self.0.values().next().is_some_and(|first| first.question != line.question) {
            return Err("another question than that of the lines before; run, goal, rules, --from, --strategy, \
                        --budget, --shrink and the version must be the same"
                .into());
        }
        match self.0.entry(line.seed) {
            Entry::Vacant(place) => _ = place.insert(line),
            // a job that was done again
            Entry::Occupied(known) => {
                line.ms = known.get().ms;
                if *known.get() != line {
                    return Err(format!("seed {} has come to something else before", line.seed));
                }
            }
        }
        Ok(())
    }

    fn summary(&self) -> Option<Summary<'_>> {
        let (first, last) = (self.0.first_key_value()?, self.0.last_key_value()?);
        let sum = |count: fn(&Line) -> u64| self.0.values().map(count).fold(0, u64::saturating_add);
        let reached: Vec<&Line> = self.0.values().filter(|line| line.found.is_some()).collect();
        // as a search sorts what it has found
        let size = |line: &&Line| {
            let answer = line.found.as_ref().map(|found| &found.answer);
            answer.map(|answer| (answer.repaired == Some(false), answer.deeds, answer.at))
        };
        let seeds = self.0.len();
        Some(Summary {
            goal: &first.1.goal,
            rules: &first.1.rules,
            question: &first.1.question,
            seeds,
            first: *first.0,
            last: *last.0,
            missing: last.0 - first.0 - (seeds as u64 - 1),
            trials: sum(|line| line.trials),
            shrinks: sum(|line| line.shrinks),
            events: sum(|line| line.events),
            reached: reached.len(),
            smallest: reached.into_iter().min_by_key(size),
        })
    }
}

/// All lines in one.
#[derive(Serialize)]
struct Summary<'a> {
    goal: &'a str,
    rules: &'a [String],
    question: &'a str,
    seeds: usize,
    first: u64,
    last: u64,
    /// Seeds between these two without a line: of a machine that broke down, perhaps.
    missing: u64,
    trials: u64,
    shrinks: u64,
    events: u64,
    /// Seeds with which the goal was reached.
    reached: usize,
    smallest: Option<&'a Line>,
}

impl Summary<'_> {
    fn words(&self) -> String {
        let Summary { goal, seeds, first, last, missing, trials, events, reached, .. } = self;
        let gap = if *missing > 0 { format!(", {missing} missing") } else { String::new() };
        format!(
            "{goal} was reached with {reached} of {seeds} seeds ({first} to {last}{gap}; {trials} runs, {events} events)"
        )
    }
}
