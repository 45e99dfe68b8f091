//! What leaders have heard of sessions, and when.

use std::collections::BTreeMap;

use crate::base::{ServerId, SessionId, SimTime, SortedMap};

/// One leader: since when it tracks sessions, and when it heard of each.
#[derive(Clone, Debug, Default, Hash)]
struct Heard {
    since: SimTime,
    last: BTreeMap<SessionId, SimTime>,
}

/// All leaders that serve.
#[derive(Clone, Debug, Default, Hash)]
pub struct Touches {
    leaders: SortedMap<ServerId, Heard>,
    timeouts: BTreeMap<SessionId, u32>,
}

impl Touches {
    /// How long a leader has heard nothing of a session, and its timeout, both µs.
    pub fn silence(&self, leader: ServerId, session: SessionId, now: SimTime) -> Option<(u64, u64)> {
        let heard = self.leaders.get(&leader)?;
        let last = heard.last.get(&session).copied().unwrap_or_default().max(heard.since);
        Some((now.since(last), u64::from(*self.timeouts.get(&session)?) * 1_000))
    }

    /// Those that lead and serve.
    pub fn leaders(&self) -> impl Iterator<Item = ServerId> {
        self.leaders.keys().copied()
    }

    pub(super) fn leads(&mut self, server: ServerId, now: SimTime) {
        self.leaders.insert(server, Heard { since: now, last: BTreeMap::new() });
    }

    pub(super) fn stops(&mut self, server: ServerId) {
        self.leaders.remove(&server);
    }

    pub(super) fn touch(&mut self, server: ServerId, sessions: &[SessionId], now: SimTime) {
        if let Some(heard) = self.leaders.get_mut(&server) {
            heard.last.extend(sessions.iter().map(|&session| (session, now)));
        }
    }

    /// A session that is there when the run begins.
    pub(super) fn knows(&mut self, session: SessionId, timeout_ms: u32) {
        self.timeouts.insert(session, timeout_ms);
    }

    /// A session begins.
    pub(super) fn begins(&mut self, server: ServerId, session: SessionId, timeout_ms: u32, now: SimTime) {
        self.knows(session, timeout_ms);
        self.touch(server, &[session], now);
    }
}
