//! Replication, seen from the replica, and REPLICAOF (`replication.c`).

use std::rc::Rc;

use crate::base::{ConnId, ServerId};
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::message::{Message, bytes};
use crate::redis::reply::Reply;
use crate::redis::store::{Dataset, Role};

use super::backlog::Backlog;
use super::files::{Snapshot, source_named};
use super::state::{Link, Server, hex_id};

/// Commands of the stream that are no writes.
const NO_WRITES: [&str; 4] = ["PING", "REPLCONF", "SELECT", "PUBLISH"];

impl Server {
    pub(super) fn dial_source(&mut self, cx: &mut Cx<Server>) {
        let Some(source) = self.source() else { return };
        self.repl.heard = cx.env.now;
        self.repl.link = Link::Dialling(cx.dial(source));
    }

    /// The connection is open: asks to go on from where it is, or for everything.
    pub(super) fn link_open(&mut self, conn: ConnId, cx: &mut Cx<Server>) {
        if self.repl.link != Link::Dialling(conn) {
            return;
        }
        (self.repl.link, self.repl.heard) = (Link::Asking(conn), cx.env.now);
        let next = (self.repl.offset + 1).to_string();
        let (replid, offset) = if self.repl.cached { (&*self.repl.replid, &*next) } else { ("?", "-1") };
        self.out.push((conn, Message::command(&["PSYNC", replid, offset])));
    }

    /// The source is gone; it is dialled again at once, then each second.
    pub(super) fn link_lost(&mut self, cx: &mut Cx<Server>) {
        let was_up = self.repl.link.is_up();
        self.repl.link = Link::Down;
        self.repl.down_since.get_or_insert(cx.env.now);
        if let (true, Some(source)) = (was_up, self.source()) {
            cx.fact(Fact::LinkLost { source: source.to_string() });
            self.dial_source(cx);
        }
    }

    /// Closes the link.
    pub(super) fn give_up_link(&mut self, cx: &mut Cx<Server>) {
        if let Some(conn) = self.repl.link.conn() {
            cx.close(conn);
        }
        self.link_lost(cx);
    }

    /// Everything comes and replaces what was there; the snapshot stays on disk (`readSyncBulkPayload`).
    pub(super) fn full_copy(&mut self, replid: String, offset: i64, data: &Rc<Dataset>, cx: &mut Cx<Server>) {
        let dropped = self.keys.data.keys().filter(|key| !data.contains_key(*key)).count();
        let touched: Vec<String> = self.keys.data.keys().chain(data.keys()).cloned().collect();
        self.keys.data = (**data).clone();
        self.keys.touched.extend(touched);
        self.touch_watched();
        cx.files.rdb = Some(Snapshot { data: data.clone(), place: Some((replid.clone(), offset)) });
        (self.repl.replid, self.repl.offset, self.repl.second) = (replid, offset, None);
        self.repl.backlog = Some(Backlog::new(offset));
        self.repl.stream = None;
        self.drop_replicas();
        self.begin_log(cx);
        self.linked(true, dropped, cx);
    }

    /// What is missing follows; the history may have a new name (`slaveTryPartialResynchronization`).
    pub(super) fn continues(&mut self, replid: String, cx: &mut Cx<Server>) {
        if replid != self.repl.replid {
            let former = std::mem::replace(&mut self.repl.replid, replid);
            self.repl.second = Some((former, self.repl.offset));
            self.drop_replicas();
        }
        if self.repl.backlog.is_none() {
            self.repl.backlog = Some(Backlog::new(self.repl.offset));
        }
        self.linked(false, 0, cx);
    }

    fn linked(&mut self, full: bool, dropped: usize, cx: &mut Cx<Server>) {
        let (Some(conn), Some(source)) = (self.repl.link.conn(), self.source()) else { return };
        (self.repl.link, self.repl.cached, self.repl.heard) = (Link::Up(conn), true, cx.env.now);
        self.repl.down_since = None;
        cx.fact(Fact::Linked { source: source.to_string(), full, dropped });
        self.acknowledge(cx);
    }

    /// Applies a part of the stream, and passes it on to replicas of its own as it is.
    pub(super) fn apply(&mut self, from: i64, commands: &[Vec<String>], cx: &mut Cx<Server>) {
        if !self.repl.link.is_up() || from != self.repl.offset {
            return;
        }
        self.repl.heard = cx.env.now;
        self.set_now(cx);
        let (mut asked, mut writes) = (false, 0);
        for args in commands {
            let name = args.first().map_or("", String::as_str);
            let is_write = !NO_WRITES.contains(&name);
            self.keys.role = Role::Follower;
            if name == "PUBLISH" {
                if let [_, channel, text] = args.as_slice() {
                    self.keys.publish(channel, text);
                }
            } else if is_write {
                self.keys.replay(args);
                self.log(args);
            }
            self.keys.role = Role::Replica;
            asked |= name == "REPLCONF";
            writes += usize::from(is_write);
            match self.repl.backlog {
                Some(_) => self.append(args.clone()),
                None => self.repl.offset += bytes(args),
            }
        }
        self.keys.removed.clear();
        self.touch_watched();
        self.out.append(&mut self.keys.pushes);
        self.keys.pushed.clear();
        if writes > 0 {
            cx.fact(Fact::Applied { commands: writes, offset: self.repl.offset });
        }
        if asked {
            self.acknowledge(cx);
        }
    }

    /// Tells the source what it has.
    pub(super) fn acknowledge(&mut self, _: &mut Cx<Server>) {
        if let Link::Up(conn) = self.repl.link {
            let offset = self.repl.offset.to_string();
            self.out.push((conn, Message::command(&["REPLCONF", "ACK", &offset])));
        }
    }

    /// REPLICAOF and SLAVEOF.
    pub(super) fn replicaof(&mut self, args: &[String], cx: &mut Cx<Server>) -> Reply {
        match source_named(args.get(1..).unwrap_or_default()) {
            None => Reply::error("ERR Invalid master host"),
            Some(None) => {
                if self.source().is_some() {
                    self.promote(cx);
                }
                Reply::ok()
            }
            Some(Some(source)) if self.source() == Some(source) => {
                Reply::Status("OK Already connected to specified master".into())
            }
            Some(Some(source)) => {
                self.follow(source, cx);
                Reply::ok()
            }
        }
    }

    /// A replica becomes a master: what lies unread in the socket is thrown away, the history goes on under a new name, and the
    /// old one stays valid up to here (`replicationUnsetMaster`).
    fn promote(&mut self, cx: &mut Cx<Server>) {
        if let Some(conn) = self.repl.link.conn() {
            cx.close(conn);
        }
        self.keys.conf.source = None;
        self.keys.role = Role::Master;
        self.send_stream();
        let former = std::mem::replace(&mut self.repl.replid, hex_id(&mut self.prng));
        self.repl.second = Some((former, self.repl.offset));
        (self.repl.link, self.repl.cached, self.repl.selected) = (Link::Down, false, false);
        self.repl.down_since = None;
        self.drop_replicas();
        cx.fact(Fact::Promoted { offset: self.repl.offset });
    }

    /// A server follows another one: a former master asks with its own history (`replicationSetMaster`,
    /// `replicationCacheMasterUsingMyself`).
    fn follow(&mut self, source: ServerId, cx: &mut Cx<Server>) {
        self.disconnect_blocked();
        let was_master = self.source().is_none();
        if let Some(conn) = self.repl.link.conn() {
            cx.close(conn);
        }
        self.send_stream();
        self.repl.cached |= was_master;
        if self.repl.backlog.is_none() && was_master {
            self.repl.backlog = Some(Backlog::new(self.repl.offset));
        }
        self.keys.conf.source = Some(source);
        self.keys.role = Role::Replica;
        self.repl.link = Link::Down;
        self.repl.down_since.get_or_insert(cx.env.now);
        self.drop_replicas();
        cx.fact(Fact::Demoted { source: source.to_string() });
        self.dial_source(cx);
    }
}
