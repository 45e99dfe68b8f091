//! Broadcast: zxids, proposals, acknowledgements, commits, heartbeats (`Leader.java` `propose`, `processAck`,
//! `tryToCommit`, the loop of `lead`).

use std::rc::Rc;

use crate::base::{ConnId, ServerId, ServerSet, Way, Zxid};
use crate::zab::fact::{DropReason, Fact, LeaveReason, Note};
use crate::zab::io::{Output, Timer};
use crate::zab::members::Quorums;
use crate::zab::message::{Packet, Payload, Proposal};
use crate::zab::peer::{Cx, Flow};
use crate::zab::rules::BrokenRule;

use super::{Handler, HandlerStage, Leader, LeaderStage};

/// A proposal that waits for a majority.
#[derive(Clone, Debug, Hash)]
pub struct Outstanding {
    /// What was proposed.
    pub proposal: Proposal,
    /// Who has it on disk, as far as the leader has heard.
    pub acks: ServerSet,
    /// Of which configurations it needs a quorum: those that counted when it was proposed.
    pub quorums: Quorums,
    /// Those that counted when it was proposed, where a later configuration has taken force since.
    pub(super) first_quorums: Option<Rc<Quorums>>,
}

impl Outstanding {
    /// From now on a quorum of these is needed, and of no earlier ones.
    pub(super) fn needs_only(&mut self, quorums: Quorums) {
        let earlier = std::mem::replace(&mut self.quorums, quorums);
        self.first_quorums.get_or_insert_with(|| Rc::new(earlier));
    }

    /// The rule by which it is committed.
    fn why(&self) -> Note {
        match self.first_quorums.as_ref().is_some_and(|first| !first.is_quorum(self.acks)) {
            true => Note::LaterConfigAlone,
            false => Note::MajorityLogged,
        }
    }
}

impl Leader {
    /// Gives a transaction the next zxid and sends it to all followers. Where the counter is used up, the leader resigns
    /// for a new epoch (ZOOKEEPER-1277).
    pub(in crate::zab) fn propose(&mut self, payload: Payload, cx: &mut Cx) -> Flow {
        if self.stage != LeaderStage::Active {
            return Flow::Stay;
        }
        let mut zxid = self.last_proposed.next();
        if zxid.counter() >= cx.config.counter_limit {
            if !cx.config.rules.breaks(BrokenRule::CounterOverflows) {
                return Flow::Leave(LeaveReason::CounterUsedUp);
            }
            zxid = Zxid::new(zxid.epoch() + 1, 0); // what adding one to 64 bits does
        }
        self.last_proposed = zxid;
        let proposal = Proposal { zxid, payload };
        let mut followers = ServerSet::EMPTY;
        for (&conn, handler) in self.learners.iter_mut() {
            if handler.is_forwarding() && !handler.observer {
                followers.insert(handler.learner);
                cx.out.send(conn, Packet::Proposal(proposal.clone()));
                if handler.stage == HandlerStage::Active {
                    handler.waiting.sent(zxid, cx.now);
                }
            }
        }
        cx.out.fact(Fact::Proposed { zxid, payload: proposal.payload.clone(), followers });
        if let Some(config) = &proposal.payload.config {
            cx.see_config(config);
        }
        let quorums = *cx.members;
        let (acks, first_quorums) = (ServerSet::EMPTY, None);
        self.outstanding.insert(zxid, Outstanding { proposal: proposal.clone(), acks, quorums, first_quorums });
        cx.storage.enqueue(proposal, cx.out);
        if cx.config.rules.breaks(BrokenRule::AckBeforeSync) {
            self.process_ack(cx.me, zxid, cx);
        }
        Flow::Stay
    }

    /// A packet of a learner that takes part.
    pub(super) fn active_packet(&mut self, conn: ConnId, packet: Packet, cx: &mut Cx) -> Flow {
        let Some(handler) = self.learners.get_mut(&conn) else { return Flow::Stay };
        handler.deadline = self.tick + cx.config.sync_limit;
        Handler::expect_within(conn, cx.config.sync_time(), cx);
        match packet {
            Packet::Ack { zxid } => {
                handler.waiting.acked(zxid);
                let learner = handler.learner;
                self.process_ack(learner, zxid, cx);
            }
            Packet::Request { payload } => cx.out.push(Output::Prepare { payload, from: Some(conn) }),
            Packet::Ping { touched: Some(sessions), .. } => {
                let learner = handler.learner;
                cx.out.push(Output::Touched(learner, sessions));
            }
            Packet::Ping { .. } => {}
            Packet::Revalidate { .. } => {
                let from = handler.learner;
                cx.out.push(Output::Host { conn, from, packet });
            }
            _ => {} // "unexpected quorum packet" is a warning only
        }
        Flow::Stay
    }

    /// Counts an acknowledgement; only those of proposals still under way matter.
    pub(super) fn process_ack(&mut self, from: ServerId, zxid: Zxid, cx: &mut Cx) {
        if !self.allowed_to_commit || zxid.is_new_epoch() {
            return;
        }
        let oldest = self.outstanding.first().map(|(&oldest, _)| oldest);
        let zxid = oldest.filter(|_| cx.config.rules.breaks(BrokenRule::AckNamesNothing)).unwrap_or(zxid);
        if zxid <= self.last_committed {
            return;
        }
        let Some(waiting) = self.outstanding.get_mut(&zxid) else { return };
        if waiting.quorums.votes(from) && waiting.acks.insert(from) {
            let (acks, need) = (waiting.acks, waiting.quorums.need());
            cx.out.fact(Fact::AckCounted { zxid, from, acks, need });
        }
        let mut next = zxid;
        while self.try_to_commit(next, cx) && self.allowed_to_commit {
            next = next.next();
        }
    }

    /// Commits in order only. The next proposal is looked at again only after a reconfiguration: acknowledgements of one server
    /// come in order, so the one that completes zxid+1 comes after the one that completes zxid. Says whether it was one.
    fn try_to_commit(&mut self, zxid: Zxid, cx: &mut Cx) -> bool {
        let Some((&first, waiting)) = self.outstanding.first() else { return false };
        let minority = cx.config.rules.breaks(BrokenRule::CommitAtMinority) && !waiting.acks.is_empty();
        if first != zxid || !(minority || cx.enough_of_each(&waiting.quorums, waiting.acks)) {
            return false;
        }
        let Some(waiting) = self.outstanding.remove(&zxid) else { return false };
        let granted = !minority && !waiting.quorums.is_quorum_by(waiting.acks, cx.config.rules);
        let why = if granted { Note::OracleGrants } else { waiting.why() };
        let Outstanding { proposal, acks, .. } = waiting;
        self.last_committed = zxid;
        cx.out.explain(Fact::Committed { zxid, acks }, why);
        let config = proposal.payload.config.clone();
        let leader = config.as_ref().map(|config| self.put_in_force(config, acks, zxid, cx));
        for (&conn, handler) in &self.learners {
            if handler.is_forwarding() {
                let packet = match (handler.observer, leader) {
                    (true, None) => Packet::Inform(proposal.clone()),
                    (true, Some(leader)) => Packet::InformAndActivate { proposal: proposal.clone(), leader },
                    (false, None) => Packet::Commit { zxid },
                    (false, Some(leader)) => Packet::CommitAndActivate { zxid, leader },
                };
                cx.out.send(conn, packet);
            }
        }
        cx.storage.apply(proposal, cx.config, cx.out);
        config.is_some()
    }

    /// Why it must give up, if it must. Who is to vote in a configuration that is only proposed and follows as an observer gets no
    /// proposals, that configuration neither, so a quorum with it could never commit anything: it does not keep its leader.
    fn lacks_quorum(&self, cx: &Cx) -> Option<LeaveReason> {
        let alive = |observers: bool| {
            let learners = self.learners.values().filter(|h| self.in_time(h) && (observers || !h.observer));
            cx.enough_of_each(cx.members, learners.map(|h| h.learner).chain([cx.me]).collect())
        };
        if !alive(true) {
            return Some(LeaveReason::NoQuorum);
        }
        let kept = cx.config.rules.breaks(Way::ObserversKeepLeader);
        (cx.members.next.is_some() && !kept && !alive(false)).then_some(LeaveReason::OnlyObservers)
    }

    /// Its oracle lets it go on without a quorum: what waits for acknowledgements that may never come is committed at once, in order
    /// (`overrideQuorumDecision`, `revalidateOutstandingProp`).
    fn goes_on_alone(&mut self, cx: &mut Cx) -> bool {
        if cx.oracle.is_none() {
            return false;
        }
        let follows = self.learners.values().any(|handler| handler.is_forwarding() && !handler.observer);
        cx.update_need_oracle(follows);
        let grants = cx.oracle_grants(&cx.members.now);
        while let Some((&first, _)) = self.outstanding.first().filter(|_| grants) {
            self.try_to_commit(first, cx);
            if self.outstanding.contains_key(&first) {
                break;
            }
        }
        grants
    }

    /// The leader's loop: every half tick a PING to each learner, every tick a look whether a majority is still alive.
    pub(super) fn half_a_tick(&mut self, cx: &mut Cx) -> Flow {
        cx.out.arm(Timer::LeaderTick, cx.now.plus(cx.config.tick_time / 2));
        self.half_tick = !self.half_tick;
        if cx.storage.broken {
            return Flow::Leave(LeaveReason::DiskFailed);
        }
        if !self.half_tick {
            self.tick += 1;
            let resigns = !cx.config.rules.breaks(BrokenRule::LeaderNeverResigns);
            if let Some(reason) = self.lacks_quorum(cx).filter(|_| resigns)
                && !self.goes_on_alone(cx)
            {
                return Flow::Leave(reason);
            }
        }
        let (mut late, silent) = (Vec::new(), cx.config.rules.breaks(BrokenRule::NoHeartbeats));
        for (&conn, handler) in &self.learners {
            if handler.waiting.is_late(cx.now, cx.config.sync_time()) {
                late.push(conn);
            } else if handler.is_forwarding() && !silent {
                cx.out.send(conn, Packet::Ping { zxid: self.last_proposed, touched: None });
            }
        }
        for conn in late {
            self.drop_learner(conn, DropReason::SlowAck, cx);
        }
        Flow::Stay
    }
}
