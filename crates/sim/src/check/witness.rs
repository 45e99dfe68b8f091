//! What the checker knows: for each server where its memory, its log and its disk stand in the tree of histories, the
//! epochs on its disk, and who reigned; what clients asked and were told. It learns from facts alone, like any other reader.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::base::{Epoch, Micros, Node, RuleSet, ServerId, ServerSet, SessionId, SharedMap, SimTime, Zxid};
use crate::sim::{Fact, Record, Setup, WorldFact};
use crate::store::Limits;
use crate::zab::{self, BrokenRule, Members, Quorums};

use super::history::{Found, Histories, NodeId};

mod beginning;
mod clients;
mod doubles;
mod faults;
mod lists;
mod overdue;
mod overhear;
mod programs;
mod sequence;
mod sessions;
mod syncs;
mod take;
mod touches;
mod unread;
mod watches;

pub(crate) use clients::{Asked, Clients, Reply};
pub use doubles::Double;
use overhear::Overheard;

pub(crate) use lists::Lists;
pub(crate) use overdue::Overdue;
pub use programs::{AppView, Hold, Who};
pub(crate) use programs::{Programs, Wait};
pub(crate) use sequence::numbers;
pub(crate) use sequence::{Number, Numbers};
pub(crate) use sessions::Sessions;
pub(crate) use sessions::has_place;
pub use syncs::StaleSync;
pub(crate) use syncs::Syncs;
pub(crate) use touches::Touches;
pub(crate) use watches::after_reconnection;
pub(crate) use watches::owes;
pub(crate) use watches::watches_config;
pub(crate) use watches::{Pair, WatchTables};

/// What is known of one server.
#[derive(Clone, Debug, Default, Hash)]
pub struct ServerView {
    /// What is applied in memory.
    pub memory: NodeId,
    /// What is logged or waits to be.
    pub tail: NodeId,
    /// What a restart would find.
    pub durable: NodeId,
    /// The file acceptedEpoch.
    pub accepted: Epoch,
    /// The file currentEpoch.
    pub current: Epoch,
    /// The latest epoch that it ever accepted.
    pub promised: Epoch,
    /// The epoch it leads since its synchronisation began.
    pub leads: Option<Epoch>,
    /// Whether it takes clients.
    pub serving: bool,
    /// Whether it has no leader and serves reads all the same.
    pub read_only: bool,
    /// The configurations that it knows.
    quorums: Option<Quorums>,
    /// What its file says, or was edited to since it started: it counts where no leader has given a configuration its version.
    file: Option<Members>,
    queue: VecDeque<NodeId>,
    /// The beginning of its log is gone: a state was received, or a purge has taken it.
    partial: bool,
    log: Vec<NodeId>,
    snapshots: Vec<(Zxid, NodeId)>,
}

/// The reign of a leader, from its synchronisation on.
#[derive(Clone, Debug, Hash)]
pub struct Reign {
    /// The leader of the epoch.
    pub leader: ServerId,
    /// The history it brought along.
    pub base: NodeId,
}

/// Everything that properties may look at.
#[derive(Clone, Debug, Hash)]
pub struct Witness {
    /// All histories.
    pub histories: Histories,
    /// Reigns by epoch.
    pub reigns: BTreeMap<Epoch, Reign>,
    /// The latest epoch in which something was proposed.
    pub latest_primary: Option<Epoch>,
    /// The latest epoch established.
    pub established: Epoch,
    /// The latest epoch that had a leader before the run, as disks show.
    pub begun: Epoch,
    /// The run begins with disks that hold their whole history.
    whole: bool,
    /// Clients.
    pub clients: Clients,
    /// The watches that servers keep for them.
    pub watches: WatchTables,
    /// Where sessions are, and which are over.
    pub sessions: Sessions,
    /// Syncs under way.
    pub syncs: Syncs,
    /// What should have ended by itself.
    pub overdue: Overdue,
    /// What leaders have heard of sessions.
    pub touches: Touches,
    /// Lists of permissions that do not hold yet.
    pub lists: Lists,
    /// Programs on clients.
    pub programs: Programs,
    /// The last sequential names.
    pub numbers: Numbers,
    /// How long a leader bears with a learner that it does not hear, µs.
    pub patience_us: Micros,
    /// Since when disks have lost more than the protocol bears.
    pub outside: Option<SimTime>,
    /// No rule is broken on purpose that decides which packets fit.
    pub unbroken: bool,
    /// What the store allows in this run.
    pub limits: Limits,
    /// Sessions that began without a transaction.
    pub local: BTreeSet<SessionId>,
    overheard: Overheard,
    members: Members,
    /// Whether one of two voters may be let go on alone.
    oracle: bool,
    /// What stands in the files of the servers that were there at the beginning.
    file: Members,
    servers: SharedMap<ServerId, ServerView>,
    /// What was known of servers when copies of their disks were made.
    backups: SharedMap<ServerId, ServerView>,
    /// What is known of a server of which nothing is.
    unseen: ServerView,
}

impl Witness {
    /// At the beginning of a run with this setup.
    pub fn new(setup: &Setup) -> Witness {
        let mut witness = Witness {
            histories: Histories::new(setup.fresh()),
            reigns: BTreeMap::new(),
            latest_primary: None,
            established: 0,
            begun: 0,
            whole: true,
            clients: Clients::new(setup.super_digest.clone()),
            watches: WatchTables::default(),
            sessions: Sessions::default(),
            syncs: Syncs::default(),
            overdue: Overdue::new(&setup.settings()),
            touches: Touches::default(),
            lists: Lists::default(),
            programs: Programs::default(),
            numbers: Numbers::default(),
            patience_us: setup.sync_limit * setup.tick_time_ms * 1_000,
            outside: None,
            unbroken: setup.rules_in_force().keeping(BrokenRule::PingsAnsweredEarly) == RuleSet::default(),
            limits: setup.settings().limits,
            local: BTreeSet::new(),
            overheard: Overheard::default(),
            members: setup.members(),
            oracle: setup.oracle.is_some(),
            file: setup.members(),
            servers: SharedMap::default(),
            backups: SharedMap::default(),
            unseen: ServerView::default(),
        };
        if !setup.disks.is_empty() {
            witness.begin_with(setup);
        }
        witness
    }
}

/// A fact that matters, and the history that it is about, seen before it takes effect.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Virtual time.
    pub at: SimTime,
    /// The fact.
    pub fact: &'a Fact,
    /// Where the transaction that it names stands: after the memory of the server (applied), after its log (queued), or on
    /// the branch of the leader or server that states it.
    pub found: Found,
    /// What becomes committed by it, in order.
    pub committed: Vec<NodeId>,
}

impl Witness {
    /// What is known of a server.
    pub fn server(&self, id: ServerId) -> &ServerView {
        self.servers.get(&id).unwrap_or(&self.unseen)
    }

    fn server_mut(&mut self, id: ServerId) -> &mut ServerView {
        self.servers.get_or_default(id)
    }

    /// Whether too little is known of the disks that the run begins with, or they do not fit together. Asked at the beginning.
    pub fn is_blind(&self) -> bool {
        !self.whole || (self.outside.is_some() && !self.saw_all())
    }

    /// Whether all transactions were made in this run.
    pub fn saw_all(&self) -> bool {
        !self.histories.found_any()
    }

    /// Whether the run has an oracle.
    pub(super) fn has_oracle(&self) -> bool {
        self.oracle
    }

    /// The configurations that a server knows.
    pub fn known_by(&self, id: ServerId) -> Quorums {
        self.server(id).quorums.unwrap_or(self.members.into())
    }

    /// Whether a server has no vote in any configuration that it knows.
    pub fn observes(&self, id: ServerId) -> bool {
        !self.known_by(id).voters().contains(id)
    }

    /// The configurations of which a server needs a quorum for this transaction, or epoch (`epoch:0`): the one in force there, and a
    /// later one that was proposed with it or before it.
    pub fn quorums_of(&self, id: ServerId, zxid: Zxid) -> Quorums {
        let known = self.known_by(id);
        Quorums { next: known.next.filter(|next| next.version <= zxid), ..known }
    }

    /// Whether a server's log goes back to the first transaction of all.
    pub fn has_whole_log(&self, id: ServerId) -> bool {
        !self.server(id).partial
    }

    /// Whether a later epoch than that of a server's leader is established.
    pub fn is_deposed(&self, id: ServerId) -> bool {
        let view = self.server(id);
        view.leads.unwrap_or(view.current) < self.established
    }

    /// The voters, as a server knows them, whose disks hold a history.
    pub fn holders(&self, by: ServerId, history: NodeId) -> ServerSet {
        let holds = |&voter: &ServerId| self.histories.is_prefix(history, self.server(voter).durable);
        self.known_by(by).voters().iter().filter(holds).collect()
    }

    /// The last zxid of a history.
    pub fn zxid(&self, id: NodeId) -> Zxid {
        self.histories.zxid(id)
    }

    /// The transactions that a sync of `count` makes durable, in order.
    pub fn to_be_synced(&self, server: ServerId, count: usize) -> impl Iterator<Item = NodeId> {
        self.server(server).queue.iter().copied().take(count)
    }

    fn becomes_committed(&self, fact: &Fact, found: Found) -> Vec<NodeId> {
        match (fact, found) {
            (Fact::Zab { fact: zab::Fact::Committed { .. }, .. }, Found::Here(node)) => {
                self.histories.not_yet_committed(node)
            }
            (Fact::Zab { server, fact: zab::Fact::Established { .. } | zab::Fact::Standalone { .. } }, _) => {
                self.histories.not_yet_committed(self.server(*server).memory)
            }
            _ => Vec::new(),
        }
    }

    /// What a fact is about, before it takes effect; `None` for facts that no property looks at.
    pub fn look<'a>(&self, record: &'a Record) -> Option<Step<'a>> {
        let found = match &record.fact {
            Fact::World(fact) => self.look_world(fact)?,
            Fact::Zab { server, fact } => self.look_zab(*server, fact)?,
            Fact::Client { .. } | Fact::Server { .. } | Fact::Program { .. } => Found::Nowhere,
            Fact::Other { .. } => return None,
        };
        let committed = self.becomes_committed(&record.fact, found);
        Some(Step { at: record.at_us, fact: &record.fact, found, committed })
    }

    fn look_world(&self, fact: &WorldFact) -> Option<Found> {
        let here = |node: Option<NodeId>| node.map_or(Found::Nowhere, Found::Here);
        let in_memory = |server, zxid| self.histories.prefix_at(zxid, self.server(server).memory);
        Some(match *fact {
            WorldFact::Sent { ref message, .. } if Clients::matters(message) => Found::Nowhere,
            WorldFact::Delivered { msg, .. } | WorldFact::Lost { msg, .. } if self.clients.awaits(msg) => {
                Found::Nowhere
            }
            WorldFact::Dialled { from: one, to: other, .. }
            | WorldFact::Connected { from: one, to: other, .. }
            | WorldFact::ConnectionRefused { from: one, to: other, .. }
            | WorldFact::ConnectionClosed { node: one, peer: other, .. }
                if [one, other].iter().any(|node| matches!(node, Node::Client(_))) =>
            {
                Found::Nowhere
            }
            WorldFact::ClientOpened { .. }
            | WorldFact::ClientKilled { .. }
            | WorldFact::ClientPaused { .. }
            | WorldFact::ClientResumed { .. }
            | WorldFact::ResourceWritten { .. }
            | WorldFact::ResourceRefused { .. } => Found::Nowhere,
            WorldFact::Applied { server, zxid, ref payload, .. } => {
                self.histories.find(zxid, Some(payload), self.server(server).memory)
            }
            WorldFact::Restored { last_txn, state, .. } => here(self.histories.with_state(last_txn, state.0)),
            WorldFact::SnapshotWritten { server, last_txn, .. } => {
                here(in_memory(server, last_txn).or_else(|| self.histories.newest(last_txn)))
            }
            WorldFact::WriteAnswered { server, zxid, .. } => here(in_memory(server, zxid)),
            WorldFact::Started { .. }
            | WorldFact::Added { .. }
            | WorldFact::ConfigEdited { .. }
            | WorldFact::OracleSet { .. }
            | WorldFact::Crashed { .. }
            | WorldFact::Exited { .. }
            | WorldFact::Synced { .. }
            | WorldFact::UnsyncedLost { .. }
            | WorldFact::SnapshotLost { .. }
            | WorldFact::EpochWritten { .. }
            | WorldFact::LogTruncated { .. }
            | WorldFact::DiskWiped { .. }
            | WorldFact::DiskBackedUp { .. }
            | WorldFact::BackupRestored { .. }
            | WorldFact::Serving { .. } => Found::Nowhere,
            _ => return None,
        })
    }

    fn look_zab(&self, server: ServerId, fact: &zab::Fact) -> Option<Found> {
        let tail = self.server(server).tail;
        Some(match fact {
            zab::Fact::Queued { zxid } => self.histories.find(*zxid, None, tail),
            zab::Fact::Committed { zxid, .. } | zab::Fact::AckCounted { zxid, .. } => {
                self.histories.prefix_at(*zxid, tail).map_or(Found::Nowhere, Found::Here)
            }
            zab::Fact::Proposed { .. }
            | zab::Fact::Looking { .. }
            | zab::Fact::EpochAccepted { .. }
            | zab::Fact::Synchronizing { .. }
            | zab::Fact::NewLeaderAcked { .. }
            | zab::Fact::NewLeaderAckCounted { .. }
            | zab::Fact::Established { .. }
            | zab::Fact::Standalone { .. }
            | zab::Fact::LearnerDropped { .. }
            | zab::Fact::ConfigSeen { .. }
            | zab::Fact::ConfigActivated { .. }
            | zab::Fact::Left { .. } => Found::Nowhere,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Run;

    #[test]
    fn a_reconfiguration_needs_both_and_what_comes_after_it_only_the_new() {
        let mut witness = Witness::new(&Run::new(1, Setup::default()).setup);
        let config = Members { version: Zxid::new(1, 5), ..Members::new(ServerSet::first(5), ServerSet::EMPTY) };
        let mut tell = |fact| {
            let record = Record { seq: 0, at_us: SimTime::ZERO, fact, why: None };
            let step = witness.look(&record).expect("a fact that matters");
            witness.take(&step);
            [4, 5, 6].map(|counter| {
                let quorums = witness.quorums_of(ServerId(3), Zxid::new(1, counter));
                (quorums.now.voters.len(), quorums.next.map(|next| next.voters.len()))
            })
        };
        let zab = |fact| Fact::Zab { server: ServerId(3), fact };
        let seen = || zab(zab::Fact::ConfigSeen { config });
        assert_eq!(tell(seen()), [(3, None), (3, Some(5)), (3, Some(5))]);
        let (server, incarnation, observer) = (ServerId(3), 2, false);
        let started = Fact::World(WorldFact::Started { server, incarnation, observer });
        assert_eq!(tell(started), [(3, None); 3], "it may have died before the file was written");
        tell(seen());
        assert_eq!(tell(zab(zab::Fact::ConfigActivated { config })), [(5, None); 3]);
    }
}
