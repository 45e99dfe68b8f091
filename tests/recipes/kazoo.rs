//! kazoo's lock and election.

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{Fact as Told, Kind, Recipe, Share};
use zabscope::sim::Action;
use zabscope::wire::{CreateMode, Request};

use super::election_support::{heard, named, open_at};
use super::support::{Stage, call, call_for, create, delete, recipe};

/// This many clients with a lock, each under its own name.
fn locks(clients: u16) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        stage.make(client, "lock", named(Kind::KAZOO_LOCK, "/lock", client));
    }
    stage
}

fn run(stage: &mut Stage, client: u16, method: &str) {
    stage.run(client, &[call("lock", method)]);
    stage.pass(1_000);
}

fn ask(stage: &mut Stage, client: u16, request: Request) {
    stage.ask(client, request);
    stage.pass(200);
}

#[test]
fn a_lock_of_kazoo_goes_from_one_to_the_next() {
    let mut stage = locks(2);
    for method in ["acquire", "release", "acquire"] {
        run(&mut stage, 1, method);
    }
    assert_eq!(stage.returned(1), ["acquire true", "release true", "acquire true"]);
    run(&mut stage, 2, "acquire_now");
    assert_eq!(stage.last_returned(2), "acquire_now false");
    run(&mut stage, 2, "acquire");
    stage.run_on(2, 2, &[call("lock", "contenders")]);
    assert_eq!(stage.last_returned(2), "contenders id1 id2");
    run(&mut stage, 1, "release");
    assert_eq!(stage.holders("/lock"), [(2, 1)]);
    // who is cancelled gives up once
    run(&mut stage, 1, "acquire");
    stage.run_on(1, 2, &[call("lock", "cancel")]);
    stage.pass(500);
    assert!(stage.returned(1).contains(&"acquire CancelledError".into()));
    stage.begin(1, 1, &[call_for("lock", "acquire", 5_000)]);
    stage.pass(1_000);
    run(&mut stage, 2, "release");
    assert_eq!(stage.last_returned(1), "acquire true");
}

#[test]
fn a_contender_that_gives_up_leaves_no_node() {
    let mut stage = locks(2);
    run(&mut stage, 1, "acquire");
    stage.run(2, &[call_for("lock", "acquire", 300)]);
    stage.pass(1_000);
    assert_eq!(stage.last_returned(2), "acquire LockTimeout");
    assert_eq!(stage.children("/lock").len(), 1);
}

#[test]
fn a_thread_queues_behind_another_of_its_object_as_long_as_it_may() {
    let mut stage = locks(2);
    run(&mut stage, 2, "acquire");
    run(&mut stage, 1, "acquire");
    stage.begin(1, 2, &[call_for("lock", "acquire", 1_000)]);
    stage.pass(900);
    assert!(stage.returned(1).is_empty());
    stage.pass(200);
    assert_eq!(stage.returned(1), ["acquire false"]);
    stage.run_on(1, 3, &[call("lock", "acquire_now")]);
    assert_eq!(stage.last_returned(1), "acquire_now false");
}

/// Its tries cannot be seen; but the last one before the limit lies the further before it the longer the pauses are.
#[test]
fn an_object_that_holds_the_lock_lets_another_thread_try_less_and_less_often() {
    let mut stage = Stage::new(5);
    for client in 1..=5 {
        stage.make(client, "lock", recipe(Kind::KAZOO_LOCK, &format!("/lock{client}")));
        run(&mut stage, client, "acquire");
    }
    (1..=5).for_each(|client| stage.begin(client, 2, &[call_for("lock", "acquire", 10_000)]));
    let ended = |stage: &Stage| (1..=5).filter(|&client| stage.last_returned(client) == "acquire false").count();
    stage.pass(1_000);
    assert_eq!(ended(&stage), 0);
    stage.pass(8_500);
    assert!(ended(&stage) > 0, "all try until the very end");
    stage.pass(1_000);
    assert_eq!(ended(&stage), 5);
}

#[test]
fn foreign_nodes_do_not_contend() {
    let mut stage = locks(1);
    for path in ["/lock", "/lock/0000000000", "/lock/x__lock__0", "/lock/x__lock__-", "/lock/x__lock__abcdefghij"] {
        ask(&mut stage, 1, create(path, "foreign", CreateMode::Persistent));
    }
    run(&mut stage, 1, "acquire");
    run(&mut stage, 1, "contenders");
    assert_eq!(stage.returned(1), ["acquire true", "contenders id1"]);
}

#[test]
fn a_contender_that_leaves_meanwhile_is_left_out() {
    for after in (0..120).step_by(10) {
        let mut stage = locks(2);
        run(&mut stage, 1, "acquire");
        run(&mut stage, 2, "contenders");
        stage.begin(1, 1, &[call("lock", "release")]);
        stage.pass(after);
        run(&mut stage, 2, "contenders");
        let last = stage.last_returned(2);
        assert!(["contenders id1", "contenders "].contains(&last.as_str()), "after {after} ms: {last}");
    }
    let mut stage = locks(1);
    run(&mut stage, 1, "contenders");
    ask(&mut stage, 1, delete("/lock"));
    run(&mut stage, 1, "contenders");
    assert_eq!(stage.returned(1), ["contenders ", "contenders NoNodeException"]);
}

#[test]
fn what_waits_for_a_connection_fails_in_another_session() {
    let mut stage = Stage::new(0);
    open_at(&mut stage, 1, 1);
    stage.make(1, "lock", named(Kind::KAZOO_LOCK, "/lock", 1));
    run(&mut stage, 1, "acquire");
    stage.disconnect(1);
    run(&mut stage, 1, "contenders");
    stage.pass(3_000);
    assert_eq!(stage.last_returned(1), "contenders id1");
    stage.act(Action::Crash { server: ServerId(1) });
    stage.pass(500);
    run(&mut stage, 1, "contenders");
    stage.pass(10_000);
    stage.act(Action::Restart { server: ServerId(1) });
    stage.pass(10_000);
    assert_eq!(stage.last_returned(1), "contenders SessionExpiredException");
}

#[test]
fn a_node_whose_reply_was_lost_is_found_again() {
    let mut stage = locks(1);
    stage.begin(1, 1, &[call("lock", "acquire")]);
    stage.until("the node", |stage| stage.children("/lock").len() == 1);
    stage.disconnect(1);
    stage.pass(4_000);
    assert_eq!(stage.returned(1), ["acquire true"]);
    assert_eq!(stage.children("/lock").len(), 1);
}

#[test]
fn a_waiter_looks_again_when_its_connection_is_back() {
    let mut stage = locks(2);
    run(&mut stage, 1, "acquire");
    run(&mut stage, 2, "acquire");
    stage.disconnect(2);
    stage.pass(4_000);
    run(&mut stage, 1, "release");
    assert_eq!(stage.returned(2), ["acquire true"]);
}

#[test]
fn a_kazoo_program_that_is_closed_hears_lost() {
    let mut stage = locks(1);
    stage.act(Action::CloseClient { client: ClientId(1) });
    stage.pass(1_000);
    assert_eq!(heard(&stage, 1), ["Lost"]);
    run(&mut stage, 1, "acquire");
    assert_eq!(stage.last_returned(1), "acquire ConnectionClosedError: Connection has been closed");
}

#[test]
fn a_candidate_that_is_cancelled_ends_quietly() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::KAZOO_ELECTION, "/election"));
    run(&mut stage, 1, "run");
    run(&mut stage, 2, "run");
    for client in 1..=2 {
        stage.run_on(client, 2, &[call("lock", "cancel")]);
        stage.pass(500);
    }
    assert_eq!(stage.holders("/election"), [(1, 1)], "who leads already is not interrupted");
    assert_eq!(stage.last_returned(2), "run ok");
    stage.run_on(1, 2, &[call("lock", "finish")]);
    stage.pass(500);
    assert_eq!(stage.last_returned(1), "run ok");
}

#[test]
fn a_leader_leads_as_long_as_its_function_takes() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", Recipe { hold_ms: Some(2_000), ..recipe(Kind::KAZOO_ELECTION, "/election") });
    run(&mut stage, 1, "run");
    assert_eq!(stage.holders("/election"), [(1, 1)]);
    assert!(stage.told(1).iter().any(|told| matches!(told, Told::Acquired { share: Share::Leader, .. })));
    stage.pass(2_500);
    assert_eq!(stage.returned(1), ["run ok"]);
    assert!(stage.holders("/election").is_empty());
}

/// What a picture of the client shows.
#[test]
fn where_a_thread_stands_is_seen() {
    use zabscope::recipes::Standing;
    let standing = |stage: &Stage| {
        let app = stage.player.world().clients[&ClientId(1)].app.as_ref().expect("a program");
        app.standings().map(|(_, _, standing)| standing.clone()).next()
    };
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.begin(1, 1, &[call("lock", "acquire")]);
    assert_eq!(standing(&stage), Some(Standing::Busy { method: "acquire".into() }));
    stage.pass(1_000);
    assert!(matches!(standing(&stage), Some(Standing::Holding { .. })));
    stage.begin(1, 1, &[call("lock", "participants")]);
    assert!(matches!(standing(&stage), Some(Standing::Holding { .. })), "it holds it all the same");
    stage.pass(500);
    stage.run(1, &[call("lock", "release")]);
    assert_eq!(standing(&stage), None);
}

/// A node below an ephemeral one cannot be made: a try takes some 80 ms, and 100 ms lie between two of them.
#[test]
fn what_fails_in_the_background_is_tried_again_after_a_pause() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::NAIVE_LOCK, "/x"));
    stage.make(1, "node", recipe(Kind::PERSISTENT_NODE, "/x/node"));
    stage.run(1, &[call("lock", "acquire"), call("node", "start")]);
    let from = stage.records.len();
    stage.pass(2_000);
    let tries = stage.asked(1, from).len();
    assert!((8..=14).contains(&tries), "{tries}");
}

/// After eight seconds of waiting for its own object a thread pauses for several more.
#[test]
fn a_wake_up_means_nothing_in_a_pause() {
    let mut stage = locks(1);
    run(&mut stage, 1, "acquire");
    stage.begin(1, 2, &[call("lock", "acquire")]);
    stage.pass(8_000);
    stage.begin(1, 1, &[call("lock", "release")]);
    stage.pass(300);
    stage.run_on(1, 3, &[call("lock", "cancel")]);
    let cancelled = |stage: &Stage| stage.returned(1).contains(&"acquire CancelledError".into());
    assert!(!cancelled(&stage));
    stage.pass(60_000);
    assert!(cancelled(&stage));
}

#[test]
fn a_thread_that_stops_to_queue_leaves_the_other_alone() {
    let mut stage = locks(2);
    run(&mut stage, 2, "acquire");
    run(&mut stage, 1, "acquire");
    stage.run_on(1, 2, &[call("lock", "acquire")]);
    stage.interrupt(1, 2);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["acquire InterruptedException"]);
    assert_eq!(stage.children("/lock").len(), 2);
    run(&mut stage, 2, "release");
    assert_eq!(stage.holders("/lock"), [(1, 1)]);
}

#[test]
fn an_interrupt_ends_the_pause_of_a_release() {
    let mut stage = locks(1);
    run(&mut stage, 1, "acquire");
    stage.begin(1, 1, &[call("lock", "release")]);
    stage.pass(5);
    stage.disconnect(1);
    stage.interrupt(1, 1);
    assert_eq!(stage.returned(1), ["acquire true", "release InterruptedException"]);
}

/// The node that a client waits for, by what follows its unique part.
fn waits_for(stage: &Stage, client: u16) -> String {
    let watched = stage.told(client).into_iter().rev().find_map(|told| match told {
        Told::WaitsBehind { watched, .. } => Some(watched),
        _ => None,
    });
    watched.map_or_else(String::new, |watched| watched["/lock/".len() + 32..].into())
}

#[test]
fn a_reader_of_kazoo_waits_for_the_last_writer_before_it() {
    let mut stage = Stage::new(5);
    let (reads, writes) = (Kind::KAZOO_READ_LOCK, Kind::KAZOO_WRITE_LOCK);
    for (client, kind) in [(1, reads), (2, reads), (3, writes), (4, writes), (5, reads)] {
        stage.make(client, "lock", named(kind, "/lock", client));
        run(&mut stage, client, "acquire");
    }
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)], "readers hold it together");
    let waits = [3, 4, 5].map(|client| waits_for(&stage, client));
    assert_eq!(waits, ["__rlock__0000000001", "__lock__0000000002", "__lock__0000000003"]);
    stage.run_on(1, 2, &[call("lock", "contenders")]);
    assert_eq!(stage.last_returned(1), "contenders id1 id2 id3 id4 id5");
    run(&mut stage, 2, "release");
    assert_eq!(waits_for(&stage, 3), "__rlock__0000000000", "a writer waits for every reader");
    run(&mut stage, 1, "release");
    assert_eq!(stage.holders("/lock"), [(3, 1)]);
    run(&mut stage, 3, "release");
    assert_eq!(stage.holders("/lock"), [(4, 1)]);
    run(&mut stage, 4, "release");
    assert_eq!(stage.holders("/lock"), [(5, 1)]);
}

/// The plain lock does not see readers, and stands before writers like one of them.
#[test]
fn a_plain_lock_of_kazoo_passes_readers() {
    let mut stage = Stage::new(3);
    for (client, kind) in [(1, Kind::KAZOO_READ_LOCK), (2, Kind::KAZOO_LOCK), (3, Kind::KAZOO_WRITE_LOCK)] {
        stage.make(client, "lock", named(kind, "/lock", client));
        run(&mut stage, client, "acquire");
    }
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)]);
    assert_eq!(waits_for(&stage, 3), "__lock__0000000001");
}

/// This many clients with a semaphore of two leases, each under its own name.
fn semaphores(clients: u16) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        stage.make(client, "lock", Recipe { count: Some(2), ..named(Kind::KAZOO_SEMAPHORE, "/s", client) });
    }
    stage
}

#[test]
fn a_lease_of_kazoo_goes_to_whoever_holds_the_lock_beside_it() {
    let mut stage = semaphores(4);
    run(&mut stage, 1, "lease_holders");
    assert_eq!(stage.last_returned(1), "lease_holders ", "nobody has made the path");
    for client in 1..=3 {
        run(&mut stage, client, "acquire");
    }
    assert_eq!(stage.holders("/s"), [(1, 1), (2, 1)]);
    assert_eq!(stage.data("/s").as_deref(), Some("2"));
    let lock = stage.children("/s-__lock__");
    assert_eq!(lock.len(), 1);
    assert_eq!(stage.data(&lock[0]).as_deref(), Some("b'id3'"), "the name as Python writes bytes");
    run(&mut stage, 4, "acquire_now");
    assert_eq!(stage.last_returned(4), "acquire_now false");
    run(&mut stage, 4, "lease_holders");
    let last = stage.last_returned(4);
    assert!(["lease_holders id1 id2", "lease_holders id2 id1"].contains(&last.as_str()), "{last}");
    run(&mut stage, 1, "acquire");
    assert_eq!(stage.last_returned(1), "acquire true", "it has one already, and asks for no lock");
    run(&mut stage, 1, "release");
    assert_eq!(stage.returned(3), ["acquire true"]);
    assert_eq!((stage.children("/s").len(), stage.children("/s-__lock__").len()), (2, 0));
    run(&mut stage, 1, "release");
    assert_eq!(stage.last_returned(1), "release false");
}

#[test]
fn a_contender_for_a_lease_of_kazoo_gives_up_without_a_trace() {
    let mut stage = semaphores(4);
    for client in 1..=2 {
        run(&mut stage, client, "acquire");
    }
    stage.run(3, &[call_for("lock", "acquire", 300)]);
    stage.pass(1_000);
    assert_eq!(stage.last_returned(3), "acquire LockTimeout");
    run(&mut stage, 3, "acquire");
    stage.begin(4, 1, &[call_for("lock", "acquire", 300)]);
    stage.pass(1_000);
    assert_eq!(stage.last_returned(4), "acquire LockTimeout", "in the queue of the lock");
    stage.run_on(3, 2, &[call("lock", "cancel")]);
    stage.pass(1_000);
    assert!(stage.returned(3).contains(&"acquire CancelledError: Semaphore cancelled".into()));
    assert_eq!((stage.children("/s").len(), stage.children("/s-__lock__").len()), (2, 0));
    run(&mut stage, 3, "acquire");
    run(&mut stage, 2, "release");
    assert_eq!(stage.last_returned(3), "acquire true", "a cancel is for one call");
}

#[test]
fn an_object_compares_the_number_of_leases_once() {
    let mut stage = semaphores(1);
    run(&mut stage, 1, "acquire");
    ask(&mut stage, 1, create("/other", "no number", CreateMode::Persistent));
    for (object, path) in [("three", "/s"), ("other", "/other")] {
        stage.make(1, object, Recipe { count: Some(3), ..named(Kind::KAZOO_SEMAPHORE, path, 1) });
    }
    let mut acquire = |object: &str| {
        stage.run(1, &[call(object, "acquire")]);
        stage.pass(1_000);
        stage.last_returned(1)
    };
    assert_eq!(acquire("three"), "acquire ValueError: Inconsistent max leases: 2, expected: 3");
    assert_eq!(acquire("three"), "acquire true");
    assert_eq!(acquire("other"), "acquire true", "what is no number is there for something else");
}

/// A holder does not listen: it believes until it asks again.
#[test]
fn a_lease_of_kazoo_ends_with_its_session() {
    let mut stage = semaphores(3);
    for client in 1..=3 {
        run(&mut stage, client, "acquire");
    }
    stage.expire(1);
    stage.pass(6_000);
    assert_eq!(stage.last_returned(3), "acquire true");
    assert_eq!(stage.holders("/s"), [(1, 1), (2, 1), (3, 1)]);
    run(&mut stage, 1, "acquire");
    assert_eq!(stage.holders("/s"), [(2, 1), (3, 1)], "it knows now, and waits");
    run(&mut stage, 2, "release");
    assert_eq!(stage.holders("/s"), [(3, 1), (1, 1)]);
    // who waits when its session ends tries again from the top
    run(&mut stage, 2, "acquire");
    stage.expire(2);
    stage.pass(6_000);
    run(&mut stage, 3, "release");
    stage.pass(4_000);
    assert_eq!(stage.holders("/s"), [(1, 1), (2, 1)]);
    assert_eq!(stage.children("/s").len(), 2);
}
