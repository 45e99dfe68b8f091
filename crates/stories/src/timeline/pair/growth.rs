//! What releases cost, by how many waited: points of real releases only, those of the parameters that were tried before too.

use std::collections::BTreeMap;

use super::Side;
use crate::timeline::session::Session;

/// Notifications of a release on each side, by how many waited when it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth([BTreeMap<usize, u64>; 2]);

/// The releases that are over: the next holder has it. Of two with equally many waiters the last one counts.
fn releases(session: &Session) -> impl Iterator<Item = (usize, u64)> + '_ {
    let all = session.player().tally().releases.iter().filter(|release| release.latency.is_some());
    all.map(|release| (release.waiting, release.notifications))
}

impl Growth {
    /// These and those of two runs that are left now.
    pub(super) fn after(&self, left: Option<[&Session; 2]>) -> Growth {
        let mut all = self.clone();
        for (known, session) in all.0.iter_mut().zip(left.into_iter().flatten()) {
            known.extend(releases(session));
        }
        all
    }

    /// These and those of the run that is there, by waiters.
    pub(super) fn with(&self, side: Side, session: &Session) -> Vec<(usize, u64)> {
        let mut all = self.0[side as usize].clone();
        all.extend(releases(session));
        all.into_iter().collect()
    }
}
