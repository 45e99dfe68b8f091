//! What is remembered of the facts so far: reigns and marks for the timeline, commits for the chart, what was lost or
//! healed a moment ago. Long lists are persistent: a copy, as every checkpoint holds one, costs nothing.

use std::rc::Rc;

use crate::base::{
    Arrange, Chunks, ClientId, Epoch, Micros, Node, ServerId, ServerSet, SessionId, SimTime, SortedMap, Zxid,
};
use crate::daemon::Saying;
use crate::recipes::{self, Share};
use crate::rivals::generation;
use crate::sim::{Death, Fact, Interest, Known, Ledger, Record, Settled, WorldFact, interest};
use crate::{client, zab};

use crate::timeline::figures::{Dot, Figures};
use crate::timeline::idle::{Idle, Idles};

/// How long what was lost stays to be seen on a card, µs.
const LOST_STAYS_US: u64 = 120_000;
/// How many losses of a server's log are remembered.
const KEPT_LOSSES: usize = 64;
/// How many of the facts that are told are remembered.
const KEPT_TOLD: usize = 128;

/// The reign of a leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reign {
    /// The established leader.
    pub leader: ServerId,
    /// The epoch.
    pub epoch: Epoch,
    /// Since when.
    pub from: SimTime,
    /// Until when; none while it lasts.
    pub to: Option<SimTime>,
}

/// What a mark on the timeline stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A process died.
    Death(Death),
    /// A process came back.
    Restart,
    /// A process stopped to do anything.
    Pause,
    /// It goes on.
    Resume,
    /// A link was cut.
    Cut,
    /// A link healed.
    Heal,
    /// A disk was emptied.
    Wipe,
    /// A copy of a disk was made.
    BackUp,
    /// A copy was put back.
    Restore,
}

/// A mark on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Virtual time.
    pub at: SimTime,
    /// A crash, a cut, a wipe …
    pub kind: MarkKind,
    /// Whom it is about.
    pub servers: ServerSet,
}

/// A transaction that was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Virtual time.
    pub at: SimTime,
    /// By which leader.
    pub server: ServerId,
    /// The zxid of the transaction.
    pub zxid: Zxid,
    /// Who had acknowledged it, or the history that has it.
    pub acks: ServerSet,
    /// Its own leader was lost, and the history with which this epoch begins has it.
    pub kept_by: Option<Epoch>,
    /// The time from its proposal, µs.
    pub took_us: u64,
    /// What it carries.
    pub text: Rc<str>,
}

/// What a client did to something outside of the ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// Virtual time.
    pub at: SimTime,
    /// What it wrote to.
    pub resource: Rc<str>,
    /// Who wrote.
    pub client: ClientId,
    /// The token that it showed.
    pub token: Option<Zxid>,
    /// A newer token had been seen: the write was refused.
    pub refused: bool,
    /// Somebody else has got since then what allowed it to write.
    pub late: bool,
}

/// The facts so far, and what the page needs of them.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    reigns: Chunks<Reign>,
    marks: Chunks<Mark>,
    commits: Chunks<Commit>,
    ledger: Ledger,
    lost: Vec<(SimTime, ServerId, Vec<Zxid>)>,
    synced_of: SortedMap<ServerId, Vec<Zxid>>,
    /// The terms of the entries of logs that other systems keep.
    terms_of: SortedMap<ServerId, Vec<Epoch>>,
    healed: SortedMap<(Node, Node), u64>,
    /// The newest facts that are told: where nothing but heartbeats happened for an hour, too.
    told: Chunks<Rc<Record>, 32>,
    turned: Option<Rc<Record>>,
    idles: Idles,
    figures: Figures,
    sessions: Chunks<(SessionId, ClientId)>,
    uses: Chunks<Used>,
    holders: SortedMap<Rc<str>, ClientId>,
    held: SortedMap<ClientId, Rc<str>>,
    messages: u64,
    syncs: u64,
}

impl RunSummary {
    /// Reads the next fact.
    pub fn read(&mut self, record: &Rc<Record>) {
        self.remember(record);
        for settled in self.ledger.read(record) {
            self.commit(settled, record.at_us);
        }
        match &record.fact {
            Fact::Zab { server, fact } => self.read_zab(*server, fact, record.at_us),
            Fact::World(WorldFact::Sent { message, .. }) => {
                self.messages += 1;
                self.figures.send(message.name());
            }
            Fact::World(fact) => self.read_world(fact, record.at_us),
            Fact::Client { client, fact: client::Fact::ClientConnected { session, .. } } => {
                if self.session_of(*session) != Some(*client) {
                    self.sessions.push((*session, *client));
                }
            }
            Fact::Program { client, fact: recipes::Fact::Acquired { path, share: Share::Exclusive, .. } } => {
                self.holders.insert(path.clone(), *client);
                self.held.insert(*client, path.clone());
            }
            Fact::Other { server, fact } => self.read_other(*server, fact, record.at_us),
            Fact::Client { .. } | Fact::Server { .. } | Fact::Program { .. } => {}
        }
    }

    /// What a log of terms loses when its end is deleted, or another one is written over it.
    fn read_other(&mut self, server: ServerId, fact: &Saying, at: SimTime) {
        let (from, entries, cut) = match fact.value() {
            Some(generation::Fact::Saved { from, entries, .. }) => (from, entries.as_slice(), false),
            Some(generation::Fact::Conflict { from, .. }) => (from, &[][..], true),
            _ => return,
        };
        let log = self.terms_of.get_or_default(server);
        let kept = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX).min(log.len());
        let before = log.split_off(kept);
        log.extend(entries.iter().map(|entry| entry.term as Epoch));
        let index = |place: usize| (kept + place) as u32 + 1;
        let gone = before.iter().enumerate().filter(|(place, term)| log.get(kept + place) != Some(term));
        let gone: Vec<Zxid> = gone.map(|(place, term)| Zxid::new(*term, index(place))).collect();
        if !gone.is_empty() && (cut || !entries.is_empty()) {
            self.lose(at, server, gone);
        }
    }

    fn remember(&mut self, record: &Rc<Record>) {
        let interest = interest(record);
        if interest == Interest::Noise {
            return;
        }
        self.idles.stir(record);
        if interest == Interest::Step {
            self.turned = Some(record.clone());
        }
        self.told.push_newest(record.clone(), KEPT_TOLD);
    }

    fn read_zab(&mut self, server: ServerId, fact: &zab::Fact, at: SimTime) {
        match fact {
            zab::Fact::Established { epoch, .. } => {
                self.end_reign(server, at);
                self.reigns.push(Reign { leader: server, epoch: *epoch, from: at, to: None });
            }
            zab::Fact::Left { .. } => self.end_reign(server, at),
            zab::Fact::Queued { zxid } => self.synced_of.get_or_default(server).push(*zxid),
            _ => {}
        }
    }

    fn commit(&mut self, settled: Settled, at: SimTime) {
        let Settled { zxid, proposed, text, leader: server, acks, kept_by } = settled;
        let took_us = at.since(proposed.unwrap_or(at));
        self.figures.commit(Dot { at, took_us, epoch: zxid.epoch() });
        self.commits.push(Commit { at, server, zxid, acks, kept_by, took_us, text });
    }

    fn read_world(&mut self, fact: &WorldFact, at: SimTime) {
        match fact {
            WorldFact::Crashed { server, how } => {
                self.end_reign(*server, at);
                self.mark(at, MarkKind::Death(*how), [*server]);
            }
            WorldFact::Exited { server } => {
                self.end_reign(*server, at);
                self.mark(at, MarkKind::Death(Death::Crash), [*server]);
            }
            WorldFact::Started { server, incarnation, .. } if *incarnation > 1 => {
                self.mark(at, MarkKind::Restart, [*server]);
            }
            WorldFact::Paused { server } => self.mark(at, MarkKind::Pause, [*server]),
            WorldFact::Resumed { server } => self.mark(at, MarkKind::Resume, [*server]),
            WorldFact::DiskWiped { server } => self.mark(at, MarkKind::Wipe, [*server]),
            WorldFact::DiskBackedUp { server } => self.mark(at, MarkKind::BackUp, [*server]),
            WorldFact::BackupRestored { server } => self.mark(at, MarkKind::Restore, [*server]),
            WorldFact::LinkCut { from, to } => self.mark_link(at, MarkKind::Cut, *from, *to),
            WorldFact::LinkHealed { from, to } => {
                self.healed.insert((*from, *to), at.0);
                self.mark_link(at, MarkKind::Heal, *from, *to);
            }
            WorldFact::ResourceWritten { resource, client, token, .. } => {
                self.used(at, resource, *client, *token, false);
            }
            WorldFact::ResourceRefused { resource, client, token, .. } => {
                self.used(at, resource, *client, Some(*token), true);
            }
            WorldFact::LogTruncated { server, removed, .. } => self.lose(at, *server, removed.clone()),
            WorldFact::UnsyncedLost { server, first, last, .. } => {
                let queued = self.synced_of.get(server).cloned().unwrap_or_default();
                let gone = queued.into_iter().filter(|zxid| (first..=last).contains(&zxid)).collect();
                self.lose(at, *server, gone);
            }
            WorldFact::Synced { server, last, .. } => {
                self.syncs += 1;
                if let Some(queued) = self.synced_of.get_mut(server) {
                    queued.retain(|zxid| zxid > last);
                }
            }
            _ => {}
        }
    }

    fn used(&mut self, at: SimTime, resource: &Rc<str>, client: ClientId, token: Option<Zxid>, refused: bool) {
        let holder = self.held.get(&client).and_then(|path| self.holders.get(path));
        let late = holder.is_some_and(|holder| *holder != client);
        self.uses.push(Used { at, resource: resource.clone(), client, token, refused, late });
    }

    fn lose(&mut self, at: SimTime, server: ServerId, zxids: Vec<Zxid>) {
        if self.lost.len() == KEPT_LOSSES {
            self.lost.remove(0);
        }
        self.lost.push((at, server, zxids));
    }

    /// Marks of one kind in one moment are one mark: a partition cuts many links at once.
    fn mark<const N: usize>(&mut self, at: SimTime, kind: MarkKind, servers: [ServerId; N]) {
        let mut servers: ServerSet = servers.into_iter().collect();
        if let Some(last) = self.marks.last().filter(|last| last.at == at && last.kind == kind) {
            servers = servers.union(last.servers);
            self.marks.drop_last();
        }
        self.marks.push(Mark { at, kind, servers });
    }

    fn mark_link(&mut self, at: SimTime, kind: MarkKind, from: Node, to: Node) {
        if let (Some(from), Some(to)) = (from.server(), to.server()) {
            self.mark(at, kind, [from, to]);
        }
    }

    fn end_reign(&mut self, leader: ServerId, at: SimTime) {
        let lasts = |reign: &Reign| reign.leader == leader && reign.to.is_none();
        let last = self.reigns.iter().rposition(lasts);
        if let Some(reign) = last.and_then(|place| self.reigns.get_mut(place)) {
            reign.to = Some(at);
        }
    }

    /// The reigns so far, oldest first.
    pub fn reigns(&self) -> impl DoubleEndedIterator<Item = &Reign> + ExactSizeIterator {
        self.reigns.iter()
    }

    /// The facts that are told, the newest first: 128 of them, or all that there were.
    pub fn told(&self) -> impl Iterator<Item = &Record> {
        self.told.iter().rev().map(|record| &**record)
    }

    /// The newest fact that is worth stopping at.
    pub fn turned(&self) -> Option<&Record> {
        self.turned.as_deref()
    }

    /// When nothing but heartbeats happened, up to a moment, oldest first.
    pub fn idles(&self, until: SimTime) -> impl Iterator<Item = Idle> {
        self.idles.until(until)
    }

    /// How long things have gone on happening since a moment, up to the newest of them, µs: what was then is news as long as that is short.
    pub fn lively_since(&self, at: SimTime) -> Micros {
        self.idles.lively_since(at)
    }

    /// The client that had a session last, dead or alive.
    pub fn session_of(&self, session: SessionId) -> Option<ClientId> {
        self.sessions.iter().rev().find(|(known, _)| *known == session).map(|(_, client)| *client)
    }

    /// What was done to something outside of the ensemble, the newest first.
    pub fn uses(&self) -> impl Iterator<Item = &Used> {
        self.uses.iter().rev()
    }

    /// What charts need.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// How many messages were sent.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How often a disk synced transactions.
    pub fn syncs(&self) -> u64 {
        self.syncs
    }

    /// How long nobody led an established epoch, up to a moment, µs.
    pub fn without_leader(&self, now: SimTime) -> Micros {
        let mut led = SimTime::ZERO;
        let mut without = 0;
        // reigns begin in order, and may overlap where a leader does not know yet that it is none
        for reign in self.reigns.iter() {
            without += reign.from.min(now).since(led);
            led = led.max(reign.to.unwrap_or(now).min(now));
        }
        without + now.since(led)
    }

    /// What was done to the ensemble, oldest first.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &Mark> + ExactSizeIterator {
        self.marks.iter()
    }

    /// The commits so far, oldest first.
    pub fn commits(&self) -> impl DoubleEndedIterator<Item = &Commit> + ExactSizeIterator {
        self.commits.iter()
    }

    /// The commits after a moment, µs.
    pub fn commits_since(&self, at: u64) -> impl Iterator<Item = &Commit> {
        let newer = self.commits.iter().rev().take_while(|commit| commit.at.0 >= at).count();
        self.commits.from(self.commits.len() - newer)
    }

    /// What a server knows of a transaction that is in its log.
    pub fn known(&self, server: ServerId, zxid: Zxid) -> Known {
        self.ledger.known(server, zxid)
    }

    /// The epoch whose leader's history kept a transaction that nobody alive knew to be committed.
    pub fn kept_by(&self, zxid: Zxid) -> Option<Epoch> {
        self.ledger.kept_by(zxid)
    }

    /// What a server lost a moment ago.
    pub fn lost(&self, server: ServerId, now: SimTime) -> Vec<Zxid> {
        let recent = self.lost.iter().rev().take_while(|(at, ..)| now.since(*at) < LOST_STAYS_US);
        let mut zxids: Vec<Zxid> =
            recent.filter(|(_, whose, _)| *whose == server).flat_map(|(.., zxids)| zxids.iter().copied()).collect();
        zxids.arrange();
        zxids.dedup();
        zxids
    }

    /// What was cut from logs, or lost from them, the oldest first: when, whose log, which transactions.
    pub fn losses(&self) -> &[(SimTime, ServerId, Vec<Zxid>)] {
        &self.lost
    }

    /// When a link healed last, µs.
    pub fn healed_at(&self, from: Node, to: Node) -> Option<u64> {
        self.healed.get(&(from, to)).copied()
    }
}
