//! What holds of all kinds of recipes alike: interrupts, limits, starts and closes, what a program is refused.

use zabscope::base::ClientId;
use zabscope::base::limits::MAX_DURATION_US;
use zabscope::recipes::{Kind, Method, Recipe, Refusal, Script, Step, ThreadId};
use zabscope::sim::{Action, ActionRefusal, Fact, WorldFact};
use zabscope::wire::CreateMode;

use super::support::{Stage, call, call_for, create, recipe, work};

/// What waits for ever: what the first client does before, and what the second does; its last call is the one that waits.
const WAITS: &[(Kind, &[&str], &[&str])] = &[
    (Kind::MUTEX, &["acquire"], &["acquire"]),
    (Kind::READ_WRITE, &["write.acquire"], &["read.acquire"]),
    (Kind::SEMAPHORE, &["acquire"], &["acquire"]),
    (Kind::SEMAPHORE_MUTEX, &["acquire"], &["acquire"]),
    (Kind::MULTI_LOCK, &["acquire"], &["acquire"]),
    (Kind::NAIVE_LOCK, &["acquire"], &["acquire"]),
    (Kind::PREDECESSOR_LOCK, &["acquire"], &["acquire"]),
    (Kind::WATCH_ALL_LOCK, &["read.acquire"], &["write.acquire"]),
    (Kind::KAZOO_LOCK, &["acquire"], &["acquire"]),
    (Kind::KAZOO_WRITE_LOCK, &["acquire"], &["acquire"]),
    (Kind::KAZOO_SEMAPHORE, &["acquire"], &["acquire"]),
    (Kind::KAZOO_ELECTION, &["run"], &["run"]),
    (Kind::LATCH, &["start"], &["start", "await"]),
    (Kind::BARRIER, &["set"], &["wait"]),
    (Kind::DOUBLE_BARRIER, &[], &["enter"]),
    (Kind::SIMPLE_QUEUE, &[], &["take"]),
];

#[test]
fn an_interrupt_ends_every_call_at_any_moment() {
    for &(kind, before, own) in WAITS {
        for after in [0, 20, 50, 90, 150, 3_000] {
            let mut stage = Stage::new(2);
            let count = (kind == Kind::DOUBLE_BARRIER).then_some(2);
            stage.everybody_makes(2, "x", &Recipe { count, ..recipe(kind, "/x") });
            before.iter().for_each(|method| stage.run(1, &[call("x", method)]));
            stage.pass(2_000);
            let (waits, first) = own.split_last().expect("a call");
            first.iter().for_each(|method| stage.run(2, &[call("x", method)]));
            stage.begin(2, 1, &[call("x", waits)]);
            stage.pass(after);
            stage.interrupt(2, 1);
            stage.pass(1_500);
            let last = stage.returned(2).pop();
            assert_eq!(last, Some(format!("{waits} InterruptedException")), "{kind:?} after {after} ms");
        }
    }
}

/// A node below an ephemeral one cannot be made: who waits for it waits for ever.
#[test]
fn an_interrupt_ends_every_wait() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::NAIVE_LOCK, "/x"));
    stage.make(1, "node", recipe(Kind::PERSISTENT_NODE, "/x/node"));
    stage.run(1, &[call("lock", "acquire"), call("node", "start")]);
    stage.run(1, &[call("node", "waitForInitialCreate")]);
    stage.interrupt(1, 1);
    assert_eq!(stage.last_returned(1), "waitForInitialCreate InterruptedException");
    stage.run(1, &[call_for("node", "waitForInitialCreate", 300)]);
    assert_eq!(stage.last_returned(1), "waitForInitialCreate false");
    stage.make(1, "election", recipe(Kind::KAZOO_ELECTION, "/election"));
    stage.run(1, &[call("election", "run")]);
    stage.pass(1_000);
    assert_eq!(stage.holders("/election"), [(1, 1)]);
    stage.interrupt(1, 1);
    stage.pass(500);
    assert_eq!(stage.last_returned(1), "run InterruptedException");
    assert!(stage.children("/election").is_empty());
}

/// The first request is on its way.
#[test]
fn an_interrupt_ends_what_is_under_way() {
    for (kind, method, data) in [
        (Kind::CONFIG, "publish", Some("a")),
        (Kind::SHARED_COUNT, "start", None),
        (Kind::ATOMIC_LONG, "increment", None),
        (Kind::QUEUE, "start", None),
        (Kind::SIMPLE_QUEUE, "offer", Some("a")),
        (Kind::SIMPLE_QUEUE, "poll", None),
        (Kind::BARRIER, "set", None),
        (Kind::BARRIER, "remove", None),
        (Kind::NAMING, "unregister", None),
        (Kind::MASTER_WORKER, "submit", Some("a")),
        (Kind::STANDBY, "task", Some("a")),
        (Kind::COLLECTORS, "source", Some("a")),
        (Kind::SERVICE_DISCOVERY, "registerService", Some("web")),
        (Kind::SERVICE_DISCOVERY, "queryForInstances", Some("web")),
        (Kind::SERVICE_PROVIDER, "start", None),
        (Kind::LATCH, "getLeader", None),
        (Kind::SELECTOR, "getParticipants", None),
        (Kind::MUTEX, "participants", None),
        (Kind::MUTEX, "revoke", None),
        (Kind::SEMAPHORE, "participants", None),
        (Kind::KAZOO_LOCK, "contenders", None),
    ] {
        let mut stage = Stage::new(1);
        stage.make(1, "x", recipe(kind, "/p/x"));
        let method: Method = Method { method: method.into(), timeout_ms: None, data: data.map(Into::into) };
        stage.begin(1, 1, &[Step::Call { object: "x".into(), method: method.clone() }]);
        stage.pass(5);
        stage.interrupt(1, 1);
        assert_eq!(stage.returned(1), [format!("{} InterruptedException", method.method)], "{kind:?}");
    }
}

#[test]
fn who_waits_with_a_limit_has_it_within_the_limit() {
    for (kind, part) in [
        (Kind::MUTEX, ""),
        (Kind::NAIVE_LOCK, ""),
        (Kind::PREDECESSOR_LOCK, ""),
        (Kind::SEMAPHORE, ""),
        (Kind::SEMAPHORE_MUTEX, ""),
        (Kind::MULTI_LOCK, ""),
        (Kind::KAZOO_LOCK, ""),
        (Kind::READ_WRITE, "write."),
        (Kind::WATCH_ALL_LOCK, "write."),
    ] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "lock", &recipe(kind, "/lock"));
        stage.pass(1_000);
        let [acquire, release] = ["acquire", "release"].map(|method| format!("{part}{method}"));
        stage.run(1, &[call("lock", &acquire)]);
        stage.pass(2_000);
        stage.begin(2, 1, &[call_for("lock", &acquire, 6_000)]);
        stage.pass(3_000);
        assert!(stage.returned(2).is_empty(), "{kind:?}");
        stage.run(1, &[call("lock", &release)]);
        stage.pass(1_000);
        assert_eq!(stage.returned(2), [format!("{acquire} true")], "{kind:?}");
        // and the other way round: it waits no longer than that
        stage.begin(1, 1, &[call_for("lock", &acquire, 1_000)]);
        stage.pass(700);
        assert_eq!(stage.returned(1).len(), 2, "{kind:?}");
        stage.pass(2_000);
        let gave_up =
            if kind == Kind::KAZOO_LOCK { "acquire LockTimeout".into() } else { format!("{acquire} false") };
        assert_eq!(stage.returned(1)[2..], [gave_up], "{kind:?}");
    }
}

#[test]
fn a_short_interruption_takes_the_lock_from_nobody() {
    for (kind, acquire) in [
        (Kind::MUTEX, "acquire"),
        (Kind::NAIVE_LOCK, "acquire"),
        (Kind::PREDECESSOR_LOCK, "acquire"),
        (Kind::SEMAPHORE, "acquire"),
        (Kind::KAZOO_LOCK, "acquire"),
        (Kind::READ_WRITE, "read.acquire"),
        (Kind::WATCH_ALL_LOCK, "read.acquire"),
    ] {
        let mut stage = Stage::new(1);
        stage.make(1, "lock", recipe(kind, "/lock"));
        stage.pass(1_000);
        stage.run(1, &[call("lock", acquire)]);
        stage.pass(2_000);
        stage.disconnect(1);
        stage.pass(3_000);
        assert_eq!(stage.holders("/lock"), [(1, 1)], "{kind:?}");
    }
}

/// What is started once and closed once.
const STARTED: &[Kind] = &[
    Kind::LATCH,
    Kind::SELECTOR,
    Kind::NAIVE_LEADER,
    Kind::WORKER_GROUP,
    Kind::QUEUE,
    Kind::SHARED_COUNT,
    Kind::PERSISTENT_NODE,
    Kind::PERSISTENT_TTL_NODE,
    Kind::CACHE,
    Kind::GROUP_MEMBER,
    Kind::SERVICE_PROVIDER,
];

#[test]
fn what_is_started_is_not_started_again() {
    for &kind in STARTED {
        let mut stage = Stage::new(1);
        stage.make(1, "x", recipe(kind, "/x"));
        for _ in 0..2 {
            stage.run(1, &[call("x", "start")]);
            stage.pass(2_000);
        }
        let returned = stage.returned(1);
        assert_eq!(returned[0], "start ok", "{kind:?}");
        assert!(returned[1].starts_with("start IllegalStateException"), "{kind:?}: {returned:?}");
    }
}

#[test]
fn who_is_not_started_or_is_closed_asks_nothing() {
    for &kind in STARTED {
        let mut stage = Stage::new(1);
        stage.make(1, "x", recipe(kind, "/x"));
        for closed in [false, true] {
            if closed {
                for method in ["start", "close"] {
                    stage.run(1, &[call("x", method)]);
                    stage.pass(2_000);
                }
            }
            let from = stage.records.len();
            stage.disconnect(1);
            stage.pass(4_000);
            assert_eq!(stage.asked(1, from), [""; 0], "{kind:?}, closed: {closed}");
        }
    }
}

/// Why the program does not do it, if so.
fn refused(stage: &mut Stage, action: Action) -> Option<Refusal> {
    let why = |fact: &Fact| match fact {
        Fact::World(WorldFact::ActionRefused { reason: ActionRefusal::ProgramRefuses { why, .. } }) => Some(*why),
        _ => None,
    };
    let mut refusal = None;
    let read = stage.player.act(action, |_, told| {
        refusal = refusal.or(told.iter().find_map(|record| why(&record.fact)));
    });
    read.expect("an action");
    refusal
}

#[test]
fn a_program_has_a_limit_of_objects_and_one_task_a_thread() {
    let mut stage = Stage::new(1);
    let client = ClientId(1);
    let make = |number: u32| {
        let (object, recipe) = (format!("b{number}").into(), recipe(Kind::BARRIER, "/b"));
        Action::MakeRecipe { client, object, recipe }
    };
    (0..200).for_each(|number| stage.act(make(number)));
    assert_eq!(refused(&mut stage, make(0)), Some(Refusal::NameTaken));
    assert_eq!(refused(&mut stage, make(200)), Some(Refusal::TooManyObjects));
    let interrupt = Action::InterruptThread { client, thread: ThreadId::MAIN };
    assert_eq!(refused(&mut stage, interrupt.clone()), Some(Refusal::NoSuchThread));
    let script = Script { steps: vec![work(1_000)], times: 1, in_callback: false };
    let run = Action::RunThread { client, thread: ThreadId::MAIN, script };
    assert_eq!(refused(&mut stage, run.clone()), None);
    assert_eq!(refused(&mut stage, run), Some(Refusal::ThreadBusy));
    assert_eq!(refused(&mut stage, interrupt), None);
}

#[test]
fn a_method_of_the_other_kind_is_not_there() {
    for (kind, methods) in [
        (Kind::SEMAPHORE, &["isAcquired"][..]),
        (Kind::SEMAPHORE_MUTEX, &["release_all", "participants", "set_leases"]),
        (Kind::QUEUE, &["remove"]),
        (Kind::PRIORITY_QUEUE, &["remove"]),
        (Kind::DELAY_QUEUE, &["remove"]),
    ] {
        for &method in methods {
            let mut stage = Stage::new(1);
            stage.make(1, "x", recipe(kind, "/x"));
            stage.run(1, &[call("x", method)]);
            assert_eq!(stage.returned(1), [format!("{method} NoSuchMethodException: {method}")], "{kind:?}");
        }
    }
}

#[test]
fn every_kind_has_methods() {
    assert!(Kind::all().all(|kind| !kind.methods().is_empty()));
    assert!(Kind::MUTEX.methods().contains(&"acquire"));
}

#[test]
fn recipes_and_scripts_keep_within_their_bounds() {
    let most = MAX_DURATION_US / 1_000;
    for (ms, fits) in [(most, true), (most + 1, false)] {
        let held = Recipe { hold_ms: Some(ms), ..recipe(Kind::SELECTOR, "/x") };
        assert_eq!(held.check().is_ok(), fits);
        for step in [work(ms), call_for("x", "acquire", ms)] {
            let script = Script { steps: vec![step], times: 1, in_callback: false };
            assert_eq!(script.check().is_ok(), fits);
        }
    }
}

#[test]
fn what_is_not_started_refuses() {
    for (kind, method) in [
        (Kind::ID_QUEUE, "remove"),
        (Kind::QUEUE, "put"),
        (Kind::PERSISTENT_NODE, "waitForInitialCreate"),
        (Kind::PERSISTENT_TTL_NODE, "waitForInitialCreate"),
        (Kind::SHARED_COUNT, "getCount"),
        (Kind::SELECTOR, "requeue"),
        (Kind::SELECTOR, "close"),
        (Kind::LATCH, "close"),
        (Kind::NAIVE_LEADER, "close"),
        (Kind::WORKER_GROUP, "close"),
        (Kind::SERVICE_PROVIDER, "close"),
    ] {
        let mut stage = Stage::new(1);
        stage.make(1, "x", recipe(kind, "/x"));
        stage.run(1, &[call("x", method)]);
        let returned = stage.returned(1);
        assert!(returned[0].starts_with(&format!("{method} IllegalStateException")), "{kind:?}: {returned:?}");
    }
}

#[test]
fn a_foreign_node_with_a_short_name_is_no_matter() {
    for (kind, method) in [
        (Kind::MUTEX, "acquire"),
        (Kind::PREDECESSOR_LOCK, "acquire"),
        (Kind::KAZOO_LOCK, "acquire"),
        (Kind::READ_WRITE, "write.acquire"),
        (Kind::WATCH_ALL_LOCK, "write.acquire"),
        (Kind::LATCH, "start"),
        (Kind::SELECTOR, "start"),
        (Kind::WORKER_GROUP, "start"),
    ] {
        let mut stage = Stage::new(1);
        for path in ["/x", "/x/a"] {
            stage.ask(1, create(path, "", CreateMode::Persistent));
        }
        stage.pass(500);
        stage.make(1, "x", recipe(kind, "/x"));
        stage.run(1, &[call("x", method)]);
        stage.pass(1_000);
        assert_eq!(stage.holders("/x").len(), 1, "{kind:?}");
    }
}
