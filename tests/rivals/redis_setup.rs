//! A setup with Redis as it is written, and what is said of one that is none; redis-cli lines in a run.

use zabscope::base::SimTime;
use zabscope::daemon::{Say, Tongue};
use zabscope::rivals::redis::{Fact, Redis, ServerSetup, client_id, server_id};
use zabscope::sim::{Action, LatencyRange, Run};

use crate::systems::read;

use super::redis_run::{facts, run, typed};

#[test]
fn a_setup_is_read_and_written_again() {
    let run = read(
        "redis",
        r#"{"servers":[{"conf":[["appendonly","yes"]]},{"replica_of":1}],"sentinels":{"count":3,"down_after_ms":2000},
            "consoles":[1],"programs":[{"lock":"set-nx-px","unlock":"watch","renewal":"script","fencing":"script","breaks":["same-value"]}]}"#,
    )
    .expect("a run");
    let again = serde_json::to_string(&run).expect("JSON");
    assert_eq!(Run::from_json(&again).expect("a run"), run);
}

#[test]
fn what_does_not_fit_is_said_with_its_place() {
    for (redis, why) in [
        (r#"{}"#, "servers"),
        (r#"{"servers":[]}"#, "servers"),
        (r#"{"servers":[{},{},{},{},{},{},{}]}"#, "servers"),
        (r#"{"servers":[{"replica_of":2}]}"#, "servers[0].replica_of"),
        (r#"{"servers":[{"replica_of":1}]}"#, "servers[0].replica_of"),
        (r#"{"servers":[{"conf":[["maxmemory","1"]]}]}"#, "servers[0].conf[0]"),
        (r#"{"servers":[{"conf":[["appendonly","perhaps"]]}]}"#, "servers[0].conf[0]"),
        (r#"{"servers":[{}],"sentinels":{"quorum":4}}"#, "sentinels.quorum"),
        (r#"{"servers":[{}],"programs":[{"lock":"zookeeper"}]}"#, "programs[0].lock"),
        (r#"{"servers":[{}],"programs":[{"lock":"hash","poll_ms":0}]}"#, "programs[0].poll_ms"),
        (r#"{"servers":[{}],"lock_servers":[2]}"#, "lock_servers"),
        (r#"{"servers":[{}],"consoles":[0]}"#, "consoles"),
    ] {
        let said = read("redis", redis).expect_err(redis);
        assert!(said.contains("redis") && said.contains(why), "{redis}: {said}");
    }
}

#[test]
fn lines_are_typed_at_clients_and_at_servers() {
    let redis = Redis { servers: vec![ServerSetup::default(); 2], consoles: vec![1], ..Redis::default() };
    let mut run = run(redis, 1, LatencyRange::ms(1, 2));
    let lines = [
        (client_id(1), r#"set "my lock" a1 NX PX 30000"#),
        (
            client_id(1),
            r#"eval "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end" 1 "my lock" a1"#,
        ),
        (client_id(1), "get 'unfinished"),
        (client_id(1), "connect R2 6379"),
        (client_id(1), "ping"),
        (server_id(2), "replicaof R1 6379"),
        (client_id(1), "set k v"),
    ];
    for (at, (machine, line)) in lines.into_iter().enumerate() {
        run.push(SimTime::from_ms(100 * (at as u64 + 1)), typed(machine, line));
    }
    let answers: Vec<String> = facts(run, 2_000)
        .into_iter()
        .filter_map(|(_, machine, fact)| match fact {
            Fact::Answered { reply, .. } | Fact::Operated { reply, .. } => Some(format!("{machine} {reply}")),
            Fact::NotSent { because, .. } => Some(format!("{machine} {because}")),
            _ => None,
        })
        .collect();
    let expected = [
        "C1 OK",
        "C1 (integer) 1",
        "C1 Invalid argument(s)",
        "C1 PONG",
        "R2 OK",
        "C1 (error) READONLY You can't write against a read only replica.",
    ];
    assert_eq!(answers, expected);
}

#[test]
fn every_fact_has_sentences_in_both_languages() {
    let redis = Redis {
        servers: vec![ServerSetup::default(), ServerSetup { replica_of: Some(1), ..ServerSetup::default() }],
        consoles: vec![1],
        ..Redis::default()
    };
    let mut run = run(redis, 1, LatencyRange::ms(1, 2));
    run.push(SimTime::from_ms(100), typed(client_id(1), "set k v px 300"));
    run.push(SimTime::from_ms(900), Action::Kill { server: server_id(1) });
    run.push(SimTime::from_ms(950), typed(server_id(2), "replicaof no one"));
    let all = facts(run, 2_000);
    assert!(all.iter().any(|(_, _, fact)| fact.name() == "redis_expired"));
    assert!(all.iter().any(|(_, _, fact)| fact.name() == "redis_promoted"));
    for (_, _, fact) in &all {
        let [english, chinese] = [Tongue::English, Tongue::Chinese].map(|tongue| fact.text(tongue));
        assert!(!english.is_empty() && !chinese.is_empty() && english != chinese, "{fact:?}");
        assert_eq!(fact.why(Tongue::English).is_some(), fact.why(Tongue::Chinese).is_some());
    }
}
