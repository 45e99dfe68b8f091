//! A table of a database as it stands on a stage: its rows, what is not committed, who has locked what and who waits.

/// A table, or a name that is locked like one: then it has no columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Its name.
    pub name: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows and gaps in the order of its key.
    pub rows: Vec<GridRow>,
    /// Who has locked all of it, or waits for that: who has comes first, who waits in the order of the queue.
    pub queue: Vec<Claim>,
    /// Whether somebody has written into it or locked part of it: those that nobody uses matter less.
    pub used: bool,
}

/// A row of a table, or a gap between two: then it has no cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridRow {
    /// What stands in each column.
    pub cells: Vec<Cell>,
    /// For a gap: the key before which it is; none at the end of the table.
    pub before: Option<String>,
    /// A transaction that is not over has deleted it.
    pub deleted: bool,
    /// Who has locked it, and who waits, as for the table.
    pub queue: Vec<Claim>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As it is written in a statement.
    pub value: String,
    /// What became of it last.
    pub change: Change,
}

/// What became of a value last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing, or not lately.
    None,
    /// The last commit has written it.
    Fresh,
    /// It is not committed: what is, where there is such a row.
    Open(Option<String>),
}

/// A lock that is held or waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose, as `C1`.
    pub who: String,
    /// How, as databases write it: `X`, `S`, `INSERT`.
    pub mode: &'static str,
    /// Whether it is held.
    pub held: bool,
}
