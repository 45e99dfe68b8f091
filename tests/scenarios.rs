//! Every built-in scenario shows what it says it shows: read from its facts, as any other reader would.

use std::collections::BTreeMap;

use serde_json::Value;
use zabscope::base::SimTime;
use zabscope::sim::{Player, SCENARIOS, Summary, scenario};

/// A scenario played to its end: its facts as JSON, and the summary.
struct Played {
    facts: Vec<Value>,
    summary: Summary,
}

fn play(id: &str) -> Played {
    let scenario = scenario(id).unwrap_or_else(|| panic!("no scenario {id}"));
    let mut player = Player::new(scenario.run()).expect("a built-in run is valid");
    let mut facts = Vec::new();
    player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| {
        facts.extend(records.iter().map(|record| serde_json::to_value(record).expect("a fact is JSON")));
    });
    Played { facts, summary: player.summary(0) }
}

impl Played {
    /// The facts of a kind.
    fn kind(&self, kind: &str) -> Vec<&Value> {
        self.facts.iter().filter(|fact| fact["kind"] == kind).collect()
    }

    /// The facts of a kind that have this server.
    fn of(&self, kind: &str, server: u64) -> Vec<&Value> {
        self.kind(kind).into_iter().filter(|fact| fact["server"] == server).collect()
    }

    /// `(epoch, leader)` of each established reign.
    fn reigns(&self) -> Vec<(u64, u64)> {
        let number = |fact: &Value, key: &str| fact[key].as_u64().expect("a number");
        self.kind("established").iter().map(|fact| (number(fact, "epoch"), number(fact, "server"))).collect()
    }

    /// How the learner was synchronised, each time: kind, zxid of the packet, number of proposals.
    fn syncs(&self, learner: u64) -> Vec<(String, String, u64)> {
        let chosen = self.kind("sync_chosen").into_iter().filter(|fact| fact["learner"] == learner);
        let text = |fact: &Value, key: &str| fact[key].as_str().expect("a text").to_string();
        chosen.map(|fact| (text(fact, "sync"), text(fact, "to"), fact["proposals"].as_u64().unwrap_or(99))).collect()
    }

    /// The last state hash that each server had.
    fn states(&self) -> BTreeMap<u64, String> {
        let mut states = BTreeMap::new();
        for fact in self.facts.iter().filter(|fact| fact["kind"] == "applied" || fact["kind"] == "restored") {
            states
                .insert(fact["server"].as_u64().expect("a server"), fact["state"].as_str().unwrap_or("").to_string());
        }
        states
    }

    fn all_agree(&self) -> bool {
        let states = self.states();
        states.values().all(|state| Some(state) == states.values().next())
    }

    fn answered(&self) -> usize {
        self.kind("write_answered").len()
    }
}

#[test]
fn every_scenario_is_valid_and_ends_with_a_leader() {
    for scenario in SCENARIOS {
        let played = play(scenario.id);
        assert!(played.summary.leader.is_some(), "{}: {:?}", scenario.id, played.summary);
        assert!(played.kind("action_refused").is_empty(), "{}: an action was refused", scenario.id);
    }
}

#[test]
fn a_scenario_played_twice_has_the_same_digest() {
    for scenario in SCENARIOS {
        assert_eq!(play(scenario.id).summary, play(scenario.id).summary, "{}", scenario.id);
    }
}

#[test]
fn cold_start_of_three_elects_the_highest_id() {
    let played = play("cold-start-3");
    assert_eq!(played.reigns(), [(1, 3)]);
    assert_eq!((played.summary.committed, played.answered()), (3, 3));
    assert!(played.all_agree());
}

#[test]
fn cold_start_of_five_is_decided_by_the_first_majority() {
    let played = play("cold-start-5");
    assert_eq!(played.reigns(), [(1, 3)], "the third server completes the majority and has the highest id then");
    // latecomers have no data and meet an epoch that has begun: a whole state, even an empty one
    assert_eq!(played.syncs(5), [("SNAP".into(), "1:0".into(), 0)]);
    let joined: Vec<_> = played.of("elected", 5).iter().map(|fact| fact["why"].clone()).collect();
    assert_eq!(joined, ["joins_existing_leader"]);
    assert!(played.all_agree() && played.answered() == 2);
}

#[test]
fn a_leader_crash_under_load_loses_nothing_that_was_answered() {
    let played = play("leader-crash-under-load");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    assert!(played.of("left", 1).iter().any(|fact| fact["reason"] == "leader_gone"));
    let applied: Vec<&Value> = played.of("applied", 2).iter().map(|fact| &fact["zxid"]).collect();
    for answer in played.kind("write_answered") {
        assert!(applied.contains(&&answer["zxid"]), "{answer} is not in the new leader's history");
    }
    assert!(played.answered() > 40 && played.all_agree());
    // what was under way when the leader died is unknown to its clients
    assert!(played.kind("write_failed").iter().any(|fact| fact["reason"] == "connection_loss"));
}

#[test]
fn a_committed_transaction_is_kept_though_no_commit_arrived() {
    let played = play("uncommitted-kept");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    let answered: Vec<&Value> = played.of("write_answered", 3).iter().map(|fact| &fact["zxid"]).collect();
    assert_eq!(answered[0], "1:3", "the old leader answered its client");
    let commit_arrived =
        played.kind("delivered").iter().any(|fact| fact["type"] == "COMMIT" && fact["zxid"] == "1:3");
    assert!(!commit_arrived);
    assert!(played.of("applied", 1).iter().any(|fact| fact["zxid"] == "1:3"));
    assert!(played.all_agree());
}

#[test]
fn a_follower_a_little_behind_gets_a_diff() {
    let played = play("rejoin-diff");
    assert_eq!(played.syncs(1).last(), Some(&("DIFF".into(), "1:6".into(), 4)));
    assert!(played.all_agree() && played.answered() == 8);
}

#[test]
fn a_follower_far_behind_gets_a_snapshot() {
    let played = play("rejoin-snap");
    assert_eq!(played.syncs(1).last(), Some(&("SNAP".into(), "1:8".into(), 0)));
    let installed = played.of("snapshot_written", 1);
    assert!(installed.iter().any(|fact| fact["installed"] == true && fact["zxid"] == "1:8"));
    assert!(played.all_agree());
}

#[test]
fn a_transaction_only_the_old_leader_had_is_cut_away() {
    let played = play("rejoin-trunc");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    assert_eq!(played.syncs(3).last(), Some(&("TRUNC".into(), "1:2".into(), 0)));
    let cut = played.of("log_truncated", 3);
    assert_eq!(cut[0]["removed"], serde_json::json!(["1:3"]));
    assert!(!played.of("applied", 2).iter().any(|fact| fact["zxid"] == "1:3"), "it must never reappear");
    assert!(played.all_agree() && played.summary.last_committed.to_string() == "2:2");
}

#[test]
fn a_minority_serves_no_write_and_converges_after_the_cut() {
    let played = play("minority-partition");
    assert_eq!(played.reigns(), [(1, 5), (2, 3)]);
    let minority_answers = played.of("write_answered", 5);
    assert_eq!(minority_answers.len(), 2, "only the two writes after the cut healed");
    assert!(played.of("left", 5).iter().any(|fact| fact["reason"] == "no_quorum"));
    let stale = |fact: &&&Value| fact["payload"].as_str().is_some_and(|text| text.contains("minority"));
    assert_eq!(played.of("applied", 1).iter().filter(stale).count(), 0);
    assert!(played.all_agree());
}

#[test]
fn a_paused_leader_is_replaced_and_obeyed_by_nobody() {
    let played = play("old-leader-returns");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    assert!(played.of("left", 2).iter().any(|fact| fact["reason"] == "leader_silent"));
    let stale = played.of("write_failed", 3);
    assert_eq!(stale[0]["reason"], "connection_loss", "the stale write was taken and never answered");
    assert!(played.of("left", 3).iter().any(|fact| fact["reason"] == "no_quorum"));
    assert!(played.all_agree());
}

#[test]
fn an_observer_is_informed_and_never_counted() {
    let played = play("observer");
    assert_eq!(played.of("elected", 4)[0]["role"], "OBSERVING");
    assert_eq!(played.of("write_answered", 4).len(), 3);
    assert!(played.kind("sent").iter().any(|fact| fact["type"] == "INFORM" && fact["to"] == 4));
    assert!(!played.kind("sent").iter().any(|fact| fact["type"] == "PROPOSAL" && fact["to"] == 4));
    let counted = played.kind("ack_counted").into_iter().chain(played.kind("new_leader_ack_counted"));
    assert!(counted.into_iter().all(|fact| fact["from"] != 4));
}

#[test]
fn a_used_up_counter_forces_a_new_epoch() {
    let played = play("counter-rollover");
    let epochs: Vec<u64> = played.reigns().iter().map(|reign| reign.0).collect();
    assert!(epochs.len() >= 3 && epochs.windows(2).all(|pair| pair[1] == pair[0] + 1), "{epochs:?}");
    assert!(played.kind("left").iter().any(|fact| fact["reason"] == "counter_used_up"));
    let counters = played.kind("proposed").into_iter().filter_map(|fact| fact["zxid"].as_str()?.split_once(':'));
    assert!(counters.map(|(_, counter)| counter.parse::<u32>().unwrap()).all(|counter| counter < 5));
    assert!(played.all_agree());
}
