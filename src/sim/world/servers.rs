//! Servers in a world: they are told something, and what they want done is done.

use crate::base::{Node, Prng, ServerId, SimTime, Stream};
use crate::server::{DiskRule, Env, Input, Job, Outbox, Output, Server, Timer};
use crate::sim::agenda::Choice;
use crate::sim::fact::{Fact, WorldFact};
use crate::sim::network::Parcel;
use crate::sim::process::Status;
use crate::zab::DiskOp;

use super::World;

impl World {
    /// Tells a running server something; a crashed one hears nothing.
    pub(super) fn input(&mut self, server: ServerId, input: Input) {
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        let Some(process) = self.processes.get_mut(&server) else { return };
        let Some(memory) = process.server.as_deref_mut() else { return };
        let env = Env { now: self.now, config: &self.config, files: &process.disk.files };
        memory.handle(input, env, &mut out);
        self.carry_out(server, out);
    }

    /// Does what a server wants done, in order.
    fn carry_out(&mut self, server: ServerId, out: Outbox) {
        self.next_conn = out.next_conn;
        for output in out.items {
            self.perform(server, output);
        }
    }

    fn perform(&mut self, server: ServerId, output: Output) {
        match output {
            Output::ToServer(conn, message) => self.send(server.into(), conn, Parcel::Zab(message)),
            Output::ToClient(conn, packet) => self.send(server.into(), conn, Parcel::ToClient(packet)),
            Output::Dial { conn, to, port } => self.dial(conn, server.into(), to.into(), port.into()),
            Output::Close(conn) => self.close(server.into(), conn),
            Output::Listen(on) => {
                if let Some(process) = self.processes.get_mut(&server) {
                    process.listening = on;
                }
            }
            Output::SetTimer(timer, at) => self.arm(server, timer, at),
            Output::CancelTimer(timer) => self.disarm(server, timer),
            Output::Persist(job) => self.persist(server, job),
            Output::Exit => {
                self.fact(WorldFact::Exited { server });
                self.kill(server);
            }
            Output::Zab(fact, why) => self.record(Fact::Zab { server, fact }, why),
            Output::Fact(fact) => self.record(Fact::Server { server, fact }, None),
            Output::State(fact) => self.fact(WorldFact::of_server(server, fact)),
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

    fn persist(&mut self, server: ServerId, job: Job) {
        let Some(process) = self.processes.get_mut(&server) else { return };
        let background = job.is_background();
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
        let keep_newer = self.config.zab.rules.breaks(DiskRule::Zookeeper4837);
        let Some(process) = self.processes.get_mut(&server) else { return };
        let job = match background {
            true => process.disk.background.take(),
            false => process.disk.jobs.pop_front(),
        };
        let Some(job) = job else { return };
        let token = job.token;
        let written = process.disk.files.finish(job, keep_newer);
        if written.ends_background {
            process.disk.background = None;
        }
        let more = !background && !process.disk.jobs.is_empty();
        if process.disk.background.is_none() {
            self.agenda.remove(Choice::Disk { server, background: true });
        }
        let paused = process.is_paused();
        let done = Input::Persisted(token, written.bytes);
        if paused {
            process.held.push_back(done.clone());
        }
        if let Some(fact) = written.fact {
            self.fact(WorldFact::of_server(server, fact));
        }
        if more {
            self.start_job(server, false);
        }
        if !paused {
            self.input(server, done);
        }
    }

    pub(super) fn start(&mut self, server: ServerId) {
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        let Some(process) = self.processes.get_mut(&server) else { return };
        process.status = Status::Running;
        process.incarnation += 1;
        let (members, incarnation) = (self.members, process.incarnation);
        let own_seed = self.run.seed ^ (u64::from(server.0) << 32) ^ u64::from(incarnation);
        let env = Env { now: self.now, config: &self.config, files: &process.disk.files };
        let memory = Server::boot(server, members, Prng::new(own_seed, Stream::Server), env, &mut out);
        process.server = Some(Box::new(memory));
        self.fact(WorldFact::Started { server, incarnation, observer: !members.votes(server) });
        self.carry_out(server, out);
        // packets and requests to connect that wait at the machine's door
        self.enable_all(|_, to| to == Node::Server(server));
    }

    /// Takes a process's memory away. What was not synced is gone, but for a drawn part of the write under way where the
    /// setup says so.
    pub(super) fn kill(&mut self, server: ServerId) {
        for background in [false, true] {
            self.agenda.remove(Choice::Disk { server, background });
        }
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        if let Some(process) = self.processes.get_mut(&server) {
            process.disk.background = None;
            let under_way = std::mem::take(&mut process.disk.jobs).into_iter().next();
            let mut torn = None;
            if let (true, Some(DiskOp::Append(mut batch))) =
                (self.run.setup.crash_keeps_prefix, under_way.map(|job| job.op))
            {
                batch.truncate(self.disk_prng.below(batch.len() as u32 + 1) as usize);
                torn = Some(batch);
            }
            if let Some(memory) = process.server.take() {
                memory.crash(torn, self.now, &self.config, &mut process.disk.files, &mut out);
            }
        }
        self.carry_out(server, out);
        self.reset_connections(server.into());
        if let Some(process) = self.processes.get_mut(&server) {
            process.status = Status::Crashed;
            process.listening = false;
            process.held.clear();
            for timer in std::mem::take(&mut process.timers).into_keys() {
                self.agenda.remove(Choice::Timer(server, timer));
            }
        }
    }

    /// The number of connections of clients at a server.
    pub fn clients_of(&self, server: ServerId) -> usize {
        let is_client = |node: Node| node.client().is_some();
        self.network.conns.values().filter(|ends| ends.acceptor == server.into() && is_client(ends.dialler)).count()
    }
}
