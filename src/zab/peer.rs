//! One server's protocol machine: it dispatches inputs to the role it has, and moves between roles
//! (`QuorumPeer.java`).

mod rows;

use crate::base::{ConnId, Epoch, Prng, ServerId, SimTime};

use super::config::{Config, Members};
use super::election::{Election, Outcome};
use super::fact::{Fact, LeaveReason, Note, SyncKind};
use super::io::{Input, Outbox, Output, Port, Recovered, Timer};
use super::leader::{Leader, LeaderStage};
use super::learner::{Learner, LearnerStage};
use super::links::Links;
use super::message::{Notification, Packet, Payload};
use super::phase::Phase;
use super::rules::BrokenRule;
use super::storage::{Done, Storage};
use super::vote::{ServerState, Vote};

/// What a role may use of its server while it handles an input.
pub(in crate::zab) struct Cx<'a> {
    pub me: ServerId,
    pub now: SimTime,
    pub config: &'a Config,
    pub members: &'a Members,
    pub storage: &'a mut Storage,
    pub links: &'a mut Links,
    pub want_snap: &'a mut bool,
    pub out: &'a mut Outbox,
}

impl Cx<'_> {
    /// A vote for this server with its own history; none at an observer.
    pub(in crate::zab) fn own_vote(&self) -> Vote {
        match self.members.votes(self.me) {
            true => own_vote(self.me, self.storage),
            false => Vote::NONE,
        }
    }
}

fn own_vote(me: ServerId, storage: &Storage) -> Vote {
    Vote { leader: me, zxid: storage.last_processed, peer_epoch: storage.current_epoch }
}

/// What a role wants of its server after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::zab) enum Flow {
    /// Nothing.
    Stay,
    /// The epoch is established: latecomers are told so.
    Settled(Epoch),
    /// The role is over.
    Leave(LeaveReason),
}

/// What a server is doing.
#[derive(Clone, Debug)]
pub enum Role {
    /// It looks for a leader.
    Looking,
    /// It leads.
    Leading(Box<Leader>),
    /// It follows or observes.
    Learning(Box<Learner>),
    /// It has left its role and waits until its log is written.
    Leaving {
        /// The role it had.
        was: ServerState,
        /// Its memory is brought up to its log then.
        fast_forward: bool,
        /// Its memory is loaded from disk again then.
        reload: bool,
    },
    /// It refused to start.
    Stopped,
}

/// One server.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its id.
    pub id: ServerId,
    /// Who belongs to the ensemble.
    pub members: Members,
    /// What it does.
    pub role: Role,
    /// What it remembers of elections.
    pub election: Election,
    /// Its database.
    pub storage: Storage,
    links: Links,
    want_snap: bool,
}

impl Peer {
    /// Starts a server with what its disk holds. The host has loaded the newest snapshot into the replicated state.
    pub fn boot(
        id: ServerId,
        members: Members,
        disk: Recovered,
        prng: Prng,
        now: SimTime,
        config: &Config,
        out: &mut Outbox,
    ) -> Peer {
        let mut storage = Storage::new(config, prng);
        storage.load(disk, config, out);
        let own = own_vote(id, &storage);
        let mut peer = Peer {
            id,
            members,
            role: Role::Looking,
            election: Election::new(own),
            storage,
            links: Links::new(id),
            want_snap: false,
        };
        let (last_zxid, current_epoch) = (own.zxid, peer.storage.current_epoch);
        let accepted_epoch = peer.storage.accepted_epoch.max(last_zxid.epoch());
        let recovered = |current_epoch| Fact::Recovered { last_zxid, current_epoch, accepted_epoch };
        if last_zxid.epoch() > current_epoch {
            if config.rules.breaks(BrokenRule::Zookeeper1653) {
                out.fact(Fact::RefusedToStart { last_zxid, current_epoch });
                out.push(Output::Exit);
                peer.role = Role::Stopped;
                return peer;
            }
            out.explain(recovered(last_zxid.epoch()), Note::EpochAdoptedFromLog);
            peer.storage.accepted_epoch = accepted_epoch;
            peer.storage.current_epoch = last_zxid.epoch();
        } else {
            out.fact(recovered(current_epoch));
        }
        peer.look(now, config, out);
        peer
    }

    /// Its state as it tells it to others; a server that leaves a role still counts as having it.
    pub fn state(&self) -> ServerState {
        match &self.role {
            Role::Looking | Role::Stopped => ServerState::Looking,
            Role::Leading(_) => ServerState::Leading,
            Role::Learning(learner) if learner.observer => ServerState::Observing,
            Role::Learning(_) => ServerState::Following,
            Role::Leaving { was, .. } => *was,
        }
    }

    /// Whether it serves clients.
    pub fn is_serving(&self) -> bool {
        matches!(self.phase(), Phase::Broadcast)
    }

    /// Whether it leads an established epoch.
    pub fn is_established_leader(&self) -> bool {
        self.leading().is_some()
    }

    /// The connection to its leader, while it serves as a learner.
    pub fn upstream(&self) -> Option<ConnId> {
        match &self.role {
            Role::Learning(learner) if learner.stage == LearnerStage::Serving => Some(learner.conn()),
            _ => None,
        }
    }

    /// The leader's part, while it leads an established epoch.
    pub fn leading(&self) -> Option<&Leader> {
        match &self.role {
            Role::Leading(leader) if leader.stage == LeaderStage::Active => Some(leader),
            _ => None,
        }
    }

    /// Handles one input.
    pub fn handle(&mut self, now: SimTime, input: Input, config: &Config, out: &mut Outbox) {
        if matches!(self.role, Role::Stopped) {
            return;
        }
        match input {
            Input::Timer(timer) => self.timer(timer, now, config, out),
            Input::Accepted { conn, from, port } => self.accepted(conn, from, port, now, config, out),
            Input::Connected(conn) => {
                if !self.links.connected(conn, out) {
                    self.with_learner(now, config, out, |learner, cx| {
                        learner.connected(conn, cx);
                        Flow::Stay
                    });
                }
            }
            Input::Refused(conn) => {
                if !self.links.refused(conn, out) {
                    self.with_learner(now, config, out, |learner, cx| learner.refused(conn, cx));
                }
            }
            Input::Closed(conn) => self.closed(conn, now, config, out),
            Input::Notification(conn, theirs) => self.notification(conn, theirs, now, config, out),
            Input::Packet(conn, packet) => self.packet(conn, packet, now, config, out),
            Input::Persisted(token, bytes) => self.persisted(token, bytes, now, config, out),
            Input::Request(payload) => self.request(payload, now, config, out),
            Input::Members(members) => self.members = members,
        }
    }

    /// A transaction of this leader's host; lost where the server does not lead any more.
    pub fn propose(&mut self, now: SimTime, payload: Payload, config: &Config, out: &mut Outbox) {
        self.with_leader(now, config, out, |leader, cx| leader.propose(payload, cx));
    }

    /// The host did [`Output::Reload`]: the replicated state is the newest snapshot's, and this is on disk.
    pub fn reloaded(&mut self, now: SimTime, disk: Recovered, config: &Config, out: &mut Outbox) {
        self.storage.load(disk, config, out);
        let to = self.storage.last_logged();
        match &self.role {
            Role::Learning(learner) if learner.truncating() => {
                self.with_learner(now, config, out, |learner, cx| learner.reloaded(to, cx));
            }
            _ => self.look(now, config, out),
        }
    }

    fn look(&mut self, now: SimTime, config: &Config, out: &mut Outbox) {
        self.role = Role::Looking;
        let (mut cx, _, election) = self.split(now, config, out);
        election.start(&mut cx);
    }

    fn timer(&mut self, timer: Timer, now: SimTime, config: &Config, out: &mut Outbox) {
        match timer {
            Timer::ElectionPoll | Timer::Finalize => {
                if !matches!(self.role, Role::Looking) {
                    return;
                }
                let (mut cx, _, election) = self.split(now, config, out);
                let outcome = match timer {
                    Timer::Finalize => election.finalized(&mut cx),
                    _ => {
                        election.poll_timeout(&mut cx);
                        None
                    }
                };
                self.elected(outcome, now, config, out);
            }
            Timer::DialTimeout(to) => self.links.dial_timeout(to, out),
            _ => match &self.role {
                Role::Leading(_) => {
                    self.with_leader(now, config, out, |leader, cx| leader.timer(timer, cx));
                }
                _ => self.with_learner(now, config, out, |learner, cx| learner.timer(timer, cx)),
            },
        }
    }

    fn accepted(
        &mut self,
        conn: ConnId,
        from: ServerId,
        port: Port,
        now: SimTime,
        config: &Config,
        out: &mut Outbox,
    ) {
        match (port, &self.role) {
            (Port::Election, _) => self.links.accepted(conn, from, now, out),
            (Port::Quorum, Role::Leading(_)) => {
                self.with_leader(now, config, out, |leader, cx| {
                    leader.accepted(conn, from, cx);
                    Flow::Stay
                });
            }
            (Port::Quorum, _) => out.push(Output::Close(conn)),
        }
    }

    fn closed(&mut self, conn: ConnId, now: SimTime, config: &Config, out: &mut Outbox) {
        if self.links.closed(conn, out) {
            return;
        }
        match &self.role {
            Role::Leading(_) => self.with_leader(now, config, out, |leader, cx| {
                leader.closed(conn, cx);
                Flow::Stay
            }),
            _ => self.with_learner(now, config, out, |learner, _| learner.closed(conn)),
        }
    }

    fn notification(&mut self, conn: ConnId, theirs: Notification, now: SimTime, config: &Config, out: &mut Outbox) {
        let Some(from) = self.links.peer_of(conn) else { return };
        let state = self.state();
        let looking = matches!(self.role, Role::Looking);
        let (mut cx, _, election) = self.split(now, config, out);
        if looking && cx.members.votes(from) {
            let outcome = election.receive(from, theirs, &mut cx);
            self.elected(outcome, now, config, out);
        } else {
            election.answer(from, &theirs, state, &mut cx);
        }
    }

    fn packet(&mut self, conn: ConnId, packet: Packet, now: SimTime, config: &Config, out: &mut Outbox) {
        match &self.role {
            Role::Leading(_) => self.with_leader(now, config, out, |leader, cx| leader.packet(conn, packet, cx)),
            _ => self.with_learner(now, config, out, |learner, cx| learner.packet(conn, packet, cx)),
        }
    }

    fn persisted(&mut self, token: u64, bytes: u64, now: SimTime, config: &Config, out: &mut Outbox) {
        let Some(done) = self.storage.persisted(token, bytes, config, out) else { return };
        if matches!(done, Done::Snapshot(_)) {
            return;
        }
        match &self.role {
            Role::Leading(_) => self.with_leader(now, config, out, |leader, cx| leader.persisted(&done, cx)),
            Role::Learning(_) => self.with_learner(now, config, out, |learner, cx| learner.persisted(&done, cx)),
            Role::Leaving { .. } => self.left(now, config, out),
            Role::Looking | Role::Stopped => {}
        }
    }

    fn request(&mut self, payload: Payload, now: SimTime, config: &Config, out: &mut Outbox) {
        if self.is_established_leader() {
            out.push(Output::Prepare { payload, from: None });
        } else if let Role::Learning(_) = self.role {
            self.with_learner(now, config, out, |learner, cx| {
                learner.request(payload, cx);
                Flow::Stay
            });
        } else {
            out.push(Output::Reject(payload));
        }
    }

    fn elected(&mut self, outcome: Option<Outcome>, now: SimTime, config: &Config, out: &mut Outbox) {
        let Some(Outcome { leader, why }) = outcome else { return };
        let role = match (leader == self.id, self.members.votes(self.id)) {
            (true, _) => ServerState::Leading,
            (false, true) => ServerState::Following,
            (false, false) => ServerState::Observing,
        };
        out.explain(Fact::Elected { leader, role, round: self.election.round }, why);
        let (mut cx, _, _) = self.split(now, config, out);
        if role == ServerState::Leading {
            let (leader, flow) = Leader::start(&mut cx);
            self.role = Role::Leading(Box::new(leader));
            self.after(flow, now, config, out);
        } else {
            let learner = Learner::start(leader, &mut cx);
            self.role = Role::Learning(Box::new(learner));
        }
    }

    fn after(&mut self, flow: Flow, now: SimTime, config: &Config, out: &mut Outbox) {
        match flow {
            Flow::Stay => {}
            Flow::Settled(epoch) => self.election.settle_epoch(epoch),
            Flow::Leave(reason) => self.leave(reason, now, config, out),
        }
    }

    /// Orderly step-down: everything queued for the log is still written; then memory takes up the own log, because the
    /// next vote speaks for it (ZOOKEEPER-2845). A server that had not begun to serve keeps its memory as it is, unless
    /// half a state is in it.
    fn leave(&mut self, reason: LeaveReason, now: SimTime, config: &Config, out: &mut Outbox) {
        let (was, served) = (self.state(), self.is_serving());
        out.fact(Fact::Left { role: was, reason });
        if served {
            out.push(Output::Serve(false));
        }
        let (mut cx, role, _) = self.split(now, config, out);
        let mut half_received = false;
        match role {
            Role::Leading(leader) => leader.stop(&mut cx),
            Role::Learning(learner) => {
                half_received = matches!(learner.sync, Some(SyncKind::Snap | SyncKind::Trunc));
                learner.stop(&mut cx);
            }
            _ => {}
        }
        self.role = Role::Leaving {
            was,
            fast_forward: served && !config.rules.breaks(BrokenRule::Zookeeper2845),
            reload: half_received && !config.rules.breaks(BrokenRule::Zookeeper3642),
        };
        self.left(now, config, out);
    }

    fn left(&mut self, now: SimTime, config: &Config, out: &mut Outbox) {
        let Role::Leaving { fast_forward, reload, .. } = self.role else { return };
        if !self.storage.is_idle() {
            return;
        }
        if reload {
            out.push(Output::Reload);
            out.explain(Fact::FastForwarded { to: self.storage.last_logged() }, Note::PartialStateDropped);
            return; // goes on in `reloaded`
        }
        if fast_forward && self.storage.fast_forward(config, out) {
            let to = self.storage.last_processed;
            out.explain(Fact::FastForwarded { to }, Note::LoggedStaysInMemory);
        }
        self.look(now, config, out);
    }

    fn with_leader(
        &mut self,
        now: SimTime,
        config: &Config,
        out: &mut Outbox,
        act: impl FnOnce(&mut Leader, &mut Cx) -> Flow,
    ) {
        let (mut cx, role, _) = self.split(now, config, out);
        if let Role::Leading(leader) = role {
            let flow = act(leader, &mut cx);
            self.after(flow, now, config, out);
        }
    }

    fn with_learner(
        &mut self,
        now: SimTime,
        config: &Config,
        out: &mut Outbox,
        act: impl FnOnce(&mut Learner, &mut Cx) -> Flow,
    ) {
        let (mut cx, role, _) = self.split(now, config, out);
        if let Role::Learning(learner) = role {
            let flow = act(learner, &mut cx);
            self.after(flow, now, config, out);
        }
    }

    fn split<'a>(
        &'a mut self,
        now: SimTime,
        config: &'a Config,
        out: &'a mut Outbox,
    ) -> (Cx<'a>, &'a mut Role, &'a mut Election) {
        let cx = Cx {
            me: self.id,
            now,
            config,
            members: &self.members,
            storage: &mut self.storage,
            links: &mut self.links,
            want_snap: &mut self.want_snap,
            out,
        };
        (cx, &mut self.role, &mut self.election)
    }
}
