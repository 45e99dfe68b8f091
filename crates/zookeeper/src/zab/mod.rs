//! ZAB: Fast Leader Election, discovery, synchronisation, broadcast. It orders transactions without looking into them and does no I/O: a
//! [`Peer`] is told what happened ([`Input`]) and answers with what is to be done ([`Output`]).
//!
//! Reading order: [`Config`] and [`BrokenRule`], [`Quorums`], [`Vote`], [`Packet`], the inputs and outputs, then `election` (and the
//! `links` under it), `leader`, `learner`, `storage`, and last `peer`, which only dispatches.

mod alone;
mod config;
mod election;
mod fact;
mod io;
mod leader;
mod learner;
mod links;
mod members;
mod message;
mod peer;
mod phase;
mod reconfig;
mod rules;
mod storage;
mod sync_plan;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
mod vote;

pub use alone::Alone;
pub use config::{Config, FINALIZE_WAIT, MAX_NOTIFICATION_INTERVAL};
pub use fact::{DropReason, Fact, LeaveReason, Note, StartFault, SyncKind};
pub use io::{DiskOp, Input, Outbox, Output, Port, Recovered, Timer, Token};
pub use leader::{Handler, HandlerStage, Leader, LeaderStage, Outstanding};
pub use learner::{Learner, LearnerStage};
pub use members::{Groups, Members, Quorums};
pub use message::{Message, Notification, Packet, Payload, Proposal, Revalidation, Touched};
pub use peer::{Env, Peer, Role};
pub use phase::Phase;
pub use rules::BrokenRule;
pub use storage::{on_disk, purge};
pub use vote::{ServerState, Vote};
