//! Which properties a run puts to the test.

use zabscope::base::SimTime;
use zabscope::check::{Checker, PROPERTIES, State};
use zabscope::scenarios::{SCENARIOS, scenario};
use zabscope::sim::{Player, Run, Setup};

/// The properties that a run puts to the test in so many ms.
fn tested(run: Run, until_ms: u64) -> Vec<&'static str> {
    let mut checker = Checker::new(&run.setup);
    let mut player = Player::new(run).unwrap();
    player.run_until(SimTime::from_ms(until_ms), |_, records| {
        records.iter().for_each(|record| _ = checker.read(record));
    });
    let tested = checker.states().filter(|(_, state)| *state != State::Holds { tested: None });
    tested.map(|(id, _)| id).collect()
}

#[test]
fn a_run_without_clients_says_nothing_about_clients() {
    let tested = tested(Run::new(1, Setup::default()), 2_000);
    for id in ["ack-honesty", "quorum-durable", "agreement", "log-shape"] {
        assert!(tested.contains(&id), "{id}: {tested:?}");
    }
    for id in ["semaphore-bound", "session-life", "watch-rules", "mutual-exclusion", "durability", "fresh-sync"] {
        assert!(!tested.contains(&id), "{id}: {tested:?}");
    }
}

#[test]
fn a_lock_is_tested_by_whoever_waits_and_leases_by_others() {
    let ran = |id| tested(scenario(id).unwrap().run(), scenario(id).unwrap().until_ms);
    let (lock, leases) = (ran("lock-mutex"), ran("lock-semaphore"));
    assert!(lock.contains(&"mutual-exclusion") && !lock.contains(&"semaphore-bound"), "{lock:?}");
    assert!(leases.contains(&"semaphore-bound") && !leases.contains(&"one-leader"), "{leases:?}");
}

/// A property without an occasion here would be called untested for ever.
#[test]
fn every_property_is_put_to_the_test_by_some_scenario() {
    let mut missing: Vec<&str> = PROPERTIES.iter().map(|property| property.id).collect();
    for one in SCENARIOS {
        let tested = tested(one.run(), one.until_ms);
        missing.retain(|id| !tested.contains(id));
    }
    // a holder that lives on without its session: soak's clients do, scenarios need not
    missing.retain(|id| *id != "loss-is-heeded");
    assert_eq!(missing, Vec::<&str>::new());
}
