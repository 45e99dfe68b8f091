//! A register kept by quorums: N replicas hold a value with a timestamp, a write is done at W acknowledgements, a read at R answers
//! (Gifford 1979; Dynamo, SOSP 2007, §4.5 and 4.6). With write-back it is the atomic register of Attiya, Bar-Noy and Dolev (1995; several
//! writers: Lynch & Shvartsman 1997). Replicas are N1, N2, …; clients C1, C2, … coordinate what they ask for themselves.

mod client;
mod command;
mod fact;
mod fact_words;
mod history;
mod judge;
mod links;
mod message;
mod operation;
mod replica;
mod setup;

pub use client::{Client, ClientConfig};
pub use command::Command;
pub use fact::Fact;
pub use judge::Verdict;
pub use message::{Held, Message, Stamp};
pub use replica::{Files, Replica};
pub use setup::{Program, Register, Repair, Rules, Stamps};
