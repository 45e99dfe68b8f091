//! DistributedBarrier and DistributedDoubleBarrier.

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{CuratorConfig, Kind, Recipe, Standing};
use zabscope::sim::Action;

use super::support::{Stage, call, call_for, delete, recipe};

fn barrier() -> Recipe {
    recipe(Kind::BARRIER, "/bar")
}

fn double(count: u32, words: &[&str]) -> Recipe {
    let with = words.iter().map(|word| (*word).into()).collect();
    Recipe { count: Some(count), with, ..recipe(Kind::DOUBLE_BARRIER, "/db") }
}

/// With names in the order of the clients.
fn named(client: u16, count: u32) -> Recipe {
    Recipe { id: Some(format!("m{client}").into()), ..double(count, &[]) }
}

/// The recording `barrier`, request by request.
#[test]
fn a_barrier_asks_what_the_recorded_one_asked() {
    let mut stage = Stage::new(3);
    stage.everybody_makes(3, "bar", &barrier());
    let from = stage.records.len();
    stage.run(3, &[call("bar", "wait")]);
    stage.run(1, &[call("bar", "set")]);
    stage.run(2, &[call("bar", "wait")]);
    stage.run(3, &[call_for("bar", "wait", 300)]);
    stage.run(1, &[call("bar", "set"), call("bar", "remove"), call("bar", "remove")]);
    assert_eq!(stage.asked(1, from), ["create2 /bar", "create2 /bar", "delete /bar", "delete /bar"]);
    assert_eq!(stage.asked(2, from), ["exists /bar", "exists /bar"]);
    assert_eq!(stage.asked(3, from), ["exists /bar", "exists /bar", "exists /bar"]);
    assert_eq!(stage.returned(1), ["set ok", "set ok", "remove ok", "remove ok"]);
    assert_eq!(stage.returned(2), ["wait ok"]);
    assert_eq!(stage.returned(3), ["wait ok", "wait false"]);
}

/// `TestDistributedBarrier#testServerCrash`.
#[test]
fn waiting_ends_with_connection_loss_when_the_servers_are_gone() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { connection_timeout_ms: 1_000, max_retries: 1, ..CuratorConfig::default() });
    stage.make(1, "bar", barrier());
    stage.run(1, &[call("bar", "set"), call_for("bar", "wait", 10_000)]);
    for server in 1..=3 {
        stage.act(Action::Crash { server: ServerId(server) });
    }
    stage.pass(5_000);
    assert_eq!(stage.returned(1), ["set ok", "wait ConnectionLossException"]);
}

/// `TestDistributedBarrier#testMultiClient`.
#[test]
fn a_barrier_outlives_the_client_that_set_it() {
    let mut stage = Stage::new(4);
    stage.everybody_makes(4, "bar", &barrier());
    stage.run(1, &[call("bar", "set")]);
    stage.act(Action::CloseClient { client: ClientId(1) });
    stage.pass(200);
    stage.run(2, &[call_for("bar", "wait", 10)]);
    stage.run(3, &[call_for("bar", "wait", 10)]);
    stage.run(4, &[call("bar", "remove")]);
    assert_eq!(stage.returned(2), ["wait false"]);
    assert_eq!(stage.returned(3), ["wait false"]);
    assert_eq!(stage.returned(4), ["remove ok"]);
}

/// `TestDistributedBarrier#testNoBarrier`.
#[test]
fn without_a_barrier_nobody_waits() {
    let mut stage = Stage::new(1);
    stage.make(1, "bar", barrier());
    stage.run(1, &[call_for("bar", "wait", 10_000), call("bar", "wait")]);
    assert_eq!(stage.returned(1), ["wait true", "wait ok"]);
}

/// `TestDistributedBarrier#testBasic`.
#[test]
fn a_waiter_goes_when_the_barrier_is_removed() {
    let mut stage = Stage::new(1);
    stage.make(1, "bar", barrier());
    stage.run(1, &[call("bar", "set")]);
    stage.run_on(1, 2, &[call_for("bar", "wait", 10_000)]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["set ok"]);
    stage.run(1, &[call("bar", "remove")]);
    assert_eq!(stage.returned(1)[1..].len(), 2);
    assert!(stage.returned(1).contains(&"wait true".into()));
}

fn all_enter_and_leave(stage: &mut Stage, members: &[(u16, u32, &str)]) {
    let (&last, early) = members.split_last().expect("members");
    for &(client, thread, object) in early {
        stage.run_on(client, thread, &[call_for(object, "enter", 20_000)]);
        assert!(stage.said(client, "entered").is_empty());
    }
    stage.run_on(last.0, last.1, &[call_for(last.2, "enter", 20_000)]);
    let all = |stage: &Stage, word: &str| -> usize { (1..=6).map(|client| stage.said(client, word).len()).sum() };
    assert_eq!(all(stage, "entered"), members.len());
    for &(client, thread, object) in early {
        stage.run_on(client, thread, &[call_for(object, "leave", 20_000)]);
        assert_eq!(all(stage, "left"), 0);
    }
    stage.run_on(last.0, last.1, &[call_for(last.2, "leave", 20_000)]);
    assert_eq!(all(stage, "left"), members.len());
    assert!(stage.children("/db").is_empty());
}

/// `TestDistributedDoubleBarrier#testMultiClient`.
#[test]
fn five_clients_enter_and_leave_together() {
    let mut stage = Stage::new(5);
    stage.everybody_makes(5, "db", &double(5, &[]));
    all_enter_and_leave(&mut stage, &[(1, 1, "db"), (2, 1, "db"), (3, 1, "db"), (4, 1, "db"), (5, 1, "db")]);
}

/// `TestDistributedDoubleBarrier#testBasic`.
#[test]
fn five_members_of_one_client_enter_and_leave_together() {
    let mut stage = Stage::new(1);
    for object in ["d1", "d2", "d3", "d4", "d5"] {
        stage.make(1, object, double(5, &[]));
    }
    all_enter_and_leave(&mut stage, &[(1, 1, "d1"), (1, 2, "d2"), (1, 3, "d3"), (1, 4, "d4"), (1, 5, "d5")]);
}

/// `TestDistributedDoubleBarrier#testSpuriousWakeup` (GH-1290): wakes without a cause; here connections that are cut
/// and come back. In 5.4.0 each wake lets the waiter in, or fails it.
#[test]
fn a_member_that_counts_again_is_not_let_in_by_a_stray_wake() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "db", &double(2, &["recounts"]));
    stage.run(1, &[call_for("db", "enter", 60_000)]);
    for _ in 0..10 {
        stage.disconnect(1);
        stage.pass(2_500);
    }
    assert!(stage.returned(1).is_empty(), "{:?}", stage.returned(1));
    stage.run(2, &[call_for("db", "enter", 60_000)]);
    assert_eq!(stage.returned(1), ["enter true"]);
    assert_eq!(stage.returned(2), ["enter true"]);
}

#[test]
fn in_5_4_0_whatever_wakes_a_member_ends_its_wait() {
    let mut stage = Stage::new(1);
    stage.make(1, "db", double(2, &[]));
    stage.run(1, &[call_for("db", "enter", 60_000)]);
    stage.disconnect(1);
    stage.pass(500);
    assert_eq!(stage.returned(1), ["enter ConnectionLossException"]);
}

/// `TestDistributedDoubleBarrier#testOverSubscribed`, and the recording `double-barrier-more-than-quota`.
#[test]
fn more_than_the_quota_enter_and_leave() {
    let mut stage = Stage::new(3);
    for client in 1..=3 {
        stage.make(client, "db", named(client, 2));
    }
    let from = stage.records.len();
    for method in ["enter", "leave"] {
        for client in 1..=3 {
            stage.run(client, &[call("db", method)]);
        }
    }
    for client in 1..=3 {
        assert_eq!(stage.returned(client), ["enter ok", "leave ok"]);
    }
    assert!(stage.children("/db").is_empty());
    let entered = ["exists /db/ready", "create2 /db/m2", "getChildren2 /db", "create2 /db/ready"];
    assert_eq!(stage.asked(2, from)[..4], entered);
    assert_eq!(stage.asked(3, from)[..2], ["exists /db/ready", "create2 /db/m3"]);
    assert_eq!(
        stage.asked(1, from)[..6],
        [
            "exists /db/ready",
            "create2 /db/m1",
            "exists /db",
            "createContainer /db",
            "create2 /db/m1",
            "getChildren2 /db"
        ]
    );
    // the lowest is m1 here: the others delete their nodes and wait for it
    assert_eq!(stage.asked(3, from)[2..5], ["getChildren2 /db", "exists /db/m1", "delete /db/m3"]);
}

/// The recording `double-barrier-enter-times-out`: no second look, and the node stays.
#[test]
fn who_gives_up_to_enter_leaves_its_node_behind() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "db", &double(3, &[]));
    stage.run(1, &[call("db", "enter")]);
    let from = stage.records.len();
    stage.run(2, &[call_for("db", "enter", 400)]);
    stage.pass(300);
    assert_eq!(stage.returned(2), ["enter false"]);
    assert_eq!(stage.asked(2, from).len(), 3);
    assert_eq!(stage.children("/db").len(), 2);
}

/// The create's reply is lost; the second try finds the own node, and enter throws.
#[test]
fn a_lost_reply_to_the_member_s_create_throws_node_exists() {
    let mut stage = Stage::new(1);
    stage.make(1, "db", named(1, 2));
    stage.begin(1, 1, &[call("db", "enter")]);
    stage.until("the node", |stage| stage.children("/db").len() == 1);
    stage.disconnect(1);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["enter NodeExistsException"]);
    assert_eq!(stage.children("/db").len(), 1);
}

/// The delete's reply is lost; leave throws NoNode.
#[test]
fn a_lost_reply_to_the_member_s_delete_throws_no_node() {
    let mut stage = Stage::new(1);
    stage.make(1, "db", named(1, 1));
    stage.run(1, &[call("db", "enter")]);
    stage.begin(1, 1, &[call("db", "leave")]);
    stage.until("no node", |stage| stage.children("/db").iter().all(|path| !path.ends_with("m1")));
    stage.disconnect(1);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["enter ok", "leave NoNodeException"]);
}

/// A member's session expires while it waits without a limit: its node and its watch are gone, and the others
/// can come without it or not at all; it sleeps for ever. (5.4.0 lets it fail at the disconnection instead.)
#[test]
fn a_member_whose_session_expires_waits_for_ever() {
    let mut stage = Stage::new(4);
    stage.everybody_makes(4, "db", &double(3, &["recounts"]));
    stage.run(1, &[call("db", "enter")]);
    stage.expire(1);
    stage.pass(5_000);
    stage.run(2, &[call("db", "enter")]);
    stage.run(3, &[call("db", "enter")]);
    assert_eq!(stage.children("/db").len(), 2);
    assert!(stage.returned(3).is_empty());
    stage.run(4, &[call("db", "enter")]);
    stage.pass(10_000);
    assert_eq!(stage.returned(3), ["enter ok"]);
    assert!(stage.returned(1).is_empty(), "{:?}", stage.returned(1));
}

/// `ready` is made between a member's list and its watch; it sleeps for ever.
#[test]
fn a_member_that_sets_its_watch_after_counting_misses_the_others() {
    for (words, returned) in [(&["watches_late"][..], 0), (&[][..], 1)] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "db", &double(2, words));
        stage.begin(1, 1, &[call("db", "enter")]);
        let listed = |stage: &Stage| stage.asked(1, 0).iter().any(|asked| asked == "getChildren2 /db");
        stage.until("the first counts", listed);
        stage.pass(20); // the server has counted, and its answer is under way
        stage.act(Action::PauseClient { client: ClientId(1) });
        stage.run(2, &[call("db", "enter")]);
        stage.act(Action::ResumeClient { client: ClientId(1) });
        stage.pass(2_000);
        assert_eq!(stage.returned(2), ["enter ok"]);
        assert_eq!(stage.returned(1).len(), returned, "{words:?}");
    }
}

/// The lowest works on; a leaver that something wakes sees one member and goes.
#[test]
fn a_stray_wake_lets_a_member_leave_while_the_lowest_still_works() {
    let mut stage = Stage::new(3);
    for client in 1..=3 {
        stage.make(client, "db", named(client, 2));
    }
    for client in 1..=3 {
        stage.run(client, &[call("db", "enter")]); // the third finds `ready` there: its watch on it stays
    }
    stage.run(2, &[call("db", "leave")]);
    stage.run(3, &[call("db", "leave")]);
    assert_eq!(stage.returned(3), ["enter ok"]);
    stage.ask(1, delete("/db/ready"));
    stage.pass(500);
    assert_eq!(stage.returned(3), ["enter ok", "leave ok"]);
    assert_eq!(stage.returned(2), ["enter ok"]);
    assert_eq!(stage.returned(1), ["enter ok"]);
}

/// A blip of the connection ends leave, though the own node is properly gone.
#[test]
fn a_blip_while_leaving_ends_in_connection_loss() {
    let mut stage = Stage::new(2);
    for client in 1..=2 {
        stage.make(client, "db", named(client, 2));
        stage.run(client, &[call("db", "enter")]);
    }
    stage.run(2, &[call("db", "leave")]);
    stage.disconnect(2);
    stage.pass(500);
    assert_eq!(stage.returned(2), ["enter ok", "leave ConnectionLossException"]);
    assert!(stage.children("/db").iter().all(|path| !path.ends_with("m2")));
}

/// The lowest goes while a leaver deletes its own node: the event comes before the answer, and others for other objects of
/// the program come beside it.
#[test]
fn whoever_leaves_hears_of_the_lowest_while_it_deletes_its_node() {
    for after in (0..160).step_by(8) {
        let mut stage = Stage::new(2);
        for client in 1..=2 {
            stage.make(client, "db", named(client, 2));
            stage.run(client, &[call("db", "enter")]);
        }
        for (thread, other) in [(2, "a"), (3, "z")] {
            for client in 1..=2 {
                stage.make(client, other, recipe(Kind::NAIVE_LOCK, &format!("/{other}")));
                stage.run_on(client, thread, &[call(other, "acquire")]);
            }
        }
        stage.begin(2, 1, &[call("db", "leave")]);
        stage.pass(after);
        stage.act(Action::CloseClient { client: ClientId(1) });
        stage.pass(2_000);
        assert!(stage.returned(2).contains(&"leave ok".into()), "closed after {after} ms");
    }
}

/// What a picture of a client shows of its thread.
#[test]
fn who_enters_waits_for_ready_and_stands_nowhere_after() {
    let mut stage = Stage::new(2);
    let stands = |stage: &Stage| {
        let app = stage.player.world().clients[&ClientId(1)].app.as_ref().expect("a program");
        app.standings().next().map(|(_, _, standing)| standing.clone())
    };
    for client in 1..=2 {
        stage.make(client, "db", named(client, 2));
    }
    stage.run(1, &[call("db", "enter")]);
    let (node, watched) = ("/db/m1".into(), "/db/ready".into());
    assert_eq!(stands(&stage), Some(Standing::Waiting { node, watched, ahead: 0 }));
    stage.run(2, &[call("db", "enter")]);
    assert_eq!((stage.last_returned(1), stands(&stage)), ("enter ok".to_string(), None));
}

/// Also between its list and its watch it can be interrupted, and the one that it is about to watch can go.
#[test]
fn whoever_leaves_is_interrupted_or_loses_the_lowest_at_any_moment() {
    for after in (0..60).step_by(2) {
        let entered = || {
            let mut stage = Stage::new(2);
            for client in 1..=2 {
                stage.make(client, "db", named(client, 2));
                stage.run(client, &[call("db", "enter")]);
            }
            stage
        };
        let mut stage = entered();
        stage.begin(2, 1, &[call("db", "leave")]);
        stage.pass(after);
        stage.interrupt(2, 1);
        stage.pass(500);
        assert_eq!(stage.last_returned(2), "leave InterruptedException", "after {after} ms");
        let mut stage = entered();
        stage.ask(1, delete("/db/m1"));
        stage.pass(after);
        stage.run(2, &[call("db", "leave")]);
        assert_eq!(stage.last_returned(2), "leave ok", "after {after} ms");
    }
}

#[test]
fn in_5_4_0_a_second_call_with_a_limit_waits_without_one() {
    for (words, returned) in [(&[][..], 2), (&["recounts"][..], 3)] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "db", &double(2, words));
        for method in ["enter", "leave"] {
            (1..=2).for_each(|client| stage.run(client, &[call("db", method)]));
        }
        stage.run(1, &[call_for("db", "enter", 1_000)]);
        stage.pass(3_000);
        assert_eq!(stage.returned(1).len(), returned, "{words:?}");
    }
}

#[test]
fn below_a_chroot_that_is_not_there_nothing_is_made() {
    let mut stage = Stage::new(0);
    let (client, chroot) = (ClientId(1), Some("/app".into()));
    stage.act(Action::OpenClient { client, servers: Vec::new(), timeout_ms: 4_000, chroot, raw: false });
    stage.pass(1_000);
    stage.make(1, "bar", barrier());
    stage.run(1, &[call("bar", "set")]);
    assert_eq!(stage.returned(1), ["set NoNodeException"]);
    assert_eq!(stage.data("/app"), None);
}
