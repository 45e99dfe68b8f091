//! The whole state of what is picked, as rows in groups; and what a step changed in it.

mod client;
mod diff;
mod ensemble;
mod link;
mod packet;
mod server;
mod step;
mod transaction;

#[cfg(test)]
mod tests;

pub use diff::{Diff, Group as ShownGroup, Mark, Shown, diff};
pub use step::{LastStep, last_step};

use std::collections::BTreeSet;

use crate::base::rows::{Heading, Row, Rows};
use crate::base::{ClientId, MsgId, ServerId, Zxid};
use crate::sim::World;
use crate::zab::{LeaderStage, LearnerStage};

use crate::timeline::Facts;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// All of it.
    Ensemble,
    /// A server.
    Server(ServerId),
    /// A link between two servers.
    Link(ServerId, ServerId),
    /// A client.
    Client(ClientId),
    /// A packet.
    Packet(MsgId),
    /// A transaction.
    Transaction(Zxid),
}

/// What somebody waits for, which every language can explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A leader.
    Leader(LeaderStage),
    /// A learner.
    Learner(LearnerStage),
}

/// Rows under a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The heading.
    pub heading: Heading,
    /// What is said beside it: all that is seen of a closed group.
    pub text: String,
    /// What is waited for.
    pub stage: Option<Stage>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// The state of something, in groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The groups, always in the same order.
    pub groups: Vec<Group>,
}

impl Sheet {
    /// A group of rows. Where two rows side by side have one key, the later one is numbered.
    fn group(&mut self, heading: Heading, tell: impl FnOnce(&mut Rows)) -> &mut Group {
        let mut rows = Rows::default();
        tell(&mut rows);
        tell_apart(&mut rows.0);
        self.groups.push(Group { heading, text: String::new(), stage: None, rows: rows.0 });
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    /// A group that is a list: beside the heading stands how many there are.
    fn list(&mut self, heading: Heading, tell: impl FnOnce(&mut Rows)) -> &mut Group {
        let group = self.group(heading, tell);
        group.text = group.rows.len().to_string();
        group
    }

    /// A group beside whose heading stands one of its rows.
    fn led_by(&mut self, heading: Heading, key: &str, tell: impl FnOnce(&mut Rows)) -> &mut Group {
        let group = self.group(heading, tell);
        group.text = group.rows.iter().find(|row| row.key == key).map_or(String::new(), |row| row.text.clone());
        group
    }

    /// Everything but what changes with every moment: to see whether something happened to it.
    pub fn lasting(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| !matches!(group.heading, Heading::Run | Heading::Next))
    }
}

fn tell_apart(rows: &mut [Row]) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        let (key, mut number) = (row.key.clone(), 2);
        while !seen.insert(row.key.clone()) {
            row.key = format!("{key} ({number})");
            number += 1;
        }
        tell_apart(&mut row.rows);
    }
}

/// The whole state of what is picked; `None` where there is no such thing (any more).
pub fn sheet(world: &World, facts: Facts<'_>, pick: Pick) -> Option<Sheet> {
    match pick {
        Pick::Ensemble => Some(ensemble::sheet(world)),
        Pick::Server(id) => server::sheet(world, id),
        Pick::Link(a, b) => link::sheet(world, a, b),
        Pick::Client(id) => client::sheet(world, id),
        Pick::Packet(msg) => packet::sheet(world, facts, msg),
        Pick::Transaction(zxid) => transaction::sheet(world, zxid),
    }
}
