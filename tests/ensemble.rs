//! What real ensembles did, ours does: each recording in `tests/ensemble` becomes a run, and facts are compared; times
//! never are.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::rc::Rc;

use zabscope::base::RuleSet;
use zabscope::conform::ensembles::{Play, Recording, against_this_play, reproduce};
use zabscope::sim::{Fact, Player, Record};
use zabscope::zab::{self, BrokenRule, LeaveReason};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/ensemble/{name}.json"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn load(name: &str) -> Recording {
    Recording::from_json(&text(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
}

macro_rules! reproduces {
    ($($test:ident: $name:literal;)*) => {
        $(#[test]
        fn $test() {
            let played = reproduce(&load($name), 0);
            assert!(played.is_ok(), "{}: {played:?}", $name);
        })*
    };
}

reproduces! {
    all_restart_twice: "all-restart-twice";
    behind_follower_meets_survivor: "behind-follower-meets-survivor";
    cold_start_3_one_after_another: "cold-start-3-one-after-another";
    cold_start_3_together: "cold-start-3-together";
    cold_start_5_together: "cold-start-5-together";
    five_lose_leaders_one_by_one: "five-lose-leaders-one-by-one";
    follower_rejoin_from_log_on_disk: "follower-rejoin-from-log-on-disk";
    follower_rejoin_large_gap: "follower-rejoin-large-gap";
    follower_rejoin_large_gap_memory_only: "follower-rejoin-large-gap-memory-only";
    follower_rejoin_small_gap: "follower-rejoin-small-gap";
    leader_killed_idle: "leader-killed-idle";
    leader_killed_three_times: "leader-killed-three-times";
    leader_killed_under_load: "leader-killed-under-load";
    leader_paused: "leader-paused";
    leader_terminated: "leader-terminated";
    minority_of_three_leader_left: "minority-of-three-leader-left";
    observer: "observer";
    old_leader_with_three_uncommitted_proposals_two_epochs: "old-leader-with-three-uncommitted-proposals-two-epochs";
    old_leader_with_uncommitted_proposal: "old-leader-with-uncommitted-proposal";
    snapshot_zxid_beats_sid: "snapshot-zxid-beats-sid";
}

#[test]
fn a_reproduced_recording_is_a_run_like_any_other() {
    let recording = load("leader-killed-three-times");
    let play = Play::new(&recording, 1, |_| {}).expect("a run");
    let mut player = Player::new(play.run().clone()).expect("a valid run");
    player.run_until(play.end(), |_, _| {});
    assert_eq!(player.digest(), play.digest());
}

/// The comparison finds what it is there to find.
#[test]
fn an_ensemble_with_a_broken_rule_is_not_like_the_recorded_one() {
    for (name, rule) in [
        ("old-leader-with-uncommitted-proposal", BrokenRule::RejoinWithoutTrunc),
        ("minority-of-three-leader-left", BrokenRule::ElectionIgnoresZxid),
        ("all-restart-twice", BrokenRule::LeaderKeepsEpoch),
        ("leader-paused", BrokenRule::Zookeeper2845),
    ] {
        let recording = load(name);
        for seed in 1..=50 {
            let play = Play::new(&recording, seed, |setup| setup.rules = RuleSet::default().breaking(rule));
            let play = play.expect("a run");
            assert!(!against_this_play(&recording, &play).is_empty(), "{name}, {rule:?}, seed {seed}");
        }
    }
}

/// Whether some play of the first few is the recorded one.
fn is_played(recording: &Recording) -> bool {
    (1..=20).any(|seed| against_this_play(recording, &Play::new(recording, seed, |_| {}).expect("a run")).is_empty())
}

/// A server may be read at, whichever it is; a value that was changed is found.
#[test]
fn a_read_at_any_server_is_played_and_judged() {
    let mut recorded: Value = serde_json::from_str(&text("old-leader-with-uncommitted-proposal")).expect("JSON");
    let steps = recorded["steps"].as_array_mut().expect("steps");
    for (server, path, error) in [(1, "/y", "Ok"), (2, "/uncommitted", "NoNode")] {
        steps.push(json!({"at": 3530, "do": format!("read at {server}"), "path": path, "error": error}));
    }
    let read = |recorded: &Value| Recording::from_json(&recorded.to_string()).expect("a recording");
    assert!(is_played(&read(&recorded)));
    let last = recorded["steps"].as_array().expect("steps").len() - 1;
    recorded["steps"][last]["error"] = "Ok".into();
    assert!(!is_played(&read(&recorded)));
}

/// One field of each recording is changed, each time another one: no play is the recorded one any more.
#[test]
fn a_changed_field_is_found() {
    for (name, place, value) in [
        ("leader-killed-idle", "/newEpochs/1/leader", json!(1)),
        ("leader-killed-idle", "/newEpochs/1/epochZxid", json!("3:0")),
        ("minority-of-three-leader-left", "/newEpochs/1/decidedBy", json!("sid")),
        ("follower-rejoin-small-gap", "/syncs/2/kind", json!("SNAP")),
        ("follower-rejoin-small-gap", "/syncs/2/learnerLastZxid", json!("1:1")),
        ("follower-rejoin-small-gap", "/syncs/2/to", json!("1:99")),
        ("leader-terminated", "/steps/5/zxid", json!("1:9")),
        ("cold-start-3-together", "/newEpochs/0/firstVotes/0/zxid", json!("1:1")),
    ] {
        let mut recorded: Value = serde_json::from_str(&text(name)).expect("JSON");
        let changed = recorded.pointer_mut(place).unwrap_or_else(|| panic!("{name} has no {place}"));
        assert_ne!(*changed, value, "{name}: {place}");
        *changed = value;
        let Ok(recording) = Recording::from_json(&recorded.to_string()) else { continue };
        assert!(!is_played(&recording), "{name}: {place}");
    }
}

/// What the file says of its other plays has to agree with itself.
#[test]
fn a_play_that_differs_where_all_were_the_same_is_found() {
    let mut recorded: Value = serde_json::from_str(&text("leader-terminated")).expect("JSON");
    recorded["plays"][1]["leaders"] = json!([1, 2]);
    let recording = Recording::from_json(&recorded.to_string()).expect("a recording");
    assert!(reproduce(&recording, 0).is_err_and(|why| why.contains("plays[1].leaders")));
}

/// What no ensemble can have recorded is a sentence, never a panic.
#[test]
fn what_is_no_recording_is_said_to_be_none() {
    let recorded: Value = serde_json::from_str(&text("leader-terminated")).expect("JSON");
    for (place, value, why) in [
        ("/name", json!("a\nb"), "name:"),
        ("/config/tickTime", json!(0), "tick"),
        ("/servers", json!({}), "servers:"),
        ("/servers", json!({"1": "participant", "3": "participant"}), "participants first"),
        ("/servers", json!({"1": "witness"}), "participants first"),
        ("/properties", json!({"zookeeper.snapCount": "many"}), "snapCount is no number"),
        ("/steps", json!([]), "never started"),
        ("/steps/0/at", json!(-1), "`at` is no number"),
        ("/steps/0/at", json!(99_999_999), "is above"),
        ("/steps/0/do", json!("fly"), "unknown variant `fly`"),
        ("/steps/0/do", json!("read at noon"), "`read at` what server?"),
        ("/steps/3", json!({"at": 0, "do": "read at 9", "path": "/", "error": "Ok"}), "there is no server 9"),
        ("/steps/3", json!({"at": 0, "do": "write", "client": "z", "path": "/", "zxid": "1:1"}), "never connected"),
        ("/plays", json!([]), "plays:"),
    ] {
        let mut recorded = recorded.clone();
        *recorded.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        let said = Recording::from_json(&recorded.to_string()).err().unwrap_or_else(|| panic!("{place} is taken"));
        assert!(said.to_string().contains(why), "{place}: {said}");
    }
}

/// ZOOKEEPER-4685, recorded of 3.8.0 in 5 of 40 plays: "NEWLEADER ACK from sid: 1 is from a different epoch". The leader does not
/// count it, waits for a majority in vain, and the next epoch is one higher.
#[test]
fn an_ack_that_overtakes_newleader_costs_an_epoch() {
    let recording = load("behind-follower-meets-survivor");
    let mut burnt = 0;
    for seed in 1..=10 {
        let play = Play::new(&recording, seed, |_| {}).expect("a run");
        let mut player = Player::new(play.run().clone()).expect("a valid run");
        let (mut gave_up, mut established) = (0, 0);
        player.run_until(play.end(), |_, records| {
            for record in records {
                match &record.fact {
                    Fact::Zab { fact: zab::Fact::Left { reason: LeaveReason::QuorumWaitOver, .. }, .. } => {
                        gave_up += 1
                    }
                    Fact::Zab { fact: zab::Fact::Established { .. }, .. } => established += 1,
                    _ => {}
                }
            }
        });
        assert!(established > 0, "seed {seed}");
        burnt += gave_up;
    }
    assert!(burnt > 0, "no ACK came too early");
    let play = Play::new(&recording, 1, |setup| setup.rules = RuleSet::default()).expect("a run");
    let mut player = Player::new(play.run().clone()).expect("a valid run");
    player.run_until(play.end(), |_, records| {
        let over = |record: &Rc<Record>| {
            matches!(record.fact, Fact::Zab { fact: zab::Fact::Left { reason: LeaveReason::QuorumWaitOver, .. }, .. })
        };
        assert!(!records.iter().any(over));
    });
}

/// A play of which the recorder kept nothing but this one: rounds failed by ZOOKEEPER-4685, and each took an epoch with it.
#[test]
fn epochs_that_failed_rounds_took_are_skipped_here_too() {
    let mut recorded: Value = serde_json::from_str(&text("behind-follower-meets-survivor")).expect("JSON");
    let failed = recorded["syncs"][2].clone();
    recorded["syncs"].as_array_mut().expect("syncs").splice(2..2, [failed.clone(), failed]);
    for vote in recorded["newEpochs"][1]["firstVotes"].as_array_mut().expect("votes") {
        vote["peerEpoch"] = json!(3);
    }
    recorded["plays"].as_array_mut().expect("plays").truncate(1);
    recorded["plays"][0]["syncs"] =
        json!(["3->2 DIFF", "3->1 DIFF", "2->1 DIFF", "2->1 DIFF", "2->1 DIFF", "2->3 DIFF"]);
    recorded["sameInAllPlays"] = Value::Null;
    let text = recorded.to_string().replace("\"2:0\"", "\"4:0\"").replace("\"2:2\"", "\"4:2\"");
    let played = reproduce(&Recording::from_json(&text).expect("a recording"), 0);
    assert!(played.is_ok(), "{played:?}");
}

/// Both followers are stopped, the leader proposes and is killed, they go on: what waits in their sockets is logged, and committed by
/// the next leader.
#[test]
fn a_proposal_that_only_the_leader_has_logged_is_read_from_the_sockets() {
    let mut recorded: Value = serde_json::from_str(&text("old-leader-with-uncommitted-proposal")).expect("JSON");
    let steps = recorded["steps"].as_array_mut().expect("steps");
    steps.truncate(9);
    for step in [
        json!({"at": 1865, "do": "kill", "server": 3}),
        json!({"at": 1865, "do": "resume", "server": 1}),
        json!({"at": 1866, "do": "resume", "server": 2}),
        json!({"at": 2930, "do": "writable again", "by": 2, "zxid": "2:2"}),
        json!({"at": 3520, "do": "read at 1", "path": "/uncommitted", "error": "Ok"}),
    ] {
        steps.push(step);
    }
    for vote in recorded["newEpochs"][1]["firstVotes"].as_array_mut().expect("votes") {
        vote["zxid"] = json!("1:3");
    }
    let syncs = recorded["syncs"].as_array_mut().expect("syncs");
    syncs.truncate(3);
    for (field, zxid) in
        [("leaderMaxCommittedLog", "1:3"), ("leaderLastProcessed", "1:3"), ("learnerLastZxid", "1:3"), ("to", "1:3")]
    {
        syncs[2][field] = json!(zxid);
    }
    recorded["plays"].as_array_mut().expect("plays").truncate(1);
    recorded["plays"][0]["syncs"] = json!(["3->1 DIFF", "3->2 DIFF", "2->1 DIFF"]);
    recorded["plays"][0]["reads"] = json!(["Ok"]);
    recorded["sameInAllPlays"] = Value::Null;
    let played = reproduce(&Recording::from_json(&recorded.to_string()).expect("a recording"), 0);
    assert!(played.is_ok(), "{played:?}");
}
