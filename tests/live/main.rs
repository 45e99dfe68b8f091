//! `zabscope live` and real clients: kazoo 2.11.0 from PyPI, which `scripts/test` puts into a place of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

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
    a_paused_holder_needs_fencing
    the_run_is_played_again_without_the_program
    hostile_bytes_harm_nobody_else
    four_letter_words
}
