//! A list that only grows at its end, in pieces that copies share: a copy of a long run's diagram costs a few microseconds, and
//! what one of the two changes afterwards is copied piece by piece.

use std::ops::Index;
use std::rc::Rc;

/// How many entries a piece holds.
pub(super) const PIECE: usize = 256;

/// A list of small entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunks<T> {
    pieces: Vec<Rc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Chunks<T> {
        Chunks { pieces: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Chunks<T> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.pieces.get(place / PIECE)?.get(place % PIECE)
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.pieces.last()?.last()
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.pieces.iter().flat_map(|piece| piece.iter())
    }

    /// The entries from a place on.
    pub fn from(&self, place: usize) -> impl Iterator<Item = &T> {
        let pieces = self.pieces.iter().skip(place / PIECE);
        pieces.flat_map(|piece| piece.iter()).skip(place % PIECE)
    }

    /// The pieces: each has [`PIECE`] entries but the last.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[T]> {
        self.pieces.iter().map(|piece| piece.as_slice())
    }

    /// The first place whose entry no longer passes; those that pass come first.
    pub fn partition_point(&self, passes: impl Fn(&T) -> bool) -> usize {
        let whole = self.pieces.partition_point(|piece| piece.last().is_some_and(&passes));
        let rest = self.pieces.get(whole).map_or(0, |piece| piece.partition_point(&passes));
        (whole * PIECE + rest).min(self.len)
    }

    pub(super) fn push(&mut self, entry: T) {
        if self.len.is_multiple_of(PIECE) {
            self.pieces.push(Rc::new(Vec::with_capacity(PIECE)));
        }
        if let Some(piece) = self.pieces.last_mut() {
            Rc::make_mut(piece).push(entry);
            self.len += 1;
        }
    }

    pub(super) fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        Rc::make_mut(self.pieces.get_mut(place / PIECE)?).get_mut(place % PIECE)
    }

    pub(super) fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pieces.truncate(len.div_ceil(PIECE));
        self.len = len;
        if !len.is_multiple_of(PIECE)
            && let Some(piece) = self.pieces.last_mut()
        {
            Rc::make_mut(piece).truncate(len % PIECE);
        }
    }

    /// Changes the entries that the test picks; pieces without one stay shared.
    pub(super) fn change(&mut self, picks: impl Fn(&T) -> bool, change: impl Fn(&mut T)) {
        for piece in self.pieces.iter_mut().filter(|piece| piece.iter().any(&picks)) {
            Rc::make_mut(piece).iter_mut().filter(|entry| picks(entry)).for_each(&change);
        }
    }
}

impl<T: Copy> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        &self.pieces[place / PIECE][place % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list() {
        let mut chunks = Chunks::default();
        (0..1_000_u32).for_each(|entry| chunks.push(entry));
        let copy = chunks.clone();
        assert_eq!((chunks.len(), chunks.last(), chunks.get(1_000)), (1_000, Some(&999), None));
        assert!(chunks.iter().copied().eq(0..1_000) && chunks.iter().next_back() == Some(&999));
        for place in [0, 1, 255, 256, 257, 600, 999, 1_000, 1_024, 5_000] {
            let rest: Vec<u32> = chunks.from(place).copied().collect();
            assert_eq!(rest, (place.min(1_000) as u32..1_000).collect::<Vec<_>>());
            assert_eq!(chunks.partition_point(|&entry| (entry as usize) < place), place.min(1_000));
        }
        for len in [900, 768, 767, 512, 1, 0] {
            chunks.truncate(len);
            assert!(chunks.len() == len && chunks.iter().copied().eq(0..len as u32));
            chunks.push(7);
            assert_eq!(chunks[len], 7);
            chunks.truncate(len);
        }
        assert!(copy.iter().copied().eq(0..1_000), "the copy has nothing of that");
    }
}
