//! What of English is in the Chinese texts: names of the protocol and of tools, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// Words that stay as they are in every language: names of the protocol, of files, of settings, of tools.
const NAMES: &str = include_str!("names.txt");

/// The sources of the Chinese texts, by name.
pub(super) fn chinese_sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/i18n");
    let mut files = Vec::new();
    gather(&folder, &mut files);
    files.retain(|file| file.to_string_lossy().contains("zh") && !file.to_string_lossy().contains("tests"));
    assert!(files.len() > 8, "{files:?}");
    let read =
        |file: &PathBuf| fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    files.iter().map(|file| (file.display().to_string(), read(file))).collect()
}

/// All files of a folder, one behind the other.
pub(super) fn sources_of(folder: &str) -> String {
    let mut files = Vec::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    files.iter().map(|file| fs::read_to_string(file).expect("a source file")).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => gather(&path, files),
            false => files.push(path),
        }
    }
}

/// The string literals of a source, without what is in comments.
pub(super) fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        // no text of ours has a quotation mark of ASCII inside
        found.extend(line.split('"').skip(1).step_by(2).map(str::to_string));
    }
    found
}

/// A literal without the places that `format!` and `fill` fill.
fn without_places(literal: &str) -> String {
    let mut parts = literal.split('{');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + " " + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// The page's texts that have nothing Chinese in them are names too.
fn foreign_texts() -> Vec<String> {
    let texts = page::page(Lang::Zh).texts().into_iter().map(|(_, text)| text);
    let scenarios = SCENARIOS.iter().filter_map(|scenario| page::scenario_words(Lang::Zh, scenario.id));
    texts.chain(scenarios.map(|(title, _)| title)).filter(|text| !has_chinese(text)).map(str::to_string).collect()
}

#[test]
fn no_english_is_left_in_the_chinese_texts() {
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let mut used = vec![false; names.len()];
    let literals = chinese_sources().iter().flat_map(|(_, source)| literals(source)).collect::<Vec<_>>();
    let chinese = literals.into_iter().filter(|literal| has_chinese(literal));
    for text in chinese.chain(foreign_texts()) {
        let plain = without_places(&text);
        let words = plain.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.' | '/'));
        for word in words.map(|word| word.trim_matches(['.', '-', '/'])).filter(|word| is_word(word)) {
            match names.iter().position(|name| *name == word) {
                Some(at) => used[at] = true,
                None => panic!("{word} in {text:?}: say it in Chinese, or add it to src/i18n/tests/names.txt"),
            }
        }
    }
    let idle: Vec<&str> = names.iter().zip(used).filter(|(_, used)| !used).map(|(name, _)| *name).collect();
    assert_eq!(idle, [""; 0], "names that no text has");
}

/// Refusals that a reader can provoke have Chinese sentences; the parser's own words stay as they are.
#[test]
fn what_is_refused_is_told_in_the_language_of_the_page() {
    let runs = [
        r#"{"version":1}"#,
        r#"{"version":4,"sead":3}"#,
        r#"{"version":4,"seed":3,"seed":3}"#,
        r#"{"version":4,"setup":{"voters":99}}"#,
        r#"{"version":4,"setup":{"voters":999}}"#,
        r#"{"version":4,"setup":{"voters":"x"}}"#,
        r#"{"version":4,"setup":{"latency":{"min_us":1}}}"#,
        r#"{"version":4,"setup":{"latency":{"min_us":2,"max_us":1}}}"#,
        r#"{"version":4,"setup":{"rules":["x"]}}"#,
        r#"{"version":4,"setup":{"rules":3}}"#,
        r#"{"version":4,"setup":7}"#,
        r#"{"version":4,"setup":{"rules":["x"]}}"#,
        r#"{"version":4,"setup":{"latency":{"min_us":2,"max_us":1}}}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"cut_links","links":[[1,1]]}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"cut_links","links":[[1,"x"]]}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"open_client","client":1,"chroot":"x"}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"set_up_curator","client":1,"config":{"retry":"forever","base_sleep_ms":0}}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"crsh","server":1}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"crash","server":1,"x":1}]}"#,
        r#"{"version":4,"actions":[{"at_us":9,"do":"heal_all"},{"at_us":1,"do":"heal_all"}]}"#,
        r#"{"version":4,"actions":[{"at_us":9999999999999,"do":"heal_all"}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"open_client","client":10000}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"run_thread","client":1,"thread":99999,"steps":[]}]}"#,
        r#"{"version":4,"actions":[{"at_us":1,"do":"write","server":1,"data":"x","count":0}]}"#,
        r#"{"version":4} x"#,
        "[",
    ];
    let mut errors: Vec<_> = runs.iter().map(|text| Run::from_json(text).expect_err(text)).collect();
    let herd = scenario("lock-herd").expect("a built-in scenario");
    for given in [("x", "1"), ("clients", "many")] {
        errors.push(herd.run_with(&[(given.0.to_string(), given.1.to_string())]).expect_err(given.0));
    }
    for error in errors {
        let told = error_words(Lang::Zh, &error);
        assert!(has_chinese(&told), "{error}: {told}");
        assert_eq!(error_words(Lang::En, &error), error.to_string());
        super::traditional::assert_traditional(&error_words(Lang::ZhHant, &error));
    }
}

/// More than a key, a unit or a number; the number of an issue is one.
fn is_word(word: &str) -> bool {
    let is_issue = ["ZOOKEEPER-", "CURATOR-", "GH-"].iter().any(|tracker| word.starts_with(tracker));
    word.chars().filter(char::is_ascii_alphabetic).count() > 1 && !is_issue
}
