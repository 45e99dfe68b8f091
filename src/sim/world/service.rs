//! The clients' side of a server in a world: what its service wants done is done.

use crate::base::{ConnId, Node, ServerId, SimTime};
use crate::server::{self, Output, Service};
use crate::sim::agenda::Choice;
use crate::sim::fact::{Fact, WorldFact};
use crate::sim::network::Parcel;
use crate::sim::process::Timer;
use crate::store::Submitted;
use crate::zab::{Input, Message, Packet, Payload};

use super::World;

impl World {
    /// Lets a running server's service handle something; at a crashed one nothing happens.
    pub(super) fn with_service(
        &mut self,
        server: ServerId,
        act: impl FnOnce(&mut Service, server::Cx, &mut server::Outbox),
    ) {
        let (now, settings, mut out) = (self.now, self.settings, Vec::new());
        if let Some(memory) = self.memory(server) {
            // the protocol hands over several transactions at once and is through with all; here they are applied one by one,
            // and what is answered in between must not claim more than the tree holds
            let last_zxid = match memory.peer.storage.last_processed {
                zxid if zxid.is_new_epoch() => zxid,
                _ => memory.tree.last,
            };
            let cx = server::Cx { now, tree: &memory.tree, last_zxid, settings: &settings };
            act(&mut memory.service, cx, &mut out);
        }
        for output in out {
            self.do_for_clients(server, output);
        }
    }

    fn do_for_clients(&mut self, server: ServerId, output: Output) {
        match output {
            Output::Send(conn, packet) => self.send(server.into(), conn, Parcel::ToClient(packet)),
            Output::Close(conn) => self.close(server.into(), conn),
            Output::Submit(submitted) => self.submit(server, submitted),
            Output::ToLeader(packet) => {
                let upstream = self.memory(server).and_then(|memory| memory.peer.upstream());
                if let Some(conn) = upstream {
                    self.send_packet(server, conn, packet);
                }
            }
            Output::ToLearner(conn, packet) => self.send_packet(server, conn, packet),
            Output::SetTimer(timer, at) => self.arm(server, Timer::Service(timer), at),
            Output::CancelTimer(timer) => self.disarm(server, Timer::Service(timer)),
            Output::Answered(write, zxid) => self.fact(WorldFact::WriteAnswered { server, write, zxid }),
            Output::Fact(fact) => self.record(Fact::Server { server, fact }, None),
        }
    }

    pub(super) fn send_packet(&mut self, server: ServerId, conn: ConnId, packet: Packet) {
        self.send(server.into(), conn, Parcel::Zab(Message::Packet(packet)));
    }

    /// Hands a request to the server's protocol machine.
    pub(super) fn submit(&mut self, server: ServerId, submitted: Submitted) {
        let payload = Payload::new(submitted.to_string(), submitted.bytes(), submitted);
        self.input(server, Input::Request(payload));
    }

    /// This server leads: a request becomes a transaction and is proposed.
    pub(super) fn prepare(&mut self, server: ServerId, payload: &Payload, from: Option<ConnId>) {
        let leading = self.memory(server).and_then(|memory| memory.peer.leading());
        let Some((last_proposed, idle)) = leading.map(|leader| (leader.last_proposed, leader.outstanding.is_empty()))
        else {
            return;
        };
        let mut txn = None;
        self.with_service(server, |service, cx, out| {
            txn = service.prepare(payload, from, last_proposed, idle, cx, out);
        });
        let (now, config, mut out) = (self.now, self.config.clone(), self.outbox());
        if let (Some(memory), Some(txn)) = (self.memory(server), txn) {
            memory.peer.propose(now, txn, &config, &mut out);
        }
        self.collect(out);
    }

    pub(super) fn service_timer(&mut self, server: ServerId, timer: server::Timer) {
        self.with_service(server, |service, cx, out| service.timer(timer, cx, out));
    }

    pub(super) fn arm(&mut self, server: ServerId, timer: Timer, at: SimTime) {
        if let Some(process) = self.processes.get_mut(&server) {
            process.timers.insert(timer, at);
            if process.is_running() {
                self.agenda.set(Choice::Timer(server, timer), at.max(self.now));
            }
        }
    }

    pub(super) fn disarm(&mut self, server: ServerId, timer: Timer) {
        if let Some(process) = self.processes.get_mut(&server) {
            process.timers.remove(&timer);
            self.agenda.remove(Choice::Timer(server, timer));
        }
    }

    /// The number of connections of clients at a server.
    pub fn clients_of(&self, server: ServerId) -> usize {
        let is_client = |node: Node| node.client().is_some();
        self.network.conns.values().filter(|ends| ends.acceptor == server.into() && is_client(ends.dialler)).count()
    }
}
