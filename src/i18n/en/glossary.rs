//! English: the terms of sentences, as they stand there, and what they mean.

use crate::i18n::words::Terms;

/// The glossary. A longer form stands before one that it begins with.
pub(super) const GLOSSARY: Terms = &[
    (
        &["quorum", "majority"],
        "Enough servers to decide: more than half of the voters. Any two such groups share a server.",
    ),
    (
        &["currentEpoch", "acceptedEpoch", "epoch"],
        "The time of one leader, numbered. A higher epoch always overrules a lower one.",
    ),
    (
        &["zxids", "zxid"],
        "The number of a write, epoch:counter. All servers apply writes in the order of their zxids.",
    ),
    (
        &["PROPOSAL", "proposals", "proposal"],
        "A write that the leader sends to its followers to be logged. It is not decided yet.",
    ),
    (&["ACKs", "ACK"], "A follower's answer: it is on my disk."),
    (
        &["COMMIT", "committed", "commits", "commit"],
        "Decided: a majority has it on disk, and no later leader can lose it.",
    ),
    (&["DIFF"], "The leader sends a returning server only the writes that it misses."),
    (&["TRUNC"], "The leader tells a returning server to cut off the end of its log that nobody else has."),
    (&["SNAP"], "The leader sends its whole state, because the log no longer reaches back far enough."),
    (
        &["NEWLEADER"],
        "The leader's last word in synchronization: whoever has all of its history on disk acknowledges this.",
    ),
    (&["UPTODATE"], "The leader is established; the server that hears this may serve clients."),
    (&["observers", "observer"], "A server that learns all writes and serves clients, but has no vote."),
    (&["ephemerals", "ephemeral"], "A node that lives as long as the session that created it."),
    (&["sequential"], "A node to whose name its parent appends the next number."),
    (
        &["sessions", "session"],
        "A client's life at the ensemble. It outlives connections, and ends when nothing is heard for its timeout.",
    ),
    (&["watch"], "A request to be told once when a node changes."),
    (&["znodes", "znode"], "A node of ZooKeeper's tree: it has data, a version, and perhaps children."),
    (&["Stat"], "What ZooKeeper knows of a node: who changed it when, how often, and how many children it has."),
    (
        &["tokens", "token"],
        "A number that grows with each holder. A resource that checks it refuses whoever held before.",
    ),
    (&["herd"], "All wait for the same thing, so all wake when it happens, and only one can win."),
    (
        &["initLimit", "syncLimit"],
        "How many ticks a server is waited for: initLimit while it catches up, syncLimit later.",
    ),
];
