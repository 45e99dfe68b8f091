//! What is inside a database, for a reader.

use crate::base::rows::{Refers, Rows};

use super::db::Db;
use super::locks::{Reach, Resource};
use super::value::Value;

/// Its tables, row by row, as committed; and what is not.
pub fn tables(db: &Db, rows: &mut Rows) {
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
pub fn sessions(db: &Db, rows: &mut Rows) {
    for session in db.sessions.values() {
        let statement = session.statement.as_ref().map_or("–", |statement| statement.query.text.as_str());
        let refers = session.peer.server().map(Refers::Server);
        rows.item(&session.id, &session.peer, statement.to_string(), refers);
    }
}

/// Who has locked what, and who waits.
pub fn locks(db: &Db, rows: &mut Rows) {
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
