//! What was seen when a property was violated, typed; its `Display` says it in a sentence.

use std::fmt;

use crate::base::{Epoch, ServerId, ServerSet, Zxid};

mod clients;
mod recipes;

pub use clients::Breach;
pub use recipes::Misuse;

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Evidence {
    /// What a judge of another system says, in English and in Simplified Chinese.
    System([String; 2]),
    /// An epoch had a second reign.
    TwoReigns { epoch: Epoch, first: ServerId, second: ServerId },
    /// A server has a transaction that no primary proposed.
    NeverProposed { server: ServerId, zxid: Zxid },
    /// A server proposed in an epoch that is not its own.
    NotThePrimary { server: ServerId, zxid: Zxid },
    /// A transaction was committed beside the committed history.
    Fork { leader: ServerId, zxid: Zxid, committed: Zxid },
    /// A server that serves has a history that is not committed.
    NotCommitted { server: ServerId, zxid: Zxid, committed: Zxid },
    /// A transaction was applied without the one proposed before it.
    PredecessorMissing { server: ServerId, zxid: Zxid, after: Zxid },
    /// A transaction was applied after a later one.
    Backwards { server: ServerId, zxid: Zxid, after: Zxid },
    /// A primary proposed, and something committed in an earlier epoch is not in its history.
    ProposedWithout { primary: ServerId, zxid: Zxid, missing: Zxid },
    /// Something of an earlier epoch was committed that the primary of a later one had not delivered when it proposed.
    CommittedBehind { leader: ServerId, zxid: Zxid, later: Epoch },
    /// A leader was established without something that had been committed.
    CommittedLost { leader: ServerId, epoch: Epoch, lost: Zxid, has: Zxid },
    /// A transaction was committed, and these are all whose disks hold it.
    CommittedOnFew { leader: ServerId, zxid: Zxid, on: ServerSet },
    /// A leader was established, and these are all whose disks hold its history and epoch.
    EstablishedOnFew { leader: ServerId, epoch: Epoch, history: Zxid, on: ServerSet },
    /// A server met a packet that does not fit.
    Unfit { server: ServerId, what: Unfit },
    /// A client was told that its write is done, and it is not committed.
    AnswerNotCommitted { server: ServerId, write: u64, zxid: Zxid },
    /// An acknowledgement counted for something that is not on disk.
    AckNotOnDisk { leader: ServerId, from: ServerId, zxid: Zxid, on_disk: Zxid },
    /// The acknowledgement of NEWLEADER counted, and the history is not on disk.
    NewLeaderNotOnDisk { leader: ServerId, from: ServerId, epoch: Epoch, history: Zxid, on_disk: Zxid },
    /// The acknowledgement of NEWLEADER counted, and the epoch is not on disk.
    EpochNotOnDisk { leader: ServerId, from: ServerId, epoch: Epoch, on_disk: Epoch },
    /// A disk misses transactions between two that it has.
    Gap { server: ServerId, zxid: Zxid, after: Zxid },
    /// The epochs on a disk and the epoch of its last transaction are not in order.
    EpochsOutOfOrder { server: ServerId, accepted: Epoch, current: Epoch, last: Zxid },
    /// currentEpoch is on disk, and the history that it vouches for is not.
    EpochBeforeHistory { server: ServerId, epoch: Epoch, history: Zxid, on_disk: Zxid },
    /// A vote speaks for something else than what is on disk.
    VoteNotOnDisk { server: ServerId, vote: Zxid, memory: Zxid, on_disk: Zxid },
    /// Two servers have different states after the same transactions.
    StatesDiffer { server: ServerId, zxid: Zxid },
    /// A server has the state after a transaction that nobody has seen.
    UnknownState { server: ServerId, zxid: Zxid },
    /// A server accepted an epoch below one that it had accepted before.
    OlderEpoch { server: ServerId, epoch: Epoch, promised: Epoch },
    /// A promise to clients was broken.
    Client(Breach),
    /// A recipe did not keep what it promises.
    Recipe(Misuse),
    /// The ensemble was healed and did not come back.
    NotRecovered { servers: ServerSet, what: Missing },
    /// The program stopped by a failed assumption of its own.
    Panicked { message: String },
}

/// What is missing though everything is healed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No leader is established.
    Leader,
    /// These servers do not serve in the leader's epoch.
    Serving,
    /// Clients of these servers got no answer to a write.
    Answers,
    /// These servers have another state than the leader.
    SameState,
}

/// How a packet does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A proposal or commit that is not the next one.
    OutOfOrder,
    /// A TRUNC to a place that the log does not have.
    CannotTruncate,
    /// An answer that does not belong where it comes.
    BadPacket,
}

impl Evidence {
    /// The servers that it is about.
    pub fn servers(&self) -> ServerSet {
        use Evidence::*;
        let (one, other) = match *self {
            TwoReigns { first, second, .. } => (first, second),
            NeverProposed { server, .. }
            | NotThePrimary { server, .. }
            | NotCommitted { server, .. }
            | PredecessorMissing { server, .. }
            | Backwards { server, .. }
            | AnswerNotCommitted { server, .. }
            | Unfit { server, .. }
            | Gap { server, .. }
            | EpochsOutOfOrder { server, .. }
            | EpochBeforeHistory { server, .. }
            | VoteNotOnDisk { server, .. }
            | StatesDiffer { server, .. }
            | UnknownState { server, .. }
            | OlderEpoch { server, .. } => (server, server),
            Fork { leader, .. }
            | CommittedBehind { leader, .. }
            | CommittedLost { leader, .. }
            | CommittedOnFew { leader, .. }
            | EstablishedOnFew { leader, .. } => (leader, leader),
            ProposedWithout { primary, .. } => (primary, primary),
            AckNotOnDisk { leader, from, .. }
            | NewLeaderNotOnDisk { leader, from, .. }
            | EpochNotOnDisk { leader, from, .. } => (from, leader),
            Client(ref breach) => return breach.servers(),
            NotRecovered { servers, .. } => return servers,
            System(_) | Recipe(_) | Panicked { .. } => return ServerSet::EMPTY,
        };
        [one, other].into_iter().collect()
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::System([english, _]) => f.write_str(english.trim_end_matches('.')),
            Evidence::Client(breach) => write!(f, "{breach}"),
            Evidence::Recipe(misuse) => write!(f, "{misuse}"),
            Evidence::NotRecovered { servers, what } => missing(*servers, *what, f),
            Evidence::Panicked { message } => write!(f, "the program stopped: {message}"),
            Evidence::TwoReigns { epoch, first, second } if first == second => {
                write!(f, "{first} began a second reign in epoch {epoch}")
            }
            Evidence::TwoReigns { epoch, first, second } => {
                write!(f, "both {first} and {second} reigned in epoch {epoch}")
            }
            Evidence::OlderEpoch { server, epoch, promised } => {
                write!(f, "{server} accepted epoch {epoch} after it had accepted epoch {promised}")
            }
            Evidence::StatesDiffer { server, zxid } => {
                write!(f, "the state of {server} after {zxid} differs from another server's")
            }
            Evidence::UnknownState { server, zxid } => {
                write!(f, "{server} took over a state at {zxid}, which nobody has")
            }
            Evidence::VoteNotOnDisk { server, vote, memory, on_disk } => {
                write!(f, "{server} votes with {vote} and has {memory} in memory; its disk holds {on_disk}")
            }
            Evidence::AckNotOnDisk { .. } | Evidence::NewLeaderNotOnDisk { .. } | Evidence::EpochNotOnDisk { .. } => {
                acknowledged(self, f)
            }
            Evidence::Gap { .. } | Evidence::EpochsOutOfOrder { .. } | Evidence::EpochBeforeHistory { .. } => {
                on_disk(self, f)
            }
            Evidence::Unfit { server, what } => match what {
                Unfit::OutOfOrder => write!(f, "{server} got a proposal or commit that is not the next one"),
                Unfit::CannotTruncate => write!(f, "{server} was told to cut its log where it cannot be cut"),
                Unfit::BadPacket => write!(f, "{server} got a packet of a learner that does not belong there"),
            },
            Evidence::CommittedOnFew { .. }
            | Evidence::EstablishedOnFew { .. }
            | Evidence::CommittedLost { .. }
            | Evidence::AnswerNotCommitted { .. }
            | Evidence::Fork { .. } => committed(self, f),
            Evidence::NeverProposed { .. }
            | Evidence::NotThePrimary { .. }
            | Evidence::NotCommitted { .. }
            | Evidence::PredecessorMissing { .. }
            | Evidence::Backwards { .. }
            | Evidence::ProposedWithout { .. }
            | Evidence::CommittedBehind { .. } => delivered(self, f),
        }
    }
}

fn names(servers: ServerSet) -> String {
    let names: Vec<String> = servers.iter().map(|server| server.to_string()).collect();
    if names.is_empty() { "no server".into() } else { names.join(" ") }
}

fn missing(servers: ServerSet, what: Missing, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match what {
        Missing::Leader => return f.write_str("everything is healed, and no leader is established"),
        Missing::Serving => f.write_str("everything is healed, and these do not serve in the leader's epoch:")?,
        Missing::Answers => f.write_str("everything is healed, and clients of these got no answer to a write:")?,
        Missing::SameState => {
            f.write_str("everything is healed, and the state of these differs from the leader's:")?
        }
    }
    servers.iter().try_for_each(|server| write!(f, " {server}"))
}

fn acknowledged(evidence: &Evidence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match evidence {
        Evidence::AckNotOnDisk { leader, from, zxid, on_disk } => {
            write!(f, "{leader} counts {from}'s acknowledgement of {zxid}; {from}'s disk ends at {on_disk}")
        }
        Evidence::NewLeaderNotOnDisk { leader, from, epoch, history, on_disk } => write!(
            f,
            "{leader} counts {from}'s acknowledgement of epoch {epoch}; its history ends at {history}, {from}'s disk \
             at {on_disk}"
        ),
        Evidence::EpochNotOnDisk { leader, from, epoch, on_disk } => write!(
            f,
            "{leader} counts {from}'s acknowledgement of epoch {epoch}; {from}'s currentEpoch on disk is {on_disk}"
        ),
        _ => Ok(()),
    }
}

fn on_disk(evidence: &Evidence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match evidence {
        Evidence::Gap { server, zxid, after } => write!(f, "{server}'s disk holds {zxid} directly after {after}"),
        Evidence::EpochsOutOfOrder { server, accepted, current, last } => write!(
            f,
            "{server}'s disk holds acceptedEpoch {accepted}, currentEpoch {current} and {last} as its last transaction"
        ),
        Evidence::EpochBeforeHistory { server, epoch, history, on_disk } => write!(
            f,
            "{server} wrote currentEpoch {epoch}, which vouches for a history up to {history}; its disk ends at {on_disk}"
        ),
        _ => Ok(()),
    }
}

fn committed(evidence: &Evidence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match evidence {
        Evidence::CommittedLost { leader, epoch, lost, has } => write!(
            f,
            "{leader} is established in epoch {epoch} with a history up to {has}, without {lost}, which was committed"
        ),
        Evidence::CommittedOnFew { leader, zxid, on } => {
            write!(f, "{leader} committed {zxid}, which is on the disks of {} only", names(*on))
        }
        Evidence::EstablishedOnFew { leader, epoch, history, on } => write!(
            f,
            "{leader} is established in epoch {epoch}; that epoch and its history up to {history} are on the disks of \
             {} only",
            names(*on)
        ),
        Evidence::AnswerNotCommitted { server, write, zxid } => {
            write!(f, "{server} answered write {write} as done by {zxid}, which is not committed")
        }
        Evidence::Fork { leader, zxid, committed } => {
            write!(f, "{leader} committed {zxid} beside the committed history, which ends at {committed}")
        }
        _ => Ok(()),
    }
}

fn delivered(evidence: &Evidence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match evidence {
        Evidence::NeverProposed { server, zxid } => write!(f, "{server} has {zxid}, which no primary proposed"),
        Evidence::NotThePrimary { server, zxid } => {
            write!(f, "{server} proposed {zxid} and is not the primary of that epoch")
        }
        Evidence::NotCommitted { server, zxid, committed } => write!(
            f,
            "{server} serves clients with {zxid}, which is not committed; the committed history ends at {committed}"
        ),
        Evidence::PredecessorMissing { server, zxid, after } => {
            write!(f, "{server} applied {zxid} directly after {after}: something proposed between them is missing")
        }
        Evidence::Backwards { server, zxid, after } => write!(f, "{server} applied {zxid} after {after}"),
        Evidence::ProposedWithout { primary, zxid, missing } => {
            write!(f, "{primary} proposed {zxid} without {missing}, which was committed in an earlier epoch")
        }
        Evidence::CommittedBehind { leader, zxid, later } => {
            write!(f, "{leader} committed {zxid}; the primary of epoch {later} had not delivered it when it proposed")
        }
        _ => Ok(()),
    }
}
