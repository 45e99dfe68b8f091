//! Where a rule of ours decided that ZooKeeper does not have: what happened next is not what its servers would have done.

use crate::zab::{self, DropReason, LeaveReason, Note};

use super::{Fact, Record, WorldFact};

/// A rule of ours. `docs/protocol-map.md` has a paragraph for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// A leader resigns for a learner that has accepted a later epoch.
    ResignsForLaterEpoch,
    /// A learner whose log cannot be cut asks for a whole state.
    AsksForSnapshot,
    /// A leader that synchronises a learner again forgets its acknowledgements.
    AcksForgotten,
    /// It closes that learner's earlier connections.
    EarlierClosed,
    /// The log goes with the older snapshots when a whole state was received.
    OldLogDropped,
    /// Snapshots that hold what TRUNC cuts go with it.
    NewerSnapshotsRemoved,
    /// The epoch of a log that is ahead of currentEpoch is adopted.
    EpochAdopted,
    /// Memory is loaded anew where the log could not be written.
    UnloggedDropped,
    /// Observers that are to vote do not keep a leader in office.
    ObserversDoNotCount,
    /// A configuration that is only proposed waits for its commit.
    ConfigAwaitsCommit,
    /// What was proposed behind a configuration needs a quorum of that one alone.
    LaterConfigAlone,
    /// A server joins a leader by the configuration in force.
    JoinsByConfigInForce,
    /// The later round of a server that votes only in a configuration that is proposed is joined.
    JoinersHeard,
}

impl Departure {
    /// All of them.
    pub const ALL: [Departure; 13] = [
        Departure::ResignsForLaterEpoch,
        Departure::AsksForSnapshot,
        Departure::AcksForgotten,
        Departure::EarlierClosed,
        Departure::OldLogDropped,
        Departure::NewerSnapshotsRemoved,
        Departure::EpochAdopted,
        Departure::UnloggedDropped,
        Departure::ObserversDoNotCount,
        Departure::ConfigAwaitsCommit,
        Departure::LaterConfigAlone,
        Departure::JoinsByConfigInForce,
        Departure::JoinersHeard,
    ];
}

/// The rule of ours that decided what this record says, if one did.
pub fn departure(record: &Record) -> Option<Departure> {
    use zab::Fact as F;
    match (&record.fact, record.why) {
        (_, Some(Note::AskedForSnapshot)) => Some(Departure::AsksForSnapshot),
        (_, Some(Note::UnloggedDropped)) => Some(Departure::UnloggedDropped),
        (_, Some(Note::EpochAdoptedFromLog)) => Some(Departure::EpochAdopted),
        (_, Some(Note::ConfigStillProposed)) => Some(Departure::ConfigAwaitsCommit),
        (_, Some(Note::RoundOfJoiner)) => Some(Departure::JoinersHeard),
        (_, Some(Note::LaterConfigAlone)) => Some(Departure::LaterConfigAlone),
        (_, Some(Note::JoinsByConfigInForce)) => Some(Departure::JoinsByConfigInForce),
        (Fact::Zab { fact: F::Left { reason: LeaveReason::OnlyObservers, .. }, .. }, _) => {
            Some(Departure::ObserversDoNotCount)
        }
        (Fact::Zab { fact: F::Left { reason: LeaveReason::LaterEpochPromised, .. }, .. }, _) => {
            Some(Departure::ResignsForLaterEpoch)
        }
        (Fact::Zab { fact: F::Left { reason: LeaveReason::CannotTruncate, .. }, .. }, _) => {
            Some(Departure::AsksForSnapshot)
        }
        (Fact::Zab { fact: F::AcksForgotten { .. }, .. }, _) => Some(Departure::AcksForgotten),
        (Fact::Zab { fact: F::LearnerDropped { reason: DropReason::Replaced, .. }, .. }, _) => {
            Some(Departure::EarlierClosed)
        }
        (Fact::World(WorldFact::SnapshotWritten { installed: true, .. }), _) => Some(Departure::OldLogDropped),
        (Fact::World(WorldFact::LogTruncated { snapshots: 1.., .. }), _) => Some(Departure::NewerSnapshotsRemoved),
        _ => None,
    }
}
