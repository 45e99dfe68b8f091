//! The decisive facts of a scenario, as far as they have not been told yet.

use crate::base::SimTime;
use crate::scenarios::pattern::Pattern;
use crate::scenarios::{Chapter, Scenario};
use crate::sim::{Interest, Record, interest};
use crate::timeline::Session;

/// What is still to come: of chapters in their order, of all else in any.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    chapters: &'static [Chapter],
    /// When those begin that are known, in their order.
    marks: Vec<SimTime>,
    next: usize,
    idea: usize,
    others: Vec<Pattern<'static>>,
}

impl Script {
    /// What is to come where a session stands.
    pub(super) fn at(session: &Session) -> Script {
        let Some(scenario) = session.scenario() else { return Script::default() };
        let chapters = scenario.scene().map_or(&[][..], |scene| scene.chapters);
        let next = session.chapter().map_or(1, |chapter| chapter + 1);
        let idea = scenario.scene().map_or(0, |scene| scene.idea);
        let mut script = Script { chapters, marks: Vec::new(), next, idea, others: scenario.decisive().to_vec() };
        script.learn(session);
        script
    }

    /// More of the chapters may be known by now.
    pub(super) fn learn(&mut self, session: &Session) {
        if self.marks.len() != session.chapters().len() {
            self.marks = session.chapters().iter().map(|mark| mark.at).collect();
        }
    }

    /// The number of the chapter that is still to begin.
    pub(super) fn next_chapter(&self) -> usize {
        self.next
    }

    /// Whether what the scenario is for is still to come.
    pub(super) fn leads_to_idea(&self) -> bool {
        self.next <= self.idea
    }

    /// Whether this fact is one of them; then it does not come again.
    pub(super) fn calls_for(&mut self, record: &Record) -> bool {
        if (self.next >= self.chapters.len() && self.others.is_empty()) || interest(record) == Interest::Noise {
            return false;
        }
        let json = serde_json::to_string(record).unwrap_or_default();
        let begins = self.chapters.get(self.next).and_then(|chapter| chapter.begins);
        // of several facts the last one, as far as is known which that is
        let early = |pattern: Pattern<'_>| {
            pattern.is_last() && self.marks.get(self.next).is_some_and(|mark| record.at_us < *mark)
        };
        if begins.is_some_and(|pattern| pattern.is_in(&json) && !early(pattern)) {
            self.next += 1;
            return true;
        }
        let found = self.others.iter().position(|pattern| pattern.is_in(&json));
        found.map(|at| self.others.remove(at)).is_some()
    }
}

/// Whether a fact is of a kind that is decisive somewhere in this scenario.
pub(super) fn is_decisive(scenario: Option<&Scenario>, record: &Record) -> bool {
    let Some(scenario) = scenario.filter(|_| interest(record) != Interest::Noise) else { return false };
    let chapters = scenario.scene().map_or(&[][..], |scene| scene.chapters);
    let mut patterns =
        chapters.iter().filter_map(|chapter| chapter.begins).chain(scenario.decisive().iter().copied());
    let json = serde_json::to_string(record).unwrap_or_default();
    patterns.any(|pattern| pattern.is_in(&json))
}
