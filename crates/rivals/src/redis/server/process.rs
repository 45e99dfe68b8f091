//! A command from its arrival to its answer (`server.c` `processCommand`, `call`).

use crate::base::ConnId;
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::line::typed;
use crate::redis::message::Message;
use crate::redis::reply::Reply;
use crate::redis::store::{Command, Effect, Removed, Role, TableEntry, find, wrong_number};

use super::state::{OPERATOR, Server};

/// So much of an unknown command's arguments is repeated to the client.
const MAX_SHOWN: usize = 128;
/// So much of a line stands in a fact.
const MAX_LINE: usize = 200;

pub(super) const BUSY: &str =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const READONLY: &str = "READONLY You can't write against a read only replica.";
const NOREPLICAS: &str = "NOREPLICAS Not enough good replicas to write.";
const MASTERDOWN: &str = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";

/// Commands that are executed at once inside of MULTI.
const NEVER_QUEUED: [&str; 6] = ["exec", "discard", "multi", "watch", "quit", "reset"];
/// What a subscribed connection may say.
const WHILE_SUBSCRIBED: [&str; 7] =
    ["subscribe", "unsubscribe", "psubscribe", "punsubscribe", "ping", "quit", "reset"];

fn unknown(args: &[String]) -> Reply {
    let mut shown = String::new();
    for arg in args.iter().skip(1) {
        if shown.len() >= MAX_SHOWN {
            break;
        }
        let room = MAX_SHOWN - shown.len();
        shown += &format!("'{}' ", arg.chars().take(room).collect::<String>());
    }
    let name: String = args.first().map_or("", String::as_str).chars().take(MAX_SHOWN).collect();
    Reply::error(format!("ERR unknown command '{name}', with args beginning with: {shown}"))
}

/// A command as a fact tells it.
pub(super) fn line_of(args: &[String]) -> String {
    let line = typed(args);
    match line.char_indices().nth(MAX_LINE) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

impl Server {
    /// A command has arrived.
    pub(super) fn receive(&mut self, conn: ConnId, args: Vec<String>, cx: &mut Cx<Server>) {
        let Some(session) = self.sessions.get_mut(&conn) else { return };
        if session.blocked.is_some() {
            session.waiting.push_back(args);
            return;
        }
        let reply = self.process(conn, &args, cx);
        self.executed(conn, &args, reply.as_ref(), cx);
        if let Some(reply) = reply {
            self.answer(conn, Message::Reply { reply });
        }
        if let Some(session) = self.sessions.get_mut(&conn) {
            session.written = self.repl.offset;
        }
        self.serve_lists(cx);
    }

    fn executed(&mut self, conn: ConnId, args: &[String], reply: Option<&Reply>, cx: &mut Cx<Server>) {
        let name = args.first().map_or("", String::as_str);
        let watching = ["PING", "INFO", "REPLCONF", "PSYNC"].iter().any(|word| name.eq_ignore_ascii_case(word));
        let hello = args.get(1).is_some_and(|channel| channel == "__sentinel__:hello");
        let Some(session) = self.sessions.get(&conn).filter(|_| !watching && !hello && conn != OPERATOR) else {
            return;
        };
        let write = self.wrote;
        let reply = reply.map(|reply| reply.to_string().chars().take(MAX_LINE).collect());
        cx.fact(Fact::Executed { line: line_of(args), reply, by: session.name(), write });
    }

    /// Checks a command, queues or executes it; its answer, unless that comes later.
    pub(super) fn process(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        self.set_now(cx);
        self.wrote = false;
        let name = args.first()?;
        let refused = match find(name) {
            None => Err(unknown(args)),
            Some(entry) if !entry.takes(args.len()) => Err(wrong_number(name)),
            Some(entry) => self.refusal(conn, entry).map_or(Ok(entry), Err),
        };
        let entry = match refused {
            Ok(entry) => entry,
            Err(reply) => return Some(self.refuse(conn, args, reply)),
        };
        if let Some(queue) = self.sessions.get_mut(&conn).and_then(|session| session.queue.as_mut())
            && !NEVER_QUEUED.contains(&entry.name)
        {
            queue.push(args.to_vec());
            return Some(Reply::Status("QUEUED".into()));
        }
        let reply = self.execute(conn, entry, args, cx);
        self.settle(conn, cx);
        reply
    }

    /// An error while commands are queued spoils the transaction.
    fn refuse(&mut self, conn: ConnId, args: &[String], reply: Reply) -> Reply {
        let is_exec = args.first().is_some_and(|name| name.eq_ignore_ascii_case("exec"));
        let Some(session) = self.sessions.get_mut(&conn).filter(|session| session.queue.is_some()) else {
            return reply;
        };
        if is_exec {
            session.end_multi();
            if let Reply::Error(text) = &reply {
                return Reply::error(format!("EXECABORT Transaction discarded because of: {text}"));
            }
        }
        session.spoilt = true;
        reply
    }

    /// Why a command is not executed now.
    fn refusal(&self, conn: ConnId, entry: &TableEntry) -> Option<Reply> {
        let session = self.sessions.get(&conn)?;
        let queued =
            |args: &Vec<String>| args.first().and_then(|name| find(name)).is_some_and(|entry| entry.flags.write);
        let queue = session.queue.as_ref().filter(|_| entry.name == "exec");
        let write = entry.flags.write || queue.is_some_and(|queue| queue.iter().any(queued));
        if write && let Some(error) = self.no_write() {
            return Some(Reply::error(error));
        }
        if session.is_subscribed() && !WHILE_SUBSCRIBED.contains(&entry.name) {
            let only = "only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
            return Some(Reply::error(format!("ERR Can't execute '{}': {only}", entry.name)));
        }
        if !entry.flags.stale && self.is_stale() {
            return Some(Reply::error(MASTERDOWN));
        }
        (self.busy.is_some() && !entry.flags.busy).then(|| Reply::error(BUSY))
    }

    /// Why nothing may be written.
    pub(super) fn no_write(&self) -> Option<&'static str> {
        let conf = &self.keys.conf;
        if self.source().is_some() {
            return conf.read_only.then_some(READONLY);
        }
        (conf.min_replicas > 0 && conf.max_lag > 0 && self.repl.good < conf.min_replicas).then_some(NOREPLICAS)
    }

    /// Whether what it has may be old and must not be served.
    pub(super) fn is_stale(&self) -> bool {
        self.source().is_some() && !self.repl.link.is_up() && !self.keys.conf.serve_stale
    }

    /// What a script hears of a command that it may not call now.
    pub(super) fn script_refusal(&self, entry: &TableEntry) -> Option<&'static str> {
        if entry.flags.write
            && let Some(error) = self.no_write()
        {
            return Some(error);
        }
        (!entry.flags.stale && self.is_stale()).then_some(MASTERDOWN)
    }

    /// Executes a command.
    pub(super) fn execute(
        &mut self,
        conn: ConnId,
        entry: &TableEntry,
        args: &[String],
        cx: &mut Cx<Server>,
    ) -> Option<Reply> {
        match entry.run {
            Command::Keys(run) => Some(run(&mut self.keys, args)),
            Command::Server => self.execute_own(conn, entry.name, args, cx),
        }
    }

    /// The commands for which keys are not enough.
    fn execute_own(&mut self, conn: ConnId, name: &str, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        match name {
            "ping" => Some(self.ping(conn, args)),
            "multi" | "exec" | "discard" | "watch" | "unwatch" => Some(self.transaction(conn, name, args, cx)),
            "blpop" | "brpop" => self.blocking_pop(conn, args, name == "blpop", cx),
            "wait" => self.wait(conn, args, cx),
            "subscribe" | "unsubscribe" | "psubscribe" | "punsubscribe" => self.subscription(conn, name, args),
            "eval" | "evalsha" => self.eval(conn, args, cx),
            "script" => Some(self.script_command(args, cx)),
            "replicaof" | "slaveof" => Some(self.replicaof(args, cx)),
            "psync" => self.psync(conn, args, cx),
            "replconf" => self.replconf(conn, args, cx),
            _ => self.administer(conn, name, args, cx),
        }
    }

    /// What a command has left behind goes where it belongs: watchers, facts, subscribers, log and replicas.
    pub(super) fn settle(&mut self, conn: ConnId, cx: &mut Cx<Server>) {
        self.touch_watched();
        let by = self.sessions.get(&conn).map_or(String::new(), |session| session.name());
        for Removed { key, value, expired_ms } in std::mem::take(&mut self.keys.removed) {
            cx.fact(match expired_ms {
                Some(late_ms) => Fact::Expired { key, value, late_ms, lazily: true },
                None => Fact::Deleted { key, value, by: by.clone() },
            });
        }
        self.out.append(&mut self.keys.pushes);
        let effects = self.take_effects();
        self.wrote = !effects.is_empty();
        if self.keys.role == Role::Master {
            self.propagate(effects, true);
        }
    }

    /// Commands as executed go to the log and to replicas; several belong together (`propagatePendingCommands`).
    pub(super) fn propagate(&mut self, effects: Vec<Effect>, together: bool) {
        let multi = effects.len() > 1 && together;
        let word = |word: &str| vec![Effect { args: vec![word.into()], logged: true }];
        let (before, after) = if multi { (word("MULTI"), word("EXEC")) } else { (Vec::new(), Vec::new()) };
        for effect in before.into_iter().chain(effects).chain(after) {
            if effect.logged {
                self.log(&effect.args);
            }
            self.feed(effect.args);
        }
    }
}
