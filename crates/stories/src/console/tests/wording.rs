//! What is printed for answers, errors and events.

use crate::base::{SessionId, Zxid};
use crate::client::{CallOutcome, Failure};
use crate::console::{Action, Kind, Line, Note, Running, event_lines, parse, stat_lines};
use crate::sim::ZkVersion;
use crate::wire::{Acl, Answer, AuthId, Code, EventType, KeeperState, Perms, Stat, WatchedEvent};

/// What a line prints when this is its only answer.
fn lines(line: &str, outcome: CallOutcome) -> Vec<Line> {
    let Action::Ask(operation) = parse(line).expect(line).action else { panic!("{line}") };
    let (mut running, calls) = Running::start(&operation);
    assert_eq!(calls.len(), 1);
    let progress = running.answered(0, &outcome);
    assert!(progress.done, "{line}");
    progress.lines
}

fn printed(line: &str, outcome: CallOutcome) -> Vec<String> {
    lines(line, outcome).into_iter().map(|line| line.text).collect()
}

fn stat_at(ctime: i64) -> Stat {
    Stat {
        czxid: Zxid::new(1, 3),
        mzxid: Zxid::new(1, 4),
        pzxid: Zxid::new(2, 0),
        ctime,
        mtime: ctime + 1_000,
        version: 1,
        cversion: -1,
        aversion: 2,
        ephemeral_owner: SessionId(0x0100_0000_0000_0000),
        data_length: 5,
        num_children: 0,
    }
}

#[test]
fn a_stat_has_eleven_lines() {
    assert_eq!(
        stat_lines(&stat_at(0)),
        [
            "cZxid = 0x100000003",
            "ctime = Thu Jan 01 00:00:00 UTC 1970",
            "mZxid = 0x100000004",
            "mtime = Thu Jan 01 00:00:01 UTC 1970",
            "pZxid = 0x200000000",
            "cversion = -1",
            "dataVersion = 1",
            "aclVersion = 2",
            "ephemeralOwner = 0x100000000000000",
            "dataLength = 5",
            "numChildren = 0",
        ]
    );
}

#[test]
fn dates_are_javas() {
    for (ms, date) in [
        (-1, "Wed Dec 31 23:59:59 UTC 1969"),
        (951_782_399_000, "Mon Feb 28 23:59:59 UTC 2000"),
        (951_782_400_000, "Tue Feb 29 00:00:00 UTC 2000"),
        (951_868_800_000, "Wed Mar 01 00:00:00 UTC 2000"),
        (1_532_765_649_999, "Sat Jul 28 08:14:09 UTC 2018"),
        (1_551_957_547_000, "Thu Mar 07 11:19:07 UTC 2019"),
        (1_798_761_599_000, "Thu Dec 31 23:59:59 UTC 2026"),
        (4_107_542_400_000, "Mon Mar 01 00:00:00 UTC 2100"),
    ] {
        assert_eq!(stat_lines(&Stat { ctime: ms, ..Stat::default() })[1], format!("ctime = {date}"));
    }
    for extreme in [i64::MIN, i64::MAX] {
        stat_lines(&Stat { ctime: extreme, mtime: extreme, ..Stat::default() });
    }
}

#[test]
fn every_day_of_two_centuries_follows_the_one_before() {
    let day_of = |days: i64| {
        let line = &stat_lines(&Stat { ctime: days * 86_400_000, ..Stat::default() })[1];
        let words: Vec<&str> = line.split(' ').collect();
        (words[4].parse::<u32>().unwrap(), words[3].to_string())
    };
    let mut before = day_of(-1);
    for days in 0..73_049 {
        let now = day_of(days);
        assert!(now.0 == before.0 + 1 && now.1 == before.1 || now.0 == 1 && now.1 != before.1, "{days}");
        assert!(now.0 > 1 || (28..=31).contains(&before.0), "{days}");
        before = now;
    }
}

#[test]
fn answers_are_printed_as_zkcli_does() {
    let names = |with| Answer::Children {
        names: ["b", "a"].map(Into::into).to_vec(),
        stat: if with { Some(stat_at(0)) } else { None },
    };
    assert_eq!(printed("create -s /a", Ok(Answer::Path("/a0000000000".into()))), ["Created /a0000000000"]);
    let created = Answer::Created { path: "/t".into(), stat: stat_at(0) };
    assert_eq!(printed("create -t 9 /t", Ok(created)), ["Created /t"]);
    assert_eq!(printed("ls /", Ok(names(true))), ["[a, b]"]);
    assert_eq!(printed("ls -s /", Ok(names(true))).len(), 12);
    assert_eq!(printed("ls -s /", Ok(names(false))), ["[a, b]"]);
    assert_eq!(printed("ls /", Ok(Answer::Children { names: vec![], stat: None })), ["[]"]);
    let data = |text: Option<&str>| Ok(Answer::Data { data: text.map(Into::into), stat: stat_at(0) });
    assert_eq!(printed("get /a", data(Some("x"))), ["x"]);
    assert_eq!(printed("get /a", data(Some(""))), [""]);
    assert_eq!(printed("get /a", data(Some("a\nb"))), ["a", "b"]);
    assert_eq!(printed("get /a", data(None)), ["null"]);
    assert_eq!(printed("get -b /a", data(None)), ["bnVsbA=="]);
    assert_eq!(printed("get -x /a", data(Some("x"))).len(), 5);
    assert_eq!(printed("get -s /a", data(Some("x")))[..2], ["x", "cZxid = 0x100000003"]);
    assert_eq!(printed("stat /a", Ok(Answer::Stat(stat_at(0)))).len(), 11);
    assert_eq!(printed("set /a x", Ok(Answer::Stat(stat_at(0)))), [""; 0]);
    assert_eq!(printed("set -s /a x", Ok(Answer::Stat(stat_at(0)))).len(), 11);
    assert_eq!(printed("delete /a", Ok(Answer::Done)), [""; 0]);
    assert_eq!(printed("addWatch /a", Ok(Answer::Done)), [""; 0]);
    assert_eq!(printed("sync /", Ok(Answer::Path("/".into()))), ["Sync is OK"]);
    assert_eq!(printed("getAllChildrenNumber /", Ok(Answer::Number(5))), ["5"]);
    assert_eq!(printed("getEphemerals", Ok(Answer::Paths(vec!["/a".into(), "/b".into()]))), ["[/a, /b]"]);
    assert_eq!(printed("get /a", Ok(Answer::Done)), ["Done"], "the answer to another question");
}

#[test]
fn lists_of_permissions_are_in_jutes_notation() {
    let odd = Acl { perms: Perms(1), who: AuthId { scheme: "x".into(), id: "a,b}%".into() } };
    let acl = Answer::Acl { acl: vec![Acl::open().remove(0), odd], stat: stat_at(0) };
    assert_eq!(printed("getAcl /", Ok(acl.clone())), ["'world,'anyone", ": cdrwa", "'x,'a%2Cb%7D%25", ": r"]);
    assert_eq!(printed("getAcl -s /", Ok(acl)).len(), 15);
}

#[test]
fn a_configuration_becomes_a_connection_string() {
    let config =
        "server.1=a:2888:3888:participant;0.0.0.0:2181\nserver.2=b:2888:3888:participant;2182\nversion=100000000";
    let answer = Answer::Data { data: Some(config.into()), stat: stat_at(0) };
    // `server.2` comes first in a table of Java's
    assert_eq!(printed("config -c", Ok(answer.clone())), ["100000000 0.0.0.0:2182,0.0.0.0:2181"]);
    assert_eq!(printed("config", Ok(answer)).len(), 3);
    let config =
        "server.1=a:2888:3888:participant\nserver.2=b:2888:3888:participant\nserver.3=c:2888:3888\nversion=0";
    let answer = Answer::Data { data: Some(config.into()), stat: stat_at(0) };
    assert_eq!(printed("config -c", Ok(answer)), ["0 ,,"], "a server without a client address leaves its comma");
}

#[test]
fn errors_are_zkclis() {
    for (code, text) in [
        (Code::NoNode, "Node does not exist: /x"),
        (Code::NodeExists, "Node already exists: /x"),
        (Code::NotEmpty, "Node not empty: /x"),
        (Code::BadVersion, "version No is not valid : /x"),
        (Code::NoChildrenForEphemerals, "Ephemerals cannot have children: /x"),
        (Code::NoAuth, "Insufficient permission : /x"),
        (Code::InvalidACL, "Acl is not valid : /x"),
        (Code::BadArguments, "Arguments are not valid : /x"),
        (Code::QuotaExceeded, "Quota has exceeded : /x"),
        (Code::NotReadOnly, "Not a read-only call: /x"),
        (Code::AuthFailed, "KeeperErrorCode = AuthFailed for /x"),
        (Code::SessionExpired, "KeeperErrorCode = Session expired for /x"),
        (Code::SessionMoved, "KeeperErrorCode = Session moved for /x"),
        (Code::NoWatcher, "KeeperErrorCode = No such watcher for /x"),
        (Code::Unimplemented, "KeeperErrorCode = Unimplemented for /x"),
        (Code::ConnectionLoss, "KeeperErrorCode = ConnectionLoss for /x"),
    ] {
        assert_eq!(lines("get /x", Err(Failure::Code(code))), [Line::error(text)]);
    }
    let refused = Failure::IllegalArgument("Path must start with / character".into());
    assert_eq!(printed("get /x", Err(refused)), ["Path must start with / character"]);
    let acl = Err(Failure::Code(Code::InvalidACL));
    assert_eq!(printed("create /x a b:c:r", acl), ["KeeperErrorCode = InvalidACL for /x", "Acl is not valid : /x"]);
    let local = Err(Failure::Code(Code::EphemeralOnLocalSession));
    assert_eq!(
        printed("create -e /x", local),
        [
            "Unable to create ephemeral node on a local session",
            "KeeperErrorCode = Ephemeral node on local session for /x"
        ]
    );
    let lost = || Err(Failure::Code(Code::ConnectionLoss));
    assert_eq!(printed("sync /x", lost()), ["Sync has failed. rc=-4"]);
    assert_eq!(printed("getEphemerals", lost()), ["KeeperErrorCode = ConnectionLoss"]);
}

/// `acl-error-names-null`: the library refuses an empty list, and its exception has no path.
#[test]
fn an_empty_list_is_refused_without_a_path() {
    let refused = || Err(Failure::Code(Code::InvalidACL));
    assert_eq!(
        printed("create /d hello world", refused()),
        ["KeeperErrorCode = InvalidACL", "Acl is not valid : null"]
    );
    assert_eq!(printed("setAcl /a bad", refused()), ["Acl is not valid : null"]);
    assert_eq!(printed("setAcl /a b:c:r", refused()), ["Acl is not valid : /a"], "the server's refusal");
}

/// `zreconfig-no-quorum`: three m, there as here.
#[test]
fn no_quorum_for_a_configuration_is_told_with_its_slip() {
    assert_eq!(
        printed("reconfig -add server.7=h:1:2;3", Err(Failure::Code(Code::NewConfigNoQuorum))),
        ["No quorum of new config is connected and up-to-date with the leader of last commmitted config - try \
          invoking reconfiguration after new servers are connected and synced"]
    );
}

/// In a chroot the root may be missing; its path is the chroot's, and nothing is left of it.
#[test]
fn a_chroot_is_created_without_a_name() {
    assert_eq!(printed("create /", Ok(Answer::Path("/".into()))), ["Created "]);
    assert_eq!(printed("create /a", Ok(Answer::Path("/a".into()))), ["Created /a"]);
}

#[test]
fn a_write_without_an_answer_is_in_doubt() {
    for line in ["create /x", "set /x y", "delete /x", "setAcl /x world:anyone:r"] {
        let lines = lines(line, Err(Failure::Code(Code::ConnectionLoss)));
        assert_eq!(lines[0], Line::error("KeeperErrorCode = ConnectionLoss for /x"));
        assert_eq!(lines[1].kind, Kind::Note(Note::InDoubt));
        assert!(lines[1].text.contains("may have been applied"));
    }
    assert_eq!(lines("set /x y", Err(Failure::Code(Code::BadVersion))).len(), 1);
}

#[test]
fn events_are_two_lines() {
    let event = WatchedEvent::at(EventType::NodeDataChanged, "/a".into());
    let lines = event_lines(&event, Some(Zxid::new(1, 2)), ZkVersion::V39);
    assert_eq!(lines[0], Line { kind: Kind::Event, text: "WATCHER::".into() });
    let text = "WatchedEvent state:SyncConnected type:NodeDataChanged path:/a zxid: 4294967298";
    assert_eq!(lines[1], Line { kind: Kind::Event, text: text.into() });
    let lost = event_lines(&WatchedEvent::state(KeeperState::Disconnected), None, ZkVersion::AsRepaired);
    assert_eq!(lost[1].text, "WatchedEvent state:Disconnected type:None path:null zxid: -1");
    let older = event_lines(&event, Some(Zxid::new(1, 2)), ZkVersion::V38);
    assert_eq!(older[1].text, "WatchedEvent state:SyncConnected type:NodeDataChanged path:/a");
}
