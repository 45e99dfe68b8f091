//! The page's lists of words in English: events of the space-time view, parameters, scenarios, keys, signs.

pub(super) const MOMENTS: &[(&str, &str)] = &[
    ("started", "{} starts"),
    ("crashed", "{} crashes"),
    ("exited", "{} ends itself"),
    ("paused", "{} is paused"),
    ("resumed", "{} goes on"),
    ("wiped", "{}'s disk is wiped"),
    ("looking", "{} looks for a leader"),
    ("elected", "{} decides for {}"),
    ("established", "{} leads epoch {}"),
    ("up_to_date", "{} serves in epoch {}"),
    ("left", "{} leaves its role"),
    ("proposed", "{} proposes {}"),
    ("committed", "{} commits {}"),
    ("synced", "{} has {} on its disk"),
    ("epoch_written", "{} has epoch {} on its disk"),
    ("snapshot", "{} has snapshot {} on its disk"),
    ("truncated", "{} cuts its log behind {}"),
    ("unsynced_lost", "{} loses what was not on its disk, from {} on"),
    ("asked", "a client asks {} for a write"),
    ("answered", "{} answers a write: {}"),
    ("failed", "a write at {} fails"),
    ("expired", "{} ends a session"),
    ("opened", "{} starts"),
    ("killed", "{} is killed"),
    ("connected", "{} is connected to {}"),
    ("disconnected", "{} loses {}"),
    ("ended", "{}'s session is over"),
    ("acquired", "{} has what it waited for"),
    ("released", "{} gives back what it had"),
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
    ("rejoin-trunc", "Rejoin by TRUNC", "An old leader must cut from its log what nobody else has."),
    ("minority-partition", "Minority partition", "The leader is cut off with a minority and steps down."),
    ("old-leader-returns", "The old leader returns", "A leader is paused too long; when it goes on, nobody obeys."),
    ("observer", "An observer", "It follows without a vote, and passes writes on."),
    ("counter-rollover", "Counter rollover", "The zxid counter is used up; the leader resigns for a new epoch."),
    (
        "zk-tree",
        "The tree",
        "Every kind of node and every operation; what a node's life hangs on decides when it goes.",
    ),
    ("zk-stat", "The Stat", "Each operation moves its own fields of the Stat and no others."),
    ("zk-version", "Versions", "Two clients set the same node and expect version 0; the second gets BadVersion."),
    (
        "zk-watch",
        "Watches",
        "A watch fires once and carries no data; what changes before it is set again is not told.",
    ),
    ("zk-session", "Sessions", "An ephemeral node outlives the connection and goes with the session."),
    (
        "zk-guarantees",
        "Guarantees",
        "Order, all or nothing, never back in time, never lost: each is put to the test.",
    ),
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
        "A holder sleeps past its session and writes on: two holders, unless tokens are checked.",
    ),
    ("elect-naive", "Naive election", "Everybody tries to create /leader; the losers watch it and all wake up."),
    ("elect-latch", "LeaderLatch", "Leadership is kept until close or death; the next in line takes over."),
    ("elect-selector", "LeaderSelector", "takeLeadership returns: leadership is given up and queued for again."),
    ("elect-worker", "Worker group", "Each worker watches the one before it; only the next hears of a death."),
    (
        "use-master-worker",
        "Master and workers",
        "Tasks are assigned; a worker dies, the master dies, the backup takes over.",
    ),
    ("use-config", "Configuration", "Published once; every subscriber hears of it and reads the new value."),
    ("use-naming", "Names and a balancer", "Services register; the balancer follows who comes and goes."),
    ("use-standby", "Hot standby", "The smallest runs, the others wait; the next goes on from lastCommit."),
    ("use-collectors", "Log collectors", "Sources are shared out; a silent collector's sources move."),
    ("use-queue", "Queue", "First in, first out: consumers race for each item."),
    ("use-barrier", "Double barrier", "Nobody begins before all have come, nobody leaves before all are done."),
];

pub(super) const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "Time",
        &[
            ("Space", "play, pause"),
            ("→ ←", "one event on, back"),
            ("Shift → ←", "one turning point on, back"),
            ("Page ↓ ↑", "the same, as a clicker sends it"),
            ("Ctrl Z", "undo; Ctrl Shift Z: redo"),
        ],
    ),
    (
        "Hands",
        &[
            ("1 – 9", "select a server"),
            ("C", "crash or restart it; kill the selected client"),
            ("P", "pause or resume it; hold or release the selected packet"),
            (
                "X",
                "isolate it; cut the selected link; disconnect the selected client; with nothing selected: partition",
            ),
            ("W", "write at it"),
            ("N", "new client, at the selected server if one is"),
            ("M", "the next packet on its way; Shift M: the one before"),
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
            ("F", "nothing but the stage, and everything again"),
            ("B .", "dark screen, and back"),
            ("?", "this page"),
            ("Esc", "close"),
        ],
    ),
];

pub(super) const SEES: &[(&str, &str)] = &[
    (
        "Servers",
        "A card each: role, phase, epoch (1 → 2: of epoch 1, has promised 2), the last zxid, and the last transactions as squares in the colour of their epoch. What is on disk stays when a server crashes.",
    ),
    (
        "Links and packets",
        "Packets move by virtual time, so a pause freezes them. The thick links are those of the leader; small squares at its end wait for that follower's ACK.",
    ),
    ("Counts", "One for each proposal that waits: ACK by ACK, until the line of the majority is passed."),
    ("Clients", "A pill each, beside their server. A dashed line is a connection in the making."),
    ("Narration", "The newest fact as a sentence, and the rule behind it. The arrow opens what came before."),
    (
        "Timeline",
        "Reigns as bands, commits as ticks, what was done as diamonds that can be dragged. Click anywhere to be there.",
    ),
];

pub(super) const WELCOME: [(&str, &str); 3] = [
    (
        "Time is yours",
        "Below: play and pause (Space), one event on or back (→ ←), and a timeline on which you can go anywhere.",
    ),
    (
        "Touch anything",
        "On the stage: click a server, a link, a packet or a client. Crash it, cut it, look inside. All of it can be undone.",
    ),
    (
        "Look closer",
        "In the panels: proposals, znodes, sessions, logs. Press ? for all keys and signs, L for a lecture hall.",
    ),
];

pub(super) const LEGEND: &[(&str, &str)] = &[
    ("queued", "transaction on its way to the disk"),
    ("logged", "on disk"),
    ("applied", "committed here; the colour is the epoch"),
    ("lost", "cut from the log, about to vanish"),
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
    ("queue", "at the leader: proposals without that follower's ACK"),
];
