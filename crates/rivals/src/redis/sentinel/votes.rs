//! Objectively down, and who may act: questions and votes among Sentinels.

use crate::base::{ServerId, SimTime};
use crate::daemon::Cx;
use crate::redis::PORT;
use crate::redis::reply::Reply;

use super::instance::Question;
use super::state::{Phase, Sentinel};
use super::watch::PING_US;

/// `SENTINEL_ASK_PERIOD`, µs.
const ASK_US: u64 = 1_000_000;
/// `SENTINEL_MAX_DESYNC`, ms.
const MAX_DESYNC_MS: u64 = 1_000;

impl Sentinel {
    /// Enough Sentinels find the master down (`sentinelCheckObjectivelyDown`).
    pub(super) fn check_odown(&mut self, cx: &mut Cx<Sentinel>) {
        let down = self.instances.get(&self.master).is_some_and(|master| master.down_since.is_some());
        let others = self.instances.values().filter(|instance| instance.says_down).count();
        let (count, quorum) = (1 + others, usize::from(self.config.quorum));
        let odown = down && count >= quorum;
        if odown == self.odown {
            return;
        }
        self.odown = odown;
        let about = self.about_master();
        match odown {
            true => self.event("+odown", &format!("{about} #quorum {count}/{quorum}"), cx),
            false => self.event("-odown", &about, cx),
        }
    }

    /// Asks the others about the master that seems down, and for their votes (`sentinelAskMasterStateToOtherSentinels`).
    pub(super) fn ask_sentinels(&mut self, forced: bool, cx: &mut Cx<Sentinel>) {
        let now = cx.env.now;
        let down = self.instances.get(&self.master).is_some_and(|master| master.down_since.is_some());
        let candidate = if self.phase == Phase::None { "*".to_string() } else { self.me.to_string() };
        let (master, epoch) = (self.master.to_string(), self.current_epoch.to_string());
        for id in self.sentinels() {
            let Some(sentinel) = self.instances.get_mut(&id) else { continue };
            let since = |at: Option<SimTime>| at.map_or(u64::MAX, |at| now.since(at));
            if since(sentinel.says_down_at) > 5 * ASK_US {
                (sentinel.says_down, sentinel.vote) = (false, None);
            }
            let due = since(sentinel.says_down_at) >= ASK_US && !sentinel.questions.contains(&Question::Master);
            if down && (forced || due) {
                let question = ["SENTINEL", "is-master-down-by-addr", &master, PORT, &epoch, &candidate];
                self.ask(id, &question, Question::Master, cx);
            }
        }
    }

    /// Another Sentinel has answered: whether it finds the master down, and for whom it has voted.
    pub(super) fn heard_of_master(&mut self, id: ServerId, reply: &Reply, cx: &mut Cx<Sentinel>) {
        let Reply::Array(parts) = reply else { return };
        let [Reply::Int(down), Reply::Bulk(leader), Reply::Int(epoch)] = parts.as_slice() else { return };
        if let Some(sentinel) = self.instances.get_mut(&id) {
            (sentinel.says_down, sentinel.says_down_at) = (*down == 1, Some(cx.env.now));
            if let (Some(leader), Ok(epoch)) = (ServerId::named(leader), u64::try_from(*epoch)) {
                sentinel.vote = Some((leader, epoch));
            }
        }
    }

    /// Votes, if there was no vote in this epoch; for whom it has voted (`sentinelVoteLeader`).
    pub(super) fn vote_for(&mut self, whom: ServerId, epoch: u64, cx: &mut Cx<Sentinel>) -> Option<(ServerId, u64)> {
        self.newer_epoch(epoch, cx);
        let voted = self.vote.map_or(0, |(_, epoch)| epoch);
        if voted < epoch && self.current_epoch <= epoch {
            self.vote = Some((whom, self.current_epoch));
            self.save(None, cx);
            self.event("+vote-for-leader", &format!("{whom} {}", self.current_epoch), cx);
            // who votes for another lets it try first
            if whom != self.me {
                self.failover_start = Some(self.with_desync(cx.env.now));
            }
        }
        self.vote
    }

    fn with_desync(&mut self, now: SimTime) -> SimTime {
        now.plus(self.prng.between(0, MAX_DESYNC_MS - 1) * 1000)
    }

    /// The master is down for enough of them, and nobody has tried lately (`sentinelStartFailoverIfNeeded`).
    pub(super) fn start_failover_if_needed(&mut self, cx: &mut Cx<Sentinel>) -> bool {
        let now = cx.env.now;
        let pause = 2 * self.config.failover_timeout_ms * 1000;
        let lately = self.failover_start.is_some_and(|at| at > now || now.since(at) < pause);
        if !self.odown || self.phase != Phase::None || lately {
            return false;
        }
        self.current_epoch += 1;
        self.failover_epoch = self.current_epoch;
        self.failover_start = Some(self.with_desync(now));
        (self.phase, self.phase_since, self.promoted) = (Phase::WaitStart, now, None);
        self.event("+new-epoch", &self.current_epoch.to_string(), cx);
        self.event("+try-failover", &self.about_master(), cx);
        true
    }

    /// Who has a majority of all known Sentinels, and the quorum (`sentinelGetLeader`).
    pub(super) fn leader(&mut self, cx: &mut Cx<Sentinel>) -> Option<ServerId> {
        let epoch = self.failover_epoch;
        let mut votes: Vec<ServerId> = Vec::new();
        for id in self.sentinels() {
            let vote = self.instances.get(&id).and_then(|sentinel| sentinel.vote);
            votes.extend(vote.filter(|(_, of)| *of == epoch).map(|(whom, _)| whom));
        }
        let first = most_voted(&votes).map_or(self.me, |(whom, _)| whom);
        let own = self.vote_for(first, epoch, cx);
        votes.extend(own.filter(|(_, of)| *of == epoch).map(|(whom, _)| whom));
        let voters = self.sentinels().len() + 1;
        let needed = (voters / 2 + 1).max(usize::from(self.config.quorum));
        most_voted(&votes).filter(|(_, count)| *count >= needed).map(|(whom, _)| whom)
    }

    /// How long it waits to be elected, µs.
    pub(super) fn election_us(&self) -> u64 {
        (10 * PING_US).min(self.config.failover_timeout_ms * 1000)
    }
}

/// Who has most votes, and how many; the lowest number among equals.
fn most_voted(votes: &[ServerId]) -> Option<(ServerId, usize)> {
    let count = |whom: ServerId| votes.iter().filter(|vote| **vote == whom).count();
    votes.iter().map(|whom| (*whom, count(*whom))).min_by_key(|(whom, count)| (usize::MAX - count, *whom))
}
