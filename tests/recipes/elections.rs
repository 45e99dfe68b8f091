//! Elections without Curator: one node for all, and a line of workers. And a race that all elections share.

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind, ReleaseReason};
use zabscope::sim::Action;
use zabscope::wire::CreateMode;

use super::election_support::{
    callbacks, crash_all, heard, leaders, most_leaders, open_at, queue, requests, restart_all, with,
};
use super::support::{Stage, call, create, delete, recipe};

fn started(clients: u16, kind: Kind, path: &str) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        stage.make(client, "leader", recipe(kind, path));
        stage.run(client, &[call("leader", "start")]);
    }
    stage
}

#[test]
fn when_the_only_node_goes_everybody_tries() {
    let mut stage = started(5, Kind::NAIVE_LEADER, "/leader");
    assert_eq!(leaders(&stage, "/leader"), [1]);
    assert_eq!(requests(&stage, 2, 0), ["Create", "Exists"]);
    let from = stage.records.len();
    stage.run(1, &[call("leader", "close")]);
    let asked: Vec<usize> = (1..=5).map(|client| requests(&stage, client, from).len()).collect();
    assert_eq!(asked.iter().sum::<usize>(), 1 + 4 + 3, "a delete, four creates, three watches: {asked:?}");
    assert_eq!((leaders(&stage, "/leader").len(), most_leaders(&stage, "/leader")), (1, 1));
}

#[test]
fn a_naive_leader_comes_back_to_its_own_node() {
    let mut stage = started(2, Kind::NAIVE_LEADER, "/leader");
    stage.act(Action::DisconnectClient { client: ClientId(1) });
    stage.pass(2_000);
    assert_eq!(heard(&stage, 1), ["isLeader", "Suspended", "notLeader", "Reconnected", "isLeader"]);
    let mut stage = Stage::new(1);
    stage.make(1, "leader", with(Kind::NAIVE_LEADER, "/leader", &["ignores_owner"]));
    stage.run(1, &[call("leader", "start")]);
    stage.act(Action::DisconnectClient { client: ClientId(1) });
    stage.pass(5_000);
    assert!(leaders(&stage, "/leader").is_empty(), "it waits for itself");
}

#[test]
fn a_naive_leaders_session_ends() {
    let mut stage = started(3, Kind::NAIVE_LEADER, "/leader");
    stage.act(Action::ExpireClient { client: ClientId(1) });
    stage.pass(3_000);
    assert_eq!((leaders(&stage, "/leader").len(), most_leaders(&stage, "/leader")), (1, 1));
    assert_ne!(leaders(&stage, "/leader"), [1]);
}

#[test]
fn of_a_dead_worker_only_the_next_hears() {
    let mut stage = started(4, Kind::WORKER_GROUP, "/workers");
    assert_eq!(queue(&stage, "/workers"), ["w-0000000000", "w-0000000001", "w-0000000002", "w-0000000003"]);
    let from = stage.records.len();
    stage.act(Action::KillClient { client: ClientId(1) });
    stage.pass(8_000);
    assert_eq!(callbacks(&stage), [(1, "isLeader"), (2, "isLeader")]);
    assert_eq!(requests(&stage, 2, from), ["GetChildren"]);
    assert_eq!(requests(&stage, 3, from), [""; 0]);
    let from = stage.records.len();
    stage.run(3, &[call("leader", "close")]);
    assert_eq!(requests(&stage, 4, from), ["GetChildren", "Exists"], "it moves its watch to the second");
}

#[test]
fn a_worker_with_a_new_session_stands_last() {
    let mut stage = started(3, Kind::WORKER_GROUP, "/workers");
    stage.act(Action::ExpireClient { client: ClientId(1) });
    stage.pass(4_000);
    assert_eq!(queue(&stage, "/workers"), ["w-0000000001", "w-0000000002", "w-0000000003"]);
    assert_eq!((leaders(&stage, "/workers"), most_leaders(&stage, "/workers")), (vec![2], 1));
}

/// CURATOR-498: the create was applied, its reply is lost, and the client comes back with a new session while the
/// ensemble still has the node of the old one. It is found, and deleted.
#[test]
fn r3_a_node_of_the_dead_session_is_not_adopted() {
    let mut seen = Vec::new();
    for after in (20..500).step_by(20) {
        let mut stage = Stage::new(0);
        open_at(&mut stage, 1, 1);
        stage.set_up(1, CuratorConfig { expiration_percent: 1, ..CuratorConfig::default() });
        stage.make(1, "latch", with(Kind::LATCH, "/latch", &["checks_owner"]));
        stage.begin(1, 1, &[call("latch", "start")]);
        stage.pass(after);
        stage.act(Action::Crash { server: ServerId(1) });
        stage.pass(100);
        stage.act(Action::Restart { server: ServerId(1) });
        stage.pass(10_000);
        let found = stage.told(1).into_iter().find_map(|fact| match fact {
            Told::FoundProtected { own, .. } => Some(own),
            _ => None,
        });
        seen.push(found);
        assert_eq!((leaders(&stage, "/latch"), queue(&stage, "/latch").len()), (vec![1], 1), "after {after} ms");
    }
    assert!(seen.contains(&Some(false)), "{seen:?}");
}

#[test]
fn who_waits_asks_only_when_its_connection_is_back() {
    for (kind, asked) in [(Kind::NAIVE_LEADER, &["Exists"][..]), (Kind::WORKER_GROUP, &["GetChildren", "Exists"])] {
        let mut stage = started(2, kind, "/leader");
        let from = stage.records.len();
        stage.disconnect(2);
        stage.pass(4_000);
        assert_eq!(requests(&stage, 2, from), asked, "{kind:?}");
    }
}

#[test]
fn a_worker_whose_path_is_gone_makes_it_anew() {
    let mut stage = started(1, Kind::WORKER_GROUP, "/workers");
    stage.open(2);
    stage.pass(1_000);
    for path in [&*stage.children("/workers")[0], "/workers"] {
        stage.ask(2, delete(path));
        stage.pass(300);
    }
    stage.disconnect(1);
    stage.pass(4_000);
    assert_eq!(leaders(&stage, "/workers"), [1]);
    assert_eq!(queue(&stage, "/workers"), ["w-0000000000"]);
}

/// Who finds nothing to watch tries, or lists, again. A worker's watch stays on a name that never comes back, until it is closed.
#[test]
fn the_one_before_leaves_between_list_and_watch() {
    let mut taken_back = false;
    for kind in [Kind::NAIVE_LEADER, Kind::WORKER_GROUP] {
        for after in (0..150).step_by(5) {
            let mut stage = Stage::new(2);
            stage.everybody_makes(2, "leader", &recipe(kind, "/leader"));
            stage.run(1, &[call("leader", "start")]);
            stage.begin(2, 1, &[call("leader", "start")]);
            stage.pass(after);
            stage.run(1, &[call("leader", "close")]);
            stage.pass(500);
            assert_eq!(leaders(&stage, "/leader"), [2], "{kind:?} after {after} ms");
            let from = stage.records.len();
            stage.run(2, &[call("leader", "close")]);
            taken_back |= requests(&stage, 2, from) == ["Delete", "RemoveWatches"];
        }
    }
    assert!(taken_back);
}

#[test]
fn the_first_connection_is_waited_for_as_long_as_it_takes() {
    for kind in [Kind::LATCH, Kind::NAIVE_LEADER, Kind::WORKER_GROUP] {
        for closed in [false, true] {
            let mut stage = Stage::new(0);
            crash_all(&mut stage);
            stage.open(1);
            stage.make(1, "leader", recipe(kind, "/leader"));
            stage.run(1, &[call("leader", "start")]);
            stage.pass(40_000);
            if closed {
                stage.run(1, &[call("leader", "close")]);
            }
            restart_all(&mut stage);
            stage.pass(10_000);
            let expected = if closed { &["Connected"][..] } else { &["Connected", "isLeader"] };
            assert_eq!(heard(&stage, 1), expected, "{kind:?}");
            assert_eq!(requests(&stage, 1, 0).is_empty(), closed, "{kind:?}");
        }
    }
}

/// The create is lost, and no second try is allowed. A latch would look for its node, find no path, and leave it at that, as Curator's does.
#[test]
fn a_create_that_failed_is_made_up_for() {
    for (kind, path) in
        [(Kind::NAIVE_LEADER, "/leader"), (Kind::WORKER_GROUP, "/leader"), (Kind::WORKER_GROUP, "/there")]
    {
        let mut stage = Stage::new(1);
        stage.ask(1, create("/there", "", CreateMode::Persistent));
        stage.pass(500);
        stage.set_up(1, CuratorConfig { connection_timeout_ms: 200, max_retries: 0, ..CuratorConfig::default() });
        stage.make(1, "leader", recipe(kind, path));
        stage.begin(1, 1, &[call("leader", "start")]);
        crash_all(&mut stage);
        stage.pass(1_000);
        restart_all(&mut stage);
        stage.pass(15_000);
        assert_eq!(leaders(&stage, path), [1], "{kind:?}");
    }
}

#[test]
fn who_is_closed_at_once_asks_nothing() {
    for kind in [Kind::LATCH, Kind::NAIVE_LEADER, Kind::WORKER_GROUP] {
        let mut stage = Stage::new(1);
        stage.make(1, "leader", recipe(kind, "/leader"));
        stage.run(1, &[call("leader", "start"), call("leader", "close")]);
        assert_eq!(requests(&stage, 1, 0), [""; 0], "{kind:?}");
    }
}

#[test]
fn why_leadership_ended_is_told() {
    for kind in [Kind::LATCH, Kind::SELECTOR, Kind::NAIVE_LEADER, Kind::WORKER_GROUP] {
        for (closes, why) in [(false, ReleaseReason::Suspended), (true, ReleaseReason::Closed)] {
            let mut stage = started(1, kind, "/leader");
            match closes {
                true => stage.run(1, &[call("leader", "close")]),
                false => stage.disconnect(1),
            }
            stage.pass(1_000);
            let reason = |fact: Told| if let Told::Released { reason, .. } = fact { Some(reason) } else { None };
            let reasons: Vec<_> = stage.told(1).into_iter().filter_map(reason).collect();
            assert_eq!(reasons, [why], "{kind:?}");
        }
    }
}
