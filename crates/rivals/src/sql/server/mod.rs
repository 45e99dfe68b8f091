//! A database server: a [`Db`] with its log on disk, its clients, and perhaps replicas or a source.

mod commit;
mod operate;
mod replicate;

use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, SimTime, SortedMap};
use crate::daemon::{Badge, Cx, Daemon, Env, Told};

use super::db::{Db, Out};
use super::engine::{Engine, Variables};
use super::fact::Fact;
use super::log::{Files, Force, Record};
use super::message::Message;
use super::table::TableDef;

use commit::Commit;
use replicate::Follower;

/// What a database server is set up with.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which database it is.
    pub engine: Engine,
    /// The tables of the beginning.
    pub tables: Rc<Vec<TableDef>>,
    /// What is set in its configuration file.
    pub variables: Variables,
    /// Whose replica it is.
    pub replica_of: Option<ServerId>,
    /// Whether it has replicas, and so a binlog (MariaDB).
    pub has_replicas: bool,
    /// After how long a replica dials its source again, µs.
    pub reconnect_us: Micros,
}

/// When something is due: the earliest limit of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due;

/// A database server's memory.
#[derive(Clone, Debug)]
pub struct Server {
    db: Db,
    /// Records that are not written to the system yet.
    buffer: Vec<Rc<Record>>,
    /// Transactions that are being committed, in the order of the log.
    commits: Vec<Commit>,
    /// Forced writes under way, by log: how far they go.
    forcing: SortedMap<&'static str, usize>,
    /// How far each log was forced since the start.
    forced: SortedMap<&'static str, usize>,
    /// When what is not forced is forced in the background.
    flush_at: Option<SimTime>,
    /// Replicas, by connection.
    followers: SortedMap<ConnId, Follower>,
    /// Commits wait for no replica any more (MariaDB).
    degraded: bool,
    /// The connection to its source.
    source: Option<ConnId>,
    /// When it dials its source again.
    redial_at: Option<SimTime>,
    /// Whether it follows its source at all.
    follows: bool,
}

impl Daemon for Server {
    const KIND: &'static str = "Database";
    type Config = Config;
    type Message = Message;
    type Timer = Due;
    type Job = Force;
    type Files = Files;
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Server {
        let config = cx.config;
        let mut variables = config.variables.clone();
        variables.0.extend(cx.files.settings.clone());
        let mut db = Db::new(config.engine, variables, &config.tables);
        let replica = config.replica_of.is_some() && !cx.files.promoted;
        (db.read_only, db.now, db.clock_ms) = (replica, cx.env.now, cx.env.clock_ms);
        for record in &cx.files.log {
            db.replay(record);
        }
        db.out.clear();
        let prepared = db.trxs.len();
        let forced = ["redo", "binlog", "wal"].into_iter().map(|log| (log, cx.files.log.len())).collect();
        let mut server = Server {
            db,
            buffer: Vec::new(),
            commits: Vec::new(),
            forcing: SortedMap::new(),
            forced,
            flush_at: None,
            followers: SortedMap::new(),
            degraded: false,
            source: None,
            redial_at: None,
            follows: replica,
        };
        cx.listen(true);
        cx.fact(Fact::Recovered { records: cx.files.log.len(), prepared, replica });
        server.dial_source(cx);
        server.go_on(cx);
        server
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        (self.db.now, self.db.clock_ms) = (cx.env.now, cx.env.clock_ms);
        match told {
            Told::Timer(Due) => self.due(cx),
            Told::Accepted(conn, peer) => self.db.connect(conn.0, peer),
            Told::Connected(conn) => self.follow(conn, cx),
            Told::Refused(conn) | Told::Closed(conn) => self.lost(conn, cx),
            Told::Message(conn, message) => self.message(conn, message, cx),
            Told::Persisted(force) => {
                self.persisted(&force);
                self.say_forced(force.upto, cx);
            }
            Told::Write(_, line) => self.operate(&line, cx),
        }
        self.go_on(cx);
    }

    fn write(files: &mut Files, force: &Force) -> Option<Fact> {
        if force.durable {
            files.synced = files.synced.max(force.upto.min(files.log.len()));
        }
        Some(Fact::Forced { log: force.log, records: force.upto })
    }

    fn lose_power(files: &mut Files) {
        files.log.truncate(files.synced);
    }

    fn badge(server: Option<&Server>, _: &Files, _: &Env) -> Badge {
        let Some(server) = server else { return Badge::default() };
        let (role, primary) = if server.db.read_only { ("REPLICA", false) } else { ("PRIMARY", true) };
        Badge {
            role,
            crowned: primary && !server.followers.is_empty(),
            lines: super::rows::badge_lines(&server.db),
            grids: super::grids::grids(&server.db),
            ..Badge::default()
        }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.put("role", &if self.db.read_only { "replica" } else { "primary" });
        rows.conn("source", self.source);
        rows.put("buffer", &self.buffer.len());
        rows.list("tables", |rows| super::rows::tables(&self.db, rows));
        rows.list("sessions", |rows| super::rows::sessions(&self.db, rows));
        rows.list("locks", |rows| super::rows::locks(&self.db, rows));
    }

    fn file_rows(files: &Files, rows: &mut Rows) {
        rows.put("log", &files.log.len());
        rows.put("synced", &files.synced);
        rows.put("promoted", &files.promoted);
    }
}

impl Server {
    /// What it knows of the tables.
    pub fn db(&self) -> &Db {
        &self.db
    }

    fn is_mariadb(&self) -> bool {
        self.db.engine == Engine::MariaDb
    }

    fn message(&mut self, conn: ConnId, message: Message, cx: &mut Cx<Self>) {
        match message {
            Message::Query(query) => self.db.ask(conn.0, query),
            Message::Follow { from, acknowledges } => {
                self.db.disconnected(conn.0);
                self.followers.insert(conn, Follower { sent: from, acked: from, acknowledges });
            }
            Message::Log { from, records } => self.take_records(conn, from, &records, cx),
            Message::Ack { upto } => self.acknowledged(conn, upto, cx),
            Message::Answer { .. } => {}
        }
    }

    fn lost(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        if self.source == Some(conn) {
            self.source = None;
            self.redial_at = Some(cx.env.now.plus(cx.config.reconnect_us));
        } else if self.followers.remove(&conn).is_none() {
            self.db.disconnected(conn.0);
        }
    }

    /// Some limit has run out.
    fn due(&mut self, cx: &mut Cx<Self>) {
        let now = cx.env.now;
        let over = |at: Option<SimTime>| at.is_some_and(|at| at <= now);
        self.db.limits();
        if over(self.flush_at) {
            self.flush_at = None;
            self.flush(cx);
        }
        if over(self.redial_at) {
            self.redial_at = None;
            self.dial_source(cx);
        }
        self.replica_limit(cx);
    }

    /// Does what the database wants done until nothing is left, sends what is new to replicas, and arms the timer.
    fn go_on(&mut self, cx: &mut Cx<Self>) {
        loop {
            let outs = std::mem::take(&mut self.db.out);
            let idle = outs.is_empty();
            for out in outs {
                match out {
                    Out::Answer(session, query, reply, notices) => {
                        let number = query.number;
                        cx.send(ConnId(session), Message::Answer { number, reply, notices });
                    }
                    Out::Log(session, trx, record) => self.log(session, trx, record, cx),
                    Out::Close(session) => cx.close(ConnId(session)),
                    Out::Fact(fact) => cx.fact(fact),
                }
            }
            self.advance(cx);
            if idle && self.db.out.is_empty() {
                break;
            }
        }
        self.ship(cx);
        self.await_flush(cx);
        let limits = [self.db.next_limit(), self.flush_at, self.redial_at, self.next_replica_limit()];
        match limits.into_iter().flatten().min() {
            Some(at) => cx.set_timer(Due, at),
            None => cx.cancel_timer(Due),
        }
    }
}
