//! A statement as an engine reads it.

use super::engine::Engine;
use super::op::{Act, Cond, Isolation, Op, RowLock, SetTo, Setting, Wait};
use super::value::Value;

/// The statement in an engine's words.
pub fn sql(engine: Engine, op: &Op) -> String {
    let mariadb = engine == Engine::MariaDb;
    match op {
        Op::Begin(None) => "BEGIN".into(),
        Op::Begin(Some(level)) if mariadb => format!("SET TRANSACTION ISOLATION LEVEL {}; BEGIN", upper(*level)),
        Op::Begin(Some(level)) => format!("BEGIN ISOLATION LEVEL {}", upper(*level)),
        Op::Commit => "COMMIT".into(),
        Op::Rollback => "ROLLBACK".into(),
        Op::Savepoint(name) => format!("SAVEPOINT {name}"),
        Op::RollbackTo(name) => format!("ROLLBACK TO SAVEPOINT {name}"),
        Op::Insert { table, row, if_new } => insert(mariadb, table, row, *if_new),
        Op::Update { table, set, conds } => {
            let set: Vec<String> = set.iter().map(|(column, to)| set_to(mariadb, column, to)).collect();
            format!("UPDATE {table} SET {}{}", set.join(", "), conditions(mariadb, conds))
        }
        Op::Delete { table, conds } => format!("DELETE FROM {table}{}", conditions(mariadb, conds)),
        Op::Select { .. } => select(mariadb, op),
        Op::Advisory { act, name, seconds } => advisory(mariadb, *act, name, *seconds),
        Op::Set(setting) => set(mariadb, setting),
        Op::LockTable(table) if mariadb => format!("LOCK TABLES {table} WRITE"),
        Op::LockTable(table) => format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"),
        Op::UnlockTables if mariadb => "UNLOCK TABLES".into(),
        Op::UnlockTables => "COMMIT".into(),
        Op::Ping => "SELECT 1 AS one".into(),
        Op::BeginBranch(id) if mariadb => format!("XA START '{id}'"),
        Op::BeginBranch(_) => "BEGIN".into(),
        Op::Prepare(id) if mariadb => format!("XA END '{id}'; XA PREPARE '{id}'"),
        Op::Prepare(id) => format!("PREPARE TRANSACTION '{id}'"),
        Op::CommitPrepared(id) if mariadb => format!("XA COMMIT '{id}'"),
        Op::CommitPrepared(id) => format!("COMMIT PREPARED '{id}'"),
        Op::RollbackPrepared(id) if mariadb => format!("XA ROLLBACK '{id}'"),
        Op::RollbackPrepared(id) => format!("ROLLBACK PREPARED '{id}'"),
        Op::ListPrepared if mariadb => "XA RECOVER".into(),
        Op::ListPrepared => "SELECT gid FROM pg_prepared_xacts ORDER BY gid".into(),
    }
}

fn upper(level: Isolation) -> String {
    level.name().to_ascii_uppercase()
}

fn insert(mariadb: bool, table: &str, row: &[(String, Value)], if_new: bool) -> String {
    let columns: Vec<&str> = row.iter().map(|(column, _)| column.as_str()).collect();
    let values: Vec<String> = row.iter().map(|(_, value)| value.to_string()).collect();
    let ignore = if if_new && mariadb { "IGNORE " } else { "" };
    let conflict = if if_new && !mariadb { " ON CONFLICT DO NOTHING" } else { "" };
    format!("INSERT {ignore}INTO {table} ({}) VALUES ({}){conflict}", columns.join(", "), values.join(", "))
}

fn set_to(mariadb: bool, column: &str, to: &SetTo) -> String {
    match to {
        SetTo::Value(value) => format!("{column} = {value}"),
        SetTo::Plus(by) => format!("{column} = {column} + {by}"),
        SetTo::Now if mariadb => format!("{column} = NOW(3)"),
        SetTo::Now => format!("{column} = clock_timestamp()"),
    }
}

fn conditions(mariadb: bool, conds: &[(String, Cond)]) -> String {
    let all: Vec<String> = conds.iter().map(|(column, cond)| condition(mariadb, column, cond)).collect();
    if all.is_empty() { String::new() } else { format!(" WHERE {}", all.join(" AND ")) }
}

fn condition(mariadb: bool, column: &str, cond: &Cond) -> String {
    match cond {
        Cond::Equal(Value::Null) => format!("{column} IS NULL"),
        Cond::Equal(value) => format!("{column} = {value}"),
        Cond::Not(value) => format!("{column} <> {value}"),
        Cond::Above(value) => format!("{column} > {value}"),
        Cond::UpTo(value) => format!("{column} <= {value}"),
        Cond::In(values) => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("{column} IN ({})", values.join(", "))
        }
        Cond::OlderThan(ms) if mariadb => {
            format!("{column} < NOW(3) - INTERVAL {} MICROSECOND", ms.saturating_mul(1000))
        }
        Cond::OlderThan(ms) => format!("{column} < clock_timestamp() - interval '{ms} ms'"),
    }
}

fn select(mariadb: bool, op: &Op) -> String {
    let Op::Select { table, columns, conds, order, limit, lock, wait } = op else { return String::new() };
    let mut text = format!("SELECT {} FROM {table}{}", columns.join(", "), conditions(mariadb, conds));
    if let Some(order) = order {
        text += &format!(" ORDER BY {order}");
    }
    if let Some(limit) = limit {
        text += &format!(" LIMIT {limit}");
    }
    text += match lock {
        Some(RowLock::Update) => " FOR UPDATE",
        Some(RowLock::Share) if mariadb => " LOCK IN SHARE MODE",
        Some(RowLock::Share) => " FOR SHARE",
        None => "",
    };
    match wait {
        Wait::Long => {}
        Wait::Nowait => text += " NOWAIT",
        Wait::Skip => text += " SKIP LOCKED",
        Wait::Seconds(seconds) => text += &format!(" WAIT {seconds}"),
    }
    text
}

/// PostgreSQL's advisory locks are numbers: a letter stands for its code, a longer name for its hash.
fn number(name: &str) -> String {
    match name.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => letter.to_string(),
        _ if !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit()) => name.into(),
        _ => format!("hashtext({})", Value::text(name)),
    }
}

fn advisory(mariadb: bool, act: Act, name: &str, seconds: Option<i64>) -> String {
    let quoted = Value::text(name);
    let call = match (mariadb, act) {
        (true, Act::Lock | Act::LockXact) => format!("GET_LOCK({quoted}, {})", seconds.unwrap_or(50)),
        (true, Act::Try | Act::TryXact) => format!("GET_LOCK({quoted}, 0)"),
        (true, Act::Unlock) => format!("RELEASE_LOCK({quoted})"),
        (true, Act::UnlockAll) => "RELEASE_ALL_LOCKS()".into(),
        (false, Act::Lock) => format!("pg_advisory_lock({}) IS NOT NULL", number(name)),
        (false, Act::LockXact) => format!("pg_advisory_xact_lock({}) IS NOT NULL", number(name)),
        (false, Act::Try) => format!("pg_try_advisory_lock({})", number(name)),
        (false, Act::TryXact) => format!("pg_try_advisory_xact_lock({})", number(name)),
        (false, Act::Unlock) => format!("pg_advisory_unlock({})", number(name)),
        (false, Act::UnlockAll) => "pg_advisory_unlock_all()".into(),
    };
    format!("SELECT {call} AS r")
}

fn set(mariadb: bool, setting: &Setting) -> String {
    match setting {
        Setting::LockWaitMs(ms) if mariadb => format!("SET innodb_lock_wait_timeout = {}", ms.div_ceil(1000)),
        Setting::LockWaitMs(ms) => format!("SET lock_timeout = '{ms}ms'"),
        Setting::IdleInTransactionMs(ms) if mariadb => {
            format!("SET idle_transaction_timeout = {}", ms.div_ceil(1000))
        }
        Setting::IdleInTransactionMs(ms) => format!("SET idle_in_transaction_session_timeout = '{ms}ms'"),
        Setting::IdleMs(ms) if mariadb => format!("SET wait_timeout = {}", ms.div_ceil(1000)),
        Setting::IdleMs(ms) => format!("SET idle_session_timeout = '{ms}ms'"),
        Setting::SynchronousCommit(word) => format!("SET synchronous_commit = {word}"),
        Setting::DeadlockDetect(on) => {
            format!("SET GLOBAL innodb_deadlock_detect = {}", if *on { "ON" } else { "OFF" })
        }
    }
}
