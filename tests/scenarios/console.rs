//! The scenario of the console asks for what zkCli asks for when the lines are typed.

use zabscope::client::Fact as ClientFact;
use zabscope::console::ConsoleHost;
use zabscope::sim::{Action, Run};
use zabscope::timeline::Session;
use zabscope::wire::Request;

use super::*;

const LINES: &[(u64, u16, &str)] = &[
    (1_200, 1, "create /app v1"),
    (1_400, 1, "create -e -s /app/worker- C1"),
    (1_600, 1, "ls /app"),
    (1_800, 1, "get -w /app"),
    (2_000, 2, "set /app v2"),
    (2_300, 1, "set -v 0 /app v3"),
    (2_500, 1, "stat /app"),
    (2_650, 1, "set -v 1 /app v3"),
    (2_900, 2, "addWatch /app"),
    (3_100, 1, "delete /app"),
    (3_300, 1, "deleteall /app"),
    (3_800, 1, "sync /"),
    (3_950, 1, "ls /"),
];

/// What clients ask for in a run, in order.
fn asked<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<(ClientId, Request)> {
    let called = |record: &Record| match &record.fact {
        Fact::Client { client, fact: ClientFact::Called { request, .. } } => Some((*client, request.clone())),
        _ => None,
    };
    records.into_iter().filter_map(called).collect()
}

#[test]
fn the_console_asks_for_what_zk_cli_asks_for() {
    let scenario = scenario("zk-cli").expect("the scenario");
    let (mut player, mut shown) = (Player::new(scenario.run()).expect("a valid run"), Vec::new());
    player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| shown.extend_from_slice(records));

    // the same run with the clients alone, and somebody who types
    let Run { seed, setup, actions, .. } = scenario.run();
    let mut bare = Run::new(seed, setup);
    for timed in actions.into_iter().filter(|timed| matches!(timed.action, Action::OpenClient { .. })) {
        bare.push(timed.at_us, timed.action);
    }
    let mut session = Session::new(bare, None).expect("a valid run");
    let (mut host, mut typed) = (ConsoleHost::default(), Vec::new());
    let mut seen = session.next_seq();
    let mut play = |session: &mut Session, host: &mut ConsoleHost, until_ms| {
        while session.world().next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
            session.step(1);
            host.attend(session);
        }
        typed.extend(session.facts().from(seen).cloned());
        seen = session.next_seq();
    };
    for (at_ms, client, line) in LINES {
        play(&mut session, &mut host, *at_ms);
        host.enter(&mut session, ClientId(*client), line);
    }
    play(&mut session, &mut host, scenario.until_ms);
    assert_eq!(asked(shown.iter().map(|record| &**record)), asked(&typed));
}

#[test]
fn what_the_console_is_told() {
    let played = play("zk-cli");
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    let error = |outcome: &Value| outcome["Err"]["code"].as_str().unwrap_or("").to_string();
    assert_eq!(one[1]["Ok"]["path"], "/app/worker-0000000000");
    assert_eq!((error(one[4]), error(one[7])), ("BadVersion".into(), "NotEmpty".into()));
    assert_eq!(one[5]["Ok"]["stat"]["version"], 1);
    assert_eq!(one.last().expect("it lists")["Ok"]["children"]["names"], serde_json::json!(["zookeeper"]));
    assert_eq!(two.len(), 2);
    // one event for the watch that fires once; three for the one that stays: data, and two nodes that go
    assert_eq!(played.events(1), [("NodeDataChanged", "/app")]);
    assert_eq!(played.events(2), [("NodeDeleted", "/app/worker-0000000000"), ("NodeDeleted", "/app")]);
}
