//! The log (redo log and binlog, WAL): what stands on disk. Tables are not stored beside it: a server that starts reads it from the
//! beginning. Only what commits or is prepared is in it; real logs also hold what is undone later, which nobody can tell
//! from outside.

use serde::Serialize;
use std::rc::Rc;

use crate::base::{ServerId, SortedMap};

use super::locks::{Mode, Resource};
use super::table::{RowId, TrxId, Values};

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The table, by its place.
    pub table: usize,
    /// The row.
    pub row: RowId,
    /// What it was.
    pub before: Option<Values>,
    /// What it is.
    pub after: Option<Values>,
}

/// What a record of the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// A transaction has committed.
    Commit(Vec<Change>),
    /// A branch is prepared, with its locks.
    Prepare(String, Vec<Change>, Vec<(Resource, Mode)>),
    /// A branch is committed.
    CommitPrepared(String),
    /// A branch is rolled back.
    RollbackPrepared(String),
    /// Nothing that anybody can see: row locks (PostgreSQL), an insert that was refused (MariaDB).
    Nothing,
}

/// A record of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose transaction it is, where that is known.
    pub by: Option<ServerId>,
    /// The transaction.
    pub trx: TrxId,
    /// What it says.
    pub says: Says,
    /// Whether who asked for it is answered only when it is forced to disk.
    pub force: bool,
}

/// What a server has on disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    /// The log as its system shows it.
    pub log: Vec<Rc<Record>>,
    /// So many records of it are on the disk itself.
    pub synced: usize,
    /// Whether it was made a primary.
    pub promoted: bool,
    /// What was set by `ALTER SYSTEM` (PostgreSQL).
    pub settings: SortedMap<String, String>,
}

/// A forced write: which log, and how far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// `redo`, `binlog` or `wal`.
    pub log: &'static str,
    /// Records before this one are on disk then.
    pub upto: usize,
    /// Whether that makes them durable: the redo log alone does not where there is a binlog.
    pub durable: bool,
}
