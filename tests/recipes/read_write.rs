//! InterProcessReadWriteLock: Curator's own tests, and the herd lock beside it.

use zabscope::recipes::Kind;

use super::election_support::with;
use super::support::{Stage, call, call_for, recipe, work};

/// TestInterProcessReadWriteLock#testGetParticipantNodes: twenty threads read, eight wait to write.
#[test]
fn participants_are_listed_by_kind() {
    let mut stage = Stage::new(1);
    stage.make(1, "rw", recipe(Kind::READ_WRITE, "/rw"));
    for thread in 1..=20 {
        stage.start(1, thread, &[call("rw", "read.acquire")], 1);
    }
    stage.pass(4_000);
    for thread in 21..=28 {
        stage.start(1, thread, &[call("rw", "write.acquire")], 1);
    }
    stage.pass(4_000);
    stage.go(1, 40, &[call("rw", "read.participants")]);
    assert_eq!(stage.last_names(1, 40).len(), 20);
    stage.go(1, 40, &[call("rw", "write.participants")]);
    assert_eq!((stage.last_names(1, 40).len(), stage.most_readers("/rw")), (8, 20));
}

/// TestInterProcessReadWriteLock#testThatUpgradingIsDisallowed: it waits for its own read node.
#[test]
fn a_reader_cannot_become_the_writer() {
    let mut stage = Stage::new(1);
    stage.make(1, "rw", recipe(Kind::READ_WRITE, "/rw"));
    stage.go(1, 1, &[call("rw", "read.acquire"), call_for("rw", "write.acquire", 5_000)]);
    stage.pass(6_000);
    assert_eq!(stage.outcomes(1), ["read.acquire ok", "write.acquire false"]);
}

/// TestInterProcessReadWriteLock#testThatDowngradingRespectsThreads.
#[test]
fn another_thread_of_the_writer_waits() {
    let mut stage = Stage::new(1);
    stage.make(1, "rw", recipe(Kind::READ_WRITE, "/rw"));
    stage.go(1, 1, &[call("rw", "write.acquire")]);
    stage.start(1, 2, &[call_for("rw", "read.acquire", 5_000)], 1);
    stage.pass(7_000);
    assert_eq!(stage.outcomes_of(1, 2), ["read.acquire false"]);
}

/// TestInterProcessReadWriteLock#testDowngrading.
#[test]
fn the_writer_may_read_and_keep_reading() {
    for words in [&[][..], &["keeps_place"]] {
        let mut stage = Stage::new(1);
        stage.make(1, "rw", with(Kind::READ_WRITE, "/rw", words));
        let steps = [call("rw", "write.acquire"), call_for("rw", "read.acquire", 5_000), call("rw", "write.release")];
        stage.go(1, 1, &[&steps[..], &[call("rw", "read.release")]].concat());
        let wanted = ["write.acquire ok", "read.acquire true", "write.release ok", "read.release ok"];
        assert_eq!(stage.outcomes(1), wanted);
        assert!(stage.children("/rw").is_empty());
    }
}

/// TestInterProcessReadWriteLock#testContendingDowngrading (CURATOR-621): in 5.4.0 the writer that waits
/// slips in.
#[test]
fn a_reader_that_was_the_writer_keeps_its_place_or_not() {
    for (words, second, beside) in [(&["keeps_place"][..], None, false), (&[], Some("write.acquire ok"), true)] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "rw", &with(Kind::READ_WRITE, "/rw", words));
        stage.go(1, 1, &[call("rw", "write.acquire")]);
        stage.go(2, 1, &[call("rw", "write.acquire")]);
        stage.go(1, 1, &[call("rw", "read.acquire"), call("rw", "write.release")]);
        stage.pass(2_000);
        assert_eq!(stage.outcomes(2).last().map(String::as_str), second);
        assert_eq!(stage.held("/rw") > 1, beside, "a reader and a writer at once");
    }
}

/// TestInterProcessReadWriteLock#testBasic, also for the herd lock: a writer is alone, readers are several.
#[test]
fn a_writer_is_alone_and_readers_are_not() {
    for kind in [Kind::READ_WRITE, Kind::WATCH_ALL_LOCK] {
        let mut stage = Stage::new(8);
        stage.everybody_makes(8, "rw", &recipe(kind, "/rw"));
        for client in 1..=8 {
            let lock = if client % 4 == 0 { "write" } else { "read" };
            let steps = [call("rw", &format!("{lock}.acquire")), work(150), call("rw", &format!("{lock}.release"))];
            stage.start(client, 1, &steps, 6);
        }
        stage.pass(60_000);
        assert!((1..=8).all(|client| stage.outcomes(client).len() == 12), "{kind:?}");
        assert_eq!((stage.most_at_once("/rw"), stage.held("/rw")), (1, 0), "{kind:?}");
        assert!(stage.most_readers("/rw") > 1 && !stage.reads_beside_write("/rw"), "{kind:?}");
    }
}

/// TestInterProcessReadWriteLock#testLockPath: the writer's session is killed; the next one reads, and both release.
#[test]
fn a_writer_whose_session_ended_releases_without_harm() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "rw", &recipe(Kind::READ_WRITE, "/rw"));
    stage.go(1, 1, &[call("rw", "write.acquire")]);
    let node = stage.children("/rw")[0].clone();
    stage.expire(1);
    stage.pass(4_000);
    stage.go(2, 1, &[call("rw", "read.acquire")]);
    assert_eq!(stage.last(2), "read.acquire ok");
    assert!(!stage.children("/rw").contains(&node));
    stage.go(1, 1, &[call("rw", "write.release")]);
    stage.go(2, 1, &[call("rw", "read.release")]);
    assert_eq!((stage.last(1).as_str(), stage.last(2).as_str()), ("write.release ok", "read.release ok"));
}

/// A writer leaves, the next writer and four readers wake, the readers watch the next writer: ten requests. The herd
/// lock wakes all five with one change, and each lists once.
#[test]
fn a_writer_leaves_and_all_readers_wake() {
    for (kind, requests) in [(Kind::READ_WRITE, 10), (Kind::WATCH_ALL_LOCK, 6)] {
        let mut stage = Stage::new(6);
        stage.everybody_makes(6, "rw", &recipe(kind, "/rw"));
        for client in 1..=6 {
            let method = if client <= 2 { "write.acquire" } else { "read.acquire" };
            stage.go(client, 1, &[call("rw", method)]);
        }
        stage.pass(2_000);
        let mark = stage.mark();
        stage.go(1, 1, &[call("rw", "write.release")]);
        assert_eq!(stage.last(2), "write.acquire ok");
        assert_eq!(stage.requests(mark).len(), requests, "{kind:?}: {:#?}", stage.requests(mark));
        assert_eq!(stage.notifications(mark), 5, "{kind:?}");
    }
}

/// The herd: with Curator's lock a reader that leaves wakes the one writer that waits for it, by hand it wakes everybody.
#[test]
fn by_hand_every_change_wakes_everybody() {
    for (kind, notifications) in [(Kind::READ_WRITE, 1), (Kind::WATCH_ALL_LOCK, 5)] {
        let mut stage = Stage::new(6);
        stage.everybody_makes(6, "rw", &recipe(kind, "/rw"));
        for client in 1..=6 {
            stage.go(client, 1, &[call("rw", "write.acquire")]);
        }
        stage.pass(2_000);
        let mark = stage.mark();
        stage.go(1, 1, &[call("rw", "write.release")]);
        assert_eq!(stage.requests(mark).len(), 1 + notifications, "{kind:?}");
        assert_eq!((stage.last(2).as_str(), stage.held("/rw")), ("write.acquire ok", 1));
    }
}
