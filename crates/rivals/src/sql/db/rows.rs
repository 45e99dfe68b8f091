//! Statements one by one, and what both engines do alike with rows.

use crate::base::Arrange;
use crate::sql::locks::{Asked, Mode, Owner, Resource};
use crate::sql::op::{ALL_COLUMNS, Cond, Isolation, Op, RowLock, SetTo, Wait};
use crate::sql::reply::{Problem, Reply};
use crate::sql::table::{Kind, RowId, TrxId, Values};
use crate::sql::value::Value;

use super::session::End;
use super::{Db, State, Statement, Stop};

/// What is done with rows, as a statement says it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work<'a> {
    /// The table.
    pub table: usize,
    /// Which rows.
    pub conds: &'a [(String, Cond)],
    /// What is done with them.
    pub deed: Deed<'a>,
    /// Whether they are locked exclusively.
    pub exclusive: bool,
    /// What is done where one is locked by another.
    pub wait: Wait,
    /// In which order, by column.
    pub order: Option<usize>,
    /// How many at most.
    pub limit: Option<u64>,
}

/// What is done with a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed<'a> {
    /// It is answered.
    Show,
    /// It is changed.
    Set(&'a [(String, SetTo)]),
    /// It is deleted.
    Delete,
}

impl Db {
    /// Does a statement as far as it goes.
    pub(super) fn step(&mut self, session: u64, statement: &mut Statement) -> Result<Reply, Stop> {
        let op = statement.query.op.clone();
        self.admits(session, &op)?;
        if self.is_mariadb() && self.in_transaction(session) && matches!(op, Op::Begin(_) | Op::LockTable(_)) {
            statement.end = End::CommitFirst;
            return Ok(Reply::Done);
        }
        match &op {
            Op::Begin(isolation) => self.begin_explicit(session, *isolation, statement),
            Op::Commit => self.commit_or_not(session, statement),
            Op::Rollback => {
                if !self.is_mariadb() && !self.in_transaction(session) {
                    statement.notices.push("there is no transaction in progress".into());
                }
                statement.end = End::Rollback;
                Ok(Reply::Done)
            }
            Op::Savepoint(name) => self.savepoint(session, name),
            Op::RollbackTo(name) => self.rollback_to(session, name),
            Op::Advisory { act, name, seconds } => self.named(session, *act, name, *seconds, statement),
            Op::Set(setting) => self.set(session, setting),
            Op::LockTable(name) => self.lock_table(session, name),
            Op::UnlockTables => self.unlock_tables(session, statement),
            Op::Ping => Ok(Reply::Rows(vec![vec![("one".into(), Value::Int(1))]])),
            Op::BeginBranch(id) => self.begin_branch(session, id, statement),
            Op::Prepare(id) => self.prepare(session, id, statement),
            Op::CommitPrepared(id) | Op::RollbackPrepared(id) => self.decide(session, id, &op, statement),
            Op::ListPrepared => Ok(self.list_prepared()),
            Op::Insert { table, .. }
            | Op::Update { table, .. }
            | Op::Delete { table, .. }
            | Op::Select { table, .. } => {
                let table = self.table(table)?;
                self.in_table(session, table, &op, statement)
            }
        }
    }

    /// COMMIT: of a transaction that has failed, it rolls back.
    fn commit_or_not(&mut self, session: u64, statement: &mut Statement) -> Result<Reply, Stop> {
        let failed = self.trx_of(session).is_some_and(|trx| trx.state == State::Failed);
        if !self.is_mariadb() && !self.in_transaction(session) {
            statement.notices.push("there is no transaction in progress".into());
        }
        statement.end = if failed { End::Rollback } else { End::Commit };
        Ok(if failed { Reply::RolledBack } else { Reply::Done })
    }

    /// A statement about the rows of a table. Where there is no transaction it is one.
    fn in_table(&mut self, session: u64, table: usize, op: &Op, statement: &mut Statement) -> Result<Reply, Stop> {
        self.check_columns(table, op)?;
        let changes = !matches!(op, Op::Select { lock: None, .. });
        if changes && self.read_only && !(self.is_mariadb() && matches!(op, Op::Select { .. })) {
            return Err(Stop::Refused(Problem::ReadOnly, verb(op).into()));
        }
        let trx = match self.trx_of(session) {
            Some(trx) => trx.id,
            None => self.begin(session, false, None),
        };
        if !statement.began {
            self.table_lock(session, trx, table)?;
            statement.began = true;
            statement.snapshot = Some(self.seq);
        }
        if let Some(it) = self.trxs.get_mut(&trx) {
            it.used = true;
        }
        self.serial_fit(trx)?;
        let share = self.is_mariadb()
            && self.trxs.get(&trx).is_some_and(|trx| trx.explicit && trx.isolation == Isolation::Serializable);
        match op {
            Op::Insert { row, if_new, .. } => self.insert(trx, table, row, *if_new, statement),
            Op::Select { columns, conds, lock: None, order, limit, .. } if !share => {
                let rows = self.look(trx, table, conds, order.as_deref(), *limit, statement);
                Ok(self.shown(table, columns, &rows))
            }
            _ => self.work(trx, table, op, statement),
        }
    }

    /// A statement that locks rows.
    fn work(&mut self, trx: TrxId, table: usize, op: &Op, statement: &mut Statement) -> Result<Reply, Stop> {
        let plain =
            |conds, deed| Work { table, conds, deed, exclusive: true, wait: Wait::Long, order: None, limit: None };
        let def = |name: &String| self.tables.get(table).and_then(|table| table.def.column(name));
        let work = match op {
            Op::Update { set, conds, .. } => plain(conds, Deed::Set(set)),
            Op::Delete { conds, .. } => plain(conds, Deed::Delete),
            Op::Select { conds, order, limit, lock, wait, .. } => Work {
                exclusive: *lock == Some(RowLock::Update),
                wait: *wait,
                order: order.as_ref().and_then(def),
                limit: *limit,
                ..plain(conds, Deed::Show)
            },
            _ => return Ok(Reply::Done),
        };
        match self.is_mariadb() {
            true => self.scan(trx, work, statement)?,
            false => self.visit(trx, work, statement)?,
        }
        Ok(match op {
            Op::Select { columns, .. } => self.shown(table, columns, &statement.rows),
            _ => Reply::Affected(statement.affected),
        })
    }

    /// A plain read: it locks nothing and sees what was committed at its snapshot. At repeatable read that of the
    /// transaction's first read, otherwise its own.
    fn look(
        &mut self,
        trx: TrxId,
        table: usize,
        conds: &[(String, Cond)],
        order: Option<&str>,
        limit: Option<u64>,
        statement: &Statement,
    ) -> Vec<Values> {
        let at = self.snapshot(trx, statement);
        self.serial_read(trx, table, conds, at);
        let Some(it) = self.tables.get(table) else { return Vec::new() };
        let fits = |values: &&Values| it.fits(values, conds, self.clock_ms);
        let mut rows: Vec<(Value, RowId, Values)> = it
            .rows
            .iter()
            .filter_map(|(&id, row)| Some((id, row.seen(trx, at).filter(fits)?)))
            .map(|(id, values)| (it.key(0, id, values), id, values.clone()))
            .collect();
        if self.is_mariadb() {
            rows.arrange();
        }
        let mut rows: Vec<Values> = rows.into_iter().map(|(_, _, values)| values).collect();
        sort(&mut rows, order.and_then(|order| it.def.column(order)));
        cut(&mut rows, limit);
        rows
    }

    /// At which place in the order of commits a transaction looks.
    pub(super) fn snapshot(&mut self, trx: TrxId, statement: &Statement) -> u64 {
        let seq = self.seq;
        match self.trxs.get_mut(&trx).filter(|trx| trx.isolation > Isolation::ReadCommitted) {
            Some(trx) => *trx.snapshot.get_or_insert(seq),
            None => statement.snapshot.unwrap_or(seq),
        }
    }

    fn shown(&self, table: usize, columns: &[String], rows: &[Values]) -> Reply {
        let Some(table) = self.tables.get(table) else { return Reply::Rows(Vec::new()) };
        let cell = |values: &Values, column: &String| {
            let value = table.def.column(column).and_then(|at| values.get(at));
            (column.clone(), value.cloned().unwrap_or(Value::Null))
        };
        let all = || table.def.columns.iter().map(|(name, _)| name.clone()).collect();
        let columns: Vec<String> = if columns == [ALL_COLUMNS] { all() } else { columns.to_vec() };
        let row = |values| columns.iter().map(|column| cell(values, column)).collect();
        Reply::Rows(rows.iter().map(row).collect())
    }

    fn check_columns(&self, table: usize, op: &Op) -> Result<(), Stop> {
        let Some(table) = self.tables.get(table) else { return Ok(()) };
        let conds = |conds: &[(String, Cond)]| conds.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let names: Vec<String> = match op {
            Op::Insert { row, .. } => row.iter().map(|(name, _)| name.clone()).collect(),
            Op::Update { set, conds: where_, .. } => {
                set.iter().map(|(name, _)| name.clone()).chain(conds(where_)).collect()
            }
            Op::Delete { conds: where_, .. } => conds(where_),
            Op::Select { columns, conds: where_, order, .. } => {
                let columns = columns.iter().filter(|column| *column != ALL_COLUMNS);
                columns.chain(order).cloned().chain(conds(where_)).collect()
            }
            _ => Vec::new(),
        };
        match names.into_iter().find(|name| table.def.column(name).is_none()) {
            Some(name) => Err(Stop::Refused(Problem::NoColumn, name)),
            None => Ok(()),
        }
    }

    /// A row as it is inserted: missing columns have their defaults.
    pub(super) fn new_values(&mut self, table: usize, row: &[(String, Value)]) -> Result<Values, Stop> {
        let clock_ms = self.clock_ms;
        let Some(table) = self.tables.get_mut(table) else { return Ok(Vec::new()) };
        let columns = table.def.columns.clone();
        let mut values = Vec::new();
        for (name, kind) in &columns {
            let said = row.iter().find(|(column, _)| column == name).map(|(_, value)| value.clone());
            let value = match (said, kind) {
                (Some(Value::Null) | None, Kind::Serial) => Value::Int(table.new_serial()),
                (None, Kind::Time) => Value::Int(clock_ms),
                (None, Kind::Int) => Value::Int(0),
                (None, _) => Value::Null,
                (Some(value), _) => value,
            };
            if value == Value::Null && !matches!(kind, Kind::OptionalText | Kind::Time | Kind::Int) {
                return Err(Stop::Refused(Problem::NotNull, name.clone()));
            }
            values.push(value);
        }
        Ok(values)
    }

    /// A row as an update leaves it.
    pub(super) fn set_values(&self, table: usize, values: &Values, set: &[(String, SetTo)]) -> Values {
        let Some(table) = self.tables.get(table) else { return values.clone() };
        let mut new = values.clone();
        for (name, to) in set {
            let Some(place) = table.def.column(name).and_then(|column| new.get_mut(column)) else { continue };
            *place = match to {
                SetTo::Value(value) => value.clone(),
                SetTo::Plus(by) => place.int().map_or(Value::Null, |number| Value::Int(number.saturating_add(*by))),
                SetTo::Now => Value::Int(self.clock_ms),
            };
        }
        new
    }

    /// Locks a table for the length of the transaction: it keeps out nobody but who wants the whole table.
    fn table_lock(&mut self, session: u64, trx: TrxId, table: usize) -> Result<(), Stop> {
        match self.sessions.get(&session).and_then(|session| session.locked_table) {
            Some(locked) if locked == table => return Ok(()),
            Some(_) => {
                let name = self.tables.get(table).map_or(String::new(), |table| table.def.name.clone());
                return Err(Stop::Refused(Problem::NotLocked, name));
            }
            None => {}
        }
        match self.locks.ask(Owner::Trx(trx), Resource::Table(table), Mode::SHARED) {
            Asked::Waits => Err(Stop::Wait),
            _ => Ok(()),
        }
    }

    fn insert(
        &mut self,
        trx: TrxId,
        table: usize,
        row: &[(String, Value)],
        if_new: bool,
        statement: &mut Statement,
    ) -> Result<Reply, Stop> {
        self.snapshot(trx, statement);
        if statement.insert.is_none() {
            self.room(table)?;
            let values = self.new_values(table, row)?;
            let id = self.tables.get_mut(table).map_or(0, |table| table.new_row());
            statement.insert = Some((id, values, 0));
        }
        let inserted = match self.is_mariadb() {
            true => self.insert_innodb(trx, table, statement),
            false => self.insert_postgres(trx, table, statement),
        };
        match inserted {
            Err(Stop::Refused(Problem::Duplicate, _)) if if_new => {
                self.undo_to(trx, statement.undo);
                Ok(Reply::Affected(0))
            }
            inserted => inserted.map(|()| Reply::Affected(1)),
        }
    }

    /// What names a unique value in an error.
    pub(super) fn key_name(&self, table: usize, index: usize, key: &Value) -> String {
        let Some(def) = self.tables.get(table).map(|table| &table.def) else { return String::new() };
        let column = def.index_column(index).and_then(|column| def.columns.get(column));
        let column = column.map_or("", |(name, _)| name.as_str());
        match (self.is_mariadb(), index) {
            (true, 0) => format!("{} for key 'PRIMARY'", quoted(key)),
            (true, _) => format!("{} for key '{column}'", quoted(key)),
            (false, 0) => format!("{}_pkey", def.name),
            (false, _) => format!("{}_{column}_key", def.name),
        }
    }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("'{text}'"),
        other => format!("'{other}'"),
    }
}

/// What a statement does, in a word of SQL.
fn verb(op: &Op) -> &'static str {
    match op {
        Op::Insert { .. } => "INSERT",
        Op::Update { .. } => "UPDATE",
        Op::Delete { .. } => "DELETE",
        Op::Select { lock: Some(RowLock::Share), .. } => "SELECT FOR SHARE",
        _ => "SELECT FOR UPDATE",
    }
}

/// Sorts rows by a column.
pub(super) fn sort(rows: &mut [Values], by: Option<usize>) {
    if let Some(column) = by {
        rows.arrange_by(|one, other| one.get(column).cmp(&other.get(column)));
    }
}

/// Cuts rows to a limit.
pub(super) fn cut(rows: &mut Vec<Values>, limit: Option<u64>) {
    if let Some(limit) = limit {
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
}
