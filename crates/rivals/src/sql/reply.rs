//! What a statement is answered, with the errors of both engines.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

use super::engine::Engine;
use super::value::Value;

/// What became of the transaction after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// There is none, or none any more.
    None,
    /// It goes on.
    Open,
    /// It has failed: only its end is accepted (PostgreSQL).
    Failed,
}

impl After {
    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            After::None => "none",
            After::Open => "open",
            After::Failed => "failed",
        }
    }
}

macro_rules! problems {
    ($( $(#[$about:meta])* $name:ident $kind:literal $mariadb:literal $postgres:literal, )*) => {
        /// Why a statement is refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Problem { $( $(#[$about])* $name ),* }

        impl Problem {
            /// Its kind, the same for both engines where both know it.
            pub fn kind(self) -> &'static str {
                match self { $( Problem::$name => $kind ),* }
            }

            /// The engine's own number or state.
            pub fn code(self, engine: Engine) -> &'static str {
                match (self, engine) {
                    $( (Problem::$name, Engine::MariaDb) => $mariadb, (Problem::$name, Engine::Postgres) => $postgres ),*
                }
            }
        }
    };
}

problems! {
    /// A unique value is there already.
    Duplicate "duplicateKey" "1062" "23505",
    /// It has waited for a lock long enough (MariaDB).
    LockWait "lockWaitTimeout" "1205" "",
    /// The lock is not to be had, or not in time (PostgreSQL).
    NotAvailable "lockNotAvailable" "1205" "55P03",
    /// It has waited for a lock long enough (PostgreSQL).
    LockTimeout "lockNotAvailable" "1205" "55P03",
    /// It is the victim of a deadlock.
    Deadlock "deadlock" "1213" "40P01",
    /// The transaction does not fit into any order.
    Serialization "serializationFailure" "1020" "40001",
    /// The transaction has failed before.
    Failed "transactionFailed" "" "25P02",
    /// Somebody has cancelled it.
    Cancelled "cancelled" "1317" "57014",
    /// The connection has ended.
    Lost "connectionLost" "2013" "57P01",
    /// There is no connection.
    NotConnected "notConnected" "2006" "08003",
    /// A replica takes no changes.
    ReadOnly "readOnly" "1290" "25006",
    /// There is no such prepared branch.
    UnknownPrepared "unknownPrepared" "1397" "42704",
    /// There is one already.
    PreparedInUse "preparedIdInUse" "1440" "42710",
    /// A branch is under way or prepared, and takes no such statement.
    WrongState "wrongStateForPrepared" "1399" "25001",
    /// A transaction is under way, and takes no such statement.
    InTransaction "transactionUnderWay" "1400" "25001",
    /// It is only possible in a transaction.
    NoTransaction "noTransaction" "1305" "25P01",
    /// There is no such savepoint.
    NoSavepoint "unknownSavepoint" "1305" "3B001",
    /// There is no such table.
    NoTable "unknownTable" "1146" "42P01",
    /// There is no such column.
    NoColumn "unknownColumn" "1054" "42703",
    /// A column must not be `NULL`.
    NotNull "nullNotAllowed" "1048" "23502",
    /// The table is not among those that the session has locked (MariaDB).
    NotLocked "tableNotLocked" "1100" "",
    /// The table has no room for more rows.
    Full "tableFull" "1114" "53100",
    /// The statement is not understood.
    Syntax "syntax" "1064" "42601",
}

/// What a statement is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Rows, each with its columns.
    Rows(Vec<Vec<(String, Value)>>),
    /// So many rows were inserted, changed or deleted.
    Affected(u64),
    /// It is done.
    Done,
    /// A COMMIT or PREPARE that has rolled back.
    RolledBack,
    /// It is refused.
    Error {
        /// Why.
        problem: Problem,
        /// The engine's words.
        message: String,
        /// What became of the transaction.
        after: After,
    },
    /// The program has waited long enough and has closed its connection.
    TimedOut,
}

impl Reply {
    /// Why it was refused, if it was.
    pub fn problem(&self) -> Option<Problem> {
        match self {
            Reply::Error { problem, .. } => Some(*problem),
            _ => None,
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Rows(rows) if rows.is_empty() => f.write_str("0 rows"),
            Reply::Rows(rows) => {
                let row = |row: &Vec<(String, Value)>| {
                    let cells: Vec<String> = row.iter().map(|(name, value)| format!("{name}={value}")).collect();
                    cells.join(", ")
                };
                f.write_str(&rows.iter().map(row).collect::<Vec<_>>().join("; "))
            }
            Reply::Affected(1) => f.write_str("1 row"),
            Reply::Affected(rows) => write!(f, "{rows} rows"),
            Reply::Done => f.write_str("OK"),
            Reply::RolledBack => f.write_str("ROLLBACK"),
            Reply::Error { message, .. } => f.write_str(message),
            Reply::TimedOut => f.write_str("—"),
        }
    }
}

/// As in recordings.
impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        struct Row<'a>(&'a [(String, Value)]);
        impl Serialize for Row<'_> {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_map(self.0.iter().map(|(name, value)| (name, value)))
            }
        }
        let mut map = s.serialize_map(None)?;
        match self {
            Reply::Rows(rows) => map.serialize_entry("rows", &rows.iter().map(|row| Row(row)).collect::<Vec<_>>())?,
            Reply::Affected(rows) => map.serialize_entry("affected", rows)?,
            Reply::Done => map.serialize_entry("ok", &true)?,
            Reply::RolledBack => map.serialize_entry("ok", "rolledBack")?,
            Reply::Error { problem: Problem::NotConnected, .. } => map.serialize_entry("notConnected", &true)?,
            Reply::Error { problem, message, after } => {
                map.serialize_entry("error", problem.kind())?;
                map.serialize_entry("message", message)?;
                if *problem != Problem::Lost {
                    map.serialize_entry("transaction", after.name())?;
                }
            }
            Reply::TimedOut => map.serialize_entry("timeout", &true)?,
        }
        map.end()
    }
}

/// An engine's words for an error; `what` names the key, table, column or branch.
pub fn message(engine: Engine, problem: Problem, what: &str) -> String {
    use Engine::{MariaDb, Postgres};
    use Problem as P;
    match (engine, problem) {
        (MariaDb, P::Duplicate) => format!("Duplicate entry {what}"),
        (Postgres, P::Duplicate) => format!("duplicate key value violates unique constraint \"{what}\""),
        (_, P::LockWait) | (MariaDb, P::NotAvailable | P::LockTimeout) => {
            "Lock wait timeout exceeded; try restarting transaction".into()
        }
        (Postgres, P::LockTimeout) => "canceling statement due to lock timeout".into(),
        (Postgres, P::NotAvailable) => format!("could not obtain lock on {what}"),
        (MariaDb, P::Deadlock) => "Deadlock found when trying to get lock; try restarting transaction".into(),
        (Postgres, P::Deadlock) => "deadlock detected".into(),
        (_, P::Serialization) => format!("could not serialize access due to {what}"),
        (_, P::Failed) => "current transaction is aborted, commands ignored until end of transaction block".into(),
        (MariaDb, P::Cancelled) => "Query execution was interrupted".into(),
        (Postgres, P::Cancelled) => "canceling statement due to user request".into(),
        (MariaDb, P::Lost) => "Lost connection to server during query".into(),
        (Postgres, P::Lost) => "server closed the connection unexpectedly".into(),
        (MariaDb, P::NotConnected) => "Server has gone away".into(),
        (Postgres, P::NotConnected) => "no connection to the server".into(),
        (MariaDb, P::ReadOnly) => {
            "The MariaDB server is running with the --read-only option so it cannot execute this statement".into()
        }
        (Postgres, P::ReadOnly) => format!("cannot execute {what} in a read-only transaction"),
        (MariaDb, P::UnknownPrepared) => "XAER_NOTA: Unknown XID".into(),
        (Postgres, P::UnknownPrepared) => format!("prepared transaction with identifier \"{what}\" does not exist"),
        (MariaDb, P::PreparedInUse) => "XAER_DUPID: The XID already exists".into(),
        (Postgres, P::PreparedInUse) => format!("transaction identifier \"{what}\" is already in use"),
        (MariaDb, P::WrongState) => {
            format!("XAER_RMFAIL: The command cannot be executed when global transaction is in the  {what} state")
        }
        (Postgres, P::WrongState | P::InTransaction) => format!("{what} cannot run inside a transaction block"),
        (MariaDb, P::InTransaction) => "XAER_OUTSIDE: Some work is done outside global transaction".into(),
        (Postgres, P::NoTransaction) => format!("{what} can only be used in transaction blocks"),
        (MariaDb, P::NoTransaction | P::NoSavepoint) => format!("SAVEPOINT {what} does not exist"),
        (Postgres, P::NoSavepoint) => format!("savepoint \"{what}\" does not exist"),
        (MariaDb, P::NoTable) => format!("Table '{what}' doesn't exist"),
        (Postgres, P::NoTable) => format!("relation \"{what}\" does not exist"),
        (MariaDb, P::NoColumn) => format!("Unknown column '{what}'"),
        (Postgres, P::NoColumn) => format!("column \"{what}\" does not exist"),
        (MariaDb, P::NotNull) => format!("Column '{what}' cannot be null"),
        (Postgres, P::NotNull) => format!("null value in column \"{what}\" violates not-null constraint"),
        (_, P::NotLocked) => format!("Table '{what}' was not locked with LOCK TABLES"),
        (MariaDb, P::Full) => format!("The table '{what}' is full"),
        (Postgres, P::Full) => format!("could not extend \"{what}\""),
        (MariaDb, P::Syntax) => format!("You have an error in your SQL syntax near '{what}'"),
        (Postgres, P::Syntax) => format!("syntax error at or near \"{what}\""),
    }
}
