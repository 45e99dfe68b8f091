//! Two runs beside each other: which belong together, and what they cost in numbers.

use crate::base::Micros;
use crate::check::State;
use crate::scenarios::{Scenario, scenario};
use crate::sim::Release;

use crate::timeline::{Against, Pair, Session, Side, Variation};

/// Scenarios that are made to be compared, by their names, and what is the argument between them.
const PAIRS: &[(&str, &str, Counter)] = &[
    ("lock-herd", "lock-predecessor", Counter::Notifications),
    ("lock-mutex", "lock-herd", Counter::Notifications),
    ("elect-latch", "elect-selector", Counter::Handovers),
    ("elect-naive", "elect-worker", Counter::Notifications),
    ("commit-blocked", "zab-beside-2pc", Counter::Messages),
    ("generation-election", "zab-beside-election", Counter::Messages),
    ("generation-cut-off", "generation-pre-vote", Counter::Messages),
    ("generation-log-check", "generation-as-printed", Counter::Violated),
    ("quorum-stale-read", "quorum-write-back", Counter::Violated),
    ("quorum-leader", "quorum-stale-read", Counter::Violated),
    ("redis-pause", "redis-fencing", Counter::Violated),
    ("sql-lost-update", "sql-version", Counter::Violated),
];

/// The scenarios that are made to be compared: the one on the left and the one on the right.
pub fn pairs() -> impl Iterator<Item = (&'static Scenario, &'static Scenario)> {
    PAIRS.iter().filter_map(|(left, right, _)| Some((scenario(left)?, scenario(right)?)))
}

/// The scenario that belongs beside this one.
pub fn partner(id: &str) -> Option<&'static Scenario> {
    let other = PAIRS.iter().find_map(|&(a, b, _)| match id {
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
    /// Properties that have been violated.
    Violated,
}

impl Counter {
    /// Whether it is a total, a time so far or a maximum: it never falls, so that its last value is the argument.
    pub fn only_grows(self) -> bool {
        use Counter::{CommitTime, HandoverTime, NotificationsEach, RequestsEach};
        !matches!(self, CommitTime | HandoverTime | NotificationsEach | RequestsEach)
    }
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

impl Amount {
    /// As a number; none where there is nothing to tell.
    fn number(self) -> Option<u64> {
        match self {
            Amount::Count(number) | Amount::Tenths(number) | Amount::Time(number) => Some(number),
            Amount::Nothing => None,
        }
    }
}

impl Counted {
    /// Whether the two sides differ by more than a tenth of the larger one: less is chance.
    pub fn differs(&self) -> bool {
        match self.amounts.map(Amount::number) {
            [Some(left), Some(right)] => left.abs_diff(right) * 10 > left.max(right),
            [left, right] => left != right,
        }
    }

    /// How many times the larger one is the smaller one, in thousandths; what only one side has stands above all.
    fn ratio(&self) -> u64 {
        match self.amounts.map(Amount::number) {
            [Some(left), Some(right)] => (left.max(right) * 1_000)
                .checked_div(left.min(right))
                .unwrap_or(if left == right { 0 } else { u64::MAX }),
            _ => 0,
        }
    }
}

/// One thing counted on both sides.
pub fn count(pair: &Pair, counter: Counter) -> Counted {
    let both = [Side::Left, Side::Right].map(|side| pair.session(side));
    Counted { counter, amounts: both.map(|session| amount(session, counter)), of_clients: false }
}

/// What stands large on both sides: what the pair is made for, or what the changed setting acts on; else the total that differs most, and as
/// long as none does, commits.
pub fn headline(pair: &Pair) -> Counted {
    if let Some(counter) = topic(pair) {
        return count(pair, counter);
    }
    let all = counted(pair.session(Side::Left), pair.session(Side::Right));
    // of equals the first
    let most = all.iter().filter(|one| one.differs() && one.counter.only_grows()).rev().max_by_key(|one| one.ratio());
    most.copied().unwrap_or_else(|| count(pair, Counter::Commits))
}

/// What this pair is about, where that is known before anything has happened.
pub fn topic(pair: &Pair) -> Option<Counter> {
    match pair.against()? {
        Against::Scenario(right) => {
            let ids = (pair.left().scenario()?.id, right.id);
            let made = PAIRS.iter().find(|&&(a, b, _)| ids == (a, b) || ids == (b, a));
            made.map(|&(_, _, counter)| counter)
        }
        Against::Varied(Variation::Latency(..) | Variation::DiskSync(..)) => Some(Counter::CommitTime),
        Against::Varied(Variation::Tick(_)) => Some(Counter::NoLeader),
        Against::Varied(Variation::Rule(_)) => Some(Counter::Violated),
        Against::Varied(Variation::Seed(_) | Variation::Version(_)) | Against::Named(_) => None,
    }
}

/// Whom a release wakes, as far as the run has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wakes {
    /// As many as wait.
    Everybody,
    /// Not more than one.
    OnlyNext,
    /// Neither, or nobody knows yet.
    Otherwise,
}

/// Whom releases wake that cost so many notifications at so many waiters; with less than two that wait nobody can tell.
pub fn wakes(points: impl IntoIterator<Item = (usize, u64)>) -> Wakes {
    let crowded: Vec<_> = points.into_iter().filter(|(waiting, _)| *waiting > 1).collect();
    match crowded.is_empty() {
        false if crowded.iter().all(|&(waiting, woken)| woken >= waiting as u64) => Wakes::Everybody,
        false if crowded.iter().all(|&(_, woken)| woken <= 1) => Wakes::OnlyNext,
        _ => Wakes::Otherwise,
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
        Counter::Violated => {
            Amount::Count(session.states().filter(|(_, state)| matches!(state, State::Violated { .. })).count() as u64)
        }
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
    use std::collections::BTreeMap;

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

    fn pair(left: &str, against: Against, ms: u64) -> Pair {
        let left = scenario(left).unwrap();
        let mut pair = Pair::alone(Session::new(left.run(), Some(left)).unwrap());
        pair.choose(left, Some(against), Vec::new(), None).unwrap();
        pair.change(Side::Left, |left| left.seek(SimTime::from_ms(ms))).unwrap();
        pair
    }

    fn beside(id: &str) -> Against {
        Against::Scenario(scenario(id).unwrap())
    }

    #[test]
    fn the_herd_beside_the_queue_is_headed_by_how_many_were_woken_in_all() {
        let given = vec![("clients".to_string(), "20".to_string())];
        for (left, right, herd) in [("lock-herd", "lock-predecessor", 0), ("lock-predecessor", "lock-herd", 1)] {
            let mut pair = pair(left, beside(right), 2_000);
            assert_eq!(headline(&pair).amounts, [Amount::Count(0); 2], "nobody has let go");
            pair.give(given.clone()).unwrap();
            let end = pair.left().extent().as_ms() + 20_000;
            pair.change(Side::Left, |left| left.seek(SimTime::from_ms(end))).unwrap();
            // of twenty each lets go once: 19 + 18 + ... + 1 are woken, or one by each
            let amounts = headline(&pair).amounts;
            assert_eq!([amounts[herd], amounts[1 - herd]], [Amount::Count(190), Amount::Count(19)]);
        }
    }

    #[test]
    fn what_stands_large_of_a_pair_never_falls_and_neither_does_any_total() {
        for (left, right) in pairs() {
            let mut pair = pair(left.id, Against::Scenario(right), 0);
            let counter = topic(&pair).expect("a pair has a topic");
            assert!(counter.only_grows(), "{counter:?}");
            let end = pair.left().extent().as_ms().max(right.until_ms);
            let mut before: BTreeMap<u8, [Option<u64>; 2]> = BTreeMap::new();
            for ms in (0..=end).step_by(250) {
                pair.change(Side::Left, |left| left.seek(SimTime::from_ms(ms))).unwrap();
                let all = counted(pair.left(), pair.right().unwrap());
                for one in all.into_iter().chain([headline(&pair)]).filter(|one| one.counter.only_grows()) {
                    let now = one.amounts.map(Amount::number);
                    let last = before.insert(one.counter as u8, now).unwrap_or_default();
                    assert!(now >= last && now[1] >= last[1], "{} at {ms} ms: {last:?}, {one:?}", left.id);
                }
            }
        }
    }

    #[test]
    fn every_pair_has_moments_at_which_its_numbers_are_an_argument() {
        for (left, right) in pairs() {
            let opens = left.scene().map_or(0, |scene| scene.opens_ms);
            let mut pair = pair(left.id, Against::Scenario(right), opens);
            let end = pair.left().extent().as_ms().max(right.until_ms);
            let argues = (opens..=end).step_by(50).any(|ms| {
                pair.change(Side::Left, |left| left.seek(SimTime::from_ms(ms))).unwrap();
                let most = headline(&pair);
                most.differs() && most.amounts.iter().all(|amount| amount.number().is_some())
            });
            assert!(argues, "{} beside {}: {:?}", left.id, right.id, headline(&pair));
        }
    }

    #[test]
    fn what_was_changed_decides_the_headline_and_else_what_differs_most() {
        let load = |against, ms| headline(&pair("leader-crash-under-load", against, ms));
        let slow = load(Against::Varied(Variation::Latency(50, 60)), 4_000);
        assert_eq!(slow.counter, Counter::CommitTime);
        assert!(slow.differs());
        let rule = Variation::Rule(crate::sim::Rule::Zab(crate::zab::BrokenRule::LeaderKeepsEpoch));
        let broken = load(Against::Varied(rule), 5_000);
        assert_eq!((broken.counter, broken.amounts[0]), (Counter::Violated, Amount::Count(0)));
        assert!(broken.amounts[1].number() > Some(0), "{broken:?}");
        // nothing differs: commits; another scenario: what is further apart than anything else
        assert_eq!(load(beside("leader-crash-under-load"), 3_000).counter, Counter::Commits);
        let other = pair("leader-crash-under-load", beside("lock-herd"), 3_000);
        let most = headline(&other);
        let all = counted(other.left(), other.right().unwrap());
        let mut totals = all.iter().filter(|one| one.differs() && one.counter.only_grows());
        assert!(most.differs() && totals.all(|one| one.ratio() <= most.ratio()));
    }

    #[test]
    fn a_tenth_more_or_less_is_no_difference() {
        let one = |left, right| Counted { counter: Counter::Commits, amounts: [left, right], of_clients: false };
        for (left, right, differs) in
            [(38_100, 38_600, false), (90, 100, false), (89, 100, true), (0, 1, true), (0, 0, false)]
        {
            assert_eq!(one(Amount::Time(left), Amount::Time(right)).differs(), differs, "{left} {right}");
        }
        assert!(one(Amount::Nothing, Amount::Count(0)).differs());
        assert!(!one(Amount::Nothing, Amount::Nothing).differs());
    }

    #[test]
    fn whom_releases_wake_is_read_from_them() {
        assert_eq!(wakes([(4, 4), (3, 3), (1, 1), (0, 0)]), Wakes::Everybody);
        assert_eq!(wakes([(4, 1), (3, 1), (0, 0)]), Wakes::OnlyNext);
        assert_eq!(wakes([(4, 4), (3, 1)]), Wakes::Otherwise);
        assert_eq!(wakes([(1, 1), (0, 0)]), Wakes::Otherwise, "one is everybody and the next");
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
        for (a, b, _) in PAIRS {
            if scenario(a).is_some() && scenario(b).is_some() {
                assert!(partner(a).is_some() && partner(b).is_some(), "{a} {b}");
            }
        }
    }
}
