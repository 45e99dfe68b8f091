//! Serializable transactions of PostgreSQL (`predicate.c`): who has read what another has changed. A transaction between two
//! such dependencies cannot be put into an order once the outer one has committed. Real PostgreSQL locks pages and tables where it
//! has read them, and sometimes refuses what would have been right; here conditions are compared, so it does not.

use std::collections::{BTreeMap, BTreeSet};

use crate::sql::op::{Cond, Isolation};
use crate::sql::reply::Problem;
use crate::sql::table::{TrxId, Values};

use super::{Db, Stop};

/// What is known of a serializable transaction.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The place in the order of commits at which it looks.
    snapshot: u64,
    /// Its own place.
    committed: Option<u64>,
    /// It must fail.
    doomed: bool,
    /// What it has read: table and condition.
    reads: Vec<(usize, Vec<(String, Cond)>)>,
    /// What it has changed: table and values, old or new.
    writes: Vec<(usize, Values)>,
    /// Who has changed what it read.
    after: BTreeSet<TrxId>,
    /// Who has read what it changed.
    before: BTreeSet<TrxId>,
}

/// What is known of all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Serial {
    known: BTreeMap<TrxId, Known>,
}

fn refused() -> Stop {
    Stop::Refused(Problem::Serialization, "read/write dependencies among transactions".into())
}

impl Db {
    fn is_serial(&self, trx: TrxId) -> bool {
        !self.is_mariadb() && self.trxs.get(&trx).is_some_and(|trx| trx.isolation == Isolation::Serializable)
    }

    /// A transaction has read something at a snapshot.
    pub(super) fn serial_read(&mut self, trx: TrxId, table: usize, conds: &[(String, Cond)], at: u64) {
        if !self.is_serial(trx) {
            return;
        }
        let it = self.serial.known.entry(trx).or_default();
        it.snapshot = at;
        it.reads.push((table, conds.to_vec()));
        let fits = |values: &Values| self.tables.get(table).is_some_and(|it| it.fits(values, conds, self.clock_ms));
        let changed = |known: &Known| known.writes.iter().any(|(other, values)| *other == table && fits(values));
        let unseen = |known: &Known| known.committed.is_none_or(|seq| seq > at);
        let others: Vec<TrxId> = self
            .serial
            .known
            .iter()
            .filter(|(id, known)| **id != trx && unseen(known) && changed(known))
            .map(|(id, _)| *id)
            .collect();
        others.into_iter().for_each(|other| self.depends(trx, other));
    }

    /// A transaction changes something.
    pub(super) fn serial_write(&mut self, trx: TrxId, table: usize, values: &[&Values]) -> Result<(), Stop> {
        if !self.is_serial(trx) {
            return Ok(());
        }
        let at = self.trxs.get(&trx).and_then(|trx| trx.snapshot).unwrap_or(self.seq);
        let it = self.serial.known.entry(trx).or_insert(Known { snapshot: at, ..Known::default() });
        it.writes.extend(values.iter().map(|values| (table, (*values).clone())));
        let fits = |conds: &[(String, Cond)]| {
            let table = self.tables.get(table);
            table.is_some_and(|table| values.iter().any(|values| table.fits(values, conds, self.clock_ms)))
        };
        let read = |known: &Known| known.reads.iter().any(|(other, conds)| *other == table && fits(conds));
        let beside = |known: &Known| known.committed.is_none_or(|seq| seq > at);
        let others: Vec<TrxId> = self
            .serial
            .known
            .iter()
            .filter(|(id, known)| **id != trx && beside(known) && read(known))
            .map(|(id, _)| *id)
            .collect();
        others.into_iter().for_each(|other| self.depends(other, trx));
        self.serial_fit(trx)
    }

    /// One has read what the other changed: it must come before. Whoever stands between two such, the later of which has
    /// committed, must fail (`OnConflict_CheckForSerializationFailure`).
    fn depends(&mut self, reader: TrxId, writer: TrxId) {
        if let Some(known) = self.serial.known.get_mut(&reader) {
            known.after.insert(writer);
        }
        if let Some(known) = self.serial.known.get_mut(&writer) {
            known.before.insert(reader);
        }
        for pivot in [reader, writer] {
            let committed =
                |other: &TrxId| self.serial.known.get(other).is_some_and(|known| known.committed.is_some());
            let Some(known) = self.serial.known.get(&pivot) else { continue };
            let dangerous =
                !known.before.is_empty() && known.after.iter().any(committed) && known.committed.is_none();
            if let Some(known) = self.serial.known.get_mut(&pivot).filter(|_| dangerous) {
                known.doomed = true;
            }
        }
    }

    /// Whether a transaction may go on.
    pub(super) fn serial_fit(&self, trx: TrxId) -> Result<(), Stop> {
        match self.serial.known.get(&trx).is_some_and(|known| known.doomed) {
            true => Err(refused()),
            false => Ok(()),
        }
    }

    /// Before a commit: those that have read what is now committed and were read over themselves must fail
    /// (`PreCommit_CheckForSerializationFailure`).
    pub(super) fn serial_commit(&mut self, trx: TrxId) -> Result<(), Stop> {
        self.serial_fit(trx)?;
        let before = self.serial.known.get(&trx).map_or(BTreeSet::new(), |known| known.before.clone());
        for near in before {
            let alive = |known: &&Known| known.committed.is_none() && !known.doomed;
            let Some(known) = self.serial.known.get(&near).filter(alive) else { continue };
            let far = |far: &TrxId| *far == trx || self.serial.known.get(far).filter(alive).is_some();
            if known.before.iter().any(far)
                && let Some(known) = self.serial.known.get_mut(&near)
            {
                known.doomed = true;
            }
        }
        Ok(())
    }

    /// A transaction has committed. What is known of it is kept as long as another runs that began before.
    pub(super) fn serial_committed(&mut self, trx: TrxId, seq: u64) {
        if let Some(known) = self.serial.known.get_mut(&trx) {
            known.committed = Some(seq);
        }
        let running = self.serial.known.values().filter(|known| known.committed.is_none());
        let oldest = running.map(|known| known.snapshot).min();
        self.serial
            .known
            .retain(|_, known| known.committed.is_none_or(|seq| oldest.is_some_and(|oldest| seq > oldest)));
    }

    /// A transaction was rolled back: nothing depends on it.
    pub(super) fn serial_gone(&mut self, trx: TrxId) {
        self.serial.known.remove(&trx);
        for known in self.serial.known.values_mut() {
            known.before.remove(&trx);
            known.after.remove(&trx);
        }
    }
}
