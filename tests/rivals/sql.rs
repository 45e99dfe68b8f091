//! What real databases told their clients, ours tell theirs: each recording in `tests/rivals/sql` is played, and what is firm
//! compared. A recording in which one firm field is changed is found.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use zabscope::conform::sql::{SqlPlay, reproduce};
use zabscope::rivals::sql::engine::Engine;
use zabscope::rivals::sql::op::Op;
use zabscope::rivals::sql::parse::parse;
use zabscope::rivals::sql::write::sql;

fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rivals/sql");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut texts: Vec<(String, String)> = files
        .map(|file| file.expect("a file").path())
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a text")))
        .collect();
    texts.sort();
    texts
}

fn play(text: &str) -> Result<(), String> {
    let recording = SqlPlay::from_json(text).map_err(|no_transcript| no_transcript.to_string())?;
    reproduce(&recording, 0)
}

#[test]
fn every_recording_is_played() {
    let texts = texts();
    assert_eq!(texts.len(), 153);
    let failures: Vec<String> =
        texts.iter().filter_map(|(name, text)| Some(format!("{name}: {}", play(text).err()?))).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The fields of a recorded answer that are compared.
const FIRM: &[&str] = &["rows", "affected", "ok", "notices", "error", "transaction", "timeout"];

/// A value that is not this one.
fn other(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_i64().unwrap_or(0) + 1),
        Value::Bool(truth) => json!(!truth),
        Value::String(text) => json!(format!("{text}x")),
        Value::Array(items) if items.is_empty() => json!(["x"]),
        Value::Array(items) => json!(items[1..]),
        Value::Object(fields) if fields.is_empty() => json!({"redo": 7}),
        Value::Object(fields) => {
            json!(fields.iter().map(|(name, value)| (name.clone(), other(value))).collect::<serde_json::Map<_, _>>())
        }
        Value::Null => json!("x"),
    }
}

/// The places of all firm fields, as pointers into the JSON.
fn firm_places(recording: &Value) -> Vec<String> {
    let mut places = Vec::new();
    for (at, step) in recording["steps"].as_array().into_iter().flatten().enumerate() {
        let reply = |place: String, reply: &Value| {
            let fields = reply.as_object().into_iter().flatten().map(|(name, _)| name.clone());
            fields
                .filter(|name| FIRM.contains(&name.as_str()))
                .map(|name| format!("{place}/{name}"))
                .collect::<Vec<_>>()
        };
        places.extend(reply(format!("/steps/{at}/reply"), &step["reply"]));
        for (n, then) in step["then"].as_array().into_iter().flatten().enumerate() {
            places.extend(reply(format!("/steps/{at}/then/{n}/reply"), &then["reply"]));
            places.push(format!("/steps/{at}/then/{n}/client"));
        }
        let own = ["waits", "blockedBy", "then"];
        let fields = own.iter().filter(|name| !step[**name].is_null());
        places.extend(fields.map(|name| format!("/steps/{at}/{name}")));
        if !step["do"].is_null() {
            let fields = ["ok", "error"].iter().filter(|name| !step[**name].is_null());
            places.extend(fields.map(|name| format!("/steps/{at}/{name}")));
        }
    }
    places
}

#[test]
fn a_changed_firm_field_is_found() {
    let (mut changed, mut missed) = (0, Vec::new());
    for (name, text) in texts() {
        let recording: Value = serde_json::from_str(&text).expect("JSON");
        // of a race any course will do: there a changed field is another course
        if !recording["otherCourses"].is_null() {
            continue;
        }
        for place in firm_places(&recording) {
            let mut wrong = recording.clone();
            let field = wrong.pointer_mut(&place).expect("a place");
            *field = other(field);
            changed += 1;
            if play(&wrong.to_string()).is_ok() {
                missed.push(format!("{name}: {place}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} of {changed}:\n{}", missed.len(), missed.join("\n"));
    assert!(changed > 1_400, "{changed} fields were changed");
}

/// What is only said differently: a branch begins like any transaction in PostgreSQL, and its lock on a table ends with it;
/// a limit on waiting is for the whole session there.
fn same(engine: Engine, told: &Op, said: &Op) -> bool {
    let plain = |op: &Op| match (engine, op) {
        (Engine::Postgres, Op::BeginBranch(_)) => Op::Begin(None),
        (Engine::Postgres, Op::UnlockTables) => Op::Commit,
        (_, Op::Advisory { act, name, .. }) => Op::Advisory { act: *act, name: name.clone(), seconds: None },
        (_, op) => op.clone(),
    };
    let sorted = |op: &Op| {
        let mut op = plain(op);
        // JSON does not keep the order of fields
        match &mut op {
            Op::Insert { row, .. } => row.sort_by(|one, other| one.0.cmp(&other.0)),
            Op::Delete { conds, .. } | Op::Select { conds, .. } => conds.sort_by(|one, other| one.0.cmp(&other.0)),
            Op::Update { conds, set, .. } => {
                conds.sort_by(|one, other| one.0.cmp(&other.0));
                set.sort_by(|one, other| one.0.cmp(&other.0));
            }
            _ => {}
        }
        op
    };
    sorted(told) == sorted(said)
}

#[test]
fn what_was_said_is_what_was_told() {
    let mut count = 0;
    for (name, text) in texts() {
        let recording: Value = serde_json::from_str(&text).expect("JSON");
        let engine = if recording["engine"] == "mariadb" { Engine::MariaDb } else { Engine::Postgres };
        for step in recording["steps"].as_array().into_iter().flatten().filter(|step| !step["op"].is_null()) {
            let mut fields = step.as_object().expect("a step").clone();
            let away =
                ["client", "sql", "reply", "waits", "blockedBy", "waitingFor", "then", "thenInAnyOrder", "note"];
            away.iter().chain(&["timeoutMs"]).for_each(|field| drop(fields.remove(*field)));
            let told =
                Op::from_json(&Value::Object(fields).to_string()).unwrap_or_else(|why| panic!("{name}: {why}"));
            let line = step["sql"].as_str().expect("a line");
            let said = parse(engine, line).unwrap_or_else(|why| panic!("{name}: {line}: {why:?}"));
            assert!(same(engine, &told, &said), "{name}: {line}: {told:?} {said:?}");
            let again = parse(engine, &sql(engine, &told)).unwrap_or_else(|why| panic!("{name}: {told:?}: {why:?}"));
            assert!(same(engine, &told, &again), "{name}: {told:?} {again:?}");
            count += 1;
        }
    }
    assert!(count > 1_000, "{count} statements");
}

#[test]
fn what_is_no_statement_is_refused_in_words() {
    for line in
        ["", "SELECT", "SELECT * FROM a; DROP TABLE a", "INSERT INTO a (b) VALUES (1, 2)", "UPDATE a SET b = c", "'"]
    {
        assert!(parse(Engine::MariaDb, line).is_err(), "{line}");
    }
    for (text, why) in [
        (r#"{"name":"x","engine":"oracle","servers":{"db":{}},"steps":[]}"#, "engine: there is no 'oracle'"),
        (
            r#"{"name":"x","engine":"mariadb","servers":{"db":{}},"steps":[{"do":"kill"}]}"#,
            "steps[0]: missing field `server`",
        ),
        (
            r#"{"name":"x","engine":"mariadb","servers":{"db":{}},"steps":[{"op":"fly","client":"a"}]}"#,
            "steps[0]: op",
        ),
        (r#"{"name":"x","engine":"mariadb","servers":{},"steps":[]}"#, "1 to 4 servers"),
    ] {
        let complaint = play(text).expect_err(text);
        assert!(complaint.starts_with(why), "{complaint}");
    }
}
