//! What a server loads from its disk when it starts (`FileTxnSnapLog.java` `restore`, `QuorumPeer.java` `loadDataBase`).

use std::fmt;

use serde::{Deserialize, Serialize};
use zabscope_ground::base::Zxid;

use crate::content::Room;
use crate::disk::Disk;
use crate::image::Image;
use crate::log::{Ending, Entry};
use crate::trouble::{Trouble, hex};

/// Why a server does not start on its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// There are records and no snapshot: `No snapshot found, but there are log entries`.
    NoSnapshot,
    /// None of the snapshots can be loaded.
    NoValidSnapshot,
    /// A log cannot be read: see the troubles of that file.
    Log {
        /// Which, by the zxid in its name.
        name: Zxid,
    },
    /// `The current epoch, 1, is older than the last zxid`.
    CurrentEpoch {
        /// The file currentEpoch.
        epoch: u64,
        /// The last zxid.
        last: Zxid,
    },
    /// `The accepted epoch, 1 is less than the current epoch, 2`.
    AcceptedEpoch {
        /// The file acceptedEpoch.
        accepted: u64,
        /// The file currentEpoch.
        current: u64,
    },
    /// A hole within an epoch: `Committed proposal cached out of order`. Only from 3.9 on; older ones start, and serve what they have.
    Hole {
        /// The last before it.
        before: Zxid,
        /// The first behind it.
        behind: Zxid,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSnapshot => write!(f, "does not start: no snapshot found, but there are log entries"),
            Refusal::NoValidSnapshot => write!(f, "does not start: none of its snapshots can be loaded"),
            Refusal::Log { name } => write!(f, "does not start: log.{:x} cannot be read", name.0),
            Refusal::CurrentEpoch { epoch, last } => {
                write!(f, "does not start: the current epoch, {epoch}, is older than the last zxid, {}", hex(*last))
            }
            Refusal::AcceptedEpoch { accepted, current } => {
                write!(f, "does not start: the accepted epoch, {accepted}, is less than the current epoch, {current}")
            }
            Refusal::Hole { before, behind } => {
                write!(f, "does not start from 3.9 on: {} is not the next after {}", hex(*behind), hex(*before))
            }
        }
    }
}

/// The first transaction after which a tree is not the one that its leader had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The transaction.
    pub zxid: Zxid,
    /// The digest in its record, or in the snapshot.
    pub said: u64,
    /// That of the tree.
    pub found: u64,
}

/// What a server has once it has loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The snapshot, by its place on the disk; none where there was none to be loaded: then the state before the first transaction.
    pub snapshot: Option<usize>,
    /// Snapshots that are newer and cannot be loaded, by their places.
    pub skipped: Vec<usize>,
    /// What was found wrong with them while they were loaded.
    pub troubles: Vec<Trouble>,
    /// The zxid of the snapshot: all up to there is said to be in it.
    pub base: Zxid,
    /// Up to here the snapshot may hold some of what follows it: it was written while transactions were applied.
    pub fuzzy_up_to: Zxid,
    /// The records that are applied, with the places of their files, in this order.
    pub applied: Vec<(usize, Entry)>,
    /// The last zxid: what the server says in the election.
    pub last: Zxid,
    /// The state.
    pub image: Image,
    /// The digest of the tree after each of them, from where the snapshot is whole.
    pub digests: Vec<(Zxid, u64)>,
    /// How many digests in records, and in the snapshot, were compared.
    pub compared: u64,
    /// How many of them are others than the tree's.
    pub mismatches: u64,
    /// The first of those.
    pub first_mismatch: Option<Mismatch>,
    /// Why it does not start at all.
    pub refusals: Vec<Refusal>,
}

impl Loaded {
    /// Loads a disk.
    pub fn of(disk: &Disk, room: Room) -> Loaded {
        let mut loaded = Loaded::from_snapshot(disk, room);
        let said = loaded.snapshot.and_then(|place| disk.snapshots[place].about.said());
        loaded.fuzzy_up_to = said.map_or(loaded.base, |(zxid, _)| zxid.max(loaded.base));
        if let Some((_, said)) = said.filter(|(zxid, _)| *zxid <= loaded.base) {
            loaded.compare(loaded.base, said);
        }
        if loaded.fuzzy_up_to == loaded.base {
            loaded.digests.push((loaded.base, loaded.image.digest()));
        }
        loaded.replay(disk, said);
        loaded.judge(disk);
        loaded
    }

    /// The newest snapshot that can be loaded, and nothing else yet.
    fn from_snapshot(disk: &Disk, room: Room) -> Loaded {
        let (mut skipped, mut troubles, mut found) = (Vec::new(), Vec::new(), None);
        for (place, snapshot) in disk.snapshots.iter().enumerate().rev() {
            match snapshot.is_valid.then(|| snapshot.load(room)) {
                Some(Ok(image)) => {
                    found = Some((place, image));
                    break;
                }
                Some(Err(trouble)) => troubles.push(trouble),
                None => {}
            }
            skipped.push(place);
        }
        let (snapshot, image) = found.map_or((None, Image::empty()), |(place, image)| (Some(place), image));
        let base = snapshot.map_or(Zxid::ZERO, |place| disk.snapshots[place].name);
        Loaded {
            snapshot,
            skipped,
            troubles,
            base,
            fuzzy_up_to: base,
            applied: Vec::new(),
            last: base,
            image,
            digests: Vec::new(),
            compared: 0,
            mismatches: 0,
            first_mismatch: None,
            refusals: Vec::new(),
        }
    }

    /// The logs from the last one that begins at or below the snapshot; what stands before its end there is passed over, and from
    /// then on nothing is (`FileTxnIterator.init`).
    fn replay(&mut self, disk: &Disk, said: Option<(Zxid, u64)>) {
        let first = disk.logs.iter().rposition(|log| log.name <= self.base).unwrap_or(0);
        let mut begun = false;
        for (place, log) in disk.logs.iter().enumerate().skip(first) {
            for entry in &log.entries {
                begun |= entry.zxid > self.base;
                let Some(record) = log.record(entry).filter(|_| begun) else { continue };
                self.image.apply(&record);
                self.applied.push((place, *entry));
                self.last = self.last.max(entry.zxid);
                if entry.zxid < self.fuzzy_up_to {
                    continue;
                }
                self.digests.push((entry.zxid, self.image.digest()));
                let in_snapshot = said.filter(|(zxid, _)| *zxid == entry.zxid && *zxid > self.base);
                let in_record = record.digest.filter(|digest| digest.version == 2).map(|digest| digest.sum);
                for said in in_snapshot.map(|(_, sum)| sum).into_iter().chain(in_record) {
                    self.compare(entry.zxid, said);
                }
            }
            if log.ending == Ending::Refused {
                self.refusals.push(Refusal::Log { name: log.name });
                break;
            }
        }
    }

    fn compare(&mut self, zxid: Zxid, said: u64) {
        self.compared += 1;
        let found = self.image.digest();
        if said != found {
            self.mismatches += 1;
            self.first_mismatch.get_or_insert(Mismatch { zxid, said, found });
        }
    }

    fn judge(&mut self, disk: &Disk) {
        if self.snapshot.is_none() && !disk.snapshots.is_empty() {
            self.refusals.push(Refusal::NoValidSnapshot);
        } else if self.snapshot.is_none() && !self.applied.is_empty() {
            self.refusals.push(Refusal::NoSnapshot);
        }
        let of_last = u64::from(self.last.epoch());
        let current = disk.current_epoch.unwrap_or(of_last);
        if current < of_last {
            self.refusals.push(Refusal::CurrentEpoch { epoch: current, last: self.last });
        }
        let accepted = disk.accepted_epoch.unwrap_or(of_last);
        if accepted < current {
            self.refusals.push(Refusal::AcceptedEpoch { accepted, current });
        }
        // what is kept in memory begins with the first record that is applied: a hole right behind the snapshot is not seen
        let hole = self.applied.windows(2).map(|pair| (pair[0].1.zxid, pair[1].1.zxid));
        let mut holes = hole.filter(|(before, behind)| before.epoch() == behind.epoch() && !behind.follows(*before));
        if let Some((before, behind)) = holes.find(|(before, behind)| before < behind) {
            self.refusals.push(Refusal::Hole { before, behind });
        }
    }

    /// Records that lie in the logs and are not applied: the snapshot stands for them, whether they are in it or not.
    pub fn covered<'a>(&self, disk: &'a Disk) -> impl Iterator<Item = &'a Entry> {
        let base = self.base;
        disk.logs.iter().flat_map(|log| &log.entries).filter(move |entry| entry.zxid <= base)
    }
}
