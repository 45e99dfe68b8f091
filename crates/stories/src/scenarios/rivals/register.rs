//! Quorum registers, and the same work through a leader. Machines: N1 is 40, C1 54 and so on (`ServerId::nth`).

use super::super::{Make, Scenario, scenarios};
use super::written;

scenarios! {
    /// Quorum registers, from simple to subtle.
    REGISTER:
    "quorum-r1": "Reading one replica", "The write is acknowledged and nothing fails; a reader still gets the old value."
        topics ["quorum-not-enough"], until 2_900, telling 2_098, Make::Plain(|| written(QUORUM_R1));
    "quorum-stale-read": "Two, then one", "Both readers ask a majority; the later one gets the older value."
        topics ["quorum-not-enough"], until 3_000, telling 2_177, Make::Plain(|| written(QUORUM_STALE_READ));
    "quorum-write-back": "A reader that writes", "The same write in one place; but whoever reads it sees to it that the next reader does too."
        topics ["quorum-not-enough"], until 3_000, telling 2_125, Make::Plain(|| written(QUORUM_WRITE_BACK));
    "quorum-leader": "The same through a leader", "The leader itself has the new value on disk, and shows the old one."
        topics ["quorum-not-enough"], until 2_900, telling 2_125, Make::Plain(|| written(QUORUM_LEADER));
    "quorum-clocks": "The last writer by the clock", "A write is acknowledged by a majority, and no replica keeps it."
        topics ["quorum-not-enough"], until 2_900, telling 2_157, Make::Plain(|| written(QUORUM_CLOCKS));
    "quorum-sloppy": "A spare stands in", "Two stored the write and two were read, and they have nobody in common."
        topics ["quorum-not-enough"], until 3_400, telling 2_217, Make::Plain(|| written(QUORUM_SLOPPY));
}

/// C1 is far from N3 and C2 is near it; nothing fails.
const QUORUM_R1: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"register":{"r":1,"clients":[{"timeout_ms":300},{"timeout_ms":300}]}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"write x 1"},
{"at_us":1500000,"do":"latency","from":[54],"to":[42],"range":{"min_us":90000,"max_us":90000}},
{"at_us":1500000,"do":"latency","from":[55],"to":[42],"range":{"min_us":3000,"max_us":5000}},
{"at_us":2000000,"do":"write","server":54,"data":"write x 2"},
{"at_us":2085000,"do":"write","server":55,"data":"read x"},
{"at_us":2250000,"do":"write","server":55,"data":"read x"}
]}"#;

/// A write reaches N1 only. C2 reads N1 and another, C3 afterwards the two others: 2, then 1.
const QUORUM_STALE_READ: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"register":{"clients":[{"timeout_ms":300},{"timeout_ms":300},{"timeout_ms":300}]}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"write x 1"},
{"at_us":2000000,"do":"write","server":54,"data":"write x 2"},
{"at_us":2032000,"do":"cut","from":[54],"to":[41,42]},
{"at_us":2080000,"do":"write","server":55,"data":"read x"},
{"at_us":2120000,"do":"pause","server":40},
{"at_us":2150000,"do":"write","server":56,"data":"read x"},
{"at_us":2500000,"do":"resume","server":40},
{"at_us":2620000,"do":"write","server":56,"data":"read x"},
{"at_us":2800000,"do":"heal_all"}
]}"#;

/// The same write, the same fault; a read brings what it returns to a majority first (ABD).
const QUORUM_WRITE_BACK: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"register":{"write_back":true,"clients":[{"timeout_ms":300},{"timeout_ms":300},{"timeout_ms":300}]}}},
"actions":[
{"at_us":800000,"do":"write","server":54,"data":"write x 0"},
{"at_us":1000000,"do":"write","server":54,"data":"write x 1"},
{"at_us":1200000,"do":"write","server":55,"data":"read x"},
{"at_us":1200000,"do":"write","server":56,"data":"read x"},
{"at_us":2000000,"do":"write","server":54,"data":"write x 2"},
{"at_us":2032000,"do":"cut","from":[54],"to":[41,42]},
{"at_us":2080000,"do":"write","server":55,"data":"read x"},
{"at_us":2157000,"do":"pause","server":40},
{"at_us":2180000,"do":"write","server":56,"data":"read x"},
{"at_us":2500000,"do":"resume","server":40},
{"at_us":2700000,"do":"heal_all"}
]}"#;

/// The same through a leader, and shown honestly: nobody sees what a majority has not logged; a follower may lag, and sync cures that.
const QUORUM_LEADER: &str = r#"{"version":4,"seed":1,
"setup":{"voters":3},
"actions":[
{"at_us":900000,"do":"open_client","client":1,"servers":[3],"timeout_ms":4000},
{"at_us":900000,"do":"open_client","client":2,"servers":[3],"timeout_ms":4000},
{"at_us":900000,"do":"open_client","client":3,"servers":[1],"timeout_ms":4000},
{"at_us":1200000,"do":"ask","client":1,"request":{"op":"create","path":"/x","data":"1","mode":"PERSISTENT"}},
{"at_us":1990000,"do":"cut","from":[3],"to":[1,2],"one_way":true},
{"at_us":2000000,"do":"ask","client":1,"request":{"op":"setData","path":"/x","data":"2","version":-1}},
{"at_us":2035000,"do":"ask","client":2,"request":{"op":"getData","path":"/x"}},
{"at_us":2150000,"do":"heal","from":[3],"to":[2],"one_way":true},
{"at_us":2215000,"do":"ask","client":2,"request":{"op":"getData","path":"/x"}},
{"at_us":2255000,"do":"ask","client":3,"request":{"op":"getData","path":"/x"}},
{"at_us":2350000,"do":"heal_all"},
{"at_us":2350000,"do":"ask","client":3,"request":{"op":"sync","path":"/x"}},
{"at_us":2350000,"do":"ask","client":3,"request":{"op":"getData","path":"/x"}}
]}"#;

/// The clock of C1 is five seconds ahead: what C2 writes later is older by its timestamp.
const QUORUM_CLOCKS: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"register":{"stamps":"clock","clients":[{"timeout_ms":300},{"timeout_ms":300},{"timeout_ms":300}]}}},
"actions":[
{"at_us":500000,"do":"clock_jump","server":54,"ms":5000},
{"at_us":2000000,"do":"write","server":54,"data":"write x 1"},
{"at_us":2065000,"do":"write","server":55,"data":"write x 2"},
{"at_us":2130000,"do":"write","server":56,"data":"read x"},
{"at_us":2250000,"do":"write","server":54,"data":"write x 3"},
{"at_us":2320000,"do":"write","server":56,"data":"read x"}
]}"#;

/// C1 cannot reach N2 and N3: N4 stands in with a hint. Beyond the cut, two that know nothing are a quorum too.
const QUORUM_SLOPPY: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"register":{"spares":1,"stand_in_ms":50,"clients":[{"timeout_ms":1000},{"timeout_ms":1000}]}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"write x 1"},
{"at_us":1900000,"do":"cut","from":[54,40,43],"to":[41,42]},
{"at_us":1900000,"do":"cut","from":[55],"to":[40,43]},
{"at_us":2000000,"do":"write","server":54,"data":"write x 2"},
{"at_us":2182000,"do":"write","server":55,"data":"read x"},
{"at_us":2500000,"do":"heal_all"},
{"at_us":2800000,"do":"write","server":55,"data":"read x"}
]}"#;
