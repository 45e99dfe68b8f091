//! English: rules that a run can break, and properties that must hold.

use crate::base::ServiceRule;
use crate::check::Evidence;
use crate::i18n::words::Entry;
use crate::recipes::RecipeRule;
use crate::server::FileRule;
use crate::sim::Rule;
use crate::zab::BrokenRule;

pub(super) fn rule(rule: Rule) -> Entry {
    match rule {
        Rule::Recipe(rule) => recipe(rule),
        Rule::Zab(BrokenRule::CommitAtMinority) => (
            "Commit without a majority",
            "The leader commits at the first ACK; if the few servers that have the transaction fail, it is gone.",
        ),
        Rule::Zab(BrokenRule::AckBeforeSync) => (
            "ACK before the disk",
            "Servers acknowledge a proposal before it is on disk; a crash then takes what they have vouched for.",
        ),
        Rule::Zab(BrokenRule::ElectionIgnoresZxid) => (
            "Election ignores the zxid",
            "Histories are not compared; a server that misses committed transactions can become the leader.",
        ),
        Rule::Zab(BrokenRule::LeaderKeepsEpoch) => (
            "The epoch is not raised",
            "A new leader continues in the old epoch; two leaders can give one zxid to two different transactions.",
        ),
        Rule::Zab(BrokenRule::FollowerObeysOlderEpoch) => (
            "Followers forget their promise",
            "A server obeys a leader of an older epoch than it has promised; an overtaken leader can still commit.",
        ),
        Rule::Zab(BrokenRule::RejoinWithoutTrunc) => (
            "No TRUNC on return (ZOOKEEPER-1154)",
            "A server with a tail that nobody else has gets a plain DIFF and keeps the tail; the histories differ.",
        ),
        Rule::Zab(BrokenRule::ServeBeforeSyncQuorum) => (
            "Serving before the majority is in sync",
            "A leader serves before a majority has its history; what clients then see can be lost with it.",
        ),
        Rule::Zab(BrokenRule::EpochBeforeLog) => (
            "currentEpoch before the log (ZOOKEEPER-4643)",
            "currentEpoch is written before the transactions it vouches for; a crash between makes a short log win.",
        ),
        Rule::Zab(BrokenRule::Zookeeper3911) => (
            "DIFF not on disk (ZOOKEEPER-3911)",
            "NEWLEADER is acknowledged while the DIFF is only in memory; a crash takes a history that was counted.",
        ),
        Rule::Zab(BrokenRule::Zookeeper2845) => (
            "Memory behind the log (ZOOKEEPER-2845)",
            "A server steps down without taking its own log into memory; a logged transaction hides, then returns.",
        ),
        Rule::Zab(BrokenRule::Zookeeper3642) => (
            "Half a SNAP is kept (ZOOKEEPER-3642)",
            "A half-installed state stays in memory; the server votes with what is not on its disk.",
        ),
        Rule::Server(FileRule::Zookeeper4837) => (
            "TRUNC leaves newer snapshots (ZOOKEEPER-4837)",
            "The log is cut, but a snapshot that holds the cut transactions stays and brings them back.",
        ),
        Rule::Zab(BrokenRule::Zookeeper1653) => (
            "Refuses to start (ZOOKEEPER-1653)",
            "After a crash between the log and currentEpoch a server does not start; nothing is lost, but it is out.",
        ),
        Rule::Zab(BrokenRule::Zookeeper5094) => (
            "Half a TRUNC is kept (ZOOKEEPER-5094)",
            "What came after TRUNC stays in memory; the server votes with what is not on its disk.",
        ),
        Rule::Zab(BrokenRule::Zookeeper4394) => (
            "A COMMIT without its proposal (ZOOKEEPER-4394)",
            "All is logged before NEWLEADER's ACK; a COMMIT before UPTODATE then fits nothing, and the follower fails.",
        ),
        Rule::Zab(BrokenRule::Zookeeper4685) => (
            "An ACK overtakes NEWLEADER's (ZOOKEEPER-4685)",
            "Proposals are acknowledged before NEWLEADER; the leader does not count that and waits in vain.",
        ),
        Rule::Zab(BrokenRule::Zookeeper4712) => (
            "The log goes on alone (ZOOKEEPER-4712)",
            "A learner that loses its leader votes before its queued transactions are logged; its memory falls behind.",
        ),
        Rule::Zab(BrokenRule::PingsAnsweredEarly) => (
            "PINGs are answered early",
            "A learner answers PINGs while it writes what it has received; its leader waits for an ACK, and drops it.",
        ),
        Rule::Zab(BrokenRule::VotesNotTotal) => (
            "Votes without an order (ZOOKEEPER-1419)",
            "With equal zxids the higher id wins, even against a later epoch; two votes then beat each other for ever.",
        ),
        Rule::Zab(BrokenRule::ElectionAnswersNone) => (
            "Nobody answers latecomers",
            "Servers that have a leader do not name it to those who look for one; whoever comes late stays alone.",
        ),
        Rule::Zab(BrokenRule::EpochsForgotten) => (
            "Epochs are not kept (ZOOKEEPER-335)",
            "A start knows only the epoch of its last transaction; a reign without a write is reigned a second time.",
        ),
        Rule::Zab(BrokenRule::PromiseNotOnDisk) => (
            "The promise is not on disk",
            "A server promises an epoch before acceptedEpoch is written; after a crash it obeys an older one.",
        ),
        Rule::Zab(BrokenRule::LeaderNeverResigns) => (
            "A leader without a majority goes on",
            "It hears no majority and stays; its clients read old data, and it never joins the others.",
        ),
        Rule::Zab(BrokenRule::ZxidFromTheHeader) => (
            "The zxid of the header (ZOOKEEPER-2355)",
            "A learner claims the end of its DIFF when the DIFF begins; if the connection breaks, the claim is false.",
        ),
        Rule::Zab(BrokenRule::CounterOverflows) => (
            "The counter overflows (ZOOKEEPER-1277)",
            "A leader does not resign when its counter is used up; its next zxid is of an epoch that is not its own.",
        ),
        Rule::Zab(BrokenRule::EpochNotOnDisk) => (
            "currentEpoch is not on disk",
            "NEWLEADER is acknowledged before currentEpoch is written; a crash takes a vote that was counted.",
        ),
        Rule::Zab(BrokenRule::VoteByLogAlone) => (
            "A vote without the snapshot (ZOOKEEPER-582)",
            "A server that has only a snapshot votes as if it had nothing; a shorter history can win.",
        ),
        Rule::Zab(BrokenRule::LogNotReplayed) => (
            "The log is not replayed",
            "A start loads the snapshot and not the log behind it; memory lacks what the disk has.",
        ),
        Rule::Zab(BrokenRule::HoleInMemory) => (
            "A hole in the committed log (ZOOKEEPER-4925)",
            "What comes by DIFF is not remembered for others; as leader the server sends a DIFF that lacks it.",
        ),
        Rule::Zab(BrokenRule::VotesSaidOnce) => (
            "Votes are said once (ZOOKEEPER-481)",
            "A server that hears nothing does not repeat its vote; if one message is lost, the election does not end.",
        ),
        Rule::Zab(BrokenRule::NoHeartbeats) => (
            "No heartbeats",
            "A leader with nothing to say is silent; its followers take it for dead and elect again and again.",
        ),
        Rule::Zab(BrokenRule::HalfIsEnough) => (
            "Half of the voters are enough",
            "Of four voters two decide; when the ensemble is split in halves, both have a leader and both commit.",
        ),
        Rule::Zab(BrokenRule::ObserversCount) => (
            "Observers count (ZOOKEEPER-2959)",
            "A leader counts observers in its quorums; it takes office though no majority of voters has its history.",
        ),
        Rule::Zab(BrokenRule::NoPromises) => (
            "An epoch without promises",
            "A leader does not wait for a majority's promises; if it fails, the next one takes the same epoch.",
        ),
        Rule::Zab(BrokenRule::CommitOnlyWhatIsKnown) => (
            "Only what is known to be committed stays",
            "A server that loses its leader cuts what it has not seen committed; if COMMIT was on its way, it is lost.",
        ),
        Rule::Zab(BrokenRule::OldAcksCount) => (
            "Old ACKs still count",
            "An ACK from before a follower was synchronised again counts, though its log was cut; a disk is missing.",
        ),
        Rule::Zab(BrokenRule::AckNamesNothing) => (
            "An ACK counts for any proposal",
            "An ACK counts for the oldest open proposal, whichever it names; a late one commits what nobody else has.",
        ),
        Rule::Zab(BrokenRule::AppliedBeforeCommit) => (
            "Applied before the COMMIT",
            "A follower applies a proposal as soon as it gets it; its clients read what may never be committed.",
        ),
        Rule::Zab(BrokenRule::GapInForwarding) => (
            "Open proposals are not sent again",
            "A server that joins does not get the proposals that are open just then; its log has a hole.",
        ),
        Rule::Zab(BrokenRule::EndlessPatience) => (
            "A leader waits without end",
            "A new leader whose followers do not come waits for ever; it never joins the leader that the others have.",
        ),
        Rule::Zab(BrokenRule::LearnerNeverLeaves) => (
            "A silent leader is never given up",
            "Followers that hear nothing of their leader wait on; cut off from it, they elect no other.",
        ),
        Rule::Zab(BrokenRule::LaterRoundsUnheard) => (
            "Later rounds are not joined",
            "Each server stays in its own round of the election and hears only votes of that; two that differ never agree.",
        ),
        Rule::Zab(BrokenRule::NoLastWait) => (
            "No wait for a better vote",
            "A server decides as soon as a majority agrees; a better vote comes too late, and two servers lead.",
        ),
        Rule::Zab(BrokenRule::FollowTheDead) => (
            "A dead leader is followed (ZOOKEEPER-480)",
            "Servers join a leader on the word of its followers; one after the other comes back to a leader that is dead.",
        ),
        Rule::Server(FileRule::CutOneTooMany) => (
            "TRUNC cuts too much (ZOOKEEPER-1156)",
            "The last transaction that the leader has is cut as well; a log has a hole, or a commit one disk less.",
        ),
        Rule::Service(ServiceRule::NoLookAhead) => (
            "Judged by what is applied",
            "The leader does not see what it has proposed itself; two writes that name the same version both succeed.",
        ),
        Rule::Service(ServiceRule::MultiHalfApplied) => (
            "Half a multi",
            "If a part of a multi fails, the parts before it stay; others see a state that nobody wanted.",
        ),
        Rule::Service(ServiceRule::MultiForgetsParent) => (
            "A multi that is not quite taken back (ZOOKEEPER-1624)",
            "When a multi fails, its nodes go and the counters of their parents stay; the next number is one too high.",
        ),
        Rule::Service(ServiceRule::NumberByChildren) => (
            "Numbers by counting children",
            "A sequential node is numbered by how many siblings there are; when one is deleted, a number comes again.",
        ),
        Rule::Service(ServiceRule::VersionNotCompared) => (
            "Versions are not compared",
            "A write that names an old version succeeds; what another client wrote in between is overwritten unseen.",
        ),
        Rule::Service(ServiceRule::EachItsOwnClock) => (
            "Everybody's own clock",
            "Servers date a change by their own clock and not by the transaction; after the same history their states differ.",
        ),
        Rule::Service(ServiceRule::ReadPassesOwnWrite) => (
            "A read overtakes its own write (ZOOKEEPER-1863)",
            "A server does not hold a read back behind the session's own write; the client reads what was before it.",
        ),
        Rule::Service(ServiceRule::ServerBehindMayServe) => (
            "A server that is behind serves",
            "A client is taken by a server that has less than the client has seen; for the client, time goes back.",
        ),
        Rule::Service(ServiceRule::SyncAsksNobody) => (
            "A sync that asks nobody",
            "A server answers a sync itself and does not ask the leader; the read behind it can be as old as without a sync.",
        ),
        Rule::Service(ServiceRule::OwnerNotChecked) => (
            "Requests of a session that has moved",
            "The leader takes a session's requests from any server; a write that was on its way for long comes after newer ones.",
        ),
        Rule::Service(ServiceRule::ClosingSessionMayCreate) => (
            "A closing session may write (ZOOKEEPER-1208)",
            "A session creates a node while it is being closed; if that is an ephemeral, nobody will ever delete it.",
        ),
        Rule::Service(ServiceRule::EphemeralsStay) => (
            "Ephemerals outlive their session",
            "A session is closed and its ephemeral nodes stay; a lock of a client that is gone is never free again.",
        ),
        Rule::Service(ServiceRule::NoFreshTimeout) => (
            "No fresh timeout",
            "A new leader counts the time without a leader as the clients' silence; it expires sessions whose clients are well.",
        ),
        Rule::Service(ServiceRule::SessionsUnheard) => (
            "Sessions that nobody tracks (ZOOKEEPER-1367)",
            "A leader does not track sessions that it learnt of before it served; when their clients die, they never expire.",
        ),
        Rule::Service(ServiceRule::TouchStaysHere) => (
            "Signs of life stay at the learner",
            "A follower does not tell the leader whose pings it has got; clients that only ping lose their session.",
        ),
        Rule::Service(ServiceRule::SessionDiesWithConnection) => (
            "A session dies with its connection",
            "When a client's connection breaks, the server ends its session; a short loss of the network costs all its ephemerals.",
        ),
        Rule::Service(ServiceRule::FiresTwice) => (
            "A watch fires twice",
            "A one-time watch stays when it has fired; the client gets events that it has not asked for.",
        ),
        Rule::Service(ServiceRule::AnswerBeforeEvent) => (
            "The answer before the event",
            "A server sends the answer that shows a change before the event; the client sees the new state and believes the old.",
        ),
        Rule::Service(ServiceRule::ReconnectSaysCreated) => (
            "Created, says the reconnect (ZOOKEEPER-1667)",
            "A node was deleted and made anew while a client was away; a watch on its data is told of a creation.",
        ),
        Rule::Service(ServiceRule::ReadsCarryNoZxid) => (
            "Reads without a zxid (ZOOKEEPER-1412)",
            "A learner's answers to reads carry no zxid; a client no longer knows how much it has seen.",
        ),
        Rule::Service(ServiceRule::ReconnectForgets) => (
            "Watches are not set again",
            "The client library does not set its watches at the next server; who waits for an event waits for ever.",
        ),
        Rule::Zab(BrokenRule::AcceptedEpochTrap) => (
            "Trapped by a promise",
            "A server that promised a later epoch to a failed leader stays outside until the next election.",
        ),
    }
}

fn recipe(rule: RecipeRule) -> Entry {
    match rule {
        RecipeRule::NeverLooksAgain => (
            "A wake-up taken for ownership",
            "A waiter that is woken takes the lock without a look at the queue; if the one before it gave up, two have the lock.",
        ),
        RecipeRule::WatchesFirst => (
            "All watch the first node",
            "All waiters watch the holder's node, not the one before their own; each release wakes all, and all but one for nothing.",
        ),
        RecipeRule::Unprotected => (
            "A create without protection",
            "A lock's node has no name of its own; if the answer to its create does not reach the thread, all wait behind it for ever.",
        ),
        RecipeRule::Persistent => (
            "A lock that outlives its holder",
            "The node of a lock is not ephemeral; when the holder crashes, its node stays, and nobody gets the lock any more.",
        ),
        RecipeRule::LeavesNode => (
            "Who gives up stays in the queue",
            "A waiter whose time is over leaves its node behind; those who come later wait for somebody who is gone.",
        ),
        RecipeRule::HeedlessWork => (
            "Work goes on after LOST (CURATOR-206)",
            "A holder that is told of its lost session works on; meanwhile the next one has got the lock.",
        ),
        RecipeRule::HeedlessHolder => (
            "A release that comes too late",
            "A holder keeps its lock when its session is lost, and later deletes its successor's node; a third one comes in.",
        ),
        RecipeRule::IgnoresOwner => (
            "Waiting for oneself",
            "The answer to a create is lost; the client finds the node, does not see that it is its own, and waits for itself.",
        ),
        RecipeRule::SortsByName => (
            "Sorted by the session (ZOOKEEPER-2931)",
            "Names begin with the session, and the queue is sorted by names and not by numbers; who comes later can be the first.",
        ),
        RecipeRule::LosesPlace => (
            "A reader loses its writer's place (CURATOR-621)",
            "A writer that goes on as a reader queues behind the next writer; that one does not see it, and writes while it reads.",
        ),
        RecipeRule::LeavesLease => (
            "A lease that nobody has (CURATOR-335)",
            "An acquire that fails leaves its node among the leases; others wait for a lease that nobody will give back.",
        ),
        RecipeRule::LeadsByGhost => (
            "Leader by a ghost node (CURATOR-696)",
            "A latch is first by a node of its old session, and leads; when the node goes with that session, the next one leads too.",
        ),
        RecipeRule::EndsWithWipe => (
            "No leader after a wipe (CURATOR-724)",
            "When all data are gone, latches do not find their path, and wait; nobody makes it again, and nobody leads any more.",
        ),
        RecipeRule::ResetsOnReconnect => (
            "Latches chase each other (CURATOR-644)",
            "A latch queues anew whenever it reconnects or the one before it goes; two latches can go on like this for ever.",
        ),
        RecipeRule::Deaf => (
            "A leader that does not listen",
            "A lost session interrupts its leader, and the leader ignores it; it leads on beside the new one.",
        ),
        RecipeRule::CancelsWaiting => (
            "Cancelled while it waits (CURATOR-518)",
            "An interrupt of the leadership ends the next round too; a selector that was told that it is queued stands nowhere.",
        ),
        RecipeRule::DeadThread => (
            "A cancelled round is the last",
            "A selector whose leadership ended with its connection does not queue again, though it was told to; nobody leads.",
        ),
        RecipeRule::WatchesLate => (
            "Counted first, watched later",
            "A member counts the others and then sets its watch; if the last one comes in between, it waits for ever.",
        ),
        RecipeRule::CountsOnce => (
            "A barrier that counts once (GH-1290)",
            "A member takes whatever wakes it for the others' arrival; after a reconnection it goes in alone.",
        ),
        RecipeRule::NeverGivesUp => (
            "A leave without an end (CURATOR-536)",
            "A leave with a time limit waits without one; while one member stays, the others do not get away.",
        ),
        RecipeRule::AnySession => (
            "A node of a session that is over (CURATOR-498)",
            "A create that is tried again takes the old session's node for its own; the node goes, and another has the lock too.",
        ),
        RecipeRule::NoCleanUp => (
            "A create given up leaves its node (CURATOR-79)",
            "A thread gives up while its create is under way; the node is made, nobody knows of it, and all wait behind it.",
        ),
        RecipeRule::NotGuaranteed => (
            "A delete that is tried once",
            "A release fails for want of a connection, and nobody tries again; the node stays as long as the session, and all wait.",
        ),
    }
}

/// What was seen, in the words that logs have too, as a sentence: they begin with a name of the protocol's or a small letter.
pub(super) fn evidence(evidence: &Evidence) -> String {
    let said = evidence.to_string();
    let mut rest = said.chars();
    rest.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
