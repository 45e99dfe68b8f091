//! A table: its definition, and rows with all their versions. Both engines keep old versions for those who look at an older
//! state (MVCC); what differs is who locks what.

use crate::base::Arrange;
use std::collections::BTreeMap;

use super::op::Cond;
use super::value::Value;

/// A transaction's number; they rise.
pub type TrxId = u64;
/// A row, for as long as it exists: a row that is deleted and inserted again is another one.
pub type RowId = u64;
/// The values of a row, in the order of the columns.
pub type Values = Vec<Value>;
/// A place in an index: the value that is indexed, and the row.
pub type Entry = (Value, RowId);

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number that the server gives where none is said: `AUTO_INCREMENT`, `serial`.
    Serial,
    /// A number; 0 where none is said.
    Int,
    /// A text.
    Text,
    /// A text that may be missing.
    OptionalText,
    /// A moment, ms; now where none is said.
    Time,
}

impl Kind {
    /// All of them, with their names in a setup.
    pub const ALL: [(&'static str, Kind); 5] = [
        ("serial", Kind::Serial),
        ("int", Kind::Int),
        ("text", Kind::Text),
        ("text?", Kind::OptionalText),
        ("time", Kind::Time),
    ];
}

/// A table as it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDef {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<(String, Kind)>,
    /// The column of its primary key.
    pub primary_key: Option<usize>,
    /// Columns with a unique index.
    pub unique: Vec<usize>,
    /// Columns with an index that is not unique.
    pub index: Vec<usize>,
    /// What is in it at the beginning.
    pub rows: Vec<Values>,
}

impl TableDef {
    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|(column, _)| column == name)
    }

    /// The column of an index, 0 being the clustered one; none where rows are clustered by a hidden number.
    pub fn index_column(&self, index: usize) -> Option<usize> {
        match index.checked_sub(1) {
            None => self.primary_key,
            Some(place) => self.unique.iter().chain(&self.index).nth(place).copied(),
        }
    }

    /// How many indexes it has, the clustered one included.
    pub fn indexes(&self) -> usize {
        1 + self.unique.len() + self.index.len()
    }

    /// Whether an index lets no value in twice.
    pub fn is_unique(&self, index: usize) -> bool {
        index <= self.unique.len() && self.index_column(index).is_some()
    }
}

/// A state of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Who made it.
    pub by: TrxId,
    /// Its place in the order of commits; none while it is not committed.
    pub seq: Option<u64>,
    /// The values; none where the row is deleted.
    pub values: Option<Values>,
}

/// A row with its versions, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The versions.
    pub versions: Vec<Version>,
    /// Indexes from this one on have no entry of it yet: its insert is under way.
    pub entries: usize,
    /// What was committed before the newest that is; none where there was no such row.
    pub before: Option<Values>,
}

impl Row {
    /// The newest version that is committed.
    pub fn committed(&self) -> Option<&Version> {
        self.versions.iter().rev().find(|version| version.seq.is_some())
    }

    /// The newest version.
    pub fn newest(&self) -> Option<&Version> {
        self.versions.last()
    }

    /// Who has changed it without having committed yet.
    pub fn changed_by(&self) -> Option<TrxId> {
        self.newest().filter(|version| version.seq.is_none()).map(|version| version.by)
    }

    /// What a transaction sees of it at a place in the order of commits: its own change, or the newest of before.
    pub fn seen(&self, me: TrxId, at: u64) -> Option<&Values> {
        let mine = |version: &&Version| version.seq.is_none() && version.by == me;
        let seen =
            self.versions.iter().rev().find(|version| mine(version) || version.seq.is_some_and(|seq| seq <= at));
        seen?.values.as_ref()
    }

    /// What a transaction works on: its own change, or the newest that is committed.
    pub fn current(&self, me: TrxId) -> Option<&Values> {
        self.seen(me, u64::MAX)
    }
}

/// A table with what is in it.
#[derive(Clone, Debug)]
pub struct Table {
    /// As it was made.
    pub def: TableDef,
    /// The rows.
    pub rows: BTreeMap<RowId, Row>,
    /// What the last commit that deleted anything has deleted, for whoever looks: its place in the order of commits, and the rows.
    pub deleted: (u64, Vec<(RowId, Values)>),
    next_row: RowId,
    next_serial: i64,
}

impl Table {
    /// The table at the beginning.
    pub fn new(def: &TableDef) -> Table {
        let mut table = Table {
            def: def.clone(),
            rows: BTreeMap::new(),
            deleted: Default::default(),
            next_row: 1,
            next_serial: 1,
        };
        for values in &def.rows {
            let row = table.new_row();
            table.put(row, Version { by: 0, seq: Some(0), values: Some(values.clone()) });
        }
        table
    }

    /// Whether anything was ever written into it.
    pub fn is_written(&self) -> bool {
        let first = |row: &Row| row.versions.len() == 1 && row.versions.iter().all(|version| version.seq == Some(0));
        self.rows.len() != self.def.rows.len() || !self.rows.values().all(first)
    }

    /// A number for a new row.
    pub fn new_row(&mut self) -> RowId {
        self.next_row += 1;
        self.next_row - 1
    }

    /// A number for a column of the kind `serial`. It is not given back.
    pub fn new_serial(&mut self) -> i64 {
        self.next_serial += 1;
        self.next_serial - 1
    }

    /// Gives a row a new version.
    pub fn put(&mut self, id: RowId, version: Version) {
        self.next_row = self.next_row.max(id + 1);
        for (value, (_, kind)) in version.values.iter().flatten().zip(&self.def.columns) {
            if let (Kind::Serial, Some(number)) = (kind, value.int()) {
                self.next_serial = self.next_serial.max(number.saturating_add(1));
            }
        }
        let new = || Row { versions: Vec::new(), entries: usize::MAX, before: None };
        self.rows.entry(id).or_insert_with(new).versions.push(version);
    }

    /// What an index holds of some values.
    pub fn key(&self, index: usize, id: RowId, values: &Values) -> Value {
        let column = self.def.index_column(index);
        column.and_then(|column| values.get(column)).cloned().unwrap_or(Value::Int(id as i64))
    }

    /// The entries of an index, in order: of what is committed, and of every change that is not.
    pub fn entries(&self, index: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (&id, row) in self.rows.iter().filter(|(_, row)| row.entries > index) {
            let old = row.versions.iter().rposition(|version| version.seq.is_some()).unwrap_or(0);
            for values in row.versions.iter().skip(old).filter_map(|version| version.values.as_ref()) {
                entries.push((self.key(index, id, values), id));
            }
        }
        entries.arrange();
        entries.dedup();
        entries
    }

    /// A change becomes part of what is committed; older versions that nobody looks at any more are forgotten.
    pub fn commit(&mut self, id: RowId, by: TrxId, seq: u64, oldest: u64) {
        let Some(row) = self.rows.get_mut(&id) else { return };
        if row.changed_by() == Some(by) {
            row.before = row.committed().and_then(|version| version.values.clone());
        }
        let gone = row
            .before
            .clone()
            .filter(|_| row.newest().is_some_and(|newest| newest.by == by && newest.values.is_none()));
        if let Some(values) = gone {
            if self.deleted.0 != seq {
                self.deleted = (seq, Vec::new());
            }
            self.deleted.1.push((id, values));
        }
        row.versions.iter_mut().filter(|version| version.by == by).for_each(|version| {
            version.seq.get_or_insert(seq);
        });
        let kept = row.versions.iter().rposition(|version| version.seq.is_some_and(|seq| seq <= oldest)).unwrap_or(0);
        row.versions.drain(..kept);
        if row.versions.len() == 1 && row.versions.iter().all(|version| version.values.is_none()) {
            self.rows.remove(&id);
        }
    }

    /// Takes the newest change of a transaction back.
    pub fn undo(&mut self, id: RowId, by: TrxId) {
        let Some(row) = self.rows.get_mut(&id) else { return };
        if row.changed_by() == Some(by) {
            row.versions.pop();
        }
        if row.versions.is_empty() {
            self.rows.remove(&id);
        }
    }

    /// Whether values fulfil all conditions, by the server's clock.
    pub fn fits(&self, values: &Values, conds: &[(String, Cond)], clock_ms: i64) -> bool {
        conds.iter().all(|(column, cond)| {
            let value = self.def.column(column).and_then(|column| values.get(column));
            value.is_some_and(|value| cond.holds(value, clock_ms))
        })
    }
}
