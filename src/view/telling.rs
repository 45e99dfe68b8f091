//! Which facts are worth telling, and which are worth stopping at.

use crate::sim::{Fact, Record, WorldFact};
use crate::zab;

/// How much a fact matters to someone who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Traffic: it is seen on the stage.
    Traffic,
    /// A step of the protocol.
    Step,
    /// Something to stop at: a phase changed, a leader won, a transaction was committed, something broke.
    Turn,
}

/// How much a fact matters.
pub fn weight(record: &Record) -> Weight {
    match &record.fact {
        Fact::Zab { fact, .. } => match fact {
            zab::Fact::Looking { .. }
            | zab::Fact::Elected { .. }
            | zab::Fact::EpochProposed { .. }
            | zab::Fact::Synchronizing { .. }
            | zab::Fact::SyncChosen { .. }
            | zab::Fact::Established { .. }
            | zab::Fact::UpToDate { .. }
            | zab::Fact::Committed { .. }
            | zab::Fact::Left { .. }
            | zab::Fact::RefusedToStart { .. } => Weight::Turn,
            _ => Weight::Step,
        },
        Fact::World(fact) => match fact {
            WorldFact::Crashed { .. }
            | WorldFact::Exited { .. }
            | WorldFact::Paused { .. }
            | WorldFact::Resumed { .. }
            | WorldFact::LinkCut { .. }
            | WorldFact::LinkHealed { .. }
            | WorldFact::LogTruncated { .. }
            | WorldFact::UnsyncedLost { .. }
            | WorldFact::DiskWiped { .. }
            | WorldFact::Started { .. }
            | WorldFact::WriteFailed { .. }
            | WorldFact::ActionRefused { .. } => Weight::Turn,
            WorldFact::Sent { .. }
            | WorldFact::Delivered { .. }
            | WorldFact::Dialled { .. }
            | WorldFact::Connected { .. }
            | WorldFact::ConnectionRefused { .. }
            | WorldFact::ConnectionClosed { .. } => Weight::Traffic,
            _ => Weight::Step,
        },
    }
}
