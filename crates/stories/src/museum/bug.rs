//! One bug as it is shown.

use std::rc::Rc;

use crate::base::SimTime;
use crate::base::json::{Json, Read, ReadError};
use crate::explore::Goal;
use crate::lessons::{Text, word};
use crate::sim::{Rule, Run};

/// What bugs have in common, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wing {
    /// What happens between NEWLEADER and UPTODATE: one optimisation of 2017, and what followed.
    NewLeader,
    /// Logs, snapshots, DIFF, TRUNC, SNAP.
    Logs,
    /// Elections and epochs.
    Elections,
    /// Sessions, watches, the store.
    Service,
    /// Recipes.
    Recipes,
}

const WINGS: &[(&str, Wing)] = &[
    ("newleader", Wing::NewLeader),
    ("logs", Wing::Logs),
    ("elections", Wing::Elections),
    ("service", Wing::Service),
    ("recipes", Wing::Recipes),
];

impl Wing {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Wing> {
        WINGS.iter().map(|(_, wing)| *wing)
    }
}

/// How a bug is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// By a rule's own run: breaking it brings the bug back.
    Rule(Rule),
    /// By a run as the release plays it, and the same mended: the words of a recipe, or the version, are all that differs.
    Runs {
        /// With the bug.
        run: Box<Run>,
        /// Without it.
        repaired: Box<Run>,
        /// What the first reaches and the second does not.
        goal: Goal,
        /// How long both are worth watching, in virtual time.
        until: SimTime,
    },
}

/// A real bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// Its issue.
    pub id: Rc<str>,
    /// Where it stands.
    pub wing: Wing,
    /// The year in which it was mended, or told of where it was not.
    pub year: u16,
    /// How it is shown.
    pub shows: Shows,
    /// What went wrong, as a title.
    pub title: Text,
    /// What people saw, why, and how it was mended.
    pub story: Text,
    /// The first releases that have it; empty where all before the repair do.
    pub since: Rc<str>,
    /// The first releases of each line without it; empty where there is none, `by design` where there shall be none.
    pub fixed: Rc<str>,
    /// Where that is known from.
    pub source: Rc<str>,
}

impl Read for Bug {
    fn read(json: Json) -> Result<Bug, ReadError> {
        let mut fields = json.fields()?;
        let shows = match fields.or("rule", None)? {
            Some(rule) => Shows::Rule(rule),
            None => Shows::Runs {
                run: Box::new(fields.need("run")?),
                repaired: Box::new(fields.need("repaired")?),
                goal: fields.need("goal")?,
                until: fields.need("until_us")?,
            },
        };
        let bug = Bug {
            id: fields.need("id")?,
            wing: word(fields.need("wing")?, WINGS, "wing")?,
            year: fields.need("year")?,
            shows,
            title: fields.need("title")?,
            story: fields.need("story")?,
            since: fields.need("since")?,
            fixed: fields.need("fixed")?,
            source: fields.need("source")?,
        };
        fields.end().map(|()| bug)
    }
}
