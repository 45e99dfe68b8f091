//! The simulation: a [`Run`] is data, a [`World`] plays it event by event, [`Fact`]s come out.
//!
//! Nothing here knows the browser, reads a clock or iterates over a hash map: the same run gives the same facts
//! everywhere, and their [`Digest`] proves it.

mod action;
mod agenda;
mod client_process;
mod daemon;
mod delays;
mod departure;
mod digest;
mod disk;
mod disk_op;
mod disks;
mod fact;
mod four_letter;
mod host;
mod hosts;
mod interest;
mod latency;
mod ledger;
mod move_to;
mod network;
mod packet_name;
mod packet_ref;
mod player;
mod process;
mod reasons;
pub mod rows;
mod rules;
mod run;
mod run_error;
mod setup;
mod systems;
mod tally;
mod timed_action;
mod versions;
mod world;
mod zookeeper;

pub use action::Action;
pub use agenda::Choice;
pub use client_process::ClientProcess;
pub use departure::{Departure, departure};
pub use digest::Digest;
pub use disk::{Disk, DiskFault};
pub use disk_op::DiskOpName;
pub use disks::Disks;
pub use fact::{Fact, Hex, Record, WorldFact, read_fact};
pub use host::{Host, Input, Outbox, Output, Timer, Token, Written};
pub use hosts::Machine;
pub use interest::interest;
pub use latency::LatencyRange;
pub use ledger::{Known, Ledger, Settled};
pub use move_to::MoveTo;
pub use network::{Conn, InFlight, Item, Network, Parcel, Port};
pub use packet_name::PacketName;
pub use packet_ref::{PacketRef, Which};
pub use player::{Player, Summary};
pub use process::Process;
pub use reasons::{ActionRefusal, Death, LossReason, Silence, Status};
pub use rules::{Rule, RuleNames};
pub use run::{FORMAT_VERSION, OLDEST_FORMAT, Run};
pub use run_error::RunError;
pub use setup::Setup;
pub use systems::Systems;
pub use tally::{RecipeNumbers, Release, Tally};
pub use timed_action::TimedAction;
pub use versions::{CuratorVersion, KazooVersion, ZkVersion};
pub use world::{ChoiceError, World};
pub use zookeeper::ZooKeeper;

pub use crate::daemon::{Env, Interest, Saying, Tongue};
pub use crate::server::{EpochFile, RefusalReason, version_number};
pub use crate::wire::FourLetterWord;
