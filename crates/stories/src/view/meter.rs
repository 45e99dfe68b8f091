//! Quorum meters: what a leader waits for, and how many have answered. Where two configurations overlap there are two for each.

use crate::base::{Epoch, ServerId, ServerSet, SimTime, Zxid};
use crate::sim::World;
use crate::zab::{HandlerStage, Leader, LeaderStage, Quorums, Role};

use crate::timeline::RunSummary;

/// What is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Followers that have connected, to choose the epoch.
    Connected,
    /// Promises to obey no older epoch than this.
    Promises(Epoch),
    /// Servers that have the leader's history: acknowledgements of NEWLEADER.
    Histories(Epoch),
    /// Servers that have a proposal on disk.
    Acks(Zxid),
}

/// One meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    /// Who counts.
    pub leader: ServerId,
    /// Connections, promises, histories or ACKs.
    pub counted: Counted,
    /// Who is counted so far.
    pub have: ServerSet,
    /// How many make a majority.
    pub need: usize,
    /// Who votes.
    pub of: ServerSet,
    /// It counts by the next configuration, while two overlap.
    pub next: bool,
    /// It is complete: shown for a moment more.
    pub done: bool,
    /// What a proposal carries.
    pub text: String,
}

/// How long a committed proposal's meter stays to be seen, µs.
const STAYS_US: u64 = 25_000;

/// The meters of all leaders, oldest first.
pub(super) fn meters(world: &World, run_summary: &RunSummary) -> Vec<Meter> {
    let mut all = Vec::new();
    for process in world.processes.values() {
        let Some(memory) = process.server() else { continue };
        if let Role::Leading(leader) = &memory.peer.role {
            of_leader(&memory.peer.members, run_summary, (world.now, process.id), leader, &mut all);
        }
    }
    all
}

fn of_leader(
    quorums: &Quorums,
    run_summary: &RunSummary,
    (now, id): (SimTime, ServerId),
    leader: &Leader,
    all: &mut Vec<Meter>,
) {
    // while a reconfiguration is under way, a row for each configuration: both must be complete
    let mut push = |quorums: &Quorums, counted, have: ServerSet, done, text: String| {
        let next = quorums.next.filter(|next| !next.is_like(&quorums.now));
        for config in [Some(quorums.now), next].into_iter().flatten() {
            let (need, of, text) = (config.majority(), config.voters, text.clone());
            let next = config.version > quorums.now.version;
            all.push(Meter { leader: id, counted, have: have.intersection(of), need, of, next, done, text });
        }
    };
    let at_least = |stage: HandlerStage| -> ServerSet {
        let reached = leader.learners.values().filter(|handler| handler.stage >= stage && !handler.observer);
        reached.map(|handler| handler.learner).chain([id]).collect()
    };
    let present = Quorums::from(quorums.now);
    match leader.stage {
        LeaderStage::WriteSnapshot | LeaderStage::AwaitEpochQuorum => {
            push(&present, Counted::Connected, at_least(HandlerStage::AwaitEpoch), false, String::new());
        }
        LeaderStage::WriteAcceptedEpoch | LeaderStage::AwaitEpochAcks | LeaderStage::WriteCurrentEpoch => {
            let done = leader.stage == LeaderStage::WriteCurrentEpoch;
            let have = match leader.stage {
                LeaderStage::WriteAcceptedEpoch => ServerSet::EMPTY,
                _ => at_least(HandlerStage::AwaitSync),
            };
            push(&present, Counted::Promises(leader.epoch), have, done, String::new());
        }
        LeaderStage::AwaitNewLeaderAcks => {
            push(quorums, Counted::Histories(leader.epoch), leader.new_leader_acks, false, String::new());
        }
        LeaderStage::Active => {
            for commit in run_summary.commits_since(now.0.saturating_sub(STAYS_US)) {
                if commit.server == id {
                    push(&present, Counted::Acks(commit.zxid), commit.acks, true, commit.text.to_string());
                }
            }
            for (&zxid, waiting) in &leader.outstanding {
                let text = waiting.proposal.payload.text.to_string();
                push(&waiting.quorums, Counted::Acks(zxid), waiting.acks, false, text);
            }
        }
    }
}
