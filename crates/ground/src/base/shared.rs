//! A map whose clones share their values until one of them changes a value: a world that goes on from another copies what
//! it touches. And whoever has both sees what was touched, without looking inside.

use std::ops::Index;
use std::rc::Rc;

use super::sorted::SortedMap;

/// A map in the order of its keys. Methods do what those of [`SortedMap`] do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedMap<K, V>(SortedMap<K, Rc<V>>);

impl<K: Ord, V> Default for SharedMap<K, V> {
    fn default() -> SharedMap<K, V> {
        SharedMap(SortedMap::default())
    }
}

impl<K: Ord, V: Clone> SharedMap<K, V> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the key has a value.
    pub fn contains_key(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key).map(|value| &**value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.0.get_mut(key).map(Rc::make_mut)
    }

    /// The value of a key, to be changed; it gets the default one if it had none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        Rc::make_mut(self.0.get_or_default(key))
    }

    /// Gives a key a value.
    pub fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, Rc::new(value));
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &K) {
        self.0.remove(key);
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, &**value))
    }

    /// The entries in order, each value in its own place in memory: while two maps have one, it is the same in both.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = (&K, &Rc<V>)> {
        self.0.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.keys()
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.values().map(|value| &**value)
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.values_mut().map(Rc::make_mut)
    }
}

impl<K: Ord, V: Clone> Index<&K> for SharedMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        &self.0[key]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_shares_what_it_does_not_change() {
        let mut map = SharedMap::default();
        map.insert(1, "one".to_owned());
        map.insert(2, "two".to_owned());
        let mut copy = map.clone();
        copy.get_mut(&2).unwrap().push('!');
        let same: Vec<bool> = map.places().zip(copy.places()).map(|((_, a), (_, b))| Rc::ptr_eq(a, b)).collect();
        assert_eq!((same, &*map[&2], &*copy[&2]), (vec![true, false], "two", "two!"));
    }
}
