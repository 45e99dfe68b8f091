//! How PostgreSQL finds, locks and changes rows: what its snapshot shows, row by row; who has a row stands in the row, and who
//! wants it waits for that transaction (`heapam.c`: `heap_lock_tuple`, `heap_update`; `nbtinsert.c`: `_bt_check_unique`).

use crate::base::Arrange;
use std::collections::VecDeque;

use crate::sql::locks::{Asked, Mode, Owner, Resource};
use crate::sql::op::{Isolation, Wait};
use crate::sql::reply::Problem;
use crate::sql::table::{Row, RowId, TrxId, Values, Version};
use crate::sql::value::Value;

use super::rows::{Deed, Work, sort};
use super::{Db, Statement, Stop};

/// What came of asking for a row.
enum Met {
    /// It is had; as it is now.
    Had(Values),
    /// It does not fit any more, or is left out.
    Left,
}

impl Db {
    /// Goes through the rows that the snapshot shows and does its work with each.
    pub(super) fn visit(&mut self, trx: TrxId, work: Work, statement: &mut Statement) -> Result<(), Stop> {
        let at = self.snapshot(trx, statement);
        if statement.candidates.is_none() {
            self.serial_read(trx, work.table, work.conds, at);
            statement.candidates = Some(self.candidates(trx, &work, at));
        }
        loop {
            if work.limit.is_some_and(|limit| statement.rows.len() as u64 >= limit) {
                return Ok(());
            }
            let next = statement.candidates.as_ref().and_then(|rows| rows.front().copied());
            let Some(row) = next else { return Ok(()) };
            if let Met::Had(values) = self.lock_row(trx, &work, row, at)? {
                self.apply_postgres(trx, &work, row, values, statement)?;
            }
            if let Some(rows) = &mut statement.candidates {
                rows.pop_front();
            }
        }
    }

    fn candidates(&self, trx: TrxId, work: &Work, at: u64) -> VecDeque<RowId> {
        let Some(table) = self.tables.get(work.table) else { return VecDeque::new() };
        let fits = |values: &&Values| table.fits(values, work.conds, self.clock_ms);
        let seen = |(id, row): (&RowId, &Row)| Some((*id, row.seen(trx, at).filter(fits)?.clone()));
        let mut rows: Vec<(RowId, Values)> = table.rows.iter().filter_map(seen).collect();
        if let Some(column) = work.order {
            rows.arrange_by(|one, other| one.1.get(column).cmp(&other.1.get(column)));
        }
        rows.into_iter().map(|(id, _)| id).collect()
    }

    /// Locks a row. Who meets a lock first takes the place of the next one (the tuple lock) and waits for the holder's
    /// transaction; others queue for that place. Who comes to share meets only exclusive locks, and passes who waits.
    fn lock_row(&mut self, trx: TrxId, work: &Work, id: RowId, at: u64) -> Result<Met, Stop> {
        let (owner, place) = (Owner::Trx(trx), Resource::Tuple(work.table, id));
        let mode = if work.exclusive { Mode::EXCLUSIVE } else { Mode::SHARED };
        self.waited(trx);
        loop {
            let Some(values) = self.newest_fits(trx, work, id, at)? else {
                self.leave_place(owner, &place);
                return Ok(Met::Left);
            };
            let holders = self.locks.in_the_way(owner, &Resource::Row(work.table, id), mode);
            let Some(Owner::Trx(holder)) = holders.first().copied() else {
                self.locks.hold(owner, Resource::Row(work.table, id), mode);
                self.leave_place(owner, &place);
                if let Some(it) = self.trxs.get_mut(&trx) {
                    it.wrote = true;
                }
                return Ok(Met::Had(values));
            };
            match work.wait {
                Wait::Skip => return Ok(Met::Left),
                Wait::Nowait | Wait::Seconds(0) => {
                    let name = self.tables.get(work.table).map_or("", |table| table.def.name.as_str());
                    return Err(Stop::Refused(Problem::NotAvailable, format!("row in relation \"{name}\"")));
                }
                Wait::Long | Wait::Seconds(_) => {}
            }
            if self.locks.ask(owner, place.clone(), mode) == Asked::Waits {
                return Err(Stop::Wait);
            }
            self.wait_for(trx, holder)?;
        }
    }

    /// Waits for the end of a transaction.
    fn wait_for(&mut self, trx: TrxId, other: TrxId) -> Result<(), Stop> {
        match self.locks.ask(Owner::Trx(trx), Resource::Trx(other), Mode::SHARED) {
            Asked::Waits => Err(Stop::Wait),
            _ => {
                self.waited(trx);
                Ok(())
            }
        }
    }

    /// Nobody keeps the lock on another's transaction: it was asked for to wait.
    fn waited(&mut self, trx: TrxId) {
        let woken = self.locks.remove(|what, lock| {
            lock.owner == Owner::Trx(trx) && lock.granted && matches!(what, Resource::Trx(other) if *other != trx)
        });
        self.wake(woken);
    }

    fn leave_place(&mut self, owner: Owner, place: &Resource) {
        if self.locks.on(place).iter().any(|lock| lock.owner == owner) {
            let woken = self.locks.release_on(owner, place);
            self.wake(woken);
        }
    }

    /// The row as it is now, if it still fits. Where somebody has changed it since the snapshot, the condition is looked at
    /// again at read committed (`execMain.c`: `EvalPlanQual`); otherwise the transaction cannot go on.
    fn newest_fits(&self, trx: TrxId, work: &Work, id: RowId, at: u64) -> Result<Option<Values>, Stop> {
        let Some(table) = self.tables.get(work.table) else { return Ok(None) };
        let row = table.rows.get(&id);
        let since = row.is_none_or(|row| row.committed().is_some_and(|version| version.seq > Some(at)));
        let strict = self.trxs.get(&trx).is_some_and(|trx| trx.isolation > Isolation::ReadCommitted);
        if since && strict {
            let what = match row.and_then(|row| row.current(trx)) {
                Some(_) => "concurrent update",
                None => "concurrent delete",
            };
            return Err(Stop::Refused(Problem::Serialization, what.into()));
        }
        let values = row.and_then(|row| row.current(trx));
        Ok(values.filter(|values| table.fits(values, work.conds, self.clock_ms)).cloned())
    }

    fn apply_postgres(
        &mut self,
        trx: TrxId,
        work: &Work,
        row: RowId,
        values: Values,
        statement: &mut Statement,
    ) -> Result<(), Stop> {
        match work.deed {
            Deed::Show => statement.rows.push(values),
            Deed::Delete => {
                self.serial_write(trx, work.table, &[&values])?;
                self.write(trx, work.table, row, None);
            }
            Deed::Set(set) => {
                let new = self.set_values(work.table, &values, set);
                let indexes = self.tables.get(work.table).map_or(0, |table| table.def.indexes());
                for index in 0..indexes {
                    let Some(it) = self.tables.get(work.table) else { break };
                    let key = it.key(index, row, &new);
                    if it.key(index, row, &values) != key {
                        self.is_unique(trx, work.table, index, &key, row)?;
                    }
                }
                self.serial_write(trx, work.table, &[&values, &new])?;
                self.write(trx, work.table, row, Some(new));
            }
        }
        statement.affected += 1;
        if work.order.is_none() && matches!(work.deed, Deed::Show) {
            sort(&mut statement.rows, None);
        }
        Ok(())
    }

    /// Looks whether a value is there already. Another's change that is not committed is waited for; a row that is only
    /// locked is there.
    fn is_unique(&mut self, trx: TrxId, table: usize, index: usize, key: &Value, me: RowId) -> Result<(), Stop> {
        self.waited(trx);
        loop {
            let Some(it) = self.tables.get(table).filter(|table| table.def.is_unique(index)) else { return Ok(()) };
            let has =
                |values: Option<&Values>, id: RowId| values.is_some_and(|values| it.key(index, id, values) == *key);
            let of = |version: Option<&Version>| version.and_then(|version| version.values.clone());
            let mut others = it.rows.iter().filter(|(id, row)| **id != me && row.entries > index);
            let found = others.find_map(|(&id, row)| {
                let changed = row.changed_by().filter(|by| *by != trx);
                let (committed, newest) = (of(row.committed()), of(row.newest()));
                match changed {
                    Some(by) if has(committed.as_ref(), id) || has(newest.as_ref(), id) => Some(Some(by)),
                    None if has(row.current(trx), id) => Some(None),
                    _ => None,
                }
            });
            match found.filter(|_| *key != Value::Null) {
                None => return Ok(()),
                Some(None) => return Err(Stop::Refused(Problem::Duplicate, self.key_name(table, index, key))),
                Some(Some(by)) => self.wait_for(trx, by)?,
            }
        }
    }

    /// Inserts a row: into the table first, then into one unique index after the other.
    pub(super) fn insert_postgres(
        &mut self,
        trx: TrxId,
        table: usize,
        statement: &mut Statement,
    ) -> Result<(), Stop> {
        let Some((row, values, _)) = statement.insert.clone() else { return Ok(()) };
        let indexes = self.tables.get(table).map_or(0, |table| table.def.indexes());
        loop {
            let stage = statement.insert.as_ref().map_or(indexes, |(_, _, stage)| *stage);
            if stage >= indexes {
                break;
            }
            if stage == 0 {
                self.serial_write(trx, table, &[&values])?;
            }
            let key = self.tables.get(table).map_or(Value::Null, |table| table.key(stage, row, &values));
            self.is_unique(trx, table, stage, &key, row)?;
            if stage == 0
                && let Some(it) = self.trxs.get_mut(&trx)
            {
                it.undo.push((table, row));
                it.wrote = true;
            }
            self.enter(trx, table, row, &values, stage);
            if let Some((_, _, stage)) = &mut statement.insert {
                *stage += 1;
            }
        }
        if let Some(row) = self.tables.get_mut(table).and_then(|table| table.rows.get_mut(&row)) {
            row.entries = usize::MAX;
        }
        Ok(())
    }

    /// A row that is being inserted gets its entry in an index.
    pub(super) fn enter(&mut self, trx: TrxId, table: usize, row: RowId, values: &Values, index: usize) {
        let Some(table) = self.tables.get_mut(table) else { return };
        if index == 0 {
            table.put(row, Version { by: trx, seq: None, values: Some(values.clone()) });
        }
        if let Some(row) = table.rows.get_mut(&row) {
            row.entries = index + 1;
        }
    }
}
