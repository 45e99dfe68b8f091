//! A server: term, vote and log on disk, a role in memory.
//!
//! What one input changes is written with one forced write, and what is said in consequence waits for it; only a leader sends entries
//! while its own disk still writes them (etcd's `Ready`; dissertation §10.2.1).

mod election;
mod links;
mod replicate;
mod role;
mod serve;
mod show;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::base::{ConnId, Micros, Prng, ServerId, ServerSet, SimTime};
use crate::daemon::{Badge, Cx, Daemon, Env, Told};

use super::broken::{Broken, Brokens};
use super::fact::Fact;
use super::log::{Entry, Log};
use super::message::Message;

use links::Links;
use role::Role;
use serve::{Read, Waiting};

/// What all servers are set up with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// All servers.
    pub servers: ServerSet,
    /// A tick: the time between two heartbeats, µs.
    pub tick: Micros,
    /// The election timeout T, ticks.
    pub election_ticks: u32,
    /// Whether votes are asked for in advance.
    pub pre_vote: bool,
    /// Whether leaders without a majority step down, and are left alone with one.
    pub check_quorum: bool,
    /// Rules broken on purpose.
    pub broken: Brokens,
}

impl Settings {
    /// How many servers are a majority.
    pub fn majority(&self) -> usize {
        self.servers.len() / 2 + 1
    }
}

/// What must outlive the process beside the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hard {
    /// The latest term seen.
    pub term: u64,
    /// Who has got the vote in it.
    pub vote: Option<ServerId>,
}

/// A server's disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    hard: Hard,
    log: Log,
    /// Written, not forced: only where a rule is broken.
    cached: Option<Hard>,
}

/// What is forced to disk at once: term and vote, and the log from an index on.
#[derive(Clone, Debug, PartialEq)]
pub struct Save {
    hard: Hard,
    from: u64,
    entries: Vec<Entry>,
    /// Whether the log changes; otherwise there is nothing to say of it.
    log: bool,
}

/// A server's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// A tick.
    Tick,
}

/// A server.
#[derive(Clone, Debug)]
pub struct Server {
    prng: Prng,
    hard: Hard,
    log: Log,
    role: Role,
    /// Who leads this term, as far as is known.
    leader: Option<ServerId>,
    /// Ticks since it heard of its leader or gave its vote; of a leader, since it last counted its followers.
    elapsed: u32,
    /// At how many it asks for votes.
    timeout: u32,
    next_tick: SimTime,
    links: Links,
    /// Up to which index the log is committed, and applied to `table`.
    commit: u64,
    table: BTreeMap<Rc<str>, Rc<str>>,
    /// Up to which index the own disk has the log.
    durable: u64,
    waiting: Vec<Waiting>,
    reads: Vec<Read>,
    /// What is to be forced before anything is said: hard state as issued last, and from which index the log has changed.
    issued: Hard,
    unsaved: Option<u64>,
    /// Forced writes that were asked for, and that are done.
    writes: (u64, u64),
    /// What is said in this step, and what waits for the disk.
    outbox: Vec<(ConnId, Message)>,
    held: VecDeque<(u64, ConnId, Message)>,
}

impl Daemon for Server {
    const KIND: &'static str = "Raft";
    type Config = Settings;
    type Message = Message;
    type Timer = Timer;
    type Job = Save;
    type Files = Files;
    type Fact = Fact;

    fn start(prng: Prng, cx: &mut Cx<Self>) -> Server {
        let mut hard = cx.files.cached.unwrap_or(cx.files.hard);
        if cx.config.broken.has(Broken::VoteForgotten) {
            hard.vote = None;
        }
        let log = cx.files.log.clone();
        let mut server = Server {
            prng,
            hard,
            durable: log.last_index(),
            log,
            role: Role::Follower,
            leader: None,
            elapsed: 0,
            timeout: 0,
            next_tick: cx.env.now,
            links: Links::default(),
            commit: 0,
            table: BTreeMap::new(),
            waiting: Vec::new(),
            reads: Vec::new(),
            issued: hard,
            unsaved: None,
            writes: (0, 0),
            outbox: Vec::new(),
            held: VecDeque::new(),
        };
        cx.fact(Fact::Started { term: hard.term, vote: hard.vote, last: server.log.last() });
        cx.listen(true);
        server.draw_timeout(cx);
        // a process starts somewhere between two ticks of the others
        let phase = match cx.config.broken.has(Broken::FixedTimeouts) {
            true => cx.config.tick,
            false => server.prng.between(1, cx.config.tick),
        };
        server.next_tick = cx.env.now.plus(phase);
        cx.set_timer(Timer::Tick, server.next_tick);
        server.dial_all(cx);
        server
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(Timer::Tick) => self.tick(cx),
            Told::Accepted(conn, from) => self.links.accepted(conn, from),
            Told::Connected(conn) => self.connected(conn, cx),
            Told::Refused(conn) => self.links.closed(conn),
            Told::Closed(conn) => {
                self.links.closed(conn);
                self.forget_client(conn);
            }
            Told::Message(conn, message) => self.message(conn, message, cx),
            Told::Persisted(save) => {
                self.writes.1 += 1;
                if save.log {
                    self.durable = save.from.saturating_sub(1) + save.entries.len() as u64;
                    self.advance_commit(cx);
                }
            }
            Told::Write(_, line) if line.trim() == "campaign" => self.campaign(false, cx),
            Told::Write(_, line) => cx.fact(Fact::NoCommand { line }),
        }
        self.flush(cx);
    }

    fn write(files: &mut Files, save: &Save) -> Option<Fact> {
        (files.hard, files.cached) = (save.hard, None);
        if save.log {
            files.log.replace(save.from, &save.entries);
        }
        let from = if save.log { save.from } else { files.log.last_index() + 1 };
        let Hard { term, vote } = save.hard;
        Some(Fact::Saved { term, vote, from, entries: save.entries.clone(), forced: true })
    }

    fn lose_power(files: &mut Files) {
        files.cached = None;
    }

    fn badge(server: Option<&Server>, files: &Files, env: &Env) -> Badge {
        show::badge(server, files, env.me)
    }

    fn rows(&self, rows: &mut crate::base::rows::Rows) {
        self.show(rows);
    }

    fn file_rows(files: &Files, rows: &mut crate::base::rows::Rows) {
        files.show(rows);
    }
}

impl Server {
    fn message(&mut self, conn: ConnId, message: Message, cx: &mut Cx<Self>) {
        let Some(from) = self.links.other_end(conn) else { return };
        self.links.heard(conn);
        match message {
            Message::RequestVote { term, last, pre } => self.on_request_vote(from, conn, (term, last, pre), cx),
            Message::Vote { term, granted, pre } => self.on_vote(from, term, granted, pre, cx),
            Message::AppendEntries { term, prev, entries, commit, round } => {
                let sent = replicate::Sent { term, prev, entries, commit, round };
                self.on_append(from, conn, sent, cx);
            }
            Message::Appended { term, ok, prev, last, round } => {
                self.on_appended(from, replicate::Reply { term, ok, prev, last, round }, cx);
            }
            Message::Request { number, ask } => self.on_ask(conn, number, ask, cx),
            Message::Response { .. } => {}
        }
    }

    /// Time passes by one tick. A process that was paused does not make up for those that it missed.
    fn tick(&mut self, cx: &mut Cx<Self>) {
        let late = cx.env.now.since(self.next_tick) / cx.config.tick;
        self.next_tick = self.next_tick.plus((late + 1) * cx.config.tick);
        cx.set_timer(Timer::Tick, self.next_tick);
        self.dial_all(cx);
        self.elapsed = self.elapsed.saturating_add(1);
        if self.is_leader() {
            self.lead_on(cx);
        } else if self.elapsed >= self.timeout {
            self.campaign(cx.config.pre_vote, cx);
        }
    }

    /// The end of a step: forces what has changed, and says what is to be said, now or when that is done.
    fn flush(&mut self, cx: &mut Cx<Self>) {
        self.save(cx);
        let waits = |message: &Message| {
            matches!(message, Message::RequestVote { .. } | Message::Vote { .. } | Message::Appended { .. })
        };
        for (conn, message) in std::mem::take(&mut self.outbox) {
            match waits(&message) && self.writes.0 > self.writes.1 {
                true => self.held.push_back((self.writes.0, conn, message)),
                false => cx.send(conn, message),
            }
        }
        while self.held.front().is_some_and(|(after, ..)| *after <= self.writes.1) {
            if let Some((_, conn, message)) = self.held.pop_front() {
                cx.send(conn, message);
            }
        }
    }

    fn save(&mut self, cx: &mut Cx<Self>) {
        let from = self.unsaved.take();
        if from.is_none() && self.hard == self.issued {
            return;
        }
        self.issued = self.hard;
        let Hard { term, vote } = self.hard;
        if from.is_none() && cx.config.broken.has(Broken::VoteNotForced) {
            cx.files.cached = Some(self.hard);
            cx.fact(Fact::Saved { term, vote, from: self.log.last_index() + 1, entries: Vec::new(), forced: false });
            return;
        }
        let entries = from.map_or(Vec::new(), |from| self.log.from(from, usize::MAX));
        self.writes.0 += 1;
        cx.persist(Save { hard: self.hard, from: from.unwrap_or(0), entries, log: from.is_some() });
    }

    /// The log has changed from an index on.
    fn changed_from(&mut self, index: u64) {
        self.unsaved = Some(self.unsaved.map_or(index, |from| from.min(index)));
    }

    fn say(&mut self, conn: ConnId, message: Message) {
        self.outbox.push((conn, message));
    }
}
