//! English: what happens inside a server.

use crate::base::{ServerId, ServerSet, Zxid};
use crate::i18n::text;
use crate::zab::{Fact, LeaveReason, Members, ServerState, StartFault, SyncKind};

use super::{list, terms, transactions};

/// A server's fact as a sentence.
pub(super) fn sentence(me: ServerId, fact: &Fact) -> String {
    match fact {
        Fact::Looking { round, last_zxid, current_epoch } => {
            format!("{me} looks for a leader, round {round}: last zxid {last_zxid}, currentEpoch {current_epoch}.")
        }
        Fact::RoundJoined { round } => format!("{me} learns of a later round and moves to round {round}."),
        Fact::VoteChanged { vote, round } => {
            let (leader, zxid, epoch) = (vote.leader, vote.zxid, vote.peer_epoch);
            format!("{me} changes its vote to {leader} (peerEpoch {epoch}, zxid {zxid}) in round {round}.")
        }
        Fact::Finalizing { leader, votes } => {
            format!("{me} counts {} equal votes for {leader} ({}): a majority.", votes.len(), list(*votes))
        }
        Fact::FinalizingBroken { leader } => format!("{me} does not settle: a better vote arrives, for {leader}."),
        Fact::Elected { leader, role, round } => elected(me, *leader, *role, *round),
        Fact::EpochProposed { epoch, quorum } => {
            format!("{me} proposes epoch {epoch}: a majority has connected ({}).", list(*quorum))
        }
        Fact::EpochAccepted { epoch } => {
            format!("{me} accepts epoch {epoch}: it will obey no leader of an older one.")
        }
        Fact::Synchronizing { epoch, quorum } => {
            format!(
                "{me} has the promises of {}, a majority: synchronization in epoch {epoch} begins.",
                list(*quorum)
            )
        }
        Fact::SyncChosen { learner, sync, learner_zxid, to, proposals, .. } => {
            sync_chosen(me, *learner, *sync, *learner_zxid, *to, *proposals)
        }
        Fact::NewLeaderAcked { epoch } => format!("{me} acknowledges NEWLEADER {epoch}:0 of epoch {epoch}."),
        Fact::NewLeaderAckCounted { from, acks, need } => {
            format!("{me} counts the ACK of {from} for NEWLEADER: {}.", progress(*acks, *need))
        }
        Fact::Established { epoch, quorum } => {
            format!(
                "{me} is established as the leader of epoch {epoch}, backed by {}: broadcast begins.",
                list(*quorum)
            )
        }
        Fact::UpToDate { epoch } => format!("{me} is up to date in epoch {epoch} and serves clients."),
        Fact::Proposed { zxid, payload, followers } => proposed(me, *zxid, &text::written(payload), *followers),
        Fact::Queued { zxid } => format!("{me} queues {zxid} to be written to its log."),
        Fact::AckCounted { zxid, from, acks, need } => {
            let whose = if *from == me { "its own ACK".to_string() } else { format!("the ACK of {from}") };
            format!("{me} counts {whose} for {zxid}: {}.", progress(*acks, *need))
        }
        Fact::Committed { zxid, acks } if acks.len() == 1 && acks.contains(me) => {
            format!("{me} commits {zxid}: it is in its log.")
        }
        Fact::Committed { zxid, acks } => format!("{me} commits {zxid}: acknowledged by {}.", list(*acks)),
        Fact::AcksForgotten { learner, zxids } => {
            let zxids = zxids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            format!("{me} no longer counts the ACKs of {learner} for {zxids}: its log is about to be cut.")
        }
        Fact::LearnerDropped { learner, reason } => format!("{me} drops {learner}: {}.", terms::drop(*reason)),
        Fact::Left { role, reason } => left(me, *role, *reason),
        Fact::FastForwarded { to } => format!("{me} brings its memory to the end of its log, {to}."),
        Fact::RefusedToStart { last_zxid, current_epoch } => {
            format!("{me} refuses to start: its log ends at {last_zxid}, but its currentEpoch is {current_epoch}.")
        }
        Fact::CannotStart { fault } => cannot_start(me, *fault),
        Fact::ConfigSeen { config } => format!("{me} has the next configuration on disk: {}.", members(config)),
        Fact::ConfigActivated { config } => format!("{me} puts a configuration in force: {}.", members(config)),
        Fact::LeaderDesignated { leader } => {
            format!("{me} has no vote in the new configuration: it commits nothing more, and {leader} is to lead.")
        }
        Fact::Standalone { last_zxid: Zxid::ZERO } => {
            format!("{me} starts alone, with an empty tree (0:0): its file names no other server.")
        }
        Fact::Standalone { last_zxid } => {
            format!(
                "{me} starts alone, with all that is on its disk, up to {last_zxid}: its file names no other server."
            )
        }
        Fact::Recovered { last_zxid, current_epoch, accepted_epoch } => format!(
            "{me} recovers: last zxid {last_zxid}, currentEpoch {current_epoch}, acceptedEpoch {accepted_epoch}."
        ),
    }
}

/// Who belongs to a configuration.
fn members(config: &Members) -> String {
    let observers = match config.observers.is_empty() {
        true => String::new(),
        false => format!(", and {} observing", list(config.observers)),
    };
    format!("version {}, with {} voting{observers}", config.version, list(config.voters))
}

fn elected(me: ServerId, leader: ServerId, role: ServerState, round: u64) -> String {
    match role {
        ServerState::Leading => format!("{me} wins the election of round {round} and becomes LEADING."),
        ServerState::Following => format!("{me} accepts {leader} as leader in round {round} and becomes FOLLOWING."),
        ServerState::Observing => format!("{me} learns that {leader} leads and becomes OBSERVING."),
        ServerState::Looking => format!("{me} stays LOOKING in round {round}."),
        ServerState::Standalone => format!("{me} serves alone: {leader} is itself."),
    }
}

fn progress(acks: ServerSet, need: usize) -> String {
    let (have, who) = (acks.len(), list(acks));
    match have >= need {
        true => format!("it has {have} ({who}), a majority"),
        false => format!("it has {have} ({who}) of the {need} needed"),
    }
}

fn sync_chosen(me: ServerId, learner: ServerId, sync: SyncKind, at: Zxid, to: Zxid, proposals: usize) -> String {
    let then = match proposals {
        0 => String::new(),
        _ => format!(", then {}", transactions(proposals)),
    };
    match (sync, proposals) {
        (SyncKind::Diff, 0) => format!("{me} sends {learner} an empty DIFF: {learner} is at {at}."),
        (SyncKind::Diff, _) => {
            format!("{me} sends {learner} a DIFF of {}, up to {to}: {learner} is at {at}.", transactions(proposals))
        }
        (SyncKind::Trunc, _) => {
            format!("{me} sends {learner}, which is at {at}, TRUNC {to}: cut everything after it{then}.")
        }
        (SyncKind::Snap, _) => {
            format!("{me} sends {learner}, which is at {at}, SNAP {to}: its whole state{then}.")
        }
    }
}

fn proposed(me: ServerId, zxid: Zxid, data: &str, followers: ServerSet) -> String {
    match followers.is_empty() {
        true if zxid.epoch() == 0 => format!("{me} gives {data} the zxid {zxid}."),
        true => format!("{me} gives {data} the zxid {zxid}; it has no followers."),
        false => format!("{me} gives {data} the zxid {zxid} and sends PROPOSAL {zxid} to {}.", list(followers)),
    }
}

fn cannot_start(me: ServerId, fault: StartFault) -> String {
    match fault {
        StartFault::NoSnapshot { first } => {
            format!("{me} cannot start: it has a log from {first} on, but no snapshot that it could be replayed on.")
        }
        StartFault::Hole { before, next } => {
            format!("{me} cannot start: its log has a hole, {next} comes right after {before}.")
        }
        StartFault::NotInPeerList => format!("{me} cannot start: the configuration on its disk does not name it."),
    }
}

fn left(me: ServerId, role: ServerState, reason: LeaveReason) -> String {
    let what = match role {
        ServerState::Leading => "stops leading",
        ServerState::Following => "stops following",
        ServerState::Observing => "stops observing",
        ServerState::Looking => "stops looking",
        ServerState::Standalone => "stops serving",
    };
    format!("{me} {what}: {}.", terms::leave(reason))
}

/// What the leader remembers; it follows a note.
pub(super) fn window(min: Zxid, max: Zxid) -> String {
    match min == max {
        true => format!(" The leader's committed log in memory reaches back no further than {min}."),
        false => format!(" The leader's committed log in memory goes from {min} to {max}."),
    }
}

/// The rule behind a kind of fact, where no note says more.
pub(super) fn rule(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Looking { .. } => {
            Some("The newest history must win: votes are compared by currentEpoch, then by zxid, then by server id.")
        }
        Fact::EpochAccepted { .. } => Some("The leader makes the same promise as its followers."),
        Fact::Synchronizing { .. } => {
            Some("Once a majority obeys no older epoch, no older leader can commit anything.")
        }
        Fact::NewLeaderAcked { .. } => {
            Some("NEWLEADER may be acknowledged only when the leader's history and currentEpoch are on disk.")
        }
        Fact::NewLeaderAckCounted { .. } => {
            Some("The leader may serve only when a majority has its whole history on disk.")
        }
        Fact::Standalone { .. } => {
            Some("Alone there is nobody to elect and nobody to ask: what is in its own log counts.")
        }
        Fact::UpToDate { .. } => Some("The leader sends UPTODATE only when it is established itself."),
        Fact::Proposed { followers, .. } if followers.is_empty() => {
            Some("One server numbers all writes, so they are applied in one order.")
        }
        Fact::Proposed { .. } => {
            Some("One leader numbers all writes of its epoch, so every server applies them in one order.")
        }
        Fact::AckCounted { acks, need, .. } => (acks.len() >= *need).then_some(
            "Any two majorities share a server, so a later leader cannot miss what a majority has logged.",
        ),
        Fact::Left { reason, .. } => Some(left_rule(*reason)),
        Fact::RefusedToStart { .. } => {
            Some("A crash between the log and currentEpoch leaves files that seem to contradict each other.")
        }
        Fact::CannotStart { fault: StartFault::NotInPeerList } => {
            Some("A server takes part only in an ensemble whose configuration names it.")
        }
        Fact::CannotStart { .. } => {
            Some("A server's state is its newest snapshot and every transaction of the log behind it, without a gap.")
        }
        Fact::ConfigSeen { .. } => Some(
            "From its proposal on, whatever is proposed needs a quorum of the old configuration and one of the new.",
        ),
        Fact::ConfigActivated { .. } => Some("From its commit on, only quorums of the new configuration count."),
        Fact::LeaderDesignated { .. } => {
            Some("Of the new voters, the one that has acknowledged the most becomes the next leader.")
        }
        Fact::RoundJoined { .. }
        | Fact::VoteChanged { .. }
        | Fact::Finalizing { .. }
        | Fact::FinalizingBroken { .. }
        | Fact::Elected { .. }
        | Fact::EpochProposed { .. }
        | Fact::SyncChosen { .. }
        | Fact::Established { .. }
        | Fact::Queued { .. }
        | Fact::Committed { .. }
        | Fact::AcksForgotten { .. }
        | Fact::LearnerDropped { .. }
        | Fact::FastForwarded { .. }
        | Fact::Recovered { .. } => None,
    }
}

fn left_rule(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => "Without a majority a leader can commit nothing; it must not go on as if it could.",
        LeaveReason::OnlyObservers => {
            "An observer gets no proposals, so its vote in the proposed configuration never comes; a new leader can count it."
        }
        LeaveReason::IdTooLarge => {
            "Sessions of a server 255 would look like nodes with a time to live: it may vote and follow, but each time that it is to lead, it falls."
        }
        LeaveReason::QuorumWaitOver => "A new leader waits for a majority only for initLimit ticks.",
        LeaveReason::CounterUsedUp => "A zxid must never repeat: a new epoch restarts its counter.",
        LeaveReason::LaterEpochPromised => "The next epoch must be above every epoch that anyone has promised.",
        LeaveReason::LeaderGone | LeaveReason::LeaderUnreachable => {
            "Without its leader a server looks for a new one."
        }
        LeaveReason::LeaderSilent => {
            "A slow leader looks like a dead one: after syncLimit ticks (initLimit before UPTODATE) it is given up."
        }
        LeaveReason::OlderEpoch => "A server obeys no leader below the epoch that it has promised.",
        LeaveReason::OutOfOrder => "Every server must log and apply the same transactions in the same order.",
        LeaveReason::DiskFailed => {
            "Only the role ends: the process goes on and looks for a leader, and fails again while its disk does."
        }
        LeaveReason::SnapshotFailed => "A server that cannot write a snapshot ends its process: exit code 10.",
        LeaveReason::UnmatchedCommit => {
            "Whoever would apply another transaction than the leader must stop: exit code 12."
        }
        LeaveReason::BadSyncPacket => "It ends its process with exit code 13, and does so again after each start.",
        LeaveReason::Reconfigured => "A server changes its role by leaving it and connecting to the leader again.",
        LeaveReason::CannotTruncate => "It connects again and asks for a whole state instead.",
    }
}
