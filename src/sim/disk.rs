//! A server's disk: what is synced survives a crash, and only that.

use rpds::Vector;
use std::collections::VecDeque;

use crate::base::{Epoch, Micros, Prng, ServerId, Zxid, rules};
use crate::zab::{DiskOp, Image, Proposal, Recovered, Token};

use super::action::LatencyRange;
use super::fact::WorldFact;
use super::reasons::EpochFile;

rules! {
    /// A rule of disks, broken.
    DiskRule in Disk {
        /// TRUNC leaves snapshots that are newer than its target.
        Zookeeper4837 = "ZOOKEEPER-4837",
    }
}

/// A snapshot on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its last zxid: its name.
    pub zxid: Zxid,
    /// Its last transaction.
    pub last_txn: Zxid,
    /// The state.
    pub image: Image,
}

/// An operation under way, with the state that a snapshot writes.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub token: Token,
    pub op: DiskOp,
    pub state: Option<Snapshot>,
}

/// How many snapshots are kept besides the one under the log (the real default keeps all; `autopurge` three).
const KEPT_SNAPSHOTS: usize = 2;

/// One disk.
#[derive(Clone, Debug)]
pub struct Disk {
    /// The file acceptedEpoch.
    pub accepted_epoch: Epoch,
    /// The file currentEpoch.
    pub current_epoch: Epoch,
    /// Snapshots, oldest first.
    pub snapshots: Vec<Snapshot>,
    /// The zxid before the log's first transaction.
    pub log_start: Zxid,
    /// The log, as far as it is synced.
    pub log: Vector<Proposal>,
    /// How long a sync takes.
    pub sync: LatencyRange,
    pub(super) jobs: VecDeque<Job>,
    pub(super) background: Option<Job>,
}

impl Disk {
    pub(super) fn new(sync: LatencyRange) -> Disk {
        Disk {
            accepted_epoch: 0,
            current_epoch: 0,
            snapshots: Vec::new(),
            log_start: Zxid::ZERO,
            log: Vector::new(),
            sync,
            jobs: VecDeque::new(),
            background: None,
        }
    }

    /// What a start finds. A log that ends before the newest snapshot is of no use: what comes next goes behind the
    /// snapshot, and a log with a hole would look whole to whoever reads it.
    pub fn recovered(&self) -> Recovered {
        let (log_start, log) = match self.newest().filter(|snapshot| snapshot.last_txn > self.last_logged()) {
            Some(snapshot) => (snapshot.zxid, Vector::new()),
            None => (self.log_start, self.log.clone()),
        };
        Recovered {
            accepted_epoch: self.accepted_epoch,
            current_epoch: self.current_epoch,
            snapshot: self.newest().map_or(Zxid::ZERO, |snapshot| snapshot.zxid),
            snapshot_bytes: self.newest().map_or(0, |snapshot| snapshot.image.bytes),
            log_start,
            log,
        }
    }

    fn last_logged(&self) -> Zxid {
        self.log.last().map_or(self.log_start, |last| last.zxid)
    }

    /// The newest snapshot.
    pub fn newest(&self) -> Option<&Snapshot> {
        self.snapshots.last()
    }

    pub(super) fn draw_time(&self, prng: &mut Prng) -> Micros {
        prng.between(self.sync.min_us, self.sync.max_us)
    }

    /// Makes an operation durable; the bytes written and what happened.
    pub(super) fn finish(
        &mut self,
        server: ServerId,
        job: Job,
        keep_newer_snapshots: bool,
    ) -> (u64, Option<WorldFact>) {
        match job.op {
            DiskOp::AcceptedEpoch(epoch) => {
                self.accepted_epoch = epoch;
                (4, Some(WorldFact::EpochWritten { server, file: EpochFile::AcceptedEpoch, epoch }))
            }
            DiskOp::CurrentEpoch(epoch) => {
                self.current_epoch = epoch;
                (4, Some(WorldFact::EpochWritten { server, file: EpochFile::CurrentEpoch, epoch }))
            }
            DiskOp::Append(batch) => {
                let bytes = batch.iter().map(Proposal::bytes).sum();
                (bytes, self.append(server, batch))
            }
            DiskOp::Snapshot(_) => self.store(server, job.state, false),
            DiskOp::InstallSnapshot(_) => {
                self.background = None;
                self.snapshots.clear();
                self.log = Vector::new();
                self.log_start = job.state.as_ref().map_or(Zxid::ZERO, |state| state.zxid);
                self.store(server, job.state, true)
            }
            DiskOp::Truncate(to) => (0, Some(self.truncate(server, to, keep_newer_snapshots))),
        }
    }

    /// Appends what is written as far as it got; with what fact.
    pub(super) fn append(&mut self, server: ServerId, batch: Vec<Proposal>) -> Option<WorldFact> {
        let (first, last, count) = (batch.first()?.zxid, batch.last()?.zxid, batch.len());
        let behind = |snapshot: &&Snapshot| self.last_logged() < snapshot.last_txn && snapshot.last_txn < first;
        if let Some(snapshot) = self.newest().filter(behind) {
            (self.log_start, self.log) = (snapshot.zxid, Vector::new());
        }
        for proposal in batch {
            self.log.push_back_mut(proposal);
        }
        Some(WorldFact::Synced { server, first, last, count })
    }

    fn store(&mut self, server: ServerId, state: Option<Snapshot>, installed: bool) -> (u64, Option<WorldFact>) {
        let Some(state) = state else { return (0, None) };
        let (zxid, last_txn, bytes) = (state.zxid, state.last_txn, state.image.bytes);
        self.snapshots.retain(|old| old.zxid != zxid);
        let place = self.snapshots.partition_point(|old| old.zxid < zxid);
        self.snapshots.insert(place, state);
        // the one at the log's beginning stays: without it the log could not be cut further back
        if self.snapshots.len() > KEPT_SNAPSHOTS + 1 {
            let base = usize::from(self.snapshots[0].zxid == self.log_start);
            self.snapshots.remove(base);
        }
        (bytes, Some(WorldFact::SnapshotWritten { server, zxid, last_txn, installed }))
    }

    fn truncate(&mut self, server: ServerId, to: Zxid, keep_newer_snapshots: bool) -> WorldFact {
        let mut removed = Vec::new();
        while let Some(last) = self.log.last().filter(|last| last.zxid > to) {
            removed.push(last.zxid);
            self.log.drop_last_mut();
        }
        removed.reverse();
        if !keep_newer_snapshots {
            self.background = None; // it may hold what is cut away
            self.snapshots.retain(|snapshot| snapshot.last_txn <= to);
        }
        WorldFact::LogTruncated { server, to, removed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zab::Payload;

    fn proposal(counter: u32) -> Proposal {
        Proposal { zxid: Zxid::new(1, counter), payload: Payload::text("S1#1 x") }
    }

    fn job(op: DiskOp) -> Job {
        Job { token: 0, op, state: None }
    }

    #[test]
    fn a_cut_log_forgets_what_was_behind() {
        let mut disk = Disk::new(LatencyRange::ms(1, 1));
        disk.finish(ServerId(1), job(DiskOp::Append((1..=4).map(proposal).collect())), false);
        let (_, fact) = disk.finish(ServerId(1), job(DiskOp::Truncate(Zxid::new(1, 2))), false);
        let removed = [3, 4].map(|counter| Zxid::new(1, counter)).to_vec();
        assert_eq!(fact, Some(WorldFact::LogTruncated { server: ServerId(1), to: Zxid::new(1, 2), removed }));
        assert_eq!(disk.recovered().log.len(), 2);
    }

    #[test]
    fn a_snapshot_under_way_does_not_bring_back_what_was_cut_or_replaced() {
        for op in [DiskOp::Truncate(Zxid::new(1, 1)), DiskOp::InstallSnapshot(Zxid::new(1, 9))] {
            let mut disk = Disk::new(LatencyRange::ms(1, 1));
            disk.background = Some(job(DiskOp::Snapshot(Zxid::new(1, 4))));
            disk.finish(ServerId(1), job(op), false);
            assert!(disk.background.is_none());
        }
    }

    #[test]
    fn an_installed_snapshot_takes_the_place_of_the_log() {
        let mut disk = Disk::new(LatencyRange::ms(1, 1));
        disk.finish(ServerId(1), job(DiskOp::Append(vec![proposal(1)])), false);
        let state = Snapshot { zxid: Zxid::new(2, 9), last_txn: Zxid::new(2, 9), image: Image::new(0, 0, ()) };
        let op = DiskOp::InstallSnapshot(Zxid::new(2, 9));
        disk.finish(ServerId(1), Job { token: 0, op, state: Some(state) }, false);
        assert_eq!((disk.log_start, disk.log.len(), disk.snapshots.len()), (Zxid::new(2, 9), 0, 1));
    }
}
