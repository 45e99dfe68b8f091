//! Ways of released versions that no run names one by one: its setup names the version (`"zookeeper"`, `"curator"`, `"kazoo"`). What
//! has an issue of its own, and is a bug of the protocol or of what keeps it, is a rule that a run can break instead.

use super::rules::rules;

rules! {
    /// A way of a released version that is not ours. `docs/protocol-map.md` has the table.
    Way in Version {
        /// A follower ends its process (exit codes 12 and 13) where ours leaves its leader and looks again; and a COMMIT
        /// during the synchronisation that fits no proposal is only warned of.
        LearnerExits = "learner-exits",
        /// A leader that synchronises a learner again keeps its earlier acknowledgements and connections.
        AcksKept = "acks-kept",
        /// The old log stays, after SNAP and behind a newer snapshot.
        OldLogKept = "old-log-kept",
        /// TRUNC keeps one transaction where its target is not in the log, and the snapshot after it is not synced.
        LooseCut = "loose-cut",
        /// A server whose log could not be written keeps in memory what it has committed beyond it.
        AheadOfLog = "ahead-of-log",
        /// A gap among the proposals of a synchronisation is only warned of, and one in the log that a start replays is not seen.
        GapsTaken = "gaps-taken",
        /// One committed transaction more than `commitLogCount` is in memory: the count is looked at before one is added.
        OneMoreInMemory = "one-more-in-memory",
        /// A learner puts the configuration that came with NEWLEADER in force with UPTODATE, though it may be proposed only; and one that
        /// is committed between the two it may miss.
        ProposedInForce = "proposed-in-force",
        /// What was proposed while two configurations counted needs a quorum of both, even when the later one is in force.
        BothToTheEnd = "both-to-the-end",
        /// A server that has seen a configuration proposed joins a leader only if a quorum of that follows it too, though nobody may ever
        /// have committed it.
        JoinsByBoth = "joins-by-both",
        /// Who is to vote and follows as an observer keeps its leader in office, though it gets no proposals.
        ObserversKeepLeader = "observers-keep-leader",
        /// Who votes in a configuration that is only proposed, and not in the one in force, votes for nobody; that its round is later is not read.
        JoinersUnheard = "joiners-unheard",
        /// A server that its own configuration does not name cannot start.
        OutsidersExit = "outsiders-exit",
        /// Events carry -1 rather than the zxid of the change.
        EventsWithoutZxid = "events-without-zxid",
        /// A client that reaches no server waits for ever.
        ClientNeverExpires = "client-never-expires",
        /// A client that never had a session gives up, too, where none of its servers was heard for 4/3 of the timeout.
        NewSessionsExpire = "new-sessions-expire",
        /// A version may be -1, which a request cannot name: there it means any.
        MinusOneCounted = "minus-one-counted",
        /// A container that never had a child goes after five minutes, where the setup says nothing else.
        UnusedContainersGo = "unused-containers-go",
        /// A reader that holds the write lock takes its writer's number (CURATOR-621).
        ReaderKeepsPlace = "reader-keeps-place",
        /// A latch that is first leads only if its node is of its session (CURATOR-696).
        LatchReadsOwn = "latch-reads-own",
        /// A latch looks again at every reconnection, and makes a new node where its path is gone (CURATOR-724).
        LatchSurvivesWipe = "latch-survives-wipe",
        /// Interrupting a selector's leadership spares a round that waits (CURATOR-518, 671).
        SelectorSparesWaiting = "selector-spares-waiting",
        /// What is above a path is looked for from the path up, to the first node that is there (CURATOR-715, 728).
        ParentsFromBelow = "parents-from-below",
        /// A shared value is newer whose mzxid is larger, not its version (CURATOR-688).
        NewerByMzxid = "newer-by-mzxid",
        /// An acquire that fails says why, even if its node then cannot be deleted (CURATOR-41).
        FirstErrorKept = "first-error-kept",
        /// The parent of a PersistentTtlNode has the time to live of its child, and is no container (#1260).
        ParentHasTtl = "parent-has-ttl",
        /// `KazooRetry(max_tries=N)` calls N + 1 times.
        TriesOnceMore = "tries-once-more",
        /// kazoo's `client.stop()` sends one of the requests that are queued, and cuts the connection.
        StopCuts = "stop-cuts",
    }
}

impl Way {
    /// What Curator 5.9.0 does otherwise than 5.4.0.
    pub const OF_CURATOR_5_9: [Way; 8] = [
        Way::ReaderKeepsPlace,
        Way::LatchReadsOwn,
        Way::LatchSurvivesWipe,
        Way::SelectorSparesWaiting,
        Way::ParentsFromBelow,
        Way::NewerByMzxid,
        Way::FirstErrorKept,
        Way::ParentHasTtl,
    ];
}
