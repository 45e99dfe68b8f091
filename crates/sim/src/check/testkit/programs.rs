//! Synthetic facts about programs: they say what they believe, and nodes stand in the committed state or are gone.

use crate::base::ClientId;
use crate::recipes::{ConnectionState, Fact as Told, ReleaseReason, Share, ThreadId};
use crate::sim::{Fact, WorldFact};
use crate::store::{Op, Owner};

use super::Story;

const THREAD: ThreadId = ThreadId(1);

/// An ensemble with three connected clients, and these nodes below one directory.
pub(in crate::check) fn holders(nodes: &[&str]) -> Story {
    let mut story = Story::with_client();
    for client in 1..=3 {
        story.world(WorldFact::ClientOpened { client: ClientId(client), servers: Vec::new(), timeout_ms: 4_000 });
        story.told(client, Told::ConnectionState { state: ConnectionState::Connected });
    }
    let directories = nodes[0].match_indices('/').map(|(at, _)| &nodes[0][..at]).skip(1);
    for path in directories {
        story.commits(Story::created(path, Owner::None, 1));
    }
    for (index, path) in nodes.iter().enumerate() {
        story.commits(Story::created(path, Owner::None, index as i32 + 1));
    }
    story
}

impl Story {
    fn commits(&mut self, op: Op) -> &mut Story {
        let at = format!("1:{:x}", self.tree.last.counter() + 1);
        let _ = self.txn(&at, -1, op);
        self
    }

    fn told(&mut self, client: u16, fact: Told) -> &mut Story {
        self.tell(Fact::Program { client: ClientId(client), fact })
    }

    /// A node is deleted.
    pub(in crate::check) fn removes(&mut self, path: &str) -> &mut Story {
        self.commits(Op::Delete { path: path.into() })
    }

    pub(in crate::check) fn acquires(&mut self, client: u16, path: &str, node: &str, share: Share) -> &mut Story {
        let (object, path, node) = ("it".into(), path.into(), node.into());
        self.told(client, Told::Acquired { thread: THREAD, object, path, node, share, token: None })
    }

    pub(in crate::check) fn releases(&mut self, client: u16, path: &str) -> &mut Story {
        let (object, path, reason) = ("it".into(), path.into(), ReleaseReason::Released);
        self.told(client, Told::Released { thread: THREAD, object, path, reason })
    }

    /// It lets go, because its session is lost.
    pub(in crate::check) fn loses(&mut self, client: u16, path: &str) -> &mut Story {
        let (object, path, reason) = ("it".into(), path.into(), ReleaseReason::Lost);
        self.told(client, Told::Released { thread: THREAD, object, path, reason })
    }

    pub(in crate::check) fn waits(&mut self, client: u16, node: &str, watched: &str) -> &mut Story {
        let (object, node, watched) = ("it".into(), node.into(), watched.into());
        self.told(client, Told::WaitsBehind { thread: THREAD, object, node, watched, ahead: 1 })
    }

    /// Its listeners are told.
    pub(in crate::check) fn loses_session(&mut self, client: u16) -> &mut Story {
        self.told(client, Told::ConnectionState { state: ConnectionState::Lost })
    }

    pub(in crate::check) fn uses(&mut self, client: u16) -> &mut Story {
        let (resource, client, token) = ("store".into(), ClientId(client), None);
        self.world(WorldFact::ResourceWritten { resource, client, thread: THREAD, token })
    }

    pub(in crate::check) fn pauses(&mut self, client: u16) -> &mut Story {
        self.world(WorldFact::ClientPaused { client: ClientId(client) })
    }

    pub(in crate::check) fn dies(&mut self, client: u16) -> &mut Story {
        self.world(WorldFact::ClientKilled { client: ClientId(client) })
    }

    /// The double holders that were told, in words.
    pub(in crate::check) fn doubles(&self) -> Vec<String> {
        self.checker.doubles().iter().map(ToString::to_string).collect()
    }
}
