//! A server alone: it numbers and logs by itself, keeps data and sessions over a restart, and becomes one of three when its file says so.

use std::rc::Rc;

use zabscope::base::{ClientId, ServerId, ServerSet, SimTime, Zxid};
use zabscope::client::{self, CallOutcome, Failure};
use zabscope::i18n::{Lang, describe};
use zabscope::server;
use zabscope::sim::{Action, DiskFault, Fact, Record, Run, Setup, WorldFact};
use zabscope::wire::{Acl, Code, CreateMode, Request};
use zabscope::zab;

use super::judged::judged;

const S1: ServerId = ServerId(1);
const C1: ClientId = ClientId(1);

fn alone() -> Setup {
    Setup { voters: 1, standalone_enabled: true, ..Setup::default() }
}

fn open() -> Action {
    Action::OpenClient { client: C1, servers: vec![S1], timeout_ms: 6_000, chroot: None, raw: false }
}

fn ask(request: Request) -> Action {
    Action::Ask { client: C1, request, watcher: None, local: false, on_old_connection: false }
}

fn create(path: &str, mode: CreateMode) -> Action {
    let (path, data, acl) = (path.into(), Some("x".into()), Acl::open());
    ask(Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None })
}

fn word(server: u8, word: &str) -> Action {
    Action::FourLetter { server: ServerId(server), word: word.into(), client: None }
}

/// Plays a run, which must break no property.
fn play(setup: Setup, actions: Vec<(u64, Action)>, until_ms: u64) -> Vec<Rc<Record>> {
    let mut run = Run::new(5, setup);
    for (at, action) in actions {
        run.push(SimTime::from_ms(at), action);
    }
    let (_, all, violations) = judged(run, SimTime::from_ms(until_ms));
    assert!(violations.is_empty(), "{}", violations[0]);
    all
}

fn answers(records: &[Rc<Record>]) -> Vec<CallOutcome> {
    let answer = |record: &Rc<Record>| match &record.fact {
        Fact::Client { fact: client::Fact::Answered { outcome, .. }, .. } => Some(outcome.clone()),
        _ => None,
    };
    records.iter().filter_map(answer).collect()
}

fn words(records: &[Rc<Record>]) -> Vec<String> {
    let answer = |record: &Rc<Record>| match &record.fact {
        Fact::World(WorldFact::FourLetterAnswered { answer, .. }) => Some(answer.join("\n")),
        _ => None,
    };
    records.iter().filter_map(answer).collect()
}

fn committed(records: &[Rc<Record>]) -> Vec<Zxid> {
    let zxid = |record: &Rc<Record>| match &record.fact {
        Fact::Zab { fact: zab::Fact::Committed { zxid, .. }, .. } => Some(*zxid),
        _ => None,
    };
    records.iter().filter_map(zxid).collect()
}

#[test]
fn it_serves_without_election_and_epochs_and_goes_on_behind_its_log() {
    let told = play(
        alone(),
        vec![
            (100, open()),
            (300, create("/a", CreateMode::Persistent)),
            (500, create("/live", CreateMode::Ephemeral)),
            (700, Action::Crash { server: S1 }),
            (1_000, Action::Restart { server: S1 }),
            (2_500, ask(Request::GetData { path: "/a".into(), watch: false })),
            (2_700, create("/b", CreateMode::Persistent)),
            (3_000, ask(Request::Exists { path: "/live".into(), watch: false })),
        ],
        3_500,
    );
    let never = |record: &Rc<Record>| {
        matches!(
            &record.fact,
            Fact::Zab {
                fact: zab::Fact::Looking { .. } | zab::Fact::Elected { .. } | zab::Fact::EpochAccepted { .. },
                ..
            } | Fact::World(WorldFact::EpochWritten { .. })
        )
    };
    assert!(!told.iter().any(never), "there is nobody to elect, and no epoch to write");
    assert_eq!(committed(&told), (1..=4).map(|counter| Zxid::new(0, counter)).collect::<Vec<_>>());
    let starts: Vec<Zxid> = told
        .iter()
        .filter_map(|record| match &record.fact {
            Fact::Zab { fact: zab::Fact::Standalone { last_zxid }, .. } => Some(*last_zxid),
            _ => None,
        })
        .collect();
    assert_eq!(starts, [Zxid::ZERO, Zxid::new(0, 3)]);
    let resumed = told.iter().any(|record| {
        matches!(record.fact, Fact::Server { fact: server::Fact::SessionResumed { client: C1, .. }, .. })
    });
    assert!(resumed && answers(&told).iter().all(Result::is_ok), "{:?}", answers(&told));
    let snapshots = |record: &&Rc<Record>| matches!(record.fact, Fact::World(WorldFact::SnapshotWritten { .. }));
    assert_eq!(
        told.iter().filter(snapshots).count(),
        3,
        "one at each start, as loadData does, and restore the first"
    );
}

#[test]
fn it_says_what_it_is() {
    let told = play(
        alone(),
        vec![
            (100, open()),
            (300, create("/a", CreateMode::Persistent)),
            (600, word(1, "srvr")),
            (600, word(1, "mntr")),
            (600, word(1, "conf")),
            (600, word(1, "dump")),
        ],
        700,
    );
    let told = words(&told);
    let [srvr, mntr, conf, dump] = &told[..] else { panic!("{told:?}") };
    assert!(srvr.ends_with("\nZxid: 0x2\nMode: standalone\nNode count: 6"), "no proposal sizes: {srvr}");
    assert!(mntr.contains("zk_server_state\tstandalone\nzk_ephemerals_count\t0\n"), "no peer_state: {mntr}");
    for absent in ["zk_quorum_size", "zk_synced_followers", "zk_leader_uptime", "zk_last_proposal_size"] {
        assert!(!mntr.contains(absent), "{absent}: {mntr}");
    }
    assert!(mntr.contains("\nzk_proposal_count\t0\n") && mntr.contains("\nzk_looking_count\t0\n"), "{mntr}");
    assert!(mntr.contains("\nzk_approximate_data_size\t47\n"), "no configuration is in the tree: {mntr}");
    assert!(conf.ends_with("\nclientPortListenBacklog=-1\nserverId=0"), "{conf}");
    assert!(dump.starts_with("SessionTracker dump:\nSession Sets ("), "it tracks sessions by itself: {dump}");
}

#[test]
fn it_cannot_be_reconfigured() {
    let reconfig = |version| {
        ask(Request::Reconfig { joining: Some("server.2=S2:1:2;3".into()), leaving: None, members: None, version })
    };
    let actions = || vec![(100, open()), (500, reconfig(-1))];
    let code = |setup| answers(&play(setup, actions(), 900))[0].clone().map(|_| ());
    assert_eq!(code(alone()), Err(Failure::Code(Code::ReconfigDisabled)));
    assert_eq!(code(Setup { reconfig_enabled: true, ..alone() }), Err(Failure::Code(Code::Unimplemented)));
}

/// A write that was not on disk is gone; one that was answered is there.
#[test]
fn only_what_was_logged_survives() {
    let slow = Setup { disk_sync: zabscope::sim::LatencyRange::ms(50, 50), ..alone() };
    let told = play(
        slow,
        vec![
            (100, open()),
            (400, create("/kept", CreateMode::Persistent)),
            (600, create("/lost", CreateMode::Persistent)),
            (640, Action::Crash { server: S1 }),
            (800, Action::Restart { server: S1 }),
            (3_000, ask(Request::Exists { path: "/kept".into(), watch: false })),
            (3_200, ask(Request::Exists { path: "/lost".into(), watch: false })),
        ],
        3_600,
    );
    let codes: Vec<Option<Failure>> = answers(&told).into_iter().map(Result::err).collect();
    let failed = |code| Some(Failure::Code(code));
    assert_eq!(codes, [None, failed(Code::ConnectionLoss), None, failed(Code::NoNode)]);
}

/// The log's thread ends the server (`SyncRequestProcessor.java`, `handleException`).
#[test]
fn it_ends_with_its_log() {
    let full = Action::DiskFault { server: S1, fault: DiskFault::Full };
    let told = play(alone(), vec![(100, open()), (400, full), (500, create("/a", CreateMode::Persistent))], 900);
    assert!(told.iter().any(|record| matches!(record.fact, Fact::World(WorldFact::Exited { server: S1 }))));
}

/// `now three of them`: its file names three, and its history is the one that the other two take over.
#[test]
fn it_becomes_one_of_three() {
    let all: ServerSet = [1, 2, 3].into_iter().map(ServerId).collect();
    let edit = Action::EditConfig { servers: all, voters: all, observers: ServerSet::EMPTY };
    let mut actions = vec![(100, open()), (400, create("/a", CreateMode::Persistent))];
    actions.extend([2, 3].map(|id| (700, Action::Add { server: ServerId(id), observer: false })));
    actions.extend([1, 2, 3].map(|id| (900, Action::Crash { server: ServerId(id) })));
    actions.push((1_000, edit));
    actions.extend([1, 2, 3].map(|id| (1_100, Action::Restart { server: ServerId(id) })));
    actions.push((5_000, create("/b", CreateMode::Persistent)));
    actions.extend([1, 2, 3].map(|id| (5_500, word(id, "srvr"))));
    let told = play(alone(), actions, 5_600);
    let modes: Vec<String> = words(&told)
        .iter()
        .map(|srvr| srvr.lines().find(|line| line.starts_with("Mode: ")).unwrap_or_default().to_string())
        .collect();
    let mut sorted = modes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["Mode: follower", "Mode: follower", "Mode: leader"], "{modes:?}");
    assert_eq!(modes[0], "Mode: leader", "only S1 has a history");
    assert_eq!(committed(&told).last(), Some(&Zxid::new(1, 1)));
    assert!(words(&told).iter().all(|srvr| srvr.ends_with("Node count: 7") || srvr.contains("\nNode count: 7\n")));
}

/// One that was a member goes on in the epoch that it was in, and is told of as one that has nobody to ask all the same.
#[test]
fn in_whatever_epoch_it_is_told_of_as_one_that_asks_nobody() {
    let only_it: ServerSet = [S1].into_iter().collect();
    let edit = Action::EditConfig { servers: only_it, voters: only_it, observers: ServerSet::EMPTY };
    let mut actions = vec![(1_500, open()), (2_000, create("/a", CreateMode::Persistent))];
    actions.extend([1, 2, 3].map(|id| (2_500, Action::Crash { server: ServerId(id) })));
    actions.extend([(2_600, edit), (2_700, Action::Restart { server: S1 })]);
    actions.push((5_500, create("/b", CreateMode::Persistent)));
    let told = play(Setup { standalone_enabled: true, ..Setup::default() }, actions, 6_000);
    assert_eq!(committed(&told).last().map(|zxid| zxid.epoch()), Some(1));
    for (lang, proposed, commits) in [
        (Lang::En, "; it has no followers.", ": it is in its log."),
        (Lang::Zh, "；此刻没有跟随者。", "：已写入自己的日志。"),
    ] {
        let last = |is: fn(&zab::Fact) -> bool| {
            let of = |record: &&Rc<Record>| matches!(&record.fact, Fact::Zab { server: S1, fact } if is(fact));
            describe(lang, told.iter().rfind(of).expect("a fact")).what
        };
        let said = [
            last(|fact| matches!(fact, zab::Fact::Proposed { .. })),
            last(|fact| matches!(fact, zab::Fact::Committed { .. })),
        ];
        assert!(said[0].ends_with(proposed) && said[1].ends_with(commits), "{said:?}");
    }
}
