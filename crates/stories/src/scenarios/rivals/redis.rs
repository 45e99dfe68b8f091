//! Locks on Redis: one server, a master with its replica, five servers. Machines are R1 (16), Sen1 (22), C1 (54).

use super::super::{Make, Scenario, scenarios};
use super::written;

scenarios! {
    /// Locks on Redis, from simple to subtle.
    REDIS:
    "redis-limit": "A Redis lock that ends by itself", "Its holder dies without a word, and nobody has to clean up."
        topics ["lock-redis"], until 1_500, telling 700, Make::Plain(|| written(LIMIT));
    "redis-setnx-expire": "Locked for ever", "It takes two commands to lock, and a client dies between them."
        topics ["lock-redis"], until 10_700, telling 2_450, Make::Plain(|| written(SETNX_EXPIRE));
    "redis-pause": "A Redis lock and a long pause", "The lock's time runs on while its holder stands still."
        topics ["lock-redis"], until 1_200, telling 580, Make::Plain(|| written(PAUSE));
    "redis-fencing": "A number with every write", "A client is cut off; what it has written arrives when somebody else has the lock."
        topics ["lock-redis"], until 1_800, telling 1_310, Make::Plain(|| written(FENCING));
    "redis-get-del": "Whose lock is deleted?", "A client makes sure that the lock is its own, and then deletes it."
        topics ["lock-redis"], until 1_700, telling 780, Make::Plain(|| written(GET_DEL));
    "redis-getset": "The value is a moment", "Two clients find at the same time that the lock is over; only one can have it."
        topics ["lock-redis"], until 2_000, telling 440, Make::Plain(|| written(GETSET));
    "redis-redisson": "A watchdog and a message", "Who waits for this lock need not ask again and again: it is told."
        topics ["lock-redis"], until 2_200, telling 530, Make::Plain(|| written(REDISSON));
    "redis-power-loss": "Without power, and killed", "The same server stops twice, and starts with what its file has kept."
        topics ["lock-redis"], until 2_900, telling 930, Make::Plain(|| written(POWER_LOSS));
    "redis-clock-jump": "A clock is set ahead", "The server's clock is set; its clients notice nothing."
        topics ["lock-redis"], until 1_800, telling 700, Make::Plain(|| written(CLOCK_JUMP));
    "redis-failover": "A new master takes over", "The master grants a lock, and dies before its replica has heard of it."
        topics ["lock-redis"], until 8_000, telling 6_930, Make::Plain(|| written(FAILOVER));
    "redis-old-master": "Two masters", "A master is cut off and replaced, and nobody can tell it."
        topics ["lock-redis"], until 18_000, telling 5_240, Make::Plain(|| written(OLD_MASTER));
    "redlock": "Redlock: three of five", "Two clients ask five servers that know nothing of each other; one of the five is dead."
        topics ["lock-redis"], until 1_700, telling 160, Make::Plain(|| written(REDLOCK));
    "redlock-restart": "A second majority", "The holder has three of five servers; one of the three restarts with nothing on its disk."
        topics ["lock-redis"], until 2_000, telling 915, Make::Plain(|| written(REDLOCK_RESTART));
}

/// C1 takes the lock with SET NX PX and dies; C2 and C3 ask again and again until the limit is over.
const LIMIT: &str = r#"{
    "version": 4, "seed": 5,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}],
        "programs": [
            {"lock": "set-nx-px", "limit_ms": 400, "work_ms": 300, "writes": 1, "poll_ms": 20, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 400, "work_ms": 160, "writes": 1, "poll_ms": 240, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 400, "work_ms": 160, "writes": 1, "poll_ms": 260, "rounds": 1}
        ]
    }}},
    "actions": [
        {"at_us": 150000, "do": "kill", "server": 54}
    ]
}"#;

/// C1 dies before it has the answer to SETNX, so it never sends PEXPIRE. Much later an operator looks at the time limit, and deletes the
/// key.
const SETNX_EXPIRE: &str = r#"{
    "version": 4, "seed": 4,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}],
        "programs": [
            {"lock": "setnx-expire", "limit_ms": 300, "work_ms": 200, "writes": 1, "poll_ms": 20, "rounds": 1},
            {"lock": "setnx-expire", "limit_ms": 300, "work_ms": 200, "writes": 1, "poll_ms": 1400, "rounds": 1}
        ]
    }}},
    "actions": [
        {"at_us": 80000, "do": "kill", "server": 54},
        {"at_us": 2400000, "do": "write", "server": 16, "data": "TTL lock"},
        {"at_us": 9400000, "do": "write", "server": 16, "data": "DEL lock"}
    ]
}"#;

/// C1 renews its lock as long as it works. It stands still past the limit, C2 takes the lock, and C1 goes on with a write before it learns
/// of it.
const PAUSE: &str = r#"{
    "version": 4, "seed": 160,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {}],
        "programs": [
            {"lock": "set-nx-px", "renewal": "script", "limit_ms": 300, "work_ms": 900, "writes": 3, "poll_ms": 20, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 300, "work_ms": 230, "writes": 1, "poll_ms": 120, "rounds": 1}
        ],
        "lock_servers": [1], "resource": 2
    }}},
    "actions": [
        {"at_us": 150000, "do": "pause", "server": 54},
        {"at_us": 560000, "do": "resume", "server": 54}
    ]
}"#;

/// C1 is cut off: its renewals do not arrive, nor does a write that it still sends. C2 takes the lock and writes; what C1 has sent arrives
/// then, with an older token.
const FENCING: &str = r#"{
    "version": 4, "seed": 43,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {}],
        "programs": [
            {"lock": "set-nx-px", "fencing": "script", "renewal": "script", "limit_ms": 400, "work_ms": 1800, "writes": 5, "poll_ms": 20, "rounds": 1},
            {"lock": "set-nx-px", "fencing": "script", "limit_ms": 400, "work_ms": 240, "writes": 1, "poll_ms": 220, "rounds": 1}
        ],
        "lock_servers": [1], "resource": 2
    }}},
    "actions": [
        {"at_us": 640000, "do": "cut", "from": [54], "to": [16, 17]},
        {"at_us": 1300000, "do": "heal", "from": [54], "to": [16, 17]}
    ]
}"#;

/// GET says that the lock is its own, but the DEL of C1 is slow: it arrives when the lock is C2's. C3 gets in beside C2.
const GET_DEL: &str = r#"{
    "version": 4, "seed": 152,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}],
        "programs": [
            {"lock": "set-nx-px", "unlock": "get-del", "limit_ms": 400, "work_ms": 160, "writes": 1, "poll_ms": 20, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 400, "work_ms": 360, "writes": 3, "poll_ms": 220, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 400, "work_ms": 360, "writes": 3, "poll_ms": 220, "rounds": 1}
        ]
    }}},
    "actions": [
        {"at_us": 273000, "do": "hold_packet", "from": 54, "to": 16, "nth": 4},
        {"at_us": 700000, "do": "release_packet", "from": 54, "to": 16, "nth": 4}
    ]
}"#;

/// C1 dies. The value is a moment, so C2 and C3 see that it is past; both send GETSET. The one that gets the old moment back has won; the
/// other has written its own.
const GETSET: &str = r#"{
    "version": 4, "seed": 1369,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}],
        "programs": [
            {"lock": "getset", "limit_ms": 400, "work_ms": 300, "writes": 1, "poll_ms": 20, "rounds": 1},
            {"lock": "getset", "limit_ms": 400, "work_ms": 160, "writes": 1, "poll_ms": 400, "rounds": 1},
            {"lock": "getset", "limit_ms": 400, "work_ms": 160, "writes": 1, "poll_ms": 400, "rounds": 1}
        ]
    }}},
    "actions": [
        {"at_us": 150000, "do": "kill", "server": 54}
    ]
}"#;

/// Redisson: C1 keeps the lock by renewal and lets go; the message wakes C2. C2 is killed: C3 waits until the limit that it has heard of is
/// over.
const REDISSON: &str = r#"{
    "version": 4, "seed": 52,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}],
        "programs": [
            {"lock": "hash", "renewal": "script", "limit_ms": 600, "work_ms": 440, "writes": 1, "poll_ms": 20, "rounds": 1},
            {"lock": "hash", "renewal": "script", "limit_ms": 600, "work_ms": 900, "writes": 1, "poll_ms": 160, "rounds": 1},
            {"lock": "hash", "renewal": "script", "limit_ms": 600, "work_ms": 200, "writes": 1, "poll_ms": 800, "rounds": 1}
        ]
    }}},
    "actions": [
        {"at_us": 950000, "do": "kill", "server": 55}
    ]
}"#;

/// R1 loses power before the lock is forced to disk, and starts without it; later it is only killed, and knows the next lock. The greeting
/// makes the sync of this second, so that the lock waits for the next one.
const POWER_LOSS: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{"conf": [["appendonly", "yes"], ["appendfsync", "everysec"]]}, {}],
        "programs": [
            {"lock": "set-nx-px", "limit_ms": 8000, "work_ms": 1600, "writes": 4, "poll_ms": 40, "rounds": 1, "timeout_ms": 400},
            {"lock": "set-nx-px", "limit_ms": 8000, "work_ms": 1500, "writes": 3, "poll_ms": 240, "rounds": 1, "timeout_ms": 400}
        ],
        "lock_servers": [1], "resource": 2
    }}},
    "actions": [
        {"at_us": 10000, "do": "write", "server": 16, "data": "SET greeting hello"},
        {"at_us": 300000, "do": "power_off", "server": 16},
        {"at_us": 360000, "do": "restart", "server": 16},
        {"at_us": 870000, "do": "write", "server": 16, "data": "SET greeting again"},
        {"at_us": 950000, "do": "kill", "server": 16},
        {"at_us": 1010000, "do": "restart", "server": 16}
    ]
}"#;

/// The wall clock of R1 was behind and is set: the moment at which the lock ends is past at once. C1 has done nothing wrong.
const CLOCK_JUMP: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {}],
        "programs": [
            {"lock": "set-nx-px", "limit_ms": 5000, "work_ms": 1200, "writes": 3, "poll_ms": 20, "rounds": 1},
            {"lock": "set-nx-px", "limit_ms": 5000, "work_ms": 400, "writes": 2, "poll_ms": 150, "rounds": 1}
        ],
        "lock_servers": [1], "resource": 2
    }}},
    "actions": [
        {"at_us": 440000, "do": "clock_jump", "server": 16, "ms": 8000}
    ]
}"#;

/// The link to the replica is slow: C1 has its answer, R2 has nothing when R1 loses power. Sentinel promotes R2, and C2 takes the lock
/// there.
const FAILOVER: &str = r#"{
    "version": 4, "seed": 534,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {"replica_of": 1}, {}],
        "sentinels": {"count": 1, "master": 1, "quorum": 1, "down_after_ms": 1000, "failover_timeout_ms": 5000},
        "programs": [
            {"lock": "set-nx-px", "limit_ms": 20000, "work_ms": 9000, "writes": 5, "poll_ms": 2500, "rounds": 1, "timeout_ms": 500},
            {"lock": "set-nx-px", "limit_ms": 20000, "work_ms": 1200, "writes": 3, "poll_ms": 8000, "rounds": 1, "timeout_ms": 500}
        ],
        "lock_servers": [1], "resource": 3
    }}},
    "actions": [
        {"at_us": 2300000, "do": "cut", "from": [16], "to": [17], "one_way": true},
        {"at_us": 2800000, "do": "power_off", "server": 16}
    ]
}"#;

/// R1 is cut off together with C1; R2 is promoted; both grant the lock. Healed, R1 is still a master for more than 8 s, then a replica that
/// throws its own keys away. Lines are typed at C1 and C2.
const OLD_MASTER: &str = r#"{
    "version": 4, "seed": 1,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {"replica_of": 1}],
        "sentinels": {"count": 1, "master": 1, "quorum": 1, "down_after_ms": 1000, "failover_timeout_ms": 5000},
        "consoles": [1, 2]
    }}},
    "actions": [
        {"at_us": 3000000, "do": "cut", "from": [16, 54], "to": [17, 22, 55]},
        {"at_us": 5000000, "do": "write", "server": 54, "data": "SET lock C1 NX PX 60000"},
        {"at_us": 5180000, "do": "write", "server": 55, "data": "connect R2 6379"},
        {"at_us": 5200000, "do": "write", "server": 55, "data": "SET lock C2 NX PX 60000"},
        {"at_us": 6500000, "do": "heal", "from": [16, 54], "to": [17, 22, 55]},
        {"at_us": 9000000, "do": "write", "server": 54, "data": "SET job C1 NX PX 60000"},
        {"at_us": 17400000, "do": "write", "server": 54, "data": "connect R1 6379"},
        {"at_us": 17450000, "do": "write", "server": 54, "data": "GET lock"}
    ]
}"#;

/// R5 is dead. C1 and C2 ask at the same time and get two servers each: nobody has a majority, both give back, and one of them is first the
/// next time.
const REDLOCK: &str = r#"{
    "version": 4, "seed": 1032,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {}, {}, {}, {}],
        "programs": [
            {"lock": "redlock", "limit_ms": 2000, "work_ms": 300, "writes": 0, "poll_ms": 200, "rounds": 1, "timeout_ms": 100},
            {"lock": "redlock", "limit_ms": 2000, "work_ms": 300, "writes": 0, "poll_ms": 200, "rounds": 1, "timeout_ms": 100}
        ]
    }}},
    "actions": [
        {"at_us": 20000, "do": "kill", "server": 20}
    ]
}"#;

/// C1 reaches only R1, R2 and R3, which is a majority. R3, which keeps nothing on disk, restarts; C2 gets R3, R4 and R5.
const REDLOCK_RESTART: &str = r#"{
    "version": 4, "seed": 23,
    "setup": {"voters": 0, "systems": {"redis": {
        "servers": [{}, {}, {}, {}, {}],
        "programs": [
            {"lock": "redlock", "limit_ms": 2000, "work_ms": 1300, "writes": 4, "poll_ms": 20, "rounds": 1, "timeout_ms": 100},
            {"lock": "redlock", "limit_ms": 2000, "work_ms": 600, "writes": 2, "poll_ms": 350, "rounds": 1, "timeout_ms": 100}
        ]
    }}},
    "actions": [
        {"at_us": 1000, "do": "cut", "from": [54], "to": [19, 20]},
        {"at_us": 150000, "do": "heal", "from": [54], "to": [19, 20]},
        {"at_us": 420000, "do": "kill", "server": 18},
        {"at_us": 450000, "do": "restart", "server": 18}
    ]
}"#;
