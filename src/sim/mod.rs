//! The simulation: a [`Run`] is data, a [`World`] plays it event by event, [`Fact`]s come out.
//!
//! Nothing here knows the browser, reads a clock or iterates over a hash map: the same run gives the same facts
//! everywhere, and their [`Digest`] proves it.

mod action;
mod agenda;
mod client_process;
mod daemon;
mod digest;
mod disk;
mod fact;
mod host;
mod hosts;
mod interest;
mod network;
mod player;
mod process;
mod read;
mod reasons;
pub mod rows;
mod run;
mod scenarios;
mod tally;
mod world;
mod zookeeper;

pub use action::{Action, LatencyRange, MoveTo, PacketRef, TimedAction};
pub use agenda::Choice;
pub use client_process::ClientProcess;
pub use daemon::{Cx, Daemon, Say, Saying, Told, Tongue};
pub use digest::Digest;
pub use disk::Disk;
pub use fact::{Fact, Hex, Record, WorldFact};
pub use host::{Env, Host, Input, Outbox, Output, Timer, Token, Written};
pub use hosts::Machine;
pub use interest::{Interest, interest};
pub use network::{Conn, InFlight, Item, Network, Parcel, Port};
pub use player::{Player, Summary};
pub use process::{Process, Status};
pub use reasons::{ActionRefusal, LossReason};
pub use run::{FORMAT_VERSION, Run, RunError, Setup};
pub use scenarios::{Group, Param, SCENARIOS, Scenario, TOPICS, Topic, scenario};
pub use tally::{RecipeNumbers, Release, Tally};
pub use world::{ChoiceError, World};
pub use zookeeper::ZooKeeper;

pub use crate::server::{EpochFile, RefusalReason};
