//! What is built from plain operations: master and workers, configuration, names, standby, collectors.

use zabscope::base::{ClientId, ServerId};
use zabscope::client::Fact as Inside;
use zabscope::recipes::own::READY;
use zabscope::recipes::{CuratorConfig, Kind, Method, Recipe, Step, ThreadId};
use zabscope::sim::{Action, Fact, Setup};
use zabscope::wire::{Acl, AuthId, CreateMode, Perms, Request};

use super::support::{Stage, call, call_with, create, recipe, set};

/// A stage where every client has the object under the name `x`, with the ids c1, c2, …
fn stage(clients: u16, kind: Kind, path: &str) -> Stage {
    staged(Stage::new(clients), clients, kind, path)
}

fn staged(mut stage: Stage, clients: u16, kind: Kind, path: &str) -> Stage {
    for client in 1..=clients {
        stage.make(client, "x", named(client, kind, path));
    }
    stage
}

fn named(client: u16, kind: Kind, path: &str) -> Recipe {
    Recipe { id: Some(format!("c{client}").into()), ..recipe(kind, path) }
}

fn kill(stage: &mut Stage, client: u16) {
    stage.act(Action::KillClient { client: ClientId(client) });
    stage.pass(8_000);
}

fn consumed(stage: &Stage, clients: &[u16]) -> Vec<String> {
    let all = clients.iter().flat_map(|client| stage.said(*client, "consumed"));
    let mut all: Vec<String> = all.map(|item| item.to_string()).collect();
    all.sort();
    all
}

/// use-master-worker: assignment, a worker dies, the master dies, the backup takes over.
#[test]
fn tasks_are_done_though_a_worker_and_the_master_die() {
    let mut stage = stage(5, Kind::MASTER_WORKER, "/");
    stage.run(1, &[call("x", "master")]);
    stage.run(2, &[call("x", "master")]);
    stage.run(3, &[call_with("x", "worker", "2000")]);
    stage.run(4, &[call_with("x", "worker", "2000")]);
    assert_eq!(stage.said(1, "leads").join(" "), "c1");
    assert_eq!(stage.said(2, "stands_by").join(" "), "c1");
    let submit: Vec<_> = ["a", "b", "c", "d"].iter().map(|task| call_with("x", "submit", task)).collect();
    stage.begin(5, 1, &submit);
    stage.until("all is assigned", |stage| stage.children("/assign/c3").len() == 2);
    assert_eq!(stage.said(1, "assigns").len(), 4);
    kill(&mut stage, 3);
    stage.pass(4_000);
    assert_eq!(stage.said(1, "buries").join(" "), "c3");
    assert_eq!(consumed(&stage, &[4]), ["a", "b", "c", "d"]);
    kill(&mut stage, 1);
    assert_eq!(stage.said(2, "leads").join(" "), "c2");
    stage.run(5, &[call_with("x", "submit", "e")]);
    stage.pass(3_000);
    assert_eq!(consumed(&stage, &[4]), ["a", "b", "c", "d", "e"]);
    assert!(stage.children("/tasks").is_empty());
    assert!(stage.children("/assign/c4").is_empty());
}

/// The master dies between two tasks; what it had assigned is done all the same, and the backup does not assign it again.
#[test]
fn a_backup_goes_on_where_the_master_stopped() {
    let mut stage = staged(Stage::of(4, 3, Setup::default()), 4, Kind::MASTER_WORKER, "/app");
    stage.run(1, &[call("x", "master")]);
    stage.run(2, &[call("x", "master")]);
    stage.run(3, &[call_with("x", "worker", "15000")]);
    stage.run(4, &[call_with("x", "submit", "long")]);
    kill(&mut stage, 1);
    assert_eq!(stage.said(2, "leads").join(" "), "c2");
    assert!(stage.said(2, "assigns").is_empty());
    stage.pass(15_000);
    assert_eq!(consumed(&stage, &[3]), ["long"]);
}

/// A worker's session expires: it registers again, and works on.
#[test]
fn a_worker_whose_session_expires_registers_again() {
    let mut stage = stage(3, Kind::MASTER_WORKER, "/app");
    stage.run(1, &[call("x", "master")]);
    stage.run(2, &[call("x", "worker")]);
    stage.expire(2);
    stage.pass(5_000);
    stage.run(3, &[call_with("x", "submit", "t")]);
    stage.pass(3_000);
    assert_eq!(consumed(&stage, &[2]), ["t"]);
}

/// use-config: who subscribes before and after the first publication; and one who was away.
#[test]
fn subscribers_follow_the_configuration() {
    let mut stage = stage(3, Kind::CONFIG, "/conf");
    stage.run(2, &[call("x", "subscribe"), call("x", "get")]);
    stage.run(1, &[call_with("x", "publish", "v1")]);
    stage.run(3, &[call("x", "subscribe")]);
    stage.act(Action::PauseClient { client: ClientId(3) });
    stage.run(1, &[call_with("x", "publish", "v2")]);
    stage.run(1, &[call_with("x", "publish", "v3")]);
    stage.act(Action::ResumeClient { client: ClientId(3) });
    stage.pass(2_000);
    assert_eq!(stage.said(2, "configured").join(" "), "v1 v2 v3");
    assert_eq!(stage.said(3, "configured").join(" "), "v1 v3");
    stage.run(2, &[call("x", "get")]);
    assert_eq!(stage.returned(2), ["subscribe ok", "get null", "get v3"]);
}

/// use-naming: the balancer hands out the addresses in turn, and follows who comes and goes.
#[test]
fn a_balancer_follows_the_instances() {
    let mut stage = stage(4, Kind::NAMING, "/services/web");
    stage.run(4, &[call("x", "follow"), call("x", "lookup")]);
    for (client, address) in [(1, "a"), (2, "b"), (3, "c")] {
        stage.run(client, &[call_with("x", "register", address)]);
    }
    stage.run(4, &[call("x", "lookup"), call("x", "lookup"), call("x", "lookup"), call("x", "lookup")]);
    assert_eq!(stage.returned(4)[1..], ["lookup null", "lookup a", "lookup b", "lookup c", "lookup a"]);
    kill(&mut stage, 1);
    stage.run(2, &[call("x", "unregister")]);
    let follows: Vec<_> = stage.said(4, "follows").iter().map(|list| list.to_string()).collect();
    assert_eq!(follows, ["a", "a b", "a b c", "b c", "c"]);
    stage.expire(3);
    stage.pass(5_000);
    assert_eq!(stage.said(4, "follows")[5..].join("|"), "|c");
}

/// A guaranteed delete that waited for its connection deletes by name, though the node is another's by then; who
/// keeps its node makes it again.
#[test]
fn a_late_delete_hits_the_successor() {
    let mut stage = Stage::new(2);
    let (client, servers) = (ClientId(3), vec![ServerId(3)]);
    stage.act(Action::OpenClient { client, servers, timeout_ms: 2_000, chroot: None, raw: false });
    stage.set_up(3, CuratorConfig { connection_timeout_ms: 200, max_retries: 0, ..CuratorConfig::default() });
    stage.pass(500);
    for client in 1..=3 {
        stage.make(client, "x", Recipe { id: Some("web-1".into()), ..recipe(Kind::NAMING, "/svc") });
    }
    stage.run(1, &[call("x", "follow")]);
    stage.run(3, &[call_with("x", "register", "old")]);
    stage.act(Action::Crash { server: ServerId(3) });
    stage.pass(100);
    stage.run(3, &[call("x", "unregister")]);
    assert_eq!(stage.returned(3).last().map(String::as_str), Some("unregister ConnectionLossException"));
    stage.pass(6_000);
    stage.run(2, &[call_with("x", "register", "new")]);
    stage.act(Action::Restart { server: ServerId(3) });
    stage.pass(6_000);
    let follows: Vec<_> = stage.said(1, "follows").iter().map(|list| list.to_string()).collect();
    assert_eq!(follows, ["old", "", "new", "", "new"]);
}

/// A client believes that its session is over before the servers do. In its new session it finds its own node, which
/// the old session still holds, and adopts it; when the servers end the old session, the node goes and is made again:
/// others see it leave and come back.
#[test]
fn an_adopted_node_goes_with_the_old_session() {
    let mut stage = Stage::new(2);
    stage.set_up(1, CuratorConfig { expiration_percent: 1, ..CuratorConfig::default() });
    for client in 1..=2 {
        stage.make(client, "x", Recipe { id: Some("web-1".into()), ..recipe(Kind::NAMING, "/svc") });
    }
    stage.run(2, &[call("x", "follow")]);
    stage.run(1, &[call_with("x", "register", "a")]);
    stage.pass(500);
    stage.disconnect(1);
    stage.pass(10_000);
    let follows: Vec<_> = stage.said(2, "follows").iter().map(|list| list.to_string()).collect();
    assert_eq!(follows, ["a", "", "a"]);
}

/// `TestFailedDeleteManager#testGuaranteedDeleteOnNonExistentNodeInForeground`: there is nothing to be tried again.
#[test]
fn a_guaranteed_delete_of_a_missing_node_is_not_tried_again() {
    let mut stage = stage(1, Kind::NAMING, "/svc");
    let from = stage.records.len();
    stage.run(1, &[call("x", "unregister")]);
    stage.pass(5_000);
    assert_eq!(stage.returned(1), ["unregister NoNodeException"]);
    assert_eq!(stage.asked(1, from), ["delete /svc/c1"]);
}

fn last_commit(stage: &Stage, task: &str) -> u64 {
    stage.data(&format!("{task}/lastCommit")).and_then(|data| data.parse().ok()).unwrap_or(0)
}

/// use-standby, hot: the smallest runs, the others stand by; the next one goes on from lastCommit.
#[test]
fn a_hot_standby_goes_on_from_the_last_commit() {
    let mut stage = stage(3, Kind::STANDBY, "/bus/copy");
    for client in 1..=3 {
        stage.run(client, &[call("x", "hot")]);
    }
    stage.pass(3_000);
    assert_eq!(stage.said(1, "runs_from").join("|"), "/bus/copy 0");
    assert_eq!(stage.said(2, "stands_by").len() + stage.said(3, "stands_by").len(), 2);
    let before = last_commit(&stage, "/bus/copy");
    assert!(before >= 5, "{before}");
    kill(&mut stage, 1);
    let from = stage.said(2, "runs_from");
    let from: u64 = from[0].rsplit(' ').next().and_then(|from| from.parse().ok()).expect("a number");
    assert!(from >= before && last_commit(&stage, "/bus/copy") > from);
    assert!(stage.said(3, "runs_from").is_empty());
}

/// use-standby, cold: nobody stands by at a task; a scanner finds those that nobody runs. It costs requests all the time,
/// where the hot one has a node and a watch for each instance and task.
#[test]
fn a_cold_standby_finds_what_nobody_runs() {
    let mut stage = stage(2, Kind::STANDBY, "/group");
    stage.run(1, &[call_with("x", "task", "t1"), call_with("x", "task", "t2"), call("x", "cold")]);
    stage.pass(2_000);
    stage.run(2, &[call("x", "cold")]);
    stage.pass(3_000);
    assert_eq!(stage.said(1, "runs_from").join("|"), "/group/tasks/t1 0|/group/tasks/t2 0");
    assert!(stage.said(2, "runs_from").is_empty());
    assert_eq!(stage.children("/group/tasks/t1/instances").len(), 1);
    let from = stage.records.len();
    stage.pass(5_000);
    assert!(stage.asked(2, from).len() >= 20, "{}", stage.asked(2, from).len());
    let before = last_commit(&stage, "/group/tasks/t1");
    kill(&mut stage, 1);
    assert_eq!(stage.said(2, "runs_from").len(), 2);
    assert!(last_commit(&stage, "/group/tasks/t1") > before);
}

#[test]
fn of_two_cold_scanners_that_meet_one_withdraws() {
    let mut stage = stage(3, Kind::STANDBY, "/group");
    stage.begin(1, 1, &[call("x", "cold")]);
    stage.begin(2, 1, &[call("x", "cold")]);
    stage.run(3, &[call_with("x", "task", "t")]);
    stage.pass(4_000);
    assert_eq!(stage.children("/group/tasks/t/instances").len(), 1);
    assert_eq!(stage.said(1, "runs_from").len() + stage.said(2, "runs_from").len(), 1);
}

fn collectors(clients: u16, words: &[&str]) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        let with = words.iter().map(|word| (*word).into()).collect();
        stage.make(client, "x", Recipe { with, ..named(client, Kind::COLLECTORS, "/logs") });
    }
    stage.run(1, &[call("x", "monitor")]);
    let sources: Vec<_> = ["s1", "s2", "s3", "s4"].iter().map(|source| call_with("x", "source", source)).collect();
    stage.run(1, &sources);
    stage.run(2, &[call("x", "collect")]);
    stage.run(3, &[call("x", "collect")]);
    stage.pass(3_000);
    stage
}

fn given(stage: &Stage, client: u16) -> usize {
    let data = stage.data(&format!("/logs/collectors/c{client}")).unwrap_or_default();
    data.split(' ').filter(|source| !source.is_empty()).count()
}

/// use-collectors: registration, assignment, a silent collector's sources move, a new one gets its share.
#[test]
fn sources_follow_the_living_collectors() {
    let mut stage = collectors(4, &[]);
    assert_eq!((given(&stage, 2), given(&stage, 3)), (2, 2));
    kill(&mut stage, 2);
    assert_eq!((given(&stage, 2), given(&stage, 3)), (0, 4));
    stage.run(4, &[call("x", "collect")]);
    stage.pass(3_000);
    assert_eq!((given(&stage, 3), given(&stage, 4)), (2, 2));
    assert_eq!(stage.said(4, "collects").last().map(|sources| sources.split(' ').count()), Some(2));
}

/// Why persistent nodes with a status: a short loss of the session moves nothing, where ephemeral nodes lose everything that
/// stood in them.
#[test]
fn a_lost_session_moves_nothing_unless_the_nodes_are_ephemeral() {
    for (words, stays) in [(&[][..], true), (&["ephemeral"][..], false)] {
        let mut stage = collectors(3, words);
        assert_eq!((given(&stage, 2), given(&stage, 3)), (2, 2));
        let before = stage.said(1, "moves").len();
        stage.expire(2);
        stage.pass(6_000);
        assert_eq!(stage.said(1, "moves").len() == before, stays, "{words:?}");
        assert_eq!((given(&stage, 2), given(&stage, 3)), (2, 2));
    }
}

/// Whatever is asked of whatever object: an exception at most.
#[test]
fn no_method_of_any_recipe_breaks_the_program() {
    let mut methods: Vec<&str> = Kind::all().flat_map(|kind| kind.methods()).copied().chain(["nonsense"]).collect();
    methods.sort_unstable();
    methods.dedup();
    for path in ["/", "/a", "/a /b", "/日本/語"] {
        let mut stage = Stage::new(1);
        for (number, kind) in Kind::all().enumerate() {
            let object = format!("o{number}");
            let with = if kind == Kind::OWN { vec![READY[0].text.into()] } else { Vec::new() };
            stage.make(1, &object, Recipe { with, ..recipe(kind, path) });
            let mut thread = 1;
            for &method in &methods {
                let method = Method { method: method.into(), timeout_ms: Some(1), data: Some("1 queue-é".into()) };
                let step = Step::Call { object: object.as_str().into(), method };
                stage.begin(1, thread, &[step]);
                thread += 1;
            }
            stage.pass(3_000);
            for thread in 1..thread {
                let (client, thread) = (ClientId(1), ThreadId(thread));
                if stage.player.world().clients[&client].app.as_ref().is_some_and(|app| app.is_busy(thread)) {
                    stage.act(Action::InterruptThread { client, thread });
                }
            }
            stage.pass(100);
        }
        stage.expire(1);
        stage.pass(10_000);
    }
}

#[test]
fn of_two_hot_instances_with_one_id_one_runs() {
    let mut stage = Stage::new(2);
    for client in 1..=2 {
        stage.make(client, "x", named(7, Kind::STANDBY, "/bus/copy"));
        stage.run(client, &[call("x", "hot")]);
    }
    stage.pass(2_000);
    assert_eq!(stage.children("/bus/copy/instances").len(), 2);
    assert_eq!((stage.said(1, "runs_from").len(), stage.said(2, "runs_from").len()), (1, 0));
}

#[test]
fn a_cold_scanner_rests_between_its_rounds() {
    let mut stage = stage(1, Kind::STANDBY, "/group");
    stage.run(1, &[call("x", "cold")]);
    let from = stage.records.len();
    stage.pass(5_000);
    let asked = stage.asked(1, from).len();
    assert!((7..=11).contains(&asked), "{asked}");
}

#[test]
fn a_task_or_a_source_has_a_plain_name() {
    for (kind, method) in [(Kind::STANDBY, "task"), (Kind::COLLECTORS, "source")] {
        let mut stage = stage(1, kind, "/p");
        for wrong in ["", "a/b", "a b", ".a", "/a", " "] {
            stage.run(1, &[call_with("x", method, wrong)]);
            let last = stage.returned(1).pop();
            assert_eq!(last, Some(format!("{method} IllegalArgumentException: a name is wanted")), "{wrong:?}");
        }
        stage.run(1, &[call_with("x", method, "a.b")]);
        assert_eq!(stage.returned(1).pop(), Some(format!("{method} ok")));
    }
}

/// A collector that somebody makes by hand: without a status it counts as dead after a while.
#[test]
fn a_status_that_is_new_is_a_sign_of_life() {
    let mut stage = collectors(3, &[]);
    let [node, status] = ["/logs/collectors/h", "/logs/collectors/h/status"];
    stage.ask(3, create(node, "", CreateMode::Persistent));
    stage.pass(6_000);
    assert_eq!(stage.data(node).as_deref(), Some(""));
    // at once: nobody sees the status with its first version
    stage.ask(3, create(status, "", CreateMode::Persistent));
    stage.ask(3, set(status, "2"));
    stage.pass(2_000);
    assert_ne!(stage.data(node).as_deref(), Some(""));
}

#[test]
fn ephemeral_collectors_have_no_status() {
    let stage = collectors(3, &["ephemeral"]);
    let asked = [stage.asked(1, 0), stage.asked(2, 0)].concat();
    assert!(asked.iter().all(|asked| !asked.contains("status")), "{asked:#?}");
}

/// Somebody writes to a collector's node each time when the monitor has read it, so that what it hands out comes too late.
#[test]
fn a_write_that_was_too_late_is_decided_anew_after_a_pause() {
    let mut stage = collectors(3, &[]);
    let late = |stage: &Stage| {
        let is_late = |fact: &Fact| match fact {
            Fact::Client { client: ClientId(1), fact: Inside::Answered { outcome, .. } } => {
                format!("{outcome:?}").contains("BadVersion")
            }
            _ => false,
        };
        stage.records.iter().position(|record| is_late(&record.fact))
    };
    stage.begin(3, 1, &[call_with("x", "source", "s5")]);
    while late(&stage).is_none() {
        let from = stage.records.len();
        let read = |stage: &Stage| stage.asked(1, from).iter().any(|asked| asked.ends_with("/c2/status"));
        stage.until("c2 is read", read);
        let data = stage.data("/logs/collectors/c2").unwrap_or_default();
        stage.ask(3, set("/logs/collectors/c2", &data));
        assert!(stage.records[from].at_us.0 < 60_000_000, "it never came too late");
    }
    stage.pass(1_000);
    let at = late(&stage).expect("a late write");
    let lists = |fact: &Fact| match fact {
        Fact::Client { client: ClientId(1), fact: Inside::Called { request, .. } } => {
            request.path() == "/logs/sources"
        }
        _ => false,
    };
    let next = stage.records[at..].iter().find(|record| lists(&record.fact)).expect("another round");
    assert!(next.at_us.0 >= stage.records[at].at_us.0 + 100_000);
}

#[test]
fn a_collector_beats_twice_a_second() {
    let mut stage = stage(1, Kind::COLLECTORS, "/logs");
    stage.run(1, &[call("x", "collect")]);
    let beats =
        |stage: &Stage| stage.data("/logs/collectors/c1/status").map_or(0, |beats| beats.parse().unwrap_or(0));
    stage.until("the first beat", |stage| beats(stage) == 1);
    stage.pass(3_000);
    assert!((5..=8).contains(&beats(&stage)), "{}", beats(&stage));
}

/// The node may not be read.
#[test]
fn a_round_that_fails_is_begun_again_after_a_pause() {
    let mut stage = stage(1, Kind::CONFIG, "/conf");
    let (data, mode, acl) = (None, CreateMode::Persistent, vec![Acl { perms: Perms::WRITE, who: AuthId::anyone() }]);
    let create = Request::Create { path: "/conf".into(), data, acl, mode, ttl: 0, stat: false, flags: None };
    stage.ask(1, create);
    stage.pass(500);
    stage.run(1, &[call("x", "subscribe")]);
    let from = stage.records.len();
    stage.pass(2_000);
    let rounds = stage.asked(1, from).len();
    assert!((12..=18).contains(&rounds), "{rounds}");
}

#[test]
fn what_a_follower_believes() {
    let mut naming = stage(2, Kind::NAMING, "/svc");
    naming.run(1, &[call_with("x", "register", "a")]);
    assert_eq!(naming.believed(1), None, "it only registers");
    naming.run(2, &[call("x", "follow")]);
    assert_eq!(naming.believed(2), Some(("/svc".into(), true, "a".into())));
    let mut config = stage(1, Kind::CONFIG, "/conf");
    config.run(1, &[call_with("x", "publish", "v")]);
    assert_eq!(config.believed(1), None);
    config.run(1, &[call("x", "subscribe")]);
    assert_eq!(config.believed(1), Some(("/conf".into(), false, "v".into())));
}
