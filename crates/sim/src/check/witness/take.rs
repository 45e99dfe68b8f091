//! How facts move what is known.

use crate::base::{ClientId, MsgId, ServerId, SimTime, Zxid};
use crate::check::history::{Found, NodeId};
use crate::server;
use crate::sim::{EpochFile, Fact, Parcel, WorldFact};
use crate::store::{Op, Txn};
use crate::wire::{Code, ToClient};
use crate::zab::{self, Members, Quorums};

use super::clients::is_ordered;
use super::{Reign, Reply, ServerView, Step, Witness, numbers};

impl Witness {
    /// The fact takes effect.
    pub fn take(&mut self, step: &Step) {
        for &node in &step.committed {
            for number in numbers(&self.histories, &self.clients, node) {
                self.numbers.take(number);
            }
            self.lists.committed(node);
            if let Some(txn) = self.histories.txn(node) {
                self.sessions.committed(txn);
            }
        }
        match step.fact {
            Fact::World(fact) => {
                self.take_of_clients(fact, step.at);
                self.take_world(fact, step.found, step.at);
            }
            Fact::Client { client, fact } => {
                self.clients.take_client(*client, fact);
                self.programs.take_client(*client, fact, step.at);
            }
            Fact::Program { client, fact } => self.take_program(*client, fact, step),
            Fact::Server { server, fact } => self.take_service(*server, fact, step.at),
            Fact::Other { .. } => {}
            Fact::Zab { server, fact } => {
                if let zab::Fact::Proposed { payload, .. } = fact
                    && let Txn { session, op: Op::CreateSession { timeout_ms }, .. } = &*payload.txn
                {
                    self.touches.begins(*server, *session, *timeout_ms, step.at);
                }
                if let zab::Fact::Proposed { payload, .. } = fact {
                    self.overdue.proposed(*server, payload.txn.time, step.at);
                    if matches!(payload.txn.op, Op::CloseSession { .. }) {
                        self.sessions.closes(payload.txn.session);
                    }
                }
                self.take_zab(*server, fact, step.found);
            }
        }
        if !step.committed.is_empty() {
            self.take_committed(step.at);
        }
        self.look_for_overdue(step.at);
    }

    fn take_service(&mut self, server: ServerId, fact: &server::Fact, now: SimTime) {
        if let server::Fact::SessionOpened { client, .. } | server::Fact::SessionResumed { client, .. } = fact {
            self.clients.taken_up(*client, server);
        }
        match fact {
            server::Fact::WatchFired { client, zxid, event, .. } => {
                self.watches.fired(server, *client, event, zxid.is_none());
            }
            server::Fact::ClientTurnedAway { client, .. } => {
                self.watches.turned_away(server, *client);
                self.clients.turned_away(*client, server);
            }
            server::Fact::ReadOnly { on } => self.server_mut(server).read_only = *on,
            server::Fact::Throttled { client, on, .. } => self.clients.throttled(*client, server, *on),
            server::Fact::SessionOpened { session, local: true, .. } => drop(self.local.insert(*session)),
            server::Fact::SessionResumed { session, .. } => self.touches.touch(server, &[*session], now),
            server::Fact::SessionOpened { session, .. } => self.sessions.at(*session, server),
            server::Fact::SessionExpired { session, .. } => self.sessions.closes(*session),
            _ => {}
        }
    }

    fn take_of_clients(&mut self, fact: &WorldFact, now: SimTime) {
        match fact {
            WorldFact::Sent { msg, from, to, message: Parcel::ToClient(packet) } => {
                if let (Some(server), Some(client)) = (from.server(), to.client()) {
                    self.take_answer(*msg, server, client, packet, now);
                }
            }
            WorldFact::Delivered { msg, to, .. } => {
                if let Some(server) = to.server() {
                    self.touches.touch(server, self.clients.heard(*msg), now);
                    self.arrived(*msg, server);
                }
            }
            WorldFact::Applied { server, payload, .. } => self.clients.applied(*server, &payload.txn),
            WorldFact::Serving { server, on: true } if self.server(*server).leads.is_some() => {
                self.touches.leads(*server, now);
                self.overdue.leads(*server);
            }
            WorldFact::Serving { server, .. } | WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => {
                self.touches.stops(*server);
                self.clients.stopped(*server);
            }
            _ => {}
        }
        self.watches.take(fact);
        self.clients.take(fact);
        self.programs.take_world(fact, now);
    }

    fn take_answer(&mut self, msg: MsgId, server: ServerId, client: ClientId, packet: &ToClient, now: SimTime) {
        match packet {
            ToClient::Reply { xid, zxid, outcome } => {
                let ServerView { memory: state, read_only, .. } = *self.server(server);
                let refused = read_only && *outcome == Err(Code::NotReadOnly);
                let mut ordered = false;
                if let Some(asked) = self.clients.view(client).and_then(|view| view.asked(*xid)) {
                    ordered = is_ordered(&asked.request) && !refused;
                    let tree = self.histories.model(state);
                    self.watches.replied(server, client, &asked.request, outcome, tree);
                }
                if refused {
                    self.clients.refused(client, *xid, server);
                }
                self.answers_sync(server, client, *xid, now);
                let (xid, zxid, outcome) = (*xid, *zxid, outcome.clone());
                self.clients.answers(msg, Reply { client, server, xid, zxid, outcome, ordered, state });
            }
            ToClient::Auth { code: Code::AuthFailed } => self.watches.turned_away(server, client),
            _ => {}
        }
    }

    fn take_watched(&mut self, server: ServerId, node: NodeId, txn: &Txn) {
        if self.watches.any_at(server)
            && let Some(changes) = self.histories.changes(node)
        {
            self.watches.applied(server, self.zxid(node), &changes);
        }
        if let (Op::CloseSession { .. }, Some(client)) = (&txn.op, self.clients.of_session(txn.session)) {
            self.watches.ends(server, client);
        }
    }

    fn take_world(&mut self, fact: &WorldFact, found: Found, now: SimTime) {
        match *fact {
            WorldFact::Started { server, observer, .. } => self.started(server, observer),
            WorldFact::Added { server, observer } => {
                let mut file = Members { version: Zxid::ZERO, ..self.members };
                if observer { &mut file.observers } else { &mut file.voters }.insert(server);
                self.server_mut(server).file = Some(file);
            }
            WorldFact::ConfigEdited { server, voters, observers } => {
                let file = self.server(server).file.unwrap_or(self.file);
                self.server_mut(server).file = Some(Members { voters, observers, ..file });
            }
            WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => {
                let view = self.server_mut(server);
                view.serving = false;
                view.read_only = false;
                view.leads = None;
            }
            WorldFact::Serving { server, on } => {
                self.lists.begins(server);
                self.server_mut(server).serving = on;
            }
            WorldFact::Restored { server, last_txn, state } => {
                let node = self.known(found, last_txn, NodeId::ROOT);
                self.histories.learn_state(node, state.0);
                self.server_mut(server).memory = node;
            }
            WorldFact::Applied { server, zxid, ref payload, state } => {
                let before = self.server(server).memory;
                let node = self.histories.grow(zxid, Some(payload), before, false);
                self.histories.learn_state(node, state.0);
                self.server_mut(server).memory = node;
                self.lists.applied(server, zxid);
                self.take_watched(server, node, &payload.txn);
            }
            _ => self.take_disk(fact, found, now),
        }
    }

    fn take_disk(&mut self, fact: &WorldFact, found: Found, now: SimTime) {
        match *fact {
            WorldFact::Synced { server, count, .. } => self.synced(server, count),
            WorldFact::UnsyncedLost { server, .. } => {
                let view = self.server_mut(server);
                view.queue.clear();
                view.tail = view.durable;
            }
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
                let node = self.known(found, last_txn, self.server(server).memory);
                self.snapshot(server, zxid, node, installed);
            }
            WorldFact::SnapshotLost { server, zxid } => self.snapshot_lost(server, zxid),
            WorldFact::LogTruncated { server, to, .. } => self.cut(server, to),
            WorldFact::DiskWiped { server } => self.replaced(server, ServerView::default(), now),
            WorldFact::DiskBackedUp { server } => {
                self.backups.insert(server, self.server(server).clone());
            }
            WorldFact::BackupRestored { server } => {
                let copy = self.backups.get(&server).map(ServerView::at_rest);
                self.replaced(server, copy.unwrap_or_default(), now);
            }
            _ => {}
        }
    }

    /// A history that was found; a new one, of which only the end is known, where it was not.
    fn known(&mut self, found: Found, last: Zxid, after: NodeId) -> NodeId {
        match found {
            Found::Here(node) => node,
            _ => self.histories.grow(last, None, after, false),
        }
    }

    fn take_zab(&mut self, server: ServerId, fact: &zab::Fact, found: Found) {
        match fact {
            zab::Fact::Proposed { zxid, payload, .. } => {
                let tail = self.server(server).tail;
                let node = self.histories.grow(*zxid, Some(payload), tail, true);
                self.lists.proposed(server, node, *zxid, &payload.txn.op, self.histories.model(tail));
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
                if *epoch > self.established {
                    self.established = *epoch;
                    self.sessions.new_leader();
                }
            }
            zab::Fact::Standalone { last_zxid } => {
                // what it has is what counts, and it alone goes on from there, in the epoch of its last transaction
                let (base, epoch) = (self.server(server).memory, last_zxid.epoch());
                self.histories.commit(base);
                self.reigns.entry(epoch).or_insert(Reign { leader: server, base });
                self.server_mut(server).leads = Some(epoch);
                self.sessions.new_leader();
            }
            zab::Fact::Committed { .. } => {
                if let Found::Here(node) = found {
                    self.histories.commit(node);
                }
            }
            zab::Fact::ConfigSeen { config } => {
                let now = self.known_by(server).now;
                self.server_mut(server).quorums = Some(Quorums { now, next: Some(*config) });
            }
            zab::Fact::ConfigActivated { config } => {
                self.server_mut(server).quorums = Some((*config).into());
                if config.version > self.members.version {
                    self.members = *config;
                }
            }
            zab::Fact::Left { .. } => self.server_mut(server).leads = None,
            _ => {}
        }
    }

    fn started(&mut self, server: ServerId, observer: bool) {
        if observer {
            self.members.observers.insert(server);
        }
        // what it has seen since may not have been on disk: it says itself what it finds there
        let file = self.server(server).file.unwrap_or(self.file);
        let overtaken = self.is_overtaken(server);
        let view = self.server_mut(server);
        view.partial |= overtaken;
        view.quorums = Some(file.into());
        view.queue.clear();
        view.memory = NodeId::ROOT;
        view.tail = view.durable;
    }

    fn synced(&mut self, server: ServerId, count: usize) {
        for _ in 0..count {
            let Some(node) = self.server_mut(server).queue.pop_front() else { return };
            let behind = self.zxid(node) > self.snapshot_reaches(server);
            let overtaken = behind && self.is_overtaken(server);
            let view = self.server_mut(server);
            view.partial |= overtaken;
            view.log.push(node);
            if behind {
                view.durable = node;
            }
        }
    }

    /// The last zxid that the newest snapshot holds; its name is where it began.
    fn snapshot_reaches(&self, server: ServerId) -> Zxid {
        let newest = self.server(server).snapshots.last();
        newest.map_or(Zxid::ZERO, |&(name, node)| name.max(self.zxid(node)))
    }

    /// Whether the newest snapshot holds more than the log: what comes next begins a log of its own.
    fn is_overtaken(&self, server: ServerId) -> bool {
        let logged = self.server(server).log.last().map_or(Zxid::ZERO, |&last| self.zxid(last));
        self.snapshot_reaches(server) > logged
    }

    fn snapshot(&mut self, server: ServerId, name: Zxid, node: NodeId, installed: bool) {
        let ahead = name.max(self.zxid(node)) > self.zxid(self.server(server).durable);
        let view = self.server_mut(server);
        if installed {
            view.partial = true;
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

    /// What was on its disk before a snapshot is gone. Where no disk has the beginning any more, it need not be remembered: a run that
    /// purges may go on for days.
    pub(super) fn purged(&mut self, server: ServerId, before: Zxid) {
        let mut view = std::mem::take(self.server_mut(server));
        view.partial = true;
        view.snapshots.retain(|&(name, _)| name >= before);
        view.log.retain(|&node| self.zxid(node) > before);
        *self.server_mut(server) = view;
        let mut known = Vec::new();
        for view in self.servers.values() {
            if !view.partial {
                return;
            }
            // reading begins at a snapshot's name, which is where writing it began
            let begins = |&(name, node)| self.histories.prefix_at(name, node).unwrap_or(node);
            known.extend([view.memory, view.tail, view.durable]);
            known.extend(view.snapshots.first().map(begins).into_iter().chain(view.log.first().copied()));
            known.extend(view.queue.front());
        }
        // a process that has just started has nothing in memory yet
        known.retain(|&node| node != NodeId::ROOT);
        let oldest = known.iter().copied().min_by_key(|&node| self.histories.depth(node));
        let begins_all = |&floor: &NodeId| known.iter().all(|&node| self.histories.is_prefix(floor, node));
        if let Some(floor) = oldest.filter(|&floor| self.histories.is_committed(floor)).filter(begins_all) {
            self.histories.forget_before(floor);
        }
    }

    fn snapshot_lost(&mut self, server: ServerId, name: Zxid) {
        let mut view = std::mem::take(self.server_mut(server));
        view.snapshots.retain(|&(other, _)| other != name);
        self.end_disk(server, view);
    }

    /// What is left of a server's disk when its log is cut: the newest snapshot that is not behind, and the log after it.
    fn cut(&mut self, server: ServerId, to: Zxid) {
        let mut view = std::mem::take(self.server_mut(server));
        view.log.retain(|&node| self.zxid(node) <= to);
        view.snapshots.retain(|&(_, node)| self.zxid(node) <= to);
        self.end_disk(server, view);
    }

    /// What survives is as long as the newest snapshot, or the log behind it.
    fn end_disk(&mut self, server: ServerId, mut view: ServerView) {
        let (name, node) = view.snapshots.last().copied().unwrap_or_default();
        let reaches = name.max(self.zxid(node));
        view.durable = view.log.last().copied().filter(|&last| self.zxid(last) > reaches).unwrap_or(node);
        view.tail = view.durable;
        *self.server_mut(server) = view;
    }
}
