//! Election by generation clock: soaked, counted, and told event by event where a text tells it so.

use std::collections::BTreeSet;
use std::rc::Rc;

use zabscope::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::rivals::generation::{Answer, Broken, Brokens, Fact, Generation, Position, Program, Refusal, Verdict};
use zabscope::sim::{self, Action, LatencyRange, Record, Run, Setup, Systems, WorldFact};

use crate::faults::{Faults, assert_safe, faulty_run, first_breach, judged, played, stated};
use crate::length::seeds;
use crate::systems::{assert_comes_back, assert_refused, assert_speaks};

const LENGTH_MS: u64 = 15_000;

fn g(n: u8) -> ServerId {
    ServerId::nth("G", n)
}

fn set(servers: &[u8]) -> ServerSet {
    servers.iter().map(|n| g(*n)).collect()
}

fn setup(generation: Generation) -> Setup {
    let systems = Systems { generation: Some(Box::new(generation)), ..Systems::default() };
    Setup { voters: 0, systems, ..Setup::default() }
}

fn broken(rules: &[Broken]) -> Brokens {
    Brokens(rules.to_vec())
}

/// How hard a soak is, ms.
#[derive(Clone, Copy, Debug)]
struct Weather {
    /// Time to the next fault, and how long it lasts, at most.
    every: u64,
    lasts: u64,
    /// Heartbeats and election timeout.
    heartbeat: u64,
    election: u64,
    /// How long clients rest between writes.
    rest: u64,
}

const USUAL: Weather = Weather { every: 350, lasts: 1_000, heartbeat: 50, election: 250, rest: 40 };

/// Three or five servers, two clients that write and read without end, and faults.
fn soak_in(weather: Weather, seed: u64, rules: &[Broken]) -> Run {
    let rest = format!("sleep {}", weather.rest);
    let lines = |n: u8| [format!("put x {n}1"), "get x".into(), format!("put y {n}2"), rest.clone()].to_vec();
    let client = |n: u8| Program { server: n, timeout_ms: 700, lines: lines(n), repeat: true };
    let servers = if seed.is_multiple_of(2) { 3 } else { 5 };
    let generation = Generation {
        servers,
        heartbeat_ms: weather.heartbeat,
        election_ms: weather.election,
        pre_vote: seed.is_multiple_of(3),
        check_quorum: seed % 4 < 2,
        broken: broken(rules),
        clients: vec![client(1), client(2)],
    };
    let machines: Vec<ServerId> = (1..=servers).map(g).collect();
    let (every_ms, lasts_ms) = (weather.every, weather.lasts);
    let faults = Faults { machines: &machines, clocks: &machines, for_ms: LENGTH_MS - 3_000, every_ms, lasts_ms };
    faulty_run(seed, setup(generation), &faults)
}

fn soak(seed: u64, rules: &[Broken]) -> Run {
    soak_in(USUAL, seed, rules)
}

/// Faults and clients at such a pace that servers are back while candidates still ask.
fn storm(seed: u64, rules: &[Broken]) -> Run {
    soak_in(Weather { every: 60, lasts: 150, heartbeat: 20, election: 100, rest: 300 }, seed, rules)
}

/// Nobody times out. Again and again two of three servers are left together, one of them asks for votes, and what a client writes at it
/// gets to the other or not: so terms and logs part as they seldom do by themselves.
fn drawn(seed: u64, rules: &[Broken]) -> Run {
    let mut prng = Prng::new(seed, Stream::Faults);
    let mut run = Run { seed, ..by_hand(3, rules) };
    for at in (500..DRAWN_MS - 2_000).step_by(1_500) {
        let n = 1 + prng.below(3) as u8;
        let with = (n + prng.below(2) as u8) % 3 + 1;
        let third = 6 - n - with;
        run.cuts(at, &[third], &[n, with]);
        run.heals(at, &[n], &[with]);
        [350, 500, 650].into_iter().for_each(|later| run.campaigns(at + later, n));
        if prng.chance(1, 2) {
            run.cuts(at + 800, &[n], &[with]);
        }
        run.types(at + 850, n, &format!("endpoint {}", g(n)));
        run.types(at + 850, n, &format!("put x {at}"));
        if prng.chance(1, 4) {
            run.does(at + 1_300, Action::Crash { server: g(n) });
            run.does(at + 1_400, Action::Restart { server: g(n) });
        }
    }
    run
}

const DRAWN_MS: u64 = 30_000;

#[test]
fn no_fault_violates_a_property() {
    assert_safe::<Verdict>(seeds(200), LENGTH_MS, |seed| soak(seed, &[]));
    for rules in [&[][..], &[Broken::NoEmptyEntry]] {
        assert_safe::<Verdict>(seeds(50), LENGTH_MS, |seed| storm(seed, rules));
        assert_safe::<Verdict>(seeds(200), DRAWN_MS, |seed| drawn(seed, rules));
    }
}

#[test]
fn clients_get_answers_while_that_is_soaked() {
    let count = |seed| {
        let records = played(&soak(seed, &[]), LENGTH_MS);
        stated::<Fact>(&records).filter(|(_, _, fact)| matches!(fact, Fact::Answered { .. })).count()
    };
    let answered: Vec<usize> = (0..10).map(count).collect();
    assert!(answered.iter().all(|answers| *answers > 50), "{answered:?}");
}

const ONE_LEADER: &str = "generation-one-leader";
const COMPLETE: &str = "generation-leader-complete";
const MATCHING: &str = "generation-log-matching";
const MACHINE: &str = "generation-state-machine";
const TERM_BACK: &str = "generation-term-back";

/// Each rule, broken, violates these properties within a hundred seeds.
#[test]
fn each_broken_rule_is_found_out() {
    type Soak = fn(u64, &[Broken]) -> Run;
    let table: [(&[Broken], &str, Soak); 8] = [
        (&[Broken::AsPrinted], COMPLETE, soak),
        (&[Broken::AsPrinted], MACHINE, soak),
        (&[Broken::IndexOnly], COMPLETE, soak),
        (&[Broken::VoteNotForced], TERM_BACK, soak),
        (&[Broken::VoteForgotten], ONE_LEADER, storm),
        (&[Broken::CommitByCount, Broken::NoEmptyEntry], COMPLETE, drawn),
        (&[Broken::HighestIdWins], COMPLETE, soak),
        (&[Broken::AppendUnchecked], MATCHING, soak),
    ];
    let mut safe = Vec::new();
    for (rules, property, soak) in table {
        match first_breach::<Verdict>(DRAWN_MS, &[property], |seed| soak(seed, rules)) {
            Some((seed, breach)) => println!("{rules:?}: seed {seed}, {property}: {}", breach.said[0]),
            None => safe.push((rules, property)),
        }
    }
    assert!(safe.is_empty(), "no breach in a hundred seeds: {safe:?}");
}

/// Servers that time out only when they are told to, and a client beside each.
fn by_hand(servers: u8, rules: &[Broken]) -> Run {
    let client = |server| Program { server, timeout_ms: 600, lines: Vec::new(), repeat: false };
    let generation = Generation {
        servers,
        heartbeat_ms: 200,
        election_ms: 100_000,
        pre_vote: false,
        check_quorum: false,
        broken: broken(rules),
        clients: (1..=servers).map(client).collect(),
    };
    Run::new(1, setup(generation))
}

trait Deeds {
    fn does(&mut self, ms: u64, action: Action);

    fn campaigns(&mut self, ms: u64, n: u8) {
        self.does(ms, Action::Write { server: g(n), data: "campaign".into(), count: 1, every_us: 0 });
    }

    fn types(&mut self, ms: u64, n: u8, line: &str) {
        self.does(ms, Action::Write { server: ServerId::nth("C", n), data: line.into(), count: 1, every_us: 0 });
    }

    fn cuts(&mut self, ms: u64, from: &[u8], to: &[u8]) {
        self.does(ms, Action::Cut { from: set(from), to: set(to), one_way: false });
    }

    fn heals(&mut self, ms: u64, from: &[u8], to: &[u8]) {
        self.does(ms, Action::Heal { from: set(from), to: set(to), one_way: false });
    }
}

impl Deeds for Run {
    fn does(&mut self, ms: u64, action: Action) {
        self.push(SimTime::from_ms(ms), action);
    }
}

fn properties(run: &Run, until_ms: u64) -> BTreeSet<&'static str> {
    judged::<Verdict>(run, until_ms).into_iter().map(|breach| breach.property).collect()
}

fn facts(run: &Run, until_ms: u64) -> Vec<(SimTime, ServerId, Fact)> {
    let records = played(run, until_ms);
    stated::<Fact>(&records).map(|(at, by, fact)| (at, by, fact.clone())).collect()
}

fn leaders(facts: &[(SimTime, ServerId, Fact)]) -> Vec<(u64, ServerId)> {
    let leads = |(_, by, fact): &(SimTime, ServerId, Fact)| match fact {
        Fact::Leads { term, .. } => Some((*term, *by)),
        _ => None,
    };
    facts.iter().filter_map(leads).collect()
}

/// Raft's figure 8, up to c): G1 leads again, in term 3, and spreads its entry of term 1 to a majority.
fn figure_8(rules: &[Broken]) -> Run {
    let mut run = by_hand(5, rules);
    // a) G1 leads term 1, its write gets to G2
    run.campaigns(1_000, 1);
    run.cuts(2_000, &[1, 2], &[3, 4, 5]);
    run.types(2_100, 1, "put x a");
    // b) G1 crashes, G5 leads term 2 and writes on its own disk only
    run.does(3_900, Action::Crash { server: g(1) });
    // what G1 had sent to others is held for as long as its links are cut
    run.heals(4_000, &[2], &[3, 4, 5]);
    run.campaigns(6_000, 5);
    run.cuts(7_000, &[5], &[1, 2, 3, 4]);
    run.types(7_100, 5, "put x b");
    // c) G5 crashes, G1 leads term 3 with G2 and G3
    run.does(9_000, Action::Crash { server: g(5) });
    run.heals(9_100, &[1], &[3]);
    run.does(9_200, Action::Restart { server: g(1) });
    run.campaigns(12_000, 1);
    run.campaigns(13_000, 1);
    run
}

/// d) G1 crashes, G5 is back and asks for votes until its term is the highest.
fn and_d(run: &mut Run) {
    run.does(18_000, Action::Crash { server: g(1) });
    run.does(18_100, Action::HealAll);
    run.does(18_200, Action::Restart { server: g(5) });
    run.campaigns(21_000, 5);
    run.campaigns(22_000, 5);
    run.campaigns(23_000, 5);
    run.types(24_000, 5, "put x c");
}

#[test]
fn figure_8_an_entry_of_an_earlier_term_is_not_committed_by_count() {
    let mut run = figure_8(&[Broken::NoEmptyEntry]);
    and_d(&mut run);
    let told = facts(&run, 27_000);
    let leaders = leaders(&told);
    assert_eq!(leaders[..3], [(1, g(1)), (2, g(5)), (3, g(1))], "{leaders:?}");
    assert_eq!(leaders[3].1, g(5), "{leaders:?}");
    let first = Position { term: 1, index: 1 };
    let counted = |fact: &Fact| matches!(fact, Fact::NotCommitted { term: 3, at, on: 3 } if *at == first);
    assert!(told.iter().any(|(_, by, fact)| *by == g(1) && counted(fact)), "a majority has 1:1");
    let overwritten = told.iter().filter(|(_, _, fact)| matches!(fact, Fact::Conflict { from: 1, .. })).count();
    assert_eq!(overwritten, 2, "G2 and G3 had it");
    assert!(properties(&run, 27_000).is_empty());
}

#[test]
fn figure_8_counted_alone_a_committed_entry_is_lost() {
    let mut run = figure_8(&[Broken::NoEmptyEntry, Broken::CommitByCount]);
    and_d(&mut run);
    assert_eq!(properties(&run, 27_000), [COMPLETE, MACHINE].into());
}

#[test]
fn figure_8_with_an_entry_of_its_own_term_the_other_cannot_win() {
    let mut run = figure_8(&[Broken::NoEmptyEntry]);
    // e) in term 3 G1 writes on a majority
    run.types(15_000, 1, "put x e");
    and_d(&mut run);
    let told = facts(&run, 27_000);
    assert!(leaders(&told).iter().all(|(term, by)| *by != g(5) || *term == 2), "{:?}", leaders(&told));
    let refused = |fact: &Fact| matches!(fact, Fact::Refused { candidate, reason: Refusal::LogBehind, .. } if *candidate == g(5));
    for voter in [2, 3] {
        assert!(told.iter().any(|(_, by, fact)| *by == g(voter) && refused(fact)), "G{voter}");
    }
    assert!(properties(&run, 27_000).is_empty());
}

/// G2 votes for G1, forgets it, and is asked by G3 in the same term.
fn asked_twice(rules: &[Broken], how: Action) -> Run {
    let mut run = by_hand(3, &[rules, &[Broken::NoEmptyEntry]].concat());
    run.cuts(500, &[1], &[3]);
    run.campaigns(1_000, 1);
    run.does(2_000, how);
    run.cuts(2_100, &[1], &[2]);
    run.does(2_500, Action::Restart { server: g(2) });
    run.campaigns(5_000, 3);
    run
}

#[test]
fn a_vote_that_is_lost_is_given_twice() {
    let off = || Action::PowerOff { server: g(2) };
    let killed = || Action::Kill { server: g(2) };
    assert_eq!(properties(&asked_twice(&[Broken::VoteNotForced], off()), 8_000), [ONE_LEADER, TERM_BACK].into());
    assert_eq!(properties(&asked_twice(&[Broken::VoteForgotten], killed()), 8_000), [ONE_LEADER].into());
    for how in [off(), killed()] {
        let run = asked_twice(&[], how);
        assert!(properties(&run, 8_000).is_empty());
        let voted = |fact: &Fact| matches!(fact, Fact::Refused { term: 1, reason: Refusal::Voted, .. });
        assert!(facts(&run, 8_000).iter().any(|(_, by, fact)| *by == g(2) && voted(fact)));
    }
}

/// The pattern as it is printed: the shorter log asks first in a newer generation, and wins.
#[test]
fn as_printed_the_one_behind_wins_and_a_committed_entry_is_lost() {
    let story = |rules: &[Broken]| {
        let mut run = by_hand(3, rules);
        run.campaigns(1_000, 1);
        run.cuts(2_000, &[3], &[1, 2]);
        run.types(2_100, 1, "put x 1");
        run.does(3_500, Action::Crash { server: g(1) });
        run.heals(3_600, &[2], &[3]);
        run.campaigns(6_000, 3);
        run
    };
    let printed = story(&[Broken::AsPrinted]);
    assert_eq!(leaders(&facts(&printed, 9_000)), [(1, g(1)), (2, g(3))]);
    assert!(properties(&printed, 9_000).contains(COMPLETE));
    let right = story(&[]);
    assert_eq!(leaders(&facts(&right, 9_000)), [(1, g(1))]);
    let done = |fact: &Fact| matches!(fact, Fact::Answered { answer: Answer::Done { .. }, .. });
    assert!(facts(&right, 9_000).iter().any(|(_, _, fact)| done(fact)), "the write was acknowledged");
}

fn quick(generation: Generation) -> Setup {
    let ms = |least, most| LatencyRange { min_us: least, max_us: most };
    Setup { latency: ms(500, 1_000), transmit_us: 10, disk_sync: ms(500, 1_000), ..setup(generation) }
}

/// The leader of a run that is left alone so far, and when the run goes on without it.
fn leader_killed(seed: u64, generation: Generation) -> (Run, ServerId) {
    let mut run = Run::new(seed, quick(generation));
    let leader = leaders(&facts(&run, 6_000)).last().expect("a leader").1;
    run.does(6_000, Action::Kill { server: leader });
    (run, leader)
}

/// Messages of a type that were delivered, and forced writes, from the vote of the new leader for itself until its first round is answered.
fn counts(records: &[Rc<Record>], from: SimTime) -> ([usize; 4], usize) {
    let types = ["RequestVote", "RequestVoteReply", "AppendEntries", "AppendEntriesReply"];
    let (mut messages, mut forced) = ([0; 4], 0);
    // less than a heartbeat
    for record in records.iter().filter(|record| record.at_us >= from && record.at_us < from.plus(90_000)) {
        match &record.fact {
            sim::Fact::World(WorldFact::Delivered { name, .. }) => {
                if let Some(kind) = types.iter().position(|kind| kind == name) {
                    messages[kind] += 1;
                }
            }
            sim::Fact::Other { fact, .. } => {
                forced += usize::from(matches!(fact.value(), Some(Fact::Saved { forced: true, .. })));
            }
            _ => {}
        }
    }
    (messages, forced)
}

/// Reference 5.3: one undisturbed election after a kill costs 4 messages with three servers, 12 with five; term and vote are
/// forced at the candidate and at each voter, the first entry at all.
#[test]
fn an_election_costs_what_it_should() {
    for (servers, each) in [(3, 1), (5, 3)] {
        let mut undisturbed = 0;
        for seed in 0..20 {
            let (run, _) = leader_killed(seed, Generation { servers, ..Generation::default() });
            let records = played(&run, 12_000);
            let after: Vec<_> = stated::<Fact>(&records).filter(|(at, ..)| *at > SimTime::from_ms(6_000)).collect();
            let asked: Vec<_> = after.iter().filter(|(_, _, fact)| matches!(fact, Fact::Candidate { .. })).collect();
            let ignored = after.iter().any(|(_, _, fact)| matches!(fact, Fact::Ignored { .. }));
            if asked.len() != 1 || ignored {
                continue;
            }
            undisturbed += 1;
            let (messages, forced) = counts(&records, asked[0].0);
            assert_eq!(messages, [each; 4], "{servers} servers, seed {seed}");
            assert_eq!(forced, 2 * (1 + each), "{servers} servers, seed {seed}: vote and first entry at each");
        }
        assert!(undisturbed >= 5, "{undisturbed} of 20 elections were undisturbed");
    }
}

/// E6: with a majority up and links whole there is a leader within ten election timeouts. Where all timeouts are equal, never.
#[test]
fn somebody_leads_within_ten_timeouts_unless_all_are_equal() {
    for seed in 0..100 {
        let servers = if seed % 2 == 0 { 3 } else { 5 };
        let generation = Generation { servers, pre_vote: seed % 3 == 0, ..Generation::default() };
        let (run, killed) = leader_killed(seed, generation);
        let led = leaders(&facts(&run, 16_000));
        assert!(led.last().is_some_and(|(_, by)| *by != killed), "seed {seed}");
    }
    for seed in 0..10 {
        let generation = Generation { broken: broken(&[Broken::FixedTimeouts]), ..Generation::default() };
        let told = facts(&Run::new(seed, quick(generation)), 30_000);
        assert!(leaders(&told).is_empty(), "seed {seed}");
        assert!(told.iter().filter(|(_, _, fact)| matches!(fact, Fact::Candidate { .. })).count() > 60);
    }
}

/// Without pre-vote a follower that was cut off deposes a healthy leader once; with it nobody notices.
#[test]
fn pre_vote_keeps_the_peace() {
    for (pre_vote, seed) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
        let mut run = Run::new(seed, quick(Generation { pre_vote, ..Generation::default() }));
        let (_, leader) = leaders(&facts(&run, 6_000))[0];
        let away = (1..=3).find(|n| g(*n) != leader).expect("a follower");
        let rest: Vec<u8> = (1..=3).filter(|n| *n != away).collect();
        run.cuts(6_000, &[away], &rest);
        run.does(14_000, Action::HealAll);
        let told = facts(&run, 22_000);
        let later = leaders(&told).len() - 1;
        match pre_vote {
            true => assert_eq!(later, 0),
            false => assert!(later > 0, "the leader was deposed"),
        }
        let asks = |fact: &Fact| matches!(fact, Fact::Candidate { pre: false, .. });
        let alone = told.iter().filter(|(at, by, fact)| *by == g(away) && asks(fact) && at.as_ms() > 6_000).count();
        assert_eq!(alone > 0, !pre_vote);
    }
}

/// Whoever is behind asks again and again; where each refused request starts the others' time anew, they get round to it later.
#[test]
fn a_refused_request_moves_nobodys_timeout() {
    let wait = |rules: &[Broken]| -> u64 {
        let story = |seed| {
            let mut run = Run::new(seed, quick(Generation { broken: broken(rules), ..Generation::default() }));
            let (_, leader) = leaders(&facts(&run, 6_000))[0];
            let behind = (1..=3).map(g).find(|id| *id != leader).expect("a follower");
            let all: ServerSet = (1..=3).map(g).filter(|id| *id != behind).collect();
            run.does(6_000, Action::Cut { from: [behind].into_iter().collect(), to: all, one_way: false });
            run.does(6_200, Action::Kill { server: leader });
            run.does(6_300, Action::HealAll);
            let told = facts(&run, 40_000);
            let led = told.iter().filter(|(_, _, fact)| matches!(fact, Fact::Leads { .. })).nth(1);
            led.map_or(40_000, |(at, ..)| at.as_ms()) - 6_000
        };
        (0..20).map(story).sum()
    };
    let (right, reset) = (wait(&[]), wait(&[Broken::ResetOnRefused]));
    assert!(right <= reset, "{right} and {reset} ms");
}

#[test]
fn facts_speak_both_languages_and_say_why() {
    let run = soak(3, &[]);
    for (_, _, fact) in facts(&run, LENGTH_MS) {
        assert_speaks("generation", &fact);
    }
}

#[test]
fn a_setup_is_read_and_its_bounds_are_named() {
    assert_comes_back(
        "generation",
        r#"{"servers":5,"pre_vote":true,"broken":["as-printed"],"clients":[{"lines":["put x 1"]}]}"#,
    );
    let complaints = [
        (r#"{"servers":10}"#, "generation.servers: 10 is not a whole number from 1 to 9"),
        (r#"{"heartbeat_ms":0}"#, "generation.heartbeat_ms: 0 is not"),
        (r#"{"election_ms":100}"#, "generation.election_ms: 100 is not a whole number from 200 to"),
        (r#"{"broken":["x"]}"#, "generation.broken[0]: unknown name `x`; expected `as-printed`"),
        (r#"{"clients":[{"server":4}]}"#, "generation.clients[0].server: 4 is not a whole number from 1 to 3"),
        (r#"{"clients":[{"lines":["put x"]}]}"#, "generation.clients[0].lines[0]: unknown name `put x`"),
        (r#"{"clients":[{"lines":["endpoint G7"]}]}"#, "generation.clients[0].lines[0]: 7 is not"),
        (
            r#"{"clients":[{"lines":["endpoint G1"],"repeat":true}]}"#,
            "generation.clients[0].repeat: retrying forever",
        ),
    ];
    assert_refused("generation", &complaints);
}
