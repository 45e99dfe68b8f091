//! What the machine shows after an answer: what decides, and where the viewer is on the way to it.

use crate::daemon::Tongue;
use crate::lessons::Step;
use crate::timeline::Session;
use crate::view::director::{Dwell, Reveal};

use super::{Guide, Phase, Saying};

impl Guide {
    /// How what is to be shown now is told: where time stops, and how fast it runs between. `read` is how long a sentence takes, ms.
    pub fn rehearse(
        &self,
        session: &Session,
        tongue: Tongue,
        dwell: Dwell<'_>,
        read: &dyn Fn(&str) -> u64,
    ) -> Option<Reveal> {
        let ask = self.ask().filter(|_| self.phase == Phase::Shows)?;
        let step = |step: &Step| Some((self.step_at(step)?, read(&self.resolved.said(&step.say, tongue))));
        let because = ask.because.as_ref().and_then(|because| self.resolved.fact_at(because));
        let decisive: Vec<(u64, u64)> =
            ask.steps.iter().filter_map(step).chain(because.map(|because| (because, 0))).collect();
        let ends = self.resolved.fact_at(&ask.until);
        Some(Reveal::rehearse(session, self.until()?.events, &decisive, ends, dwell))
    }

    /// What is said while the machine shows something of which the fact with this number is told: the step that the viewer is at.
    pub fn stepping(&self, mut saying: Saying, told: Option<u64>, tongue: Tongue) -> Saying {
        let Some(ask) = self.ask().filter(|_| self.phase == Phase::Shows) else { return saying };
        for step in &ask.steps {
            let reached = self.step_at(step).is_some_and(|seq| told >= Some(seq));
            if reached {
                saying.caption = self.resolved.parts(&step.say, tongue);
            }
            saying.steps.push((self.resolved.said(&step.name, tongue), reached));
        }
        saying
    }

    /// The number of the fact that a step is.
    fn step_at(&self, step: &Step) -> Option<u64> {
        self.resolved.fact_at(&step.at)
    }
}
