//! Plays one random run and checks it after every event.

use serde::Serialize;

use crate::base::SimTime;
use crate::check::{Checker, Evidence, LIVENESS, Missing, RECIPE_LIVENESS, Violation};
use crate::sim::{Digest, Run, World};

use crate::soak::electable::Electable;
use crate::soak::liveness::Liveness;
use crate::soak::proceeding::{Proceeding, Stuck};
use crate::soak::{end_of, programs_end};

/// How a random run went.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trial {
    /// Steps taken.
    pub events: u64,
    /// What was violated, liveness (as `liveness`) included.
    pub violations: Vec<Violation>,
    /// How often one went on believing to hold what another had by right.
    pub doubles: usize,
    /// How many syncs brought less than was committed, because a deposed leader took them.
    pub stale_syncs: usize,
    /// How often something could not be judged, because it was about a state too old to be kept.
    pub missed: u64,
    /// Whether a queue stood still at the end behind a node that nobody knows of: a lost create that came late.
    pub orphaned: bool,
    /// Whether nobody can be elected at the end, because a proposed configuration needs a server whose log is longer than those of
    /// all who may lead.
    pub outvoted: bool,
    /// The digest of all facts, where it was asked for: it costs more than the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// Plays a run of [`crate::soak::soak_run`] of so many minutes to its end.
pub fn trial(run: &Run, minutes: u64, with_digest: bool) -> Trial {
    let (close, end) = (SimTime(programs_end(minutes)), SimTime(end_of(minutes)));
    let (mut world, mut checker, mut liveness) =
        (World::new(run.clone()), Checker::with_second_store(&run.setup), Liveness::default());
    let (mut proceeding, mut electable) = (Proceeding::default(), Electable::default());
    let mut digest = with_digest.then(Digest::default);
    let (mut seq, mut stuck) = (0, None);
    for until in [close, end] {
        while world.next_at().is_some_and(|at| at <= until) {
            for record in world.step().unwrap_or_default() {
                checker.read(record);
                liveness.read(record);
                proceeding.read(record);
                electable.read(record);
                if let Some(digest) = &mut digest {
                    digest.read(record);
                }
                seq = record.seq;
            }
        }
        stuck = stuck.or_else(|| proceeding.stuck(until, &checker));
    }
    let orphaned = matches!(stuck, Some(Stuck::BehindOrphan));
    let in_vain =
        |stuck| if let Stuck::InVain(evidence) = stuck { Some((RECIPE_LIVENESS.id, evidence)) } else { None };
    let mut violations = checker.violations().to_vec();
    let missing = liveness.missing(end);
    let outvoted = missing.as_ref().is_some_and(is_leaderless) && electable.is_nobody(|id| checker.known_by(id));
    let missing = missing.filter(|_| !outvoted).map(|missing| (LIVENESS.id, missing));
    if let Some((property, evidence)) = missing.or_else(|| stuck.and_then(in_vain)) {
        let (servers, outside) = (evidence.servers(), checker.outside().is_some());
        violations.push(Violation { property, at: end, seq, servers, evidence, outside });
    }
    let (doubles, stale_syncs) = (checker.doubles().len(), checker.stale_syncs().len());
    Trial {
        events: world.events,
        violations,
        doubles,
        stale_syncs,
        missed: checker.missed(),
        orphaned,
        outvoted,
        digest: digest.map(|digest| digest.hex()),
    }
}

fn is_leaderless(missing: &Evidence) -> bool {
    matches!(missing, Evidence::NotRecovered { what: Missing::Leader, .. })
}
