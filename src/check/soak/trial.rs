//! Plays one random run and checks it after every event.

use crate::base::SimTime;
use crate::check::{Checker, Violation};
use crate::sim::{Digest, Run, World};

use super::end_of;
use super::liveness::Liveness;

/// How a random run went.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Steps taken.
    pub events: u64,
    /// What was violated, liveness (as `liveness`) included.
    pub violations: Vec<Violation>,
    /// The digest of all facts, where it was asked for: it costs more than the run.
    pub digest: Option<String>,
}

/// Plays a run of [`super::soak_run`] of so many minutes to its end.
pub fn trial(run: &Run, minutes: u64, with_digest: bool) -> Trial {
    let end = SimTime(end_of(minutes));
    let (mut world, mut checker, mut liveness) = (World::new(run), Checker::new(&run.setup), Liveness::default());
    let mut digest = with_digest.then(Digest::default);
    let mut seq = 0;
    while world.next_at().is_some_and(|at| at <= end) {
        for record in world.step().unwrap_or_default() {
            checker.read(record);
            liveness.read(record);
            if let Some(digest) = &mut digest {
                digest.read(record);
            }
            seq = record.seq;
        }
    }
    let mut violations = checker.violations().to_vec();
    if let Some(evidence) = liveness.missing() {
        violations.push(Violation { property: "liveness", at: end, seq, servers: evidence.servers(), evidence });
    }
    Trial { events: world.events, violations, digest: digest.map(|digest| digest.hex()) }
}
