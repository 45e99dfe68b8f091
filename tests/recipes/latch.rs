//! LeaderLatch: what Curator's own tests check (`TestLeaderLatch.java`).

use std::rc::Rc;

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{ConnectionState, CuratorConfig, ErrorPolicy, Fact as Told, Kind, Step, Value};
use zabscope::sim::{Action, Record};

use super::election_support::{
    callbacks, count, crash_all, heard, last, latches as started, leaders, most_leaders, named, open_at, queue,
    requests, restart_all, said, with,
};
use super::support::{Stage, call, call_for, call_with, recipe, set, work};

#[test]
fn requests_are_those_of_the_recording() {
    let mut stage = Stage::new(4);
    for client in 1..=4 {
        stage.make(client, "latch", named(Kind::LATCH, "/latch", client));
        stage.run(client, &[call("latch", "start")]);
    }
    assert_eq!(
        requests(&stage, 1, 0),
        ["Create", "Exists", "Create", "GetChildren", "Create", "GetChildren"],
        "the first user of a path makes it, and looks for its node before it creates again"
    );
    assert_eq!(requests(&stage, 2, 0), ["Create", "GetChildren", "GetData"]);
    let from = stage.records.len();
    stage.run(2, &[call("latch", "close")]);
    assert_eq!(requests(&stage, 2, from), ["Delete", "RemoveWatches"]);
    assert_eq!(requests(&stage, 3, from), ["GetChildren", "GetData"]);
    let from = stage.records.len();
    stage.run(1, &[call("latch", "close")]);
    assert_eq!(requests(&stage, 1, from), ["Delete"]);
    assert_eq!(requests(&stage, 2, from), [""; 0]);
    assert_eq!(requests(&stage, 3, from), ["GetChildren"]);
    assert_eq!(leaders(&stage, "/latch"), [3]);
    stage.run(4, &[call("latch", "getLeader")]);
    assert_eq!(said(&stage, 4, "getLeader"), "id3");
    assert_eq!(queue(&stage, "/latch"), ["latch-0000000002", "latch-0000000003"]);
}

#[test]
fn after_its_session_a_leader_stands_last_with_the_requests_of_the_recording() {
    let mut stage = started(5, &[]);
    let from = stage.records.len();
    stage.act(Action::ExpireClient { client: ClientId(1) });
    stage.pass(5_000);
    assert_eq!(heard(&stage, 1), ["isLeader", "Suspended", "notLeader", "Lost", "Reconnected"]);
    assert_eq!(requests(&stage, 1, from), ["GetChildren", "Delete", "Create", "GetChildren", "GetData"]);
    assert_eq!(requests(&stage, 2, from), ["GetChildren"]);
    assert_eq!(requests(&stage, 3, from), [""; 0]);
    assert_eq!(queue(&stage, "/latch").last().map(String::as_str), Some("latch-0000000005"));
    assert_eq!(leaders(&stage, "/latch"), [2]);
}

/// `testUncreatedPathGetLeader` (CURATOR-436).
#[test]
fn a_path_that_is_not_there_has_a_nameless_leader() {
    let mut stage = Stage::new(1);
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.run(1, &[call("latch", "getLeader"), call("latch", "getParticipants")]);
    assert_eq!(said(&stage, 1, "getLeader"), "");
    assert_eq!(said(&stage, 1, "getParticipants"), "");
}

/// `testWatchedNodeDeletedOnReconnect`: the follower resets just when its predecessor goes.
#[test]
fn a_follower_that_resets_while_its_predecessor_goes_leads() {
    let mut stage = started(2, &[]);
    stage.begin(1, 2, &[call("latch", "close")]);
    stage.begin(2, 2, &[call("latch", "reset")]);
    stage.pass(2_000);
    assert_eq!(leaders(&stage, "/latch"), [2]);
    assert_eq!(queue(&stage, "/latch").len(), 1);
}

/// `testSessionInterruptionDoNotCauseBrainSplit` (CURATOR-696).
#[test]
fn a_killed_session_hands_over_once() {
    let mut stage = started(2, &["checks_owner"]);
    stage.act(Action::ExpireClient { client: ClientId(1) });
    stage.pass(5_000);
    assert_eq!(callbacks(&stage), [(1, "isLeader"), (1, "notLeader"), (2, "isLeader")]);
    assert_eq!(queue(&stage, "/latch"), ["latch-0000000001", "latch-0000000002"]);
    assert_eq!(most_leaders(&stage, "/latch"), 1);
}

/// `testLeadershipElectionWhenNodeDisappearsAfterChildrenAreRetrieved` (CURATOR-645).
#[test]
fn a_leader_that_goes_between_list_and_watch_is_replaced_without_resets() {
    for pause in (0..300).step_by(10) {
        let mut stage = Stage::new(3);
        stage.everybody_makes(3, "latch", &recipe(Kind::LATCH, "/latch"));
        stage.run(1, &[call("latch", "start")]);
        stage.begin(2, 1, &[call("latch", "start")]);
        stage.begin(3, 1, &[call("latch", "start")]);
        stage.begin(1, 1, &[work(pause), call("latch", "close")]);
        stage.pass(2_000);
        assert_eq!(leaders(&stage, "/latch").len(), 1, "closed after {pause} ms");
        assert_eq!(queue(&stage, "/latch"), ["latch-0000000001", "latch-0000000002"], "closed after {pause} ms");
    }
}

/// `testSessionErrorPolicy`: a short interruption.
#[test]
fn the_session_policy_keeps_leadership_over_a_short_interruption() {
    for policy in [ErrorPolicy::Standard, ErrorPolicy::Session] {
        let mut stage = Stage::new(1);
        stage.set_up(1, CuratorConfig { error_policy: policy, ..CuratorConfig::default() });
        stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(1, &[call("latch", "start")]);
        let (node, from) = (queue(&stage, "/latch"), stage.records.len());
        stage.act(Action::DisconnectClient { client: ClientId(1) });
        stage.pass(2_000);
        let expected: &[&str] = match policy {
            ErrorPolicy::Standard => &["isLeader", "Suspended", "notLeader", "Reconnected", "isLeader"],
            ErrorPolicy::Session => &["isLeader", "Suspended", "Reconnected"],
        };
        assert_eq!(heard(&stage, 1), expected);
        assert_eq!(queue(&stage, "/latch"), node);
        let asked = requests(&stage, 1, from);
        assert_eq!(asked.len(), usize::from(policy == ErrorPolicy::Standard), "{asked:?}");
    }
}

/// `testErrorPolicies`: the servers are gone for good.
#[test]
fn the_session_policy_ends_leadership_only_with_lost() {
    for policy in [ErrorPolicy::Standard, ErrorPolicy::Session] {
        let mut stage = Stage::new(1);
        stage.set_up(1, CuratorConfig { error_policy: policy, ..CuratorConfig::default() });
        stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(1, &[call("latch", "start")]);
        crash_all(&mut stage);
        stage.pass(10_000);
        let expected = match policy {
            ErrorPolicy::Standard => ["isLeader", "Suspended", "notLeader", "Lost"],
            ErrorPolicy::Session => ["isLeader", "Suspended", "Lost", "notLeader"],
        };
        assert_eq!(heard(&stage, 1), expected);
    }
}

/// `testProperCloseWithoutConnectionEstablished`.
#[test]
fn closed_before_the_first_connection_it_never_creates() {
    let mut stage = Stage::new(0);
    crash_all(&mut stage);
    stage.open(1);
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.run(1, &[call("latch", "start"), call("latch", "close")]);
    restart_all(&mut stage);
    stage.pass(10_000);
    assert_eq!(requests(&stage, 1, 0), [""; 0]);
    assert_eq!(heard(&stage, 1), ["Connected"]);
}

/// `testResetRace`; `testCreateDeleteRace`.
#[test]
fn a_reset_or_a_close_while_it_creates_leaves_no_second_node() {
    for (second, nodes) in [("reset", 1), ("close", 0)] {
        let mut stage = Stage::new(1);
        stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(1, &[call("latch", "start"), work(1), call("latch", second)]);
        stage.pass(2_000);
        assert_eq!(queue(&stage, "/latch").len(), nodes, "{second}");
    }
}

/// `testLostConnection`: ten latches of one client; the ensemble is gone for longer than the session.
#[test]
fn after_an_outage_one_of_ten_leads() {
    let mut stage = Stage::new(1);
    let names: Vec<String> = (0..10).map(|number| format!("latch{number}")).collect();
    for name in &names {
        stage.make(1, name, with(Kind::LATCH, "/latch", &["checks_owner"]));
        stage.run(1, &[call(name, "start")]);
    }
    assert_eq!(leaders(&stage, "/latch").len(), 1);
    crash_all(&mut stage);
    stage.pass(10_000);
    assert_eq!(stage.player.world().clients[&ClientId(1)].app.as_ref().unwrap().connection(), Some(LOST));
    assert!(leaders(&stage, "/latch").is_empty());
    restart_all(&mut stage);
    stage.pass(15_000);
    assert_eq!(leaders(&stage, "/latch").len(), 1);
    assert_eq!(queue(&stage, "/latch").len(), 10);
}

const LOST: ConnectionState = ConnectionState::Lost;

/// `testCorrectWatching`: the third of ten closes.
#[test]
fn one_that_leaves_from_the_middle_moves_only_a_watch() {
    let mut stage = started(10, &[]);
    let from = stage.records.len();
    stage.run(3, &[call("latch", "close")]);
    assert_eq!(callbacks(&stage), [(1, "isLeader")]);
    assert_eq!(requests(&stage, 4, from), ["GetChildren", "GetData"]);
    assert_eq!(requests(&stage, 2, from), [""; 0]);
}

/// `testWaiting`: fifteen threads await leadership in turn.
#[test]
fn all_who_await_lead_once_and_never_two_together() {
    let mut stage = Stage::new(5);
    for client in 1..=5 {
        for number in 1..=3 {
            let name = format!("latch{number}");
            stage.make(client, &name, recipe(Kind::LATCH, "/latch"));
            let steps = [call(&name, "start"), call(&name, "await"), work(20), call(&name, "close")];
            stage.run_on(client, number, &steps);
        }
    }
    stage.pass(5_000);
    assert_eq!(count(&stage, "isLeader"), 15);
    assert_eq!(most_leaders(&stage, "/latch"), 1);
    assert!(queue(&stage, "/latch").is_empty());
}

/// `testBasic`: leaders are closed one by one.
#[test]
fn leadership_goes_in_the_order_of_the_starts() {
    let mut stage = started(6, &[]);
    for client in 1..=6 {
        assert_eq!(leaders(&stage, "/latch"), [client]);
        stage.run(client, &[call("latch", "hasLeadership"), call("latch", "close")]);
        assert_eq!(said(&stage, client, "hasLeadership"), "true");
    }
    assert!(leaders(&stage, "/latch").is_empty());
    assert!(queue(&stage, "/latch").is_empty());
}

/// `testBasicAlt`: all start at once.
#[test]
fn started_at_once_exactly_one_leads_each_time() {
    let mut stage = Stage::new(6);
    stage.everybody_makes(6, "latch", &recipe(Kind::LATCH, "/latch"));
    for client in 1..=6 {
        stage.begin(client, 1, &[call("latch", "start")]);
    }
    for _ in 0..6 {
        stage.pass(1_000);
        let leading = leaders(&stage, "/latch");
        assert_eq!(leading.len(), 1);
        stage.run(leading[0], &[call("latch", "close")]);
    }
    assert_eq!((count(&stage, "isLeader"), most_leaders(&stage, "/latch")), (6, 1));
}

/// Each of ten latches resets when it leads first, and closes when it leads again; (isLeader, notLeader).
fn reset_then_close(modes: impl Fn(u16) -> &'static [&'static str]) -> (usize, usize) {
    let mut stage = Stage::new(10);
    for client in 1..=10 {
        stage.make(client, "latch", with(Kind::LATCH, "/latch", modes(client)));
        stage.run(client, &[call("latch", "start")]);
    }
    for round in 0..20 {
        let leading = leaders(&stage, "/latch");
        assert_eq!(leading.len(), 1, "round {round}");
        stage.run(leading[0], &[call("latch", if round < 10 { "reset" } else { "close" })]);
    }
    assert!(queue(&stage, "/latch").is_empty());
    (count(&stage, "isLeader"), count(&stage, "notLeader"))
}

/// `testCallbackSanity`; `testCallbackNotifyLeader`.
#[test]
fn listeners_are_called_as_often_as_leadership_changes() {
    assert_eq!(reset_then_close(|_| &[]), (20, 10));
    assert_eq!(reset_then_close(|client| if client <= 3 { &[] } else { &["notify_leader"] }), (20, 17));
}

/// `testCallbackDontNotify`.
#[test]
fn the_mode_given_to_close_overrides() {
    let mut stage = Stage::new(2);
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.make(2, "latch", with(Kind::LATCH, "/latch", &["notify_leader"]));
    stage.run(1, &[call("latch", "start")]);
    stage.run(2, &[call("latch", "start"), call("latch", "close")]);
    stage.run(1, &[call_with("latch", "close", "NOTIFY_LEADER")]);
    assert_eq!(callbacks(&stage), [(1, "isLeader"), (1, "notLeader")]);
    stage.run(1, &[call("latch", "close")]);
    assert_eq!(said(&stage, 1, "close"), "IllegalStateException");
}

/// `testNoServerAtStart`.
#[test]
fn started_without_servers_it_is_elected_once() {
    let mut stage = Stage::new(0);
    crash_all(&mut stage);
    stage.open(1);
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.run(1, &[call("latch", "start")]);
    assert_eq!(said(&stage, 1, "start"), "ok");
    stage.pass(3_000);
    restart_all(&mut stage);
    stage.pass(10_000);
    assert_eq!(heard(&stage, 1), ["Connected", "isLeader"]);
}

/// `testRelativePath`.
#[test]
fn a_relative_path_is_refused() {
    assert!(recipe(Kind::LATCH, "latch").check().is_err());
}

/// `TestLeaderLatchCluster#testInCluster`: the server of the leader's client is killed.
#[test]
fn the_leaders_server_dies() {
    let mut stage = Stage::new(0);
    for client in 1..=3_u8 {
        open_at(&mut stage, client.into(), client);
        stage.make(client.into(), "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(client.into(), &[call("latch", "start")]);
    }
    assert_eq!(leaders(&stage, "/latch"), [1]);
    stage.act(Action::Crash { server: ServerId(1) });
    stage.pass(8_000);
    assert_eq!(leaders(&stage, "/latch"), [2]);
    assert_eq!(most_leaders(&stage, "/latch"), 1);
}

#[test]
fn await_ends_with_its_time_with_leadership_or_with_close() {
    let mut stage = started(2, &[]);
    stage.run(2, &[call_for("latch", "await", 100)]);
    assert_eq!(said(&stage, 2, "await"), "false");
    stage.run_on(2, 2, &[call("latch", "await")]);
    assert_eq!(last(&stage, 2, "await").unwrap().unwrap().to_string(), "false", "the second call still waits");
    stage.run(1, &[call("latch", "close")]);
    assert_eq!(said(&stage, 2, "await"), "ok");
    stage.run(2, &[call("latch", "close"), call_for("latch", "await", 100)]);
    assert_eq!(said(&stage, 2, "await"), "false");
    stage.run(2, &[call("latch", "await")]);
    assert_eq!(said(&stage, 2, "await"), "EOFException");
}

#[test]
fn a_follower_that_was_cut_off_has_two_watchers_and_looks_twice() {
    let mut stage = started(2, &[]);
    stage.act(Action::DisconnectClient { client: ClientId(2) });
    stage.pass(2_000);
    let from = stage.records.len();
    stage.run(1, &[call("latch", "close")]);
    assert_eq!(requests(&stage, 2, from), ["GetChildren", "GetChildren"], "CURATOR-478");
    assert_eq!(leaders(&stage, "/latch"), [2]);
}

#[test]
fn whoever_leads_may_use_what_is_fenced() {
    let mut stage = started(1, &[]);
    let token = stage.told(1).into_iter().find_map(|fact| match fact {
        Told::Acquired { token, .. } => token,
        _ => None,
    });
    let step = Step::Use { object: "latch".into(), resource: "disk".into(), fenced: true };
    stage.run(1, &[step]);
    let written = format!("{:?}", token.expect("a token"));
    let wrote = |record: &Rc<Record>| {
        let fact = format!("{:?}", record.fact);
        fact.contains("ResourceWritten") && fact.contains(&written)
    };
    assert!(stage.records.iter().any(wrote));
}

#[test]
fn await_with_a_limit_ends_as_soon_as_it_leads() {
    let mut stage = started(2, &[]);
    stage.run_on(2, 2, &[call_for("latch", "await", 5_000)]);
    stage.run(2, &[call("latch", "hasLeadership")]);
    assert_eq!(
        (said(&stage, 2, "await").as_str(), said(&stage, 2, "hasLeadership").as_str()),
        ("nothing yet", "false")
    );
    stage.run(1, &[call("latch", "close")]);
    assert_eq!(said(&stage, 2, "await"), "true");
    stage.run(1, &[call_for("latch", "await", 5_000)]);
    assert_eq!(said(&stage, 1, "await"), "false", "one that is closed waits for nothing");
}

#[test]
fn a_follower_whose_watch_was_lost_looks_once() {
    let mut stage = Stage::new(2);
    stage.set_up(2, CuratorConfig { max_retries: 0, ..CuratorConfig::default() });
    stage.everybody_makes(2, "latch", &recipe(Kind::LATCH, "/latch"));
    stage.run(1, &[call("latch", "start")]);
    stage.begin(2, 1, &[call("latch", "start")]);
    stage.until("it sets its watch", |stage| requests(stage, 2, 0).iter().any(|asked| asked == "GetData"));
    let from = stage.records.len();
    stage.disconnect(2);
    stage.pass(4_000);
    assert_eq!(requests(&stage, 2, from), ["GetChildren", "GetData"]);
}

#[test]
fn under_the_session_policy_a_lost_session_queues_again() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { error_policy: ErrorPolicy::Session, ..CuratorConfig::default() });
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.run(1, &[call("latch", "start")]);
    stage.expire(1);
    stage.pass(6_000);
    assert_eq!(callbacks(&stage), [(1, "isLeader"), (1, "notLeader"), (1, "isLeader")]);
    assert_eq!(queue(&stage, "/latch"), ["latch-0000000001"]);
}

#[test]
fn a_latch_finds_its_node_again() {
    let mut stage = Stage::new(1);
    stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
    stage.begin(1, 1, &[call("latch", "start")]);
    stage.until("the node", |stage| stage.children("/latch").len() == 1);
    stage.disconnect(1);
    stage.pass(6_000);
    assert_eq!((leaders(&stage, "/latch"), queue(&stage, "/latch").len()), (vec![1], 1));
}

#[test]
fn the_leader_is_a_text_and_participants_are_names() {
    let mut stage = Stage::new(1);
    stage.make(1, "latch", named(Kind::LATCH, "/latch", 1));
    stage.run(1, &[call("latch", "start")]);
    stage.run(1, &[call("latch", "getLeader"), call("latch", "getParticipants")]);
    assert_eq!(last(&stage, 1, "getLeader"), Some(Ok(Value::Text(Some("id1".into())))));
    assert_eq!(last(&stage, 1, "getParticipants"), Some(Ok(Value::Names(vec!["id1".into()]))));
}

#[test]
fn only_a_predecessor_that_goes_makes_a_follower_look() {
    let mut stage = started(2, &[]);
    let first = stage.children("/latch").into_iter().find(|node| node.ends_with("latch-0000000000")).expect("a node");
    let from = stage.records.len();
    stage.ask(1, set(&first, "new"));
    stage.pass(1_000);
    assert_eq!(requests(&stage, 2, from), [""; 0]);
}
