//! The chapter that stands as the headline: time does not reach the next one before this one can have been read.

use crate::base::SimTime;
use crate::scenarios::{Scenario, scenario};
use crate::timeline::Session;

use super::{Dwell, Told, What};

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
        let scene = |(id, _)| scenario(id).and_then(Scenario::scene);
        self.chapter.is_some_and(|at| scene(at).is_some_and(|scene| scene.idea == at.1))
    }

    /// Where the next chapter begins, as long as this one cannot have been read.
    pub(super) fn unread_until(&self, session: &Session, now_ms: u64, dwell: Dwell<'_>) -> Option<SimTime> {
        let (id, index) = self.chapter?;
        let told = Told { what: What::Chapter(id, index), rank: 0, owner: None, begins: None };
        let unread = now_ms.saturating_sub(self.since_ms) < dwell(&told);
        session.next_chapter_at().filter(|_| unread)
    }
}
