//! LeaderLatch.

use zabscope::recipes::Kind;

use super::election_support::{leaders, named, queue, requests, said};
use super::support::{Stage, call};

#[test]
fn requests_are_those_of_the_recording() {
    let mut stage = Stage::new(4);
    for client in 1..=4 {
        stage.make(client, "latch", named(Kind::Latch, "/latch", client));
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
