//! Locks with their queues: who holds what, who waits for it and in which order. What conflicts is decided by the modes; the
//! queue is the same for rows and gaps of InnoDB (`lock0lock.cc`: `lock_rec_has_to_wait`, `lock_rec_has_to_wait_in_queue`),
//! metadata and user locks of MariaDB (`mdl.cc`) and the lock table of PostgreSQL (`lock.c`: `LockAcquireExtended`,
//! `ProcLockWakeup`): first come, first served, and nobody passes one who waits and conflicts.

use crate::base::Arrange;
use std::collections::BTreeMap;

use super::table::{Entry, RowId, TrxId};

/// Whose a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A session's: it outlives its transactions.
    Session(u64),
    /// A transaction's.
    Trx(TrxId),
}

/// What can be locked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// An index record of InnoDB and the gap before it; none: the end of the index (supremum).
    Record(usize, usize, Option<Entry>),
    /// A row of PostgreSQL, as its header says (`xmax`): nobody queues here.
    Row(usize, RowId),
    /// The place of the next one to lock a row of PostgreSQL (tuple lock).
    Tuple(usize, RowId),
    /// A transaction of PostgreSQL: it holds itself until it ends.
    Trx(TrxId),
    /// A table.
    Table(usize),
    /// A name.
    Name(String),
}

/// Which part of an index record is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The record (`LOCK_REC_NOT_GAP`).
    Record,
    /// The gap before it (`LOCK_GAP`).
    Gap,
    /// Both (`LOCK_ORDINARY`).
    NextKey,
    /// A place in the gap, for an insert (`LOCK_INSERT_INTENTION`).
    Insert,
}

/// How something is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mode {
    /// Nobody else may have it.
    pub exclusive: bool,
    /// For records of an index.
    pub reach: Reach,
}

impl Mode {
    /// Shared with others.
    pub const SHARED: Mode = Mode { exclusive: false, reach: Reach::Record };
    /// Alone.
    pub const EXCLUSIVE: Mode = Mode { exclusive: true, reach: Reach::Record };

    /// Whether who asks for this has to wait for that (`lock_rec_has_to_wait`).
    fn waits_for(self, other: Mode, on_supremum: bool) -> bool {
        if !self.exclusive && !other.exclusive {
            return false;
        }
        match (self.reach, other.reach) {
            // gaps are locked against inserts, and against nothing else
            (Reach::Gap, _) | (_, Reach::Insert) => false,
            (Reach::Insert, reach) => reach != Reach::Record,
            (_, Reach::Gap) => false,
            _ => !on_supremum,
        }
    }

    /// Whether who has this needs not ask for that.
    fn covers(self, other: Mode) -> bool {
        let reach = self.reach == other.reach || (self.reach == Reach::NextKey && other.reach != Reach::Insert);
        reach && (self.exclusive || !other.exclusive)
    }
}

/// A lock that is held or waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Whose it is.
    pub owner: Owner,
    /// How.
    pub mode: Mode,
    /// Whether it is held.
    pub granted: bool,
    /// In which order they were asked for.
    pub seq: u64,
    /// How often a session has taken it (named locks).
    pub times: u32,
}

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// It is held, and was before.
    Had,
    /// It is held from now on.
    Got,
    /// Its owner waits in the queue.
    Waits,
}

/// All locks.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    queues: BTreeMap<Resource, Vec<Lock>>,
    next: u64,
}

impl Locks {
    /// The number of the next lock: those that are asked for from now on have it or a greater one.
    pub fn mark(&self) -> u64 {
        self.next
    }

    /// The locks on something, in the order of the queue.
    pub fn on(&self, what: &Resource) -> &[Lock] {
        self.queues.get(what).map_or(&[], Vec::as_slice)
    }

    /// Everything that is locked.
    pub fn iter(&self) -> impl Iterator<Item = (&Resource, &Lock)> {
        self.queues.iter().flat_map(|(what, queue)| queue.iter().map(move |lock| (what, lock)))
    }

    /// What an owner waits for.
    pub fn waited_for(&self, owner: Owner) -> Option<&Resource> {
        self.iter().find(|(_, lock)| lock.owner == owner && !lock.granted).map(|(what, _)| what)
    }

    /// How many locks an owner has or waits for.
    pub fn count(&self, owner: Owner) -> u64 {
        self.iter().filter(|(_, lock)| lock.owner == owner).count() as u64
    }

    /// Those for whom a request would have to wait, in the order of the queue.
    pub fn in_the_way(&self, owner: Owner, what: &Resource, mode: Mode) -> Vec<Owner> {
        ahead(self.on(what), what, owner, mode)
    }

    /// Those for whom an owner waits, in the order of the queue.
    pub fn blockers(&self, owner: Owner) -> Vec<Owner> {
        let Some(what) = self.waited_for(owner) else { return Vec::new() };
        let queue = self.on(what);
        let at = queue.iter().position(|lock| lock.owner == owner && !lock.granted).unwrap_or(0);
        queue.get(at).map_or(Vec::new(), |lock| ahead(&queue[..at], what, owner, lock.mode))
    }

    /// Takes a lock without asking: nobody can be in the way.
    pub fn hold(&mut self, owner: Owner, what: Resource, mode: Mode) {
        let had = self.on(&what).iter().any(|lock| lock.owner == owner && lock.granted && lock.mode.covers(mode));
        if !had {
            self.push(owner, what, mode, true);
        }
    }

    /// Asks for a lock: it is had, granted, or waited for.
    pub fn ask(&mut self, owner: Owner, what: Resource, mode: Mode) -> Asked {
        let queue = self.on(&what);
        if queue.iter().any(|lock| lock.owner == owner && lock.granted && lock.mode.covers(mode)) {
            return Asked::Had;
        }
        if queue.iter().any(|lock| lock.owner == owner && !lock.granted) {
            return Asked::Waits;
        }
        let free = self.in_the_way(owner, &what, mode).is_empty();
        self.push(owner, what, mode, free);
        if free { Asked::Got } else { Asked::Waits }
    }

    fn push(&mut self, owner: Owner, what: Resource, mode: Mode, granted: bool) {
        let lock = Lock { owner, mode, granted, seq: self.next, times: 1 };
        self.next += 1;
        self.queues.entry(what).or_default().push(lock);
    }

    /// Counts how often a session has taken a lock that it has; how often that is now.
    pub fn again(&mut self, owner: Owner, what: &Resource, by: i32) -> u32 {
        let queue = self.queues.get_mut(what);
        let lock = queue.and_then(|queue| queue.iter_mut().find(|lock| lock.owner == owner && lock.granted));
        lock.map_or(0, |lock| {
            lock.times = lock.times.saturating_add_signed(by);
            lock.times
        })
    }

    /// Gives up what an owner waits for; who gets on by that.
    pub fn give_up(&mut self, owner: Owner) -> Vec<Owner> {
        self.remove(|_, lock| lock.owner == owner && !lock.granted)
    }

    /// Gives back everything of an owner, the latest first where it is so said; who gets on by that, in that order.
    pub fn release(&mut self, owner: Owner, latest_first: bool) -> Vec<Owner> {
        let mut mine: Vec<(u64, Resource)> = self
            .iter()
            .filter(|(_, lock)| lock.owner == owner)
            .map(|(what, lock)| (lock.seq, what.clone()))
            .collect();
        mine.arrange();
        if latest_first {
            mine.reverse();
        }
        let mut woken = Vec::new();
        for (_, what) in mine {
            woken.extend(self.release_one(&what, |lock| lock.owner == owner));
        }
        woken
    }

    /// Gives back one lock of an owner.
    pub fn release_on(&mut self, owner: Owner, what: &Resource) -> Vec<Owner> {
        self.release_one(what, |lock| lock.owner == owner)
    }

    /// Gives back what is picked; who gets on by that.
    pub fn remove(&mut self, pick: impl Fn(&Resource, &Lock) -> bool) -> Vec<Owner> {
        let picked = |what: &Resource, queue: &Vec<Lock>| queue.iter().any(|lock| pick(what, lock));
        let what: Vec<Resource> =
            self.queues.iter().filter(|(what, queue)| picked(what, queue)).map(|(what, _)| what.clone()).collect();
        what.iter().flat_map(|what| self.release_one(what, |lock| pick(what, lock))).collect()
    }

    /// Takes everything off something that is no more; the locks that there were.
    pub fn clear(&mut self, what: &Resource) -> Vec<Lock> {
        self.queues.remove(what).unwrap_or_default()
    }

    fn release_one(&mut self, what: &Resource, pick: impl Fn(&Lock) -> bool) -> Vec<Owner> {
        let Some(queue) = self.queues.get_mut(what) else { return Vec::new() };
        queue.retain(|lock| !pick(lock));
        let woken = grant(queue, what);
        if queue.is_empty() {
            self.queues.remove(what);
        }
        woken
    }
}

/// Whose locks stand in the way of a request, each owner once.
fn ahead(queue: &[Lock], what: &Resource, owner: Owner, mode: Mode) -> Vec<Owner> {
    let on_supremum = matches!(what, Resource::Record(_, _, None));
    let mut owners = Vec::new();
    for lock in queue.iter().filter(|lock| lock.owner != owner && mode.waits_for(lock.mode, on_supremum)) {
        if !owners.contains(&lock.owner) {
            owners.push(lock.owner);
        }
    }
    owners
}

/// Grants what nobody ahead stands in the way of any more; to whom.
fn grant(queue: &mut [Lock], what: &Resource) -> Vec<Owner> {
    let mut woken = Vec::new();
    for at in 0..queue.len() {
        let (before, rest) = queue.split_at_mut(at);
        if let Some(lock) = rest.first_mut().filter(|lock| !lock.granted)
            && ahead(before, what, lock.owner, lock.mode).is_empty()
        {
            lock.granted = true;
            woken.push(lock.owner);
        }
    }
    woken
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Owner = Owner::Trx(1);
    const B: Owner = Owner::Trx(2);
    const C: Owner = Owner::Trx(3);

    fn record() -> Resource {
        Resource::Record(0, 0, Some((super::super::value::Value::Int(1), 1)))
    }

    #[test]
    fn nobody_passes_one_who_waits_and_conflicts() {
        let mut locks = Locks::default();
        assert_eq!(locks.ask(A, record(), Mode::SHARED), Asked::Got);
        assert_eq!(locks.ask(B, record(), Mode::EXCLUSIVE), Asked::Waits);
        assert_eq!(locks.ask(C, record(), Mode::SHARED), Asked::Waits);
        assert_eq!(locks.blockers(C), [B]);
        assert_eq!(locks.release(A, false), [B]);
        assert_eq!(locks.release(B, false), [C]);
    }

    #[test]
    fn gaps_exclude_inserts_only() {
        let mut locks = Locks::default();
        let gap = Mode { exclusive: true, reach: Reach::Gap };
        let insert = Mode { exclusive: true, reach: Reach::Insert };
        assert_eq!(locks.ask(A, record(), gap), Asked::Got);
        assert_eq!(locks.ask(B, record(), gap), Asked::Got);
        assert_eq!(locks.ask(C, record(), Mode::EXCLUSIVE), Asked::Got);
        assert_eq!(locks.ask(B, record(), insert), Asked::Waits);
        assert_eq!(locks.blockers(B), [A], "a record's lock is not in the way of an insert before it");
    }

    #[test]
    fn a_queue_is_served_in_order_one_at_a_time() {
        let mut locks = Locks::default();
        let name = || Resource::Name("m".into());
        locks.ask(A, name(), Mode::EXCLUSIVE);
        locks.ask(B, name(), Mode::EXCLUSIVE);
        locks.ask(C, name(), Mode::EXCLUSIVE);
        assert_eq!((locks.blockers(B), locks.blockers(C)), (vec![A], vec![A, B]));
        assert_eq!(locks.give_up(B), []);
        assert_eq!(locks.release(A, false), [C]);
    }
}
