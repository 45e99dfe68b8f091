//! Elections by generation clock. Machines: G1 is 45, C1 54 and so on (`ServerId::nth`).

use super::super::{Make, Scenario, scenarios};
use super::written;

scenarios! {
    /// Elections by generation clock, from simple to subtle.
    GENERATION:
    "generation-election": "Who asks first", "The leader crashes; the server with the lowest number takes over, because it was the first to ask."
        topics ["elect-generation"], until 2_600, telling 2_085, Make::Plain(|| written(GENERATION_ELECTION));
    "zab-beside-election": "ZAB's election beside it", "Five servers and the same crash; this time the highest number takes over."
        topics ["elect-generation"], until 2_600, telling 1_808, Make::Plain(|| written(ZAB_BESIDE_ELECTION));
    "generation-split-vote": "A split vote", "Two servers ask at once, and both are refused."
        topics ["elect-generation"], until 2_900, telling 1_990, Make::Plain(|| written(GENERATION_SPLIT_VOTE));
    "generation-log-check": "A vote for an older log", "It asks first and has the highest number, and it still must not lead."
        topics ["elect-generation"], until 2_800, telling 2_162, Make::Plain(|| written(GENERATION_LOG_CHECK));
    "generation-as-printed": "If only the term counted", "The same server asks first, and this time nobody compares the logs."
        topics ["elect-generation"], until 2_600, telling 2_212, Make::Plain(|| written(GENERATION_AS_PRINTED));
    "generation-cut-off": "Back with a high term", "A server that was cut off comes back and unseats a leader that everybody could hear."
        topics ["elect-generation"], until 4_200, telling 3_262, Make::Plain(|| written(GENERATION_CUT_OFF));
    "generation-pre-vote": "Asking before asking", "The same server is cut off for as long, and nobody notices when it is back."
        topics ["elect-generation"], until 3_600, telling 3_252, Make::Plain(|| written(GENERATION_PRE_VOTE));
    "generation-old-leader": "Two leaders, one of them old", "A leader that hears nobody still takes writes."
        topics ["elect-generation"], until 2_700, telling 2_178, Make::Plain(|| written(GENERATION_OLD_LEADER));
    "generation-old-entry": "A majority, and not committed", "Three of five servers have the entry on disk, and it is still lost."
        topics ["elect-generation"], until 2_300, telling 1_372, Make::Plain(|| written(GENERATION_OLD_ENTRY));
}

/// The leader of five crashes; whoever times out first asks, and a majority of votes is enough. Here that is the lowest number.
const GENERATION_ELECTION: &str = r#"{"version":4,"seed":2,
"setup":{"voters":0,"systems":{"generation":{"servers":5,"election_ms":500,"clients":[{"server":5,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1200000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"crash","server":49},
{"at_us":2140000,"do":"write","server":54,"data":"put x 2"},
{"at_us":2280000,"do":"restart","server":49}
]}"#;

/// The same crash with ZAB: of equal histories the highest number wins, whoever begins.
const ZAB_BESIDE_ELECTION: &str = r#"{"version":4,"seed":1,
"setup":{"voters":5},
"actions":[
{"at_us":1200000,"do":"write","server":1,"data":"x=1"},
{"at_us":1500000,"do":"crash","server":5},
{"at_us":2000000,"do":"write","server":1,"data":"x=2"},
{"at_us":2120000,"do":"restart","server":5}
]}"#;

/// Two of the four that are left ask within four milliseconds: two votes each, and three are needed.
const GENERATION_SPLIT_VOTE: &str = r#"{"version":4,"seed":85,
"setup":{"voters":0,"systems":{"generation":{"servers":5,"election_ms":500}}},
"actions":[
{"at_us":1500000,"do":"crash","server":48}
]}"#;

/// G3 was away while x=2 was committed. It times out first; G2 has the newer log, refuses, and wins in the next term.
const GENERATION_LOG_CHECK: &str = r#"{"version":4,"seed":12,
"setup":{"voters":0,"systems":{"generation":{"servers":3,"election_ms":500,"clients":[{"server":1,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1400000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"kill","server":47},
{"at_us":1550000,"do":"write","server":54,"data":"put x 2"},
{"at_us":1680000,"do":"crash","server":45},
{"at_us":1690000,"do":"restart","server":47},
{"at_us":2520000,"do":"write","server":54,"data":"put x 3"}
]}"#;

/// Broken on purpose, as a textbook prints it: a newer term gets the vote, whatever the logs. The same run as before it: x=2 was
/// acknowledged, and is deleted.
const GENERATION_AS_PRINTED: &str = r#"{"version":4,"seed":12,
"setup":{"voters":0,"systems":{"generation":{"servers":3,"election_ms":500,"broken":["as-printed"],"clients":[{"server":1,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1400000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"kill","server":47},
{"at_us":1550000,"do":"write","server":54,"data":"put x 2"},
{"at_us":1680000,"do":"crash","server":45},
{"at_us":1690000,"do":"restart","server":47},
{"at_us":2300000,"do":"write","server":54,"data":"get x"}
]}"#;

/// G3 was cut off, and has begun term after term. Nobody listens to its requests, but its answers carry the term.
const GENERATION_CUT_OFF: &str = r#"{"version":4,"seed":9,
"setup":{"voters":0,"systems":{"generation":{"servers":3,"election_ms":500,"clients":[{"server":1,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1400000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"cut","from":[47],"to":[45,46]},
{"at_us":3232000,"do":"heal_all"},
{"at_us":3285000,"do":"write","server":54,"data":"put x 2"}
]}"#;

/// The same with pre-vote: G3 only asks whether it would win, and its term stays.
const GENERATION_PRE_VOTE: &str = r#"{"version":4,"seed":9,
"setup":{"voters":0,"systems":{"generation":{"servers":3,"election_ms":500,"pre_vote":true,"clients":[{"server":1,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1400000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"cut","from":[47],"to":[45,46]},
{"at_us":3232000,"do":"heal_all"},
{"at_us":3285000,"do":"write","server":54,"data":"put x 2"}
]}"#;

/// G1 is cut off with its client, and takes a write into its log. The others elect; when the link is healed that entry goes. Without
/// check-quorum, as in the paper: the old leader does not notice.
const GENERATION_OLD_LEADER: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"generation":{"servers":3,"election_ms":500,"check_quorum":false,"clients":[{"server":1,"timeout_ms":600},{"server":2,"timeout_ms":2000}]}}},
"actions":[
{"at_us":1400000,"do":"write","server":54,"data":"put x 1"},
{"at_us":1500000,"do":"cut","from":[45,54],"to":[46,47,55]},
{"at_us":1515000,"do":"write","server":54,"data":"put x 2"},
{"at_us":2020000,"do":"write","server":55,"data":"put x 3"},
{"at_us":2120000,"do":"write","server":54,"data":"get x --consistency=s"},
{"at_us":2185000,"do":"heal_all"},
{"at_us":2330000,"do":"write","server":54,"data":"get x --consistency=s"}
]}"#;

/// Raft's figure 8. In start-up: G1 gets x=2 to G2 and crashes; G5, elected by G3 and G4, takes x=3 and crashes. Without the empty entry
/// of a new leader, which is sent along in practice, x=2 reaches three of five, and is overwritten all the same.
const GENERATION_OLD_ENTRY: &str = r#"{"version":4,"seed":1,
"setup":{"voters":0,"systems":{"generation":{"servers":5,"election_ms":3000,"check_quorum":false,"broken":["no-empty-entry"],"clients":[{"server":1,"timeout_ms":3000},{"server":5,"timeout_ms":3000}]}}},
"actions":[
{"at_us":100000,"do":"write","server":45,"data":"campaign"},
{"at_us":250000,"do":"write","server":54,"data":"put x 1"},
{"at_us":500000,"do":"cut","from":[45],"to":[47,48,49]},
{"at_us":510000,"do":"write","server":54,"data":"put x 2"},
{"at_us":620000,"do":"crash","server":45},
{"at_us":700000,"do":"write","server":49,"data":"campaign"},
{"at_us":860000,"do":"cut","from":[49],"to":[46,47,48]},
{"at_us":870000,"do":"write","server":55,"data":"put x 3"},
{"at_us":960000,"do":"crash","server":49},
{"at_us":1000000,"do":"restart","server":45},
{"at_us":1000000,"do":"heal","from":[45],"to":[47]},
{"at_us":1150000,"do":"write","server":45,"data":"campaign"},
{"at_us":1260000,"do":"write","server":45,"data":"campaign"},
{"at_us":1420000,"do":"crash","server":45},
{"at_us":1425000,"do":"restart","server":49},
{"at_us":1425000,"do":"heal","from":[49],"to":[46,47]},
{"at_us":1490000,"do":"write","server":49,"data":"campaign"},
{"at_us":1560000,"do":"write","server":49,"data":"campaign"},
{"at_us":1690000,"do":"write","server":55,"data":"put x 4"},
{"at_us":1700000,"do":"heal_all"},
{"at_us":1710000,"do":"restart","server":45}
]}"#;
