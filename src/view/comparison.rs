//! Two runs beside each other: which belong together, and what their recipes cost, in numbers.

use crate::base::Micros;
use crate::sim::{Release, Scenario, scenario};

use super::session::Session;

/// Scenarios that are made to be compared, by their names.
const PAIRS: &[(&str, &str)] = &[
    ("lock-herd", "lock-predecessor"),
    ("lock-mutex", "lock-herd"),
    ("elect-latch", "elect-selector"),
    ("elect-naive", "elect-worker"),
];

/// The scenario that belongs beside this one.
pub fn partner(id: &str) -> Option<&'static Scenario> {
    let other = PAIRS.iter().find_map(|&(a, b)| match id {
        id if id == a => Some(b),
        id if id == b => Some(a),
        _ => None,
    });
    scenario(other?)
}

/// What a run's recipes have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Requests.
    pub requests: u64,
    /// Notifications.
    pub notifications: u64,
    /// Hand-overs.
    pub handovers: u64,
    /// The median hand-over, µs.
    pub median: Option<Micros>,
    /// Most simultaneous holders, as far as they knew.
    pub holders_max: usize,
}

/// The costs of a session's run.
pub fn costs(session: &Session) -> Costs {
    let tally = session.player().tally();
    Costs {
        requests: tally.requests,
        notifications: tally.notifications,
        handovers: tally.handovers,
        median: tally.median_latency(),
        holders_max: tally.holders_max,
    }
}

/// What each release has cost; the last one only once the next holder has it.
pub fn releases(session: &Session) -> Vec<Release> {
    let all = &session.player().tally().releases;
    all.iter().filter(|release| release.latency.is_some()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;

    #[test]
    fn a_release_among_waiters_costs_one_notification_with_predecessor_watches() {
        let lock = scenario("lock-mutex").unwrap();
        let mut session = Session::new(lock.run(), Some(lock)).unwrap();
        session.seek(SimTime::from_ms(lock.until_ms)).unwrap();
        let releases = releases(&session);
        assert!(releases.len() >= 3, "{releases:?}");
        assert!(releases.iter().all(|release| release.notifications == 1), "{releases:?}");
        assert_eq!(costs(&session).holders_max, 1);
    }

    #[test]
    fn partners_find_each_other() {
        for (a, b) in PAIRS {
            if scenario(a).is_some() && scenario(b).is_some() {
                assert!(partner(a).is_some() && partner(b).is_some(), "{a} {b}");
            }
        }
    }
}
