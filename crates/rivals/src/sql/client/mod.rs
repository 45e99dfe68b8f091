//! A client: a program, or somebody who types statements. It has one connection at a time, and one statement under way.

mod console;
pub mod program;
mod recipes;

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, SimTime};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};

use super::db::Query;
use super::engine::Engine;
use super::fact::Fact;
use super::message::Message;
use super::op::Op;
use super::reply::{After, Problem, Reply, message};
use super::write::sql;

use program::{Program, Running};

/// What a client is set up with.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which database it talks to.
    pub engine: Engine,
    /// The servers that it tries, in this order.
    pub servers: Vec<ServerId>,
    /// Whether it connects when it starts.
    pub connects: bool,
    /// How long its program waits for an answer, µs.
    pub timeout_us: Micros,
    /// What it does.
    pub program: Option<Rc<Program>>,
}

/// When something is due: the earliest of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due;

/// A client's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// There is none.
    None,
    /// It is being opened.
    Dialling(ConnId, ServerId),
    /// It is open.
    Open(ConnId, ServerId),
    /// It has ended, and the program has not noticed.
    Ended,
}

/// A statement that waits for its answer.
#[derive(Clone, Debug)]
struct Pending {
    query: Query,
    console: bool,
    until: Option<SimTime>,
}

/// A client's memory.
#[derive(Clone, Debug)]
pub struct Client {
    line: Line,
    pending: Option<Pending>,
    /// Lines that were typed meanwhile.
    typed: VecDeque<(u64, String)>,
    /// Which of its servers it tries next.
    next_server: usize,
    number: u64,
    running: Option<Running>,
    prng: Prng,
}

impl Daemon for Client {
    const KIND: &'static str = "DatabaseClient";
    type Config = Config;
    type Message = Message;
    type Timer = Due;
    type Job = ();
    /// How often its program has started: holders have new names after each start.
    type Files = u64;
    type Fact = Fact;

    fn start(prng: Prng, cx: &mut Cx<Self>) -> Client {
        *cx.files += 1;
        let (line, pending, typed) = (Line::None, None, VecDeque::new());
        let running = cx.config.program.clone().map(|program| Running::new(program, *cx.files));
        let mut client = Client { line, pending, typed, next_server: 0, number: 0, running, prng };
        if cx.config.connects || client.running.is_some() {
            client.dial_next(cx);
        }
        client.arm(cx);
        client
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Connected(conn) => self.connected(conn, cx),
            Told::Refused(conn) => self.refused(conn, cx),
            Told::Closed(conn) => self.closed(conn, cx),
            Told::Message(conn, Message::Answer { number, reply, notices }) => {
                self.answered(conn, number, reply, notices, cx);
            }
            Told::Message(conn, _) => cx.close(conn),
            Told::Timer(Due) => self.due(cx),
            Told::Write(number, line) => {
                self.typed.push_back((number, line));
                self.next_line(cx);
            }
            Told::Accepted(conn, _) => cx.close(conn),
            Told::Persisted(()) => {}
        }
        self.arm(cx);
    }

    fn write(_: &mut u64, (): &()) -> Option<Fact> {
        None
    }

    fn badge(client: Option<&Client>, _: &u64, _: &Env) -> Badge {
        let mut badge = Badge { role: "CLIENT", ..Badge::default() };
        let Some(client) = client else { return badge };
        if let Some(running) = &client.running {
            badge.crowned = running.holding;
            badge.lines.push(running.badge_line());
        }
        badge.lines.extend(client.pending.as_ref().map(|pending| BadgeLine {
            label: pending.query.text.clone(),
            value: "…".into(),
            tone: Tone::Waiting,
            left: None,
        }));
        badge
    }

    fn rows(&self, rows: &mut Rows) {
        let server = match self.line {
            Line::Open(_, server) | Line::Dialling(_, server) => server,
            _ => ServerId::NONE,
        };
        rows.server("server", server);
        let text = self.pending.as_ref().map(|pending| pending.query.text.clone());
        rows.some("statement", text.as_ref().map(|text| text as &dyn std::fmt::Display));
        if let Some(running) = &self.running {
            running.rows(rows);
        }
    }

    fn file_rows(files: &u64, rows: &mut Rows) {
        rows.put("starts", files);
    }
}

impl Client {
    /// Dials the next of its servers.
    fn dial_next(&mut self, cx: &mut Cx<Self>) {
        let count = cx.config.servers.len().max(1);
        if let Some(&server) = cx.config.servers.get(self.next_server % count) {
            self.dial(server, cx);
        }
    }

    fn dial(&mut self, server: ServerId, cx: &mut Cx<Self>) {
        self.hang_up(cx);
        self.line = Line::Dialling(cx.dial(server), server);
    }

    fn hang_up(&mut self, cx: &mut Cx<Self>) {
        if let Line::Dialling(conn, _) | Line::Open(conn, _) = self.line {
            cx.close(conn);
        }
        self.line = Line::None;
    }

    fn connected(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        if let Line::Dialling(mine, server) = self.line
            && mine == conn
        {
            self.line = Line::Open(conn, server);
            cx.fact(Fact::Connected { server });
            self.go_on(cx);
            self.next_line(cx);
        }
    }

    fn refused(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        if let Line::Dialling(mine, server) = self.line
            && mine == conn
        {
            self.line = Line::None;
            self.next_server += 1;
            cx.fact(Fact::NotConnected { server });
            self.unreachable(cx);
            self.next_line(cx);
        }
    }

    /// Its connection has ended: what it waits for is unknown; where it waits for nothing, it notices with its next statement.
    fn closed(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        match self.line {
            Line::Open(mine, _) if mine == conn => {
                self.line = Line::Ended;
                if self.pending.is_some() {
                    self.line = Line::None;
                    self.come_back(error(cx.config.engine, Problem::Lost), Vec::new(), cx);
                }
            }
            Line::Dialling(mine, _) if mine == conn => self.refused(conn, cx),
            _ => {}
        }
    }

    fn answered(&mut self, conn: ConnId, number: u64, reply: Reply, notices: Vec<String>, cx: &mut Cx<Self>) {
        let mine = matches!(self.line, Line::Open(mine, _) if mine == conn);
        if mine && self.pending.as_ref().is_some_and(|pending| pending.query.number == number) {
            self.come_back(reply, notices, cx);
        }
    }

    /// The statement under way is over.
    fn come_back(&mut self, reply: Reply, notices: Vec<String>, cx: &mut Cx<Self>) {
        let Some(Pending { query, console, .. }) = self.pending.take() else { return };
        let (number, what) = (query.number, query.text.clone());
        cx.fact(Fact::Answered { number, what, reply: reply.clone(), notices, console });
        if !console {
            self.came(&query.op, &reply, cx);
        }
        self.next_line(cx);
    }

    /// Asks for something, on the connection that there is.
    fn ask(&mut self, number: u64, op: Op, console: bool, timeout_us: Option<Micros>, cx: &mut Cx<Self>) {
        let text = sql(cx.config.engine, &op);
        let query = Query { number, op, text: text.clone() };
        let until = timeout_us.map(|us| cx.env.now.plus(us));
        self.pending = Some(Pending { query: query.clone(), console, until });
        cx.fact(Fact::Asked { number, what: text });
        match self.line {
            Line::Open(conn, _) => cx.send(conn, Message::Query(query)),
            Line::Ended => {
                self.line = Line::None;
                self.come_back(error(cx.config.engine, Problem::Lost), Vec::new(), cx);
            }
            Line::None | Line::Dialling(..) => {
                self.come_back(error(cx.config.engine, Problem::NotConnected), Vec::new(), cx);
            }
        }
    }

    /// Asks for something of its program.
    fn ask_for_program(&mut self, op: Op, cx: &mut Cx<Self>) {
        self.number += 1;
        let number = PROGRAM + self.number;
        self.ask(number, op, false, Some(cx.config.timeout_us), cx);
    }

    /// Something is due: it has waited long enough for an answer, or its program goes on.
    fn due(&mut self, cx: &mut Cx<Self>) {
        let now = cx.env.now;
        let over = self.pending.as_ref().is_some_and(|pending| pending.until.is_some_and(|until| until <= now));
        if over {
            self.hang_up(cx);
            self.come_back(Reply::TimedOut, Vec::new(), cx);
        }
        if self.running.as_ref().is_some_and(|running| running.wakes_at.is_some_and(|at| at <= now)) {
            self.wakes(cx);
        }
    }

    fn arm(&mut self, cx: &mut Cx<Self>) {
        let until = self.pending.as_ref().and_then(|pending| pending.until);
        let wakes = self.running.as_ref().and_then(|running| running.wakes_at);
        match [until, wakes].into_iter().flatten().min() {
            Some(at) => cx.set_timer(Due, at),
            None => cx.cancel_timer(Due),
        }
    }
}

/// Statements of programs have numbers from here on; those that are typed have the number of their action.
const PROGRAM: u64 = 1 << 32;

fn error(engine: Engine, problem: Problem) -> Reply {
    Reply::Error { problem, message: message(engine, problem, ""), after: After::None }
}
