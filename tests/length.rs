//! How long the long tests are: `scripts/test` plays the first tenth of their seeds, `scripts/test all` all of them (`ZABSCOPE_SEEDS=all`), and
//! `ZABSCOPE_SEEDS=2000` so many of each. It is always the first ones, so a seed that fails in the one fails in the other.

use std::ops::Range;

const SEEDS: &str = "ZABSCOPE_SEEDS";

/// Whether everything is played.
pub fn is_whole() -> bool {
    std::env::var(SEEDS).is_ok_and(|said| said == "all")
}

/// The seeds of a test that has so many in a whole run.
pub fn seeds(whole: u64) -> Range<u64> {
    let said = std::env::var(SEEDS).ok();
    0..match said.as_deref() {
        None | Some("") => (whole / 10).max(1),
        Some("all") => whole,
        Some(number) => number.parse().unwrap_or_else(|_| panic!("{SEEDS} is '{number}': a number, or 'all'")),
    }
}

/// Which of many like things are looked at: each in a whole run, else each `part`-th.
#[cfg(any(feature = "conform", feature = "live"))] // only who plays recordings asks
pub fn step(part: usize) -> usize {
    if is_whole() { 1 } else { part }
}
