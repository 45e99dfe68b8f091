//! Elections without Curator: one node for all, and a line of workers. And a race that all elections share.

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind};
use zabscope::sim::Action;

use super::election_support::{callbacks, heard, leaders, most_leaders, open_at, queue, requests, with};
use super::support::{Stage, call, recipe};

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
