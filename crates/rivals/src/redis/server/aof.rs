//! The append-only file at work (`aof.c` `feedAppendOnlyFile`, `flushAppendOnlyFile`).

use crate::daemon::Cx;
use crate::redis::conf::Fsync;
use crate::redis::fact::Fact;

use super::files::{Aof, Job};
use super::state::Server;

/// A write is put off for so long at most, while a sync runs, µs.
const PUT_OFF_US: u64 = 2_000_000;

impl Server {
    /// A command is added to what this turn writes.
    pub(super) fn log(&mut self, args: &[String]) {
        if !self.keys.conf.append_only {
            return;
        }
        if !self.aof.selected {
            self.aof.selected = true;
            self.aof.buffer.push((vec!["SELECT".into(), "0".into()], self.keys.now));
        }
        self.aof.buffer.push((args.to_vec(), self.keys.now));
    }

    /// Writes what the turn has added, and syncs as the policy says; whether the thread waits for that.
    pub(super) fn flush_log(&mut self, cx: &mut Cx<Server>) -> bool {
        if !self.keys.conf.append_only || cx.files.aof.is_none() {
            return false;
        }
        let every_sec = self.keys.conf.fsync == Fsync::EverySec;
        if self.aof.buffer.is_empty() {
            if every_sec {
                self.sync_behind(cx);
            }
            return false;
        }
        // while a sync runs, a write could block: it is put off, and answers are given before it
        if every_sec && self.aof.background {
            let since = *self.aof.postponed.get_or_insert(cx.env.now);
            if cx.env.now.since(since) < PUT_OFF_US {
                return false;
            }
        }
        self.aof.postponed = None;
        self.write_log(cx);
        match self.keys.conf.fsync {
            Fsync::Always => {
                self.sync_now(cx);
                true
            }
            Fsync::EverySec => {
                self.sync_behind(cx);
                false
            }
            Fsync::No => false,
        }
    }

    fn write_log(&mut self, cx: &mut Cx<Server>) {
        for (command, clock_ms) in std::mem::take(&mut self.aof.buffer) {
            cx.fact(Fact::Logged { command: command.clone(), clock_ms });
            if let Some(aof) = &mut cx.files.aof {
                aof.commands.push(command);
            }
        }
    }

    fn sync_now(&mut self, cx: &mut Cx<Server>) {
        self.aof.inline = true;
        self.sync(true, cx);
    }

    fn sync(&self, inline: bool, cx: &mut Cx<Server>) {
        if let Some(aof) = &cx.files.aof {
            let (generation, upto) = (aof.generation, aof.commands.len());
            cx.persist(Job::Sync { generation, upto, inline });
        }
    }

    /// A sync in another thread, if the last one began in an earlier second.
    fn sync_behind(&mut self, cx: &mut Cx<Server>) {
        let unsynced = cx.files.aof.as_ref().is_some_and(|aof| aof.synced < aof.commands.len());
        let second = Server::seconds(cx);
        if unsynced && second > self.aof.last_sync_s && !self.aof.background {
            (self.aof.background, self.aof.last_sync_s) = (true, second);
            self.sync(false, cx);
        }
    }

    /// The process ends in order: everything is written and synced first, whatever the policy.
    pub(super) fn write_and_exit(&mut self, cx: &mut Cx<Server>) {
        self.exiting = true;
        if self.keys.conf.append_only && cx.files.aof.is_some() {
            self.write_log(cx);
            self.sync_now(cx);
        } else {
            cx.exit();
        }
    }

    /// A sync is done.
    pub(super) fn persisted(&mut self, job: &Job, cx: &mut Cx<Server>) {
        let Job::Sync { inline, .. } = job;
        if !inline {
            self.aof.background = false;
            return;
        }
        self.aof.inline = false;
        if self.exiting {
            return cx.exit();
        }
        self.send_answers(cx);
        self.take_held(cx);
    }

    /// The file is begun anew with all keys: a full copy has replaced what it told of, or it was switched on.
    pub(super) fn begin_log(&mut self, cx: &mut Cx<Server>) {
        if !self.keys.conf.append_only {
            return;
        }
        self.aof.buffer.clear();
        self.aof.selected = false;
        let generation = cx.files.aof.as_ref().map_or(0, |aof| aof.generation + 1);
        cx.files.aof = Some(Aof { generation, base: self.keys.data.clone().into(), ..Aof::default() });
    }
}
