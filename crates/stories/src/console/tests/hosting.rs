//! A host at a run: what is typed becomes actions, what happens is printed.

use crate::base::{ClientId, ServerId, SimTime};
use crate::client::State;
use crate::console::{ConsoleHost, Entry};
use crate::scenarios::scenario;
use crate::sim::{Action, Death, Status, ZkVersion};
use crate::timeline::Session;

pub(super) const C1: ClientId = ClientId(1);

pub(super) fn settled() -> (Session, ConsoleHost) {
    settled_as(ZkVersion::AsRepaired)
}

fn settled_as(version: ZkVersion) -> (Session, ConsoleHost) {
    let mut run = scenario("cold-start-3").unwrap().run();
    run.setup.zookeeper = version;
    let mut session = Session::new(run, None).unwrap();
    session.seek(SimTime::from_ms(2_000)).unwrap();
    (session, ConsoleHost::default())
}

pub(super) fn open(session: &mut Session, host: &mut ConsoleHost) {
    let action = Action::OpenClient { client: C1, servers: vec![], timeout_ms: 4_000, chroot: None, raw: false };
    session.act(action).unwrap();
    go(session, host, 500);
}

/// Time passes in small steps, as frames do.
pub(super) fn go(session: &mut Session, host: &mut ConsoleHost, ms: u64) {
    let end = session.world().now.as_ms() + ms;
    let mut at = session.world().now.as_ms();
    while at < end {
        at += 5;
        session.seek(SimTime::from_ms(at)).unwrap();
        host.attend(session);
    }
}

pub(super) fn texts(host: &ConsoleHost) -> Vec<String> {
    let log = host.consoles.get(&C1).into_iter().flat_map(|cli| cli.log.iter());
    log.map(|entry| match entry {
        Entry::Typed(_, line) => format!("> {line}"),
        Entry::Printed(line) => line.text.clone(),
        Entry::Refused(_) => "refused".to_string(),
        Entry::Wrong(error) => error.to_string(),
        Entry::Rewound => "rewound".to_string(),
    })
    .collect()
}

#[test]
fn help_needs_nobody() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    host.enter(&mut session, C1, "help create");
    assert!(texts(&host).iter().any(|text| text.starts_with("create ")), "{:?}", texts(&host));
    assert!(!host.consoles[&C1].is_busy());
    host.enter(&mut session, C1, "clear");
    assert!(texts(&host).is_empty());
}

#[test]
fn commands_are_answered_by_the_ensemble() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    for line in ["create /a x", "create /a/b", "get -w /a", "set /a y", "deleteall /a", "ls /"] {
        host.enter(&mut session, C1, line);
        go(&mut session, &mut host, 600);
        assert!(!host.consoles[&C1].is_busy(), "{line}: {:?}", texts(&host));
    }
    let said = texts(&host);
    let expected = ["Created /a", "Created /a/b", "x", "> set /a y", "> deleteall /a", "> ls /"];
    assert!(expected.iter().all(|text| said.iter().any(|line| line == text)), "{said:?}");
    assert!(said.iter().any(|line| line.contains("type:NodeDataChanged path:/a zxid: ")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.contains("zookeeper") && !line.contains("a,")), "{said:?}");
}

/// Plays in frames until time stands.
fn play(session: &mut Session, host: &mut ConsoleHost) {
    for _ in 0..10_000 {
        if !session.playing {
            return;
        }
        session.advance(16.0);
        host.attend(session);
    }
    panic!("time never stands: {:?}", texts(host));
}

#[test]
fn what_is_typed_ahead_waits_in_order_and_time_that_stands_runs_until_all_is_answered() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    session.playing = false;
    for line in ["create /a x", "help create", "set /a y", "get /a"] {
        host.enter(&mut session, C1, line);
    }
    assert!(session.playing && host.consoles[&C1].ahead == ["help create", "set /a y", "get /a"]);
    play(&mut session, &mut host);
    let said = texts(&host);
    let place = |text: &str| said.iter().position(|line| line.starts_with(text)).expect(text);
    let order = ["> create /a x", "Created /a", "> help create", "create [-s]", "> set /a y", "> get /a", "y"];
    assert!(order.map(place).is_sorted(), "{said:?}");
    assert!(host.consoles[&C1].ahead.is_empty());
    // what needs nobody lets no time run, and time that runs is nobody's
    host.enter(&mut session, C1, "help get");
    assert!(!session.playing);
    session.playing = true;
    host.enter(&mut session, C1, "get /a");
    for _ in 0..200 {
        session.advance(16.0);
        host.attend(&mut session);
    }
    assert!(session.playing && !host.consoles[&C1].is_busy());
}

#[test]
fn who_stops_time_or_waits_no_longer_has_the_last_word() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    session.playing = false;
    host.enter(&mut session, C1, "create /a x");
    host.enter(&mut session, C1, "ls /");
    session.playing = false;
    host.attend(&mut session);
    session.playing = true;
    while host.consoles[&C1].is_busy() {
        session.advance(16.0);
        host.attend(&mut session);
    }
    assert!(session.playing, "who pressed play decides when it stops");
    session.playing = false;
    host.enter(&mut session, C1, "set /a y");
    host.enter(&mut session, C1, "ls /a");
    host.give_up(C1);
    assert!(host.attend(&mut session) && !session.playing);
    assert!(host.consoles[&C1].ahead.is_empty());
    assert_eq!(
        texts(&host).last().map(String::as_str),
        Some("No longer waiting. The request may still take effect.")
    );
}

#[test]
fn servers_answer_to_four_letter_words_from_what_they_know() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    for line in ["connect S2", "create -e /a x", "get -w /a"] {
        host.enter(&mut session, C1, line);
        go(&mut session, &mut host, 1_500);
    }
    let conn = *session.world().processes[&ServerId(2)].server().unwrap().service.conns.keys().next().unwrap();
    let sid = session.world().clients[&C1].client.session.0;
    let mut ask = |session: &mut Session, word: &str, server: u8| -> String {
        let before = texts(&host).len();
        host.enter(session, C1, &format!("echo {word} | nc S{server} 2181"));
        assert!(host.consoles[&C1].is_busy(), "it travels");
        go(session, &mut host, 150);
        texts(&host)[before + 1..].join("\n")
    };
    let srvr = ask(&mut session, "srvr", 3);
    assert!(srvr.starts_with("Zookeeper version: 3.9") && srvr.contains("Mode: leader\nNode count: 7"), "{srvr}");
    assert!(srvr.contains("\nProposal sizes last/min/max: ") && srvr.contains("Connections: 1\n"), "{srvr}");
    let stat = ask(&mut session, "stat", 2);
    assert!(stat.contains(&format!("Clients:\n /127.0.0.1:{}[1](queued=0,recved=", 32_768 + conn.0)), "{stat}");
    assert!(stat.contains("Mode: follower"), "{stat}");
    let cons = ask(&mut session, "cons", 2);
    assert!(cons.contains(&format!(",sid=0x{sid:x},lop=")) && cons.contains(",lcxid=0x2,lzxid=0x1"), "{cons}");
    assert_eq!(ask(&mut session, "wchs", 2), "1 connections watching 1 paths\nTotal watches:1");
    assert_eq!(ask(&mut session, "wchp", 2), format!("/a\n\t0x{sid:x}\n"));
    assert_eq!(ask(&mut session, "wchc", 2), format!("0x{sid:x}\n\t/a\n"));
    let dump = ask(&mut session, "dump", 3);
    assert!(
        dump.starts_with("SessionTracker dump:\nSession Sets (") && dump.contains("\n1 expire at Thu Jan 01"),
        "{dump}"
    );
    assert!(dump.contains(&format!("Sessions with Ephemerals (1):\n0x{sid:x}:\n\t/a\n")), "{dump}");
    assert!(ask(&mut session, "mntr", 3).contains("\nzk_synced_followers\t2\n"));
    assert!(ask(&mut session, "conf", 1).contains("serverId=1\ninitLimit=10\nsyncLimit=5\nelectionAlg=3"));
    assert_eq!([ask(&mut session, "ruok", 1), ask(&mut session, "isro", 1)], ["imok", "rw"]);
    assert_eq!(ask(&mut session, "SRVR", 2), "", "closed without a word");
    session.act(Action::Crash { server: ServerId(1) }).unwrap();
    assert_eq!(ask(&mut session, "ruok", 1), "nc: connect to S1 port 2181 (tcp) failed: Connection refused");
    session.act(Action::Pause { server: ServerId(2) }).unwrap();
    assert_eq!(ask(&mut session, "ruok", 2), "", "the connection opens, and nothing comes");
    assert!(host.consoles[&C1].is_busy(), "nc waits");
}

#[test]
fn quotas_are_set_listed_and_deleted_as_zkcli_does() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let mut say = |line: &str| {
        let before = texts(&host).len();
        host.enter(&mut session, C1, line);
        go(&mut session, &mut host, 2_000);
        assert!(!host.consoles[&C1].is_busy(), "{line}");
        texts(&host)[before + 1..].join("|")
    };
    assert_eq!(say("setquota -n 3 /a"), "/a does not exist.");
    say("create /a four");
    say("create /a/b");
    assert_eq!(say("setquota -n 3 /a"), "");
    let limits = "count=3,bytes=-1=;byteHardLimit=-1;countHardLimit=-1";
    let listed = |limits: &str, stats: &str| {
        format!(
            "absolute path is /zookeeper/quota/a/zookeeper_limits|Output quota for /a {limits}|Output stat for /a {stats}"
        )
    };
    assert_eq!(say("listquota /a"), listed(limits, "count=2,bytes=4"));
    say("set /a/b 12345");
    say("create /a/b/c x");
    say("delete /a/b/c");
    assert_eq!(say("listquota /a"), listed(limits, "count=2,bytes=9"));
    assert_eq!(say("setquota -n 9 /a/b"), "/a/b has a parent /a which has a quota");
    assert_eq!(say("setquota -B 8 /a"), "[Warning]: the bytes quota you create is less than the existing bytes:9");
    assert_eq!(say("delquota -n /a"), "");
    assert_eq!(
        say("listquota /a"),
        listed("count=-1,bytes=-1=;byteHardLimit=8;countHardLimit=-1", "count=2,bytes=9")
    );
    assert_eq!(say("delquota /a"), "");
    assert_eq!(say("delquota /a"), "Quota does not exist for /a");
    assert_eq!(say("ls /zookeeper/quota"), "[]");
    assert!(say("listquota /a").ends_with("|quota for /a does not exist."));
    assert!(say("setquota -n 1 -b 2 /a").contains("AlreadySelectedException"));
}

#[test]
fn connect_closes_the_session_and_opens_one_elsewhere() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let before = session.world().clients[&C1].client.session;
    host.enter(&mut session, C1, "connect S2");
    go(&mut session, &mut host, 1_500);
    let client = &session.world().clients[&C1].client;
    assert_eq!((client.state, client.server), (State::Connected, Some(ServerId(2))), "{:?}", texts(&host));
    assert_ne!(client.session, before);
    host.enter(&mut session, C1, "quit");
    go(&mut session, &mut host, 600);
    assert_eq!(session.world().clients[&C1].client.state, State::Closed);
}

#[test]
fn an_ask_of_nobody_is_refused_and_nobody_waits() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    session.act(Action::PauseClient { client: C1 }).unwrap();
    host.enter(&mut session, C1, "get /a");
    assert_eq!(texts(&host).last().map(String::as_str), Some("refused"));
    assert!(!host.consoles[&C1].is_busy());
}

#[test]
fn going_back_gives_up_what_was_waited_for_and_says_so_once() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    host.enter(&mut session, C1, "sync /");
    assert!(host.consoles[&C1].is_busy());
    for ms in [2_100, 2_050] {
        session.seek(SimTime::from_ms(ms)).unwrap();
        host.attend(&mut session);
    }
    assert!(!host.consoles[&C1].is_busy());
    assert_eq!(texts(&host).iter().filter(|text| *text == "rewound").count(), 1);
    go(&mut session, &mut host, 1_000);
    assert!(!texts(&host).iter().any(|text| text.contains("Sync is")), "its answer belongs to another time");
    session.load(scenario("cold-start-5").unwrap().run(), None).unwrap();
    host.attend(&mut session);
    assert!(host.consoles.is_empty());
}

/// What is typed in a shell on a server's machine.
#[test]
fn a_server_dies_and_lives_by_what_is_typed() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let s1 = ServerId(1);
    for (line, status) in [
        ("kill -STOP S1", Status::Paused),
        ("kill -CONT S1", Status::Running),
        ("kill -9 S1", Status::Crashed),
        ("zkServer.sh start S1", Status::Running),
        ("poweroff S1", Status::Crashed),
        ("poweroff S1", Status::Crashed),
    ] {
        host.enter(&mut session, C1, line);
        assert_eq!(session.world().processes[&s1].status, status, "{line}");
    }
    assert_eq!(session.world().processes[&s1].death, Some(Death::PowerOff));
    assert_eq!(texts(&host).last().map(String::as_str), Some("refused"));
    host.enter(&mut session, C1, "kill -HUP S1");
    assert_eq!(texts(&host).last().map(String::as_str), Some("kill [-9|-STOP|-CONT] server"));
}

/// What a line prints at C1, with the time that it needs.
fn said(session: &mut Session, host: &mut ConsoleHost, line: &str) -> Vec<String> {
    let before = texts(host).len();
    host.enter(session, C1, line);
    go(session, host, 1_000);
    texts(host)[before + 1..].to_vec()
}

/// `removed-watch-has-no-zxid`: the library tells of removed watches by itself.
#[test]
fn a_removed_watch_has_no_zxid() {
    for (version, none) in [(ZkVersion::V39, " zxid: -1"), (ZkVersion::V38, "")] {
        let (mut session, mut host) = settled_as(version);
        open(&mut session, &mut host);
        let mut say = |line: &str| said(&mut session, &mut host, line);
        say("create /w");
        say("addWatch /w");
        let changed = say("set /w 1");
        let event = "WatchedEvent state:SyncConnected type:NodeDataChanged path:/w";
        assert!(changed[1].starts_with(event) && (changed[1] == event) == none.is_empty(), "{changed:?}");
        let removed = say("removewatches /w");
        let event = "WatchedEvent state:SyncConnected type:PersistentWatchRemoved path:/w";
        assert_eq!(removed, ["WATCHER::".to_string(), format!("{event}{none}")]);
    }
}

/// `addwatch-mode-sticks`.
#[test]
fn a_mode_that_sticks_decides_what_is_told() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let mut say = |line: &str| said(&mut session, &mut host, line);
    say("addWatch -m PERSISTENT /a");
    say("addWatch /b");
    assert!(say("create /b")[1].starts_with("WatchedEvent state:SyncConnected type:NodeCreated path:/b zxid: "));
    assert!(say("create /b/c").iter().any(|line| line.contains("type:NodeChildrenChanged path:/b zxid: ")));
    assert_eq!(say("create /b/c/d"), ["Created /b/c/d"]);
}

/// `close-then-commands`.
#[test]
fn after_close_nothing_is_connected_until_connect() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let mut say = |line: &str| said(&mut session, &mut host, line);
    let closed = ["WATCHER::", "WatchedEvent state:Closed type:None path:null zxid: -1"];
    say("create -e /e x");
    assert_eq!(say("close"), closed);
    for line in ["close", "ls /", "create /x", "sync /", "ls"] {
        assert_eq!(say(line), ["Not connected"], "{line}");
    }
    assert_eq!(say("history").last().map(String::as_str), Some("Not connected"));
    assert_eq!(say("connect"), ["WATCHER::", "WatchedEvent state:SyncConnected type:None path:null zxid: -1"]);
    assert_eq!(say("ls /"), ["[x, zookeeper]"]);
    assert_eq!(say("redo 1"), [closed[0], closed[1], "Not connected"], "redo goes on, and finds no session");
    say("connect");
    assert_eq!(say("quit"), closed);
}

/// `auth-failed-is-not-connected`, `addauth-without-a-secret`.
#[test]
fn an_identity_that_is_refused_ends_the_session() {
    for line in ["addauth nosuch x:y", "addauth digest"] {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        let mut say = |line: &str| said(&mut session, &mut host, line);
        assert_eq!(say("addauth ip"), [""; 0]);
        assert_eq!(say("addauth digest \"\""), [""; 0]);
        let failed = ["WATCHER::", "WatchedEvent state:AuthFailed type:None path:null zxid: -1"];
        assert_eq!(say(line), failed, "{line}");
        assert_eq!(
            (say("ls /"), say("whoami")),
            (vec!["Not connected".to_string()], vec!["Not connected".to_string()])
        );
        say("connect");
        assert_eq!(say("ls /"), ["[x, zookeeper]"]);
    }
}

#[test]
fn a_console_says_when_something_is_still_to_come() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    for line in ["close", "connect", "addauth digest a:b", "addauth nosuch x", "connect S2", "ls /"] {
        host.enter(&mut session, C1, line);
        assert!(host.consoles[&C1].awaits_news(), "{line}");
        assert_eq!(
            host.consoles[&C1].is_busy(),
            !matches!(line, "connect" | "addauth digest a:b" | "addauth nosuch x" | "connect S2"),
            "{line}"
        );
        go(&mut session, &mut host, 1_000);
        assert!(!host.consoles[&C1].awaits_news(), "{line}");
    }
    host.enter(&mut session, C1, "close");
    host.enter(&mut session, C1, "ls /");
    assert_eq!(texts(&host).last().map(String::as_str), Some("> close"), "the line waits for its turn");
    host.give_up(C1);
    assert!(!host.consoles[&C1].awaits_news());
}

/// As 3.8.0: nobody has made the nodes of quotas below a chroot, so `setquota` does, and nothing counts there.
#[test]
fn quotas_below_a_chroot_have_nodes_of_their_own() {
    let (mut session, mut host) = settled();
    let chroot = Some("/app".into());
    let action = Action::OpenClient { client: C1, servers: vec![], timeout_ms: 4_000, chroot, raw: false };
    session.act(action).unwrap();
    for line in ["create /", "create /a", "setquota -n 5 /a", "listquota /a", "ls /", "delete /"] {
        go(&mut session, &mut host, 1_500);
        host.enter(&mut session, C1, line);
    }
    go(&mut session, &mut host, 1_500);
    let said = texts(&host);
    for line in [
        "Output quota for /a count=5,bytes=-1=;byteHardLimit=-1;countHardLimit=-1",
        "Output stat for /a count=0,bytes=0",
        "[a, zookeeper]",
        "Arguments are not valid : /",
    ] {
        assert!(said.iter().any(|text| text == line), "{line}: {said:?}");
    }
}

/// `quota-path-without-slash`.
#[test]
fn quotas_of_what_is_no_path_do_not_exist() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let mut say = |line: &str| said(&mut session, &mut host, line);
    let listed = ["absolute path is /zookeeper/quotaq/zookeeper_limits", "quota for q does not exist."];
    assert_eq!(say("listquota q"), listed);
    assert_eq!(say("delquota q"), ["Quota does not exist for q"]);
    assert_eq!(say("setquota -n 5 q"), ["Path must start with / character"]);
}
