//! Printed facts are enough: a checker that reads them back judges as the one that saw the run.

use std::collections::BTreeMap;

use zabscope::base::{Node, RuleSet, ServerId, SimTime};
use zabscope::check::Checker;
use zabscope::scenarios::SCENARIOS;
use zabscope::sim::{Action, Fact, Rule, Run, Setup, World, WorldFact, read_fact};
use zabscope::soak::soak_run;

/// Plays a run; what the live checker and one that reads lines say, each as text. Which fact shows it is the same; what exactly is seen
/// by it may be less for whoever does not hear what servers say to each other.
fn judged(run: Run, until: SimTime) -> [Vec<String>; 2] {
    let (mut world, mut live) = (World::new(run.clone()), Checker::new(&run.setup));
    let mut read: Option<Checker> = None;
    while world.next_at().is_some_and(|at| at <= until) {
        for record in world.step().unwrap_or_default() {
            live.read(record);
            let line = serde_json::to_string(record).expect("a fact is JSON");
            let again = read_fact(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            match (&mut read, again) {
                (Some(read), Some(record)) => drop(read.read(&record)),
                (None, Some(record)) => {
                    let Fact::World(WorldFact::Began { setup, .. }) = &record.fact else { panic!("{line}") };
                    read = Some(Checker::new(setup));
                }
                (_, None) => {}
            }
        }
    }
    [&live, &read.expect("a run begins")].map(|checker| {
        let violations = checker.violations().iter().map(|one| format!("{} at fact {}", one.property, one.seq));
        violations.chain(checker.doubles().iter().map(ToString::to_string)).collect()
    })
}

#[test]
fn printed_facts_of_every_scenario_are_judged_alike() {
    // facts of other systems are not read back
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.run().setup.systems.is_empty()) {
        let [live, read] = judged(scenario.run(), SimTime::from_ms(scenario.until_ms));
        assert_eq!(live, read, "{}", scenario.id);
    }
}

#[test]
fn printed_facts_of_random_runs_are_judged_alike() {
    let mut told = 0;
    for (seed, rule) in (0..12).zip(Rule::all().map(Some).chain(std::iter::repeat(None))) {
        let rules = rule.map_or(RuleSet::default(), |rule| RuleSet::default().breaking(rule));
        let [live, read] = judged(soak_run(3 + 2 * (seed % 2) as u8, seed, 1, rules), SimTime::from_ms(60_000));
        assert_eq!(live, read, "seed {seed}, {rule:?}");
        told += live.len();
    }
    assert!(told > 0, "nothing was found, so nothing was compared");
}

/// How long each packet takes that waits for none before it, by its ends and its name.
fn latencies(run: Run) -> BTreeMap<(Node, Node, String), u64> {
    let (mut world, mut found) = (World::new(run), BTreeMap::new());
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(4_000)) {
        world.step();
        for ends in world.network.conns.values() {
            for way in [true, false] {
                let (from, to) = ends.ends(way);
                if let [item] = ends.pipe(way).items.iter().collect::<Vec<_>>()[..] {
                    found.entry((from, to, item.name.to_string())).or_insert(item.due.since(item.departs));
                }
            }
        }
    }
    found
}

#[test]
fn a_deed_more_moves_nobody_elses_draw() {
    let write = |server| Action::Write { server: ServerId(server), data: "x".into(), count: 1, every_us: 0 };
    let mut run = Run::new(5, Setup::default());
    run.push(SimTime::from_ms(2_500), write(1));
    let plain = latencies(run.clone());
    run.push(SimTime::from_ms(1_500), write(2));
    run.push(SimTime::from_ms(1_600), Action::Pause { server: ServerId(2) });
    run.push(SimTime::from_ms(1_700), Action::Resume { server: ServerId(2) });
    let more = latencies(run);
    let both: Vec<_> = plain.iter().filter_map(|(name, took)| Some((name, took, more.get(name)?))).collect();
    assert!(both.len() > 50 && more.len() > both.len(), "{} of {} and {}", both.len(), plain.len(), more.len());
    for (name, took, then) in both {
        assert_eq!(took, then, "{name:?}");
    }
}

/// When a fact of this kind happens first, µs.
fn first(run: &Run, is_it: impl Fn(&WorldFact) -> bool) -> u64 {
    let mut world = World::new(run.clone());
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(8_000)) {
        for record in world.step().unwrap_or_default() {
            if matches!(&record.fact, Fact::World(fact) if is_it(fact)) {
                return record.at_us.0;
            }
        }
    }
    panic!("it never happens")
}

#[test]
fn a_packet_a_disk_and_a_clock_are_late_as_they_were_told() {
    let run = |actions: &str| {
        let text = format!(r#"{{"version":4,"seed":5,"actions":[{actions}]}}"#);
        Run::from_json(&text).unwrap_or_else(|error| panic!("{error}"))
    };
    let write = r#"{"at_us":2000000,"do":"write","server":3,"data":"x"}"#;
    let arrives = |fact: &WorldFact| {
        matches!(fact, WorldFact::Delivered { to: Node::Server(ServerId(1)), name: "COMMIT", zxid: Some(_), .. })
    };
    let late =
        format!(r#"{{"at_us":1,"do":"delay_packet","from":3,"to":1,"what":"COMMIT 1:1","us":700000}},{write}"#);
    let (plain, late) = (first(&run(write), arrives), first(&run(&late), arrives));
    assert_eq!(late - plain, 700_000);
    let synced = |fact: &WorldFact| matches!(fact, WorldFact::Synced { server: ServerId(2), .. });
    let late = format!(r#"{{"at_us":1,"do":"delay_disk","server":2,"what":"append #1","us":300000}},{write}"#);
    assert_eq!(first(&run(&late), synced) - first(&run(write), synced), 300_000);
    let jump = format!(r#"{{"at_us":1000000,"do":"clock_jump","server":3,"ms":-5000}},{write}"#);
    let mut world = World::new(run(&jump));
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(3_000)) {
        world.step();
    }
    let log = &world.processes[&ServerId(1)].files().expect("a ZooKeeper server").log;
    assert!(log.iter().any(|proposal| (-3_000..-2_900).contains(&proposal.payload.txn.time)), "{log:?}");
}
