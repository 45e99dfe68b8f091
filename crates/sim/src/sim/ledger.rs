//! What is committed, and what each server knows of it. Read from facts alone, so that a crash takes knowledge and a restart invents none.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Epoch, ServerId, ServerSet, SimTime, SortedMap, Zxid};
use crate::zab;

use super::{Fact, Record, WorldFact};

/// How many proposals are remembered that nobody but their leaders knows to be committed, and how many that outlived them.
const KEPT: usize = 4_096;
const OUTLIVED: usize = 64;

/// A proposal that its leader alone knows to be committed, or nobody.
#[derive(Clone, Debug)]
struct Open {
    at: SimTime,
    text: Rc<str>,
    /// Whose logs have it, on disk or on the way there.
    holders: ServerSet,
    /// Its leader has committed it.
    settled: bool,
}

/// What the memory of a server knows.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// The last transaction in its memory.
    applied: Zxid,
    /// It has heard that a quorum has its history (UPTODATE), or knows it as the leader.
    serves: bool,
    /// It knows everything of its log up to here to be committed.
    known: Zxid,
    /// Its process is down: what it knew.
    before: Zxid,
}

/// A transaction that is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The transaction.
    pub zxid: Zxid,
    /// When it was proposed; none where that was forgotten.
    pub proposed: Option<SimTime>,
    /// What it carries.
    pub text: Rc<str>,
    /// The leader that committed it.
    pub leader: ServerId,
    /// Who had acknowledged it, or the history that has it.
    pub acks: ServerSet,
    /// Its own leader was lost, and the history with which this epoch begins has it.
    pub kept_by: Option<Epoch>,
}

/// What a server knows of a transaction in its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: nobody has told it that a quorum has it.
    Not,
    /// Nothing, and nobody alive can tell it: its leader is gone, and what the next one has decides.
    Open,
    /// It is committed.
    Committed,
    /// It knew that before its process went down; the log is still there.
    Before,
}

/// What is committed so far, what is open, and who knows.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    open: BTreeMap<Zxid, Open>,
    /// What the history of a new leader has of what was open, and its epoch.
    kept: Vec<(Zxid, Epoch)>,
    servers: SortedMap<ServerId, Memory>,
    /// What a server knew when a copy of its disk was made, and what was open and in its log.
    backups: SortedMap<ServerId, (Zxid, Vec<Zxid>)>,
    /// The epochs that are led, and by whom.
    led: SortedMap<ServerId, Epoch>,
    committed: u64,
    last: Zxid,
}

impl Ledger {
    /// Reads the next fact; what it commits, oldest first.
    pub fn read(&mut self, record: &Record) -> Vec<Settled> {
        match &record.fact {
            Fact::Zab { server, fact } => return self.read_zab(*server, fact, record.at_us),
            Fact::World(WorldFact::Applied { server, zxid, .. }) => self.apply(*server, *zxid),
            Fact::World(fact) => self.read_world(fact),
            _ => {}
        }
        Vec::new()
    }

    fn read_zab(&mut self, server: ServerId, fact: &zab::Fact, at: SimTime) -> Vec<Settled> {
        match fact {
            zab::Fact::Proposed { zxid, payload, .. } => {
                let (holders, settled) = (ServerSet::default(), false);
                let open = Open { at, text: payload.text.clone(), holders, settled };
                self.open.insert(*zxid, open);
                if self.open.len() > KEPT {
                    self.open.pop_first();
                }
                self.led.insert(server, zxid.epoch());
            }
            zab::Fact::Queued { zxid } => {
                if let Some(open) = self.open.get_mut(zxid) {
                    open.holders.insert(server);
                }
            }
            zab::Fact::Committed { zxid, acks } => return vec![self.settle(*zxid, server, *acks, None)],
            zab::Fact::Established { epoch, quorum } => return self.establish(server, *epoch, *quorum),
            zab::Fact::UpToDate { .. } => self.serve(server),
            zab::Fact::Standalone { last_zxid } => {
                self.memory(server).applied = *last_zxid;
                self.serve(server);
            }
            zab::Fact::Recovered { last_zxid, .. } => self.memory(server).applied = *last_zxid,
            zab::Fact::Left { .. } => {
                self.memory(server).serves = false;
                self.led.remove(&server);
            }
            _ => {}
        }
        Vec::new()
    }

    fn read_world(&mut self, fact: &WorldFact) {
        match fact {
            WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => {
                self.led.remove(server);
                let memory = self.memory(*server);
                *memory = Memory { before: memory.known, ..Memory::default() };
            }
            WorldFact::Started { server, .. } => *self.memory(*server) = Memory::default(),
            WorldFact::SnapshotWritten { server, last_txn, installed: true, .. } => {
                self.memory(*server).applied = *last_txn;
            }
            WorldFact::LogTruncated { server, to, removed, .. } => {
                let memory = self.memory(*server);
                memory.known = memory.known.min(*to);
                self.forget(*server, |zxid| removed.contains(zxid));
            }
            WorldFact::UnsyncedLost { server, first, last, .. } => {
                self.forget(*server, |zxid| (first..=last).contains(&zxid));
            }
            WorldFact::DiskBackedUp { server } => {
                let held = self.open.iter().filter(|(_, open)| open.holders.contains(*server));
                let held = held.map(|(zxid, _)| *zxid).collect();
                let memory = *self.memory(*server);
                self.backups.insert(*server, (memory.known.max(memory.before), held));
            }
            WorldFact::BackupRestored { server } => {
                let (known, held) = self.backups.get(server).cloned().unwrap_or_default();
                self.memory(*server).before = known;
                self.forget(*server, |zxid| !held.contains(zxid));
                let again = self.open.iter_mut().filter(|(zxid, _)| held.contains(zxid));
                again.for_each(|(_, open)| {
                    open.holders.insert(*server);
                });
            }
            WorldFact::DiskWiped { server } => {
                self.memory(*server).before = Zxid::ZERO;
                self.forget(*server, |_| true);
            }
            _ => {}
        }
    }

    fn memory(&mut self, server: ServerId) -> &mut Memory {
        self.servers.get_or_default(server)
    }

    /// A server took a transaction into its memory: a server that serves does that with committed ones alone.
    fn apply(&mut self, server: ServerId, zxid: Zxid) {
        let memory = self.memory(server);
        memory.applied = zxid;
        if memory.serves {
            memory.known = memory.known.max(zxid);
            self.pass_on(server, zxid);
        }
    }

    /// A quorum has the history that is in this server's memory.
    fn serve(&mut self, server: ServerId) {
        let memory = self.memory(server);
        memory.serves = true;
        memory.known = memory.known.max(memory.applied);
    }

    /// A second server knows of a commit: no crash of one takes it from all.
    fn pass_on(&mut self, server: ServerId, zxid: Zxid) {
        let told = |(other, memory): (&ServerId, &Memory)| *other != server && memory.known >= zxid;
        if self.open.get(&zxid).is_some_and(|open| open.settled) && self.servers.iter().any(told) {
            self.open.remove(&zxid);
        }
    }

    /// A new leader's history is on a quorum: all of it is committed, whoever proposed it.
    fn establish(&mut self, leader: ServerId, epoch: Epoch, quorum: ServerSet) -> Vec<Settled> {
        let kept = self.open.iter().filter(|(zxid, open)| zxid.epoch() < epoch && open.holders.contains(leader));
        let kept: Vec<(Zxid, bool)> = kept.map(|(zxid, open)| (*zxid, open.settled)).collect();
        let outlived = kept.iter().filter(|(zxid, _)| !self.is_known(*zxid)).map(|(zxid, _)| (*zxid, epoch));
        let outlived: Vec<(Zxid, Epoch)> = outlived.collect();
        self.kept.extend(outlived);
        self.kept.drain(..self.kept.len().saturating_sub(OUTLIVED));
        self.serve(leader);
        self.led.insert(leader, epoch);
        let new = |(zxid, settled): (Zxid, bool)| (!settled).then(|| self.settle(zxid, leader, quorum, Some(epoch)));
        kept.into_iter().filter_map(new).collect()
    }

    /// Whether a server that is up knows a transaction of its log to be committed, by how far it knows.
    fn is_known(&self, zxid: Zxid) -> bool {
        self.servers.values().any(|memory| memory.known >= zxid)
    }

    fn settle(&mut self, zxid: Zxid, leader: ServerId, acks: ServerSet, kept_by: Option<Epoch>) -> Settled {
        self.committed += 1;
        self.last = self.last.max(zxid);
        let (proposed, text) = self.open.get_mut(&zxid).map_or((None, "".into()), |open| {
            open.settled = true;
            (Some(open.at), open.text.clone())
        });
        Settled { zxid, proposed, text, leader, acks, kept_by }
    }

    /// A server's log no longer has these.
    fn forget(&mut self, server: ServerId, gone: impl Fn(&Zxid) -> bool) {
        for (_, open) in self.open.iter_mut().filter(|(zxid, _)| gone(zxid)) {
            open.holders.remove(server);
        }
    }

    /// How many transactions are committed.
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// The last transaction that is committed.
    pub fn last_committed(&self) -> Zxid {
        self.last
    }

    /// What a server knows of a transaction that is in its log.
    pub fn known(&self, server: ServerId, zxid: Zxid) -> Known {
        let memory = self.servers.get(&server).copied().unwrap_or_default();
        if zxid <= memory.known {
            return Known::Committed;
        }
        if zxid <= memory.before {
            return Known::Before;
        }
        let led = self.led.values().any(|epoch| *epoch == zxid.epoch());
        let unsettled = self.open.get(&zxid).is_some_and(|open| !open.settled);
        if !led && (unsettled || !self.is_known(zxid)) { Known::Open } else { Known::Not }
    }

    /// The epoch whose leader's history kept a transaction that nobody alive knew to be committed.
    pub fn kept_by(&self, zxid: Zxid) -> Option<Epoch> {
        self.kept.iter().rev().find(|(known, _)| *known == zxid).map(|(_, epoch)| *epoch)
    }
}
