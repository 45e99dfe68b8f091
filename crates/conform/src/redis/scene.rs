//! The simulated servers while a recording is played: time, what was stated, what each client was told.

use std::collections::{BTreeMap, VecDeque};

use crate::base::{ServerId, SimTime};
use crate::rivals::redis::{Fact, Reply};
use crate::sim::{self, Action, Run, World};

use super::compare::Got;

/// After a step so long passes until all that follows from it has happened, µs: links take 0.1 ms there and back. The recorder took
/// about as long for a step; ranges of times were widened around that.
const SETTLE_US: u64 = 45_000;
/// So long an answer may take, µs: a script, a WAIT.
const PATIENCE_US: u64 = 30_000_000;
/// A redis-cli that connects knows within so long whether anybody listens, µs.
const CONNECT_US: u64 = 50_000;

/// A client of a recording.
#[derive(Clone, Debug, Default)]
pub(super) struct Client {
    /// It holds its connection for open.
    pub connected: bool,
    /// The other end has closed it, and the client has not looked.
    pub ended: bool,
    /// Nobody listened.
    pub refused: bool,
    /// It waits for an answer.
    pub waiting: bool,
    /// Answers that it has not looked at, with their order among those of all clients.
    pub told: VecDeque<(usize, Got)>,
    /// Messages of channels.
    pub messages: Vec<Reply>,
}

/// The world, and what came of it so far.
pub(super) struct Scene {
    pub world: World,
    /// Everything that was stated, with its time and machine.
    pub facts: Vec<(SimTime, ServerId, Fact)>,
    pub clients: BTreeMap<ServerId, Client>,
    heard: usize,
}

impl Scene {
    pub(super) fn new(run: Run) -> Scene {
        Scene { world: World::new(run), facts: Vec::new(), clients: BTreeMap::new(), heard: 0 }
    }

    /// Lets time pass.
    pub(super) fn pass(&mut self, us: u64) {
        let until = self.world.now.plus(us);
        while self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.world.now = self.world.now.max(until);
    }

    /// Lets everything come to rest.
    pub(super) fn settle(&mut self) {
        self.pass(SETTLE_US);
    }

    fn step(&mut self) {
        let Some(records) = self.world.step() else { return };
        let facts: Vec<(SimTime, ServerId, Fact)> = (records.iter())
            .filter_map(|record| match &record.fact {
                sim::Fact::Other { server, fact } => Some((record.at_us, *server, fact.value::<Fact>()?.clone())),
                _ => None,
            })
            .collect();
        for (at, machine, fact) in facts {
            self.hear(machine, &fact);
            self.facts.push((at, machine, fact));
        }
    }

    /// What a client's redis-cli has noticed.
    fn hear(&mut self, machine: ServerId, fact: &Fact) {
        let Some(client) = self.clients.get_mut(&machine) else { return };
        match fact {
            Fact::Connected { .. } => client.connected = true,
            Fact::Refused { .. } => client.refused = true,
            Fact::Closed { .. } => {
                client.ended = true;
                if std::mem::take(&mut client.waiting) {
                    client.told.push_back((self.heard, Got::Closed));
                    (client.connected, client.ended) = (false, false);
                    self.heard += 1;
                }
            }
            Fact::Answered { reply, .. } => {
                client.waiting = false;
                client.told.push_back((self.heard, Got::Reply(reply.clone())));
                self.heard += 1;
            }
            Fact::Heard { message } => client.messages.push(Reply::texts(message)),
            _ => {}
        }
    }

    /// Does something now; what follows from it has not happened yet.
    pub(super) fn act(&mut self, action: Action) {
        self.world.append(self.world.now, action);
        // actions come last in their microsecond
        self.pass(0);
    }

    /// Types a line at a machine.
    pub(super) fn write(&mut self, machine: ServerId, line: &str) {
        self.act(Action::Write { server: machine, data: line.into(), count: 1, every_us: 0 });
    }

    /// Types a line at a server or Sentinel itself; the answer.
    pub(super) fn ask(&mut self, machine: ServerId, line: &str) -> Result<Reply, String> {
        let before = self.facts.len();
        self.write(machine, line);
        self.pass(200);
        let answer = self.facts.iter().skip(before).find_map(|(_, from, fact)| match fact {
            Fact::Operated { reply, .. } if *from == machine => Some(reply.clone()),
            _ => None,
        });
        answer.ok_or_else(|| format!("{machine} does not answer {line}"))
    }

    /// A field of INFO.
    pub(super) fn info(&mut self, machine: ServerId, field: &str) -> Result<Option<String>, String> {
        let reply = self.ask(machine, "INFO")?;
        let text = reply.as_text().unwrap_or_default();
        let value = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        Ok(value.map(String::from))
    }

    pub(super) fn client(&mut self, id: ServerId) -> &mut Client {
        self.clients.entry(id).or_default()
    }

    /// A client sends a command, and waits until it is told something or the time is over.
    pub(super) fn send(&mut self, id: ServerId, line: &str, timeout_us: Option<u64>) -> Got {
        let client = self.client(id);
        if !client.connected {
            return Got::NotConnected;
        }
        if client.ended {
            (client.connected, client.ended) = (false, false);
            return Got::Closed;
        }
        client.waiting = true;
        self.write(id, line);
        let until = self.world.now.plus(timeout_us.unwrap_or(PATIENCE_US));
        while self.client(id).told.is_empty() && self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        match self.client(id).told.pop_front() {
            Some((_, got)) => got,
            None => {
                self.world.now = self.world.now.max(until);
                if timeout_us.is_some() { Got::Timeout } else { Got::Nothing }
            }
        }
    }

    /// A client connects; whether somebody listened.
    pub(super) fn connect(&mut self, id: ServerId, server: ServerId) -> bool {
        *self.client(id) = Client::default();
        self.write(id, &format!("connect {server} 6379"));
        let until = self.world.now.plus(CONNECT_US);
        let undecided = |client: &Client| !client.connected && !client.refused;
        while undecided(self.client(id)) && self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        let client = self.client(id);
        // a server that stands still does not refuse: its system takes the connection
        client.connected = !client.refused;
        client.connected
    }

    /// A client closes its connection.
    pub(super) fn hang_up(&mut self, id: ServerId) {
        self.write(id, "quit");
        *self.client(id) = Client::default();
    }
}
