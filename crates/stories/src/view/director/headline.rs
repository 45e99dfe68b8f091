//! The chapter that stands as the headline: time reaches neither the next one nor the end of the scene before this one can have been read.

use crate::base::SimTime;
use crate::scenarios::{Scenario, scenario};
use crate::timeline::Session;

use super::{Dwell, Told, What};

/// What a chapter teaches, as something told.
fn taught((id, index): (&'static str, usize)) -> Told {
    Told { what: What::Chapter(id, index), rank: 0, owner: None, begins: None }
}

fn is_idea((id, index): (&'static str, usize)) -> bool {
    scenario(id).and_then(Scenario::scene).is_some_and(|scene| scene.idea == index)
}

/// So much longer stands what a scenario begins with where nothing else leads to its idea, ms: whoever has just come looks around first.
const PREMISE_MS: u64 = 1_500;

/// So long the last chapter is on the stage at least, ms: at its end a card lies on it.
const LAST_MS: u64 = 5_000;

fn is_premise((id, index): (&'static str, usize)) -> bool {
    index == 0 && is_idea((id, 1))
}

/// What the scenario is for, where that begins with this: it is read where it is seen, and not while time runs on to something else.
pub(super) fn idea(told: &Told) -> Option<Told> {
    told.begins.filter(|chapter| is_idea(*chapter)).map(taught)
}

/// The chapter in which the viewer is, and since when, ms of the wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Headline {
    chapter: Option<(&'static str, usize)>,
    since_ms: u64,
}

impl Headline {
    /// Looks where the viewer is; whether that is another chapter.
    pub(super) fn look(&mut self, session: &Session, now_ms: u64) -> bool {
        let chapter = session.told_chapter();
        let other = chapter != self.chapter;
        if other {
            *self = Headline { chapter, since_ms: now_ms };
        }
        other
    }

    /// Whether it is what the scenario is for.
    pub(super) fn is_idea(&self) -> bool {
        self.chapter.is_some_and(is_idea)
    }

    /// It is read from now on: time begins to run.
    pub(super) fn begin(&mut self, now_ms: u64) {
        self.since_ms = now_ms;
    }

    /// Where the next chapter begins, or the scene ends, as long as this one cannot have been read.
    pub(super) fn unread_until(&self, session: &Session, now_ms: u64, dwell: Dwell<'_>) -> Option<SimTime> {
        let told = taught(self.chapter?);
        let premise_ms = self.chapter.filter(|at| is_premise(*at)).map_or(0, |_| PREMISE_MS);
        let (next, needs_ms) = match session.next_chapter_at() {
            Some(next) => (next, dwell(&told) + premise_ms),
            None => (session.pauses_at()?, dwell(&told).max(LAST_MS)),
        };
        (now_ms.saturating_sub(self.since_ms) < needs_ms).then_some(next)
    }
}
