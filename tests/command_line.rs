//! The command line as a shell sees it: pipes that nobody reads any more, zkCli from stdin, sentences instead of panics.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn zabscope(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zabscope"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_reader_that_leaves_early_is_no_reason_to_complain() {
    let link = zabscope(&["link", "cold-start-3"]).output().expect("it runs");
    let link = texts(&link).0;
    let folder = std::env::temp_dir().join(format!("zabscope-pipes-{}", std::process::id()));
    let folder = folder.to_string_lossy();
    let soak = ["soak", "--servers", "1", "--seeds", "0..2", "--minutes", "2"];
    let written = [&soak[..], &["--write", &folder]].concat();
    let commands: &[&[&str]] = &[
        &["--help"],
        &["--version"],
        &["scenarios"],
        &["run", "cold-start-3"],
        &["run", "leader-crash-under-load", "--facts"],
        &["link", "cold-start-3"],
        &["open", link.trim()],
        &soak,
        &written,
        #[cfg(feature = "conform")]
        &["conform", "tests/conformance/stat-setdata.json"],
    ];
    for args in commands {
        let mut child = zabscope(args).spawn().expect("it runs");
        drop(child.stdout.take()); // as `head` does
        let output = child.wait_with_output().expect("it ends");
        let (_, said) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("zabscope:"), "{args:?}: {said}");
    }
    let _ = std::fs::remove_dir_all(&*folder);
}

/// What `zabscope cli` says to these lines: on stdout, on stderr; and its exit code.
fn typed(args: &[&str], lines: &str) -> (String, String, Option<i32>) {
    let mut child = zabscope(&[&["cli"], args].concat()).stdin(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = texts(&output);
    (out, err, output.status.code())
}

#[test]
fn zkcli_takes_its_commands_from_a_pipe() {
    let (out, err, code) = typed(&["cold-start-3"], "create /a x\nget /a\nls /\n");
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(!out.contains("[zk:"), "prompts are for terminals: {out}");
    assert_eq!(lines[lines.len() - 3..], ["Created /a", "x", "[a, x, zookeeper]"], "{out}");
}

#[test]
fn a_client_of_the_run_types_in_its_own_session_at_its_time() {
    let lines = "set /w new\nget -w /w\nset /w newer\nquit\nget /w\n";
    let (before, err, _) = typed(&["zk-watch", "--at", "0", "--client", "C7"], "stat /w\n");
    assert!(before.contains("does not exist") || before.contains("NoNode"), "{before}{err}");
    let (out, err, code) = typed(&["cold-start-3", "--client", "C7"], &format!("create /w old\n{lines}"));
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let event = "type:NodeDataChanged path:/w";
    assert!(out.contains("\nnew\n") && out.contains(event) && !out.contains("newer"), "{out}");
}

#[test]
fn what_never_comes_is_said_and_the_next_line_is_read() {
    let run = r#"{"version":4,"seed":1,"setup":{"voters":1},"actions":[{"at_us":900000,"do":"crash","server":1}]}"#;
    let file = std::env::temp_dir().join(format!("zabscope-crashed-{}.json", std::process::id()));
    std::fs::write(&file, run).expect("a file");
    let (out, err, code) = typed(&[&file.to_string_lossy()], "get /a\nversion\n");
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(err.contains("C1 is not connected after"), "{err}");
    assert!(out.contains("ZooKeeper CLI version"), "{out}");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn what_cannot_be_done_is_a_sentence() {
    for (args, why) in [
        (&[][..], "<RUN>"),
        (&["no-such-run"], "'no-such-run' is no scenario"),
        (&["cold-start-3", "--client", "x"], "--client x: write its name, as in C1"),
        (&["cold-start-3", "--at", "999999999999"], "--at 999999999999: a number from 0 to"),
        (&["cold-start-3", "--sneeze"], "--sneeze"),
    ] {
        let (out, err, code) = typed(args, "");
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
        assert!(err.starts_with("zabscope: ") && err.contains(why), "{args:?}: {err}");
    }
}

#[test]
fn find_writes_what_it_finds_and_says_what_it_cannot_look_for() {
    let folder = scratch("find");
    let asked = ["find", "--servers", "3", "--break", "commit-at-minority", "--goal", "quorum-durable"];
    let output = zabscope(&[&asked[..], &["--budget", "50", "--write", &folder]].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert!(
        out.contains("quorum-durable violated at") && out.contains("with every rule kept nothing falls"),
        "{out}"
    );
    let found = format!("{folder}/0.json");
    let (out, err) = texts(&zabscope(&["run", &found, "--until", "2000"]).output().expect("it runs"));
    assert!(err.contains("quorum-durable violated") && out.contains("\"violations\":"), "{out}{err}");
    let in_a_file = format!("{found}/runs");
    let output = zabscope(&["find", "--servers", "3", "--budget", "40"]).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert!(out.contains("any was not reached in 40 runs"), "{out}");
    for (args, why) in [
        (&["find"][..], "<RUN>"),
        (&["find", "--servers", "3", "--goal", "sneeze"], "there is no property 'sneeze'"),
        (&["find", "--servers", "99"], "--servers 99: a number from 1 to 9"),
        (&["find", "cold-start-3", "--servers", "3"], "'[RUN]' cannot be used with '--servers <N>'"),
        (&["find", "--servers", "3", "--strategy", "luck"], "--strategy luck: there are ladder, dice, both"),
        (&["find", "--servers", "3", "--seeds", "4..4"], "--seeds 4..4: write A..B"),
        (
            &["find", "--servers", "3", "--seed", "1", "--seeds", "0..4"],
            "'--seed <N>' cannot be used with '--seeds <A..B>'",
        ),
        (&["find", "--servers", "3", "--write", &in_a_file], "cannot write to"),
        (&["find", "--merge"], "a value is required for '--merge <FILE>...'"),
        (&["find", "--merge", "no-such-file"], "no-such-file: "),
        (&["find", "--merge", "no-such-file", "--goal", "any"], "cannot be used with '--goal <GOAL>'"),
        (&["explore"], "unrecognized subcommand 'explore'"),
        (&["prove", "--servers", "9"], "--servers 9: a number from 1 to 5"),
    ] {
        let output = zabscope(args).output().expect("it ends");
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.starts_with("zabscope: ") && err.contains(why), "{args:?}: {err}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// A folder of this name that no other run of the tests has.
fn scratch(name: &str) -> String {
    let folder = std::env::temp_dir().join(format!("zabscope-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.to_string_lossy().into_owned()
}

/// What a search prints, line by line, by seeds and without the time it took.
fn found_lines(args: &[&str], code: i32) -> Vec<Value> {
    let asked = ["find", "--servers", "3", "--break", "commit-at-minority", "--goal", "quorum-durable"];
    let output = zabscope(&[&asked[..], args].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    let mut lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    lines.sort_by_key(|line| line["seed"].as_u64());
    for line in &mut lines {
        assert!(line["ms"].take().is_u64(), "{line}");
    }
    lines
}

#[test]
fn find_has_the_same_line_for_a_seed_on_any_number_of_threads() {
    let folder = scratch("find-seeds");
    let dice = ["--strategy", "dice", "--budget", "60"];
    let one = found_lines(&[&dice[..], &["--seeds", "0..3", "--jobs", "1", "--write", &folder]].concat(), 1);
    let two = found_lines(&[&dice[..], &["--seeds", "0..3", "--jobs", "2"]].concat(), 1);
    assert_eq!(one, two);
    assert_eq!(one.iter().map(|line| line["seed"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    for line in &one {
        let file = format!("{folder}/{}.json", line["seed"]);
        let run = std::fs::read_to_string(file).ok().map(|run| serde_json::from_str::<Value>(&run).expect("a run"));
        assert_eq!(run.unwrap_or_default(), line["found"]["run"], "{line}");
        assert!(line["found"].is_null() || line["found"]["strategy"] == "dice", "{line}");
        assert_eq!((&line["question"], &line["shrinks"]), (&one[0]["question"], &Value::from(0)));
    }
    assert_eq!(found_lines(&[&dice[..], &["--seed", "1", "--json"]].concat(), code_of(&one[1])), one[1..2]);
    let ladder = found_lines(&["--strategy", "ladder", "--budget", "60", "--shrink", "--json"], 1);
    assert_eq!((&ladder[0]["found"]["strategy"], &ladder[0]["found"]["deeds"]), (&"ladder".into(), &1.into()));
    assert!(ladder[0]["question"] != one[0]["question"] && ladder[0]["shrinks"] != 0, "{}", ladder[0]);
    let _ = std::fs::remove_dir_all(&folder);
}

fn code_of(line: &Value) -> i32 {
    i32::from(!line["found"].is_null())
}

/// A line as `find --seeds` prints it, with what matters to a sum.
fn line(seed: u64, question: &str, deeds: Option<usize>) -> String {
    let run = json!({ "version": 4, "seed": seed, "setup": { "voters": 3 }, "actions": [] });
    let found = deeds.map(|deeds| {
        json!({ "run": run, "deeds": deeds, "shrunk_from": 9, "at_us": 350_000, "trial": 4, "repaired": true,
                "strategy": "dice", "property": null, "evidence": null, "seq": 7 })
    });
    let line = json!({ "seed": seed, "goal": "epoch:2", "rules": [], "question": question, "trials": 10, "shrinks": 5,
                       "events": 100, "finds": found.iter().len(), "ms": seed, "found": found });
    format!("{line}\n")
}

#[test]
fn lines_of_many_machines_are_merged_in_any_order() {
    let folder = scratch("find-merge");
    let file = |name: &str| format!("{folder}/{name}");
    let write = |name: &str, text: String| std::fs::write(file(name), text).expect("a file");
    write("a", line(5, "q", Some(3)) + "\n" + &line(1, "q", None));
    write("b", line(2, "q", Some(2)) + &line(1, "q", None).replace("\"ms\":1", "\"ms\":900"));
    let merge = |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|name| file(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        zabscope(&[&["find", "--write", &file("smallest"), "--merge"], &files[..]].concat())
            .output()
            .expect("it runs")
    };
    let there = merge(&["a", "b"]);
    let (out, err) = texts(&there);
    assert_eq!(there.status.code(), Some(1), "{out}{err}");
    let sum = "epoch:2 was reached with 2 of 3 seeds (1 to 5, 2 missing; 30 runs, 300 events)\n";
    assert!(out.starts_with(sum) && out.contains("the smallest is of seed 2, run 5; 2 deeds:"), "{out}");
    assert_eq!(texts(&merge(&["b", "a"])).0, out);
    assert!(
        std::fs::metadata(file("smallest/2.json")).is_ok() && std::fs::metadata(file("smallest/5.json")).is_err()
    );
    write("none", line(0, "q", None));
    assert_eq!(merge(&["none"]).status.code(), Some(0));
    write("other", line(8, "q", None) + &line(9, "another", None));
    write("cut", line(8, "q", None) + &line(9, "q", Some(1))[..200]);
    write("differs", line(1, "q", Some(4)));
    for (name, place, why) in [
        ("other", "other, line 2: ", "another question"),
        ("cut", "cut, line 2: ", "EOF while parsing"),
        ("differs", "differs, line 1: ", "seed 1 has come to something else before"),
    ] {
        let output = merge(&["a", name]);
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {err}");
        assert!(err.starts_with("zabscope: ") && err.contains(place) && err.contains(why), "{name}: {err}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_find_prints_can_be_piped_into_a_merge() {
    let search = ["find", "--servers", "3", "--break", "commit-at-minority", "--goal", "quorum-durable"];
    let lines = zabscope(&[&search[..], &["--seeds", "3..5", "--budget", "50"]].concat()).output().expect("it runs");
    let mut child = zabscope(&["find", "--merge", "-", "--json"]).stdin(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("its input").write_all(&lines.stdout).expect("it reads");
    let (out, err) = texts(&child.wait_with_output().expect("it ends"));
    let sum: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    assert_eq!((&sum["seeds"], &sum["reached"], &sum["missing"]), (&2.into(), &2.into(), &0.into()), "{out}");
    assert_eq!(sum["smallest"]["found"]["property"], "quorum-durable", "{out}");
}

#[test]
fn soak_shrinks_what_it_finds() {
    let soak = ["soak", "--servers", "3", "--seeds", "0..1", "--minutes", "1", "--jobs", "1", "--shrink"];
    let output = zabscope(&[&soak[..], &["--break", "commit-at-minority"]].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    let shrunk = out.lines().find(|line| line.starts_with("seed 0: quorum-durable: ")).expect("a shrunk run");
    let deeds = shrunk.trim_end_matches(':').rsplit(' ').next().and_then(|deeds| deeds.parse::<usize>().ok());
    assert!(deeds.is_some_and(|deeds| deeds <= 3), "{out}");
}

/// What a command says as JSON, and its exit code.
fn answer(args: &[&str]) -> (Value, Option<i32>) {
    let output = zabscope(&[args, &["--json"]].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    (serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")), output.status.code())
}

#[test]
fn answers_are_there_for_programs_too() {
    let (all, code) = answer(&["scenarios"]);
    let herd = all.as_array().expect("a list").iter().find(|one| one["id"] == "lock-herd").expect("lock-herd");
    assert_eq!((code, &herd["params"][0]["name"]), (Some(0), &json!("clients")));

    let broken = ["--servers", "3", "--break", "commit-at-minority"];
    let soak = [&["soak", "--seeds", "0..1", "--minutes", "1"][..], &broken].concat();
    let (trial, code) = answer(&soak);
    assert_eq!(
        (code, &trial["seed"], &trial["violations"][0]["property"]),
        (Some(1), &json!(0), &json!("quorum-durable"))
    );
    assert_eq!(trial["replay"], "zabscope soak --servers 3 --seeds 0..1 --minutes 1 --break commit-at-minority");

    let (proof, code) = answer(&[&["prove"][..], &broken].concat());
    assert_eq!((code, &proof["violation"]["property"]), (Some(1), &proof["violated"]));
    assert!(proof["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{proof}");

    let folder = scratch("facts");
    let file = format!("{folder}/facts.jsonl");
    let facts = zabscope(&["run", "cold-start-3", "--facts"]).output().expect("it runs").stdout;
    std::fs::write(&file, facts).expect("a file");
    let (verdict, code) = answer(&["check", &file]);
    assert_eq!((code, &verdict["violated"], &verdict["violations"]), (Some(0), &json!(0), &json!([])));
    let _ = std::fs::remove_dir_all(&folder);

    let (proved, code) = answer(&["lesson", "check", "zab-election", "--seeds", "0..2"]);
    assert_eq!((code, proved), (Some(0), json!({ "runs": 2, "flaws": [] })));
    #[cfg(feature = "conform")]
    {
        let (judged, code) = answer(&["conform", "tests/conformance/stat-setdata.json"]);
        assert_eq!(
            (code, &judged["failed"], &judged["files"][0]["name"]),
            (Some(0), &json!(0), &json!("stat-setdata"))
        );
    }
}

#[test]
fn help_is_on_stdout_and_shells_get_their_completions() {
    for args in [&["find", "--help"][..], &["lesson", "check", "-h"], &["help", "soak"], &["live", "--help"]] {
        if args[0] == "live" && !cfg!(all(feature = "live", unix)) {
            continue;
        }
        let output = zabscope(args).output().expect("it runs");
        let (out, err) = texts(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{args:?}");
        assert!(out.contains("Usage: zabscope ") && out.contains("Examples:\n  zabscope "), "{args:?}: {out}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let output = zabscope(&["completions", shell]).output().expect("it runs");
        let (out, err) = texts(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{shell}");
        assert!(out.contains("ack-before-sync") && out.contains("merge"), "{shell}: {out}");
    }
}

/// Two terminals: what a watch needs.
#[test]
fn several_clients_type_and_time_passes_when_it_is_told_to() {
    let lines = "get -w /x\n@C2 set /x two\nsleep 1\n@C2\nls /\nsleep soon\n@Q ls /\n@C1 quit\nquit\nls /\n";
    let (out, err, code) = typed(&["cold-start-3"], lines);
    assert_eq!(code, Some(0), "{out}{err}");
    let event = "C1: WatchedEvent state:SyncConnected type:NodeDataChanged path:/x zxid: ";
    assert!(out.contains(event), "{out}");
    assert_eq!(out.matches("C2: [x, zookeeper]").count(), 1, "what comes after quit is not read: {out}");
    let closed = "WATCHER::\n{}: WatchedEvent state:Closed type:None path:null zxid: -1";
    for client in ["C1", "C2"] {
        assert!(out.contains(&closed.replace("{}", client)), "{out}");
    }
    assert!(err.contains("sleep seconds") && err.contains("'@Q' is no client"), "{err}");
}

/// As in the real zkCli: `close` returns when the session is closed, `connect` opens another.
#[test]
fn a_session_ends_and_another_begins() {
    let lines = "close\nls /\nhistory\nconnect\naddauth nosuch x:y\nwhoami\nconnect\nls /\nquit\n";
    let (out, err, code) = typed(&["cold-start-3"], lines);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let event = |state: &str| format!("WATCHER::\nWatchedEvent state:{state} type:None path:null zxid: -1\n");
    let (opened, closed, refused) = (event("SyncConnected"), event("Closed"), event("AuthFailed"));
    let history = "0 - close\n1 - ls /\n2 - history\n";
    let no = "Not connected\n";
    let end = format!("{closed}{no}{history}{no}{opened}{refused}{no}{opened}[x, zookeeper]\n{closed}");
    assert!(out.ends_with(&end), "{out}");
}

/// What `zabscope disks` says of an archive of `tests/disks`: on stdout, on stderr; and its exit code.
fn disks(args: &[&str]) -> (String, String, Option<i32>) {
    let output = zabscope(&[&["disks"], args].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    (out, err, output.status.code())
}

#[test]
fn disks_of_real_servers_are_told_of() {
    let archive = "tests/disks/restart/newest-snapshot-removed-wakes-ghosts.tar.gz";
    let (out, err, code) = disks(&[archive]);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    for told in [
        "S3: tests/disks/restart/newest-snapshot-removed-wakes-ghosts.tar.gz/newest-snapshot-removed-wakes-ghosts/server-3/data (by myid)",
        "0x10000000c..0x10000000e",
        "only on S3; beside the history",
        "create /lost-0, create /lost-1, create /lost-2",
        "on a majority (2 of 3 voters)",
        "digests are not those of its tree, from 0x200000005 on",
        "part with 0x10000000c",
        ": S3 leads, epoch 3, with 0x200000007; S1 is sent nothing (DIFF), and keeps 4 of its own; S2 is sent nothing",
        "LOST: 4 transactions that S1 S2, a majority, have, 0x200000001..0x200000004: create /new-0, ",
        "TWO TREES: S1 S2 serve another tree than S3, and nothing tells them so",
        "Start S1, then S2, each once the one before is up: 3 are lost (3 that only S3 has), and no order loses less.",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let (out, err, code) = disks(&[archive, "--json"]);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["servers"][2]["last_zxid"], "0x200000007");
    assert_eq!(report["voters"], json!([1, 2, 3]));
    assert_eq!(report["trees"][0]["relation"], "parted");
}

/// Servers' own logs, beside their data directories.
#[test]
fn what_happened_is_told_by_logs() {
    let archive = "tests/disks/artifacts/3.9.5/leader-crash-under-writes.tar.gz";
    let (out, err, _) = disks(&[archive]);
    assert_eq!(err, "", "{out}");
    for told in [
        "What happened",
        "The clocks of S1 and S2 agree, within ",
        "S3 led epoch 1 from 01:13:2",
        "01:13:26.487 S2 leads epoch 2 with S1 S2, from 0x200000000 on.",
        "server-2/zookeeper",
        "S3: a DIFF from S2, up to 0x20000014c.",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let (out, _, _) = disks(&[archive, "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["happened"]["reigns"][1]["epoch"], 2);
    assert_eq!(report["happened"]["lanes"][0]["server"], 1);
}

#[test]
fn what_is_no_disk_ends_in_a_sentence() {
    let (_, err, code) = disks(&["tests/design.rs"]);
    assert!(err.contains("there is no data directory of ZooKeeper") && code == Some(2), "{err}");
    let (_, err, code) = disks(&["no/such/folder"]);
    assert!(err.contains("no/such/folder: ") && code == Some(2), "{err}");
    let (_, err, code) = disks(&["tests", "--server", "x"]);
    assert!(err.contains("write PATH=ID") && code == Some(2), "{err}");
    let (_, err, code) = disks(&["tests", "--zookeeper", "3.7"]);
    assert!(
        err.contains("--zookeeper 3.7: there are as-repaired, 3.10, 3.9, 3.9.3, 3.8") && code == Some(2),
        "{err}"
    );
}

/// What `zabscope` says on stderr to these words, with a file to write; its exit code, and the file's bytes.
#[cfg(feature = "picture")]
fn drawn(words: &[&str], file: &str) -> (String, Option<i32>, Vec<u8>) {
    let folder = scratch("pictures");
    let path = format!("{folder}/{file}");
    let output = zabscope(&[words, &["--out", &path]].concat()).output().expect("it runs");
    let bytes = std::fs::read(&path).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    (texts(&output).1, output.status.code(), bytes)
}

#[cfg(feature = "picture")]
#[test]
fn a_moment_becomes_a_picture_and_a_stretch_of_time_a_film() {
    let moment = ["picture", "lock-herd", "--at", "4125"];
    let (said, code, svg) = drawn(&moment, "light.svg");
    let text = String::from_utf8_lossy(&svg).into_owned();
    assert_eq!((said.as_str(), code), ("", Some(0)));
    assert!(text.starts_with("<svg ") && text.contains("<title>The herd, 4.125 s</title>"), "{}", &text[..300]);
    assert!(["S1", "S2", "S3"].iter().all(|server| text.contains(&format!(">{server}</text>"))), "cards are there");
    assert_eq!(drawn(&moment, "again.svg").2, svg, "the same moment is the same file");
    let dark = drawn(&[&moment[..], &["--theme", "dark", "--lang", "zh-CN"]].concat(), "dark.svg").2;
    assert!(dark != svg && String::from_utf8_lossy(&dark).contains("惊群"));

    // a crowd of dots is counted below, as the page's Picture does
    let crowd = drawn(&[&moment[..], &["--set", "clients=60"]].concat(), "crowd.svg").2;
    assert!(String::from_utf8_lossy(&crowd).contains(">60 clients, "));

    let (said, code, png) = drawn(&[&moment[..], &["--size", "480x300", "--scale", "1"]].concat(), "small.png");
    assert_eq!((said.as_str(), code, png.get(..8)), ("", Some(0), Some(&b"\x89PNG\r\n\x1a\n"[..])));
    assert_eq!(png[16..20], 480_u32.to_be_bytes(), "its width");
    let (_, _, gif) = drawn(&moment, "still.gif");
    assert_eq!((gif.get(..6), gif[6..8] == 960_u16.to_le_bytes()), (Some(&b"GIF89a"[..]), true));

    let stretch = ["film", "lock-herd", "--from", "4100", "--to", "4125", "--rate", "8", "--width", "480"];
    let (said, code, film) = drawn(&stretch, "film.gif");
    assert_eq!((said.as_str(), code), ("", Some(0)));
    let decoder = gif::DecodeOptions::new().read_info(&film[..]).expect("a GIF");
    let frames = decoder.into_iter().filter(Result::is_ok).count();
    // 25 ms at a thirtieth take 750 ms: seven frames, of which some may look like the one before
    assert!((3..=8).contains(&frames), "{frames}");
}

#[cfg(feature = "picture")]
#[test]
fn what_cannot_be_drawn_is_a_sentence() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["picture", "lock-herd"], "a.bmp", "its name ends with one of svg, png, gif"),
        (&["picture", "no-such"], "a.svg", "'no-such' is no scenario"),
        (&["picture"], "a.svg", "<RUN>"),
        (&["picture", "lock-herd", "--size", "10x10"], "a.svg", "width and height from 240 to 4000"),
        (&["picture", "lock-herd", "--theme", "pink"], "a.svg", "there are light, dark"),
        (&["picture", "lock-herd", "--lang", "tlh"], "a.svg", "--lang tlh: there are en"),
        (&["picture", "lock-herd", "--at", "99999999999"], "a.svg", "--at 99999999999: a number from 0 to"),
        (&["picture", "lock-herd", "--rate", "8"], "a.svg", "unexpected argument '--rate' found"),
        (&["film", "lock-herd"], "a.gif", "--until <MS>"),
        (&["film", "lock-herd", "--from", "20", "--until", "10"], "a.gif", "The end must be after the start"),
        (&["film", "lock-herd", "--from", "0", "--to", "60000"], "a.gif", "More than 600 frames"),
        (&["film", "lock-herd", "--from", "0", "--to", "10", "--rate", "9"], "a.gif", "there are 8, 10, 12, 15"),
        (&["film", "lock-herd", "--from", "0", "--to", "10", "--speed", "3"], "a.gif", "a speed of the page"),
    ];
    for (words, file, sentence) in cases {
        let (said, code, bytes) = drawn(words, file);
        assert!(said.starts_with("zabscope: ") && said.contains(sentence), "{words:?}: {said}");
        assert_eq!((code, bytes.len()), (Some(2), 0), "{words:?}");
    }
}
