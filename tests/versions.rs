//! Released versions, as they are: what a setup's `zookeeper` changes.

use zabscope::base::{SimTime, Way};
use zabscope::check::known;
use zabscope::i18n::{Lang, describe};
use zabscope::sim::{Departure, Fact, Player, Run, Setup, ZkVersion, departure};
use zabscope::soak::{soak_run, trial};
use zabscope::{client, wire};

#[test]
fn a_setup_names_its_version_and_says_nothing_of_the_default() {
    let json = |setup: &Setup| serde_json::to_string(setup).expect("a setup");
    assert!(!json(&Setup::default()).contains("zookeeper"));
    for version in ZkVersion::ALL {
        let mut run = Run::new(1, Setup::default());
        run.set(&format!("zookeeper={}", version.name())).expect("a version");
        assert_eq!(run.setup.zookeeper, version);
        assert_eq!(Run::from_json(&run.to_json()).expect("a run").setup.zookeeper, version);
    }
    let wrong = Run::new(1, Setup::default()).set("zookeeper=3.4").expect_err("no such version");
    assert!(wrong.to_string().contains("3.9"), "{wrong}");
}

/// Every way of a version stands in the table of the protocol's map.
#[test]
fn the_table_names_every_way() {
    let map = include_str!("../docs/protocol-map.md");
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

/// Random runs of a released version show its open bugs, and nothing else: every violation is known of it.
#[test]
fn random_runs_of_a_released_version_show_only_what_is_known_of_it() {
    for version in [ZkVersion::V38, ZkVersion::V39] {
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
