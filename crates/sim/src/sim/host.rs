//! The contract between a world and what lives in it. The kernel (network, disks, timers, faults, agenda, facts) knows
//! machines by this only: a [`Host`] is started, told what happened, and crashed; it answers with what is to be done.

use std::fmt;

use crate::base::rows::Rows;
use crate::base::{ConnId, Name, Node, Prng, SimTime};
use crate::daemon::{Badge, Env};
use crate::server;
use crate::zab::Note;

use super::fact::Fact;
use super::network::{Parcel, Port};

/// Names a disk operation of a host until it is done.
pub type Token = u64;

/// A timer of a host; at most one of each is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// Of a ZooKeeper server.
    Server(server::Timer),
    /// Of another host, by its number there ([`Host::timer_name`]).
    Other(usize),
}

/// What a running host is told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A timer fired.
    Timer(Timer),
    /// Somebody connected to one of its ports.
    Accepted {
        /// The new connection.
        conn: ConnId,
        /// Who dialled.
        from: Node,
        /// Which port.
        port: Port,
    },
    /// A connection that it dialled is open.
    Connected(ConnId),
    /// A connection that it dialled was refused: nothing listens there.
    Refused(ConnId),
    /// The other end closed the connection, or crashed.
    Closed(ConnId),
    /// A message arrived.
    Message(ConnId, Parcel),
    /// A disk operation is done and durable; with the bytes written.
    Persisted(Token, u64),
    /// A disk operation has failed: the disk is full, or broken.
    DiskFailed(Token),
    /// An action asks it to write; with the write's number.
    Write(u64, String),
    /// What only a ZooKeeper server is told.
    Server(server::Input),
}

/// What a host wants done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Send a message.
    Send(ConnId, Parcel),
    /// Connect to a port of another machine, under a name from [`Outbox::name_conn`].
    Dial {
        /// The new connection's name.
        conn: ConnId,
        /// Whom.
        to: Node,
        /// Which port.
        port: Port,
    },
    /// Close a connection, or give up dialling it.
    Close(ConnId),
    /// Accept connections on a port, or stop to.
    Listen(Port, bool),
    /// Arm a timer; a timer already armed is moved.
    SetTimer(Timer, SimTime),
    /// Disarm a timer.
    CancelTimer(Timer),
    /// Do this on disk, then say `Persisted`. Operations are done one by one, those in the background beside the others
    /// and one at a time.
    Persist {
        /// The operation's name.
        token: Token,
        /// Its kind, one of `DISK_OPS`: chance and actions know it by that.
        kind: Name,
        /// Whether it is done in the background.
        background: bool,
    },
    /// The process ends itself.
    Exit,
    /// Something happened, and perhaps the rule that decided it.
    Fact(Fact, Option<Note>),
}

/// Where a host puts its outputs.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// What is to be done, in order.
    pub items: Vec<Output>,
    /// The next free connection name; the world lends its counter.
    pub next_conn: u64,
}

impl Outbox {
    /// Adds an output.
    pub fn push(&mut self, output: Output) {
        self.items.push(output);
    }

    /// A name for a connection that is about to be dialled.
    pub fn name_conn(&mut self) -> ConnId {
        self.next_conn += 1;
        ConnId(self.next_conn - 1)
    }
}

/// What a finished disk operation came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// The bytes written.
    pub bytes: u64,
    /// What happened.
    pub fact: Option<Fact>,
    /// The operation in the background would write what is gone: it is given up.
    pub ends_background: bool,
}

/// A machine in a world: a process with its memory while it runs, and what its disk keeps beyond a crash.
pub trait Host: fmt::Debug {
    /// What kind of machine it is, in the field's own words; the same in every language.
    fn kind(&self) -> &'static str;

    /// A copy that goes its own way.
    fn copy(&self) -> Box<dyn Host>;

    /// The process starts: its memory is made of what its disk holds.
    fn start(&mut self, prng: Prng, env: &Env, out: &mut Outbox);

    /// The running process handles an input; one that does not run handles nothing.
    fn handle(&mut self, input: Input, env: &Env, out: &mut Outbox);

    /// A disk operation becomes durable. The process hears of it later, by [`Input::Persisted`]: it may be paused.
    fn persist(&mut self, token: Token, env: &Env) -> Written;

    /// A disk operation has failed, and nothing of it is on disk. The process hears of it later, by [`Input::DiskFailed`].
    fn fail(&mut self, token: Token);

    /// How much a disk operation writes, bytes.
    fn bytes(&self, _token: Token) -> u64 {
        0
    }

    /// Of how many parts an operation consists that reach the disk one after the other; none where it is all or nothing.
    fn parts(&self, _token: Token) -> Option<u32> {
        None
    }

    /// The process dies: memory goes, and with it all disk operations but `torn`, of which so many parts are on disk.
    /// Nothing that it wants done needs a process any more.
    fn crash(&mut self, torn: Option<(Token, u32)>, env: &Env, out: &mut Outbox);

    /// The machine loses power, before the process dies of it: what its system had not written back is gone.
    fn lose_power(&mut self, _env: &Env, _out: &mut Outbox) {}

    /// The machine crashes, before the process dies of it: what was not synced is gone.
    fn lose_unsynced(&mut self) {}

    /// Changes files while the process does not run; whether the line made sense.
    fn edit(&mut self, _line: &str) -> bool {
        false
    }

    /// The disk is emptied; the process does not run.
    fn wipe(&mut self);

    /// A copy is kept of what is durable now, in place of the one before.
    fn back_up(&mut self);

    /// That copy is all that is on the disk; the process does not run. Whether there is one.
    fn restore_backup(&mut self) -> bool;

    /// What stands on its card, where that is not made for a ZooKeeper server.
    fn badge(&self, _env: &Env) -> Badge {
        Badge::default()
    }

    /// What is in its memory, for a reader.
    fn rows(&self, rows: &mut Rows);

    /// What is on its disk, for a reader.
    fn disk_rows(&self, rows: &mut Rows);

    /// A disk operation in a line.
    fn job_name(&self, token: Token) -> String;

    /// A timer's name.
    fn timer_name(&self, timer: Timer) -> String {
        format!("{timer:?}")
    }
}
