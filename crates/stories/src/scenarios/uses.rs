//! Runs about what is built from recipes and plain operations.

use crate::base::ClientId;
use crate::recipes::{Kind, Recipe};
use crate::sim::Action;
use crate::sim::{Run, Setup};
use crate::wire::{CreateMode, Request};

use crate::scenarios::recipes::{BEGINS, call, call_with, make, opened, param, recipe, thread, work};
use crate::scenarios::services::create;
use crate::scenarios::store::{ask, write};
use crate::scenarios::{Args, Make, Param, Scenario, run, scenarios};

scenarios! {
    /// These runs, in the order in which they are shown.
    USES:
    "use-master-worker": "Master and workers", "Tasks are assigned; a worker dies, the master dies, the backup takes over."
        topics ["use-master-worker"], until 20_000, telling 9_092, Make::With(WORKERS, master_worker);
    "use-config": "Configuration", "Published once; every subscriber is notified and reads the new value."
        topics ["use-config"], until 6_500, telling 4_990, Make::With(SUBSCRIBERS, config);
    "use-naming": "Names and a balancer", "Services register; the balancer tracks who comes and goes."
        topics ["use-naming"], until 12_000, telling 3_517, Make::With(SERVICES, naming);
    "use-standby": "Hot standby", "The lowest-numbered instance runs; the next one resumes from lastCommit."
        topics ["use-standby"], until 13_000, telling 10_045, Make::With(INSTANCES, standby);
    "use-collectors": "Log collectors", "Sources are shared out; those of a silent collector are reassigned."
        topics ["use-collectors"], until 15_000, telling 3_728, Make::With(COLLECTORS, collectors);
    "use-queue": "Queue", "First in, first out: consumers race for each item."
        topics ["use-queue"], until 7_000, telling 3_783, Make::With(QUEUE, queue);
    "use-barrier": "Double barrier", "Nobody starts until everyone has arrived; nobody leaves until everyone is done."
        topics ["use-barrier"], until 8_000, telling 4_735, Make::With(BARRIER, barrier);
    "use-persistent-node": "PersistentNode", "A session expires: the plain ephemeral node is gone, Curator's PersistentNode is created again."
        topics ["use-naming"], until 9_000, telling 6_925, Make::With(KEPT, kept);
    "use-ttl-node": "PersistentTtlNode", "A node that outlives its client's session: a child that is touched again and again keeps it, and goes when its time is over."
        topics ["use-naming"], until 10_200, telling 8_960, Make::Plain(ttl_node);
    "use-cache": "CuratorCache", "No watch tells what changed while the client was disconnected: reconnected, the cache reads everything again."
        topics ["use-config"], until 9_000, telling 6_985, Make::With(KEPT, cache);
    "use-discovery": "Service discovery", "An instance dies, and is handed out until two errors hide it or its session expires."
        topics ["use-naming"], until 11_000, telling 8_655, Make::With(CALLED, discovery);
    "use-group-member": "GroupMember", "Everybody knows who else is there: who dies stays on the list until its session is over."
        topics ["use-naming"], until 13_000, telling 4_820, Make::With(KEPT, group_member);
    "use-delay-queue": "DelayQueue", "An item's name says when it is due: the consumer waits for the one that is due first."
        topics ["use-queue"], until 8_500, telling 4_770, Make::Plain(delay_queue);
    "use-id-queue": "IdQueue", "An item's name says whose it is: what has been put can be taken back before it is handed on."
        topics ["use-queue"], until 6_500, telling 4_720, Make::Plain(id_queue);
}

const TIMEOUT: Param = param("timeout_ms", "the session timeout asked for, ms", 4_000, 400, 40_000);

const WORKERS: &[Param] = &[
    param("clients", "two masters, one that submits, the others work", 5, 5, 200),
    param("hold_ms", "how long a task takes, ms", 1_500, 1, 60_000),
    TIMEOUT,
];
const SUBSCRIBERS: &[Param] = &[param("clients", "one publishes, the others subscribe", 4, 2, 200), TIMEOUT];
const SERVICES: &[Param] = &[param("clients", "one balances, the others serve", 4, 3, 200), TIMEOUT];
const INSTANCES: &[Param] = &[param("clients", "how many stand by for the task", 3, 2, 200), TIMEOUT];
const COLLECTORS: &[Param] = &[param("clients", "one monitors, the others collect", 4, 4, 200), TIMEOUT];
const QUEUE: &[Param] = &[
    param("clients", "half of them produce, half consume", 4, 2, 200),
    param("hold_ms", "how long a consumer works on an item, ms", 250, 0, 60_000),
    TIMEOUT,
];
const BARRIER: &[Param] = &[
    param("clients", "how many must come", 4, 2, 200),
    param("hold_ms", "how long the quickest works inside, ms", 750, 0, 60_000),
    TIMEOUT,
];

const KEPT: &[Param] = &[TIMEOUT];
const CALLED: &[Param] = &[param("clients", "one calls, the others serve", 3, 3, 200), TIMEOUT];

/// How long after a client's death others may have heard of it, ms.
fn death(args: &Args) -> u64 {
    args.get("timeout_ms") + 1_000
}

/// Clients with the same object, each with its own id.
fn members(args: &Args, object: &str, made: &Recipe) -> (u16, Vec<(u64, Action)>) {
    let clients = args.get("clients") as u16;
    let mut actions = opened(clients, args.get("timeout_ms"));
    for client in 1..=clients {
        let made = Recipe { id: Some(format!("c{client}").into()), ..made.clone() };
        actions.push((BEGINS, make(client, object, made)));
    }
    (clients, actions)
}

/// One step of one client at a time, ms after the beginning.
fn does(after: u64, client: u16, object: &str, method: &str, data: Option<&str>) -> (u64, Action) {
    (BEGINS + after, thread(client, vec![call_with(object, method, data)], 1))
}

fn kills(after: u64, client: u16) -> (u64, Action) {
    (BEGINS + after, Action::KillClient { client: ClientId(client) })
}

/// The run, and until when it is worth watching: so long after the beginning, ms.
fn until(after: u64, actions: Vec<(u64, Action)>) -> (Run, u64) {
    (run(Setup::default(), actions), BEGINS + after)
}

fn master_worker(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "app", &recipe(Kind::MASTER_WORKER, "/app"));
    let (takes, death) = (args.get("hold_ms"), death(args));
    actions.extend([does(50, 1, "app", "master", None), does(700, 2, "app", "master", None)]);
    let workers = clients - 3;
    for worker in 0..workers {
        let at = 900 + u64::from(worker) * 100;
        actions.push(does(at, 3 + worker, "app", "worker", Some(&takes.to_string())));
    }
    let there = 2_000 + u64::from(workers) * 100;
    let submit = ["a", "b", "c", "d"].map(|task| call_with("app", "submit", Some(task)));
    actions.push((BEGINS + there, thread(clients, submit.to_vec(), 1)));
    actions.extend([kills(there + 2_000, 3), kills(there + 2_000 + death, 1)]);
    let over = there + 2_000 + 2 * death + 1_000;
    actions.push(does(over, clients, "app", "submit", Some("e")));
    until(over + takes + 2_000, actions)
}

fn config(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "config", &recipe(Kind::CONFIG, "/config"));
    let early = 1 + (clients - 1).div_ceil(2);
    actions.extend((2..=early).map(|client| does(50, client, "config", "subscribe", None)));
    actions.push(does(800, 1, "config", "publish", Some("limit=10")));
    actions.extend((early + 1..=clients).map(|client| does(1_600, client, "config", "subscribe", None)));
    actions.push(does(2_400, 1, "config", "publish", Some("limit=20")));
    until(4_000, actions)
}

fn naming(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "web", &recipe(Kind::NAMING, "/services/web"));
    actions.push(does(50, clients, "web", "follow", None));
    for server in 1..clients {
        let address = format!("10.0.0.{server}:80");
        actions.push(does(100 + u64::from(server) * 400, server, "web", "register", Some(&address)));
    }
    let there = 600 + u64::from(clients) * 400;
    let lookups = [1, 2, 3, 4].map(|_| call("web", "lookup"));
    actions.push((BEGINS + there, thread(clients, lookups.to_vec(), 1)));
    actions.extend([kills(there + 800, 1), does(there + 1_300, 2, "web", "unregister", None)]);
    let over = there + 800 + death(args);
    actions.push(does(over, clients, "web", "lookup", None));
    until(over + 1_000, actions)
}

fn standby(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "task", &recipe(Kind::STANDBY, "/bus/copy"));
    // the first makes the parents of its node too: with a head start its number is the smallest, and it runs
    let begins = |client: u16| u64::from(client) * 200 + if client == 1 { 0 } else { 600 };
    actions.extend((1..=clients).map(|client| does(begins(client), client, "task", "hot", None)));
    let dies = u64::from(clients) * 200 + 2_900;
    actions.push(kills(dies, 1));
    until(dies + death(args) + 2_000, actions)
}

fn collectors(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "logs", &recipe(Kind::COLLECTORS, "/logs"));
    actions.push(does(50, 1, "logs", "monitor", None));
    let sources = ["s1", "s2", "s3", "s4"].map(|source| call_with("logs", "source", Some(source)));
    actions.push((BEGINS + 700, thread(1, sources.to_vec(), 1)));
    for collector in 2..clients {
        actions.push(does(500 + u64::from(collector) * 200, collector, "logs", "collect", None));
    }
    let there = 3_000 + u64::from(clients) * 200;
    actions.extend([kills(there, 2), does(there + 6_000, clients, "logs", "collect", None)]);
    until(there + 8_500, actions)
}

fn queue(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "queue", &recipe(Kind::SIMPLE_QUEUE, "/queue"));
    let (hold, producers) = (args.get("hold_ms"), clients / 2);
    for client in producers + 1..=clients {
        actions.push((BEGINS + 50, thread(client, vec![call("queue", "take"), work(hold)], 4)));
    }
    for client in 1..=producers {
        let offers = (1..=4)
            .flat_map(|item| [call_with("queue", "offer", Some(&format!("c{client} item {item}"))), work(200)]);
        actions.push((BEGINS + 600 + u64::from(client) * 50, thread(client, offers.collect(), 1)));
    }
    until(3_000 + u64::from(producers) * 300 + 4 * hold, actions)
}

fn barrier(args: &Args) -> (Run, u64) {
    let clients = args.get("clients");
    let made = Recipe { count: Some(clients as u32), ..recipe(Kind::DOUBLE_BARRIER, "/barrier") };
    let (members, mut actions) = members(args, "barrier", &made);
    for client in 1..=members {
        let inside = args.get("hold_ms") + u64::from(client - 1) * 250;
        let steps = vec![call("barrier", "enter"), work(inside), call("barrier", "leave")];
        actions.push((BEGINS + u64::from(client) * 500, thread(client, steps, 1)));
    }
    until(clients * 750 + args.get("hold_ms") + 1_750, actions)
}

/// A request by hand.
fn asks(after: u64, client: u16, request: Request) -> (u64, Action) {
    (BEGINS + after, ask(client, request))
}

/// Two ephemeral nodes of one session, one of which is kept; another client sees them go and one of them come back.
fn kept(args: &Args) -> (Run, u64) {
    let mut actions = opened(2, args.get("timeout_ms"));
    actions.push((BEGINS, make(1, "node", recipe(Kind::PERSISTENT_NODE, "/members/kept"))));
    actions.push((BEGINS, make(2, "members", recipe(Kind::CACHE, "/members"))));
    actions.push(does(100, 1, "node", "start", None));
    actions.push(asks(700, 1, create("/members/plain", "", CreateMode::Ephemeral)));
    actions.push(does(1_200, 2, "members", "start", None));
    actions.push((BEGINS + 2_200, Action::ExpireClient { client: ClientId(1) }));
    actions.push(does(5_500, 2, "members", "stream", None));
    until(6_500, actions)
}

/// One touches its node every second and a half, and dies; another client sees the node alone, and hears of it when it goes.
fn ttl_node() -> Run {
    let mut actions = opened(2, 1_000);
    let touched = Recipe { hold_ms: Some(3_000), ..recipe(Kind::PERSISTENT_TTL_NODE, "/kept") };
    let watches = Recipe { with: vec!["single_node".into()], ..recipe(Kind::CACHE, "/kept") };
    actions.push((BEGINS, make(1, "node", touched)));
    actions.push((BEGINS, make(2, "view", watches)));
    actions.extend([does(100, 1, "node", "start", None), does(700, 2, "view", "start", None)]);
    actions.push(kills(3_300, 1));
    run(Setup { container_check_ms: 500, ..Setup::default() }, actions)
}

/// Some changes are seen at once; then, while there is no connection, come an update, a deletion and a new node.
fn cache(args: &Args) -> (Run, u64) {
    let mut actions = opened(2, args.get("timeout_ms"));
    for (after, path) in [(0, "/conf"), (50, "/conf/a"), (100, "/conf/b")] {
        actions.push(asks(after, 2, create(path, "1", CreateMode::Persistent)));
    }
    actions.push((BEGINS + 500, make(1, "conf", recipe(Kind::CACHE, "/conf"))));
    actions.push(does(500, 1, "conf", "start", None));
    actions.push(asks(1_500, 2, write("/conf/a", "2", -1)));
    actions.push((BEGINS + 2_500, Action::DisconnectClient { client: ClientId(1) }));
    actions.push(asks(2_510, 2, write("/conf/a", "3", -1)));
    actions.push(asks(2_520, 2, Request::Delete { path: "/conf/b".into(), version: -1 }));
    actions.push(asks(2_530, 2, create("/conf/c", "1", CreateMode::Persistent)));
    actions.push(does(5_500, 1, "conf", "stream", None));
    until(6_500, actions)
}

/// An instance dies between two calls. Its callers note the errors; the ensemble only ends its session much later.
fn discovery(args: &Args) -> (Run, u64) {
    let (clients, mut actions) = members(args, "services", &recipe(Kind::SERVICE_DISCOVERY, "/services"));
    actions.push((BEGINS, make(clients, "web", recipe(Kind::SERVICE_PROVIDER, "/services/web"))));
    for server in 1..clients {
        let registers = call_with("services", "registerService", Some(&format!("web 10.0.0.{server}:80")));
        let steps = vec![call("services", "start"), registers];
        actions.push((BEGINS + 100 + u64::from(server) * 200, thread(server, steps, 1)));
    }
    let there = 600 + u64::from(clients) * 200;
    actions.push(does(there, clients, "web", "start", None));
    let picks = || (1..clients).map(|_| call("web", "getInstance"));
    actions.push((BEGINS + there + 700, thread(clients, picks().collect(), 1)));
    actions.push(kills(there + 1_200, 1));
    let errors = [1, 2].map(|_| call_with("web", "noteError", Some("10.0.0.1:80")));
    actions.push((BEGINS + there + 1_500, thread(clients, picks().chain(errors).collect(), 1)));
    actions.push((BEGINS + there + 1_800, thread(clients, picks().collect(), 1)));
    let over = there + 1_200 + death(args);
    actions.push(does(over, clients, "services", "queryForInstances", Some("web")));
    until(over + 1_000, actions)
}

/// One asks for the members again and again, while another dies, and a third changes its data and leaves.
fn group_member(args: &Args) -> (Run, u64) {
    let mut actions = opened(3, args.get("timeout_ms"));
    for client in 1..=3 {
        let made = Recipe { id: Some(format!("c{client}").into()), ..recipe(Kind::GROUP_MEMBER, "/group") };
        actions.push((BEGINS, make(client, "group", made)));
        actions.push(does(u64::from(client) * 150, client, "group", "start", None));
    }
    let over = 1_800 + death(args);
    for after in [1_200, 2_300, over, over + 1_200, over + 2_500] {
        actions.push(does(after, 1, "group", "getCurrentMembers", None));
    }
    actions.push(kills(1_800, 3));
    actions.push(does(over + 600, 2, "group", "setThisData", Some("busy")));
    actions.push(does(over + 1_800, 2, "group", "close", None));
    until(over + 3_700, actions)
}

/// One that only produces, and a consumer.
fn two_ends(kind: Kind, path: &str) -> Vec<(u64, Action)> {
    let mut actions = opened(2, 4_000);
    let producer = Recipe { with: vec!["producer_only".into()], ..recipe(kind, path) };
    actions.push((BEGINS, make(1, "queue", producer)));
    actions.push((BEGINS, make(2, "queue", recipe(kind, path))));
    actions.push(does(0, 1, "queue", "start", None));
    actions
}

/// Three items, each due before the one that was put before it. Their producer does not live to see the first of them go.
fn delay_queue() -> Run {
    let mut actions = two_ends(Kind::DELAY_QUEUE, "/mail");
    actions.push(does(300, 2, "queue", "start", None));
    for (after, item) in [(1_000, "4000 report"), (1_500, "1500 reminder"), (2_000, "0 alarm")] {
        actions.push(does(after, 1, "queue", "put", Some(item)));
    }
    actions.push(kills(3_500, 1));
    run(Setup::default(), actions)
}

/// Four orders of three customers, of which one cancels before anybody works.
fn id_queue() -> Run {
    let mut actions = two_ends(Kind::ID_QUEUE, "/orders");
    let orders = ["ann books", "bob tea", "ann pens", "eve salt"];
    let puts = orders.map(|order| [call_with("queue", "put", Some(order)), work(100)]);
    actions.push((BEGINS + 900, thread(1, puts.into_iter().flatten().collect(), 1)));
    actions.push(does(1_900, 1, "queue", "remove", Some("ann")));
    actions.push(does(2_700, 2, "queue", "start", None));
    run(Setup::default(), actions)
}
