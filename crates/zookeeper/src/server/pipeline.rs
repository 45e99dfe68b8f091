//! What happens between a server's protocol machine, its tree and its service for clients: the request processors
//! (`PrepRequestProcessor.java` to `FinalRequestProcessor.java`). All of it happens at once; only what leaves the process
//! comes out.

mod words;

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ConnId, Prng, ServerId, ServiceRule, SessionId, SimTime, Zxid};
use crate::store::{Body, Submitted, Tree};
use crate::wire::{Request, ToServer, check_path};
use crate::zab::{self, Message, Packet, Peer, Proposal, Quorums, SyncKind};

use super::Server;
use super::fact::{RefusalReason, StateFact};
use super::files::{Files, Job};
use super::io::{Config, Env, Input, Outbox, Output, Timer};
use super::service::{self, Service};

/// What is traced by default (`ZooTrace.java`).
const TRACE_MASK: i64 = 306;
/// Of how many transactions one's digest is kept, and how many are (`DataTree.java`).
const DIGEST_INTERVAL: u64 = 128;
const DIGESTS: usize = 1_024;

impl Server {
    /// A process starts with what its disk holds.
    pub fn boot(id: ServerId, members: Quorums, prng: Prng, env: Env, out: &mut Outbox) -> Server {
        let mut first = zab::Outbox { items: Vec::new(), next_conn: out.next_conn };
        let mut lent = zab::Env { now: env.now, config: &env.config.zab, oracle: env.files.oracle, out: &mut first };
        let peer = Peer::boot(id, members, env.files.recovered(env.config.zab.rules), prng, &mut lent);
        let (tree, replays_to) = (env.config.fresh.clone(), Zxid::ZERO);
        let (service, digests, trace_mask) = (Service::new(id), VecDeque::new(), TRACE_MASK);
        let mut server = Server { peer, tree, replays_to, service, digests, asked: 0, trace_mask };
        let mut pipeline = Pipeline::new(&mut server, env, out);
        pipeline.load();
        pipeline.take(first);
        pipeline.run();
        pipeline.look();
        server
    }

    /// Handles one input.
    pub fn handle(&mut self, input: Input, env: Env, out: &mut Outbox) {
        let mut pipeline = Pipeline::new(self, env, out);
        pipeline.handle(input);
        pipeline.look();
    }

    /// The process dies: what that means to its clients and to its files. `torn` is the part of a write under way that
    /// reached the disk.
    pub fn crash(
        mut self,
        torn: Option<(Vec<Proposal>, bool)>,
        now: SimTime,
        config: &Config,
        files: &mut Files,
        out: &mut Outbox,
    ) {
        Pipeline::new(&mut self, Env { now, clock_ms: now.as_ms() as i64, config, files }, out).stop_service();
        let written = torn.and_then(|(batch, rolls)| files.append(batch, rolls, config.zab.rules));
        out.items.extend(written.map(Output::State));
        let lost = self.peer.storage.log_after(files.last_logged());
        if let (Some(&first), Some(&last)) = (lost.first(), lost.last()) {
            out.items.push(Output::State(StateFact::UnsyncedLost { first, last, count: lost.len() }));
        }
    }
}

/// A server that handles an input.
struct Pipeline<'a> {
    server: &'a mut Server,
    env: Env<'a>,
    /// What the protocol machine wants done, in order. What it is told meanwhile adds to it at the end.
    work: VecDeque<zab::Output>,
    out: &'a mut Outbox,
    /// The service is at work; throttled connections that were sent an answer are read when it is through.
    serving: bool,
    answered: Vec<ConnId>,
}

impl<'a> Pipeline<'a> {
    fn new(server: &'a mut Server, env: Env<'a>, out: &'a mut Outbox) -> Pipeline<'a> {
        Pipeline { server, env, work: VecDeque::new(), out, serving: false, answered: Vec::new() }
    }

    fn handle(&mut self, input: Input) {
        match input {
            Input::Timer(Timer::Zab(timer)) => self.tell(zab::Input::Timer(timer)),
            Input::Timer(Timer::Service(timer)) => self.serve(|service, cx, out| service.timer(timer, cx, out)),
            Input::Accepted { conn, from, port } => self.tell(zab::Input::Accepted { conn, from, port }),
            Input::ClientAccepted(conn, client) => {
                self.serve(|service, cx, out| service.accepted(conn, client, cx, out));
            }
            Input::Connected(conn) => self.tell(zab::Input::Connected(conn)),
            Input::Refused(conn) => self.tell(zab::Input::Refused(conn)),
            Input::Closed(conn) if self.server.service.conns.contains_key(&conn) => {
                self.serve(|service, cx, out| service.broke(conn, cx, out));
            }
            Input::Closed(conn) => self.tell(zab::Input::Closed(conn)),
            Input::FromServer(conn, Message::Notification(notification)) => {
                self.tell(zab::Input::Notification(conn, notification));
            }
            Input::FromServer(conn, Message::Packet(packet)) => {
                self.count_packet(conn, &packet);
                self.tell(zab::Input::Packet(conn, packet));
            }
            Input::FromClient(conn, ToServer::Word { text }) => self.word(conn, &text),
            Input::Word(text) => self.word_from_here(text),
            Input::FromClient(conn, packet) => self.serve(|service, cx, out| service.packet(conn, packet, cx, out)),
            Input::Persisted(token, bytes) => self.tell(zab::Input::Persisted(token, bytes)),
            Input::DiskFailed(token) => self.tell(zab::Input::DiskFailed(token)),
            Input::Write(number, data) => self.write(number, &data),
            Input::Expire(session) => self.serve(|service, _, out| service.expire(session, true, out)),
        }
    }

    /// Counts what a learner that serves is sent (`Follower.java`, `Observer.java` `processPacket`).
    fn count_packet(&mut self, conn: ConnId, packet: &Packet) {
        let Server { peer, service, .. } = &mut *self.server;
        if peer.upstream() != Some(conn) {
            return;
        }
        let counters = &mut service.counters;
        match packet {
            Packet::Proposal(_) => counters.learner_proposals += 1,
            Packet::Commit { .. } | Packet::Inform(_) => counters.learner_commits += 1,
            _ => {}
        }
    }

    /// Counts what the protocol machine does, and notes when a role begins.
    fn count_fact(&mut self, fact: &zab::Fact) {
        let leads = self.server.peer.is_established_leader();
        let service = &mut self.server.service;
        match fact {
            zab::Fact::Looking { .. } => service.counters.looking += 1,
            zab::Fact::Elected { .. } | zab::Fact::Standalone { .. } => service.role_since = self.env.now,
            zab::Fact::SyncChosen { sync: SyncKind::Snap, .. } => service.counters.snaps += 1,
            zab::Fact::SyncChosen { .. } => service.counters.diffs += 1,
            zab::Fact::Committed { .. } if leads => service.counters.commits += 1,
            _ => {}
        }
    }

    /// A server that may serve without a leader keeps an eye on how long it has none.
    fn look(&mut self) {
        if self.env.config.service.read_only_mode {
            let looking = matches!(self.server.peer.role, zab::Role::Looking);
            self.serve(|service, cx, out| service.looks(looking, cx, out));
        }
    }

    /// Tells the protocol machine something, and does what it wants done, until nothing is left.
    fn tell(&mut self, input: zab::Input) {
        self.with_peer(|peer, env| peer.handle(input, env));
        self.run();
    }

    fn run(&mut self) {
        while let Some(output) = self.work.pop_front() {
            self.perform(output);
        }
    }

    fn with_peer(&mut self, act: impl FnOnce(&mut Peer, &mut zab::Env)) {
        let mut out = zab::Outbox { items: Vec::new(), next_conn: self.out.next_conn };
        let Env { now, config, files, .. } = self.env;
        let mut env = zab::Env { now, config: &config.zab, oracle: files.oracle, out: &mut out };
        act(&mut self.server.peer, &mut env);
        self.take(out);
    }

    fn take(&mut self, out: zab::Outbox) {
        self.out.next_conn = out.next_conn;
        self.work.extend(out.items);
    }

    fn perform(&mut self, output: zab::Output) {
        match output {
            zab::Output::Send(conn, message) => self.push(Output::ToServer(conn, message)),
            zab::Output::Dial { conn, to, port } => self.push(Output::Dial { conn, to, port }),
            zab::Output::Close(conn) => self.push(Output::Close(conn)),
            zab::Output::Listen(on) => self.push(Output::Listen(on)),
            zab::Output::SetTimer(timer, at) => self.push(Output::SetTimer(Timer::Zab(timer), at)),
            zab::Output::CancelTimer(timer) => self.push(Output::CancelTimer(Timer::Zab(timer))),
            zab::Output::Persist(token, op) => {
                let op = op.with(&self.server.tree);
                self.push(Output::Persist(Job { token, op }));
            }
            zab::Output::Exit => {
                self.work.clear();
                self.push(Output::Exit);
            }
            zab::Output::Fact(fact, why) => {
                self.count_fact(&fact);
                self.push(Output::Zab(fact, why));
            }
            zab::Output::SendSnapshot(conn, zxid) => {
                let state = Box::new(self.server.tree.clone());
                self.send(conn, Packet::Snap { zxid, state });
            }
            zab::Output::Unlogged { first, last, count } => {
                self.state(StateFact::UnsyncedLost { first, last, count });
            }
            zab::Output::Reload => self.reload(),
            zab::Output::Restore(state) => self.restore(state),
            zab::Output::Config(config) => {
                let text = config.to_string();
                let change = self.server.tree.set_config(&text, config.version, self.env.clock_ms);
                if let Some(change) = change {
                    self.serve(|service, cx, out| service.fire(&change, config.version, cx, out));
                }
            }
            zab::Output::Apply(proposal) => self.apply(proposal),
            zab::Output::Prepare { payload, from } => self.prepare(payload, from),
            zab::Output::AnswerPing(conn, zxid) => {
                let told = !self.env.config.service.rules.breaks(ServiceRule::TouchStaysHere);
                let touched = self.server.service.take_touched().filter(|_| told);
                self.send(conn, Packet::Ping { zxid, touched });
            }
            zab::Output::Touched(_, sessions) => self.serve(|service, cx, out| service.touched(&sessions, cx, out)),
            zab::Output::Host { conn, from, packet } => {
                self.serve(|service, cx, out| service.host_packet(conn, from, packet, cx, out));
            }
            zab::Output::Reject(payload) => self.reject(&payload),
            zab::Output::Serve(on) => self.set_serving(on),
        }
    }

    fn push(&mut self, output: Output) {
        self.out.items.push(output);
    }

    fn state(&mut self, fact: StateFact) {
        self.push(Output::State(fact));
    }

    fn send(&mut self, conn: ConnId, packet: Packet) {
        self.push(Output::ToServer(conn, Message::Packet(packet)));
    }

    fn reload(&mut self) {
        self.load();
        let disk = self.env.files.recovered(self.env.config.zab.rules);
        self.with_peer(|peer, env| peer.reloaded(disk, env));
    }

    /// The state in the newest snapshot; without one the state before the first transaction.
    fn newest(&self) -> Tree {
        self.env.files.newest().map_or(&self.env.config.fresh, |snapshot| &snapshot.state).clone()
    }

    /// Loads the newest snapshot. The log is replayed from its name on; what it repeats is in the snapshot already.
    fn load(&mut self) {
        let tree = self.newest();
        let last = tree.last;
        self.restore(tree);
        self.server.replays_to = last;
    }

    fn restore(&mut self, tree: Tree) {
        self.server.replays_to = Zxid::ZERO;
        self.state(StateFact::Restored { last_txn: tree.last, state: tree.digest() });
        self.server.tree = tree.loaded();
        self.server.digests.clear();
    }

    fn apply(&mut self, Proposal { zxid, payload }: Proposal) {
        let mut txn = payload.txn.clone();
        if self.env.config.service.rules.breaks(ServiceRule::EachItsOwnClock) {
            Rc::make_mut(&mut txn).time = self.env.clock_ms;
        }
        let effect = self.server.tree.apply(zxid, &txn);
        if zxid <= self.server.replays_to {
            return;
        }
        let state = self.server.tree.digest();
        self.note_digest(zxid, state);
        self.state(StateFact::Applied { zxid, payload, state });
        self.serve(|service, cx, out| service.applied(zxid, &txn, effect, cx, out));
    }

    /// Every so often the digest of the tree is kept, for whoever asks (`DataTree.java` `logZxidDigest`).
    fn note_digest(&mut self, zxid: Zxid, digest: u64) {
        if !zxid.0.is_multiple_of(DIGEST_INTERVAL) {
            return;
        }
        let digests = &mut self.server.digests;
        digests.push_back((zxid, digest as i64));
        if digests.len() > DIGESTS {
            digests.pop_front();
        }
    }

    /// This server leads: a request becomes a transaction and is proposed.
    fn prepare(&mut self, asked: Rc<Submitted>, from: Option<ConnId>) {
        let Some((last_proposed, idle)) = self.server.peer.orders() else { return };
        let next = match &asked.body {
            Body::Client(request @ Request::Reconfig { .. }) => {
                let next = self.server.peer.reconfigured(request, last_proposed.next(), &self.env.config.zab);
                Some(next.map(|next| next.to_string().into()))
            }
            _ => None,
        };
        let at = service::Place { last_proposed, idle, next };
        let mut txn = None;
        self.serve(|service, cx, out| txn = service.prepare(asked, from, at, cx, out));
        if let Some(txn) = txn {
            let payload = zab::Payload::from(txn);
            if self.server.peer.is_established_leader() {
                let service = &mut self.server.service;
                service.statistics.proposed(payload.bytes);
                service.counters.proposals += 1;
            }
            self.with_peer(|peer, env| peer.propose(payload, env));
        }
    }

    /// A request that no leader will see. A client's connection has ended by then; only a plain write is told.
    fn reject(&mut self, asked: &Submitted) {
        let write = u64::from(asked.cxid as u32);
        if asked.session == SessionId::NONE && self.server.service.forget_write(write) {
            self.state(StateFact::WriteFailed(write, RefusalReason::NotServing));
        }
    }

    fn write(&mut self, number: u64, data: &str) {
        self.server.service.expect_write(number);
        let (path, data) = place_of(data);
        let body = Body::Put { path: path.into(), data: data.into() };
        let (session, cxid, who) = (SessionId::NONE, number as i32, Rc::from([]));
        self.submit(Submitted { session, cxid, who, from: self.server.peer.id, body });
    }

    /// Hands a request to the protocol machine.
    fn submit(&mut self, submitted: Submitted) {
        self.tell(zab::Input::Request(Rc::new(submitted)));
    }

    fn set_serving(&mut self, on: bool) {
        self.state(StateFact::Serving(on));
        if on {
            let leads = self.server.peer.orders().is_some();
            self.serve(|service, cx, out| service.start(leads, cx, out));
        } else {
            self.stop_service();
        }
    }

    /// Clients whose writes are not answered lose their connection: nobody can tell them what became of the writes.
    fn stop_service(&mut self) {
        let mut unanswered = Default::default();
        self.serve(|service, cx, out| unanswered = service.stop(cx, out));
        for write in unanswered {
            self.state(StateFact::WriteFailed(write, RefusalReason::ConnectionLoss));
        }
    }

    /// Lets the service handle something, and does what it wants done.
    fn serve(&mut self, act: impl FnOnce(&mut Service, service::Cx, &mut service::Outbox)) {
        let outer = !std::mem::replace(&mut self.serving, true);
        self.serve_once(act);
        if outer {
            while let Some(conn) = self.answered.pop() {
                self.serve_once(|service, cx, out| service.read_on(conn, cx, out));
            }
            self.serving = false;
        }
    }

    /// Lets it handle something, and remembers the throttled connections that are sent an answer.
    fn serve_once(&mut self, act: impl FnOnce(&mut Service, service::Cx, &mut service::Outbox)) {
        let Server { peer, tree, service, .. } = &mut *self.server;
        // the protocol hands over several transactions at once and is through with all; here they are applied one by one,
        // and what is answered in between must not claim more than the tree holds
        let last_zxid = match peer.storage.last_processed {
            zxid if zxid.is_new_epoch() => zxid,
            _ => tree.last,
        };
        let mut out = Vec::new();
        let cx = service::Cx {
            now: self.env.now,
            clock_ms: self.env.clock_ms,
            tree,
            last_zxid,
            settings: &self.env.config.service,
        };
        act(service, cx, &mut out);
        for output in out {
            if let service::Output::Send(conn, _) = &output
                && self.server.service.conns.get(conn).is_some_and(|of| of.throttled)
                && !self.answered.contains(conn)
            {
                self.answered.push(*conn);
            }
            self.do_for_clients(output);
        }
    }

    fn do_for_clients(&mut self, output: service::Output) {
        match output {
            service::Output::Send(conn, packet) => {
                let Server { tree, service, .. } = &mut *self.server;
                service.sent(conn, &packet, tree.last, self.env.now);
                self.push(Output::ToClient(conn, packet));
            }
            service::Output::Close(conn) => self.push(Output::Close(conn)),
            service::Output::Submit(submitted) => self.submit(submitted),
            service::Output::ToLeader(packet) => {
                if let Some(conn) = self.server.peer.upstream() {
                    self.send(conn, packet);
                }
            }
            service::Output::ToLearner(conn, packet) => self.send(conn, packet),
            service::Output::SetTimer(timer, at) => self.push(Output::SetTimer(Timer::Service(timer), at)),
            service::Output::CancelTimer(timer) => self.push(Output::CancelTimer(Timer::Service(timer))),
            service::Output::Answered(write, zxid) => self.state(StateFact::WriteAnswered(write, zxid)),
            service::Output::Fact(fact) => self.push(Output::Fact(fact)),
        }
    }
}

/// Where a plain write goes: `x=1` sets `/x` to `1`; a text without a name goes to `/data`.
fn place_of(data: &str) -> (String, &str) {
    let named = data.split_once('=').map(|(name, value)| (format!("/{name}"), value));
    named
        .filter(|(path, _)| path.rfind('/') == Some(0) && check_path(path, false).is_ok() && path.len() > 1)
        .filter(|(path, _)| path != "/zookeeper")
        .unwrap_or(("/data".to_string(), data))
}
