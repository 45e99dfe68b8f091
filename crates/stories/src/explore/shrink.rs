//! Makes a run that reaches a goal smaller, one trial at a time, until nothing can be left out any more. Valid is only what
//! violates the same property by the same kind of evidence, and does not with every rule kept.

use crate::base::{Micros, RuleSet};
use crate::sim::{Run, ZkVersion};

use super::goal::Goal;
use super::passes::{Next, PASSES};
use super::search::{Find, Strategy};
use super::stand::{Outcome, horizon, patient, play};

/// Most runs that are tried.
const MAX_TRIALS: u64 = 3_000;
/// Most steps in all of them.
const MAX_EVENTS: u64 = 6_000_000;
/// A smaller run may need so much longer than the one that it came from, µs.
const SLACK_US: Micros = 500_000;

/// A find on its way to its smallest form.
#[derive(Clone, Debug)]
pub struct Shrink {
    goal: Goal,
    best: Find,
    /// What is made smaller: the run without the healing behind it.
    core: Run,
    after: Micros,
    /// A rule is broken, and with every rule kept the first run did not reach the goal: no smaller one may.
    repairs: bool,
    pass: usize,
    at: usize,
    changed: bool,
    trials: u64,
    events: u64,
}

impl Shrink {
    /// A run that is to reach the goal, which is played once; none where it does not.
    pub fn of(run: Run, goal: &Goal) -> Option<Shrink> {
        let after = patient(&run, goal);
        let Outcome { found, run, deeds } = play(run, goal, after).0?;
        let (trial, strategy) = (0, Strategy::Ladder);
        Some(Shrink::new(Find { run, deeds, found, trial, strategy, shrunk_from: deeds, repaired: None }, goal))
    }

    /// At the beginning.
    pub(super) fn new(best: Find, goal: &Goal) -> Shrink {
        let mut shrink = Shrink {
            goal: goal.clone(),
            core: best.run.clone(),
            best,
            after: 0,
            repairs: false,
            pass: 0,
            at: 0,
            changed: false,
            trials: 0,
            events: 0,
        };
        let Find { run, found, deeds, .. } = shrink.best.clone();
        shrink.keep(Outcome { found, run, deeds });
        if breaks_rules(&shrink.core) {
            shrink.repairs = shrink.holds_repaired(&shrink.core.clone());
            shrink.best.repaired = Some(shrink.repairs);
        }
        shrink
    }

    /// The smallest so far.
    pub fn best(&self) -> &Find {
        &self.best
    }

    /// The smallest.
    pub fn into_best(self) -> Find {
        self.best
    }

    /// How many runs were tried.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// Tries one smaller run; how many events that took. `None` when there is nothing left to try.
    pub fn step(&mut self) -> Option<u64> {
        if self.trials >= MAX_TRIALS || self.events >= MAX_EVENTS {
            return None;
        }
        let candidate = self.candidate()?;
        self.trials += 1;
        let before = self.events;
        match self.judge(candidate) {
            Some(outcome) => {
                self.keep(outcome);
                self.changed = true;
            }
            None => self.at += 1,
        }
        Some(self.events - before)
    }

    fn candidate(&mut self) -> Option<Run> {
        loop {
            let Some(pass) = PASSES.get(self.pass) else {
                if !std::mem::take(&mut self.changed) {
                    return None;
                }
                self.pass = 0;
                continue;
            };
            match pass(&self.core, self.at) {
                Next::Try(run) if run.check().is_ok() => return Some(*run),
                Next::Try(_) | Next::Nothing => self.at += 1,
                Next::Over => (self.pass, self.at) = (self.pass + 1, 0),
            }
        }
    }

    /// Whether a smaller run will do.
    fn judge(&mut self, run: Run) -> Option<Outcome> {
        let (outcome, events) = play(run, &self.goal, self.after);
        self.events += events;
        let outcome = outcome.filter(|outcome| outcome.found.is_like(&self.best.found))?;
        let mut core = outcome.run.clone();
        core.actions.truncate(outcome.deeds);
        (!self.repairs || self.holds_repaired(&core)).then_some(outcome)
    }

    /// Whether nothing falls when every rule is kept, and what need not be wrong does not happen.
    fn holds_repaired(&mut self, core: &Run) -> bool {
        let mut kept = core.clone();
        (kept.setup.rules, kept.setup.zookeeper) = (RuleSet::default(), ZkVersion::default());
        let any = self.goal.is_violation() && !self.goal.heals();
        let goal = if any { Goal::Any } else { self.goal.clone() };
        let (outcome, events) = play(kept, &goal, self.after);
        self.events += events;
        outcome.is_none()
    }

    /// This is the smallest by now; what comes after its find goes.
    fn keep(&mut self, outcome: Outcome) {
        let Outcome { found, mut run, mut deeds } = outcome;
        if !self.goal.heals() {
            run.actions.retain(|timed| timed.at_us <= found.at);
            deeds = run.actions.len();
        }
        self.core = run.clone();
        self.core.actions.truncate(deeds);
        self.after = horizon(&self.core, &self.goal);
        if !self.goal.heals() {
            let last = self.core.actions.last().map_or(0, |timed| timed.at_us.0);
            self.after = self.after.max(found.at.0.saturating_sub(last) + SLACK_US);
        }
        (self.best.found, self.best.run, self.best.deeds) = (found, run, deeds);
    }
}

fn breaks_rules(run: &Run) -> bool {
    run.setup.rules_in_force() != RuleSet::default()
}
