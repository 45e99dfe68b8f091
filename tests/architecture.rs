//! The walls between rooms, held by a test: who may import whom, and what every file owes its reader.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms that it may name.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("wire", &["base"]),
    ("zab", &["base"]),
    ("store", &["base", "wire"]),
    ("client", &["base", "wire"]),
    ("recipes", &["base", "wire", "client"]),
    ("server", &["base", "wire", "zab", "store"]),
    ("sim", &["base", "wire", "zab", "store", "client", "recipes", "server"]),
    ("scenarios", &["base", "wire", "zab", "store", "client", "recipes", "server", "sim"]),
    ("check", &["base", "wire", "zab", "store", "client", "recipes", "server", "sim"]),
    ("soak", &["base", "wire", "zab", "store", "client", "recipes", "server", "sim", "check"]),
    ("conform", &["base", "wire", "zab", "store", "client", "recipes", "sim"]),
    ("share", &["base", "wire", "zab", "client", "recipes", "server", "sim", "scenarios", "check"]),
    (
        "timeline",
        &["base", "wire", "zab", "store", "client", "recipes", "server", "sim", "scenarios", "check", "share"],
    ),
    ("console", &["base", "wire", "client", "sim", "timeline"]),
    (
        "view",
        &["base", "wire", "zab", "store", "client", "recipes", "server", "sim", "scenarios", "check", "timeline"],
    ),
    ("draw", &["base", "wire", "zab", "sim", "scenarios", "timeline", "view"]),
    ("i18n", &["base", "wire", "zab", "client", "recipes", "server", "sim", "scenarios", "check", "share"]),
    (
        "ui",
        &[
            "base",
            "wire",
            "zab",
            "client",
            "recipes",
            "sim",
            "scenarios",
            "check",
            "console",
            "share",
            "timeline",
            "view",
            "draw",
            "i18n",
        ],
    ),
    (
        "cli",
        &[
            "base",
            "zab",
            "client",
            "sim",
            "scenarios",
            "check",
            "soak",
            "conform",
            "share",
            "timeline",
            "console",
            "i18n",
        ],
    ),
];

/// Words that decide nothing in a simulation, in the rooms that decide: a clock, a draw, an order that varies.
const BANNED: &[&str] =
    &["HashMap", "HashSet", "Instant", "SystemTime", "thread_rng", "f32", "f64", "std::env", "println!"];
const DECIDING: &[&str] = &["base", "zab", "wire", "store", "client", "recipes", "server", "sim", "scenarios"];

/// Files may be this long without their tests, and functions this long.
const MAX_FILE: usize = 470;

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The room of a file: the first folder below `src`, or the file's own name.
fn room(path: &Path) -> String {
    let below = path.strip_prefix(source()).expect("a file below src");
    let first = below.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A file without its tests and comments.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code_of = |line: &str| line.split("//").next().unwrap_or("").to_string();
    before_tests.lines().map(code_of).collect::<Vec<_>>().join("\n")
}

/// The rooms that a text names as `crate::room`.
fn imported(text: &str) -> Vec<&str> {
    let names = text.split("crate::").skip(1);
    names.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")).collect()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

#[test]
fn rooms_import_only_what_they_may() {
    for path in rust_files(&source()).iter().filter(|path| !is_test(path)) {
        let here = room(path);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == here) else { continue };
        let text = code(&fs::read_to_string(path).expect("a source file"));
        for name in imported(&text) {
            let known = MAY_IMPORT.iter().any(|(room, _)| *room == name);
            assert!(!known || name == here || allowed.contains(&name), "{}: {here} names {name}", path.display());
        }
    }
}

#[test]
fn every_room_stands_in_the_table() {
    for entry in fs::read_dir(source()).expect("src").map(|entry| entry.expect("an entry").path()) {
        let name = room(&entry);
        let known =
            ["bin", "lib", "main"].contains(&name.as_str()) || MAY_IMPORT.iter().any(|(room, _)| *room == name);
        assert!(known, "src/{name} is not in the table of this test");
    }
}

#[test]
fn nothing_that_decides_reads_a_clock_or_an_order_that_varies() {
    for path in rust_files(&source()).iter().filter(|path| DECIDING.contains(&room(path).as_str()) && !is_test(path))
    {
        let text = code(&fs::read_to_string(path).expect("a source file"));
        for word in BANNED {
            let found =
                text.split(|c: char| !c.is_alphanumeric() && !"_:!".contains(c)).any(|token| token.contains(word));
            assert!(!found, "{}: {word}", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_and_stays_readable() {
    for path in rust_files(&source()) {
        let text = fs::read_to_string(&path).expect("a source file");
        assert!(text.starts_with("//!"), "{}: begin with what this file is", path.display());
        let lines = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("").lines().count();
        assert!(lines <= MAX_FILE, "{}: {lines} lines; is it still one room?", path.display());
        for word in ["todo!", "unimplemented!", "dbg!", "FIXME"] {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn the_rules_of_this_test_find_what_they_look_for() {
    assert_eq!(imported("use crate::zab::Peer;\nlet x = crate::sim::World::new();"), ["zab", "sim"]);
    assert_eq!(code("let a = 1; // HashMap\n#[cfg(test)]\nmod tests {\n f64 }").trim(), "let a = 1;");
}

/// Where a name stands by itself, not as a part of a longer one.
fn names(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        let before = part(text[..at].chars().next_back()) && part(name.chars().next());
        let after = part(text[at + name.len()..].chars().next()) && part(name.chars().next_back());
        !before && !after
    })
}

/// The files that belong to an example of `docs/adding.md`: their code has one of these names, or their path such a part. A
/// folder that is called so counts as a whole.
fn touched(files: &[(String, String)], examples: &[&str]) -> BTreeSet<String> {
    let place = |(path, text): &(String, String)| {
        let folder = examples.iter().find_map(|name| {
            let name = format!("/{name}/");
            path.find(&name).map(|at| path[..at + name.len()].to_string())
        });
        let called = |name: &&str| path.ends_with(&format!("/{name}.rs"));
        let found = examples.iter().any(|name| called(name) || names(text, name));
        folder.or_else(|| found.then(|| path.clone()))
    };
    files.iter().filter_map(place).collect()
}

/// The cells of a page's tables, row by row.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = page.lines().filter(|line| line.starts_with("| "));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// What stands between backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn adding_touches_the_files_that_the_page_says() {
    let page = fs::read_to_string(source().with_file_name("docs/adding.md")).expect("docs/adding.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: PathBuf| {
        let text = code(&fs::read_to_string(&path).expect("a source file"));
        (path.strip_prefix(root).expect("a file of the project").to_string_lossy().into_owned(), text)
    };
    let files: Vec<_> = rust_files(&source()).into_iter().filter(|path| !is_test(path)).map(read).collect();
    let rows: Vec<Vec<&str>> = rows(&page).filter(|row| row.len() == 5 && row[3].contains("src/")).collect();
    let said =
        page.lines().filter_map(|line| line.strip_prefix("## A")).map(|kind| kind.trim_start_matches('n').trim());
    assert!(said.eq(rows.iter().map(|row| row[0])), "docs/adding.md: a row for each section, in the same order");
    for row in &rows {
        let [kind, _, found_by, listed, many] = row[..] else { panic!("docs/adding.md: {row:?}") };
        let found = touched(&files, &quoted(found_by));
        let listed: BTreeSet<String> = quoted(listed).into_iter().map(String::from).collect();
        assert_eq!(found, listed, "docs/adding.md: the files of a {kind}");
        assert_eq!(many, found.len().to_string(), "docs/adding.md: how many files a {kind} touches");
    }
}
