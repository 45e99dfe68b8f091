//! A client, which coordinates its own reads and writes: one after the other.

use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, SortedMap};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};
use crate::lines::{Lines, Script};

use super::command::Command;
use super::fact::Fact;
use super::links::{Links, REDIAL};
use super::message::{Held, Message, Stamp};
use super::operation::{Operation, Round};
use super::setup::{Repair, Rules, Stamps};

/// What a client is set up with.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The replicas.
    pub homes: Vec<ServerId>,
    /// Who may stand in.
    pub spares: Vec<ServerId>,
    /// How it reads and writes.
    pub rules: Rules,
    /// How long it waits, µs.
    pub timeout: Micros,
    /// Its program.
    pub script: Script<Command>,
}

/// A client's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Dials again.
    Redial,
    /// It has waited long enough.
    Timeout,
    /// Spares stand in for who has not answered.
    StandIn,
    /// It has slept.
    Awake,
}

/// A client.
#[derive(Clone, Debug)]
pub struct Client {
    links: Links,
    operation: Option<Operation>,
    /// What it has done last: whether it was a write, the key, the value.
    done: Option<(bool, Rc<str>, Held)>,
    asleep: bool,
    lines: Lines<Command>,
    ops: u64,
    numbers: u64,
    /// When it started, and the greatest counter that it has used.
    life: u64,
    counter: i64,
}

impl Daemon for Client {
    const KIND: &'static str = "Register client";
    type Config = ClientConfig;
    type Message = Message;
    type Timer = Timer;
    type Job = ();
    type Files = ();
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Client {
        cx.fact(Fact::ClientStarted {});
        let mut client = Client {
            links: Links::default(),
            operation: None,
            done: None,
            asleep: false,
            lines: Lines::default(),
            ops: 0,
            numbers: 0,
            life: cx.env.now.0,
            counter: i64::MIN,
        };
        client.redial(cx);
        client.go_on(cx);
        client
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(Timer::Redial) => self.redial(cx),
            Told::Timer(Timer::Timeout) => self.fail(cx),
            Told::Timer(Timer::StandIn) => self.stand_in(cx),
            Told::Timer(Timer::Awake) => self.asleep = false,
            Told::Connected(conn) => {
                if let Some(node) = self.links.connected(conn) {
                    self.send_round(Some(node), cx);
                }
            }
            Told::Refused(conn) | Told::Closed(conn) => self.links.closed(conn),
            Told::Message(conn, Message::Holds { number, held }) => self.answered(conn, number, held, cx),
            Told::Message(conn, Message::Stored { number }) => self.answered(conn, number, Held::default(), cx),
            Told::Write(_, line) => match Command::parse(&line).map(|command| self.lines.take(command)) {
                Ok(true) => {}
                refused => cx.fact(Fact::NotTaken { line, full: refused.is_ok() }),
            },
            Told::Message(..) | Told::Accepted(..) | Told::Persisted(()) => {}
        }
        self.go_on(cx);
    }

    fn write((): &mut (), (): &()) -> Option<Fact> {
        None
    }

    fn badge(client: Option<&Client>, (): &(), _: &Env) -> Badge {
        let does = client.and_then(|client| client.operation.as_ref());
        let line = |operation: &Operation| BadgeLine {
            label: operation.command.to_string(),
            value: format!("{} / {}", operation.answers.len(), operation.wanted),
            tone: Tone::Waiting,
            left: None,
        };
        let done = |(written, key, held): &(bool, Rc<str>, Held)| BadgeLine {
            label: format!("{} {key}", if *written { "write" } else { "read" }),
            value: held.to_string(),
            ..BadgeLine::default()
        };
        let did = client.and_then(|client| client.done.as_ref());
        Badge { lines: did.map(done).into_iter().chain(does.map(line)).collect(), ..Badge::default() }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.some("does", self.operation.as_ref().map(|operation| &operation.command as &dyn std::fmt::Display));
        if let Some(operation) = &self.operation {
            rows.put("answers", &format!("{} / {}", operation.answers.len(), operation.wanted));
            rows.list("answered", |rows| {
                for (node, held) in &operation.answers {
                    rows.item(node, node, held.to_string(), None);
                }
            });
        }
        self.lines.rows(rows);
    }

    fn file_rows((): &(), _: &mut Rows) {}
}

impl Client {
    fn redial(&mut self, cx: &mut Cx<Self>) {
        cx.set_timer(Timer::Redial, cx.env.now.plus(REDIAL));
        let nodes: Vec<ServerId> = cx.config.homes.iter().chain(&cx.config.spares).copied().collect();
        self.links.dial(nodes.into_iter(), cx);
    }

    /// Does lines until one takes time.
    fn go_on(&mut self, cx: &mut Cx<Self>) {
        while self.operation.is_none() && !self.asleep {
            let Some(command) = self.lines.pop(&cx.config.script) else { return };
            match command {
                Command::Sleep(ms) => {
                    self.asleep = ms > 0;
                    cx.set_timer(Timer::Awake, cx.env.now.plus(ms * 1000));
                }
                Command::Write(..) | Command::Read(_) => self.begin(command, cx),
            }
        }
    }

    fn begin(&mut self, command: Command, cx: &mut Cx<Self>) {
        self.ops += 1;
        let op = self.ops;
        let key = match &command {
            Command::Write(key, value) => {
                cx.fact(Fact::WriteBegan { op, key: key.clone(), value: value.clone() });
                key.clone()
            }
            Command::Read(key) => {
                cx.fact(Fact::ReadBegan { op, key: key.clone() });
                key.clone()
            }
            Command::Sleep(_) => return,
        };
        let by_clock = matches!(command, Command::Write(..)) && cx.config.rules.stamps == Stamps::Clock;
        self.operation = Some(Operation {
            op,
            command,
            key,
            round: Round::Query,
            number: 0,
            asked: Vec::new(),
            answers: SortedMap::new(),
            wanted: 0,
            spares: SortedMap::new(),
            stored: false,
        });
        cx.set_timer(Timer::Timeout, cx.env.now.plus(cx.config.timeout));
        match by_clock {
            true => self.stamp(Stamp::default(), cx),
            false => self.ask(Round::Query, cx.config.homes.clone(), cx.config.rules.r.into(), cx),
        }
    }

    /// Begins a round.
    fn ask(&mut self, round: Round, asked: Vec<ServerId>, wanted: usize, cx: &mut Cx<Self>) {
        let Some(operation) = &mut self.operation else { return };
        self.numbers += 1;
        operation.stored |= matches!(round, Round::Store(_));
        (operation.round, operation.number) = (round, self.numbers);
        (operation.asked, operation.wanted) = (asked, wanted);
        operation.answers.clear();
        operation.spares.clear();
        if cx.config.rules.stand_in_ms > 0 {
            cx.set_timer(Timer::StandIn, cx.env.now.plus(cx.config.rules.stand_in_ms * 1000));
        }
        self.send_round(None, cx);
    }

    /// Sends this round's message, to one or to all that are asked and have not answered. Replicas are asked again on a new
    /// connection.
    fn send_round(&mut self, only: Option<ServerId>, cx: &mut Cx<Self>) {
        let Some(operation) = &self.operation else { return };
        let homes = operation.asked.iter().filter(|_| only.is_none());
        for node in homes.chain(only.iter()) {
            if let Some((conn, message)) = self.links.to(*node).zip(operation.message_to(*node)) {
                cx.send(conn, message);
            }
        }
    }

    /// The next spare stands in for each replica that has not answered.
    fn stand_in(&mut self, cx: &mut Cx<Self>) {
        let Some(operation) = &mut self.operation else { return };
        let missing = operation.asked.iter().filter(|home| !operation.answers.contains_key(home)).copied();
        let new: Vec<(ServerId, ServerId)> = cx.config.spares.iter().copied().zip(missing).collect();
        for (spare, owner) in new {
            operation.spares.insert(spare, owner);
            cx.fact(Fact::StandsIn { op: operation.op, spare, owner });
            if let Some((conn, message)) = self.links.to(spare).zip(operation.message_to(spare)) {
                cx.send(conn, message);
            }
        }
    }

    fn answered(&mut self, conn: ConnId, number: u64, held: Held, cx: &mut Cx<Self>) {
        let Some((node, operation)) = self.links.of(conn).zip(self.operation.as_mut()) else { return };
        if !operation.answered(node, number, held) || !operation.is_enough() {
            return;
        }
        match (&operation.command, &operation.round) {
            (Command::Write(..), Round::Query) => {
                let newest = operation.newest().stamp;
                self.stamp(newest, cx);
            }
            (Command::Write(key, value), Round::Store(held)) => {
                let (op, stamp, acks) = (operation.op, held.stamp, operation.answers.len());
                self.done = Some((true, key.clone(), held.clone()));
                cx.fact(Fact::WriteDone { op, key: key.clone(), value: value.clone(), stamp, acks });
                self.end(cx);
            }
            (_, Round::Query) => self.found(cx),
            (_, Round::Store(held)) => {
                let held = held.clone();
                self.return_value(held, cx);
            }
        }
    }

    /// A write gets its timestamp.
    fn stamp(&mut self, newest: Stamp, cx: &mut Cx<Self>) {
        let counter = match cx.config.rules.stamps {
            Stamps::Asked => newest.counter.max(self.counter).saturating_add(1).max(1),
            // two writes in one millisecond differ by their number
            Stamps::Clock => cx.env.clock_ms.saturating_mul(1_000).saturating_add((self.ops % 1_000) as i64),
        };
        self.counter = counter;
        let stamp = Stamp { counter, writer: cx.env.me.0, life: self.life };
        let Some(Operation { op, command: Command::Write(key, value), .. }) = &self.operation else { return };
        cx.fact(Fact::WriteStamped { op: *op, key: key.clone(), value: value.clone(), stamp });
        let held = Held { value: Some(value.clone()), stamp };
        self.ask(Round::Store(held), cx.config.homes.clone(), cx.config.rules.w.into(), cx);
    }

    /// A read has enough answers.
    fn found(&mut self, cx: &mut Cx<Self>) {
        let Some(operation) = &self.operation else { return };
        let (op, key, held) = (operation.op, operation.key.clone(), operation.newest());
        let behind = operation.behind(&held);
        if behind.is_empty() {
            return self.return_value(held, cx);
        }
        cx.fact(Fact::Differ { op, key: key.clone(), newest: held.clone(), behind: behind.clone() });
        let rules = cx.config.rules;
        if rules.write_back {
            cx.fact(Fact::WriteBack { op, key, held: held.clone() });
            return self.ask(Round::Store(held), cx.config.homes.clone(), rules.w.into(), cx);
        }
        if rules.repair != Repair::None {
            cx.fact(Fact::Repairs { op, key: key.clone(), held: held.clone(), to: behind.clone() });
        }
        match rules.repair {
            Repair::None => self.return_value(held, cx),
            Repair::Before => {
                let wanted = behind.len();
                self.ask(Round::Store(held), behind, wanted, cx);
            }
            Repair::After => {
                for conn in behind.into_iter().filter_map(|node| self.links.to(node)) {
                    // nobody waits for the acknowledgement
                    cx.send(conn, Message::Store { number: 0, key: key.clone(), held: held.clone(), owner: None });
                }
                self.return_value(held, cx);
            }
        }
    }

    fn return_value(&mut self, held: Held, cx: &mut Cx<Self>) {
        if let Some(operation) = &self.operation {
            self.done = Some((false, operation.key.clone(), held.clone()));
            cx.fact(Fact::ReadDone { op: operation.op, key: operation.key.clone(), held });
        }
        self.end(cx);
    }

    fn fail(&mut self, cx: &mut Cx<Self>) {
        if let Some(operation) = &self.operation {
            cx.fact(Fact::Failed {
                op: operation.op,
                line: operation.command.to_string(),
                answers: operation.answers.len(),
                wanted: operation.wanted,
                may_take_effect: operation.stored && matches!(operation.command, Command::Write(..)),
            });
        }
        self.end(cx);
    }

    fn end(&mut self, cx: &mut Cx<Self>) {
        self.operation = None;
        cx.cancel_timer(Timer::Timeout);
        cx.cancel_timer(Timer::StandIn);
    }
}
