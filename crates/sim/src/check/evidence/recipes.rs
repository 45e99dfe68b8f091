//! What was seen when a recipe did not keep what it promises.

use std::fmt;

use crate::base::{ClientId, Micros, seconds};
use crate::recipes::{Share, ThreadId};

/// A thread of a program.
type Who = (ClientId, ThreadId);

/// What was seen of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Misuse {
    /// Two have what only one may have, and the nodes of both stand.
    Together { path: String, first: (Who, Share), second: (Who, Share) },
    /// More leases are held than there are.
    TooManyLeases { path: String, held: usize, of: u32 },
    /// Somebody has it before an older node.
    PassedBy { who: Who, node: String, older: String },
    /// The node that somebody waits for is gone, and nothing comes of it.
    NotWoken { who: Who, object: String, watched: String, late_us: Micros },
    /// Somebody was told that the session is lost, and acts as the holder.
    ActsAfterLoss { who: Who, resource: String, late_us: Micros },
    /// Somebody goes on holding without its node, though it was told or nobody took the right from it, and another has it.
    Believes { path: String, who: Who, other: Who },
    /// Everybody is done, and a node is left that nobody needs.
    LeftBehind { node: String },
    /// A release wakes so many, all but one for nothing.
    Herd { path: String, woken: usize, for_nothing: usize },
    /// An item is taken twice.
    TakenTwice { item: String, who: Who, other: Who },
    /// So many items were put, and the rest of them is neither taken nor there.
    ItemsLost { put: usize, taken: usize, left: usize },
    /// Somebody passes a barrier that is closed.
    Passed { path: String, who: Who },
    /// Nothing went wrong, so many calls are over, and nobody got anything.
    NobodyGets { path: String, calls: usize },
    /// Everything is healed, and a call does not come back.
    StillWaits { who: Who, object: String, method: String, for_us: Micros },
}

/// A client, and which of its threads, if it is not the one that is meant where none is named.
fn who((client, thread): Who) -> String {
    if thread == ThreadId::MAIN { client.to_string() } else { format!("{client} {thread}") }
}

fn role(share: Share) -> &'static str {
    match share {
        Share::Exclusive => "holds",
        Share::Read => "reads",
        Share::Lease { .. } => "holds a lease of",
        Share::Leader => "leads",
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Together { path, first: (one, share), second: (other, other_share) } => {
                let mixed = share != other_share;
                let role = |share: Share| if mixed && share == Share::Exclusive { "writes" } else { role(share) };
                let (first, second) = (role(*share), role(*other_share));
                write!(f, "{} {first} {path} while {} {second} it too: both nodes exist", who(*one), who(*other))
            }
            Misuse::TooManyLeases { path, held, of } => {
                write!(f, "{held} leases of {path} are held and their nodes exist; the limit is {of}")
            }
            Misuse::PassedBy { who: (client, thread), node, older } => {
                write!(f, "{client} {thread} holds it by {node}, but {older} is ahead of it")
            }
            Misuse::NotWoken { who: (client, thread), object, watched, late_us } => write!(
                f,
                "{client} {thread} waits in '{object}' for {watched}, which is gone; nothing came of it in {} s",
                seconds(*late_us)
            ),
            Misuse::ActsAfterLoss { who: (client, thread), resource, late_us } => write!(
                f,
                "{client} {thread} still uses '{resource}' by what it held before its session was lost, {} s after \
                 being notified",
                seconds(*late_us)
            ),
            Misuse::Believes { path, who: one, other } => {
                let (one, other) = (who(*one), who(*other));
                write!(f, "{one} still holds {path}, though its node is gone, and {other} holds it too")
            }
            Misuse::LeftBehind { node } => write!(f, "everybody is done, and {node} is left behind"),
            Misuse::Herd { path, woken, for_nothing } => {
                write!(f, "one release of {path} wakes {woken} clients, {for_nothing} of them for nothing")
            }
            Misuse::TakenTwice { item, who: one, other } => {
                write!(f, "{} and {} have both taken '{item}'", who(*one), who(*other))
            }
            Misuse::ItemsLost { put, taken, left } => {
                write!(f, "of {put} items {taken} were taken and {left} are left: the others are lost")
            }
            Misuse::Passed { path, who: one } => write!(f, "{} passes {path} while it is closed", who(*one)),
            Misuse::NobodyGets { path, calls } => {
                write!(f, "nothing went wrong, all {calls} calls are over, and nobody got {path}")
            }
            Misuse::StillWaits { who: (client, thread), object, method, for_us } => write!(
                f,
                "everything is healed, nobody holds it, but {client} {thread} has been in {method} of '{object}' for \
                 {} s",
                seconds(*for_us)
            ),
        }
    }
}
