//! A client: does the lines of its program, and what is typed at it, one after the other.
//!
//! It goes where it is sent (paper §8), asks a read again elsewhere where a connection ends, and a write never: nobody knows whether
//! that was done.

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, ServerSet, SimTime};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};
use crate::lines::{Lines, Script};

use super::command::{Ask, Command};
use super::fact::Fact;
use super::message::{Answer, Message};

/// How long it waits before it tries again, µs.
const PAUSE: Micros = 100_000;

/// What a client is set up with.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// All servers.
    pub servers: ServerSet,
    /// To which it speaks first.
    pub first: ServerId,
    /// How long it waits for an answer, µs.
    pub timeout: Micros,
    /// Its program.
    pub script: Script<Command>,
}

/// A client's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// It has waited long enough for an answer.
    Timeout,
    /// It tries again.
    Again,
    /// It has slept.
    Awake,
}

/// What it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pending {
    number: u64,
    ask: Ask,
    /// Since when.
    since: SimTime,
    /// Whether it is under way.
    sent: bool,
}

/// A client.
#[derive(Clone, Debug)]
pub struct Client {
    server: ServerId,
    conn: Option<(ConnId, bool)>,
    pending: Option<Pending>,
    asleep: bool,
    lines: Lines<Command>,
    numbers: u64,
}

impl Daemon for Client {
    const KIND: &'static str = "Raft client";
    type Config = ClientConfig;
    type Message = Message;
    type Timer = Timer;
    type Job = ();
    type Files = ();
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Client {
        let mut client = Client {
            server: cx.config.first,
            conn: None,
            pending: None,
            asleep: false,
            lines: Lines::default(),
            numbers: 0,
        };
        client.go_on(cx);
        client
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(Timer::Timeout) => self.give_up(cx),
            Told::Timer(Timer::Again) => self.ask(cx),
            Told::Timer(Timer::Awake) => self.asleep = false,
            Told::Connected(conn) if self.is(conn) => {
                self.conn = Some((conn, true));
                self.ask(cx);
            }
            Told::Refused(conn) if self.is(conn) => self.try_next(cx),
            Told::Closed(conn) if self.is(conn) => self.lost(cx),
            Told::Message(conn, Message::Response { number, answer }) if self.is(conn) => {
                self.answered(number, answer, cx);
            }
            Told::Write(_, line) => match Command::parse(&line).map(|command| self.lines.take(command)) {
                Ok(true) => {}
                refused => cx.fact(Fact::NotTaken { line, full: refused.is_ok() }),
            },
            _ => {}
        }
        self.go_on(cx);
    }

    fn write((): &mut (), (): &()) -> Option<Fact> {
        None
    }

    fn badge(client: Option<&Client>, (): &(), _: &Env) -> Badge {
        let waits = client.and_then(|client| client.pending.as_ref().map(|pending| (client.server, &pending.ask)));
        let line = |(server, ask): (ServerId, &Ask)| BadgeLine {
            label: server.to_string(),
            value: ask.to_string(),
            tone: Tone::Waiting,
            left: None,
        };
        Badge { lines: waits.map(line).into_iter().collect(), ..Badge::default() }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.server("server", self.server);
        rows.conn("connection", self.conn.map(|(conn, _)| conn));
        rows.some("waitsFor", self.pending.as_ref().map(|pending| &pending.ask as &dyn std::fmt::Display));
        self.lines.rows(rows);
    }

    fn file_rows((): &(), _: &mut Rows) {}
}

impl Client {
    fn is(&self, conn: ConnId) -> bool {
        self.conn.is_some_and(|(mine, _)| mine == conn)
    }

    /// Does lines until one takes time.
    fn go_on(&mut self, cx: &mut Cx<Self>) {
        while self.pending.is_none() && !self.asleep {
            let Some(command) = self.lines.pop(&cx.config.script) else { return };
            match command {
                Command::Ask(ask) => {
                    self.numbers += 1;
                    self.pending = Some(Pending { number: self.numbers, ask, since: cx.env.now, sent: false });
                    cx.set_timer(Timer::Timeout, cx.env.now.plus(cx.config.timeout));
                    self.ask(cx);
                }
                Command::Endpoint(server) => self.turn_to(server, cx),
                Command::Sleep(ms) => {
                    self.asleep = ms > 0;
                    cx.set_timer(Timer::Awake, cx.env.now.plus(ms * 1000));
                }
            }
        }
    }

    fn turn_to(&mut self, server: ServerId, cx: &mut Cx<Self>) {
        if self.server != server || !cx.config.servers.contains(server) {
            self.hang_up(cx);
        }
        if cx.config.servers.contains(server) {
            self.server = server;
        }
    }

    fn hang_up(&mut self, cx: &mut Cx<Self>) {
        if let Some((conn, _)) = self.conn.take() {
            cx.close(conn);
        }
    }

    /// Sends what is to be asked, once the connection is open.
    fn ask(&mut self, cx: &mut Cx<Self>) {
        let Some(pending) = self.pending.as_mut().filter(|pending| !pending.sent) else { return };
        match self.conn {
            None => self.conn = Some((cx.dial(self.server), false)),
            Some((_, false)) => {}
            Some((conn, true)) => {
                pending.sent = true;
                let (number, ask) = (pending.number, pending.ask.clone());
                cx.fact(Fact::Asked { number, server: self.server, line: ask.to_string() });
                cx.send(conn, Message::Request { number, ask });
            }
        }
    }

    fn again(&mut self, cx: &mut Cx<Self>) {
        if let Some(pending) = &mut self.pending {
            pending.sent = false;
            cx.set_timer(Timer::Again, cx.env.now.plus(PAUSE));
        }
    }

    /// Nobody is there: the next server is tried.
    fn try_next(&mut self, cx: &mut Cx<Self>) {
        self.conn = None;
        let servers = cx.config.servers;
        let next = servers.iter().find(|server| *server > self.server).or_else(|| servers.iter().next());
        self.server = next.unwrap_or(self.server);
        self.again(cx);
    }

    fn lost(&mut self, cx: &mut Cx<Self>) {
        let lost = self.pending.take_if(|pending| pending.sent && matches!(pending.ask, Ask::Put(_)));
        if let Some(Pending { number, ask, .. }) = lost {
            cx.cancel_timer(Timer::Timeout);
            cx.fact(Fact::Unknown { number, server: self.server, line: ask.to_string() });
        }
        self.try_next(cx);
    }

    fn give_up(&mut self, cx: &mut Cx<Self>) {
        let Some(Pending { number, ask, since, .. }) = self.pending.take() else { return };
        let after_ms = cx.env.now.since(since) / 1000;
        cx.fact(Fact::NoAnswer { number, server: self.server, line: ask.to_string(), after_ms });
        cx.cancel_timer(Timer::Again);
        self.hang_up(cx);
    }

    fn answered(&mut self, number: u64, answer: Answer, cx: &mut Cx<Self>) {
        if self.pending.as_ref().is_none_or(|pending| pending.number != number || !pending.sent) {
            return;
        }
        if let Answer::NotLeader { leader } = answer {
            cx.fact(Fact::Redirected { number, from: self.server, to: leader });
            if let Some(leader) = leader.filter(|leader| *leader != self.server) {
                self.turn_to(leader, cx);
            }
            return self.again(cx);
        }
        let Some(Pending { ask, .. }) = self.pending.take() else { return };
        cx.cancel_timer(Timer::Timeout);
        cx.fact(Fact::Answered { number, server: self.server, line: ask.to_string(), answer });
    }
}
