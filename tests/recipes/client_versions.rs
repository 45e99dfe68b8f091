//! Versions of Curator and kazoo beside each other: the same play in a run that names one and in a run that names the other.

use zabscope::base::{ClientId, RuleSet, ServerId};
use zabscope::client::Fact as Inside;
use zabscope::recipes::{CuratorConfig, ErrorPolicy, Kind, RecipeRule};
use zabscope::sim::{Action, CuratorVersion, Fact, KazooVersion, Player, Run, Setup};
use zabscope::wire::{Acl, AuthId, CreateMode, Data, KeeperState, Perms, Request};

use super::election_support::{crash_all, leaders, most_leaders, open_at, outage, queue};
use super::support::{Stage, call, call_for, call_with, create, delete, recipe};

const BOTH: [CuratorVersion; 2] = [CuratorVersion::V54, CuratorVersion::V59];

fn with_curator(clients: u16, curator: CuratorVersion) -> Stage {
    Stage::of(clients, 1, Setup { curator, ..Setup::default() })
}

fn with_kazoo(clients: u16, kazoo: KazooVersion) -> Stage {
    Stage::of(clients, 1, Setup { kazoo, ..Setup::default() })
}

/// What both versions come to.
fn beside<T>(play: impl Fn(CuratorVersion) -> T) -> [T; 2] {
    BOTH.map(play)
}

#[test]
fn a_setup_names_them_and_says_nothing_of_defaults() {
    let json = |run: &Run| run.to_json();
    assert!(
        !json(&Run::new(1, Setup::default())).contains("curator")
            && !json(&Run::new(1, Setup::default())).contains("kazoo")
    );
    for (key, name) in [("curator", "5.9"), ("kazoo", "2.10")] {
        let mut run = Run::new(1, Setup::default());
        run.set(&format!("{key}={name}")).expect("a version");
        let again = Run::from_json(&json(&run)).expect("a run");
        assert_eq!((again.setup.clone(), json(&again).contains(name)), (run.setup.clone(), true));
        let wrong = run.set(&format!("{key}=1.0")).expect_err("no such version").to_string();
        assert!(wrong.contains(name), "{wrong}");
    }
}

/// An outage longer than the sessions: back with new sessions, both find the nodes of their old ones (CURATOR-696).
fn ghosts(curator: CuratorVersion, rules: RuleSet) -> Stage {
    let mut stage = Stage::of(2, 1, Setup { curator, rules, ..Setup::default() });
    for client in 1..=2 {
        stage.make(client, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(client, &[call("latch", "start")]);
    }
    outage(&mut stage, false);
    stage
}

#[test]
fn a_latch_of_5_9_leads_by_no_ghost_unless_the_run_breaks_that() {
    let most = beside(|curator| most_leaders(&ghosts(curator, RuleSet::default()), "/latch"));
    assert_eq!(most, [2, 1]);
    let broken = RuleSet::default().breaking(RecipeRule::LeadsByGhost);
    assert_eq!(most_leaders(&ghosts(CuratorVersion::V59, broken), "/latch"), 2);
}

/// One request more for each leadership: the own node, without a watch.
#[test]
fn a_latch_of_5_9_reads_its_own_node_before_it_leads() {
    let asked = beside(|curator| {
        let mut stage = with_curator(1, curator);
        stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
        let from = stage.records.len();
        stage.run(1, &[call("latch", "start")]);
        assert_eq!(leaders(&stage, "/latch"), [1]);
        stage.asked(1, from).into_iter().filter(|request| request.starts_with("getData")).count()
    });
    assert_eq!(asked, [0, 1]);
}

/// CURATOR-724: the path is gone; and whoever still leads, by the session policy, looks again too.
#[test]
fn a_latch_of_5_9_looks_again_at_every_reconnection() {
    let led = beside(|curator| {
        let mut stage = with_curator(2, curator);
        for client in 1..=2 {
            stage.make(client, "latch", recipe(Kind::LATCH, "/latch"));
            stage.run(client, &[call("latch", "start")]);
        }
        outage(&mut stage, true);
        (leaders(&stage, "/latch").len(), queue(&stage, "/latch").len())
    });
    assert_eq!(led, [(0, 0), (1, 2)]);
    let looks = beside(|curator| {
        let mut stage = with_curator(1, curator);
        stage.set_up(1, CuratorConfig { error_policy: ErrorPolicy::Session, ..CuratorConfig::default() });
        stage.make(1, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(1, &[call("latch", "start")]);
        let from = stage.records.len();
        stage.disconnect(1);
        stage.pass(3_000);
        assert_eq!(leaders(&stage, "/latch"), [1]);
        stage.asked(1, from).iter().any(|request| request.starts_with("getChildren"))
    });
    assert_eq!(looks, [false, true]);
}

/// CURATOR-621: the reader's node has the writer's number, and the mode EPHEMERAL.
#[test]
fn a_writer_of_5_9_that_reads_on_keeps_its_number() {
    let played = beside(|curator| {
        let mut stage = with_curator(2, curator);
        stage.everybody_makes(2, "rw", &recipe(Kind::READ_WRITE, "/rw"));
        stage.run(1, &[call("rw", "write.acquire")]);
        stage.begin(2, 1, &[call("rw", "write.acquire")]);
        stage.pass(500);
        stage.run(1, &[call("rw", "read.acquire"), call("rw", "write.release")]);
        stage.pass(1_000);
        (queue(&stage, "/rw"), stage.last_returned(2))
    });
    let [(old_queue, old), (new_queue, new)] = played;
    assert_eq!((old.as_str(), new.as_str()), ("write.acquire ok", ""));
    assert_eq!(old_queue, ["__READ__0000000002", "__WRIT__0000000001"]);
    assert_eq!(new_queue, ["__READ__0000000000", "__WRIT__0000000001"]);
}

/// CURATOR-518: who waits is spared by interruptLeadership.
#[test]
fn a_selector_of_5_9_that_waits_is_not_interrupted() {
    let left = beside(|curator| {
        let mut stage = with_curator(2, curator);
        for client in 1..=2 {
            stage.make(client, "sel", recipe(Kind::SELECTOR, "/sel"));
            stage.run(client, &[call("sel", "start")]);
        }
        stage.run(2, &[call("sel", "interruptLeadership")]);
        queue(&stage, "/sel").len()
    });
    assert_eq!(left, [1, 2]);
}

/// CURATOR-715, 728.
#[test]
fn parents_are_looked_for_from_below_in_5_9() {
    let asked = beside(|curator| {
        let mut stage = with_curator(1, curator);
        stage.ask(1, create("/a", "", CreateMode::Persistent));
        stage.pass(500);
        stage.make(1, "barrier", recipe(Kind::BARRIER, "/a/b/c/d"));
        let from = stage.records.len();
        stage.run(1, &[call("barrier", "set")]);
        assert_eq!(stage.last_returned(1), "set ok");
        let all = stage.asked(1, from);
        all[1..all.len() - 1].to_vec()
    });
    let old = ["exists /a", "exists /a/b", "createContainer /a/b", "exists /a/b/c", "createContainer /a/b/c"];
    let new = [
        "exists /a/b/c/d",
        "exists /a/b/c",
        "exists /a/b",
        "exists /a",
        "createContainer /a/b",
        "createContainer /a/b/c",
    ];
    assert_eq!(asked, [old.map(String::from).to_vec(), new.map(String::from).to_vec()]);
}

/// Who may not see the upper node cannot lock below it with 5.4, since `exists` needs READ (ZOOKEEPER-2590).
#[test]
fn nobody_needs_the_right_to_see_what_is_above_in_5_9() {
    let locked = beside(|curator| {
        let mut stage = with_curator(2, curator);
        let (client, scheme, auth) = (ClientId(2), "digest".into(), Some("ops:secret".into()));
        stage.act(Action::AddAuth { client, scheme, auth });
        let own = Acl { perms: Perms::ALL, who: AuthId { scheme: "auth".into(), id: "".into() } };
        let Request::Create { path, data, mode, ttl, stat, flags, .. } = create("/ops", "", CreateMode::Persistent)
        else {
            unreachable!()
        };
        stage.ask(2, Request::Create { path, data, acl: vec![own], mode, ttl, stat, flags });
        stage.pass(500);
        stage.ask(2, create("/ops/locks", "", CreateMode::Persistent));
        stage.pass(500);
        stage.make(1, "lock", recipe(Kind::MUTEX, "/ops/locks/job"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.last_returned(1)
    });
    assert_eq!(locked, ["acquire NoAuthException", "acquire ok"]);
}

/// A count's node, made by hand.
fn made(data: Data) -> Request {
    let (path, acl, mode) = ("/n".into(), Acl::open(), CreateMode::Persistent);
    Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None }
}

/// CURATOR-688: versions begin anew, and 5.4 believes what it had.
#[test]
fn a_count_whose_node_was_made_anew_is_known_in_5_9() {
    let known = beside(|curator| {
        let mut stage = with_curator(2, curator);
        stage.make(1, "n", recipe(Kind::SHARED_COUNT, "/n"));
        stage.run(1, &[call("n", "start"), call_with("n", "setCount", "6"), call_with("n", "setCount", "7")]);
        let bytes = |number: i32| Some(number.to_be_bytes().into());
        let set = Request::SetData { path: "/n".into(), data: bytes(2), version: -1 };
        for request in [delete("/n"), made(bytes(1)), set] {
            stage.ask(2, request);
            stage.pass(200);
        }
        stage
            .run(1, &[call_with("n", "trySetCount", "8"), call("n", "getCount"), call_with("n", "trySetCount", "9")]);
        stage.returned(1)[3..].join(", ")
    });
    assert_eq!(known[0], "trySetCount false, getCount 7, trySetCount false", "for ever");
    assert_eq!(known[1], "trySetCount false, getCount 2, trySetCount true");
}

/// The version is -1 before the first read, as after two thousand million writes and as many again.
#[test]
fn nobody_tries_to_set_over_version_minus_one_in_5_9() {
    let tried = beside(|curator| {
        let mut stage = with_curator(1, curator);
        stage.make(1, "n", recipe(Kind::SHARED_COUNT, "/n"));
        stage.ask(1, made(Some([0; 4].into())));
        stage.pass(500);
        stage.begin(1, 1, &[call("n", "start")]);
        stage.begin(1, 2, &[call_with("n", "trySetCount", "5")]);
        stage.pass(1_000);
        let tried = |said: &String| said.starts_with("trySetCount");
        stage.returned(1).into_iter().find(tried).expect("an outcome")
    });
    assert_eq!(tried[0], "trySetCount true");
    assert!(tried[1].starts_with("trySetCount IllegalTrySetVersionException"), "{}", tried[1]);
}

/// Client 1 holds the lock; client 2, at another server, gives up at the first lost connection.
fn one_of_two_holds(curator: CuratorVersion) -> Stage {
    let mut stage = with_curator(0, curator);
    open_at(&mut stage, 1, 1);
    open_at(&mut stage, 2, 2);
    stage.set_up(2, CuratorConfig { connection_timeout_ms: 300, max_retries: 0, ..CuratorConfig::default() });
    for client in 1..=2 {
        stage.make(client, "lock", recipe(Kind::MUTEX, "/lock"));
    }
    stage.run(1, &[call("lock", "acquire")]);
    stage
}

/// The server of client 2 goes before it can delete; what its acquire then comes to.
fn loses_its_server_before_its_delete(stage: &mut Stage) -> String {
    stage.until("its delete", |stage| stage.asked(2, 0).last().is_some_and(|last| last.starts_with("delete")));
    stage.act(Action::Crash { server: ServerId(2) });
    stage.pass(5_000);
    stage.last_returned(2)
}

/// CURATOR-41: the servers go while it waits; neither the list nor the delete is answered.
#[test]
fn an_acquire_whose_clean_up_fails_says_why_it_failed() {
    let said = beside(|curator| {
        let mut stage = one_of_two_holds(curator);
        stage.begin(2, 1, &[call("lock", "acquire")]);
        stage.pass(500);
        // its node goes while it does not look, and its server before it can delete what is not there
        let own = stage.children("/lock").into_iter().find(|node| node.ends_with('1')).expect("its node");
        stage.ask(1, delete(&own));
        stage.pass(100);
        stage.begin(1, 1, &[call("lock", "release")]);
        loses_its_server_before_its_delete(&mut stage)
    });
    assert_eq!(said, ["acquire ConnectionLossException", "acquire NoNodeException"]);
}

/// A timed acquire that ends without the lock fails where its node cannot be deleted, in both.
#[test]
fn who_gives_up_and_cannot_delete_its_node_is_told() {
    let said = beside(|curator| {
        let mut stage = one_of_two_holds(curator);
        stage.begin(2, 1, &[call_for("lock", "acquire", 600)]);
        loses_its_server_before_its_delete(&mut stage)
    });
    assert_eq!(said, ["acquire ConnectionLossException"; 2]);
}

/// How often a lock's release, or a semaphore's acquire, was tried whose server is away, where `command_retry` allows so many tries;
/// and what it came to.
fn tries(kazoo: KazooVersion, command_tries: Option<u32>, releases: bool) -> (usize, String) {
    // sessions outlast the crashes
    let mut stage = Stage::of(0, 1, Setup { kazoo, tick_time_ms: 2_000, ..Setup::default() });
    let (client, server) = (ClientId(1), ServerId(1));
    let servers = vec![server];
    stage.act(Action::OpenClient { client, servers, timeout_ms: 40_000, chroot: None, raw: false });
    stage.pass(500);
    stage.set_up(1, CuratorConfig { command_tries, ..CuratorConfig::default() });
    let (kind, method, request) = match releases {
        true => (Kind::KAZOO_LOCK, "release", "delete"),
        false => (Kind::KAZOO_SEMAPHORE, "acquire", "exists"),
    };
    stage.make(1, "lock", recipe(kind, "/lock"));
    if releases {
        stage.run(1, &[call("lock", "acquire")]);
    }
    let from = stage.records.len();
    stage.begin(1, 1, &[call("lock", method)]);
    let asked = |stage: &Stage| stage.asked(1, from).iter().filter(|asked| asked.starts_with(request)).count();
    // its server crashes before the request is there
    for tried in 1..=6 {
        let soon = stage.player.world().now.as_ms() + 20_000;
        while asked(&stage) < tried && stage.player.world().now.as_ms() < soon {
            stage.pass(1);
        }
        if asked(&stage) == tried {
            stage.act(Action::Crash { server });
            stage.pass(200);
            stage.act(Action::Restart { server });
        }
    }
    (asked(&stage), stage.last_returned(1).split(':').next().unwrap_or_default().to_string())
}

/// `KazooRetry.__call__`: max_tries counts every call since 2.11, and 0 has no end; it counted all but the first.
#[test]
fn max_tries_counts_the_first_try_since_2_11() {
    for (releases, gave_up, before) in
        [(true, "release RetryFailedError", "acquire true"), (false, "acquire RetryFailedError", "")]
    {
        let tries = |kazoo, limit| tries(kazoo, limit, releases);
        for (limit, newer, older) in [(1, 1, 2), (2, 2, 3), (3, 3, 4)] {
            assert_eq!(tries(KazooVersion::V211, Some(limit)), (newer, gave_up.into()), "max_tries={limit}");
            assert_eq!(tries(KazooVersion::V210, Some(limit)), (older, gave_up.into()), "max_tries={limit}");
        }
        assert_eq!(tries(KazooVersion::V210, Some(0)), (1, gave_up.into()));
        for endless in
            [tries(KazooVersion::V211, Some(0)), tries(KazooVersion::V211, None), tries(KazooVersion::V210, None)]
        {
            assert_eq!(endless, (6, before.into()));
        }
    }
}

/// A session that is lost while a semaphore waits is a try too (`ForceRetryError`): with two of them the second loss is the end.
#[test]
fn a_lost_session_is_one_of_a_semaphores_tries() {
    for (command_tries, gave_up) in [(Some(2), true), (Some(3), false), (None, false)] {
        let mut stage = with_kazoo(2, KazooVersion::V211);
        stage.set_up(2, CuratorConfig { command_tries, ..CuratorConfig::default() });
        stage.everybody_makes(2, "s", &recipe(Kind::KAZOO_SEMAPHORE, "/s"));
        stage.run(1, &[call("s", "acquire")]);
        stage.begin(2, 1, &[call("s", "acquire")]);
        for _ in 0..2 {
            stage.pass(5_000);
            stage.expire(2);
        }
        stage.pass(10_000);
        assert_eq!(stage.last_returned(2).starts_with("acquire RetryFailedError"), gave_up, "{command_tries:?}");
        stage.run(1, &[call("s", "release")]);
        stage.pass(2_000);
        assert_eq!(stage.holders("/s"), if gave_up { Vec::new() } else { vec![(2, 1)] }, "{command_tries:?}");
    }
}

/// Who holds the lock writes something in the background, `writes` times, and stops: what was written, and whether its node
/// is still there after a second, and when its session is over.
fn stopped(kazoo: KazooVersion, writes: u32) -> (usize, bool, bool, Vec<(KeeperState, bool)>) {
    let mut stage = with_kazoo(2, kazoo);
    stage.ask(1, create("/log", "", CreateMode::Persistent));
    stage.make(1, "lock", recipe(Kind::KAZOO_LOCK, "/lock"));
    stage.run(1, &[call("lock", "acquire")]);
    for _ in 0..writes {
        stage.ask(1, create("/log/line-", "", CreateMode::PersistentSequential));
    }
    stage.act(Action::CloseClient { client: ClientId(1) });
    stage.pass(1_000);
    let held = !stage.children("/lock").is_empty();
    stage.pass(8_000);
    let ended = stage.records.iter().filter_map(|record| match &record.fact {
        Fact::Client { client: ClientId(1), fact: Inside::ClientEnded { state, by_itself, .. } } => {
            Some((*state, *by_itself))
        }
        _ => None,
    });
    (stage.children("/log").len(), held, !stage.children("/lock").is_empty(), ended.collect())
}

/// `KazooClient.stop`: 2.10 sends one more request and cuts the connection; the session lives on, and the lock with it.
#[test]
fn stop_sends_what_is_queued_since_2_11() {
    let closed = |cut: bool| vec![(KeeperState::Closed, cut)];
    assert_eq!(stopped(KazooVersion::V211, 3), (3, false, false, closed(false)));
    assert_eq!(stopped(KazooVersion::V210, 0), (0, false, false, closed(false)));
    let (written, held, still, ended) = stopped(KazooVersion::V210, 3);
    assert_eq!((held, still, ended), (true, false, closed(true)));
    assert!((1..3).contains(&written), "{written}");
}

/// A client that is stopped while it connects does not close its session then: it never had one, or keeps it.
#[test]
fn stopped_while_it_connects_2_10_sends_nothing() {
    for (kazoo, session_stays) in [(KazooVersion::V211, false), (KazooVersion::V210, true)] {
        let mut stage = with_kazoo(1, kazoo);
        stage.make(1, "lock", recipe(Kind::KAZOO_LOCK, "/lock"));
        stage.run(1, &[call("lock", "acquire")]);
        stage.disconnect(1);
        stage.until("an attempt", |stage| stage.player.world().clients[&ClientId(1)].client.server.is_some());
        stage.act(Action::CloseClient { client: ClientId(1) });
        stage.pass(1_000);
        assert_eq!(!stage.children("/lock").is_empty(), session_stays, "{kazoo:?}");
        stage.pass(8_000);
        assert!(stage.children("/lock").is_empty());
    }
}

/// ZOOKEEPER-4508 is of the Java client: kazoo's tries on, until a server tells it.
#[test]
fn only_a_server_ends_the_session_of_kazoo() {
    for kind in [Kind::KAZOO_LOCK, Kind::MUTEX] {
        let mut stage = Stage::new(1);
        stage.make(1, "lock", recipe(kind, "/lock"));
        crash_all(&mut stage);
        stage.pass(15_000);
        let by_itself = |fact: &Inside| matches!(fact, Inside::ClientEnded { by_itself: true, .. });
        let gave_up = stage.records.iter().any(|record| match &record.fact {
            Fact::Client { fact, .. } => by_itself(fact),
            _ => false,
        });
        let over = stage.player.world().clients[&ClientId(1)].client.is_over();
        assert_eq!((gave_up, over), (false, false), "{kind:?}");
        let told = stage.told(1).iter().any(|told| format!("{told:?}").contains("Lost"));
        assert_eq!(told, kind == Kind::MUTEX, "Curator's own timer says LOST");
    }
}

/// What random programs do breaks nothing that it does not break with 5.4, and the run plays twice alike.
#[test]
fn runs_of_any_version_are_deterministic() {
    for (key, name) in [("curator", "5.9"), ("kazoo", "2.10")] {
        let mut run = zabscope::soak::soak_run(3, 7, 1, Default::default());
        run.set(&format!("{key}={name}")).expect("a version");
        let digest = || {
            let mut player = Player::new(run.clone()).expect("a run");
            player.run_until(zabscope::base::SimTime::from_ms(60_000), |_, _| {});
            player.digest()
        };
        assert_eq!(digest(), digest());
    }
}
