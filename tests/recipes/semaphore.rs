//! InterProcessSemaphoreV2 and InterProcessSemaphoreMutex: what Curator's own tests check (`TestInterProcessSemaphore.java`,
//! `TestInterProcessSemaphoreCluster.java`, `TestInterProcessSemaphoreMutex.java`), and a race.

use zabscope::base::{ClientId, ServerId};
use zabscope::check::Checker;
use zabscope::recipes::{Kind, Method, Recipe, Script, Step, ThreadId};
use zabscope::sim::{Action, Fact, Setup};

use super::election_support::{crash_all, most_leaders, open_at, queue, restart_all, said, with};
use super::support::{Stage, call, call_for, call_with, delete, recipe, work};

const SEEDS: std::ops::Range<u64> = 1..5;

fn semaphore(count: u32) -> Recipe {
    Recipe { count: Some(count), ..recipe(Kind::SEMAPHORE, "/sem") }
}

fn stage(clients: u16, count: u32) -> Stage {
    seeded(clients, count, 1)
}

fn seeded(clients: u16, count: u32, seed: u64) -> Stage {
    let mut stage = Stage::of(clients, seed, Setup::default());
    stage.everybody_makes(clients, "sem", &semaphore(count));
    stage
}

/// A first lease takes fifteen requests: longer than a stage's own `run` waits.
fn run(stage: &mut Stage, client: u16, steps: &[Step]) {
    run_on(stage, client, 1, steps);
}

fn run_on(stage: &mut Stage, client: u16, thread: u32, steps: &[Step]) {
    stage.begin(client, thread, steps);
    stage.pass(2_000);
}

/// So many at once, in the time given.
fn several(quantity: u32, timeout_ms: u64) -> Step {
    let data = Some(quantity.to_string().into());
    Step::Call {
        object: "sem".into(),
        method: Method { method: "acquire".into(), timeout_ms: Some(timeout_ms), data },
    }
}

fn clients(stage: &Stage) -> Vec<u16> {
    stage.holders("/sem").into_iter().map(|(client, _)| client).collect()
}

/// Nothing that the checker knows of was violated.
fn in_order(stage: &Stage) {
    let mut checker = Checker::new(&Setup::default());
    for record in &stage.records {
        checker.read(record);
    }
    assert_eq!(checker.violations(), []);
}

/// Everything came back, and nothing is left.
fn all_is_back(stage: &Stage) {
    assert_eq!(stage.holders("/sem"), []);
    assert_eq!(stage.children("/sem/leases"), Vec::<std::rc::Rc<str>>::new());
    assert_eq!(stage.children("/sem/locks"), Vec::<std::rc::Rc<str>>::new());
    in_order(stage);
}

/// The recording `semaphore-holder-expires`: a contender at most watches the leases.
#[test]
fn requests_are_those_of_the_recording() {
    let mut stage = stage(3, 1);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    let from = stage.records.len();
    run(&mut stage, 2, &[call("sem", "acquire")]);
    run(&mut stage, 3, &[call("sem", "acquire")]);
    assert_eq!(stage.asked(2, from).len(), 4);
    assert_eq!(stage.asked(3, from).len(), 3);
    let from = stage.records.len();
    run(&mut stage, 1, &[call("sem", "release")]);
    assert_eq!(stage.asked(1, from).len(), 1);
    let asked: Vec<String> =
        stage.asked(2, from).iter().map(|asked| asked.split("/_c_").next().unwrap_or_default().into()).collect();
    assert_eq!(asked, ["getChildren2 /sem/leases", "removeWatches /sem/leases", "delete /sem/locks"]);
    assert_eq!(stage.asked(3, from).len(), 3, "it is the first of the lock now");
    in_order(&stage);
}

/// `testAcquireAfterLostServer` (CURATOR-335): what fails leaves no lease behind.
#[test]
fn after_an_outage_all_goes_on() {
    for seed in SEEDS {
        let mut stage = seeded(4, 1, seed);
        for client in 1..=4 {
            let steps = [call("sem", "acquire"), work(100), call("sem", "release")].to_vec();
            let (client, thread, script) =
                (ClientId(client), ThreadId(1), Script { steps, times: 1_000, in_callback: false });
            stage.act(Action::RunThread { client, thread, script });
        }
        stage.pass(2_000);
        crash_all(&mut stage);
        stage.pass(12_000);
        restart_all(&mut stage);
        stage.pass(15_000);
        let before = stage.records.len();
        stage.pass(8_000);
        let later = stage.records[before..].iter();
        let acquired = later.filter(|record| format!("{:?}", record.fact).contains("Acquired")).count();
        assert!(acquired >= 10, "seed {seed}: {acquired}");
        in_order(&stage);
    }
}

/// `testThreadedLeaseIncrease`.
#[test]
fn more_leases_wake_who_waits() {
    let mut stage = stage(1, 1);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    stage.begin(1, 1, &[call_for("sem", "acquire", 20_000)]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1).len(), 1);
    run_on(&mut stage, 1, 2, &[call_with("sem", "set_leases", "2")]);
    assert_eq!(stage.returned(1)[1..], ["set_leases ok", "acquire true"]);
}

/// `testClientClose`.
#[test]
fn a_closed_client_gives_its_lease_back() {
    let mut stage = stage(2, 1);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    stage.begin(2, 1, &[call_for("sem", "acquire", 10_000)]);
    stage.pass(500);
    assert_eq!(clients(&stage), [1]);
    stage.act(Action::CloseClient { client: ClientId(1) });
    stage.pass(1_000);
    assert_eq!(stage.returned(2), ["acquire true"]);
}

/// `testMaxPerSession`; `testReleaseInChunks`: several at once, never more than there are. Four that want two each
/// cannot block each other over five.
#[test]
fn quantities_never_exceed_the_leases() {
    for seed in SEEDS {
        let mut stage = seeded(4, 5, seed);
        for client in 1..=4 {
            let steps = vec![
                several(2, 60_000),
                work(u64::from(client) * 37),
                call("sem", "release"),
                call("sem", "acquire"),
                call("sem", "release"),
                call("sem", "release"),
            ];
            let (client, thread, script) =
                (ClientId(client), ThreadId(1), Script { steps, times: 5, in_callback: false });
            stage.act(Action::RunThread { client, thread, script });
        }
        stage.pass(60_000);
        assert!(most_leaders(&stage, "/sem") >= 4, "seed {seed}");
        assert!(most_leaders(&stage, "/sem") <= 5, "seed {seed}");
        (1..=4).for_each(|client| assert_eq!(stage.returned(client).len(), 25, "seed {seed}"));
        all_is_back(&stage);
    }
}

/// `testRelease1AtATime`.
#[test]
fn ten_clients_share_five_leases() {
    for seed in SEEDS {
        let mut stage = seeded(10, 5, seed);
        for client in 1..=10 {
            stage.begin(client, 1, &[call("sem", "acquire"), work(5_000), call("sem", "release")]);
        }
        stage.pass(30_000);
        assert_eq!(most_leaders(&stage, "/sem"), 5, "seed {seed}");
        (1..=10).for_each(|client| assert_eq!(stage.returned(client), ["acquire ok", "release ok"]));
        all_is_back(&stage);
    }
}

/// `testThreads`: ten threads of one object.
#[test]
fn threads_share_an_object() {
    let mut stage = stage(1, 1);
    for thread in 1..=10 {
        stage.begin(1, thread, &[call("sem", "acquire"), work(50), call("sem", "release")]);
    }
    stage.pass(10_000);
    assert_eq!(stage.returned(1).len(), 20, "{:?}", stage.returned(1));
    assert_eq!(most_leaders(&stage, "/sem"), 1);
    all_is_back(&stage);
}

/// `testSimple`.
#[test]
fn a_thread_waits_for_itself() {
    let mut stage = stage(1, 1);
    run(&mut stage, 1, &[call_for("sem", "acquire", 10_000), call_for("sem", "acquire", 1_000)]);
    stage.pass(2_000);
    assert_eq!(stage.returned(1), ["acquire true", "acquire false"]);
    assert_eq!(stage.children("/sem/leases").len(), 1);
    run(&mut stage, 1, &[call("sem", "release"), call("sem", "release")]);
    assert_eq!(said(&stage, 1, "release"), "IllegalStateException");
    all_is_back(&stage);
}

/// `testSimple2`; `testGetParticipantNodes`.
#[test]
fn the_fourth_waits_for_one_of_three() {
    let mut stage = stage(4, 3);
    (1..=3).for_each(|client| run(&mut stage, client, &[call("sem", "acquire")]));
    run(&mut stage, 4, &[call_for("sem", "acquire", 1_000), call("sem", "participants")]);
    assert_eq!(stage.returned(4)[0], "acquire false");
    assert_eq!(said(&stage, 4, "participants").split(' ').count(), 3);
    run(&mut stage, 2, &[call("sem", "release")]);
    run(&mut stage, 4, &[call_for("sem", "acquire", 1_000)]);
    assert_eq!(clients(&stage), [1, 3, 4]);
    in_order(&stage);
}

/// `testNoOrphanedNodes`: the waiter's own node is deleted by hand.
#[test]
fn a_waiter_without_its_node_begins_anew() {
    let mut stage = stage(3, 1);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    run(&mut stage, 2, &[call("sem", "acquire")]);
    let nodes = stage.children("/sem/leases");
    let path = nodes.into_iter().find(|node| node.ends_with("0000000001")).expect("the waiter's node");
    stage.ask(3, delete(&path));
    stage.pass(5_000);
    assert_eq!(queue(&stage, "/sem/leases"), ["lease-0000000000", "lease-0000000002"]);
    run(&mut stage, 1, &[call("sem", "release")]);
    assert_eq!(stage.returned(2), ["acquire ok"]);
    run(&mut stage, 2, &[call("sem", "release")]);
    all_is_back(&stage);
}

/// `testInterruptAcquire` (CURATOR-462).
#[test]
fn an_interrupted_waiter_leaves_no_lease() {
    for (words, left) in [(&[][..], 1), (&["leaves_lease"], 2)] {
        let mut stage = Stage::new(3);
        stage.everybody_makes(3, "sem", &with(Kind::SEMAPHORE, "/sem", words));
        run(&mut stage, 1, &[call("sem", "acquire")]);
        run(&mut stage, 2, &[call("sem", "acquire")]);
        stage.interrupt(2, 1);
        stage.pass(500);
        assert_eq!(stage.returned(2), ["acquire InterruptedException"]);
        assert_eq!(stage.children("/sem/leases").len(), left);
        run(&mut stage, 1, &[call("sem", "release")]);
        run(&mut stage, 3, &[call_for("sem", "acquire", 1_000)]);
        assert_eq!(stage.returned(3), [format!("acquire {}", left == 1)]);
    }
}

/// `testKilledServerWithEnsembleProvider`; `testCluster`: the ensemble goes, and two of three come back.
#[test]
fn a_lease_survives_an_outage_only_with_its_session() {
    let mut stage = stage(5, 1);
    let steps = [call("sem", "acquire"), work(60_000), call("sem", "release")];
    (1..=5).for_each(|client| stage.begin(client, 1, &steps));
    stage.pass(2_000);
    assert_eq!(clients(&stage).len(), 1);
    crash_all(&mut stage);
    stage.pass(2_000);
    // the holder stops to work at SUSPENDED, and its release cannot be told to anybody
    assert_eq!(clients(&stage).len(), 0);
    stage.pass(6_000);
    (1..=2).for_each(|server| stage.act(Action::Restart { server: ServerId(server) }));
    stage.until("work goes on", |stage| clients(stage).len() == 1);
    in_order(&stage);
}

/// All or none: who cannot have all gives back what it has.
#[test]
fn a_call_for_several_returns_them_all_when_time_is_over() {
    let mut stage = stage(2, 3);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    stage.begin(2, 1, &[several(3, 3_000)]);
    stage.pass(2_000);
    assert_eq!(clients(&stage), [1, 2, 2]);
    assert_eq!(stage.children("/sem/leases").len(), 4);
    stage.pass(2_000);
    assert_eq!(stage.returned(2), ["acquire false"]);
    assert_eq!(clients(&stage), [1]);
    run(&mut stage, 2, &[several(0, 10)]);
    assert_eq!(said(&stage, 2, "acquire"), "IllegalArgumentException");
    run(&mut stage, 1, &[call("sem", "release")]);
    all_is_back(&stage);
}

/// Reference 2.2: two that have each a part of what both want wait for ever without a limit.
#[test]
fn two_calls_for_several_block_each_other() {
    let mut stage = stage(2, 2);
    (1..=2).for_each(|client| run(&mut stage, client, &[call("sem", "acquire")]));
    (1..=2).for_each(|client| stage.begin(client, 2, &[call("sem", "acquire")]));
    stage.pass(30_000);
    assert_eq!(clients(&stage), [1, 2]);
    in_order(&stage);
}

/// A thread's leases are told apart, and another thread may give them back.
#[test]
fn any_thread_may_give_a_lease_back() {
    let mut stage = stage(1, 2);
    run(&mut stage, 1, &[call("sem", "acquire"), call("sem", "acquire")]);
    assert_eq!(stage.holders("/sem"), [(1, 1), (1, 1)]);
    run_on(&mut stage, 1, 2, &[call("sem", "release")]);
    assert_eq!(queue(&stage, "/sem/leases"), ["lease-0000000000"], "the last one first");
    run_on(&mut stage, 1, 2, &[call("sem", "release")]);
    assert_eq!(stage.said(1, "returns_lease").len(), 2);
    all_is_back(&stage);
}

/// A deaf contender at the head of the queue keeps everybody from looking.
#[test]
fn the_head_of_the_line_blocks_all() {
    let mut stage = stage(4, 1);
    (1..=4).for_each(|client| run(&mut stage, client, &[call("sem", "acquire")]));
    assert_eq!((stage.children("/sem/leases").len(), stage.children("/sem/locks").len()), (2, 3));
    stage.act(Action::PauseClient { client: ClientId(2) });
    run(&mut stage, 1, &[call("sem", "release")]);
    stage.pass(1_000);
    assert_eq!(stage.holders("/sem"), [], "a lease is free, and nobody may look");
    stage.until("its session is gone", |stage| clients(stage) == [3]);
    in_order(&stage);
}

/// `TestInterProcessSemaphoreMutex`, with `testKilledSession` and `test2Clients` of the base class; the recording
/// `semaphore-mutex-5-contenders`.
#[test]
fn a_semaphore_mutex_goes_from_one_to_the_next() {
    let mut stage = Stage::new(5);
    // whatever number is said, it has one lease
    stage.everybody_makes(5, "lock", &Recipe { count: Some(3), ..recipe(Kind::SEMAPHORE_MUTEX, "/sem") });
    (1..=5).for_each(|client| stage.begin(client, 1, &[call("lock", "acquire")]));
    stage.pass(1_000);
    for left in (0..5).rev() {
        let holders = clients(&stage);
        assert_eq!(holders.len(), 1);
        run(&mut stage, holders[0], &[call("lock", "isAcquired"), call("lock", "release"), call("lock", "release")]);
        assert_eq!(said(&stage, holders[0], "isAcquired"), "true");
        assert_eq!(said(&stage, holders[0], "release"), "IllegalStateException");
        assert_eq!(clients(&stage).len(), usize::from(left > 0));
    }
    all_is_back(&stage);
}

/// It is not re-entrant; `release` by any thread (`InterProcessSemaphoreMutex.java`).
#[test]
fn a_semaphore_mutex_is_not_reentrant() {
    let mut stage = Stage::new(1);
    stage.make(1, "lock", recipe(Kind::SEMAPHORE_MUTEX, "/sem"));
    run(&mut stage, 1, &[call("lock", "acquire"), call_for("lock", "acquire", 1_000)]);
    stage.pass(1_000);
    assert_eq!(stage.returned(1), ["acquire ok", "acquire false"]);
    run_on(&mut stage, 1, 2, &[call("lock", "release")]);
    all_is_back(&stage);
}

/// `testKilledSession` for the semaphore mutex; then its holder acquires anew, and forgets the lease that is gone.
#[test]
fn a_killed_session_passes_the_mutex_on() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::SEMAPHORE_MUTEX, "/sem"));
    (1..=2).for_each(|client| run(&mut stage, client, &[call("lock", "acquire")]));
    stage.expire(1);
    stage.pass(3_000);
    assert_eq!(stage.returned(2), ["acquire ok"]);
    run(&mut stage, 2, &[call("lock", "release")]);
    run(&mut stage, 1, &[call("lock", "acquire"), call("lock", "release"), call("lock", "release")]);
    assert_eq!(said(&stage, 1, "release"), "IllegalStateException");
    all_is_back(&stage);
}

/// `testWaitingProcessKilledServer`: two threads of one client whose server goes and comes back.
#[test]
fn a_waiter_survives_an_outage() {
    let mut stage = Stage::new(0);
    open_at(&mut stage, 1, 1);
    stage.make(1, "lock", recipe(Kind::SEMAPHORE_MUTEX, "/sem"));
    run(&mut stage, 1, &[call("lock", "acquire")]);
    stage.begin(1, 2, &[call("lock", "acquire"), call("lock", "release")]);
    stage.pass(500);
    stage.act(Action::Crash { server: ServerId(1) });
    stage.pass(1_000);
    stage.act(Action::Restart { server: ServerId(1) });
    stage.begin(1, 1, &[call("lock", "release")]);
    stage.pass(15_000);
    assert_eq!(stage.returned(1).len(), 4, "{:?}", stage.returned(1));
    all_is_back(&stage);
}

/// The checker counts leases by it.
#[test]
fn facts_of_leases_name_their_number() {
    let mut stage = stage(1, 7);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    let named = stage.records.iter().any(|record| match &record.fact {
        Fact::Program { fact, .. } => format!("{fact:?}").contains("Lease { of: 7 }"),
        _ => false,
    });
    assert!(named);
}

#[test]
fn a_lease_whose_reply_was_lost_is_found_again() {
    let mut stage = stage(1, 1);
    stage.begin(1, 1, &[call("sem", "acquire")]);
    stage.until("the lease", |stage| stage.children("/sem/leases").len() == 1);
    stage.disconnect(1);
    stage.pass(5_000);
    assert_eq!(stage.returned(1), ["acquire ok"]);
    assert_eq!(stage.children("/sem/leases").len(), 1);
    run(&mut stage, 1, &[call("sem", "release")]);
    all_is_back(&stage);
}

#[test]
fn who_gives_one_of_two_leases_back_still_has_the_other() {
    let mut stage = stage(1, 2);
    let write = Step::Use { object: "sem".into(), resource: "disk".into(), fenced: true };
    run(&mut stage, 1, &[call("sem", "acquire"), call("sem", "acquire"), call("sem", "release"), write]);
    stage.pass(2_000);
    assert!(matches!(stage.tokens()[..], [Some(_)]), "{:?}", stage.tokens());
}

#[test]
fn a_thread_gives_its_own_lease_back() {
    let mut stage = stage(1, 2);
    for thread in 1..=2 {
        run_on(&mut stage, 1, thread, &[call("sem", "acquire")]);
    }
    run_on(&mut stage, 1, 1, &[call("sem", "release")]);
    assert_eq!(stage.holders("/sem"), [(1, 2)]);
    assert_eq!(queue(&stage, "/sem/leases"), ["lease-0000000001"]);
}

/// A contender waits for the only lease, and somebody deletes its node.
fn without_its_node(limit: Option<u64>) -> Stage {
    let mut stage = stage(3, 1);
    run(&mut stage, 1, &[call("sem", "acquire")]);
    stage.begin(2, 1, &[limit.map_or(call("sem", "acquire"), |ms| call_for("sem", "acquire", ms))]);
    stage.pass(2_000);
    let path = stage.children("/sem/leases").into_iter().find(|node| node.ends_with("1")).expect("its node");
    stage.ask(3, delete(&path));
    stage
}

#[test]
fn who_begins_anew_has_the_rest_of_its_time() {
    let mut stage = without_its_node(Some(4_000));
    stage.pass(1_500);
    assert!(stage.returned(2).is_empty());
    stage.pass(1_500);
    assert_eq!(stage.returned(2), ["acquire false"]);
}

#[test]
fn who_pauses_before_it_begins_anew_can_be_interrupted() {
    let mut stage = without_its_node(None);
    let sleeps = |stage: &Stage| {
        let app = stage.player.world().clients[&ClientId(2)].app.as_ref();
        app.is_some_and(|app| app.is_sleeping())
    };
    stage.until("it pauses", sleeps);
    stage.interrupt(2, 1);
    stage.pass(1_000);
    assert_eq!(stage.returned(2), ["acquire InterruptedException"]);
    assert_eq!(stage.children("/sem/leases").len(), 1);
}
