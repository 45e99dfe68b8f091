//! Sharing from outside: how long links are, and what other programs are told of a run.

#[path = "share_support/mod.rs"]
mod share_support;

use std::collections::BTreeMap;

use serde_json::Value;
use share_support::clicks::{clicks, lesson_setup};
use zabscope::base::RuleSet;
use zabscope::base::SimTime;
use zabscope::scenarios::{SCENARIOS, scenario};
use zabscope::share::{Export, Look, Moment, OpenError, Place, Telling, decode, encode};
use zabscope::sim::{Digest, Player, Run, Summary};
use zabscope::soak::soak_run;

/// What a typical address has before the fragment, `#` included, characters.
const ADDRESS: usize = 60;

/// A run from a seed.
type Made = fn(u64) -> Run;

fn moment(mut run: Run, actions: usize) -> Moment {
    run.actions.truncate(actions);
    let cursor_us = run.actions.last().map_or(0, |timed| timed.at_us.0 + 123_457);
    let mut look = Look { panel: Some("sessions".into()), picked: Some("S2".into()), ..Look::default() };
    (look.lang, look.speed) = (Some("en".into()), Some("1/30".into()));
    look.until_ms = Some(61_234);
    Moment { run, place: Place { events: 31_415, cursor_us }, look, beside: None }
}

#[test]
fn three_hundred_clicks_fit_into_two_thousand_characters() {
    let mixes: [(&str, usize, Made); 4] = [
        ("clicks on servers", 2_000, |seed| clicks(seed, 300, 10, lesson_setup())),
        ("clicks on servers and clients", 4_000, |seed| clicks(seed, 300, 5, lesson_setup())),
        ("clicks on clients", 4_000, |seed| clicks(seed, 300, 0, lesson_setup())),
        ("schedules of the soak", 6_000, |seed| soak_run(3 + 2 * (seed % 2) as u8, seed, 3, RuleSet::default())),
    ];
    for (name, most, make) in mixes {
        for count in [0, 100, 200, 300] {
            let length = |seed| {
                let moment = moment(make(seed), count);
                assert_eq!(moment.run.actions.len(), count, "{name}, seed {seed}");
                let link = encode(&moment).expect("a link");
                assert_eq!(decode(&link).as_ref(), Ok(&moment));
                link.len() + ADDRESS
            };
            let mut lengths: Vec<usize> = (0..20).map(length).collect();
            lengths.sort_unstable();
            println!("{name}, {count} actions: {} to {}, median {}", lengths[0], lengths[19], lengths[10]);
            assert!(lengths[19] <= most, "{name}, {count} actions: {lengths:?}");
        }
    }
}

#[test]
fn scenarios_and_random_runs_survive() {
    let random = (0..12).map(|seed| soak_run(3 + 2 * (seed % 3) as u8, seed, 1, RuleSet::default()));
    for run in SCENARIOS.iter().map(|scenario| scenario.run()).chain(random) {
        let moment = moment(run, usize::MAX);
        let link = encode(&moment).unwrap_or_else(|trouble| panic!("{trouble:?}: {}", moment.run.to_json()));
        assert_eq!(decode(&link).as_ref(), Ok(&moment), "{link}");
    }
}

fn told(run: &Run, until: SimTime, telling: Telling) -> String {
    let mut export = Export::new(run, until, telling).expect("an export");
    let mut text = String::new();
    // pieces of any size make the same text
    while export.advance(1 + text.len() as u64 % 700, &mut text).expect("more text") {
        let (at, of) = export.progress();
        assert!(at <= of);
    }
    assert_eq!(export.progress(), (until.0, until.0));
    text
}

/// Runs to be told: scenarios with clients and recipes, and a random run.
fn runs() -> Vec<(Run, SimTime)> {
    let named = ["leader-crash-under-load", "lock-herd", "zk-stale-read", "rejoin-trunc"];
    let mut runs: Vec<(Run, SimTime)> = named
        .iter()
        .map(|id| scenario(id).unwrap_or_else(|| panic!("{id}")))
        .map(|scenario| (scenario.run(), SimTime::from_ms(scenario.until_ms)))
        .collect();
    runs.push((soak_run(3, 11, 1, RuleSet::default()), SimTime::from_ms(12_345)));
    runs
}

fn played(run: &Run, until: SimTime) -> Summary {
    let mut player = Player::new(run.clone()).expect("a run");
    player.run_until(until, |_, _| {});
    player.summary(0)
}

#[test]
fn facts_are_what_the_digest_is_made_of() {
    use std::hash::Hasher;
    for (run, until) in runs() {
        let text = told(&run, until, Telling::Facts);
        let mut hasher = siphasher::sip128::SipHasher24::new();
        hasher.write(text.as_bytes());
        let hex = format!("{:032x}", siphasher::sip128::Hasher128::finish128(&hasher).as_u128());
        assert_eq!(hex, played(&run, until).digest);
        assert_ne!(hex, Digest::default().hex());
    }
}

/// A table by columns.
fn table(text: &str) -> BTreeMap<String, Vec<u64>> {
    let mut lines = text.split("\r\n");
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<u64> = line.split(',').map(|cell| cell.parse().expect(line)).collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        for (name, cell) in names.iter().zip(cells) {
            columns.entry(name.to_string()).or_default().push(cell);
        }
    }
    columns
}

#[test]
fn counters_add_up_whatever_the_rows() {
    for (run, until) in runs() {
        let summary = played(&run, until);
        let facts = told(&run, until, Telling::Facts);
        let count = |what: &str| facts.lines().filter(|line| line.contains(what)).count() as u64;
        let mut sums = Vec::new();
        for every_us in [1_000_000, 250_000, 77_777] {
            let table = table(&told(&run, until, Telling::Counters { every_us }));
            assert_eq!(table["from_us"].len() as u64, until.0.div_ceil(every_us));
            assert_eq!(table["until_us"].last(), Some(&until.0));
            assert!(table["from_us"].iter().skip(1).eq(table["until_us"].iter().rev().skip(1).rev()));
            sums.push(table.into_iter().map(|(name, cells)| (name, cells.iter().sum::<u64>())).collect::<Vec<_>>());
        }
        let without_ends = |sums: &[(String, u64)]| -> BTreeMap<String, u64> {
            sums.iter().filter(|(name, _)| !["from_us", "until_us"].contains(&name.as_str())).cloned().collect()
        };
        let sum = without_ends(&sums[0]);
        assert!(sums.iter().all(|other| without_ends(other) == sum));
        assert_eq!((sum["events"], sum["facts"]), (summary.events, summary.facts));
        assert_eq!(sum["commits"], summary.committed);
        for (column, kind) in
            [("sent", "sent"), ("delivered", "delivered"), ("lost", "lost"), ("disk_syncs", "synced")]
        {
            assert_eq!(sum[column], count(&format!(r#""kind":"{kind}""#)), "{column}");
        }
        if let Some(recipes) = summary.recipes {
            assert_eq!(sum["handovers"], recipes.handovers);
            assert_eq!((sum["client_requests"], sum["notifications"]), (recipes.requests, recipes.notifications));
        }
        // each type has its columns, and they are all there is
        for fate in ["sent", "delivered", "lost"] {
            let by_type = sum.iter().filter(|(name, _)| name.starts_with(&format!("{fate}_")));
            assert_eq!(by_type.map(|(_, cells)| cells).sum::<u64>(), sum[fate], "{fate}");
        }
        assert!(sum["no_leader_us"] < until.0 && sum["no_leader_us"] > 0, "{}", sum["no_leader_us"]);
        assert!(sum["sent_PROPOSAL"] >= sum["commits"]);
    }
}

#[test]
fn time_without_a_leader_is_the_time_between_reigns() {
    let run = scenario("leader-crash-under-load").expect("a scenario").run();
    let until = SimTime::from_ms(6_000);
    let facts = told(&run, until, Telling::Facts);
    let (mut leaders, mut alone, mut since) = (Vec::new(), 0, 0);
    for fact in facts.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        let (at, server) = (fact["at_us"].as_u64().expect("a time"), fact["server"].as_u64());
        match fact["kind"].as_str() {
            Some("established") => {
                alone += if leaders.is_empty() { at - since } else { 0 };
                leaders.push(server);
            }
            Some("left" | "crashed" | "exited") if leaders.contains(&server) => {
                leaders.retain(|leader| *leader != server);
                since = at;
            }
            _ => {}
        }
    }
    alone += if leaders.is_empty() { until.0 - since } else { 0 };
    let table = table(&told(&run, until, Telling::Counters { every_us: 100_000 }));
    assert_eq!(table["no_leader_us"].iter().sum::<u64>(), alone);
    assert_eq!(table["elections"].iter().sum::<u64>() as usize, facts.matches(r#""role":"LEADING""#).count());
}

#[test]
fn tables_and_texts_are_bounded_before_work_is_done() {
    let run = SCENARIOS[0].run();
    let far = SimTime::from_ms(1_000_000_000);
    assert_eq!(Export::new(&run, far, Telling::Counters { every_us: 1 }).err(), Some(OpenError::TooManyRows));
    assert!(Export::new(&run, far, Telling::Counters { every_us: 1_000_000_000 }).is_ok());
    let mut wrong = run.clone();
    wrong.setup.voters = 0;
    assert!(matches!(Export::new(&wrong, far, Telling::Facts), Err(OpenError::Run(_))));
    assert!(Export::new(&run, SimTime::from_ms(1), Telling::Counters { every_us: 0 }).is_ok());
}

/// An entry of a trace.
struct Entry {
    event: String,
    host: String,
    clock: BTreeMap<String, u64>,
}

/// Takes a trace apart as ShiViz does: the first line is the expression, the second parts runs, entries have two lines.
fn entries(text: &str) -> Vec<Entry> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(r"(?<time>\S*) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})"));
    assert_eq!(lines.next(), Some(""));
    let mut entries = Vec::new();
    while let (Some(first), Some(second)) = (lines.next(), lines.next()) {
        let (time, event) = first.split_once(' ').expect(first);
        assert!(time.ends_with('s') && time[..time.len() - 1].parse::<f64>().is_ok(), "{first}");
        let (host, clock) = second.split_once(' ').expect(second);
        let clock = serde_json::from_str(clock).unwrap_or_else(|error| panic!("{second}: {error}"));
        entries.push(Entry { event: event.into(), host: host.into(), clock });
    }
    entries
}

fn at_most(a: &BTreeMap<String, u64>, b: &BTreeMap<String, u64>) -> bool {
    a.iter().all(|(host, count)| b.get(host).is_some_and(|other| count <= other))
}

#[test]
fn the_clocks_of_a_trace_are_right() {
    for (run, until) in runs() {
        let (facts, trace) = (told(&run, until, Telling::Facts), entries(&told(&run, until, Telling::Trace)));
        // each host counts its own entries, one by one, and forgets nothing
        let mut last: BTreeMap<&str, &BTreeMap<String, u64>> = BTreeMap::new();
        for entry in &trace {
            let before = last.insert(&entry.host, &entry.clock);
            let own = before.map_or(0, |clock| clock[&entry.host]);
            assert_eq!(entry.clock[&entry.host], own + 1, "{} {}", entry.host, entry.event);
            assert!(before.is_none_or(|before| at_most(before, &entry.clock)), "{} {}", entry.host, entry.event);
        }
        // which entry is which message: sends and receives stand in the order of the facts
        let ends = |entry: &&Entry| entry.event.starts_with("send ") || entry.event.starts_with("receive ");
        let mut ends = trace.iter().filter(ends);
        let (mut sent, mut received) = (BTreeMap::new(), 0);
        for fact in facts.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
            match fact["kind"].as_str() {
                Some("sent") => {
                    let entry = ends.next().expect("an entry for each send");
                    assert!(entry.event.starts_with("send "), "{}", entry.event);
                    sent.insert(fact["msg"].as_u64(), entry);
                }
                Some("delivered") => {
                    let (entry, from) = (ends.next().expect("an entry"), sent[&fact["msg"].as_u64()]);
                    assert!(entry.event.starts_with("receive "), "{}", entry.event);
                    assert!(at_most(&from.clock, &entry.clock) && from.clock != entry.clock, "{}", entry.event);
                    assert_ne!(from.host, entry.host);
                    received += 1;
                }
                _ => {}
            }
        }
        assert!(received > 100 && ends.next().is_none(), "{received}");
        // what nobody told each other stays apart: somewhere two entries are concurrent
        let some = trace
            .windows(2)
            .filter(|pair| !at_most(&pair[0].clock, &pair[1].clock) && !at_most(&pair[1].clock, &pair[0].clock));
        assert!(some.count() > 10);
    }
}
