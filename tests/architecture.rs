//! What Cargo does not hold: loops of imports within a crate, what may decide nothing, and what every file owes its reader.

#[path = "architecture_support/imports.rs"]
mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::Imports;

/// Words that decide nothing in a simulation, in the rooms that decide: a clock, a draw, an order that varies.
const BANNED: &[&str] =
    &["HashMap", "HashSet", "Instant", "SystemTime", "thread_rng", "f32", "f64", "std::env", "println!"];
/// Where that holds. `timeline` and `view` are not here: a cursor and a chart are numbers for eyes.
const DECIDING: &[&str] = &[
    "crates/ground",
    "crates/jute",
    "crates/live",
    "crates/zookeeper",
    "crates/recipes",
    "crates/rivals",
    "crates/sim",
    "crates/stories/src/scenarios",
    "crates/stories/src/explore",
    "crates/stories/src/lessons",
    "crates/stories/src/museum",
    "crates/stories/src/soak",
];

/// Files may be this long, without their tests and what is said of public items: nobody is to be brief there for a number's sake.
const MAX_FILE: usize = 470;
/// Functions may be this long, but for those that are one `match`.
const MAX_FUNCTION: usize = 70;
/// Longer ones, each with its reason: a list that grows with the language or the page, with nothing to be split off.
const LONG_FUNCTIONS: &[(&str, &str)] = &[
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
        "redis::store::table",
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

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of the sources, by the crate's name: the page's has none.
fn sources() -> Vec<(String, PathBuf)> {
    let crates = fs::read_dir(project().join("crates")).expect("crates");
    let mut all: Vec<_> = crates.map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let named = all.iter().map(|path| (name(path), path.join("src")));
    named.chain([(String::new(), project().join("src"))]).collect()
}

/// All files of the sources.
fn source_files() -> Vec<PathBuf> {
    sources().iter().flat_map(|(_, folder)| rust_files(folder)).collect()
}

/// A file without its tests and comments.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code_of = |line: &str| line.split("//").next().unwrap_or("").to_string();
    before_tests.lines().map(code_of).collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
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
    let decides = |path: &&PathBuf| DECIDING.iter().any(|place| path.starts_with(project().join(place)));
    for path in source_files().iter().filter(decides).filter(|path| !is_test(path)) {
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
    for path in source_files() {
        let text = fs::read_to_string(&path).expect("a source file");
        assert!(text.starts_with("//!"), "{}: begin with what this file is", path.display());
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("///")).count();
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
        if !is_one_match(&lines[at..at + length], indent + 4) {
            found.push((name, length));
        }
    }
    found
}

/// Whether a function is a `match` and nothing else: one with an arm for each variant may be long, as what cuts it into several has an arm
/// for "the others" in each, behind which a variant can be forgotten.
fn is_one_match(function: &[&str], indent: usize) -> bool {
    let statement =
        |line: &&&str| line.len() > indent && line[..indent].trim().is_empty() && !line[indent..].starts_with(' ');
    let mut statements = function.iter().filter(statement).map(|line| line.trim());
    let first = statements.by_ref().find(|line| !line.starts_with("use "));
    first.is_some_and(|line| ["match ", "Some(match "].iter().any(|one| line.starts_with(one)) && line.ends_with('{'))
        && statements.next().is_some_and(|line| ["}", "})"].contains(&line))
        && statements.next().is_none()
}

#[test]
fn functions_stay_short() {
    let mut known: Vec<&str> = LONG_FUNCTIONS.iter().map(|(function, _)| *function).collect();
    // words are an arm for each thing that has any
    let has_words = |path: &Path| module(path).starts_with("i18n::");
    for path in source_files().iter().filter(|path| !is_test(path) && !has_words(path)) {
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

/// A file's module path from its crate's root; in the crates that are one room that is the crate.
fn module(path: &Path) -> String {
    let (name, folder) = sources().into_iter().find(|(_, folder)| path.starts_with(folder)).expect("a source file");
    let below = within(path, &folder);
    let one_room = ["recipes", "rivals", "conform"].contains(&name.as_str());
    if one_room { format!("{name}::{below}") } else { below }
}

/// A file's module path within a folder.
fn within(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).expect("a file of the folder").with_extension("");
    let mut parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.pop_if(|last| last == "mod");
    parts.join("::")
}

/// Who imports whom in each crate, by the crate's name.
fn imports() -> Vec<(String, Imports)> {
    let of = |(name, folder): (String, PathBuf)| {
        let outside = |module: &str| ["lib", "main", "bin::zabscope"].contains(&module);
        let files = rust_files(&folder);
        let kept = files.iter().filter(|path| !is_test(path) && !outside(&within(path, &folder)));
        let texts = kept.map(|path| (within(path, &folder), code(&fs::read_to_string(path).expect("a source file"))));
        (name, Imports::of(&texts.collect()))
    };
    sources().into_iter().map(of).collect()
}

#[test]
fn few_files_import_each_other_in_a_loop() {
    for (_, imports) in imports() {
        for circle in imports.circles() {
            let named = LARGE_CIRCLES.iter().any(|(module, _)| circle.iter().any(|member| member == module));
            assert!(
                circle.len() <= MAX_CIRCLE || named,
                "{} files import each other in a loop: {circle:?}",
                circle.len()
            );
        }
    }
}

/// The pairs of rooms in a crate, or of folders in a room, that import each other: those below this module.
fn pairs(imports: &Imports, below: &str) -> BTreeSet<(String, String)> {
    let folder = |module: &String| {
        let rest = if below.is_empty() { module } else { module.strip_prefix(below)?.strip_prefix("::")? };
        rest.split("::").next().map(str::to_string)
    };
    let named = imports.arrows.iter().filter_map(|(from, to)| Some((folder(from)?, to)));
    let arrows: BTreeSet<_> =
        named.flat_map(|(from, to)| to.iter().filter_map(folder).map(move |to| (from.clone(), to))).collect();
    arrows.iter().filter(|(from, to)| from < to && arrows.contains(&(to.clone(), from.clone()))).cloned().collect()
}

#[test]
fn no_two_rooms_of_a_crate_import_each_other() {
    let one_room = ["recipes", "rivals", "conform"];
    for (name, imports) in imports().iter().filter(|(name, _)| !one_room.contains(&name.as_str())) {
        assert_eq!(pairs(imports, ""), BTreeSet::new(), "in {name}");
    }
}

#[test]
fn no_two_folders_of_the_page_import_each_other() {
    let imports = imports().into_iter().find(|(name, _)| name.is_empty()).expect("the page's crate").1;
    assert_eq!(pairs(&imports, "ui"), BTreeSet::new());
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
    let page = fs::read_to_string(project().join("docs/adding.md")).expect("docs/adding.md");
    let root = project();
    let read = |path: PathBuf| {
        let text = code(&fs::read_to_string(&path).expect("a source file"));
        (path.strip_prefix(root).expect("a file of the project").to_string_lossy().into_owned(), text)
    };
    let files: Vec<_> = source_files().into_iter().filter(|path| !is_test(path)).map(read).collect();
    let rows: Vec<Vec<&str>> = rows(&page).filter(|row| row.len() == 5 && row[3].contains(".rs")).collect();
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
    let page = fs::read_to_string(project().join("docs/glossary.md")).expect("docs/glossary.md");
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
    let root = project();
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
