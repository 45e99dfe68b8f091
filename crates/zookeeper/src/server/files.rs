//! A server's files: what is synced survives a crash, and only that (`FileTxnSnapLog.java`).

use crate::base::{Chunks, Epoch, Micros, RuleSet, SimTime, Way, Zxid, rules};
use crate::store::Tree;
use crate::zab::{self, DiskOp, Proposal, Quorums, Recovered, Token};

use super::fact::{EpochFile, StateFact};

rules! {
    /// A rule of a server's files, broken.
    FileRule in Server {
        /// TRUNC leaves snapshots that are newer than its target.
        Zookeeper4837 = "ZOOKEEPER-4837",
        /// TRUNC removes its target too.
        CutOneTooMany = "cut-one-too-many" or "ZOOKEEPER-1156",
    }
}

/// A snapshot on disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// The last zxid when writing it began: its name.
    pub zxid: Zxid,
    /// The state when it was done.
    pub state: Tree,
    /// When it was written, where it was not synced (`FileSnap.java` `serialize`): the system writes it back in its own time.
    pub written: Option<SimTime>,
}

/// How long a system may keep what was written and not synced to itself, µs (Linux, `vm.dirty_expire_centisecs`).
const WRITE_BACK: Micros = 30_000_000;

impl Snapshot {
    /// The last zxid that it holds: what is applied while it is written is in it, though its name tells where it began.
    pub fn reaches(&self) -> Zxid {
        self.zxid.max(self.state.last)
    }
}

/// A disk operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    /// Its name.
    pub token: Token,
    /// What is to be done.
    pub op: DiskOp<Tree>,
}

impl Job {
    /// Whether it is done beside the others rather than after them.
    pub fn is_background(&self) -> bool {
        matches!(self.op, DiskOp::Snapshot(..) | DiskOp::Purge(_))
    }
}

/// What a finished operation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The bytes written.
    pub bytes: u64,
    /// What happened.
    pub fact: Option<StateFact>,
    /// A snapshot that is being written would hold what is gone: it is given up.
    pub ends_background: bool,
}

/// The files of one server.
#[derive(Clone, Debug, Default, Hash)]
pub struct Files {
    /// The file acceptedEpoch.
    pub accepted_epoch: Epoch,
    /// The file currentEpoch.
    pub current_epoch: Epoch,
    /// Snapshots, oldest first.
    pub snapshots: Vec<Snapshot>,
    /// The zxid before the log's first transaction.
    pub log_start: Zxid,
    /// The log, as far as it is synced.
    pub log: Chunks<Proposal>,
    /// Its files, oldest first, by their names: their first transactions' zxids.
    pub log_files: Vec<Zxid>,
    /// What the file at `oraclePath` says: whether this server may go on alone; none where there is no oracle.
    pub oracle: Option<bool>,
    /// The configuration in force and the next, once a leader has given it a version.
    pub config: Option<Quorums>,
}

impl Files {
    /// The first start of all saves the empty state at once, without syncing it (`FileTxnSnapLog.java` `restore`, `save`); nothing
    /// where there is a snapshot or a log already.
    pub fn begin(&mut self, empty: Tree, now: SimTime) -> Option<StateFact> {
        let first = self.snapshots.is_empty() && self.log.is_empty();
        first.then(|| self.store(Snapshot { zxid: Zxid::ZERO, state: empty, written: Some(now) }, false))
    }

    /// These files among servers whose first state is this one ([`Tree::among`]).
    pub fn among(&self, fresh: &Tree) -> Files {
        let mut files = self.clone();
        for snapshot in &mut files.snapshots {
            snapshot.state = snapshot.state.clone().among(fresh);
        }
        files
    }

    /// What a start finds. A log that ends before the newest snapshot is of no use: what comes next goes behind the
    /// snapshot, and a log with a hole would look whole to whoever reads it.
    pub fn recovered(&self, rules: RuleSet) -> Recovered {
        let overtaken =
            |snapshot: &&Snapshot| snapshot.state.last > self.last_logged() && !rules.breaks(Way::OldLogKept);
        let behind = self.newest().filter(overtaken);
        let (log_start, log, log_files) = match behind {
            Some(snapshot) => (snapshot.reaches(), Chunks::default(), Vec::new()),
            None => (self.log_start, self.log.clone(), self.log_files.clone()),
        };
        Recovered {
            accepted_epoch: self.accepted_epoch,
            current_epoch: self.current_epoch,
            snapshot: match behind {
                Some(snapshot) => snapshot.reaches(),
                None => self.newest().map_or(Zxid::ZERO, |snapshot| snapshot.zxid),
            },
            snapshot_bytes: self.newest().map_or(0, |snapshot| snapshot.state.bytes()),
            snapshots: self.snapshots.iter().map(|snapshot| (snapshot.zxid, snapshot.reaches())).collect(),
            log_start,
            log_files,
            log,
        }
    }

    /// Where the log ends.
    pub fn last_logged(&self) -> Zxid {
        self.log.last().map_or(self.log_start, |last| last.zxid)
    }

    /// The newest snapshot.
    pub fn newest(&self) -> Option<&Snapshot> {
        self.snapshots.last()
    }

    /// What all of them take on disk, bytes (`ZooKeeperServer.java` `getDirSize`): the two epochs, each a number in a file, snapshots,
    /// and log files, which have a header and grow by pieces of `pre_alloc`.
    pub fn bytes(&self, pre_alloc: u64) -> u64 {
        const HEADER: u64 = 16;
        let epochs: usize =
            [self.accepted_epoch, self.current_epoch].iter().map(|epoch| epoch.to_string().len()).sum();
        let snapshots: u64 = self.snapshots.iter().map(|snapshot| snapshot.state.bytes()).sum();
        let mut logs = vec![HEADER; self.log_files.len()];
        for proposal in self.log.iter() {
            let file = self.log_files.partition_point(|name| *name <= proposal.zxid).checked_sub(1);
            if let Some(written) = file.and_then(|file| logs.get_mut(file)) {
                *written += proposal.bytes();
            }
        }
        epochs as u64 + snapshots + logs.into_iter().map(|written| zab::on_disk(written, pre_alloc)).sum::<u64>()
    }

    /// Makes an operation durable.
    pub fn finish(&mut self, job: Job, rules: RuleSet, now: SimTime) -> Written {
        let keep_newer = rules.breaks(FileRule::Zookeeper4837);
        let (mut bytes, mut ends_background) = (4, false);
        let fact = match job.op {
            DiskOp::AcceptedEpoch(epoch) => {
                self.accepted_epoch = epoch;
                Some(StateFact::EpochWritten { file: EpochFile::AcceptedEpoch, epoch })
            }
            DiskOp::CurrentEpoch(epoch) => {
                self.current_epoch = epoch;
                Some(StateFact::EpochWritten { file: EpochFile::CurrentEpoch, epoch })
            }
            DiskOp::Append(batch, rolls) => {
                bytes = batch.iter().map(Proposal::bytes).sum();
                self.append(batch, rolls, rules)
            }
            DiskOp::Snapshot(zxid, state) => {
                bytes = state.bytes();
                Some(self.store(Snapshot { zxid, state, written: Some(now) }, false))
            }
            DiskOp::InstallSnapshot(zxid, state) => {
                (bytes, ends_background) = (state.bytes(), true);
                if !rules.breaks(Way::OldLogKept) {
                    self.snapshots.clear();
                    (self.log, self.log_files) = (Chunks::default(), Vec::new());
                    self.log_start = zxid;
                }
                Some(self.store(Snapshot { zxid, state, written: None }, !rules.breaks(Way::OldLogKept)))
            }
            DiskOp::Truncate(to) => {
                (bytes, ends_background) = (0, !keep_newer);
                let before = self.log.iter().rev().find(|proposal| proposal.zxid < to).map(|proposal| proposal.zxid);
                let too_far = rules.breaks(FileRule::CutOneTooMany);
                let to = before.filter(|_| too_far).unwrap_or(to);
                Some(self.truncate(to, keep_newer, rules.breaks(Way::LooseCut)))
            }
            DiskOp::Purge(least) => {
                bytes = 0;
                Some(self.purge(least))
            }
            DiskOp::Config(config) => {
                self.config = Some(config);
                None
            }
        };
        Written { bytes, fact, ends_background }
    }

    /// Appends what is written as far as it got; with what fact.
    pub fn append(&mut self, batch: Vec<Proposal>, rolls: bool, rules: RuleSet) -> Option<StateFact> {
        let (first, last, count) = (batch.first()?.zxid, batch.last()?.zxid, batch.len());
        let behind = |snapshot: &&Snapshot| self.last_logged() < snapshot.state.last && snapshot.state.last < first;
        if let Some(snapshot) = self.newest().filter(behind).filter(|_| !rules.breaks(Way::OldLogKept)) {
            (self.log_start, self.log) = (snapshot.reaches(), Chunks::default());
            self.log_files.clear();
        }
        if rolls || self.log_files.is_empty() {
            self.log_files.push(first);
        }
        for proposal in batch {
            self.log.push(proposal);
        }
        Some(StateFact::Synced { first, last, count })
    }

    fn store(&mut self, snapshot: Snapshot, installed: bool) -> StateFact {
        let (zxid, last_txn) = (snapshot.zxid, snapshot.state.last);
        self.snapshots.retain(|old| old.zxid != zxid);
        let place = self.snapshots.partition_point(|old| old.zxid < zxid);
        self.snapshots.insert(place, snapshot);
        StateFact::SnapshotWritten { zxid, last_txn, installed }
    }

    /// The machine loses power: the newest snapshots, which it had not written back yet, are gone. Here the system has been so kind
    /// as to write back one without which the log would have no beginning, and one that holds what the log does not: a start stands on
    /// that one, and what it has counts in quorums from then on. To a released version it is not kind.
    pub fn lose_young(&mut self, now: SimTime, rules: RuleSet) -> Vec<Zxid> {
        let mut lost = Vec::new();
        while let [before @ .., newest] = &self.snapshots[..] {
            let young = newest.written.is_some_and(|at| now.0 < at.0 + WRITE_BACK);
            let first = before.is_empty() || self.log_start > before.last().map_or(Zxid::ZERO, |before| before.zxid);
            let needed = first || newest.state.last > self.last_logged();
            if !young || needed && !rules.breaks(Way::OldLogKept) {
                break;
            }
            lost.push(newest.zxid);
            self.snapshots.pop();
        }
        lost
    }

    fn purge(&mut self, least: Zxid) -> StateFact {
        let all = self.snapshots.len();
        self.snapshots.retain(|snapshot| snapshot.zxid >= least);
        let logs = zab::purge(&mut self.log, &mut self.log_files, &mut self.log_start, least);
        StateFact::Purged { before: least, snapshots: all - self.snapshots.len(), logs }
    }

    /// Where the target is not in the log, a released version keeps the first transaction behind it (`FileTxnLog.java`
    /// `truncate` cuts behind the one that it stands on).
    fn truncate(&mut self, to: Zxid, keep_newer: bool, loose: bool) -> StateFact {
        let mut removed = Vec::new();
        let behind = self.log.iter().find(|proposal| proposal.zxid >= to);
        let last = behind.filter(|_| loose).map_or(to, |proposal| proposal.zxid);
        while let Some(newest) = self.log.last().filter(|newest| newest.zxid > last) {
            removed.push(newest.zxid);
            self.log.drop_last();
        }
        removed.reverse();
        self.log_files.retain(|name| *name <= last);
        let snapshots = self.snapshots.len();
        if !keep_newer {
            self.snapshots.retain(|snapshot| snapshot.state.last <= to);
        }
        let snapshots = snapshots - self.snapshots.len();
        StateFact::LogTruncated { to: last, removed, snapshots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zab::Payload;

    fn proposal(counter: u32) -> Proposal {
        Proposal { zxid: Zxid::new(1, counter), payload: Payload::text("S1#1 x") }
    }

    fn job(op: DiskOp<Tree>) -> Job {
        Job { token: 0, op }
    }

    /// After a first start.
    fn begun() -> Files {
        let mut files = Files::default();
        files.begin(Tree::new(""), SimTime::ZERO);
        files
    }

    #[test]
    fn only_a_first_start_saves_the_empty_state() {
        let fact = StateFact::SnapshotWritten { zxid: Zxid::ZERO, last_txn: Zxid::ZERO, installed: false };
        assert_eq!(Files::default().begin(Tree::new(""), SimTime::ZERO), Some(fact));
        assert_eq!(begun().begin(Tree::new(""), SimTime::ZERO), None);
        let mut files = Files::default();
        files.finish(job(DiskOp::Append(vec![proposal(1)], true)), RuleSet::default(), SimTime::ZERO);
        assert_eq!(files.begin(Tree::new(""), SimTime::ZERO), None, "a log without a snapshot is no first start");
    }

    /// A released version has nothing left then to replay its log on.
    #[test]
    fn a_power_failure_soon_after_the_first_start_takes_the_empty_state_of_a_released_version() {
        for (rules, lost) in
            [(RuleSet::default(), vec![]), (RuleSet::default().breaking(Way::OldLogKept), vec![Zxid::ZERO])]
        {
            let mut files = begun();
            files.finish(job(DiskOp::Append(vec![proposal(1)], true)), rules, SimTime::ZERO);
            assert_eq!(files.lose_young(SimTime::from_ms(29_000), rules), lost);
            assert_eq!(begun().lose_young(SimTime::from_ms(31_000), rules), []);
        }
    }

    #[test]
    fn a_cut_log_forgets_what_was_behind() {
        let mut files = Files::default();
        files.finish(job(DiskOp::Append((1..=4).map(proposal).collect(), true)), RuleSet::default(), SimTime::ZERO);
        let written = files.finish(job(DiskOp::Truncate(Zxid::new(1, 2))), RuleSet::default(), SimTime::ZERO);
        let removed = [3, 4].map(|counter| Zxid::new(1, counter)).to_vec();
        assert_eq!(written.fact, Some(StateFact::LogTruncated { to: Zxid::new(1, 2), removed, snapshots: 0 }));
        assert_eq!(files.recovered(RuleSet::default()).log.len(), 2);
    }

    #[test]
    fn a_snapshot_under_way_does_not_bring_back_what_was_cut_or_replaced() {
        for op in [DiskOp::Truncate(Zxid::new(1, 1)), DiskOp::InstallSnapshot(Zxid::new(1, 9), Tree::new(""))] {
            assert!(Files::default().finish(job(op), RuleSet::default(), SimTime::ZERO).ends_background);
        }
    }

    #[test]
    fn an_installed_snapshot_takes_the_place_of_the_log() {
        let mut files = Files::default();
        files.finish(job(DiskOp::Append(vec![proposal(1)], true)), RuleSet::default(), SimTime::ZERO);
        files.finish(job(DiskOp::InstallSnapshot(Zxid::new(2, 9), Tree::new(""))), RuleSet::default(), SimTime::ZERO);
        assert_eq!((files.log_start, files.log.len(), files.snapshots.len()), (Zxid::new(2, 9), 0, 1));
    }

    /// Thirty seconds after it was written a snapshot is safe, and so is one that was synced, or without which the log has no
    /// beginning.
    #[test]
    fn a_power_failure_takes_young_snapshots() {
        let written = |at: u64, counter| {
            let mut files = begun();
            files.finish(
                job(DiskOp::Append((1..=9).map(proposal).collect(), true)),
                RuleSet::default(),
                SimTime::ZERO,
            );
            for (at, zxid) in [(1_000, Zxid::new(1, 3)), (at, Zxid::new(1, counter))] {
                let op = DiskOp::Snapshot(zxid, Tree::new(""));
                files.finish(job(op), RuleSet::default(), SimTime::from_ms(at));
            }
            files
        };
        let at = SimTime::from_ms(32_000);
        assert_eq!(written(20_000, 5).lose_young(at, RuleSet::default()), [Zxid::new(1, 5)]);
        assert_eq!(written(2_000, 5).lose_young(at, RuleSet::default()), []);
        let mut files = written(20_000, 5);
        assert_eq!(
            files.lose_young(SimTime::from_ms(25_000), RuleSet::default()),
            [Zxid::new(1, 5), Zxid::new(1, 3)]
        );
        files = written(20_000, 5);
        files.log_start = Zxid::new(1, 2);
        assert_eq!(files.lose_young(SimTime::from_ms(25_000), RuleSet::default()), [Zxid::new(1, 5)]);
        files.finish(job(DiskOp::InstallSnapshot(Zxid::new(2, 9), Tree::new(""))), RuleSet::default(), at);
        assert_eq!(files.lose_young(at, RuleSet::default()), []);
    }

    /// A server that stands on a snapshot beyond its log votes and acknowledges by it: a power failure must not take that back.
    #[test]
    fn a_power_failure_leaves_what_only_a_snapshot_has() {
        for (rules, lost) in [(RuleSet::default(), 0), (RuleSet::default().breaking(Way::OldLogKept), 1)] {
            let mut files = Files::default();
            files.finish(job(DiskOp::Append((1..=3).map(proposal).collect(), true)), rules, SimTime::ZERO);
            let mut state = Tree::new("");
            state.last = Zxid::new(1, 4);
            files.finish(job(DiskOp::Snapshot(Zxid::new(1, 3), state)), rules, SimTime::ZERO);
            assert_eq!(files.lose_young(SimTime::from_ms(1), rules).len(), lost);
        }
    }

    /// A released version leaves what our rules drop: the old log after SNAP, newer snapshots and one transaction at TRUNC.
    #[test]
    fn a_released_version_keeps_more() {
        let rules =
            RuleSet::default().breaking(Way::OldLogKept).breaking(Way::LooseCut).breaking(FileRule::Zookeeper4837);
        let mut files = Files::default();
        files.finish(job(DiskOp::Append([1, 3, 4].map(proposal).to_vec(), true)), rules, SimTime::ZERO);
        files.finish(job(DiskOp::InstallSnapshot(Zxid::new(1, 9), Tree::new(""))), rules, SimTime::ZERO);
        assert_eq!((files.log.len(), files.recovered(rules).log.len()), (3, 3));
        let written = files.finish(job(DiskOp::Truncate(Zxid::new(1, 2))), rules, SimTime::ZERO);
        let (to, removed) = (Zxid::new(1, 3), vec![Zxid::new(1, 4)]);
        assert_eq!(written.fact, Some(StateFact::LogTruncated { to, removed, snapshots: 0 }));
        assert_eq!(files.snapshots.len(), 1);
    }

    /// What stays behind the target keeps its file.
    #[test]
    fn a_transaction_that_a_loose_cut_leaves_keeps_its_file() {
        for (rules, left) in [(RuleSet::default(), vec![1]), (RuleSet::default().breaking(Way::LooseCut), vec![1, 3])]
        {
            let mut files = Files::default();
            for counter in [1, 3, 4] {
                files.finish(job(DiskOp::Append(vec![proposal(counter)], true)), rules, SimTime::ZERO);
            }
            files.finish(job(DiskOp::Truncate(Zxid::new(1, 2))), rules, SimTime::ZERO);
            let names: Vec<u32> = files.log_files.iter().map(|name| name.counter()).collect();
            let log: Vec<u32> = files.log.iter().map(|proposal| proposal.zxid.counter()).collect();
            assert_eq!((names, log), (left.clone(), left));
        }
    }

    /// What the log holds too may be lost.
    #[test]
    fn a_power_failure_takes_a_snapshot_that_ends_where_the_log_does() {
        let (mut files, rules) = (begun(), RuleSet::default());
        files.finish(job(DiskOp::Append((1..=3).map(proposal).collect(), true)), rules, SimTime::ZERO);
        let mut state = Tree::new("");
        state.last = Zxid::new(1, 3);
        files.finish(job(DiskOp::Snapshot(Zxid::new(1, 2), state)), rules, SimTime::ZERO);
        assert_eq!(files.lose_young(SimTime::from_ms(1), rules), [Zxid::new(1, 2)]);
    }

    #[test]
    fn a_start_stands_on_a_snapshot_only_where_it_is_beyond_the_log() {
        for (last, beyond) in [(3, false), (4, true)] {
            let (mut files, rules, ends) = (Files::default(), RuleSet::default(), Zxid::new(1, last));
            files.finish(job(DiskOp::Append((1..=3).map(proposal).collect(), true)), rules, SimTime::ZERO);
            let mut state = Tree::new("");
            state.last = ends;
            files.finish(job(DiskOp::Snapshot(Zxid::new(1, 2), state)), rules, SimTime::ZERO);
            let found = files.recovered(rules);
            assert_eq!(found.snapshots, [(Zxid::new(1, 2), ends)]);
            let expected = if beyond { (ends, ends, 0) } else { (Zxid::new(1, 2), Zxid::ZERO, 3) };
            assert_eq!((found.snapshot, found.log_start, found.log.len()), expected);
            let mut at_once = files.clone();
            at_once.finish(job(DiskOp::Append(vec![proposal(4)], false)), rules, SimTime::ZERO);
            assert_eq!((at_once.log_start, at_once.log.len()), (Zxid::ZERO, 4), "no hole");
            files.finish(job(DiskOp::Append(vec![proposal(5)], false)), rules, SimTime::ZERO);
            assert_eq!((files.log_start, files.log.len()), if beyond { (ends, 1) } else { (Zxid::ZERO, 4) });
        }
    }

    #[test]
    fn a_purge_tells_what_went() {
        let (mut files, rules, least) = (Files::default(), RuleSet::default(), Zxid::new(1, 3));
        for counter in 1..=4 {
            files.finish(job(DiskOp::Append(vec![proposal(counter)], true)), rules, SimTime::ZERO);
        }
        for zxid in [Zxid::new(1, 1), least] {
            files.finish(job(DiskOp::Snapshot(zxid, Tree::new(""))), rules, SimTime::ZERO);
        }
        let written = files.finish(job(DiskOp::Purge(least)), rules, SimTime::ZERO);
        assert_eq!(written.fact, Some(StateFact::Purged { before: least, snapshots: 1, logs: 2 }));
        assert_eq!((files.snapshots.len(), files.log.len(), files.log_start), (1, 2, Zxid::new(1, 2)));
    }
}
