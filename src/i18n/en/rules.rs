//! English: rules that a run can break, and properties that must hold.

use crate::check::Evidence;
use crate::i18n::words::Entry;
use crate::zab::BrokenRule;

pub(super) fn rule(rule: BrokenRule) -> Entry {
    match rule {
        BrokenRule::CommitAtMinority => (
            "Commit without a majority",
            "The leader commits at the first ACK; if the few servers that have the transaction fail, it is gone.",
        ),
        BrokenRule::AckBeforeSync => (
            "ACK before the disk",
            "Servers acknowledge a proposal before it is on disk; a crash then takes what they have vouched for.",
        ),
        BrokenRule::ElectionIgnoresZxid => (
            "Election ignores the zxid",
            "Histories are not compared; a server that misses committed transactions can become the leader.",
        ),
        BrokenRule::LeaderKeepsEpoch => (
            "The epoch is not raised",
            "A new leader goes on in the old epoch; two leaders can give one zxid to two different transactions.",
        ),
        BrokenRule::FollowerObeysOlderEpoch => (
            "Followers forget their promise",
            "A server obeys a leader of an older epoch than it has promised; an overtaken leader can still commit.",
        ),
        BrokenRule::RejoinWithoutTrunc => (
            "No TRUNC on return (ZOOKEEPER-1154)",
            "A server with a tail that nobody else has gets a plain DIFF and keeps the tail; the histories differ.",
        ),
        BrokenRule::ServeBeforeSyncQuorum => (
            "Serving before the majority is in sync",
            "A leader serves before a majority has its history; what clients then see can be lost with it.",
        ),
        BrokenRule::EpochBeforeLog => (
            "currentEpoch before the log (ZOOKEEPER-4643)",
            "currentEpoch is written before the transactions it vouches for; a crash between makes a short log win.",
        ),
        BrokenRule::Zookeeper3911 => (
            "DIFF not on disk (ZOOKEEPER-3911)",
            "NEWLEADER is acknowledged while the DIFF is only in memory; a crash takes a history that was counted.",
        ),
        BrokenRule::Zookeeper2845 => (
            "Memory behind the log (ZOOKEEPER-2845)",
            "A server steps down without taking its own log into memory; a logged transaction hides, then returns.",
        ),
        BrokenRule::Zookeeper3642 => (
            "Half a SNAP is kept (ZOOKEEPER-3642)",
            "A state that was half taken over stays in memory; the server votes with what is not on its disk.",
        ),
        BrokenRule::Zookeeper4837 => (
            "TRUNC leaves newer snapshots (ZOOKEEPER-4837)",
            "The log is cut, but a snapshot that holds the cut transactions stays and brings them back.",
        ),
        BrokenRule::Zookeeper1653 => (
            "Refuses to start (ZOOKEEPER-1653)",
            "After a crash between the log and currentEpoch a server does not start; nothing is lost, but it is out.",
        ),
        BrokenRule::AcceptedEpochTrap => (
            "Trapped by a promise",
            "A server that promised a later epoch to a failed leader stays outside until the next election.",
        ),
    }
}

pub(super) fn property(id: &str) -> Option<Entry> {
    Some(match id {
        "epoch-uniqueness" => {
            ("One leader an epoch", "Each epoch has at most one leader that begins to synchronise.")
        }
        "integrity" => ("Integrity", "Whatever a server applies was proposed by the leader of its epoch."),
        "agreement" => ("Agreement", "All servers apply the same committed transactions in the same order."),
        "local-primary-order" => {
            ("Local primary order", "Transactions of one leader are applied in the order in which it proposed them.")
        }
        "global-primary-order" => {
            ("Global primary order", "Transactions of an earlier epoch are applied before those of a later one.")
        }
        "primary-integrity" => (
            "Primary integrity",
            "A leader proposes only after it has applied all that is ever applied of earlier epochs.",
        ),
        "durability" => ("Durability", "What was committed once is in the history of every later leader."),
        "client-promise" => ("Promise to clients", "A write that a client is told is done is committed."),
        "ack-honesty" => ("Honest ACKs", "An ACK counts only for what is on the disk of the server that sent it."),
        "log-shape" => {
            ("Shape of the log", "A log on disk has no gap, and its epochs vouch for no more than it holds.")
        }
        "memory-is-disk" => {
            ("Memory is disk", "A server votes with the history that a restart would find on its disk.")
        }
        "state-machine" => ("Same state", "After the same transactions all servers have the same state."),
        "epoch-promise" => (
            "Promise of an epoch",
            "A server accepts and acknowledges nothing of an epoch below one it has accepted.",
        ),
        "session-fifo" => (
            "Order of a session",
            "A client gets its answers in the order of its calls, and no answer is older than one before it.",
        ),
        "read-your-writes" => (
            "Own writes are seen",
            "A read sees every write that its session has been told is done, and nothing that was never there.",
        ),
        "write-linearizability" => (
            "Writes one after the other",
            "Every write comes to what it does when all are done one by one in the order of their zxids.",
        ),
        "session-life" => (
            "Life of a session",
            "A session ends only after its timeout in silence; then nothing of it is done, and no ephemeral is left.",
        ),
        "watch-rules" => (
            "Rules of watches",
            "A watch fires once, before the server says anything newer; after a reconnection missed changes are told.",
        ),
        "sequence-numbers" => {
            ("Sequential numbers", "Below one parent every new sequential number is above the one before it.")
        }
        "mutual-exclusion" => (
            "Mutual exclusion",
            "No two hold the same lock while the nodes of both stand; whose node is gone only believes to hold it.",
        ),
        "readers-and-writers" => (
            "Readers and writers",
            "Nobody reads while another writes and the nodes of both stand; who writes may read as well.",
        ),
        "semaphore-bound" => {
            ("Bound of a semaphore", "No more leases are held than there are, counting those whose nodes stand.")
        }
        "one-leader" => ("One leader", "No two lead by the same path while the nodes of both stand."),
        "lock-fairness" => (
            "Fairness of the queue",
            "Nobody gets a lock while an older node of its queue stands; who wants to read is only stopped by writers.",
        ),
        "no-lost-wake-up" => (
            "No lost wake-up",
            "When the node is gone that somebody waits for, it soon has the lock, waits for another or gives up.",
        ),
        "loss-is-heeded" => {
            ("LOST is heeded", "Who was told that its session is lost no longer uses what it held before.")
        }
        "recipe-liveness" => {
            ("Liveness of recipes", "Once all is healed, whoever waits for something that nobody holds gets it.")
        }
        "liveness" => (
            "Liveness",
            "Once a majority runs and can talk, there is a leader again, all catch up, and writes are done.",
        ),
        _ => return None,
    })
}

/// What was seen, in the words that logs have too, as a sentence: they begin with a name of the protocol's or a small letter.
pub(super) fn evidence(evidence: &Evidence) -> String {
    let said = evidence.to_string();
    let mut rest = said.chars();
    rest.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), rest.as_str()))
}
