//! Traditional Chinese, as it is written in Taiwan: made of the Simplified when it is said, so that the page carries one
//! Chinese text and not two.
//!
//! At each place the longest phrase of `hant/phrases.txt` that stands there is replaced (a word of Taiwan's, or a
//! character that becomes another one in this word only), else the character by `hant/characters.txt`. What somebody has
//! typed is not converted: [`text::raw`] marks it.

use crate::base::Arrange;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::text;

/// Lines of a phrase in Simplified, a space, and what it becomes; the rest of the line may have spaces.
const PHRASES: &str = include_str!("hant/phrases.txt");
/// Pairs of characters: Simplified, Traditional. Just those that our texts use; a test names the missing ones.
const CHARACTERS: &str = include_str!("hant/characters.txt");
/// Quotation marks outside of what somebody typed.
const MARKS: [(&str, &str); 2] = [("“", "「"), ("”", "」")];

/// What a phrase becomes, by its first character, the longest first.
type Table = BTreeMap<char, Vec<(&'static str, &'static str)>>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::new();
        for (from, to) in phrases().chain(characters()).chain(MARKS) {
            table.entry(from.chars().next().unwrap_or_default()).or_default().push((from, to));
        }
        table.values_mut().for_each(|known| known.arrange_by_key(|(from, _)| std::cmp::Reverse(from.len())));
        table
    })
}

fn phrases() -> impl Iterator<Item = (&'static str, &'static str)> {
    PHRASES.lines().filter_map(|line| line.split_once(' '))
}

fn characters() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHARACTERS.lines().flat_map(|line| {
        let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let pairs: Vec<_> = ends.windows(3).step_by(2).map(|at| (&line[at[0]..at[1]], &line[at[1]..at[2]])).collect();
        pairs
    })
}

/// A text of ours in Traditional characters and Taiwan's words; what is marked as raw stays as it is, marks and all.
pub(super) fn convert(said: &str) -> String {
    text::around_raw(said, convert_all)
}

fn convert_all(said: &str) -> String {
    let mut rest = said;
    let mut made = String::with_capacity(said.len());
    while let Some(first) = rest.chars().next() {
        let known = table().get(&first).and_then(|known| known.iter().find(|(from, _)| rest.starts_with(from)));
        match known {
            Some((from, to)) => {
                made.push_str(to);
                rest = &rest[from.len()..];
            }
            None => {
                made.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    made
}

/// The same for a text that never changes; each is converted once and kept for good, and there are only so many.
pub(super) fn fixed(said: &'static str) -> &'static str {
    thread_local! {
        static KEPT: RefCell<BTreeMap<&'static str, &'static str>> = const { RefCell::new(BTreeMap::new()) };
    }
    let make = || -> &'static str { Box::leak(convert(said).into_boxed_str()) };
    KEPT.with_borrow_mut(|kept| *kept.entry(said).or_insert_with(make))
}
