//! What was typed into the real zkCli of 3.9.5 and what it showed, against our console. `tests/zkcli/README.md` says how to read the files;
//! `scripts/zkcli` types into the real one of 3.8.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use zabscope::base::{ClientId, ServerId, SimTime};
use zabscope::console::{Cli, ConsoleHost, Entry, Kind};
use zabscope::scenarios::scenario;
use zabscope::sim::{Action, Setup, ZkVersion};
use zabscope::timeline::Session;

const C1: ClientId = ClientId(1);

/// Cases in which the console shows something else, each with its reason.
const DIFFERENT: &[(&str, &str)] =
    &[("version-not-a-number-ends-zkcli", "where zkCli ends, the console says so and goes on: docs/protocol-map.md")];

/// The cases: what is typed, and what the real one showed.
fn cases() -> BTreeMap<String, (String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/zkcli");
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a file of tests/zkcli");
    let files = fs::read_dir(&folder).expect("tests/zkcli").map(|entry| entry.expect("an entry").path());
    let typed = files.filter(|path| path.extension().is_some_and(|extension| extension == "zkcli"));
    typed
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, (read(&path), read(&path.with_extension("real"))))
        })
        .collect()
}

/// An ensemble of three as a case needs it, and a client at its last server.
fn opened(name: &str) -> (Session, ConsoleHost) {
    let mut run = scenario("cold-start-3").expect("the scenario").run();
    run.actions.clear(); // its write
    let begun = 2_000; // ms: a file of the first moment would look as if nothing had ever written it
    let reads_only = name == "not-a-read-only-call";
    run.setup = Setup {
        zookeeper: ZkVersion::V39,
        reconfig_enabled: true,
        start_us: vec![begun * 1_000; 3],
        super_digest: Some("super:D/InIHSb7yEEbrWz8b9l71RjZJU=".into()),
        local_sessions: reads_only,
        read_only_mode: reads_only,
        can_be_read_only: reads_only,
        ..run.setup
    };
    let mut session = Session::new(run, None).expect("a valid run");
    session.seek(SimTime::from_ms(begun + 2_000)).expect("time goes on");
    if reads_only {
        for server in [ServerId(1), ServerId(2)] {
            session.act(Action::Kill { server }).expect("a server that runs");
        }
        session.seek(SimTime::from_ms(begun + 6_000)).expect("time goes on"); // until the last one serves reads
    }
    let servers = vec![ServerId(3)];
    session
        .act(Action::OpenClient { client: C1, servers, timeout_ms: 4_000, chroot: None, raw: false })
        .expect("opens");
    let mut host = ConsoleHost::default();
    go(&mut session, &mut host, 8_000);
    (session, host)
}

fn go(session: &mut Session, host: &mut ConsoleHost, ms: u64) {
    let end = session.world().now.plus(ms * 1_000);
    while session.world().next_at().is_some_and(|next| next <= end) && session.step(1) > 0 {
        host.attend(session);
    }
    session.seek(end).expect("time goes on");
    host.attend(session);
}

/// Types each line, waits for what comes of it, and writes down what stands in the console.
fn ours(name: &str, typed: &str) -> String {
    let (mut session, mut host) = opened(name);
    let begun = host.consoles.get(&C1).map_or(0, |cli| cli.log.len()); // the events before the first line
    let mut ended = false;
    for line in typed.lines() {
        ended |= host.enter(&mut session, C1, line);
        go(&mut session, &mut host, 1_000);
        assert!(!host.consoles.get(&C1).is_some_and(Cli::awaits_news), "{name}: {line}");
    }
    let shown = host.consoles[&C1].log.iter().skip(begun).map(|entry| match entry {
        Entry::Typed(prompt, line) => format!("{}{line}", server_left_out(prompt)),
        Entry::Printed(line) if matches!(line.kind, Kind::Event) => number_left_out(&line.text),
        Entry::Printed(line) => written_left_out(&line.text),
        other => panic!("{name}: {other:?}"),
    });
    shown.chain(ended.then(|| "<exit 0>".to_string())).collect::<Vec<_>>().join("\n")
}

/// `[zk: S(CONNECTED) 0] `: where the client is connected to is left out.
fn server_left_out(prompt: &str) -> String {
    let state = prompt.find('(').expect("a prompt");
    format!("[zk: S{}", &prompt[state..])
}

/// An event's zxid is left out, unless it has none.
fn number_left_out(event: &str) -> String {
    match event.rsplit_once("zxid: ") {
        Some((event, number)) if number != "-1" => format!("{event}zxid: N"),
        _ => event.to_string(),
    }
}

/// When a node was written is left out, in zxids and in time, unless it never was.
fn written_left_out(line: &str) -> String {
    match line.split_once(" = ") {
        Some(("mZxid", zxid)) if zxid != "0x0" => "mZxid = 0xZ".into(),
        Some(("mtime", time)) if time != "Thu Jan 01 00:00:00 UTC 1970" => "mtime = T".into(),
        _ => line.into(),
    }
}

/// Each line typed with what it printed and then its events: the two come from two threads, in any order.
fn in_order(transcript: &str) -> Vec<(Vec<&str>, Vec<&str>)> {
    let mut steps: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for line in transcript.lines().map(str::trim_end) {
        if line.starts_with("[zk: ") {
            steps.push(Default::default());
        }
        let Some((printed, events)) = steps.last_mut() else { continue };
        match line.starts_with("WATCHER::") || line.starts_with("WatchedEvent ") {
            true => events.push(line),
            false => printed.push(line),
        }
    }
    steps
}

#[test]
fn the_console_shows_what_zkcli_showed() {
    let cases = cases();
    assert_eq!(cases.len(), 18);
    for (name, (typed, real)) in &cases {
        let ours = ours(name, typed);
        match DIFFERENT.iter().find(|(different, _)| different == name) {
            None => assert_eq!(in_order(&ours), in_order(real), "{name}"),
            Some((_, why)) => assert_ne!(in_order(&ours), in_order(real), "{name} is no longer different: {why}"),
        }
    }
}
