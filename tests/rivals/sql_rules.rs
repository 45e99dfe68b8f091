//! Rules of both engines that no recording in `tests/rivals/sql` shows, as short plays: each line a client's statement and what
//! comes of it, as the manuals and sources of the real ones have it.

use serde_json::{Map, Value, json};

use zabscope::base::json::{Json, Read};
use zabscope::conform::sql::{SqlPlay, reproduce};
use zabscope::daemon::System;
use zabscope::rivals::sql::Sql;

const TABLES: &str = r#"{
  "resource": {"columns": {"id": "int", "val": "int", "version": "int"}, "primaryKey": "id",
    "rows": [{"id": 1, "val": 100, "version": 1}, {"id": 2, "val": 200, "version": 1}, {"id": 3, "val": 300, "version": 1}]},
  "item": {"columns": {"id": "int", "kind": "text", "val": "int"}, "primaryKey": "id",
    "rows": [{"id": 10, "kind": "x", "val": 100}, {"id": 20, "kind": "y", "val": 200}, {"id": 30, "kind": "z", "val": 300}]},
  "free": {"columns": {"id": "serial", "unique_mutex": "text", "holder_id": "text"}, "primaryKey": "id"},
  "lock": {"columns": {"id": "serial", "unique_mutex": "text", "holder_id": "text"}, "primaryKey": "id", "unique": ["unique_mutex"]}
}"#;

/// An answer as it is written here: `ok`, `rolledBack`, a number of rows, an error with what became of the transaction, or JSON.
fn reply(text: &str) -> Value {
    match text {
        "ok" => json!({"ok": true}),
        "rolledBack" => json!({"ok": "rolledBack"}),
        _ if text.starts_with(['{', '[']) => {
            let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            if value.is_array() { json!({"rows": value}) } else { value }
        }
        _ => match (text.parse::<u64>(), text.split_once('/')) {
            (Ok(rows), _) => json!({"affected": rows}),
            (_, Some((error, transaction))) => json!({"error": error, "transaction": transaction}),
            _ => panic!("{text}: what answer is that?"),
        },
    }
}

/// A line: `a: STATEMENT => answer`, `> b: answer` for one that comes by the line before, or `do field=value …`.
fn step(line: &str, steps: &mut Vec<Value>) {
    if let Some(then) = line.strip_prefix("> ") {
        let (client, text) = then.split_once(": ").expect("a client");
        let last = steps.last_mut().and_then(Value::as_object_mut).expect("a step");
        let then = last.entry("then").or_insert(json!([]));
        then.as_array_mut().expect("a list").push(json!({"client": client, "reply": reply(text)}));
        return;
    }
    if let Some((client, (sql, answer))) =
        line.split_once(": ").and_then(|(c, rest)| Some((c, rest.rsplit_once(" => ")?)))
    {
        let mut step = json!({"client": client, "op": "sql", "sql": sql});
        match answer.strip_prefix("waits") {
            Some(blockers) => {
                step["waits"] = json!(true);
                if !blockers.is_empty() {
                    step["blockedBy"] = json!(blockers.trim().split(' ').collect::<Vec<_>>());
                }
            }
            None => step["reply"] = reply(answer),
        }
        return steps.push(step);
    }
    let mut words = line.split(' ');
    let mut step = Map::from_iter([("do".to_string(), json!(words.next()))]);
    for word in words {
        let (field, value) = word.split_once('=').expect("a field");
        step.insert(field.into(), serde_json::from_str(value).unwrap_or(json!(value)));
    }
    steps.push(step.into());
}

fn play_with(engine: &str, servers: &str, afterwards: &[&str], lines: &str) {
    let mut steps = Vec::new();
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| step(line, &mut steps));
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let play = json!({
        "name": "rule", "engine": engine, "servers": json(servers), "tables": json(TABLES),
        "clients": {"a": "db", "b": "db", "c": "db"}, "configuredAfterwards": afterwards, "steps": steps,
    });
    let play = SqlPlay::from_json(&play.to_string()).unwrap_or_else(|why| panic!("{why}"));
    reproduce(&play, 0).unwrap_or_else(|why| panic!("{engine}: {why}"));
}

fn play(engine: &str, lines: &str) {
    play_with(engine, r#"{"db": {}}"#, &[], lines);
}

#[test]
fn a_circle_of_three_has_one_victim() {
    let begin = "
        a: BEGIN => ok
        a: UPDATE resource SET val = 1 WHERE id = 1 => 1
        b: BEGIN => ok
        b: UPDATE resource SET val = 2 WHERE id = 2 => 1
        c: BEGIN => ok
        c: UPDATE resource SET val = 3 WHERE id = 3 => 1
        a: UPDATE resource SET val = 1 WHERE id = 2 => waits b
        b: UPDATE resource SET val = 2 WHERE id = 3 => waits c";
    play(
        "mariadb",
        &format!(
            "{begin}
        c: UPDATE resource SET val = 3 WHERE id = 1 => deadlock/none
        > b: 1
        b: COMMIT => ok
        > a: 1"
        ),
    );
    play_with(
        "postgresql",
        r#"{"db": {"config": {"deadlock_timeout": "2000"}}}"#,
        &[],
        &format!(
            "{begin}
        c: UPDATE resource SET val = 3 WHERE id = 1 => waits a
        advance ms=3000
        > a: deadlock/failed
        > c: 1"
        ),
    );
}

/// A waiter that has looked does not look again: the one that closes the circle later is the victim.
#[test]
fn who_has_looked_for_a_deadlock_does_not_look_again() {
    play_with(
        "postgresql",
        r#"{"db": {"config": {"deadlock_timeout": "2000"}}}"#,
        &[],
        "
        a: BEGIN => ok
        a: SELECT id FROM resource WHERE id = 1 FOR UPDATE => [{\"id\":1}]
        b: BEGIN => ok
        b: SELECT id FROM resource WHERE id = 2 FOR UPDATE => [{\"id\":2}]
        a: SELECT id FROM resource WHERE id = 2 FOR UPDATE => waits b
        advance ms=3000
        b: SELECT id FROM resource WHERE id = 1 FOR UPDATE => waits a
        advance ms=1900
        advance ms=200
        > b: deadlock/failed
        > a: [{\"id\":2}]",
    );
}

#[test]
fn two_that_share_and_want_to_change_are_a_deadlock() {
    play(
        "mariadb",
        "
        a: BEGIN => ok
        a: SELECT id FROM resource WHERE id = 1 LOCK IN SHARE MODE => [{\"id\":1}]
        b: BEGIN => ok
        b: SELECT id FROM resource WHERE id = 1 LOCK IN SHARE MODE => [{\"id\":1}]
        a: UPDATE resource SET val = 1 WHERE id = 1 => waits b
        b: UPDATE resource SET val = 2 WHERE id = 1 => deadlock/none
        > a: 1",
    );
    play(
        "postgresql",
        "
        a: BEGIN => ok
        a: SELECT id FROM resource WHERE id = 1 FOR SHARE => [{\"id\":1}]
        b: BEGIN => ok
        b: SELECT id FROM resource WHERE id = 1 FOR SHARE => [{\"id\":1}]
        a: UPDATE resource SET val = 1 WHERE id = 1 => waits b
        b: UPDATE resource SET val = 2 WHERE id = 1 => waits a
        advance ms=2500
        > a: deadlock/failed
        > b: 1",
    );
}

#[test]
fn serializable_lets_no_write_skew_through() {
    let isolated = |engine: &str| match engine {
        "mariadb" => "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; BEGIN",
        _ => "BEGIN ISOLATION LEVEL SERIALIZABLE",
    };
    let begin = |engine| {
        format!(
            "
        a: {0} => ok
        b: {0} => ok
        a: SELECT val FROM resource WHERE id <= 2 ORDER BY id => [{{\"val\":100}},{{\"val\":200}}]
        b: SELECT val FROM resource WHERE id <= 2 ORDER BY id => [{{\"val\":100}},{{\"val\":200}}]",
            isolated(engine)
        )
    };
    play(
        "postgresql",
        &format!(
            "{}
        a: UPDATE resource SET val = 0 WHERE id = 1 => 1
        b: UPDATE resource SET val = 0 WHERE id = 2 => 1
        a: COMMIT => ok
        b: COMMIT => serializationFailure/none",
            begin("postgresql")
        ),
    );
    play(
        "mariadb",
        &format!(
            "{}
        a: UPDATE resource SET val = 0 WHERE id = 1 => waits b
        b: UPDATE resource SET val = 0 WHERE id = 2 => deadlock/none
        > a: 1",
            begin("mariadb")
        ),
    );
    play(
        "postgresql",
        "
        a: BEGIN ISOLATION LEVEL SERIALIZABLE => ok
        b: BEGIN ISOLATION LEVEL SERIALIZABLE => ok
        a: SELECT id FROM free WHERE unique_mutex = 'm' => []
        b: SELECT id FROM free WHERE unique_mutex = 'm' => []
        a: INSERT INTO free (unique_mutex, holder_id) VALUES ('m', 'a') => 1
        b: INSERT INTO free (unique_mutex, holder_id) VALUES ('m', 'b') => 1
        a: COMMIT => ok
        b: COMMIT => serializationFailure/none",
    );
    play(
        "mariadb",
        "
        a: SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; BEGIN => ok
        b: SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; BEGIN => ok
        a: SELECT id FROM free WHERE unique_mutex = 'm' => []
        b: SELECT id FROM free WHERE unique_mutex = 'm' => []
        a: INSERT INTO free (unique_mutex, holder_id) VALUES ('m', 'a') => waits b
        b: INSERT INTO free (unique_mutex, holder_id) VALUES ('m', 'b') => deadlock/none
        > a: 1",
    );
}

#[test]
fn at_read_committed_innodb_lets_go_of_what_does_not_fit() {
    play(
        "mariadb",
        "
        a: SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN => ok
        a: SELECT id FROM item WHERE kind = 'y' FOR UPDATE => [{\"id\":20}]
        b: SELECT id FROM item WHERE id = 30 FOR UPDATE NOWAIT => [{\"id\":30}]
        b: SELECT id FROM item WHERE id = 20 FOR UPDATE NOWAIT => lockWaitTimeout/none
        b: INSERT INTO item (id, kind) VALUES (25, 'n') => 1
        a: SELECT id FROM item WHERE id = 99 FOR UPDATE => []
        b: INSERT INTO item (id, kind) VALUES (99, 'n') => 1",
    );
}

#[test]
fn a_savepoint_before_anything_undoes_the_locks_too() {
    play(
        "mariadb",
        "
        a: BEGIN => ok
        a: SAVEPOINT sp => ok
        a: SELECT id FROM resource WHERE id = 1 FOR UPDATE => [{\"id\":1}]
        a: ROLLBACK TO SAVEPOINT sp => ok
        b: SELECT id FROM resource WHERE id = 1 FOR UPDATE NOWAIT => [{\"id\":1}]",
    );
    play(
        "postgresql",
        "
        a: BEGIN => ok
        a: SELECT id FROM resource WHERE id = 1 FOR UPDATE => [{\"id\":1}]
        a: SAVEPOINT sp => ok
        a: UPDATE resource SET val = 7 WHERE id = 2 => 1
        a: INSERT INTO resource (id) VALUES (3) => duplicateKey/failed
        b: SELECT id FROM resource WHERE id = 2 FOR UPDATE NOWAIT => [{\"id\":2}]
        b: SELECT id FROM resource WHERE id = 1 FOR UPDATE NOWAIT => lockNotAvailable/none
        a: ROLLBACK TO SAVEPOINT sp => ok
        a: UPDATE resource SET val = 8 WHERE id = 1 => 1
        a: COMMIT => ok
        b: SELECT val FROM resource WHERE id <= 2 ORDER BY id => [{\"val\":8},{\"val\":200}]",
    );
}

#[test]
fn an_idle_transaction_is_ended_by_its_limit() {
    for (engine, set) in [
        ("mariadb", "SET idle_transaction_timeout = 2"),
        ("postgresql", "SET idle_in_transaction_session_timeout = '2000ms'"),
    ] {
        play(
            engine,
            &format!(
                "
            a: {set} => ok
            a: BEGIN => ok
            a: UPDATE resource SET val = 1 WHERE id = 1 => 1
            b: UPDATE resource SET val = 2 WHERE id = 1 => waits a
            advance ms=1500
            advance ms=1000
            > b: 1
            a: COMMIT => {{\"error\":\"connectionLost\"}}
            a: COMMIT => {{\"notConnected\":true}}"
            ),
        );
    }
}

#[test]
fn branches_take_no_other_statements() {
    play(
        "mariadb",
        "
        a: XA START 'g1' => ok
        a: UPDATE resource SET val = 1 WHERE id = 1 => 1
        a: COMMIT => wrongStateForPrepared/open
        a: XA END 'g1'; XA PREPARE 'g1' => ok
        a: SELECT id FROM resource WHERE id = 2 => wrongStateForPrepared/open
        b: XA START 'g1' => preparedIdInUse/none
        a: XA ROLLBACK 'g1' => ok
        a: SELECT val FROM resource WHERE id = 1 => [{\"val\":100}]",
    );
    play(
        "postgresql",
        "
        a: BEGIN => ok
        a: UPDATE resource SET val = 1 WHERE id = 1 => 1
        a: PREPARE TRANSACTION 'g1' => ok
        a: BEGIN => ok
        a: UPDATE resource SET val = 1 WHERE id = 2 => 1
        a: PREPARE TRANSACTION 'g1' => preparedIdInUse/none
        b: SELECT id FROM resource WHERE id = 2 FOR UPDATE NOWAIT => [{\"id\":2}]
        b: COMMIT PREPARED 'g1' => ok
        b: SELECT val FROM resource WHERE id = 1 => [{\"val\":1}]",
    );
}

#[test]
fn without_the_search_only_the_time_limit_ends_a_deadlock() {
    play(
        "mariadb",
        "
        a: SET GLOBAL innodb_deadlock_detect = OFF => ok
        b: SET innodb_lock_wait_timeout = 1 => ok
        a: BEGIN => ok
        a: UPDATE resource SET val = 1 WHERE id = 1 => 1
        b: BEGIN => ok
        b: UPDATE resource SET val = 2 WHERE id = 2 => 1
        a: UPDATE resource SET val = 1 WHERE id = 2 => waits b
        b: UPDATE resource SET val = 2 WHERE id = 1 => waits a
        advance ms=1500
        > b: lockWaitTimeout/open
        b: COMMIT => ok
        > a: 1",
    );
}

const PAIR: &str = r#"{"db": {}, "r1": {"replicaOf": "db", "config": {"rpl_semi_sync_slave_enabled": "ON"}}}"#;

#[test]
fn after_sync_nobody_sees_what_waits_for_the_replica() {
    let set = |name: &str, value: &str| format!("SET GLOBAL rpl_semi_sync_master_{name} = {value}");
    let lines = [set("timeout", "3600000"), set("wait_point", "AFTER_SYNC"), set("enabled", "ON")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    play_with(
        "mariadb",
        PAIR,
        &lines,
        "
        holdLink replica=\"r1\" source=\"db\"
        a: INSERT INTO lock (unique_mutex, holder_id) VALUES ('m', 'a') => waits
        b: SELECT holder_id FROM lock WHERE unique_mutex = 'm' => []
        b: INSERT INTO lock (unique_mutex, holder_id) VALUES ('m', 'b') => waits a
        releaseLink replica=\"r1\" source=\"db\"
        > a: 1
        > b: duplicateKey/none",
    );
}

#[test]
fn locks_of_a_replica_and_its_primary_are_two() {
    for (engine, lock) in [("mariadb", "GET_LOCK('L', 0)"), ("postgresql", "pg_try_advisory_lock(76)")] {
        play_with(
            engine,
            r#"{"db": {}, "r1": {"replicaOf": "db"}}"#,
            &[],
            &format!(
                "
            a: SELECT {lock} AS r => [{{\"r\":1}}]
            disconnect client=\"b\"
            connect client=\"b\" server=\"r1\"
            b: SELECT {lock} AS r => [{{\"r\":1}}]
            c: SELECT {lock} AS r => [{{\"r\":0}}]"
            ),
        );
    }
}

#[test]
fn a_setup_is_read_as_it_is_written_and_complains_with_the_place() {
    let text = r#"{"engine":"mariadb","servers":[{},{"replica_of":1,"config":{"sync_binlog":"0"}}],
        "clients":[{"servers":[2,1],"program":{"recipe":"lock_row","age_ms":3000,"wrong":["delete_by_name"]}}]}"#;
    let read = |text: &str| Json::parse(text).and_then(Sql::read).and_then(|sql| sql.check().map(|()| sql));
    let sql = read(text).expect("a setup");
    let again = read(&serde_json::to_string(&sql).expect("JSON")).expect("what is written");
    assert_eq!(sql, again);
    for (text, complaint) in [
        (r#"{"engine":"oracle"}"#, "engine: unknown name `oracle`"),
        (r#"{"engine":"mariadb","servers":[]}"#, "servers: 0 is not a whole number from 1 to 4"),
        (r#"{"engine":"mariadb","servers":[{"replica_of":1}]}"#, "servers[0].replica_of"),
        (r#"{"engine":"mariadb","servers":[{"config":{"wal_writer_delay":1}}]}"#, "servers[0].config"),
        (r#"{"engine":"mariadb","clients":[{"servers":[2]}]}"#, "clients[0].servers: 2 is not"),
        (r#"{"engine":"mariadb","clients":[{"program":{"recipe":"luck"}}]}"#, "clients[0].program.recipe"),
        (r#"{"engine":"mariadb","tables":{"t":{"columns":{"a":"int"},"rows":[{"b":1}]}}}"#, "tables.t.rows[0]"),
        (r#"{"engine":"mariadb","tables":{"t":{"columns":{"a":"int"},"unique":["b"]}}}"#, "tables.t.unique"),
    ] {
        let said = read(text).expect_err(text).to_string();
        assert!(said.starts_with(complaint), "{said}");
    }
}
