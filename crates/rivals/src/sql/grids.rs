//! The tables of a database for a stage: rows in the order of the primary key, what is not committed, locks at what they lock.

use crate::base::Arrange;
use crate::daemon::{Cell, Change, Claim, Grid, GridRow};

use super::db::Db;
use super::locks::{Lock, Owner, Reach, Resource};
use super::rows::name;
use super::table::{Kind, Row, RowId, Table, Values};
use super::value::Value;

/// Where a row or a gap stands: by its key, the end of the table last; a gap before its row.
type At = (bool, Value, bool, RowId);

/// All tables, then the names that are locked.
pub(super) fn grids(db: &Db) -> Vec<Grid> {
    let mut grids: Vec<Grid> = db.tables.iter().enumerate().map(|(at, table)| grid(db, at, table)).collect();
    let mut names: Vec<&str> = Vec::new();
    for (what, _) in db.locks.iter() {
        if let Resource::Name(name) = what
            && names.last() != Some(&name.as_str())
        {
            names.push(name);
            let queue = claims(db, db.locks.on(what).iter().map(|lock| (lock, lock.granted)));
            grids.push(Grid { name: Value::text(name).to_string(), queue, used: true, ..Grid::default() });
        }
    }
    grids
}

fn grid(db: &Db, at: usize, table: &Table) -> Grid {
    let mut rows: Vec<(At, GridRow)> =
        table.rows.iter().filter_map(|(id, row)| shown(db, at, table, *id, row)).collect();
    rows.extend(gaps(db, at, table));
    let (seq, gone) = &table.deleted;
    rows.extend(gone.iter().filter(|_| *seq == db.seq).map(|(id, values)| deleted(table, *id, values)));
    rows.arrange_by(|one, other| one.0.cmp(&other.0));
    let locks = db.locks.on(&Resource::Table(at));
    // everybody shares a table that is used: that is worth a look where somebody waits
    let shared = locks.iter().all(|lock| lock.granted && !lock.mode.exclusive);
    let all = locks.iter().filter(|_| !shared).map(|lock| (lock, lock.granted));
    let of_table = |what: &Resource| match what {
        Resource::Record(table, ..)
        | Resource::Row(table, _)
        | Resource::Tuple(table, _)
        | Resource::Table(table) => *table == at,
        Resource::Trx(_) | Resource::Name(_) => false,
    };
    Grid {
        name: table.def.name.clone(),
        columns: table.def.columns.iter().map(|(column, _)| column.clone()).collect(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        queue: claims(db, all),
        used: table.is_written() || db.locks.iter().any(|(what, _)| of_table(what)),
    }
}

/// A row that is there, or was before a transaction that is not over.
fn shown<'a>(db: &Db, at: usize, table: &Table, id: RowId, row: &'a Row) -> Option<(At, GridRow)> {
    let newest = row.newest()?;
    let (open, committed) = (newest.seq.is_none(), row.committed().and_then(|version| version.values.as_ref()));
    let deleted = open && newest.values.is_none();
    let values = newest.values.as_ref().or(committed)?;
    let fresh = newest.seq.is_some_and(|seq| seq > 0 && seq == db.seq);
    let cell = |(column, value): (usize, &'a Value)| {
        let was = |values: Option<&'a Values>| values.and_then(|values| values.get(column));
        let text = |value: &Value| written(table, column, value);
        let change = if open && !deleted && was(committed) != Some(value) {
            Change::Open(was(committed).map(text))
        } else if fresh && was(row.before.as_ref()) != Some(value) {
            Change::Fresh
        } else {
            Change::None
        };
        Cell { value: text(value), change }
    };
    let cells = values.iter().enumerate().map(cell).collect();
    Some((
        (false, table.key(0, id, values), true, id),
        GridRow { cells, before: None, deleted, queue: of_row(db, at, id, row) },
    ))
}

/// A row that the last commit has deleted, struck out until the next one.
fn deleted(table: &Table, id: RowId, values: &Values) -> (At, GridRow) {
    let cell = |(column, value)| Cell { value: written(table, column, value), change: Change::None };
    let cells = values.iter().enumerate().map(cell).collect();
    ((false, table.key(0, id, values), true, id), GridRow { cells, deleted: true, ..GridRow::default() })
}

/// A value as in a statement; a moment in seconds.
fn written(table: &Table, column: usize, value: &Value) -> String {
    let is_time = table.def.columns.get(column).is_some_and(|(_, kind)| *kind == Kind::Time);
    match value.int().filter(|_| is_time) {
        Some(ms) => format!("{}.{:03} s", ms / 1_000, ms.unsigned_abs() % 1_000),
        None => value.to_string(),
    }
}

/// Who has locked a row, and who waits: in InnoDB at an entry of any index, in PostgreSQL for its header, its place, or the transaction
/// that has written it. Who has changed it has it, also where no lock says so.
fn of_row(db: &Db, at: usize, id: RowId, row: &Row) -> Vec<Claim> {
    let places = |owner: Owner| db.locks.on(&Resource::Tuple(at, id)).iter().any(|lock| lock.owner == owner);
    let locked = db.locks.iter().filter_map(|(what, lock)| match what {
        Resource::Record(table, _, Some((_, entry))) if (*table, *entry) == (at, id) => {
            matches!(lock.mode.reach, Reach::Record | Reach::NextKey).then_some((lock, lock.granted))
        }
        Resource::Row(table, row) if (*table, *row) == (at, id) => Some((lock, lock.granted)),
        Resource::Tuple(table, row) if (*table, *row) == (at, id) => Some((lock, false)),
        Resource::Trx(trx) if row.changed_by() == Some(*trx) => {
            (!lock.granted && !places(lock.owner)).then_some((lock, false))
        }
        _ => None,
    });
    let mut queue = claims(db, locked);
    let writer = row.changed_by().and_then(|trx| name(db, Owner::Trx(trx)));
    if let Some(who) = writer.filter(|who| queue.iter().all(|claim| claim.who != *who || !claim.held)) {
        queue.insert(0, Claim { who, mode: "X", held: true });
    }
    queue
}

/// The gaps that somebody has locked, or where somebody waits to insert.
fn gaps(db: &Db, at: usize, table: &Table) -> Vec<(At, GridRow)> {
    let mut gaps: Vec<(At, GridRow)> = Vec::new();
    let mut seen: Option<&Resource> = None;
    for (what, _) in db.locks.iter() {
        let Resource::Record(_, _, entry) = what else { continue };
        let (place, before) = match entry {
            None => ((true, Value::Null, false, 0), None),
            Some((key, id)) => {
                let values = table.rows.get(id).and_then(|row| row.newest()?.values.clone());
                let key_of_row = values.map_or(key.clone(), |values| table.key(0, *id, &values));
                ((false, key_of_row, false, *id), Some(key.to_string()))
            }
        };
        let locks = db.locks.on(what);
        let is_gap = |lock: &Lock| entry.is_none() || matches!(lock.mode.reach, Reach::Gap | Reach::Insert);
        let here = matches!(what, Resource::Record(table, ..) if *table == at);
        if !here || seen.replace(what) == Some(what) || !locks.iter().any(is_gap) {
            continue;
        }
        let there = locks.iter().filter(|lock| is_gap(lock) || lock.mode.reach == Reach::NextKey);
        let queue = claims(db, there.map(|lock| (lock, lock.granted)));
        gaps.push((place, GridRow { before, queue, ..GridRow::default() }));
    }
    gaps
}

/// Locks as claims, with whether each is held: those first. Nobody has or awaits the same twice.
fn claims<'a>(db: &Db, locks: impl Iterator<Item = (&'a Lock, bool)>) -> Vec<Claim> {
    let mode = |lock: &Lock| match (lock.mode.reach, lock.mode.exclusive) {
        (Reach::Insert, _) => "INSERT",
        (_, true) => "X",
        (_, false) => "S",
    };
    let claim = |(lock, held): (&Lock, bool)| Some(Claim { who: name(db, lock.owner)?, mode: mode(lock), held });
    let mut claims: Vec<Claim> = Vec::new();
    for claim in locks.filter_map(claim) {
        let same = |other: &&mut Claim| (&other.who, other.held) == (&claim.who, claim.held);
        match claims.iter_mut().find(same) {
            // the stronger of two
            Some(other) if other.mode == "S" => other.mode = claim.mode,
            Some(_) => {}
            None => claims.push(claim),
        }
    }
    claims.arrange_by_key(|claim| !claim.held);
    claims
}
