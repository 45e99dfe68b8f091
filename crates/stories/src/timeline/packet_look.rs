//! How a message looks: shape and letter by its type, wherever it is drawn.

use crate::base::{Epoch, Zxid};
use crate::rivals::generation;
use crate::sim::Parcel;
use crate::wire::ToClient;
use crate::zab::{Message, Packet};

/// The shape of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A vote.
    Hexagon,
    /// Something to be logged.
    Square,
    /// An acknowledgement.
    Circle,
    /// Something decided.
    Diamond,
    /// Part of discovery and synchronisation.
    Pill,
    /// A client's write: on its way to its server, and from there to the leader.
    Triangle,
    /// A client's read.
    SmallTriangle,
    /// A watch that fired.
    Bell,
    /// A heartbeat.
    Dot,
}

/// How a message looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its shape.
    pub shape: Shape,
    /// Its letter, or word in a pill.
    pub letter: &'static str,
}

/// How a message of this type looks. Requests of clients have the names of their operations.
pub fn look(name: &str) -> Look {
    let (shape, letter) = match name {
        "NOTIFICATION" => (Shape::Hexagon, "V"),
        "PROPOSAL" => (Shape::Square, "P"),
        "ACK" => (Shape::Circle, "A"),
        "COMMIT" => (Shape::Diamond, "C"),
        "INFORM" => (Shape::Diamond, "I"),
        "REQUEST" => (Shape::Triangle, "R"),
        "PING" | "CLIENT_PING" | "CLIENT_PONG" => (Shape::Dot, ""),
        "FOLLOWERINFO" => (Shape::Pill, "FINFO"),
        "OBSERVERINFO" => (Shape::Pill, "OINFO"),
        "LEADERINFO" => (Shape::Pill, "LINFO"),
        "ACKEPOCH" => (Shape::Pill, "ACKEP"),
        "NEWLEADER" => (Shape::Pill, "NEWLD"),
        "UPTODATE" => (Shape::Pill, "UPTOD"),
        "DIFF" => (Shape::Pill, "DIFF"),
        "TRUNC" => (Shape::Pill, "TRUNC"),
        "SNAP" => (Shape::Pill, "SNAP"),
        "SYNC" => (Shape::Pill, "SYNC"),
        "REVALIDATE" => (Shape::Pill, "REVAL"),
        "CONNECT" => (Shape::Pill, "CONN"),
        "CONNECTED" => (Shape::Pill, "CONN OK"),
        "AUTH" => (Shape::Pill, "AUTH"),
        "AUTH_REPLY" => (Shape::Pill, "AUTH OK"),
        "REPLY" => (Shape::Circle, "="),
        "WATCH_EVENT" => (Shape::Bell, "W"),
        "sync" => (Shape::Triangle, "S"),
        other => return look_of_others(other),
    };
    Look { shape, letter }
}

/// The same for requests of clients and for other systems: what asks for a vote, carries something for a disk, answers and decides looks as
/// in an ensemble.
fn look_of_others(name: &str) -> Look {
    let (shape, letter) = match name {
        "RequestVote" | "RequestPreVote" => (Shape::Hexagon, "V"),
        "RequestVoteReply" | "RequestPreVoteReply" => (Shape::Circle, "V"),
        "AppendEntries" => (Shape::Square, "E"),
        "AppendEntriesReply" | "StoreReply" | "LOG_ACK" => (Shape::Circle, "A"),
        "PREPARE" => (Shape::Square, "P"),
        "WORK" => (Shape::Square, "W"),
        "Store" | "STREAM" => (Shape::Square, "S"),
        "LOG_DATA" => (Shape::Square, "L"),
        "YES" => (Shape::Circle, "Y"),
        "NO" => (Shape::Circle, "N"),
        "DONE" => (Shape::Circle, "D"),
        "READ" => (Shape::Circle, "R"),
        "ABORT" => (Shape::Diamond, "X"),
        "INQUIRY" => (Shape::Triangle, "?"),
        "IN_DOUBT" => (Shape::Circle, "?"),
        "LOCKED" | "ERROR" => (Shape::Circle, "!"),
        "Response" | "QueryReply" | "COMMITTED" | "ABORTED" | "VALUE" | "RESULT" => (Shape::Circle, "="),
        "Request" | "COMMAND" => (Shape::Triangle, "R"),
        "Query" | "QUERY" | "GET" => (Shape::Triangle, "Q"),
        "MESSAGE" => (Shape::Bell, "M"),
        "FULLRESYNC" => (Shape::Pill, "FULL"),
        "CONTINUE" => (Shape::Pill, "PART"),
        "START_REPLICATION" => (Shape::Pill, "FROM"),
        name if is_write(name) => (Shape::Triangle, "R"),
        _ => (Shape::SmallTriangle, ""),
    };
    Look { shape, letter }
}

/// Whether an operation of this name changes something.
fn is_write(name: &str) -> bool {
    name.starts_with("create") || matches!(name, "delete" | "setData" | "setACL" | "multi" | "check" | "closeSession")
}

/// How a packet looks: by its type, and a refusal as one.
pub fn look_of(parcel: &Parcel) -> Look {
    let usual = look(parcel.name());
    if is_heartbeat(parcel) {
        return Look { shape: Shape::Dot, letter: "" };
    }
    let letter = match parcel {
        Parcel::ToClient(ToClient::Reply { outcome: Err(_), .. }) => "!",
        Parcel::ToClient(ToClient::Connected { timeout_ms: 0, .. }) => "EXPIRED",
        Parcel::ToClient(ToClient::Auth { code }) if *code != crate::wire::Code::Ok => "AUTH NO",
        _ => usual.letter,
    };
    Look { letter, ..usual }
}

/// Whether a leader of another system only says that it is there.
fn is_heartbeat(parcel: &Parcel) -> bool {
    let Parcel::Other(saying) = parcel else { return false };
    matches!(saying.value(), Some(generation::Message::AppendEntries { entries, .. }) if entries.is_empty())
}

/// The epoch or term that colours a message; `None` for what belongs to none.
pub fn epoch_of(parcel: &Parcel) -> Option<Epoch> {
    match parcel {
        Parcel::Zab(
            Message::Notification(_)
            | Message::Packet(
                Packet::Request { .. }
                | Packet::Ping { .. }
                | Packet::FollowerInfo { .. }
                | Packet::ObserverInfo { .. }
                | Packet::UpToDate
                | Packet::AckEpoch { .. },
            ),
        ) => None,
        Parcel::Other(saying) => saying.value::<generation::Message>()?.term().map(|term| term as Epoch),
        other => other.zxid().map(Zxid::epoch).filter(|&epoch| epoch > 0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::SCENARIOS;
    use crate::sim::{Fact, Player, WorldFact};

    #[test]
    fn every_message_of_another_system_has_a_letter_and_terms_have_colours() {
        let prefixes = ["commit-", "quorum-", "generation-", "redis-", "sql-"];
        let of_others = SCENARIOS.iter().filter(|one| prefixes.iter().any(|prefix| one.id.starts_with(prefix)));
        let (mut seen, mut coloured) = (BTreeMap::new(), 0);
        for scenario in of_others {
            let mut player = Player::new(scenario.run()).expect("a possible run");
            player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| {
                for record in records {
                    let Fact::World(WorldFact::Sent { message: message @ Parcel::Other(saying), .. }) = &record.fact
                    else {
                        continue;
                    };
                    seen.insert(saying.name, look_of(message));
                    coloured += usize::from(epoch_of(message).is_some());
                }
            });
        }
        assert!(seen.len() > 25 && coloured > 100, "{seen:?} {coloured}");
        let bare = seen.iter().filter(|(_, look)| look.letter.is_empty() && look.shape != Shape::Dot);
        assert_eq!(bare.collect::<Vec<_>>(), []);
        assert!(!look("RequestVote").letter.is_empty() && seen.contains_key("RequestVote"));
    }
}
