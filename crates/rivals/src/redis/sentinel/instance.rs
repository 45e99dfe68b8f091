//! What a Sentinel knows of a server or of another Sentinel (`sentinelRedisInstance`).

use std::collections::VecDeque;

use crate::base::{ConnId, ServerId, SimTime};

/// What an instance is to this Sentinel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The master.
    Master,
    /// A replica of the master, or a former master.
    Replica,
    /// Another Sentinel.
    Sentinel,
}

/// A connection to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// None.
    Off,
    /// Dialled.
    Dialling(ConnId),
    /// Open since then.
    On(ConnId, SimTime),
}

impl Wire {
    pub(super) fn conn(self) -> Option<ConnId> {
        match self {
            Wire::Off => None,
            Wire::Dialling(conn) | Wire::On(conn, _) => Some(conn),
        }
    }

    pub(super) fn open(self) -> Option<ConnId> {
        match self {
            Wire::On(conn, _) => Some(conn),
            _ => None,
        }
    }
}

/// A question whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// PING.
    Ping,
    /// INFO.
    Info,
    /// Whether the master is down, and a vote.
    Master,
    /// Anything else.
    Other,
}

/// How far a replica has come in following the promoted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reconf {
    /// Not told yet.
    No,
    /// Told, then.
    Sent(SimTime),
    /// It has taken it up.
    InProgress,
    /// It has what the promoted one has.
    Done,
}

/// One of the watched.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub id: ServerId,
    pub kind: Kind,
    pub commands: Wire,
    pub subscription: Wire,
    pub last_dial: Option<SimTime>,
    pub questions: VecDeque<Question>,
    /// When the earliest PING without an answer was sent.
    pub open_ping: Option<SimTime>,
    pub last_ping: Option<SimTime>,
    pub last_pong: SimTime,
    pub last_valid: SimTime,
    pub last_hello_sent: SimTime,
    pub last_heard: SimTime,
    /// Subjectively down since.
    pub down_since: Option<SimTime>,
    /// When it last was found down, or well again.
    pub down_change: Option<SimTime>,
    pub info_at: Option<SimTime>,
    pub run_id: String,
    /// `master` or `slave`, as it says itself, and since when.
    pub says_master: bool,
    pub says_since: SimTime,
    pub follows: Option<ServerId>,
    pub follows_since: SimTime,
    pub link_up: bool,
    pub link_down_s: u64,
    pub priority: i64,
    pub offset: i64,
    pub reconf: Reconf,
    /// What another Sentinel says of the master.
    pub says_down: bool,
    pub says_down_at: Option<SimTime>,
    /// For whom another Sentinel has voted, and in which epoch.
    pub vote: Option<(ServerId, u64)>,
}

impl Instance {
    pub(super) fn new(id: ServerId, kind: Kind, now: SimTime) -> Instance {
        Instance {
            id,
            kind,
            commands: Wire::Off,
            subscription: Wire::Off,
            last_dial: None,
            questions: VecDeque::new(),
            open_ping: Some(now),
            last_ping: None,
            last_pong: now,
            last_valid: now,
            last_hello_sent: now,
            last_heard: now,
            down_since: None,
            down_change: None,
            info_at: None,
            run_id: String::new(),
            says_master: kind == Kind::Master,
            says_since: now,
            follows: None,
            follows_since: now,
            link_up: false,
            link_down_s: 0,
            priority: 100,
            offset: 0,
            reconf: Reconf::No,
            says_down: false,
            says_down_at: None,
            vote: None,
        }
    }

    /// What it is in events: `master R1`.
    pub(super) fn about(&self) -> String {
        let kind = match self.kind {
            Kind::Master => "master",
            Kind::Replica => "slave",
            Kind::Sentinel => "sentinel",
        };
        format!("{kind} {}", self.id)
    }

    /// Whether it was neither found down nor well again for so long, µs.
    pub(super) fn well_for(&self, now: SimTime, us: u64) -> bool {
        self.down_since.is_none() && self.down_change.is_none_or(|at| now.since(at) > us)
    }
}
