//! What clients and servers say to each other: requests, answers, events, error codes (`zookeeper.jute`, `ZooDefs.java`,
//! `KeeperException.java`). Names and numbers are the real ones; the binary layout is not modelled, its sizes are.

mod acl;
mod answer;
mod auth;
mod bytes;
mod code;
mod event;
mod four_letter_word;
mod length;
mod mode;
mod packet;
mod path;
mod quota;
mod read;
mod request;
mod stat;

pub use acl::{Acl, AuthId, Perms};
pub use answer::{Answer, Outcome};
pub use auth::{identify, with_identity, with_proof};
pub use bytes::{Bytes, Data, decoded};
pub use code::Code;
pub use event::{EventType, KeeperState, WatchedEvent};
pub use four_letter_word::FourLetterWord;
pub use mode::CreateMode;
pub use packet::{Password, ToClient, ToServer};
pub use path::{PathError, check_path, not_a_path, parent_of};
pub use quota::{LIMITS, QUOTA, Quantity, STATS, StatsTrack, limits_path, stats_path};
pub use request::{AddWatchMode, Request, SetWatches, WatcherType};
pub use stat::Stat;
