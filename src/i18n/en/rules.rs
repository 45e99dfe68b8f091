//! English: rules that a run can break, and properties that must hold.

use crate::check::Evidence;
use crate::i18n::words::Entry;
use crate::server::FileRule;
use crate::sim::Rule;
use crate::zab::BrokenRule;

pub(super) fn rule(rule: Rule) -> Entry {
    match rule {
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
        Rule::Server(FileRule::CutOneTooMany) => (
            "TRUNC cuts too much (ZOOKEEPER-1156)",
            "The last transaction that the leader has is cut as well; a log has a hole, or a commit one disk less.",
        ),
        Rule::Zab(BrokenRule::AcceptedEpochTrap) => (
            "Trapped by a promise",
            "A server that promised a later epoch to a failed leader stays outside until the next election.",
        ),
    }
}

/// What was seen, in the words that logs have too, as a sentence: they begin with a name of the protocol's or a small letter.
pub(super) fn evidence(evidence: &Evidence) -> String {
    let said = evidence.to_string();
    let mut rest = said.chars();
    rest.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
