//! The texts of lessons, courses, bugs and prepared runs, which are files. Natively they are inside the program. The page has only their
//! names: it fetches all texts in one file (`scripts/stories`) when the first of them is opened, and lays that here.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::OnceLock;

/// Names and texts.
static LAID: OnceLock<Vec<(String, String)>> = OnceLock::new();

/// The text of a file beside the one in which this stands; in the page nothing, until it is laid.
macro_rules! built_in {
    ($path:expr) => {{
        #[cfg(not(target_arch = "wasm32"))]
        let text = include_str!($path);
        #[cfg(target_arch = "wasm32")]
        let text = "";
        text
    }};
}
pub(crate) use built_in;

/// Whether all texts are there.
pub fn are_there() -> bool {
    cfg!(not(target_arch = "wasm32")) || LAID.get().is_some()
}

/// What `read` makes of texts, kept as soon as all of them are there: until then there may be more to read the next time.
pub fn once<T>(kept: &OnceCell<Rc<[T]>>, read: impl FnOnce() -> Rc<[T]>) -> Rc<[T]> {
    if are_there() { kept.get_or_init(read).clone() } else { read() }
}

/// Lays what `scripts/stories` writes: an object with each file by its name, a line each. Whether it was that.
pub fn lay(json: &str) -> bool {
    let file = |line: &str| {
        let (name, text) = line.strip_prefix('"')?.split_once("\":")?;
        Some((name.to_string(), text.strip_suffix(',').unwrap_or(text).to_string()))
    };
    // the last line is there too
    let is_whole = json.starts_with("{\n\"") && json.ends_with("\n}\n");
    is_whole && !LAID.get_or_init(|| json.lines().filter_map(file).collect()).is_empty()
}

/// What is built in; else what is laid under a name, which is the file's below `src` without its ending.
pub(crate) fn text(built_in: &'static str, name: &str) -> Option<&'static str> {
    let laid = || LAID.get()?.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    if built_in.is_empty() { laid() } else { Some(built_in) }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::explore::PREPARED;
    use crate::lessons::{COURSES, LESSONS};
    use crate::museum::BUGS;

    #[test]
    fn what_the_page_fetches_is_what_is_built_in() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/stories");
        let written = Command::new("sh").arg(script).arg("-").output().expect("sh");
        assert!(written.status.success(), "{written:?}");
        let written = String::from_utf8(written.stdout).expect("text");
        assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok());
        let cut = written.trim_end_matches(['}', '\n']);
        assert!(!lay("<!doctype html>") && !lay(cut), "somebody else's page, or not all of it");
        assert!(lay(&written));
        let mut all = vec![("explore/prepared".to_string(), PREPARED)];
        for (folder, some) in [("lessons/built_in", LESSONS), ("lessons/courses", COURSES), ("museum/cards", BUGS)] {
            all.extend(some.iter().map(|(id, text)| (format!("{folder}/{id}"), *text)));
        }
        for (name, built_in) in &all {
            // a line's indentation and its end are all that stays at home
            let lean: String = built_in.lines().map(str::trim_start).collect();
            assert_eq!(text("", name), Some(&*lean), "{name}");
            assert_eq!(text(built_in, name), Some(*built_in));
        }
        assert_eq!(LAID.get().map(Vec::len), Some(all.len()), "a file that nobody names");
    }
}
