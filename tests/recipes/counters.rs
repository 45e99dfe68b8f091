//! SharedCount and DistributedAtomicLong.

use zabscope::base::ClientId;
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind, Script, ThreadId};
use zabscope::sim::Action;
use zabscope::wire::Request;

use super::support::{Stage, call, call_with, recipe};

fn two_counters() -> Stage {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "n", &recipe(Kind::SHARED_COUNT, "/n"));
    for client in 1..=2 {
        stage.run(client, &[call("n", "start")]);
    }
    stage
}

#[test]
fn a_shared_count_is_known_to_everybody() {
    let mut stage = two_counters();
    stage.run(1, &[call("n", "getCount"), call_with("n", "setCount", "7"), call("n", "getCount")]);
    assert_eq!(stage.returned(1), ["start ok", "getCount 0", "setCount ok", "getCount 7"]);
    assert_eq!(stage.said(2, "count_changed").join(" "), "7");
    assert_eq!(stage.said(1, "count_changed").join(" "), "7");
    assert_eq!(stage.data("/n").as_deref(), Some("0x00000007"));
    for no_int in ["seven", "2147483648"] {
        stage.run(1, &[call_with("n", "setCount", no_int)]);
        assert_eq!(stage.last_returned(1), format!("setCount NumberFormatException: {no_int}"));
    }
}

#[test]
fn only_who_knows_the_newest_value_may_try_set() {
    let mut stage = two_counters();
    stage.act(Action::PauseClient { client: ClientId(2) });
    stage.run(1, &[call_with("n", "trySetCount", "5")]);
    stage.act(Action::ResumeClient { client: ClientId(2) });
    stage.begin(2, 1, &[call_with("n", "trySetCount", "6"), call("n", "getCount")]);
    stage.pass(500);
    assert_eq!(stage.returned(1), ["start ok", "trySetCount true"]);
    assert_eq!(stage.returned(2), ["start ok", "trySetCount false", "getCount 5"]);
}

/// `TestSharedCount#testDisconnectReconnectEventDoesNotFireValueWatcher`: after an outage without a change the state
/// is told first, and then the re-read tells the same value again.
#[test]
fn an_outage_tells_the_value_again_though_it_is_the_same() {
    let mut stage = two_counters();
    stage.run(1, &[call_with("n", "setCount", "11")]);
    let before = stage.told(2).len();
    stage.disconnect(2);
    stage.pass(2_000);
    let told: Vec<_> = stage.told(2).split_off(before);
    let states = told.iter().filter(|fact| matches!(fact, Told::Callback { callback: "stateChanged", .. })).count();
    assert_eq!(states, 2);
    assert!(matches!(told.last(), Some(Told::Told { what: "count_changed", about, .. }) if **about == *"11"));
    assert_eq!(stage.said(2, "count_changed").len(), 2);
}

/// A watch tells that something changed, not what: who reads late skips values.
#[test]
fn a_one_shot_watch_misses_what_lies_between() {
    let mut stage = two_counters();
    stage.run(1, &[call_with("n", "setCount", "1")]);
    stage.act(Action::PauseClient { client: ClientId(2) });
    stage.run(1, &[call_with("n", "setCount", "2"), call_with("n", "setCount", "3")]);
    stage.act(Action::ResumeClient { client: ClientId(2) });
    stage.pass(500);
    assert_eq!(stage.said(2, "count_changed").join(" "), "1 3");
}

/// The reply to the write is lost. The second try meets the own write and counts as a lost race: one call, two more.
/// `trySetCount` in the same spot says false though it won.
#[test]
fn one_increment_counts_twice_when_its_reply_is_lost() {
    let mut stage = Stage::new(1);
    stage.make(1, "n", recipe(Kind::ATOMIC_LONG, "/n"));
    stage.run(1, &[call_with("n", "add", "7")]);
    stage.begin(1, 1, &[call("n", "increment")]);
    stage.until("8", |stage| stage.data("/n").as_deref() == Some("0x0000000000000008"));
    stage.disconnect(1);
    stage.pass(2_000);
    assert_eq!(stage.returned(1), ["add 7", "increment 9"]);
    assert_eq!(stage.said(1, "lost_race").len(), 1);

    let mut stage = two_counters();
    stage.begin(1, 1, &[call_with("n", "trySetCount", "5")]);
    stage.until("5", |stage| stage.data("/n").as_deref() == Some("0x00000005"));
    stage.disconnect(1);
    stage.pass(2_000);
    assert_eq!(stage.returned(1), ["start ok", "trySetCount false"]);
    assert_eq!(stage.data("/n").as_deref(), Some("0x00000005"));
}

/// `TestDistributedAtomicLong#testSimulation`: 20 clients, 50 increments each, at last under a lock.
#[test]
fn every_client_sees_the_counter_grow() {
    let mut stage = Stage::new(20);
    stage.everybody_makes(20, "n", &recipe(Kind::ATOMIC_LONG, "/n /n-lock"));
    for client in 1..=20 {
        let script = Script { steps: vec![call("n", "increment")], times: 50, in_callback: false };
        stage.act(Action::RunThread { client: ClientId(client), thread: ThreadId(1), script });
    }
    stage.pass(600_000);
    let mut made = 0;
    for client in 1..=20 {
        let values: Vec<u32> =
            stage.said(client, "made_it").iter().map(|value| value.parse().expect("one")).collect();
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert_eq!(stage.returned(client).len(), 50, "client {client}");
        made += values.len();
    }
    assert_eq!(stage.data("/n"), Some(format!("0x{made:016x}").into()));
}

#[test]
fn a_shared_count_is_used_between_start_and_close() {
    let mut stage = Stage::new(1);
    stage.make(1, "n", recipe(Kind::SHARED_COUNT, "/n"));
    for method in ["getCount", "close", "start", "getCount", "close", "getCount"] {
        stage.run(1, &[call("n", method)]);
    }
    let not = "IllegalStateException: not started";
    assert_eq!(stage.returned(1)[..2], [format!("getCount {not}"), format!("close {not}")]);
    assert_eq!(stage.returned(1)[2..5], ["start ok", "getCount 0", "close ok"]);
    assert_eq!(stage.returned(1)[5], format!("getCount {not}"));
}

/// Two that begin to count at the same moment.
fn race(config: CuratorConfig, path: &str) -> Stage {
    let mut stage = Stage::new(2);
    for client in 1..=2 {
        stage.set_up(client, config);
        stage.make(client, "n", recipe(Kind::ATOMIC_LONG, path));
    }
    stage.run(1, &[call("n", "increment")]);
    (1..=2).for_each(|client| stage.begin(client, 1, &[call("n", "increment")]));
    stage
}

/// Of two that read the same number one writes too late. The policy allows no second try, so it takes the lock.
#[test]
fn who_loses_its_race_wins_under_the_lock() {
    let mut stage = race(CuratorConfig { max_retries: 0, ..CuratorConfig::default() }, "/n /n-lock");
    stage.pass(3_000);
    assert_eq!(stage.data("/n").as_deref(), Some("0x0000000000000003"));
    assert_eq!(stage.said(1, "lost_race").len() + stage.said(2, "lost_race").len(), 1);
    assert!(stage.children("/n-lock").is_empty());
}

#[test]
fn a_counter_goes_up_and_down() {
    let mut stage = Stage::new(1);
    stage.make(1, "n", recipe(Kind::ATOMIC_LONG, "/n"));
    stage.run(1, &[call("n", "increment"), call_with("n", "add", "-5"), call("n", "decrement"), call("n", "get")]);
    stage.pass(500);
    assert_eq!(stage.returned(1), ["increment 1", "add -4", "decrement -5", "get -5"]);
}

/// What somebody else wrote into its node: fewer bytes than a number has (`BufferUnderflowException`), or more, or none.
#[test]
fn a_number_that_is_none_is_told() {
    let long = [0, 0, 0, 0, 0, 0, 0, 9, 7];
    let corrupted = "get RuntimeException: Corrupted data for node \"/n\": [0x35, 0xff]";
    for (data, long_said, count_said, heard) in [
        (Some(long.to_vec()), "get 9", "getCount 0", "0"),
        (Some(vec![0x35, 0xff]), corrupted, "getCount BufferUnderflowException", ""),
        (Some(vec![]), "get 0", "getCount BufferUnderflowException", ""),
        (None, "get 0", "getCount NullPointerException", ""),
    ] {
        let mut stage = Stage::new(2);
        stage.make(1, "long", recipe(Kind::ATOMIC_LONG, "/n"));
        stage.make(1, "count", recipe(Kind::SHARED_COUNT, "/n"));
        stage.run(1, &[call("count", "start")]);
        stage.ask(2, Request::SetData { path: "/n".into(), data: data.map(Into::into), version: -1 });
        stage.pass(500);
        stage.run(1, &[call("long", "get")]);
        stage.run(1, &[call("count", "getCount")]);
        assert_eq!(stage.returned(1)[1..], [long_said, count_said]);
        assert_eq!(stage.said(1, "count_changed").join(" "), heard);
    }
}

#[test]
fn an_interrupt_ends_the_pause_after_a_lost_race() {
    let mut stage = race(CuratorConfig { base_sleep_ms: 2_000, ..CuratorConfig::default() }, "/n");
    stage.pass(1_000);
    let loser = (1..=2).find(|&client| !stage.said(client, "lost_race").is_empty()).expect("a loser");
    stage.interrupt(loser, 1);
    stage.pass(100);
    assert_eq!(stage.last_returned(loser), "increment InterruptedException");
}
