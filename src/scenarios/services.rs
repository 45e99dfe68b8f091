//! Runs about how servers treat their clients: which of them serve, and how much they take.

use std::rc::Rc;

use crate::base::{ClientId, ServerId};
use crate::sim::{Action, Run, Setup};
use crate::wire::{Acl, CreateMode, Request};

use crate::scenarios::{Make, Scenario, crash, run, scenarios};

scenarios! {
    /// These runs, in the order in which they are shown.
    SERVICES:
    "leader-serves-no": "A leader without clients", "With leaderServes=no the leader sends clients away; a new leader does so too."
        topics ["zk-session"], until 6_000, telling 3_200, Make::Plain(leader_serves_no);
    "quota": "Quotas", "A soft quota warns, a hard one refuses; writes that are already proposed slip past."
        topics ["zk-tree"], until 4_500, telling 3_250, Make::Plain(quota);
}

fn open(client: u16, servers: &[u8]) -> Action {
    let servers = servers.iter().copied().map(ServerId).collect();
    Action::OpenClient { client: ClientId(client), servers, timeout_ms: 4_000, chroot: None, raw: false }
}

fn ask(client: u16, request: Request) -> Action {
    Action::Ask { client: ClientId(client), request, watcher: None, local: false, on_old_connection: false }
}

fn plain(path: &str, data: &str) -> Request {
    let (data, acl, mode): (Option<Rc<str>>, _, _) = (Some(data.into()), Acl::open(), CreateMode::Persistent);
    Request::Create { path: path.into(), data, acl, mode, ttl: 0, stat: false, flags: None }
}

fn get(path: &str) -> Request {
    Request::GetData { path: path.into(), watch: false }
}

/// S3 leads, and clients that try it go on to others. When it dies, S2 leads and sends its clients away: all go to S1.
fn leader_serves_no() -> Run {
    run(
        Setup { leader_serves: false, ..Setup::default() },
        vec![
            (900, open(1, &[])),
            (900, open(2, &[])),
            (2_200, ask(1, plain("/x", "1"))),
            (2_800, crash(3)),
            (5_400, ask(1, plain("/y", "2"))),
            (5_600, ask(2, get("/y"))),
        ],
    )
}

/// `/jobs` may hold four znodes, itself included; three are its softer limit of data.
fn quota() -> Run {
    run(
        Setup { enforce_quota: true, ..Setup::default() },
        vec![
            (900, open(1, &[1])),
            (900, open(2, &[2])),
            (1_300, ask(1, plain("/jobs", ""))),
            (1_400, ask(1, plain("/zookeeper/quota/jobs", ""))),
            (
                1_500,
                ask(
                    1,
                    plain(
                        "/zookeeper/quota/jobs/zookeeper_limits",
                        "count=-1,bytes=3=;byteHardLimit=-1;countHardLimit=4",
                    ),
                ),
            ),
            (1_600, ask(1, plain("/zookeeper/quota/jobs/zookeeper_stats", "count=0,bytes=0"))),
            (2_000, ask(1, plain("/jobs/1", "ab"))),
            (2_300, ask(1, plain("/jobs/2", "cd"))),
            // one place is left: both are prepared before either is applied
            (2_600, ask(1, plain("/jobs/3", ""))),
            (2_600, ask(2, plain("/jobs/4", ""))),
            (3_200, ask(2, plain("/jobs/5", ""))),
            (3_600, ask(1, get("/zookeeper/quota/jobs/zookeeper_stats"))),
        ],
    )
}
