//! Hostile input of every kind: a sentence, or something that can be played; never a panic, never a runaway.
//!
//! An input is a kind and a seed. `ZABSCOPE_ATTACK` says with how many seeds each kind is attacked (400), or with which (`5000..6000`);
//! `scripts/attack` plays many. A test that fails names the input and the command that does it again.

mod kinds;
mod mutate;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use zabscope::base::{Prng, Stream};

use kinds::{KINDS, Kind};

/// Seeds where nobody asks for others.
const USUAL: Range<u64> = 0..400;

fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("ZABSCOPE_ATTACK") else { return USUAL };
    let number = |text: &str| {
        text.parse().unwrap_or_else(|_| panic!("ZABSCOPE_ATTACK={asked} is no range such as 5000..6000"))
    };
    match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&asked),
    }
}

/// What became of the inputs of one kind.
#[derive(Default)]
struct Tally {
    accepted: u64,
    refused: u64,
    /// The one that took longest, and how long.
    slowest: (u64, Duration),
}

fn attack(kind: &Kind) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds() {
        let begun = Instant::now();
        let text = mutate::mutated(&kind.corpus, kind.form, &mut Prng::new(seed, Stream::Faults));
        let strike = || (kind.strike)(&text);
        let again = format!(
            "ZABSCOPE_ATTACK={seed}..{} cargo test --all-features --test integration attack::{}",
            seed + 1,
            kind.name
        );
        match catch_unwind(AssertUnwindSafe(strike)) {
            Err(_) => panic!("{} {seed} panics: {again}", kind.name),
            Ok(Ok(())) => tally.accepted += 1,
            Ok(Err(sentence)) => {
                // zkCli says again what it did not understand, and so do we; letters that one does not see are written out
                let told = (1..4_000.max(20 * text.len())).contains(&sentence.len());
                assert!(told, "{} {seed} is refused by no sentence ({} bytes): {again}", kind.name, sentence.len());
                tally.refused += 1;
            }
        }
        let took = begun.elapsed();
        if took > tally.slowest.1 {
            tally.slowest = (seed, took);
        }
    }
    tally
}

fn named(name: &str) {
    let make = KINDS.iter().find(|(known, _)| *known == name).expect("a kind of this name").1;
    let kind = make();
    for text in &kind.corpus {
        (kind.strike)(text)
            .unwrap_or_else(|why| panic!("{name}: what is changed was right before: {why}: {text:.200}"));
    }
    let tally = attack(&kind);
    let (seed, took) = tally.slowest;
    println!(
        "attack {name} {} inputs: {} accepted, {} refused; seed {seed} took {} ms",
        tally.accepted + tally.refused,
        tally.accepted,
        tally.refused,
        took.as_millis()
    );
    assert!(tally.refused > 0, "{name}: nothing was refused: is anything changed?");
}

macro_rules! kinds {
    ($($name:ident),*) => { $(#[test] fn $name() { named(stringify!($name)); })* };
}

kinds!(
    runs,
    links,
    texts,
    addresses,
    messages,
    lines,
    lessons,
    courses,
    assignments,
    facts,
    questions,
    reports,
    recordings
);
