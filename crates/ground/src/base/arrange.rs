//! Sorting with one routine for all types: the standard library's is compiled anew for each type that is sorted, 4 kB of WebAssembly
//! each time, and there were 87. What is sorted here is short, so places are sorted and then taken.

use std::cmp::Ordering;

/// Sorts slices. All of it is stable: what is equal stays in its order.
pub trait Arrange<T> {
    /// As `sort`.
    fn arrange(&mut self)
    where
        T: Ord;

    /// As `sort_by`.
    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As `sort_by_cached_key`: the key of each is made once.
    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Arrange<T> for [T] {
    fn arrange(&mut self)
    where
        T: Ord,
    {
        self.arrange_by(T::cmp);
    }

    fn arrange_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let places = places(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        put(self, places);
    }

    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let places = places(keys.len(), &mut |one, other| keys[one].cmp(&keys[other]));
        put(self, places);
    }
}

/// For each of so many items the place at which it comes to stand.
fn places(many: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..many).collect();
    order.sort_by(|&one, &other| compare(one, other));
    let mut places = vec![0; many];
    order.into_iter().enumerate().for_each(|(place, item)| places[item] = place);
    places
}

/// Each swap brings one item to its place for good.
fn put<T>(items: &mut [T], mut places: Vec<usize>) {
    for at in 0..places.len() {
        while places[at] != at {
            let place = places[at];
            items.swap(at, place);
            places.swap(at, place);
        }
    }
}

/// Collects one by one, where `collect` would sort first what comes into a tree map.
pub trait Gather: Iterator + Sized {
    /// As `collect`.
    fn gathered<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Prng, Stream};

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut prng = Prng::new(1, Stream::Network);
        for many in 0..60 {
            let items: Vec<(u64, usize)> = (0..many).map(|at| (prng.between(0, 9), at)).collect();
            let mut sorted = items.clone();
            sorted.sort_by_key(|(key, _)| *key);
            let mut ours = items.clone();
            ours.arrange_by_key(|(key, _)| *key);
            assert_eq!(ours, sorted, "what is equal stays in its order");
            ours = items.clone();
            ours.arrange_by(|one, other| other.cmp(one));
            ours.reverse();
            sorted.sort();
            assert_eq!(ours, sorted);
            ours = items;
            ours.arrange();
            assert_eq!(ours, sorted);
        }
    }
}
