//! A machine's process and what belongs to it.

use std::collections::VecDeque;

use crate::base::{ServerId, SimTime, SortedMap, SortedSet};
use crate::server::{self, Files, Server};
use crate::zab;

use super::disk::Disk;
use super::host::{Input, Timer};
use super::hosts::Machine;
use super::network::Port;
use super::reasons::{Death, Status};
use super::zookeeper::ZooKeeper;
use crate::daemon::{Badge, Env};

/// One process with its machine.
#[derive(Clone, Debug, Hash)]
pub struct Process {
    /// The machine's id.
    pub id: ServerId,
    /// What it is doing.
    pub status: Status,
    /// How it last died; none where it ended itself.
    pub death: Option<Death>,
    /// How often it has started.
    pub incarnation: u32,
    /// What it is, with its memory and what is durable.
    pub machine: Machine,
    /// Its disk at work.
    pub disk: Disk,
    /// How far its machine's wall clock is ahead of the time since the run began, ms; it outlives the process.
    pub clock_ahead_ms: i64,
    /// The ports on which it accepts connections.
    pub listening: SortedSet<Port>,
    /// Answers of the disk that came while it was paused.
    pub(super) held: VecDeque<Input>,
    /// Its armed timers; kept here while it is paused.
    pub(super) timers: SortedMap<Timer, SimTime>,
}

impl Process {
    pub(super) fn new(id: ServerId, machine: Machine, disk: Disk) -> Process {
        Process {
            id,
            status: Status::Crashed,
            death: None,
            incarnation: 0,
            machine,
            disk,
            clock_ahead_ms: 0,
            listening: SortedSet::new(),
            held: VecDeque::new(),
            timers: SortedMap::new(),
        }
    }

    /// Up to when one of these timers of a ZooKeeper server waits: the first that is due.
    pub fn waits_until(&self, which: impl Fn(zab::Timer) -> bool) -> Option<SimTime> {
        let all = self.timers.iter().filter_map(|(timer, due)| match timer {
            Timer::Server(server::Timer::Zab(timer)) if which(*timer) => Some(*due),
            _ => None,
        });
        all.min()
    }

    /// What its machine is told of itself and the time.
    pub(super) fn env(&self, now: SimTime) -> Env {
        Env { me: self.id, now, clock_ms: now.as_ms() as i64 + self.clock_ahead_ms }
    }

    /// What stands on its card.
    pub fn badge(&self, now: SimTime) -> Badge {
        self.machine.host().badge(&self.env(now))
    }

    /// Whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.status == Status::Paused
    }

    /// Whether it handles anything.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }

    /// The ZooKeeper server, where it is one.
    pub fn zookeeper(&self) -> Option<&ZooKeeper> {
        match &self.machine {
            Machine::ZooKeeper(server) => Some(server),
            _ => None,
        }
    }

    /// A ZooKeeper server's memory; none while it is crashed.
    pub fn server(&self) -> Option<&Server> {
        self.zookeeper()?.server.as_deref()
    }

    /// Whether it is a ZooKeeper server that serves alone when it runs.
    pub fn is_alone(&self) -> bool {
        self.zookeeper().is_some_and(|server| server.is_alone(self.id))
    }

    /// A ZooKeeper server's files.
    pub fn files(&self) -> Option<&Files> {
        self.zookeeper().map(|server| &server.files)
    }

    /// A ZooKeeper server's files, to be changed from outside.
    pub fn files_mut(&mut self) -> Option<&mut Files> {
        match &mut self.machine {
            Machine::ZooKeeper(server) => Some(&mut server.files),
            _ => None,
        }
    }

    /// A ZooKeeper server that runs, for tests that make a memory wrong.
    pub fn server_mut(&mut self) -> Option<&mut Server> {
        match &mut self.machine {
            Machine::ZooKeeper(server) => server.server.as_deref_mut(),
            _ => None,
        }
    }
}
