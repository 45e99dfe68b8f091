//! When sessions expire: in buckets of one tick (`ExpiryQueue.java`, `SessionTrackerImpl.java`).

use crate::base::{Micros, SessionId, SimTime, SortedMap, SortedSet};

/// The sessions that a leader tracks, by the bucket in which they expire.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct ExpiryQueue {
    buckets: SortedMap<SimTime, SortedSet<SessionId>>,
    sessions: SortedMap<SessionId, (u32, SimTime)>,
}

impl ExpiryQueue {
    /// Begins to track a session, or changes its timeout, ms.
    pub(super) fn track(&mut self, session: SessionId, timeout_ms: u32, now: SimTime, tick: Micros) {
        let due = now.0 + u64::from(timeout_ms) * 1000;
        let bucket = SimTime((due / tick + 1) * tick);
        if let Some((_, old)) = self.sessions.insert(session, (timeout_ms, bucket)) {
            self.leave(session, old);
        }
        self.buckets.get_or_default(bucket).insert(session);
    }

    /// Something was heard of a session: it lives for its timeout from now.
    pub(super) fn touch(&mut self, session: SessionId, now: SimTime, tick: Micros) {
        if let Some(&(timeout_ms, _)) = self.sessions.get(&session) {
            self.track(session, timeout_ms, now, tick);
        }
    }

    /// Stops to track a session.
    pub(super) fn forget(&mut self, session: SessionId) {
        if let Some((_, bucket)) = self.sessions.remove(&session) {
            self.leave(session, bucket);
        }
    }

    /// When the first bucket is due.
    pub(super) fn next(&self) -> Option<SimTime> {
        self.buckets.keys().next().copied()
    }

    /// When a session expires if nothing more is heard of it.
    pub(super) fn due(&self, session: SessionId) -> Option<SimTime> {
        self.sessions.get(&session).map(|&(_, bucket)| bucket)
    }

    /// Every session with its timeout, ms, and when it expires if nothing more is heard of it.
    pub(super) fn tracked(&self) -> impl Iterator<Item = (SessionId, u32, SimTime)> {
        self.sessions.iter().map(|(&session, &(timeout_ms, bucket))| (session, timeout_ms, bucket))
    }

    /// The sessions whose bucket is due; they are no longer tracked.
    pub(super) fn expired(&mut self, now: SimTime) -> Vec<SessionId> {
        let mut expired = Vec::new();
        while self.next().is_some_and(|first| first <= now) {
            expired.extend(self.buckets.pop_first().into_iter().flat_map(|(_, sessions)| sessions));
        }
        for session in &expired {
            self.sessions.remove(session);
        }
        expired
    }

    fn leave(&mut self, session: SessionId, bucket: SimTime) {
        if let Some(sessions) = self.buckets.get_mut(&bucket) {
            sessions.remove(&session);
            if sessions.is_empty() {
                self.buckets.remove(&bucket);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
