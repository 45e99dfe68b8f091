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
        let on_disk = storage.log.iter().skip(start);
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

/// Whether the log on disk reaches back to `peer` and what is missing is small beside a snapshot.
fn disk_log_serves(storage: &Storage, peer: Zxid, config: &Config) -> bool {
    let Some(percent) = config.snapshot_size_factor else { return false };
    if peer < storage.log_start || storage.log.is_empty() {
        return false;
    }
    let bytes: u64 = storage.log.iter().skip(storage.index_after(peer)).map(Proposal::bytes).sum();
    percent == 0 || bytes * 100 <= storage.snapshot_bytes * u64::from(percent)
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
