//! Released versions, as they are: what a setup's `zookeeper` changes.

use zabscope::base::{SimTime, Way};
use zabscope::check::known;
use zabscope::i18n::{Lang, describe};
use zabscope::sim::{Departure, Fact, Player, Run, Setup, ZkVersion, departure};
use zabscope::soak::{soak_run, trial};
use zabscope::{client, wire};

use super::judged::{judged, properties};

#[test]
fn a_setup_names_its_version_and_says_nothing_of_the_default() {
    let json = |setup: &Setup| serde_json::to_string(setup).expect("a setup");
    assert!(!json(&Setup::default()).contains("zookeeper"));
    for &version in ZkVersion::ALL {
        let mut run = Run::new(1, Setup::default());
        run.set(&format!("zookeeper={}", version.name())).expect("a version");
        assert_eq!(run.setup.zookeeper, version);
        assert_eq!(Run::from_json(&run.to_json()).expect("a run").setup.zookeeper, version);
    }
    let wrong = Run::new(1, Setup::default()).set("zookeeper=3.4").expect_err("no such version");
    assert!(wrong.to_string().contains("3.9"), "{wrong}");
}

/// Every way of a version stands in a table: of the protocol's map, or of recipes.
#[test]
fn the_table_names_every_way() {
    let map = [include_str!("../docs/protocol-map.md"), include_str!("../docs/recipes.md")].concat();
    for way in Way::ALL {
        assert!(map.contains(&format!("`{}`", way.name())), "{way:?}");
    }
}

const WATCHED: &str = r#"{"version":4,"seed":1,"setup":{"voters":3},"actions":[
    {"at_us":2000000,"do":"open_client","client":1,"timeout_ms":4000},
    {"at_us":2500000,"do":"ask","client":1,"request":{"op":"create","path":"/x","data":"0"}},
    {"at_us":3000000,"do":"ask","client":1,"request":{"op":"getData","path":"/x","watch":true}},
    {"at_us":3500000,"do":"ask","client":1,"request":{"op":"setData","path":"/x","data":"1"}}]}"#;

/// `NIOServerCnxn.java` `process`: since 3.9.0 the header of an event has the zxid of the change.
#[test]
fn events_carry_a_zxid_since_3_9() {
    for (version, carries) in [("as-repaired", true), ("3.9", true), ("3.8", false)] {
        let mut run = Run::from_json(WATCHED).expect("a run");
        run.set(&format!("zookeeper={version}")).expect("a version");
        let mut seen = Vec::new();
        let mut player = Player::new(run).expect("a valid run");
        player.run_until(SimTime::from_ms(5_000), |_, records| {
            seen.extend(records.iter().filter_map(|record| match &record.fact {
                Fact::Client { fact: client::Fact::Notified { zxid, event }, .. } => {
                    Some((event.kind == wire::EventType::NodeDataChanged, zxid.is_some()))
                }
                _ => None,
            }));
        });
        assert_eq!(seen, [(true, carries)], "{version}");
    }
}

/// What a client is told by itself whose servers have been down since before it was opened, or since it was connected.
fn gives_up(version: &str, connected: bool) -> bool {
    let at = if connected { 2_000_000 } else { 3_000_000 };
    let crash = |server: u8| format!(r#"{{"at_us":2500000,"do":"crash","server":{server}}}"#);
    let open = format!(r#"{{"at_us":{at},"do":"open_client","client":1,"timeout_ms":3000}}"#);
    let mut actions = [open, crash(1), crash(2), crash(3)];
    actions.sort_by_key(|action| action.contains("3000000"));
    let json =
        format!(r#"{{"version":4,"seed":1,"setup":{{"zookeeper":"{version}"}},"actions":[{}]}}"#, actions.join(","));
    let mut player = Player::new(Run::from_json(&json).expect("a run")).expect("a valid run");
    let mut ended = false;
    player.run_until(SimTime::from_ms(60_000), |_, records| {
        ended |= records.iter().any(|record| {
            matches!(record.fact, Fact::Client { fact: client::Fact::ClientEnded { by_itself: true, .. }, .. })
        });
    });
    ended
}

/// ZOOKEEPER-4508 (3.9.3): a session is given up after 4/3 of its timeout; 4921 (3.9.4): not before there was one.
#[test]
fn a_session_that_never_was_expires_in_3_9_3_only() {
    for (version, connected, never_connected) in [
        ("3.8", false, false),
        ("3.9.3", true, true),
        ("3.9", true, false),
        ("3.10", true, false),
        ("as-repaired", true, false),
    ] {
        assert_eq!(gives_up(version, true), connected, "{version}");
        assert_eq!(gives_up(version, false), never_connected, "{version}");
    }
}

/// ZOOKEEPER-4915: a container that nobody uses goes after five minutes in master, and stays in releases; a setup that names a
/// time means that.
#[test]
fn unused_containers_go_in_3_10_only() {
    let container = r#"{"at_us":2000000,"do":"open_client","client":1,"timeout_ms":4000},
        {"at_us":2500000,"do":"ask","client":1,"request":{"op":"create","path":"/c","mode":"CONTAINER"}}"#;
    for (setup, minutes, there) in [
        (r#""zookeeper":"3.10""#, 4, true),
        (r#""zookeeper":"3.10""#, 7, false),
        (r#""zookeeper":"3.9""#, 7, true),
        (r#""zookeeper":"as-repaired""#, 7, true),
        (r#""zookeeper":"3.10","max_never_used_ms":540000"#, 7, true),
        (r#""zookeeper":"3.10","max_never_used_ms":600000"#, 10, true),
        (r#""zookeeper":"3.9","max_never_used_ms":60000"#, 4, false),
    ] {
        let json = format!(r#"{{"version":4,"seed":1,"setup":{{{setup}}},"actions":[{container}]}}"#);
        let mut player = Player::new(Run::from_json(&json).expect("a run")).expect("a valid run");
        player.run_until(SimTime::from_ms(minutes * 60_000), |_, _| {});
        let processes = player.world().processes.values();
        let mut trees = processes.filter_map(|process| process.server()).map(|server| &server.tree);
        assert!(trees.all(|tree| tree.get("/c").is_some() == there), "{setup}, {minutes} min");
    }
}

/// A follower that has what it has by a DIFF leads, and another that lacks it comes back (`ZOOKEEPER-4925`).
const HOLE: &str = r#"{"version":4,"seed":1,"setup":{"observers":1,"latency":{"min_us":10000,"max_us":10000},"disk_sync":{"min_us":8000,"max_us":8000}},"actions":[
    {"at_us":400000,"do":"write","server":3,"data":"x","count":1},
    {"at_us":500000,"do":"cut","from":[2],"to":[3]},
    {"at_us":500000,"do":"write","server":3,"data":"x","count":1},
    {"at_us":2000000,"do":"heal_all"},
    {"at_us":2100000,"do":"crash","server":3},
    {"at_us":3000000,"do":"write","server":2,"data":"x","count":1}]}"#;

/// ZOOKEEPER-4925: 3.9.3 alone makes a DIFF with a hole, and takes it; a leader of 3.9.5 that had one would be left by its learners.
#[test]
fn only_3_9_3_loses_a_transaction_between_two_diffs() {
    for (version, rules, violated) in [
        ("3.8", "[]", false),
        ("3.9.3", "[]", true),
        ("3.9", "[]", false),
        ("3.10", "[]", false),
        ("as-repaired", "[]", false),
        ("as-repaired", r#"["hole-in-memory"]"#, true),
    ] {
        let mut run = Run::from_json(HOLE).expect("a run");
        run.set(&format!("zookeeper={version}")).expect("a version");
        run.set(&format!("rules={rules}")).expect("rules");
        let (_, _, violations) = judged(run, SimTime::from_ms(5_000));
        let found = properties(&violations);
        println!("{version} {rules}: {found:?}");
        // what the others violate has other causes
        assert_eq!(found.contains(&"local-primary-order"), violated, "{version} {rules}: {found:?}");
    }
}

/// Random runs of a released version show its open bugs, and nothing else: every violation is known of it.
#[test]
fn random_runs_of_a_released_version_show_only_what_is_known_of_it() {
    for version in [ZkVersion::V38, ZkVersion::V393, ZkVersion::V39, ZkVersion::V310] {
        let mut shown = 0;
        for seed in 0..25 {
            let mut run = soak_run(3, seed, 1, Default::default());
            run.setup.zookeeper = version;
            // what follows the first one is aftermath: histories have parted
            if let Some(violation) = trial(&run, 1, false).violations.first() {
                assert!(known(violation.property, version).is_some(), "{version:?}, seed {seed}: {violation}");
                assert!(known(violation.property, ZkVersion::AsRepaired).is_none());
                shown += 1;
            }
        }
        println!("{version:?}: {shown} violations");
        assert!(shown > 0, "{version:?} shows none of its bugs");
    }
}

/// Where a rule of ours decides, the narration says so; with a released version none of them does.
#[test]
fn what_is_not_so_in_zookeeper_is_said() {
    let mut told = Vec::new();
    for (version, ours) in [(ZkVersion::AsRepaired, true), (ZkVersion::V39, false)] {
        for seed in 0..12 {
            let mut run = soak_run(3, seed, 1, Default::default());
            run.setup.zookeeper = version;
            let mut player = Player::new(run).expect("a valid run");
            player.run_until(SimTime::from_ms(60_000), |_, records| {
                for record in records {
                    let Some(departure) = departure(record) else { continue };
                    assert!(ours, "{record:?}");
                    let why = |lang| describe(lang, record).why.unwrap_or_default();
                    assert!(why(Lang::En).contains("Not so in ZooKeeper: "));
                    assert!(why(Lang::Zh).contains("ZooKeeper 并非如此："));
                    assert!(why(Lang::ZhHant).contains("ZooKeeper 並非如此："));
                    told.push(departure);
                }
            });
        }
    }
    let missing: Vec<_> = Departure::ALL.into_iter().filter(|departure| !told.contains(departure)).collect();
    println!("not met: {missing:?}");
    // random runs break no disk, so one of them is never met
    assert!(missing.len() <= 9, "{missing:?}");
}
