//! Discovery and promises: a quorum connects, a new epoch is chosen above all that they have accepted, and they promise it
//! (`Leader.java` `getEpochToPropose`, `waitForEpochAck`).

use crate::base::{ConnId, Epoch, ServerId, Zxid};
use crate::zab::fact::{DropReason, Fact, LeaveReason, Note};
use crate::zab::io::Timer;
use crate::zab::members::Members;
use crate::zab::message::Packet;
use crate::zab::peer::{Cx, Flow};
use crate::zab::rules::BrokenRule;

use super::{Handler, HandlerStage, Leader, LeaderStage};

impl Leader {
    pub(super) fn greeted(&mut self, conn: ConnId, accepted_epoch: Epoch, cx: &mut Cx) -> Flow {
        let Some(handler) = self.learners.get_mut(&conn) else { return Flow::Stay };
        let learner = handler.learner;
        handler.stage = HandlerStage::AwaitEpoch;
        cx.out.cancel(Timer::ReadTimeout(conn));
        if self.stage == LeaderStage::AwaitEpochQuorum {
            self.join_epoch(learner, accepted_epoch, cx);
            return Flow::Stay;
        }
        let rules = cx.config.rules;
        let trapped = accepted_epoch > self.epoch
            && !rules.breaks(BrokenRule::AcceptedEpochTrap)
            && !rules.breaks(BrokenRule::FollowerObeysOlderEpoch);
        if trapped {
            return Flow::Leave(LeaveReason::LaterEpochPromised);
        }
        if self.stage >= LeaderStage::AwaitEpochAcks {
            self.send_leader_info(conn, cx);
        }
        Flow::Stay
    }

    /// `getEpochToPropose`: one more than the largest acceptedEpoch of the quorum that connects.
    pub(super) fn join_epoch(&mut self, who: ServerId, accepted_epoch: Epoch, cx: &mut Cx) {
        let proposed = match cx.config.rules.breaks(BrokenRule::LeaderKeepsEpoch) {
            true => accepted_epoch.max(1),
            false => accepted_epoch + 1,
        };
        self.epoch = self.epoch.max(proposed);
        if cx.members.now.votes(who) || cx.config.rules.breaks(BrokenRule::ObserversCount) {
            self.connecting.insert(who);
        }
        if self.connecting.contains(cx.me) && cx.enough(&cx.members.now, self.connecting) {
            self.stage = LeaderStage::WriteAcceptedEpoch;
            // the quorum came in time; how long the disk takes now counts no more (`waitingForNewEpoch`)
            cx.out.cancel(Timer::QuorumWait);
            let (epoch, quorum) = (self.epoch, self.connecting);
            cx.out.explain(Fact::EpochProposed { epoch, quorum }, Note::EpochAboveAllAccepted);
            cx.storage.write_accepted_epoch(epoch, cx.out);
        }
    }

    pub(super) fn announce_epoch(&mut self, cx: &mut Cx) -> Flow {
        self.stage = LeaderStage::AwaitEpochAcks;
        self.last_proposed = Zxid::new(self.epoch, 0);
        self.wait_for_quorum(cx);
        cx.out.fact(Fact::EpochAccepted { epoch: self.epoch });
        self.name_first_config(cx);
        for conn in self.in_stage(HandlerStage::AwaitEpoch) {
            self.send_leader_info(conn, cx);
        }
        self.promised.insert(cx.me);
        self.check_promises(cx);
        Flow::Stay
    }

    /// A configuration that is just what stands in the files gets the epoch as its version: it goes before every other such, like
    /// that of a server which knows a part of the ensemble (ZOOKEEPER-1783).
    fn name_first_config(&self, cx: &mut Cx) {
        if cx.members.last_seen().version == Zxid::ZERO {
            let first = Members { version: self.last_proposed, ..cx.members.now };
            cx.see_config(&first);
        }
    }

    fn send_leader_info(&mut self, conn: ConnId, cx: &mut Cx) {
        if let Some(handler) = self.learners.get_mut(&conn) {
            handler.stage = HandlerStage::AwaitAckEpoch;
            cx.out.send(conn, Packet::LeaderInfo { epoch: self.epoch });
            Handler::expect_within(conn, cx.config.init_time(), cx);
        }
    }

    /// `waitForEpochAck`. A learner with more history than the leader is not taken in until the leader is established:
    /// then it is cut.
    pub(super) fn promised(
        &mut self,
        conn: ConnId,
        zxid: Zxid,
        current_epoch: Option<Epoch>,
        want_snap: bool,
        cx: &mut Cx,
    ) {
        let Some(handler) = self.learners.get_mut(&conn) else { return };
        handler.zxid = zxid;
        handler.want_snap = want_snap;
        handler.stage = HandlerStage::AwaitSync;
        cx.out.cancel(Timer::ReadTimeout(conn));
        if self.stage >= LeaderStage::AwaitNewLeaderAcks {
            self.synchronise(conn, cx);
        } else if let Some(epoch) = current_epoch {
            let theirs = match cx.config.rules.breaks(BrokenRule::ElectionIgnoresZxid) {
                true => (epoch, self.summary.1),
                false => (epoch, zxid),
            };
            if self.stage == LeaderStage::AwaitEpochAcks && theirs > self.summary {
                self.drop_learner(conn, DropReason::NewerHistory, cx);
            } else if cx.members.now.votes(handler.learner) || cx.config.rules.breaks(BrokenRule::ObserversCount) {
                self.promised.insert(handler.learner);
                self.check_promises(cx);
            }
        }
    }

    fn check_promises(&mut self, cx: &mut Cx) {
        let enough = cx.enough(&cx.members.now, self.promised) || cx.config.rules.breaks(BrokenRule::NoPromises);
        if self.stage == LeaderStage::AwaitEpochAcks && enough {
            self.stage = LeaderStage::WriteCurrentEpoch;
            cx.out.cancel(Timer::QuorumWait);
            cx.out.fact(Fact::Synchronizing { epoch: self.epoch, quorum: self.promised });
            cx.storage.write_current_epoch(self.epoch, cx.out);
        }
    }
}
