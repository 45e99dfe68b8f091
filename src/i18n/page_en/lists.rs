//! The page's lists of words in English: events of the space-time view, parameters, scenarios, keys, signs.

pub(super) const MOMENTS: &[(&str, &str)] = &[
    ("started", "{} starts"),
    ("crashed", "{} crashes"),
    ("exited", "{} exits"),
    ("paused", "{} is paused"),
    ("resumed", "{} resumes"),
    ("wiped", "{}'s disk is wiped"),
    ("looking", "{} looks for a leader"),
    ("elected", "{} elects {}"),
    ("established", "{} leads epoch {}"),
    ("up_to_date", "{} serves in epoch {}"),
    ("left", "{} leaves its role"),
    ("proposed", "{} proposes {}"),
    ("committed", "{} commits {}"),
    ("synced", "{} syncs {} to disk"),
    ("epoch_written", "{} writes epoch {} to disk"),
    ("snapshot", "{} writes snapshot {} to disk"),
    ("truncated", "{} truncates its log after {}"),
    ("unsynced_lost", "{} loses unsynced transactions from {}"),
    ("asked", "a client sends {} a write"),
    ("answered", "{} answers a write: {}"),
    ("failed", "a write at {} fails"),
    ("expired", "{} expires a session"),
    ("opened", "{} starts"),
    ("killed", "{} is killed"),
    ("connected", "{} is connected to {}"),
    ("disconnected", "{} loses {}"),
    ("ended", "{}'s session ends"),
    ("acquired", "{} acquires it"),
    ("released", "{} releases it"),
    ("wrote", "{} writes to a resource"),
    ("refused", "a resource refuses {}"),
    ("cut", "the link {} → {} is cut"),
    ("healed", "the link {} → {} is healed"),
];

pub(super) const PARAMS: &[(&str, &str)] = &[
    ("clients", "Clients"),
    ("hold_ms", "Hold, ms"),
    ("rounds", "Rounds"),
    ("timeout_ms", "Session timeout, ms"),
    ("depth", "Depth"),
    ("leases", "Leases"),
    ("fencing", "Fencing (0, 1)"),
];

pub(super) const SCENARIOS: &[(&str, &str, &str)] = &[
    ("cold-start-3", "Cold start of three", "Three servers start together and elect a leader; a client writes."),
    ("cold-start-5", "Cold start of five", "Five servers start one after another; the third completes the majority."),
    (
        "leader-crash-under-load",
        "Leader crash under load",
        "The leader dies while clients write; a new one takes over.",
    ),
    ("uncommitted-kept", "A last commit survives", "The leader commits and dies before its COMMIT arrives anywhere."),
    ("rejoin-diff", "Rejoin by DIFF", "A follower missed a few transactions and gets only those."),
    ("rejoin-snap", "Rejoin by SNAP", "A follower missed too many and gets the whole state."),
    ("rejoin-trunc", "Rejoin by TRUNC", "An old leader must truncate transactions that nobody else has."),
    ("minority-partition", "Minority partition", "The leader is cut off with a minority and steps down."),
    (
        "old-leader-returns",
        "The old leader returns",
        "A leader is paused too long; when it resumes, nobody obeys it.",
    ),
    ("observer", "An observer", "It follows without a vote and forwards writes."),
    ("counter-rollover", "Counter rollover", "The zxid counter is used up; the leader resigns for a new epoch."),
    ("zk-tree", "The tree", "Every kind of node and every operation; each kind of node has its own lifetime."),
    ("zk-stat", "The Stat", "Each operation changes its own fields of the Stat and no others."),
    ("zk-version", "Versions", "Two clients set the same node and expect version 0; the second gets BadVersion."),
    ("zk-watch", "Watches", "A watch fires once and carries no data; changes before it is set again go unnoticed."),
    ("zk-session", "Sessions", "An ephemeral node outlives the connection and goes with the session."),
    ("zk-guarantees", "Guarantees", "Ordering, atomicity, a single system image, durability: each put to the test."),
    ("zk-stale-read", "A stale read", "A follower behind a slow link answers with old data; sync cures it."),
    ("lock-herd", "The herd", "Everybody watches one node: each release wakes all N waiters, and one wins."),
    ("lock-predecessor", "Predecessor watches", "Each waiter watches only the one before it: a release wakes one."),
    (
        "lock-mutex",
        "InterProcessMutex",
        "Curator's lock: sequential nodes, each waiter watches only the one before it.",
    ),
    ("lock-semaphore", "Semaphore", "Leases for two at a time; only the first in the queue watches the leases."),
    ("lock-watch-all", "Read/write lock, all watching", "Waiters watch all children: every change wakes everybody."),
    ("lock-readwrite", "Read/write lock", "Readers pass readers; a writer waits for all before it."),
    (
        "lock-pause",
        "Paused holder",
        "A holder pauses past its session timeout, then keeps writing: two holders, unless tokens are checked.",
    ),
    ("elect-naive", "Naive election", "Everybody tries to create /leader; the losers watch it and all wake up."),
    ("elect-latch", "LeaderLatch", "Leadership is kept until close or death; the next in line takes over."),
    ("elect-selector", "LeaderSelector", "When takeLeadership returns, leadership is released and requested again."),
    ("elect-worker", "Worker group", "Each worker watches the one before it; only the next learns of a death."),
    (
        "use-master-worker",
        "Master and workers",
        "Tasks are assigned; a worker dies, the master dies, the backup takes over.",
    ),
    ("use-config", "Configuration", "Published once; every subscriber is notified and reads the new value."),
    ("use-naming", "Names and a balancer", "Services register; the balancer tracks who comes and goes."),
    ("use-standby", "Hot standby", "The lowest-numbered instance runs; the next one resumes from lastCommit."),
    ("use-collectors", "Log collectors", "Sources are shared out; a silent collector's sources move."),
    ("use-queue", "Queue", "First in, first out: consumers race for each item."),
    (
        "use-barrier",
        "Double barrier",
        "Nobody starts until everyone has arrived; nobody leaves until everyone is done.",
    ),
];

pub(super) const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "Time",
        &[
            ("Space", "play, pause"),
            ("→ ←", "one event forward, back"),
            ("Shift → ←", "one milestone forward, back"),
            ("Page ↓ ↑", "the same, for a clicker"),
            ("Ctrl Z", "undo; Ctrl Shift Z: redo"),
        ],
    ),
    (
        "Actions",
        &[
            ("1 – 9", "select a server"),
            ("C", "crash or restart it; kill the selected client"),
            ("P", "pause or resume it; hold or release the selected packet"),
            (
                "X",
                "isolate it; cut the selected link; disconnect the selected client; with nothing selected: partition",
            ),
            ("W", "write to it"),
            ("N", "new client, at the selected server if one is"),
            ("M", "next packet in flight; Shift M: previous one"),
            ("H", "heal all links"),
        ],
    ),
    (
        "View",
        &[
            ("S", "space-time view, and back"),
            ("G", "all scenarios"),
            ("/", "console"),
            ("L", "lecture-hall mode: large type, high contrast"),
            ("F", "stage only, and back"),
            ("B .", "dark screen, and back"),
            ("?", "this page"),
            ("Esc", "close"),
        ],
    ),
];

pub(super) const SEES: &[(&str, &str)] = &[
    (
        "Servers",
        "One card each: role, phase, epoch (1 → 2: of epoch 1, has promised 2), the last zxid, and the last transactions as squares in the colour of their epoch. Data on disk survives a crash.",
    ),
    (
        "Links and packets",
        "Packets move in virtual time, so pausing freezes them. Thick links belong to the leader; small squares at its end wait for that follower's ACK.",
    ),
    ("Counts", "One per waiting proposal: ACK by ACK, until it passes the majority line."),
    ("Clients", "One pill each, next to their server. A dashed line: still connecting."),
    ("Narration", "The newest fact as a sentence, and the rule behind it. The arrow opens earlier ones."),
    ("Timeline", "Reigns as bands, commits as ticks, actions as diamonds you can drag. Click anywhere to go there."),
];

pub(super) const WELCOME: [(&str, &str); 3] = [
    (
        "Time is yours",
        "Below: play and pause (Space), one event forward or back (→ ←), and a timeline to jump anywhere.",
    ),
    (
        "Touch anything",
        "On the stage: click a server, a link, a packet or a client. Crash it, cut it, look inside. Everything can be undone.",
    ),
    (
        "Look closer",
        "In the panels: proposals, znodes, sessions, logs. Press ? for all keys and signs, L for a lecture hall.",
    ),
];

pub(super) const LEGEND: &[(&str, &str)] = &[
    ("queued", "transaction being written to disk"),
    ("logged", "on disk"),
    ("applied", "committed here; the colour is the epoch"),
    ("lost", "truncated from the log, about to vanish"),
    ("NOTIFICATION", "vote of an election; beside it, for whom"),
    ("PROPOSAL", "PROPOSAL: write this to your log"),
    ("ACK", "ACK: it is on my disk"),
    ("COMMIT", "COMMIT: a majority has it (I = INFORM, to observers)"),
    ("REQUEST", "a client's write on its way to the leader"),
    ("LEADERINFO", "discovery and synchronisation, shortened: LINFO = LEADERINFO …"),
    ("PING", "heartbeat, of a server or of a client"),
    ("create", "client to server: a write (S = sync)"),
    ("getData", "client to server: a read"),
    ("REPLY", "the answer; ! for a refusal"),
    ("WATCH_EVENT", "a watch fired: something changed, without the data"),
    ("CONNECT", "a client's CONNECT, and the answer"),
    ("meter", "a count; the line marks the majority"),
    ("queue", "at the leader: proposals this follower has not ACKed"),
];
