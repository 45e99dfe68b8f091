//! How a message looks: shape and letter by its type, wherever it is drawn.

use crate::base::{Epoch, Zxid};
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
    let letter = match parcel {
        Parcel::ToClient(ToClient::Reply { outcome: Err(_), .. }) => "!",
        Parcel::ToClient(ToClient::Connected { timeout_ms: 0, .. }) => "EXPIRED",
        Parcel::ToClient(ToClient::Auth { code }) if *code != crate::wire::Code::Ok => "AUTH NO",
        _ => usual.letter,
    };
    Look { letter, ..usual }
}

/// The epoch that colours a message; `None` for what belongs to no epoch.
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
        other => other.zxid().map(Zxid::epoch).filter(|&epoch| epoch > 0),
    }
}
