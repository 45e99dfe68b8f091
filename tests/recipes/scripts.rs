//! How scripts run: rounds, exceptions, tokens.

use zabscope::recipes::{CuratorConfig, Kind, Step, ThreadId};

use super::election_support::with;
use super::support::{Stage, call, recipe, work};

/// Locks that do not learn their token when they are acquired. Whose node is gone may not use anything, though another's
/// stands under the same name.
#[test]
fn a_token_is_read_from_the_own_node_only() {
    let write = Step::Use { object: "lock".into(), resource: "disk".into(), fenced: true };
    for kind in [Kind::NAIVE_LOCK, Kind::PREDECESSOR_LOCK, Kind::KAZOO_LOCK] {
        let mut stage = Stage::new(1);
        stage.make(1, "lock", recipe(kind, "/lock"));
        stage.pass(1_000);
        stage.run(1, &[call("lock", "acquire"), write.clone(), call("lock", "release")]);
        stage.pass(2_000);
        assert!(matches!(stage.tokens()[..], [Some(_)]), "{kind:?}: {:?}", stage.tokens());
        assert_eq!(stage.returned(1).len(), 2, "{kind:?}");
    }
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &with(Kind::NAIVE_LOCK, "/lock", &["heedless"]));
    stage.run(1, &[call("lock", "acquire")]);
    stage.expire(1);
    stage.pass(8_000);
    stage.run(2, &[call("lock", "acquire")]);
    stage.run(1, &[write, call("lock", "release")]);
    assert_eq!(stage.tokens(), []);
    assert_eq!(stage.returned(1), ["acquire ok", "release ok"]);
}

#[test]
fn a_round_that_fails_is_followed_by_a_pause() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.start(1, 1, &[call("lock", "release"), work(50)], 10);
    stage.pass(450);
    assert_eq!(stage.returned(1).len(), 5);
    stage.pass(1_000);
    assert_eq!(stage.returned(1).len(), 10);
}

#[test]
fn what_is_held_is_given_back_after_an_exception() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.make(1, "rw", recipe(Kind::READ_WRITE, "/rw"));
    let begins = [call("lock", "acquire"), call("rw", "write.acquire"), call("none", "fly"), work(60_000)];
    // of a lock that is held, and gives nothing back
    let ends =
        [call("lock", "acquire"), call("rw", "read.release"), call("rw", "write.release"), call("lock", "release")];
    stage.run(1, &[&begins[..], &ends].concat());
    stage.pass(3_000);
    let returned = ["acquire ok", "write.acquire ok", "fly NullPointerException: no such object"];
    assert_eq!(stage.returned(1)[..3], returned);
    assert_eq!(stage.returned(1)[3..], ["write.release ok", "release ok"]);
}

#[test]
fn bounds_of_threads_and_of_a_framework() {
    assert_eq!([0, 1, 99, 100].map(|id| ThreadId(id).is_valid()), [false, true, true, false]);
    let longest = CuratorConfig::default();
    assert_eq!(longest.check(), Ok(()));
    assert!(CuratorConfig { max_sleep_ms: longest.max_sleep_ms + 1, ..longest }.check().is_err());
}

#[test]
fn a_round_that_never_waits_lasts_a_millisecond() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.start(1, 1, &[call("lock", "is_acquired")], 1_000);
    stage.pass(10);
    let rounds = stage.returned(1).len();
    assert!((10..=12).contains(&rounds), "{rounds}");
}
