//! Every text of the page is used by the page. That none is missing is the compiler's business.

use std::fs;
use std::path::Path;

use crate::i18n::Lang;
use crate::i18n::page::page;

/// All sources that show the page's texts, without the blanks that formatting puts before a dot.
fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rooms = ["src/ui", "crates/stories/src/view", "crates/stories/src/timeline"];
    let mut folders = rooms.map(|room| root.join(room)).to_vec();
    let words = ["src/i18n/disks.rs", "src/i18n/page.rs", "src/i18n/title.rs", "src/i18n/wording.rs"];
    let mut text: String =
        words.iter().map(|file| fs::read_to_string(root.join(file)).expect("the page's words")).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a room of the project").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => {
                    text += &fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
                }
            }
        }
    }
    let mut closed = String::with_capacity(text.len());
    for (index, part) in text.split('.').enumerate() {
        if index > 0 {
            closed.truncate(closed.trim_end().len());
            closed.push('.');
        }
        closed += part;
    }
    closed
}

/// The name that a text ends with.
fn last_name(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

/// The names that are given to the page's words: `let own = page(lang)`.
fn given_names(sources: &str) -> Vec<&str> {
    let bound = sources.match_indices(" = page(").map(|(at, _)| last_name(&sources[..at]));
    bound.chain(["words", "own"]).collect()
}

/// Whether what stands before a dot is the page's words: by one of these names, or as `page(…)`.
fn is_page(before: &str, names: &[&str]) -> bool {
    if names.contains(&last_name(before)) {
        return true;
    }
    let mut depth = 0;
    for (at, c) in before.char_indices().rev().take(80) {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return c == '(' && before[..at].ends_with("page");
        }
    }
    false
}

fn is_used(sources: &str, names: &[&str], name: &str) -> bool {
    let dotted = format!(".{name}");
    sources.match_indices(&dotted).any(|(at, _)| {
        let after = sources[at + dotted.len()..].chars().next();
        is_page(&sources[..at], names) && after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    })
}

#[test]
fn every_text_of_the_page_is_used() {
    let sources = sources();
    let names = given_names(&sources);
    let texts = page(Lang::En).texts();
    let idle: Vec<&str> =
        texts.into_iter().map(|(name, _)| name).filter(|name| !is_used(&sources, &names, name)).collect();
    assert!(idle.is_empty(), "no part of the page shows these texts of src/i18n/en/page; take them out: {idle:?}");
    for name in ["no_such_text", "share_"] {
        assert!(!is_used(&sources, &names, name), "{name}");
    }
}

/// What happens in the space-time view is looked up by name.
#[test]
fn every_listed_moment_is_used() {
    let sources = sources();
    for (name, _) in page(Lang::En).moments {
        assert!(sources.contains(&format!("\"{name}\"")), "no part of the page asks for the moment {name}");
    }
}
