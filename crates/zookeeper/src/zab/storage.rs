//! One server's database as ZAB sees it: epochs, the log, what of it is applied, what of it is on disk.
//!
//! Follows `ZKDatabase.java` (committedLog), `SyncRequestProcessor.java` (the queue to the log, batches, snapshots) and
//! `FileTxnSnapLog.java` (restore, fast-forward). The replicated state itself is the host's; this module only says what
//! to apply to it.

pub(in crate::zab) mod rows;

use std::collections::VecDeque;

use crate::base::{Chunks, Epoch, Micros, Prng, SortedMap, Way, Zxid};

use super::config::{Config, MAX_BATCH};
use super::fact::{Fact, Note};
use super::io::{DiskOp, Outbox, Output, Recovered, Token};
use super::members::Quorums;
use super::message::Proposal;
use super::rules::BrokenRule;

/// What a finished disk operation was.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::zab) enum Done {
    AcceptedEpoch(Epoch),
    CurrentEpoch(Epoch),
    /// These transactions are in the log.
    Appended(Vec<Zxid>),
    Snapshot(Zxid),
    InstalledSnapshot(Zxid),
    Truncated(Zxid),
    /// Up to this snapshot.
    Purged(Zxid),
    Config,
}

impl Done {
    /// Whether it was done beside the others, and no role waits for it.
    pub(in crate::zab) fn is_background(&self) -> bool {
        matches!(self, Done::Snapshot(_) | Done::Purged(_))
    }
}

/// The database of one server.
#[derive(Clone, Debug, Hash)]
pub struct Storage {
    /// The latest epoch promised; as on disk.
    pub accepted_epoch: Epoch,
    /// The epoch of the leader whose history this server last took over; as on disk.
    pub current_epoch: Epoch,
    /// The last zxid in memory (`DataTree.lastProcessedZxid`); epoch:0 at a leader before its first transaction.
    pub last_processed: Zxid,
    /// The log: all that is written or waits to be.
    pub log: Chunks<Proposal>,
    /// The zxid before the log's first transaction.
    pub log_start: Zxid,
    /// The log's files, oldest first, by their names: their first transactions' zxids.
    pub log_files: Vec<Zxid>,
    /// The next append begins a file (`FileTxnLog.java` `rollLog`).
    roll: bool,
    /// All snapshots on disk, oldest first: the name of each, and the last zxid that it holds.
    snapshots: Vec<(Zxid, Zxid)>,
    /// The last transaction that memory holds: `last_processed`, but for a leader without any in its epoch.
    applied: Zxid,
    /// The newest snapshot on disk.
    pub snapshot: Zxid,
    /// Its size, bytes.
    pub snapshot_bytes: u64,
    /// The last committed transactions in memory, oldest first.
    pub committed_log: Chunks<Proposal>,
    /// Waiting to be appended.
    queue: VecDeque<Proposal>,
    appending: bool,
    /// A write to the log has failed: its thread is gone, and what is queued stays where it is.
    pub(in crate::zab) broken: bool,
    pending: SortedMap<Token, Done>,
    next_token: Token,
    since_snapshot: u32,
    snapshot_after: u32,
    prng: Prng,
}

impl Storage {
    /// An empty database; [`Storage::load`] fills it.
    pub(in crate::zab) fn new(config: &Config, prng: Prng) -> Storage {
        let mut storage = Storage {
            accepted_epoch: 0,
            current_epoch: 0,
            last_processed: Zxid::ZERO,
            log: Chunks::default(),
            log_start: Zxid::ZERO,
            log_files: Vec::new(),
            roll: true,
            snapshots: Vec::new(),
            applied: Zxid::ZERO,
            snapshot: Zxid::ZERO,
            snapshot_bytes: 0,
            committed_log: Chunks::default(),
            queue: VecDeque::new(),
            appending: false,
            broken: false,
            pending: SortedMap::new(),
            next_token: 0,
            since_snapshot: 0,
            snapshot_after: 0,
            prng,
        };
        storage.draw_snapshot_threshold(config);
        storage
    }

    /// Takes over what a disk holds; the log behind the snapshot is applied, committed or not: a log does not tell.
    pub(in crate::zab) fn load(&mut self, disk: Recovered, config: &Config, out: &mut Outbox) {
        (self.accepted_epoch, self.current_epoch) = (disk.accepted_epoch, disk.current_epoch);
        if config.rules.breaks(BrokenRule::EpochsForgotten) {
            let last = disk.log.last().map_or(disk.snapshot, |last| last.zxid);
            (self.accepted_epoch, self.current_epoch) = (last.epoch(), last.epoch());
        }
        (self.last_processed, self.applied) = (disk.snapshot, disk.snapshot);
        self.snapshot = disk.snapshot;
        self.snapshot_bytes = disk.snapshot_bytes;
        self.log_start = disk.log_start;
        self.log = disk.log;
        (self.log_files, self.snapshots, self.roll) = (disk.log_files, disk.snapshots, true);
        self.committed_log = Chunks::default();
        if !config.rules.breaks(BrokenRule::LogNotReplayed) {
            self.apply_log(self.log.len(), config, out);
        }
        if self.log.is_empty() && config.rules.breaks(BrokenRule::VoteByLogAlone) {
            self.last_processed = Zxid::ZERO;
        }
    }

    /// Applies everything in the own log that memory does not have yet (`ZKDatabase.java` `fastForwardDataBase`); says
    /// whether there was anything.
    pub(in crate::zab) fn fast_forward(&mut self, config: &Config, out: &mut Outbox) -> bool {
        self.apply_log(self.log.len().saturating_sub(self.unwritten()), config, out)
    }

    /// Applies the log up to this length.
    fn apply_log(&mut self, written: usize, config: &Config, out: &mut Outbox) -> bool {
        let first = self.index_after(self.last_processed);
        for index in first..written {
            let proposal = self.log[index].clone();
            self.apply(proposal, config, out);
        }
        first < written
    }

    /// How many transactions at the log's end are not on disk yet.
    fn unwritten(&self) -> usize {
        let appending = |done: &Done| if let Done::Appended(zxids) = done { zxids.len() } else { 0 };
        self.queue.len() + self.pending.values().map(appending).sum::<usize>()
    }

    /// Where in the log the first transaction above `zxid` stands; the log's length where there is none.
    pub(in crate::zab) fn index_after(&self, zxid: Zxid) -> usize {
        let mut index = self.log.len();
        while index > 0 && self.log[index - 1].zxid > zxid {
            index -= 1;
        }
        index
    }

    /// The zxids in the log, written or waiting to be, that are above `zxid`.
    pub fn log_after(&self, zxid: Zxid) -> Vec<Zxid> {
        self.log.from(self.index_after(zxid)).map(|proposal| proposal.zxid).collect()
    }

    /// The last zxid in the log, or where the log begins.
    pub fn last_logged(&self) -> Zxid {
        self.log.last().map_or(self.log_start, |proposal| proposal.zxid)
    }

    /// The ends of the committed log; both the last processed zxid when it is empty.
    pub fn committed_window(&self) -> (Zxid, Zxid) {
        match (self.committed_log.first(), self.committed_log.last()) {
            (Some(first), Some(last)) => (first.zxid, last.zxid),
            _ => (self.last_processed, self.last_processed),
        }
    }

    /// Applies a transaction: memory, committed log, the host's state.
    pub(in crate::zab) fn apply(&mut self, proposal: Proposal, config: &Config, out: &mut Outbox) {
        let newest = self.committed_log.last().map_or(Zxid::ZERO, |last| last.zxid);
        if proposal.zxid > newest {
            let more = usize::from(config.rules.breaks(Way::OneMoreInMemory));
            self.committed_log.push_newest(proposal.clone(), config.commit_log_count + more);
        }
        self.apply_unlisted(proposal, out);
    }

    /// The same without the committed log.
    pub(in crate::zab) fn apply_unlisted(&mut self, proposal: Proposal, out: &mut Outbox) {
        (self.last_processed, self.applied) = (proposal.zxid, proposal.zxid);
        out.push(Output::Apply(proposal));
    }

    /// Forgets the committed log and stands at `zxid`: a whole state was received.
    pub(in crate::zab) fn restored(&mut self, zxid: Zxid) {
        self.committed_log = Chunks::default();
        (self.last_processed, self.applied) = (zxid, zxid);
    }

    /// The transaction with this zxid, where it is in the log.
    pub(in crate::zab) fn logged(&self, zxid: Zxid) -> Option<Proposal> {
        let last = self.index_after(zxid).checked_sub(1)?;
        Some(self.log[last].clone()).filter(|proposal| proposal.zxid == zxid)
    }

    /// Hands a transaction to the log's queue.
    pub(in crate::zab) fn enqueue(&mut self, proposal: Proposal, out: &mut Outbox) {
        out.explain(Fact::Queued { zxid: proposal.zxid }, Note::OnDiskBeforeAck);
        self.log.push(proposal.clone());
        self.queue.push_back(proposal);
        self.pump(out);
    }

    /// Starts the next append when the last one is done: all that waits goes into one sync.
    fn pump(&mut self, out: &mut Outbox) {
        if self.appending || self.broken || self.queue.is_empty() {
            return;
        }
        let batch: Vec<Proposal> = self.queue.drain(..self.queue.len().min(MAX_BATCH)).collect();
        self.append(batch, out);
    }

    /// Appends transactions that are in the log already, in one sync.
    fn append(&mut self, batch: Vec<Proposal>, out: &mut Outbox) {
        self.appending = true;
        let zxids: Vec<Zxid> = batch.iter().map(|proposal| proposal.zxid).collect();
        let rolls = std::mem::take(&mut self.roll);
        self.log_files.extend(zxids.first().filter(|_| rolls));
        self.persist(DiskOp::Append(batch, rolls), Done::Appended(zxids), out);
    }

    /// Writes acceptedEpoch.
    pub(in crate::zab) fn write_accepted_epoch(&mut self, epoch: Epoch, out: &mut Outbox) {
        self.persist(DiskOp::AcceptedEpoch(epoch), Done::AcceptedEpoch(epoch), out);
    }

    /// Writes currentEpoch.
    pub(in crate::zab) fn write_current_epoch(&mut self, epoch: Epoch, out: &mut Outbox) {
        self.persist(DiskOp::CurrentEpoch(epoch), Done::CurrentEpoch(epoch), out);
    }

    /// Writes a snapshot of the state as it is, beside other operations.
    pub(in crate::zab) fn write_snapshot(&mut self, out: &mut Outbox) {
        let zxid = self.last_processed;
        self.persist(DiskOp::Snapshot(zxid, ()), Done::Snapshot(zxid), out);
    }

    /// Makes the state as it is the disk's only content.
    pub(in crate::zab) fn install_snapshot(&mut self, out: &mut Outbox) {
        let zxid = self.last_processed;
        self.persist(DiskOp::InstallSnapshot(zxid, ()), Done::InstalledSnapshot(zxid), out);
    }

    /// Whether the log can be cut behind `zxid`: a snapshot must remain on which the log can be replayed, that holds nothing of what
    /// is cut, and is not about to be replaced by one that does: it has the name of where it began. A released version looks only
    /// whether there is a log.
    pub(in crate::zab) fn can_truncate(&self, zxid: Zxid, config: &Config) -> bool {
        let replaced =
            |name: &Zxid| self.applied > zxid && self.pending.values().any(|done| *done == Done::Snapshot(*name));
        let remains = |(name, holds): &(Zxid, Zxid)| (self.log_start..=zxid).contains(holds) && !replaced(name);
        self.snapshots.iter().any(remains) || config.rules.breaks(Way::OldLogKept) && !self.log.is_empty()
    }

    /// What the log files take on disk behind the one in which reading from `zxid` on begins, bytes. That one does not count
    /// (`FileTxnLog.java` `FileTxnIterator`: `init` opens it, `getStorageSize` adds the others).
    pub(in crate::zab) fn bytes_behind(&self, zxid: Zxid, config: &Config) -> u64 {
        let first = self.log_files.partition_point(|name| *name < zxid).max(1);
        let mut files = self.log_files.iter().skip(first);
        let Some(first) = files.next() else { return 0 };
        let (mut all, mut written, mut next) = (0, 0, files.next());
        for proposal in self.log.iter().skip_while(|proposal| proposal.zxid < *first) {
            if next == Some(&proposal.zxid) {
                all += on_disk(written, config.pre_alloc);
                (written, next) = (0, files.next());
            }
            written += proposal.bytes();
        }
        all + on_disk(written, config.pre_alloc)
    }

    /// Cuts the log behind `zxid`.
    pub(in crate::zab) fn truncate(&mut self, zxid: Zxid, out: &mut Outbox) {
        self.persist(DiskOp::Truncate(zxid), Done::Truncated(zxid), out);
    }

    /// Cuts what memory does not have, in the log and on disk: memory stays as it is.
    pub(in crate::zab) fn cut_unapplied(&mut self, out: &mut Outbox) {
        let last = self.last_processed;
        self.log.truncate(self.index_after(last));
        self.log_files.retain(|name| *name <= last);
        self.roll = true;
        self.truncate(last, out);
    }

    /// Writes the configurations.
    pub(in crate::zab) fn write_config(&mut self, config: Quorums, out: &mut Outbox) {
        self.persist(DiskOp::Config(config), Done::Config, out);
    }

    fn persist(&mut self, op: DiskOp, done: Done, out: &mut Outbox) {
        let token = self.next_token;
        self.next_token += 1;
        self.pending.insert(token, done);
        out.push(Output::Persist(token, op));
    }

    /// A disk operation is done.
    pub(in crate::zab) fn persisted(
        &mut self,
        token: Token,
        bytes: u64,
        config: &Config,
        out: &mut Outbox,
    ) -> Option<Done> {
        let done = self.pending.remove(&token)?;
        match &done {
            Done::AcceptedEpoch(epoch) => self.accepted_epoch = *epoch,
            Done::CurrentEpoch(epoch) => self.current_epoch = *epoch,
            Done::Appended(zxids) => {
                self.appending = false;
                self.since_snapshot += zxids.len() as u32;
                let due = self.snapshot_is_due(config);
                self.pump(out);
                // "Too busy to snap, skipping" (`SyncRequestProcessor.java`): not put off, left out
                if due && self.has_snapshots() {
                    self.write_snapshot(out);
                }
            }
            Done::Snapshot(zxid) => {
                self.snapshot = *zxid;
                self.snapshot_bytes = bytes;
                self.snapshots.retain(|(old, _)| old < zxid);
                self.snapshots.push((*zxid, self.applied.max(*zxid)));
                if config.purge_interval == 0 {
                    self.purge(config, out);
                }
            }
            Done::InstalledSnapshot(zxid) => {
                self.snapshot = *zxid;
                self.snapshot_bytes = bytes;
                self.snapshots.retain(|(old, _)| old < zxid && config.rules.breaks(Way::OldLogKept));
                self.snapshots.push((*zxid, *zxid));
                if !config.rules.breaks(Way::OldLogKept) {
                    self.log_start = *zxid;
                    (self.log, self.log_files, self.roll) = (Chunks::default(), Vec::new(), true);
                }
            }
            Done::Truncated(_) | Done::Config => {}
            Done::Purged(least) => {
                self.snapshots.retain(|(name, _)| name >= least);
                purge(&mut self.log, &mut self.log_files, &mut self.log_start, *least);
            }
        }
        if matches!(done, Done::InstalledSnapshot(_) | Done::Truncated(_)) {
            // a snapshot that was under way would hold what is gone: the disk has given it up
            self.pending.retain(|_, pending| !pending.is_background());
        }
        Some(done)
    }

    /// A disk operation has failed; which. What was to be appended goes back to the queue, which nobody serves any more.
    pub(in crate::zab) fn failed(&mut self, token: Token) -> Option<Done> {
        let done = self.pending.remove(&token)?;
        if let Done::Appended(zxids) = &done {
            let end = self.log.len() - self.queue.len();
            for index in (end - zxids.len()..end).rev() {
                self.queue.push_front(self.log[index].clone());
            }
            (self.appending, self.broken) = (false, true);
        }
        Some(done)
    }

    /// A role ends whose log has failed: what is queued goes with it.
    pub(in crate::zab) fn drop_queue(&mut self, out: &mut Outbox) {
        let queue = std::mem::take(&mut self.queue);
        let (Some(first), Some(last)) = (queue.front(), queue.back()) else { return };
        out.push(Output::Unlogged { first: first.zxid, last: last.zxid, count: queue.len() });
        self.log.truncate(self.log.len() - queue.len());
        let (files, last) = (self.log_files.len(), self.last_logged());
        self.log_files.retain(|name| *name <= last);
        self.roll |= self.log_files.len() < files;
    }

    /// Whether all snapshots that were begun are on disk.
    pub(in crate::zab) fn has_snapshots(&self) -> bool {
        !self.pending.values().any(|done| matches!(done, Done::Snapshot(_)))
    }

    /// Whether nothing waits to be written; a snapshot in the background does not count.
    pub(in crate::zab) fn is_idle(&self) -> bool {
        (self.broken || self.queue.is_empty()) && self.pending.values().all(Done::is_background)
    }

    /// Whether so many transactions are in the log that a snapshot is due; then the next append begins a file.
    fn snapshot_is_due(&mut self, config: &Config) -> bool {
        let due = self.since_snapshot > self.snapshot_after;
        if due {
            (self.since_snapshot, self.roll) = (0, true);
            self.draw_snapshot_threshold(config);
        }
        due
    }

    /// Where there are more snapshots than a purge leaves, or log files that none of those needs, the rest goes.
    pub(in crate::zab) fn purge(&mut self, config: &Config, out: &mut Outbox) {
        let retain = config.snap_retain_count;
        let first = self.snapshots.len().saturating_sub(retain);
        if let Some(&(least, _)) = self.snapshots.get(first).filter(|_| retain > 0) {
            let needless = self.log_files.partition_point(|name| *name <= least) > 1;
            if first > 0 || needless {
                self.persist(DiskOp::Purge(least), Done::Purged(least), out);
            }
        }
    }

    /// How long something takes that takes from so long to so long.
    pub(in crate::zab) fn time_between(&mut self, low: Micros, high: Micros) -> Micros {
        self.prng.between(low, high)
    }

    /// One of two: what a race decides where a rule is broken.
    pub(in crate::zab) fn coin(&mut self) -> bool {
        self.prng.below(2) == 0
    }

    /// `snapCount/2 + rand[0, snapCount/2)`, so that servers do not all stop to write at once.
    fn draw_snapshot_threshold(&mut self, config: &Config) {
        let half = config.snap_count / 2;
        self.snapshot_after = half + self.prng.below(half);
    }
}

/// What a file takes on disk of which so much is written: whole pieces, and a new one within 4 KB of the end
/// (`FilePadding.java`).
pub fn on_disk(written: u64, piece: u64) -> u64 {
    (written + 4096).checked_div(piece).map_or(written, |full| (full + 1) * piece)
}

/// Takes the log files out that a restart from the snapshot `least`, or from a later one, does not read: those before the file in
/// which the transaction after it may stand (`PurgeTxnLog.java` `purgeOlderSnapshots`). How many went.
pub fn purge(log: &mut Chunks<Proposal>, files: &mut Vec<Zxid>, log_start: &mut Zxid, least: Zxid) -> usize {
    let gone = files.partition_point(|name| *name <= least).saturating_sub(1);
    files.drain(..gone);
    if let Some(first) = files.first().filter(|_| gone > 0) {
        while let Some(proposal) = log.first().filter(|proposal| proposal.zxid < *first) {
            *log_start = proposal.zxid;
            log.drop_first();
        }
    }
    gone
}
