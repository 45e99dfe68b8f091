//! A server's part of a world: it is told something, and what it wants done is done.

use crate::base::{ServerId, SimTime};
use crate::server::{Entry, Ledger, Server};
use crate::sim::agenda::Choice;
use crate::sim::disk::{Job, Snapshot};
use crate::sim::fact::{Fact, Hex, RefusalReason, WorldFact};
use crate::sim::process::Status;
use crate::zab::{BrokenRule, DiskOp, Input, Message, Outbox, Output, Packet, Payload, Proposal, Timer};

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

    fn collect(&mut self, out: Outbox) {
        self.next_conn = out.next_conn;
        self.work.extend(out.items);
    }

    fn perform(&mut self, server: ServerId, output: Output) {
        match output {
            Output::Send(conn, message) => self.send(server, conn, message),
            Output::SendSnapshot(conn, zxid) => {
                let Some(image) = self.memory(server).map(|memory| memory.ledger.image()) else { return };
                self.send(server, conn, Message::Packet(Packet::Snap { zxid, image }));
            }
            Output::Dial { conn, to, port } => self.dial(conn, server, to, port),
            Output::Close(conn) => self.close(server, conn),
            Output::Listen(on) => {
                if let Some(process) = self.processes.get_mut(&server) {
                    process.listening = on;
                }
            }
            Output::SetTimer(timer, at) => self.arm(server, timer, at),
            Output::CancelTimer(timer) => self.disarm(server, timer),
            Output::Persist(token, op) => self.persist(server, token, op),
            Output::Reload => self.reload(server),
            Output::Restore(image) => self.restore(server, Ledger::from_image(&image)),
            Output::Apply(proposal) => self.apply_txn(server, &proposal),
            Output::Prepare(payload) => {
                let (now, config, mut out) = (self.now, self.config.clone(), self.outbox());
                if let Some(memory) = self.memory(server) {
                    memory.peer.propose(now, payload, &config, &mut out);
                }
                self.collect(out);
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

    fn arm(&mut self, server: ServerId, timer: Timer, at: SimTime) {
        if let Some(process) = self.processes.get_mut(&server) {
            process.timers.insert(timer, at);
            if process.is_running() {
                self.agenda.set(Choice::Timer(server, timer), at.max(self.now));
            }
        }
    }

    fn disarm(&mut self, server: ServerId, timer: Timer) {
        if let Some(process) = self.processes.get_mut(&server) {
            process.timers.remove(&timer);
            self.agenda.remove(Choice::Timer(server, timer));
        }
    }

    fn persist(&mut self, server: ServerId, token: u64, op: DiskOp) {
        let Some(process) = self.processes.get_mut(&server) else { return };
        let ledger = process.server.as_ref().map(|memory| &memory.ledger);
        let state = match (&op, ledger) {
            (DiskOp::Snapshot(zxid) | DiskOp::InstallSnapshot(zxid), Some(ledger)) => {
                Some(Snapshot { zxid: *zxid, last_txn: ledger.last, image: ledger.image() })
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

    fn start_job(&mut self, server: ServerId, background: bool) {
        if let Some(process) = self.processes.get(&server) {
            let time = process.disk.draw_time(&mut self.disk_prng);
            self.agenda.set(Choice::Disk { server, background }, self.now.plus(time));
        }
    }

    pub(super) fn disk_done(&mut self, server: ServerId, background: bool) {
        let keep_newer = self.config.rules.breaks(BrokenRule::Zookeeper4837);
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
        let paused = process.status == Status::Paused;
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

    fn reload(&mut self, server: ServerId) {
        let Some(process) = self.processes.get(&server) else { return };
        let ledger = process.disk.newest().map(|snapshot| Ledger::from_image(&snapshot.image)).unwrap_or_default();
        let disk = process.disk.recovered();
        self.restore(server, ledger);
        let (now, config, mut out) = (self.now, self.config.clone(), self.outbox());
        if let Some(memory) = self.memory(server) {
            memory.peer.reloaded(now, disk, &config, &mut out);
        }
        self.collect(out);
    }

    pub(super) fn restore(&mut self, server: ServerId, ledger: Ledger) {
        self.fact(WorldFact::Restored { server, last_txn: ledger.last, state: Hex(ledger.state) });
        if let Some(memory) = self.memory(server) {
            memory.ledger = ledger;
        }
    }

    fn apply_txn(&mut self, server: ServerId, proposal: &Proposal) {
        let Some(memory) = self.memory(server) else { return };
        memory.ledger.apply(proposal);
        let state = Hex(memory.ledger.state);
        let write = Entry::parse(&proposal.payload)
            .filter(|entry| entry.origin == server)
            .map(|entry| entry.number)
            .filter(|number| memory.waiting.remove(number));
        let (zxid, payload) = (proposal.zxid, proposal.payload.clone());
        self.fact(WorldFact::Applied { server, zxid, payload, state });
        if let Some(write) = write {
            self.fact(WorldFact::WriteAnswered { server, write, zxid });
        }
    }

    fn reject(&mut self, server: ServerId, payload: &Payload) {
        if let Some(entry) = Entry::parse(payload) {
            let write = entry.number;
            if let Some(memory) = self.memory(server) {
                memory.waiting.remove(&write);
            }
            self.fact(WorldFact::WriteFailed { server, write, reason: RefusalReason::NotServing });
        }
    }

    fn serve(&mut self, server: ServerId, on: bool) {
        self.fact(WorldFact::Serving { server, on });
        if !on {
            self.fail_waiting(server);
        }
    }

    /// Clients whose writes are not answered lose their connection: nobody can tell them what became of the writes.
    pub(super) fn fail_waiting(&mut self, server: ServerId) {
        let waiting = self.memory(server).map(|memory| std::mem::take(&mut memory.waiting)).unwrap_or_default();
        for write in waiting {
            self.fact(WorldFact::WriteFailed { server, write, reason: RefusalReason::ConnectionLoss });
        }
    }
}
