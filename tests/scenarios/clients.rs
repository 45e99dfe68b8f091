//! Scenarios of the znode store, its clients and the services of servers.

use super::*;

/// The name of the error of an outcome; empty for a good one.
fn error(outcome: &Value) -> &str {
    outcome["Err"]["code"].as_str().unwrap_or("")
}

/// The data in an answer to getData.
fn data(outcome: &Value) -> &str {
    outcome["Ok"]["data"]["data"].as_str().unwrap_or("")
}

#[test]
fn what_a_node_hangs_on_decides_when_it_goes() {
    let played = play("zk-tree");
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    assert_eq!(one[1]["Ok"]["path"], "/app/task-0000000000");
    assert_eq!(one[2]["Ok"]["path"], "/app/task-0000000001");
    assert_eq!(error(one[4]), "NoChildrenForEphemerals");
    assert_eq!(data(one[9]), "v1");
    // of the multi that failed nothing is left, of the other everything
    assert_eq!(one[11]["Ok"]["multi"][2]["Err"], "NoNode");
    assert_eq!(two[1]["Ok"]["children"]["names"], serde_json::json!(["whole", "live", "task-0000000001"]));
    // the ephemeral went with its session; the container after its last child; the other when its time was over
    assert_eq!(two[2]["Ok"]["children"]["names"], serde_json::json!(["whole", "task-0000000001"]));
    assert_eq!(two[3]["Ok"]["children"]["names"], serde_json::json!(["app", "zookeeper"]));
    assert_eq!(error(two[4]), "NotEmpty");
    assert!(played.all_agree());
}

#[test]
fn each_operation_moves_its_own_fields_of_the_stat() {
    let played = play("zk-stat");
    let asked: Vec<&Value> = played.kind("called").into_iter().map(|fact| &fact["request"]).collect();
    let outcomes = played.outcomes(1);
    let looks =
        asked.iter().zip(outcomes).filter(|(request, _)| request["op"] == "exists" && request["path"] == "/node");
    let stats: Vec<&Value> = looks.map(|(_, outcome)| &outcome["Ok"]["stat"]).collect();
    let numbers = |key: &str| stats.iter().map(|stat| stat[key].as_i64().unwrap()).collect::<Vec<_>>();
    // after: set, a child, the child is set, the ACL is set, the child is deleted, an ephemeral child
    assert_eq!(numbers("version"), [1, 1, 1, 1, 1, 1]);
    assert_eq!(numbers("cversion"), [0, 1, 1, 1, 2, 3]);
    assert_eq!(numbers("aversion"), [0, 0, 0, 1, 1, 1]);
    assert_eq!(numbers("numChildren"), [0, 1, 1, 1, 0, 1]);
    assert_eq!(numbers("dataLength"), [2, 2, 2, 2, 2, 2]);
    let texts = |key: &str| stats.iter().map(|stat| stat[key].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(texts("czxid"), ["1:2"; 6]);
    assert_eq!(texts("mzxid"), ["1:3"; 6]);
    assert_eq!(texts("pzxid"), ["1:2", "1:4", "1:4", "1:4", "1:7", "1:8"]);
    let live = played.outcomes(1).last().unwrap()["Ok"]["stat"]["ephemeralOwner"].clone();
    assert_eq!(live, played.kind("session_opened")[0]["session"]);
}

#[test]
fn the_second_of_two_that_expect_one_version_is_refused() {
    let played = play("zk-version");
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    assert_eq!(one[2]["Ok"]["stat"]["version"], 1);
    assert_eq!(error(two[1]), "BadVersion");
    assert_eq!((data(two[2]), &two[3]["Ok"]["stat"]["version"]), ("11", &Value::from(2)));
    assert_eq!(data(one[3]), "12", "no step was lost");
}

#[test]
fn a_watch_fires_once_and_a_persistent_one_stays() {
    let played = play("zk-watch");
    // five sets after the first read, two of them while no watch was set, and one after the last event
    assert_eq!(played.events(1), [("NodeDataChanged", "/conf"); 2]);
    assert_eq!(data(played.outcomes(1)[1]), "v3", "v2 was never seen");
    let all = [
        ("NodeDataChanged", "/conf"),
        ("NodeCreated", "/conf/host"),
        ("NodeDataChanged", "/conf/host"),
        ("NodeDeleted", "/conf/host"),
    ];
    assert_eq!(played.events(3), all);
    assert!(played.kind("notified").iter().all(|fact| fact.get("data").is_none()));
}

#[test]
fn an_ephemeral_node_goes_with_the_session_and_not_with_the_connection() {
    let played = play("zk-session");
    let (gone, move_done) = (played.place("session_closed", "ephemerals", serde_json::json!(["/live"])), 3);
    let broken = played.facts[..gone].iter().filter(|fact| fact["kind"] == "client_disconnected").count();
    assert_eq!(broken, 2, "cut once, moved once");
    let again = played.kind("client_connected").into_iter().filter(|fact| fact["client"] == 1);
    let took_up: Vec<&Value> = again.map(|fact| &fact["again"]).collect();
    assert_eq!(took_up, [false, true, true, false]);
    let looks = played.outcomes(2);
    assert!(looks[..=move_done].iter().all(|outcome| error(outcome).is_empty()), "still there");
    assert_eq!(error(looks[move_done + 1]), "NoNode", "the session expired");
    let ends: Vec<&Value> = played.kind("client_ended").into_iter().map(|fact| &fact["state"]).collect();
    assert_eq!(ends, ["Expired", "Closed"]);
    assert_eq!(error(looks.last().unwrap()), "NoNode", "closed: gone at once");
    assert_eq!(played.events(2), [("NodeDeleted", "/live"); 2]);
    let paused = played.facts[played.place("client_paused", "client", 1)]["at_us"].as_u64().unwrap();
    let expired = played.kind("session_expired")[0]["at_us"].as_u64().unwrap();
    assert!((800_000..=1_600_000).contains(&(expired - paused)), "within its timeout, and a tick or two");
    assert!(played.all_agree());
}

#[test]
fn the_guarantees_hold_one_by_one() {
    let played = play("zk-guarantees");
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    // in order
    let versions: Vec<&Value> = one[1..4].iter().map(|outcome| &outcome["Ok"]["stat"]["version"]).collect();
    assert_eq!((versions, data(one[4])), (vec![&Value::from(1), &Value::from(2), &Value::from(3)], "3"));
    // all or nothing
    assert_eq!(two[0]["Ok"]["multi"][1]["Err"], "NodeExists");
    assert_eq!(data(two[1]), "3");
    // never back in time
    let away = played.kind("client_turned_away");
    assert!(away.iter().any(|fact| fact["reason"] == "server_behind" && fact["server"] == 1 && fact["client"] == 2));
    // never lost
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    assert_eq!((data(one[6]), data(two.last().unwrap())), ("5", "5"));
    assert!(played.all_agree());
}

#[test]
fn a_read_may_be_stale_and_a_sync_cures_it() {
    let played = play("zk-stale-read");
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    assert_eq!(data(two[2]), "new", "whoever wrote it reads it");
    assert_eq!(data(one[0]), "old", "later, at the follower behind the slow link");
    assert_eq!((one[1]["Ok"]["path"].as_str(), data(one[2])), (Some("/x"), "new"));
    let answered = played.place("answered", "zxid", "1:4");
    let stale = played.facts.iter().position(|fact| fact["kind"] == "answered" && fact["client"] == 1).unwrap();
    assert!(answered < stale, "the write had been answered before the stale read");
}

#[test]
fn with_leader_serves_no_clients_are_served_by_the_others_only() {
    let played = play("leader-serves-no");
    let turned_away = played.kind("client_turned_away");
    assert!(turned_away.iter().any(|fact| fact["server"] == 2 && fact["reason"] == "leader_only"), "{turned_away:?}");
    let resumed: Vec<&Value> = played.kind("session_resumed").iter().map(|fact| &fact["server"]).collect();
    assert!(!resumed.is_empty() && resumed.iter().all(|server| **server == 1), "{resumed:?}");
    assert_eq!(data(played.outcomes(2).last().unwrap()), "2");
}

#[test]
fn a_soft_quota_warns_and_a_hard_one_refuses_what_comes_too_late_to_slip_past() {
    let played = play("quota");
    let over: Vec<_> =
        played.kind("over_quota").iter().map(|fact| (fact["of"].clone(), fact["hard"].clone())).collect();
    assert_eq!(over, [("bytes".into(), false.into()), ("count".into(), true.into())] as [(Value, Value); 2]);
    let (one, two) = (played.outcomes(1), played.outcomes(2));
    assert!(one[..7].iter().chain(&two[..1]).all(|outcome| outcome["Ok"].is_object()), "{one:?} {two:?}");
    assert_eq!(two[1]["Err"]["code"], "QuotaExceeded");
    assert_eq!(data(one.last().unwrap()), "count=5,bytes=4", "one more than the limit");
    assert!(played.all_agree());
}

#[test]
fn a_local_session_is_upgraded_for_an_ephemeral_and_lost_by_a_move() {
    let played = play("local-sessions");
    let opened = played.kind("session_opened");
    assert!(opened.len() == 2 && opened.iter().all(|fact| fact["local"] == true), "{opened:?}");
    assert_eq!(played.kind("session_upgraded").len(), 1);
    let one = played.outcomes(1);
    assert!(one[0]["Ok"].is_object() && one[1]["Ok"].is_object(), "{one:?}");
    assert_eq!(played.kind("session_resumed").len(), 1, "only the upgraded one moves");
    let ended: Vec<&Value> = played.kind("client_ended").iter().map(|fact| &fact["client"]).collect();
    assert_eq!(ended, [2]);
}

#[test]
fn a_server_without_a_leader_serves_stale_reads_and_its_client_finds_a_writer() {
    let played = play("read-only-mode");
    let one = played.outcomes(1);
    assert_eq!((data(one[0]), &one[1]["Err"]["code"]), ("old", &"NotReadOnly".into()));
    assert_eq!(data(one[2]), "new");
    let read_only = played.of("read_only", 1);
    assert_eq!(read_only.len(), 1, "S1 stays alone: {read_only:?}");
    let found = played.kind("client_disconnected");
    assert!(found.iter().any(|fact| fact["client"] == 1 && fact["reason"] == "found"), "{found:?}");
    assert!(played.kind("client_seeks").len() > 2);
}

/// kazoo's semaphore and shared locks in the place of Curator's: all chapters come, and nothing is broken.
#[test]
fn kazoos_locks_are_told_in_the_chapters_of_curators() {
    for (id, kinds) in
        [("lock-semaphore", &["kazoo_semaphore"][..]), ("lock-readwrite", &["kazoo_read_lock", "kazoo_write_lock"])]
    {
        let scenario = scenario(id).expect("a scenario");
        let (run, until_ms) = scenario.run_with(&[("kazoo".into(), "1".into())]).expect("a parameter");
        assert!(kinds.iter().all(|kind| run.to_json().contains(kind)), "{id}");
        let mut session = Session::new(run.clone(), Some(scenario)).expect("a valid run");
        session.open_scene().expect("it opens");
        while session.look_for_chapters(100_000) {}
        assert_eq!(session.chapters().len(), scenario.scene().expect("a scene").chapters.len(), "{id}");
        let (mut checker, mut told) = (Checker::with_second_store(&run.setup), [0, 0]);
        let mut player = Player::new(run).expect("a valid run");
        player.run_until(SimTime::from_ms(until_ms), |_, records| {
            for record in records {
                checker.read(record);
                match record.fact {
                    Fact::Program { fact: ProgramFact::Acquired { .. }, .. } => told[0] += 1,
                    Fact::Program { fact: ProgramFact::Released { .. }, .. } => told[1] += 1,
                    _ => {}
                }
            }
        });
        assert!(checker.violations().is_empty(), "{id}: {}", checker.violations()[0]);
        assert_eq!(told, [5, 5], "{id}: everybody has had it");
    }
}

/// Its session has nothing to do with it: the node goes when its child has not been touched for its time.
#[test]
fn a_node_that_is_touched_outlives_its_session() {
    let played = play("use-ttl-node");
    let place = |what: &str| {
        let found = played.facts.iter().position(|fact| fact["kind"] == "proposed" && fact["payload"] == what);
        found.unwrap_or_else(|| panic!("no {what}"))
    };
    let (touch, node) = (place("delete /kept/touch"), place("delete /kept"));
    let over = played.facts.iter().position(|fact| fact["kind"] == "session_closed").expect("its end");
    let seen = played.place("told", "what", "cache_deleted");
    assert!(over < touch && touch < node && node < seen, "{over} {touch} {node} {seen}");
    let touches = played.kind("called").into_iter().filter(|fact| fact["request"]["path"] == "/kept/touch").count();
    assert!(touches >= 3, "{touches}");
}
