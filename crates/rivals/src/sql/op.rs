//! Statements, as both engines know them; and how they read and are written as JSON.

use crate::base::json::{Fields, Json, Read, ReadError, ValueError, at_most, short, within};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};

use super::value::Value;

/// Most columns, conditions or values in a statement.
pub const MAX_PARTS: usize = 20;
/// Longest name of a table, column, lock or branch, bytes.
pub const MAX_NAME: usize = 64;
/// All columns of a table, in its order.
pub const ALL_COLUMNS: &str = "*";
/// Longest duration in a statement, ms.
const MAX_MS: u64 = MAX_DURATION_US / 1000;

/// What a column must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Equal; to `NULL`: it is `NULL`.
    Equal(Value),
    /// There, and not equal.
    Not(Value),
    /// Greater.
    Above(Value),
    /// Not greater.
    UpTo(Value),
    /// One of these.
    In(Vec<Value>),
    /// A moment that lies further back, ms, by the server's clock.
    OlderThan(u64),
}

impl Cond {
    /// Whether a value is so. `NULL` is neither equal nor unequal to anything.
    pub fn holds(&self, value: &Value, clock_ms: i64) -> bool {
        match self {
            Cond::Equal(wanted) => value == wanted,
            _ if *value == Value::Null => false,
            Cond::Not(other) => *other != Value::Null && value != other,
            Cond::Above(limit) => *limit != Value::Null && value > limit,
            Cond::UpTo(limit) => *limit != Value::Null && value <= limit,
            Cond::In(values) => values.contains(value),
            Cond::OlderThan(ms) => {
                let limit = clock_ms.saturating_sub(i64::try_from(*ms).unwrap_or(i64::MAX));
                value.int().is_some_and(|made| made < limit)
            }
        }
    }
}

/// What a column is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetTo {
    /// A value.
    Value(Value),
    /// What it is, and so much more.
    Plus(i64),
    /// The server's clock.
    Now,
}

/// How isolated a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// Each statement sees what was committed when it began.
    ReadCommitted,
    /// All see what was committed when the first one looked.
    RepeatableRead,
    /// As if transactions ran one after another.
    Serializable,
}

impl Isolation {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Isolation); 3] = [
        ("read committed", Isolation::ReadCommitted),
        ("repeatable read", Isolation::RepeatableRead),
        ("serializable", Isolation::Serializable),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Isolation::ALL.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }

    /// The level of this name.
    pub fn named(name: &str) -> Option<Isolation> {
        Isolation::ALL.iter().find(|(other, _)| *other == name).map(|(_, level)| *level)
    }
}

/// Whether others who want to change a row wait, or others who want to share it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLock {
    /// `FOR UPDATE`.
    Update,
    /// `LOCK IN SHARE MODE`, `FOR SHARE`.
    Share,
}

/// What is done where a row is locked by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Wait as long as the settings say.
    Long,
    /// Refuse at once.
    Nowait,
    /// Leave the row out.
    Skip,
    /// Wait so many seconds (MariaDB only).
    Seconds(u64),
}

/// What is done with a named lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Wait for it.
    Lock,
    /// Take it if it is free.
    Try,
    /// Give it back.
    Unlock,
    /// Give all back.
    UnlockAll,
    /// Wait for it; it ends with the transaction (PostgreSQL only).
    LockXact,
    /// Take it if it is free; it ends with the transaction (PostgreSQL only).
    TryXact,
}

impl Act {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Act); 6] = [
        ("lock", Act::Lock),
        ("try", Act::Try),
        ("unlock", Act::Unlock),
        ("unlockAll", Act::UnlockAll),
        ("lockXact", Act::LockXact),
        ("tryXact", Act::TryXact),
    ];
}

/// A setting of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// How long it waits for a lock, ms; 0: for ever (PostgreSQL).
    LockWaitMs(u64),
    /// How long it may be idle in a transaction, ms; 0: for ever.
    IdleInTransactionMs(u64),
    /// How long it may be idle at all (MariaDB) or outside of a transaction (PostgreSQL), ms; 0: for ever.
    IdleMs(u64),
    /// When a commit is answered (PostgreSQL): `on`, `local`, `off`.
    SynchronousCommit(String),
    /// Whether deadlocks are looked for (MariaDB; for all sessions).
    DeadlockDetect(bool),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A transaction begins.
    Begin(Option<Isolation>),
    /// It ends, and stays.
    Commit,
    /// It ends, and is undone.
    Rollback,
    /// A mark in it.
    Savepoint(String),
    /// It is undone back to a mark.
    RollbackTo(String),
    /// A new row.
    Insert {
        /// Of which table.
        table: String,
        /// Columns and their values.
        row: Vec<(String, Value)>,
        /// Nothing is done where a unique value is there already.
        if_new: bool,
    },
    /// Rows are changed.
    Update {
        /// Of which table.
        table: String,
        /// What is changed.
        set: Vec<(String, SetTo)>,
        /// In which rows.
        conds: Vec<(String, Cond)>,
    },
    /// Rows are deleted.
    Delete {
        /// Of which table.
        table: String,
        /// Which.
        conds: Vec<(String, Cond)>,
    },
    /// Rows are read.
    Select {
        /// Of which table.
        table: String,
        /// Which columns; [`ALL_COLUMNS`] for all.
        columns: Vec<String>,
        /// Which rows.
        conds: Vec<(String, Cond)>,
        /// In the order of which column.
        order: Option<String>,
        /// How many at most.
        limit: Option<u64>,
        /// Whether they are locked.
        lock: Option<RowLock>,
        /// What is done where one is locked by another.
        wait: Wait,
    },
    /// A lock by name.
    Advisory {
        /// What is done with it.
        act: Act,
        /// Its name.
        name: String,
        /// How long it is waited for, s (MariaDB); below 0: for ever.
        seconds: Option<i64>,
    },
    /// A setting of the session.
    Set(Setting),
    /// The whole table is locked.
    LockTable(String),
    /// And free again.
    UnlockTables,
    /// `SELECT 1`.
    Ping,
    /// A branch of a distributed transaction begins.
    BeginBranch(String),
    /// It is prepared: from now on only a decision ends it.
    Prepare(String),
    /// The decision is to commit.
    CommitPrepared(String),
    /// The decision is to roll back.
    RollbackPrepared(String),
    /// Which branches are prepared.
    ListPrepared,
}

/// The fields of an object with names of its own: of columns.
pub fn pairs<T: Read>(json: Json, most: usize) -> Result<Vec<(String, T)>, ReadError> {
    let all: Vec<(String, Json)> = match json {
        Json::List(items) => items.into_iter().map(pair).collect::<Result<_, _>>()?,
        json => json.fields()?.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
    };
    at_most("fields", all.len(), most)?;
    let read = |(name, value): (String, Json)| {
        short("field", &name, MAX_NAME)?;
        let value = T::read(value).map_err(|read_error| read_error.within(&name))?;
        Ok((name, value))
    };
    all.into_iter().map(read).collect()
}

/// A name and something, as a list of two.
fn pair(json: Json) -> Result<(String, Json), ReadError> {
    let Json::List(mut parts) = json else { return Err(ReadError::new(ValueError::TooMany { count: 1, most: 2 })) };
    let count = parts.len();
    match (parts.pop(), parts.pop(), parts.is_empty()) {
        (Some(value), Some(name), true) => Ok((String::read(name)?, value)),
        _ => Err(ReadError::new(ValueError::TooMany { count, most: 2 })),
    }
}

/// A list of columns with something each.
struct Pairs<T>(Vec<(String, T)>);

impl<T: Read> Read for Pairs<T> {
    fn read(json: Json) -> Result<Pairs<T>, ReadError> {
        pairs(json, MAX_PARTS).map(Pairs)
    }
}

impl Read for Cond {
    fn read(json: Json) -> Result<Cond, ReadError> {
        let Json::Object(fields) = json else { return Value::read(json).map(Cond::Equal) };
        let name = fields.iter().next().map_or(String::new(), |(name, _)| name.to_string());
        let mut fields = fields;
        let cond = match &*name {
            ">" => Cond::Above(fields.need(">")?),
            "<=" => Cond::UpTo(fields.need("<=")?),
            "<>" => Cond::Not(fields.need("<>")?),
            "in" => Cond::In(fields.need("in")?),
            _ => Cond::OlderThan(fields.need("olderThanMs")?),
        };
        fields.end()?;
        if let Cond::In(values) = &cond {
            at_most("in", values.len(), MAX_PARTS)?;
        }
        Ok(cond)
    }
}

impl Read for SetTo {
    fn read(json: Json) -> Result<SetTo, ReadError> {
        let Json::Object(mut fields) = json else { return Value::read(json).map(SetTo::Value) };
        let plus = fields.or::<Option<i64>>("plus", None)?;
        let set = match plus {
            Some(plus) => SetTo::Plus(plus),
            None => {
                fields.need::<bool>("now")?;
                SetTo::Now
            }
        };
        fields.end().map(|()| set)
    }
}

impl Read for Wait {
    fn read(json: Json) -> Result<Wait, ReadError> {
        match &json {
            Json::Text(text) if text == "nowait" => Ok(Wait::Nowait),
            Json::Text(text) if text == "skip" => Ok(Wait::Skip),
            Json::Text(text) => Err(ReadError::unknown_name(text, vec!["nowait", "skip"])),
            _ => u64::read(json).map(Wait::Seconds),
        }
    }
}

/// Reads one of some names.
pub fn one_of<T: Copy>(text: &str, all: &[(&'static str, T)]) -> Result<T, ReadError> {
    let found = all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| ReadError::unknown_name(text, all.iter().map(|(name, _)| *name).collect()))
}

fn name(fields: &mut Fields, field: &'static str) -> Result<String, ReadError> {
    let name: String = fields.need(field)?;
    short(field, &name, MAX_NAME).map(|()| name)
}

fn select(fields: &mut Fields) -> Result<Op, ReadError> {
    let columns: Vec<String> = fields.or("columns", vec![ALL_COLUMNS.into()])?;
    at_most("columns", columns.len(), MAX_PARTS)?;
    let lock = fields.or::<Option<String>>("lock", None)?;
    let lock = lock.map(|lock| one_of(&lock, &[("update", RowLock::Update), ("share", RowLock::Share)])).transpose();
    Ok(Op::Select {
        table: name(fields, "table")?,
        columns,
        conds: fields.or("where", Pairs(Vec::new()))?.0,
        order: fields.or("order", None)?,
        limit: fields.or("limit", None)?,
        lock: lock.map_err(|read_error| read_error.within("lock"))?,
        wait: fields.or::<Option<Wait>>("wait", None)?.unwrap_or(Wait::Long),
    })
}

fn advisory(fields: &mut Fields) -> Result<Op, ReadError> {
    let act: String = fields.need("act")?;
    let act = one_of(&act, &Act::ALL).map_err(|read_error| read_error.within("act"))?;
    let name = fields.or("name", String::new())?;
    short("name", &name, MAX_NAME)?;
    Ok(Op::Advisory { act, name, seconds: fields.or("seconds", None)? })
}

fn set(fields: &mut Fields) -> Result<Op, ReadError> {
    for (field, make) in [
        ("lockWaitMs", Setting::LockWaitMs as fn(u64) -> Setting),
        ("idleInTransactionMs", Setting::IdleInTransactionMs),
        ("idleMs", Setting::IdleMs),
    ] {
        if let Some(ms) = fields.or::<Option<u64>>(field, None)? {
            return within(field, ms, 0, MAX_MS).map(|()| Op::Set(make(ms)));
        }
    }
    if let Some(word) = fields.or::<Option<String>>("synchronousCommit", None)? {
        short("synchronousCommit", &word, MAX_NAME)?;
        return Ok(Op::Set(Setting::SynchronousCommit(word)));
    }
    Ok(Op::Set(Setting::DeadlockDetect(fields.need("deadlockDetect")?)))
}

impl Op {
    /// Takes a statement out of the fields of an object.
    ///
    /// # Errors
    /// What does not fit, and where.
    pub fn take(fields: &mut Fields) -> Result<Op, ReadError> {
        let op: String = fields.need("op")?;
        Ok(match &*op {
            "begin" => {
                let level = fields.or::<Option<String>>("isolation", None)?;
                let level = level.map(|level| one_of(&level, &Isolation::ALL)).transpose();
                Op::Begin(level.map_err(|read_error| read_error.within("isolation"))?)
            }
            "commit" => Op::Commit,
            "rollback" => Op::Rollback,
            "savepoint" => Op::Savepoint(name(fields, "name")?),
            "rollbackTo" => Op::RollbackTo(name(fields, "name")?),
            "insert" => Op::Insert {
                table: name(fields, "table")?,
                row: fields.need::<Pairs<Value>>("row")?.0,
                if_new: fields.or("ifNew", false)?,
            },
            "update" => Op::Update {
                table: name(fields, "table")?,
                set: fields.need::<Pairs<SetTo>>("set")?.0,
                conds: fields.or("where", Pairs(Vec::new()))?.0,
            },
            "delete" => Op::Delete { table: name(fields, "table")?, conds: fields.or("where", Pairs(Vec::new()))?.0 },
            "select" => select(fields)?,
            "advisory" => advisory(fields)?,
            "set" => set(fields)?,
            "lockTable" => Op::LockTable(name(fields, "table")?),
            "unlockTables" => {
                fields.or("table", String::new())?;
                Op::UnlockTables
            }
            "ping" => Op::Ping,
            "beginBranch" => Op::BeginBranch(name(fields, "id")?),
            "prepare" => Op::Prepare(name(fields, "id")?),
            "commitPrepared" => Op::CommitPrepared(name(fields, "id")?),
            "rollbackPrepared" => Op::RollbackPrepared(name(fields, "id")?),
            "listPrepared" => Op::ListPrepared,
            _ => return Err(ReadError::unknown("op", &op)),
        })
    }

    /// Reads a statement that is an object, as `{"op": "commit"}`.
    ///
    /// # Errors
    /// What does not fit, and where.
    pub fn from_json(text: &str) -> Result<Op, ReadError> {
        short("statement", text, MAX_PAYLOAD_BYTES)?;
        let mut fields = Json::parse(text)?.fields()?;
        let op = Op::take(&mut fields)?;
        fields.end().map(|()| op)
    }
}
