//! Runs of which it is known what the real system does in them: each was a difference once.

use std::rc::Rc;

use zabscope::base::{ConnId, Node, ServerId, ServerSet, SimTime, SortedMap, Zxid};
use zabscope::check::Checker;
use zabscope::client::{self, DisconnectReason};
#[cfg(feature = "conform")]
use zabscope::conform::ensembles::{Play, Recording};
use zabscope::scenarios::SCENARIOS;
use zabscope::server::{self, TurnedAway};
use zabscope::sim::{Action, Fact, Record, Run, Setup, World, WorldFact};
use zabscope::soak::soak_run;
use zabscope::wire::Answer;
use zabscope::zab;

/// The facts of a run up to a moment, ms.
fn play(run: Run, until_ms: u64) -> Vec<Rc<Record>> {
    let mut world = World::new(run);
    let mut facts = Vec::new();
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
        facts.extend(world.step().unwrap_or_default().to_vec());
    }
    facts
}

macro_rules! run {
    ($name:literal, $until_ms:literal) => {
        play(Run::from_json(include_str!(concat!("real_runs/", $name, ".json"))).expect("a run"), $until_ms)
    };
}

/// When a client's call was answered, ms, with what.
fn answer(facts: &[Rc<Record>], of: u64) -> (u64, client::CallOutcome) {
    let answered = facts.iter().find_map(|record| match &record.fact {
        Fact::Client { fact: client::Fact::Answered { call, outcome, .. }, .. } if call.0 == of => {
            Some((record.at_us.as_ms(), outcome.clone()))
        }
        _ => None,
    });
    answered.unwrap_or_else(|| panic!("call {of} was never answered"))
}

/// How long after the last notification that it heard each server that was elected by votes settled, µs.
/// What a server without a vote says is answered and not queued.
fn settled_after(facts: &[Rc<Record>]) -> Vec<u64> {
    let (mut heard, mut after, mut voters) = (SortedMap::new(), Vec::new(), ServerSet::EMPTY);
    for record in facts {
        match &record.fact {
            Fact::World(WorldFact::Began { setup, .. }) => voters = setup.members().voters,
            Fact::Zab { fact: zab::Fact::ConfigActivated { config }, .. } => voters = voters.union(config.voters),
            Fact::World(WorldFact::Delivered {
                from: Node::Server(from),
                to: Node::Server(to),
                name: "NOTIFICATION",
                ..
            }) if voters.contains(*from) => {
                heard.insert(*to, record.at_us);
            }
            Fact::Zab { server, fact: zab::Fact::Elected { .. } } if record.why == Some(zab::Note::NoBetterVote) => {
                after.extend(heard.get(server).map(|last| record.at_us.since(*last)));
            }
            _ => {}
        }
    }
    after
}

/// `FastLeaderElection.java` `lookForLeader`: every notification that is read begins the 200 ms anew. In 143 elections of
/// real servers it was 200 to 215 ms.
#[test]
fn an_election_settles_after_200_ms_without_a_notification() {
    let scenarios = SCENARIOS.iter().map(|scenario| (scenario.id.to_string(), scenario.run()));
    let random = (0..4).map(|seed| (format!("seed {seed}"), soak_run(5, seed, 1, Default::default())));
    let mut elections = 0;
    for (name, run) in scenarios.chain(random) {
        let after = settled_after(&play(run, 20_000));
        assert!(after.iter().all(|us| *us >= 200_000), "{name}: {after:?}");
        elections += after.len();
    }
    assert!(elections > 100, "{elections} elections");
    assert!(settled_after(&run!("finalize", 600)).iter().all(|us| *us == 200_000));
}

/// The recordings of whole ensembles, as they are played here: no election takes longer than those of the real servers did.
#[cfg(feature = "conform")]
#[test]
fn elections_of_recorded_ensembles_settle_in_200_to_215_ms() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ensemble");
    let mut elections = 0;
    for entry in std::fs::read_dir(folder).expect("the recordings") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let recording = Recording::from_json(&std::fs::read_to_string(&path).expect("a text")).expect("a recording");
        let ensemble = Play::new(&recording, 1, |_| {}).expect("a run");
        let after = settled_after(&play(ensemble.run().clone(), ensemble.end().0 / 1_000));
        assert!(after.iter().all(|us| (200_000..=215_000).contains(us)), "{}: {after:?}", path.display());
        elections += after.len();
    }
    assert!(elections > 50, "{elections} elections");
}

/// `CommitProcessor.java`: a ping waits behind the session's own write, so a client whose write cannot commit hears nothing.
#[test]
fn a_ping_waits_behind_the_write_of_its_session() {
    let facts = run!("ping-behind-write", 12_000);
    let lost = facts.iter().find_map(|record| match record.fact {
        Fact::Client { fact: client::Fact::ClientDisconnected { reason, .. }, .. } => {
            Some((record.at_us.as_ms(), reason))
        }
        _ => None,
    });
    let (at, reason) = lost.expect("the client gives up");
    assert!((9_000..9_050).contains(&at) && reason == DisconnectReason::ReadTimeout, "{at} ms, {reason:?}");
}

/// `CommitProcessor.java` `pendingRequests` is kept by session: a read does not overtake the session's own write, neither on a
/// new connection nor at the leader.
#[test]
fn a_read_waits_for_the_write_of_its_session_across_connections() {
    for facts in [run!("own-write-overtaken", 9_000), run!("own-write-overtaken-at-leader", 9_000)] {
        let (at, outcome) = answer(&facts, 3);
        assert!((6_600..6_650).contains(&at), "answered at {at} ms");
        let Ok(Answer::Data { stat, .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!((stat.version, stat.mzxid), (1, Zxid::new(1, 3)));
    }
}

/// `PrepRequestProcessor.java` `checkSession`: a leader reads nothing more from the connection that a session has left.
#[test]
fn the_leader_closes_the_connection_that_a_session_has_left() {
    let facts = run!("moved-read-at-leader", 4_000);
    let moved = |record: &Rc<Record>| {
        matches!(
            record.fact,
            Fact::Server { fact: server::Fact::ClientTurnedAway { reason: TurnedAway::Moved, .. }, .. }
        )
    };
    assert!(facts.iter().any(moved));
    assert!(answer(&facts, 2).1.is_err());
}

/// `ClientCnxn.java` `SendThread.run`: an attempt that is under way or planned goes on, and carries closeSession.
#[test]
fn close_while_the_library_reconnects_ends_the_session() {
    let facts = run!("close-while-reconnecting", 5_000);
    let gone = facts.iter().find_map(|record| match record.fact {
        Fact::Server { fact: server::Fact::SessionClosed { .. }, .. } => Some(record.at_us.as_ms()),
        _ => None,
    });
    assert!(gone.is_some_and(|ms| ms < 4_500), "{gone:?}");
}

/// `Leader.java` `getEpochToPropose`: the quorum came in time; how long the disk takes counts no more.
#[test]
fn a_leader_whose_epoch_quorum_is_complete_waits_for_its_disk() {
    let facts = run!("epoch-quorum-in-time", 6_000);
    let gave_up = |record: &Rc<Record>| {
        let over = zab::LeaveReason::QuorumWaitOver;
        matches!(record.fact, Fact::Zab { fact: zab::Fact::Left { reason, .. }, .. } if reason == over)
    };
    assert!(!facts.iter().any(gave_up));
}

#[test]
fn a_server_whose_snapshot_was_overtaken_takes_snapshots_again() {
    let facts = run!("snapshot-stuck", 15_000);
    let written = |of: u8| {
        let is_one = |record: &&Rc<Record>| match record.fact {
            Fact::World(WorldFact::SnapshotWritten { server, .. }) => {
                server == ServerId(of) && record.at_us > SimTime::from_ms(12_000)
            }
            _ => false,
        };
        facts.iter().filter(is_one).count()
    };
    assert!([1, 2, 3].map(written).iter().all(|count| *count > 20), "{:?}", [1, 2, 3].map(written));
}

/// `QuorumCnxManager.java` `connectOne`: a dial is given up after 5 s (`cnxTO`); nobody knocks with it when the link heals.
#[test]
fn a_dial_that_was_given_up_is_never_answered() {
    for facts in [run!("isolated-restart", 110_000), run!("isolated-restart-larger", 110_000)] {
        let mut dialled: SortedMap<ConnId, SimTime> = SortedMap::new();
        let mut connected = 0;
        for record in &facts {
            match record.fact {
                Fact::World(WorldFact::Dialled { conn, .. }) => drop(dialled.insert(conn, record.at_us)),
                Fact::World(WorldFact::Connected { conn, .. }) if record.at_us > SimTime::from_ms(100_000) => {
                    let waited = dialled.get(&conn).map(|at| record.at_us.since(*at));
                    assert!(waited.is_some_and(|us| us < 5_000_000), "{waited:?}");
                    connected += 1;
                }
                _ => {}
            }
        }
        assert!(connected > 0, "it never came back");
    }
}

/// When the handle of the only client ended, ms, and whether by its own conclusion.
fn handle_ended(facts: &[Rc<Record>]) -> Option<(u64, bool)> {
    facts.iter().find_map(|record| match record.fact {
        Fact::Client { fact: client::Fact::ClientEnded { by_itself, .. }, .. } => {
            Some((record.at_us.as_ms(), by_itself))
        }
        _ => None,
    })
}

/// ZOOKEEPER-4508, `ClientCnxn.java` `expirationTimeout`: 4/3 of the timeout after the last byte heard, at the next attempt. 3.8
/// tries for ever.
#[test]
fn a_client_that_reaches_no_server_expires_by_itself() {
    let run = || Run::from_json(include_str!("real_runs/no-server-no-expiry.json")).expect("a run");
    let (at, by_itself) = handle_ended(&play(run(), 120_000)).expect("it gives up");
    // the last byte was heard before 3,000; an attempt comes at least every 2,100 ms
    assert!((3_000 + 5_333 - 1_400..3_000 + 5_333 + 2_200).contains(&at) && by_itself, "{at}");
    for (version, expires) in [("3.8", false), ("3.9", true)] {
        let mut run = run();
        run.set(&format!("zookeeper=\"{version}\"")).expect("a version");
        assert_eq!(handle_ended(&play(run, 120_000)).is_some(), expires, "{version}");
    }
}

/// `FastLeaderElection.java`: who hears nobody asks again after 200 ms, 400 ms … 60 s.
#[test]
fn who_is_cut_off_asks_ever_more_rarely() {
    let facts = run!("isolated", 200_000);
    let rejoined = facts.iter().find_map(|record| match record.fact {
        Fact::Zab { server: ServerId(1), fact: zab::Fact::UpToDate { .. } }
            if record.at_us > SimTime::from_ms(100_000) =>
        {
            Some(record.at_us.as_ms())
        }
        _ => None,
    });
    assert!(rejoined.is_some_and(|at| at < 162_000), "{rejoined:?}");
}

/// `FileTxnLog.java` `FileTxnIterator`: `init` opens the file that holds the learner's zxid, and `getStorageSize` adds the others,
/// each with the 64 MiB that it takes on disk. A leader that has written one file only serves a DIFF from it, however long it is;
/// with one more, a snapshot would have to be larger than 200 MB.
#[test]
fn a_diff_from_disk_is_chosen_by_whole_files_behind_the_first() {
    let run = Run::from_json(include_str!("real_runs/disk-diff.json")).expect("a run");
    let why = |run: Run| {
        let facts = play(run, 16_000);
        facts.iter().rev().find_map(|record| match &record.fact {
            Fact::Zab { fact: zab::Fact::SyncChosen { learner: ServerId(1), .. }, .. } => record.why,
            _ => None,
        })
    };
    assert_eq!(why(run.clone()), Some(zab::Note::FromDiskLog));
    let mut rolled = run;
    rolled.setup.snap_count = 500;
    assert_eq!(why(rolled), Some(zab::Note::TooFarBehind));
}

/// A day of writes, one each 20 s, with purge and without: what is on disk and in memory at its end, at each server.
#[test]
fn a_day_with_purge_leaves_a_bounded_disk() {
    let play = |snap_retain_count| {
        let mut run = Run::new(1, Setup { snap_count: 100, snap_retain_count, ..Default::default() });
        (run.setup.tick_time_ms, run.setup.commit_log_count) = (120_000, 20);
        let one = ServerId(1);
        let act = |run: &mut Run, ms, action| run.push(SimTime::from_ms(ms), action);
        act(&mut run, 3_600_000, Action::Crash { server: one });
        act(&mut run, 60_000_000, Action::Restart { server: one });
        for part in 0..4 {
            let (data, server) = (format!("k{part}=v"), ServerId(2));
            let write = Action::Write { server, data, count: 1_000, every_us: 20_000_000 };
            act(&mut run, 1_000_000 + part * 20_000_000, write);
        }
        let mut world = World::new(run);
        let mut most = [0, 0, 0];
        while world.next_at().is_some_and(|at| at <= SimTime::from_ms(86_400_000)) {
            world.step();
            if world.events.is_multiple_of(64) {
                for process in world.processes.values() {
                    let Some(files) = process.files() else { continue };
                    let in_memory = process.server().map_or(0, |server| server.peer.storage.log.len());
                    let now = [files.snapshots.len(), files.log_files.len(), files.log.len().max(in_memory)];
                    most = std::array::from_fn(|at| most[at].max(now[at]));
                }
            }
        }
        let states: Vec<u64> =
            world.processes.values().filter_map(|process| Some(process.server()?.tree.digest())).collect();
        assert!(states.len() == 3 && states.iter().all(|state| *state == states[0]), "{states:?}");
        most
    };
    let ([snapshots, files, log], [_, _, all]) = (play(3), play(0));
    assert!(snapshots <= 4 && files <= 6 && log <= 600 && all >= 4_000, "{snapshots} {files} {log} {all}");
    println!("most at any time: {snapshots} snapshots, {files} log files, {log} transactions; without purge {all}");
}

/// `FileTxnSnapLog.java` `save`: a snapshot is named by the zxid at which writing it began, and holds what was applied meanwhile; a
/// restart replays what it holds already, and comes to the same state.
#[test]
fn a_snapshot_reaches_beyond_its_name_and_a_restart_comes_to_the_same_state() {
    let (mut beyond, mut restarts) = (0, 0);
    for seed in 0..8 {
        let mut run = soak_run(3, seed, 1, Default::default());
        (run.setup.snap_count, run.setup.counter_limit) = (4, u32::MAX);
        let mut checker = Checker::new(&run.setup);
        for record in play(run, 60_000) {
            checker.read(&record);
            match &record.fact {
                Fact::World(WorldFact::SnapshotWritten { zxid, last_txn, .. }) => {
                    beyond += u32::from(last_txn > zxid)
                }
                Fact::World(WorldFact::Started { incarnation: 2.., .. }) => restarts += 1,
                _ => {}
            }
        }
        let violations = checker.violations();
        assert!(violations.is_empty(), "seed {seed}: {:?}", violations.first());
    }
    assert!(beyond > 20 && restarts > 20, "{beyond} snapshots reach beyond their names, {restarts} restarts");
}
