//! From a change to its answer: the log is written and forced, a replica waited for, others see it, the client is answered.
//! In which order, the engine and its settings say.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{Micros, SimTime};
use crate::daemon::Cx;
use crate::sql::fact::Fact;
use crate::sql::log::{Force, Record, Says};
use crate::sql::table::TrxId;

use super::Server;

/// What is left to be done for a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A log is forced; whether that makes it durable.
    Force(&'static str, bool),
    /// A replica has it.
    Replica,
    /// Others see it.
    Publish,
}

/// A transaction that is being committed.
#[derive(Clone, Debug)]
pub(super) struct Commit {
    /// Whose it is.
    pub session: u64,
    /// The transaction; none where only something that failed is logged.
    pub trx: Option<TrxId>,
    /// Its record.
    pub record: Rc<Record>,
    /// The log must have so many records.
    pub upto: usize,
    /// What is left.
    pub stages: VecDeque<Stage>,
    /// Since when it waits for a replica.
    pub waits_since: Option<SimTime>,
}

impl Server {
    /// A record goes into the log's buffer, and its commit on its way.
    pub(super) fn log(&mut self, session: u64, trx: Option<TrxId>, record: Record, cx: &mut Cx<Self>) {
        let record = Rc::new(record);
        self.buffer.push(record.clone());
        let upto = cx.files.log.len() + self.buffer.len();
        let stages = match self.is_mariadb() {
            true => self.stages_innodb(&record, cx),
            false => self.stages_postgres(session, &record),
        };
        self.commits.push(Commit { session, trx, record, upto, stages: stages.into(), waits_since: None });
    }

    /// Whether there is a binlog.
    fn has_binlog(&self, cx: &Cx<Self>) -> bool {
        cx.config.has_replicas || self.db.is_on("log_bin")
    }

    /// `innodb_flush_log_at_trx_commit`: 1 forces the redo log at each commit, 2 writes it, 0 does neither. With a binlog, the redo
    /// log is forced by its prepare, then the binlog (`handler.cc`: `ha_commit_trans`; `log.cc`:
    /// `trx_group_commit_leader`); locks are given back behind that, without one before the force (`trx0trx.cc`: `commit_in_memory`).
    fn stages_innodb(&mut self, record: &Record, cx: &mut Cx<Self>) -> Vec<Stage> {
        let flush = self.db.number("innodb_flush_log_at_trx_commit");
        let binlog = self.has_binlog(cx) && record.says != Says::Nothing;
        let sync_binlog = binlog && self.db.number("sync_binlog") > 0;
        if !record.force && !binlog {
            return vec![Stage::Publish];
        }
        let redo = Stage::Force("redo", !sync_binlog);
        let mut stages = Vec::new();
        if binlog {
            stages.extend((flush == 1 && record.force).then_some(redo));
            stages.extend(sync_binlog.then_some(Stage::Force("binlog", true)));
            self.write_buffer(cx);
        } else if flush == 2 {
            self.write_buffer(cx);
        }
        let semi = binlog && self.db.is_on("rpl_semi_sync_master_enabled");
        let after_sync = self.variable("rpl_semi_sync_master_wait_point").eq_ignore_ascii_case("after_sync");
        stages.extend((semi && after_sync).then_some(Stage::Replica));
        stages.push(Stage::Publish);
        stages.extend((semi && !after_sync).then_some(Stage::Replica));
        stages.extend((!binlog && flush == 1).then_some(redo));
        stages
    }

    /// `synchronous_commit`: `off` leaves the WAL to its writer, `local` forces it here, `on` waits for the standby too, if one is
    /// named (`xact.c`: `RecordTransactionCommit`; `syncrep.c`: `SyncRepWaitForLSN`). What two-phase commit needs is always forced.
    fn stages_postgres(&self, session: u64, record: &Record) -> Vec<Stage> {
        let own = self.db.sessions.get(&session).and_then(|session| session.synchronous_commit.clone());
        let word = own.unwrap_or_else(|| self.variable("synchronous_commit").to_string());
        let word = word.to_ascii_lowercase();
        let decides = matches!(record.says, Says::Prepare(..) | Says::CommitPrepared(_) | Says::RollbackPrepared(_));
        let off = matches!(&*word, "off" | "false" | "0") && !decides;
        let standby = !self.variable("synchronous_standby_names").is_empty() && !off && word != "local";
        let mut stages = Vec::new();
        stages.extend((!off).then_some(Stage::Force("wal", true)));
        stages.extend(standby.then_some(Stage::Replica));
        stages.push(Stage::Publish);
        stages
    }

    pub(super) fn variable(&self, name: &str) -> &str {
        self.db.variables.text(self.db.engine, name)
    }

    /// Hands the buffer to the system.
    pub(super) fn write_buffer(&mut self, cx: &mut Cx<Self>) {
        cx.files.log.append(&mut self.buffer);
    }

    /// Forces a log, unless that is under way.
    fn force(&mut self, log: &'static str, durable: bool, cx: &mut Cx<Self>) {
        if !self.forcing.contains_key(log) {
            self.write_buffer(cx);
            let upto = cx.files.log.len();
            self.forcing.insert(log, upto);
            cx.persist(Force { log, upto, durable });
        }
    }

    pub(super) fn persisted(&mut self, force: &Force) {
        self.forcing.remove(force.log);
        let forced = self.forced.get_or(force.log, 0);
        *forced = (*forced).max(force.upto);
    }

    /// Lets every commit go on as far as it can.
    pub(super) fn advance(&mut self, cx: &mut Cx<Self>) {
        let mut at = 0;
        while let Some(stage) = self.commits.get(at).map(|commit| commit.stages.front().copied()) {
            match stage {
                None => {
                    let commit = self.commits.remove(at);
                    self.db.finish(commit.session);
                    self.db.run();
                }
                Some(stage) if self.is_done(at, stage, cx) => {
                    if let Some(commit) = self.commits.get_mut(at) {
                        commit.stages.pop_front();
                    }
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Does a stage, or waits for it.
    fn is_done(&mut self, at: usize, stage: Stage, cx: &mut Cx<Self>) -> bool {
        let Some(commit) = self.commits.get(at) else { return true };
        let (upto, session, trx, record) = (commit.upto, commit.session, commit.trx, commit.record.clone());
        match stage {
            Stage::Force(log, durable) => {
                let done = self.forced.get(log).is_some_and(|forced| *forced >= upto);
                if !done {
                    self.force(log, durable, cx);
                }
                done
            }
            Stage::Publish => {
                if let Some(trx) = trx {
                    self.db.publish(session, trx, &record.says);
                }
                true
            }
            Stage::Replica => {
                let done = self.replica_has(upto);
                let visible = self.commits.get(at).is_some_and(|commit| !commit.stages.contains(&Stage::Publish));
                let now = cx.env.now;
                if let Some(commit) = self.commits.get_mut(at)
                    && !done
                    && commit.waits_since.is_none()
                {
                    commit.waits_since = Some(now);
                    cx.fact(Fact::AwaitsReplica { client: record.by, engine: cx.config.engine, visible });
                }
                done
            }
        }
    }

    /// What nobody has forced: what a kill or a loss of power would take.
    fn is_dirty(&self, cx: &Cx<Self>) -> bool {
        !self.buffer.is_empty() || (self.is_mariadb() && cx.files.synced < cx.files.log.len())
    }

    /// The log is forced in the background too: every `innodb_flush_log_at_timeout` s, or by the WAL writer.
    pub(super) fn await_flush(&mut self, cx: &mut Cx<Self>) {
        let due = self.is_dirty(cx) && self.forcing.is_empty();
        let delay: Micros = match self.is_mariadb() {
            true => self.db.number("innodb_flush_log_at_timeout").clamp(1, MAX_DELAY_S) * 1_000_000,
            false => self.db.number("wal_writer_delay").clamp(1, MAX_DELAY_S * 1000) * 1000,
        };
        match (due, self.flush_at) {
            (true, None) => self.flush_at = Some(cx.env.now.plus(delay)),
            (false, _) => self.flush_at = None,
            _ => {}
        }
    }

    pub(super) fn flush(&mut self, cx: &mut Cx<Self>) {
        if self.is_dirty(cx) {
            self.force(if self.is_mariadb() { "redo" } else { "wal" }, true, cx);
        }
    }
}

/// The longest time between two background writes, s.
const MAX_DELAY_S: u64 = 10_000;
