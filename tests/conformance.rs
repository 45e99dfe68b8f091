//! Everything that clients of real ensembles were told, our clients are told: `tests/conformance/*.json`, played.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use zabscope::conform::{Problem, Transcript, play};

/// How many transcripts there are: one that is lost is missed.
const TRANSCRIPTS: usize = 149;
/// Seeds with which each is played.
const SEEDS: u64 = 3;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

fn texts() -> Vec<String> {
    let entries =
        fs::read_dir(folder()).expect("the folder of transcripts").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|name| name == "json")).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a transcript")).collect()
}

fn read(text: &str) -> Transcript {
    Transcript::from_json(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_transcript_is_played_as_recorded() {
    let texts = texts();
    assert_eq!(texts.len(), TRANSCRIPTS);
    let mut failed = String::new();
    for transcript in texts.iter().map(|text| read(text)) {
        for seed in 0..SEEDS {
            if let Err(failure) = play(&transcript, seed) {
                failed += &format!("\n{} --seed {seed}: {failure}", transcript.name);
            }
        }
    }
    assert!(failed.is_empty(), "zabscope conform tests/conformance:{failed}");
}

/// The places of everything recorded in a step: each value that holds no other, each list, each empty object.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| places(value, format!("{here}/{name}"), found));
        }
        Value::Array(list) => {
            found.push(here.clone());
            list.iter().enumerate().for_each(|(index, value)| places(value, format!("{here}/{index}"), found));
        }
        _ => found.push(here),
    }
}

fn change(value: &mut Value) {
    *value = match value.take() {
        Value::String(text) => format!("{text}?").into(),
        Value::Number(number) => (number.as_i64().unwrap_or(0) + 1).into(),
        Value::Array(list) if !list.is_empty() => list[1..].to_vec().into(),
        _ => serde_json::json!([{"changed": true}]),
    };
}

/// As a difference writes it: `/ok/results/0/path` is `ok.results[0].path`.
fn written(place: &str) -> String {
    place.split('/').skip(1).fold(String::new(), |text, part| match part.parse::<usize>() {
        Ok(index) => format!("{text}[{index}]"),
        Err(_) if text.is_empty() => part.into(),
        Err(_) => format!("{text}.{part}"),
    })
}

/// One field of each transcript is changed, each time another kind of field: the play stops there and names it.
#[test]
fn a_changed_field_is_found_and_named() {
    let recorded = ["error", "message", "ok", "results", "replies", "stream", "eventsBeforeReply", "events", "zxid"];
    for (number, text) in texts().iter().enumerate() {
        let mut changed: Value = serde_json::from_str(text).expect("JSON");
        let mut all = Vec::new();
        for (index, step) in changed["steps"].as_array().expect("steps").iter().enumerate() {
            for (name, value) in
                step.as_object().expect("a step").iter().filter(|(name, _)| recorded.contains(&&***name))
            {
                let mut found = Vec::new();
                places(value, format!("/{name}"), &mut found);
                all.extend(found.into_iter().map(|place| (index, place)));
            }
        }
        let (index, place) = all.swap_remove(number * 31 % all.len());
        change(changed.pointer_mut(&format!("/steps/{index}{place}")).expect("a place of the transcript"));
        let failure = play(&read(&changed.to_string()), 0).expect_err("a changed transcript");
        assert_eq!(failure.step, index + 1, "{}: {failure}", changed["name"]);
        let Problem::Differs(difference) = &failure.problem else { panic!("{}: {failure}", changed["name"]) };
        assert!(difference.field.starts_with(&written(&place)), "{}: {failure}, not {place}", changed["name"]);
    }
}

fn zabscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zabscope")).arg("conform").args(args).output().expect("zabscope runs")
}

fn last_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).lines().last().unwrap_or_default().to_string()
}

/// A folder of files that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Folder {
        let path = std::env::temp_dir().join(format!("zabscope-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            fs::write(path.join(name), text).expect("a file");
        }
        Folder(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_command_says_what_passed_and_what_failed() {
    let good = fs::read_to_string(folder().join("stat-setdata.json")).expect("a transcript");
    let bad = good.replacen(r#""zxid": "0:2""#, r#""zxid": "0:9""#, 1);
    let files = [("a.json", good.as_bytes()), ("b.json", bad.as_bytes()), ("README.md", b"not one")];
    let folder = Folder::new("conform", &files);

    let all = zabscope(&[&folder.at("")]);
    let lines = String::from_utf8_lossy(&all.stdout).into_owned();
    assert_eq!(all.status.code(), Some(1), "{lines}");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "stat-setdata: pass");
    assert!(lines[1].contains(r#"zxid: expected "0:9", got "0:2""#), "{}", lines[1]);
    assert_eq!(lines[2], "2 files, 1 failed");

    let one = zabscope(&[&folder.at("a.json"), "--seed", "5"]);
    assert_eq!((one.status.code(), last_line(&one.stdout)), (Some(0), "1 files, 0 failed".into()));
}

#[test]
fn a_file_that_is_none_keeps_nobody_from_judging_the_others() {
    let good = fs::read_to_string(folder().join("stat-setdata.json")).expect("a transcript");
    let files = [("a.json", &b"[]"[..]), ("b.json", good.as_bytes()), ("c.json", b"{")];
    let folder = Folder::new("mixed", &files);
    let all = zabscope(&[&folder.at(""), &folder.at("missing.json")]);
    let (out, err) = (String::from_utf8_lossy(&all.stdout), String::from_utf8_lossy(&all.stderr));
    assert_eq!(all.status.code(), Some(2), "{out}{err}");
    assert_eq!(out, "stat-setdata: pass\n4 files, 0 failed\n");
    for name in ["a.json is not a transcript: ", "c.json is not a transcript: ", "missing.json: "] {
        assert!(err.contains(name), "{name}: {err}");
    }
}

#[test]
fn a_folder_is_played_with_the_folders_in_it() {
    let good = fs::read_to_string(folder().join("stat-setdata.json")).expect("a transcript");
    let folder = Folder::new("nested", &[("b.json", good.as_bytes())]);
    fs::create_dir_all(folder.at("a/c")).expect("a folder");
    fs::write(folder.at("a/c/d.json"), &good).expect("a file");
    assert_eq!(last_line(&zabscope(&[&folder.at("")]).stdout), "2 files, 0 failed");
}

#[test]
fn recordings_of_all_kinds_are_judged_in_one_call() {
    let at =
        |file: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file).to_string_lossy().into_owned();
    let files =
        ["conformance/stat-setdata.json", "recipes_recorded/kazoo-lock.json", "ensemble/leader-terminated.json"]
            .map(at);
    let all = zabscope(&files.each_ref().map(String::as_str));
    let said = String::from_utf8_lossy(&all.stdout).into_owned();
    assert_eq!(said, "stat-setdata: pass\nkazoo-lock: pass\nleader-terminated: pass\n3 files, 0 failed\n");
    assert_eq!(all.status.code(), Some(0));

    let mut bad: Value = serde_json::from_str(&fs::read_to_string(&files[2]).expect("a recording")).expect("JSON");
    bad["newEpochs"][1]["leader"] = 1.into();
    let bad = bad.to_string();
    let folder = Folder::new("kinds", &[("a.json", bad.as_bytes()), ("b.json", br#"{"newEpochs": 7}"#)]);
    let one = zabscope(&[&folder.at("a.json"), &files[0]]);
    assert_eq!((one.status.code(), last_line(&one.stdout)), (Some(1), "2 files, 1 failed".into()));
    let unread = zabscope(&[&folder.at("a.json"), &folder.at("b.json"), &files[0]]);
    assert_eq!((unread.status.code(), last_line(&unread.stdout)), (Some(2), "3 files, 1 failed".into()));
}

#[test]
fn what_is_no_transcript_is_said_to_be_none() {
    let large = vec![b' '; 2 << 20];
    let nested = vec![b'['; 1 << 19];
    let files: &[(&str, &[u8])] = &[
        ("empty.json", b""),
        ("binary.json", &[0, 159, 146, 150]),
        ("large.json", &large),
        ("nested.json", &nested),
        ("other.json", br#"{"version":4,"seed":1}"#),
    ];
    let folder = Folder::new("nonsense", files);
    for (name, _) in files {
        let output = zabscope(&[&folder.at(name)]);
        let said = last_line(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(&format!("{name} is not a transcript: ")), "{name}: {said}");
    }
    for args in [&[][..], &["no-such-file.json"], &["--no-such-option"], &[&folder.at("empty.json"), "--seed", "x"]] {
        assert_eq!(zabscope(args).status.code(), Some(2), "{args:?}");
    }
}
