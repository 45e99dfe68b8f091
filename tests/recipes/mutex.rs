//! InterProcessMutex: what Curator's own tests check (`TestInterProcessMutexBase`, `TestInterProcessMutex`), races, and its
//! rules broken one by one.

use std::rc::Rc;

use zabscope::base::ClientId;
use zabscope::client::Fact as Inside;
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind, RetryPolicy, Script, Step, ThreadId};
use zabscope::sim::{Action, Fact, Setup};

use super::election_support::{crash_all, most_leaders, queue, restart_all, with};
use super::support::{Stage, call, call_for, recipe, set, work};

/// This many clients with a mutex on `/lock`; each comes, in order.
fn in_line(clients: u16, words: &[&str]) -> Stage {
    let mut stage = Stage::new(clients);
    stage.everybody_makes(clients, "lock", &with(Kind::MUTEX, "/lock", words));
    for client in 1..=clients {
        stage.run(client, &[call("lock", "acquire")]);
    }
    stage
}

fn woken(stage: &Stage, client: u16) -> usize {
    stage.told(client).iter().filter(|fact| matches!(fact, Told::Woken { .. })).count()
}

#[test]
fn three_contenders_hold_it_one_after_the_other() {
    let mut stage = in_line(3, &[]);
    for client in 1..=3 {
        assert_eq!(stage.holders("/lock"), [(client, 1)], "{:#?}", stage.told(client));
        stage.run(client, &[call("lock", "release")]);
    }
    assert!(stage.holders("/lock").is_empty());
    assert!(stage.children("/lock").is_empty());
}

/// `testLocker`, and `testWithNamespace` (a path below others): held inside, free afterwards.
#[test]
fn acquired_inside_and_not_afterwards() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/a/name/space/lock"));
    let steps = [call_for("lock", "acquire", 1_000), call("lock", "is_acquired"), call("lock", "release")];
    stage.run(1, &steps);
    stage.pass(1_000);
    stage.run(1, &[call("lock", "is_acquired")]);
    assert_eq!(stage.returned(1), ["acquire true", "is_acquired true", "release ok", "is_acquired false"]);
}

/// `testWaitingProcessKilledServer`: the waiter survives an outage of the whole ensemble.
#[test]
fn a_waiter_survives_an_outage() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run_on(1, 1, &[call("lock", "acquire")]);
    stage.run_on(1, 2, &[call("lock", "acquire")]);
    crash_all(&mut stage);
    stage.pass(1_000);
    restart_all(&mut stage);
    stage.pass(5_000);
    stage.run_on(1, 1, &[call("lock", "release")]);
    stage.pass(5_000);
    assert_eq!(stage.holders("/lock"), [(1, 2)]);
}

/// `testKilledSession`: the holder never releases; when its session is gone the waiter has it.
#[test]
fn the_next_one_has_it_when_the_session_is_killed() {
    let mut stage = in_line(2, &[]);
    stage.expire(1);
    stage.pass(8_000);
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)], "the first one does not know it");
    assert_eq!(queue(&stage, "/lock"), ["lock-0000000001"]);
    stage.run(1, &[call("lock", "release")]);
    assert_eq!(stage.returned(1), ["acquire ok", "release ok"], "and its release succeeds silently");
    assert_eq!(stage.holders("/lock"), [(2, 1)]);
}

/// `testContainerCleanup`: an empty directory is swept, and numbers begin again.
#[test]
fn r18_an_empty_directory_is_swept_and_numbers_begin_again() {
    let mut stage = in_line(2, &[]);
    stage.run(1, &[call("lock", "release")]);
    stage.run(2, &[call("lock", "release")]);
    stage.pass(200_000);
    assert!(stage.data("/lock").is_none(), "the container is gone");
    stage.run(2, &[call("lock", "acquire")]);
    assert_eq!(queue(&stage, "/lock"), ["lock-0000000000"]);
}

/// `testReentrantSingleLock`: ten threads on one object, never two inside.
#[test]
fn ten_threads_share_one_object() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    for thread in 1..=10 {
        stage.begin(1, thread, &[call("lock", "acquire"), work(50), call("lock", "release")]);
    }
    stage.pass(10_000);
    assert_eq!(most_leaders(&stage, "/lock"), 1);
    assert_eq!(stage.returned(1).iter().filter(|line| *line == "release ok").count(), 10);
}

/// `testReentrant2Threads` and `testReentrant`: held until the outermost release.
#[test]
fn held_until_the_outermost_release() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run_on(1, 1, &[call("lock", "acquire"), call("lock", "acquire"), call("lock", "acquire")]);
    stage.run_on(1, 2, &[call("lock", "acquire")]);
    for _ in 0..2 {
        stage.run_on(1, 1, &[call("lock", "release")]);
        assert_eq!(stage.holders("/lock"), [(1, 1)]);
    }
    stage.run_on(1, 1, &[call("lock", "release")]);
    assert_eq!(stage.holders("/lock"), [(1, 2)]);
}

/// `test2Clients`: each with a limit.
#[test]
fn two_clients_with_limits() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
    let steps = [call_for("lock", "acquire", 10_000), work(300), call("lock", "release")];
    stage.begin(1, 1, &steps);
    stage.begin(2, 1, &steps);
    stage.pass(5_000);
    assert_eq!(most_leaders(&stage, "/lock"), 1);
    for client in 1..=2 {
        assert_eq!(stage.returned(client), ["acquire true", "release ok"]);
    }
}

/// `testRevoking`: the other side lists the nodes, asks for the lock, and has it when the holder gives in.
#[test]
fn a_holder_is_asked_for_it() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
    stage.run(1, &[call("lock", "make_revocable"), call("lock", "acquire")]);
    stage.run(2, &[call("lock", "participants"), call("lock", "revoke")]);
    let [participants, revoked] = &stage.returned(2)[..] else { panic!("{:?}", stage.returned(2)) };
    assert!(participants.ends_with("-lock-0000000000") && !participants["participants ".len()..].contains(' '));
    assert_eq!(revoked, "revoke ok");
    let asked = |fact: &Told| matches!(fact, Told::Callback { callback: "revocationRequested", .. });
    assert_eq!(stage.told(1).iter().filter(|fact| asked(fact)).count(), 1);
    stage.begin(2, 1, &[call_for("lock", "acquire", 5_000)]);
    stage.run(1, &[call("lock", "release")]);
    assert_eq!(stage.holders("/lock"), [(2, 1)]);
    // the listener is cleared by the release
    stage.run(2, &[call("lock", "release")]);
    stage.run(1, &[call("lock", "acquire")]);
    stage.run(2, &[call("lock", "revoke")]);
    assert_eq!(stage.told(1).iter().filter(|fact| asked(fact)).count(), 1);
}

/// `testPersistentLock`: nodes that outlive their session. Nobody has the lock when their maker is gone.
#[test]
fn a_persistent_node_survives_its_session() {
    let mut stage = in_line(2, &["persistent"]);
    stage.expire(1);
    stage.pass(8_000);
    assert_eq!(queue(&stage, "/lock").len(), 2);
    assert_eq!(stage.holders("/lock"), [(1, 1)], "the waiter waits");
    stage.run(1, &[call("lock", "release")]);
    assert_eq!(queue(&stage, "/lock"), ["lock-0000000001"]);
}

/// A holder that is frozen past its session wakes up and writes; a token that grows keeps it out.
#[test]
fn r1_a_paused_holder_writes_late() {
    for fenced in [false, true] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
        let write = Step::Use { object: "lock".into(), resource: "disk".into(), fenced };
        let slow = Step::Work { ms: 2_000, heedless: true };
        stage.begin(1, 1, &[call("lock", "acquire"), slow, write.clone()]);
        stage.pass(500);
        stage.begin(2, 1, &[call("lock", "acquire"), write]);
        stage.pass(500);
        stage.act(Action::PauseClient { client: ClientId(1) });
        stage.pass(9_000);
        stage.act(Action::ResumeClient { client: ClientId(1) });
        stage.pass(3_000);
        assert_eq!(most_leaders(&stage, "/lock"), 2);
        let refused = |fact: &Fact| format!("{fact:?}").contains("ResourceRefused");
        assert_eq!(stage.records.iter().any(|record| refused(&record.fact)), fenced);
    }
}

/// The create was done, its reply lost. The unprotected one waits for its own node.
#[test]
fn r2_a_lost_reply() {
    for (words, holds) in [(&[][..], 1), (&["unprotected"][..], 0)] {
        let mut stage = in_line(1, words);
        stage.run(1, &[call("lock", "release")]);
        stage.begin(1, 1, &[call("lock", "acquire")]);
        stage.until("the node", |stage| stage.children("/lock").len() == 1);
        stage.disconnect(1);
        stage.pass(3_000);
        assert_eq!(stage.holders("/lock").len(), holds, "{words:?}");
        assert_eq!(stage.children("/lock").len(), 2 - holds, "{words:?}");
    }
}

/// An interrupted waiter leaves no node.
#[test]
fn r4_an_interrupted_waiter_leaves_no_node() {
    for after in [1, 2, 5, 10, 20, 500] {
        let mut stage = in_line(1, &[]);
        stage.open(2);
        stage.pass(500);
        stage.make(2, "lock", recipe(Kind::MUTEX, "/lock"));
        stage.begin(2, 1, &[call("lock", "acquire")]);
        stage.pass(after);
        stage.interrupt(2, 1);
        stage.pass(3_000);
        assert_eq!(queue(&stage, "/lock"), ["lock-0000000000"], "after {after} ms");
        assert_eq!(stage.returned(2), ["acquire InterruptedException"]);
    }
}

/// The node before goes between the list and the watch, which getData (Curator) and exists (by hand) answer with
/// NoNode. Nobody will wake the waiter: it has to list again at once.
#[test]
fn r5_and_r6_the_one_before_leaves_between_list_and_watch() {
    for kind in [Kind::MUTEX, Kind::PREDECESSOR_LOCK] {
        let mut met = false;
        for after in 1..60 {
            let mut stage = Stage::new(2);
            stage.everybody_makes(2, "lock", &recipe(kind, "/lock"));
            stage.run(1, &[call("lock", "acquire")]);
            stage.begin(2, 1, &[call("lock", "acquire")]);
            stage.pass(after);
            stage.run(1, &[call("lock", "release")]);
            stage.pass(500);
            assert_eq!(stage.holders("/lock"), [(2, 1)], "{kind:?} after {after} ms");
            met |= woken(&stage, 2) == 0 && stage.asked(2, 0).iter().any(|line| line.contains("lock-0000000000"));
        }
        assert!(met, "{kind:?}");
    }
}

/// A try that ended leaves its watch; the holder's release is told to one that has nothing to do.
#[test]
fn r7_a_dangling_watch_after_a_try() {
    let mut stage = in_line(1, &[]);
    stage.open(2);
    stage.pass(500);
    stage.make(2, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run(2, &[call_for("lock", "acquire", 0)]);
    assert_eq!(stage.returned(2), ["acquire false"]);
    let from = stage.records.len();
    stage.run(1, &[call("lock", "release")]);
    let called = |fact: &Fact| matches!(fact, Fact::Client { client: ClientId(2), fact } if format!("{fact:?}").starts_with("Notified"));
    assert_eq!(stage.records[from..].iter().filter(|record| called(&record.fact)).count(), 1);
    assert!(stage.asked(2, from).is_empty());
}

/// Woken, but not the owner: the one in the middle gave up.
#[test]
fn r8_to_be_woken_is_not_to_own() {
    for (words, most) in [(&[][..], 1), (&["never_looks_again"][..], 2)] {
        let mut stage = Stage::new(3);
        stage.everybody_makes(3, "lock", &with(Kind::MUTEX, "/lock", words));
        stage.run(1, &[call("lock", "acquire")]);
        stage.begin(2, 1, &[call_for("lock", "acquire", 1_000)]);
        stage.pass(300);
        stage.run(3, &[call("lock", "acquire")]);
        stage.pass(3_000);
        assert_eq!(stage.returned(2), ["acquire false"]);
        assert_eq!((woken(&stage, 3), most_leaders(&stage, "/lock")), (1, most), "{words:?}");
    }
}

/// A waiter's session ends; it comes back at the tail.
#[test]
fn r9_a_waiter_whose_session_expires_queues_anew() {
    let mut stage = in_line(3, &[]);
    stage.expire(2);
    stage.pass(8_000);
    assert_eq!(queue(&stage, "/lock"), ["lock-0000000000", "lock-0000000002", "lock-0000000003"]);
    for client in [1, 3, 2] {
        assert_eq!(stage.holders("/lock"), [(client, 1)]);
        stage.run(client, &[call("lock", "release")]);
    }
}

/// A rule broken: all watch the first node. A release wakes everybody.
#[test]
fn whoever_watches_the_first_makes_a_herd() {
    let count = |words: &[&str]| {
        let mut stage = in_line(5, words);
        stage.run(1, &[call("lock", "release")]);
        (2..=5).map(|client| woken(&stage, client)).sum::<usize>()
    };
    assert_eq!((count(&[]), count(&["watches_first"])), (1, 4));
}

/// Eight threads on one object are a herd of their own. 21 requests were measured: 7 watches removed, the delete,
/// 7 lists, 6 watches set again.
#[test]
fn r16_a_local_herd() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    for thread in 1..=8 {
        stage.run_on(1, thread, &[call("lock", "acquire")]);
    }
    let from = stage.records.len();
    stage.run_on(1, 1, &[call("lock", "release")]);
    assert_eq!(stage.holders("/lock"), [(1, 2)]);
    let asked = stage.asked(1, from);
    assert_eq!(asked.len(), 21, "{asked:#?}");
}

/// A request to give the lock back comes between the creation of the node and the holder's first look at it. That
/// look sets the watch and does not read: nobody hears of it until the next request.
#[test]
fn a_request_before_the_first_look_is_missed() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
    stage.begin(1, 1, &[call("lock", "make_revocable"), call("lock", "acquire")]);
    stage.until("the node is there", |stage| !stage.children("/lock").is_empty());
    stage.act(Action::PauseClient { client: ClientId(1) });
    stage.run(2, &[call("lock", "revoke")]);
    stage.act(Action::ResumeClient { client: ClientId(1) });
    stage.pass(2_000);
    let asked = |fact: &Told| matches!(fact, Told::Callback { callback: "revocationRequested", .. });
    assert_eq!((stage.holders("/lock"), stage.told(1).iter().filter(|fact| asked(fact)).count()), (vec![(1, 1)], 0));
    stage.run(2, &[call("lock", "revoke")]);
    stage.pass(1_000);
    assert_eq!(stage.told(1).iter().filter(|fact| asked(fact)).count(), 1);
}

/// Tech Note 1: inside a callback a client waits for the lock. The event that would wake it needs the same thread: it
/// waits until its time is over, though the lock is long free. On a thread of its own it has it at once.
#[test]
fn who_waits_inside_a_callback_is_not_woken() {
    for (in_callback, outcome) in [(true, "acquire true after its time"), (false, "acquire true in time")] {
        let mut stage = in_line(1, &[]);
        stage.open(2);
        stage.pass(500);
        stage.make(2, "lock", recipe(Kind::MUTEX, "/lock"));
        let script = Script { steps: vec![call_for("lock", "acquire", 6_000)], times: 1, in_callback };
        stage.act(Action::RunThread { client: ClientId(2), thread: ThreadId::MAIN, script });
        stage.pass(1_000);
        stage.run(1, &[call("lock", "release")]);
        stage.pass(1_000);
        let came = if stage.returned(2).is_empty() { "after its time" } else { "in time" };
        stage.pass(6_000);
        assert_eq!(format!("{} {came}", stage.returned(2).join(" ")), outcome);
    }
}

/// Retry policies: while no server is there, `n_times` gives up after its tries, `forever` has the lock when they are back.
#[test]
fn a_policy_decides_how_long_an_outage_is_borne() {
    for (retry, outcome) in
        [(RetryPolicy::NTimes, "acquire ConnectionLossException"), (RetryPolicy::Forever, "acquire ok")]
    {
        let mut stage = Stage::new(1);
        let config =
            CuratorConfig { connection_timeout_ms: 200, base_sleep_ms: 300, retry, ..CuratorConfig::default() };
        stage.set_up(1, config);
        stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
        crash_all(&mut stage);
        stage.pass(500);
        stage.run(1, &[call("lock", "acquire")]);
        stage.pass(3_000);
        restart_all(&mut stage);
        stage.pass(12_000);
        assert_eq!(stage.returned(1), [outcome]);
    }
}

/// The answer to the create is lost, and then the one to the search for its node.
#[test]
fn a_search_whose_answer_is_lost_is_made_again() {
    let mut stage = in_line(1, &[]);
    stage.run(1, &[call("lock", "release")]);
    let from = stage.records.len();
    stage.begin(1, 1, &[call("lock", "acquire")]);
    stage.until("the node", |stage| stage.children("/lock").len() == 1);
    let made = stage.children("/lock");
    stage.disconnect(1);
    stage.until("it searches", |stage| stage.asked(1, from).iter().any(|asked| asked == "getChildren /lock"));
    stage.disconnect(1);
    stage.pass(4_000);
    assert_eq!(stage.children("/lock"), made);
    assert_eq!(stage.holders("/lock"), [(1, 1)]);
}

#[test]
fn what_was_never_sent_is_not_looked_for() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { connection_timeout_ms: 200, max_retries: 0, ..CuratorConfig::default() });
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    crash_all(&mut stage);
    stage.pass(1_000);
    stage.run(1, &[call("lock", "acquire")]);
    assert_eq!(stage.returned(1), ["acquire ConnectionLossException"]);
    restart_all(&mut stage);
    stage.pass(12_000);
    assert_eq!(stage.asked(1, 0), [""; 0]);
}

/// The create never arrived, and there is not even its path: one answer is enough.
#[test]
fn a_lost_node_is_looked_for_until_there_is_an_answer() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { connection_timeout_ms: 200, max_retries: 0, ..CuratorConfig::default() });
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.begin(1, 1, &[call("lock", "acquire")]);
    crash_all(&mut stage);
    stage.pass(2_000);
    assert_eq!(stage.returned(1), ["acquire ConnectionLossException"]);
    restart_all(&mut stage);
    stage.pass(15_000);
    // the first try was lost with the connection, or is the answer
    let looked = stage.asked(1, 0).split_off(1);
    assert!((1..=2).contains(&looked.len()) && looked.iter().all(|asked| asked == "getChildren /lock"), "{looked:?}");
}

#[test]
fn a_lost_answer_about_a_parent_begins_the_create_anew() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.begin(1, 1, &[call("lock", "acquire")]);
    stage.until("it asks for the parent", |stage| stage.asked(1, 0).iter().any(|asked| asked == "exists /lock"));
    stage.disconnect(1);
    stage.pass(4_000);
    assert_eq!(stage.asked(1, 0)[2], "getChildren /lock");
    assert_eq!(stage.holders("/lock"), [(1, 1)]);
}

#[test]
fn pauses_grow_up_to_the_longest() {
    let contend = |clients: u16, retry, max_sleep_ms, max_retries| {
        let mut stage = Stage::new(clients);
        for client in 1..=clients {
            let timeouts = CuratorConfig { connection_timeout_ms: 0, base_sleep_ms: 100, ..CuratorConfig::default() };
            stage.set_up(client, CuratorConfig { retry, max_sleep_ms, max_retries, ..timeouts });
            stage.make(client, "lock", recipe(Kind::MUTEX, "/lock"));
        }
        crash_all(&mut stage);
        stage.pass(500);
        (1..=clients).for_each(|client| stage.begin(client, 1, &[call("lock", "acquire")]));
        stage
    };
    for (retry, longest, over) in [
        (RetryPolicy::NTimes, 60_000, true),
        (RetryPolicy::Exponential, 60_000, false),
        (RetryPolicy::Exponential, 100, true),
    ] {
        let mut stage = contend(1, retry, longest, 8);
        stage.pass(750);
        assert!(stage.returned(1).is_empty(), "{retry:?} {longest}");
        stage.pass(1_250);
        assert_eq!(!stage.returned(1).is_empty(), over, "{retry:?} {longest}");
    }
    // the second pause is already drawn of more than one
    let mut stage = contend(10, RetryPolicy::Exponential, 60_000, 2);
    stage.pass(250);
    let over = |stage: &Stage| (1..=10).filter(|&client| !stage.returned(client).is_empty()).count();
    assert!((1..10).contains(&over(&stage)), "{}", over(&stage));
    stage.pass(250);
    assert_eq!(over(&stage), 10);
}

/// Two threads of a client, the second one behind somebody else: it asks for its watch when the session ends. Its watch is
/// set in the new session, and its node is gone.
#[test]
fn who_is_expired_while_it_sets_its_watch_queues_anew() {
    for (kind, request) in [(Kind::MUTEX, "getData"), (Kind::PREDECESSOR_LOCK, "exists")] {
        let mut stage = Stage::new(3);
        stage.everybody_makes(3, "lock", &recipe(kind, "/lock"));
        (1..=3).for_each(|client| stage.run(client, &[call("lock", "acquire")]));
        let from = stage.records.len();
        stage.begin(2, 2, &[call("lock", "acquire")]);
        stage.until("it sets its watch", |stage| stage.asked(2, from).iter().any(|asked| asked.starts_with(request)));
        stage.disconnect(2);
        stage.expire(2);
        stage.pass(10_000);
        assert_eq!(queue(&stage, "/lock"), [0, 2, 4, 5].map(|number| format!("lock-000000000{number}")), "{kind:?}");
    }
}

/// The node before has gone when the watch is asked for: there is none, and nothing to take back.
#[test]
fn who_missed_the_one_before_has_no_watch_to_take_back() {
    let mut met = false;
    for after in (1..60).step_by(2) {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.begin(2, 1, &[call("lock", "acquire")]);
        stage.pass(after);
        stage.run(1, &[call("lock", "release")]);
        stage.pass(500);
        met |= woken(&stage, 2) == 0 && stage.asked(2, 0).iter().any(|asked| asked.contains("lock-0000000000"));
        let from = stage.records.len();
        stage.run(2, &[call("lock", "release")]);
        assert_eq!(stage.asked(2, from).len(), 1, "after {after} ms");
    }
    assert!(met);
}

#[test]
fn nobody_is_asked_for_a_lock_that_nobody_has() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run(1, &[call("lock", "revoke"), call("lock", "participants")]);
    assert_eq!(stage.returned(1), ["revoke ok", "participants "]);
}

#[test]
fn a_search_for_a_lost_node_pauses_between_its_tries() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { connection_timeout_ms: 0, max_retries: 0, ..CuratorConfig::default() });
    stage.make(1, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.begin(1, 1, &[call("lock", "acquire")]);
    crash_all(&mut stage);
    let app = |stage: &Stage| stage.player.world().clients[&ClientId(1)].app.clone().expect("a program");
    stage.until("it pauses", |stage| app(stage).is_sleeping());
    let pause = app(&stage).next_at().expect("a pause").since(stage.player.world().now);
    assert!((99_900..=100_000).contains(&pause), "{pause}");
}

#[test]
fn when_a_callback_has_ended_events_are_heard() {
    let mut stage = in_line(1, &[]);
    stage.open(2);
    stage.pass(500);
    stage.make(2, "lock", recipe(Kind::MUTEX, "/lock"));
    let script = Script { steps: vec![call_for("lock", "acquire", 0)], times: 1, in_callback: true };
    stage.act(Action::RunThread { client: ClientId(2), thread: ThreadId::MAIN, script });
    stage.pass(1_000);
    stage.run(2, &[call("lock", "acquire")]);
    stage.run(1, &[call("lock", "release")]);
    assert_eq!(stage.returned(2), ["acquire false", "acquire ok"]);
}

#[test]
fn only_the_word_asks_for_a_lock() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
    stage.run(1, &[call("lock", "make_revocable"), call("lock", "acquire")]);
    stage.pass(500);
    let asked = |fact: &Told| matches!(fact, Told::Callback { callback: "revocationRequested", .. });
    for (word, times) in [("please", 0), ("__REVOKE__", 1)] {
        let path = stage.children("/lock")[0].clone();
        stage.ask(2, set(&path, word));
        stage.pass(1_000);
        assert_eq!(stage.told(1).iter().filter(|fact| asked(fact)).count(), times, "{word}");
    }
}

/// The connection is tried for with the old session, and once with none.
#[test]
fn a_lost_session_is_followed_by_one_new_handle() {
    let mut stage = in_line(2, &[]);
    let from = stage.records.len();
    stage.expire(2);
    stage.pass(6_000);
    let tries = |fact: &Fact| match fact {
        Fact::Client { client, fact } => *client == ClientId(2) && matches!(fact, Inside::ClientConnecting { .. }),
        _ => false,
    };
    assert_eq!(stage.records[from..].iter().filter(|record| tries(&record.fact)).count(), 2);
}

/// What stands behind the name in the nodes of a lock, in order.
fn numbers(stage: &Stage) -> Vec<String> {
    let number =
        |path: &Rc<str>| path.rsplit_once("lock").map(|(_, number)| number[1..].trim_matches('_').to_string());
    let mut numbers: Vec<String> = stage.children("/lock").iter().filter_map(number).collect();
    numbers.sort();
    numbers
}

/// The number of a node that comes while the last one of the counter is under way has a minus, and as a text it comes before
/// every other. Curator and kazoo compare texts.
#[test]
fn who_comes_after_the_last_number_holds_it_too() {
    for kind in [Kind::MUTEX, Kind::KAZOO_LOCK] {
        let cversions = [("/lock".into(), i32::MAX - 1)].into();
        let mut stage = Stage::of(4, 1, Setup { cversions, ..Setup::default() });
        stage.everybody_makes(4, "lock", &recipe(kind, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        assert_eq!(stage.holders("/lock"), [(1, 1)], "{kind:?}");
        stage.begin(2, 1, &[call("lock", "acquire")]);
        stage.begin(3, 1, &[call("lock", "acquire")]);
        stage.pass(1_000);
        let holders = stage.holders("/lock");
        assert_eq!((holders.len(), holders[0]), (2, (1, 1)), "{kind:?}: {holders:?}");
        assert_eq!(numbers(&stage), ["-2147483648", "2147483646", "2147483647"], "{kind:?}");
        // the tree's counter stands still
        stage.run(4, &[call("lock", "acquire")]);
        assert_eq!(numbers(&stage)[2..], ["2147483647", "2147483647"], "{kind:?}");
        for (client, _) in holders {
            stage.run(client, &[call("lock", "release")]);
        }
        stage.pass(1_000);
        // kazoo looks for smaller numbers only; Curator goes by the order in which the server lists the nodes
        assert_eq!(stage.holders("/lock").len(), if kind == Kind::MUTEX { 1 } else { 2 }, "{kind:?}");
    }
}

/// Names that are only a number cannot come twice.
#[test]
fn a_lock_by_hand_ends_with_the_last_number() {
    let cversions = [("/lock".into(), i32::MAX)].into();
    let mut stage = Stage::of(2, 1, Setup { cversions, ..Setup::default() });
    stage.everybody_makes(2, "lock", &recipe(Kind::PREDECESSOR_LOCK, "/lock"));
    stage.run(1, &[call("lock", "acquire")]);
    stage.run(2, &[call("lock", "acquire")]);
    assert_eq!(stage.last_returned(2), "acquire NodeExistsException");
    stage.run(1, &[call("lock", "release")]);
    stage.run(2, &[call("lock", "acquire")]);
    assert_eq!((stage.holders("/lock"), numbers(&stage)), (vec![(2, 1)], vec!["2147483647".to_string()]));
}
