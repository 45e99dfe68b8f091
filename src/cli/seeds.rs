//! Ranges of seeds, and the threads that share them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Reads a range of seeds.
pub(super) fn parse_seeds(text: &str) -> Result<Range<u64>, &'static str> {
    let range = text.split_once("..").and_then(|(a, b)| Some(a.parse::<u64>().ok()?..b.parse::<u64>().ok()?));
    range.filter(|range| !range.is_empty()).ok_or("write A..B with A below B; B is not played")
}

/// Plays all seeds on so many threads (0: one a core). What comes of each is handed over as soon as it is there; once that
/// is enough, no other seed is begun, and those that are being played see it.
pub(super) fn share_out<T: Send>(
    seeds: Range<u64>,
    jobs: usize,
    play: impl Fn(u64, &AtomicBool) -> T + Sync,
    mut is_enough: impl FnMut(T) -> bool,
) {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = if jobs == 0 { cores() } else { jobs };
    let jobs = jobs.min(usize::try_from(seeds.end - seeds.start).unwrap_or(usize::MAX));
    let (next, enough) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<T>| {
        while !enough.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) || sender.send(play(seed, &enough)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(sender));
        }
        drop(sender);
        while let Ok(outcome) = receiver.recv() {
            if is_enough(outcome) {
                enough.store(true, Ordering::Relaxed);
            }
        }
    });
}
