//! Whom a fact is about.

use crate::base::{Node, ServerSet};

use super::{Fact, WorldFact};

impl Fact {
    /// The servers that a fact is about: the one it happened at, or the two ends of a link.
    pub fn servers(&self) -> ServerSet {
        use WorldFact::*;
        let one = match self {
            Fact::Zab { server, .. } | Fact::Server { server, .. } => *server,
            Fact::Client { .. } | Fact::Program { .. } => return ServerSet::EMPTY,
            Fact::World(fact) => match fact {
                Started { server, .. }
                | Crashed { server }
                | Exited { server }
                | Paused { server }
                | Resumed { server }
                | Added { server, .. }
                | DiskSpeedSet { server, .. }
                | Synced { server, .. }
                | UnsyncedLost { server, .. }
                | EpochWritten { server, .. }
                | SnapshotWritten { server, .. }
                | LogTruncated { server, .. }
                | DiskWiped { server }
                | Restored { server, .. }
                | Applied { server, .. }
                | Serving { server, .. }
                | WriteAsked { server, .. }
                | WriteAnswered { server, .. }
                | WriteFailed { server, .. } => *server,
                LinkCut { from, to }
                | LinkHealed { from, to }
                | PacketHeld { from, to, .. }
                | PacketReleased { from, to, .. }
                | ConnectionBroken { from, to, .. }
                | LatencySet { from, to, .. }
                | Dialled { from, to, .. }
                | Connected { from, to, .. }
                | ConnectionRefused { from, to, .. }
                | Sent { from, to, .. }
                | Delivered { from, to, .. }
                | Lost { from, to, .. } => return [*from, *to].into_iter().filter_map(Node::server).collect(),
                ConnectionClosed { node, peer, .. } => {
                    return [*node, *peer].into_iter().filter_map(Node::server).collect();
                }
                ActionRefused { .. }
                | ClientOpened { .. }
                | ClientKilled { .. }
                | ClientPaused { .. }
                | ClientResumed { .. }
                | ResourceWritten { .. }
                | ResourceRefused { .. } => return ServerSet::EMPTY,
            },
        };
        [one].into_iter().collect()
    }
}
