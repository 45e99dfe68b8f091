//! How to write a machine of another kind than ZooKeeper: a [`Daemon`] with types of its own for messages, timers, disk
//! operations, files and facts. It does no I/O and knows no world; `sim` makes a machine of it, which keeps memory and disk
//! apart: a crash cannot forget to forget. A [`System`] is what a run's setup names: machines that belong together.

mod grid;
mod say;

use serde::Serialize;
use std::fmt;

use crate::base::json::{Read, ReadError};
use crate::base::rows::Rows;
use crate::base::{ConnId, Node, Prng, ServerId, ServerSet, SimTime};

pub use grid::{Cell, Change, Claim, Grid, GridRow};
pub use say::{Interest, Remark, Say, Saying, Tongue};

/// What a machine knows while it handles an input.
#[derive(Clone, Debug)]
pub struct Env {
    /// Which machine it is.
    pub me: ServerId,
    /// The moment: it never jumps.
    pub now: SimTime,
    /// What its wall clock shows, ms since the run began: it may jump.
    pub clock_ms: i64,
}

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
    /// The other end closed the connection, or crashed. What it had sent before has been delivered.
    Closed(ConnId),
    /// A message arrived.
    Message(ConnId, D::Message),
    /// An operation is durable.
    Persisted(D::Job),
    /// An action asks for something, in the words of the system; with the request's number.
    Write(u64, String),
}

/// What a daemon wants done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<D: Daemon> {
    /// Connect to another machine, under a name from [`Cx::dial`].
    Dial(ConnId, Node),
    /// Send a message.
    Send(ConnId, D::Message),
    /// Close a connection, or give up dialling it.
    Close(ConnId),
    /// Accept connections, or stop to.
    Listen(bool),
    /// Arm a timer; one that is armed already is moved.
    SetTimer(D::Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(D::Timer),
    /// Make something durable, then say [`Told::Persisted`].
    Persist(D::Job),
    /// The process ends itself.
    Exit,
    /// Something happened.
    Fact(D::Fact),
}

/// What a daemon may use while it handles what it is told.
pub struct Cx<'a, D: Daemon> {
    /// Who it is, and when.
    pub env: &'a Env,
    /// What never changes.
    pub config: &'a D::Config,
    /// Its files as its system shows them. What is written here directly is in the system's cache: it outlives the process,
    /// and a loss of power takes from it what [`Daemon::lose_power`] says.
    pub files: &'a mut D::Files,
    /// What it wants done.
    pub effects: &'a mut Vec<Effect<D>>,
    /// The next free name of a connection.
    pub next_conn: &'a mut u64,
}

impl<D: Daemon> Cx<'_, D> {
    /// Connects to another machine; the connection's name.
    pub fn dial(&mut self, to: impl Into<Node>) -> ConnId {
        let conn = ConnId(*self.next_conn);
        *self.next_conn += 1;
        self.effects.push(Effect::Dial(conn, to.into()));
        conn
    }

    /// Sends a message.
    pub fn send(&mut self, conn: ConnId, message: D::Message) {
        self.effects.push(Effect::Send(conn, message));
    }

    /// Closes a connection.
    pub fn close(&mut self, conn: ConnId) {
        self.effects.push(Effect::Close(conn));
    }

    /// Accepts connections, or stops to.
    pub fn listen(&mut self, on: bool) {
        self.effects.push(Effect::Listen(on));
    }

    /// Arms a timer; one that is armed already is moved.
    pub fn set_timer(&mut self, timer: D::Timer, at: SimTime) {
        self.effects.push(Effect::SetTimer(timer, at));
    }

    /// Disarms a timer.
    pub fn cancel_timer(&mut self, timer: D::Timer) {
        self.effects.push(Effect::CancelTimer(timer));
    }

    /// Writes to disk and syncs; [`Told::Persisted`] says when it is durable. Operations are done one by one. Where the
    /// disk fails, the process ends.
    pub fn persist(&mut self, job: D::Job) {
        self.effects.push(Effect::Persist(job));
    }

    /// The process ends itself.
    pub fn exit(&mut self) {
        self.effects.push(Effect::Exit);
    }

    /// Something happened.
    pub fn fact(&mut self, fact: D::Fact) {
        self.effects.push(Effect::Fact(fact));
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

    /// An operation becomes durable; what happened, where that is worth a fact. A process that is killed takes those with it
    /// that have not come so far.
    fn write(files: &mut Self::Files, job: &Self::Job) -> Option<Self::Fact>;

    /// The machine loses power, or crashes as a whole: what is in the system's cache alone is gone. A process that is killed or
    /// ends itself takes nothing with it that was written.
    fn lose_power(_files: &mut Self::Files) {}

    /// What stands on its card. There is no memory while the process is down; the files are what it would find.
    fn badge(_daemon: Option<&Self>, _files: &Self::Files, _env: &Env) -> Badge {
        Badge::default()
    }

    /// What an operator does to the files of a machine whose process does not run, in the words of the system; whether there is such
    /// a thing. The action `write` asks for it.
    fn edit(_files: &mut Self::Files, _line: &str) -> bool {
        false
    }

    /// What is in its memory, for a reader.
    fn rows(&self, rows: &mut Rows);

    /// What is on its disk, for a reader.
    fn file_rows(files: &Self::Files, rows: &mut Rows);
}

/// What a card says of a machine: what matters to somebody who watches, and no more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Badge {
    /// Its role in the field's own word, in capitals, as `MASTER`: the same in every language. Empty: its kind.
    pub role: &'static str,
    /// Whether it leads, or holds what others wait for.
    pub crowned: bool,
    /// What it keeps and what it waits for, the weightiest first: a card shows as many as it has room for.
    pub lines: Vec<BadgeLine>,
    /// Who has voted for it, while it asks for votes.
    pub votes: ServerSet,
    /// The newest reign of which it knows the leader, where reigns have numbers: a term, and who leads it.
    pub reign: Option<(u64, ServerId)>,
    /// The last entries of its log, oldest first, where others keep the same log.
    pub log: Vec<LogEntry>,
    /// The tables of a database, with the locks on them.
    pub grids: Vec<Grid>,
}

/// An entry of a log that several machines keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The term of the leader that made it.
    pub term: u64,
    /// Its place, from 1.
    pub index: u64,
    /// Whether a crash leaves it here.
    pub durable: bool,
    /// Whether this machine knows that it is committed.
    pub committed: bool,
}

/// A line of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadgeLine {
    /// What it is about, at the left, as a key or a row: a few characters.
    pub label: String,
    /// What there is of it, at the right: a few characters.
    pub value: String,
    /// How it looks.
    pub tone: Tone,
    /// How much of a time is left, and of how much, µs: a bar that drains.
    pub left: Option<(u64, u64)>,
}

/// How a line of a card looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As all text.
    #[default]
    Plain,
    /// Held, granted, decided.
    Held,
    /// Waiting, in doubt, not yet on disk.
    Waiting,
    /// Wrong: believed and no longer true.
    Bad,
    /// The number of a reign, in its colour.
    Term(u64),
}

impl Tone {
    /// The name of the style class.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Held => "held",
            Tone::Waiting => "waiting",
            Tone::Bad => "bad",
            Tone::Term(_) => "numbered",
        }
    }
}

/// Where a system puts its machines.
pub trait Place {
    /// Puts a machine into the world; it starts at the beginning of the run.
    fn put<D: Daemon>(&mut self, id: ServerId, config: D::Config);
}

/// Machines that belong together, as a setup names them.
pub trait System: fmt::Debug + Clone + PartialEq + Eq + Serialize + Read {
    /// Checks every bound: sizes before work is done.
    ///
    /// # Errors
    /// What does not fit, and where.
    fn check(&self) -> Result<(), ReadError>;

    /// Puts its machines into the world, each by a number of its kind ([`ServerId::nth`]).
    fn place(&self, world: &mut impl Place);
}

/// Something that must not happen in a system has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which property is violated, by its id, as `redis-mutual-exclusion`.
    pub property: &'static str,
    /// When.
    pub at: SimTime,
    /// Who and what, as a sentence in English and in Simplified Chinese.
    pub said: [String; 2],
}

/// What must hold in every run of a system whose rules are all kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its stable name, as `redis-mutual-exclusion`.
    pub id: &'static str,
    /// What it is called in English and in Simplified Chinese.
    pub title: [&'static str; 2],
    /// What it says, in one sentence each.
    pub about: [&'static str; 2],
}

/// Judges what the machines of a system state, fact by fact.
pub trait Judge: fmt::Debug + Clone + Default {
    /// What it reads.
    type Fact: Say;

    /// What it judges by.
    const PROPERTIES: &'static [Property] = &[];

    /// A machine states something.
    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Self::Fact);

    /// What was violated so far, in order.
    fn breaches(&self) -> &[Breach];
}
