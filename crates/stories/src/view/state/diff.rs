//! What is different between two states of one thing. Rows are matched by their keys, never by their places.

use crate::base::{Gather, SortedMap, SortedSet};

use crate::base::rows::{Heading, Row};

use super::{Group as Told, Sheet, Stage};

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is as it was.
    Same,
    /// It had another text, or went by another name.
    Changed {
        /// The text that it had.
        was: String,
    },
    /// It is new.
    Added,
    /// It is gone; it stands where it stood.
    Removed,
    /// It is out of sight: other rows of a list of which only the end is seen have taken its place.
    Out,
    /// It is in sight again, for the same reason.
    In,
}

impl Mark {
    /// Whether it is worth marking.
    pub fn is_change(&self) -> bool {
        matches!(self, Mark::Changed { .. } | Mark::Added | Mark::Removed)
    }
}

/// A row and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The row as it is; as it was where it is gone. The rows below stand beside it, with their marks.
    pub row: Row,
    /// What became of it.
    pub mark: Mark,
    /// The rows below it.
    pub rows: Vec<Shown>,
    /// How many rows are marked, here and below.
    pub changes: usize,
}

/// A group and what became of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its heading.
    pub heading: Heading,
    /// What is said beside it.
    pub text: String,
    /// What is waited for.
    pub stage: Option<Stage>,
    /// Its rows.
    pub rows: Vec<Shown>,
    /// How many of them are marked.
    pub changes: usize,
    /// There is no such group any more.
    pub gone: bool,
}

/// A state with marks of what changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The groups in their order.
    pub groups: Vec<Group>,
}

/// Marks what is different. Without a state before, nothing is.
pub fn diff(before: Option<&Sheet>, after: &Sheet) -> Diff {
    let before = before.unwrap_or(after);
    let old = |heading| before.groups.iter().find(move |group| group.heading == heading);
    let mut groups: Vec<Group> = Vec::new();
    for Told { heading, text, stage, rows } in &after.groups {
        let rows = merge(old(*heading).map_or(&[], |group| &group.rows), rows, false);
        groups.push(group(*heading, text, *stage, rows, false));
    }
    let gone = before.groups.iter().filter(|group| after.groups.iter().all(|other| other.heading != group.heading));
    for Told { heading, text, stage, rows } in gone {
        groups.push(group(*heading, text, *stage, merge(rows, &[], false), true));
    }
    Diff { groups }
}

fn group(heading: Heading, text: &str, stage: Option<Stage>, rows: Vec<Shown>, gone: bool) -> Group {
    let changes = rows.iter().map(|row| row.changes).sum();
    Group { heading, text: text.to_string(), stage, rows, changes, gone }
}

/// The rows after, with those that are gone behind the ones that they stood behind.
fn merge(before: &[Row], after: &[Row], sliding: bool) -> Vec<Shown> {
    let old: SortedMap<&str, &Row> = before.iter().map(|row| (row.key.as_str(), row)).gathered();
    let new: SortedSet<&str> = after.iter().map(|row| row.key.as_str()).gathered();
    // in a list of which the end is seen, rows leave and come back at the beginning
    let met = |rows: &[Row], other: &dyn Fn(&str) -> bool| rows.iter().position(|row| other(&row.key));
    let out = if sliding { met(before, &|key| new.contains(key)).unwrap_or(0) } else { 0 };
    let back = if sliding { met(after, &|key| old.contains_key(key)).unwrap_or(0) } else { 0 };
    let mut shown: Vec<Shown> = Vec::with_capacity(after.len());
    for (place, row) in after.iter().enumerate() {
        shown.push(match old.get(row.key.as_str()) {
            Some(was) => kept(was, row),
            None => alone(row, if place < back { Mark::In } else { Mark::Added }),
        });
    }
    let mut behind: Option<&str> = None;
    for (place, row) in before.iter().enumerate() {
        if !new.contains(row.key.as_str()) {
            let at = behind.and_then(|key| shown.iter().position(|one| one.row.key == key)).map_or(0, |at| at + 1);
            shown.insert(at, alone(row, if place < out { Mark::Out } else { Mark::Removed }));
        }
        behind = Some(&row.key);
    }
    shown
}

fn kept(was: &Row, is: &Row) -> Shown {
    let rows = merge(&was.rows, &is.rows, is.sliding);
    let same = (&was.text, &was.name, was.refers) == (&is.text, &is.name, is.refers);
    // a list's number follows from its rows
    let list = !is.rows.is_empty() || !was.rows.is_empty();
    let counted = same || list && is_number(&was.text) && is_number(&is.text);
    let mark = if same { Mark::Same } else { Mark::Changed { was: was.text.clone() } };
    let changes = rows.iter().map(|row| row.changes).sum::<usize>() + usize::from(!counted);
    Shown { row: bare(is), mark, rows, changes }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn alone(row: &Row, mark: Mark) -> Shown {
    let rows = row.rows.iter().map(|row| alone(row, mark.clone())).collect();
    let changes = usize::from(mark.is_change());
    Shown { row: bare(row), mark, rows, changes }
}

fn bare(row: &Row) -> Row {
    Row { rows: Vec::new(), ..row.clone() }
}

impl Diff {
    /// How many rows are marked.
    pub fn changes(&self) -> usize {
        self.groups.iter().map(|group| group.changes).sum()
    }

    /// The state after, from the state before: what is the same is taken from there. `None` where it is not of that state.
    pub fn apply(&self, before: &Sheet) -> Option<Sheet> {
        let mut groups = Vec::new();
        for Group { heading, text, stage, rows, gone, .. } in &self.groups {
            let old = before.groups.iter().find(|group| group.heading == *heading);
            let rows = apply(rows, old.map_or(&[], |group| &group.rows))?;
            if !gone {
                groups.push(Told { heading: *heading, text: text.clone(), stage: *stage, rows });
            }
        }
        Some(Sheet { groups })
    }
}

fn apply(shown: &[Shown], before: &[Row]) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let mut used = 0;
    for one in shown {
        let old = before.iter().find(|row| row.key == one.row.key);
        used += usize::from(old.is_some());
        match &one.mark {
            Mark::Removed | Mark::Out => {
                old?;
            }
            Mark::Added | Mark::In => {
                if old.is_some() {
                    return None;
                }
                rows.push(Row { rows: apply(&one.rows, &[])?, ..one.row.clone() });
            }
            Mark::Same => rows.push(Row { rows: apply(&one.rows, &old?.rows)?, ..bare(old?) }),
            Mark::Changed { was } => {
                let old = old.filter(|old| old.text == *was)?;
                rows.push(Row { rows: apply(&one.rows, &old.rows)?, ..one.row.clone() });
            }
        }
    }
    (used == before.len()).then_some(rows)
}
