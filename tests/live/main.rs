//! `zabscope live` and real clients, over TCP: kazoo 2.11.0 from PyPI, which `scripts/test` puts into a place of its own, and a client in Rust.
//! `scripts/clients` has others.

mod rust;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::length;

/// Where kazoo is: a wheel, which Python reads as it is.
fn kazoo() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let wheel = cache.unwrap_or_else(|| home.join(".cache")).join("zabscope/kazoo.whl");
    assert!(wheel.exists(), "{} is not there: 'scripts/test native' fetches kazoo", wheel.display());
    wheel
}

/// Tells one story of `stories.py`.
fn tell(story: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live");
    let told = Command::new("python3")
        .args(["-B", "-m", "unittest", &format!("stories.Stories.{story}")])
        .env("PYTHONPATH", kazoo())
        .env("ZABSCOPE", env!("CARGO_BIN_EXE_zabscope"))
        .current_dir(folder)
        .output()
        .expect("Python runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
}

/// What real ensembles told wire clients, over TCP; where time is short, of every so many transcripts one.
#[test]
fn what_real_ensembles_told_is_told_over_tcp() {
    const ONE_OF: usize = 9;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live");
    let entries = std::fs::read_dir(folder.join("../conformance")).expect("transcripts");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    let played = Command::new("python3")
        .args(["-B", "conformance.py"])
        .args(files.iter().step_by(length::step(ONE_OF)))
        .env("ZABSCOPE", env!("CARGO_BIN_EXE_zabscope"))
        .current_dir(folder)
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{said}{}", String::from_utf8_lossy(&played.stderr));
}

/// The README's example, which is the file: green as it is, red without fencing.
#[test]
fn the_example_of_the_readme_is_green_and_red_without_fencing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = std::fs::read_to_string(root.join("tests/live/example/test_fencing.py")).expect("the example");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    assert!(readme.contains(&format!("```python\n{example}```\n")), "README.md has another example than the file");
    let unfenced = example.replace("token >= storage[\"token\"]", "True");
    assert_ne!(unfenced, example);
    let played = |text: String| {
        let program = Path::new(env!("CARGO_BIN_EXE_zabscope")).parent().expect("a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        Command::new("python3")
            .args(["-B", "-c", &format!("{text}\n\ntest_a_paused_holder_overwrites_nothing()\n")])
            .env("PYTHONPATH", kazoo())
            .env("PATH", path)
            .output()
            .expect("Python runs")
    };
    let (green, red) = (played(example), played(unfenced));
    assert!(green.status.success(), "{}", String::from_utf8_lossy(&green.stderr));
    let said = String::from_utf8_lossy(&red.stderr);
    assert!(!red.status.success() && said.contains("AssertionError"), "{said}");
}

macro_rules! stories {
    ($($story:ident)*) => { $(
        #[test]
        fn $story() {
            tell(concat!("test_", stringify!($story)));
        }
    )* };
}

stories! {
    it_works
    watches_and_permissions
    it_loses_the_leader
    its_session_expires
    another_process_takes_up_its_session
    a_lock_survives_the_leader
    the_run_is_played_again_without_the_program
    hostile_bytes_harm_nobody_else
    four_letter_words
}
