//! The walls between rooms, held by a test: who may import whom, and what every file owes its reader.

#[path = "architecture_support/imports.rs"]
mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::Imports;

/// Each room and the rooms that it may name.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("wire", &["base"]),
    ("store", &["base", "wire"]),
    ("zab", &["base", "wire", "store"]),
    ("client", &["base", "wire"]),
    ("recipes", &["base", "wire", "client"]),
    ("server", &["base", "wire", "zab", "store"]),
    ("daemon", &["base"]),
    ("rivals", &["base", "daemon"]),
    ("sim", &["base", "wire", "zab", "store", "client", "recipes", "server", "daemon", "rivals"]),
    ("scenarios", &["base", "wire", "zab", "store", "client", "recipes", "server", "daemon", "rivals", "sim"]),
    ("check", &["base", "wire", "zab", "store", "client", "recipes", "server", "daemon", "rivals", "sim"]),
    ("soak", &["base", "wire", "zab", "store", "client", "recipes", "server", "sim", "check"]),
    (
        "explore",
        &[
            "base",
            "wire",
            "zab",
            "store",
            "client",
            "recipes",
            "server",
            "daemon",
            "sim",
            "scenarios",
            "check",
            "soak",
        ],
    ),
    ("lessons", &["base", "daemon", "sim", "scenarios", "check"]),
    ("museum", &["base", "sim", "explore", "lessons"]),
    ("conform", &["base", "wire", "zab", "store", "client", "recipes", "daemon", "rivals", "sim"]),
    ("share", &["base", "wire", "zab", "client", "recipes", "server", "sim", "scenarios", "check"]),
    (
        "timeline",
        &["base", "wire", "zab", "store", "client", "recipes", "server", "sim", "scenarios", "check", "share"],
    ),
    ("console", &["base", "wire", "zab", "client", "server", "sim", "timeline"]),
    (
        "view",
        &[
            "base",
            "wire",
            "zab",
            "store",
            "client",
            "recipes",
            "server",
            "daemon",
            "sim",
            "scenarios",
            "check",
            "lessons",
            "timeline",
        ],
    ),
    ("draw", &["base", "wire", "zab", "daemon", "sim", "scenarios", "timeline", "view"]),
    (
        "i18n",
        &[
            "base",
            "wire",
            "zab",
            "client",
            "recipes",
            "server",
            "sim",
            "scenarios",
            "check",
            "explore",
            "lessons",
            "museum",
            "share",
            "view",
        ],
    ),
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
            "explore",
            "lessons",
            "museum",
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
            "explore",
            "lessons",
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
const DECIDING: &[&str] = &[
    "base",
    "daemon",
    "rivals",
    "zab",
    "wire",
    "store",
    "client",
    "recipes",
    "server",
    "sim",
    "scenarios",
    "explore",
    "lessons",
];

/// Files may be this long without their tests.
const MAX_FILE: usize = 470;
/// Functions may be this long.
const MAX_FUNCTION: usize = 70;
/// Longer ones, each with its reason: a list that grows with the language or the page, with nothing to be split off.
const LONG_FUNCTIONS: &[(&str, &str)] = &[
    ("rivals::redis::said::why", "the rule behind each fact: an arm for each"),
    ("rivals::sql::say::why", "the rule behind each fact: an arm for each"),
    ("ui::app::keys::press", "a key, an arm"),
    ("ui::dialogs::share::FilePart", "a button for each kind of file"),
    ("ui::remote::address::read", "an arm for each parameter of an address"),
];

/// Files may import each other in a loop of this size.
const MAX_CIRCLE: usize = 4;
/// Larger ones, by one of their modules, each with its reason.
const LARGE_CIRCLES: &[(&str, &str)] = &[
    (
        "scenarios",
        "the list of scenarios and the files that it is made of: each takes from it how a run is written down",
    ),
    (
        "rivals::redis::store::table",
        "the table of commands and the files that it is made of: each command works on the keys, which find it in the table",
    ),
    ("zab::peer", "a peer and its roles: each role borrows from the peer that dispatches to it, and ends there"),
];

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
fn the_library_lists_its_rooms_in_reading_order() {
    let text = fs::read_to_string(source().join("lib.rs")).expect("lib.rs");
    let rooms = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let rooms: Vec<&str> = rooms.collect();
    assert_eq!(rooms.len(), MAY_IMPORT.len());
    for (place, room) in rooms.iter().enumerate() {
        let (_, allowed) = MAY_IMPORT.iter().find(|(name, _)| name == room).expect("a room of the table");
        let below: Vec<&&str> = allowed.iter().filter(|name| !rooms[..place].contains(*name)).collect();
        assert!(below.is_empty(), "{room} stands above {below:?}, which it may name");
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
fn every_file_of_the_tests_is_compiled() {
    let files = rust_files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests"));
    let all: String = files.iter().map(|path| fs::read_to_string(path).expect("a source file")).collect();
    for path in files.iter().filter(|path| !path.ends_with("main.rs") && !path.ends_with("mod.rs")) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(all.contains(&format!("mod {name};")), "{}: no `mod` line brings it in", path.display());
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

/// The functions of a text without comments: name, length in lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((before, rest)) = line.split_once("fn ") else { continue };
        if !before.trim().is_empty()
            && !before.trim().split(' ').all(|word| word.starts_with("pub") || word == "const")
        {
            continue;
        }
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let indent = before.len() - before.trim_start().len();
        let ends = |line: &&str| line.starts_with(&" ".repeat(indent)) && line[indent..].starts_with('}');
        let length = lines[at..].iter().position(ends).map_or(0, |length| length + 1);
        if line.trim_end().ends_with('}') || line.trim_end().ends_with(';') {
            continue;
        }
        found.push((name, length));
    }
    found
}

#[test]
fn functions_stay_short() {
    let mut known: Vec<&str> = LONG_FUNCTIONS.iter().map(|(function, _)| *function).collect();
    // words are an arm for each thing that has any
    let has_words = |path: &Path| module(path).starts_with("i18n::");
    for path in rust_files(&source()).iter().filter(|path| !is_test(path) && !has_words(path)) {
        let text = code(&fs::read_to_string(path).expect("a source file"));
        for (name, length) in functions(&text).into_iter().filter(|(_, length)| *length > MAX_FUNCTION) {
            let function = format!("{}::{name}", module(path));
            let before = known.len();
            known.retain(|known| *known != function);
            assert!(known.len() < before, "{function} has {length} lines");
        }
    }
    assert!(known.is_empty(), "no longer so long, take them off the list: {known:?}");
}

/// A file's module path.
fn module(path: &Path) -> String {
    let below = path.strip_prefix(source()).expect("a file below src").with_extension("");
    let mut parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.pop_if(|last| last == "mod");
    parts.join("::")
}

#[test]
fn few_files_import_each_other_in_a_loop() {
    let files = rust_files(&source());
    let outside = |module: &str| ["lib", "main", "bin::zabscope"].contains(&module);
    let kept = files.iter().filter(|path| !is_test(path) && !outside(&module(path)));
    let texts = kept.map(|path| (module(path), code(&fs::read_to_string(path).expect("a source file"))));
    for circle in Imports::of(&texts.collect::<BTreeMap<_, _>>()).circles() {
        let named = LARGE_CIRCLES.iter().any(|(module, _)| circle.iter().any(|member| member == module));
        assert!(
            circle.len() <= MAX_CIRCLE || named,
            "{} files import each other in a loop: {circle:?}",
            circle.len()
        );
    }
}

#[test]
fn a_loop_of_imports_is_found_through_a_re_export() {
    let text = |module: &str, text: &str| (module.to_string(), text.to_string());
    let modules = [
        text("a", "mod b; pub use b::B;"),
        text("a::b", "use crate::{c::C, d::{self, D}}; pub struct B;"),
        text("c", "use crate::a::B; pub struct C;"),
        text("d", "pub(in crate::c) struct D;"),
    ];
    let circles = Imports::of(&modules.into_iter().collect()).circles();
    assert_eq!(circles, [["a::b", "c"]]);
}

#[test]
fn the_rules_of_this_test_find_what_they_look_for() {
    assert_eq!(imported("use crate::zab::Peer;\nlet x = crate::sim::World::new();"), ["zab", "sim"]);
    assert_eq!(functions("fn a() {\n    x\n}\npub const fn b() -> u8 {\n}\n"), [("a", 3), ("b", 2)]);
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

#[test]
fn every_term_has_three_languages_and_a_row_of_its_own() {
    let page = fs::read_to_string(source().with_file_name("docs/glossary.md")).expect("docs/glossary.md");
    let rows: Vec<Vec<&str>> = rows(&page).filter(|row| !["English", "---"].contains(&row[0])).collect();
    assert!(rows.len() > 100, "docs/glossary.md: where are its tables?");
    let mut seen = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        assert!(row.len() == 4 && row.iter().all(|cell| !cell.is_empty()), "docs/glossary.md: {row:?}");
        assert!(row[0].is_ascii() && row[3].ends_with(['.', '…']), "docs/glossary.md: {row:?}");
        for term in &row[..3] {
            let row_of = *seen.entry(term.to_lowercase()).or_insert(number);
            assert_eq!(row_of, number, "docs/glossary.md: {term} stands in two rows");
        }
    }
}

#[test]
fn every_page_of_the_documentation_is_found_from_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let linked: BTreeSet<&str> = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    for link in linked.iter().filter(|link| link.starts_with("docs/")) {
        assert!(root.join(link).exists(), "README.md: {link} is not there");
    }
    for page in fs::read_dir(root.join("docs")).expect("docs").map(|page| page.expect("an entry").file_name()) {
        let page = format!("docs/{}", page.to_string_lossy());
        assert!(!page.ends_with(".md") || linked.contains(page.as_str()), "README.md: no link to {page}");
    }
}
