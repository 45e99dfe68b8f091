//! Jute and ZooKeeper's client protocol as bytes, without I/O: what a real client sends to a server's port, and what it is answered.
//!
//! [`record`] reads and writes jute's records (`BinaryInputArchive.java`, `BinaryOutputArchive.java`); files are made of the same.
//! [`Frames`] cuts a stream of bytes into frames and four-letter words. [`Received`] is what a server reads of a frame, and [`reply`]
//! what it answers; [`sent`] and [`told`] are the client's side of the same. What is said is a value of `zabscope_ground::wire`: this
//! crate only knows how it is written down (`zookeeper.jute`, `ZooDefs.java` `OpCode`).
//!
//! Nothing here panics, whatever the bytes are, and nothing is allocated for a length that is only claimed.
//!
//! ```
//! use zabscope_jute::{Frames, Incoming, Received, sent};
//! use zabscope_ground::wire::{Request, ToServer};
//!
//! let asked = ToServer::Request { xid: 1, request: Request::Exists { path: "/a".into(), watch: true } };
//! let mut frames = Frames::of_a_session(0xfffff);
//! frames.push(&sent(&asked));
//! let Ok(Some(Incoming::Frame(frame))) = frames.next() else { panic!("a whole frame was pushed") };
//! assert_eq!(Received::of(&frame), Ok(Received::Packet(asked)));
//! ```

mod answer;
mod error;
mod frames;
mod op;
mod packet;
pub mod record;
mod request;

pub use error::JuteError;
pub use frames::{Frames, Incoming};
pub use packet::{Greeting, Received, ReplyHeader, greeted, reply, reply_header, sasl_reply, sent, told};

#[cfg(test)]
mod tests;
