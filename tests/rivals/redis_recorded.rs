//! What clients of real Redis servers were told, clients of ours are told: `tests/rivals/redis/*.json`, played.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

use zabscope::conform::redis::{Recording, play};

/// How many recordings there are: one that is lost is missed.
const RECORDINGS: usize = 113;
/// Seeds with which each is played.
const SEEDS: u64 = 3;

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rivals/redis");
    let entries = fs::read_dir(folder).expect("the folder of recordings");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a recording")).collect()
}

fn read(text: &str) -> Recording {
    Recording::from_json(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_recording_is_played_as_recorded() {
    let texts = texts();
    assert_eq!(texts.len(), RECORDINGS);
    let mut failed = String::new();
    for recording in texts.iter().map(|text| read(text)) {
        for seed in 0..SEEDS {
            if let Err(why) = play(&recording, seed) {
                failed += &format!("\n{} --seed {seed}: {why}", recording.name());
            }
        }
    }
    assert!(failed.is_empty(), "zabscope conform tests/rivals/redis:{failed}");
}

/// The places of everything firm below a value.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        // bounds and descriptions are not values
        Value::Object(fields) if fields.contains_key("any") => {}
        Value::Object(fields) if fields.contains_key("between") => found.push(here),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, format!("{here}/{name}"), found));
        }
        Value::Array(list) => {
            found.push(here.clone());
            list.iter().enumerate().for_each(|(at, value)| places(value, format!("{here}/{at}"), found));
        }
        _ => found.push(here),
    }
}

fn change(value: &mut Value) {
    *value = match value.take() {
        Value::String(text) => format!("{text}?").into(),
        Value::Number(number) => (number.as_i64().unwrap_or(0) + 1_000_000).into(),
        Value::Array(list) if !list.is_empty() => list[1..].to_vec().into(),
        Value::Array(_) => serde_json::json!(["changed"]),
        Value::Object(fields) if fields.contains_key("between") => serde_json::json!({"between": [-9, -7]}),
        Value::Bool(yes) => (!yes).into(),
        _ => serde_json::json!("changed"),
    };
}

/// A field that says what was told or seen is changed: the play, or the reading, finds it.
#[test]
fn a_changed_field_is_found() {
    let recorded = [
        "reply",
        "then",
        "thenInAnyOrder",
        "messages",
        "connectionsClosed",
        "ok",
        "afterMs",
        "told",
        "error",
        "result",
        "traffic",
    ];
    let mut changed_kinds = std::collections::BTreeSet::new();
    for (number, text) in texts().iter().enumerate() {
        let original: Value = serde_json::from_str(text).expect("JSON");
        let list = if original["stages"].is_array() { "stages" } else { "steps" };
        let mut all = Vec::new();
        for (at, step) in original[list].as_array().expect("steps").iter().enumerate() {
            let fields = step.as_object().expect("a step").iter();
            for (name, value) in fields.filter(|(name, _)| recorded.contains(&&***name)) {
                let mut found = Vec::new();
                places(value, format!("/{list}/{at}/{name}"), &mut found);
                all.extend(found);
            }
        }
        // an empty list of them says nothing
        all.retain(|place| {
            original.pointer(place).is_some_and(|value| *value != serde_json::json!([]) || place.contains("messages"))
        });
        for turn in 0..4 {
            let place = &all[(number * 31 + turn * 7) % all.len()];
            let mut changed = original.clone();
            change(changed.pointer_mut(place).expect("a place of the recording"));
            changed_kinds.insert(place.split('/').nth(3).unwrap_or_default().to_string());
            let Ok(recording) = Recording::from_json(&changed.to_string()) else { continue };
            assert!(play(&recording, 0).is_err(), "{}: {place} was changed", original["name"]);
        }
    }
    for kind in ["reply", "then", "messages", "connectionsClosed", "ok", "afterMs", "told"] {
        assert!(changed_kinds.contains(kind), "no {kind} was changed: {changed_kinds:?}");
    }
}

#[test]
fn what_is_no_recording_is_said_to_be_none() {
    let recorded: Value = serde_json::from_str(
        &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rivals/redis/set-nx-px-one-step.json"))
            .expect("a recording"),
    )
    .expect("JSON");
    for (place, value, why) in [
        ("/name", serde_json::json!(7), "name"),
        ("/servers", serde_json::json!([]), "servers"),
        ("/clients/a", serde_json::json!("x"), "clients.a"),
        ("/steps/0/client", serde_json::json!("zz"), "steps[0].client"),
        ("/steps/4/do", serde_json::json!("fly"), "fly"),
        ("/steps/4/ms", serde_json::json!(1_000_000_000), "steps[4]"),
    ] {
        let mut changed = recorded.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        let error = Recording::from_json(&changed.to_string()).expect_err(place).to_string();
        assert!(error.contains(why), "{place}: {error}");
    }
    let mut more = recorded.clone();
    more["steps"][0]["replies"] = 1.into();
    assert!(Recording::from_json(&more.to_string()).is_err_and(|error| error.to_string().contains("replies")));
}
