//! English: the rules that notes name.

use crate::sim::Departure;
use crate::zab::Note;

/// A note as a sentence.
pub(super) fn sentence(note: Note) -> &'static str {
    match note {
        Note::LaterEpochWins => "The later currentEpoch wins, whatever the zxids are.",
        Note::LaterZxidWins => "In the same epoch the later zxid wins: it has more history.",
        Note::HigherIdWins => "The histories are equal, so the higher server id wins.",
        Note::LaterRound => "Votes of an earlier round no longer count.",
        Note::MajorityAgrees => "A majority agrees; the vote stands after 200 ms of silence.",
        Note::NoBetterVote => "A majority agreed, no better vote came, and then nothing for 200 ms.",
        Note::BetterVoteInTime => "A better vote that comes before 200 ms of silence reopens the election.",
        Note::JoinsExistingLeader => "A majority already follows a leader, and the leader itself says so.",
        Note::EpochAboveAllAccepted => {
            "A new epoch is one above the largest acceptedEpoch in the quorum, so no epoch has two leaders."
        }
        Note::PromiseBeforeAnswer => "The promise must be on disk before the answer: a crash must not undo it.",
        Note::SameHistory => "The learner has just what the leader has: nothing needs to be sent.",
        Note::WithinCommittedLog => "All that the learner misses is in the leader's committed log.",
        Note::FromDiskLog => "The leader's memory does not reach back that far, but its log on disk does.",
        Note::AheadOfLeader => "The learner is ahead of all that the leader has committed: its tail must go.",
        Note::ForeignTail => "The learner has a transaction that the leader's history does not have: it must go.",
        Note::PartedInOtherEpoch => "The two histories diverge in different epochs: truncation cannot fix that.",
        Note::TooFarBehind => "What the learner misses reaches further back than the leader's logs can serve.",
        Note::AskedForSnapshot => "The learner could not cut its log and asked for a whole state.",
        Note::HistoryOnQuorum => "A leader may serve once a majority has its whole history on disk.",
        Note::MajorityLogged => {
            "A leader may commit what a majority has logged, and only when everything before it is committed."
        }
        Note::OnDiskBeforeAck => "A server may acknowledge only what survives a crash.",
        Note::LoggedStaysInMemory => {
            "What is logged counts in the next election, committed or not, so memory must have it too."
        }
        Note::PartialStateDropped => "A half-received state must not count in a vote.",
        Note::UnloggedDropped => {
            "What is not in the log would not survive a crash, so it must not count in the next election."
        }
        Note::EpochAdoptedFromLog => {
            "It crashed between two writes: its log is of a later epoch than currentEpoch, so it adopts the log's."
        }
        Note::SuggestedByReconfig => {
            "The reconfiguration named the next leader, so nobody needs an election to find it."
        }
        Note::RoundOfJoiner => {
            "A majority of the proposed configuration is needed too, and this server is in a later round: votes of earlier ones are void."
        }
        Note::JoinsByConfigInForce => {
            "A majority of the configuration in force already follows a leader; the one it has seen may never be committed."
        }
        Note::LaterConfigAlone => {
            "It was proposed behind a configuration that is now in force, so only the majority of that one counts."
        }
        Note::ConfigStillProposed => {
            "The configuration that came with NEWLEADER is only proposed: it takes force when it is committed."
        }
        Note::OracleGrants => "One of two is no majority, but its oracle says that it may go on alone.",
        Note::OracleRefuses => {
            "The other one leads without a majority, and its own oracle says that it may not itself: so it follows."
        }
        Note::AlreadyAccepted => {
            "It had accepted this epoch before, so its answer does not count towards the quorum."
        }
    }
}

/// What is said where a rule of ours decided.
pub(super) fn departure(departure: Departure) -> &'static str {
    match departure {
        Departure::ResignsForLaterEpoch => {
            "Not so in ZooKeeper: there the learner fails on LEADERINFO, again and again, until the next election."
        }
        Departure::AsksForSnapshot => {
            "Not so in ZooKeeper: there the learner exits with code 13, and does so again after each start."
        }
        Departure::AcksForgotten => {
            "Not so in ZooKeeper: there the old ACKs count, and what a majority lacks can be committed."
        }
        Departure::EarlierClosed => {
            "Not so in ZooKeeper: there the earlier connection stays open, and ACKs that arrive on it count."
        }
        Departure::OldLogDropped => {
            "Not so in ZooKeeper: there the old log stays, and what reaches beyond the snapshot returns at the next start."
        }
        Departure::NewerSnapshotsRemoved => {
            "Not so in ZooKeeper: there newer snapshots stay and bring back what was cut (ZOOKEEPER-4837)."
        }
        Departure::UnloggedDropped => {
            "Not so in ZooKeeper: there memory keeps what the log lacks, and the log may be left with a gap."
        }
        Departure::ObserversDoNotCount => {
            "Not so in ZooKeeper: there observers keep their leader in office, and everybody may wait for ever."
        }
        Departure::ConfigAwaitsCommit => {
            "Not so in ZooKeeper: there it takes force at once, and its own leader may turn the server away later."
        }
        Departure::LaterConfigAlone => {
            "Not so in ZooKeeper: there it needs a majority of the old configuration too, to the end."
        }
        Departure::JoinsByConfigInForce => {
            "Not so in ZooKeeper: there it needs a majority of the one it has seen too, and may stay outside for ever."
        }
        Departure::JoinersHeard => {
            "Not so in ZooKeeper: there a vote for nobody is not read, and the election may never end."
        }
        Departure::EpochAdopted => "Not so in ZooKeeper: there the server refuses to start (ZOOKEEPER-1653).",
    }
}
