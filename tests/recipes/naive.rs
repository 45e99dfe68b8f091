//! Locks by hand beside Curator's: the naive one, the one of ZooKeeper's recipes page, the one whose waiters watch everything.

use zabscope::base::{ClientId, ServerId};
use zabscope::client::Fact as Inside;
use zabscope::recipes::Kind;
use zabscope::sim::{Action, Fact, Setup};
use zabscope::wire::CreateMode;

use super::election_support::{open_at, with};
use super::support::{Stage, call, call_for, create, delete, recipe};

/// This many waiters behind client 1, all connected to the leader.
fn queue_of(kind: Kind, waiters: u16, part: &str) -> Stage {
    let mut stage = Stage::of(0, 1, Setup::default());
    for client in 1..=waiters + 1 {
        let (client, servers) = (ClientId(client), vec![ServerId(3)]);
        stage.act(Action::OpenClient { client, servers, timeout_ms: 4_000, chroot: None, raw: false });
    }
    stage.pass(1_000);
    stage.everybody_makes(waiters + 1, "lock", &recipe(kind, "/lock"));
    stage.pass(1_000);
    let acquire = format!("{part}acquire");
    stage.run(1, &[call("lock", &acquire)]);
    for client in 2..=waiters + 1 {
        stage.begin(client, 1, &[call("lock", &acquire)]);
    }
    stage.pass(2_000);
    stage
}

/// Notifications and requests since a record, over all clients.
fn counted(stage: &Stage, from: usize) -> (usize, usize) {
    let facts = stage.records[from..].iter().filter_map(|record| match &record.fact {
        Fact::Client { fact, .. } => Some(fact),
        _ => None,
    });
    facts.fold((0, 0), |(notified, asked), fact| match fact {
        Inside::Notified { .. } => (notified + 1, asked),
        Inside::Called { .. } => (notified, asked + 1),
        _ => (notified, asked),
    })
}

/// What one release costs among N waiters.
#[test]
fn r15_what_one_release_costs() {
    for waiters in [2_u16, 10, 50, 200] {
        let all = usize::from(waiters);
        for (kind, part, cost) in [
            (Kind::NAIVE_LOCK, "", (all, 2 * all)),
            (Kind::PREDECESSOR_LOCK, "", (1, 2)),
            (Kind::MUTEX, "", (1, 2)),
            (Kind::WATCH_ALL_LOCK, "write.", (all, all + 1)),
        ] {
            let mut stage = queue_of(kind, waiters, part);
            assert_eq!(stage.holders("/lock"), [(1, 1)], "{kind:?} {waiters}");
            let from = stage.records.len();
            stage.run(1, &[call("lock", &format!("{part}release"))]);
            stage.pass(1_500);
            assert_eq!(stage.holders("/lock").len(), 1, "{kind:?} {waiters}");
            assert_eq!(counted(&stage, from), cost, "{kind:?} {waiters}");
        }
    }
}

#[test]
fn a_naive_lock_is_held_by_one_at_a_time() {
    let mut stage = Stage::new(3);
    stage.everybody_makes(3, "lock", &recipe(Kind::NAIVE_LOCK, "/lock"));
    for client in 1..=3 {
        stage.run(client, &[call("lock", "acquire")]);
    }
    for _ in 0..3 {
        let [(client, 1)] = stage.holders("/lock")[..] else { panic!("{:?}", stage.holders("/lock")) };
        stage.run(client, &[call("lock", "release")]);
    }
    assert!(stage.holders("/lock").is_empty());
    stage.run(2, &[call("lock", "release")]);
    let last = stage.returned(2).pop().expect("an answer");
    assert!(last.starts_with("release IllegalMonitorStateException"), "{last}");
}

#[test]
fn who_waits_with_a_limit_gives_up() {
    for kind in [Kind::NAIVE_LOCK, Kind::PREDECESSOR_LOCK] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(kind, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.run(2, &[call_for("lock", "acquire", 200)]);
        assert_eq!(stage.returned(2), ["acquire false"], "{kind:?}");
        stage.run(1, &[call("lock", "release")]);
        stage.run(2, &[call_for("lock", "acquire", 200)]);
        assert_eq!(stage.returned(2), ["acquire false", "acquire true"], "{kind:?}");
    }
}

#[test]
fn a_holder_whose_session_expires_has_it_no_longer() {
    for kind in [Kind::NAIVE_LOCK, Kind::PREDECESSOR_LOCK] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(kind, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.run(2, &[call("lock", "acquire")]);
        stage.expire(1);
        stage.pass(8_000);
        assert_eq!(stage.holders("/lock"), [(2, 1)], "{kind:?}");
        stage.run(1, &[call("lock", "release")]);
        assert_eq!(stage.holders("/lock"), [(2, 1)], "{kind:?}");
        stage.expire(1);
        stage.pass(8_000);
        stage.run(2, &[call("lock", "release")]);
        assert!(stage.holders("/lock").is_empty());
    }
}

/// A waiter whose session ends has no watch any more: it asks anew.
#[test]
fn a_waiter_whose_session_expires_waits_on() {
    for kind in [Kind::NAIVE_LOCK, Kind::PREDECESSOR_LOCK] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(kind, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.run(2, &[call("lock", "acquire")]);
        stage.expire(2);
        stage.pass(8_000);
        stage.run(1, &[call("lock", "release")]);
        stage.pass(8_000);
        assert_eq!(stage.holders("/lock"), [(2, 1)], "{kind:?}: {:#?}", stage.told(2));
    }
}

/// One that takes no notice of its session's end deletes its successor's node: a third comes in.
#[test]
fn a_heedless_holder_deletes_its_successors_node() {
    let mut stage = Stage::new(3);
    stage.everybody_makes(3, "lock", &with(Kind::NAIVE_LOCK, "/lock", &["heedless"]));
    stage.run(1, &[call("lock", "acquire")]);
    stage.expire(1);
    stage.pass(8_000);
    stage.run(2, &[call("lock", "acquire")]);
    stage.run(3, &[call("lock", "acquire")]);
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)]);
    stage.run(1, &[call("lock", "release")]);
    stage.pass(1_000);
    assert_eq!(stage.holders("/lock"), [(2, 1), (3, 1)]);
}

/// By hand: the reply to the create is lost. The naive lock knows its own node by its owner; who ignores that, and
/// who made a second node, waits for itself.
#[test]
fn a_lost_reply_makes_it_wait_for_itself() {
    for (kind, words, holds) in [
        (Kind::NAIVE_LOCK, &[][..], true),
        (Kind::NAIVE_LOCK, &["ignores_owner"], false),
        (Kind::PREDECESSOR_LOCK, &[], false),
    ] {
        let mut stage = Stage::new(1);
        stage.make(1, "lock", with(kind, "/l/lock", words));
        if kind == Kind::NAIVE_LOCK {
            stage.make(1, "parent", recipe(Kind::PREDECESSOR_LOCK, "/l"));
        }
        stage.pass(1_000);
        stage.begin(1, 1, &[call("lock", "acquire")]);
        let parent = if kind == Kind::NAIVE_LOCK { "/l" } else { "/l/lock" };
        let there = |stage: &Stage| stage.children(parent).len() == 1;
        stage.until("the node", there);
        stage.disconnect(1);
        stage.pass(3_000);
        assert_eq!(stage.holders("/l/lock").len(), usize::from(holds), "{kind:?} {words:?}");
    }
}

/// Readers pass readers; everybody that waits looks whenever anybody comes or goes.
#[test]
fn readers_share_the_lock_that_all_watch() {
    let mut stage = Stage::new(4);
    stage.everybody_makes(4, "lock", &recipe(Kind::WATCH_ALL_LOCK, "/lock"));
    stage.run(1, &[call("lock", "read.acquire")]);
    stage.run(2, &[call("lock", "read.acquire")]);
    stage.run(3, &[call("lock", "write.acquire")]);
    stage.run(4, &[call("lock", "read.acquire")]);
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)]);
    let from = stage.records.len();
    stage.run(1, &[call("lock", "read.release")]);
    assert_eq!(stage.asked(3, from), ["getChildren /lock"], "woken for nothing");
    assert_eq!(stage.asked(4, from), ["getChildren /lock"], "woken for nothing");
    stage.run(2, &[call("lock", "read.release")]);
    assert_eq!(stage.holders("/lock"), [(3, 1)]);
    stage.run(3, &[call("lock", "write.release")]);
    assert_eq!(stage.holders("/lock"), [(4, 1)]);
}

/// A session's number begins with its server: whoever comes from a lower one goes before all.
#[test]
fn names_that_begin_with_the_session_order_the_queue() {
    for (servers, holders) in [([3, 2, 1], 3), ([1, 2, 3], 1), ([2, 1, 3], 2), ([2, 3, 1], 2)] {
        let mut stage = Stage::new(0);
        for (client, server) in (1..).zip(servers) {
            open_at(&mut stage, client, server);
            stage.make(client, "lock", with(Kind::PREDECESSOR_LOCK, "/lock", &["sorts_by_name"]));
            stage.run(client, &[call("lock", "acquire")]);
        }
        assert_eq!(stage.holders("/lock").len(), holders, "{servers:?}");
    }
}

/// What is no name of the lock's counts by all of it.
#[test]
fn a_foreign_node_that_comes_first_is_waited_for() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(1, "lock", &recipe(Kind::PREDECESSOR_LOCK, "/lock"));
    stage.pass(500);
    stage.ask(2, create("/lock/0", "", CreateMode::Persistent));
    stage.pass(500);
    stage.run(1, &[call("lock", "acquire")]);
    assert!(stage.returned(1).is_empty());
    stage.ask(2, delete("/lock/0"));
    stage.pass(500);
    assert_eq!(stage.returned(1), ["acquire ok"]);
}
