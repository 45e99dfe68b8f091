//! The command line as a shell sees it: pipes that nobody reads any more.

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
