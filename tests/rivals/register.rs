//! The register kept by quorums: its inversion event by event, ABD as the cure, soaked and counted.

use zabscope::base::{ServerId, ServerSet, SimTime};
use zabscope::daemon::Judge;
use zabscope::rivals::register::{Fact, Held, Program, Register, Repair, Rules, Stamp, Stamps, Verdict};
use zabscope::sim::{self, Action, Run, Setup, Systems, WorldFact};

use crate::faults::{Faults, assert_safe, faulty_run, first_breach, judged, played, stated};
use crate::length::seeds;
use crate::systems::{assert_comes_back, assert_refused, assert_speaks};

const LENGTH_MS: u64 = 15_000;
const LINEAR: &str = "register-linearizable";
const MONOTONIC: &str = "register-monotonic-reads";
const ACKNOWLEDGED: &str = "register-acknowledged";

fn n(n: u8) -> ServerId {
    ServerId::nth("N", n)
}

fn c(n: u8) -> ServerId {
    ServerId::nth("C", n)
}

fn set(machines: &[ServerId]) -> ServerSet {
    machines.iter().copied().collect()
}

fn setup(register: Register) -> Setup {
    let systems = Systems { register: Some(Box::new(register)), ..Systems::default() };
    Setup { voters: 0, systems, ..Setup::default() }
}

/// The plain quorum: R = W = 2 of 3.
fn plain() -> Rules {
    Register::default().rules
}

/// Attiya, Bar-Noy and Dolev's.
fn abd() -> Rules {
    Rules { write_back: true, ..plain() }
}

/// Three clients that write and read without end, and faults.
fn soak(seed: u64, rules: Rules, spares: u8) -> Run {
    let line = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
    let program = |lines: &[&str]| Program { timeout_ms: 600, lines: line(lines), repeat: true };
    let clients = vec![
        program(&["write x a", "sleep 60", "write x b", "read x"]),
        program(&["read x", "sleep 20", "read x", "sleep 5"]),
        program(&["read x", "sleep 15", "write x c", "read x", "sleep 70"]),
    ];
    let machines: Vec<ServerId> = (1..=3 + spares).map(n).chain((1..=3).map(c)).collect();
    let clocks: Vec<ServerId> = (1..=3).map(c).collect();
    let faults =
        Faults { machines: &machines, clocks: &clocks, for_ms: LENGTH_MS - 3_000, every_ms: 300, lasts_ms: 1_500 };
    faulty_run(seed, setup(Register { rules, spares, clients, ..Register::default() }), &faults)
}

#[test]
fn with_write_back_no_fault_violates_a_property() {
    assert_safe::<Verdict>(seeds(200), LENGTH_MS, |seed| soak(seed, abd(), 0));
}

/// A read that waits until all whom it asked have the newest does the same for those that it needs.
#[test]
fn repair_before_the_answer_is_as_good() {
    assert_safe::<Verdict>(0..50, LENGTH_MS, |seed| soak(seed, Rules { repair: Repair::Before, ..plain() }, 0));
}

#[test]
fn clients_get_answers_while_that_is_soaked() {
    let count = |seed| {
        let records = played(&soak(seed, abd(), 0), LENGTH_MS);
        let done = |fact: &Fact| matches!(fact, Fact::ReadDone { .. } | Fact::WriteDone { .. });
        stated::<Fact>(&records).filter(|(_, _, fact)| done(fact)).count()
    };
    let done: Vec<usize> = (0..10).map(count).collect();
    assert!(done.iter().all(|done| *done > 50), "{done:?}");
}

#[test]
fn each_weaker_register_is_found_out() {
    let table = [
        ("R = W = 2", plain(), 0, LINEAR),
        ("R = W = 2", plain(), 0, MONOTONIC),
        ("repair after the answer", Rules { repair: Repair::After, ..plain() }, 0, MONOTONIC),
        ("R = 1", Rules { r: 1, ..abd() }, 0, ACKNOWLEDGED),
        ("W = 1", Rules { w: 1, ..abd() }, 0, ACKNOWLEDGED),
        ("clocks", Rules { stamps: Stamps::Clock, ..abd() }, 0, LINEAR),
        ("sloppy quorum", Rules { stand_in_ms: 150, ..abd() }, 2, LINEAR),
    ];
    let mut safe = Vec::new();
    for (name, rules, spares, property) in table {
        match first_breach::<Verdict>(LENGTH_MS, &[property], |seed| soak(seed, rules, spares)) {
            Some((seed, breach)) => println!("{name}: seed {seed}, {property}: {}", breach.said[0]),
            None => safe.push((name, property)),
        }
    }
    assert!(safe.is_empty(), "no breach in a hundred seeds: {safe:?}");
}

/// Clients without a program, and what is typed at them.
struct Story(Run);

impl Story {
    fn new(clients: usize, register: Register) -> Story {
        let client = Program { timeout_ms: 500, lines: Vec::new(), repeat: false };
        Story(Run::new(1, setup(Register { clients: vec![client; clients], ..register })))
    }

    fn at(&mut self, ms: u64, action: Action) {
        self.0.push(SimTime::from_ms(ms), action);
    }

    fn types(&mut self, ms: u64, client: u8, line: &str) {
        self.at(ms, Action::Write { server: c(client), data: line.into(), count: 1, every_us: 0 });
    }

    fn cuts(&mut self, ms: u64, one: ServerId, others: &[ServerId]) {
        self.at(ms, Action::Cut { from: set(&[one]), to: set(others), one_way: false });
    }

    fn facts(&self, until_ms: u64) -> Vec<(ServerId, Fact)> {
        let records = played(&self.0, until_ms);
        stated::<Fact>(&records).map(|(_, by, fact)| (by, fact.clone())).collect()
    }

    /// What was read, in order.
    fn reads(&self, until_ms: u64) -> Vec<(ServerId, String)> {
        let read = |(by, fact): (ServerId, Fact)| match fact {
            Fact::ReadDone { held, .. } => Some((by, held.text().to_string())),
            _ => None,
        };
        self.facts(until_ms).into_iter().filter_map(read).collect()
    }

    fn breaches(&self, until_ms: u64) -> Vec<&'static str> {
        let breaches = judged::<Verdict>(&self.0, until_ms);
        let mut properties: Vec<_> = breaches.into_iter().map(|breach| breach.property).collect();
        properties.sort_unstable();
        properties.dedup();
        properties
    }
}

/// The seed's example (reference 4.2): x goes from 1 to 2. C1 writes, C2 and C3 read.
fn one_to_two(rules: Rules) -> Story {
    let mut story = Story::new(3, Register { rules, ..Register::default() });
    story.types(500, 1, "write x 1");
    // 1. the write of 2 gets to N1 only: it is never reported done
    story.cuts(1_450, c(2), &[n(3)]);
    story.types(1_500, 1, "write x 2");
    // its question has been answered, and its stores are on the way
    story
}

#[test]
fn a_later_read_returns_the_older_value() {
    let story = |rules: Rules| {
        let mut story = one_to_two(Rules { stamps: Stamps::Clock, ..rules });
        story.cuts(1_400, c(1), &[n(2), n(3)]);
        // 2. C2 asks N1 and N2: it returns 2
        story.types(2_500, 2, "read x");
        // 3. N1 goes down
        story.at(3_500, Action::Crash { server: n(1) });
        // 4. C3 asks N2 and N3: it returns 1, after C2 has returned 2
        story.types(4_000, 3, "read x");
        // N1 comes back: the next read finds 2 again
        story.at(5_000, Action::Restart { server: n(1) });
        story.cuts(5_900, c(3), &[n(3)]);
        story.types(6_000, 3, "read x");
        story
    };
    let read = |values: [&str; 3]| [(c(2), values[0].into()), (c(3), values[1].into()), (c(3), values[2].into())];
    let without = story(plain());
    assert_eq!(without.reads(8_000), read(["2", "1", "2"]));
    assert_eq!(without.breaches(8_000), [LINEAR, MONOTONIC]);
    let failed = |fact: &Fact| matches!(fact, Fact::Failed { line, .. } if line == "write x 2");
    assert!(without.facts(8_000).iter().any(|(by, fact)| *by == c(1) && failed(fact)), "it was told that it failed");
    for rules in [abd(), Rules { repair: Repair::Before, ..plain() }] {
        let cured = story(rules);
        assert_eq!(cured.reads(8_000), read(["2", "2", "2"]));
        assert!(cured.breaches(8_000).is_empty());
    }
}

/// Where the write-back gets to no majority the read does not return: no contradiction.
#[test]
fn a_read_that_cannot_write_back_does_not_return() {
    let mut story = one_to_two(Rules { stamps: Stamps::Clock, ..abd() });
    story.cuts(1_400, c(1), &[n(2), n(3)]);
    story.types(2_500, 2, "read x");
    // questions and answers take 10 to 20 ms; N2 crashes between its answer and the write-back
    let back = |facts: &[(ServerId, Fact)]| facts.iter().any(|(_, fact)| matches!(fact, Fact::WriteBack { .. }));
    let crash = (2_510..2_600).find(|ms| {
        let mut story = Story(story.0.clone());
        story.at(*ms, Action::Crash { server: n(2) });
        let facts = story.facts(4_000);
        back(&facts)
            && !facts
                .iter()
                .any(|(by, fact)| *by == n(2) && matches!(fact, Fact::Kept { held, .. } if held.text() == "2"))
    });
    story.at(crash.expect("a moment between the two"), Action::Crash { server: n(2) });
    assert!(story.reads(4_000).is_empty());
    assert!(story.facts(4_000).iter().any(|(by, fact)| *by == c(2) && matches!(fact, Fact::Failed { .. })));
}

/// (d) The last writer wins by its clock: an acknowledged write vanishes under an older one whose clock is ahead.
#[test]
fn a_write_under_a_clock_that_is_ahead_vanishes() {
    let story = |stamps| {
        let mut story = Story::new(2, Register { rules: Rules { stamps, ..abd() }, ..Register::default() });
        story.at(100, Action::ClockJump { server: c(1), ms: 60_000 });
        story.types(500, 1, "write x 1");
        story.types(1_500, 2, "write x 2");
        story.types(2_500, 2, "read x");
        story
    };
    assert_eq!(story(Stamps::Clock).reads(4_000), [(c(2), "1".into())]);
    assert_eq!(story(Stamps::Clock).breaches(4_000), [LINEAR]);
    assert_eq!(story(Stamps::Asked).reads(4_000), [(c(2), "2".into())]);
}

/// (f) A partition: with spares both sides write and read by "quorums"; healed, one side's acknowledged write is gone.
#[test]
fn sloppy_quorums_do_not_meet() {
    let mut story =
        Story::new(2, Register { spares: 2, rules: Rules { stand_in_ms: 150, ..abd() }, ..Register::default() });
    story.types(500, 1, "write x 0");
    let (left, right) = ([n(1), n(4), n(5)], [n(2), n(3)]);
    story.cuts(1_000, c(1), &right);
    story.cuts(1_000, c(2), &left);
    story.at(1_000, Action::Cut { from: set(&left), to: set(&right), one_way: false });
    story.types(1_500, 1, "write x 1");
    story.types(3_000, 2, "read x");
    story.at(5_000, Action::HealAll);
    story.types(8_000, 2, "read x");
    assert_eq!(story.reads(10_000), [(c(2), "0".into()), (c(2), "1".into())]);
    assert!(story.breaches(10_000).contains(&ACKNOWLEDGED), "{:?}", story.breaches(10_000));
    let handed = |fact: &Fact| matches!(fact, Fact::HandedOver { owner, .. } if *owner == n(2) || *owner == n(3));
    assert!(story.facts(10_000).iter().any(|(_, fact)| handed(fact)), "hints find their way home");
}

/// (g) No compare-and-set can be made of it: two read 0, both write 1.
#[test]
fn it_makes_no_lock() {
    let mut story = Story::new(2, Register { rules: abd(), ..Register::default() });
    for client in [1, 2] {
        story.types(500, client, "read lock");
        story.types(500, client, "write lock 1");
    }
    let facts = story.facts(2_000);
    let free =
        facts.iter().filter(|(_, fact)| matches!(fact, Fact::ReadDone { held, .. } if held.value.is_none())).count();
    let taken = facts.iter().filter(|(_, fact)| matches!(fact, Fact::WriteDone { .. })).count();
    assert_eq!((free, taken), (2, 2));
    assert!(story.breaches(2_000).is_empty());
}

/// Messages delivered for an operation typed at C1 after x has been written, and at how many answers it was done.
fn messages(rules: Rules, prepare: impl Fn(&mut Story), line: &str) -> (usize, usize) {
    let mut story = Story::new(1, Register { rules, ..Register::default() });
    story.types(500, 1, "write x 1");
    prepare(&mut story);
    story.types(4_000, 1, line);
    let records = played(&story.0, 5_000);
    let types = [&["Query", "Store"][..], &["QueryReply", "StoreReply"]];
    let count = |types: &[&str]| {
        let delivered = records.iter().filter(|record| record.at_us > SimTime::from_ms(4_000));
        let is = |record: &&std::rc::Rc<sim::Record>| match &record.fact {
            sim::Fact::World(WorldFact::Delivered { name, .. }) => types.iter().any(|kind| kind == name),
            _ => false,
        };
        delivered.filter(is).count()
    };
    (count(types[0]), count(types[1]))
}

/// N3 lacks the last write.
fn one_behind(story: &mut Story) {
    story.at(1_000, Action::Crash { server: n(3) });
    story.types(1_500, 1, "write x 2");
    story.at(3_000, Action::Restart { server: n(3) });
    // the answers that count are N3's and another's
    let slow = sim::LatencyRange::ms(100, 100);
    story.at(3_500, Action::Latency { from: set(&[c(1)]), to: set(&[n(2)]), range: slow });
}

/// Reference 4.5, N = 3.
#[test]
fn operations_cost_what_they_should() {
    let clock = Rules { stamps: Stamps::Clock, ..plain() };
    let nothing = |_: &mut Story| {};
    assert_eq!(messages(clock, nothing, "write x 3"), (3, 3), "Dynamo's write");
    assert_eq!(messages(clock, nothing, "read x"), (3, 3), "and read");
    assert_eq!(messages(abd(), nothing, "write x 3"), (6, 6), "ABD's write");
    assert_eq!(messages(abd(), nothing, "read x"), (3, 3), "and read, where all agree");
    assert_eq!(messages(abd(), one_behind, "read x"), (6, 6), "and where not");
}

/// A fact that no register of ours states: somebody reads what nobody wrote.
#[test]
fn the_judge_hears_of_values_out_of_thin_air() {
    let mut judge = Verdict::default();
    judge.read(SimTime(1), c(1), &Fact::ReadBegan { op: 1, key: "x".into() });
    let held = Held { value: Some("1".into()), stamp: Stamp { counter: 1, writer: 80, life: 0 } };
    judge.read(SimTime(2), c(1), &Fact::ReadDone { op: 1, key: "x".into(), held });
    assert_eq!(judge.breaches().len(), 1);
}

#[test]
fn facts_speak_both_languages_and_say_why() {
    let records = played(&soak(3, Rules { stand_in_ms: 100, ..abd() }, 2), LENGTH_MS);
    for (_, _, fact) in stated::<Fact>(&records) {
        assert_speaks("register", fact);
    }
}

#[test]
fn a_setup_is_read_and_its_bounds_are_named() {
    assert_comes_back(
        "register",
        r#"{"replicas":5,"r":3,"w":3,"repair":"after","stamps":"clock","clients":[{"lines":["read x"]}]}"#,
    );
    let complaints = [
        (r#"{"replicas":9}"#, "register.replicas: 9 is not a whole number from 1 to 5"),
        (r#"{"spares":6}"#, "register.spares: 6 is not a whole number from 0 to 2"),
        (r#"{"r":4}"#, "register.r: 4 is not a whole number from 1 to 3"),
        (r#"{"w":0}"#, "register.w: 0 is not a whole number from 1 to 3"),
        (r#"{"repair":"x"}"#, "register.repair: unknown name `x`; expected `none`, `after`, `before`"),
        (r#"{"clients":[{"lines":["write x"]}]}"#, "register.clients[0].lines[0]: unknown name `write x`"),
        (r#"{"clients":[{"lines":["sleep 0"],"repeat":true}]}"#, "register.clients[0].repeat: retrying forever"),
    ];
    assert_refused("register", &complaints);
}
