//! A session: one client's connection, with the statement that is under way.

use std::collections::VecDeque;

use crate::base::{Node, SimTime};
use crate::sql::op::{Isolation, Op};
use crate::sql::reply::Reply;
use crate::sql::table::{Entry, RowId, TrxId, Values};

/// A statement as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its number at the client.
    pub number: u64,
    /// What is to be done.
    pub op: Op,
    /// As it was said.
    pub text: String,
}

/// What a statement does to its transaction in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Nothing, unless it is a transaction of its own.
    #[default]
    None,
    /// It commits.
    Commit,
    /// It commits what is under way, and is only then begun (MariaDB: `BEGIN` in a transaction).
    CommitFirst,
    /// It rolls back.
    Rollback,
    /// It prepares a branch.
    Prepare(String),
    /// It decides on a branch.
    CommitPrepared(TrxId),
    /// It decides on a branch.
    RollbackPrepared(TrxId),
}

/// How far a statement has come.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What was asked for.
    pub query: Query,
    /// When it began.
    pub begun: SimTime,
    /// Since when it waits for a lock.
    pub waits_since: Option<SimTime>,
    /// Whether this wait has been looked at for a deadlock.
    pub looked: bool,
    /// Whether nothing is left but to log it and answer.
    pub ending: bool,
    /// So many changes of the transaction are from before it.
    pub undo: usize,
    /// The place in the order of commits at which it looks.
    pub snapshot: Option<u64>,
    /// Whether it has got its table.
    pub began: bool,
    /// In which part of its way through an index it is.
    pub span: usize,
    /// The last record that it has been at.
    pub at: Option<Entry>,
    /// Whether it has found what it looks for in this part.
    pub found: bool,
    /// The rows that it will look at (PostgreSQL).
    pub candidates: Option<VecDeque<RowId>>,
    /// What it will answer: rows.
    pub rows: Vec<Values>,
    /// What it will answer: how many.
    pub affected: u64,
    /// Rows that it has changed.
    pub done: Vec<RowId>,
    /// The row that it inserts.
    pub insert: Option<(RowId, Values, usize)>,
    /// Remarks beside its answer.
    pub notices: Vec<String>,
    /// What it does to its transaction in the end.
    pub end: End,
    /// What it will be answered when that is on disk.
    pub reply: Option<Reply>,
}

impl Statement {
    /// A statement that begins in a transaction with so many changes.
    pub fn new(query: Query, begun: SimTime, undo: usize) -> Statement {
        Statement {
            query,
            begun,
            waits_since: None,
            looked: false,
            ending: false,
            undo,
            snapshot: None,
            began: false,
            span: 0,
            at: None,
            found: false,
            candidates: None,
            rows: Vec::new(),
            affected: 0,
            done: Vec::new(),
            insert: None,
            notices: Vec::new(),
            end: End::None,
            reply: None,
        }
    }
}

/// A session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its number: that of its connection.
    pub id: u64,
    /// Whose it is.
    pub peer: Node,
    /// Its transaction.
    pub trx: Option<TrxId>,
    /// The statement that is under way.
    pub statement: Option<Box<Statement>>,
    /// What was asked for behind it.
    pub queue: VecDeque<Query>,
    /// The other end is gone, and this one has not noticed: it does when it answers.
    pub gone: bool,
    /// It has been ended by an operator or a limit.
    pub killed: bool,
    /// Since when it has nothing to do.
    pub idle_since: SimTime,
    /// How long it waits for a lock, ms.
    pub lock_wait_ms: Option<u64>,
    /// How long it may be idle in a transaction, ms.
    pub idle_ms: Option<u64>,
    /// How long it may be idle without, ms.
    pub wait_ms: Option<u64>,
    /// `synchronous_commit`, where it differs.
    pub synchronous_commit: Option<String>,
    /// How isolated its transactions are, where they do not say.
    pub isolation: Option<Isolation>,
    /// The table that it has locked as a whole (MariaDB).
    pub locked_table: Option<usize>,
    /// A branch that can only be rolled back (MariaDB).
    pub dead_branch: Option<String>,
}

impl Session {
    /// A new session.
    pub fn new(id: u64, peer: Node, now: SimTime) -> Session {
        Session {
            id,
            peer,
            trx: None,
            statement: None,
            queue: VecDeque::new(),
            gone: false,
            killed: false,
            idle_since: now,
            lock_wait_ms: None,
            idle_ms: None,
            wait_ms: None,
            synchronous_commit: None,
            isolation: None,
            locked_table: None,
            dead_branch: None,
        }
    }
}
