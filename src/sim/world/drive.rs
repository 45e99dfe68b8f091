//! A server's part of a world: it is told something, and what it wants done is done.

use crate::base::{ServerId, SessionId};
use crate::server::Server;
use crate::sim::agenda::Choice;
use crate::sim::disk::{DiskRule, Job, Snapshot};
use crate::sim::fact::{Fact, Hex, WorldFact};
use crate::sim::network::Parcel;
use crate::sim::process::Timer;
use crate::sim::reasons::RefusalReason;
use crate::store::{Op, Submitted, Tree, Txn};
use crate::wire::Code;
use crate::zab::{DiskOp, Image, Input, Outbox, Output, Packet, Payload, Proposal};

use super::World;

impl World {
    /// Tells a running server something; a crashed one hears nothing.
    pub(super) fn input(&mut self, server: ServerId, input: Input) {
        let (now, config, mut out) = (self.now, self.config.clone(), self.outbox());
        if let Some(memory) = self.memory(server) {
            memory.peer.handle(now, input, &config, &mut out);
        }
        self.carry_out(server, out);
    }

    pub(super) fn memory(&mut self, server: ServerId) -> Option<&mut Server> {
        self.processes.get_mut(&server)?.server.as_deref_mut()
    }

    /// Does what a server wants done, in order, until nothing is left.
    pub(super) fn carry_out(&mut self, server: ServerId, out: Outbox) {
        self.collect(out);
        while let Some(output) = self.work.pop_front() {
            self.perform(server, output);
        }
    }

    pub(super) fn collect(&mut self, out: Outbox) {
        self.next_conn = out.next_conn;
        self.work.extend(out.items);
    }

    fn perform(&mut self, server: ServerId, output: Output) {
        match output {
            Output::Send(conn, message) => self.send(server.into(), conn, Parcel::Zab(message)),
            Output::SendSnapshot(conn, zxid) => {
                let Some(image) = self.memory(server).map(|memory| image_of(&memory.tree)) else { return };
                self.send_packet(server, conn, Packet::Snap { zxid, image });
            }
            Output::Dial { conn, to, port } => self.dial(conn, server.into(), to.into(), port.into()),
            Output::Close(conn) => self.close(server.into(), conn),
            Output::Listen(on) => {
                if let Some(process) = self.processes.get_mut(&server) {
                    process.listening = on;
                }
            }
            Output::SetTimer(timer, at) => self.arm(server, Timer::Zab(timer), at),
            Output::CancelTimer(timer) => self.disarm(server, Timer::Zab(timer)),
            Output::Persist(token, op) => self.persist(server, token, op),
            Output::Reload => self.reload(server),
            Output::Restore(image) => self.restore(server, self.tree_of(Some(&image))),
            Output::Apply(proposal) => self.apply_txn(server, &proposal),
            Output::Prepare { payload, from } => self.prepare(server, &payload, from),
            Output::AnswerPing(conn, zxid) => {
                let touched = self.memory(server).and_then(|memory| memory.service.take_touched());
                self.send_packet(server, conn, Packet::Ping { zxid, touched });
            }
            Output::Touched(_, payload) => {
                self.with_service(server, |service, cx, out| service.touched(&payload, cx, out));
            }
            Output::Host { conn, from, packet } => {
                self.with_service(server, |service, cx, out| service.host_packet(conn, from, packet, cx, out));
            }
            Output::Reject(payload) => self.reject(server, &payload),
            Output::Serve(on) => self.serve(server, on),
            Output::Exit => {
                self.fact(WorldFact::Exited { server });
                self.work.clear();
                self.kill(server);
            }
            Output::Fact(fact, why) => self.record(Fact::Zab { server, fact }, why),
        }
    }

    #[inline(never)]
    fn persist(&mut self, server: ServerId, token: u64, op: DiskOp) {
        let Some(process) = self.processes.get_mut(&server) else { return };
        let tree = process.server.as_ref().map(|memory| &memory.tree);
        let state = match (&op, tree) {
            (DiskOp::Snapshot(zxid) | DiskOp::InstallSnapshot(zxid), Some(tree)) => {
                Some(Snapshot { zxid: *zxid, last_txn: tree.last, image: image_of(tree) })
            }
            _ => None,
        };
        let background = matches!(op, DiskOp::Snapshot(_));
        let job = Job { token, op, state };
        if background {
            process.disk.background = Some(job);
        } else {
            process.disk.jobs.push_back(job);
            if process.disk.jobs.len() > 1 {
                return;
            }
        }
        self.start_job(server, background);
    }

    #[inline(never)]
    fn start_job(&mut self, server: ServerId, background: bool) {
        if let Some(process) = self.processes.get(&server) {
            let time = process.disk.draw_time(&mut self.disk_prng);
            self.agenda.set(Choice::Disk { server, background }, self.now.plus(time));
        }
    }

    #[inline(never)]
    pub(super) fn disk_done(&mut self, server: ServerId, background: bool) {
        let keep_newer = self.config.rules.breaks(DiskRule::Zookeeper4837);
        let Some(process) = self.processes.get_mut(&server) else { return };
        let job = match background {
            true => process.disk.background.take(),
            false => process.disk.jobs.pop_front(),
        };
        let Some(job) = job else { return };
        let token = job.token;
        let (bytes, fact) = process.disk.finish(server, job, keep_newer);
        let more = !background && !process.disk.jobs.is_empty();
        if process.disk.background.is_none() {
            self.agenda.remove(Choice::Disk { server, background: true });
        }
        let paused = process.is_paused();
        if paused {
            process.held.push_back(Input::Persisted(token, bytes));
        }
        if let Some(fact) = fact {
            self.fact(fact);
        }
        if more {
            self.start_job(server, false);
        }
        if !paused {
            self.input(server, Input::Persisted(token, bytes));
        }
    }

    #[inline(never)]
    fn reload(&mut self, server: ServerId) {
        let Some(process) = self.processes.get(&server) else { return };
        let tree = self.tree_of(process.disk.newest().map(|snapshot| &snapshot.image));
        let disk = process.disk.recovered();
        self.restore(server, tree);
        let (now, config, mut out) = (self.now, self.config.clone(), self.outbox());
        if let Some(memory) = self.memory(server) {
            memory.peer.reloaded(now, disk, &config, &mut out);
        }
        self.collect(out);
    }

    /// The state in an image; without one the state before the first transaction.
    #[inline(never)]
    pub(super) fn tree_of(&self, image: Option<&Image>) -> Tree {
        image.and_then(|image| image.state::<Tree>()).unwrap_or(&self.fresh).clone()
    }

    #[inline(never)]
    pub(super) fn restore(&mut self, server: ServerId, tree: Tree) {
        self.fact(WorldFact::Restored { server, last_txn: tree.last, state: Hex(tree.digest()) });
        if let Some(memory) = self.memory(server) {
            memory.tree = tree;
        }
    }

    #[inline(never)]
    fn apply_txn(&mut self, server: ServerId, proposal: &Proposal) {
        let unreadable = Txn { session: SessionId::NONE, cxid: -1, time: 0, op: Op::Error(Code::SystemError) };
        let zxid = proposal.zxid;
        let txn = proposal.payload.body().unwrap_or(&unreadable);
        let Some(memory) = self.memory(server) else { return };
        let effect = memory.tree.apply(zxid, txn);
        let state = Hex(memory.tree.digest());
        self.fact(WorldFact::Applied { server, zxid, payload: proposal.payload.clone(), state });
        self.with_service(server, |service, cx, out| service.applied(zxid, txn, effect, cx, out));
    }

    /// A request that no leader will see. A client's connection has ended by then; only a plain write is told.
    #[inline(never)]
    fn reject(&mut self, server: ServerId, payload: &Payload) {
        let number = payload.body().filter(|asked: &&Submitted| asked.session == SessionId::NONE);
        let write = number.map(|asked| u64::from(asked.cxid as u32));
        let waited = |write: &u64| self.memory(server).is_some_and(|memory| memory.service.forget_write(*write));
        if let Some(write) = write.filter(waited) {
            self.fact(WorldFact::WriteFailed { server, write, reason: RefusalReason::NotServing });
        }
    }

    #[inline(never)]
    fn serve(&mut self, server: ServerId, on: bool) {
        self.fact(WorldFact::Serving { server, on });
        if on {
            let leads = self.memory(server).is_some_and(|memory| memory.peer.is_established_leader());
            self.with_service(server, |service, cx, out| service.start(leads, cx, out));
        } else {
            self.stop_service(server);
        }
    }

    /// Clients whose writes are not answered lose their connection: nobody can tell them what became of the writes.
    #[inline(never)]
    pub(super) fn stop_service(&mut self, server: ServerId) {
        let mut unanswered = Default::default();
        self.with_service(server, |service, _, out| unanswered = service.stop(out));
        for write in unanswered {
            self.fact(WorldFact::WriteFailed { server, write, reason: RefusalReason::ConnectionLoss });
        }
    }
}

#[inline(never)]
fn image_of(tree: &Tree) -> Image {
    Image::new(tree.bytes(), tree.digest(), tree.clone())
}
