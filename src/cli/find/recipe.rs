//! `zabscope find --recipe`: the schedule that breaks a recipe of one's own, told by its lines.

use std::path::Path;
use std::time::Instant;

use crate::explore::Goal;
use crate::explore::own::{is_stage, story};
use crate::i18n::{Lang, action_words, describe, evidence_words, property_title};

use super::super::recipes::{Broken, Judging, USUAL, judge, read};
use super::super::{Failure, print, write_run};
use super::{Find, make};

/// Whether a schedule breaks it.
pub(super) fn recipe(file: &Path, asked: &Find) -> Result<bool, Failure> {
    let judging = Judging {
        servers: asked.servers.unwrap_or(USUAL.servers),
        schedules: asked.budget.unwrap_or(USUAL.schedules),
        may_herd: asked.may_herd,
        jobs: asked.jobs,
    };
    let (text, program) = read(file, Lang::En).map_err(Failure::usage)?;
    make(asked.write.as_deref())?;
    let begun = Instant::now();
    let (tried, broken) = judge(&text, &program, judging);
    let took = format!("{tried} schedules ({:.1} s)", begun.elapsed().as_secs_f64());
    let Some(broken) = broken else {
        return print(format_args!("nothing broke in {took}; that is no proof")).map(|()| false);
    };
    if let Some(folder) = &asked.write {
        write_run(folder, "recipe.json", &broken.answer.run)?;
    }
    tell(&text, &broken, judging.may_herd, &took).map(|()| true)
}

/// The smallest run: what is done, and what each client then does at which line.
fn tell(text: &str, broken: &Broken, may_herd: bool, took: &str) -> Result<(), Failure> {
    let Broken { answer, found, steps } = broken;
    let title = property_title(Lang::En, found.property.unwrap_or_default());
    print(format_args!("'{title}' is broken in {steps} steps; {took}"))?;
    for timed in answer.run.actions.iter().take(answer.deeds).filter(|timed| !is_stage(&timed.action)) {
        print(format_args!("  {} s  {}", timed.at_us.seconds(), action_words(Lang::En, &timed.action)))?;
    }
    print("what then happens, by the lines of the recipe:")?;
    let mut last = None;
    for moment in story(&answer.run, &Goal::OwnRecipe { may_herd }, answer.at) {
        let place = (moment.client, moment.line);
        if moment.line > 0 && last != Some(place) {
            let line = text.lines().nth(moment.line - 1).unwrap_or_default().trim();
            print(format_args!("  {}  line {}: {line}", moment.client, moment.line))?;
        }
        last = Some(place);
        let what = describe(Lang::En, &moment.record).what;
        print(format_args!("      {} s  {what}", moment.record.at_us.seconds()))?;
    }
    let seen = found.evidence.as_ref().map_or(String::new(), |evidence| evidence_words(Lang::En, evidence));
    print(format_args!("at {} s: {seen}", answer.at.seconds()))
}
