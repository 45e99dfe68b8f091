//! What was answered in a lesson and what happened, in words: for whoever wants to keep or to hand in their answers. No score.

use crate::daemon::Tongue;
use crate::lessons::{Ask, answer};

use super::said::in_words;
use super::{Answered, Guide, Phase};

/// A question that has been asked and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// The question, or what there was to do.
    pub question: String,
    /// Whether the viewer answered it, and did not only look.
    pub answered: bool,
    /// What was expected; none of a deed and where nothing was answered.
    pub expected: Option<String>,
    /// What it was; none of a deed.
    pub did: Option<String>,
    /// What was said of it.
    pub then: String,
}

impl Guide {
    /// Everything that was asked and shown so far, in the order of the lesson.
    pub fn recalled(&self, tongue: Tongue) -> Vec<Recalled> {
        let asked = self.resolved.lesson.beats.iter().zip(&self.answers).enumerate();
        let told = asked.filter(|(at, _)| *at != self.at || self.phase == Phase::Told);
        told.filter_map(|(at, (beat, answered))| {
            Some(self.recall(at, beat.ask.as_ref()?, answered.as_ref()?, tongue))
        })
        .collect()
    }

    fn recall(&self, at: usize, ask: &Ask, answered: &Answered, tongue: Tongue) -> Recalled {
        let words = |value| in_words(&self.resolved, ask, value, tongue);
        let given = match answered {
            Answered::Given(given) => Some(given),
            Answered::Shown => None,
        };
        Recalled {
            question: self.resolved.said(&ask.prompt, tongue),
            answered: given.is_some(),
            expected: given.and_then(words),
            did: words(&answer(&self.resolved, ask, self.seen_in(at))),
            then: self.resolved.said(&ask.then, tongue),
        }
    }
}
