//! A server that leads (`Leader.java`, `LearnerHandler.java`): it gathers a quorum for a new epoch, brings learners up to
//! date, then orders transactions.

mod broadcast;
mod discovery;
mod handler;
mod knocks;
mod rows;

use std::collections::VecDeque;

use crate::base::{ConnId, Epoch, ServerId, ServerSet, SortedMap, Way, Zxid};

use super::fact::{DropReason, Fact, LeaveReason, Note, SyncKind};
use super::io::{Output, Timer};
use super::members::Members;
use super::message::Packet;
use super::peer::{Cx, Flow};
use super::rules::BrokenRule;
use super::storage::Done;
use super::sync_plan;

pub use broadcast::Outstanding;
pub use handler::{Handler, HandlerStage};
use knocks::Knock;

/// How far a leader has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeaderStage {
    /// Writes a snapshot (`loadData`); who connects waits.
    WriteSnapshot,
    /// Waits for a quorum to connect, to choose the epoch (`getEpochToPropose`).
    AwaitEpochQuorum,
    /// Writes acceptedEpoch.
    WriteAcceptedEpoch,
    /// Waits for a quorum to promise (`waitForEpochAck`).
    AwaitEpochAcks,
    /// Writes currentEpoch.
    WriteCurrentEpoch,
    /// Waits for a quorum to have its history (`waitForNewLeaderAck`).
    AwaitNewLeaderAcks,
    /// Broadcast.
    Active,
}

/// The state of a leader.
#[derive(Clone, Debug, Hash)]
pub struct Leader {
    /// How far it has come.
    pub stage: LeaderStage,
    /// The new epoch; still growing while a quorum connects.
    pub epoch: Epoch,
    /// Its learners, by connection.
    pub learners: SortedMap<ConnId, Handler>,
    /// The last zxid given out.
    pub last_proposed: Zxid,
    /// The last zxid committed.
    pub last_committed: Zxid,
    /// Proposals without a majority yet.
    pub outstanding: SortedMap<Zxid, Outstanding>,
    /// Who has acknowledged NEWLEADER.
    pub new_leader_acks: ServerSet,
    /// Whether it still commits: not since a reconfiguration has designated another leader.
    pub(super) allowed_to_commit: bool,
    connecting: ServerSet,
    promised: ServerSet,
    /// (currentEpoch, last zxid) when it was elected: no learner may have more.
    summary: (Epoch, Zxid),
    tick: u64,
    half_tick: bool,
    /// Who connected while the first snapshot was written, and what they sent.
    knocks: VecDeque<Knock>,
}

impl Leader {
    pub(in crate::zab) fn start(cx: &mut Cx) -> (Leader, Flow) {
        let mut leader = Leader {
            stage: LeaderStage::AwaitEpochQuorum,
            epoch: 0,
            learners: SortedMap::new(),
            last_proposed: Zxid::ZERO,
            last_committed: Zxid::ZERO,
            outstanding: SortedMap::new(),
            new_leader_acks: ServerSet::EMPTY,
            allowed_to_commit: true,
            connecting: ServerSet::EMPTY,
            promised: ServerSet::EMPTY,
            summary: (cx.storage.current_epoch, cx.storage.last_processed),
            tick: 0,
            half_tick: false,
            knocks: VecDeque::new(),
        };
        cx.storage.write_snapshot(cx.out);
        cx.out.push(Output::Listen(true));
        if cx.config.snapshot_first {
            leader.stage = LeaderStage::WriteSnapshot;
            return (leader, Flow::Stay);
        }
        let flow = leader.discover(cx);
        (leader, flow)
    }

    /// A learner connected to the quorum port.
    pub(in crate::zab) fn accepted(&mut self, conn: ConnId, from: ServerId, cx: &mut Cx) {
        if self.writes_snapshot() {
            return self.keep_waiting(Knock::Accepted(conn, from));
        }
        let deadline = self.tick + cx.config.init_limit + cx.config.sync_limit;
        self.learners.insert(conn, Handler::new(from, deadline));
        Handler::expect_within(conn, cx.config.init_time(), cx);
    }

    /// A packet of a learner arrived.
    pub(in crate::zab) fn packet(&mut self, conn: ConnId, packet: Packet, cx: &mut Cx) -> Flow {
        if self.writes_snapshot() {
            self.keep_waiting(Knock::Packet(conn, packet));
            return Flow::Stay;
        }
        let Some(handler) = self.learners.get_mut(&conn) else { return Flow::Stay };
        handler.observer |= matches!(packet, Packet::ObserverInfo { .. });
        match (handler.stage, packet) {
            (HandlerStage::AwaitInfo, Packet::FollowerInfo { config, .. } | Packet::ObserverInfo { config, .. })
                if config > cx.members.now.version =>
            {
                self.drop_learner(conn, DropReason::LaterConfig, cx);
                Flow::Stay
            }
            (
                HandlerStage::AwaitInfo,
                Packet::FollowerInfo { accepted_epoch, .. } | Packet::ObserverInfo { accepted_epoch, .. },
            ) => self.greeted(conn, accepted_epoch, cx),
            (HandlerStage::AwaitAckEpoch, Packet::AckEpoch { zxid, current_epoch, want_snap }) => {
                self.promised(conn, zxid, current_epoch, want_snap, cx);
                Flow::Stay
            }
            (HandlerStage::AwaitNewLeaderAck, Packet::Ack { zxid }) => self.new_leader_acked(conn, zxid, cx),
            (HandlerStage::AwaitActive, Packet::Ack { .. } | Packet::Ping { .. }) => Flow::Stay,
            (HandlerStage::Active, packet) => self.active_packet(conn, packet, cx),
            _ => {
                self.drop_learner(conn, DropReason::BadPacket, cx);
                Flow::Stay
            }
        }
    }

    /// A disk operation of this server is done.
    pub(in crate::zab) fn persisted(&mut self, done: &Done, cx: &mut Cx) -> Flow {
        match (self.stage, done) {
            (LeaderStage::WriteSnapshot, Done::Snapshot(_)) if cx.storage.has_snapshots() => self.discover(cx),
            (LeaderStage::WriteAcceptedEpoch, Done::AcceptedEpoch(_)) => self.announce_epoch(cx),
            (LeaderStage::WriteCurrentEpoch, Done::CurrentEpoch(_)) => self.synchronise_all(cx),
            (_, Done::Appended(zxids)) => {
                if !cx.config.rules.breaks(BrokenRule::AckBeforeSync) {
                    for &zxid in zxids {
                        self.process_ack(cx.me, zxid, cx);
                    }
                }
                Flow::Stay
            }
            _ => Flow::Stay,
        }
    }

    /// A timer fired.
    pub(in crate::zab) fn timer(&mut self, timer: Timer, cx: &mut Cx) -> Flow {
        match timer {
            Timer::QuorumWait => Flow::Leave(LeaveReason::QuorumWaitOver),
            Timer::LeaderTick => self.half_a_tick(cx),
            Timer::ReadTimeout(conn) => {
                self.drop_learner(conn, DropReason::Silent, cx);
                Flow::Stay
            }
            _ => Flow::Stay,
        }
    }

    /// A learner's connection broke. Its promise for the epoch and its acknowledgement of NEWLEADER still count. So do its
    /// acknowledgements of proposals, until it comes back: then [`Leader::synchronise`] takes back those of proposals that
    /// it sends again.
    pub(in crate::zab) fn closed(&mut self, conn: ConnId, cx: &mut Cx) {
        self.forget(conn);
        if let Some(handler) = self.learners.remove(&conn) {
            cx.out.cancel(Timer::ReadTimeout(conn));
            let (learner, reason) = (handler.learner, DropReason::ConnectionLost);
            cx.out.fact(Fact::LearnerDropped { learner, reason });
        }
    }

    /// Gives up everything that belongs to the role.
    pub(in crate::zab) fn stop(&mut self, cx: &mut Cx) {
        cx.out.push(Output::Listen(false));
        cx.out.cancel(Timer::QuorumWait);
        cx.out.cancel(Timer::LeaderTick);
        for &conn in self.learners.keys() {
            cx.out.cancel(Timer::ReadTimeout(conn));
            cx.out.push(Output::Close(conn));
        }
        self.turn_away(cx);
    }

    fn wait_for_quorum(&self, cx: &mut Cx) {
        if !cx.config.rules.breaks(BrokenRule::EndlessPatience) {
            cx.out.arm(Timer::QuorumWait, cx.now.plus(cx.config.init_time()));
        }
    }

    fn in_stage(&self, stage: HandlerStage) -> Vec<ConnId> {
        self.learners.iter().filter(|(_, handler)| handler.stage == stage).map(|(&conn, _)| conn).collect()
    }

    fn synchronise_all(&mut self, cx: &mut Cx) -> Flow {
        self.stage = LeaderStage::AwaitNewLeaderAcks;
        self.wait_for_quorum(cx);
        for conn in self.in_stage(HandlerStage::AwaitSync) {
            self.synchronise(conn, cx);
        }
        self.new_leader_acks.insert(cx.me);
        self.establish_if_quorum(cx)
    }

    /// `syncFollower` and `startForwarding`: what the learner misses, then all that is under way, then NEWLEADER.
    fn synchronise(&mut self, conn: ConnId, cx: &mut Cx) {
        let rules = cx.config.rules;
        let acks_kept = rules.breaks(Way::AcksKept) || rules.breaks(BrokenRule::OldAcksCount);
        if !acks_kept {
            self.drop_earlier(conn, cx);
        }
        let Some(handler) = self.learners.get_mut(&conn) else { return };
        let plan = sync_plan::plan(cx.storage, handler.zxid, handler.want_snap, cx.config);
        let (min_committed, max_committed) = cx.storage.committed_window();
        let chosen = Fact::SyncChosen {
            learner: handler.learner,
            sync: plan.kind,
            learner_zxid: handler.zxid,
            to: plan.to,
            proposals: plan.proposals.len(),
            min_committed,
            max_committed,
            last_processed: cx.storage.last_processed,
        };
        cx.out.explain(chosen, plan.why);
        handler.sync = Some(plan.kind);
        match plan.kind {
            SyncKind::Diff => cx.out.send(conn, Packet::Diff { zxid: plan.to }),
            SyncKind::Trunc => cx.out.send(conn, Packet::Trunc { zxid: plan.to }),
            SyncKind::Snap => cx.out.push(Output::SendSnapshot(conn, plan.to)),
        }
        for proposal in plan.proposals {
            let zxid = proposal.zxid;
            cx.out.send(conn, Packet::Proposal(proposal));
            cx.out.send(conn, Packet::Commit { zxid });
        }
        // whatever it had acknowledged of these on an earlier connection is void: TRUNC or SNAP removes it
        let mut forgotten = Vec::new();
        for (_, waiting) in self.outstanding.from_mut(&plan.current.next()) {
            if !acks_kept && waiting.acks.remove(handler.learner) {
                forgotten.push(waiting.proposal.zxid);
            }
            if !handler.observer && !rules.breaks(BrokenRule::GapInForwarding) {
                cx.out.send(conn, Packet::Proposal(waiting.proposal.clone()));
            }
        }
        if !forgotten.is_empty() {
            cx.out.fact(Fact::AcksForgotten { learner: handler.learner, zxids: forgotten });
        }
        if !handler.observer {
            cx.update_need_oracle(true);
        }
        let config = cx.told(*cx.members.last_seen());
        cx.out.send(conn, Packet::NewLeader { zxid: Zxid::new(self.epoch, 0), config });
        handler.stage = HandlerStage::AwaitNewLeaderAck;
        Handler::expect_within(conn, cx.config.init_time(), cx);
    }

    fn new_leader_acked(&mut self, conn: ConnId, zxid: Zxid, cx: &mut Cx) -> Flow {
        let Some(handler) = self.learners.get_mut(&conn) else { return Flow::Stay };
        handler.stage = HandlerStage::AwaitActive;
        cx.out.cancel(Timer::ReadTimeout(conn));
        let from = handler.learner;
        if self.stage == LeaderStage::Active {
            self.let_serve(conn, cx);
            return Flow::Stay;
        }
        let counts = cx.members.votes(from) || cx.config.rules.breaks(BrokenRule::ObserversCount);
        if zxid == Zxid::new(self.epoch, 0) && counts {
            self.new_leader_acks.insert(from);
            let (acks, need) = (self.new_leader_acks, cx.members.need());
            cx.out.fact(Fact::NewLeaderAckCounted { from, acks, need });
        }
        self.establish_if_quorum(cx)
    }

    fn establish_if_quorum(&mut self, cx: &mut Cx) -> Flow {
        let rules = cx.config.rules;
        let enough = cx.enough_of_each(cx.members, self.new_leader_acks);
        let early = rules.breaks(BrokenRule::ServeBeforeSyncQuorum);
        if self.stage != LeaderStage::AwaitNewLeaderAcks || !(early || enough) {
            return Flow::Stay;
        }
        // `startZkServer` makes the session tracker, which throws: the leader falls, is elected again and falls again, epoch by epoch
        if cx.config.id_too_large == Some(cx.me) {
            return Flow::Leave(LeaveReason::IdTooLarge);
        }
        self.stage = LeaderStage::Active;
        self.last_committed = Zxid::new(self.epoch, 0);
        cx.storage.last_processed = Zxid::new(self.epoch, 0);
        cx.out.cancel(Timer::QuorumWait);
        cx.out.arm(Timer::LeaderTick, cx.now.plus(cx.config.tick_time / 2));
        let (epoch, quorum) = (self.epoch, self.new_leader_acks);
        let why = cx.why_enough(quorum, Note::HistoryOnQuorum);
        cx.out.explain(Fact::Established { epoch, quorum }, why);
        let config = *cx.members.last_seen();
        self.put_in_force(&config, quorum, Zxid::new(epoch, 0), cx);
        cx.out.push(Output::Serve(true));
        for conn in self.in_stage(HandlerStage::AwaitActive) {
            self.let_serve(conn, cx);
        }
        Flow::Settled(epoch)
    }

    /// Activates a configuration of which all quorums are there: what is still open was proposed behind it, and who had a vote only
    /// before does not count for it any more. A leader that does not vote in it commits nothing from now on; says who is to lead.
    fn put_in_force(&mut self, config: &Members, acks: ServerSet, zxid: Zxid, cx: &mut Cx) -> ServerId {
        let leader = self.designated(config, acks, zxid, cx.me);
        cx.activate_config(config, Some(leader), cx.me);
        if !cx.config.rules.breaks(Way::BothToTheEnd) {
            for (_, waiting) in self.outstanding.from_mut(&zxid) {
                waiting.needs_only(*cx.members);
            }
        }
        if leader != cx.me && cx.config.reconfig {
            self.allowed_to_commit = false;
            cx.out.fact(Fact::LeaderDesignated { leader });
        }
        leader
    }

    /// Whether something was heard of a learner in time.
    pub(super) fn in_time(&self, handler: &Handler) -> bool {
        self.tick <= handler.deadline
    }

    fn let_serve(&mut self, conn: ConnId, cx: &mut Cx) {
        if let Some(handler) = self.learners.get_mut(&conn) {
            handler.stage = HandlerStage::Active;
            cx.out.send(conn, Packet::UpToDate);
            Handler::expect_within(conn, cx.config.sync_time(), cx);
        }
    }

    /// Closes other connections of the same learner: an acknowledgement that is still on its way there may be of a log that
    /// is about to be cut.
    fn drop_earlier(&mut self, conn: ConnId, cx: &mut Cx) {
        let Some(learner) = self.learners.get(&conn).map(|handler| handler.learner) else { return };
        let earlier =
            |(&other, handler): (&ConnId, &Handler)| (other != conn && handler.learner == learner).then_some(other);
        let earlier: Vec<ConnId> = self.learners.iter().filter_map(earlier).collect();
        for other in earlier {
            self.drop_learner(other, DropReason::Replaced, cx);
        }
    }

    fn drop_learner(&mut self, conn: ConnId, reason: DropReason, cx: &mut Cx) {
        if let Some(handler) = self.learners.remove(&conn) {
            cx.out.cancel(Timer::ReadTimeout(conn));
            cx.out.push(Output::Close(conn));
            cx.out.fact(Fact::LearnerDropped { learner: handler.learner, reason });
        }
    }
}
