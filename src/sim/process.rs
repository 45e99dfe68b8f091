//! A server's process and what it owns.

use std::collections::VecDeque;

use crate::base::{ServerId, SimTime, SortedMap};
use crate::server::{Input, Server, Timer};

use super::disk::Disk;

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It runs.
    Running,
    /// It does nothing: messages wait in its sockets, timers come late.
    Paused,
    /// Its memory is gone; its disk is there.
    Crashed,
}

/// One server's process with its disk.
#[derive(Clone, Debug)]
pub struct Process {
    /// The server's id.
    pub id: ServerId,
    /// What it is doing.
    pub status: Status,
    /// How often it has started.
    pub incarnation: u32,
    /// Its memory; none while it is crashed.
    pub server: Option<Box<Server>>,
    /// Its disk.
    pub disk: Disk,
    /// Whether learners may connect.
    pub listening: bool,
    /// Answers of the disk that came while it was paused.
    pub(super) held: VecDeque<Input>,
    /// Its armed timers; kept here while it is paused.
    pub(super) timers: SortedMap<Timer, SimTime>,
}

impl Process {
    pub(super) fn new(id: ServerId, disk: Disk) -> Process {
        Process {
            id,
            status: Status::Crashed,
            incarnation: 0,
            server: None,
            disk,
            listening: false,
            held: VecDeque::new(),
            timers: SortedMap::new(),
        }
    }

    /// Whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.status == Status::Paused
    }

    /// Whether it handles anything.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }
}
