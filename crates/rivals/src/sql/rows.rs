//! What is inside a database, for a reader.

use crate::base::Arrange;
use crate::base::rows::{Refers, Rows};
use crate::daemon::{BadgeLine, Tone};

use super::db::Db;
use super::locks::{Owner, Reach, Resource};
use super::table::{Kind, Row, Table};
use super::value::Value;

/// Who stands in the way of whom, then the rows.
pub(super) fn badge_lines(db: &Db) -> Vec<BadgeLine> {
    let mut lines: Vec<BadgeLine> = Vec::new();
    let mut seen: Option<&Resource> = None;
    for (what, _) in db.locks.iter() {
        if seen == Some(what) {
            continue;
        }
        seen = Some(what);
        lines.extend(queue(db, what));
    }
    // where somebody waits
    lines.arrange_by_key(|line| line.tone != Tone::Waiting);
    let (as_given, written): (Vec<_>, Vec<_>) = rows_of(db).partition(|(as_given, _)| *as_given);
    lines.extend(written.into_iter().chain(as_given).map(|(_, line)| line));
    lines
}

/// A line for each row, and whether nobody has written it since the beginning: what matters is what was.
fn rows_of(db: &Db) -> impl Iterator<Item = (bool, BadgeLine)> {
    let line = |table: &Table, row: &Row| {
        let newest = row.newest()?;
        let values = newest.values.as_ref().or_else(|| row.committed()?.values.as_ref())?;
        let tone = if newest.seq.is_none() { Tone::Waiting } else { Tone::Plain };
        let line = BadgeLine { label: table.def.name.clone(), value: shown(table, values), tone, left: None };
        Some((newest.seq == Some(0), line))
    };
    db.tables.iter().flat_map(move |table| table.rows.values().filter_map(move |row| line(table, row)))
}

/// A row in few characters: moments are left out.
fn shown(table: &Table, values: &[Value]) -> String {
    let columns = table.def.columns.iter().zip(values).filter(|((_, kind), _)| *kind != Kind::Time);
    columns.map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(" · ")
}

/// Whose a lock is: the machine at the other end of the session.
pub(super) fn name(db: &Db, owner: Owner) -> Option<String> {
    let session = match owner {
        Owner::Session(id) => Some(id),
        Owner::Trx(id) => db.trxs.get(&id)?.session,
    };
    db.sessions.get(&session?).map(|session| session.peer.to_string())
}

/// Who has locked it, and behind the arrow who waits, in order. Transactions of PostgreSQL stand for themselves only where somebody
/// waits for one.
fn queue(db: &Db, what: &Resource) -> Option<BadgeLine> {
    let names = |granted: bool| {
        let locks = db.locks.on(what).iter().filter(|lock| lock.granted == granted);
        let mut names: Vec<String> = locks.filter_map(|lock| name(db, lock.owner)).collect();
        names.dedup();
        names
    };
    let (held, waits) = (names(true), names(false));
    let label = match what {
        Resource::Record(table, _, entry) => {
            let table = db.tables.get(*table)?;
            entry.as_ref().map_or_else(|| format!("{} ∞", table.def.name), |(key, _)| key.to_string())
        }
        Resource::Row(table, row) | Resource::Tuple(table, row) => {
            let table = db.tables.get(*table)?;
            let values = table.rows.get(row)?.newest()?.values.as_ref()?;
            table.key(0, *row, values).to_string()
        }
        Resource::Trx(_) if waits.is_empty() => return None,
        Resource::Trx(_) => String::new(),
        Resource::Table(table) => db.tables.get(*table)?.def.name.clone(),
        Resource::Name(name) => name.clone(),
    };
    if held.is_empty() && waits.is_empty() {
        return None;
    }
    let value = match waits.is_empty() {
        true => held.join(" "),
        false => format!("{} ← {}", held.join(" "), waits.join(" ")),
    };
    let tone = if waits.is_empty() { Tone::Held } else { Tone::Waiting };
    Some(BadgeLine { label, value, tone, left: None })
}

/// Its tables, row by row, as committed; and what is not.
pub(super) fn tables(db: &Db, rows: &mut Rows) {
    for table in &db.tables {
        let row = rows.item(&table.def.name, &table.def.name, table.rows.len().to_string(), None);
        let mut within = Rows::default();
        for (id, it) in &table.rows {
            let text = |values: &Option<Vec<Value>>| match values {
                Some(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
                None => "–".into(),
            };
            let committed = it.committed().map_or("–".into(), |version| text(&version.values));
            let own = it.newest().filter(|version| version.seq.is_none());
            let own = own.map_or(String::new(), |version| format!(" ⇢ {}", text(&version.values)));
            within.item(id, id, format!("{committed}{own}"), None);
        }
        row.rows = within.0;
    }
}

/// Its sessions, with what they do.
pub(super) fn sessions(db: &Db, rows: &mut Rows) {
    for session in db.sessions.values() {
        let statement = session.statement.as_ref().map_or("–", |statement| statement.query.text.as_str());
        let refers = session.peer.server().map(Refers::Server);
        rows.item(&session.id, &session.peer, statement.to_string(), refers);
    }
}

/// Who has locked what, and who waits.
pub(super) fn locks(db: &Db, rows: &mut Rows) {
    for (what, lock) in db.locks.iter().filter(|(what, _)| !matches!(what, Resource::Trx(_))) {
        let reach = match lock.mode.reach {
            Reach::Record => "",
            Reach::Gap => ",GAP",
            Reach::NextKey => ",NEXT-KEY",
            Reach::Insert => ",INSERT",
        };
        let mode = if lock.mode.exclusive { "X" } else { "S" };
        let state = if lock.granted { "" } else { " …" };
        rows.item(&lock.seq, &format!("{what:?}"), format!("{mode}{reach} {:?}{state}", lock.owner), None);
    }
}
