//! The loop: what arrives is taken, a turn ends, the clock ticks (`server.c` `beforeSleep`, `serverCron`).

use crate::base::{ConnId, Node};
use crate::daemon::{Cx, Told};
use crate::redis::fact::Fact;
use crate::redis::line::split;
use crate::redis::message::Message;
use crate::redis::reply::Reply;
use crate::redis::store::{Removed, Role};

use super::session::Session;
use super::state::{OPERATOR, Server, Timer};

/// The time between two `serverCron`, µs: `hz` 10.
pub(super) const CRON_US: u64 = 100_000;
/// What arrives within so short a time is read in one turn, µs.
const TURN_US: u64 = 1;

impl Server {
    /// Takes an input while the thread is free, or kept by a script.
    pub(super) fn take(&mut self, told: Told<Server>, cx: &mut Cx<Server>) {
        match told {
            Told::Timer(Timer::Turn) => {
                self.turn = false;
                return self.end_turn(cx);
            }
            Told::Timer(Timer::Cron) => self.cron(cx),
            Told::Timer(Timer::ScriptEnds) => self.script_ends(cx),
            Told::Timer(Timer::Busy) => self.take_held(cx),
            told if self.is_kept(&told, cx) => return self.held.push_back(told),
            Told::Timer(Timer::Unblock) => self.time_out(cx),
            Told::Accepted(conn, from) => drop(self.sessions.insert(conn, Session::new(Some(from)))),
            Told::Connected(conn) => self.link_open(conn, cx),
            Told::Refused(conn) | Told::Closed(conn) => self.closed(conn, cx),
            Told::Message(conn, message) => self.message(conn, message, cx),
            Told::Write(_, line) => self.operate(&line, cx),
            Told::Persisted(_) => {}
        }
        if !self.turn && !self.aof.inline {
            self.turn = true;
            cx.set_timer(Timer::Turn, cx.env.now.plus(TURN_US));
        }
    }

    /// Whether a script keeps the thread from it. Once the script has run too long, clients are read again; all else still waits.
    fn is_kept(&self, told: &Told<Server>, cx: &Cx<Server>) -> bool {
        let Some(busy) = &self.busy else { return false };
        let patient = cx.env.now.since(busy.since) / 1000 < self.keys.conf.busy_ms.unsigned_abs();
        let from_client = match told {
            Told::Message(conn, Message::Command { .. }) => {
                *conn != busy.conn && self.sessions.get(conn).is_some_and(|session| session.replica.is_none())
            }
            Told::Accepted(..) | Told::Write(..) => true,
            Told::Closed(conn) => *conn != busy.conn,
            _ => false,
        };
        patient || !from_client
    }

    /// Takes what has arrived while the thread was kept.
    pub(super) fn take_held(&mut self, cx: &mut Cx<Server>) {
        for told in std::mem::take(&mut self.held) {
            match self.aof.inline {
                true => self.held.push_back(told),
                false => self.take(told, cx),
            }
        }
    }

    fn message(&mut self, conn: ConnId, message: Message, cx: &mut Cx<Server>) {
        match message {
            Message::Command { args } => self.receive(conn, args, cx),
            _ if self.repl.link.conn() != Some(conn) => {}
            Message::FullResync { replid, offset, data } => self.full_copy(replid, offset, &data, cx),
            Message::Continue { replid } => self.continues(replid, cx),
            Message::Stream { from, commands } => self.apply(from, &commands, cx),
            // the source refuses: the next second tries again
            Message::Reply { .. } | Message::Push { .. } => self.give_up_link(cx),
        }
    }

    fn closed(&mut self, conn: ConnId, cx: &mut Cx<Server>) {
        if self.repl.link.conn() == Some(conn) {
            return self.link_lost(cx);
        }
        self.forget(conn);
    }

    /// A connection is gone, with its watches, subscriptions and its place in queues.
    pub(super) fn forget(&mut self, conn: ConnId) {
        let Some(session) = self.sessions.remove(&conn) else { return };
        self.leave_queues(conn);
        self.leave_channels(conn);
        if session.replica.is_some() {
            self.count_good();
        }
    }

    /// A line typed at the server itself.
    fn operate(&mut self, line: &str, cx: &mut Cx<Server>) {
        let reply = match split(line) {
            Some(args) if !args.is_empty() => {
                let reply = self.process(OPERATOR, &args, cx);
                self.serve_lists(cx);
                let subscribed = self.sessions.get(&OPERATOR).is_some_and(|session| session.blocked.is_some());
                if subscribed {
                    // nobody would hear the answer
                    self.leave_queues(OPERATOR);
                    self.sessions.insert(OPERATOR, Session::new(None));
                }
                reply.unwrap_or(Reply::Nil)
            }
            _ => Reply::error("Invalid argument(s)"),
        };
        cx.fact(Fact::Operated { line: line.into(), reply });
    }

    /// The turn ends: waits are answered, the log is written, then all is sent.
    fn end_turn(&mut self, cx: &mut Cx<Server>) {
        if self.busy.is_none() {
            self.serve_waits(cx);
            self.ask_acks();
        }
        if !self.flush_log(cx) {
            self.send_answers(cx);
        }
    }

    /// Sends answers, then the replication stream; closes what is to be closed.
    pub(super) fn send_answers(&mut self, cx: &mut Cx<Server>) {
        self.send_stream();
        for (conn, message) in std::mem::take(&mut self.out) {
            if conn != OPERATOR {
                cx.send(conn, message);
            }
        }
        let closing = self.sessions.iter().filter(|(_, session)| session.closing).map(|(conn, _)| *conn);
        for conn in closing.collect::<Vec<_>>() {
            cx.close(conn);
            self.forget(conn);
        }
    }

    /// Ten times a second: expired keys go, and each second replication is looked after.
    fn cron(&mut self, cx: &mut Cx<Server>) {
        cx.set_timer(Timer::Cron, cx.env.now.plus(CRON_US));
        if self.busy.is_some() {
            return;
        }
        self.set_now(cx);
        if self.keys.role == Role::Master && self.keys.conf.active_expire {
            self.expire_all(cx);
        }
        if self.crons.is_multiple_of(10) {
            self.replication_cron(cx);
        }
        self.crons += 1;
    }

    /// The active cycle (`activeExpireCycle`). With few keys it looks at each of them; each goes to the log alone.
    fn expire_all(&mut self, cx: &mut Cx<Server>) {
        let over: Vec<String> = self.keys.data.keys().filter(|key| self.keys.is_expired(key)).cloned().collect();
        for key in over {
            self.keys.expire(&key);
            for Removed { key, value, expired_ms } in std::mem::take(&mut self.keys.removed) {
                cx.fact(Fact::Expired { key, value, late_ms: expired_ms.unwrap_or_default(), lazily: false });
            }
            self.settle(OPERATOR, cx);
        }
    }

    /// Who is at the other end of a connection.
    pub(super) fn node_of(&self, conn: ConnId) -> Option<Node> {
        self.sessions.get(&conn)?.node
    }
}
