//! What a leader keeps for one learner (`LearnerHandler.java`).

use crate::base::{ConnId, Micros, ServerId, SimTime, Zxid};
use crate::zab::fact::SyncKind;
use crate::zab::io::Timer;
use crate::zab::peer::Cx;

/// How far a learner has come, as its leader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandlerStage {
    /// FOLLOWERINFO or OBSERVERINFO is due.
    AwaitInfo,
    /// The epoch is not chosen yet.
    AwaitEpoch,
    /// ACKEPOCH is due.
    AwaitAckEpoch,
    /// No quorum has promised yet.
    AwaitSync,
    /// It was sent what it misses; the ACK of NEWLEADER is due.
    AwaitNewLeaderAck,
    /// No quorum is synchronised yet.
    AwaitActive,
    /// It takes part in the broadcast.
    Active,
}

/// One learner.
#[derive(Clone, Debug, Hash)]
pub struct Handler {
    /// The learner at the other end.
    pub learner: ServerId,
    /// Whether it greeted its leader as an observer: it gets no proposals.
    pub observer: bool,
    /// How far it has come.
    pub stage: HandlerStage,
    /// Where its history ended when it connected.
    pub zxid: Zxid,
    /// How it was brought up to date.
    pub sync: Option<SyncKind>,
    pub(in crate::zab) want_snap: bool,
    /// The leader's tick until which it counts as alive (`tickOfNextAckDeadline`).
    pub(super) deadline: u64,
    pub(super) waiting: SyncLimitCheck,
}

impl Handler {
    pub(super) fn new(learner: ServerId, deadline: u64) -> Handler {
        Handler {
            learner,
            observer: false,
            stage: HandlerStage::AwaitInfo,
            zxid: Zxid::ZERO,
            sync: None,
            want_snap: false,
            deadline,
            waiting: SyncLimitCheck::default(),
        }
    }

    /// Whether proposals and commits are sent to it: from the moment its synchronisation was decided.
    pub fn is_forwarding(&self) -> bool {
        self.stage >= HandlerStage::AwaitNewLeaderAck
    }

    /// The next packet must come within this time (the socket's timeout).
    pub(super) fn expect_within(conn: ConnId, time: Micros, cx: &mut Cx) {
        cx.out.arm(Timer::ReadTimeout(conn), cx.now.plus(time));
    }
}

/// Watches that a learner acknowledges proposals in time (`SyncLimitCheck`). It holds two proposals only: the oldest
/// unacknowledged one it knows, and the latest sent.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct SyncLimitCheck {
    pub(super) current: Option<(Zxid, SimTime)>,
    pub(super) latest: Option<(Zxid, SimTime)>,
}

impl SyncLimitCheck {
    pub(super) fn sent(&mut self, zxid: Zxid, now: SimTime) {
        match self.current {
            None => self.current = Some((zxid, now)),
            Some(_) => self.latest = Some((zxid, now)),
        }
    }

    pub(super) fn acked(&mut self, zxid: Zxid) {
        if self.current.is_some_and(|(current, _)| current == zxid) {
            self.current = self.latest.take();
        } else if self.latest.is_some_and(|(latest, _)| latest == zxid) {
            self.latest = None;
        }
    }

    pub(super) fn is_late(&self, now: SimTime, limit: Micros) -> bool {
        self.current.is_some_and(|(_, sent)| now.since(sent) >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_known_proposal_counts_and_then_the_latest() {
        let mut check = SyncLimitCheck::default();
        let zxid = |counter| Zxid::new(1, counter);
        check.sent(zxid(1), SimTime(0));
        check.sent(zxid(2), SimTime(50));
        check.sent(zxid(3), SimTime(90));
        assert!(check.is_late(SimTime(100), 100));
        check.acked(zxid(1));
        assert!(!check.is_late(SimTime(100), 100), "2 is not tracked, 3 was sent at 90");
        assert!(check.is_late(SimTime(190), 100));
        check.acked(zxid(3));
        assert!(!check.is_late(SimTime(999), 100));
    }

    #[test]
    fn an_acknowledgement_of_what_is_not_tracked_changes_nothing() {
        let (mut check, zxid) = (SyncLimitCheck::default(), |counter| Zxid::new(1, counter));
        for counter in 1..=3 {
            check.sent(zxid(counter), SimTime(u64::from(counter)));
        }
        check.acked(zxid(2));
        check.acked(zxid(1));
        assert_eq!((check.current, check.latest), (Some((zxid(3), SimTime(3))), None));
    }
}
