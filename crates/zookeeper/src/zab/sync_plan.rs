//! How a leader brings a learner up to date: the decision table of `LearnerHandler.java` `syncFollower` and its walk
//! over the committed transactions (`queueCommittedProposals`). Pure: it looks at a [`Storage`] and returns a plan.

use crate::base::Zxid;

use super::config::Config;
use super::fact::{Note, SyncKind};
use super::message::Proposal;
use super::rules::BrokenRule;
use super::storage::Storage;

/// What to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::zab) struct SyncPlan {
    pub kind: SyncKind,
    /// The zxid in the DIFF, TRUNC or SNAP packet.
    pub to: Zxid,
    /// Committed proposals to send after it.
    pub proposals: Vec<Proposal>,
    /// Where the learner stands after all that.
    pub current: Zxid,
    pub why: Note,
}

/// Decides how a learner whose history ends at `peer` is brought up to date.
pub(in crate::zab) fn plan(storage: &Storage, peer: Zxid, want_snap: bool, config: &Config) -> SyncPlan {
    let last = storage.last_processed;
    let (min, max) = storage.committed_window();
    let snap = |why| SyncPlan { kind: SyncKind::Snap, to: last, proposals: Vec::new(), current: last, why };
    if want_snap {
        return snap(Note::AskedForSnapshot);
    }
    if peer == last {
        let kind = SyncKind::Diff;
        return SyncPlan { kind, to: peer, proposals: Vec::new(), current: peer, why: Note::SameHistory };
    }
    if peer > max && !peer.is_new_epoch() {
        return keep_tail_if_broken(storage, peer, config).unwrap_or(SyncPlan {
            kind: SyncKind::Trunc,
            to: max,
            proposals: Vec::new(),
            current: max,
            why: Note::AheadOfLeader,
        });
    }
    let mut walk = Walk::new(peer, max);
    if min <= peer && peer <= max {
        return match walk.over(storage.committed_log.iter(), None) {
            Ok(()) => walk.finish(Note::WithinCommittedLog),
            Err(Parted) => keep_tail_if_broken(storage, peer, config).unwrap_or(snap(Note::PartedInOtherEpoch)),
        };
    }
    if peer < min && disk_log_serves(storage, peer, config) {
        let start = storage.index_after(peer).saturating_sub(1);
        let on_disk = storage.log.from(start);
        let walked = walk.over(on_disk, Some(min)).and_then(|()| {
            // the disk part must reach the committed log, else transactions between the two are missing
            if walk.queued < min { Err(Parted) } else { walk.over(storage.committed_log.iter(), None) }
        });
        if walked.is_ok() {
            return walk.finish(Note::FromDiskLog);
        }
    }
    snap(Note::TooFarBehind)
}

/// The broken rule of ZOOKEEPER-1154: a learner with a foreign tail gets an empty DIFF up to what it shares in number.
fn keep_tail_if_broken(storage: &Storage, peer: Zxid, config: &Config) -> Option<SyncPlan> {
    if !config.rules.breaks(BrokenRule::RejoinWithoutTrunc) {
        return None;
    }
    let missing = storage.committed_log.iter().filter(|proposal| proposal.zxid > peer);
    let proposals: Vec<Proposal> = missing.cloned().collect();
    let current = proposals.last().map_or(peer, |last| last.zxid);
    Some(SyncPlan { kind: SyncKind::Diff, to: current, proposals, current, why: Note::WithinCommittedLog })
}

/// Whether the log on disk begins at or before `peer`, so that it shows what came next, and the files behind the first to be read
/// are small beside a snapshot. A learner with nothing is before every log (`ZKDatabase.java` `getProposalsFromTxnLog`).
fn disk_log_serves(storage: &Storage, peer: Zxid, config: &Config) -> bool {
    let Some(percent) = config.snapshot_size_factor else { return false };
    if storage.log.first().is_none_or(|first| first.zxid > peer) {
        return false;
    }
    percent == 0 || storage.bytes_behind(peer, config) * 100 <= storage.snapshot_bytes * u64::from(percent)
}

/// The histories part where neither a DIFF nor a TRUNC can mend it.
#[derive(Debug)]
struct Parted;

/// The walk over committed proposals that finds the common point and queues what comes after it.
struct Walk {
    peer: Zxid,
    max: Zxid,
    before: Option<Zxid>,
    op: Option<(SyncKind, Zxid)>,
    queued: Zxid,
    proposals: Vec<Proposal>,
}

impl Walk {
    fn new(peer: Zxid, max: Zxid) -> Walk {
        Walk { peer, max, before: None, op: None, queued: peer, proposals: Vec::new() }
    }

    fn over<'a>(&mut self, proposals: impl Iterator<Item = &'a Proposal>, limit: Option<Zxid>) -> Result<(), Parted> {
        for proposal in proposals {
            if limit.is_some_and(|limit| proposal.zxid > limit) {
                break;
            }
            if proposal.zxid < self.peer {
                self.before = Some(proposal.zxid);
                continue;
            }
            if self.op.is_none() && self.start_at(proposal.zxid)? {
                continue;
            }
            if proposal.zxid > self.queued {
                self.queued = proposal.zxid;
                self.proposals.push(proposal.clone());
            }
        }
        Ok(())
    }

    /// Chooses DIFF or TRUNC at the first proposal that is not before the learner's; true when the learner has it.
    fn start_at(&mut self, zxid: Zxid) -> Result<bool, Parted> {
        if zxid == self.peer {
            self.op = Some((SyncKind::Diff, self.max));
            return Ok(true);
        }
        if self.peer.is_new_epoch() {
            self.op = Some((SyncKind::Diff, self.max));
            return Ok(false);
        }
        match self.before {
            Some(before) if zxid.epoch() == self.peer.epoch() => {
                self.op = Some((SyncKind::Trunc, before));
                self.queued = before;
                Ok(false)
            }
            _ => Err(Parted),
        }
    }

    fn finish(self, why: Note) -> SyncPlan {
        let (kind, to) = self.op.unwrap_or((SyncKind::Diff, self.max));
        let why = if kind == SyncKind::Trunc { Note::ForeignTail } else { why };
        SyncPlan { kind, to, proposals: self.proposals, current: self.queued, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Prng, RuleSet, Stream, Way};
    use crate::zab::tests::config;
    use crate::zab::{Outbox, Payload, Recovered};

    fn zxid(text: &str) -> Zxid {
        text.parse().unwrap()
    }

    /// A leader whose log (and committed log) is this, standing at `last`.
    fn leader(log: &str, last: &str, config: &Config) -> Storage {
        let mut storage = Storage::new(config, Prng::new(0, Stream::Server));
        let log = log.split_whitespace().map(|text| Proposal { zxid: zxid(text), payload: Payload::text("x") });
        let disk = Recovered { log: log.collect(), ..Recovered::default() };
        storage.load(disk, config, &mut Outbox::default());
        storage.last_processed = zxid(last);
        storage
    }

    fn check(log: &str, last: &str, peer: &str, expected: &str, why: Note) {
        let config = config();
        check_with(&config, log, last, peer, expected, why);
    }

    fn check_with(config: &Config, log: &str, last: &str, peer: &str, expected: &str, why: Note) {
        let plan = plan(&leader(log, last, config), zxid(peer), false, config);
        let sent: Vec<String> = plan.proposals.iter().map(|proposal| proposal.zxid.to_string()).collect();
        let plan_text = format!("{:?} {} [{}] {}", plan.kind, plan.to, sent.join(" "), plan.current);
        assert_eq!((plan_text.as_str(), plan.why), (expected, why), "log {log}, last {last}, peer {peer}");
    }

    #[test]
    fn same_history_gets_an_empty_diff() {
        check("1:1 1:2", "1:2", "1:2", "Diff 1:2 [] 1:2", Note::SameHistory);
        check("", "0:0", "0:0", "Diff 0:0 [] 0:0", Note::SameHistory);
    }

    #[test]
    fn within_the_committed_log_only_what_is_missing_is_sent() {
        check("1:1 1:2 1:3", "2:0", "1:1", "Diff 1:3 [1:2 1:3] 1:3", Note::WithinCommittedLog);
        check("1:1 1:2 2:1", "2:1", "1:2", "Diff 2:1 [2:1] 2:1", Note::WithinCommittedLog);
        check("1:1 1:2", "2:0", "1:2", "Diff 1:2 [] 1:2", Note::WithinCommittedLog);
        // an epoch that was taken up without a transaction counts as the place before its first one
        check("1:1 1:2 3:1", "3:1", "2:0", "Diff 3:1 [3:1] 3:1", Note::WithinCommittedLog);
    }

    #[test]
    fn a_learner_ahead_is_cut_while_the_new_epoch_is_empty() {
        check("1:1 1:2", "2:0", "1:4", "Trunc 1:2 [] 1:2", Note::AheadOfLeader);
    }

    #[test]
    fn after_the_new_epochs_first_transaction_it_gets_the_whole_state() {
        check("1:1 1:2 2:1", "2:1", "1:4", "Snap 2:1 [] 2:1", Note::PartedInOtherEpoch);
    }

    #[test]
    fn a_tail_foreign_to_the_same_epoch_is_cut_back_to_the_common_point() {
        check("1:1 1:3 1:4", "1:4", "1:2", "Trunc 1:1 [1:3 1:4] 1:4", Note::ForeignTail);
    }

    #[test]
    fn an_empty_learner_meets_an_epoch_that_has_begun() {
        check("", "1:0", "0:0", "Snap 1:0 [] 1:0", Note::TooFarBehind);
    }

    #[test]
    fn a_log_on_disk_that_begins_after_the_learner_is_of_no_use() {
        let unbounded = Config { commit_log_count: 2, snapshot_size_factor: Some(0), ..config() };
        check_with(&unbounded, "2:1 2:2 2:3 2:4", "2:4", "0:0", "Snap 2:4 [] 2:4", Note::TooFarBehind);
        check_with(&unbounded, "2:1 2:2 2:3 2:4", "2:4", "2:0", "Snap 2:4 [] 2:4", Note::TooFarBehind);
    }

    #[test]
    fn the_committed_log_holds_its_count_and_in_3_8_one_more() {
        for (rules, first) in
            [(RuleSet::default(), "1:3"), (RuleSet::default().breaking(Way::OneMoreInMemory), "1:2")]
        {
            let config = Config { commit_log_count: 3, rules, ..config() };
            let window = leader("1:1 1:2 1:3 1:4 1:5", "1:5", &config).committed_window();
            assert_eq!(window, (zxid(first), zxid("1:5")));
        }
    }

    /// The first file that is read is open already when the others are counted; each of those takes its whole piece.
    #[test]
    fn the_log_on_disk_helps_while_no_file_behind_the_first_is_large_beside_a_snapshot() {
        let plan_of = |files: &[&str], config: &Config| {
            let mut storage = leader("1:1 1:2 1:3 1:4", "1:4", config);
            storage.log_files = files.iter().map(|name| zxid(name)).collect();
            storage.snapshot_bytes = 190_000;
            plan(&storage, zxid("1:1"), false, config).why
        };
        let small = Config { commit_log_count: 1, ..config() };
        assert_eq!(plan_of(&["1:1"], &small), Note::FromDiskLog);
        assert_eq!(plan_of(&["1:1", "1:3"], &small), Note::TooFarBehind);
        let exact = Config { pre_alloc: 0, ..small.clone() };
        assert_eq!(plan_of(&["1:1", "1:3"], &exact), Note::FromDiskLog);
        let unbounded = Config { snapshot_size_factor: Some(0), ..small.clone() };
        assert_eq!(plan_of(&["1:1", "1:3"], &unbounded), Note::FromDiskLog);
        let off = Config { snapshot_size_factor: None, ..small };
        assert_eq!(plan_of(&["1:1"], &off), Note::TooFarBehind);
    }

    #[test]
    fn a_learner_that_cannot_cut_gets_the_whole_state() {
        let config = config();
        let plan = plan(&leader("1:1", "2:0", &config), zxid("1:4"), true, &config);
        assert_eq!((plan.kind, plan.why), (SyncKind::Snap, Note::AskedForSnapshot));
    }

    #[test]
    fn the_broken_rule_keeps_the_foreign_tail() {
        let mut config = config();
        config.rules = config.rules.breaking(BrokenRule::RejoinWithoutTrunc);
        let storage = leader("1:1 1:2 2:1", "2:1", &config);
        let plan = plan(&storage, zxid("1:4"), false, &config);
        assert_eq!((plan.kind, plan.proposals.len()), (SyncKind::Diff, 1));
    }

    #[test]
    fn each_file_behind_the_first_takes_whole_pieces() {
        for (files, from, pieces, transactions) in [
            ("1:1", "1:1", 0, 0),
            ("1:1 1:3", "1:1", 1, 2),
            ("1:1 1:2 1:4", "1:1", 2, 3),
            ("1:1 1:2 1:4", "1:2", 2, 3), // the file before is open already
            ("1:1 1:2 1:4", "1:3", 1, 1),
        ] {
            let (config, exact) = (config(), Config { pre_alloc: 0, ..config() });
            let mut storage = leader("1:1 1:2 1:3 1:4", "1:4", &config);
            storage.log_files = files.split(' ').map(zxid).collect();
            let behind = |config: &Config| storage.bytes_behind(zxid(from), config);
            let each = 1 + 13; // of a transaction with one byte
            assert_eq!(
                (behind(&config), behind(&exact)),
                (pieces * config.pre_alloc, transactions * each),
                "{files} {from}"
            );
        }
    }

    #[test]
    fn a_new_piece_begins_four_kilobytes_before_the_end() {
        let config = Config { pre_alloc: 8_192, ..config() };
        for (bytes, pieces) in [(4_095, 1), (4_096, 2), (12_287, 2), (12_288, 3)] {
            let mut storage = leader("1:1", "1:1", &config);
            let payload = Payload::text(&"x".repeat(bytes - 13));
            storage.log.push(Proposal { zxid: zxid("1:2"), payload });
            storage.log_files = ["1:1", "1:2"].map(zxid).to_vec();
            assert_eq!(storage.bytes_behind(zxid("1:1"), &config), pieces * config.pre_alloc, "{bytes}");
        }
    }
}
