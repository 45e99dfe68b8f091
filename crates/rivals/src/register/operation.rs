//! An operation of a client: its rounds of questions, and whose answers it has.

use std::rc::Rc;

use crate::base::{ServerId, SortedMap};

use super::command::Command;
use super::message::{Held, Message};

/// What a round asks.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// What is kept.
    Query,
    /// Keep this.
    Store(Held),
}

/// An operation under way.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Its client's number for it.
    pub op: u64,
    pub command: Command,
    pub key: Rc<str>,
    pub round: Round,
    /// The number that this round's messages carry.
    pub number: u64,
    /// Whom this round asks.
    pub asked: Vec<ServerId>,
    /// Who has answered, with what; by the replica for which it counts.
    pub answers: SortedMap<ServerId, Held>,
    /// How many answers are enough.
    pub wanted: usize,
    /// Who stands in for whom.
    pub spares: SortedMap<ServerId, ServerId>,
    /// Whether something was sent that replicas may have kept.
    pub stored: bool,
}

impl Operation {
    /// The message of this round to a node; none where it is not asked.
    pub(super) fn message_to(&self, node: ServerId) -> Option<Message> {
        let owner = self.spares.get(&node).copied();
        let home = owner.unwrap_or(node);
        if !self.asked.contains(&home) || self.answers.contains_key(&home) {
            return None;
        }
        let (number, key) = (self.number, self.key.clone());
        Some(match &self.round {
            Round::Query => Message::Query { number, key, owner },
            Round::Store(held) => Message::Store { number, key, held: held.clone(), owner },
        })
    }

    /// A node answers; whether that was awaited.
    pub(super) fn answered(&mut self, node: ServerId, number: u64, held: Held) -> bool {
        let home = self.spares.get(&node).copied().unwrap_or(node);
        let awaited = number == self.number && self.asked.contains(&home);
        awaited && self.answers.insert(home, held).is_none()
    }

    pub(super) fn is_enough(&self) -> bool {
        self.answers.len() >= self.wanted
    }

    /// The newest answer.
    pub(super) fn newest(&self) -> Held {
        self.answers.values().max_by_key(|held| held.stamp).cloned().unwrap_or_default()
    }

    /// Whose answers were older.
    pub(super) fn behind(&self, newest: &Held) -> Vec<ServerId> {
        self.answers.iter().filter(|(_, held)| held.stamp < newest.stamp).map(|(node, _)| *node).collect()
    }
}
