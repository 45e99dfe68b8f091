//! A ZooKeeper server as a machine in a world.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{Name, Node, Prng, ServerId, ServerSet, SortedMap};
use crate::server::{self, Files, Job, Server, StateFact};
use crate::store::Tree;
use crate::zab::{self, DiskOp, Members, Proposal};

use super::fact::{Fact, Hex, WorldFact};
use super::four_letter::told as told_of_word;
use super::host::{Host, Input, Outbox, Output, Timer, Token, Written};
use super::network::{Parcel, Port};
use crate::daemon::Env;

/// A ZooKeeper server.
#[derive(Clone, Debug)]
pub struct ZooKeeper {
    /// Its memory; none while it is crashed.
    pub server: Option<Box<Server>>,
    /// What is durable.
    pub files: Files,
    /// A copy of them that somebody made.
    backup: Option<Box<Files>>,
    /// Who belongs to the ensemble, as the file says that it was set up with.
    pub(super) members: Members,
    config: Rc<server::Config>,
    /// What its disk is to do.
    jobs: SortedMap<Token, Job>,
    /// Snapshots before this one are of a state that memory has lost since they began.
    frozen: Token,
}

/// The settings are left out: they are the world's.
impl Hash for ZooKeeper {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let ZooKeeper { server, files, backup, members, config: _, jobs, frozen } = self;
        (server, files, backup, members, jobs, frozen).hash(hasher);
    }
}

impl ZooKeeper {
    pub(super) fn new(config: Rc<server::Config>, members: Members, files: Files) -> ZooKeeper {
        ZooKeeper { server: None, files, backup: None, members, config, jobs: SortedMap::new(), frozen: 0 }
    }

    /// Whether this server serves alone when it runs.
    pub(super) fn is_alone(&self, me: ServerId) -> bool {
        let members = self.files.config.map_or(self.members, |config| config.now);
        self.config.zab.standalone && members.is_only(me)
    }

    /// Its file says something else about the ensemble from its next start on.
    pub(super) fn edit_config(&mut self, voters: ServerSet, observers: ServerSet) {
        self.members = Members { voters, observers, ..self.members };
        if let Some(config) = &mut self.files.config {
            *config = Members { voters, observers, ..config.now }.into();
        }
    }

    fn take(&mut self, from: server::Outbox, env: &Env, out: &mut Outbox) {
        out.next_conn = from.next_conn;
        let server = env.me;
        for output in from.items {
            let output = match output {
                server::Output::ToServer(conn, message) => Output::Send(conn, Parcel::Zab(message)),
                server::Output::ToClient(conn, packet) => Output::Send(conn, Parcel::ToClient(packet)),
                server::Output::Dial { conn, to, port } => Output::Dial { conn, to: to.into(), port: port.into() },
                server::Output::Close(conn) => Output::Close(conn),
                server::Output::Listen(on) => Output::Listen(Port::Quorum, on),
                server::Output::SetTimer(timer, at) => Output::SetTimer(Timer::Server(timer), at),
                server::Output::CancelTimer(timer) => Output::CancelTimer(Timer::Server(timer)),
                server::Output::Persist(job) => {
                    let (token, kind, background) = (job.token, kind(&job.op), job.is_background());
                    self.jobs.insert(token, job);
                    Output::Persist { token, kind, background }
                }
                server::Output::Exit => Output::Exit,
                server::Output::Zab(fact, why) => Output::Fact(Fact::Zab { server, fact }, why),
                server::Output::Fact(fact) => Output::Fact(Fact::Server { server, fact }, None),
                server::Output::State(fact) => {
                    if matches!(fact, StateFact::Restored { .. }) {
                        self.frozen = self.jobs.keys().next_back().map_or(0, |last| last + 1);
                    }
                    Output::Fact(stated(server, fact), None)
                }
            };
            out.push(output);
        }
    }
}

fn around<'a>(env: &Env, config: &'a server::Config, files: &'a Files) -> server::Env<'a> {
    server::Env { now: env.now, clock_ms: env.clock_ms, config, files }
}

fn kind(op: &DiskOp<Tree>) -> Name {
    match op {
        DiskOp::AcceptedEpoch(_) => "accepted_epoch",
        DiskOp::CurrentEpoch(_) => "current_epoch",
        DiskOp::Append(..) => "append",
        DiskOp::Snapshot(..) => "snapshot",
        DiskOp::InstallSnapshot(..) => "install",
        DiskOp::Truncate(_) => "truncate",
        DiskOp::Purge(_) => "purge",
        DiskOp::Config(_) => "config",
    }
}

/// What a server states of its state, its files and plain writes, as the format has it.
fn stated(server: ServerId, fact: StateFact) -> Fact {
    Fact::World(match fact {
        StateFact::Restored { last_txn, state } => WorldFact::Restored { server, last_txn, state: Hex(state) },
        StateFact::Applied { zxid, payload, state } => {
            WorldFact::Applied { server, zxid, payload, state: Hex(state) }
        }
        StateFact::Serving(on) => WorldFact::Serving { server, on },
        StateFact::WriteAnswered(write, zxid) => WorldFact::WriteAnswered { server, write, zxid },
        StateFact::WriteFailed(write, reason) => WorldFact::WriteFailed { server, write, reason },
        StateFact::Synced { first, last, count } => WorldFact::Synced { server, first, last, count },
        StateFact::UnsyncedLost { first, last, count } => WorldFact::UnsyncedLost { server, first, last, count },
        StateFact::EpochWritten { file, epoch } => WorldFact::EpochWritten { server, file, epoch },
        StateFact::SnapshotWritten { zxid, last_txn, installed } => {
            WorldFact::SnapshotWritten { server, zxid, last_txn, installed }
        }
        StateFact::Purged { before, snapshots, logs } => WorldFact::Purged { server, before, snapshots, logs },
        StateFact::WordSent { text, answer } => told_of_word(server, text, answer.as_deref(), None),
        StateFact::LogTruncated { to, removed, snapshots } => {
            WorldFact::LogTruncated { server, to, removed, snapshots }
        }
    })
}

/// What a server hears of an input; nothing of a message that is for another kind of machine.
fn heard(input: Input) -> Option<server::Input> {
    Some(match input {
        Input::Timer(Timer::Server(timer)) => server::Input::Timer(timer),
        Input::Accepted { conn, from: Node::Client(client), .. } => server::Input::ClientAccepted(conn, client),
        Input::Accepted { conn, from: Node::Server(from), port: Port::Election } => {
            server::Input::Accepted { conn, from, port: zab::Port::Election }
        }
        Input::Accepted { conn, from: Node::Server(from), port: Port::Quorum } => {
            server::Input::Accepted { conn, from, port: zab::Port::Quorum }
        }
        Input::Connected(conn) => server::Input::Connected(conn),
        Input::Refused(conn) => server::Input::Refused(conn),
        Input::Closed(conn) => server::Input::Closed(conn),
        Input::Message(conn, Parcel::Zab(message)) => server::Input::FromServer(conn, message),
        Input::Message(conn, Parcel::ToServer(packet)) => server::Input::FromClient(conn, packet),
        Input::Persisted(token, bytes) => server::Input::Persisted(token, bytes),
        Input::DiskFailed(token) => server::Input::DiskFailed(token),
        Input::Write(number, data) => server::Input::Write(number, data),
        Input::Server(input) => input,
        Input::Timer(Timer::Other(_))
        | Input::Accepted { from: Node::Server(_), port: Port::Client | Port::Service, .. }
        | Input::Message(_, Parcel::ToClient(_) | Parcel::Other(_)) => return None,
    })
}

impl Host for ZooKeeper {
    fn kind(&self) -> &'static str {
        "ZooKeeper"
    }

    fn copy(&self) -> Box<dyn Host> {
        Box::new(self.clone())
    }

    fn start(&mut self, prng: Prng, env: &Env, out: &mut Outbox) {
        let alone = self.is_alone(env.me);
        for port in [Port::Election, Port::Client].into_iter().skip(usize::from(alone)) {
            out.push(Output::Listen(port, true));
        }
        let members = self.files.config.unwrap_or(self.members.into());
        let mut empty = self.config.fresh.clone();
        if !alone {
            empty.set_config(&members.now.to_string(), members.now.version, env.clock_ms);
        }
        if let Some(fact) = self.files.begin(empty, env.now) {
            out.push(Output::Fact(stated(env.me, fact), None));
        }
        let mut from = server::Outbox { items: Vec::new(), next_conn: out.next_conn };
        let around = around(env, &self.config, &self.files);
        self.server = Some(Box::new(Server::boot(env.me, members, prng, around, &mut from)));
        self.take(from, env, out);
    }

    fn handle(&mut self, input: Input, env: &Env, out: &mut Outbox) {
        let (Some(server), Some(input)) = (&mut self.server, heard(input)) else { return };
        let mut from = server::Outbox { items: Vec::new(), next_conn: out.next_conn };
        let around = around(env, &self.config, &self.files);
        server.handle(input, around, &mut from);
        self.take(from, env, out);
    }

    fn persist(&mut self, token: Token, env: &Env) -> Written {
        let Some(mut job) = self.jobs.remove(&token) else { return Written::default() };
        // a snapshot is written while transactions are applied: it holds what the state is in the end
        if let (DiskOp::Snapshot(_, state), Some(server)) = (&mut job.op, &self.server)
            && token >= self.frozen
        {
            *state = server.tree.clone();
        }
        let server::Written { bytes, fact, ends_background } = self.files.finish(job, self.config.zab.rules, env.now);
        let fact = fact.map(|fact| stated(env.me, fact));
        if ends_background {
            self.jobs.retain(|_, job| !job.is_background());
        }
        Written { bytes, fact, ends_background }
    }

    fn fail(&mut self, token: Token) {
        self.jobs.remove(&token);
    }

    fn bytes(&self, token: Token) -> u64 {
        match self.jobs.get(&token).map(|job| &job.op) {
            Some(DiskOp::Append(batch, _)) => batch.iter().map(Proposal::bytes).sum(),
            Some(DiskOp::Snapshot(_, state) | DiskOp::InstallSnapshot(_, state)) => state.bytes(),
            _ => 0,
        }
    }

    fn parts(&self, token: Token) -> Option<u32> {
        match &self.jobs.get(&token)?.op {
            DiskOp::Append(batch, _) => Some(batch.len() as u32),
            _ => None,
        }
    }

    fn crash(&mut self, torn: Option<(Token, u32)>, env: &Env, out: &mut Outbox) {
        let mut jobs = std::mem::take(&mut self.jobs);
        let torn = torn.and_then(|(token, parts)| match jobs.remove(&token)?.op {
            DiskOp::Append(batch, rolls) => Some((batch.into_iter().take(parts as usize).collect(), rolls)),
            _ => None,
        });
        let Some(server) = self.server.take() else { return };
        let mut from = server::Outbox { items: Vec::new(), next_conn: out.next_conn };
        server.crash(torn, env.now, &self.config, &mut self.files, &mut from);
        self.take(from, env, out);
    }

    fn lose_power(&mut self, env: &Env, out: &mut Outbox) {
        for zxid in self.files.lose_young(env.now, self.config.zab.rules) {
            out.push(Output::Fact(Fact::World(WorldFact::SnapshotLost { server: env.me, zxid }), None));
        }
    }

    fn wipe(&mut self) {
        // the configuration is in a folder of its own, and the oracle's file belongs to whoever watches over the machines
        let Files { config, oracle, .. } = self.files;
        self.files = Files { config, oracle, ..Files::default() };
    }

    fn back_up(&mut self) {
        self.backup = Some(Box::new(self.files.clone()));
    }

    fn restore_backup(&mut self) -> bool {
        let Some(backup) = self.backup.as_deref() else { return false };
        // the dataDir is copied, and what lies elsewhere is not (see `wipe`); whoever copies back syncs
        let Files { config, oracle, .. } = self.files;
        self.files = Files { config, oracle, ..backup.clone() };
        self.files.snapshots.iter_mut().for_each(|snapshot| snapshot.written = None);
        true
    }

    /// The page has views of its own for what is in a server.
    fn rows(&self, rows: &mut Rows) {
        if let Some(server) = &self.server {
            server.peer.rows(rows);
            server.service.rows(rows);
        }
    }

    fn disk_rows(&self, rows: &mut Rows) {
        let Files { accepted_epoch: _, current_epoch: _, snapshots, log_start, log, log_files, oracle, config } =
            &self.files;
        rows.zxid("lastOnDisk", log.last().map_or(*log_start, |last| last.zxid));
        rows.put("logOnDisk", &log.len());
        rows.zxid("logStart", *log_start);
        rows.list("logFiles", |rows| {
            for name in log_files {
                rows.item(name, &format_args!("log.{name}"), String::new(), None);
            }
        });
        if let Some(grants) = oracle {
            rows.put("oracle", &u8::from(*grants));
        }
        if let Some(config) = config {
            rows.zxid("dynamicConfig", config.now.version);
            rows.zxid_or_none("dynamicConfig.next", config.next.map(|next| next.version));
        }
        rows.list("snapshots", |rows| {
            for server::Snapshot { zxid, state, written: _ } in snapshots {
                let text = format!("last {} · {} bytes · digest {:x}", state.last, state.bytes(), state.digest());
                rows.item(zxid, &format_args!("snapshot.{zxid}"), text, None);
            }
        });
    }

    fn job_name(&self, token: Token) -> String {
        self.jobs.get(&token).map_or(String::new(), |job| told(&job.op))
    }

    fn timer_name(&self, timer: Timer) -> String {
        match timer {
            Timer::Server(server::Timer::Zab(zab::Timer::ReadTimeout(conn))) => format!("ReadTimeout #{}", conn.0),
            Timer::Server(server::Timer::Zab(zab::Timer::DialTimeout(to))) => format!("DialTimeout {to}"),
            Timer::Server(server::Timer::Zab(timer)) => format!("{timer:?}"),
            Timer::Server(server::Timer::Service(timer)) => format!("{timer:?}"),
            Timer::Other(number) => number.to_string(),
        }
    }
}

fn told(op: &DiskOp<Tree>) -> String {
    match op {
        DiskOp::AcceptedEpoch(epoch) => format!("acceptedEpoch {epoch}"),
        DiskOp::CurrentEpoch(epoch) => format!("currentEpoch {epoch}"),
        DiskOp::Append(batch, _) => {
            let bytes: u64 = batch.iter().map(Proposal::bytes).sum();
            match (batch.first(), batch.last()) {
                (Some(first), Some(last)) if batch.len() > 1 => {
                    format!("append {} … {} ({}) · {bytes} bytes", first.zxid, last.zxid, batch.len())
                }
                (Some(one), _) => format!("append {} · {bytes} bytes", one.zxid),
                _ => "append".into(),
            }
        }
        DiskOp::Snapshot(zxid, _) => format!("snapshot {zxid}"),
        DiskOp::InstallSnapshot(zxid, _) => format!("install snapshot {zxid}"),
        DiskOp::Truncate(zxid) => format!("truncate to {zxid}"),
        DiskOp::Purge(zxid) => format!("purge before {zxid}"),
        DiskOp::Config(config) => format!("config {}", config.last_seen().version),
    }
}
