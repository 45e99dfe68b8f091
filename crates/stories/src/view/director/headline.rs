//! The chapter that stands as the headline: time does not reach the next one before this one can have been read.

use crate::base::SimTime;
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

    /// Where the next chapter begins, as long as this one cannot have been read.
    pub(super) fn unread_until(&self, session: &Session, now_ms: u64, dwell: Dwell<'_>) -> Option<SimTime> {
        let (id, index) = self.chapter?;
        let told = Told { what: What::Chapter(id, index), rank: 0, owner: None, begins: None };
        let unread = now_ms.saturating_sub(self.since_ms) < dwell(&told);
        session.next_chapter_at().filter(|_| unread)
    }
}
