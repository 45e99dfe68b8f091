//! Replication, seen from the source (`replication.c`): the stream, PSYNC, acknowledgements.

use std::rc::Rc;

use crate::base::ConnId;
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::message::{Message, bytes};
use crate::redis::reply::Reply;
use crate::redis::store::integer;

use super::backlog::Backlog;
use super::session::Replica;
use super::state::{Link, Server, hex_id};

impl Server {
    /// A command goes to replicas. Where there never was one, the stream does not begin.
    pub(super) fn feed(&mut self, args: Vec<String>) {
        if self.repl.backlog.is_none() {
            return;
        }
        if !self.repl.selected {
            self.repl.selected = true;
            self.append(vec!["SELECT".into(), "0".into()]);
        }
        self.append(args);
    }

    /// Adds to the stream as it is.
    pub(super) fn append(&mut self, args: Vec<String>) {
        let (most, from) = (self.keys.conf.backlog, self.repl.offset);
        if let Some(backlog) = &mut self.repl.backlog {
            self.repl.offset += bytes(&args);
            backlog.push(args.clone(), most);
            self.repl.stream.get_or_insert((from, Vec::new())).1.push(args);
        }
    }

    /// Sends this turn's part of the stream to all replicas.
    pub(super) fn send_stream(&mut self) {
        let Some((from, commands)) = self.repl.stream.take() else { return };
        let commands = Rc::new(commands);
        for (conn, session) in &self.sessions {
            if session.replica.is_some() {
                self.out.push((*conn, Message::Stream { from, commands: commands.clone() }));
            }
        }
    }

    /// PSYNC: continues from the backlog where it can, else sends everything (`masterTryPartialResync`).
    pub(super) fn psync(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        if self.source().is_some() && !self.repl.link.is_up() {
            return Some(Reply::error("NOMASTERLINK Can't SYNC while not connected with my master"));
        }
        let asked = args.get(2).and_then(|offset| integer(offset)).map_or(-1, |offset| offset.saturating_sub(1));
        let replid = args.get(1).map_or("?", String::as_str);
        // what the turn has written so far goes to the others, not to the new one
        self.send_stream();
        let replica = self.sessions.get(&conn)?.name();
        let missing = self.missing(replid, asked);
        let (full, because) = (missing.is_err(), missing.as_ref().err().copied());
        match missing {
            Ok(commands) => {
                self.repl.partial_syncs += 1;
                self.answer(conn, Message::Continue { replid: self.repl.replid.clone() });
                if !commands.is_empty() {
                    self.answer(conn, Message::Stream { from: asked, commands: Rc::new(commands) });
                }
            }
            Err(_) => self.send_all(conn),
        }
        let acked = if full { 0 } else { asked };
        if let Some(session) = self.sessions.get_mut(&conn) {
            session.replica = Some(Replica { acked, heard_s: Server::seconds(cx) });
        }
        self.count_good();
        cx.fact(Fact::Attached { replica, full, offset: self.repl.offset, because });
        None
    }

    /// What a replica with this history lacks.
    fn missing(&self, replid: &str, from: i64) -> Result<Vec<Vec<String>>, &'static str> {
        let second = self.repl.second.as_ref();
        let own = replid == self.repl.replid;
        let former = second.is_some_and(|(id, upto)| id == replid && from <= *upto);
        if replid == "?" {
            return Err("first");
        }
        if !own && !former {
            return Err("history");
        }
        self.repl.backlog.as_ref().and_then(|backlog| backlog.since(from)).ok_or("backlog")
    }

    fn send_all(&mut self, conn: ConnId) {
        self.repl.full_syncs += 1;
        if self.repl.backlog.is_none() {
            // a stream that begins is a history of its own (`syncCommand`)
            (self.repl.replid, self.repl.second) = (hex_id(&mut self.prng), None);
            self.repl.offset += 1;
            self.repl.backlog = Some(Backlog::new(self.repl.offset));
        }
        self.repl.selected = false;
        let (replid, offset) = (self.repl.replid.clone(), self.repl.offset);
        self.answer(conn, Message::FullResync { replid, offset, data: Rc::new(self.keys.data.clone()) });
    }

    /// REPLCONF ACK: what a replica has; nobody answers it.
    pub(super) fn replconf(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        let ack = args.get(1).is_some_and(|word| word.eq_ignore_ascii_case("ACK"));
        if !ack {
            return Some(Reply::ok());
        }
        let acked = args.get(2).and_then(|offset| integer(offset))?;
        let heard_s = Server::seconds(cx);
        if let Some(replica) = self.sessions.get_mut(&conn).and_then(|session| session.replica.as_mut()) {
            replica.acked = replica.acked.max(acked);
            replica.heard_s = heard_s;
        }
        None
    }

    /// How many replicas have acknowledged so much.
    pub(super) fn acked(&self, offset: i64) -> i64 {
        let replicas = self.sessions.values().filter_map(|session| session.replica);
        replicas.filter(|replica| replica.acked >= offset).count() as i64
    }

    /// Asks replicas for their offsets, if somebody waits for them.
    pub(super) fn ask_acks(&mut self) {
        if std::mem::take(&mut self.repl.wants_acks) {
            self.feed(["REPLCONF", "GETACK", "*"].map(String::from).to_vec());
        }
    }

    /// Counts the replicas that were heard of lately (`refreshGoodSlavesCount`).
    pub(super) fn count_good(&mut self) {
        let (now, lag) = (self.keys.now / 1000, self.keys.conf.max_lag);
        let replicas = self.sessions.values().filter_map(|session| session.replica);
        self.repl.good = replicas.filter(|replica| now - replica.heard_s <= lag).count() as i64;
    }

    /// Each second: lost links are tried again, silence is noticed, acknowledgements and PINGs are sent (`replicationCron`).
    pub(super) fn replication_cron(&mut self, cx: &mut Cx<Server>) {
        let patience = self.keys.conf.repl_timeout;
        match self.repl.link {
            Link::Down if self.source().is_some() => self.dial_source(cx),
            Link::Up(_) | Link::Asking(_) | Link::Dialling(_)
                if (cx.env.now.since(self.repl.heard) / 1_000_000) as i64 > patience =>
            {
                self.give_up_link(cx);
            }
            Link::Up(_) => self.acknowledge(cx),
            _ => {}
        }
        let now = self.keys.now / 1000;
        let silent = |session: &super::session::Session| {
            session.replica.is_some_and(|replica| now - replica.heard_s > patience)
        };
        self.sessions.values_mut().filter(|session| silent(session)).for_each(|session| session.closing = true);
        let pings = self.keys.conf.ping_period.unsigned_abs().max(1) * 10;
        let replicas = self.sessions.values().any(|session| session.replica.is_some());
        if self.source().is_none() && replicas && self.crons.is_multiple_of(pings) {
            self.feed(vec!["PING".into()]);
        }
        self.count_good();
    }

    /// All replicas must ask again: the history has another name.
    pub(super) fn drop_replicas(&mut self) {
        let replicas = self.sessions.values_mut().filter(|session| session.replica.is_some());
        replicas.for_each(|session| session.closing = true);
    }
}
