//! Disks that are full or broken, and what a server does whose disk is.

use std::rc::Rc;

use zabscope::base::{Prng, ServerId, SimTime, Stream, Zxid};
use zabscope::check::Checker;
use zabscope::sim::{
    Action, ActionRefusal, Departure, DiskFault, Fact, Player, Record, Run, Setup, Status, World, WorldFact,
    ZkVersion, departure,
};
use zabscope::soak::soak_run;
use zabscope::zab::{self, LeaveReason, ServerState};

const S1: ServerId = ServerId(1);
const S3: ServerId = ServerId(3);

/// Servers 1 to 3, of which 3 leads from about 0.4 s on.
fn play(setup: Setup, actions: &[(u64, Action)], until_ms: u64) -> (Player, Vec<Rc<Record>>) {
    let mut run = Run::new(5, setup);
    for (at, action) in actions {
        run.push(SimTime::from_ms(*at), action.clone());
    }
    let mut player = Player::new(run).expect("a valid run");
    let (mut all, mut checker) = (Vec::new(), Checker::new(&player.run().setup));
    player.run_until(SimTime::from_ms(until_ms), |_, records| {
        for record in records {
            checker.read(record);
        }
        all.extend(records.to_vec());
    });
    assert!(checker.violations().is_empty(), "{}", checker.violations()[0]);
    (player, all)
}

fn fault(server: ServerId, fault: DiskFault) -> Action {
    Action::DiskFault { server, fault }
}

fn write(server: u8, count: u32) -> Action {
    Action::Write { server: ServerId(server), data: "x".into(), count, every_us: 20_000 }
}

/// When a server left its role, as what, and why.
fn left(records: &[Rc<Record>], whose: ServerId) -> Vec<(u64, ServerState, LeaveReason)> {
    let left = |record: &Rc<Record>| match record.fact {
        Fact::Zab { server, fact: zab::Fact::Left { role, reason } } if server == whose => {
            Some((record.at_us.as_ms(), role, reason))
        }
        _ => None,
    };
    records.iter().filter_map(left).collect()
}

fn answered(records: &[Rc<Record>]) -> usize {
    records.iter().filter(|record| matches!(record.fact, Fact::World(WorldFact::WriteAnswered { .. }))).count()
}

fn digest(player: &Player, server: ServerId) -> u64 {
    player.world().processes[&server].server().expect("it runs").tree.digest()
}

#[test]
fn a_full_disk_is_noticed_when_something_is_written() {
    let (player, records) = play(Setup::default(), &[(1_000, fault(S1, DiskFault::Full))], 5_000);
    assert_eq!(left(&records, S1), []);
    assert!(player.world().processes[&S1].server().unwrap().peer.is_serving());
}

/// Its process goes on: it looks for the leader again and again, until its disk takes what it must write.
#[test]
fn a_follower_with_a_full_disk_leaves_and_comes_back() {
    let actions = [
        (900, write(2, 3)),
        (1_500, fault(S1, DiskFault::Full)),
        (2_000, write(2, 5)),
        (4_000, fault(S1, DiskFault::None)),
        (4_000, fault(S1, DiskFault::None)),
    ];
    let (player, records) = play(Setup::default(), &actions, 6_000);
    let left = left(&records, S1);
    assert!(
        left.len() > 3
            && left.iter().all(|(at, role, reason)| {
                (2_000..4_100).contains(at) && *role == ServerState::Following && *reason == LeaveReason::DiskFailed
            }),
        "{left:?}"
    );
    assert_eq!((answered(&records), player.leader()), (8, Some(S3)), "the other two are a majority");
    assert_eq!(digest(&player, S1), digest(&player, S3));
    let again = ActionRefusal::DiskIsSo { server: S1, fault: DiskFault::None };
    assert!(records.iter().any(|record| record.fact == Fact::World(WorldFact::ActionRefused { reason: again })));
}

/// A leader looks every half tick whether its processors live (`Leader.java` `lead`). What the others have logged is committed all
/// the same; it has not, so it loses the next election.
#[test]
fn a_leader_with_a_broken_disk_resigns_within_half_a_tick() {
    for kind in [DiskFault::Full, DiskFault::Error] {
        let (player, records) = play(Setup::default(), &[(2_000, fault(S3, kind)), (2_010, write(1, 3))], 6_000);
        let failed = records.iter().find_map(|record| match record.fact {
            Fact::World(WorldFact::DiskFailed { server: S3, .. }) => Some(record.at_us.as_ms()),
            _ => None,
        });
        let (failed, first) = (failed.expect("a write failed"), left(&records, S3)[0]);
        assert_eq!((first.1, first.2), (ServerState::Leading, LeaveReason::DiskFailed));
        assert!(first.0 >= failed && first.0 - failed <= 100, "{failed} {first:?}");
        assert_eq!(player.leader(), Some(ServerId(2)));
        assert!(player.world().processes[&S3].is_running());
    }
}

/// `ZooKeeperServer.java` `takeSnapshot` ends the process, whoever calls it: here `lead`, and the thread for snapshots.
#[test]
fn who_cannot_write_a_snapshot_exits() {
    let gone = |player: &Player, records: &[Rc<Record>], server| {
        let exited = Fact::World(WorldFact::Exited { server });
        assert!(records.iter().any(|record| record.fact == exited));
        assert_eq!(player.world().processes[&server].status, Status::Crashed);
    };
    let full = (100, fault(S3, DiskFault::Full));
    let (player, records) = play(Setup::default(), &[full], 5_000);
    gone(&player, &records, S3);
    assert_eq!(left(&records, S3).last().unwrap().2, LeaveReason::SnapshotFailed);
    assert_eq!(player.leader(), Some(ServerId(2)));

    let setup = Setup { snap_count: 4, ..Setup::default() };
    let what = serde_json::from_str("\"snapshot #1\"").expect("an operation");
    let slow = Action::DelayDisk { server: S1, what, us: 500_000 };
    let full = fault(S1, DiskFault::Full);
    let (player, records) = play(setup, &[(900, slow), (1_000, write(2, 5)), (1_400, full)], 5_000);
    gone(&player, &records, S1);
    assert_eq!(player.leader(), Some(S3));
}

/// What a leader had committed before its own disk failed is not in its log. Ours forgets it before it votes again; a released
/// version keeps it in memory.
#[test]
fn memory_is_not_ahead_of_a_log_that_failed_but_in_released_versions() {
    let actions = [(2_000, fault(S1, DiskFault::Error)), (2_010, write(2, 3)), (3_000, fault(S1, DiskFault::None))];
    let mut run = Run::new(5, Setup::default());
    actions.into_iter().for_each(|(at, action)| run.push(SimTime::from_ms(at), action));
    for (version, ours) in [(ZkVersion::AsRepaired, true), (ZkVersion::V39, false), (ZkVersion::V38, false)] {
        run.setup.zookeeper = version;
        let (mut player, mut dropped) = (Player::new(run.clone()).expect("a valid run"), false);
        player.run_until(SimTime::from_ms(5_000), |_, records| {
            dropped |= records.iter().any(|record| departure(record) == Some(Departure::UnloggedDropped));
        });
        assert_eq!(dropped, ours, "{version:?}");
    }
}

/// `DatadirCleanupManager.java`: a purge at the start and at a fixed rate, whatever was written meanwhile.
#[test]
fn a_purge_comes_when_its_interval_is_over() {
    let setup = Setup { snap_count: 4, snap_retain_count: 3, purge_interval_ms: 3_000, ..Setup::default() };
    let snapshots = |until_ms| {
        let restart = [(6_500, Action::Kill { server: S1 }), (7_500, Action::Restart { server: S1 })];
        let (player, records) = play(setup.clone(), &[&[(1_000, write(2, 80))], &restart[..]].concat(), until_ms);
        let purged = |record: &Rc<Record>| match record.fact {
            Fact::World(WorldFact::Purged { server: S1, .. }) => Some(record.at_us.as_ms()),
            _ => None,
        };
        let at: Vec<u64> = records.iter().filter_map(purged).collect();
        (player.world().processes[&S1].files().expect("files").snapshots.len(), at)
    };
    assert!(snapshots(2_990).0 > 10, "{:?}", snapshots(2_990));
    let (left, at) = snapshots(3_100);
    assert!(left == 3 && (3_000..3_100).contains(&at[0]), "{left} {at:?}");
    assert_eq!(snapshots(9_000).1.len(), 1, "nothing more to do at 6 s, nor at the start");
}

/// `Leader.java` `lead` calls `loadData`, which writes a snapshot, before anything is read from a learner.
#[test]
fn a_leader_writes_its_snapshot_before_it_talks_to_learners() {
    let mut actions: Vec<(u64, Action)> = Vec::new();
    for number in 0..12 {
        let data = format!("k{number}={}", "x".repeat(500));
        actions.push((1_000 + 300 * number, Action::Write { server: ServerId(2), data, count: 1, every_us: 0 }));
    }
    actions.push((5_000, Action::Crash { server: S3 }));
    let (_, plain) = play(Setup::default(), &actions, 6_000);
    let with = |disk_bandwidth| play(Setup { disk_bandwidth, ..Setup::default() }, &actions, 15_000);
    let (player, slow) = with(5);
    let first = |records: &[Rc<Record>], what: fn(&zab::Fact) -> bool| {
        let found = |record: &&Rc<Record>| match &record.fact {
            Fact::Zab { server: ServerId(2), fact } => record.at_us.as_ms() > 5_000 && what(fact),
            _ => false,
        };
        records.iter().find(found).map(|record| record.at_us.as_ms()).expect("it happens")
    };
    let waited = |records: &[Rc<Record>]| {
        let elected = first(records, |fact| matches!(fact, zab::Fact::Elected { role: ServerState::Leading, .. }));
        first(records, |fact| matches!(fact, zab::Fact::EpochProposed { .. })) - elected
    };
    assert!(waited(&plain) < 300 && (1_200..2_000).contains(&waited(&slow)), "{} {}", waited(&plain), waited(&slow));
    assert_eq!((left(&slow, S1).len(), player.leader()), (1, Some(ServerId(2))));

    // 6 kB at 2 bytes a millisecond take longer than initLimit, 2 s: who follows gives up, and the leader after it
    let (player, slow) = with(2);
    let reasons = |server| left(&slow, server).into_iter().map(|left| left.2).collect::<Vec<_>>();
    let silent = reasons(S1).into_iter().filter(|reason| *reason == LeaveReason::LeaderSilent).count();
    assert!(silent >= 2, "{:?}", reasons(S1));
    assert!(reasons(ServerId(2)).contains(&LeaveReason::QuorumWaitOver), "{:?}", reasons(ServerId(2)));
    assert_eq!(player.leader(), None);
}

/// Random runs, in which disks fill up, break and recover besides. One disk at a time: what two of three lose, a majority loses.
#[test]
fn disks_that_fail_at_random_break_no_promise() {
    let (mut failed, mut exits) = (0, 0);
    for seed in 0..12 {
        let mut run = soak_run(3, seed, 1, Default::default());
        let mut draw = Prng::new(seed, Stream::Faults);
        for part in 0..12 {
            let server = ServerId(1 + draw.below(3) as u8);
            let kind = [DiskFault::Full, DiskFault::Error][draw.below(2) as usize];
            let at = 2_000 + 3_000 * part + u64::from(draw.below(2_000));
            run.push(SimTime::from_ms(at), fault(server, kind));
            run.push(SimTime::from_ms(at + u64::from(draw.below(2_500))), fault(server, DiskFault::None));
        }
        let (mut world, mut checker) = (World::new(run.clone()), Checker::new(&run.setup));
        while world.next_at().is_some_and(|at| at <= SimTime::from_ms(50_000)) {
            for record in world.step().unwrap_or_default() {
                checker.read(record);
                failed += u32::from(matches!(record.fact, Fact::World(WorldFact::DiskFailed { .. })));
                exits += u32::from(matches!(record.fact, Fact::World(WorldFact::Exited { .. })));
            }
        }
        assert!(checker.violations().is_empty(), "seed {seed}: {}", checker.violations()[0]);
    }
    assert!(failed > 50 && exits > 0, "{failed} operations failed, {exits} processes ended");
}

/// `FileSnap.java` `serialize` syncs no snapshot but that after SNAP. What a power failure takes of them the log makes up for.
#[test]
fn a_young_snapshot_goes_with_the_power() {
    let setup = Setup { snap_count: 4, ..Setup::default() };
    let die = |how: Action| {
        let actions = [(1_000, write(2, 20)), (3_000, how), (4_000, Action::Restart { server: S1 })];
        let (player, records) = play(setup.clone(), &actions, 6_000);
        assert_eq!(digest(&player, S1), digest(&player, S3));
        let lost =
            |record: &&Rc<Record>| matches!(record.fact, Fact::World(WorldFact::SnapshotLost { server: S1, .. }));
        records.iter().filter(lost).count()
    };
    assert!(die(Action::PowerOff { server: S1 }) >= 4);
    assert_eq!((die(Action::Kill { server: S1 }), die(Action::Crash { server: S1 })), (0, 0));
}

/// `FileTxnSnapLog.java` `restore`: the empty state is saved before anything else, and again where the disk was emptied.
#[test]
fn a_first_start_writes_a_snapshot_of_nothing() {
    let actions = [
        (2_000, Action::Crash { server: S1 }),
        (2_100, Action::WipeDisk { server: S1 }),
        (2_200, Action::Restart { server: S1 }),
    ];
    let first = |records: &[Rc<Record>]| {
        let empty = |record: &&Rc<Record>| {
            let snapshot =
                WorldFact::SnapshotWritten { server: S1, zxid: Zxid::ZERO, last_txn: Zxid::ZERO, installed: false };
            record.fact == Fact::World(snapshot)
        };
        records.iter().filter(empty).map(|record| record.at_us.as_ms()).collect::<Vec<_>>()
    };
    let (player, records) = play(Setup::default(), &actions, 1_900);
    assert_eq!(first(&records), [0]);
    let files = player.world().processes[&S1].files().expect("a server");
    assert_eq!(files.snapshots.iter().map(|snapshot| snapshot.zxid).collect::<Vec<_>>(), [Zxid::ZERO]);
    let (_, records) = play(Setup::default(), &actions, 2_300);
    assert_eq!(first(&records), [0, 2_200]);
}

/// `ZKDatabase.java` `initConfigInZKDatabase`: who follows writes it anew, who leads has what its first start wrote. No digest hangs on it.
#[test]
fn the_configuration_has_the_mtime_of_its_server() {
    let (player, records) = play(Setup::default(), &[(1_000, write(1, 1))], 1_500);
    let mtime = |server: ServerId| {
        let tree = &player.world().processes[&server].server().expect("it runs").tree;
        tree.get("/zookeeper/config").expect("it is there").mtime as u64
    };
    let synchronised = |server: ServerId| {
        let record = records.iter().find(|record| matches!(record.fact, Fact::Zab { server: at, fact: zab::Fact::NewLeaderAcked { .. } } if at == server));
        record.expect("it follows").at_us.as_ms()
    };
    assert_eq!(mtime(S3), 0);
    let earlier = |server| (1..synchronised(server)).contains(&mtime(server));
    assert!(earlier(S1) && earlier(ServerId(2)), "{} {}", mtime(S1), mtime(ServerId(2)));
    assert_eq!(digest(&player, S1), digest(&player, S3));
}
