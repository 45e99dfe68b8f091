//! Lines that nobody would type: commands cut, doubled, mixed and sprinkled with what hurts parsers.

use crate::base::{Prng, ServerId, Stream};
use crate::client::State;
use crate::console::{Console, Known, complete, parse};
use crate::sim::ZkVersion;

const SEEDS: &[&str] = &[
    "ls -s -w -R /a/b",
    "create -s -e -c -t 5000 /a \"some data\" world:anyone:cdrwa,digest:u:h=:r",
    "get -s -w -b -x /a",
    "set -v 3 -s /a 'data'",
    "stat -w /a/../b",
    "delete -v 99999999999 //a",
    "deleteall /a -b 10",
    "addWatch -m PERSISTENT /a",
    "removewatches /a -c -l",
    "setAcl -R -v 1 /a auth::cdrwa,,x",
    "addauth digest user:pw",
    "connect S2",
    "setquota -n 5 /a",
    "delquota -B /a",
    "echo srvr | nc S2 2181",
    "redo -1",
    "printwatches on",
    "history",
    "help ls",
    "config -c",
    "getEphemerals /",
];
const SPRINKLES: &[&str] = &[
    "\"",
    "'",
    "\\",
    " ",
    "\t",
    "-",
    "--",
    "=",
    "-v",
    "-t=",
    ",",
    ":",
    "/",
    "..",
    "\0",
    "\u{1}",
    "\u{7f}",
    "é",
    "中",
    "\u{1F600}",
    "\u{301}",
    "\u{2028}",
    "\u{a0}",
    "-é",
    "99999999999999999999",
    "\n",
    "\r",
    "%",
    "-b",
    "-m",
    "S999",
];

fn pick<'a>(prng: &mut Prng, texts: &[&'a str]) -> &'a str {
    texts[prng.below(texts.len() as u32) as usize]
}

/// A place between two characters.
fn place(prng: &mut Prng, line: &str) -> usize {
    let wanted = prng.below(line.len() as u32 + 1) as usize;
    (0..=wanted).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

fn mutated(prng: &mut Prng) -> String {
    let mut line = pick(prng, SEEDS).to_string();
    for _ in 0..prng.below(6) {
        let at = place(prng, &line);
        match prng.below(4) {
            0 => line.truncate(at),
            1 => line.insert_str(at, pick(prng, SPRINKLES)),
            2 => line.insert_str(at, pick(prng, SEEDS)),
            _ => {
                let to = place(prng, &line);
                line.replace_range(at.min(to)..at.max(to), pick(prng, SPRINKLES));
            }
        }
    }
    line
}

fn names(parent: &str) -> Vec<String> {
    if parent.len().is_multiple_of(2) { Vec::new() } else { vec!["é".into(), "a b".into(), "\"".into()] }
}

#[test]
fn no_line_hurts() {
    let mut prng = Prng::new(1, Stream::Faults);
    let known = Known { children: &names, servers: &[ServerId(1)], version: ZkVersion::V39 };
    let (mut commands, mut proposals) = (0, 0);
    for _ in 0..100_000 {
        let line = mutated(&mut prng);
        match parse(&line) {
            Ok(_) => commands += 1,
            Err(error) => assert!(!error.to_string().is_empty(), "{line:?}"),
        }
        let cursor = prng.below(line.len() as u32 + 3) as usize;
        let completion = complete(&line, cursor, &known);
        assert!(completion.start <= line.len() && line.is_char_boundary(completion.start), "{line:?} at {cursor}");
        assert!(completion.common().len() <= 40);
        proposals += completion.candidates.len();
    }
    assert!(commands > 15_000 && proposals > 20_000, "{commands} commands, {proposals} proposals");
}

#[test]
fn no_line_stops_a_console() {
    let mut prng = Prng::new(2, Stream::Faults);
    let mut console = Console::default();
    for _ in 0..20_000 {
        let step = console.enter(&mutated(&mut prng), State::Connected);
        assert!(step.calls.is_empty() != console.is_busy());
        console.give_up();
    }
    assert!(console.history.count() > 15_000);
}
