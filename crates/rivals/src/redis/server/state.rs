//! What a server keeps in memory, and how it begins.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ConnId, Prng, ServerId, SimTime, SortedMap};
use crate::daemon::{Cx, Told};
use crate::redis::EPOCH_MS;
use crate::redis::conf::Conf;
use crate::redis::fact::Fact;
use crate::redis::message::Message;
use crate::redis::store::{Effect, Keyspace, Role};

use super::backlog::Backlog;
use super::files::Aof;
use super::session::Session;

/// The connection of an operator at the server itself: there is none.
pub(super) const OPERATOR: ConnId = ConnId(u64::MAX);

/// What a server is set up with.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Its configuration file.
    pub conf: Rc<Conf>,
}

/// A server's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The turn ends.
    Turn,
    /// `serverCron`.
    Cron,
    /// Somebody has waited long enough.
    Unblock,
    /// A script's loops are over.
    ScriptEnds,
    /// A script has run for longer than it may: others hear of it.
    Busy,
}

/// The append-only file at work.
#[derive(Clone, Debug, Default)]
pub(super) struct AofState {
    /// What this turn adds, each with the wall clock.
    pub buffer: Vec<(Vec<String>, i64)>,
    /// The database was named.
    pub selected: bool,
    /// The thread waits for the sync.
    pub inline: bool,
    /// A sync runs beside the thread.
    pub background: bool,
    /// When the last one of `everysec` began, seconds.
    pub last_sync_s: i64,
    /// Since when a write is put off, because a sync runs.
    pub postponed: Option<SimTime>,
}

/// A replica's link to its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// There is none; the next second tries.
    Down,
    /// It dials.
    Dialling(ConnId),
    /// PSYNC was sent.
    Asking(ConnId),
    /// The stream flows.
    Up(ConnId),
}

impl Link {
    pub(super) fn conn(self) -> Option<ConnId> {
        match self {
            Link::Down => None,
            Link::Dialling(conn) | Link::Asking(conn) | Link::Up(conn) => Some(conn),
        }
    }

    pub(super) fn is_up(self) -> bool {
        matches!(self, Link::Up(_))
    }
}

/// The replication stream, of a master as of a replica.
#[derive(Clone, Debug)]
pub(super) struct Replication {
    /// The history's name.
    pub replid: String,
    /// The former history's name, and up to where it is this one.
    pub second: Option<(String, i64)>,
    /// Where the stream ends, bytes.
    pub offset: i64,
    /// Its end, once there was a replica.
    pub backlog: Option<Backlog>,
    /// This turn's part, with where it begins.
    pub stream: Option<(i64, Vec<Vec<String>>)>,
    /// The database was named.
    pub selected: bool,
    /// To the source.
    pub link: Link,
    /// `replid` and `offset` are worth asking with.
    pub cached: bool,
    /// Since when the link is down.
    pub down_since: Option<SimTime>,
    /// When the source was last heard.
    pub heard: SimTime,
    /// Somebody waits for acknowledgements.
    pub wants_acks: bool,
    /// Replicas heard of within `min-replicas-max-lag`.
    pub good: i64,
    /// Full copies served.
    pub full_syncs: u64,
    /// Continuations served.
    pub partial_syncs: u64,
}

/// A script whose loops keep the thread.
#[derive(Clone, Debug)]
pub(super) struct Busy {
    /// Who sent it.
    pub conn: ConnId,
    /// The command.
    pub args: Vec<String>,
    /// Since when.
    pub since: SimTime,
    /// The wall clock then: it stands still for the script.
    pub clock: i64,
    /// When it writes for the first time.
    pub writes_at: Option<SimTime>,
}

/// A server's memory.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) keys: Keyspace,
    pub(super) prng: Prng,
    pub(super) run_id: String,
    pub(super) sessions: SortedMap<ConnId, Session>,
    /// What has arrived while the thread was kept.
    pub(super) held: VecDeque<Told<Server>>,
    /// This turn's answers.
    pub(super) out: Vec<(ConnId, Message)>,
    pub(super) turn: bool,
    pub(super) aof: AofState,
    pub(super) repl: Replication,
    /// Who waits for each list, in order.
    pub(super) queues: SortedMap<String, VecDeque<ConnId>>,
    /// Known scripts by their SHA1.
    pub(super) scripts: SortedMap<String, String>,
    pub(super) busy: Option<Busy>,
    /// The last command has changed keys.
    pub(super) wrote: bool,
    /// EXEC runs: nothing waits.
    pub(super) in_exec: bool,
    pub(super) crons: u64,
    pub(super) exiting: bool,
}

/// Forty hexadecimal digits (`getRandomHexChars`).
pub(super) fn hex_id(prng: &mut Prng) -> String {
    (0..5).map(|_| format!("{:04x}{:04x}", prng.below(1 << 16), prng.below(1 << 16))).collect()
}

impl Server {
    /// The process starts: the log or the snapshot is read, the source is dialled.
    pub(super) fn boot(mut prng: Prng, cx: &mut Cx<Server>) -> Server {
        let conf = cx.files.conf(&cx.config.conf);
        let run_id = hex_id(&mut prng);
        let repl = Replication {
            replid: hex_id(&mut prng),
            second: None,
            offset: 0,
            backlog: None,
            stream: None,
            selected: false,
            link: Link::Down,
            cached: false,
            down_since: None,
            heard: cx.env.now,
            wants_acks: false,
            good: 0,
            full_syncs: 0,
            partial_syncs: 0,
        };
        let mut server = Server {
            keys: Keyspace { conf, ..Keyspace::default() },
            prng,
            run_id,
            sessions: SortedMap::new(),
            held: VecDeque::new(),
            out: Vec::new(),
            turn: false,
            aof: AofState::default(),
            repl,
            queues: SortedMap::new(),
            scripts: SortedMap::new(),
            busy: None,
            wrote: false,
            in_exec: false,
            crons: 0,
            exiting: false,
        };
        server.sessions.insert(OPERATOR, Session::new(None));
        server.load(cx);
        cx.listen(true);
        // the first `serverCron` comes after a millisecond
        cx.set_timer(Timer::Cron, cx.env.now.plus(1_000));
        if server.keys.conf.source.is_some() {
            server.repl.down_since = Some(cx.env.now);
            server.dial_source(cx);
        }
        server
    }

    /// Reads what the disk holds (`loadDataFromDisk`).
    fn load(&mut self, cx: &mut Cx<Server>) {
        self.set_now(cx);
        let (mut from, mut dropped) = ("nothing", 0);
        if self.keys.conf.append_only {
            if cx.files.aof.is_none() {
                cx.files.aof = Some(Aof::default());
            }
            if let Some(aof) = &mut cx.files.aof {
                from = "aof";
                self.keys.data = (*aof.base).clone();
                self.keys.role = Role::Follower;
                let (commands, left_out) = aof.whole();
                (commands.iter()).for_each(|command| self.keys.replay(command));
                dropped = left_out;
                let whole = aof.commands.len() - left_out;
                aof.commands.truncate(whole);
                (aof.synced, aof.torn) = (aof.synced.min(whole), 0);
            }
        } else if let Some(rdb) = &cx.files.rdb {
            from = "rdb";
            self.keys.data = (*rdb.data).clone();
            if let (Some((replid, offset)), true) = (&rdb.place, self.keys.conf.source.is_some()) {
                (self.repl.replid, self.repl.offset, self.repl.cached) = (replid.clone(), *offset, true);
                self.repl.backlog = Some(Backlog::new(*offset));
            }
        }
        // a master takes no key whose time is over from a snapshot (`rdbLoadRio`); those of the log the first cycle finds
        if self.keys.conf.source.is_none() && from == "rdb" {
            let now = self.keys.now;
            self.keys.data.retain(|_, entry| entry.until.is_none_or(|until| now <= until));
        }
        // nobody watches or waits yet
        self.keys.touched.clear();
        self.keys.pushed.clear();
        self.keys.role = self.role();
        cx.fact(Fact::Loaded { keys: self.keys.data.len(), from, dropped });
    }

    /// What expired keys are to it.
    pub(super) fn role(&self) -> Role {
        if self.keys.conf.source.is_some() { Role::Replica } else { Role::Master }
    }

    /// Whom it follows.
    pub(super) fn source(&self) -> Option<ServerId> {
        self.keys.conf.source
    }

    /// A command begins: it sees this moment until its end.
    pub(super) fn set_now(&mut self, cx: &Cx<Server>) {
        self.keys.now = EPOCH_MS + cx.env.clock_ms;
    }

    /// The wall clock's seconds.
    pub(super) fn seconds(cx: &Cx<Server>) -> i64 {
        (EPOCH_MS + cx.env.clock_ms) / 1000
    }

    /// An answer, sent at the end of the turn.
    pub(super) fn answer(&mut self, conn: ConnId, message: Message) {
        self.out.push((conn, message));
    }

    /// Takes what commands have left behind, but for effects.
    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.keys.effects)
    }
}
