//! What whoever has the doors and whoever plays the run say to each other. Where a WebSocket is between them, each of its messages is one of
//! these, as postcard writes it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zabscope_jute::Incoming;

use crate::base::ServerId;

/// A connection from outside, counted from 1.
pub type GuestId = u64;

/// What happens at the doors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The run that is to be played. The first that comes over a WebSocket, and only there.
    Hello(Hello),
    /// Where each server is reached, as far as that is known.
    Ports(Vec<(ServerId, u16)>),
    /// Real time has passed: whoever gets no frames because nobody sees him plays on all the same.
    Tick,
    /// Somebody has connected to a server.
    Opened(GuestId, ServerId),
    /// What his program is called: its name, or the port from which he comes.
    Named(GuestId, String),
    /// He says something. Each is to be answered by one [`Order::Read`] when it has been dealt with.
    Says(GuestId, Incoming),
    /// What he sends is none of the protocol, or he leaves unread what he is sent; nothing more is read of him.
    Garbles(GuestId, String),
    /// He is gone.
    Gone(GuestId),
}

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The run as JSON.
    pub run: String,
    /// Where it stands when the doors open, ms.
    pub at_ms: u64,
}

/// What is to be done at the doors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Of each server, whether its process lives: one that does not has no door.
    Doors(Vec<(ServerId, bool)>),
    /// Bytes for somebody.
    Write(GuestId, Vec<u8>),
    /// Something that he said has been dealt with: there is room for more.
    Read(GuestId),
    /// His connection is closed behind what he was written.
    Close(GuestId),
    /// A sentence for whoever watches over the doors.
    Say(String),
}

/// A message as bytes.
pub fn written(message: &impl Serialize) -> Vec<u8> {
    // none of them has what postcard cannot write: a length that is not known
    postcard::to_allocvec(message).unwrap_or_default()
}

/// The message in these bytes; none where they are none.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_as_they_were_sent() {
        let events = [
            Event::Hello(Hello { run: "{}".into(), at_ms: 7 }),
            Event::Ports(vec![(ServerId(1), 2181)]),
            Event::Tick,
            Event::Opened(1, ServerId(2)),
            Event::Named(1, "lock.py".into()),
            Event::Says(1, Incoming::Frame(vec![0, 255])),
            Event::Says(1, Incoming::Word("ruok".into())),
            Event::Garbles(1, "no".into()),
            Event::Gone(u64::MAX),
        ];
        for event in events {
            let bytes = written(&event);
            assert_eq!(read(&bytes), Some(event));
            assert_eq!((0..bytes.len()).find_map(|end| read::<Event>(&bytes[..end])), None);
        }
        let order = Order::Doors(vec![(ServerId(1), true), (ServerId(3), false)]);
        assert_eq!(read(&written(&order)), Some(order));
    }

    #[test]
    fn a_length_that_is_only_claimed_costs_nothing() {
        // what somebody says, a frame of 2^63 bytes that do not follow
        let mut claimed = written(&Event::Says(1, Incoming::Frame(Vec::new())));
        claimed.pop();
        claimed.extend([0xff; 8].iter().chain(&[0x7f]));
        assert_eq!(read::<Event>(&claimed), None);
    }
}
