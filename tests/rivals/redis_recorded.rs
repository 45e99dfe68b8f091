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

fn recorded(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rivals/redis/{name}.json"));
    serde_json::from_str(&fs::read_to_string(file).expect("a recording")).expect("JSON")
}

fn played(recording: &Value) -> Result<(), String> {
    let recording = Recording::from_json(&recording.to_string()).map_err(|error| error.to_string())?;
    play(&recording, 0)
}

/// A library that asks several servers at once sends in no order; that is said beside the traffic, or by its name.
#[test]
fn traffic_in_any_order_is_compared_without_its_order() {
    let original = recorded("library-redlock-py");
    let mut other = original.clone();
    let traffic = other.pointer_mut("/stages/0/traffic").and_then(Value::as_array_mut).expect("traffic");
    traffic.reverse();
    assert!(played(&other).is_err_and(|why| why.contains("traffic[0]")));
    let mut marked = other.clone();
    marked["stages"][0]["trafficInAnyOrder"] = true.into();
    assert_eq!(played(&marked), Ok(()));
    let mut named = other.clone();
    let stage = named["stages"][0].as_object_mut().expect("a stage");
    let traffic = stage.remove("traffic").expect("traffic");
    stage.insert("trafficInAnyOrder".into(), traffic);
    assert_eq!(played(&named), Ok(()));
    let list = named.pointer_mut("/stages/0/trafficInAnyOrder").and_then(Value::as_array_mut).expect("traffic");
    list.pop();
    assert!(played(&named).is_err_and(|why| why.contains("expected no more")));
}

#[test]
fn a_replica_that_is_started_first_was_down() {
    let steps = serde_json::json!([
        {"do": "state", "server": "m", "ok": {"role": "master", "replicas": 0}},
        {"client": "a", "send": ["SET", "k", "1"], "reply": {"status": "OK"}},
        {"client": "x", "send": ["GET", "k"], "reply": {"notConnected": true}},
        {"do": "start", "server": "r1"},
        {"do": "awaitLink", "server": "r1", "link": "up"},
        {"do": "connect", "client": "x", "server": "r1"},
        {"client": "x", "send": ["GET", "k"], "reply": "1"},
        {"do": "state", "server": "m", "ok": {"replicas": 1, "fullSyncs": 1}},
    ]);
    let mut recording = recorded("replica-restart-empty");
    recording["steps"] = steps;
    assert_eq!(played(&recording), Ok(()));
    let mut up = recording.clone();
    up["steps"].as_array_mut().expect("steps").remove(3);
    assert!(played(&up).is_err(), "it runs");
    up["servers"]["r1"]["down"] = true.into();
    up["steps"].as_array_mut().expect("steps").truncate(3);
    assert_eq!(played(&up), Ok(()));
}

/// Who waits when its server dies is told so; who does not finds out later, and the record says who that was.
#[test]
fn connections_that_end_are_compared_wherever_they_are_recorded() {
    let mut recording = recorded("replica-restart-empty");
    recording["steps"][2]["connectionsClosed"] = serde_json::json!(["a"]);
    assert!(played(&recording).is_err_and(|why| why.contains("connectionsClosed")));
    recording["steps"][2]["connectionsClosed"] = serde_json::json!([]);
    recording["steps"][3]["connectionsClosed"] = serde_json::json!([]);
    recording["steps"][4]["connectionsClosed"] = serde_json::json!([]);
    assert_eq!(played(&recording), Ok(()));
    recording["steps"][4]["connectionsClosed"] = serde_json::json!(["b"]);
    assert!(played(&recording).is_err_and(|why| why.contains("step 5")));
    let mut listed = recorded("failover-blocked-client");
    let steps = listed["steps"].as_array_mut().expect("steps");
    let mut waits = 0;
    for step in steps.iter_mut().filter_map(Value::as_object_mut) {
        if step.contains_key("then") {
            step.insert("thenInAnyOrder".into(), true.into());
            waits += 1;
        }
    }
    assert!(waits > 0);
    assert_eq!(played(&listed), Ok(()));
}
