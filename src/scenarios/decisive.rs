//! The decisive facts of each scenario beside those with which its chapters begin: what somebody who has watched it must have been told.

use super::Scenario;
use super::pattern::Pattern;

impl Scenario {
    /// The decisive facts that begin no chapter, each of them where it first happens.
    pub fn decisive(&self) -> &'static [Pattern<'static>] {
        DECISIVE.iter().find(|(id, _)| *id == self.id).map_or(&[], |(_, patterns)| patterns)
    }
}

/// By the names of scenarios.
const DECISIVE: &[(&str, &[Pattern<'static>])] = &[
    ("cold-start-3", &[Pattern("vote_changed"), Pattern("established"), Pattern("committed zxid=1:1")]),
    ("cold-start-5", &[Pattern("established")]),
    ("leader-crash-under-load", &[Pattern("sync_chosen sync=DIFF"), Pattern("up_to_date server=3")]),
    ("uncommitted-kept", &[Pattern("link_cut")]),
    ("rejoin-diff", &[Pattern("committed zxid=1:6"), Pattern("up_to_date server=1"), Pattern("committed zxid=1:7")]),
    ("rejoin-snap", &[Pattern("committed zxid=1:9")]),
    ("rejoin-trunc", &[Pattern("log_truncated"), Pattern("committed zxid=2:1")]),
    ("minority-partition", &[Pattern("link_cut"), Pattern("sync_chosen sync=SNAP")]),
    (
        "old-leader-returns",
        &[Pattern("write_failed server=3"), Pattern("elected server=3"), Pattern("sync_chosen sync=SNAP")],
    ),
    (
        "observer",
        &[Pattern("write_answered zxid=1:1"), Pattern("committed zxid=1:3"), Pattern("learner_dropped learner=4")],
    ),
    ("counter-rollover", &[Pattern("elected role=LEADING")]),
    ("leader-power-off", &[Pattern("crashed"), Pattern("elected role=LEADING"), Pattern("sync_chosen sync=DIFF")]),
    ("zab-heartbeat", &[Pattern("resumed server=1"), Pattern("established epoch=2")]),
    ("snap-too-slow", &[Pattern("sync_chosen learner=2"), Pattern("established"), Pattern("up_to_date server=1")]),
    ("disk-full", &[Pattern("unsynced_lost")]),
    ("reconfig-grow", &[Pattern("config_seen"), Pattern("crashed server=2")]),
    ("reconfig-no-quorum", &[Pattern("up_to_date server=4")]),
    ("reconfig-leader-leaves", &[Pattern("elected role=LEADING"), Pattern("left role=LEADING")]),
    (
        "config-by-hand",
        &[Pattern("started server=5"), Pattern("elected role=LEADING"), Pattern("committed zxid=1:3")],
    ),
    ("quorum-groups", &[Pattern("elected role=LEADING")]),
    ("zk-tree", &[Pattern("answered code=NoNode")]),
    ("zk-stat", &[Pattern("answered call=1")]),
    (
        "zk-version",
        &[
            Pattern("answered client=2 call=3"),
            Pattern("called client=2 call=4"),
            Pattern("answered client=2 call=4"),
        ],
    ),
    ("zk-watch", &[Pattern("notified")]),
    ("zk-session", &[Pattern("notified")]),
    ("zk-guarantees", &[Pattern("answered code=NodeExists")]),
    ("zk-stale-read", &[Pattern("answered client=1 call=1")]),
    ("zk-cli", &[Pattern("answered client=1 call=3"), Pattern("answered client=1 call=11")]),
    ("leader-serves-no", &[Pattern("crashed"), Pattern("established")]),
    ("quota", &[Pattern("answered code=QuotaExceeded")]),
    ("read-only-mode", &[Pattern("link_cut")]),
    ("local-sessions", &[Pattern("client_ended")]),
    ("lock-herd", &[Pattern("watch_fired")]),
    ("lock-predecessor", &[Pattern("watch_fired"), Pattern("notified")]),
    ("lock-mutex", &[Pattern("watch_fired client=3")]),
    ("lock-semaphore", &[Pattern("released")]),
    ("lock-watch-all", &[Pattern("acquired client=4")]),
    ("lock-readwrite", &[Pattern("released"), Pattern("watch_fired")]),
    ("lock-pause", &[Pattern("client_paused"), Pattern("resource_written client=1")]),
    ("elect-naive", &[Pattern("client_killed")]),
    ("elect-latch", &[Pattern("session_closed")]),
    ("elect-selector", &[Pattern("watch_fired")]),
    ("elect-worker", &[Pattern("client_killed"), Pattern("session_closed")]),
    ("use-master-worker", &[Pattern("session_closed")]),
    ("use-config", &[Pattern("told client=4 about=limit=20"), Pattern("told client=3 about=limit=20")]),
    ("use-naming", &[Pattern("client_killed"), Pattern("session_expired")]),
    ("use-standby", &[Pattern("client_killed"), Pattern("proposed zxid=1:18"), Pattern("committed zxid=1:18")]),
    ("use-collectors", &[Pattern("session_expired")]),
    ("use-queue", &[Pattern("answered code=NoNode"), Pattern("consumed client=4")]),
    ("use-barrier", &[Pattern("told what=entered"), Pattern("waits_behind client=2")]),
    ("use-persistent-node", &[Pattern("connection_state state=LOST"), Pattern("callback callback=nodeCreated")]),
    ("use-cache", &[Pattern("answered code=NoNode")]),
    ("use-discovery", &[Pattern("session_expired")]),
];
