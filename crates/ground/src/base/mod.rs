//! The ground: ids, zxids, virtual time, the seeded generator, limits, JSON read by hand, texts. Imports nothing of ours.

mod arrange;
mod chunks;
mod date;
mod id;
pub mod java;
pub mod json;
pub mod limits;
mod name;
mod prng;
mod program_error;
mod read_error;
pub mod rows;
mod rules;
mod service_rules;
mod shared;
mod sorted;
pub mod texts;
mod time;
mod version_ways;
mod zxid;

pub use arrange::{Arrange, Gather};
pub use chunks::Chunks;
pub use date::date;
pub use id::{ClientId, ConnId, MsgId, Node, ServerId, ServerSet, SessionId};
pub use name::{Name, name};
pub use prng::{Draw, Prng, Stream};
pub use program_error::{Place, ProgramError, ProgramFault, Wish};
pub use rules::rules;
pub use rules::{Breakable, MAX_RULES, RuleRoom, RuleSet};
pub use service_rules::ServiceRule;
pub use shared::SharedMap;
pub use sorted::{SortedMap, SortedSet};
pub use time::{Micros, SimTime, seconds};
pub use version_ways::Way;
pub use zxid::{Epoch, Zxid};
