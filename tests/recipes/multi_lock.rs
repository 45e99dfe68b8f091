//! InterProcessMultiLock: what Curator's tests of it check, and its deadlock.

use zabscope::recipes::{Fact as Told, Kind};

use super::support::{Stage, call, call_for, recipe};

/// `TestInterProcessMultiMutex`: two mutexes as one, from one client to the next.
#[test]
fn several_are_held_as_one() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MULTI_LOCK, "/x /y"));
    stage.run(1, &[call("lock", "acquire"), call("lock", "is_acquired")]);
    stage.run(2, &[call("lock", "acquire")]);
    assert_eq!(stage.returned(1), ["acquire ok", "is_acquired true"]);
    for path in ["/x", "/y", "/x /y"] {
        assert_eq!(stage.holders(path), [(1, 1)], "{path}");
    }
    stage.run(1, &[call("lock", "release"), call("lock", "is_acquired")]);
    assert_eq!(stage.holders("/x /y"), [(2, 1)]);
    assert_eq!(stage.returned(1)[2..], ["release ok", "is_acquired false"]);
}

/// `testSomeReleasesFail`: one member's release throws, the other one is free all the same. Here it throws because
/// that member was released before; Curator's own test has a member that always throws, and so stays held.
#[test]
fn a_member_that_cannot_be_released_keeps_none() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MULTI_LOCK, "/x /y"));
    stage.run(1, &[call("lock", "acquire"), call("lock/2", "release"), call("lock", "release")]);
    stage.pass(1_000);
    assert!(stage.returned(1)[2].starts_with("release IllegalMonitorState"), "{:?}", stage.returned(1));
    assert!(stage.holders("/x").is_empty());
    assert!(stage.children("/x").is_empty());
}

/// `testSomeLocksFailToLock`: one member's acquire throws, the other was taken and is given back.
#[test]
fn whoever_cannot_have_all_keeps_none() {
    let mut stage = Stage::new(2);
    stage.make(2, "blocks", recipe(Kind::NAIVE_LOCK, "/ephemeral"));
    stage.run(2, &[call("blocks", "acquire")]);
    stage.make(1, "lock", recipe(Kind::MULTI_LOCK, "/x /ephemeral"));
    stage.run(1, &[call("lock", "acquire")]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["acquire NoChildrenForEphemeralsException"]);
    assert!(stage.children("/x").is_empty());
    assert!(stage.holders("/x").is_empty());
}

/// Two programs with different orders hold what the other waits for. A limit resolves it.
#[test]
fn r27_different_orders_meet_in_a_deadlock() {
    for (limited, ends) in [(false, false), (true, true)] {
        let mut stage = Stage::new(2);
        let acquire = |ms| if limited { call_for("lock", "acquire", ms) } else { call("lock", "acquire") };
        stage.make(1, "lock", recipe(Kind::MULTI_LOCK, "/x /y"));
        stage.make(2, "lock", recipe(Kind::MULTI_LOCK, "/y /x"));
        stage.begin(1, 1, &[acquire(1_000)]);
        stage.begin(2, 1, &[acquire(5_000)]);
        stage.pass(800);
        assert_eq!((stage.holders("/x"), stage.holders("/y")), (vec![(1, 1)], vec![(2, 1)]));
        stage.pass(10_000);
        assert_eq!(stage.holders("/y /x") == [(2, 1)], ends);
        assert_eq!(stage.returned(1), if ends { vec!["acquire false"] } else { vec![] });
    }
}

#[test]
fn whoever_cannot_have_the_second_does_not_try_the_third() {
    let mut stage = Stage::new(2);
    stage.make(2, "other", recipe(Kind::MUTEX, "/y"));
    stage.run(2, &[call("other", "acquire")]);
    stage.make(1, "lock", recipe(Kind::MULTI_LOCK, "/x /y /z"));
    stage.run(1, &[call_for("lock", "acquire", 500)]);
    stage.pass(3_000);
    assert_eq!(stage.returned(1), ["acquire false"]);
    assert!(stage.asked(1, 0).iter().all(|asked| !asked.contains(" /z")));
    assert!(stage.children("/x").is_empty());
}

#[test]
fn an_interrupt_ends_the_tries_and_another_exception_does_not() {
    let mut stage = Stage::new(2);
    stage.make(2, "other", recipe(Kind::NAIVE_LOCK, "/e"));
    stage.make(2, "mutex", recipe(Kind::MUTEX, "/x"));
    stage.run(2, &[call("other", "acquire"), call("mutex", "acquire")]);
    let tries = |stage: &Stage| stage.asked(1, 0).iter().filter(|asked| asked.starts_with("create2 /y/")).count();
    stage.make(1, "a", recipe(Kind::MULTI_LOCK, "/x /y"));
    stage.run(1, &[call("a", "acquire")]);
    stage.interrupt(1, 1);
    stage.pass(2_000);
    assert_eq!((stage.returned(1).pop().as_deref(), tries(&stage)), (Some("acquire InterruptedException"), 0));
    stage.make(1, "b", recipe(Kind::MULTI_LOCK, "/e /y"));
    stage.run(1, &[call("b", "acquire")]);
    stage.pass(2_000);
    assert_eq!(stage.returned(1).pop().as_deref(), Some("acquire NoChildrenForEphemeralsException"));
    assert!(tries(&stage) > 0);
    assert!(stage.children("/y").is_empty());
}

#[test]
fn a_release_of_all_is_told_once() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MULTI_LOCK, "/x /y"));
    stage.run(1, &[call("lock", "acquire"), call("lock", "release")]);
    stage.pass(2_000);
    let all = |fact: &Told| matches!(fact, Told::Released { object, .. } if **object == *"lock");
    assert_eq!(stage.told(1).iter().filter(|fact| all(fact)).count(), 1);
}
