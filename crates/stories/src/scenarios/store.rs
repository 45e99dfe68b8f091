//! Runs about the znode store and its clients.

use crate::base::{ClientId, ServerId};
use crate::sim::{Action, LatencyRange, MoveTo};
use crate::sim::{Run, Setup};
use crate::wire::{Acl, AddWatchMode, CreateMode, Request};

use crate::scenarios::{Make, Scenario, crash, restart, run, scenarios, set};

scenarios! {
    /// These runs, in the order in which they are shown.
    STORE:
    "zk-tree": "The tree", "Every kind of node and every operation; each kind of node has its own lifetime."
        topics ["zk-tree"], until 5_000, telling 2_710, Make::Plain(tree);
    "zk-stat": "The Stat", "Each operation changes its own fields of the Stat and no others."
        topics ["zk-stat"], until 3_500, telling 1_720, Make::Plain(stat);
    "zk-version": "Versions", "Two clients set the same node and expect version 0; the second gets BadVersion."
        topics ["zk-version"], until 2_600, telling 1_590, Make::Plain(version);
    "zk-watch": "Watches", "A watch fires once and carries no data; changes before it is set again go unnoticed."
        topics ["zk-watch"], until 3_600, telling 1_583, Make::Plain(watch);
    "zk-session": "Sessions", "An ephemeral node outlives the connection and goes with the session."
        topics ["zk-session"], until 8_500, telling 4_905, Make::Plain(session);
    "zk-guarantees": "Guarantees", "Ordering, atomicity, a single system image, durability: each put to the test."
        topics ["zk-guarantees"], until 7_600, telling 1_470, Make::Plain(guarantees);
    "zk-stale-read": "A stale read", "A follower behind a slow link answers with old data; sync cures it."
        topics ["zk-guarantees"], until 3_600, telling 2_255, Make::Plain(stale_read);
    "zk-cli": "The zkCli console", "A line in a console is a call or a few: create, ls, get, set, stat, delete, deleteall."
        topics ["zk-cli"], until 4_600, telling 2_350, Make::Plain(cli);
}

pub(super) fn open(client: u16, servers: &[u8], timeout_ms: u32) -> Action {
    let servers = servers.iter().copied().map(ServerId).collect();
    Action::OpenClient { client: ClientId(client), servers, timeout_ms, chroot: None, raw: false }
}

pub(super) fn ask(client: u16, request: Request) -> Action {
    Action::Ask { client: ClientId(client), request, watcher: None, local: false, on_old_connection: false }
}

fn create(path: &str, data: &str, mode: CreateMode) -> Request {
    let ttl = if mode.is_ttl() { 800 } else { 0 };
    let data = (!data.is_empty()).then(|| data.into());
    Request::Create { path: path.into(), data, acl: Acl::open(), mode, ttl, stat: false, flags: None }
}

fn plain(path: &str, data: &str) -> Request {
    create(path, data, CreateMode::Persistent)
}

pub(super) fn write(path: &str, data: &str, version: i32) -> Request {
    Request::SetData { path: path.into(), data: Some(data.into()), version }
}

pub(super) fn get(path: &str, watch: bool) -> Request {
    Request::GetData { path: path.into(), watch }
}

fn exists(path: &str, watch: bool) -> Request {
    Request::Exists { path: path.into(), watch }
}

fn list(path: &str) -> Request {
    Request::GetChildren { path: path.into(), watch: false, stat: false }
}

fn delete(path: &str) -> Request {
    Request::Delete { path: path.into(), version: -1 }
}

fn sync(path: &str) -> Request {
    Request::Sync { path: path.into() }
}

fn link(a: &[u8], b: &[u8], min_ms: u64, max_ms: u64) -> Action {
    Action::Latency { from: set(a), to: set(b), range: LatencyRange::ms(min_ms, max_ms) }
}

/// The leader looks for containers and nodes past their time every half second.
fn tree() -> Run {
    use CreateMode::{Container, Ephemeral, PersistentSequential, PersistentWithTtl};
    let refused = vec![write("/app", "v3", -1), plain("/app/half", ""), delete("/app/nothing")];
    let done = vec![write("/app", "v3", -1), plain("/app/whole", ""), delete("/app/task-0000000000")];
    run(
        Setup { container_check_ms: 500, ..Setup::default() },
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(1, plain("/app", "v1"))),
            (1_350, ask(1, create("/app/task-", "", PersistentSequential))),
            (1_500, ask(1, create("/app/task-", "", PersistentSequential))),
            (1_650, ask(1, create("/app/live", "C1", Ephemeral))),
            (1_800, ask(1, plain("/app/live/child", ""))),
            (1_950, ask(1, create("/box", "", Container))),
            (2_100, ask(1, plain("/box/thing", ""))),
            (2_250, ask(1, create("/brief", "", PersistentWithTtl))),
            (2_400, ask(1, exists("/app", false))),
            (2_450, ask(1, get("/app", false))),
            (2_500, ask(1, write("/app", "v2", -1))),
            (2_650, ask(1, Request::Multi { ops: refused })),
            (2_800, ask(1, Request::Multi { ops: done })),
            (2_950, ask(1, delete("/box/thing"))),
            (3_100, ask(2, sync("/app"))),
            (3_100, ask(2, list("/app"))),
            (3_700, Action::CloseClient { client: ClientId(1) }),
            (4_200, ask(2, list("/app"))),
            (4_250, ask(2, list("/"))),
            (4_500, ask(2, delete("/app"))),
        ],
    )
}

fn stat() -> Run {
    let mut actions = vec![(900, open(1, &[1], 4_000)), (1_200, ask(1, plain("/node", "a")))];
    let steps = [
        write("/node", "b!", -1),
        plain("/node/child", ""),
        write("/node/child", "x", -1),
        Request::SetAcl { path: "/node".into(), acl: Acl::open(), version: -1 },
        delete("/node/child"),
        create("/node/live", "", CreateMode::Ephemeral),
    ];
    for (at_ms, step) in (1_400..).step_by(250).zip(steps) {
        actions.extend([(at_ms, ask(1, step)), (at_ms, ask(1, exists("/node", false)))]);
    }
    actions.push((3_000, ask(1, exists("/node/live", false))));
    run(Setup::default(), actions)
}

fn version() -> Run {
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(1, plain("/count", "10"))),
            (1_400, ask(1, get("/count", false))),
            (1_400, ask(2, get("/count", false))),
            (1_500, ask(1, write("/count", "11", 0))),
            (1_520, ask(2, write("/count", "11", 0))),
            (1_800, ask(2, get("/count", false))),
            (1_900, ask(2, write("/count", "12", 1))),
            (2_200, ask(1, get("/count", false))),
        ],
    )
}

fn watch() -> Run {
    let all = Request::AddWatch { path: "/conf".into(), mode: AddWatchMode::PersistentRecursive };
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (900, open(3, &[3], 4_000)),
            (1_200, ask(2, plain("/conf", "v1"))),
            (1_400, ask(1, get("/conf", true))),
            // the second comes before the first was read: its event is nobody's
            (1_500, ask(2, write("/conf", "v2", -1))),
            (1_560, ask(2, write("/conf", "v3", -1))),
            (1_800, ask(1, get("/conf", true))),
            (2_000, ask(2, write("/conf", "v4", -1))),
            (2_300, ask(2, write("/conf", "v5", -1))),
            (2_600, ask(3, all)),
            (2_700, ask(2, write("/conf", "v6", -1))),
            (2_850, ask(2, plain("/conf/host", "a"))),
            (3_000, ask(2, write("/conf/host", "b", -1))),
            (3_150, ask(2, delete("/conf/host"))),
        ],
    )
}

fn session() -> Run {
    let (client, to) = (ClientId(1), ServerId(3));
    let to = MoveTo { server: to, wrong_password: false, claim_ahead: false, keep_old: false };
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1, 2, 3], 1_200)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(1, create("/live", "C1", CreateMode::Ephemeral))),
            (1_400, ask(2, exists("/live", true))),
            (1_600, Action::DisconnectClient { client }),
            (1_700, ask(2, exists("/live", false))),
            (2_400, Action::MoveClient { client, to }),
            (2_700, ask(2, exists("/live", false))),
            (3_000, Action::PauseClient { client }),
            (3_500, ask(2, exists("/live", false))),
            (4_900, ask(2, exists("/live", false))),
            (5_000, Action::ResumeClient { client }),
            (7_000, open(1, &[1, 2, 3], 1_200)),
            (7_300, ask(1, create("/live", "C1 again", CreateMode::Ephemeral))),
            (7_550, ask(2, exists("/live", true))),
            (7_700, Action::CloseClient { client }),
            (8_100, ask(2, exists("/live", false))),
        ],
    )
}

fn guarantees() -> Run {
    let to = MoveTo { server: ServerId(1), wrong_password: false, claim_ahead: false, keep_old: false };
    let refused = vec![write("/x", "half", -1), plain("/x", "is there")];
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(1, plain("/x", "0"))),
            // in order: all at once, answered one after the other
            (1_400, ask(1, write("/x", "1", -1))),
            (1_400, ask(1, write("/x", "2", -1))),
            (1_400, ask(1, write("/x", "3", -1))),
            (1_400, ask(1, get("/x", false))),
            // all or nothing
            (1_800, ask(2, Request::Multi { ops: refused })),
            (2_000, ask(2, get("/x", false))),
            // never back in time: S1 is behind, and must not take a client that has seen more
            (2_200, link(&[3], &[1], 400, 400)),
            (2_300, ask(2, write("/x", "4", -1))),
            (2_450, Action::MoveClient { client: ClientId(2), to }),
            (3_100, link(&[3], &[1], 10, 20)),
            // never lost: the leader dies as soon as it has answered
            (4_700, ask(1, write("/x", "5", -1))),
            (4_850, crash(3)),
            (6_000, restart(3)),
            (7_000, ask(1, get("/x", false))),
            (7_100, ask(2, get("/x", false))),
        ],
    )
}

fn stale_read() -> Run {
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(2, plain("/x", "old"))),
            (1_500, link(&[3], &[1], 400, 400)),
            (2_000, ask(2, write("/x", "new", -1))),
            (2_150, ask(2, get("/x", false))),
            (2_200, ask(1, get("/x", false))),
            (2_250, ask(1, sync("/x"))),
            (2_250, ask(1, get("/x", false))),
        ],
    )
}

/// What zkCli asks for these lines: `create /app v1`, `create -e -s /app/worker- C1`, `ls /app`, `get -w /app`; at C2 `set /app v2`; `set -v 0
/// /app v3`, `stat /app`, `set -v 1 /app v3`; at C2 `addWatch /app`; `delete /app`, `deleteall /app`, `sync /`, `ls /`.
fn cli() -> Run {
    let worker = "/app/worker-0000000000";
    let ls = |path: &str| Request::GetChildren { path: path.into(), watch: false, stat: true };
    let all = Request::AddWatch { path: "/app".into(), mode: AddWatchMode::PersistentRecursive };
    run(
        Setup::default(),
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
            (1_200, ask(1, plain("/app", "v1"))),
            (1_400, ask(1, create("/app/worker-", "C1", CreateMode::EphemeralSequential))),
            (1_600, ask(1, ls("/app"))),
            (1_800, ask(1, get("/app", true))),
            (2_000, ask(2, write("/app", "v2", -1))),
            (2_300, ask(1, write("/app", "v3", 0))),
            (2_500, ask(1, exists("/app", false))),
            (2_650, ask(1, write("/app", "v3", 1))),
            (2_900, ask(2, all)),
            (3_100, ask(1, delete("/app"))),
            // deleteall: list everything, then one multi from the leaves up
            (3_300, ask(1, list("/app"))),
            (3_400, ask(1, list(worker))),
            (3_500, ask(1, Request::Multi { ops: vec![delete(worker), delete("/app")] })),
            (3_800, ask(1, sync("/"))),
            (3_950, ask(1, ls("/"))),
        ],
    )
}
