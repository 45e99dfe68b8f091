//! Machines in a world: they are started, told something, paused and crashed, and what they want done is done. Nothing here
//! knows what kind of machine it is.

use crate::base::{Draw, Node, Prng, ServerId, SimTime, Stream};
use crate::daemon::Env;
use crate::server;
use crate::sim::agenda::Choice;
use crate::sim::disk::{Disk, Job};
use crate::sim::fact::{Fact, WorldFact};
use crate::sim::host::{Host, Input, Outbox, Output, Timer, Written};
use crate::sim::hosts::Machine;
use crate::sim::process::Process;
use crate::sim::reasons::{Death, Status};
use crate::zab;

use super::World;

impl World {
    /// Puts a machine into the world, with an empty disk; it is off until [`World::schedule_start`].
    pub fn add_machine(&mut self, id: ServerId, machine: Machine) {
        let setup = &self.run.setup;
        let ahead = usize::from(id.0).checked_sub(1).and_then(|place| setup.clock_ahead_ms.get(place));
        let mut process = Process::new(id, machine, Disk::new(setup.disk_sync));
        process.clock_ahead_ms = ahead.copied().unwrap_or(0);
        self.processes.insert(id, process);
    }

    /// Lets a machine do something, and does what it wants done.
    fn with_host(&mut self, id: ServerId, act: impl FnOnce(&mut dyn Host, &Env, &mut Outbox)) {
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        let Some(process) = self.processes.get_mut(&id) else { return };
        let env = process.env(self.now);
        act(process.machine.host_mut(), &env, &mut out);
        self.next_conn = out.next_conn;
        for output in out.items {
            self.perform(id, output);
        }
    }

    /// Tells a machine something; a crashed one hears nothing.
    pub(super) fn input(&mut self, id: ServerId, input: Input) {
        if self.processes.get(&id).is_some_and(|process| process.status != Status::Crashed) {
            self.with_host(id, |host, env, out| host.handle(input, env, out));
        }
    }

    fn perform(&mut self, id: ServerId, output: Output) {
        match output {
            Output::Send(conn, message) => self.send(id.into(), conn, message),
            Output::Dial { conn, to, port } => self.dial(conn, id.into(), to, port),
            Output::Close(conn) => self.close(id.into(), conn),
            Output::Listen(port, on) => {
                if let Some(process) = self.processes.get_mut(&id) {
                    match on {
                        true => process.listening.insert(port),
                        false => process.listening.remove(&port),
                    };
                }
            }
            Output::SetTimer(timer, at) => self.arm(id, timer, at),
            Output::CancelTimer(timer) => self.disarm(id, timer),
            Output::Persist { token, kind, background } => self.persist(id, Job { token, kind }, background),
            Output::Exit => {
                self.fact(WorldFact::Exited { server: id });
                self.kill(id, None);
            }
            Output::Fact(fact, why) => self.record(fact, why),
        }
    }

    fn arm(&mut self, id: ServerId, timer: Timer, at: SimTime) {
        if let Some(process) = self.processes.get_mut(&id) {
            process.timers.insert(timer, at);
            if process.is_running() {
                self.agenda.set(Choice::Timer(id, timer), at.max(self.now));
            }
        }
    }

    /// Until when a server's timer waits that is a read of a connection on which bytes move.
    pub(super) fn bytes_move(&self, id: ServerId, timer: Timer) -> Option<SimTime> {
        match timer {
            Timer::Server(server::Timer::Zab(zab::Timer::ReadTimeout(conn))) if self.run.setup.bandwidth > 0 => {
                self.network.bytes_move(id, conn, self.now, self.config.zab.init_time())
            }
            _ => None,
        }
    }

    fn disarm(&mut self, id: ServerId, timer: Timer) {
        if let Some(process) = self.processes.get_mut(&id) {
            process.timers.remove(&timer);
            self.agenda.remove(Choice::Timer(id, timer));
        }
    }

    fn persist(&mut self, id: ServerId, job: Job, background: bool) {
        let Some(process) = self.processes.get_mut(&id) else { return };
        let queue = process.disk.queue(background);
        queue.push_back(job);
        if queue.len() == 1 {
            self.start_job(id, background);
        }
    }

    fn start_job(&mut self, id: ServerId, background: bool) {
        let (seed, bandwidth) = (self.run.seed, self.run.setup.disk_bandwidth);
        let Some(process) = self.processes.get_mut(&id) else { return };
        let Some((time, late)) = process.disk.begin(seed, id, background) else { return };
        let token = process.disk.queue(background).front().filter(|_| bandwidth > 0).map(|job| job.token);
        let bytes = token.map_or(0, |token| process.machine.host().bytes(token));
        let writing = (bytes * 1000).checked_div(bandwidth).unwrap_or(0);
        self.agenda.set(Choice::Disk { server: id, background }, self.now.plus(time + writing));
        if let Some((what, us)) = late {
            self.fact(WorldFact::DiskDelayed { server: id, what, us });
        }
    }

    pub(super) fn disk_done(&mut self, id: ServerId, background: bool) {
        let Some(process) = self.processes.get_mut(&id) else { return };
        let Some((token, failed)) = process.disk.ends(background) else { return };
        let (env, host) = (process.env(self.now), process.machine.host_mut());
        let (written, done) = match failed {
            Some(what) => {
                host.fail(token);
                let fact = WorldFact::DiskFailed { server: id, what, fault: process.disk.fault };
                (Written { fact: Some(Fact::World(fact)), ..Written::default() }, Input::DiskFailed(token))
            }
            None => {
                let written = host.persist(token, &env);
                let bytes = written.bytes;
                (written, Input::Persisted(token, bytes))
            }
        };
        if written.ends_background {
            process.disk.background.clear();
            self.agenda.remove(Choice::Disk { server: id, background: true });
        }
        let more = !process.disk.queue(background).is_empty();
        let paused = process.is_paused();
        if paused {
            process.held.push_back(done.clone());
        }
        if let Some(fact) = written.fact {
            self.record(fact, None);
        }
        if more {
            self.start_job(id, background);
        }
        if !paused {
            self.input(id, done);
        }
    }

    pub(super) fn start(&mut self, id: ServerId) {
        let Some(process) = self.processes.get_mut(&id) else { return };
        process.status = Status::Running;
        process.incarnation += 1;
        let (incarnation, observer) = (process.incarnation, self.members.observers.contains(id));
        let own_seed = self.run.seed ^ (u64::from(id.0) << 32) ^ u64::from(incarnation);
        self.fact(WorldFact::Started { server: id, incarnation, observer });
        self.with_host(id, |host, env, out| host.start(Prng::new(own_seed, Stream::Server), env, out));
        if self.network.off.remove(id) {
            self.knock_again(id.into());
        }
        // packets and requests to connect that wait at the machine's door
        self.enable_all(|_, to| to == Node::Server(id));
    }

    /// Takes a process's memory away. What was not synced is gone, but for the write under way: all of it where the process
    /// was killed, or ended itself, and its system lives on, otherwise a drawn part where the setup says so.
    pub(super) fn kill(&mut self, id: ServerId, how: Option<Death>) {
        let system_lives = matches!(how, None | Some(Death::Kill));
        for background in [false, true] {
            self.agenda.remove(Choice::Disk { server: id, background });
        }
        let mut torn = None;
        if let Some(process) = self.processes.get_mut(&id) {
            process.disk.background.clear();
            let under_way = std::mem::take(&mut process.disk.jobs).pop_front();
            let some_stays = system_lives || self.run.setup.crash_keeps_prefix;
            if let Some(Job { token, .. }) = under_way.filter(|_| some_stays) {
                let draw = Draw::new(self.run.seed, Stream::Disk).number(id.0.into()).text("crash");
                let draw = draw.number(process.incarnation.into());
                let parts = process.machine.host().parts(token);
                let kept = |all: u32| if system_lives { all } else { draw.between(0, all.into()) as u32 };
                torn = parts.map(|parts| (token, kept(parts)));
            }
        }
        // first of all: nothing that the dying process would say gets out any more
        if how == Some(Death::PowerOff) {
            self.silence(id);
            self.with_host(id, |host, env, out| host.lose_power(env, out));
        }
        if how == Some(Death::Crash) {
            self.with_host(id, |host, _, _| host.lose_unsynced());
        }
        self.with_host(id, |host, env, out| host.crash(torn, env, out));
        if how != Some(Death::PowerOff) {
            self.reset_connections(id.into());
        }
        if let Some(process) = self.processes.get_mut(&id) {
            (process.status, process.death) = (Status::Crashed, how);
            process.listening.clear();
            process.held.clear();
            for timer in std::mem::take(&mut process.timers).into_keys() {
                self.agenda.remove(Choice::Timer(id, timer));
            }
        }
    }

    pub(super) fn pause(&mut self, id: ServerId) {
        let Some(process) = self.processes.get_mut(&id) else { return };
        process.status = Status::Paused;
        for &timer in process.timers.keys() {
            self.agenda.remove(Choice::Timer(id, timer));
        }
        self.enable_all(|_, to| to == Node::Server(id));
        self.fact(WorldFact::Paused { server: id });
    }

    /// A paused process goes on: first it reads what waits, then its timers come, late.
    pub(super) fn resume(&mut self, id: ServerId) {
        let Some(process) = self.processes.get_mut(&id) else { return };
        process.status = Status::Running;
        let held = std::mem::take(&mut process.held);
        self.fact(WorldFact::Resumed { server: id });
        for input in held {
            self.input(id, input);
        }
        self.enable_all(|_, to| to == Node::Server(id));
        let timers = self.processes.get(&id).map(|process| process.timers.clone()).unwrap_or_default();
        for (timer, at) in timers {
            self.agenda.set(Choice::Timer(id, timer), at.max(self.now));
        }
    }

    /// The number of connections of clients at a server.
    pub fn clients_of(&self, server: ServerId) -> usize {
        let is_client = |node: Node| node.client().is_some();
        self.network.conns.values().filter(|ends| ends.acceptor == server.into() && is_client(ends.dialler)).count()
    }
}
