//! What a participant keeps: committed values, and locks on them until a transaction is decided.

use crate::base::{Gather, SortedMap, SortedSet};
use std::collections::BTreeMap;

use crate::base::rows::Rows;
use crate::daemon::{BadgeLine, Tone};

use super::txn::{Change, Item, Txn};

/// Items of one participant. Readers share a lock, writers do not (two-phase locking; released when the decision is carried out).
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    values: BTreeMap<String, i64>,
    locks: SortedMap<String, SortedMap<Txn, bool>>,
}

impl Items {
    /// The committed value.
    pub(super) fn value(&self, name: &str) -> i64 {
        self.values.get(name).copied().unwrap_or(0)
    }

    /// Who else has a lock that this part cannot have it with, and on which item.
    pub(super) fn conflict(&self, txn: Txn, items: &[Item]) -> Option<(String, Txn)> {
        items.iter().find_map(|item| {
            let holders = self.locks.get(&item.name)?;
            let hinders = |(holder, writes): &(&Txn, &bool)| **holder != txn && (**writes || !item.is_read());
            let (holder, _) = holders.iter().find(hinders)?;
            Some((item.name.clone(), *holder))
        })
    }

    /// Who writes an item.
    pub(super) fn writer(&self, name: &str) -> Option<Txn> {
        let holders = self.locks.get(name)?;
        holders.iter().find(|(_, writes)| **writes).map(|(holder, _)| *holder)
    }

    /// Takes the locks of a part.
    pub(super) fn lock(&mut self, txn: Txn, items: &[Item]) {
        for item in items {
            let writes = self.locks.get_or_default(item.name.clone()).get_or_default(txn);
            *writes |= !item.is_read();
        }
    }

    /// Gives them back.
    pub(super) fn unlock(&mut self, txn: Txn) {
        self.locks.retain(|_, holders| {
            holders.remove(&txn);
            !holders.is_empty()
        });
    }

    /// The first item that a part would make negative.
    pub(super) fn negative(&self, items: &[Item]) -> Option<String> {
        let after = self.after(items);
        after.into_iter().find(|(_, value)| *value < 0).map(|(name, _)| name)
    }

    /// Carries a part out.
    pub(super) fn apply(&mut self, items: &[Item]) {
        let after = self.after(items);
        self.values.extend(after);
    }

    /// What a part makes of the items that it changes.
    fn after(&self, items: &[Item]) -> BTreeMap<String, i64> {
        let mut after = BTreeMap::new();
        for item in items {
            let now = after.get(&item.name).copied().unwrap_or_else(|| self.value(&item.name));
            match item.change {
                Change::Set(to) => after.insert(item.name.clone(), to),
                Change::Add(by) => after.insert(item.name.clone(), now.saturating_add(by)),
                Change::Read => None,
            };
        }
        after
    }

    /// Every item that has been written or is locked: its committed value, and who writes it.
    pub(super) fn all(&self) -> impl Iterator<Item = (&String, i64, Option<Txn>)> {
        let names: SortedSet<&String> = self.values.keys().chain(self.locks.keys()).gathered();
        names.into_iter().map(|name| (name, self.value(name), self.writer(name)))
    }

    /// What a card says of them.
    pub(super) fn badge_lines(&self) -> impl Iterator<Item = BadgeLine> {
        self.all().map(|(name, value, writer)| BadgeLine {
            label: name.clone(),
            value: writer.map_or(value.to_string(), |writer| format!("{value} · {writer}")),
            tone: if writer.is_some() { Tone::Waiting } else { Tone::Plain },
            left: None,
        })
    }

    /// For a reader.
    pub(super) fn rows(&self, rows: &mut Rows) {
        rows.list("items", |rows| {
            for (name, value, _) in self.all() {
                let holders = self.locks.get(name).into_iter().flat_map(SortedMap::keys);
                let locked = holders.map(|holder| format!(", locked by {holder}")).collect::<String>();
                rows.item(name, name, format!("{value}{locked}"), None);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<Item> {
        super::super::parse_work(text, 1).unwrap().into_values().flatten().collect()
    }

    #[test]
    fn readers_share_and_writers_do_not() {
        let (mut kept, [one, two]) = (Items::default(), [1, 2].map(|number| Txn { start: 1, number }));
        kept.lock(one, &items("x?"));
        assert_eq!(kept.conflict(two, &items("x? y=1")), None);
        assert_eq!(kept.conflict(two, &items("x=1")), Some(("x".into(), one)));
        assert_eq!(kept.conflict(one, &items("x=1")), None, "its own lock hinders nobody");
        kept.unlock(one);
        kept.lock(two, &items("x=1 x?"));
        assert_eq!(kept.conflict(one, &items("x?")), Some(("x".into(), two)), "it goes on writing");
    }

    #[test]
    fn nothing_becomes_negative() {
        let mut kept = Items::default();
        kept.apply(&items("x=5"));
        assert_eq!(kept.negative(&items("x-=3 x-=3")), Some("x".into()));
        assert_eq!(kept.negative(&items("x-=3 x+=3 x-=5")), None);
    }
}
