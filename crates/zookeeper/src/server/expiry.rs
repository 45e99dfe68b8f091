//! When sessions expire: in buckets of one tick (`ExpiryQueue.java`, `SessionTrackerImpl.java`). Connections that are idle are
//! watched by such a queue too.

use crate::base::{Micros, SimTime, SortedMap, SortedSet};

/// The sessions that a leader tracks, by the bucket in which they expire. A bucket that all have left stays until its time.
#[derive(Clone, Debug, Hash)]
pub(super) struct ExpiryQueue<K> {
    buckets: SortedMap<SimTime, SortedSet<K>>,
    members: SortedMap<K, (u32, SimTime)>,
}

impl<K: Ord> Default for ExpiryQueue<K> {
    fn default() -> ExpiryQueue<K> {
        ExpiryQueue { buckets: SortedMap::new(), members: SortedMap::new() }
    }
}

impl<K: Copy + Ord> ExpiryQueue<K> {
    /// Begins to track a session, or changes its timeout, ms.
    pub(super) fn track(&mut self, session: K, timeout_ms: u32, now: SimTime, tick: Micros) {
        let due = now.0 + u64::from(timeout_ms) * 1000;
        let bucket = SimTime((due / tick + 1) * tick);
        match self.members.insert(session, (timeout_ms, bucket)) {
            Some((_, old)) if old == bucket => return,
            Some((_, old)) => self.leave(session, old),
            None => {}
        }
        while self.buckets.first().is_some_and(|(due, empty)| *due <= now && empty.is_empty()) {
            self.buckets.pop_first();
        }
        self.buckets.get_or_default(bucket).insert(session);
    }

    /// Something was heard of a session: it lives for its timeout from now.
    pub(super) fn touch(&mut self, session: K, now: SimTime, tick: Micros) {
        if let Some(&(timeout_ms, _)) = self.members.get(&session) {
            self.track(session, timeout_ms, now, tick);
        }
    }

    /// Stops to track a session.
    pub(super) fn forget(&mut self, session: K) {
        if let Some((_, bucket)) = self.members.remove(&session) {
            self.leave(session, bucket);
        }
    }

    /// When the first bucket is due in which there is any.
    pub(super) fn next(&self) -> Option<SimTime> {
        self.buckets.iter().find(|(_, members)| !members.is_empty()).map(|(&due, _)| due)
    }

    /// The buckets whose time is to come, those that all have left among them.
    pub(super) fn sets(&self, now: SimTime) -> impl Iterator<Item = (SimTime, &SortedSet<K>)> {
        self.buckets.iter().map(|(&due, members)| (due, members)).filter(move |(due, _)| *due > now)
    }

    /// When a session expires if nothing more is heard of it.
    pub(super) fn due(&self, session: K) -> Option<SimTime> {
        self.members.get(&session).map(|&(_, bucket)| bucket)
    }

    /// Every session with its timeout, ms, and when it expires if nothing more is heard of it.
    pub(super) fn tracked(&self) -> impl Iterator<Item = (K, u32, SimTime)> {
        self.members.iter().map(|(&session, &(timeout_ms, bucket))| (session, timeout_ms, bucket))
    }

    /// The sessions whose bucket is due; they are no longer tracked.
    pub(super) fn expired(&mut self, now: SimTime) -> Vec<K> {
        let mut expired = Vec::new();
        while self.buckets.first().is_some_and(|(first, _)| *first <= now) {
            expired.extend(self.buckets.pop_first().into_iter().flat_map(|(_, sessions)| sessions));
        }
        for session in &expired {
            self.members.remove(session);
        }
        expired
    }

    fn leave(&mut self, session: K, bucket: SimTime) {
        if let Some(sessions) = self.buckets.get_mut(&bucket) {
            sessions.remove(&session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SessionId;

    #[test]
    fn a_session_lives_for_its_timeout_and_at_most_one_tick_more() {
        let (mut queue, tick) = (ExpiryQueue::default(), 200_000);
        queue.track(SessionId(1), 1_000, SimTime::from_ms(50), tick);
        assert_eq!(queue.next(), Some(SimTime::from_ms(1_200)));
        queue.touch(SessionId(1), SimTime::from_ms(190), tick);
        assert_eq!(queue.next(), Some(SimTime::from_ms(1_200)), "the same bucket");
        queue.touch(SessionId(1), SimTime::from_ms(200), tick);
        assert!(queue.expired(SimTime::from_ms(1_200)).is_empty());
        assert_eq!(queue.due(SessionId(1)), Some(SimTime::from_ms(1_400)));
        assert_eq!(queue.expired(SimTime::from_ms(1_400)), [SessionId(1)]);
        assert_eq!(queue.next(), None);
    }

    /// `0 expire at …` in the answer to `dump`.
    #[test]
    fn a_bucket_that_all_have_left_stays_until_its_time() {
        let (mut queue, tick) = (ExpiryQueue::default(), 200_000);
        queue.track(SessionId(1), 1_000, SimTime::from_ms(50), tick);
        queue.touch(SessionId(1), SimTime::from_ms(600), tick);
        let sets = |queue: &ExpiryQueue<SessionId>, at: u64| {
            let sets = queue.sets(SimTime::from_ms(at)).map(|(due, members)| (due.as_ms(), members.len()));
            sets.collect::<Vec<_>>()
        };
        assert_eq!(sets(&queue, 600), [(1_200, 0), (1_800, 1)]);
        assert_eq!(queue.next(), Some(SimTime::from_ms(1_800)), "and nothing happens then");
        queue.touch(SessionId(1), SimTime::from_ms(1_300), tick);
        assert_eq!(sets(&queue, 1_300), [(1_800, 0), (2_400, 1)]);
    }
}
