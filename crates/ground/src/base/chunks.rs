//! A list that grows at its end, in pieces that copies share: a copy of a long list costs little, and what one of the two changes
//! afterwards is copied piece by piece. So a world's logs, and what is remembered of a run, are in a hundred checkpoints once.
//! Pieces stand on shelves, which copies share too: a list of a million entries has some hundred of them.

use std::hash::{Hash, Hasher};
use std::ops::Index;
use std::rc::Rc;

/// How many pieces stand on a shelf.
const SHELF: usize = 64;

type Piece<T> = Rc<Vec<T>>;

/// A list in pieces of `N` entries. Small pieces suit many short lists, large ones a long list that is read from end to end.
#[derive(Clone, Debug)]
pub struct Chunks<T, const N: usize = 64> {
    shelves: Vec<Rc<Vec<Piece<T>>>>,
    /// How many entries are gone from the first shelf, where their pieces are empty: not all that it has room for.
    gone: usize,
    len: usize,
}

impl<T, const N: usize> Default for Chunks<T, N> {
    fn default() -> Chunks<T, N> {
        Chunks { shelves: Vec::new(), gone: 0, len: 0 }
    }
}

impl<T, const N: usize> Chunks<T, N> {
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
        let place = place + self.gone;
        self.shelves.get(place / (SHELF * N))?.get(place / N % SHELF)?.get(place % N)
    }

    /// The first entry.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.get(self.len.checked_sub(1)?)
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (0..self.len).map(|place| &self[place])
    }

    /// The entries from a place on.
    pub fn from(&self, place: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (place.min(self.len)..self.len).map(|place| &self[place])
    }

    /// The pieces of a list that has lost nothing at its front: each has `N` entries but the last.
    pub fn pieces(&self) -> impl Iterator<Item = &[T]> {
        self.shelves.iter().flat_map(|shelf| shelf.iter()).map(|piece| piece.as_slice())
    }

    /// The first place whose entry no longer passes; those that pass come first.
    pub fn partition_point(&self, passes: impl Fn(&T) -> bool) -> usize {
        // what is gone came before the rest, so it passes where anything does
        let whole = |piece: &Piece<T>| piece.last().is_none_or(&passes);
        let shelf = self.shelves.partition_point(|shelf| shelf.last().is_none_or(whole));
        let pieces = self.shelves.get(shelf).map_or(&[][..], |shelf| shelf);
        let piece = pieces.partition_point(whole);
        let rest = pieces.get(piece).map_or(0, |piece| piece.partition_point(&passes));
        ((shelf * SHELF + piece) * N + rest).saturating_sub(self.gone).min(self.len)
    }
}

impl<T: Clone, const N: usize> Chunks<T, N> {
    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        self.len += 1;
        let last = self.shelves.last_mut().and_then(|shelf| Rc::make_mut(shelf).last_mut());
        if let Some(piece) = last.filter(|piece| piece.len() < N).and_then(own::<T, N>) {
            return piece.push(entry);
        }
        let mut piece = Vec::with_capacity(N);
        piece.push(entry);
        match self.shelves.last_mut().filter(|shelf| shelf.len() < SHELF) {
            Some(shelf) => Rc::make_mut(shelf).push(Rc::new(piece)),
            None => self.shelves.push(Rc::new(vec![Rc::new(piece)])),
        }
    }

    /// Adds an entry to a list of the newest `most`: where there are as many, the first one goes.
    pub fn push_newest(&mut self, entry: T, most: usize) {
        if self.len >= most {
            self.drop_first();
        }
        self.push(entry);
    }

    /// The piece in which a place is, counted with what is gone.
    fn piece_mut(&mut self, place: usize) -> Option<&mut Vec<T>> {
        let shelf = Rc::make_mut(self.shelves.get_mut(place / (SHELF * N))?);
        shelf.get_mut(place / N % SHELF).and_then(own::<T, N>)
    }

    /// Takes the first entry away.
    pub fn drop_first(&mut self) {
        if self.len == 0 {
            return;
        }
        (self.gone, self.len) = (self.gone + 1, self.len - 1);
        if self.len == 0 {
            *self = Chunks::default();
        } else if self.gone == SHELF * N {
            self.shelves.remove(0);
            self.gone = 0;
        } else if self.gone.is_multiple_of(N) {
            Rc::make_mut(&mut self.shelves[0])[self.gone / N - 1] = Rc::default();
        }
    }

    /// Takes the last entry away.
    pub fn drop_last(&mut self) {
        self.truncate(self.len.saturating_sub(1));
    }

    /// The entry at a place, to be changed.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        let place = place + self.gone;
        self.piece_mut(place)?.get_mut(place % N)
    }

    /// Keeps the first so many entries.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        if len == 0 {
            *self = Chunks::default();
            return;
        }
        self.len = len;
        let last = self.gone + len - 1;
        self.shelves.truncate(last / (SHELF * N) + 1);
        if let Some(shelf) = self.shelves.last_mut() {
            Rc::make_mut(shelf).truncate(last / N % SHELF + 1);
        }
        if let Some(piece) = self.piece_mut(last) {
            piece.truncate(last % N + 1);
        }
    }

    /// Changes the entries that the test picks; pieces without one stay shared.
    pub fn change(&mut self, picks: impl Fn(&T) -> bool, change: impl Fn(&mut T)) {
        let has = |piece: &Piece<T>| piece.iter().any(&picks);
        for shelf in self.shelves.iter_mut().filter(|shelf| shelf.iter().any(has)) {
            for piece in Rc::make_mut(shelf).iter_mut().filter(|piece| has(piece)) {
                let entries = own::<T, N>(piece).into_iter().flatten();
                entries.filter(|entry| picks(entry)).for_each(&change);
            }
        }
    }
}

/// A piece to be changed, always: a copy where others have it too, with room for all that will be in it.
fn own<T: Clone, const N: usize>(piece: &mut Piece<T>) -> Option<&mut Vec<T>> {
    if Rc::strong_count(piece) > 1 {
        let mut copy = Vec::with_capacity(N);
        copy.extend_from_slice(piece);
        *piece = Rc::new(copy);
    }
    Rc::get_mut(piece)
}

impl<T, const N: usize> Index<usize> for Chunks<T, N> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        let place = place + self.gone;
        &self.shelves[place / (SHELF * N)][place / N % SHELF][place % N]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Chunks<T, N> {
    fn eq(&self, other: &Chunks<T, N>) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: Eq, const N: usize> Eq for Chunks<T, N> {}

/// What it holds counts, not how it came to hold it.
impl<T: Hash, const N: usize> Hash for Chunks<T, N> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.len.hash(hasher);
        self.iter().for_each(|entry| entry.hash(hasher));
    }
}

impl<T: Clone, const N: usize> FromIterator<T> for Chunks<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Chunks<T, N> {
        let mut all = Chunks::default();
        entries.into_iter().for_each(|entry| all.push(entry));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list() {
        let mut chunks: Chunks<u32, 4> = (0..1_000).collect();
        let copy = chunks.clone();
        assert_eq!((chunks.len(), chunks.last(), chunks.get(1_000)), (1_000, Some(&999), None));
        assert!(chunks.iter().copied().eq(0..1_000) && chunks.iter().next_back() == Some(&999));
        for place in [0, 1, 3, 4, 255, 256, 257, 600, 999, 1_000, 1_024, 5_000] {
            let rest: Vec<u32> = chunks.from(place).copied().collect();
            assert_eq!(rest, (place.min(1_000) as u32..1_000).collect::<Vec<_>>());
            assert_eq!(chunks.partition_point(|&entry| (entry as usize) < place), place.min(1_000));
        }
        for len in [900, 768, 767, 512, 1, 0] {
            chunks.truncate(len);
            assert!(chunks.len() == len && chunks.iter().copied().eq(0..len as u32));
            chunks.push(7);
            assert_eq!(chunks[len], 7);
            chunks.drop_last();
        }
        assert!(copy.iter().copied().eq(0..1_000), "the copy has nothing of that");
    }

    /// Both ends, beside a deque that does the same; copies taken on the way stay as they were, and a list counts by what it holds.
    #[test]
    fn it_loses_its_first_entries_as_a_deque_does() {
        let (mut chunks, mut deque) = (Chunks::<(u32, u32), 2>::default(), std::collections::VecDeque::new());
        let mut draw = 7_u32;
        for entry in 0..4_000 {
            draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let copy = (entry % 37 == 0).then(|| (chunks.clone(), deque.clone()));
            // it grows, shrinks to nothing, and grows again
            match (draw >> 29) + u32::from(entry / 1_000 % 2 == 1) {
                0..=4 => {
                    chunks.push((entry, 0));
                    deque.push_back((entry, 0));
                }
                5 => {
                    chunks.drop_last();
                    deque.pop_back();
                }
                _ => {
                    chunks.drop_first();
                    deque.pop_front();
                }
            }
            if let Some(first) = chunks.get_mut(0) {
                first.1 += 1;
                deque[0].1 += 1;
            }
            assert!(chunks.len() == deque.len() && chunks.iter().eq(deque.iter()), "after {entry}");
            assert_eq!((chunks.first(), chunks.last()), (deque.front(), deque.back()));
            assert_eq!(chunks.partition_point(|it| it.0 < entry / 2), deque.partition_point(|it| it.0 < entry / 2));
            assert_eq!(chunks, deque.iter().copied().collect());
            assert!(copy.is_none_or(|(chunks, deque)| chunks.iter().eq(deque.iter())));
        }
    }
}
