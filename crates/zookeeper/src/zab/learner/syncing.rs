//! Taking over the leader's history (`Learner.java` `syncWithLeader`). What must be durable before NEWLEADER is
//! acknowledged: first the history, then currentEpoch which vouches for it (ZOOKEEPER-3911, 4643, 4646).

use std::rc::Rc;

use crate::base::{Way, Zxid};
use crate::zab::fact::{Fact, LeaveReason, Note, SyncKind};
use crate::zab::io::Output;
use crate::zab::members::Members;
use crate::zab::message::{Packet, Proposal};
use crate::zab::peer::{Cx, Flow};
use crate::zab::rules::BrokenRule;

use super::{Learner, LearnerStage};

impl Learner {
    /// DIFF, TRUNC or SNAP.
    pub(super) fn first_sync_packet(&mut self, packet: Packet, cx: &mut Cx) -> Flow {
        let exits = cx.config.rules.breaks(Way::LearnerExits);
        match packet {
            Packet::Diff { zxid } => {
                self.sync = Some(SyncKind::Diff);
                if cx.config.rules.breaks(BrokenRule::ZxidFromTheHeader) {
                    cx.storage.last_processed = zxid;
                }
                cx.out.push(Output::Config(cx.members.now));
                self.stage = LearnerStage::Syncing;
            }
            Packet::Trunc { zxid } => {
                if !cx.storage.can_truncate(zxid, cx.config) {
                    if exits {
                        return Flow::Leave(LeaveReason::BadSyncPacket);
                    }
                    *cx.want_snap = true;
                    return Flow::Leave(LeaveReason::CannotTruncate);
                }
                self.sync = Some(SyncKind::Trunc);
                self.write_to_log = false;
                self.stage = LearnerStage::Truncating;
                cx.storage.truncate(zxid, cx.out);
            }
            Packet::Snap { zxid, state } => {
                *cx.want_snap = false;
                self.sync = Some(SyncKind::Snap);
                self.write_to_log = false;
                self.stage = LearnerStage::Syncing;
                cx.out.push(Output::Restore(*state));
                cx.storage.restored(zxid);
                cx.out.push(Output::Config(cx.members.now));
            }
            _ if exits => return Flow::Leave(LeaveReason::BadSyncPacket),
            _ => return Flow::Leave(LeaveReason::OutOfOrder),
        }
        Flow::Stay
    }

    /// Everything after it, up to UPTODATE. Heartbeats are not answered yet; they only keep the connection alive.
    pub(super) fn sync_packet(&mut self, packet: Packet, cx: &mut Cx) -> Flow {
        match packet {
            Packet::Proposal(proposal) => self.sync_proposal(proposal, cx),
            Packet::Commit { zxid } => self.sync_commit(zxid, cx),
            Packet::Inform(proposal) => {
                let zxid = proposal.zxid;
                match self.sync_proposal(proposal, cx) {
                    Flow::Stay => self.sync_commit(zxid, cx),
                    left => left,
                }
            }
            Packet::CommitAndActivate { zxid, leader } => {
                let config = self.not_logged.front().filter(|first| first.zxid == zxid);
                let config = config.and_then(|first| first.payload.config.clone());
                match config.is_some_and(|config| cx.activate_config(&config, Some(leader), self.leader)) {
                    true => Flow::Leave(LeaveReason::Reconfigured),
                    false => self.sync_commit(zxid, cx),
                }
            }
            Packet::InformAndActivate { proposal, leader } => {
                let config = proposal.payload.config.clone();
                match config.is_some_and(|config| cx.activate_config(&config, Some(leader), self.leader)) {
                    true => Flow::Leave(LeaveReason::Reconfigured),
                    false => self.sync_packet(Packet::Inform(proposal), cx),
                }
            }
            Packet::NewLeader { config, .. } if self.stage == LearnerStage::Syncing => {
                if let Some(config) = &config {
                    cx.see_config(config);
                }
                self.new_config = config;
                self.take_over_history(cx);
                Flow::Stay
            }
            Packet::UpToDate if self.stage == LearnerStage::AwaitUpToDate => self.begin_to_serve(cx),
            _ => Flow::Stay,
        }
    }

    fn sync_proposal(&mut self, proposal: Proposal, cx: &mut Cx) -> Flow {
        let taken = cx.config.rules.breaks(Way::GapsTaken);
        if self.last_queued.is_some_and(|last| !proposal.zxid.follows(last)) && !taken {
            return Flow::Leave(LeaveReason::OutOfOrder);
        }
        self.last_queued = Some(proposal.zxid);
        if let Some(config) = &proposal.payload.config {
            cx.see_config(config);
        }
        self.not_logged.push_back(proposal);
        Flow::Stay
    }

    /// After SNAP or TRUNC commits go to memory at once: the snapshot that is written at NEWLEADER will hold them.
    fn sync_commit(&mut self, zxid: Zxid, cx: &mut Cx) -> Flow {
        let rules = cx.config.rules;
        if self.not_logged.is_empty() && rules.breaks(BrokenRule::Zookeeper4394) {
            return Flow::Leave(LeaveReason::OutOfOrder); // a NullPointerException
        }
        if self.write_to_log {
            self.committed.push_back(zxid);
        } else if self.not_logged.front().is_some_and(|first| first.zxid == zxid) {
            if let Some(proposal) = self.not_logged.pop_front() {
                cx.storage.apply(proposal, cx.config, cx.out);
            }
        } else if !rules.breaks(Way::LearnerExits) {
            return Flow::Leave(LeaveReason::OutOfOrder);
        }
        Flow::Stay
    }

    /// NEWLEADER: make durable what this server is about to vouch for.
    fn take_over_history(&mut self, cx: &mut Cx) {
        if cx.config.rules.breaks(BrokenRule::EpochBeforeLog) {
            self.write_current_epoch(cx);
        } else {
            self.write_history(cx);
        }
    }

    fn write_history(&mut self, cx: &mut Cx) {
        let beyond_log = cx.storage.last_processed > cx.storage.last_logged();
        let state_received = self.sync == Some(SyncKind::Snap) || (!self.write_to_log && beyond_log);
        self.write_to_log = true;
        self.stage = LearnerStage::WriteHistory;
        if self.sync == Some(SyncKind::Trunc) && cx.config.rules.breaks(Way::LooseCut) {
            cx.storage.write_snapshot(cx.out); // nobody waits for the disk to have it
        } else if state_received {
            return cx.storage.install_snapshot(cx.out);
        }
        if !self.log_committed(cx) {
            self.history_written(cx);
        }
    }

    /// Whether everything received is logged now, rather than what came with its commit (3.8; an observer never does).
    fn logs_all(&self, cx: &Cx) -> bool {
        let rules = cx.config.rules;
        !self.observer && (rules.breaks(BrokenRule::Zookeeper4394) || rules.breaks(BrokenRule::Zookeeper4685))
    }

    fn log_all(&mut self, cx: &mut Cx) -> bool {
        if !self.logs_all(cx) {
            return false;
        }
        let proposals = std::mem::take(&mut self.not_logged);
        let any = !proposals.is_empty();
        for proposal in proposals {
            self.unacknowledged.push(proposal.zxid);
            self.pending.push_back(proposal.clone());
            cx.storage.enqueue(proposal, cx.out);
        }
        any
    }

    /// Logs and applies the transactions that came with their commits; false when there is nothing to wait for. An
    /// observer does this only after UPTODATE, unless the next configuration gives it a vote: then its leader counts its answer.
    fn log_committed(&mut self, cx: &mut Cx) -> bool {
        let counts_not = self.observer && !cx.members.votes(cx.me);
        if counts_not || self.logs_all(cx) || cx.config.rules.breaks(BrokenRule::Zookeeper3911) {
            return false;
        }
        let mut any = false;
        while let (Some(first), Some(&zxid)) = (self.not_logged.front(), self.committed.front()) {
            if first.zxid != zxid {
                break;
            }
            self.committed.pop_front();
            if let Some(proposal) = self.not_logged.pop_front() {
                cx.storage.enqueue(proposal.clone(), cx.out);
                match cx.config.rules.breaks(BrokenRule::HoleInMemory) {
                    true => cx.storage.apply_unlisted(proposal, cx.out),
                    false => cx.storage.apply(proposal, cx.config, cx.out),
                }
                any = true;
            }
        }
        any
    }

    /// A batch or the state is on disk; when nothing more waits, currentEpoch follows.
    pub(super) fn history_written(&mut self, cx: &mut Cx) {
        if !cx.storage.is_idle() || self.log_all(cx) {
            return;
        }
        // whether the log's thread overtakes the learner's is a race; the recorded one lost it five times in forty
        let overtakes = !self.unacknowledged.is_empty() && cx.config.rules.breaks(BrokenRule::Zookeeper4685);
        if overtakes && cx.storage.coin() {
            let logged = std::mem::take(&mut self.unacknowledged);
            self.acknowledge(&logged, cx);
        }
        match self.epoch_written {
            true => self.acknowledge_new_leader(cx),
            false => self.write_current_epoch(cx),
        }
    }

    fn write_current_epoch(&mut self, cx: &mut Cx) {
        self.stage = LearnerStage::WriteCurrentEpoch;
        cx.storage.write_current_epoch(self.epoch, cx.out);
        if cx.config.rules.breaks(BrokenRule::EpochNotOnDisk) {
            self.acknowledge_new_leader(cx);
        }
    }

    pub(super) fn current_epoch_written(&mut self, cx: &mut Cx) {
        self.epoch_written = true;
        match cx.config.rules.breaks(BrokenRule::EpochBeforeLog) {
            true => self.write_history(cx),
            false if cx.config.rules.breaks(BrokenRule::EpochNotOnDisk) => {} // it is acknowledged already
            false => self.acknowledge_new_leader(cx),
        }
    }

    fn acknowledge_new_leader(&mut self, cx: &mut Cx) {
        self.stage = LearnerStage::AwaitUpToDate;
        self.sync = None;
        cx.out.send(self.conn, Packet::Ack { zxid: Zxid::new(self.epoch, 0) });
        cx.out.fact(Fact::NewLeaderAcked { epoch: self.epoch });
        self.expect_packet(cx);
    }

    /// The configuration that is in force at the leader, as far as this learner has heard. The one that came with NEWLEADER may be
    /// proposed only: it has its zxid as version, and its commit has not come then. Who put it in force all the same would be turned
    /// away by its own leader when it comes again, and elect by it what the others never agreed to.
    fn committed_config(&mut self, cx: &Cx) -> Option<Rc<Members>> {
        let told = self.new_config.take();
        if cx.config.rules.breaks(Way::ProposedInForce) {
            return told;
        }
        let committed = |zxid: &Zxid| *zxid <= cx.storage.last_processed || self.committed.contains(zxid);
        let later = self.not_logged.iter().filter(|proposal| committed(&proposal.zxid));
        let later = later.filter_map(|proposal| proposal.payload.config.clone()).next_back();
        let told = told.filter(|config| config.version <= Zxid::new(self.epoch, 0) || committed(&config.version));
        later.or(told)
    }

    /// Says that it serves, and whether a configuration that came with NEWLEADER waits for its commit.
    fn tell_up_to_date(&self, proposed: bool, cx: &mut Cx) {
        let fact = Fact::UpToDate { epoch: self.epoch };
        match proposed {
            true => cx.out.explain(fact, Note::ConfigStillProposed),
            false => cx.out.fact(fact),
        }
    }

    /// UPTODATE: proposals that were under way during the synchronisation are logged now, and clients may come.
    fn begin_to_serve(&mut self, cx: &mut Cx) -> Flow {
        let told = self.new_config.as_ref().map(|config| config.version);
        if self.committed_config(cx).is_some_and(|config| cx.activate_config(&config, None, self.leader)) {
            return Flow::Leave(LeaveReason::Reconfigured);
        }
        let proposed = told.is_some_and(|version| version > cx.members.now.version);
        self.stage = LearnerStage::Serving;
        cx.out.send(self.conn, Packet::Ack { zxid: Zxid::new(self.epoch, 0) });
        self.tell_up_to_date(proposed, cx);
        cx.out.push(Output::Serve(true));
        let proposals = std::mem::take(&mut self.not_logged);
        let committed = std::mem::take(&mut self.committed);
        if self.observer {
            for (proposal, zxid) in proposals.into_iter().zip(committed) {
                if proposal.zxid == zxid {
                    self.inform(proposal, cx);
                }
            }
            return Flow::Settled(self.epoch);
        }
        let logged = std::mem::take(&mut self.unacknowledged);
        self.acknowledge(&logged, cx);
        for proposal in proposals {
            self.log(proposal, cx);
        }
        for zxid in committed {
            match self.commit(zxid, cx) {
                Flow::Stay => {}
                left => return left,
            }
        }
        Flow::Settled(self.epoch)
    }
}
