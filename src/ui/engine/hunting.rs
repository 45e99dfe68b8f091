//! Runs in which a rule is broken: those that are prepared, and those that a search finds.

use crate::base::{Micros, SimTime};
use crate::explore::{Question, prepared};
use crate::museum::{Bug, Shows};
use crate::sim::{Action, Rule, Run, RunError};
use crate::timeline::{Against, Pair, Side, Variation};

use super::Engine;
use crate::ui::search::{Hunt, Standing};

/// Such a run is watched from so long before the first of its deeds until so long after the harm, µs.
const BEFORE_DEEDS_US: Micros = 40_000;
const AFTER_HARM_US: Micros = 300_000;

impl Engine {
    /// A rule's own run, kept and broken beside each other.
    pub(crate) fn show_rule(&self, rule: Rule) -> Result<(), RunError> {
        let Some(one) = prepared(rule) else { return self.vary(Variation::Rule(rule)) };
        self.show_found(Variation::Rule(rule).apply(&one.run)?, one.until, true)
    }

    /// A run that reaches its goal at this moment, from shortly before what is done in it; if it is asked for and one rule is
    /// broken there, beside the same run with that rule kept.
    pub(crate) fn show_found(&self, run: Run, at: SimTime, beside: bool) -> Result<(), RunError> {
        let first = run.actions.first().map_or(SimTime::ZERO, |timed| timed.at_us);
        let until_ms = at.plus(AFTER_HARM_US).ceil_ms().as_ms();
        let mut broken = Rule::broken_in(run.setup.rules);
        let only = broken.next().filter(|_| beside && broken.next().is_none()).map(Variation::Rule);
        self.watch(first, |pair| match only {
            Some(rule) => pair.load_varied(rule.apply(&run)?, rule, until_ms),
            None => {
                pair.load(run, None)?;
                pair.change(Side::Left, |left| left.plan(until_ms));
                Ok(())
            }
        })
    }

    /// Puts runs on the stage, and plays them from shortly before the first deed, which is done at this moment.
    pub(super) fn watch(
        &self,
        first: SimTime,
        load: impl FnOnce(&mut Pair) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.leaving(|pair| {
            load(pair)?;
            pair.change(Side::Left, |left| left.seek(SimTime(first.0.saturating_sub(BEFORE_DEEDS_US))))
        })?;
        self.change(|session| session.playing = true);
        Ok(())
    }

    /// A bug's run beside the same mended.
    pub(crate) fn show_bug(&self, bug: &Bug) -> Result<(), RunError> {
        let (run, repaired, until) = match &bug.shows {
            Shows::Rule(rule) => return self.show_rule(*rule),
            Shows::Runs { run, repaired, until, .. } => (Run::clone(run), Run::clone(repaired), *until),
        };
        let until_ms = until.plus(AFTER_HARM_US).ceil_ms().as_ms();
        let prepares = |action: &Action| matches!(action, Action::OpenClient { .. } | Action::MakeRecipe { .. });
        let first =
            run.actions.iter().find(|timed| !prepares(&timed.action)).map_or(SimTime::ZERO, |timed| timed.at_us);
        let name = Against::Named(bug.id.to_string());
        self.watch(first, |pair| {
            pair.load(repaired, None)?;
            pair.change(Side::Left, |left| left.plan(until_ms));
            pair.compare_with(run, None, Some(until_ms), Some(name))
        })
    }

    /// Searches for the answer to a question, beside the stage; an older search ends. `tell` hears whenever more is known.
    pub(crate) fn search_for(&self, question: Question, tell: impl Fn(&Standing) + 'static) {
        self.stop_search();
        let engine = self.on(Side::Left);
        let hunt = Hunt::begin(question, move |standing| {
            engine.notify();
            tell(standing);
        });
        self.shared.hunt.replace(Some(hunt));
        self.on(Side::Left).notify();
    }

    /// A search that is somewhere on its way.
    #[cfg(test)]
    pub(crate) fn put_search(&self, hunt: Hunt) {
        self.shared.hunt.replace(Some(hunt));
    }

    /// Ends the search; what it has come to stays.
    pub(crate) fn stop_search(&self) {
        if let Some(hunt) = &*self.shared.hunt.borrow() {
            hunt.stop();
        }
    }

    /// What is searched for, or was, and how that stands.
    pub(crate) fn search(&self) -> Option<(Question, Standing)> {
        let hunt = self.shared.hunt.borrow();
        hunt.as_ref().map(|hunt| (hunt.question().clone(), hunt.standing()))
    }
}
