//! What a server keeps of a connection (`server.h` `client`).

use std::collections::VecDeque;

use crate::base::{Node, SimTime, SortedSet};

/// A connection: of a client, a Sentinel or a replica.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// Who is at the other end; none: an operator at the server itself.
    pub node: Option<Node>,
    /// Commands since MULTI.
    pub queue: Option<Vec<Vec<String>>>,
    /// A command was refused while it was queued: EXEC will run nothing.
    pub spoilt: bool,
    /// A watched key was touched: EXEC will run nothing.
    pub dirty: bool,
    /// Watched keys, and whether each was expired already when it was.
    pub watched: Vec<(String, bool)>,
    /// Channels.
    pub channels: SortedSet<String>,
    /// Patterns of channels.
    pub patterns: SortedSet<String>,
    /// What it waits for.
    pub blocked: Option<Blocked>,
    /// Commands that came while it waited.
    pub waiting: VecDeque<Vec<String>>,
    /// The end of the stream after its last command, bytes: what WAIT waits for.
    pub written: i64,
    /// Where it is a replica.
    pub replica: Option<Replica>,
    /// It is closed when this turn's answers are sent.
    pub closing: bool,
}

/// What a connection waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Blocked {
    /// For what.
    pub on: On,
    /// Until when; none: for ever.
    pub until: Option<SimTime>,
}

/// For what a connection waits.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum On {
    /// BLPOP (from the front) or BRPOP: the first of these lists that has something.
    Lists(Vec<String>, bool),
    /// WAIT: that so many replicas have acknowledged so much.
    Replicas(i64, i64),
}

/// A replica, as its source knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replica {
    /// What it has acknowledged, bytes of the stream.
    pub acked: i64,
    /// When it was last heard of, seconds by the wall clock.
    pub heard_s: i64,
}

impl Session {
    pub(super) fn new(node: Option<Node>) -> Session {
        Session {
            node,
            queue: None,
            spoilt: false,
            dirty: false,
            watched: Vec::new(),
            channels: SortedSet::new(),
            patterns: SortedSet::new(),
            blocked: None,
            waiting: VecDeque::new(),
            written: 0,
            replica: None,
            closing: false,
        }
    }

    /// Who it is, for a reader.
    pub(super) fn name(&self) -> String {
        self.node.map_or("operator".into(), |node| node.to_string())
    }

    /// Whether it is subscribed to anything.
    pub(super) fn is_subscribed(&self) -> bool {
        !self.channels.is_empty() || !self.patterns.is_empty()
    }

    /// MULTI is over.
    pub(super) fn end_multi(&mut self) {
        (self.queue, self.spoilt, self.dirty) = (None, false, false);
        self.watched.clear();
    }
}
