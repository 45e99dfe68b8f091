//! Two runs beside each other: which belong together, and what they cost in numbers.

use crate::base::Micros;
use crate::scenarios::{Scenario, scenario};
use crate::sim::Release;

use crate::timeline::Session;

/// Scenarios that are made to be compared, by their names.
const PAIRS: &[(&str, &str)] = &[
    ("lock-herd", "lock-predecessor"),
    ("lock-mutex", "lock-herd"),
    ("elect-latch", "elect-selector"),
    ("elect-naive", "elect-worker"),
];

/// The scenarios that are made to be compared: the one on the left and the one on the right.
pub fn pairs() -> impl Iterator<Item = (&'static Scenario, &'static Scenario)> {
    PAIRS.iter().filter_map(|(left, right)| Some((scenario(left)?, scenario(right)?)))
}

/// The scenario that belongs beside this one.
pub fn partner(id: &str) -> Option<&'static Scenario> {
    let other = PAIRS.iter().find_map(|&(a, b)| match id {
        id if id == a => Some(b),
        id if id == b => Some(a),
        _ => None,
    });
    scenario(other?)
}

/// What is counted of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Transactions committed.
    Commits,
    /// The median time from a proposal to its commit.
    CommitTime,
    /// Messages sent.
    Messages,
    /// Disk syncs of transactions.
    Syncs,
    /// Leaders established.
    Elections,
    /// Time without an established leader.
    NoLeader,
    /// Requests of clients.
    Requests,
    /// Notifications that reached a client.
    Notifications,
    /// Hand-overs of what is held.
    Handovers,
    /// Requests in a release, on the average.
    RequestsEach,
    /// Notifications in a release, on the average.
    NotificationsEach,
    /// The median hand-over.
    HandoverTime,
    /// Most holders at once, as far as they knew.
    Holders,
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Things.
    Count(u64),
    /// Tenths of a thing: an average.
    Tenths(u64),
    /// A length of time, µs.
    Time(Micros),
    /// There is nothing to tell yet.
    Nothing,
}

/// One thing counted on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The thing that is counted.
    pub counter: Counter,
    /// On the left and on the right.
    pub amounts: [Amount; 2],
    /// Whether it is about clients and their programs.
    pub of_clients: bool,
}

impl Counted {
    /// Whether the two sides differ.
    pub fn differs(&self) -> bool {
        self.amounts[0] != self.amounts[1]
    }
}

/// The counters that make sense for both runs: those of clients only where there are clients, those of recipes where
/// something is held.
pub fn counted(left: &Session, right: &Session) -> Vec<Counted> {
    use Counter::{CommitTime, Commits, Elections, HandoverTime, Handovers, Holders, Messages, NoLeader};
    use Counter::{Notifications, NotificationsEach, Requests, RequestsEach, Syncs};
    let both = [left, right];
    let clients = both.iter().any(|one| one.player().tally().requests > 0 || !one.world().clients.is_empty());
    let recipes = both.iter().any(|one| one.player().tally().holders_max > 0);
    let mut wanted = vec![Commits, CommitTime, Messages, Syncs, Elections, NoLeader];
    if clients {
        wanted.extend([Requests, Notifications]);
    }
    if recipes {
        wanted.extend([Handovers, RequestsEach, NotificationsEach, HandoverTime, Holders]);
    }
    let row = |(place, counter): (usize, Counter)| Counted {
        counter,
        amounts: both.map(|session| amount(session, counter)),
        of_clients: place >= 6,
    };
    wanted.into_iter().enumerate().map(row).collect()
}

fn amount(session: &Session, counter: Counter) -> Amount {
    let (run_summary, tally) = (session.run_summary(), session.player().tally());
    let releases = releases(session);
    let each = |count: fn(&Release) -> u64| match releases.len() as u64 {
        0 => Amount::Nothing,
        many => Amount::Tenths((releases.iter().map(count).sum::<u64>() * 10 + many / 2) / many),
    };
    let time = |time: Option<Micros>| time.map_or(Amount::Nothing, Amount::Time);
    match counter {
        Counter::Commits => Amount::Count(run_summary.commits().len() as u64),
        Counter::CommitTime => time(median(run_summary.commits().map(|commit| commit.took_us).collect())),
        Counter::Messages => Amount::Count(run_summary.messages()),
        Counter::Syncs => Amount::Count(run_summary.syncs()),
        Counter::Elections => Amount::Count(run_summary.reigns().len() as u64),
        Counter::NoLeader => Amount::Time(run_summary.without_leader(session.world().now)),
        Counter::Requests => Amount::Count(tally.requests),
        Counter::Notifications => Amount::Count(tally.notifications),
        Counter::Handovers => Amount::Count(tally.handovers),
        Counter::RequestsEach => each(|release| release.requests),
        Counter::NotificationsEach => each(|release| release.notifications),
        Counter::HandoverTime => time(tally.median_latency()),
        Counter::Holders => Amount::Count(tally.holders_max as u64),
    }
}

fn median(mut all: Vec<Micros>) -> Option<Micros> {
    let middle = all.len() / 2;
    if all.is_empty() { None } else { Some(*all.select_nth_unstable(middle).1) }
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
        let counted = counted(&session, &session);
        let holders = counted.iter().find(|one| one.counter == Counter::Holders).unwrap();
        assert_eq!(holders.amounts, [Amount::Count(1); 2]);
        assert!(counted.iter().all(|one| !one.differs()));
    }

    #[test]
    fn a_run_without_clients_has_no_counters_of_clients_and_the_others_count() {
        let load = scenario("leader-crash-under-load").unwrap();
        let (mut early, mut late) =
            (Session::new(load.run(), None).unwrap(), Session::new(load.run(), None).unwrap());
        early.seek(SimTime::from_ms(1_000)).unwrap();
        late.seek(SimTime::from_ms(5_000)).unwrap();
        let counted = counted(&early, &late);
        assert_eq!(counted.len(), 6);
        assert!(counted.iter().all(|one| !one.of_clients && (one.differs() || one.counter == Counter::CommitTime)));
        let of = |counter| counted.iter().find(|one| one.counter == counter).unwrap().amounts[1];
        assert_eq!(of(Counter::Elections), Amount::Count(2), "the first leader dies, another follows");
        let summary = late.player().summary(0);
        assert_eq!(of(Counter::Commits), Amount::Count(summary.committed));
        let Amount::Time(without) = of(Counter::NoLeader) else { panic!("a time") };
        assert!((500_000..3_000_000).contains(&without), "{without}");
        // back in time the counters are those of that moment
        late.seek(SimTime::from_ms(1_000)).unwrap();
        assert!(super::counted(&early, &late).iter().all(|one| !one.differs()));
    }

    #[test]
    fn partners_find_each_other() {
        assert_eq!(pairs().count(), PAIRS.len(), "every pair is of built-in scenarios");
        for (a, b) in PAIRS {
            if scenario(a).is_some() && scenario(b).is_some() {
                assert!(partner(a).is_some() && partner(b).is_some(), "{a} {b}");
            }
        }
    }
}
