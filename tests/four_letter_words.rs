//! Four-letter words: the numbers that a real 3.9.5 tells, how words travel, and who does not answer.

use std::rc::Rc;

use zabscope::base::{ClientId, Node, ServerId, SimTime};
use zabscope::sim::{Action, Fact, Player, Run, Setup, Silence, WorldFact, ZkVersion};
use zabscope::wire::{Acl, CreateMode, Request};

const C1: ClientId = ClientId(1);

fn word(server: u8, word: &str, client: Option<u16>) -> Action {
    Action::FourLetter { server: ServerId(server), word: word.into(), client: client.map(ClientId) }
}

fn here(server: u8, text: &str) -> Action {
    word(server, text, None)
}

fn open(server: u8) -> Action {
    let servers = vec![ServerId(server)];
    Action::OpenClient { client: C1, servers, timeout_ms: 4_000, chroot: None, raw: false }
}

fn ask(request: Request) -> Action {
    Action::Ask { client: C1, request, watcher: None, local: false, on_old_connection: false }
}

fn create(path: &str, data: &str, mode: CreateMode) -> Action {
    let (path, data, acl) = (path.into(), Some(data.into()), Acl::open());
    ask(Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None })
}

/// What comes of each word: the answer, or why there is none.
fn play(setup: Setup, actions: Vec<(u64, Action)>, until_ms: u64) -> Vec<Result<String, Silence>> {
    let mut run = Run::new(5, setup);
    for (at, action) in actions {
        run.push(SimTime::from_ms(at), action);
    }
    let mut told = Vec::new();
    let mut player = Player::new(run).expect("a valid run");
    player.run_until(SimTime::from_ms(until_ms), |_, records| {
        told.extend(records.iter().filter_map(|record| match &record.fact {
            Fact::World(WorldFact::FourLetterAnswered { answer, .. }) => Some(Ok(answer.join("\n"))),
            Fact::World(WorldFact::FourLetterUnanswered { silence, .. }) => Some(Err(*silence)),
            _ => None,
        }));
    });
    told
}

fn answers(setup: Setup, actions: Vec<(u64, Action)>, until_ms: u64) -> Vec<String> {
    play(setup, actions, until_ms).into_iter().map(|told| told.expect("an answer")).collect()
}

/// The value of a line of `mntr` or `srvr`.
fn value<'a>(answer: &'a str, name: &str) -> &'a str {
    let lines = answer.lines().filter_map(|line| line.split_once(['\t', ':']));
    let mut found = lines.filter(|(key, _)| *key == name || key.strip_prefix("zk_") == Some(name));
    found.next().map_or_else(|| panic!("no {name} in {answer}"), |(_, value)| value.trim())
}

/// Three voters and an observer: the text of their configuration is as long as that of the recorded ensemble, 178 bytes.
fn four() -> Setup {
    Setup { observers: 1, ..Setup::default() }
}

/// A fresh server has five entries in its table of nodes, because the root stands there twice, and 222 bytes of paths and data.
#[test]
fn a_fresh_server_counts_as_the_real_one_does() {
    let told = answers(
        four(),
        vec![
            (1_500, here(1, "mntr")),
            (1_500, here(1, "srvr")),
            (1_600, open(3)),
            (1_900, here(3, "srvr")),
            (2_000, create("/a", "x", CreateMode::Persistent)),
            (2_300, create("/e", "x", CreateMode::Ephemeral)),
            (2_600, here(1, "mntr")),
            (2_700, create("/e1795915933", "x", CreateMode::Ephemeral)),
            (3_000, here(3, "srvr")),
            (3_100, ask(Request::Delete { path: "/none".into(), version: -1 })),
            (3_400, here(3, "srvr")),
        ],
        3_500,
    );
    let [fresh, srvr, opened, later, created, refused] = &told[..] else { panic!("{told:?}") };
    assert_eq!([value(fresh, "znode_count"), value(fresh, "approximate_data_size")], ["5", "222"]);
    assert_eq!(value(srvr, "Node count"), "5");
    assert_eq!(value(opened, "Proposal sizes last/min/max"), "48/48/48", "createSession");
    assert_eq!([value(later, "znode_count"), value(later, "approximate_data_size")], ["7", "228"]);
    assert_eq!(value(created, "Proposal sizes last/min/max"), "97/48/97", "a create of one byte");
    assert_eq!(value(refused, "Proposal sizes last/min/max"), "36/36/97", "a refusal has no digest");
}

/// The connection that asks is counted and listed, and so is its word; its answer is counted behind it.
#[test]
fn the_connection_that_asks_counts() {
    let said = ["srvr", "stat", "cons", "mntr", "dump"];
    let told = answers(Setup::default(), said.iter().map(|text| (1_500, here(1, text))).collect(), 1_600);
    let [srvr, stat, cons, mntr, dump] = &told[..] else { panic!("{told:?}") };
    let counted = |answer| ["Received", "Sent", "Connections"].map(|name| value(answer, name).to_string());
    assert_eq!(counted(srvr), ["1", "0", "1"]);
    assert_eq!(counted(stat), ["2", "1", "1"]);
    let line = |port: u32| format!(" /127.0.0.1:{port}[0](queued=0,recved=1,sent=0)");
    let port = cons.split([':', '[']).nth(1).and_then(|port| port.parse().ok()).expect("a port");
    assert_eq!(*cons, format!("{}\n", line(port)));
    assert!(stat.contains(&format!("Clients:\n{}\n\nLatency min/avg/max: 0/0.0/0\n", line(port - 1))), "{stat}");
    assert_eq!([value(mntr, "num_alive_connections"), value(mntr, "packets_sent")], ["1", "3"]);
    let connection = format!("\tip: /127.0.0.1:{} sessionId: 0x0", port + 2);
    assert!(
        dump.ends_with(&format!(
            "Connections Sets (1)/(1):\n1 expire at Thu Jan 01 00:00:20 UTC 1970:\n{connection}"
        ))
    );
}

/// With local sessions every server tells of its own by when they expire, and a leader says which ones are everybody's.
#[test]
fn dump_tells_local_sessions_from_those_of_everybody() {
    let setup = Setup { local_sessions: true, local_sessions_upgrading: true, ..Setup::default() };
    let told = answers(
        setup,
        vec![
            (1_600, open(3)),
            (2_000, here(3, "dump")),
            (2_000, here(1, "dump")),
            (2_100, create("/e", "", CreateMode::Ephemeral)),
            (2_500, here(3, "dump")),
            (2_500, here(1, "dump")),
        ],
        2_600,
    );
    // of each set its line, without the moments, and who is in it
    let sessions = |answer: &str| -> Vec<String> {
        let lines = answer.lines().skip(1).take_while(|line| *line != "ephemeral nodes dump:");
        lines.filter(|line| !line.contains(" expire at ")).map(str::to_string).collect()
    };
    let [leader, follower, upgraded, learned] = &told[..] else { panic!("{told:?}") };
    let sets = sessions(leader);
    let session = sets[1].trim();
    assert_eq!(sets, ["Local Session Sets (1)/(1):", &format!("\t{session}"), "Global Session Sets (0)/(0):"]);
    assert_eq!(sessions(follower), ["Local Session Sets (0)/(0):", "Global Sessions(0):"]);
    let sets = sessions(upgraded);
    assert!(sets[0].starts_with("Local Session Sets (") && sets[0].ends_with("/(0):"), "{sets:?}");
    assert!(sets[1].starts_with("Global Session Sets (") && sets[1].ends_with("/(1):"), "{sets:?}");
    assert_eq!(sets[2], format!("\t{session}"));
    let global = format!("{session}\t4000ms");
    assert_eq!(sessions(learned), ["Local Session Sets (0)/(0):", "Global Sessions(1):", &global]);
}

/// Gauges and counters in the order of a real server's hash tables (3.9.5, each role), as far as we have them.
#[test]
fn a_server_tells_what_it_could_know_in_the_order_of_the_real_one() {
    const LEADER: &str = "version server_state peer_state ephemerals_count num_alive_connections avg_latency min_proposal_size \
        outstanding_requests znode_count global_sessions non_mtls_remote_conn_count last_client_response_size packets_sent \
        packets_received max_proposal_size max_client_response_size synced_followers connection_drop_probability watch_count \
        synced_non_voting_followers synced_observers auth_failed_count min_latency approximate_data_size last_proposal_size \
        pending_syncs leader_uptime local_sessions uptime max_latency outstanding_tls_handshake learners \
        min_client_response_size non_mtls_local_conn_count quorum_size connection_rejected connection_drop_count \
        bytes_received_count response_bytes diff_count connection_revalidate_count commit_count proposal_count looking_count \
        learner_proposal_received_count learner_commit_received_count connection_request_count snap_count \
        stale_sessions_expired revalidate_count";
    const OF_LEADERS: &str = "min_proposal_size max_proposal_size synced_followers synced_non_voting_followers \
        synced_observers last_proposal_size pending_syncs leader_uptime learners";
    let names = |answer: &str| -> Vec<String> {
        answer.lines().map(|line| line.split('\t').next().unwrap_or_default().replacen("zk_", "", 1)).collect()
    };
    let told =
        answers(four(), vec![(1_500, here(3, "mntr")), (1_500, here(1, "mntr")), (1_500, here(4, "mntr"))], 1_600);
    let leader: Vec<&str> = LEADER.split_whitespace().collect();
    assert_eq!(names(&told[0]), leader);
    let mut follower = leader.clone();
    follower.retain(|name| !OF_LEADERS.split_whitespace().any(|one| one == *name));
    assert_eq!(names(&told[1]), follower);
    follower.insert(3, "observer_master_id");
    assert_eq!(names(&told[2]), follower);
    assert_eq!(value(&told[2], "observer_master_id"), "3");
    let old = Setup { zookeeper: ZkVersion::V38, ..Setup::default() };
    let old = names(&answers(old, vec![(1_500, here(1, "mntr"))], 1_600)[0]);
    let counters = ["proposal_count", "connection_rejected", "looking_count", "connection_drop_count"];
    let places: Vec<usize> = counters.iter().filter_map(|name| old.iter().position(|one| one == name)).collect();
    assert!(places.len() == 4 && places.is_sorted(), "the smaller table of 3.8: {old:?}");
}

/// Limits and use, by the uppermost znode: as the recorded server tells them of a soft limit of 2 and a hard one of 3.
#[test]
fn quotas_are_told_by_their_uppermost_znode() {
    let create = |path: &str, data: &str| create(path, data, CreateMode::Persistent);
    let told = answers(
        Setup::default(),
        vec![
            (1_500, open(1)),
            (1_900, create("/limited", "")),
            (2_000, create("/zookeeper/quota/limited", "")),
            (
                2_100,
                create(
                    "/zookeeper/quota/limited/zookeeper_limits",
                    "count=2,bytes=-1=;byteHardLimit=-1;countHardLimit=3",
                ),
            ),
            (2_200, create("/zookeeper/quota/limited/zookeeper_stats", "count=1,bytes=0")),
            (2_300, create("/limited/a", "")),
            (2_400, create("/limited/b", "")),
            (2_700, here(1, "mntr")),
        ],
        2_800,
    );
    let quotas: Vec<&str> = told[0].lines().filter(|line| line.contains("_per_namespace")).collect();
    let expected = [("bytes_limit", "-1"), ("count_usage", "3"), ("count_limit", "3"), ("bytes_usage", "0")];
    assert_eq!(quotas, expected.map(|(name, value)| format!("zk_limited_quota_{name}_per_namespace\t{value}")));
}

/// What was done shows in the numbers of each role.
#[test]
fn gauges_and_counters_follow_what_happens() {
    let told = answers(
        four(),
        vec![
            (1_500, open(1)),
            (2_000, create("/a", "x", CreateMode::Persistent)),
            (2_300, here(3, "mntr")),
            (2_300, here(1, "mntr")),
            (2_300, here(4, "mntr")),
        ],
        2_400,
    );
    let of = |role: usize, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| value(&told[role], name).to_string()).collect()
    };
    let all = ["looking_count", "proposal_count", "commit_count", "learner_proposal_received_count"];
    assert_eq!(of(0, &all), ["1", "2", "2", "0"]);
    assert_eq!(of(1, &all), ["1", "0", "0", "2"]);
    assert_eq!(of(2, &all), ["1", "0", "0", "0"], "an observer is told by INFORM");
    assert_eq!(of(2, &["learner_commit_received_count"]), ["2"]);
    assert_eq!(
        of(0, &["learners", "synced_followers", "synced_non_voting_followers", "synced_observers"]),
        ["3", "2", "0", "1"]
    );
    let synced: u32 = of(0, &["diff_count", "snap_count"]).iter().filter_map(|count| count.parse::<u32>().ok()).sum();
    assert_eq!(synced, 3);
    // the answer to create: a header of 16, and the path behind its length
    assert_eq!(
        of(1, &["connection_request_count", "last_client_response_size", "max_client_response_size"]),
        ["1", "22", "22"]
    );
    let [uptime, leads] = ["uptime", "leader_uptime"].map(|name| of(0, &[name])[0].parse::<u32>().expect("a number"));
    assert!(leads < uptime, "the epoch takes its time: {leads} of {uptime}");
}

/// The file first, then what is of an ensemble; sizes are those of the directory, with a log file's whole piece.
#[test]
fn the_configuration_is_told_whole_and_in_order() {
    let setup = Setup { pre_alloc_kb: 64, ..four() };
    let actions =
        vec![(1_500, open(1)), (2_000, here(1, "conf")), (2_000, here(4, "conf")), (2_000, here(1, "dirs"))];
    let told = answers(setup, actions, 2_100);
    let keys = |answer: &str| -> Vec<String> {
        answer.lines().map(|line| line.split('=').next().unwrap_or_default().to_string()).collect()
    };
    let expected = "clientPort secureClientPort dataDir dataDirSize dataLogDir dataLogSize tickTime maxClientCnxns \
        minSessionTimeout maxSessionTimeout clientPortListenBacklog serverId initLimit syncLimit electionAlg electionPort \
        quorumPort peerType membership:_ server.1 server.2 server.3 server.4 version";
    let expected: Vec<String> = expected.split_whitespace().map(|key| key.replace('_', " ")).collect();
    assert_eq!(keys(&told[0]), expected);
    assert!(
        told[0].contains("\nclientPortListenBacklog=-1\nserverId=1\n") && told[0].ends_with("\nversion=0"),
        "{}",
        told[0]
    );
    assert!(told[1].contains("\npeerType=1\n"), "an observer");
    let size: u64 = told[0].lines().find_map(|line| line.strip_prefix("dataDirSize=")?.parse().ok()).expect("a size");
    assert!((65_536..66_536).contains(&size), "one piece of a log, a snapshot, two epochs: {size}");
    assert_eq!(told[2], format!("datadir_size: {size}\nlogdir_size: {size}"));
}

#[test]
fn words_that_set_something_set_it() {
    let told = answers(
        Setup::default(),
        vec![
            (1_500, open(1)),
            (2_000, here(1, "srst")),
            (2_000, here(1, "crst")),
            (2_000, here(1, "srvr")),
            (2_000, here(1, "cons")),
            (2_000, here(1, "gtmk")),
            (2_000, here(1, "stmkAAAAAAAA")),
            (2_000, here(1, "gtmk")),
            (2_000, here(1, "hash")),
            (2_000, here(1, "envi")),
        ],
        2_100,
    );
    assert_eq!(&told[..2], ["Server stats reset.", "Connection stats reset."]);
    // the answer to srst, crst, its answer, and srvr itself
    assert_eq!(["Received", "Sent"].map(|name| value(&told[2], name)), ["2", "2"]);
    assert!(told[3].contains(",lop=NA,") && told[3].contains(",lzxid=0xffffffffffffffff,lresp=0,"), "{}", told[3]);
    assert_eq!(&told[4..8], ["306", "4702111234474983745", "4702111234474983745", ""]);
    assert_eq!(told[8], "Environment:\nzookeeper.version=3.9, as simulated by ZabScope\nhost.name=S1");
}

/// Every 128th transaction leaves the digest of the tree behind it.
#[test]
fn digests_are_kept_of_every_128th_transaction() {
    let write = Action::Write { server: ServerId(1), data: "x".into(), count: 260, every_us: 1_000 };
    let told =
        answers(Setup::default(), vec![(1_500, write), (3_000, here(1, "hash")), (3_000, here(3, "hash"))], 3_100);
    let zxids: Vec<&str> = told[0].lines().map(|line| line.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(zxids, ["100000080", "100000100"]);
    assert_eq!(told[0], told[1], "all servers have the same tree");
}

#[test]
fn what_is_no_word_and_what_is_not_allowed_is_not_answered() {
    let unknown: Vec<_> = ["SRVR", "srv", "xxxx", "stmk", ""].iter().map(|text| (1_500, here(1, text))).collect();
    assert_eq!(play(Setup::default(), unknown, 1_600), vec![Err(Silence::Closed); 5]);
    let all = || ["srvr\n", "ruok", "isro", "stat"].iter().map(|text| (1_500, here(1, text))).collect::<Vec<_>>();
    let told = |whitelist: &str, read_only_mode| {
        let four_letter_whitelist: Rc<str> = whitelist.into();
        answers(Setup { four_letter_whitelist, read_only_mode, ..Setup::default() }, all(), 1_600)
    };
    let refused = |word| format!("{word} is not executed because it is not in the whitelist.");
    let real = told("srvr", false);
    assert!(real[0].starts_with("Zookeeper version: "), "{real:?}");
    assert_eq!(&real[1..], ["ruok", "isro", "stat"].map(refused));
    let some = told("ruok, stat", true);
    assert!(some[0].contains("\nMode: ") && some[3].contains("\nMode: "), "srvr is always allowed");
    assert_eq!(&some[1..3], ["imok", "rw"], "isro where clients look for a server that can write");
    assert_eq!(told("*", false)[1..3], ["imok", "rw"]);
}

/// A word said on a client's machine opens a connection: it takes time, waits at a cut link, and is turned away by a server that has
/// as many connections as it takes.
#[test]
fn a_word_travels_as_a_clients_packets_do() {
    let from_client = |text: &str| word(1, text, Some(1));
    let until = |setup: Setup, actions: Vec<(u64, Action)>, until| {
        let mut all = vec![(1_400, open(2))];
        all.extend(actions);
        play(setup, all, until)
    };
    let asked = vec![(2_000, from_client("srvr"))];
    assert_eq!(until(Setup::default(), asked.clone(), 2_030), [], "the connection is not even open");
    let told = until(Setup::default(), asked, 2_200);
    assert!(matches!(&told[..], [Ok(srvr)] if srvr.contains("\nReceived: 1\nSent: 0\nConnections: 1\n")), "{told:?}");
    let crashed = vec![(2_000, Action::Crash { server: ServerId(1) }), (2_001, from_client("srvr"))];
    assert_eq!(until(Setup::default(), crashed, 2_200), [Err(Silence::Refused)]);
    let paused = vec![(2_000, Action::Pause { server: ServerId(1) }), (2_001, from_client("ruok"))];
    assert_eq!(until(Setup::default(), paused.clone(), 2_200), [], "it accepts, and says nothing");
    let resumed = [paused, vec![(2_200, Action::Resume { server: ServerId(1) })]].concat();
    assert_eq!(until(Setup::default(), resumed, 2_400), [Ok("imok".into())]);
    assert_eq!(until(Setup::default(), vec![(2_000, from_client("SRVR"))], 2_200), [Err(Silence::Closed)]);
    let full = Setup { max_client_cnxns: 1, ..Setup::default() };
    let one_more = vec![(2_000, word(2, "ruok", Some(1))), (2_000, here(2, "ruok")), (2_000, here(1, "ruok"))];
    let told = until(full, one_more, 2_200);
    assert_eq!(told, [Err(Silence::Closed), Ok("imok".into()), Err(Silence::Closed)], "S2 has its client");
    let links = vec![(Node::Client(C1), Node::Server(ServerId(1)))];
    let cut = vec![(2_000, Action::CutLinks { links }), (2_001, from_client("ruok"))];
    assert_eq!(until(Setup::default(), cut, 2_900), [], "it is held");
}
