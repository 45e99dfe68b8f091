//! SimpleDistributedQueue, DistributedQueue, DistributedPriorityQueue.

use zabscope::recipes::Kind;

use super::support::{Stage, call, call_for, call_with, recipe};

/// The recording `queue-fifo`, request by request.
#[test]
fn a_simple_queue_asks_what_the_recorded_one_asked() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "q", &recipe(Kind::SimpleQueue, "/q"));
    let from = stage.records.len();
    stage.run(2, &[call("q", "poll")]);
    stage.run(2, &[call("q", "remove")]);
    for item in ["1", "2", "3"] {
        stage.run(1, &[call_with("q", "offer", item)]);
    }
    for method in ["peek", "poll", "take", "remove", "poll"] {
        stage.run(2, &[call("q", method)]);
    }
    assert_eq!(
        stage.returned(2),
        ["poll null", "remove NoSuchElementException", "peek 1", "poll 1", "take 2", "remove 3", "poll null"]
    );
    assert_eq!(stage.asked(1, from), ["create2 /q/qn-"; 3]);
    let item = |number: u32| format!("/q/qn-000000000{number}");
    let mut expected =
        vec!["exists /q".to_string(), "createContainer /q".into(), "exists /q/foo".into(), "getChildren2 /q".into()];
    expected.push("getChildren2 /q".into());
    expected.extend(["getChildren2 /q".into(), format!("getData {}", item(0))]);
    for number in 0..3 {
        let [get, delete] = ["getData", "delete"].map(|verb| format!("{verb} {}", item(number)));
        expected.extend(["getChildren2 /q".into(), get, delete]);
    }
    expected.push("getChildren2 /q".into());
    assert_eq!(stage.asked(2, from), expected);
}

/// The recording `queue-consumers-wait`: both are woken by each item, one has it.
#[test]
fn two_takers_race_for_each_item() {
    let mut stage = Stage::new(3);
    stage.everybody_makes(3, "q", &recipe(Kind::SimpleQueue, "/q"));
    stage.run(2, &[call("q", "take")]);
    stage.run(3, &[call("q", "take")]);
    stage.run(1, &[call_with("q", "offer", "1")]);
    let got = |stage: &Stage| [stage.returned(2), stage.returned(3)].concat();
    assert_eq!(got(&stage), ["take 1"]);
    stage.run(1, &[call_with("q", "offer", "2")]);
    let mut both = got(&stage);
    both.sort();
    assert_eq!(both, ["take 1", "take 2"]);
    let from = stage.records.len();
    stage.run(2, &[call_for("q", "poll", 300)]);
    assert_eq!(stage.asked(2, from), ["getChildren2 /q"; 2]);
    assert_eq!(stage.returned(2).last().map(String::as_str), Some("poll null"));
}

/// Race R21: the consumer's delete is done, its reply lost; it takes the item for another's, and nobody has it.
#[test]
fn an_item_vanishes_when_the_reply_to_its_delete_is_lost() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "q", &recipe(Kind::SimpleQueue, "/q"));
    stage.run(1, &[call_with("q", "offer", "1"), call_with("q", "offer", "2")]);
    stage.begin(2, 1, &[call("q", "poll")]);
    stage.until("item 1 is gone", |stage| stage.children("/q").len() == 1);
    stage.disconnect(2);
    stage.pass(1_000);
    assert_eq!(stage.returned(2), ["poll 2"]);
    assert!(stage.children("/q").is_empty());
}

/// Race R22 (a): the reply to an offer is lost; the item is there twice.
#[test]
fn an_item_is_there_twice_when_the_reply_to_its_create_is_lost() {
    let mut stage = Stage::new(1);
    stage.make(1, "q", recipe(Kind::SimpleQueue, "/q"));
    stage.run(1, &[call("q", "poll")]);
    stage.begin(1, 1, &[call_with("q", "offer", "1")]);
    stage.until("the item", |stage| stage.children("/q").len() == 1);
    stage.disconnect(1);
    stage.pass(1_000);
    assert_eq!(stage.children("/q").len(), 2);
    stage.run(1, &[call("q", "poll"), call("q", "poll")]);
    assert_eq!(stage.returned(1), ["poll null", "offer true", "poll 1", "poll 1"]);
}
