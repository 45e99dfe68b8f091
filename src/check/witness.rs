//! What the checker knows: for each server where its memory, its log and its disk stand in the tree of histories, the
//! epochs on its disk, and who reigned. It learns from facts alone, like any other reader.

use std::collections::{BTreeMap, VecDeque};

use crate::base::limits::MAX_SERVER_ID;
use crate::base::{Epoch, ServerId, Zxid};
use crate::sim::{EpochFile, Fact, Record, WorldFact};
use crate::zab;

use super::history::{Found, Histories, NodeId};

/// What is known of one server.
#[derive(Clone, Debug, Default)]
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
    queue: VecDeque<NodeId>,
    log: Vec<NodeId>,
    snapshots: Vec<(Zxid, NodeId)>,
}

/// The reign of a leader, from its synchronisation on.
#[derive(Clone, Debug)]
pub struct Reign {
    /// Who.
    pub leader: ServerId,
    /// The history it brought along.
    pub base: NodeId,
}

/// Everything that properties may look at.
#[derive(Clone, Debug)]
pub struct Witness {
    /// All histories.
    pub histories: Histories,
    /// Reigns by epoch.
    pub reigns: BTreeMap<Epoch, Reign>,
    /// The latest epoch in which something was proposed.
    pub latest_primary: Option<Epoch>,
    /// The latest epoch established.
    pub established: Epoch,
    observing: u32,
    servers: Vec<ServerView>,
}

impl Default for Witness {
    fn default() -> Witness {
        Witness {
            histories: Histories::default(),
            reigns: BTreeMap::new(),
            latest_primary: None,
            established: 0,
            observing: 0,
            servers: vec![ServerView::default(); usize::from(MAX_SERVER_ID) + 1],
        }
    }
}

/// A fact that matters, and the history that it is about, seen before it takes effect.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The fact.
    pub fact: &'a Fact,
    /// Where the transaction that it names stands: after the memory of the server (applied), after its log (queued), or on
    /// the branch of the leader or server that states it.
    pub found: Found,
}

impl Witness {
    /// What is known of a server.
    pub fn server(&self, id: ServerId) -> &ServerView {
        &self.servers[usize::from(id.0)]
    }

    fn server_mut(&mut self, id: ServerId) -> &mut ServerView {
        &mut self.servers[usize::from(id.0)]
    }

    /// Whether a server has no vote.
    pub fn observes(&self, id: ServerId) -> bool {
        self.observing & (1 << id.0) != 0
    }

    /// The last zxid of a history.
    pub fn zxid(&self, id: NodeId) -> Zxid {
        self.histories.zxid(id)
    }

    /// What a fact is about, before it takes effect; `None` for facts that no property looks at.
    pub fn look<'a>(&self, record: &'a Record) -> Option<Step<'a>> {
        let fact = &record.fact;
        let on = |branch: NodeId, zxid| self.histories.prefix_at(zxid, branch).map_or(Found::Nowhere, Found::Here);
        let found = match fact {
            Fact::World(world) => match world {
                WorldFact::Sent { .. } | WorldFact::Delivered { .. } | WorldFact::Lost { .. } => return None,
                WorldFact::Applied { server, zxid, payload, .. } => {
                    self.histories.find(*zxid, Some(payload), self.server(*server).memory)
                }
                WorldFact::Restored { last_txn, state, .. } => {
                    self.histories.with_state(*last_txn, state.0).map_or(Found::Nowhere, Found::Here)
                }
                WorldFact::SnapshotWritten { server, last_txn, .. } => self
                    .histories
                    .prefix_at(*last_txn, self.server(*server).memory)
                    .or_else(|| self.histories.newest(*last_txn))
                    .map_or(Found::Nowhere, Found::Here),
                WorldFact::WriteAnswered { server, zxid, .. } => on(self.server(*server).memory, *zxid),
                WorldFact::Started { .. }
                | WorldFact::Crashed { .. }
                | WorldFact::Exited { .. }
                | WorldFact::Added { .. }
                | WorldFact::Synced { .. }
                | WorldFact::UnsyncedLost { .. }
                | WorldFact::EpochWritten { .. }
                | WorldFact::LogTruncated { .. }
                | WorldFact::DiskWiped { .. }
                | WorldFact::Serving { .. } => Found::Nowhere,
                _ => return None,
            },
            Fact::Zab { server, fact } => match fact {
                zab::Fact::Queued { zxid } => self.histories.find(*zxid, None, self.server(*server).tail),
                zab::Fact::Committed { zxid, .. } | zab::Fact::AckCounted { zxid, .. } => {
                    on(self.server(*server).tail, *zxid)
                }
                zab::Fact::Proposed { .. }
                | zab::Fact::Looking { .. }
                | zab::Fact::EpochAccepted { .. }
                | zab::Fact::Synchronizing { .. }
                | zab::Fact::NewLeaderAcked { .. }
                | zab::Fact::NewLeaderAckCounted { .. }
                | zab::Fact::Established { .. }
                | zab::Fact::Left { .. } => Found::Nowhere,
                _ => return None,
            },
        };
        Some(Step { fact, found })
    }

    /// The fact takes effect.
    pub fn take(&mut self, step: &Step) {
        match step.fact {
            Fact::World(fact) => self.take_world(fact, step.found),
            Fact::Zab { server, fact } => self.take_zab(*server, fact, step.found),
        }
    }

    fn take_world(&mut self, fact: &WorldFact, found: Found) {
        match *fact {
            WorldFact::Started { server, observer, .. } => self.started(server, observer),
            WorldFact::Crashed { server } | WorldFact::Exited { server } => {
                let view = self.server_mut(server);
                view.serving = false;
                view.leads = None;
            }
            WorldFact::Serving { server, on } => self.server_mut(server).serving = on,
            WorldFact::Synced { server, count, .. } => self.synced(server, count),
            WorldFact::UnsyncedLost { server, .. } => self.server_mut(server).queue.clear(),
            WorldFact::EpochWritten { server, file, epoch } => {
                let view = self.server_mut(server);
                match file {
                    EpochFile::AcceptedEpoch => {
                        view.accepted = epoch;
                        view.promised = view.promised.max(epoch);
                    }
                    EpochFile::CurrentEpoch => view.current = epoch,
                }
            }
            WorldFact::SnapshotWritten { server, zxid, installed, last_txn } => {
                let node = match found {
                    Found::Here(node) => node,
                    _ => self.histories.grow(last_txn, None, self.server(server).memory, false),
                };
                self.snapshot(server, zxid, node, installed);
            }
            WorldFact::LogTruncated { server, to, .. } => self.cut(server, to),
            WorldFact::DiskWiped { server } => *self.server_mut(server) = ServerView::default(),
            WorldFact::Restored { server, last_txn, state } => {
                let node = match found {
                    Found::Here(node) => node,
                    _ => self.histories.grow(last_txn, None, NodeId::ROOT, false),
                };
                self.histories.learn_state(node, state.0);
                self.server_mut(server).memory = node;
            }
            WorldFact::Applied { server, zxid, ref payload, state } => {
                let before = self.server(server).memory;
                let node = self.histories.grow(zxid, Some(payload), before, false);
                self.histories.learn_state(node, state.0);
                self.server_mut(server).memory = node;
            }
            _ => {}
        }
    }

    fn take_zab(&mut self, server: ServerId, fact: &zab::Fact, found: Found) {
        match fact {
            zab::Fact::Proposed { zxid, payload, .. } => {
                let tail = self.server(server).tail;
                self.histories.grow(*zxid, Some(payload), tail, true);
                self.latest_primary = self.latest_primary.max(Some(zxid.epoch()));
            }
            zab::Fact::Queued { zxid } => {
                let tail = self.server(server).tail;
                let node = self.histories.grow(*zxid, None, tail, false);
                let view = self.server_mut(server);
                view.tail = node;
                view.queue.push_back(node);
            }
            zab::Fact::EpochAccepted { epoch } => {
                let view = self.server_mut(server);
                view.promised = view.promised.max(*epoch);
            }
            zab::Fact::Synchronizing { epoch, .. } => {
                let base = self.server(server).memory;
                self.reigns.entry(*epoch).or_insert(Reign { leader: server, base });
                self.server_mut(server).leads = Some(*epoch);
            }
            zab::Fact::Established { epoch, .. } => {
                self.histories.commit(self.server(server).memory);
                self.established = self.established.max(*epoch);
            }
            zab::Fact::Committed { .. } => {
                if let Found::Here(node) = found {
                    self.histories.commit(node);
                }
            }
            zab::Fact::Left { .. } => self.server_mut(server).leads = None,
            _ => {}
        }
    }

    fn started(&mut self, server: ServerId, observer: bool) {
        let bit = 1 << server.0;
        self.observing = if observer { self.observing | bit } else { self.observing & !bit };
        let view = self.server_mut(server);
        view.queue.clear();
        view.memory = NodeId::ROOT;
        view.tail = view.durable;
    }

    /// The transactions that a sync of `count` makes durable, in order.
    pub fn to_be_synced(&self, server: ServerId, count: usize) -> impl Iterator<Item = NodeId> {
        self.server(server).queue.iter().copied().take(count)
    }

    fn synced(&mut self, server: ServerId, count: usize) {
        for _ in 0..count {
            let Some(node) = self.server_mut(server).queue.pop_front() else { return };
            let behind = self.zxid(node) > self.server(server).snapshot_name();
            let view = self.server_mut(server);
            view.log.push(node);
            if behind {
                view.durable = node;
            }
        }
    }

    fn snapshot(&mut self, server: ServerId, name: Zxid, node: NodeId, installed: bool) {
        let ahead = name > self.zxid(self.server(server).durable);
        let view = self.server_mut(server);
        if installed {
            view.log.clear();
            view.snapshots.clear();
            view.tail = node;
        }
        view.snapshots.retain(|&(old, _)| old < name);
        view.snapshots.push((name, node));
        if installed || ahead {
            view.durable = node;
        }
    }

    /// What is left of a server's disk when its log is cut: the newest snapshot that is not behind, and the log after it.
    fn cut(&mut self, server: ServerId, to: Zxid) {
        let mut view = std::mem::take(self.server_mut(server));
        view.log.retain(|&node| self.zxid(node) <= to);
        view.snapshots.retain(|&(_, node)| self.zxid(node) <= to);
        let (name, node) = view.snapshots.last().copied().unwrap_or_default();
        view.durable = view.log.last().copied().filter(|&last| self.zxid(last) > name).unwrap_or(node);
        view.tail = view.durable;
        *self.server_mut(server) = view;
    }
}

impl ServerView {
    fn snapshot_name(&self) -> Zxid {
        self.snapshots.last().map_or(Zxid::ZERO, |&(name, _)| name)
    }
}
