//! The timers that a client has armed, and since when its connection is silent.

use crate::base::{ConnId, Micros, ServerId, SimTime, SortedMap};

use super::io::{Outbox, Output, Timer};

/// A millisecond of virtual time.
pub(in crate::client) const MS: Micros = 1_000;

/// The armed timers. What is armed already for the same moment is not told again.
#[derive(Clone, Debug, Default)]
pub(in crate::client) struct Timers {
    armed: SortedMap<Timer, SimTime>,
}

impl Timers {
    pub(super) fn arm(&mut self, timer: Timer, at: SimTime, out: &mut Outbox) {
        if self.armed.insert(timer, at) != Some(at) {
            out.push(Output::SetTimer(timer, at));
        }
    }

    pub(super) fn is_armed(&self, timer: Timer) -> bool {
        self.armed.contains_key(&timer)
    }

    pub(super) fn cancel(&mut self, timer: Timer, out: &mut Outbox) {
        if self.armed.remove(&timer).is_some() {
            out.push(Output::CancelTimer(timer));
        }
    }

    pub(super) fn cancel_all(&mut self, out: &mut Outbox) {
        for (timer, _) in std::mem::take(&mut self.armed) {
            out.push(Output::CancelTimer(timer));
        }
    }

    /// A timer fired; false where it was not armed.
    pub(super) fn fired(&mut self, timer: Timer) -> bool {
        self.armed.remove(&timer).is_some()
    }
}

/// The first pause between two questions whether a server can write, ms; it doubles.
pub(in crate::client) const SEEK_FIRST_MS: u64 = 100;

/// The search for a server that can write.
#[derive(Clone, Copy, Debug)]
pub(in crate::client) struct Search {
    /// The connection on which a server is being asked.
    pub asked: Option<(ConnId, ServerId)>,
    /// The pause before the next question, ms.
    pub pause_ms: u64,
}

impl Default for Search {
    fn default() -> Search {
        Search { asked: None, pause_ms: SEEK_FIRST_MS }
    }
}

/// When something was last sent and heard (`ClientCnxnSocket.java` `updateLastSend`, `updateLastHeard`).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::client) struct Silence {
    pub sent: SimTime,
    pub heard: SimTime,
}

impl Silence {
    /// How long until a ping is due, ms; 0: now. A second is taken off when nothing was sent for more than one, so that
    /// a second ping still has time; the rule is looked at whenever the client wakes (`ClientCnxn.java` `SendThread.run`).
    pub(super) fn until_ping(self, now: SimTime, read_timeout_ms: u64) -> u64 {
        let idle = now.since(self.sent) / MS;
        if idle > 10_000 {
            return 0;
        }
        let margin = if idle > 1_000 { 1_000 } else { 0 };
        (read_timeout_ms / 2).saturating_sub(idle + margin)
    }

    /// When the silence of the server has lasted for `timeout_ms`.
    pub(super) fn limit(self, timeout_ms: u64) -> SimTime {
        self.heard.plus(timeout_ms * MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_is_due_after_half_the_read_timeout_or_a_second_earlier() {
        let silence = Silence::default();
        let due = |idle_ms: u64, read_timeout: u64| silence.until_ping(SimTime::from_ms(idle_ms), read_timeout);
        assert_eq!(due(0, 8_000), 4_000);
        assert_eq!(due(1_000, 8_000), 3_000);
        assert_eq!(due(1_001, 8_000), 1_999);
        assert_eq!(due(3_000, 8_000), 0);
        assert_eq!(due(10_000, 40_000), 9_000);
        assert_eq!(due(10_001, 40_000), 0);
    }

    #[test]
    fn only_what_changes_is_told() {
        let (mut timers, mut out) = (Timers::default(), Outbox::default());
        timers.arm(Timer::Ping, SimTime(5), &mut out);
        timers.arm(Timer::Ping, SimTime(5), &mut out);
        timers.cancel(Timer::Retry, &mut out);
        timers.arm(Timer::Ping, SimTime(6), &mut out);
        timers.cancel_all(&mut out);
        let set = |at| Output::SetTimer(Timer::Ping, SimTime(at));
        assert_eq!(out.items, [set(5), set(6), Output::CancelTimer(Timer::Ping)]);
        assert!(!timers.fired(Timer::Ping));
    }
}
