//! Which transactions are on which disks, and where two trees part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zabscope_ground::base::{Arrange, Epoch, Zxid};

use crate::disk::Disk;
use crate::image::Image;
use crate::load::Loaded;

/// What a disk has of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Nothing, and it has nothing behind it either: it ends before.
    Behind,
    /// Nothing, though it has what comes after.
    Hole,
    /// A record, and the server has it once it has loaded.
    Log,
    /// No record: the snapshot stands for it.
    Snapshot,
    /// A record that no load brings back: the snapshot above it was made without it.
    Covered,
}

impl Cell {
    /// Whether the server has it once it has loaded.
    pub fn is_there(self) -> bool {
        matches!(self, Cell::Log | Cell::Snapshot)
    }
}

/// Where a transaction belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the history that the newest disk tells.
    History,
    /// Beside it: that history goes on, or ends, without it.
    Beside,
}

/// Transactions in a row of which all disks have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The first.
    pub first: Zxid,
    /// The last.
    pub last: Zxid,
    /// Where they belong.
    pub place: Place,
    /// What each disk has of them, in the order of the disks.
    pub cells: Vec<Cell>,
    /// Whether another transaction of the same zxid is on another disk: the number of an epoch was used twice.
    pub is_twice: bool,
}

impl Column {
    /// How many transactions these are.
    pub fn count(&self) -> u64 {
        self.last.0 - self.first.0 + 1
    }

    /// How many of these disks have them once they have loaded.
    pub fn on(&self, disks: &[usize]) -> usize {
        disks.iter().filter(|place| self.cells[**place].is_there()).count()
    }
}

/// The history that the newest disk tells: where each epoch ends, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    ends: BTreeMap<Epoch, u32>,
    /// Nothing is known of epochs below this one: no disk has the records at its beginning.
    known_from: Epoch,
}

impl History {
    /// Whether a transaction is in it; unknown ones are.
    pub fn has(&self, zxid: Zxid) -> bool {
        match self.ends.get(&zxid.epoch()) {
            Some(end) => zxid.counter() <= *end,
            None => zxid.epoch() < self.known_from,
        }
    }

    /// Walks back from a zxid: within an epoch counters step by one, and what came before the first transaction of an epoch is told by
    /// the logs that hold both.
    fn back_from(head: Zxid, disks: &[(&Disk, &Loaded)]) -> History {
        let mut history = History::default();
        let mut at = head;
        while at != Zxid::ZERO {
            history.ends.insert(at.epoch(), at.counter());
            history.known_from = at.epoch();
            match before_epoch(at.epoch(), disks) {
                Some(before) => at = before,
                None => break,
            }
        }
        if at == Zxid::ZERO {
            history.known_from = 0;
        }
        history
    }
}

/// The transaction before the first one of an epoch: by a log that holds both one after the other. A snapshot between them stands for what
/// the log does not hold. Where two tell otherwise, one whose digests are right is believed first.
fn before_epoch(epoch: Epoch, disks: &[(&Disk, &Loaded)]) -> Option<Zxid> {
    let first = Zxid::new(epoch, 1);
    let told = disks.iter().filter_map(|(disk, loaded)| {
        let entries = disk.logs.iter().flat_map(|log| &log.entries);
        let mut before = Zxid::ZERO;
        for entry in entries {
            if entry.zxid == first {
                let between = disk.snapshots.iter().any(|snapshot| before < snapshot.name && snapshot.name < first);
                let starts = before == Zxid::ZERO && disk.snapshots.first().is_none_or(|of| of.name != Zxid::ZERO);
                let is_wrong = loaded.first_mismatch.is_some_and(|mismatch| mismatch.zxid <= first);
                return (!between && !starts).then_some((is_wrong, before));
            }
            before = entry.zxid;
        }
        None
    });
    let told = told.filter(|(_, before)| *before == Zxid::ZERO || before.epoch() < epoch);
    told.min_by_key(|(is_wrong, before)| (*is_wrong, std::cmp::Reverse(*before))).map(|(_, before)| before)
}

/// The next zxid; in a damaged file it may be the last of all.
fn after(zxid: Zxid) -> Zxid {
    Zxid(zxid.0.saturating_add(1))
}

/// The matrix of some disks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Its columns in the order of zxids.
    pub columns: Vec<Column>,
    /// The disk that is newest, by its place: of those that start, the one that would win an election of all.
    pub newest: Option<usize>,
    /// The history that it tells.
    pub history: History,
}

impl Matrix {
    /// The matrix of these disks.
    pub fn of(disks: &[(&Disk, &Loaded)]) -> Matrix {
        let newest = newest(disks);
        let head = newest.map_or(Zxid::ZERO, |place| disks[place].1.last);
        let history = match newest {
            Some(_) => History::back_from(head, disks),
            None => History { known_from: Epoch::MAX, ..History::default() },
        };
        let mut found = BTreeMap::<Zxid, Vec<(u64, Vec<usize>)>>::new();
        for (place, (disk, _)) in disks.iter().enumerate() {
            for entry in disk.logs.iter().flat_map(|log| &log.entries) {
                let variants = found.entry(entry.zxid).or_default();
                match variants.iter_mut().find(|(id, _)| *id == entry.id) {
                    Some((_, on)) => on.push(place),
                    None => variants.push((entry.id, vec![place])),
                }
            }
        }
        let mut matrix = Matrix { columns: Vec::new(), newest, history };
        let mut next = Zxid::ZERO;
        for (zxid, variants) in found {
            matrix.without_records(next, zxid, disks);
            // of two with one zxid the newest disk has the one that counts
            let counts = variants.iter().position(|(_, on)| newest.is_some_and(|newest| on.contains(&newest)));
            for (number, (_, on)) in variants.iter().enumerate() {
                let counts = counts.unwrap_or(0) == number;
                matrix.column(zxid, zxid, on, counts, variants.len() > 1, disks);
            }
            next = after(zxid);
        }
        let last = disks.iter().map(|(_, loaded)| loaded.last).max().unwrap_or(Zxid::ZERO);
        matrix.without_records(next, after(last), disks);
        matrix
    }

    /// Transactions of which no disk has a record, only snapshots: from one zxid up to before another.
    fn without_records(&mut self, from: Zxid, to: Zxid, disks: &[(&Disk, &Loaded)]) {
        let mut begin = from.max(Zxid(1));
        // an epoch ends where the history says; the rest of its four thousand million numbers were never given
        let ends: Vec<Zxid> =
            self.history.ends.iter().map(|(epoch, end)| Zxid::new(*epoch, *end)).filter(|end| *end >= from).collect();
        for end in ends {
            begin = begin.max(Zxid::new(end.epoch(), 1));
            if begin >= to {
                break;
            }
            let mut borders: Vec<Zxid> = disks.iter().map(|(_, loaded)| after(loaded.base)).collect();
            borders.extend(disks.iter().map(|(_, loaded)| after(loaded.last)));
            borders.arrange();
            let stop = to.min(after(end));
            for border in borders.into_iter().chain([stop]).filter(|border| *border <= stop) {
                if border > begin {
                    self.column(begin, Zxid(border.0 - 1), &[], true, false, disks);
                    begin = border;
                }
            }
        }
    }

    fn column(
        &mut self,
        first: Zxid,
        last: Zxid,
        on: &[usize],
        counts: bool,
        is_twice: bool,
        disks: &[(&Disk, &Loaded)],
    ) {
        let in_history = counts && self.history.has(first);
        let cell =
            |(place, (_, loaded)): (usize, &(&Disk, &Loaded))| match (on.contains(&place), first <= loaded.base) {
                (true, false) => Cell::Log,
                (true, true) if in_history => Cell::Log,
                (true, true) => Cell::Covered,
                (false, true) if in_history => Cell::Snapshot,
                (false, _) if first < loaded.last && in_history => Cell::Hole,
                (false, _) => Cell::Behind,
            };
        let cells: Vec<Cell> = disks.iter().enumerate().map(cell).collect();
        let place = if in_history { Place::History } else { Place::Beside };
        if let Some(before) = self.columns.last_mut()
            && after(before.last) == first
            && (before.place, &before.cells, before.is_twice) == (place, &cells, is_twice)
        {
            before.last = last;
            return;
        }
        self.columns.push(Column { first, last, place, cells, is_twice });
    }
}

/// Of those that start, the one that would win an election of all (`FastLeaderElection.java` `totalOrderPredicate`).
fn newest(disks: &[(&Disk, &Loaded)]) -> Option<usize> {
    let starts = disks.iter().enumerate().filter(|(_, (_, loaded))| loaded.refusals.is_empty());
    let order = |(_, (disk, loaded)): &(usize, &(&Disk, &Loaded))| {
        (disk.current_epoch.unwrap_or(loaded.last.epoch().into()), loaded.last, disk.id)
    };
    starts.max_by_key(order).map(|(place, _)| place)
}

/// How a tree stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same.
    Same,
    /// It is what the other was before.
    Behind,
    /// It is what the other will be.
    Ahead,
    /// They are different after the same transactions.
    Parted {
        /// The first transaction after which they are, where it can be told.
        first: Option<Zxid>,
    },
}

/// A znode in which two trees differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// It has it, the other has not.
    Extra,
    /// The other has it.
    Missing,
    /// Both have it, and not the same.
    Changed,
}

/// How one tree stands to another.
pub fn compare(one: &Loaded, other: &Loaded) -> Relation {
    if one.last == other.last && one.image.digest() == other.image.digest() {
        return Relation::Same;
    }
    let (mut others, mut common) = (other.digests.iter().peekable(), None);
    for (zxid, digest) in &one.digests {
        while others.next_if(|(of_other, _)| of_other < zxid).is_some() {}
        let Some((_, of_other)) = others.peek().filter(|(of_other, _)| of_other == zxid) else { continue };
        if of_other != digest {
            return Relation::Parted { first: common.and_then(|common| next_of_either(one, other, common)) };
        }
        common = Some(*zxid);
    }
    match common {
        Some(zxid) if zxid == one.last => Relation::Behind,
        Some(zxid) if zxid == other.last => Relation::Ahead,
        // each has transactions that the other lacks
        Some(zxid) => Relation::Parted { first: next_of_either(one, other, zxid) },
        None => Relation::Parted { first: None },
    }
}

/// The first transaction that one of two has behind a zxid.
fn next_of_either(one: &Loaded, other: &Loaded, zxid: Zxid) -> Option<Zxid> {
    let next = |of: &Loaded| of.digests.iter().map(|(at, _)| *at).find(|at| *at > zxid);
    next(one).into_iter().chain(next(other)).min()
}

/// The znodes in which a tree differs from another, by their paths. What servers write without transactions is left out: the
/// configuration that they start with, and what quotas count.
pub fn differences<'a>(one: &'a Image, other: &'a Image) -> Vec<(&'a str, Difference)> {
    let shown = |path: &str| path != "/zookeeper/config" && !path.ends_with("/zookeeper_stats");
    let (mut found, all) = (Vec::new(), other.nodes());
    let mut others = all.iter().peekable();
    for (path, node) in one.nodes() {
        while let Some((missing, _)) = others.next_if(|(of_other, _)| *of_other < path) {
            found.push((*missing, Difference::Missing));
        }
        match others.next_if(|(of_other, _)| *of_other == path) {
            Some((_, of_other)) if one.alike(node, other, of_other) => {}
            Some(_) => found.push((path, Difference::Changed)),
            None => found.push((path, Difference::Extra)),
        }
    }
    found.extend(others.map(|(missing, _)| (*missing, Difference::Missing)));
    found.retain(|(path, _)| shown(path));
    found
}
