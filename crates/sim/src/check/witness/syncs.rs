//! Syncs under way, and what was committed when each was taken.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

use crate::base::{ClientId, ServerId, SessionId, SimTime, Zxid};
use crate::check::history::NodeId;
use crate::wire::Request;

use super::Witness;

/// Most syncs that are remembered: the answers of some are lost.
const REMEMBERED: usize = 1_000;

/// What a sync must bring: the history that was committed when it was taken.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Floor {
    /// That history.
    pub tip: NodeId,
    /// A later leader was established by then: the one that takes the sync cannot know what is committed
    /// (ZOOKEEPER-1675).
    pub deposed: bool,
}

/// A sync that brought less than was committed, because whoever took it for the leader was none any more. No property is
/// violated by that: sync asks no quorum.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct StaleSync {
    /// When it was answered, in virtual time.
    #[serde(rename = "at_us")]
    pub at: SimTime,
    /// The client that asked.
    pub client: ClientId,
    /// The server that answered.
    pub server: ServerId,
    /// The server's state then.
    pub state: Zxid,
    /// What was committed when the sync was taken.
    pub committed: Zxid,
}

impl fmt::Display for StaleSync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StaleSync { at, client, server, state, committed } = self;
        write!(
            f,
            "stale sync at {at}: {server} answers a sync of {client} from {state} under a deposed leader; {committed} \
             was committed when the sync was taken"
        )
    }
}

/// All of them.
#[derive(Clone, Debug, Default, Hash)]
pub struct Syncs {
    under_way: BTreeMap<(SessionId, i32), Floor>,
    /// Those that were answered under a deposed leader.
    pub stale: Vec<StaleSync>,
}

impl Syncs {
    /// What a sync must bring.
    pub fn floor(&self, session: SessionId, xid: i32) -> Option<Floor> {
        self.under_way.get(&(session, xid)).copied()
    }
}

impl Witness {
    /// A sync reaches a server that serves, the leader or one on the way to it.
    pub(super) fn takes_sync(&mut self, session: SessionId, xid: i32, at: ServerId) {
        if self.syncs.under_way.len() >= REMEMBERED {
            self.syncs.under_way.pop_first();
        }
        let floor = Floor { tip: self.histories.tip(), deposed: self.is_deposed(at) };
        self.syncs.under_way.insert((session, xid), floor);
    }

    /// A server answers a client; where that was a sync, it is over.
    pub(super) fn answers_sync(&mut self, server: ServerId, client: ClientId, xid: i32, at: SimTime) {
        let Some(view) = self.clients.view(client) else { return };
        if !matches!(view.asked(xid).map(|asked| &asked.request), Some(Request::Sync { .. })) {
            return;
        }
        let memory = self.server(server).memory;
        if let Some(floor) = self.syncs.under_way.remove(&(view.session, xid))
            && floor.deposed
            && !self.histories.is_prefix(floor.tip, memory)
        {
            let (state, committed) = (self.zxid(memory), self.zxid(floor.tip));
            self.syncs.stale.push(StaleSync { at, client, server, state, committed });
        }
    }
}
