//! Two-phase commit, and ZAB with the same crash. Machines: TC1 is 32, P1 33, C1 54 and so on (`ServerId::nth`).

use super::super::{Make, Scenario, scenarios};
use super::written;

scenarios! {
    /// Two-phase commit.
    COMMIT:
    "commit-all-yes": "Two-phase commit", "Three machines each keep a part of one transfer: all of them do it, or none."
        topics ["zab-vs-2pc"], until 4_000, telling 3_070, Make::Plain(|| written(COMMIT_ALL_YES));
    "commit-one-no": "One participant says no", "One of two participants can do its part, and that does not help."
        topics ["zab-vs-2pc"], until 4_200, telling 3_048, Make::Plain(|| written(COMMIT_ONE_NO));
    "commit-blocked": "The coordinator disappears", "All have voted yes, and nobody is left who may say what that comes to."
        topics ["zab-vs-2pc"], until 6_800, telling 5_060, Make::Plain(|| written(COMMIT_BLOCKED));
    "zab-beside-2pc": "ZAB with the same crash", "The leader crashes just before it commits, and the others need not wait for it."
        topics ["zab-vs-2pc"], until 6_800, telling 3_560, Make::Plain(|| written(ZAB_BESIDE_2PC));
    "commit-cooperative": "Asking the other participants", "The coordinator decides and disappears; one participant never heard what it decided."
        topics ["zab-vs-2pc"], until 6_500, telling 3_520, Make::Plain(|| written(COMMIT_COOPERATIVE));
    "commit-majority": "If a majority were enough", "Two of three say yes, and with ZAB's rule that would do."
        topics ["zab-vs-2pc"], until 4_000, telling 3_068, Make::Plain(|| written(COMMIT_MAJORITY));
    "commit-half-seen": "Half of a transfer, seen", "The transfer is committed as a whole, and yet a reader misses fifty."
        topics ["zab-vs-2pc"], until 4_200, telling 3_128, Make::Plain(|| written(COMMIT_HALF_SEEN));
}

/// A transfer over three participants: each forces its yes, the coordinator forces the decision.
const COMMIT_ALL_YES: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":3}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"P1:x=100"},
{"at_us":3000000,"do":"write","server":54,"data":"P1:x-=30 P2:y+=20 P3:z+=10"}
]}"#;

/// P2 has 30 and is to give 50: its no is enough, and the yes of P1 is undone. Then 20, which it has.
const COMMIT_ONE_NO: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":2}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"P2:y=30"},
{"at_us":3000000,"do":"write","server":54,"data":"P1:x+=50 P2:y-=50"},
{"at_us":3150000,"do":"write","server":54,"data":"get P1:x"},
{"at_us":3250000,"do":"write","server":54,"data":"P1:x+=20 P2:y-=20"}
]}"#;

/// The coordinator crashes just before it decides: three have promised, none may decide. As `scenarios::beside` makes it
/// (`BeforeDecision`, n = 3, seed 1), with C2, who would read, and repaired earlier.
const COMMIT_BLOCKED: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":3,"clients":2}}},
"actions":[
{"at_us":3000000,"do":"write","server":54,"data":"x=1"},
{"at_us":3099250,"do":"crash","server":32},
{"at_us":5000000,"do":"write","server":55,"data":"read P2:x"},
{"at_us":6000000,"do":"restart","server":32},
{"at_us":6300000,"do":"write","server":55,"data":"read P2:x"}
]}"#;

/// The same write and the same fault with ZAB: the leader crashes just before it commits. As `scenarios::beside` makes it, with a second
/// write, and repaired earlier.
const ZAB_BESIDE_2PC: &str = r#"{"version":4,"seed":1,
"setup":{"voters":3},
"actions":[
{"at_us":3000000,"do":"write","server":3,"data":"x=1"},
{"at_us":3037416,"do":"crash","server":3},
{"at_us":5000000,"do":"write","server":2,"data":"x=2"},
{"at_us":6000000,"do":"restart","server":3}
]}"#;

/// P3 does not hear the decision, and the coordinator is gone: P1 and P2 know it.
const COMMIT_COOPERATIVE: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":3,"ask_after_ms":400}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"x=10"},
{"at_us":3000000,"do":"write","server":54,"data":"P1:x-=4 P2:x+=1 P3:x+=3"},
{"at_us":3052000,"do":"cut","from":[32],"to":[35],"one_way":true},
{"at_us":3150000,"do":"crash","server":32},
{"at_us":6000000,"do":"heal_all"},
{"at_us":6000000,"do":"restart","server":32}
]}"#;

/// Broken on purpose: two yes of three are enough. P1 has 50 and is to give 70; the others get what nobody gave.
const COMMIT_MAJORITY: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":3,"broken":["majority-commits"]}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"P1:x=50 P2:y=50"},
{"at_us":1400000,"do":"write","server":54,"data":"P3:z=50"},
{"at_us":3000000,"do":"write","server":54,"data":"P1:x-=70 P2:y+=30 P3:z+=40"},
{"at_us":3180000,"do":"write","server":54,"data":"get P1:x P2:y P3:z"}
]}"#;

/// The COMMIT to P2 is held up: in between, whoever reads finds the new half and the old half.
const COMMIT_HALF_SEEN: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"commit":{"participants":2,"clients":3}}},
"actions":[
{"at_us":1000000,"do":"write","server":54,"data":"P1:x=80 P2:y=10"},
{"at_us":3000000,"do":"write","server":54,"data":"P1:x-=50 P2:y+=50"},
{"at_us":3052000,"do":"cut","from":[32],"to":[34],"one_way":true},
{"at_us":3060000,"do":"write","server":55,"data":"get P1:x P2:y"},
{"at_us":3200000,"do":"write","server":56,"data":"read P2:y"},
{"at_us":3330000,"do":"heal","from":[32],"to":[34],"one_way":true},
{"at_us":3450000,"do":"write","server":55,"data":"get P1:x P2:y"}
]}"#;
