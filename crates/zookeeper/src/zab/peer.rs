//! One server's protocol machine: it dispatches inputs to the role it has, and moves between roles
//! (`QuorumPeer.java`).

mod cx;
mod disk;
mod rows;
mod standing;

use std::rc::Rc;

use crate::base::{ConnId, Epoch, Prng, ServerId, SimTime, Way};
use crate::store::Submitted;

use super::alone::Alone;
use super::config::Config;
use super::election::{Election, Outcome};
use super::fact::{Fact, LeaveReason, Note, SyncKind};
use super::io::{Input, Outbox, Output, Port, Recovered, Timer};
use super::leader::Leader;
use super::learner::Learner;
use super::links::Links;
use super::members::Quorums;
use super::message::{Notification, Packet, Payload};
use super::rules::BrokenRule;
use super::storage::Storage;
use super::vote::ServerState;

pub(in crate::zab) use cx::Cx;
use cx::own_vote;

/// What a peer is lent while it handles an input.
pub struct Env<'a> {
    /// The moment.
    pub now: SimTime,
    /// The settings.
    pub config: &'a Config,
    /// What the file at `oraclePath` says: whether this server may go on alone; none where there is no oracle.
    pub oracle: Option<bool>,
    /// Where to put what is to be done.
    pub out: &'a mut Outbox,
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
#[derive(Clone, Debug, Hash)]
pub enum Role {
    /// It looks for a leader.
    Looking,
    /// It leads.
    Leading(Box<Leader>),
    /// It follows or observes.
    Learning(Box<Learner>),
    /// It serves alone.
    Alone(Alone),
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
#[derive(Clone, Debug, Hash)]
pub struct Peer {
    /// Its id.
    pub id: ServerId,
    /// Who belongs to the ensemble, as far as it knows.
    pub members: Quorums,
    /// What it does.
    pub role: Role,
    /// What it remembers of elections.
    pub election: Election,
    /// Its database.
    pub storage: Storage,
    links: Links,
    want_snap: bool,
    suggested: Option<ServerId>,
    /// Whether its oracle may decide (`needOracle`).
    need_oracle: bool,
}

impl Peer {
    /// Starts a server with what its disk holds. The host has loaded the newest snapshot into the replicated state.
    /// `members` is what its configuration files say.
    pub fn boot(id: ServerId, members: Quorums, disk: Recovered, prng: Prng, env: &mut Env) -> Peer {
        let alone = env.config.standalone && members.now.is_only(id);
        let fault = disk.fault(id, &members.now, env.config);
        let mut storage = Storage::new(env.config, prng);
        if fault.is_none() {
            storage.load(disk, env.config, env.out);
        }
        let own = own_vote(id, &storage);
        let mut peer = Peer {
            id,
            members,
            role: Role::Looking,
            election: Election::new(own),
            storage,
            links: Links::new(id),
            want_snap: false,
            suggested: None,
            need_oracle: true,
        };
        if let Some(fault) = fault {
            env.out.fact(Fact::CannotStart { fault });
            return peer.stopped(env);
        }
        if env.config.purge_interval > 0 {
            peer.purge(env);
        }
        if alone {
            let (mut cx, _, _) = peer.split(env);
            peer.role = Role::Alone(Alone::start(&mut cx));
            return peer;
        }
        let (last_zxid, current_epoch) = (own.zxid, peer.storage.current_epoch);
        let accepted_epoch = peer.storage.accepted_epoch.max(last_zxid.epoch());
        let recovered = |current_epoch| Fact::Recovered { last_zxid, current_epoch, accepted_epoch };
        if last_zxid.epoch() > current_epoch {
            if env.config.rules.breaks(BrokenRule::Zookeeper1653) {
                env.out.fact(Fact::RefusedToStart { last_zxid, current_epoch });
                return peer.stopped(env);
            }
            env.out.explain(recovered(last_zxid.epoch()), Note::EpochAdoptedFromLog);
            peer.storage.accepted_epoch = accepted_epoch;
            peer.storage.current_epoch = last_zxid.epoch();
        } else {
            env.out.fact(recovered(current_epoch));
        }
        peer.tell_config(env);
        peer.look(env);
        peer
    }

    /// Handles one input.
    pub fn handle(&mut self, input: Input, env: &mut Env) {
        if matches!(self.role, Role::Stopped) {
            return;
        }
        match input {
            Input::Timer(timer) => self.timer(timer, env),
            Input::Accepted { conn, from, port } => self.accepted(conn, from, port, env),
            Input::Connected(conn) => {
                if !self.links.connected(conn, env.out) {
                    self.with_learner(env, |learner, cx| {
                        learner.connected(conn, cx);
                        Flow::Stay
                    });
                }
            }
            Input::Refused(conn) => {
                if !self.links.refused(conn, env.out) {
                    self.with_learner(env, |learner, cx| learner.refused(conn, cx));
                }
            }
            Input::Closed(conn) => self.closed(conn, env),
            Input::Notification(conn, theirs) => self.notification(conn, theirs, env),
            Input::Packet(conn, packet) => self.packet(conn, packet, env),
            Input::Persisted(token, bytes) => self.persisted(token, bytes, env),
            Input::DiskFailed(token) => self.disk_failed(token, env),
            Input::Request(payload) => self.request(payload, env),
        }
    }

    /// A transaction of this leader's host; lost where the server does not lead any more.
    pub fn propose(&mut self, payload: Payload, env: &mut Env) {
        let (mut cx, role, _) = self.split(env);
        match role {
            Role::Alone(alone) => alone.propose(payload, &mut cx),
            _ => self.with_leader(env, |leader, cx| leader.propose(payload, cx)),
        }
    }

    /// The host did [`Output::Reload`]: the replicated state is the newest snapshot's, and this is on disk.
    pub fn reloaded(&mut self, disk: Recovered, env: &mut Env) {
        self.storage.load(disk, env.config, env.out);
        match &self.role {
            Role::Learning(learner) if learner.truncating() => self.with_learner(env, Learner::reloaded),
            _ => self.look(env),
        }
    }

    fn look(&mut self, env: &mut Env) {
        self.role = Role::Looking;
        self.suggested = None;
        self.storage.broken = false;
        let (mut cx, _, election) = self.split(env);
        election.start(&mut cx);
    }

    fn timer(&mut self, timer: Timer, env: &mut Env) {
        match timer {
            Timer::ElectionPoll | Timer::Finalize => {
                if !matches!(self.role, Role::Looking) {
                    return;
                }
                let (mut cx, _, election) = self.split(env);
                let outcome = match timer {
                    Timer::Finalize => election.finalized(&mut cx),
                    _ => election.poll_timeout(&mut cx),
                };
                self.elected(outcome, env);
            }
            Timer::Purge => self.purge(env),
            Timer::DialTimeout(to) => self.links.dial_timeout(to, env.out),
            _ => match &self.role {
                Role::Leading(_) => {
                    self.with_leader(env, |leader, cx| leader.timer(timer, cx));
                }
                _ => self.with_learner(env, |learner, cx| learner.timer(timer, cx)),
            },
        }
    }

    fn accepted(&mut self, conn: ConnId, from: ServerId, port: Port, env: &mut Env) {
        match (port, &self.role) {
            (Port::Election, _) => self.links.accepted(conn, from, env.now, env.out),
            (Port::Quorum, Role::Leading(_)) => {
                self.with_leader(env, |leader, cx| {
                    leader.accepted(conn, from, cx);
                    Flow::Stay
                });
            }
            (Port::Quorum, _) => env.out.push(Output::Close(conn)),
        }
    }

    fn closed(&mut self, conn: ConnId, env: &mut Env) {
        if self.links.closed(conn, env.out) {
            return;
        }
        match &self.role {
            Role::Leading(_) => self.with_leader(env, |leader, cx| {
                leader.closed(conn, cx);
                Flow::Stay
            }),
            _ => self.with_learner(env, |learner, _| learner.closed(conn)),
        }
    }

    fn notification(&mut self, conn: ConnId, theirs: Notification, env: &mut Env) {
        let Some(from) = self.links.peer_of(conn) else { return };
        let state = self.state();
        let looking = matches!(self.role, Role::Looking);
        if looking && self.adopts_config(&theirs, env) {
            return self.look(env);
        }
        let (mut cx, _, election) = self.split(env);
        if looking && cx.members.votes(from) {
            let outcome = election.receive(from, theirs, &mut cx);
            self.elected(outcome, env);
        } else {
            election.answer(from, &theirs, state, &mut cx);
        }
    }

    fn packet(&mut self, conn: ConnId, packet: Packet, env: &mut Env) {
        match &self.role {
            Role::Leading(_) => self.with_leader(env, |leader, cx| leader.packet(conn, packet, cx)),
            _ => self.with_learner(env, |learner, cx| learner.packet(conn, packet, cx)),
        }
    }

    fn request(&mut self, payload: Rc<Submitted>, env: &mut Env) {
        if self.orders().is_some() {
            env.out.push(Output::Prepare { payload, from: None });
        } else if let Role::Learning(_) = self.role {
            self.with_learner(env, |learner, cx| {
                learner.request(payload, cx);
                Flow::Stay
            });
        } else {
            env.out.push(Output::Reject(payload));
        }
    }

    fn elected(&mut self, outcome: Option<Outcome>, env: &mut Env) {
        let Some(Outcome { leader, why }) = outcome else { return };
        let role = match (leader == self.id, self.members.now.observers.contains(self.id)) {
            (true, _) => ServerState::Leading,
            (false, false) => ServerState::Following,
            (false, true) => ServerState::Observing,
        };
        env.out.explain(Fact::Elected { leader, role, round: self.election.round }, why);
        let (mut cx, _, _) = self.split(env);
        if role == ServerState::Leading {
            let (leader, flow) = Leader::start(&mut cx);
            self.role = Role::Leading(Box::new(leader));
            self.after(flow, env);
        } else {
            let learner = Learner::start(leader, &mut cx);
            self.role = Role::Learning(Box::new(learner));
        }
    }

    fn after(&mut self, flow: Flow, env: &mut Env) {
        match flow {
            Flow::Stay => {}
            Flow::Settled(epoch) => self.election.settle_epoch(epoch),
            Flow::Leave(reason) => self.leave(reason, env),
        }
    }

    /// Orderly step-down: everything queued for the log is still written; then memory takes up the own log, because the
    /// next vote speaks for it (ZOOKEEPER-2845). A server that had not begun to serve keeps its memory as it is, unless
    /// half a state is in it.
    fn leave(&mut self, reason: LeaveReason, env: &mut Env) {
        let (was, served) = (self.state(), self.is_serving());
        env.out.fact(Fact::Left { role: was, reason });
        if served {
            env.out.push(Output::Serve(false));
        }
        let (mut cx, role, _) = self.split(env);
        let mut received = None;
        match role {
            Role::Leading(leader) => leader.stop(&mut cx),
            Role::Learning(learner) => {
                received = learner.sync;
                learner.stop(&mut cx);
            }
            _ => {}
        }
        if reason.exits() || was == ServerState::Standalone {
            env.out.push(Output::Exit);
            self.role = Role::Stopped;
            return;
        }
        let rules = env.config.rules;
        let reload = match received {
            Some(SyncKind::Snap) => !rules.breaks(BrokenRule::Zookeeper3642),
            Some(SyncKind::Trunc) => {
                !rules.breaks(BrokenRule::Zookeeper3642) && !rules.breaks(BrokenRule::Zookeeper5094)
            }
            _ => false,
        };
        self.role = Role::Leaving { was, fast_forward: served && !rules.breaks(BrokenRule::Zookeeper2845), reload };
        self.left(env);
    }

    fn left(&mut self, env: &mut Env) {
        let Role::Leaving { was, fast_forward, reload } = self.role else { return };
        let hasty = was != ServerState::Leading && env.config.rules.breaks(BrokenRule::Zookeeper4712);
        if (!hasty && !self.storage.is_idle()) || self.cuts_uncommitted(env) {
            return;
        }
        if self.storage.broken {
            self.storage.drop_queue(env.out);
        }
        let ahead = self.storage.broken && !env.config.rules.breaks(Way::AheadOfLog);
        if reload || ahead {
            env.out.push(Output::Reload);
            let why = if reload { Note::PartialStateDropped } else { Note::UnloggedDropped };
            env.out.explain(Fact::FastForwarded { to: self.storage.last_logged() }, why);
            return; // goes on in `reloaded`
        }
        if fast_forward && self.storage.fast_forward(env.config, env.out) {
            let to = self.storage.last_processed;
            env.out.explain(Fact::FastForwarded { to }, Note::LoggedStaysInMemory);
        }
        match self.suggested.take() {
            None => self.look(env),
            Some(leader) => {
                self.election.settle_on(leader, self.storage.last_processed);
                self.elected(Some(Outcome { leader, why: Note::SuggestedByReconfig }), env);
            }
        }
    }

    fn with_leader(&mut self, env: &mut Env, act: impl FnOnce(&mut Leader, &mut Cx) -> Flow) {
        let before = self.members.now;
        let (mut cx, role, election) = self.split(env);
        if let Role::Leading(leader) = role {
            let flow = act(leader, &mut cx);
            election.restart(&before, &cx.members.now);
            self.after(flow, env);
        }
    }

    fn with_learner(&mut self, env: &mut Env, act: impl FnOnce(&mut Learner, &mut Cx) -> Flow) {
        let before = self.members.now;
        let (mut cx, role, election) = self.split(env);
        if let Role::Learning(learner) = role {
            let flow = act(learner, &mut cx);
            election.restart(&before, &cx.members.now);
            self.after(flow, env);
        }
    }

    pub(in crate::zab) fn split<'a>(&'a mut self, env: &'a mut Env) -> (Cx<'a>, &'a mut Role, &'a mut Election) {
        let cx = Cx {
            me: self.id,
            now: env.now,
            config: env.config,
            members: &mut self.members,
            suggested: &mut self.suggested,
            oracle: env.oracle,
            need_oracle: &mut self.need_oracle,
            storage: &mut self.storage,
            links: &mut self.links,
            want_snap: &mut self.want_snap,
            out: env.out,
        };
        (cx, &mut self.role, &mut self.election)
    }
}
