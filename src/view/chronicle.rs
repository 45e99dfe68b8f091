//! What is remembered of the facts so far: reigns and marks for the timeline, commits for the chart, what was lost or
//! healed a moment ago, and the facts themselves.

use std::collections::{BTreeMap, VecDeque};

use crate::base::{Epoch, MsgId, Node, ServerId, ServerSet, SimTime, Zxid};
use crate::sim::{Fact, Record, WorldFact};
use crate::zab;

/// How many facts are kept; older ones are forgotten.
const KEPT_FACTS: usize = 200_000;
/// How many commits are kept.
const KEPT_COMMITS: usize = 2_000;
/// How long what was lost stays to be seen, µs.
const LOST_STAYS_US: u64 = 120_000;

/// The reign of a leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reign {
    /// Who.
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
    Crash,
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
}

/// A mark on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: SimTime,
    /// What.
    pub kind: MarkKind,
    /// Whom it is about.
    pub servers: ServerSet,
}

/// A transaction that was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// When.
    pub at: SimTime,
    /// By which leader.
    pub server: ServerId,
    /// Which.
    pub zxid: Zxid,
    /// Who had acknowledged it.
    pub acks: ServerSet,
    /// The time from its proposal, µs.
    pub took_us: u64,
    /// What it carries.
    pub text: String,
}

/// The facts so far, and what the page needs of them.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    records: VecDeque<Record>,
    reigns: Vec<Reign>,
    marks: Vec<Mark>,
    commits: VecDeque<Commit>,
    proposed: BTreeMap<Zxid, (SimTime, String)>,
    lost: Vec<(SimTime, ServerId, Vec<Zxid>)>,
    synced_of: BTreeMap<ServerId, Vec<Zxid>>,
    healed: BTreeMap<(Node, Node), u64>,
}

impl Chronicle {
    /// Reads the next fact.
    pub fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Zab { server, fact } => self.read_zab(*server, fact, record.at_us),
            Fact::World(fact) => self.read_world(fact, record.at_us),
            Fact::Client { .. } | Fact::Server { .. } | Fact::Program { .. } => {}
        }
        if self.records.len() == KEPT_FACTS {
            self.records.pop_front();
        }
        self.records.push_back(record.clone());
    }

    fn read_zab(&mut self, server: ServerId, fact: &zab::Fact, at: SimTime) {
        match fact {
            zab::Fact::Established { epoch, .. } => {
                self.end_reign(server, at);
                self.reigns.push(Reign { leader: server, epoch: *epoch, from: at, to: None });
            }
            zab::Fact::Left { .. } => self.end_reign(server, at),
            zab::Fact::Proposed { zxid, payload, .. } => {
                self.proposed.insert(*zxid, (at, payload.text.to_string()));
            }
            zab::Fact::Queued { zxid } => self.synced_of.entry(server).or_default().push(*zxid),
            zab::Fact::Committed { zxid, acks } => {
                let (since, text) = self.proposed.remove(zxid).unwrap_or((at, String::new()));
                let took_us = at.since(since);
                if self.commits.len() == KEPT_COMMITS {
                    self.commits.pop_front();
                }
                self.commits.push_back(Commit { at, server, zxid: *zxid, acks: *acks, took_us, text });
            }
            _ => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact, at: SimTime) {
        match fact {
            WorldFact::Crashed { server } | WorldFact::Exited { server } => {
                self.end_reign(*server, at);
                self.mark(at, MarkKind::Crash, [*server]);
            }
            WorldFact::Started { server, incarnation, .. } if *incarnation > 1 => {
                self.mark(at, MarkKind::Restart, [*server]);
            }
            WorldFact::Paused { server } => self.mark(at, MarkKind::Pause, [*server]),
            WorldFact::Resumed { server } => self.mark(at, MarkKind::Resume, [*server]),
            WorldFact::DiskWiped { server } => self.mark(at, MarkKind::Wipe, [*server]),
            WorldFact::LinkCut { from, to } => self.mark_link(at, MarkKind::Cut, *from, *to),
            WorldFact::LinkHealed { from, to } => {
                self.healed.insert((*from, *to), at.0);
                self.mark_link(at, MarkKind::Heal, *from, *to);
            }
            WorldFact::LogTruncated { server, removed, .. } => self.lost.push((at, *server, removed.clone())),
            WorldFact::UnsyncedLost { server, first, last, .. } => {
                let queued = self.synced_of.get(server).cloned().unwrap_or_default();
                let gone = queued.into_iter().filter(|zxid| (first..=last).contains(&zxid)).collect();
                self.lost.push((at, *server, gone));
            }
            WorldFact::Synced { server, last, .. } => {
                if let Some(queued) = self.synced_of.get_mut(server) {
                    queued.retain(|zxid| zxid > last);
                }
            }
            _ => {}
        }
    }

    /// Marks of one kind in one moment are one mark: a partition cuts many links at once.
    fn mark<const N: usize>(&mut self, at: SimTime, kind: MarkKind, servers: [ServerId; N]) {
        let servers: ServerSet = servers.into_iter().collect();
        match self.marks.last_mut() {
            Some(last) if last.at == at && last.kind == kind => last.servers = last.servers.union(servers),
            _ => self.marks.push(Mark { at, kind, servers }),
        }
    }

    fn mark_link(&mut self, at: SimTime, kind: MarkKind, from: Node, to: Node) {
        if let (Some(from), Some(to)) = (from.server(), to.server()) {
            self.mark(at, kind, [from, to]);
        }
    }

    fn end_reign(&mut self, leader: ServerId, at: SimTime) {
        if let Some(reign) = self.reigns.iter_mut().rev().find(|reign| reign.leader == leader && reign.to.is_none()) {
            reign.to = Some(at);
        }
    }

    /// The reigns so far, oldest first.
    pub fn reigns(&self) -> &[Reign] {
        &self.reigns
    }

    /// What was done to the ensemble, oldest first.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The last commits, oldest first.
    pub fn commits(&self) -> impl DoubleEndedIterator<Item = &Commit> + ExactSizeIterator {
        self.commits.iter()
    }

    /// The commits after a moment, µs.
    pub fn commits_since(&self, at: u64) -> impl Iterator<Item = &Commit> {
        let first = self.commits.partition_point(|commit| commit.at.0 < at);
        self.commits.range(first..)
    }

    /// The facts that are kept, oldest first.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &Record> + ExactSizeIterator {
        self.records.iter()
    }

    /// The facts from one number on, as far as they are kept.
    pub fn records_from(&self, seq: u64) -> impl Iterator<Item = &Record> {
        let first = self.records.partition_point(|record| record.seq < seq);
        self.records.range(first..)
    }

    /// The sending of a message, and what became of it.
    pub fn story(&self, msg: MsgId) -> (Option<&Record>, Option<&Record>) {
        let (mut sent, mut end) = (None, None);
        for record in self.records.iter().rev() {
            match &record.fact {
                Fact::World(WorldFact::Sent { msg: id, .. }) if *id == msg => {
                    sent = Some(record);
                    break;
                }
                Fact::World(WorldFact::Delivered { msg: id, .. } | WorldFact::Lost { msg: id, .. }) if *id == msg => {
                    end = Some(record);
                }
                _ => {}
            }
        }
        (sent, end)
    }

    /// What a server lost a moment ago.
    pub fn lost(&self, server: ServerId, now: SimTime) -> Vec<Zxid> {
        let recent = self.lost.iter().rev().take_while(|(at, ..)| now.since(*at) < LOST_STAYS_US);
        let mut zxids: Vec<Zxid> =
            recent.filter(|(_, whose, _)| *whose == server).flat_map(|(.., zxids)| zxids.iter().copied()).collect();
        zxids.sort_unstable();
        zxids.dedup();
        zxids
    }

    /// When a link healed last, µs.
    pub fn healed_at(&self, from: Node, to: Node) -> Option<u64> {
        self.healed.get(&(from, to)).copied()
    }
}
