//! What real ensembles did when they were started on given disks, ours does: `tests/restart/README.md`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use zabscope::base::{Prng, ServerId, ServerSet, SessionId, Stream, Zxid};
use zabscope::check::Checker;
use zabscope::server::{Files, Snapshot};
use zabscope::sim::{Disks, Fact, LatencyRange, Run, Setup, World, WorldFact, ZkVersion};
use zabscope::store::{Op, Owner, Tree, Txn};
use zabscope::zab::{self, Members, Payload, Proposal, SyncKind};

/// Between the starts of servers that are started together: their processes need that long, and never the same.
const BOOT_US: u64 = 900_000;
/// How long a play is watched after its last start where it does not say so, s.
const WATCHED_S: u64 = 12;
/// A server that is not started in a play.
const NEVER_US: u64 = 500_000_000;

/// What became of a play.
#[derive(Clone, Debug, Default, PartialEq)]
struct Outcome {
    exits: BTreeSet<u8>,
    /// Of the started ones.
    not_serving: BTreeSet<u8>,
    /// By leader: two at once where servers have different configurations.
    reigns: BTreeMap<u8, Reign>,
}

/// A leader that serves, and who follows it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reign {
    epoch: u32,
    /// How each learner was brought up to date last, to where, and where it stood in the end.
    learners: BTreeMap<u8, (SyncKind, Zxid, Zxid)>,
    /// Whether all that serve have the same tree.
    equal: bool,
    /// The znodes of the leader.
    history: Znodes,
}

type Znodes = BTreeSet<String>;

fn points() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/restart/plays.json");
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn id(value: &Value) -> u8 {
    value.as_u64().and_then(|id| u8::try_from(id).ok()).expect("a server")
}

fn zxid(value: &Value) -> Zxid {
    value.as_str().and_then(|text| text.parse().ok()).expect("a zxid")
}

/// `1:3..7` is five zxids.
fn zxids(ranges: &Value) -> Vec<Zxid> {
    let each = list(ranges).iter().flat_map(|range| {
        let (first, last) = range.as_str().map(|text| text.split_once("..").unwrap_or((text, ""))).expect("a range");
        let first: Zxid = first.parse().expect("a zxid");
        let last = last.parse().unwrap_or(first.counter());
        (first.counter()..=last).map(move |counter| Zxid::new(first.epoch(), counter))
    });
    each.collect()
}

fn made_by(zxid: Zxid) -> String {
    format!("/{}-{}", zxid.epoch(), zxid.counter())
}

/// What the transactions of a starting point were. Sessions that were open count, since they expire; of the others it does not matter:
/// each makes a znode that has its zxid as name.
#[derive(Default)]
struct History(BTreeMap<Zxid, (SessionId, Op)>);

impl History {
    fn of(point: &Value) -> History {
        let mut history = History::default();
        for session in list(&point["sessions"]) {
            let (opened, timeout_ms) = (zxid(&session[0]), session[2].as_u64().expect("ms") as u32);
            let id = SessionId(opened.0);
            history.0.insert(opened, (id, Op::CreateSession { timeout_ms }));
            if !session[1].is_null() {
                history.0.insert(zxid(&session[1]), (id, Op::CloseSession { paths: Vec::new() }));
            }
        }
        history
    }

    fn makes_znode(&self, zxid: &Zxid) -> bool {
        !self.0.contains_key(zxid)
    }

    fn proposal(&self, zxid: Zxid) -> Proposal {
        let path = made_by(zxid).into();
        let (data, acl, owner) = (Some("x".into()), zabscope::wire::Acl::open().into(), Owner::None);
        let create = Op::Create { path, data, acl, owner, parent_cversion: 1, with_stat: false };
        let (session, op) = self.0.get(&zxid).cloned().unwrap_or((SessionId::NONE, create));
        Proposal { zxid, payload: Payload::from(Txn { session, cxid: 0, time: 0, op }) }
    }
}

/// The configuration in a server's file, once there was a reconfiguration.
fn config(server: &Value) -> Option<Members> {
    let config = server.get("config")?;
    let set = |name: &str| list(&config[name]).iter().map(|server| ServerId(id(server))).collect::<ServerSet>();
    Some(Members { version: zxid(&config["version"]), ..Members::new(set("voters"), set("observers")) })
}

fn disk(server: &Value, history: &History, as_it_was: Members) -> Files {
    let loads = zxids(&server["loads"]);
    let config = config(server);
    let text = config.unwrap_or(as_it_was).to_string();
    let state = |name: Zxid| {
        let mut tree = Tree::new(&text);
        for zxid in loads.iter().filter(|zxid| **zxid <= name) {
            tree.apply(*zxid, &history.proposal(*zxid).payload.txn);
        }
        tree
    };
    let snapshots = list(&server["snapshots"]).iter().map(zxid);
    let logs: Vec<Vec<Zxid>> = list(&server["logs"]).iter().map(zxids).collect();
    let epoch = |place: usize| match server["epochs"][place].as_u64() {
        Some(epoch) => epoch as u32,
        None => loads.last().map_or(0, |last| last.epoch()), // no such file: taken from the last zxid
    };
    Files {
        accepted_epoch: epoch(0),
        current_epoch: epoch(1),
        snapshots: snapshots.map(|zxid| Snapshot { zxid, state: state(zxid), written: None }).collect(),
        log_start: logs.first().and_then(|log| log.first()).map_or(Zxid::ZERO, |first| match first.counter() {
            1 => Zxid::ZERO,
            counter => Zxid::new(first.epoch(), counter - 1),
        }),
        log_files: logs.iter().filter_map(|log| log.first().copied()).collect(),
        log: logs.concat().into_iter().map(|zxid| history.proposal(zxid)).collect(),
        config: config.map(Into::into),
        ..Files::default()
    }
}

/// Starts the servers of a play on the disks of its starting point; what became of it, and what the checker says.
fn play(point: &Value, play: &Value, seed: u64) -> (Outcome, Checker) {
    let servers = point["servers"].as_object().expect("servers");
    let started: Vec<u8> = list(&play["start"]).iter().map(id).collect();
    let (mut boots, mut last) = (Prng::new(seed, Stream::Faults), 0);
    let mut start_us = vec![NEVER_US; servers.len()];
    for (place, id) in (0..).zip(&started) {
        let at = place * play["gap"].as_u64().expect("seconds") * 1_000_000 + boots.between(0, BOOT_US);
        start_us[usize::from(*id) - 1] = at;
        last = last.max(at);
    }
    let is_38 = point["zookeeper"].as_str().is_some_and(|version| version.starts_with("3.8"));
    let setup = Setup {
        zookeeper: if is_38 { ZkVersion::V38 } else { ZkVersion::V39 },
        voters: servers.len() as u8,
        tick_time_ms: 500,
        init_limit: 20,
        sync_limit: 10,
        pre_alloc_kb: 0, // the logs were trimmed
        latency: LatencyRange { min_us: 200, max_us: 1_000 },
        transmit_us: 5,
        disk_sync: LatencyRange { min_us: 1_000, max_us: 3_000 },
        start_us,
        reconfig_enabled: servers.values().any(|server| server.get("config").is_some()),
        ..Setup::default()
    };
    let (members, fresh, history) = (setup.members(), setup.fresh(), History::of(point));
    let of = |(name, server): (&String, &Value)| {
        let id = ServerId(name.parse().expect("a server"));
        (id, disk(server, &history, members).among(&fresh))
    };
    let disks: BTreeMap<ServerId, Files> = servers.iter().map(of).collect();
    let checker = Checker::new(&Setup { disks: Disks::of(disks.clone()), ..setup.clone() });
    // not by the setup: their configurations would be known before they start, and they would race otherwise
    let mut world = World::new(Run::new(seed, setup));
    for (id, files) in disks {
        *world.processes.get_mut(&id).expect("it is there").files_mut().expect("a server") = files;
    }
    let watched = play.get("watched").and_then(Value::as_u64).unwrap_or(WATCHED_S);
    watch(world, checker, &started, last + watched * 1_000_000)
}

fn watch(mut world: World, mut checker: Checker, started: &[u8], until: u64) -> (Outcome, Checker) {
    let (mut outcome, mut synced) = (Outcome::default(), BTreeMap::new());
    while world.next_at().is_some_and(|at| at.0 <= until) {
        for record in world.step().unwrap_or_default() {
            checker.read(record);
            match &record.fact {
                Fact::World(WorldFact::Exited { server }) => {
                    outcome.exits.insert(server.0);
                }
                Fact::Zab { server, fact: zab::Fact::SyncChosen { learner, sync, to, .. }, .. } => {
                    synced.insert(learner.0, (server.0, *sync, *to));
                }
                _ => {}
            }
        }
    }
    let mut trees: BTreeMap<u8, BTreeSet<Znodes>> = BTreeMap::new();
    for &id in started {
        let server = world.processes[&ServerId(id)].server().filter(|server| server.peer.is_serving());
        let Some(server) = server else {
            outcome.not_serving.insert(id);
            continue;
        };
        let made = |path: &str| path != "/" && !path.starts_with("/zookeeper");
        let znodes: Znodes =
            server.tree.nodes().map(|(path, _)| path.to_string()).filter(|path| made(path)).collect();
        let zxid = server.peer.storage.last_processed;
        let leads = server.peer.is_established_leader();
        let (leader, sync, to) = if leads { (id, SyncKind::Diff, zxid) } else { synced[&id] };
        let reign = outcome.reigns.entry(leader).or_default();
        trees.entry(leader).or_default().insert(znodes.clone());
        if leads {
            (reign.epoch, reign.history) = (zxid.epoch(), znodes);
        } else {
            reign.learners.insert(id, (sync, to, zxid));
        }
    }
    for (leader, reign) in &mut outcome.reigns {
        reign.equal = trees[leader].len() == 1;
    }
    (outcome, checker)
}

fn recorded(point: &Value, play: &Value) -> Outcome {
    let set = |name: &str| list(&play[name]).iter().map(id).collect();
    let learner = |(name, told): (&String, &Value)| {
        let sync = serde_json::from_value(told[0].clone()).expect("DIFF, TRUNC or SNAP");
        (name.parse().expect("a server"), (sync, zxid(&told[1]), zxid(&told[2])))
    };
    let transactions = History::of(point);
    let reign = |told: &Value| {
        let loaded = zxids(&point["servers"][told["history"].to_string()]["loads"]);
        let reign = Reign {
            epoch: told["epoch"].as_u64().expect("an epoch") as u32,
            learners: told["learners"].as_object().expect("learners").into_iter().map(learner).collect(),
            equal: told["equal"].as_bool().expect("whether they are"),
            history: loaded.into_iter().filter(|zxid| transactions.makes_znode(zxid)).map(made_by).collect(),
        };
        (id(&told["leader"]), reign)
    };
    let one = play.get("leader").map(|_| play).into_iter();
    Outcome {
        exits: set("exits"),
        not_serving: set("notServing"),
        reigns: one.chain(list(&play["leaders"])).map(reign).collect(),
    }
}

fn told(outcome: &mut Outcome) -> String {
    outcome.reigns.values_mut().for_each(|reign| reign.history.clear()); // it is long
    format!("{outcome:?}")
}

/// What real servers do wrong on sound disks: a log that is cut, and above the cut a snapshot that stays, so that two trees are served
/// (`"equal": false` in the recordings; `Learner.syncWithLeader` cuts the log alone).
const REAL: [(&str, &str); 1] = [("far-behind-many-logs", "agreement")];

/// Those that are started together race, in the real system too: some play of ours is the recorded one. Those with three seconds between
/// do not: each of ours is. No server is blamed for what it does, whether it is what was recorded or not.
#[test]
fn servers_on_given_disks_do_what_real_ones_did() {
    let (mut differ, mut blamed, mut all) = (Vec::new(), BTreeSet::new(), 0);
    for point in points() {
        for recording in list(&point["plays"]) {
            let expected = recorded(&point, recording);
            let together = recording["gap"] == 0;
            let mut seen = Vec::new();
            let found = (1..=if together { 80 } else { 1 }).any(|seed| {
                let (ours, checker) = play(&point, recording, seed);
                let real = |property: &str| REAL.iter().any(|(name, of)| point["name"] == *name && *of == property);
                let to_blame = checker.violations().iter().filter(|one| !one.outside && !real(one.property));
                blamed.extend(to_blame.map(|violation| format!("{} {recording} {seed}: {violation}", point["name"])));
                let same = ours == expected;
                seen.push(ours);
                same
            });
            all += 1;
            if !found {
                seen.dedup();
                let seen: Vec<String> = seen.iter_mut().map(told).collect();
                differ.push(format!("{} {recording}\n  ours: {}", point["name"], seen.join("\n  ")));
            }
        }
    }
    assert!(differ.is_empty(), "{} of {all} plays:\n{}", differ.len(), differ.join("\n"));
    let blamed: Vec<String> = blamed.into_iter().collect();
    assert!(blamed.is_empty(), "{}", blamed.join("\n"));
}
