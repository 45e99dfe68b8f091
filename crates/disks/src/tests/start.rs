//! What real servers did on these disks (`tests/restart`), the simulation does when it is given the disks themselves.

use super::*;
use crate::disk::Disk;
use crate::examined::Examined;
use crate::load::Loaded;
use crate::report::{Start, Told};
use crate::start::{Choice, Ensemble, Outcome, Reign, Synced, Unknown};
use zabscope_ground::base::{ServerId, SimTime};
use zabscope_sim::check::Checker;
use zabscope_sim::sim::{Player, Process, Run, ZkVersion};

/// How many courses of a race are tried.
const COURSES: u64 = 80;

/// `1:3`
fn place_of(zxid: &Value) -> Zxid {
    zxid.as_str().and_then(|text| text.parse().ok()).expect("a zxid")
}

fn numbers(value: &Value) -> impl Iterator<Item = u64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_u64)
}

/// What a recording says; whose trees differ it does not say, only whether any do.
fn recorded(play: &Value, ids: &[u64]) -> (Outcome, Vec<bool>) {
    let place = |id: u64| ids.iter().position(|of| *of == id).expect("a server");
    let learner = |(id, told): (&String, &Value)| {
        let way = serde_json::from_value(told[0].clone()).expect("DIFF, TRUNC or SNAP");
        (place(id.parse().expect("an id")), Synced { way, to: place_of(&told[1]), last: place_of(&told[2]), sent: 0 })
    };
    let number = |value: &Value| value.as_u64().expect("a number");
    let reign = |told: &Value| {
        let reign = Reign {
            epoch: number(&told["epoch"]) as u32,
            history: place(number(&told["history"])),
            learners: told["learners"].as_object().into_iter().flatten().map(learner).collect(),
            ..Reign::default()
        };
        ((place(number(&told["leader"])), reign), told["equal"].as_bool().expect("whether they are"))
    };
    let one = play.get("leader").map(|_| play).into_iter();
    let (reigns, are_equal) = one.chain(play["leaders"].as_array().into_iter().flatten()).map(reign).unzip();
    let [exits, not_serving] = ["exits", "notServing"].map(|key| numbers(&play[key]).map(place).collect());
    (Outcome { exits, not_serving, reigns }, are_equal)
}

fn is_recorded(mut ours: Outcome, (expected, are_equal): &(Outcome, Vec<bool>)) -> bool {
    let ours_are_equal: Vec<bool> = ours.reigns.values().map(|reign| reign.differ.is_empty()).collect();
    for reign in ours.reigns.values_mut() {
        reign.differ.clear();
        reign.learners.values_mut().for_each(|synced| synced.sent = 0);
    }
    ours == *expected && ours_are_equal == *are_equal
}

#[test]
fn servers_started_on_real_disks_do_what_real_servers_did() {
    let plays = fs::read(folder("../restart/plays.json")).expect("plays");
    let plays: Value = serde_json::from_slice(&plays).expect("JSON");
    let (mut differ, mut all) = (Vec::new(), 0);
    for point in plays.as_array().expect("points") {
        let name = point["name"].as_str().expect("a name");
        let disks = disks(&folder(&format!("restart/{name}.tar.gz")));
        let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
        let pairs: Vec<(&Disk, &Loaded)> = disks.disks.iter().zip(&loaded).collect();
        let is_38 = point["zookeeper"].as_str().is_some_and(|version| version.starts_with("3.8"));
        let version = if is_38 { ZkVersion::V38 } else { ZkVersion::V39 };
        let ensemble = Ensemble::of(&pairs, version, disks.room).expect("an ensemble");
        let ids: Vec<u64> = disks.disks.iter().filter_map(|disk| disk.id).collect();
        for play in point["plays"].as_array().expect("plays") {
            let expected = recorded(play, &ids);
            let start = numbers(&play["start"]).map(|id| ids.iter().position(|of| *of == id).expect("a disk"));
            let choice = Choice { start: start.collect(), gap_ms: play["gap"].as_u64().expect("seconds") * 1_000 };
            let courses = if choice.gap_ms == 0 { COURSES } else { 1 };
            let mut seen = Vec::new();
            let found = (1..=courses).any(|seed| {
                let ours = ensemble.start(&choice, seed);
                seen.push(ours.clone());
                is_recorded(ours, &expected)
            });
            all += 1;
            if !found {
                seen.dedup();
                differ.push(format!("{name} {play}\n  ours: {:?}", &seen[..seen.len().min(3)]));
            }
        }
    }
    println!("{all} plays");
    assert!(differ.is_empty() && all == 127, "{} of {all} plays:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn no_server_is_blamed_for_what_it_finds_on_its_disk() {
    let plays = fs::read(folder("../restart/plays.json")).expect("plays");
    let plays: Value = serde_json::from_slice(&plays).expect("JSON");
    let mut wrong = Vec::new();
    for name in plays.as_array().expect("points").iter().filter_map(|point| point["name"].as_str()) {
        let disks = disks(&folder(&format!("restart/{name}.tar.gz")));
        let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
        let pairs: Vec<(&Disk, &Loaded)> = disks.disks.iter().zip(&loaded).collect();
        let ensemble = Ensemble::of(&pairs, ZkVersion::V39, disks.room).expect("an ensemble");
        for seed in 0..8 {
            let start = (0..pairs.len()).filter(|place| seed == 0 || seed as usize % (pairs.len() + 1) != *place + 1);
            let choice = Choice { start: start.collect(), gap_ms: if seed < 4 { 0 } else { 3_000 } };
            let run = ensemble.run(&choice, seed);
            let mut checker = Checker::new(&run.setup);
            let mut player = Player::new(run).expect("a run");
            player.run_until(SimTime::from_ms(40_000), |_, records| {
                for record in records {
                    checker.read(record);
                }
            });
            let blamed = checker.violations().iter().filter(|violation| !violation.outside);
            wrong.extend(blamed.map(|violation| format!("{name} {choice:?} {seed}: {violation}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_disks_of_one_server_are_not_judged() {
    let disks = disks(&folder("restart/all-alike.tar.gz"));
    let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
    let pairs: Vec<(&Disk, &Loaded)> = disks.disks.iter().zip(&loaded).collect();
    let twice = [pairs[0], pairs[0]];
    assert_eq!(Ensemble::of(&twice, ZkVersion::V39, disks.room).err(), Some(Unknown::SameId));
}

/// What is said before somebody presses Start.
fn told(name: &str, version: ZkVersion) -> Start {
    Examined::of(disks(&folder(&format!("restart/{name}.tar.gz")))).whole_report(version).start.expect("a verdict")
}

#[test]
fn two_old_copies_that_start_first_are_said_to_destroy_the_newest() {
    let start = told("two-old-copies-outvote-the-newest", ZkVersion::V38);
    let (choice, outcome) = start.worst.expect("something is lost");
    assert_eq!(start.choices[choice].start, [1, 2, 3]);
    let worst = &start.choices[choice].outcomes[outcome];
    let lost: Vec<_> = worst.lost.iter().map(|lost| (lost.count, &lost.on[..], lost.on_majority)).collect();
    assert_eq!(lost, [(1, &[1][..], false), (509, &[1][..], false)]);
    assert_eq!(worst.lost[1].what[0], "create /w2/000103");
    assert_eq!(worst.orders, [[2, 3, 1], [3, 2, 1]]);
    let advice = start.advice.expect("an order");
    assert_eq!(advice.order, [1, 2, 3]);
    let saved = &start.choices[advice.choice].outcomes[advice.outcome];
    assert!(saved.lost.is_empty() && saved.not_serving.is_empty());
    assert_eq!(start.never, [[1], [2], [3]]);
}

#[test]
fn equal_zxids_over_different_data_are_said_to_part_the_trees() {
    let start = told("newest-snapshot-removed-wakes-ghosts", ZkVersion::V39);
    let all = &start.choices[0].outcomes;
    // S3 leads with the damage and the others keep their trees, or another leads, and S3 keeps its own
    assert!(all.iter().all(|outcome| outcome.reigns.iter().any(|reign| !reign.other_trees.is_empty())));
    assert!(start.worst.is_some());
    let advice = start.advice.expect("an order");
    assert_eq!(start.choices[advice.choice].start, [1, 2], "S3 is left out");
}

#[test]
fn an_old_configuration_is_said_to_make_two_ensembles() {
    let start = told("reconfig-two-restored-with-the-old-configuration", ZkVersion::V39);
    let two = start.choices.iter().flat_map(|judged| &judged.outcomes).filter(|outcome| outcome.reigns.len() == 2);
    assert!(two.count() > 0);
    let (choice, outcome) = start.worst.expect("a worst");
    assert_eq!(start.choices[choice].outcomes[outcome].reigns.len(), 2);
}

#[test]
fn what_harms_nobody_has_no_worst() {
    let start = told("all-alike", ZkVersion::V39);
    assert_eq!((start.worst, start.choices.len(), start.choices[0].outcomes.len()), (None, 4, 1));
}

/// A start as the page puts it on its stage.
#[test]
fn a_start_as_a_run_comes_to_what_was_told() {
    let mut wrong = Vec::new();
    for archive in archives("restart") {
        let name = archive.file_name().expect("a name").to_string_lossy().into_owned();
        let examined = Examined::of(disks(&archive));
        let start = examined.start(ZkVersion::V39, |_, _, _| ()).expect("a verdict");
        for judged in &start.choices {
            for told in &judged.outcomes {
                assert!(told.seed.is_some() || !told.orders.is_empty(), "{name}: nothing comes to this");
                let started = judged.started(told);
                let (run, ids) = examined.run(&started, ZkVersion::V39).expect("a run");
                if let Err(why) = comes_to(run, &ids, told) {
                    wrong.push(format!("{name} {started:?}: {why}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn comes_to(run: Run, ids: &[u64], told: &Told) -> Result<(), String> {
    let run = Run::from_json(&run.to_json()).map_err(|error| error.to_string())?;
    let mut player = Player::new(run).map_err(|error| error.to_string())?;
    player.run_until(SimTime::from_ms(60_000), |_, _| ());
    let leads = |(_, process): &(&ServerId, &Process)| {
        process.server().is_some_and(|server| server.peer.is_established_leader())
    };
    let leaders = player.world().processes.iter().filter(leads).map(|(id, _)| ids[usize::from(id.0) - 1]);
    let leaders: Vec<u64> = leaders.collect();
    let expected: Vec<u64> = told.reigns.iter().map(|reign| reign.leader).collect();
    if leaders == expected { Ok(()) } else { Err(format!("{leaders:?} lead, and not {expected:?}")) }
}
