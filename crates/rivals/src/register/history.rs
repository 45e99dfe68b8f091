//! Whether a history of a register is linearizable, exactly and at once: each read names the write whose value it returns (by its
//! timestamp), so it is enough to look at writes by twos (Gibbons & Korach 1997).
//!
//! A write and the reads of its value are a cluster. In a linear order clusters follow one another whole. One must come before another if
//! an operation of the one ends before an operation of the other begins; so the history is linearizable unless two must each come before the other,
//! or a value is read that nobody has begun to write.

use std::collections::BTreeMap;

use crate::base::SimTime;

use super::message::Stamp;

/// A write and the reads of its value.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    /// The first end, and the last beginning. An operation without an end may still end at any time.
    first_end: Option<SimTime>,
    last_begin: SimTime,
    /// Whether anybody has read it, or its write is done: otherwise it need not have happened at all.
    counts: bool,
}

/// The history of one key.
#[derive(Clone, Debug, Default)]
pub(super) struct History(BTreeMap<Stamp, Cluster>);

impl History {
    /// A write has begun, and this is its timestamp.
    pub(super) fn begins(&mut self, stamp: Stamp, begin: SimTime) {
        self.0.entry(stamp).or_insert(Cluster { first_end: None, last_begin: begin, counts: false });
    }

    /// An operation is done, by which this value was written or read. The write that contradicts it, if one does; the value's own where
    /// nobody has begun to write it.
    pub(super) fn ends(&mut self, stamp: Stamp, begin: SimTime, end: SimTime) -> Option<Stamp> {
        if stamp == Stamp::default() {
            // what was there before everything
            let before = Cluster { first_end: Some(SimTime::ZERO), last_begin: SimTime::ZERO, counts: true };
            self.0.entry(stamp).or_insert(before);
        }
        let Some(cluster) = self.0.get_mut(&stamp) else { return Some(stamp) };
        cluster.counts = true;
        cluster.last_begin = cluster.last_begin.max(begin);
        cluster.first_end = Some(cluster.first_end.map_or(end, |first| first.min(end)));
        let it = *cluster;
        let before = |one: &Cluster, other: &Cluster| one.first_end.is_some_and(|end| end < other.last_begin);
        let contradicts = |other: &Cluster| before(&it, other) && before(other, &it);
        self.0
            .iter()
            .find(|(other, cluster)| **other != stamp && cluster.counts && contradicts(cluster))
            .map(|it| *it.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(counter: i64) -> Stamp {
        Stamp { counter, writer: 1, life: 0 }
    }

    /// Plays writes (`w`) and reads (`r`) of a value from one moment to another; without an end where that is 0. Which of them
    /// contradicts what was done before.
    fn first_wrong(operations: &[(char, i64, u64, u64)]) -> Option<usize> {
        let mut history = History::default();
        // at one moment beginnings come first: operations that touch are concurrent
        let mut events: Vec<(u64, bool, usize)> = Vec::new();
        for (place, &(kind, _, begin, end)) in operations.iter().enumerate() {
            events.extend((kind == 'w').then_some((begin, false, place)));
            events.extend((end > 0).then_some((end, true, place)));
        }
        events.sort_unstable();
        events.into_iter().find_map(|(_, is_end, place)| {
            let (_, value, begin, end) = operations[place];
            let value = if value == 0 { Stamp::default() } else { stamp(value) };
            if is_end {
                return history.ends(value, SimTime(begin), SimTime(end)).map(|_| place);
            }
            history.begins(value, SimTime(begin));
            None
        })
    }

    #[test]
    fn histories_are_judged() {
        assert_eq!(first_wrong(&[('w', 1, 10, 20), ('r', 1, 30, 40), ('w', 2, 50, 60), ('r', 2, 70, 80)]), None);
        assert_eq!(first_wrong(&[('w', 1, 10, 20), ('r', 0, 30, 40)]), Some(1), "a stale read");
        assert_eq!(first_wrong(&[('w', 1, 10, 35), ('r', 0, 30, 40)]), None, "at the same time");
        assert_eq!(first_wrong(&[('w', 1, 1, 2), ('w', 2, 10, 0), ('r', 2, 20, 30), ('r', 1, 40, 50)]), Some(3));
        assert_eq!(first_wrong(&[('w', 1, 1, 2), ('w', 2, 10, 0), ('r', 1, 20, 30), ('r', 2, 40, 50)]), None);
        assert_eq!(first_wrong(&[('w', 1, 1, 2), ('w', 2, 10, 0), ('r', 2, 20, 45), ('r', 1, 40, 50)]), None);
        assert_eq!(first_wrong(&[('w', 1, 1, 2), ('r', 3, 5, 6)]), Some(1), "out of thin air");
        assert_eq!(first_wrong(&[('w', 1, 1, 9), ('w', 2, 2, 8), ('r', 1, 10, 11), ('r', 2, 12, 13)]), Some(3));
        assert_eq!(
            first_wrong(&[('w', 2, 1, 2), ('w', 1, 3, 4), ('r', 2, 5, 6)]),
            Some(2),
            "the later write is lost"
        );
    }

    /// The same, by trying every order: what is said without that must be the same for all small histories.
    #[test]
    fn the_shortcut_is_exact() {
        let mut prng = crate::base::Prng::new(1, crate::base::Stream::Faults);
        let (mut linear, mut not) = (0, 0);
        for _ in 0..3_000 {
            let mut history =
                vec![('w', 1, 1 + u64::from(prng.below(20)), 0), ('w', 2, 1 + u64::from(prng.below(20)), 0)];
            for _ in 0..3 {
                history.push(('r', i64::from(prng.below(3)), 1 + u64::from(prng.below(20)), 0));
            }
            for operation in &mut history {
                operation.3 = operation.2 + 1 + u64::from(prng.below(12));
            }
            let exact = exists_order(&history, &mut vec![false; history.len()], 0);
            assert_eq!(first_wrong(&history).is_none(), exact, "{history:?}");
            if exact { linear += 1 } else { not += 1 }
        }
        assert!(linear > 100 && not > 100, "{linear} and {not}");
    }

    /// Wing and Gong: takes any operation first that nothing left precedes.
    fn exists_order(history: &[(char, i64, u64, u64)], taken: &mut Vec<bool>, value: i64) -> bool {
        if taken.iter().all(|taken| *taken) {
            return true;
        }
        (0..history.len()).any(|place| {
            let (kind, its, begin, _) = history[place];
            let preceded = (0..history.len()).any(|other| !taken[other] && history[other].3 < begin);
            if taken[place] || preceded || (kind == 'r' && its != value) {
                return false;
            }
            taken[place] = true;
            let found = exists_order(history, taken, if kind == 'w' { its } else { value });
            taken[place] = false;
            found
        })
    }
}
