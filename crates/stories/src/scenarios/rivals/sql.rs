//! Locks on an SQL database: lock rows, row locks, names, versions. Machines are D1 (28) and C1 (54).

use super::super::{Make, Scenario, scenarios};
use super::written;

scenarios! {
    /// Locks on an SQL database, from simple to subtle.
    SQL:
    "sql-lock-row": "A row is the lock", "Who inserts it has the lock; its owner dies and cannot delete it."
        topics ["lock-database"], until 2_600, telling 505, Make::Plain(|| written(LOCK_ROW));
    "sql-slow-holder": "Slow is not dead", "A holder stands still, and its row grows old."
        topics ["lock-database"], until 2_000, telling 1_410, Make::Plain(|| written(SLOW_HOLDER));
    "sql-clean-up-race": "Two clean up after a dead one", "Two clients see that a row is too old, and both delete it."
        topics ["lock-database"], until 2_400, telling 885, Make::Plain(|| written(CLEAN_UP_RACE));
    "sql-for-update": "A queue for a row", "Clients wait inside the database, in order; one dies while it holds the row."
        topics ["lock-database"], until 1_200, telling 100, Make::Plain(|| written(FOR_UPDATE));
    "sql-holder-vanishes": "A holder without power", "The holder is gone, but its connection is not."
        topics ["lock-database"], until 3_000, telling 1_000, Make::Plain(|| written(VANISHES));
    "sql-deadlock": "Each waits for the other", "Two transfers lock the same two accounts, in opposite order."
        topics ["lock-database"], until 1_200, telling 244, Make::Plain(|| written(DEADLOCK));
    "sql-gap": "A row that is not there", "Two clients lock the same missing row, and both are let through."
        topics ["lock-database"], until 1_200, telling 516, Make::Plain(|| written(GAP));
    "sql-advisory": "A lock on a name", "No row, no transaction, nothing on disk: the database locks a mere name."
        topics ["lock-database"], until 2_300, telling 100, Make::Plain(|| written(ADVISORY));
    "sql-lost-update": "An update is lost", "Three clients read the same number, and each writes one more."
        topics ["lock-database"], until 900, telling 250, Make::Plain(|| written(LOST_UPDATE));
    "sql-version": "A version instead of a lock", "Three clients change the same row, and nobody waits for anybody."
        topics ["lock-database"], until 1_500, telling 200, Make::Plain(|| written(VERSION));
    "sql-failover": "A replica without the row", "The database grants a lock, and dies before its replica has the row."
        topics ["lock-database"], until 1_700, telling 830, Make::Plain(|| written(FAILOVER));
}

/// C1 inserts the row and dies. C2 and C3 are refused until the row is older than the limit; then one of them deletes it and inserts its
/// own.
const LOCK_ROW: &str = r#"{
    "version": 4, "seed": 340,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "lock_row", "age_ms": 800, "work_ms": 600}},
            {"program": {"recipe": "lock_row", "age_ms": 800, "work_ms": 300, "poll_ms": 500, "pause_ms": 60000, "lock_wait_ms": 1000}},
            {"program": {"recipe": "lock_row", "age_ms": 800, "work_ms": 300, "poll_ms": 600, "pause_ms": 60000, "lock_wait_ms": 1000}}
        ]
    }}},
    "actions": [
        {"at_us": 220000, "do": "kill", "server": 54}
    ]
}"#;

/// C1 stands still; C2 deletes its row by age and takes the lock. C1 wakes up: its number is too old for the resource, so its write changes
/// nothing.
const SLOW_HOLDER: &str = r#"{
    "version": 4, "seed": 92,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "postgresql",
        "clients": [
            {"program": {"recipe": "lock_row", "age_ms": 700, "fenced": true, "work_ms": 400, "poll_ms": 2000}},
            {"program": {"recipe": "lock_row", "age_ms": 700, "fenced": true, "work_ms": 500, "poll_ms": 500, "pause_ms": 60000, "lock_wait_ms": 1000}}
        ]
    }}},
    "actions": [
        {"at_us": 250000, "do": "pause", "server": 54},
        {"at_us": 1400000, "do": "resume", "server": 54}
    ]
}"#;

/// C1 is dead. C2 and C3 both see that its row is too old. C2 deletes it and inserts its own; the DELETE of C3, whose link is slower, takes
/// that one.
const CLEAN_UP_RACE: &str = r#"{
    "version": 4, "seed": 68,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "lock_row", "age_ms": 500, "work_ms": 400}},
            {"program": {"recipe": "lock_row", "age_ms": 500, "work_ms": 400, "poll_ms": 500, "pause_ms": 60000, "lock_wait_ms": 1000, "wrong": ["age_in_two_steps"]}},
            {"program": {"recipe": "lock_row", "age_ms": 500, "work_ms": 300, "poll_ms": 500, "pause_ms": 60000, "lock_wait_ms": 1000, "wrong": ["age_in_two_steps"]}}
        ]
    }}},
    "actions": [
        {"at_us": 1000, "do": "latency", "from": [56], "to": [28], "range": {"min_us": 30000, "max_us": 40000}},
        {"at_us": 200000, "do": "kill", "server": 54}
    ]
}"#;

/// C1, C2 and C3 lock one row. C1 commits and C2 goes on; C2 dies while it holds the lock: what it has not committed is undone, and C3 is
/// woken at once.
const FOR_UPDATE: &str = r#"{
    "version": 4, "seed": 77,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "for_update", "work_ms": 160, "pause_ms": 60000}},
            {"program": {"recipe": "for_update", "work_ms": 900, "pause_ms": 60000}},
            {"program": {"recipe": "for_update", "work_ms": 200, "pause_ms": 60000}}
        ]
    }}},
    "actions": [
        {"at_us": 450000, "do": "kill", "server": 55}
    ]
}"#;

/// C1 loses power while it holds the row. The database hears nothing and keeps its connection, and the lock, until it has been idle in a
/// transaction for 2 s.
const VANISHES: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "postgresql",
        "servers": [{"config": {"idle_in_transaction_session_timeout": 2000}}],
        "clients": [
            {"program": {"recipe": "for_update", "work_ms": 900, "pause_ms": 60000}},
            {"program": {"recipe": "for_update", "work_ms": 160, "pause_ms": 60000, "lock_wait_ms": 5000}},
            {"program": {"recipe": "for_update", "work_ms": 160, "pause_ms": 60000, "lock_wait_ms": 5000}}
        ]
    }}},
    "actions": [
        {"at_us": 220000, "do": "power_off", "server": 54}
    ]
}"#;

/// C1 moves money one way, C2 the other. The wait that closes the circle is refused at once, and its transaction undone; it tries again.
const DEADLOCK: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "transfer", "work_ms": 100, "poll_ms": 300, "pause_ms": 60000}},
            {"program": {"recipe": "transfer", "work_ms": 200, "poll_ms": 300, "pause_ms": 60000}}
        ]
    }}},
    "actions": []
}"#;

/// At repeatable read InnoDB locks the gap where row 5 would stand. Gap locks do not exclude each other, but they stop inserts: C1 waits
/// for C2, and C2 closes the circle.
const GAP: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [{}, {}]
    }}},
    "actions": [
        {"at_us": 100000, "do": "write", "server": 54, "data": "BEGIN"},
        {"at_us": 100000, "do": "write", "server": 55, "data": "BEGIN"},
        {"at_us": 200000, "do": "write", "server": 54, "data": "SELECT id, val FROM resource WHERE id = 5 FOR UPDATE"},
        {"at_us": 300000, "do": "write", "server": 55, "data": "SELECT id, val FROM resource WHERE id = 5 FOR UPDATE"},
        {"at_us": 400000, "do": "write", "server": 54, "data": "INSERT INTO resource (id, val) VALUES (5, 1)"},
        {"at_us": 500000, "do": "write", "server": 55, "data": "INSERT INTO resource (id, val) VALUES (5, 2)"},
        {"at_us": 700000, "do": "write", "server": 54, "data": "COMMIT"}
    ]
}"#;

/// Three clients ask for one name with GET_LOCK; an operator ends the connection of the holder, and the next one has it.
const ADVISORY: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "advisory", "work_ms": 200, "pause_ms": 60000}},
            {"program": {"recipe": "advisory", "work_ms": 800, "pause_ms": 60000}},
            {"program": {"recipe": "advisory", "work_ms": 300, "pause_ms": 60000}}
        ]
    }}},
    "actions": [
        {"at_us": 520000, "do": "write", "server": 28, "data": "kill C2"}
    ]
}"#;

/// Three clients read 0 and write 1, without a lock and without a version.
const LOST_UPDATE: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "clients": [
            {"program": {"recipe": "version", "wrong": ["no_version"], "work_ms": 120, "pause_ms": 60000}},
            {"program": {"recipe": "version", "wrong": ["no_version"], "work_ms": 240, "pause_ms": 60000}},
            {"program": {"recipe": "version", "wrong": ["no_version"], "work_ms": 480, "pause_ms": 60000}}
        ]
    }}},
    "actions": []
}"#;

/// Three clients read the same version; the first UPDATE matches it, the others change no row and read again.
const VERSION: &str = r#"{
    "version": 4, "seed": 202,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "postgresql",
        "clients": [
            {"program": {"recipe": "version", "work_ms": 200, "poll_ms": 150, "pause_ms": 60000}},
            {"program": {"recipe": "version", "work_ms": 200, "poll_ms": 150, "pause_ms": 60000}},
            {"program": {"recipe": "version", "work_ms": 200, "poll_ms": 150, "pause_ms": 60000}}
        ]
    }}},
    "actions": []
}"#;

/// The link to D2 is slow. C1 inserts its row at D1, which dies; an operator promotes D2, where no such row is, and C2 inserts its own.
const FAILOVER: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"sql": {
        "engine": "mariadb",
        "servers": [{}, {"replica_of": 1}],
        "clients": [
            {"servers": [1], "timeout_ms": 2000, "program": {"recipe": "lock_row", "age_ms": 60000, "work_ms": 2400}},
            {"servers": [1, 2], "timeout_ms": 300, "program": {"recipe": "lock_row", "age_ms": 60000, "work_ms": 600, "poll_ms": 400, "pause_ms": 60000, "lock_wait_ms": 1000}}
        ]
    }}},
    "actions": [
        {"at_us": 62000, "do": "cut", "from": [28], "to": [29]},
        {"at_us": 250000, "do": "kill", "server": 28},
        {"at_us": 700000, "do": "write", "server": 29, "data": "promote"}
    ]
}"#;
