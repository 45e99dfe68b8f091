//! The log on its way to replicas, and what commits wait for (`semisync_master.cc`; `walsender.c`, `syncrep.c`).

use std::rc::Rc;

use crate::base::{ConnId, SimTime};
use crate::daemon::Cx;
use crate::sql::fact::Fact;
use crate::sql::log::{Force, Record};
use crate::sql::message::Message;

use super::Server;
use super::commit::Stage;

/// A replica, as its source knows it.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    /// It was sent so many records.
    pub sent: usize,
    /// It has said that it has so many.
    pub acked: usize,
    /// Whether commits may wait for it.
    pub acknowledges: bool,
}

impl Server {
    /// A replica dials its source.
    pub(super) fn dial_source(&mut self, cx: &mut Cx<Self>) {
        if let Some(source) = cx.config.replica_of.filter(|_| self.follows && self.source.is_none()) {
            self.source = Some(cx.dial(source));
        }
    }

    /// A replica is connected: it says from where on it wants the log.
    pub(super) fn follow(&mut self, conn: ConnId, cx: &mut Cx<Self>) {
        let acknowledges = !self.is_mariadb() || self.db.is_on("rpl_semi_sync_slave_enabled");
        let from = cx.files.log.len();
        cx.send(conn, Message::Follow { from, acknowledges });
    }

    /// How much of the log replicas may be sent: PostgreSQL's what is forced; MariaDB's the binlog, as far as it is forced where
    /// that is wanted (`log.cc`: `update_binlog_end_pos`).
    fn shippable(&self, cx: &Cx<Self>) -> usize {
        match (self.is_mariadb(), self.db.number("sync_binlog") > 0) {
            (true, true) => self.forced.get("binlog").copied().unwrap_or(0).min(cx.files.log.len()),
            (true, false) => cx.files.log.len(),
            (false, _) => cx.files.synced,
        }
    }

    /// Sends replicas what they have not been sent.
    pub(super) fn ship(&mut self, cx: &mut Cx<Self>) {
        let upto = self.shippable(cx);
        for (&conn, follower) in self.followers.iter_mut() {
            if let Some(records) = cx.files.log.get(follower.sent..upto).filter(|records| !records.is_empty()) {
                let (from, records) = (follower.sent, records.to_vec());
                follower.sent = upto;
                cx.effects.push(crate::daemon::Effect::Send(conn, Message::Log { from, records }));
            }
        }
    }

    /// A replica gets records: they go to disk, and take effect. PostgreSQL's says so when they are on disk, a
    /// semi-synchronous one of MariaDB when it has received them.
    pub(super) fn take_records(&mut self, conn: ConnId, from: usize, records: &[Rc<Record>], cx: &mut Cx<Self>) {
        let had = cx.files.log.len();
        if self.source != Some(conn) || from > had {
            return;
        }
        let new: Vec<Rc<Record>> = records.iter().skip(had - from).cloned().collect();
        for record in &new {
            self.db.replay(record);
            cx.files.log.push(record.clone());
        }
        self.db.out.retain(|out| !matches!(out, crate::sql::db::Out::Fact(_)));
        cx.fact(Fact::Replicated { from: had, records: new.len() });
        let upto = cx.files.log.len();
        if self.is_mariadb() {
            cx.send(conn, Message::Ack { upto });
        }
        let log = if self.is_mariadb() { "binlog" } else { "wal" };
        cx.persist(Force { log, upto, durable: true });
    }

    /// What a replica has on disk it says.
    pub(super) fn say_forced(&mut self, upto: usize, cx: &mut Cx<Self>) {
        if let Some(source) = self.source.filter(|_| !self.is_mariadb() && self.db.read_only) {
            cx.send(source, Message::Ack { upto });
        }
    }

    pub(super) fn acknowledged(&mut self, conn: ConnId, upto: usize, cx: &mut Cx<Self>) {
        let all = self.shippable(cx);
        let Some(follower) = self.followers.get_mut(&conn) else { return };
        follower.acked = follower.acked.max(upto);
        if self.degraded && follower.acknowledges && upto >= all {
            self.degraded = false;
            cx.fact(Fact::Restored);
        }
    }

    /// Whether a commit up to here waits for no replica any more.
    pub(super) fn replica_has(&self, upto: usize) -> bool {
        self.degraded || self.followers.values().any(|follower| follower.acknowledges && follower.acked >= upto)
    }

    /// When a semi-synchronous commit has waited long enough.
    pub(super) fn next_replica_limit(&self) -> Option<SimTime> {
        let ms = self.db.number("rpl_semi_sync_master_timeout").min(MAX_LIMIT_MS);
        let waits =
            |commit: &super::Commit| commit.waits_since.filter(|_| commit.stages.front() == Some(&Stage::Replica));
        let first = self.commits.iter().filter_map(waits).min();
        first.filter(|_| self.is_mariadb()).map(|since| since.plus(ms * 1000))
    }

    /// It has: from now on commits wait for nobody, until a replica has everything.
    pub(super) fn replica_limit(&mut self, cx: &mut Cx<Self>) {
        if self.next_replica_limit().is_some_and(|at| at <= cx.env.now) {
            self.degraded = true;
            cx.fact(Fact::Degraded { after_ms: self.db.number("rpl_semi_sync_master_timeout") });
        }
    }
}

/// The longest limit, ms.
const MAX_LIMIT_MS: u64 = 1_000_000_000;
