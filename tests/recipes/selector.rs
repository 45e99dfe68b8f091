//! LeaderSelector: what Curator's own tests check (`TestLeaderSelector.java` and others).

use zabscope::base::{ClientId, ServerId};
use zabscope::client;
use zabscope::recipes::{self, CuratorConfig, ErrorPolicy, Kind, Recipe};
use zabscope::sim::{Action, Fact, Setup};
use zabscope::wire::Request;

use super::election_support::{
    callbacks, count, crash_all, heard, leaders, most_leaders, named, open_at, queue, requests, restart_all, said,
    with,
};
use super::support::{Stage, call, recipe, work};

/// This many clients, each with a started selector on `/sel`.
fn started(clients: u16, words: &[&str]) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        stage.make(client, "sel", with(Kind::SELECTOR, "/sel", words));
        stage.run(client, &[call("sel", "start")]);
    }
    stage
}

#[test]
fn requests_are_those_of_the_recording() {
    let mut stage = Stage::new(3);
    for client in 1..=3 {
        stage.make(client, "sel", named(Kind::SELECTOR, "/sel", client));
        stage.run(client, &[call("sel", "start")]);
    }
    assert_eq!(requests(&stage, 1, 0), ["Create", "Exists", "Create", "Create", "GetChildren"]);
    assert_eq!(requests(&stage, 2, 0), ["Create", "GetChildren", "GetData"]);
    stage.run(3, &[call("sel", "getLeader")]);
    assert_eq!(said(&stage, 3, "getLeader"), "id1");
    let from = stage.records.len();
    stage.run(1, &[call("sel", "close")]);
    assert_eq!(requests(&stage, 1, from), ["Delete"]);
    assert_eq!(requests(&stage, 2, from), ["GetChildren"]);
    stage.run(2, &[call("sel", "interrupt")]);
    stage.run(3, &[call("sel", "relinquish")]);
    assert_eq!(said(&stage, 3, "relinquish"), "true");
    let expected = [
        (1, "takeLeadership"),
        (1, "interrupted"),
        (1, "leadershipEnds"),
        (2, "takeLeadership"),
        (2, "interrupted"),
        (2, "leadershipEnds"),
        (3, "takeLeadership"),
        (3, "leadershipEnds"),
    ];
    assert_eq!(callbacks(&stage), expected);
    assert!(queue(&stage, "/sel").is_empty());
}

#[test]
fn who_queues_again_stands_last_with_the_requests_of_the_recording() {
    let mut stage = started(3, &[]);
    stage.run(1, &[call("sel", "relinquish")]);
    stage.run(2, &[call("sel", "relinquish")]);
    assert_eq!(callbacks(&stage).last(), Some(&(3, "takeLeadership")));
    let from = stage.records.len();
    stage.run(1, &[call("sel", "requeue")]);
    assert_eq!(said(&stage, 1, "requeue"), "true");
    assert_eq!(requests(&stage, 1, from), ["Create", "GetChildren", "GetData"]);
    assert_eq!(queue(&stage, "/sel"), ["lock-0000000002", "lock-0000000003"]);
    stage.run(3, &[call("sel", "relinquish")]);
    assert_eq!(leaders(&stage, "/sel"), [1]);
}

/// `testInterruption`; `testInterruptLeadership`.
#[test]
fn an_interrupted_leader_leaves_and_its_node_is_deleted() {
    let mut stage = started(1, &[]);
    stage.run(1, &[call("sel", "interruptLeadership")]);
    assert_eq!(callbacks(&stage), [(1, "takeLeadership"), (1, "interrupted"), (1, "leadershipEnds")]);
    assert!(queue(&stage, "/sel").is_empty());
    stage.run(1, &[call("sel", "hasLeadership")]);
    assert_eq!(said(&stage, 1, "hasLeadership"), "false");
}

/// `testErrorPolicies`.
#[test]
fn the_policy_decides_which_state_ends_leadership() {
    for policy in [ErrorPolicy::Standard, ErrorPolicy::Session] {
        let mut stage = Stage::new(1);
        stage.set_up(1, CuratorConfig { error_policy: policy, ..CuratorConfig::default() });
        stage.make(1, "sel", recipe(Kind::SELECTOR, "/sel"));
        stage.run(1, &[call("sel", "start")]);
        crash_all(&mut stage);
        stage.pass(10_000);
        let expected = match policy {
            ErrorPolicy::Standard => ["takeLeadership", "Suspended", "interrupted", "leadershipEnds", "Lost"],
            ErrorPolicy::Session => ["takeLeadership", "Suspended", "Lost", "interrupted", "leadershipEnds"],
        };
        assert_eq!(heard(&stage, 1), expected);
    }
}

/// `testLeaderNodeDeleteOnInterrupt`: the servers are away when the leader is interrupted.
#[test]
fn a_node_that_could_not_be_deleted_is_deleted_later() {
    let mut stage = started(1, &[]);
    crash_all(&mut stage);
    stage.pass(1_000);
    stage.run(1, &[call("sel", "interruptLeadership")]);
    restart_all(&mut stage);
    stage.pass(8_000);
    assert_eq!(count(&stage, "leadershipEnds"), 1);
    assert!(queue(&stage, "/sel").is_empty());
}

/// `testInterruptLeadershipWithRequeue` (CURATOR-518).
#[test]
fn interrupted_twice_it_leads_again() {
    let mut stage = started(1, &["auto_requeue"]);
    stage.begin(1, 1, &[call("sel", "interruptLeadership")]);
    stage.begin(1, 2, &[call("sel", "interruptLeadership")]);
    stage.pass(1_000);
    assert_eq!(count(&stage, "takeLeadership"), 2);
    assert_eq!(leaders(&stage, "/sel"), [1]);
    assert_eq!(queue(&stage, "/sel").len(), 1);
}

/// 5.4.0 cancels whatever the task does, and queues again when the lock is released; since CURATOR-518 and 671 who waits is
/// spared, and queueing comes first.
#[test]
fn who_waits_is_interrupted_too_unless_it_is_a_later_version() {
    for (words, left) in [(&[][..], 1), (&["spares_waiting"][..], 2)] {
        let mut stage = started(2, words);
        stage.run(2, &[call("sel", "interruptLeadership")]);
        assert_eq!(queue(&stage, "/sel").len(), left, "{words:?}");
        assert_eq!(leaders(&stage, "/sel"), [1]);
    }
    for (words, first) in [(&["auto_requeue"][..], "Delete"), (&["auto_requeue", "spares_waiting"][..], "Requeued")] {
        let mut stage = started(1, words);
        let from = stage.records.len();
        stage.run(1, &[call("sel", "relinquish")]);
        let seen = stage.records[from..].iter().find_map(|record| match &record.fact {
            Fact::Client { fact: client::Fact::Called { request: Request::Delete { .. }, .. }, .. } => Some("Delete"),
            Fact::Program { fact: recipes::Fact::Requeued { .. }, .. } => Some("Requeued"),
            _ => None,
        });
        assert_eq!(seen, Some(first));
    }
}

/// `testRaceAtStateChanged`: the connection ends before the lock is won.
#[test]
fn who_is_cancelled_before_it_leads_never_leads() {
    for pause in (0..400).step_by(20) {
        let mut stage = Stage::new(1);
        stage.make(1, "sel", recipe(Kind::SELECTOR, "/sel"));
        stage.begin(1, 1, &[call("sel", "start")]);
        stage.pass(pause);
        let before = count(&stage, "takeLeadership");
        crash_all(&mut stage);
        stage.pass(10_000);
        restart_all(&mut stage);
        stage.pass(30_000);
        assert_eq!(count(&stage, "takeLeadership"), before, "after {pause} ms");
        assert!(queue(&stage, "/sel").is_empty(), "after {pause} ms");
    }
}

/// `TestLeaderSelectorEdges#flappingTest`: the create is applied, its reply is lost, and the connection stays away
/// for a while. The node is looked for and deleted, and another may lead.
#[test]
fn a_node_whose_creator_never_heard_of_it_does_not_stay() {
    for pause in (20..400).step_by(20) {
        let mut stage = Stage::of(0, 5, Setup::default());
        open_at(&mut stage, 1, 1);
        open_at(&mut stage, 2, 2);
        stage.set_up(1, CuratorConfig { connection_timeout_ms: 300, max_retries: 1, ..CuratorConfig::default() });
        for client in 1..=2 {
            stage.make(client, "sel", recipe(Kind::SELECTOR, "/sel"));
        }
        stage.begin(1, 1, &[call("sel", "start")]);
        stage.pass(pause);
        // it asks who stands before it once it has heard of its own node
        if stage.asked(1, 0).iter().any(|request| request.starts_with("getChildren")) {
            assert!(pause > 200, "it has heard before it could be tested");
            break;
        }
        stage.act(Action::Crash { server: ServerId(1) });
        stage.pass(1_500);
        stage.act(Action::Restart { server: ServerId(1) });
        stage.pass(6_000);
        assert_eq!(count(&stage, "takeLeadership"), 0, "after {pause} ms");
        assert!(queue(&stage, "/sel").is_empty(), "after {pause} ms");
        stage.run(2, &[call("sel", "start")]);
        assert_eq!(leaders(&stage, "/sel"), [2]);
    }
}

/// `testAutoRequeue`: takeLeadership returns after 10 ms.
#[test]
fn with_auto_requeue_it_leads_again_and_again() {
    let mut stage = Stage::new(1);
    let short = Recipe { hold_ms: Some(10), ..with(Kind::SELECTOR, "/sel", &["auto_requeue"]) };
    stage.make(1, "sel", short);
    stage.run(1, &[call("sel", "start")]);
    stage.pass(2_000);
    assert!(count(&stage, "takeLeadership") > 2);
    stage.run(1, &[call("sel", "close")]);
    let before = count(&stage, "takeLeadership");
    stage.pass(1_000);
    assert_eq!(count(&stage, "takeLeadership"), before);
    assert!(queue(&stage, "/sel").is_empty());
}

/// `testServerDying`.
#[test]
fn lost_reaches_the_listener_of_a_leader() {
    let mut stage = started(1, &["deaf"]);
    crash_all(&mut stage);
    stage.pass(10_000);
    assert_eq!(heard(&stage, 1).last().map(String::as_str), Some("Lost"));
}

/// `testKillSessionThenCloseShouldElectNewLeader`: two selectors of one client.
#[test]
fn after_a_killed_session_both_queue_again_by_hand() {
    let mut stage = Stage::new(1);
    for name in ["sel1", "sel2"] {
        stage.make(1, name, recipe(Kind::SELECTOR, "/sel"));
        stage.run(1, &[call(name, "start")]);
    }
    stage.act(Action::ExpireClient { client: ClientId(1) });
    stage.pass(25_000);
    for name in ["sel1", "sel2"] {
        stage.run(1, &[call(name, "requeue")]);
        assert_eq!(said(&stage, 1, "requeue"), "true", "{name}");
    }
    assert_eq!(leaders(&stage, "/sel").len(), 1);
    stage.run(1, &[call("sel1", "close")]);
    assert_eq!(leaders(&stage, "/sel").len(), 1);
    assert_eq!(most_leaders(&stage, "/sel"), 1);
}

/// `testKillServerThenCloseShouldElectNewLeader`: the same with a restart, and autoRequeue.
#[test]
fn after_a_restart_both_queue_again_by_themselves() {
    let mut stage = Stage::new(1);
    for name in ["sel1", "sel2"] {
        stage.make(1, name, with(Kind::SELECTOR, "/sel", &["auto_requeue"]));
        stage.run(1, &[call(name, "start")]);
    }
    crash_all(&mut stage);
    stage.pass(1_000);
    restart_all(&mut stage);
    stage.pass(20_000);
    assert_eq!(leaders(&stage, "/sel").len(), 1);
    for name in ["sel1", "sel2"] {
        stage.run(1, &[call(name, "hasLeadership")]);
        if said(&stage, 1, "hasLeadership") == "true" {
            stage.run(1, &[call(name, "close")]);
            break;
        }
    }
    assert_eq!(leaders(&stage, "/sel").len(), 1);
    assert_eq!(most_leaders(&stage, "/sel"), 1);
}

/// `testClosing`.
#[test]
fn closing_one_that_waits_leaves_the_leader_alone() {
    let mut stage = started(2, &[]);
    stage.run(2, &[call("sel", "close")]);
    assert_eq!(leaders(&stage, "/sel"), [1]);
    assert_eq!(queue(&stage, "/sel").len(), 1);
    stage.run(1, &[call("sel", "close")]);
    stage.run(1, &[call("sel", "hasLeadership")]);
    assert_eq!(said(&stage, 1, "hasLeadership"), "false");
    stage.run(1, &[call("sel", "close")]);
    assert_eq!(said(&stage, 1, "close"), "IllegalStateException");
    stage.run(1, &[call("sel", "requeue")]);
    assert_eq!(said(&stage, 1, "requeue"), "IllegalStateException");
}

/// `testRotatingLeadership`: five, three rounds.
#[test]
fn each_leads_once_a_round() {
    let mut stage = started(5, &[]);
    for round in 0..3 {
        for client in 1..=5 {
            assert_eq!(leaders(&stage, "/sel"), [client], "round {round}");
            stage.run(client, &[call("sel", "relinquish")]);
            stage.run(client, &[call("sel", "requeue")]);
        }
    }
    assert_eq!(most_leaders(&stage, "/sel"), 1);
    assert_eq!(count(&stage, "takeLeadership"), 16);
}

/// `TestLeaderSelectorCluster#testRestart`: the leader's server dies, and the client finds another.
#[test]
fn with_another_server_it_leads_again() {
    let mut stage = started(1, &["auto_requeue"]);
    let server = stage.player.world().clients[&ClientId(1)].client.server.expect("a server");
    stage.act(Action::Crash { server });
    stage.pass(15_000);
    assert_eq!(leaders(&stage, "/sel"), [1]);
    assert!(count(&stage, "takeLeadership") >= 2);
}

/// `TestLeaderSelectorCluster#testLostRestart`.
#[test]
fn after_lost_it_leads_only_when_queued_again() {
    let mut stage = started(1, &[]);
    crash_all(&mut stage);
    stage.pass(10_000);
    restart_all(&mut stage);
    stage.pass(20_000);
    assert_eq!(count(&stage, "takeLeadership"), 1);
    stage.run(1, &[call("sel", "requeue")]);
    assert_eq!(leaders(&stage, "/sel"), [1]);
}

/// `TestLeaderSelectorParticipants#testId`; `testBasic`.
#[test]
fn all_see_the_same_participants() {
    let mut stage = Stage::new(10);
    stage.make(1, "sel", Recipe { id: Some("A is A".into()), ..recipe(Kind::SELECTOR, "/sel") });
    stage.run(1, &[call("sel", "start")]);
    stage.run(1, &[call("sel", "getLeader"), call("sel", "getParticipants")]);
    assert_eq!(
        (said(&stage, 1, "getLeader"), said(&stage, 1, "getParticipants")),
        ("A is A".into(), "A is A".into())
    );
    for client in 2..=10 {
        stage.make(client, "sel", named(Kind::SELECTOR, "/sel", client));
        stage.run(client, &[call("sel", "start")]);
    }
    for client in 1..=10 {
        stage.run(client, &[call("sel", "getParticipants")]);
        assert_eq!(said(&stage, client, "getParticipants"), "A is A id2 id3 id4 id5 id6 id7 id8 id9 id10");
    }
    assert_eq!(leaders(&stage, "/sel"), [1]);
}

/// `TestLeaderSelectorWithExecutor#test`.
#[test]
fn many_that_queue_again_never_lead_together() {
    let mut stage = Stage::new(2);
    for client in 1..=2 {
        for number in 0..5 {
            let name = format!("sel{number}");
            let short = Recipe { hold_ms: Some(10), ..with(Kind::SELECTOR, "/sel", &["auto_requeue"]) };
            stage.make(client, &name, short);
            stage.begin(client, 1 + number, &[call(&name, "start")]);
        }
    }
    stage.pass(8_000);
    assert!(count(&stage, "takeLeadership") > 20, "{}", count(&stage, "takeLeadership"));
    assert_eq!(most_leaders(&stage, "/sel"), 1);
}

/// `takeLeadership` catches the interrupt and goes on.
#[test]
fn r13_two_lead_where_one_is_deaf() {
    let mut stage = Stage::new(0);
    open_at(&mut stage, 1, 1);
    open_at(&mut stage, 2, 2);
    for client in 1..=2 {
        stage.make(client, "sel", with(Kind::SELECTOR, "/sel", &["deaf"]));
        stage.run(client, &[call("sel", "start")]);
    }
    stage.act(Action::Pause { server: ServerId(1) });
    stage.pass(12_000);
    assert_eq!(leaders(&stage, "/sel"), [1, 2], "{:#?}", heard(&stage, 2));
    stage.act(Action::Resume { server: ServerId(1) });
    stage.pass(10_000);
    stage.run(1, &[call("sel", "hasLeadership"), call("sel", "requeue")]);
    assert_eq!((said(&stage, 1, "hasLeadership"), said(&stage, 1, "requeue")), ("true".into(), "false".into()));
    assert_eq!(leaders(&stage, "/sel"), [1, 2]);
}

/// Who only waits is out after a blip, and nobody says so.
#[test]
fn r14_a_waiting_candidate_drops_out_silently() {
    let mut stage = started(3, &[]);
    stage.act(Action::DisconnectClient { client: ClientId(3) });
    stage.pass(2_000);
    assert_eq!(queue(&stage, "/sel"), ["lock-0000000000", "lock-0000000001"]);
    stage.run(1, &[call("sel", "close")]);
    stage.run(2, &[call("sel", "close")]);
    assert!(leaders(&stage, "/sel").is_empty());
    stage.run(3, &[call("sel", "requeue")]);
    assert_eq!(leaders(&stage, "/sel"), [3]);
}

#[test]
fn a_round_that_is_asked_for_during_the_release_is_one_round() {
    let mut stage = started(1, &[]);
    stage.run(1, &[call("sel", "relinquish"), work(1), call("sel", "requeue")]);
    assert_eq!((said(&stage, 1, "requeue").as_str(), count(&stage, "takeLeadership")), ("true", 2));
    stage.run(1, &[call("sel", "relinquish")]);
    stage.pass(1_000);
    assert_eq!(count(&stage, "takeLeadership"), 2);
    assert!(!stage.told(1).iter().any(|fact| matches!(fact, recipes::Fact::GaveUp { .. })));
}

/// Its path is ephemeral, so that each round fails; a millisecond lies between two of them.
#[test]
fn who_is_closed_between_two_rounds_asks_nothing_more() {
    let mut stage = Stage::new(2);
    stage.make(2, "blocks", recipe(Kind::NAIVE_LOCK, "/sel"));
    stage.run(2, &[call("blocks", "acquire")]);
    stage.make(1, "sel", with(Kind::SELECTOR, "/sel", &["auto_requeue"]));
    stage.begin(1, 1, &[call("sel", "start")]);
    let failed = |stage: &Stage| stage.told(1).iter().any(|fact| matches!(fact, recipes::Fact::GaveUp { .. }));
    stage.until("a round has failed", failed);
    let from = stage.records.len();
    stage.run(1, &[call("sel", "close")]);
    assert_eq!(stage.asked(1, from), [""; 0]);
}

/// Work ends in the same moment, for the same reason.
#[test]
fn a_leader_is_interrupted_though_another_thread_wakes() {
    let mut stage = started(1, &[]);
    stage.begin(1, 2, &[work(60_000)]);
    stage.disconnect(1);
    stage.pass(1_000);
    assert_eq!(callbacks(&stage), [(1, "takeLeadership"), (1, "interrupted"), (1, "leadershipEnds")]);
}
