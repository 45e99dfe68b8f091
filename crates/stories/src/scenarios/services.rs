//! Runs about how servers treat their clients: which of them serve, and how much they take.

use crate::base::{Arrange, ClientId, Node, ServerId, ServerSet};
use crate::sim::{Action, MoveTo, Run, Setup};
use crate::wire::{Acl, CreateMode, Request};

use crate::scenarios::store::{ask, get, open, write};
use crate::scenarios::{Make, Scenario, crash, restart, run, scenarios};

scenarios! {
    /// These runs, in the order in which they are shown.
    SERVICES:
    "standalone": "A server alone", "The first thing that anyone starts: one server, no election. When it dies nobody serves, until it is back with all that was in its log."
        topics ["zk-session", "zk-guarantees"], until 5_400, telling 3_900, Make::Plain(standalone);
    "now-three": "Now three of them", "The server that was alone gets two others: its file names three, they take over what it has, and one may die from now on."
        topics ["zk-session", "zk-guarantees"], until 11_500, telling 6_503, Make::Plain(now_three);
    "leader-serves-no": "A leader without clients", "With leaderServes=no the leader sends clients away; a new leader does so too."
        topics ["zk-session"], until 7_500, telling 3_200, Make::Plain(leader_serves_no);
    "quota": "Quotas", "A soft quota warns, a hard one refuses; writes that are already proposed slip past."
        topics ["zk-tree"], until 4_500, telling 2_635, Make::Plain(quota);
    "read-only-mode": "Read-only mode", "Cut off from the others, a server serves stale reads to a client that allows it, until the client finds a better one."
        topics ["zk-guarantees"], until 10_000, telling 6_100, Make::Plain(read_only_mode);
    "local-sessions": "Local sessions", "A session that only its server knows costs no transaction, cannot move, and is upgraded for its first ephemeral."
        topics ["zk-session"], until 5_000, telling 1_900, Make::Plain(local_sessions);
    "throttling": "Throttling", "A server turns away a connection too many, and reads no more of a client while too much is in process."
        topics ["zk-session"], until 3_400, telling 2_640, Make::Plain(throttling);
    "clock-skew": "A wrong clock", "The leader's clock jumps ahead: a TTL ends early and a Stat tells a time to come; sessions and the order do not care."
        topics ["zk-stat", "zk-session"], until 5_500, telling 2_470, Make::Plain(clock_skew);
    "ask-the-servers": "Asking the servers", "Four-letter words, whoami and the configuration: what a server says of itself, of its clients and of the ensemble."
        topics ["zk-cli", "zk-session"], until 6_400, telling 1_720, Make::Plain(ask_the_servers);
}

/// With data, be they none at all.
pub(super) fn create(path: &str, data: &str, mode: CreateMode) -> Request {
    let (path, data, acl) = (path.into(), Some(data.into()), Acl::open());
    Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None }
}

fn plain(path: &str, data: &str) -> Request {
    create(path, data, CreateMode::Persistent)
}

/// S1 is all there is. Nobody can write while it is down; its log has every write that was answered, and the sessions.
fn standalone() -> Run {
    let set = |path: &str, data: &str| Request::SetData { path: path.into(), data: Some(data.into()), version: -1 };
    run(
        Setup { voters: 1, standalone_enabled: true, ..Setup::default() },
        vec![
            (100, open(1, &[1], 6_000)),
            (100, open(2, &[1], 6_000)),
            (500, ask(1, plain("/shop", "open"))),
            (700, ask(2, create("/worker", "C2", CreateMode::Ephemeral))),
            (1_000, Action::FourLetter { server: ServerId(1), word: "srvr".into(), client: None }),
            (1_500, crash(1)),
            (2_000, ask(1, set("/shop", "closed"))),
            (3_000, restart(1)),
            (4_100, ask(1, get("/shop", false))),
            (4_400, ask(1, set("/shop", "closed"))),
            (4_800, ask(2, get("/shop", false))),
        ],
    )
}

/// S1 alone has a history. All are stopped, the file of each names three, and they start one after the other.
fn now_three() -> Run {
    let all: ServerSet = [1, 2, 3].into_iter().map(ServerId).collect();
    let add = |server| Action::Add { server: ServerId(server), observer: false };
    run(
        Setup { voters: 1, standalone_enabled: true, ..Setup::default() },
        vec![
            (100, open(1, &[1], 20_000)),
            (500, ask(1, plain("/shop", "open"))),
            (1_000, add(2)),
            (1_000, add(3)),
            (1_100, crash(1)),
            (1_100, crash(2)),
            (1_100, crash(3)),
            (1_200, Action::EditConfig { servers: all, voters: all, observers: ServerSet::EMPTY }),
            (2_000, restart(1)),
            (3_000, restart(2)),
            (4_500, restart(3)),
            (5_500, open(2, &[2], 20_000)),
            (6_000, ask(2, get("/shop", false))),
            (6_500, ask(2, Request::SetData { path: "/shop".into(), data: Some("closed".into()), version: -1 })),
            (7_500, crash(1)),
            (10_500, ask(2, get("/shop", false))),
        ],
    )
}

/// S3 leads, and clients that try it go on to others. When it dies, S2 leads and sends its clients away: all go to S1.
fn leader_serves_no() -> Run {
    run(
        Setup { leader_serves: false, ..Setup::default() },
        vec![
            (900, open(1, &[], 4_000)),
            (900, open(2, &[], 4_000)),
            (2_200, ask(1, plain("/x", "1"))),
            (2_800, crash(3)),
            (6_400, ask(1, plain("/y", "2"))),
            (6_900, ask(2, get("/y", false))),
        ],
    )
}

/// `/jobs` has a hard limit of four znodes, itself included, and a soft one of three bytes.
fn quota() -> Run {
    run(
        Setup { enforce_quota: true, ..Setup::default() },
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[2], 4_000)),
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
            (3_600, ask(1, get("/zookeeper/quota/jobs/zookeeper_stats", false))),
        ],
    )
}

fn local_sessions() -> Run {
    let to = MoveTo { server: ServerId(2), wrong_password: false, claim_ahead: false, keep_old: false };
    run(
        Setup { local_sessions: true, local_sessions_upgrading: true, ..Setup::default() },
        vec![
            (900, open(1, &[1], 4_000)),
            (900, open(2, &[1], 4_000)),
            (1_300, ask(1, plain("/x", "of a session that nobody knows"))),
            (1_800, ask(1, create("/live", "", CreateMode::Ephemeral))),
            (2_400, Action::MoveClient { client: ClientId(1), to }),
            (3_000, ask(1, get("/live", false))),
            (3_400, Action::MoveClient { client: ClientId(2), to }),
        ],
    )
}

/// C1 reaches S1 only, and S1 nobody. While it looks for a leader it serves what it has; when C1 reaches the others again it
/// finds that they can write.
fn read_only_mode() -> Run {
    let (one, others): (ServerSet, ServerSet) = (ServerSet::first(1), [2, 3].map(ServerId).into_iter().collect());
    let links: Vec<(Node, Node)> =
        [2, 3].map(|server| (Node::Client(ClientId(1)), Node::Server(ServerId(server)))).to_vec();
    run(
        Setup { local_sessions: true, read_only_mode: true, can_be_read_only: true, ..Setup::default() },
        vec![
            (900, open(2, &[2], 4_000)),
            (1_200, ask(2, plain("/x", "old"))),
            (1_500, Action::Cut { from: one, to: others, one_way: false }),
            (2_200, ask(2, write("/x", "new", -1))),
            (5_200, open(1, &[], 4_000)),
            (5_200, Action::CutLinks { links: links.clone() }),
            (6_600, ask(1, get("/x", false))),
            (6_700, ask(1, plain("/y", ""))),
            (7_000, Action::HealLinks { links }),
            (9_600, ask(1, get("/x", false))),
        ],
    )
}

/// S1 takes two connections of an address, and reads on while no more than three requests are in process (half of the limit, for there are two other
/// voters). C1 sends nine at once.
fn throttling() -> Run {
    let mut actions = vec![
        (900, open(1, &[1], 4_000)),
        (900, open(2, &[1], 4_000)),
        (1_300, ask(1, plain("/log", ""))),
        (1_500, open(3, &[1, 2], 4_000)),
    ];
    actions.extend((1..=8).map(|nth| (2_600, ask(1, plain(&format!("/log/{nth}"), "")))));
    actions.push((2_600, ask(1, Request::GetChildren { path: "/log".into(), watch: false, stat: false })));
    run(Setup { max_client_cnxns: 2, global_outstanding_limit: 6, ..Setup::default() }, actions)
}

/// S3 leads, and looks for what is past its time once a second. Its wall clock jumps a minute ahead; the one of S2 is right.
fn clock_skew() -> Run {
    let lease = Request::Create {
        path: "/lease".into(),
        data: Some("30 s".into()),
        acl: Acl::open(),
        mode: CreateMode::PersistentWithTtl,
        ttl: 30_000,
        stat: false,
        flags: None,
    };
    let exists = |path: &str, watch| Request::Exists { path: path.into(), watch };
    run(
        Setup { container_check_ms: 1_000, ..Setup::default() },
        vec![
            (900, open(1, &[1, 2], 4_000)),
            (1_300, ask(1, lease)),
            (1_500, ask(1, exists("/lease", true))),
            (2_000, Action::ClockJump { server: ServerId(3), ms: 60_000 }),
            (2_700, ask(1, plain("/first", ""))),
            (2_850, ask(1, exists("/first", false))),
            (3_200, crash(3)),
            (4_700, ask(1, plain("/second", ""))),
            (4_850, ask(1, exists("/second", false))),
        ],
    )
}

/// S3 leads. An operator's shell says the words; C1 asks who it is, before and after it has proved it, and reads the configuration.
fn ask_the_servers() -> Run {
    let say = |server, word: &str| Action::FourLetter { server: ServerId(server), word: word.into(), client: None };
    let asked = [
        (1_500, say(1, "ruok")),
        (1_600, say(1, "srvr")),
        (1_700, say(3, "srvr")),
        (3_100, say(1, "cons")),
        (3_200, say(1, "wchs")),
        (3_300, say(3, "dump")),
        (3_400, say(3, "mntr")),
        (3_500, say(2, "conf")),
        (4_100, say(1, "isro")),
        (4_150, say(1, "srvr")),
        (5_900, say(2, "srvr")),
        (6_000, say(2, "isro")),
    ];
    let prove = Action::AddAuth { client: ClientId(1), scheme: "digest".into(), auth: Some("bob:secret".into()) };
    let mut actions = vec![
        (900, open(1, &[1], 4_000)),
        (1_300, ask(1, create("/live", "C1", CreateMode::Ephemeral))),
        (2_000, ask(1, Request::WhoAmI)),
        (2_200, prove),
        (2_350, ask(1, Request::WhoAmI)),
        (2_650, ask(1, get("/zookeeper/config", true))),
        (3_800, crash(3)),
    ];
    actions.extend(asked);
    actions.arrange_by_key(|(at_ms, _)| *at_ms);
    run(Setup::default(), actions)
}
