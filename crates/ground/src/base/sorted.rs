//! Maps and sets for what there is little of: servers, connections, timers. A vector in the order of its keys, which is
//! quicker than a tree for so few, and a tenth of it in the page, where each type of map comes as code of its own. What
//! grows with the number of znodes is kept in trees.
//!
//! Methods do what those of `BTreeMap` and `BTreeSet` do, in the same order.

use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::iter::Map;
use std::ops::Index;
use std::slice;
use std::vec;

/// A map in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// A set in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedSet<T>(Vec<T>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> SortedMap<K, V> {
        SortedMap(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> SortedMap<K, V> {
        SortedMap(Vec::new())
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Gives a key a value; the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key; the value it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes a key; itself and the value it had.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.0.remove(at))
    }

    /// The value of a key, which gets this one if it had none.
    pub fn get_or(&mut self, key: K, value: V) -> &mut V {
        self.get_or_else(key, || value)
    }

    /// The value of a key, which gets the default one if it had none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_else(key, V::default)
    }

    /// The value of a key, which gets a made one if it had none.
    pub fn get_or_else(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = self.find(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        &mut self.0[at].1
    }

    /// The first entry.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.0.first().map(|(key, value)| (key, value))
    }

    /// Takes the first entry out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Keeps the entries that are to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The entries in order, the values to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The entries from this key on, the values to be changed.
    pub fn from_mut(&mut self, key: &K) -> impl Iterator<Item = (&K, &mut V)> {
        let (Ok(start) | Err(start)) = self.find(key);
        self.0[start..].iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The keys in order, for good.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> {
        self.0.into_iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys, for good.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SortedMap<K, V> {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

/// As a tree is written.
impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> SortedSet<T> {
        SortedSet(Vec::new())
    }
}

impl<T: Ord> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> SortedSet<T> {
        SortedSet(Vec::new())
    }

    fn find<Q: Ord + ?Sized>(&self, item: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|other| other.borrow().cmp(item))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is among them.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(item).is_ok()
    }

    /// The first one.
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }

    /// Adds one; true when it was not among them before.
    pub fn insert(&mut self, item: T) -> bool {
        let place = self.find(&item);
        if let Err(at) = place {
            self.0.insert(at, item);
        }
        place.is_err()
    }

    /// Removes one; true when it was among them.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.take(item).is_some()
    }

    /// Takes out the one that is equal to this one.
    pub fn take<Q: Ord + ?Sized>(&mut self, item: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        self.find(item).ok().map(|at| self.0.remove(at))
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps those that are to be kept.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// All in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> SortedSet<T> {
        let mut set = SortedSet::new();
        set.extend(items);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Prng, Stream};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn they_do_what_trees_do() {
        let mut prng = Prng::new(3, Stream::Faults);
        let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
        let (mut set, mut leaves) = (SortedSet::new(), BTreeSet::new());
        for round in 0..2_000 {
            let key = prng.below(40);
            match prng.below(8) {
                0 => assert_eq!(map.remove(&key), tree.remove(&key)),
                1 => assert_eq!(map.get_or(key, round), tree.entry(key).or_insert(round)),
                2 => assert_eq!(map.insert(key, round), tree.insert(key, round)),
                3 => assert_eq!(map.get_mut(&key), tree.get_mut(&key)),
                4 => assert_eq!(map.remove_entry(&key), tree.remove_entry(&key)),
                5 => assert_eq!(map.get_or_else(key, || round), tree.entry(key).or_insert_with(|| round)),
                6 => assert_eq!(set.insert(key), leaves.insert(key)),
                _ => assert_eq!(set.remove(&key), leaves.remove(&key)),
            }
            assert!(map.iter().eq(&tree) && set.iter().eq(&leaves));
            assert!(map.from_mut(&key).eq(tree.range_mut(key..)));
            assert_eq!((map.first(), map.contains_key(&key)), (tree.first_key_value(), tree.contains_key(&key)));
            assert_eq!((set.first(), set.contains(&key)), (leaves.first(), leaves.contains(&key)));
        }
        map.retain(|key, _| key % 2 == 0);
        tree.retain(|key, _| key % 2 == 0);
        assert_eq!(map.pop_first(), tree.pop_first());
        assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&tree).unwrap());
        assert!(map.clone().into_iter().eq(tree.clone()) && map.into_values().eq(tree.into_values()));
    }

    #[test]
    fn what_is_borrowed_is_found() {
        let mut map = SortedMap::from_iter([("b".to_string(), 2), ("a".to_string(), 1)]);
        map.extend([("c".to_string(), 3), ("a".to_string(), 4)]);
        assert_eq!((map["a"], map.get("b").copied(), map.remove("c"), map.len()), (4, Some(2), Some(3), 2));
        let mut set = SortedSet::from_iter(["b".to_string(), "a".to_string()]);
        assert!(set.contains("a") && set.remove("a") && !set.remove("a"));
    }
}
