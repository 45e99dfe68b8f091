//! Whom a fact is about.

use crate::base::{Node, ServerSet};

use super::{Fact, WorldFact};

/// Whom a fact is about.
enum About {
    Nobody,
    One(Node),
    /// Two ends of a connection; where it happened comes first.
    Seen(Node, Node),
    /// Two ends of what lies between them.
    Between(Node, Node),
}

impl Fact {
    /// The servers that a fact is about: the one it happened at, or the two ends of a link.
    pub fn servers(&self) -> ServerSet {
        let ends = match self.about() {
            About::Nobody => return ServerSet::EMPTY,
            About::One(one) => [Some(one), None],
            About::Seen(one, other) | About::Between(one, other) => [Some(one), Some(other)],
        };
        ends.into_iter().flatten().filter_map(Node::server).collect()
    }

    /// The server or client at which it happened; none for what happens to the network.
    pub fn host(&self) -> Option<Node> {
        match self.about() {
            About::One(host) | About::Seen(host, _) => Some(host),
            About::Nobody | About::Between(..) => None,
        }
    }

    fn about(&self) -> About {
        use WorldFact::*;
        let fact = match self {
            Fact::Zab { server, .. } | Fact::Server { server, .. } | Fact::Other { server, .. } => {
                return About::One((*server).into());
            }
            Fact::Client { client, .. } | Fact::Program { client, .. } => return About::One((*client).into()),
            Fact::World(fact) => fact,
        };
        match fact {
            Started { server, .. }
            | Crashed { server, .. }
            | Exited { server }
            | Paused { server }
            | Resumed { server }
            | Added { server, .. }
            | ConfigEdited { server, .. }
            | OracleSet { server, .. }
            | DiskSpeedSet { server, .. }
            | Synced { server, .. }
            | UnsyncedLost { server, .. }
            | EpochWritten { server, .. }
            | SnapshotWritten { server, .. }
            | SnapshotLost { server, .. }
            | LogTruncated { server, .. }
            | Purged { server, .. }
            | DiskWiped { server }
            | DiskBackedUp { server }
            | BackupRestored { server }
            | DiskDelayed { server, .. }
            | DiskFaultSet { server, .. }
            | DiskFailed { server, .. }
            | ClockJumped { server, .. }
            | FourLetterAnswered { server, .. }
            | FourLetterUnanswered { server, .. }
            | Restored { server, .. }
            | Applied { server, .. }
            | Serving { server, .. }
            | WriteAsked { server, .. }
            | WriteAnswered { server, .. }
            | WriteFailed { server, .. } => About::One((*server).into()),
            ClientOpened { client, .. }
            | ClientKilled { client }
            | ClientPaused { client }
            | ClientResumed { client }
            | ResourceWritten { client, .. }
            | ResourceRefused { client, .. } => About::One((*client).into()),
            ConnectionBroken { from, to, .. }
            | Dialled { from, to, .. }
            | Connected { from, to, .. }
            | ConnectionRefused { from, to, .. }
            | Sent { from, to, .. } => About::Seen(*from, *to),
            Delivered { from, to, .. } => About::Seen(*to, *from),
            ConnectionClosed { node, peer, .. } => About::Seen(*node, *peer),
            LinkCut { from, to }
            | LinkHealed { from, to }
            | PacketHeld { from, to, .. }
            | PacketReleased { from, to, .. }
            | PacketDelayed { from, to, .. }
            | LatencySet { from, to, .. }
            | Lost { from, to, .. } => About::Between(*from, *to),
            Began { .. } | ActionRefused { .. } => About::Nobody,
        }
    }
}
