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

fn recorded(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rivals/sql/{name}.json"));
    serde_json::from_str(&fs::read_to_string(file).expect("a recording")).expect("JSON")
}

/// The server ends the connection of whoever is idle, and the row is free; the program hears of it when it asks next.
#[test]
fn a_limit_on_idling_frees_a_row() {
    for (engine, limits) in [
        ("mariadb", ["idle_transaction_timeout", "idle_readonly_transaction_timeout", "wait_timeout"].as_slice()),
        ("postgresql", ["idle_in_transaction_session_timeout"].as_slice()),
    ] {
        for limit in limits {
            let mut recording = recorded(&format!("for-update-holder-vanishes.{engine}"));
            let value = if engine == "mariadb" { "2" } else { "2s" };
            recording["servers"]["db"] = json!({"config": {*limit: value}});
            let then = recording["steps"][6]["then"].clone();
            let steps = recording["steps"].as_array_mut().expect("steps");
            steps[4] = json!({"do": "advance", "ms": 1500, "connectionsClosed": []});
            steps[5] = json!({"do": "advance", "ms": 1000, "then": then, "connectionsClosed": ["a"]});
            steps[6] = json!({"client": "a", "op": "commit", "sql": "COMMIT", "reply": {"error": "connectionLost"}});
            assert_eq!(play(&recording.to_string()), Ok(()), "{engine} {limit}");
            recording["steps"][5]["connectionsClosed"] = json!([]);
            assert!(play(&recording.to_string()).is_err_and(|why| why.contains("connectionsClosed")), "{limit}");
        }
    }
}

/// What MariaDB waits for a transaction that has changed something is another limit, and so is what both wait outside of one.
#[test]
fn each_limit_on_idling_is_for_its_own_case() {
    let begin = json!({"client": "a", "op": "begin", "sql": "BEGIN", "reply": {"ok": true}});
    let update = json!({"client": "a", "op": "update", "table": "resource", "set": {"val": 7}, "where": {"id": 1},
        "sql": "UPDATE resource SET val = 7 WHERE id = 1", "reply": {"affected": 1}});
    let closed = |clients: Value| json!({"do": "advance", "ms": 3000, "connectionsClosed": clients});
    for (engine, limit, steps) in [
        ("mariadb", "idle_readonly_transaction_timeout", vec![begin.clone(), update.clone(), closed(json!([]))]),
        ("mariadb", "idle_write_transaction_timeout", vec![begin.clone(), update.clone(), closed(json!(["a"]))]),
        ("mariadb", "idle_write_transaction_timeout", vec![begin.clone(), closed(json!([]))]),
        ("mariadb", "idle_transaction_timeout", vec![update.clone(), closed(json!([]))]),
        ("mariadb", "wait_timeout", vec![update.clone(), closed(json!(["a", "b"]))]),
        ("postgresql", "idle_session_timeout", vec![begin.clone(), update.clone(), closed(json!(["b"]))]),
        ("postgresql", "idle_in_transaction_session_timeout", vec![update, closed(json!([]))]),
    ] {
        let mut recording = recorded(&format!("for-update-holder-vanishes.{engine}"));
        let value = if engine == "mariadb" { "2" } else { "2000" };
        (recording["servers"]["db"], recording["steps"]) = (json!({"config": {limit: value}}), json!(steps));
        assert_eq!(play(&recording.to_string()), Ok(()), "{engine} {limit}");
    }
}

#[test]
fn a_server_may_be_said_to_write_a_binlog() {
    let mut recording = recorded("cost-for-update.mariadb");
    assert_eq!(play(&recording.to_string()), Ok(()));
    recording["servers"]["db"]["binlog"] = false.into();
    assert_eq!(play(&recording.to_string()), Ok(()), "as it was");
    recording["servers"]["db"]["binlog"] = true.into();
    assert!(play(&recording.to_string()).is_err_and(|why| why.contains("binlog")), "it is forced too");
}

/// Moments are left out of what is recorded: of a row that has nothing else nothing is left.
#[test]
fn a_select_may_leave_out_its_columns() {
    let mut recording = recorded("lock-row-cleaned-by-age.mariadb");
    let table = recording["tables"].as_object().expect("tables").keys().next().expect("a table").clone();
    let (columns, rows) =
        (recording["tables"][&table]["columns"].clone(), recording["tables"][&table]["rows"].clone());
    let kind = |kind: &str| {
        let all = columns.as_object().expect("columns").iter();
        all.filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    let moments = kind("time");
    assert!(!moments.is_empty() && rows.as_array().is_none_or(Vec::is_empty), "{columns} {rows}");
    let (text, int, serial) = (kind("text"), kind("int"), kind("serial"));
    let mut row = serde_json::Map::new();
    text.iter().for_each(|column| drop(row.insert(column.clone(), "x".into())));
    int.iter().for_each(|column| drop(row.insert(column.clone(), 5.into())));
    let mut whole = row.clone();
    serial.iter().for_each(|column| drop(whole.insert(column.clone(), 1.into())));
    let client = recording["clients"].as_object().expect("clients").keys().next().expect("a client").clone();
    let select = |columns: Option<&[String]>, rows: Value| {
        let sql = format!("SELECT {} FROM {table}", columns.map_or("*".into(), |columns| columns.join(", ")));
        let mut step = json!({"client": client, "op": "select", "table": table, "sql": sql, "reply": {"rows": rows}});
        if let Some(columns) = columns {
            step["columns"] = json!(columns);
        }
        step
    };
    recording["steps"] = json!([
        {"client": client, "op": "insert", "table": table, "row": row, "sql": "INSERT", "reply": {"affected": 1}},
        select(None, json!([whole])),
        select(Some(&moments), json!([{}])),
    ]);
    assert_eq!(play(&recording.to_string()), Ok(()));
}

#[test]
fn a_replica_that_is_started_first_was_down() {
    let mut recording = recorded("replica-follows.mariadb");
    let replica = recording["servers"].as_object().expect("servers").iter();
    let mut replica = replica.filter(|(_, server)| server["replicaOf"].is_string()).map(|(name, _)| name.clone());
    let replica = replica.next_back().expect("a replica");
    let (old, mut steps) = (recording["steps"].clone(), vec![json!({"do": "start", "server": replica})]);
    let reader = recording["clients"].as_object().expect("clients").iter().find(|(_, server)| **server == *replica);
    let reader = reader.map(|(client, _)| client.clone()).expect("a client at the replica");
    let refused = json!({"do": "connect", "client": "z", "server": replica, "error": "refused"});
    steps.insert(0, refused);
    steps.push(json!({"do": "connect", "client": reader, "server": replica}));
    steps.extend(old.as_array().expect("steps").clone());
    recording["steps"] = json!(steps);
    assert_eq!(play(&recording.to_string()), Ok(()));
}
