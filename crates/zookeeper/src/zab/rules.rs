//! Rules of the protocol that a run can break on purpose, to show what each is for, and historical bugs by their JIRA id.
//! `docs/protocol-map.md` says for each what the default does and why.

use crate::base::rules;

rules! {
    /// One rule, broken.
    BrokenRule in Zab {
        /// The leader commits as soon as one server has acknowledged.
        CommitAtMinority = "commit-at-minority",
        /// Servers acknowledge a proposal before it is on disk.
        AckBeforeSync = "ack-before-sync",
        /// Zxids are ignored where a leader is chosen: in votes and in the check of ACKEPOCH.
        ElectionIgnoresZxid = "election-ignores-zxid",
        /// A new leader goes on in the largest epoch it heard of and does not raise it.
        LeaderKeepsEpoch = "leader-keeps-epoch",
        /// A follower obeys a leader whose epoch is below the one it has promised.
        FollowerObeysOlderEpoch = "follower-obeys-older-epoch",
        /// A server that is ahead of the leader keeps its tail: it gets an empty DIFF where TRUNC or SNAP is due (ZOOKEEPER-1154).
        RejoinWithoutTrunc = "rejoin-without-trunc",
        /// A leader serves before a quorum has its history.
        ServeBeforeSyncQuorum = "serve-before-sync-quorum",
        /// currentEpoch is written before the transactions it vouches for.
        EpochBeforeLog = "epoch-before-log" or "ZOOKEEPER-4643",
        /// Transactions received by DIFF are not on disk when NEWLEADER is acknowledged.
        Zookeeper3911 = "ZOOKEEPER-3911",
        /// Stepping down does not bring memory up to the own log.
        Zookeeper2845 = "ZOOKEEPER-2845",
        /// A half-finished SNAP stays in memory when the leader is lost.
        Zookeeper3642 = "ZOOKEEPER-3642",
        /// A server whose log is of a later epoch than its currentEpoch refuses to start.
        Zookeeper1653 = "ZOOKEEPER-1653",
        /// A learner that has accepted a later epoch than the leader's stays outside until the next election
        /// (`Learner.java` `registerWithLeader`; no JIRA issue).
        AcceptedEpochTrap = "accepted-epoch-trap",
        /// A half-finished TRUNC stays in memory when the leader is lost.
        Zookeeper5094 = "ZOOKEEPER-5094",
        /// All that was received is logged before NEWLEADER is acknowledged; a COMMIT that comes before UPTODATE finds no
        /// proposal, and the follower fails.
        Zookeeper4394 = "ZOOKEEPER-4394",
        /// What was received is logged and acknowledged before NEWLEADER is.
        Zookeeper4685 = "ZOOKEEPER-4685",
        /// A learner that loses its leader does not wait for its log before it looks for another.
        Zookeeper4712 = "ZOOKEEPER-4712",
        /// A learner answers heartbeats while it writes what it has received, before it acknowledges NEWLEADER.
        PingsAnsweredEarly = "pings-answered-early",
        /// Votes are not in a total order: with equal zxids the higher id wins, whatever the epochs say.
        VotesNotTotal = "votes-not-total" or "ZOOKEEPER-1419",
        /// Who has a leader does not tell those who look for one.
        ElectionAnswersNone = "election-answers-none",
        /// Epochs are in zxids only: a start knows that of its last transaction and no other.
        EpochsForgotten = "epochs-forgotten" or "ZOOKEEPER-335",
        /// A server promises an epoch before acceptedEpoch is on disk.
        PromiseNotOnDisk = "promise-not-on-disk",
        /// A leader that hears no majority goes on.
        LeaderNeverResigns = "leader-never-resigns",
        /// A learner stands where the header of its DIFF says, before it has what the DIFF carries.
        ZxidFromTheHeader = "zxid-from-the-header" or "ZOOKEEPER-2355",
        /// A leader whose counter is used up runs into the next epoch.
        CounterOverflows = "counter-overflows" or "ZOOKEEPER-1277",
        /// NEWLEADER is acknowledged before currentEpoch is on disk.
        EpochNotOnDisk = "epoch-not-on-disk",
        /// A vote speaks for the log alone: who has only a snapshot votes as if it had nothing.
        VoteByLogAlone = "vote-by-log-alone" or "ZOOKEEPER-582",
        /// A start takes the snapshot and not the log behind it.
        LogNotReplayed = "log-not-replayed",
        /// What a learner receives by DIFF does not enter its committed log.
        HoleInMemory = "hole-in-memory" or "ZOOKEEPER-4925",
        /// A vote is not said again when nothing is heard.
        VotesSaidOnce = "votes-said-once" or "ZOOKEEPER-481",
        /// A leader sends no heartbeats.
        NoHeartbeats = "no-heartbeats",
        /// Half of the voters are a quorum.
        HalfIsEnough = "half-is-enough",
        /// Observers count in quorums: among those who connect, who promise an epoch and who acknowledge NEWLEADER.
        ObserversCount = "observers-count" or "ZOOKEEPER-2959",
        /// A leader begins to synchronise before anybody else has promised its epoch.
        NoPromises = "no-promises",
        /// Who loses its leader, or steps down, cuts from its log what it has not seen committed.
        CommitOnlyWhatIsKnown = "commit-only-what-is-known",
        /// What a learner acknowledged before it was synchronised again still counts.
        OldAcksCount = "old-acks-count",
        /// An ACK counts for the oldest proposal that is still open, whichever it names.
        AckNamesNothing = "ack-names-nothing",
        /// A follower applies a proposal when it gets it, and does not wait for its COMMIT.
        AppliedBeforeCommit = "applied-before-commit",
        /// A learner that is synchronised is not sent the proposals that are open at that moment.
        GapInForwarding = "gap-in-forwarding",
        /// A leader waits for its quorum without a limit.
        EndlessPatience = "endless-patience",
        /// A learner never gives up a leader that is silent.
        LearnerNeverLeaves = "learner-never-leaves",
        /// A vote of a later round is not heard: every server stays in its own.
        LaterRoundsUnheard = "later-rounds-unheard",
        /// A majority that agrees decides at once; nobody waits for a better vote.
        NoLastWait = "no-last-wait",
        /// A leader is joined on the word of its followers, though it does not say itself that it leads.
        FollowTheDead = "follow-the-dead" or "ZOOKEEPER-480",
    }
}
