//! Dynamic reconfiguration: what counts as a quorum when, who leads then, and what is refused (`Leader.java` `propose`, `tryToCommit`,
//! `getDesignatedLeader`; `QuorumPeer.java` `processReconfig`; `PrepRequestProcessor.java`, reconfig).

use std::rc::Rc;

use zabscope::base::{ClientId, ServerId, ServerSet, SimTime, Zxid};
use zabscope::client;
use zabscope::scenarios::scenario;
use zabscope::sim::{Action, Fact, Player, Record, Run, Setup, WorldFact, ZkVersion};
use zabscope::wire::{Acl, Answer, Code, EventType, Request};
use zabscope::zab::{self, LeaveReason, Members, Note};

use super::judged::{judged, properties};

const ADMIN: ClientId = ClientId(1);

fn set(ids: &[u8]) -> ServerSet {
    ids.iter().copied().map(ServerId).collect()
}

fn spec(id: u8, role: &str) -> String {
    format!(
        "server.{id}=127.0.0.1:{}:{}:{role};{}",
        20_000 + u32::from(id),
        30_000 + u32::from(id),
        10_000 + u32::from(id)
    )
}

fn ask(request: Request) -> Action {
    Action::Ask { client: ADMIN, request, watcher: None, local: false, on_old_connection: false }
}

fn reconfig(joining: &[String], leaving: Option<&str>) -> Action {
    let joining = (!joining.is_empty()).then(|| joining.join(",").into());
    ask(Request::Reconfig { joining, leaving: leaving.map(Into::into), members: None, version: -1 })
}

fn add(server: u8) -> Action {
    Action::Add { server: ServerId(server), observer: false }
}

fn crash(server: u8) -> Action {
    Action::Crash { server: ServerId(server) }
}

fn restart(server: u8) -> Action {
    Action::Restart { server: ServerId(server) }
}

fn write(server: u8) -> Action {
    Action::Write { server: ServerId(server), data: "x".into(), count: 1, every_us: 0 }
}

fn cut(from: &[u8], to: &[u8]) -> Action {
    Action::Cut { from: set(from), to: set(to), one_way: false }
}

/// A run whose client, at the second server, may do everything from 1.2 s on.
fn run(seed: u64, setup: Setup, actions: Vec<(u64, Action)>) -> Run {
    let super_digest = Some("super:D/InIHSb7yEEbrWz8b9l71RjZJU=".into());
    let mut run = Run::new(seed, Setup { reconfig_enabled: true, super_digest, ..setup });
    let servers = vec![ServerId(2)];
    let open = Action::OpenClient { client: ADMIN, servers, timeout_ms: 4_000, chroot: None, raw: false };
    let prove = Action::AddAuth { client: ADMIN, scheme: "digest".into(), auth: Some("super:test".into()) };
    let mut actions: Vec<(u64, Action)> = [(900, open), (1_000, prove)].into_iter().chain(actions).collect();
    actions.sort_by_key(|(at, _)| *at);
    for (at, action) in actions {
        run.push(SimTime::from_ms(at), action);
    }
    run
}

/// Plays a run to its end; the checker finds nothing in it.
fn play(run: Run, until_ms: u64) -> (Player, Vec<Rc<Record>>) {
    let (player, records, violations) = judged(run, SimTime::from_ms(until_ms));
    assert_eq!(properties(&violations), Vec::<&str>::new());
    (player, records)
}

fn of_zab(records: &[Rc<Record>]) -> impl Iterator<Item = (u64, ServerId, &zab::Fact, Option<Note>)> {
    records.iter().filter_map(|record| match &record.fact {
        Fact::Zab { server, fact } => Some((record.at_us.as_ms(), *server, fact, record.why)),
        _ => None,
    })
}

/// What the client's calls came to, in their order.
fn outcomes(records: &[Rc<Record>]) -> Vec<client::CallOutcome> {
    let answered = records.iter().filter_map(|record| match &record.fact {
        Fact::Client { fact: client::Fact::Answered { outcome, .. }, .. } => Some(outcome.clone()),
        _ => None,
    });
    answered.collect()
}

fn refused(outcome: &client::CallOutcome) -> Option<Code> {
    match outcome {
        Err(client::Failure::Code(code)) => Some(*code),
        _ => None,
    }
}

fn config_of(player: &Player, server: u8) -> Members {
    let peer = &player.world().processes[&ServerId(server)].server().expect("it runs").peer;
    assert_eq!(peer.members.next, None, "server {server}");
    peer.members.now
}

fn written(records: &[Rc<Record>], after_ms: u64) -> usize {
    let answered = |record: &&Rc<Record>| matches!(record.fact, Fact::World(WorldFact::WriteAnswered { .. }));
    records.iter().filter(|record| record.at_us >= SimTime::from_ms(after_ms)).filter(answered).count()
}

#[test]
fn three_grow_to_five_and_then_two_may_die() {
    let (player, records) = play(scenario("reconfig-grow").unwrap().run(), 6_500);
    let configs = [3, 4, 5].map(|id| config_of(&player, id));
    assert_eq!(configs[0].voters, set(&[1, 2, 3, 4, 5]));
    assert!(configs.iter().all(|config| *config == configs[0]));
    let Ok(Answer::Data { data: Some(text), stat }) = &outcomes(&records)[0] else { panic!("{records:?}") };
    let text = text.to_string();
    assert_eq!(text, configs[0].to_string());
    assert!(text.contains("server.4=127.0.0.1:20004:30004:participant;0.0.0.0:10004\n"), "{text}");
    assert_eq!((stat.version, stat.mzxid), (-1, configs[0].version), "its version is the transaction's zxid");
    assert_eq!(written(&records, 4_300), 2, "three of five go on");
    assert_eq!(player.leader(), Some(ServerId(3)));
}

/// From its proposal until it is in force nothing is committed without a quorum of both configurations; what was proposed behind it
/// goes with it.
#[test]
fn two_quorums_overlap() {
    let slow = Action::Latency { from: set(&[3]), to: set(&[1, 2]), range: zabscope::sim::LatencyRange::ms(60, 60) };
    let run = run(
        1,
        Setup::default(),
        vec![
            (1_200, add(4)),
            (1_200, add(5)),
            (2_800, slow),
            (3_000, reconfig(&[spec(4, "participant"), spec(5, "participant")], None)),
            (3_080, write(3)),
        ],
    );
    let (_, records) = play(run, 6_000);
    let (three, five) = (Members::new(set(&[1, 2, 3]), set(&[])), Members::new(set(&[1, 2, 3, 4, 5]), set(&[])));
    let mut waited = 0;
    let mut seen = Zxid::ZERO;
    for (_, server, fact, _) in of_zab(&records) {
        match fact {
            zab::Fact::ConfigSeen { config } if server == ServerId(3) => seen = config.version,
            zab::Fact::AckCounted { zxid, acks, .. } if seen.counter() > 0 && *zxid >= seen => {
                waited += usize::from(five.is_quorum(*acks) && !three.is_quorum(*acks));
            }
            zab::Fact::Committed { zxid, acks } if seen.counter() > 0 && *zxid >= seen => {
                let both = three.is_quorum(*acks) && five.is_quorum(*acks);
                assert!(both || *zxid > seen && five.is_quorum(*acks), "{zxid}: {acks:?}");
            }
            _ => {}
        }
    }
    assert!(waited >= 2, "3, 4 and 5 alone were not enough, for the reconfiguration and the write behind it");
}

#[test]
fn a_leader_that_is_removed_hands_over_without_an_election() {
    let (player, records) = play(scenario("reconfig-leader-leaves").unwrap().run(), 5_000);
    let designated = of_zab(&records).find_map(|(at, _, fact, _)| match fact {
        zab::Fact::LeaderDesignated { leader } => Some((at, *leader)),
        _ => None,
    });
    let (at, leader) = designated.expect("another leader");
    assert_eq!(player.leader(), Some(leader));
    let after =
        |wanted: &dyn Fn(&zab::Fact) -> bool| of_zab(&records).any(|(when, _, fact, _)| when >= at && wanted(fact));
    assert!(after(&|fact| matches!(fact, zab::Fact::Established { epoch: 2, .. })));
    assert!(!of_zab(&records).any(|(when, who, fact, _)| {
        when >= at && who != ServerId(3) && matches!(fact, zab::Fact::Looking { .. })
    }));
    let suggested = of_zab(&records).filter(|(_, _, _, why)| *why == Some(Note::SuggestedByReconfig)).count();
    assert!(suggested >= 2, "the next leader and its follower");
    assert_eq!(config_of(&player, 1).voters, set(&[1, 2]));
    assert_eq!(written(&records, 3_200), 3, "two voters are a quorum of two, and the removed one is not missed");
}

/// The follower must look for its new leader: it closes its clients' connections while the answer is still on its way through other
/// threads. Real ones lost it in seven of eight plays. It is committed all the same.
#[test]
fn whoever_asks_a_follower_to_remove_the_leader_mostly_loses_the_answer() {
    let (mut lost, mut told) = (0, 0);
    for seed in 1..=48 {
        let (player, records) = play(run(seed, Setup::default(), vec![(2_000, reconfig(&[], Some("3")))]), 4_000);
        assert_eq!(config_of(&player, 1).voters, set(&[1, 2]));
        match outcomes(&records).first() {
            Some(Err(client::Failure::Code(Code::ConnectionLoss))) => lost += 1,
            Some(Ok(_)) => told += 1,
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(lost > 24 && told > 0, "lost {lost}, told {told}");
}

/// `QuorumPeer.java` `start`: "not in the peer list".
#[test]
fn a_server_that_was_removed_does_not_start_again_in_a_released_version() {
    let actions = || vec![(2_000, reconfig(&[], Some("1"))), (3_000, crash(1)), (3_500, restart(1))];
    let released = Setup { zookeeper: ZkVersion::V39, ..Setup::default() };
    let (player, records) = play(run(1, released, actions()), 4_500);
    let fault = zab::StartFault::NotInPeerList;
    assert!(
        of_zab(&records)
            .any(|(_, server, fact, _)| { server == ServerId(1) && *fact == zab::Fact::CannotStart { fault } })
    );
    assert!(!player.world().processes[&ServerId(1)].is_running());
    let (player, _) = play(run(1, Setup::default(), actions()), 4_500);
    assert!(player.world().processes[&ServerId(1)].server().expect("it runs").peer.is_serving());
}

#[test]
fn a_reconfiguration_needs_a_quorum_that_follows_already() {
    let (player, records) = play(scenario("reconfig-no-quorum").unwrap().run(), 5_500);
    let outcomes = outcomes(&records);
    assert_eq!(refused(&outcomes[0]), Some(Code::NewConfigNoQuorum));
    assert!(outcomes[1].is_ok(), "{outcomes:?}");
    assert_eq!(config_of(&player, 1).voters, set(&[1, 2, 3, 4, 5]), "it hears of it when it is back");
}

#[test]
fn what_is_wrong_with_a_reconfiguration_is_said() {
    let change = |joining: Option<&str>, leaving: Option<&str>, version| {
        let (joining, leaving) = (joining.map(Into::into), leaving.map(Into::into));
        ask(Request::Reconfig { joining, leaving, members: None, version })
    };
    let whole =
        |text: &str| ask(Request::Reconfig { joining: None, leaving: None, members: Some(text.into()), version: -1 });
    let four = spec(4, "observer");
    let actions = vec![
        (1_500, change(Some("server.4=here"), None, -1)),
        (1_700, change(Some(&four), None, 77)),
        (1_900, change(None, Some("1,2"), -1)),
        (2_100, whole("server.1=a:1:2:participant;3,port=4")),
        // right, and the next before it is committed
        (2_300, change(Some(&four), None, 1 << 32)),
        (2_301, change(None, Some("4"), -1)),
        (3_000, whole("server.1=a:1:2;3\nserver.2=a:1:2;3\nserver.3=a:1:2;3")),
    ];
    let (player, records) = play(run(1, Setup::default(), actions.clone()), 4_000);
    let codes: Vec<Option<Code>> = outcomes(&records).iter().map(refused).collect();
    let wrong = Some(Code::BadArguments);
    let expected = [wrong, Some(Code::BadVersion), wrong, wrong, None, Some(Code::ReconfigInProgress), None];
    assert_eq!(codes, expected);
    assert_eq!(config_of(&player, 3).observers, set(&[]));

    let mut disabled = run(1, Setup::default(), actions[4..5].to_vec());
    disabled.setup.reconfig_enabled = false;
    assert_eq!(refused(&outcomes(&play(disabled, 4_000).1)[0]), Some(Code::ReconfigDisabled));
    let mut nobody = run(1, Setup::default(), actions[4..5].to_vec());
    nobody.setup.super_digest = None;
    assert_eq!(refused(&outcomes(&play(nobody, 4_000).1)[0]), Some(Code::NoAuth), "everybody may read it only");
}

#[test]
fn whoever_has_the_right_on_the_znode_may_reconfigure() {
    let acl = Request::SetAcl { path: "/zookeeper/config".into(), acl: Acl::open(), version: -1 };
    let other = ClientId(2);
    let open =
        Action::OpenClient { client: other, servers: vec![ServerId(1)], timeout_ms: 4_000, chroot: None, raw: false };
    let Action::Ask { request, .. } = reconfig(&[spec(4, "observer")], None) else { panic!() };
    let asked = Action::Ask { client: other, request, watcher: None, local: false, on_old_connection: false };
    let (player, _) = play(run(1, Setup::default(), vec![(1_300, ask(acl)), (1_400, open), (2_500, asked)]), 4_000);
    assert_eq!(config_of(&player, 1).observers, set(&[4]));
}

/// The watch of `/zookeeper/config` fires; an observer that gets a vote changes its role.
#[test]
fn an_observer_gets_a_vote_and_the_config_watch_fires() {
    let watch = ask(Request::GetData { path: "/zookeeper/config".into(), watch: true });
    let actions = vec![
        (1_500, watch),
        (2_000, reconfig(&[spec(4, "participant")], None)),
        (3_500, crash(1)),
        (3_600, crash(2)),
        (3_800, write(3)),
    ];
    let setup = Setup { observers: 1, ..Setup::default() };
    let (player, records) = play(run(1, setup, actions), 4_600);
    let left = of_zab(&records).any(|(_, server, fact, _)| {
        let reason = LeaveReason::Reconfigured;
        server == ServerId(4) && matches!(fact, zab::Fact::Left { reason: why, .. } if *why == reason)
    });
    assert!(left, "it connects again, as a follower");
    let fired = records.iter().any(|record| match &record.fact {
        Fact::Client { fact: client::Fact::WatcherCalled { event, .. }, .. } => {
            event.kind == EventType::NodeDataChanged && event.path.as_deref() == Some("/zookeeper/config")
        }
        _ => false,
    });
    assert!(fired);
    assert_eq!(config_of(&player, 4).voters, set(&[1, 2, 3, 4]));
    assert_eq!(written(&records, 3_800), 0, "two of four are no majority");
}

/// The leader dies between proposal and commit: whoever leads next has seen the configuration and completes it, with a quorum of both.
#[test]
fn a_new_leader_completes_what_it_has_seen() {
    let run = run(
        1,
        Setup::default(),
        vec![
            (1_200, add(4)),
            (1_200, add(5)),
            (
                2_990,
                Action::Latency {
                    from: set(&[1, 2, 4, 5]),
                    to: set(&[3]),
                    range: zabscope::sim::LatencyRange::ms(80, 80),
                },
            ),
            (3_000, reconfig(&[spec(4, "participant"), spec(5, "participant")], None)),
            (3_230, crash(3)),
            (6_000, write(1)),
        ],
    );
    let (player, records) = play(run, 8_000);
    let seen = of_zab(&records).filter(|(at, _, fact, _)| {
        *at < 3_230 && matches!(fact, zab::Fact::ConfigSeen { config } if config.version.counter() > 0)
    });
    assert!(seen.count() > 1, "others than the leader had it on disk");
    assert_eq!(config_of(&player, 1).voters, set(&[1, 2, 3, 4, 5]));
    assert_eq!(written(&records, 6_000), 1);
}

/// A server that slept through a reconfiguration learns of it from notifications, and looks among the new voters then.
#[test]
fn a_later_configuration_is_adopted_in_an_election() {
    let run = run(
        1,
        Setup::default(),
        vec![
            (1_200, add(4)),
            (1_200, add(5)),
            (2_000, crash(1)),
            (3_000, reconfig(&[spec(4, "participant"), spec(5, "participant")], None)),
            (3_800, crash(2)),
            (4_500, restart(1)),
        ],
    );
    let (player, records) = play(run, 6_500);
    let adopted = of_zab(&records).any(|(at, server, fact, _)| {
        let five = |config: &Members| config.voters.len() == 5;
        at >= 4_500 && server == ServerId(1) && matches!(fact, zab::Fact::ConfigActivated { config } if five(config))
    });
    assert!(adopted);
    assert_eq!(config_of(&player, 1).voters, set(&[1, 2, 3, 4, 5]));
}

/// Servers that are only added have no vote anywhere: what was two leaders in one epoch once.
#[test]
fn adding_voters_does_not_make_two_leaders() {
    let run = Run::from_json(include_str!("real_runs/add-two-voters.json")).expect("a run");
    let (_, records) = play(run, 20_000);
    let leaders: Vec<ServerId> = of_zab(&records)
        .filter_map(|(_, server, fact, _)| matches!(fact, zab::Fact::Established { .. }).then_some(server))
        .collect();
    assert!(leaders.iter().all(|leader| set(&[1, 2, 3]).contains(*leader)), "{leaders:?}");
}

#[test]
fn files_edited_by_hand_make_two_leaders() {
    let (_, records, violated) = judged(scenario("config-by-hand").unwrap().run(), SimTime::from_ms(6_000));
    assert_eq!(written(&records, 4_500), 2, "both halves commit");
    assert!(!violated.is_empty(), "and the checker says so");
}

#[test]
fn groups_decide_and_a_server_without_weight_never_leads() {
    let setup = Setup {
        voters: 5,
        groups: vec![set(&[1, 2, 3]), set(&[4, 5])],
        weights: vec![1, 1, 1, 0, 0],
        ..Setup::default()
    };
    let actions = vec![(2_000, crash(4)), (2_000, crash(5)), (2_500, write(1)), (3_000, crash(1)), (3_500, write(2))];
    let (player, records) = play(run(1, setup, actions), 4_500);
    assert_eq!(player.leader(), Some(ServerId(3)), "5 has the highest id and no weight");
    assert_eq!(written(&records, 2_500), 2, "two of the three that weigh something");
    let text = config_of(&player, 3).to_string();
    assert!(text.contains("group.2=4:5\nweight.1=1\n") && text.contains("weight.5=0\nversion="), "{text}");
}

#[test]
fn four_of_nine_go_on_and_five_others_cannot() {
    let run = scenario("quorum-groups").unwrap().run();
    let leader = |until_ms| play(run.clone(), until_ms).0.leader();
    assert_eq!(leader(1_900), Some(ServerId(8)), "9 has the highest id and no weight");
    assert_eq!(leader(4_400), Some(ServerId(5)));
    assert_eq!(leader(8_400), None);
    assert_eq!(leader(10_400), Some(ServerId(5)), "it is back");
    let (_, records) = play(run, 8_400);
    assert_eq!(written(&records, 4_500), 2, "by 1, 2, 4 and 5");
    assert_eq!(written(&records, 6_500), 0, "1, 2, 3, 4 and 9 are more than half, but of one group only");
}

/// Reconfigurations under faults: nothing is lost, and each epoch has one leader.
#[test]
fn random_reconfigurations_under_faults_lose_nothing() {
    let mut done = 0;
    for seed in 0..40 {
        let mut prng = zabscope::base::Prng::new(seed, zabscope::base::Stream::Server);
        let mut actions = vec![(1_200, add(4)), (1_300, add(5))];
        let mut at = 2_000;
        while at < 14_000 {
            at += u64::from(50 + prng.below(500));
            let server = 1 + prng.below(5) as u8;
            let other = 1 + prng.below(5) as u8;
            actions.push((
                at,
                match prng.below(9) {
                    0 => crash(server),
                    1 | 2 => restart(server),
                    3 if server != other => cut(&[server], &[other]),
                    3 | 4 => Action::HealAll,
                    5 | 6 => {
                        reconfig(&[spec(server, if prng.below(4) == 0 { "observer" } else { "participant" })], None)
                    }
                    7 => reconfig(&[], Some(&server.to_string())),
                    _ => write(server),
                },
            ));
        }
        actions.push((14_500, Action::HealAll));
        actions.extend((1..=5).map(|server| (14_600, restart(server))));
        let mut run = run(seed, Setup { crash_keeps_prefix: true, ..Setup::default() }, actions);
        // a restart of a server that runs is refused: that is all right
        run.setup.commit_log_count = 10 + seed as usize % 7;
        let (_, records) = play(run, 20_000);
        done += outcomes(&records).iter().filter(|outcome| matches!(outcome, Ok(Answer::Data { .. }))).count();
    }
    assert!(done > 60, "{done} reconfigurations");
}
