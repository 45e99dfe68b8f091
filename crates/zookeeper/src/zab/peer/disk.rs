//! What a server does of itself to its disk, and what it does when that fails.

use crate::base::{ServerId, Way};
use crate::zab::config::Config;
use crate::zab::fact::{LeaveReason, StartFault};
use crate::zab::io::{Output, Recovered, Timer};
use crate::zab::members::Members;
use crate::zab::phase::Phase;
use crate::zab::rules::BrokenRule;
use crate::zab::storage::Done;

use super::{Env, Peer, Role};

impl Recovered {
    /// Why a server cannot start with this. Only what is replayed is looked at, and it may be of a later epoch than what is before it:
    /// a hole behind the snapshot, or between two epochs, is not seen.
    pub(super) fn fault(&self, id: ServerId, members: &Members, config: &Config) -> Option<StartFault> {
        if !members.all().contains(id) && config.rules.breaks(Way::OutsidersExit) {
            return Some(StartFault::NotInPeerList);
        }
        if self.snapshots.is_empty() {
            return self.log.first().map(|first| StartFault::NoSnapshot { first: first.zxid });
        }
        let zxids = || self.log.iter().map(|proposal| proposal.zxid).filter(|zxid| *zxid > self.snapshot);
        let hole = zxids()
            .zip(zxids().skip(1))
            .find(|(before, next)| before.epoch() == next.epoch() && *next > before.next());
        let (before, next) = hole.filter(|_| !config.rules.breaks(Way::GapsTaken))?;
        Some(StartFault::Hole { before, next })
    }
}

impl Peer {
    /// It refuses to start: its process ends.
    pub(super) fn stopped(mut self, env: &mut Env) -> Peer {
        env.out.push(Output::Exit);
        self.role = Role::Stopped;
        self
    }

    /// A disk operation is done.
    pub(super) fn persisted(&mut self, token: u64, bytes: u64, env: &mut Env) {
        let Some(done) = self.storage.persisted(token, bytes, env.config, env.out) else { return };
        let awaited = match &self.role {
            Role::Leading(leader) => leader.writes_snapshot(),
            Role::Alone(alone) => alone.loading,
            _ => false,
        };
        if done.is_background() && !(awaited && matches!(done, Done::Snapshot(_))) {
            return;
        }
        match &self.role {
            Role::Alone(_) => self.persisted_alone(&done, env),
            Role::Leading(_) => self.with_leader(env, |leader, cx| leader.persisted(&done, cx)),
            Role::Learning(_) => self.with_learner(env, |learner, cx| learner.persisted(&done, cx)),
            Role::Leaving { .. } => self.left(env),
            Role::Looking | Role::Stopped => {}
        }
    }

    fn persisted_alone(&mut self, done: &Done, env: &mut Env) {
        let (mut cx, role, _) = self.split(env);
        if let Role::Alone(alone) = role {
            alone.persisted(done, &mut cx);
        }
    }

    /// A write to the log ends the log's thread only (`SyncRequestProcessor.java`): a server that serves goes on until it looks
    /// whether its processors live. What the main thread writes ends the role. A snapshot ends the process, whoever takes it
    /// (`ZooKeeperServer.java` `takeSnapshot`), and so does a log that cannot be cut; a purge, and a configuration while it serves, are
    /// only logged. A server alone ends with its log.
    pub(super) fn disk_failed(&mut self, token: u64, env: &mut Env) {
        let Some(done) = self.storage.failed(token) else { return };
        let reason = match done {
            Done::Purged(_) => return,
            Done::Appended(_) | Done::Config if self.phase() == Phase::Broadcast => return,
            Done::Snapshot(_) | Done::InstalledSnapshot(_) => LeaveReason::SnapshotFailed,
            Done::Truncated(_) => LeaveReason::BadSyncPacket,
            Done::Appended(_) | Done::Config | Done::AcceptedEpoch(_) | Done::CurrentEpoch(_) => {
                LeaveReason::DiskFailed
            }
        };
        match &self.role {
            Role::Leading(_) | Role::Learning(_) | Role::Alone(_) => self.leave(reason, env),
            _ if reason.exits() => self.leave(reason, env),
            _ => self.left(env),
        }
    }

    /// The broken rule of a server that takes for lost what it has not seen committed: it cuts that from its log when it has left its
    /// role. Says whether it does.
    pub(super) fn cuts_uncommitted(&mut self, env: &mut Env) -> bool {
        let Role::Leaving { fast_forward: true, reload: false, .. } = self.role else { return false };
        let rest = !self.storage.broken && self.storage.last_logged() > self.storage.last_processed;
        let cuts = rest && env.config.rules.breaks(BrokenRule::CommitOnlyWhatIsKnown);
        if cuts {
            self.storage.cut_unapplied(env.out);
        }
        cuts
    }

    /// At a start, and then at a fixed rate.
    pub(super) fn purge(&mut self, env: &mut Env) {
        self.storage.purge(env.config, env.out);
        env.out.arm(Timer::Purge, env.now.plus(env.config.purge_interval));
    }
}
