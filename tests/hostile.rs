//! Damaged and hostile runs: a sentence, or a run that plays; never a panic.

use std::collections::BTreeMap;

use zabscope::base::{Prng, SimTime, Stream};
use zabscope::check::Checker;
use zabscope::client::{self, CallId};
use zabscope::scenarios::SCENARIOS;
use zabscope::sim::{Fact, Player, Run, World};

/// Plays what parses for a while; large runs only a little.
fn feed(text: &str) -> bool {
    match Run::from_json(text) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
        Ok(run) => {
            let mut player = Player::new(run).expect("a parsed run was checked");
            for _ in 0..500 {
                if player.step().is_none() {
                    break;
                }
            }
            player.run_until(SimTime::ZERO, |_, _| {});
            true
        }
    }
}

#[test]
fn mutated_runs_never_panic() {
    let mut prng = Prng::new(1, Stream::Faults);
    let alphabet: Vec<char> = "0123456789-eE.,:{}[]\"atrue nulcrswi\u{7}\u{1f600}".chars().collect();
    let mut played = 0;
    for scenario in SCENARIOS {
        let original: Vec<char> = scenario.run().to_json().chars().collect();
        for _ in 0..1_000 {
            let mut text = original.clone();
            for _ in 0..=prng.below(4) {
                let at = prng.below(text.len() as u32) as usize;
                let new = alphabet[prng.below(alphabet.len() as u32) as usize];
                match prng.below(3) {
                    0 => text[at] = new,
                    1 => text.insert(at, new),
                    _ => drop(text.remove(at)),
                }
            }
            played += u32::from(feed(&text.into_iter().collect::<String>()));
        }
    }
    assert!(played > 100, "some of them are still runs: {played}");
}

#[test]
fn extreme_values_are_refused_or_played() {
    for text in [
        r#"{"version":4,"seed":18446744073709551615,"setup":{"voters":9,"observers":3}}"#,
        r#"{"version":4,"setup":{"voters":0}}"#,
        r#"{"version":4,"setup":{"voters":255,"observers":255}}"#,
        r#"{"version":4,"setup":{"tick_time_ms":0}}"#,
        r#"{"version":4,"setup":{"tick_time_ms":18446744073709551615}}"#,
        r#"{"version":4,"setup":{"tick_time_ms":600000,"init_limit":1000,"sync_limit":1000}}"#,
        r#"{"version":4,"setup":{"latency":{"min_us":5,"max_us":4}}}"#,
        r#"{"version":4,"setup":{"latency":{"min_us":0,"max_us":0},"disk_sync":{"min_us":0,"max_us":0},"transmit_us":0}}"#,
        r#"{"version":4,"setup":{"snap_count":2,"commit_log_count":1,"counter_limit":2}}"#,
        r#"{"version":4,"setup":{"start_us":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}"#,
        r#"{"version":4,"setup":{"rules":["no-such-rule"]}}"#,
        r#"{"version":4,"actions":[{"at_us":18446744073709551615,"do":"heal_all"}]}"#,
        r#"{"version":4,"actions":[{"at_us":0,"do":"write","server":1,"data":"x","count":4294967295}]}"#,
        r#"{"version":4,"actions":[{"at_us":0,"do":"cut","from":[0],"to":[200]}]}"#,
        r#"{"version":4,"actions":[{"at_us":0,"do":"add","server":0}]}"#,
        "",
        "null",
        "[[[[[[[[[[",
    ] {
        feed(text);
    }
    feed(&"[".repeat(1_000_000));
    feed(&" ".repeat(9 << 20));
}

/// A run of one server with a wire client (1), which checks nothing and connects once, and the library (2); each asks these
/// things when the server serves.
fn asking(requests: &[String]) -> String {
    let open =
        |client: u8, raw: bool| format!(r#"{{"at_us":2000000,"do":"open_client","client":{client},"raw":{raw}}}"#);
    let mut actions = vec![open(1, true), open(2, false)];
    for (index, request) in requests.iter().enumerate() {
        for client in [1, 2] {
            let at = 2_950_000 + index * 100_000 + client * 50_000;
            actions.push(format!(r#"{{"at_us":{at},"do":"ask","client":{client},"request":{request}}}"#));
        }
    }
    format!(r#"{{"version":4,"setup":{{"voters":1}},"actions":[{}]}}"#, actions.join(","))
}

/// What each client was told of each of its calls, in the order in which they were made, in the words of facts.
fn told(text: &str) -> BTreeMap<(u16, CallId), Option<String>> {
    let run = Run::from_json(text).unwrap_or_else(|error| panic!("{error}"));
    let end = run.actions.last().map_or(SimTime::ZERO, |last| last.at_us).plus(5_000_000);
    let (mut world, mut checker, mut told) = (World::new(run.clone()), Checker::new(&run.setup), BTreeMap::new());
    while world.next_at().is_some_and(|at| at <= end) {
        for record in world.step().unwrap_or_default() {
            checker.read(record);
            match &record.fact {
                Fact::Client { client, fact: client::Fact::Called { call, .. } } => {
                    told.insert((client.0, *call), None);
                }
                Fact::Client { client, fact: client::Fact::Answered { call, outcome, .. } } => {
                    let outcome = serde_json::to_string(outcome).expect("an outcome is JSON");
                    told.insert((client.0, *call), Some(outcome));
                }
                _ => {}
            }
        }
    }
    assert!(checker.violations().is_empty(), "{:?}", checker.violations());
    told
}

/// Asks each thing in a run of its own; what the wire client and the library are told must begin with, or hold, these texts.
fn gets(request: &str, raw: &str, library: &str) {
    let told = told(&asking(&[request.to_string()]));
    for (client, right) in [(1, raw), (2, library)] {
        let answer = told.get(&(client, CallId(1))).and_then(Option::as_deref).unwrap_or("no answer");
        assert!(answer.contains(right), "client {client} asked {request:.200}: {answer}, not {right}");
    }
}

#[test]
fn absurd_paths_get_the_right_error() {
    let refused = "illegal_argument";
    for (path, raw) in [
        ("", "BadArguments"),
        ("a", "BadArguments"),
        ("/a/", "NoNode"), // the parent is looked for first
        ("//", "BadArguments"),
        ("/.", "BadArguments"),
        ("/..", "BadArguments"),
        ("/../..", "NoNode"),
        ("/\\u0001", "BadArguments"),
        ("/\\u0000", "BadArguments"),
        ("/\\u009f", "BadArguments"),
        ("/\\ue000", "BadArguments"),
        ("/\\ufff0", "BadArguments"),
    ] {
        let path = path.replace("\\\\", "\\");
        gets(&format!(r#"{{"op":"create","path":"{path}"}}"#), raw, refused);
    }
    gets(r#"{"op":"create","path":"/übung 漢字 \u202e"}"#, "Ok", "NodeExists");
    gets(r#"{"op":"delete","path":"/"}"#, "BadArguments", "BadArguments");
    gets(r#"{"op":"delete","path":"/zookeeper/quota"}"#, "BadArguments", "BadArguments");
    gets(r#"{"op":"setData","path":"/no/../way"}"#, "BadArguments", refused);
    gets(r#"{"op":"getData","path":"/no//way"}"#, "NoNode", refused);
    let deep = "/x".repeat(2_048);
    gets(&format!(r#"{{"op":"exists","path":"{deep}"}}"#), "NoNode", "NoNode");
    gets(&format!(r#"{{"op":"create","path":"{deep}"}}"#), "NoNode", "NoNode");
}

#[test]
fn absurd_numbers_and_lists_get_the_right_error() {
    for version in [i32::MIN, -2, 1, i32::MAX] {
        gets(&format!(r#"{{"op":"setData","path":"/","version":{version}}}"#), "BadVersion", "BadVersion");
        gets(
            &format!(
                r#"{{"op":"setACL","path":"/zookeeper","acl":[{{"perms":"r","scheme":"world","id":"anyone"}}],"version":{version}}}"#
            ),
            "BadVersion",
            "BadVersion",
        );
        gets(&format!(r#"{{"op":"delete","path":"/none","version":{version}}}"#), "NoNode", "NoNode");
    }
    for ttl in [i64::MIN, 0, 1 << 40, i64::MAX] {
        let create = format!(r#"{{"op":"create","path":"/t","mode":"PERSISTENT_WITH_TTL","ttl":{ttl}}}"#);
        gets(&create, "BadArguments", "illegal_argument");
    }
    for flags in [i32::MIN, -1, 7, i32::MAX] {
        gets(&format!(r#"{{"op":"create","path":"/f","flags":{flags}}}"#), "BadArguments", "BadArguments");
    }
    gets(r#"{"op":"create","path":"/a","acl":[]}"#, "InvalidACL", "InvalidACL");
    gets(
        r#"{"op":"create","path":"/a","acl":[{"perms":"r","scheme":"ip","id":"1.2.3.4/99"}]}"#,
        "InvalidACL",
        "InvalidACL",
    );
    gets(r#"{"op":"create","path":"/a","acl":[{"perms":"","scheme":"","id":""}]}"#, "InvalidACL", "InvalidACL");
    gets(r#"{"op":"check","path":"/"}"#, "Unimplemented", "Unimplemented");
    gets(r#"{"op":"multi","ops":[]}"#, r#"{"Ok":{"multi":[]}}"#, r#"{"Ok":{"multi":[]}}"#);
    gets(r#"{"op":"removeWatches","path":"/","type":"Any"}"#, "NoWatcher", "NoWatcher");
    let checks = vec![r#"{"op":"check","path":"/"}"#; 1_000].join(",");
    gets(&format!(r#"{{"op":"multi","ops":[{checks}]}}"#), r#"{"Ok":"done"}"#, r#"{"Ok":"done"}"#);
}

#[test]
fn sizes_are_refused_before_they_are_carried_or_end_the_connection() {
    let big = "x".repeat(0xfffff);
    gets(&format!(r#"{{"op":"create","path":"/big","data":"{big}"}}"#), "ConnectionLoss", "ConnectionLoss");
    for request in [
        format!(r#"{{"op":"create","path":"/big","data":"{}"}}"#, "x".repeat((2 << 20) + 1)),
        format!(r#"{{"op":"exists","path":"/{}"}}"#, "x".repeat(4_096)),
        format!(r#"{{"op":"multi","ops":[{}]}}"#, vec![r#"{"op":"check","path":"/"}"#; 1_001].join(",")),
        r#"{"op":"multi","ops":[{"op":"multi","ops":[]}]}"#.to_string(),
        r#"{"op":"setData","path":"/","version":2147483648}"#.to_string(),
        r#"{"op":"setData","path":"/\ud800"}"#.to_string(),
        format!(r#"{{"op":"setWatches","relativeZxid":"1:1","data":["/{}"]}}"#, "x".repeat(2 << 20)),
        r#"{"op":"no such thing"}"#.to_string(),
    ] {
        let error = Run::from_json(&asking(std::slice::from_ref(&request))).expect_err("too much");
        // half a character is no JSON: the parser knows its column, and no action yet
        let place = if request.contains("ud800") { "line 1 column" } else { "actions[2]" };
        assert!(error.to_string().contains(place), "{error}");
    }
}

/// Requests put together from what is least expected.
#[test]
fn random_requests_are_answered_and_break_no_promise() {
    const OPS: [&str; 14] = [
        "create",
        "delete",
        "exists",
        "getData",
        "setData",
        "getACL",
        "getChildren",
        "getAllChildrenNumber",
        "getEphemerals",
        "sync",
        "check",
        "addWatch",
        "removeWatches",
        "closeSession",
    ];
    const PARTS: [&str; 12] =
        ["/", "/a", "a", ".", "..", "\\u0000", "\\u202e", "漢", "😀", "zookeeper", "//", "0000000000"];
    const MODES: [&str; 4] = ["PERSISTENT_SEQUENTIAL", "EPHEMERAL", "CONTAINER", "PERSISTENT_WITH_TTL"];
    let mut prng = Prng::new(7, Stream::Faults);
    let mut pick = move |of: usize| prng.below(of as u32) as usize;
    for _ in 0..40 {
        let requests: Vec<String> = (0..60)
            .map(|_| {
                let op = OPS[if pick(60) > 0 { pick(OPS.len() - 1) } else { OPS.len() - 1 }];
                let path: String =
                    (0..pick(5)).map(|_| PARTS[pick(PARTS.len())]).collect::<String>().replace("\\\\", "\\");
                let more = match op {
                    "create" => format!(r#","mode":"{}","ttl":{}"#, MODES[pick(4)], pick(3)),
                    "delete" | "setData" | "check" => {
                        format!(r#","version":{}"#, [-1, 0, i32::MIN, i32::MAX][pick(4)])
                    }
                    "addWatch" => r#","mode":"PERSISTENT_RECURSIVE""#.to_string(),
                    "removeWatches" => r#","type":"Any""#.to_string(),
                    "exists" | "getData" | "getChildren" => r#","watch":true"#.to_string(),
                    _ => String::new(),
                };
                let path = if op == "closeSession" { String::new() } else { format!(r#","path":"/{path}""#) };
                format!(r#"{{"op":"{op}"{path}{more}}}"#)
            })
            .collect();
        let silent: Vec<_> = told(&asking(&requests)).into_iter().filter(|(_, answer)| answer.is_none()).collect();
        assert!(silent.is_empty(), "never answered: {silent:?} of {requests:?}");
    }
}
