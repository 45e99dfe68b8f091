//! PersistentNode, CuratorCache, GroupMember, ServiceDiscovery and its providers; the circuit breaker before them all.

use std::rc::Rc;

use zabscope::base::{ClientId, Prng, ServerId, Stream};
use zabscope::recipes::{ConnectionState, CuratorConfig, Fact, Kind, Recipe};
use zabscope::sim::{Action, CuratorVersion, Setup};
use zabscope::wire::{Acl, AuthId, CreateMode, Perms, Request};

use super::support::{Stage, call, call_for, call_with, create, delete, recipe, set};

fn named(kind: Kind, path: &str, id: &str) -> Recipe {
    Recipe { id: Some(id.into()), ..recipe(kind, path) }
}

fn ask(stage: &mut Stage, client: u16, request: Request) {
    stage.ask(client, request);
    stage.pass(100);
}

fn joined(texts: &[Rc<str>]) -> String {
    texts.join(" ")
}

/// What a cache has, and what the tree has at that place.
fn views(stage: &mut Stage, client: u16, cache: &str, path: &str) -> (String, String) {
    stage.run(client, &[call(cache, "stream")]);
    let mut tree = stage.children(path);
    tree.extend(stage.data(path).map(|_| path.into()));
    tree.sort();
    (stage.last_returned(client), format!("stream {}", joined(&tree)))
}

#[test]
fn a_persistent_node_asks_what_the_real_one_asks() {
    let mut stage = Stage::new(1);
    stage.make(1, "n", named(Kind::PERSISTENT_NODE, "/svc/a", "data"));
    let from = stage.records.len();
    stage.run(1, &[call("n", "start"), call_for("n", "waitForInitialCreate", 5_000), call("n", "getActualPath")]);
    let first = ["create2 /svc/a", "exists /svc", "createContainer /svc", "create2 /svc/a", "exists /svc/a"];
    assert_eq!(stage.asked(1, from), first);
    assert_eq!(stage.returned(1), ["start ok", "waitForInitialCreate true", "getActualPath /svc/a"]);
    // a connection that comes back, with the same session: the node is there, is adopted, and written to
    let from = stage.records.len();
    stage.disconnect(1);
    stage.pass(3_000);
    let asked = stage.asked(1, from);
    assert_eq!(asked, ["create2 /svc/a", "exists /svc/a", "setData /svc/a", "exists /svc/a"]);
    assert_eq!(joined(&stage.said(1, "adopts")), "/svc/a");
    let from = stage.records.len();
    stage.run(1, &[call("n", "close"), call("n", "close")]);
    // its watch has fired by then
    assert_eq!(stage.asked(1, from), ["delete /svc/a"]);
    assert!(stage.children("/svc").is_empty());
}

/// After an expiry the node is made again; a plain ephemeral one is not.
#[test]
fn a_persistent_node_is_back_after_its_session_expired() {
    let mut stage = Stage::new(2);
    stage.make(1, "n", named(Kind::PERSISTENT_NODE, "/kept", "data"));
    stage.run(1, &[call("n", "start")]);
    ask(&mut stage, 1, create("/plain", "", CreateMode::Ephemeral));
    stage.expire(1);
    stage.pass(6_000);
    assert_eq!(stage.data("/kept").as_deref(), Some("data"));
    assert_eq!(stage.data("/plain"), None);
    // deleted by somebody else, it comes back; written to, it stays as it was written, and is watched on
    ask(&mut stage, 2, delete("/kept"));
    stage.pass(500);
    assert_eq!(stage.data("/kept").as_deref(), Some("data"));
    ask(&mut stage, 2, set("/kept", "other"));
    stage.pass(500);
    assert_eq!(stage.data("/kept").as_deref(), Some("other"));
    ask(&mut stage, 2, delete("/kept"));
    stage.run(1, &[call_with("n", "setData", "new")]);
    stage.pass(500);
    assert_eq!(stage.data("/kept").as_deref(), Some("new"));
}

/// A sequential one comes back with its number, and a lasting one stays without its client.
#[test]
fn a_persistent_node_keeps_its_number() {
    let with = |words: &[&str]| words.iter().map(|word| (*word).into()).collect();
    let mut stage = Stage::new(1);
    stage.make(1, "s", Recipe { with: with(&["sequential"]), ..recipe(Kind::PERSISTENT_NODE, "/w-") });
    stage.make(1, "l", Recipe { with: with(&["lasting"]), ..recipe(Kind::PERSISTENT_NODE, "/lasting") });
    stage.run(1, &[call_with("s", "setData", "early")]);
    assert!(stage.last_returned(1).starts_with("setData IllegalStateException"), "{}", stage.last_returned(1));
    stage.run(1, &[call("s", "start"), call("l", "start")]);
    stage.run(1, &[call("s", "getActualPath")]);
    let path = stage.last_returned(1);
    stage.expire(1);
    stage.pass(6_000);
    stage.run(1, &[call("s", "getActualPath")]);
    assert_eq!(stage.last_returned(1), path);
    assert!(stage.data(path.trim_start_matches("getActualPath ")).is_some(), "{path}");
    stage.act(Action::KillClient { client: ClientId(1) });
    stage.pass(8_000);
    assert!(stage.data("/lasting").is_some());
    assert!(stage.data(path.trim_start_matches("getActualPath ")).is_none());
}

/// The client loses its connection, or its session; if it has none, nothing.
fn interrupt(stage: &mut Stage, client: u16, session: bool) {
    let client = ClientId(client);
    let action = if session { Action::ExpireClient { client } } else { Action::DisconnectClient { client } };
    let records = &mut stage.records;
    stage.player.act(action, |_, told| records.extend_from_slice(told)).expect("an action");
}

/// Something happens to the client, or to a server, which is back in the end.
fn trouble(stage: &mut Stage, prng: &mut Prng, client: u16) {
    match prng.below(4) {
        what @ 0..2 => interrupt(stage, client, what == 1),
        2 => {
            stage.act(Action::PauseClient { client: ClientId(client) });
            stage.pass(prng.between(100, 7_000));
            stage.act(Action::ResumeClient { client: ClientId(client) });
        }
        _ => {
            let server = ServerId(1 + prng.below(3) as u8);
            stage.act(Action::Crash { server });
            stage.pass(prng.between(100, 3_000));
            stage.act(Action::Restart { server });
        }
    }
    stage.pass(prng.between(0, 1_500));
}

#[test]
fn whatever_happens_a_persistent_node_is_there_in_the_end() {
    for seed in 1..=8 {
        let mut stage = Stage::of(1, seed, Setup::default());
        let mut prng = Prng::new(seed, Stream::Crowd);
        let expiration_percent = if seed % 2 == 0 { 33 } else { 100 };
        stage.set_up(1, CuratorConfig { expiration_percent, ..CuratorConfig::default() });
        stage.make(1, "n", named(Kind::PERSISTENT_NODE, "/kept/node", "data"));
        stage.run(1, &[call("n", "start")]);
        (0..5).for_each(|_| trouble(&mut stage, &mut prng, 1));
        stage.pass(25_000);
        assert_eq!(stage.data("/kept/node").as_deref(), Some("data"), "seed {seed}");
        // closed, it is gone, and stays so
        stage.run(1, &[call("n", "close")]);
        stage.pass(8_000);
        assert_eq!(stage.data("/kept/node"), None, "seed {seed}");
    }
}

#[test]
fn a_cache_asks_what_the_real_one_asks() {
    let mut stage = Stage::new(2);
    for (path, data) in [("/c", "root"), ("/c/a", "1"), ("/c/a/b", "2")] {
        ask(&mut stage, 2, create(path, data, CreateMode::Persistent));
    }
    stage.make(1, "c", recipe(Kind::CACHE, "/c"));
    let from = stage.records.len();
    stage.run(1, &[call("c", "start")]);
    let get = |path: &str| [format!("getData {path}"), format!("getChildren2 {path}")];
    let expected = [vec!["addWatch /c".into()], get("/c").into(), get("/c/a").into(), get("/c/a/b").into()].concat();
    assert_eq!(stage.asked(1, from), expected);
    stage.run(1, &[call_with("c", "get", "/c/a/b"), call_with("c", "get", "/c/x"), call("c", "size")]);
    assert_eq!(stage.returned(1)[1..], ["get 2", "get null", "size 3"]);
    // a change is read; a deletion needs no request
    let from = stage.records.len();
    ask(&mut stage, 2, set("/c/a", "3"));
    ask(&mut stage, 2, create("/c/d", "4", CreateMode::Persistent));
    ask(&mut stage, 2, delete("/c/a/b"));
    assert_eq!(stage.asked(1, from), ["getData /c/a", "getData /c/d", "getChildren2 /c/d"]);
    assert_eq!(joined(&stage.said(1, "cache_created")), "/c /c/a /c/a/b /c/d");
    assert_eq!(joined(&stage.said(1, "cache_changed")), "/c/a");
    assert_eq!(joined(&stage.said(1, "cache_deleted")), "/c/a/b");
    let from = stage.records.len();
    stage.run(1, &[call("c", "close"), call("c", "size")]);
    assert_eq!(stage.asked(1, from), ["removeWatches /c"]);
    assert_eq!(stage.last_returned(1), "size 0");
}

/// Whatever happened to its connection and to the tree meanwhile: when all is quiet, the copy is what there is.
#[test]
fn a_cache_is_the_tree_when_all_is_quiet() {
    for seed in 1..=8 {
        let mut stage = Stage::of(2, seed, Setup::default());
        let mut prng = Prng::new(seed, Stream::Crowd);
        stage.make(1, "c", recipe(Kind::CACHE, "/c"));
        stage.run(1, &[call("c", "start")]);
        ask(&mut stage, 2, create("/c", "", CreateMode::Persistent));
        let mut there: Vec<String> = vec!["/c".into()];
        for number in 0..30 {
            let chosen = there[prng.below(there.len() as u32) as usize].clone();
            match prng.below(3) {
                // names are never used again: what that hides is a test of its own
                0 => {
                    there.push(format!("{chosen}/n{number}"));
                    ask(&mut stage, 2, create(&format!("{chosen}/n{number}"), "", CreateMode::Persistent));
                }
                1 => ask(&mut stage, 2, set(&chosen, &number.to_string())),
                _ if chosen != "/c" && !there.iter().any(|path| path.starts_with(&format!("{chosen}/"))) => {
                    there.retain(|path| *path != chosen);
                    ask(&mut stage, 2, delete(&chosen));
                }
                _ => {}
            }
            if number % 6 == 0 {
                interrupt(&mut stage, 1, prng.chance(1, 2));
            }
        }
        stage.pass(12_000);
        let (copy, tree) = views(&mut stage, 1, "c", "/c");
        assert_eq!(copy, tree, "seed {seed}");
        for path in &there {
            stage.run(1, &[call_with("c", "get", path)]);
            let data = stage.data(path).unwrap_or_default();
            assert_eq!(stage.last_returned(1), format!("get {data}"), "seed {seed}: {path}");
        }
    }
}

/// What it compares is the cversion: a node that was made anew while nobody watched, with as many changes of its children
/// as before, keeps its new children to itself. Curator 5.4.0 and its successors do so.
#[test]
fn a_cache_does_not_see_the_children_of_a_node_that_was_made_anew() {
    let mut stage = Stage::new(2);
    for path in ["/c", "/c/x", "/c/x/old"] {
        ask(&mut stage, 2, create(path, "", CreateMode::Persistent));
    }
    stage.make(1, "c", recipe(Kind::CACHE, "/c"));
    stage.run(1, &[call("c", "start")]);
    stage.act(Action::PauseClient { client: ClientId(1) });
    stage.pass(8_000);
    for path in ["/c/x/old", "/c/x"] {
        ask(&mut stage, 2, delete(path));
    }
    ask(&mut stage, 2, create("/c/x", "", CreateMode::Persistent));
    ask(&mut stage, 2, create("/c/x/new", "", CreateMode::Persistent));
    stage.act(Action::ResumeClient { client: ClientId(1) });
    stage.pass(5_000);
    let (copy, tree) = views(&mut stage, 1, "c", "/c");
    assert_eq!((copy.as_str(), tree.as_str()), ("stream /c /c/x", "stream /c /c/x /c/x/new"));
}

#[test]
fn members_know_each_other() {
    let mut stage = Stage::new(3);
    for client in 1..=3 {
        stage.make(client, "g", named(Kind::GROUP_MEMBER, "/group", &format!("m{client}")));
    }
    // whoever asks is a member, also before it has begun
    stage.run(1, &[call("g", "getCurrentMembers"), call("g", "start")]);
    assert_eq!(stage.returned(1), ["getCurrentMembers m1=10.0.0.2", "start ok"]);
    (2..=3).for_each(|client| stage.run(client, &[call("g", "start")]));
    stage.run(2, &[call_with("g", "setThisData", "two")]);
    stage.run(1, &[call("g", "getCurrentMembers")]);
    assert_eq!(stage.last_returned(1), "getCurrentMembers m1=10.0.0.2 m2=two m3=10.0.0.4");
    stage.run(3, &[call("g", "close")]);
    stage.act(Action::KillClient { client: ClientId(2) });
    stage.pass(8_000);
    stage.expire(1);
    stage.pass(6_000);
    stage.run(1, &[call("g", "getCurrentMembers")]);
    assert_eq!(stage.last_returned(1), "getCurrentMembers m1=10.0.0.2");
    assert_eq!(joined(&stage.children("/group")), "/group/m1");
}

/// Two instances of a service, and a client with a provider of it.
fn services(words: &[&str]) -> Stage {
    let mut stage = Stage::new(3);
    for (client, address) in [(1, "a"), (2, "b")] {
        stage.make(client, "d", named(Kind::SERVICE_DISCOVERY, "/svc", &format!("i{client}")));
        stage.run(client, &[call("d", "start"), call_with("d", "registerService", &format!("web {address}"))]);
    }
    let with = words.iter().map(|word| (*word).into()).collect();
    stage.make(3, "p", Recipe { with, ..recipe(Kind::SERVICE_PROVIDER, "/svc/web") });
    stage.run(3, &[call("p", "start")]);
    stage
}

fn instances(stage: &mut Stage, times: usize) -> String {
    let from = stage.returned(3).len();
    stage.run(3, &vec![call("p", "getInstance"); times]);
    stage.returned(3)[from..].iter().map(|said| said.trim_start_matches("getInstance ")).collect::<Vec<_>>().join(" ")
}

/// An instance that dies is handed out until its session is over; errors that its callers note hide it at once.
#[test]
fn a_provider_hands_out_a_dead_instance_until_errors_or_the_end_of_its_session_hide_it() {
    let mut stage = services(&[]);
    assert_eq!(instances(&mut stage, 4), "a b a b");
    stage.act(Action::KillClient { client: ClientId(2) });
    stage.pass(500);
    assert_eq!(instances(&mut stage, 4), "a b a b");
    stage.run(3, &[call_with("p", "noteError", "b"), call("p", "getAllInstances")]);
    assert_eq!(stage.last_returned(3), "getAllInstances a b");
    stage.run(3, &[call_with("p", "noteError", "b"), call("p", "getAllInstances")]);
    assert_eq!(stage.last_returned(3), "getAllInstances a");
    stage.pass(8_000);
    assert!(stage.told(3).contains(&Fact::Callback { object: "p".into(), callback: "cacheChanged" }));
    assert_eq!(joined(&stage.children("/svc/web")), "/svc/web/i1");
    stage.run(1, &[call_with("d", "updateService", "web a2")]);
    assert_eq!(instances(&mut stage, 2), "a2 a2");
    stage.run(1, &[call("d", "close")]);
    stage.run(3, &[call("p", "getInstance"), call("p", "close"), call("p", "close")]);
    let closed = "close IllegalStateException: Already closed or has not been started";
    assert_eq!(stage.returned(3)[stage.returned(3).len() - 3..], ["getInstance null", "close ok", closed]);
}

#[test]
fn a_sticky_provider_stays_with_its_instance_as_long_as_it_is_there() {
    let mut stage = services(&["sticky"]);
    assert_eq!(instances(&mut stage, 3), "a a a");
    stage.run(1, &[call_with("d", "unregisterService", "web")]);
    assert_eq!(instances(&mut stage, 3), "b b b");
    stage.run(1, &[call_with("d", "registerService", "web a")]);
    assert_eq!(instances(&mut stage, 2), "b b");
}

/// A new connection of the same session deletes the instance and makes it anew.
#[test]
fn an_instance_registers_again_with_each_connection() {
    let mut stage = services(&[]);
    let from = stage.records.len();
    stage.disconnect(1);
    stage.pass(3_000);
    assert_eq!(stage.asked(1, from), ["create2 /svc/web/i1", "delete /svc/web/i1", "create2 /svc/web/i1"]);
    stage.expire(1);
    stage.pass(6_000);
    assert_eq!(instances(&mut stage, 2), "a b");
    stage.make(3, "d", recipe(Kind::SERVICE_DISCOVERY, "/svc"));
    stage.run(3, &[call("d", "queryForNames"), call_with("d", "queryForInstances", "web")]);
    stage.run(3, &[call_with("d", "queryForInstances", "none"), call_with("d", "updateService", "web")]);
    stage.run(3, &[call("d", "close"), call("p", "close")]);
    let returned = stage.returned(3);
    let returned = &returned[returned.len() - 6..];
    assert_eq!(returned[0], "queryForNames web");
    let mut both: Vec<&str> = returned[1].trim_start_matches("queryForInstances ").split(' ').collect();
    both.sort_unstable();
    assert_eq!(both, ["a", "b"]);
    assert_eq!(returned[2..4], ["queryForInstances ", "updateService Exception: Service not registered"]);
    // closing the discovery has closed the provider
    assert_eq!(returned[4..], ["close ok", "close IllegalStateException: Already closed or has not been started"]);
}

/// What a provider was told is compared by version, and an instance that registered anew begins with version 0 again: a
/// provider that did not see it go keeps its old address.
#[test]
fn a_provider_that_was_away_keeps_the_old_address_of_an_instance_that_registered_anew() {
    let mut stage = services(&[]);
    stage.act(Action::PauseClient { client: ClientId(3) });
    stage.pass(8_000);
    stage.run(1, &[call_with("d", "unregisterService", "web"), call_with("d", "registerService", "web moved")]);
    stage.act(Action::ResumeClient { client: ClientId(3) });
    stage.pass(5_000);
    assert_eq!(stage.data("/svc/web/i1").as_deref(), Some("moved"));
    assert_eq!(instances(&mut stage, 2), "a b");
}

/// What the listeners of a latch and the program are told while the connection flaps three times in two seconds.
fn flapping(circuit_pauses: u32) -> (Vec<ConnectionState>, Vec<&'static str>) {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { circuit_pauses, circuit_pause_ms: 8_000, ..CuratorConfig::default() });
    stage.make(1, "l", recipe(Kind::LATCH, "/election"));
    stage.run(1, &[call("l", "start")]);
    for _ in 0..3 {
        stage.disconnect(1);
        stage.pass(2_500);
    }
    stage.pass(8_000);
    let states = |fact: &Fact| if let Fact::ConnectionState { state } = fact { Some(*state) } else { None };
    let callbacks = |fact: &Fact| if let Fact::Callback { callback, .. } = fact { Some(*callback) } else { None };
    let told = stage.told(1);
    (told.iter().filter_map(states).collect(), told.iter().filter_map(callbacks).collect())
}

#[test]
fn a_circuit_breaker_hides_short_flapping() {
    use ConnectionState::{Reconnected, Suspended};
    let (states, callbacks) = flapping(0);
    assert_eq!(states, [Suspended, Reconnected].repeat(3));
    assert_eq!(callbacks, ["isLeader", "notLeader"].repeat(3).into_iter().chain(["isLeader"]).collect::<Vec<_>>());
    let (states, callbacks) = flapping(5);
    assert_eq!(states, [Suspended, Reconnected]);
    assert_eq!(callbacks, ["isLeader", "notLeader", "isLeader"]);
}

/// Where the session is lost meanwhile, listeners are told so at once, and of the connection when the pause is over.
#[test]
fn a_circuit_breaker_passes_the_first_lost_on() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { circuit_pauses: 5, circuit_pause_ms: 3_000, ..CuratorConfig::default() });
    stage.make(1, "n", named(Kind::PERSISTENT_NODE, "/kept", "data"));
    stage.run(1, &[call("n", "start")]);
    stage.disconnect(1);
    stage.pass(50);
    stage.expire(1);
    stage.pass(20_000);
    let of = |fact: Fact| match fact {
        Fact::ConnectionState { state } => Some(state.name().to_string()),
        Fact::StateHeldBack { state } => Some(format!("({})", state.name())),
        _ => None,
    };
    let told: Vec<String> = stage.told(1).into_iter().filter_map(of).collect();
    assert_eq!(told, ["SUSPENDED", "LOST", "(RECONNECTED)", "RECONNECTED"]);
    assert_eq!(stage.data("/kept").as_deref(), Some("data"));
}

#[test]
fn what_a_program_believes_of_the_tree() {
    let mut stage = services(&[]);
    let known = |path: &str, below: bool, values: &str| Some((path.to_string(), below, values.to_string()));
    assert_eq!(stage.believed(3), known("/svc/web", true, "a b"));
    stage.run(3, &[call("p", "close")]);
    assert_eq!(stage.believed(3), None);
    ask(&mut stage, 3, set("/svc", "root"));
    ask(&mut stage, 3, create("/svc/with", "data", CreateMode::Persistent));
    // a cache of a whole tree has names, and of a node without data nothing else
    for (client, words, values) in
        [(1, &[][..], known("/svc", true, "web with=data")), (2, &["single_node"][..], known("/svc", false, "root"))]
    {
        let with = words.iter().map(|word| (*word).into()).collect();
        stage.make(client, "c", Recipe { with, ..recipe(Kind::CACHE, "/svc") });
        assert_eq!(stage.believed(client), None);
        stage.run(client, &[call("c", "start")]);
        assert_eq!(stage.believed(client), values);
        stage.run(client, &[call("c", "close")]);
        assert_eq!(stage.believed(client), None);
    }
    stage.make(3, "q", recipe(Kind::SERVICE_PROVIDER, "/svc/web"));
    assert_eq!(stage.believed(3), None, "one that has not begun");
}

#[test]
fn names_below_a_missing_path() {
    let mut stage = Stage::new(1);
    stage.make(1, "d", recipe(Kind::SERVICE_DISCOVERY, "/none"));
    stage.run(1, &[call_with("d", "queryForInstances", "web"), call("d", "queryForNames")]);
    assert_eq!(stage.returned(1), ["queryForInstances ", "queryForNames NoNodeException"]);
}

/// Another makes the node again as soon as it is gone.
/// Only from its start on it hears of sessions that end.
#[test]
fn what_was_registered_before_the_start_is_registered_anew() {
    let mut stage = Stage::new(1);
    stage.make(1, "d", named(Kind::SERVICE_DISCOVERY, "/svc", "i"));
    stage.run(1, &[call_with("d", "registerService", "web"), call("d", "start")]);
    stage.pass(500);
    assert_eq!(stage.last_returned(1), "start ok");
    stage.expire(1);
    stage.pass(8_000);
    assert_eq!(joined(&stage.children("/svc/web")), "/svc/web/i");
}

#[test]
fn an_instance_is_tried_for_twice() {
    let mut stage = Stage::new(2);
    stage.make(2, "n", recipe(Kind::PERSISTENT_NODE, "/svc/web/i"));
    stage.run(2, &[call("n", "start")]);
    stage.pass(500);
    stage.make(1, "d", named(Kind::SERVICE_DISCOVERY, "/svc", "i"));
    stage.begin(1, 1, &[call_with("d", "registerService", "web")]);
    let deletes = |stage: &Stage| stage.asked(1, 0).iter().filter(|asked| asked.starts_with("delete")).count();
    for times in 1..=2 {
        stage.until("it deletes", |stage| deletes(stage) == times);
        stage.act(Action::PauseClient { client: ClientId(1) });
        stage.pass(1_000);
        stage.act(Action::ResumeClient { client: ClientId(1) });
    }
    stage.pass(1_000);
    assert_eq!(stage.asked(1, 0), ["create2 /svc/web/i", "delete /svc/web/i"].repeat(2));
    assert_eq!(stage.returned(1), ["registerService ok"]);
}

/// Somebody else deletes it a moment before.
#[test]
fn a_node_that_is_gone_already_is_closed_all_the_same() {
    let mut stage = Stage::new(2);
    stage.make(1, "n", recipe(Kind::PERSISTENT_NODE, "/n"));
    stage.run(1, &[call("n", "start")]);
    stage.ask(2, delete("/n"));
    stage.pass(40);
    stage.run(1, &[call("n", "close")]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["start ok", "close ok"]);
    assert_eq!(stage.data("/n"), None);
}

#[test]
fn a_node_that_may_not_be_made_is_not_tried_again() {
    let mut stage = Stage::new(1);
    let (data, mode, who) = (Some("".into()), CreateMode::Persistent, AuthId::anyone());
    let acl = vec![Acl { perms: Perms::READ, who }];
    ask(&mut stage, 1, Request::Create { path: "/p".into(), data, acl, mode, ttl: 0, stat: false, flags: None });
    stage.make(1, "n", recipe(Kind::PERSISTENT_NODE, "/p/n"));
    let from = stage.records.len();
    stage.run(1, &[call("n", "start")]);
    stage.pass(1_000);
    assert_eq!(stage.asked(1, from), ["create2 /p/n"]);
}

#[test]
fn the_end_of_the_service_itself_is_no_change() {
    let mut stage = services(&[]);
    (1..=2).for_each(|client| stage.run(client, &[call("d", "unregisterService")]));
    let changes = |stage: &Stage| {
        let told = stage.told(3);
        told.iter().filter(|fact| matches!(fact, Fact::Callback { callback: "cacheChanged", .. })).count()
    };
    assert_eq!(changes(&stage), 2);
    ask(&mut stage, 1, delete("/svc/web"));
    stage.pass(500);
    assert_eq!((changes(&stage), stage.data("/svc/web")), (2, None));
}

#[test]
fn what_is_as_always_is_not_written() {
    let written = |circuit_pauses, circuit_pause_ms| {
        let config = CuratorConfig { circuit_pauses, circuit_pause_ms, ..CuratorConfig::default() };
        let text = serde_json::to_string(&config).expect("JSON");
        (text.contains("circuit_pauses"), text.contains("circuit_pause_ms"))
    };
    assert_eq!(written(0, 1_000), (false, false));
    assert_eq!(written(5, 1_000), (true, false));
    assert_eq!(written(0, 2_000), (false, true));
}

#[test]
fn an_adopted_node_counts_as_made_once_it_is_written() {
    let mut stage = Stage::new(1);
    ask(&mut stage, 1, create("/n", "old", CreateMode::Persistent));
    stage.make(1, "n", named(Kind::PERSISTENT_NODE, "/n", "new"));
    stage.run(1, &[call("n", "start"), call_for("n", "waitForInitialCreate", 3_000)]);
    assert_eq!(stage.last_returned(1), "waitForInitialCreate true");
    assert_eq!(stage.data("/n").as_deref(), Some("new"));
}

#[test]
fn a_node_that_cannot_be_deleted_is_not_closed_quietly() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { connection_timeout_ms: 200, max_retries: 0, ..CuratorConfig::default() });
    stage.make(1, "n", recipe(Kind::PERSISTENT_NODE, "/n"));
    stage.run(1, &[call("n", "start")]);
    (1..=3).for_each(|server| stage.act(Action::Crash { server: ServerId(server) }));
    stage.pass(500);
    stage.run(1, &[call("n", "close")]);
    assert_eq!(stage.last_returned(1), "close IOException: ConnectionLossException");
}

#[test]
fn a_watch_that_is_under_way_is_taken_back_by_close() {
    let mut stage = Stage::new(1);
    stage.make(1, "n", recipe(Kind::PERSISTENT_NODE, "/n"));
    stage.begin(1, 1, &[call("n", "start")]);
    stage.until("it sets its watch", |stage| stage.asked(1, 0).iter().any(|asked| asked == "exists /n"));
    let from = stage.records.len();
    stage.run(1, &[call("n", "close")]);
    assert_eq!(stage.asked(1, from), ["delete /n", "removeWatches /n"]);
}

#[test]
fn a_service_has_a_plain_name() {
    let mut stage = Stage::new(1);
    stage.make(1, "d", recipe(Kind::SERVICE_DISCOVERY, "/svc"));
    for wrong in ["", " 10.0.0.1", "a/b", "/a 10.0.0.1"] {
        stage.run(1, &[call_with("d", "registerService", wrong)]);
        let said = "registerService IllegalArgumentException: the service's name is wanted";
        assert_eq!(stage.last_returned(1), said, "{wrong:?}");
    }
    assert_eq!(stage.asked(1, 0), [""; 0]);
}

#[test]
fn an_interrupt_ends_the_wait_for_a_list() {
    let mut stage = Stage::new(1);
    stage.make(1, "p", recipe(Kind::SERVICE_PROVIDER, "/svc/web"));
    stage.begin(1, 1, &[call("p", "start")]);
    stage.until("its cache begins", |stage| stage.asked(1, 0).iter().any(|asked| asked.starts_with("addWatch")));
    stage.interrupt(1, 1);
    assert_eq!(stage.returned(1), ["start InterruptedException"]);
}

#[test]
fn a_lasting_node_that_is_made_again_lasts() {
    let mut stage = Stage::new(2);
    stage.make(1, "n", Recipe { with: vec!["lasting".into()], ..recipe(Kind::PERSISTENT_NODE, "/n") });
    stage.run(1, &[call("n", "start")]);
    ask(&mut stage, 2, delete("/n"));
    stage.pass(500);
    stage.act(Action::KillClient { client: ClientId(1) });
    stage.pass(8_000);
    assert!(stage.data("/n").is_some());
}

/// It is set after a pause, and by the new connection once more.
#[test]
fn a_watch_that_could_not_be_set_is_set_after_a_pause() {
    let mut stage = Stage::new(1);
    stage.set_up(1, CuratorConfig { max_retries: 0, ..CuratorConfig::default() });
    stage.make(1, "c", recipe(Kind::CACHE, "/c"));
    stage.begin(1, 1, &[call("c", "start")]);
    stage.pass(5);
    stage.disconnect(1);
    stage.pass(4_000);
    assert_eq!(stage.asked(1, 0).iter().filter(|asked| *asked == "addWatch /c").count(), 3);
}

/// An ensemble that looks for what has run out every half second, and a client with a PersistentTtlNode of two seconds.
fn kept_for_two_seconds(curator: CuratorVersion) -> Stage {
    let mut stage = Stage::of(2, 1, Setup { curator, container_check_ms: 500, ..Setup::default() });
    let made = Recipe { hold_ms: Some(2_000), ..named(Kind::PERSISTENT_TTL_NODE, "/kept", "data") };
    stage.make(1, "n", made);
    stage.run(1, &[call("n", "start"), call_for("n", "waitForInitialCreate", 5_000)]);
    stage
}

#[test]
fn a_node_with_a_time_to_live_is_kept_by_touching_its_child() {
    let mut stage = kept_for_two_seconds(CuratorVersion::V54);
    assert_eq!(stage.returned(1), ["start ok", "waitForInitialCreate true"]);
    assert_eq!((stage.data("/kept").as_deref(), stage.children("/kept").len()), (Some("data"), 0));
    let from = stage.records.len();
    stage.pass(3_200);
    let asked = stage.asked(1, from);
    let touches = ["setData /kept/touch", "createTTL /kept/touch", "setData /kept/touch", "setData /kept/touch"];
    assert_eq!(asked, touches, "it is written before it is missed");
    stage.run(1, &[call_with("n", "setData", "new")]);
    stage.run(1, &[call("n", "getData")]);
    assert_eq!((stage.last_returned(1).as_str(), stage.data("/kept").as_deref()), ("getData new", Some("new")));
    stage.pass(6_000);
    assert_eq!(joined(&stage.children("/kept")), "/kept/touch");
    stage.act(Action::KillClient { client: ClientId(1) });
    stage.pass(1_500);
    assert_eq!(stage.children("/kept").len(), 1, "its session has nothing to do with it");
    stage.pass(3_000);
    assert_eq!((stage.data("/kept"), stage.data("/kept/touch")), (None, None));
}

#[test]
fn a_node_with_a_time_to_live_outlives_its_close_and_a_delete() {
    for curator in [CuratorVersion::V54, CuratorVersion::V59] {
        let mut stage = kept_for_two_seconds(curator);
        stage.pass(1_500);
        for path in ["/kept/touch", "/kept"] {
            ask(&mut stage, 2, delete(path));
        }
        stage.pass(1_500);
        assert_eq!(stage.data("/kept").as_deref(), Some("data"), "made anew, and its child with it");
        assert_eq!(stage.children("/kept").len(), 1);
        let from = stage.records.len();
        stage.run(1, &[call("n", "close"), call("n", "close")]);
        stage.pass(500);
        assert_eq!(stage.asked(1, from), ["removeWatches /kept"]);
        assert_eq!(stage.data("/kept").as_deref(), Some("data"));
        stage.pass(4_000);
        assert_eq!(stage.data("/kept"), None);
    }
}

/// Whoever dies before the first touch leaves a container that never had a child, and such a one stays; since 5.9 it runs out.
#[test]
fn a_node_that_was_never_touched_goes_since_5_9() {
    for (curator, asked, stays) in
        [(CuratorVersion::V54, "createContainer /kept", true), (CuratorVersion::V59, "createTTL /kept", false)]
    {
        let mut stage = kept_for_two_seconds(curator);
        assert_eq!(stage.asked(1, 0)[0], asked);
        stage.act(Action::KillClient { client: ClientId(1) });
        stage.pass(1_000);
        assert_eq!(stage.data("/kept").as_deref(), Some("data"), "{curator:?}: before its time");
        stage.pass(30_000);
        assert_eq!(stage.data("/kept").is_some(), stays, "{curator:?}");
    }
}

/// Without `extendedTypesEnabled` every create of the child is refused, which is only logged; an empty container stays.
#[test]
fn without_times_to_live_only_the_container_is_made() {
    let mut stage = Stage::of(1, 1, Setup { container_check_ms: 500, extended_types: false, ..Setup::default() });
    let made = Recipe { hold_ms: Some(1), ..named(Kind::PERSISTENT_TTL_NODE, "/short", "data") };
    stage.make(1, "short", made);
    stage.make(1, "n", named(Kind::PERSISTENT_TTL_NODE, "/kept", "data"));
    stage.run(1, &[call("n", "start")]);
    stage.run(1, &[call("short", "start")]);
    assert_eq!(stage.last_returned(1), "start IllegalArgumentException", "half a millisecond is no rate");
    stage.pass(9_000);
    assert_eq!((stage.data("/kept").as_deref(), stage.children("/kept").len()), (Some("data"), 0));
}
