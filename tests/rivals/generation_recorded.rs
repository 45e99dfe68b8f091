//! What a real Raft did, ours does: the recordings in `tests/rivals/generation`, played.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

use zabscope::conform::generation::{Recording, reproduce};

use crate::length::step;

/// How many recordings there are: one that is lost is missed.
const RECORDINGS: usize = 5;

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rivals/generation");
    let entries =
        fs::read_dir(folder).expect("the folder of recordings").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a recording")).collect()
}

fn play(text: &str) -> Result<u64, String> {
    Recording::from_json(text).map_err(|why| why.to_string()).and_then(|recording| reproduce(&recording, 0))
}

#[test]
fn every_recording_is_played_as_recorded() {
    let texts = texts();
    assert_eq!(texts.len(), RECORDINGS);
    let mut failed = String::new();
    for text in &texts {
        let name = Recording::from_json(text).map(|recording| recording.name).unwrap_or_default();
        match play(text) {
            Ok(plays) => println!("{name}: {plays} plays"),
            Err(why) => failed += &format!("\n{name}: {why}"),
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// The places of all that is firm in a recording: what came of plays, what never varied, who led, logs. Remarks are not, nor are times and
/// requests that were not looked at.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, format!("{here}/{name}"), found));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| places(value, format!("{here}/{index}"), found));
        }
        Value::String(line) if line.starts_with("ignored ") => {}
        _ if here.ends_with("Ms") || here.ends_with("/did") => {}
        _ => found.push(here),
    }
}

/// Another value of the same kind: a number so much larger, of a line the last digit, or a letter more.
fn change(value: &mut Value, by: u64) {
    *value = match value.take() {
        Value::Bool(yes) => (!yes).into(),
        Value::Number(number) => (number.as_u64().unwrap_or(0) + by).into(),
        Value::String(text) => match text.rfind(|c: char| c.is_ascii_digit()) {
            Some(place) => {
                let digit = if &text[place..=place] == "1" { "2" } else { "1" };
                format!("{}{digit}{}", &text[..place], &text[place + 1..]).into()
            }
            None => format!("{text}s").into(),
        },
        _ => "changed".into(),
    };
}

/// One firm field after the other is changed, some of each recording: each change is found. A number that varied must become one that no
/// play comes to.
#[test]
fn a_changed_field_is_found() {
    for text in texts() {
        let recorded: Value = serde_json::from_str(&text).expect("JSON");
        let mut firm = Vec::new();
        for part in ["plays", "sameInAllPlays", "firstPlay"] {
            places(&recorded[part], format!("/{part}"), &mut firm);
        }
        // whoever looks for what there is not plays on and on: so not all of them
        for place in firm.iter().step_by(9 * step(5)) {
            let field = place.rsplit('/').next().expect("a field");
            let varied = place.starts_with("/plays") && recorded["sameInAllPlays"].get(field).is_none();
            let mut changed = recorded.clone();
            change(changed.pointer_mut(place).expect("a place of the recording"), if varied { 40 } else { 1 });
            assert!(play(&changed.to_string()).is_err(), "{}: {place}", recorded["name"]);
        }
    }
}

#[test]
fn the_command_plays_them_all() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rivals/generation");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_zabscope")).arg("conform").arg(folder).output();
    let output = output.expect("zabscope runs");
    let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_string();
    assert_eq!((last.as_str(), output.status.code()), ("5 files, 0 failed", Some(0)));
}
