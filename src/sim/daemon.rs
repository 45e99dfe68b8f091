//! How to write a machine of another kind than ZooKeeper: a [`Daemon`] with types of its own for messages, timers, disk
//! operations, files and facts. [`Daemon::machine`] makes a [`Host`] of it, which keeps memory and disk apart: a crash cannot
//! forget to forget.

use std::fmt;

use crate::base::rows::Rows;
use crate::base::{ConnId, Node, Prng, SimTime, SortedMap};

use super::fact::Fact;
use super::host::{Env, Host, Input, Outbox, Output, Timer, Token, Written};
use super::hosts::Machine;
use super::network::{Parcel, Port};
use super::say::{Say, Saying};

/// What a daemon is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Told<D: Daemon> {
    /// A timer fired.
    Timer(D::Timer),
    /// Somebody connected.
    Accepted(ConnId, Node),
    /// A connection that it dialled is open.
    Connected(ConnId),
    /// Nothing listens there.
    Refused(ConnId),
    /// The other end closed the connection, or crashed.
    Closed(ConnId),
    /// A message arrived.
    Message(ConnId, D::Message),
    /// An operation is durable.
    Persisted(D::Job),
    /// An action asks for a write; with the write's number.
    Write(u64, String),
}

/// What a daemon may use while it handles what it is told.
pub struct Cx<'a, D: Daemon> {
    /// Who it is, and when.
    pub env: &'a Env,
    /// What never changes.
    pub config: &'a D::Config,
    /// What is durable.
    pub files: &'a D::Files,
    bookings: &'a mut Bookings<D>,
    out: &'a mut Outbox,
}

impl<D: Daemon> Cx<'_, D> {
    /// Connects to another machine; the connection's name.
    pub fn dial(&mut self, to: Node) -> ConnId {
        let conn = self.out.name_conn();
        self.out.push(Output::Dial { conn, to, port: Port::Service });
        conn
    }

    /// Sends a message.
    pub fn send(&mut self, conn: ConnId, message: D::Message) {
        self.out.push(Output::Send(conn, Parcel::Other(Saying::new(message))));
    }

    /// Closes a connection.
    pub fn close(&mut self, conn: ConnId) {
        self.out.push(Output::Close(conn));
    }

    /// Accepts connections, or stops to.
    pub fn listen(&mut self, on: bool) {
        self.out.push(Output::Listen(Port::Service, on));
    }

    /// Arms a timer; one that is armed already is moved.
    pub fn set_timer(&mut self, timer: D::Timer, at: SimTime) {
        let timer = self.bookings.number(timer);
        self.out.push(Output::SetTimer(timer, at));
    }

    /// Disarms a timer.
    pub fn cancel_timer(&mut self, timer: D::Timer) {
        let timer = self.bookings.number(timer);
        self.out.push(Output::CancelTimer(timer));
    }

    /// Writes to disk; [`Told::Persisted`] says when it is durable. Where the disk fails, the process ends.
    pub fn persist(&mut self, job: D::Job) {
        let token = self.bookings.next_token;
        self.bookings.next_token += 1;
        self.bookings.jobs.insert(token, job);
        self.out.push(Output::Persist { token, kind: "write", background: false });
    }

    /// The process ends itself.
    pub fn exit(&mut self) {
        self.out.push(Output::Exit);
    }

    /// Something happened.
    pub fn fact(&mut self, fact: D::Fact) {
        let fact = Fact::Other { server: self.env.me, fact: Saying::new(fact) };
        self.out.push(Output::Fact(fact, None));
    }
}

/// A program that runs on a machine of its own. It does no I/O: it is told something and says what it wants done.
pub trait Daemon: fmt::Debug + Clone + Sized + 'static {
    /// What kind of machine it is.
    const KIND: &'static str;
    /// What it is set up with.
    type Config: fmt::Debug + Clone;
    /// What it says to others of its system.
    type Message: Say;
    /// Its timers.
    type Timer: fmt::Debug + Copy + PartialEq;
    /// What it asks its disk to do.
    type Job: fmt::Debug + Clone + PartialEq;
    /// What is on its disk; the default is the empty disk.
    type Files: fmt::Debug + Clone + Default;
    /// What happens in it.
    type Fact: Say;

    /// The process starts, with what its disk holds.
    fn start(prng: Prng, cx: &mut Cx<Self>) -> Self;

    /// Something happened.
    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>);

    /// An operation becomes durable; what happened, where that is worth a fact.
    fn write(files: &mut Self::Files, job: &Self::Job) -> Option<Self::Fact>;

    /// What is in its memory, for a reader.
    fn rows(&self, rows: &mut Rows);

    /// What is on its disk, for a reader.
    fn file_rows(files: &Self::Files, rows: &mut Rows);

    /// A machine on which this program runs.
    fn machine(config: Self::Config) -> Machine {
        let bookings = Bookings { timers: Vec::new(), jobs: SortedMap::new(), next_token: 0 };
        Machine::Other(Box::new(Running::<Self> { config, memory: None, files: Self::Files::default(), bookings }))
    }
}

/// The names under which the world knows a daemon's timers and disk operations.
#[derive(Clone, Debug)]
struct Bookings<D: Daemon> {
    timers: Vec<D::Timer>,
    jobs: SortedMap<Token, D::Job>,
    next_token: Token,
}

impl<D: Daemon> Bookings<D> {
    fn number(&mut self, timer: D::Timer) -> Timer {
        let known = self.timers.iter().position(|other| *other == timer);
        Timer::Other(known.unwrap_or_else(|| {
            self.timers.push(timer);
            self.timers.len() - 1
        }))
    }
}

/// A machine with a daemon.
#[derive(Clone, Debug)]
struct Running<D: Daemon> {
    config: D::Config,
    memory: Option<D>,
    files: D::Files,
    bookings: Bookings<D>,
}

impl<D: Daemon> Running<D> {
    /// What the daemon is told of an input. A message of another system comes by mistake of the sender: it breaks the
    /// connection, as bytes that make no sense would.
    fn told(&mut self, input: Input, out: &mut Outbox) -> Option<Told<D>> {
        match input {
            Input::Timer(Timer::Other(number)) => self.bookings.timers.get(number).copied().map(Told::Timer),
            Input::Accepted { conn, from, .. } => Some(Told::Accepted(conn, from)),
            Input::Connected(conn) => Some(Told::Connected(conn)),
            Input::Refused(conn) => Some(Told::Refused(conn)),
            Input::Closed(conn) => Some(Told::Closed(conn)),
            Input::Message(conn, parcel) => {
                if let Parcel::Other(saying) = &parcel
                    && let Some(message) = saying.value::<D::Message>()
                {
                    return Some(Told::Message(conn, message.clone()));
                }
                out.push(Output::Close(conn));
                Some(Told::Closed(conn))
            }
            Input::Persisted(token, _) => self.bookings.jobs.remove(&token).map(Told::Persisted),
            Input::DiskFailed(_) => {
                out.push(Output::Exit);
                None
            }
            Input::Write(number, data) => Some(Told::Write(number, data)),
            Input::Timer(Timer::Server(_)) | Input::Server(_) => None,
        }
    }
}

impl<D: Daemon> Host for Running<D> {
    fn kind(&self) -> &'static str {
        D::KIND
    }

    fn copy(&self) -> Box<dyn Host> {
        Box::new(self.clone())
    }

    fn start(&mut self, prng: Prng, env: &Env, out: &mut Outbox) {
        let Running { config, memory, files, bookings } = self;
        *memory = Some(D::start(prng, &mut Cx { env, config, files, bookings, out }));
    }

    fn handle(&mut self, input: Input, env: &Env, out: &mut Outbox) {
        let Some(told) = self.told(input, out) else { return };
        let Running { config, memory: Some(memory), files, bookings } = self else { return };
        memory.handle(told, &mut Cx { env, config, files, bookings, out });
    }

    fn persist(&mut self, token: Token, env: &Env) -> Written {
        let job = self.bookings.jobs.get(&token);
        let fact = job.and_then(|job| D::write(&mut self.files, job));
        let fact = fact.map(|fact| Fact::Other { server: env.me, fact: Saying::new(fact) });
        Written { fact, ..Written::default() }
    }

    fn fail(&mut self, token: Token) {
        self.bookings.jobs.remove(&token);
    }

    fn crash(&mut self, _torn: Option<(Token, u32)>, _env: &Env, _out: &mut Outbox) {
        self.memory = None;
        self.bookings.jobs.clear();
    }

    fn wipe(&mut self) {
        self.files = D::Files::default();
    }

    fn rows(&self, rows: &mut Rows) {
        self.memory.iter().for_each(|memory| memory.rows(rows));
    }

    fn disk_rows(&self, rows: &mut Rows) {
        D::file_rows(&self.files, rows);
    }

    fn job_name(&self, token: Token) -> String {
        self.bookings.jobs.get(&token).map_or(String::new(), |job| format!("{job:?}"))
    }

    fn timer_name(&self, timer: Timer) -> String {
        match timer {
            Timer::Other(number) => {
                self.bookings.timers.get(number).map_or(String::new(), |timer| format!("{timer:?}"))
            }
            Timer::Server(timer) => format!("{timer:?}"),
        }
    }
}
