//! Every built-in scenario shows what it says it shows: read from its facts, as any other reader would.

mod clients;
mod console;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;
use zabscope::base::{ClientId, SimTime};
use zabscope::check::Checker;
use zabscope::client;
use zabscope::recipes::Fact as ProgramFact;
use zabscope::scenarios::{SCENARIOS, scenario};
use zabscope::sim::{Action, Fact, Player, Record, Summary, WorldFact};
use zabscope::timeline::Session;

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

    /// What a client's calls came to, in the order in which it asked.
    fn outcomes(&self, client: u64) -> Vec<&Value> {
        let mut answers: Vec<&Value> =
            self.kind("answered").into_iter().filter(|fact| fact["client"] == client).collect();
        // a client that is opened again counts from 1 again
        answers.sort_by_key(|fact| fact["seq"].as_u64());
        answers.into_iter().map(|fact| &fact["outcome"]).collect()
    }

    /// Where in the run the first fact of a kind with such a field stands.
    fn place(&self, kind: &str, field: &str, value: impl Into<Value>) -> usize {
        let value = value.into();
        let found = self.facts.iter().position(|fact| fact["kind"] == kind && fact[field] == value);
        found.unwrap_or_else(|| panic!("no {kind} with {field} = {value}"))
    }

    /// The events that reached a client, with their paths.
    fn events(&self, client: u64) -> Vec<(&str, &str)> {
        let told = self.facts.iter().filter(|fact| fact["kind"] == "notified" && fact["client"] == client);
        told.map(|fact| (fact["event"].as_str().unwrap_or(""), fact["path"].as_str().unwrap_or(""))).collect()
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
        let run = scenario.run();
        let grows = run.actions.iter().any(|at| matches!(at.action, Action::EditConfig { .. }));
        let ensemble = run.setup.voters > 0 && (!run.setup.standalone_enabled || grows);
        assert_eq!(played.summary.leader.is_some(), ensemble, "{}: {:?}", scenario.id, played.summary);
        assert!(played.kind("action_refused").is_empty(), "{}: an action was refused", scenario.id);
    }
}

#[test]
fn ensembles_violate_only_what_a_scenario_is_there_to_show() {
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.run().setup.systems.is_empty()) {
        let mut player = Player::new(scenario.run()).expect("a built-in run is valid");
        let mut checker = Checker::with_second_store(&scenario.run().setup);
        player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| {
            for record in records {
                checker.read(record);
            }
        });
        let violated: Vec<&str> = checker.violations().iter().map(|one| one.property).collect();
        let shown: &[&str] = match scenario.id {
            // files that were edited by hand make two majorities
            "config-by-hand" => &["agreement", "primary-integrity"],
            // disks that are older than what a majority had: outside what the protocol bears
            "restart-old-copies" => &["durability", "primary-integrity", "agreement"],
            // CURATOR-621
            "lock-downgrade" => &["readers-and-writers"],
            // a number that has run over comes before every other
            "lock-last-number" => &["mutual-exclusion"],
            _ => &[],
        };
        assert_eq!(violated, shown, "{}", scenario.id);
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

#[test]
fn a_leader_without_power_is_missed_after_sync_limit() {
    let played = play("leader-power-off");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    let left: Vec<u64> = played.kind("left").iter().filter_map(|fact| fact["at_us"].as_u64()).collect();
    assert!(left.len() == 2 && left.iter().all(|at| (2_880_000..3_020_000).contains(at)), "{left:?}");
    assert!(played.all_agree());
}

/// The times of ticks and limits, in the run of the scenario with these parameters: how long S1 was silent before it was dropped, and
/// how long S2 led before it gave up, ms; whether the first silence had a consequence.
fn silences(tick_ms: u64, sync_limit: u64, init_limit: u64) -> (u64, u64, bool) {
    let given = [("tick_ms", tick_ms), ("sync_limit", sync_limit), ("init_limit", init_limit)];
    let given = given.map(|(name, value)| (name.to_string(), value.to_string()));
    let (run, until_ms) = scenario("zab-heartbeat").expect("a scenario").run_with(&given).expect("within bounds");
    let (mut player, mut facts) = (Player::new(run).expect("a valid run"), Vec::new());
    player.run_until(SimTime::from_ms(until_ms), |_, records| {
        facts.extend(records.iter().map(|record| serde_json::to_value(record).expect("a fact is JSON")));
    });
    let at = |fact: &Value| fact["at_us"].as_u64().expect("a moment") / 1_000;
    let of = |kind: &str, server: u64| -> Vec<&Value> {
        facts.iter().filter(|fact| fact["kind"] == kind && fact["server"] == server).collect()
    };
    let paused = of("paused", 1);
    let dropped: Vec<&Value> =
        facts.iter().filter(|fact| fact["kind"] == "learner_dropped" && fact["reason"] == "silent").collect();
    assert_eq!(dropped.len(), 1, "{tick_ms} {sync_limit} {init_limit}: {dropped:?}");
    let elected = of("elected", 2).into_iter().find(|fact| fact["role"] == "LEADING").expect("S2 is elected");
    let left = of("left", 2).into_iter().find(|fact| fact["reason"] == "quorum_wait_over").expect("it gives up");
    let last = facts.iter().rfind(|fact| fact["kind"] == "established").expect("somebody leads");
    assert!(at(last) > at(left) && last["server"] == 3 && last["epoch"] == 2, "{last}");
    let joined = facts.iter().rfind(|fact| fact["kind"] == "up_to_date" && fact["server"] == 1).expect("S1 joins");
    assert!(at(joined) > at(left));
    (at(dropped[0]) - at(paused[1]), at(left) - at(elected), at(dropped[0]) < at(paused[1]))
}

#[test]
fn a_silence_costs_a_follower_its_place_after_sync_limit_and_one_who_joins_after_init_limit() {
    for (tick, sync, init) in [(200, 5, 10), (100, 2, 5), (200, 10, 10), (1_000, 5, 10), (100, 20, 40), (300, 3, 7)] {
        let (silent, waited, early) = silences(tick, sync, init);
        assert!(!early, "the first silence was short");
        // it was last heard before it stopped, with a PING every half tick
        assert!((tick * sync - tick..=tick * (sync + 1)).contains(&silent), "{tick} {sync}: {silent} ms");
        assert!((tick * init..=tick * (init + 1)).contains(&waited), "{tick} {init}: {waited} ms");
    }
}

/// Its process lives on: it fails at each epoch that it should write, until there is room.
#[test]
fn a_leader_without_room_resigns_and_follows_once_there_is() {
    let played = play("disk-full");
    assert_eq!(played.reigns(), [(1, 3), (2, 2)]);
    let left = played.of("left", 3);
    assert!(left.len() > 5 && left.iter().all(|fact| fact["reason"] == "disk_failed"), "{left:?}");
    let at: Vec<u64> = left.iter().filter_map(|fact| fact["at_us"].as_u64()).collect();
    assert!(at.iter().all(|at| (2_500_000..6_100_000).contains(at)), "{at:?}");
    assert!(played.kind("exited").is_empty() && played.all_agree());
}

#[test]
fn a_state_that_needs_longer_than_init_limit_never_arrives() {
    let played = play("snap-too-slow");
    let reasons = |server| -> Vec<&str> {
        played.of("left", server).iter().filter_map(|fact| fact["reason"].as_str()).collect()
    };
    let over = reasons(3).into_iter().filter(|reason| *reason == "quorum_wait_over").count();
    assert!(over >= 2, "{:?} {:?}", reasons(3), reasons(1));
    assert!(played.syncs(1).len() > over, "S1 begins again each time: {:?}", played.syncs(1));
    assert!(played.all_agree(), "with S2 there is a majority that has everything, and S1 has its time");
}

/// The facts of a scenario with each of sixty seeds: what it promises, it shows with any.
fn with_sixty_seeds(id: &str) -> impl Iterator<Item = (u64, Vec<Rc<Record>>)> {
    let scenario = scenario(id).unwrap_or_else(|| panic!("no scenario {id}"));
    (0..60).map(move |seed| {
        let mut run = scenario.run();
        run.seed = seed;
        let (mut player, mut all) = (Player::new(run).expect("a valid run"), Vec::new());
        player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| all.extend_from_slice(records));
        (seed, all)
    })
}

fn is_kill(record: &Record) -> bool {
    matches!(record.fact, Fact::World(WorldFact::ClientKilled { .. }))
}

#[test]
fn the_standby_that_dies_ran_the_task_and_the_next_goes_on_from_its_commit() {
    for (seed, facts) in with_sixty_seeds("use-standby") {
        let killed = facts.iter().position(|record| is_kill(record)).expect("one dies");
        let runs = facts.iter().enumerate().filter_map(|(place, record)| match &record.fact {
            Fact::Program { client, fact: ProgramFact::Told { what: "runs_from", about, .. } } => {
                let from = about.rsplit(' ').next().and_then(|from| from.parse::<u64>().ok()).expect("a number");
                Some((client.0, from > 0, place > killed))
            }
            _ => None,
        });
        assert_eq!(runs.collect::<Vec<_>>(), [(1, false, false), (2, true, true)], "seed {seed}");
    }
}

#[test]
fn the_naive_leader_that_dies_leads_and_is_connected_and_another_follows_it() {
    for (seed, facts) in with_sixty_seeds("elect-naive") {
        let (mut connected, mut leader, mut after) = (false, None, None);
        for record in &facts {
            match &record.fact {
                Fact::Client { client: ClientId(1), fact: client::Fact::ClientConnected { .. } } => connected = true,
                Fact::Client { client: ClientId(1), fact: client::Fact::ClientDisconnected { .. } } => {
                    connected = false
                }
                Fact::Program { client, fact: ProgramFact::Acquired { .. } } => leader = Some(client.0),
                Fact::Program { fact: ProgramFact::Released { .. }, .. } => leader = None,
                _ if is_kill(record) => {
                    assert_eq!((connected, leader), (true, Some(1)), "seed {seed}");
                    after = Some(leader.take());
                }
                Fact::World(WorldFact::ActionRefused { .. }) => panic!("seed {seed}: {record:?}"),
                _ => {}
            }
            if after.is_some() && leader.is_some() {
                break;
            }
        }
        assert!(leader.is_some_and(|leader| leader != 1), "seed {seed}: nobody leads after the first");
    }
}

#[test]
fn a_paused_holder_wakes_while_another_holds_and_its_write_is_refused_where_tokens_are_checked() {
    let scenario = scenario("lock-pause").expect("a scenario");
    for (seed, fencing, timeout) in
        [(1, 0, 4_000), (2, 1, 4_000), (3, 0, 400), (4, 1, 1_000), (5, 0, 40_000), (6, 1, 12_000)]
    {
        let given = [("fencing", fencing), ("timeout_ms", timeout), ("hold_ms", 1_500)];
        let given: Vec<_> = given.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let (mut run, until) = scenario.run_with(&given).expect("its own parameters");
        run.seed = seed;
        let (mut player, mut all) = (Player::new(run).expect("a valid run"), Vec::new());
        player.run_until(SimTime::from_ms(until), |_, records| all.extend_from_slice(records));
        let json = |record: &Rc<Record>| serde_json::to_value(record).expect("a fact is JSON");
        let all: Vec<Value> = all.iter().map(json).collect();
        let place = |kind: &str, client: u64| {
            all.iter().position(|fact| fact["kind"] == kind && fact["client"] == client).expect(kind)
        };
        let woke = place("client_resumed", 1);
        assert!(place("acquired", 2) < woke && woke < place("released", 2), "seed {seed}, {timeout} ms");
        let stale =
            all[woke..].iter().find(|fact| fact["resource"] == "store" && fact["client"] == 1).expect("it writes");
        let expected = if fencing == 1 { "resource_refused" } else { "resource_written" };
        assert_eq!(stale["kind"], expected, "seed {seed}");
    }
}
