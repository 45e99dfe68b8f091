//! SimpleDistributedQueue, DistributedQueue, and the queues that stand on it.

use std::rc::Rc;

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind, Method, Recipe, Step};
use zabscope::sim::{Action, Fact, Record, Setup};

use super::support::{Stage, call, call_for, call_with, delete, recipe};

fn queue(words: &[&str]) -> Recipe {
    let with = words.iter().map(|word| (*word).into()).collect();
    Recipe { with, ..recipe(Kind::QUEUE, "/queue") }
}

fn locked() -> Recipe {
    recipe(Kind::QUEUE, "/queue /locks")
}

fn put(stage: &mut Stage, client: u16, items: &[&str]) {
    let steps: Vec<_> = items.iter().map(|item| call_with("q", "put", item)).collect();
    stage.run(client, &steps);
}

fn sorted(mut items: Vec<Rc<str>>) -> Vec<Rc<str>> {
    items.sort();
    items
}

/// The recording `queue-fifo`, request by request.
#[test]
fn a_simple_queue_asks_what_the_recorded_one_asked() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "q", &recipe(Kind::SIMPLE_QUEUE, "/q"));
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
    stage.everybody_makes(3, "q", &recipe(Kind::SIMPLE_QUEUE, "/q"));
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

/// The consumer's delete is done, its reply lost; it takes the item for another's, and nobody has it.
#[test]
fn an_item_vanishes_when_the_reply_to_its_delete_is_lost() {
    let mut stage = Stage::of(2, 3, Setup::default());
    stage.everybody_makes(2, "q", &recipe(Kind::SIMPLE_QUEUE, "/q"));
    stage.run(1, &[call_with("q", "offer", "1"), call_with("q", "offer", "2")]);
    stage.begin(2, 1, &[call("q", "poll")]);
    stage.until("item 1 is gone", |stage| stage.children("/q").len() == 1);
    stage.disconnect(2);
    stage.pass(1_000);
    assert_eq!(stage.returned(2), ["poll 2"]);
    assert!(stage.children("/q").is_empty());
}

/// The reply to an offer is lost; the item is there twice.
#[test]
fn an_item_is_there_twice_when_the_reply_to_its_create_is_lost() {
    let mut stage = Stage::new(1);
    stage.make(1, "q", recipe(Kind::SIMPLE_QUEUE, "/q"));
    stage.run(1, &[call("q", "poll")]);
    stage.begin(1, 1, &[call_with("q", "offer", "1")]);
    stage.until("the item", |stage| stage.children("/q").len() == 1);
    stage.disconnect(1);
    stage.pass(1_000);
    assert_eq!(stage.children("/q").len(), 2);
    stage.run(1, &[call("q", "poll"), call("q", "poll")]);
    assert_eq!(stage.returned(1), ["poll null", "offer true", "poll 1", "poll 1"]);
}

#[test]
fn a_consumer_has_the_items_in_order_and_every_item_once() {
    let mut stage = Stage::new(3);
    stage.make(1, "q", queue(&["producer_only"]));
    stage.run(1, &[call("q", "put")]);
    assert_eq!(stage.returned(1), ["put IllegalStateException: not started"]);
    stage.run(1, &[call("q", "start")]);
    for client in 2..=3 {
        stage.make(client, "q", queue(&[]));
    }
    stage.run(2, &[call("q", "start")]);
    put(&mut stage, 1, &["1", "2", "3"]);
    stage.pass(500);
    let consumed: Vec<Rc<str>> = stage.said(2, "consumed");
    assert_eq!(consumed, ["1".into(), "2".into(), "3".into()]);
    stage.run(3, &[call("q", "start")]);
    put(&mut stage, 1, &["4", "5", "6"]);
    stage.pass(500);
    let both = sorted([stage.said(2, "consumed"), stage.said(3, "consumed")].concat());
    assert_eq!(both.join(" "), "1 2 3 4 5 6");
    assert!(stage.children("/queue").is_empty());
}

#[test]
fn a_priority_queue_hands_on_the_lowest_first() {
    let mut stage = Stage::new(2);
    stage.make(1, "q", Recipe { with: vec!["producer_only".into()], ..recipe(Kind::PRIORITY_QUEUE, "/queue") });
    stage.make(2, "q", recipe(Kind::PRIORITY_QUEUE, "/queue"));
    stage.run(1, &[call("q", "start")]);
    put(&mut stage, 1, &["5 late", "-1 first", "1 second", "1 third", "none"]);
    assert!(stage.returned(1).last().is_some_and(|last| last.starts_with("put IllegalArgumentException")));
    assert_eq!(stage.children("/queue")[0].len(), "/queue/queue-0FFFFFFFF0000000000".len());
    stage.run(2, &[call("q", "start")]);
    stage.pass(1_000);
    assert_eq!(stage.said(2, "consumed").join(" "), "first second third late");
    // a more urgent one passes those that wait, though the list was read before it came
    stage.make(1, "q2", recipe(Kind::PRIORITY_QUEUE, "/other"));
    stage.make(2, "p2", Recipe { with: vec!["producer_only".into()], ..recipe(Kind::PRIORITY_QUEUE, "/other") });
    stage.run(2, &[call("p2", "start")]);
    stage.run(2, &[call_with("p2", "put", "5 a"), call_with("p2", "put", "5 b")]);
    stage.begin(1, 1, &[call_with("q2", "start", "300")]);
    stage.pass(100);
    stage.run(2, &[call_with("p2", "put", "1 c")]);
    stage.pass(1_000);
    assert_eq!(stage.said(1, "consumed").join(" "), "a c b");
}

#[test]
fn a_full_queue_makes_its_producer_wait() {
    let mut stage = Stage::new(2);
    stage.make(1, "q", Recipe { count: Some(2), ..queue(&["producer_only"]) });
    stage.make(2, "q", queue(&[]));
    stage.run(1, &[call("q", "start")]);
    put(&mut stage, 1, &["1"]);
    put(&mut stage, 1, &["2"]);
    stage.begin(1, 1, &[call_with("q", "put", "3")]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1).len(), 3);
    stage.run(2, &[call("q", "start")]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1).len(), 4);
    assert_eq!(stage.said(2, "consumed").join(" "), "1 2 3");
}

/// A consumer dies with an item in its hands: without a lock path the item is lost, with one it comes again.
#[test]
fn a_lock_path_makes_at_least_once_of_at_most_once() {
    for (recipe, consumed) in [(queue(&[]), "2"), (locked(), "1 2")] {
        let mut stage = Stage::new(3);
        stage.everybody_makes(3, "q", &recipe);
        stage.run(2, &[call_with("q", "start", "5000")]);
        stage.make(1, "p", Recipe { with: vec!["producer_only".into()], ..recipe.clone() });
        stage.run(1, &[call("p", "start"), call_with("p", "put", "1")]);
        stage.act(Action::KillClient { client: ClientId(2) });
        stage.pass(8_000);
        // nobody is told that the lock went: the next change of the queue brings the item back
        stage.run(3, &[call("q", "start")]);
        stage.run(1, &[call_with("p", "put", "2")]);
        assert_eq!(stage.said(3, "consumed").join(" "), consumed);
    }
}

/// `TestDistributedQueue#testSafetyWithCrash`.
#[test]
fn what_one_consumer_fails_at_another_consumes() {
    let mut stage = Stage::new(3);
    stage.make(1, "p", Recipe { with: vec!["producer_only".into()], ..locked() });
    stage.run(1, &[call("p", "start")]);
    for client in 2..=3 {
        stage.make(client, "q", locked());
        stage.run(client, &[call_with("q", "start", "20")]);
    }
    let items: Vec<String> = (100..200).map(|item| item.to_string()).collect();
    let steps: Vec<_> = items.iter().map(|item| call_with("p", "put", item)).collect();
    stage.begin(1, 1, &steps);
    stage.until("consumer 2 has five", |stage| stage.said(2, "consumed").len() == 5);
    stage.run(2, &[call("q", "fail")]);
    stage.pass(150_000);
    let (second, third) = (stage.said(2, "consumed"), stage.said(3, "consumed"));
    let failed = stage.said(2, "failed_at");
    assert!(!failed.is_empty());
    assert!(failed.iter().all(|item| third.contains(item)), "{failed:?}");
    assert!(second.iter().all(|item| !third.contains(item)), "{second:?} {third:?}");
    assert_eq!(sorted([second, third].concat()).iter().map(|item| item.to_string()).collect::<Vec<_>>(), items);
}

/// A stage whose third client knows only server 3, with short waits.
fn at_server_3(timeout_ms: u32) -> Stage {
    let mut stage = Stage::new(2);
    let (client, servers) = (ClientId(3), vec![ServerId(3)]);
    stage.act(Action::OpenClient { client, servers, timeout_ms, chroot: None, raw: false });
    stage.set_up(3, CuratorConfig { connection_timeout_ms: 500, max_retries: 0, ..CuratorConfig::default() });
    stage.pass(500);
    stage
}

/// `TestLongNetworkPartition#testLongNetworkPartition`: its server is away for longer than its session lives.
#[test]
fn a_consumer_that_was_away_past_its_session_has_what_is_put_afterwards() {
    let mut stage = at_server_3(4_000);
    stage.make(3, "q", queue(&[]));
    stage.make(1, "q", queue(&["producer_only"]));
    stage.run(3, &[call("q", "start")]);
    stage.run(1, &[call("q", "start")]);
    stage.act(Action::Crash { server: ServerId(3) });
    stage.pass(20_000);
    stage.act(Action::Restart { server: ServerId(3) });
    stage.pass(5_000);
    put(&mut stage, 1, &["late"]);
    assert_eq!(stage.said(3, "consumed").join(" "), "late");
}

/// `TestFailedDeleteManager#testBasic`: a delete fails for want of a connection. A plain one (a barrier's) leaves the
/// node; a guaranteed one (a lock's) is done when the servers are there again, in the same session.
#[test]
fn a_guaranteed_delete_is_done_when_the_connection_is_back() {
    let mut stage = at_server_3(20_000);
    stage.make(3, "bar", recipe(Kind::BARRIER, "/bar"));
    stage.make(3, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run(3, &[call("bar", "set"), call("lock", "acquire")]);
    stage.act(Action::Crash { server: ServerId(3) });
    stage.pass(100);
    stage.begin(3, 2, &[call("bar", "remove")]);
    stage.begin(3, 1, &[call("lock", "release")]);
    stage.pass(600);
    let returned = stage.returned(3);
    assert_eq!(returned[2..], ["release ConnectionLossException", "remove ConnectionLossException"]);
    assert_eq!(stage.children("/lock").len(), 1);
    stage.act(Action::Restart { server: ServerId(3) });
    stage.pass(5_000);
    assert!(stage.children("/lock").is_empty());
    assert_eq!(stage.children("/bar").len() + usize::from(stage.data("/bar").is_some()), 1);
}

/// When each item was consumed, µs.
fn consumed_at(stage: &Stage) -> Vec<(Rc<str>, u64)> {
    let of = |record: &Rc<Record>| match &record.fact {
        Fact::Program { fact: Told::Consumed { data, .. }, .. } => Some((data.shown().into(), record.at_us.0)),
        _ => None,
    };
    stage.records.iter().filter_map(of).collect()
}

/// Nothing is handed out before its time, and everything after, whatever the order in which it was put.
#[test]
fn a_delay_queue_hands_out_each_item_when_its_time_has_come() {
    for seed in 1..=6 {
        let mut stage = Stage::of(4, seed, Setup::default());
        stage.everybody_makes(2, "q", &producer(Kind::DELAY_QUEUE, "/later"));
        for client in 3..=4 {
            stage.make(client, "q", recipe(Kind::DELAY_QUEUE, "/later"));
        }
        (1..=4).for_each(|client| stage.run(client, &[call("q", "start")]));
        let delays = [2_000, 400, 7_000, 0, 1_200 + seed * 100, 400];
        for (number, delay) in (1..).zip(delays) {
            let due = stage.player.world().now.as_ms() + delay;
            let item = format!("{delay} {due} {number}");
            stage.run(1 + number % 2, &[call_with("q", "put", &item)]);
        }
        stage.pass(8_000);
        let consumed = consumed_at(&stage);
        assert_eq!(consumed.len(), delays.len(), "seed {seed}: {consumed:?}");
        for (item, at) in consumed {
            let due: u64 = item.split(' ').next().and_then(|due| due.parse().ok()).expect("when it is due");
            assert!((due * 1_000..due * 1_000 + 600_000).contains(&at), "seed {seed}: {item} at {at}");
        }
    }
}

/// `makeRequeueItemPath` is the plain queue's: an item that its consumer threw at loses its time.
#[test]
fn a_delayed_item_that_is_put_back_is_due_at_once() {
    let mut stage = Stage::new(1);
    stage.make(1, "q", recipe(Kind::DELAY_QUEUE, "/later /locks"));
    stage.run(1, &[call("q", "start"), call("q", "fail"), call_with("q", "put", "100 a")]);
    stage.pass(200);
    let put_back = stage.children("/later");
    assert!(put_back.iter().all(|path| path.starts_with("/later/queue-0")), "{put_back:?}");
    stage.run(1, &[call("q", "mend")]);
    stage.pass(200);
    assert_eq!(stage.said(1, "consumed"), ["a".into()]);
}

fn producer(kind: Kind, path: &str) -> Recipe {
    Recipe { with: vec!["producer_only".into()], ..recipe(kind, path) }
}

#[test]
fn an_id_queue_removes_by_id() {
    let mut stage = Stage::new(2);
    stage.make(1, "q", producer(Kind::ID_QUEUE, "/ids"));
    stage.run(1, &[call("q", "start")]);
    put(&mut stage, 1, &["a 1", "b/c 2", "a 3", "b 4"]);
    let from = stage.records.len();
    stage.run(1, &[call_with("q", "remove", "a"), call_with("q", "remove", "none")]);
    let asked = stage.asked(1, from);
    assert_eq!(asked.len(), 4, "{asked:?}");
    assert_eq!(
        sorted(asked.iter().map(|asked| asked.as_str().into()).collect()).join(" "),
        "delete /ids/queue-|a|0000000000 delete /ids/queue-|a|0000000002 getChildren2 /ids getChildren2 /ids"
    );
    assert_eq!(stage.returned(1)[5..], ["remove 2", "remove 0"]);
    assert_eq!(stage.children("/ids").join(" "), "/ids/queue-|b_c|0000000001 /ids/queue-|b|0000000003");
    // what remains goes by its number, not by its id
    stage.make(2, "q", recipe(Kind::ID_QUEUE, "/ids"));
    stage.run(2, &[call("q", "start")]);
    stage.pass(500);
    assert_eq!(stage.said(2, "consumed").join(" "), "2 4");
}

/// With a lock path an item that a consumer has cannot be removed, and one that nobody has goes under the lock.
#[test]
fn an_id_queue_removes_under_the_lock() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(1, "q", &producer(Kind::ID_QUEUE, "/ids /locks"));
    stage.run(1, &[call("q", "start")]);
    put(&mut stage, 1, &["a 1", "a 2"]);
    stage.make(2, "q", recipe(Kind::ID_QUEUE, "/ids /locks"));
    stage.run(2, &[call_with("q", "start", "3000")]);
    let from = stage.records.len();
    stage.run(1, &[call_with("q", "remove", "a")]);
    assert_eq!(stage.returned(1).last().map(String::as_str), Some("remove 1"));
    let [one, two] = ["queue-|a|0000000000", "queue-|a|0000000001"];
    let mut asked = stage.asked(1, from)[1..].to_vec();
    asked.sort();
    let expected = [
        format!("create2 /locks/{one}"),
        format!("create2 /locks/{two}"),
        format!("delete /ids/{two}"),
        format!("delete /locks/{two}"),
    ];
    assert_eq!(asked, expected);
    stage.pass(4_000);
    assert_eq!(stage.said(2, "consumed").join(" "), "1");
    stage.run(1, &[call("q", "remove")]);
    assert_eq!(stage.returned(1).last().map(String::as_str), Some("remove NullPointerException: id cannot be null"));
}

#[test]
fn a_consumer_leaves_another_s_lock_alone() {
    let mut stage = Stage::new(3);
    stage.make(1, "p", Recipe { with: vec!["producer_only".into()], ..locked() });
    stage.run(1, &[call("p", "start")]);
    for client in 2..=3 {
        stage.make(client, "q", locked());
        stage.run(client, &[call_with("q", "start", "2000")]);
    }
    stage.run(1, &[call_with("p", "put", "1")]);
    stage.pass(500);
    assert_eq!(stage.children("/locks").len(), 1);
    stage.pass(6_000);
    assert_eq!([stage.said(2, "consumed"), stage.said(3, "consumed")].concat(), ["1".into()]);
    assert!(stage.children("/locks").is_empty() && stage.children("/queue").is_empty());
}

#[test]
fn a_lock_on_an_item_that_is_gone_is_given_back() {
    let mut stage = Stage::new(2);
    stage.make(1, "p", Recipe { with: vec!["producer_only".into()], ..locked() });
    stage.run(1, &[call("p", "start"), call_with("p", "put", "1")]);
    stage.make(2, "q", locked());
    stage.begin(2, 1, &[call("q", "start")]);
    stage.until("it locks", |stage| stage.asked(2, 0).iter().any(|asked| asked.starts_with("create2 /locks/")));
    let path = stage.children("/queue")[0].clone();
    stage.ask(1, delete(&path));
    stage.pass(2_000);
    assert!(stage.said(2, "consumed").is_empty());
    assert!(stage.children("/locks").is_empty());
}

#[test]
fn a_limited_put_waits_as_long_as_it_may() {
    let put_for = |item: &str, ms| {
        let method = Method { method: "put".into(), timeout_ms: Some(ms), data: Some(item.into()) };
        Step::Call { object: "q".into(), method }
    };
    let mut stage = Stage::new(2);
    stage.make(1, "q", Recipe { count: Some(1), ..queue(&["producer_only"]) });
    stage.make(2, "q", queue(&[]));
    stage.run(1, &[call("q", "start")]);
    put(&mut stage, 1, &["1"]);
    stage.begin(1, 1, &[put_for("2", 1_000)]);
    stage.pass(900);
    assert_eq!(stage.returned(1).len(), 2);
    stage.pass(200);
    stage.begin(1, 1, &[put_for("3", 5_000)]);
    stage.run(2, &[call("q", "start")]);
    stage.pass(1_500);
    assert_eq!(stage.returned(1)[2..], ["put false", "put true"]);
    assert_eq!(stage.said(2, "consumed").join(" "), "1 3");
}

#[test]
fn a_guaranteed_delete_pauses_between_its_tries() {
    let mut stage = at_server_3(20_000);
    stage.set_up(3, CuratorConfig { connection_timeout_ms: 0, max_retries: 0, ..CuratorConfig::default() });
    stage.make(3, "lock", recipe(Kind::MUTEX, "/lock"));
    stage.run(3, &[call("lock", "acquire")]);
    stage.act(Action::Crash { server: ServerId(3) });
    stage.pass(100);
    stage.begin(3, 1, &[call("lock", "release")]);
    assert_eq!(stage.returned(3), ["acquire ok", "release ConnectionLossException"]);
    let world = stage.player.world();
    let next = world.clients[&ClientId(3)].app.as_ref().and_then(|app| app.next_at());
    assert_eq!(next, Some(world.now.plus(100_000)));
}

#[test]
fn a_consumer_takes_a_minute_at_most() {
    for (takes, fits) in [("60000", true), ("60001", false), ("long", false)] {
        let mut stage = Stage::new(1);
        stage.make(1, "q", queue(&[]));
        stage.run(1, &[call_with("q", "start", takes)]);
        let returned = stage.returned(1);
        assert_eq!(returned[0] == "start ok", fits, "{takes}: {returned:?}");
    }
}

#[test]
fn a_container_whose_parent_vanishes_is_not_made() {
    let mut stage = Stage::new(2);
    stage.make(1, "q", recipe(Kind::SIMPLE_QUEUE, "/a/b"));
    stage.begin(1, 1, &[call("q", "poll")]);
    stage.until("it looks below", |stage| stage.asked(1, 0).iter().any(|asked| asked == "exists /a/b"));
    stage.ask(2, delete("/a"));
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["poll NoNodeException"]);
    assert_eq!(stage.asked(1, 0).last().map(String::as_str), Some("createContainer /a/b"));
}
