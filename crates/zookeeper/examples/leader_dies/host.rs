//! The least that a host has to do: a clock, a network and disks around machines that do no I/O. A message and a disk write take a
//! millisecond each; nothing is lost but with a server.

use std::collections::BTreeMap;

use zabscope_ground::base::{ConnId, Prng, RuleSet, ServerId, ServerSet, SimTime, Stream};
use zabscope_zookeeper::server::{Config, Env, Files, Input, Outbox, Output, Server, Settings, Timer};
use zabscope_zookeeper::store::Tree;
use zabscope_zookeeper::zab::{self, Members, Port};

/// A server: its memory and its disk, when its timers are due, and whether it accepts learners.
struct Machine {
    server: Server,
    files: Files,
    timers: BTreeMap<Timer, SimTime>,
    accepts: bool,
}

/// Everything between the servers.
pub(crate) struct Host {
    now: SimTime,
    config: Config,
    machines: BTreeMap<ServerId, Machine>,
    /// What will happen, in order; a number keeps apart what happens at once.
    agenda: BTreeMap<(SimTime, u64), (ServerId, Input)>,
    /// Ends of connections that are open, with who has the other end.
    open: BTreeMap<(ServerId, ConnId), ServerId>,
    next_conn: u64,
    next_entry: u64,
}

impl Host {
    /// An ensemble of so many servers, which are just switched on.
    pub(crate) fn new(count: u8) -> Host {
        let config = Config { zab: zab::Config::default(), service: Settings::default(), fresh: Tree::new("") };
        let (now, machines, agenda, open) = (SimTime::ZERO, BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut host = Host { now, config, machines, agenda, open, next_conn: 0, next_entry: 0 };
        let members = Members::new(ServerSet::first(count), ServerSet::EMPTY);
        for id in (1..=count).map(ServerId) {
            let (files, mut out) = (Files::default(), Outbox { items: Vec::new(), next_conn: host.next_conn });
            let env = Env { now, clock_ms: 0, config: &host.config, files: &files };
            let server = Server::boot(id, members.into(), Prng::new(u64::from(id.0), Stream::Server), env, &mut out);
            host.machines.insert(id, Machine { server, files, timers: BTreeMap::new(), accepts: false });
            host.perform(id, out);
        }
        host
    }

    /// The server that leads, once a majority follows it.
    pub(crate) fn leader(&self) -> Option<ServerId> {
        let leads = |(_, machine): &(&ServerId, &Machine)| machine.server.peer.is_established_leader();
        self.machines.iter().find(leads).map(|(id, _)| *id)
    }

    /// Lets everything happen that is due until then.
    pub(crate) fn run_until(&mut self, end: SimTime) {
        while let Some(((at, _), (to, input))) = self.agenda.pop_first() {
            if at > end {
                self.at(at, to, input);
                break;
            }
            self.now = at;
            self.arrive(to, input);
        }
        self.now = end;
    }

    /// A server dies: its memory is gone, and the others find their connections closed.
    pub(crate) fn kill(&mut self, id: ServerId) {
        self.machines.remove(&id);
        let (its, others) = std::mem::take(&mut self.open).into_iter().partition(|((end, _), _)| *end == id);
        self.open = others;
        let its: BTreeMap<(ServerId, ConnId), ServerId> = its;
        its.into_iter().for_each(|((_, conn), other)| self.soon(other, Input::Closed(conn)));
    }

    /// Tells a server something, and does what it wants done.
    pub(crate) fn tell(&mut self, id: ServerId, input: Input) {
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        let Some(machine) = self.machines.get_mut(&id) else { return };
        let clock_ms = self.now.as_ms() as i64;
        let env = Env { now: self.now, clock_ms, config: &self.config, files: &machine.files };
        machine.server.handle(input, env, &mut out);
        self.perform(id, out);
    }

    /// What reaches a server is told to it, unless it has become void on its way.
    fn arrive(&mut self, id: ServerId, input: Input) {
        let tells = match &input {
            Input::Timer(timer) => {
                // one that was moved or disarmed is not due
                let armed = self.machines.get_mut(&id).map(|machine| &mut machine.timers);
                armed.is_some_and(|armed| armed.get(timer) == Some(&self.now) && armed.remove(timer).is_some())
            }
            Input::Accepted { conn, from, port } => {
                let machine = self.machines.get(&id);
                let listens = machine.is_some_and(|machine| *port == Port::Election || machine.accepts);
                if listens {
                    self.open.insert((id, *conn), *from);
                }
                let answer = if listens { Input::Connected(*conn) } else { Input::Refused(*conn) };
                self.soon(*from, answer);
                listens
            }
            Input::Closed(conn) | Input::Refused(conn) => self.open.remove(&(id, *conn)).is_some(),
            Input::Connected(conn) | Input::FromServer(conn, _) => self.open.contains_key(&(id, *conn)),
            _ => true,
        };
        if tells {
            self.tell(id, input);
        }
    }

    fn perform(&mut self, id: ServerId, out: Outbox) {
        self.next_conn = out.next_conn;
        for output in out.items {
            let Some(machine) = self.machines.get_mut(&id) else { return };
            match output {
                Output::ToServer(conn, message) => {
                    if let Some(&to) = self.open.get(&(id, conn)) {
                        self.soon(to, Input::FromServer(conn, message));
                    }
                }
                Output::Dial { conn, to, port } => {
                    self.open.insert((id, conn), to);
                    self.soon(to, Input::Accepted { conn, from: id, port });
                }
                Output::Close(conn) => {
                    if let Some(other) = self.open.remove(&(id, conn)) {
                        self.soon(other, Input::Closed(conn));
                    }
                }
                Output::Listen(on) => machine.accepts = on,
                Output::SetTimer(timer, at) => {
                    machine.timers.insert(timer, at);
                    self.at(at, id, Input::Timer(timer));
                }
                Output::CancelTimer(timer) => drop(machine.timers.remove(&timer)),
                // what is told to be durable has to be: a server promises others what it hears of here
                Output::Persist(job) => {
                    let token = job.token;
                    let written = machine.files.finish(job, RuleSet::default(), self.now);
                    self.soon(id, Input::Persisted(token, written.bytes));
                }
                Output::Exit => self.kill(id),
                Output::Zab(fact, _) => self.say(id, &fact),
                Output::Fact(fact) => self.say(id, &fact),
                Output::State(fact) => self.say(id, &fact),
                Output::ToClient(..) => {}
            }
        }
    }

    fn say(&self, id: ServerId, fact: &dyn std::fmt::Debug) {
        println!("{:>6} ms  {id}  {fact:?}", self.now.as_ms());
    }

    fn soon(&mut self, to: ServerId, input: Input) {
        self.at(SimTime(self.now.0 + 1_000), to, input);
    }

    fn at(&mut self, at: SimTime, to: ServerId, input: Input) {
        self.next_entry += 1;
        self.agenda.insert((at.max(self.now), self.next_entry), (to, input));
    }
}
