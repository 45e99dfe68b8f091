//! The command line as a shell sees it: pipes that nobody reads any more, zkCli from stdin, sentences instead of panics.

use std::io::Write;
use std::process::{Command, Output, Stdio};

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
    let run = r#"{"version":3,"seed":1,"setup":{"voters":1},"actions":[{"at_us":900000,"do":"crash","server":1}]}"#;
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
        (&[][..], "which run?"),
        (&["no-such-run"], "'no-such-run' is no scenario"),
        (&["cold-start-3", "--client", "x"], "--client x: write its name, as in C1"),
        (&["cold-start-3", "--at", "999999999999"], "--at 999999999999 is above"),
        (&["cold-start-3", "--sneeze"], "--sneeze"),
    ] {
        let (out, err, code) = typed(args, "");
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
        assert!(err.starts_with("zabscope: ") && err.contains(why), "{args:?}: {err}");
    }
}

#[test]
fn explore_writes_what_it_finds_and_says_what_it_cannot_look_for() {
    let file = std::env::temp_dir().join(format!("zabscope-explore-{}.json", std::process::id()));
    let found = file.to_string_lossy().into_owned();
    let asked = ["explore", "--servers", "3", "--break", "commit-at-minority", "--goal", "quorum-durable"];
    let output = zabscope(&[&asked[..], &["--budget", "50", "--write", &found]].concat()).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert!(
        out.contains("quorum-durable violated at") && out.contains("with every rule kept nothing falls"),
        "{out}"
    );
    let (out, err) = texts(&zabscope(&["run", &found, "--until", "2000"]).output().expect("it runs"));
    assert!(err.contains("quorum-durable violated") && out.contains("\"violations\":"), "{out}{err}");
    let _ = std::fs::remove_file(&file);
    let output = zabscope(&["explore", "--servers", "3", "--budget", "40"]).output().expect("it runs");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert!(out.contains("any was not reached in 40 runs"), "{out}");
    for (args, why) in [
        (&["explore"][..], "which run?"),
        (&["explore", "--servers", "3", "--goal", "sneeze"], "there is no property 'sneeze'"),
        (&["explore", "--servers", "99"], "--servers 99 is not between 1 and 9"),
        (&["explore", "cold-start-3", "--servers", "3"], "--servers stands for an empty run"),
        (&["prove", "--servers", "9"], "--servers 9 is not between 1 and 5"),
    ] {
        let output = zabscope(args).output().expect("it ends");
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.starts_with("zabscope: ") && err.contains(why), "{args:?}: {err}");
    }
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
