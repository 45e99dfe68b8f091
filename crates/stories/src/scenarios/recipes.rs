//! Runs about locks and elections. What is fixed is who comes when; who wins comes out.

use crate::base::{ClientId, ServerId};
use crate::recipes::{CuratorConfig, Kind, Method, Recipe, Script, Step, ThreadId};
use crate::sim::{Action, CuratorVersion, Run, Setup};

use crate::scenarios::{Args, Make, Param, Scenario, run, scenarios};

scenarios! {
    /// These runs, in the order in which they are shown.
    RECIPES:
    "lock-herd": "The herd", "Everybody watches one node: each release wakes all N waiters, and one wins."
        topics ["lock-herd"], until 6_000, telling 4_125, Make::With(CONTEST, |args| lock(args, Kind::NAIVE_LOCK));
    "lock-predecessor": "Predecessor watches", "Each waiter watches only the one before it: a release wakes one."
        topics ["lock-predecessor"], until 6_000, telling 4_959, Make::With(CONTEST, |args| lock(args, Kind::PREDECESSOR_LOCK));
    "lock-mutex": "InterProcessMutex", "Curator's lock: sequential nodes, each waiter watches only the one before it."
        topics ["lock-mutex"], until 6_000, telling 3_916, Make::With(MUTEX, mutex);
    "lock-semaphore": "Semaphore", "Leases for two at a time; only the first in the queue watches the leases."
        topics ["lock-semaphore"], until 7_000, telling 3_650, Make::With(LEASES, semaphore);
    "lock-watch-all": "Read/write lock, all watching", "Waiters watch all children: every change wakes everybody."
        topics ["lock-readwrite", "lock-herd"], until 7_000, telling 4_263, Make::With(CONTEST, |args| read_write(args, Kind::WATCH_ALL_LOCK));
    "lock-readwrite": "Read/write lock", "Readers pass readers; a writer waits for all before it."
        topics ["lock-readwrite"], until 7_000, telling 3_148, Make::With(SHARED, |args| read_write(args, Kind::READ_WRITE));
    "lock-downgrade": "A writer reads on", "A writer takes the read lock too and lets the write lock go: does the next writer wait?"
        topics ["lock-readwrite"], until 8_000, telling 5_200, Make::With(DOWNGRADE, downgrade);
    "lock-pause": "Paused holder", "A holder pauses past its session timeout, then keeps writing: two holders, unless tokens are checked."
        topics ["lock-pause"], until 12_000, telling 8_805, Make::With(PAUSE, pause);
    "elect-naive": "Naive election", "Everybody tries to create /leader; the losers watch it and all wake up."
        topics ["elect-naive"], until 15_000, telling 10_444, Make::With(ELECTION, |args| election(args, Kind::NAIVE_LEADER, "/leader"));
    "elect-latch": "LeaderLatch", "Leadership is kept until close or death; the next in line takes over."
        topics ["elect-latch"], until 14_000, telling 8_443, Make::With(ELECTION, |args| election(args, Kind::LATCH, "/election"));
    "elect-selector": "LeaderSelector", "When takeLeadership returns, leadership is released and requested again."
        topics ["elect-selector"], until 14_000, telling 5_496, Make::With(ELECTION, |args| election(args, Kind::SELECTOR, "/election"));
    "elect-worker": "Worker group", "Each worker watches the one before it; only the next learns of a death."
        topics ["elect-worker"], until 14_000, telling 8_443, Make::With(ELECTION, |args| election(args, Kind::WORKER_GROUP, "/workers"));
    "lock-kazoo": "kazoo's lock", "The lock of the Python client: a holder whose session is over goes on until it releases."
        topics ["lock-mutex", "lock-pause"], until 8_200, telling 4_320, Make::Plain(kazoo);
    "lock-last-number": "After the last number", "A parent has numbered 2,147,483,647 children: the next name has a minus, sorts first, and two hold the lock."
        topics ["lock-mutex"], until 7_500, telling 3_900, Make::Plain(last_number);
    "elect-circuit-breaker": "A circuit breaker", "Two leaders lose their connections twice; one listens through a circuit breaker and steps back once."
        topics ["elect-latch"], until 11_000, telling 5_980, Make::Plain(circuit_breaker);
}

pub(super) const fn param(name: &'static str, about: &'static str, default: u64, least: u64, most: u64) -> Param {
    Param { name, about, default, least, most }
}

const CLIENTS: Param = param("clients", "how many contend", 5, 2, 200);
const HOLD: Param = param("hold_ms", "how long each holds it, ms", 300, 0, 60_000);
const ROUNDS: Param = param("rounds", "how often each wants it", 1, 1, 1_000);
const TIMEOUT: Param = param("timeout_ms", "requested session timeout, ms", 4_000, 400, 40_000);
const WORK: Param = param("hold_ms", "how long each works while holding it, ms", 2_000, 1_500, 60_000);
const TERM: Param = param("hold_ms", "how long takeLeadership takes, ms", 1_200, 1, 60_000);
const DEPTH: Param = param("depth", "how often each acquires it before it releases as often", 2, 1, 10);
const LEASE: Param = param("leases", "how many may have one at a time", 2, 1, 100);
const FENCING: Param = param("fencing", "whether the resource refuses old tokens, 0 or 1", 0, 0, 1);

const KAZOO: Param = param("kazoo", "whether it is kazoo's rather than Curator's, 0 or 1", 0, 0, 1);

const CONTEST: &[Param] = &[CLIENTS, HOLD, ROUNDS, TIMEOUT];
const MUTEX: &[Param] = &[CLIENTS, HOLD, ROUNDS, DEPTH, TIMEOUT];
const LEASES: &[Param] = &[CLIENTS, LEASE, HOLD, ROUNDS, TIMEOUT, KAZOO];
const SHARED: &[Param] = &[CLIENTS, HOLD, ROUNDS, TIMEOUT, KAZOO];
const PAUSE: &[Param] = &[param("clients", "how many want the lock", 2, 2, 200), WORK, TIMEOUT, FENCING];
const DOWNGRADE: &[Param] = &[
    param("hold_ms", "how long the first writes, and then reads, ms", 1_500, 500, 60_000),
    param("curator_59", "whether the lock is that of Curator 5.9 rather than 5.4, 0 or 1", 0, 0, 1),
];
const ELECTION: &[Param] = &[CLIENTS, TERM, TIMEOUT];

/// When the ensemble serves for certain, ms.
const SERVES: u64 = 1_500;
/// When programs begin, ms.
pub(super) const BEGINS: u64 = 2_500;

/// Three servers, and clients that are connected to one after another.
pub(super) fn opened(clients: u16, timeout_ms: u64) -> Vec<(u64, Action)> {
    let open = |number: u16| {
        let servers = vec![ServerId(1 + (number % 3) as u8)];
        let (client, timeout_ms) = (ClientId(number), timeout_ms as u32);
        let at = SERVES + u64::from(number) * 400 / u64::from(clients);
        (at, Action::OpenClient { client, servers, timeout_ms, chroot: None, raw: false })
    };
    (1..=clients).map(open).collect()
}

pub(super) fn recipe(kind: Kind, path: &str) -> Recipe {
    Recipe { kind, path: path.into(), count: None, id: None, hold_ms: None, with: Vec::new() }
}

pub(super) fn make(client: u16, object: &str, recipe: Recipe) -> Action {
    Action::MakeRecipe { client: ClientId(client), object: object.into(), recipe }
}

pub(super) fn call(object: &str, method: &str) -> Step {
    call_with(object, method, None)
}

pub(super) fn call_with(object: &str, method: &str, data: Option<&str>) -> Step {
    let method = Method { method: method.into(), timeout_ms: None, data: data.map(Into::into) };
    Step::Call { object: object.into(), method }
}

pub(super) fn work(ms: u64) -> Step {
    Step::Work { ms, heedless: false }
}

pub(super) fn thread(client: u16, steps: Vec<Step>, times: u64) -> Action {
    let script = Script { steps, times: times as u32, in_callback: false };
    Action::RunThread { client: ClientId(client), thread: ThreadId::MAIN, script }
}

/// When a client begins, ms: the first has a head start, because it makes the parents of its node too.
fn begins(client: u16, every: u64) -> u64 {
    BEGINS + if client == 1 { 0 } else { 400 + u64::from(client) * every }
}

/// All come shortly after one another with their object, and each does its steps.
fn contest(
    args: &Args,
    made: impl Fn(u16) -> (&'static str, Recipe),
    steps: impl Fn(u16) -> Vec<Step>,
) -> (Run, u64) {
    let (clients, rounds) = (args.get("clients") as u16, args.get("rounds"));
    let mut actions = opened(clients, args.get("timeout_ms"));
    for client in 1..=clients {
        let at = begins(client, 40);
        let (object, recipe) = made(client);
        actions.push((at, make(client, object, recipe)));
        actions.push((at, thread(client, steps(client), rounds)));
    }
    let clients = u64::from(clients);
    let each = rounds * (args.get("hold_ms") + 250);
    (run(Setup::default(), actions), BEGINS + 900 + clients * 80 + clients * each + 1_000)
}

/// How long a client holds the lock, ms: the first until all have come, so that each release is seen by itself.
fn held(args: &Args, client: u16) -> u64 {
    args.get("hold_ms") + if client == 1 { 500 + args.get("clients") * 40 } else { 0 }
}

/// Everybody's object of this kind.
fn lock_of(kind: Kind) -> impl Fn(u16) -> (&'static str, Recipe) {
    move |_| ("lock", recipe(kind, "/lock"))
}

fn mutex(args: &Args) -> (Run, u64) {
    let depth = args.get("depth") as usize;
    contest(args, lock_of(Kind::MUTEX), |client| {
        let mut steps = vec![call("lock", "acquire"); depth];
        steps.push(work(held(args, client)));
        steps.extend(vec![call("lock", "release"); depth]);
        steps
    })
}

fn lock(args: &Args, kind: Kind) -> (Run, u64) {
    contest(args, lock_of(kind), |client| {
        vec![call("lock", "acquire"), work(held(args, client)), call("lock", "release")]
    })
}

fn semaphore(args: &Args) -> (Run, u64) {
    let hold = args.get("hold_ms");
    let kind = if args.get("kazoo") == 1 { Kind::KAZOO_SEMAPHORE } else { Kind::SEMAPHORE };
    let made = Recipe { count: Some(args.get("leases") as u32), ..recipe(kind, "/semaphore") };
    contest(args, |_| ("lock", made.clone()), |_| vec![call("lock", "acquire"), work(hold), call("lock", "release")])
}

/// Every third client writes. kazoo has an object for each side; they are called as the sides of Curator's lock are.
fn read_write(args: &Args, kind: Kind) -> (Run, u64) {
    let (hold, is_kazoo) = (args.get("hold_ms"), args.get("kazoo") == 1);
    let writes = |client: u16| client.is_multiple_of(3);
    let made = |client: u16| match (is_kazoo, writes(client)) {
        (false, _) => ("lock", recipe(kind, "/lock")),
        (true, false) => ("lock/read", recipe(Kind::KAZOO_READ_LOCK, "/lock")),
        (true, true) => ("lock/write", recipe(Kind::KAZOO_WRITE_LOCK, "/lock")),
    };
    contest(args, made, |client| {
        let (acquire, release) = match (is_kazoo, writes(client)) {
            (true, _) => ("acquire", "release"),
            (false, false) => ("read.acquire", "read.release"),
            (false, true) => ("write.acquire", "write.release"),
        };
        let object = made(client).0;
        vec![call(object, acquire), work(hold), call(object, release)]
    })
}

/// The first writes, takes the read lock, lets the write lock go and reads on; the second waits to write. In Curator 5.4 the
/// reader's number is behind the second's, and both have what they wait for (CURATOR-621).
fn downgrade(args: &Args) -> (Run, u64) {
    let hold = args.get("hold_ms");
    let curator = if args.get("curator_59") == 1 { CuratorVersion::V59 } else { CuratorVersion::V54 };
    let reads_on = vec![
        call("lock", "write.acquire"),
        work(hold),
        call("lock", "read.acquire"),
        work(500),
        call("lock", "write.release"),
        work(hold),
        call("lock", "read.release"),
    ];
    let writes = vec![call("lock", "write.acquire"), work(800), call("lock", "write.release")];
    let mut actions = opened(2, 4_000);
    for (client, at, steps) in [(1, BEGINS, reads_on), (2, BEGINS + 600, writes)] {
        actions.push((at, make(client, "lock", recipe(Kind::READ_WRITE, "/lock"))));
        actions.push((at, thread(client, steps, 1)));
    }
    (run(Setup { curator, ..Setup::default() }, actions), BEGINS + 2 * hold + 2_500)
}

/// One client holds the lock and writes to a store outside of the ensemble; in the middle of it, its process stops, until its session is
/// over and another one holds the lock. It wakes while that one is still at work, believes what it knew, and writes.
fn pause(args: &Args) -> (Run, u64) {
    let (hold, timeout) = (args.get("hold_ms"), args.get("timeout_ms"));
    let fenced = args.get("fencing") == 1;
    let clients = args.get("clients") as u16;
    let mut actions = opened(clients, timeout);
    for client in 1..=clients {
        let at = BEGINS + u64::from(client) * 600;
        let used = || Step::Use { object: "lock".into(), resource: "store".into(), fenced };
        let working = Step::Work { ms: hold, heedless: true };
        let steps = vec![call("lock", "acquire"), used(), working, used(), call("lock", "release")];
        actions.push((at, make(client, "lock", recipe(Kind::MUTEX, "/lock"))));
        actions.push((at, thread(client, steps, 1)));
    }
    let stops = BEGINS + 600 + 900; // the first has the lock, the second waits
    actions.push((stops, Action::PauseClient { client: ClientId(1) }));
    // its session is over at most a tick after its timeout, for which servers take 2 to 20 ticks, and the next one works for 1.5 s at least
    let setup = Setup::default();
    let ends = stops + timeout.clamp(2 * setup.tick_time_ms, 20 * setup.tick_time_ms);
    actions.push((ends + 800, Action::ResumeClient { client: ClientId(1) }));
    (run(setup, actions), ends + 4_000 + u64::from(clients - 2) * (hold + 600))
}

/// All take part; then the same happens to each kind of election: the first client's connection breaks, the second's process
/// dies, the third closes.
fn election(args: &Args, kind: Kind, path: &str) -> (Run, u64) {
    let (clients, timeout) = (args.get("clients") as u16, args.get("timeout_ms"));
    let mut actions = opened(clients, timeout);
    for client in 1..=clients {
        let at = begins(client, 120);
        let mut made = Recipe { id: Some(format!("c{client}").into()), ..recipe(kind, path) };
        if kind == Kind::SELECTOR {
            made.hold_ms = Some(args.get("hold_ms"));
            made.with = vec!["auto_requeue".into()];
        }
        actions.push((at, make(client, "election", made)));
        actions.push((at, thread(client, vec![call("election", "start")], 1)));
    }
    let all_there = begins(clients, 120) + 800;
    // who led by an ephemeral node leads again with it once it is connected again: the library takes up to 2.2 s
    let dies = all_there + if kind == Kind::NAIVE_LEADER { 2_500 } else { 1_500 };
    actions.push((all_there, Action::DisconnectClient { client: ClientId(1) }));
    actions.push((dies, Action::KillClient { client: ClientId(1) }));
    if clients > 2 {
        actions.push((dies + timeout + 1_500, thread(2, vec![call("election", "close")], 1)));
    }
    (run(Setup::default(), actions), dies + timeout + 4_000)
}

/// The first holds the lock and does not listen to its connection. Its session is ended by hand: two others have the lock before it
/// lets go.
fn kazoo() -> Run {
    let mut actions = opened(3, 4_000);
    for client in 1..=3 {
        let at = BEGINS + u64::from(client) * 300;
        let working =
            if client == 1 { Step::Work { ms: 4_500, heedless: true } } else { work(500 * u64::from(client)) };
        let made = Recipe { id: Some(format!("c{client}").into()), ..recipe(Kind::KAZOO_LOCK, "/lock") };
        actions.push((at, make(client, "lock", made)));
        actions.push((at, thread(client, vec![call("lock", "acquire"), working, call("lock", "release")], 1)));
    }
    actions.push((BEGINS + 1_700, Action::ExpireClient { client: ClientId(1) }));
    run(Setup::default(), actions)
}

/// The lock's node has had so many children that two numbers are left. The first client has one of them and holds the lock; two
/// come at the same moment, and one of these gets a number that has run over. A fourth comes when the counter stands still.
fn last_number() -> Run {
    let mut actions = opened(4, 4_000);
    for (client, comes, works) in [(1, 0, 3_000), (2, 1_000, 600), (3, 1_000, 1_500), (4, 2_000, 600)] {
        actions.push((BEGINS + comes, make(client, "lock", recipe(Kind::MUTEX, "/lock"))));
        let steps = vec![call("lock", "acquire"), work(works), call("lock", "release")];
        actions.push((BEGINS + comes, thread(client, steps, 1)));
    }
    let cversions = [("/lock".into(), i32::MAX - 1)].into();
    run(Setup { cversions, ..Setup::default() }, actions)
}

/// Each leads an election of its own; the second has a circuit breaker before its listeners.
fn circuit_breaker() -> Run {
    let mut actions = opened(2, 4_000);
    let config = CuratorConfig { circuit_pauses: 10, circuit_pause_ms: 3_000, ..CuratorConfig::default() };
    actions.push((BEGINS, Action::SetUpCurator { client: ClientId(2), config }));
    for (client, path) in [(1, "/without"), (2, "/with")] {
        let made = Recipe { id: Some(format!("c{client}").into()), ..recipe(Kind::LATCH, path) };
        actions.push((BEGINS, make(client, "election", made)));
        actions.push((BEGINS + 100, thread(client, vec![call("election", "start")], 1)));
        for after in [1_500, 3_900] {
            actions.push((BEGINS + after, Action::DisconnectClient { client: ClientId(client) }));
        }
    }
    run(Setup::default(), actions)
}
