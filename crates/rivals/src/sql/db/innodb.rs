//! How InnoDB finds, locks and changes rows: through an index, record by record and gap by gap (`row0sel.cc`: `row_search_mvcc`;
//! `row0ins.cc`; `lock0lock.cc`).

use crate::sql::locks::{Asked, Mode, Owner, Reach, Resource};
use crate::sql::op::{Cond, Isolation, Op, Wait};
use crate::sql::reply::Problem;
use crate::sql::table::{Entry, RowId, TableDef, TrxId, Values};
use crate::sql::value::Value;

use super::rows::{Deed, Work, cut, sort};
use super::{Db, Statement, Stop};

/// A part of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Span {
    /// One value.
    Point(Value),
    /// Values above one and up to another.
    Range(Option<Value>, Option<Value>),
}

impl Span {
    fn begins_before(&self, key: &Value) -> bool {
        match self {
            Span::Point(point) => key >= point,
            Span::Range(above, _) => above.as_ref().is_none_or(|above| key > above),
        }
    }

    fn holds(&self, key: &Value) -> bool {
        match self {
            Span::Point(point) => key == point,
            Span::Range(_, up_to) => up_to.as_ref().is_none_or(|up_to| key <= up_to),
        }
    }
}

/// What came of asking for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    /// It is had, and was before this statement asked.
    Had,
    /// It is had.
    Got,
    /// It is left out.
    Skipped,
}

/// Which index is used and which parts of it are read. An equality on the primary key comes first, then on a unique column,
/// then on an indexed one, then a range; otherwise the whole table is read. The optimizer of the real one weighs the sizes;
/// what it chose is in the recordings.
fn way(def: &TableDef, conds: &[(String, Cond)]) -> (usize, Vec<Span>) {
    let cond_of = |index: usize| {
        let column = def.columns.get(def.index_column(index)?)?;
        Some(conds.iter().filter(move |(name, _)| *name == column.0).map(|(_, cond)| cond))
    };
    for index in 0..def.indexes() {
        let mut of_index = cond_of(index).into_iter().flatten();
        if let Some(points) = of_index.find_map(|cond| match cond {
            Cond::Equal(value) => Some(vec![Span::Point(value.clone())]),
            Cond::In(values) => Some(values.iter().cloned().map(Span::Point).collect()),
            _ => None,
        }) {
            return (index, points);
        }
    }
    for index in 0..def.indexes() {
        let (mut above, mut up_to) = (None, None);
        for cond in cond_of(index).into_iter().flatten() {
            match cond {
                Cond::Above(value) => above = Some(value.clone()),
                Cond::UpTo(value) => up_to = Some(value.clone()),
                _ => {}
            }
        }
        if above.is_some() || up_to.is_some() {
            return (index, vec![Span::Range(above, up_to)]);
        }
    }
    (0, vec![Span::Range(None, None)])
}

impl Db {
    fn level(&self, trx: TrxId) -> Isolation {
        self.trxs.get(&trx).map_or(Isolation::RepeatableRead, |trx| trx.isolation)
    }

    /// Asks for a record or a gap.
    fn take(&mut self, trx: TrxId, what: Resource, mode: Mode, wait: Wait) -> Result<Taken, Stop> {
        let owner = Owner::Trx(trx);
        if matches!(wait, Wait::Nowait | Wait::Skip | Wait::Seconds(0))
            && !self.locks.in_the_way(owner, &what, mode).is_empty()
            && !self.locks.on(&what).iter().any(|lock| lock.owner == owner && lock.granted && lock.mode == mode)
        {
            return match wait {
                Wait::Skip => Ok(Taken::Skipped),
                _ => Err(Stop::Refused(Problem::LockWait, String::new())),
            };
        }
        match self.locks.ask(owner, what, mode) {
            Asked::Had => Ok(Taken::Had),
            Asked::Got => Ok(Taken::Got),
            Asked::Waits => Err(Stop::Wait),
        }
    }

    /// Goes through an index and does its work with each row that fits.
    pub(super) fn scan(&mut self, trx: TrxId, work: Work, statement: &mut Statement) -> Result<(), Stop> {
        let Some(def) = self.tables.get(work.table).map(|table| table.def.clone()) else { return Ok(()) };
        let (index, spans) = way(&def, work.conds);
        // a limit ends the way through the index where that is in the order wanted
        let in_order = work.order.is_none() || (spans.len() == 1 && def.index_column(index) == work.order);
        let enough = |rows: &Statement| in_order && work.limit.is_some_and(|limit| rows.rows.len() as u64 >= limit);
        while let Some(span) = spans.get(statement.span).filter(|_| !enough(statement)) {
            let entries = self.entries(work.table, index);
            let after = |entry: &&Entry| statement.at.as_ref().is_none_or(|at| *entry > at);
            let next = entries.iter().filter(after).find(|entry| span.begins_before(&entry.0)).cloned();
            match next {
                Some(entry) if span.holds(&entry.0) => {
                    self.meet(trx, &work, &def, index, span, &entry, statement)?;
                    statement.at = Some(entry);
                }
                next => {
                    self.leave(trx, &work, &def, index, span, next, statement)?;
                    statement.span += 1;
                    (statement.at, statement.found) = (None, false);
                }
            }
        }
        sort(&mut statement.rows, work.order);
        cut(&mut statement.rows, work.limit);
        Ok(())
    }

    /// A record on the way: it is locked before anybody looks whether the row fits.
    #[allow(clippy::too_many_arguments)]
    fn meet(
        &mut self,
        trx: TrxId,
        work: &Work,
        def: &TableDef,
        index: usize,
        span: &Span,
        entry: &Entry,
        statement: &mut Statement,
    ) -> Result<(), Stop> {
        let read_committed = self.level(trx) <= Isolation::ReadCommitted;
        let exact = def.is_unique(index) && matches!(span, Span::Point(value) if *value != Value::Null);
        let row = entry.1;
        if read_committed && !exact && index == 0 && self.passes_by(trx, work, entry) {
            return Ok(());
        }
        let reach = if read_committed || exact { Reach::Record } else { Reach::NextKey };
        let record = Resource::Record(work.table, index, Some(entry.clone()));
        let taken = self.take(trx, record.clone(), Mode { exclusive: work.exclusive, reach }, work.wait)?;
        if taken == Taken::Skipped {
            return Ok(());
        }
        let newest = self.tables.get(work.table).and_then(|table| {
            let values = table.rows.get(&row)?.newest()?.values.clone()?;
            Some(Resource::Record(work.table, 0, Some((table.key(0, row, &values), row))))
        });
        let clustered = match (index, newest) {
            (0, _) | (_, None) => Taken::Had,
            (_, Some(clustered)) => {
                let mode = Mode { exclusive: work.exclusive, reach: Reach::Record };
                self.take(trx, clustered, mode, work.wait)?
            }
        };
        let Some(table) = self.tables.get(work.table) else { return Ok(()) };
        let values = table.rows.get(&row).and_then(|row| row.current(trx)).cloned();
        let values = values.filter(|values| table.key(index, row, values) == entry.0);
        statement.found |= values.is_some();
        let fits = |values: &Values| table.fits(values, work.conds, self.clock_ms);
        match values.filter(fits).filter(|_| !statement.done.contains(&row) && clustered != Taken::Skipped) {
            Some(values) => self.apply(trx, work, row, values, statement),
            None if read_committed && taken == Taken::Got => {
                // what does not fit is let go again
                let woken = self.locks.release_on(Owner::Trx(trx), &record);
                self.wake(woken);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// At read committed an update that meets a locked row looks at what is committed of it, and passes by where that does
    /// not fit (a semi-consistent read: `row0sel.cc`, `ROW_READ_TRY_SEMI_CONSISTENT`).
    fn passes_by(&self, trx: TrxId, work: &Work, entry: &Entry) -> bool {
        let record = Resource::Record(work.table, 0, Some(entry.clone()));
        let locked = !self.locks.in_the_way(Owner::Trx(trx), &record, Mode::EXCLUSIVE).is_empty();
        let table = self.tables.get(work.table);
        let committed = table.and_then(|table| table.rows.get(&entry.1)?.committed()?.values.as_ref());
        let fits = |values: &Values| table.is_some_and(|table| table.fits(values, work.conds, self.clock_ms));
        matches!(work.deed, Deed::Set(_)) && locked && !committed.is_some_and(fits)
    }

    /// The end of a part of the index: at repeatable read the gap is locked too, so that nothing can come into it.
    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        trx: TrxId,
        work: &Work,
        def: &TableDef,
        index: usize,
        span: &Span,
        next: Option<Entry>,
        statement: &Statement,
    ) -> Result<(), Stop> {
        if self.level(trx) <= Isolation::ReadCommitted {
            return Ok(());
        }
        let exact = def.is_unique(index) && matches!(span, Span::Point(value) if *value != Value::Null);
        let reach = match span {
            Span::Point(_) if exact && statement.found => return Ok(()),
            Span::Point(_) => Reach::Gap,
            Span::Range(..) => Reach::NextKey,
        };
        let wait = if work.wait == Wait::Skip { Wait::Skip } else { work.wait };
        let record = Resource::Record(work.table, index, next);
        self.take(trx, record, Mode { exclusive: work.exclusive, reach }, wait).map(|_| ())
    }

    fn apply(
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
                self.write(trx, work.table, row, None);
                statement.affected += 1;
            }
            Deed::Set(set) => {
                let new = self.set_values(work.table, &values, set);
                // the number is that of changed rows
                if new != values {
                    self.new_places(trx, work.table, row, &values, &new)?;
                    self.write(trx, work.table, row, Some(new));
                    statement.affected += 1;
                }
            }
        }
        statement.done.push(row);
        Ok(())
    }

    /// An update moves a row to other places in some indexes: they must be free.
    fn new_places(&mut self, trx: TrxId, table: usize, row: RowId, old: &Values, new: &Values) -> Result<(), Stop> {
        let indexes = self.tables.get(table).map_or(0, |table| table.def.indexes());
        for index in 0..indexes {
            let Some(it) = self.tables.get(table) else { break };
            let (before, key) = (it.key(index, row, old), it.key(index, row, new));
            if before != key {
                self.no_duplicate(trx, table, index, &key, row)?;
                self.gap_is_free(trx, table, index, &(key, row))?;
            }
        }
        Ok(())
    }

    /// Looks for the same value in a unique index, with a shared lock on what is found, and on the record behind
    /// (`row0ins.cc`: `row_ins_duplicate_error_in_clust`, `row_ins_scan_sec_index_for_duplicate`). The lock stays, whatever is found.
    fn no_duplicate(&mut self, trx: TrxId, table: usize, index: usize, key: &Value, row: RowId) -> Result<(), Stop> {
        let unique = self.tables.get(table).is_some_and(|table| table.def.is_unique(index));
        let mut equal: Vec<Entry> = self.entries(table, index);
        equal.retain(|entry| entry.0 == *key && entry.1 != row);
        if !unique || *key == Value::Null || equal.is_empty() {
            return Ok(());
        }
        let reach = match self.level(trx) {
            Isolation::ReadCommitted if index == 0 => Reach::Record,
            _ => Reach::NextKey,
        };
        let mode = Mode { exclusive: false, reach };
        for entry in &equal {
            self.take(trx, Resource::Record(table, index, Some(entry.clone())), mode, Wait::Long)?;
            let Some(it) = self.tables.get(table) else { return Ok(()) };
            let values = it.rows.get(&entry.1).and_then(|row| row.current(trx));
            if values.is_some_and(|values| it.key(index, entry.1, values) == *key) {
                return Err(Stop::Refused(Problem::Duplicate, self.key_name(table, index, key)));
            }
        }
        if index > 0
            && let Some(last) = equal.last()
        {
            let next = self.behind(table, index, last);
            self.take(trx, next, mode, Wait::Long)?;
        }
        Ok(())
    }

    /// Nobody else has locked the gap into which an entry goes (`lock0lock.cc`: `lock_rec_insert_check_and_lock`).
    fn gap_is_free(&mut self, trx: TrxId, table: usize, index: usize, entry: &Entry) -> Result<(), Stop> {
        let (next, mode) = (self.behind(table, index, entry), Mode { exclusive: true, reach: Reach::Insert });
        match self.locks.in_the_way(Owner::Trx(trx), &next, mode).is_empty() {
            true => Ok(()),
            false => self.take(trx, next, mode, Wait::Long).map(|_| ()),
        }
    }

    /// Inserts a row into one index after the other, the clustered one first.
    pub(super) fn insert_innodb(&mut self, trx: TrxId, table: usize, statement: &mut Statement) -> Result<(), Stop> {
        let Some((row, values, _)) = statement.insert.clone() else { return Ok(()) };
        let indexes = self.tables.get(table).map_or(0, |table| table.def.indexes());
        loop {
            let stage = statement.insert.as_ref().map_or(indexes, |(_, _, stage)| *stage);
            if stage >= indexes {
                break;
            }
            let key = self.tables.get(table).map_or(Value::Null, |table| table.key(stage, row, &values));
            let alone = self.no_duplicate(trx, table, stage, &key, row);
            if stage > 0
                && matches!(alone, Err(Stop::Refused(..)))
                && let Some(it) = self.trxs.get_mut(&trx)
            {
                // the clustered index had got the row already: that is in the log
                it.wrote = true;
            }
            alone?;
            self.gap_is_free(trx, table, stage, &(key.clone(), row))?;
            if stage == 0
                && let Some(it) = self.trxs.get_mut(&trx)
            {
                it.undo.push((table, row));
            }
            self.enter(trx, table, row, &values, stage);
            self.record_came(trx, table, stage, (key, row));
            if let Some((_, _, stage)) = &mut statement.insert {
                *stage += 1;
            }
        }
        if let Some(row) = self.tables.get_mut(table).and_then(|table| table.rows.get_mut(&row)) {
            row.entries = usize::MAX;
        }
        Ok(())
    }

    /// Whether a statement waits for a row, and not for a table or a name: what InnoDB's time limit is about.
    pub(super) fn waits_for_row(&self, session: u64) -> bool {
        matches!(self.waiting(session), Some((_, Resource::Record(..))))
    }

    /// How long a statement says itself that it waits, s.
    pub(super) fn own_limit(&self, session: u64) -> Option<u64> {
        match self.op_of(session)? {
            Op::Select { wait: Wait::Seconds(seconds), .. } => Some(seconds),
            _ => None,
        }
    }
}
