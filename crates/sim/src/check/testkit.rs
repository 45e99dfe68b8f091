//! Synthetic facts for the properties' tests: a story is told fact by fact, no simulation behind it.

use crate::base::{Epoch, MsgId, ServerId, ServerSet, Zxid};
use crate::sim::{EpochFile, Fact, Hex, Parcel, Record, Setup, WorldFact};
use crate::zab::{self, Payload};

use super::{Checker, SECOND_STORE, SecondStore};
use crate::store::Tree;

mod clients;
mod programs;

pub(super) use clients::{SESSION, create, get};
pub(super) use programs::holders;

#[derive(Clone)]
pub(super) struct Story {
    checker: Checker<SecondStore>,
    seq: u64,
    /// Time that has passed beside one µs a fact.
    late: u64,
    accepted: ServerSet,
    /// The state of a server that applies what the story tells of clients.
    tree: Tree,
}

impl Story {
    /// `n` servers, just started.
    pub(super) fn new(n: u8) -> Story {
        let setup = Setup { voters: n, ..Setup::default() };
        let mut story = Story {
            checker: Checker::with_second_store(&setup),
            seq: 0,
            late: 0,
            accepted: ServerSet::EMPTY,
            tree: Tree::new(&setup.members().to_string()),
        };
        for id in 1..=n {
            story.start(id);
        }
        story
    }

    /// Most stories tell nothing of disks: what they commit stands on none.
    pub(super) fn violated(&self) -> Vec<&'static str> {
        let beside = ["quorum-durable", SECOND_STORE.id];
        self.violated_on_disks().into_iter().filter(|property| !beside.contains(property)).collect()
    }

    /// What the second store finds.
    pub(super) fn second(&self) -> Option<String> {
        let found = self.checker.violations().iter().find(|violation| violation.property == SECOND_STORE.id);
        found.map(|violation| violation.property.to_string())
    }

    pub(super) fn violated_on_disks(&self) -> Vec<&'static str> {
        self.checker.violations().iter().map(|violation| violation.property).collect()
    }

    /// The syncs that were answered under a deposed leader, in words.
    pub(super) fn stale_syncs(&self) -> Vec<String> {
        self.checker.stale_syncs().iter().map(ToString::to_string).collect()
    }

    fn tell(&mut self, fact: Fact) -> &mut Story {
        let record = Record { seq: self.seq, at_us: self.now(), fact, why: None };
        self.seq += 1;
        self.checker.read(&record);
        self
    }

    fn world(&mut self, fact: WorldFact) -> &mut Story {
        self.tell(Fact::World(fact))
    }

    fn zab(&mut self, server: u8, fact: zab::Fact) -> &mut Story {
        self.tell(Fact::Zab { server: ServerId(server), fact })
    }

    pub(super) fn start(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::Started { server: ServerId(server), incarnation: 1, observer: false })
    }

    pub(super) fn crash(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::Crashed { server: ServerId(server), how: crate::sim::Death::Crash })
    }

    pub(super) fn wipe(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::DiskWiped { server: ServerId(server) })
    }

    pub(super) fn back_up(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::DiskBackedUp { server: ServerId(server) })
    }

    pub(super) fn put_back(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::BackupRestored { server: ServerId(server) })
    }

    pub(super) fn serve(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::Serving { server: ServerId(server), on: true })
    }

    /// A leader with its history synchronised and established.
    pub(super) fn lead(&mut self, server: u8, epoch: Epoch) -> &mut Story {
        self.accept(server, epoch).synchronizing(server, epoch);
        self.established(server, epoch)
    }

    pub(super) fn established(&mut self, server: u8, epoch: Epoch) -> &mut Story {
        self.zab(server, zab::Fact::Established { epoch, quorum: ServerSet::EMPTY })
    }

    pub(super) fn leave(&mut self, server: u8, reason: zab::LeaveReason) -> &mut Story {
        self.zab(server, zab::Fact::Left { role: zab::ServerState::Following, reason })
    }

    /// What servers say to each other is heard.
    pub(super) fn overheard(&mut self) -> &mut Story {
        let (msg, from, to) = (MsgId(self.seq), ServerId(1).into(), ServerId(3).into());
        let message = Parcel::Zab(zab::Message::Packet(zab::Packet::UpToDate));
        self.world(WorldFact::Sent { msg, from, to, message })
    }

    pub(super) fn pauses_server(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::Paused { server: ServerId(server) })
    }

    pub(super) fn resumes_server(&mut self, server: u8) -> &mut Story {
        self.world(WorldFact::Resumed { server: ServerId(server) })
    }

    pub(super) fn synchronizing(&mut self, server: u8, epoch: Epoch) -> &mut Story {
        self.zab(server, zab::Fact::Synchronizing { epoch, quorum: ServerSet::EMPTY })
    }

    pub(super) fn accept(&mut self, server: u8, epoch: Epoch) -> &mut Story {
        let file = EpochFile::AcceptedEpoch;
        self.accepted.insert(ServerId(server));
        self.world(WorldFact::EpochWritten { server: ServerId(server), file, epoch });
        self.zab(server, zab::Fact::EpochAccepted { epoch })
    }

    pub(super) fn current_epoch(&mut self, server: u8, epoch: Epoch) -> &mut Story {
        self.accept(server, epoch);
        let file = EpochFile::CurrentEpoch;
        self.world(WorldFact::EpochWritten { server: ServerId(server), file, epoch })
    }

    /// A transaction of which only a text is known.
    fn named(&mut self, text: &str) -> Payload {
        self.checker.forget_models();
        Payload::text(text)
    }

    pub(super) fn propose(&mut self, server: u8, at: &str, payload: &str) -> &mut Story {
        let payload = self.named(payload);
        self.zab(server, zab::Fact::Proposed { zxid: zxid(at), payload, followers: ServerSet::EMPTY });
        self.queue(server, at)
    }

    pub(super) fn queue(&mut self, server: u8, at: &str) -> &mut Story {
        self.zab(server, zab::Fact::Queued { zxid: zxid(at) })
    }

    pub(super) fn sync(&mut self, server: u8, count: usize) -> &mut Story {
        let (first, last) = (Zxid::ZERO, Zxid::ZERO);
        if !self.accepted.contains(ServerId(server)) {
            self.accept(server, 1);
        }
        self.world(WorldFact::Synced { server: ServerId(server), first, last, count })
    }

    pub(super) fn count_ack(&mut self, leader: u8, from: u8, at: &str) -> &mut Story {
        let acks = ServerSet::EMPTY;
        self.zab(leader, zab::Fact::AckCounted { zxid: zxid(at), from: ServerId(from), acks, need: 2 })
    }

    pub(super) fn count_new_leader(&mut self, leader: u8, from: u8) -> &mut Story {
        let acks = ServerSet::EMPTY;
        self.zab(leader, zab::Fact::NewLeaderAckCounted { from: ServerId(from), acks, need: 2 })
    }

    pub(super) fn commit(&mut self, leader: u8, at: &str) -> &mut Story {
        self.commit_by(leader, at, &[])
    }

    pub(super) fn commit_by(&mut self, leader: u8, at: &str, acks: &[u8]) -> &mut Story {
        let acks = acks.iter().copied().map(ServerId).collect();
        self.zab(leader, zab::Fact::Committed { zxid: zxid(at), acks })
    }

    /// The state that [`Story::apply`] gives after a payload.
    pub(super) fn state(payload: &str) -> u64 {
        payload.bytes().map(u64::from).sum()
    }

    pub(super) fn apply(&mut self, server: u8, at: &str, payload: &str) -> &mut Story {
        let state = Hex(Story::state(payload));
        let payload = self.named(payload);
        self.world(WorldFact::Applied { server: ServerId(server), zxid: zxid(at), payload, state })
    }

    pub(super) fn restore(&mut self, server: u8, at: &str, state: u64) -> &mut Story {
        self.world(WorldFact::Restored { server: ServerId(server), last_txn: zxid(at), state: Hex(state) })
    }

    pub(super) fn answer(&mut self, server: u8, at: &str) -> &mut Story {
        self.world(WorldFact::WriteAnswered { server: ServerId(server), write: 0, zxid: zxid(at) })
    }

    pub(super) fn snapshot(&mut self, server: u8, at: &str) -> &mut Story {
        self.stores(server, at, false)
    }

    /// A snapshot that a leader sent.
    pub(super) fn install(&mut self, server: u8, at: &str) -> &mut Story {
        self.stores(server, at, true)
    }

    fn stores(&mut self, server: u8, at: &str, installed: bool) -> &mut Story {
        let (zxid, last_txn) = (zxid(at), zxid(at));
        self.world(WorldFact::SnapshotWritten { server: ServerId(server), zxid, last_txn, installed })
    }

    pub(super) fn cut(&mut self, server: u8, to: &str) -> &mut Story {
        self.world(WorldFact::LogTruncated {
            server: ServerId(server),
            to: zxid(to),
            removed: Vec::new(),
            snapshots: 0,
        })
    }

    pub(super) fn look(&mut self, server: u8, vote: &str) -> &mut Story {
        self.zab(server, zab::Fact::Looking { round: 1, last_zxid: zxid(vote), current_epoch: 0 })
    }
}

fn zxid(text: &str) -> Zxid {
    text.parse().expect("a zxid")
}
